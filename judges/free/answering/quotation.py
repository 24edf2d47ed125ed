"""How much to quote: the sentence that answers, and the one beside it that it leans on or that goes on with it.

"He is known for starring as Ricky Underwood" answers "who played Ricky?" only with the sentence before it, and one step
of a list does not tell how to do a thing. A quotation is one piece of its passage, so that what is cited can be found
there word for word.
"""

import re
from collections.abc import Sequence

from calibrant.judges.free.answering.defaults import goes_on_with_default
from calibrant.judges.free.answering.modifiers import is_of_the_other
from calibrant.judges.free.comparing.elsewhere import is_elsewhere
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.answer_kind import FORMAL, Expects
from calibrant.judges.free.evidence.holding import days_named, holds
from calibrant.judges.free.evidence.labels import names_another
from calibrant.judges.free.evidence.matching import are_all_in, keys
from calibrant.judges.free.evidence.procedures import LONGEST, end_of_shown, is_directive, is_open, steps_in
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import is_polar, wants_several, wants_steps
from calibrant.judges.free.evidence.relevance import ScoredPassage
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.text import Sentence, content_stems, words
from calibrant.state.injection import beside_order

GOES_WITH = 0.1
"""A sentence beside the best one is quoted with it from this share of its score. Chosen on the fit halves: the answer
stands in the quotation for 0.78 of the questions of ``nq_open_oracle`` (0.66 in a single sentence), 0.87 of ``squad2``
(0.84) and 0.80 of ``faquad`` (0.77), for half a sentence more."""

_LEANS = re.compile(
    r"[\"'“‘(]*(?:"
    r"(?:he|she|it|they|his|her|hers|its|their|him|them|this|these|those|such|that|both|another|others?"
    r"|the (?:former|latter|same)|however|also|then|later|similarly|instead|thus|therefore"
    r"|el[ea]s?|isso|isto|est[ea]s?|ess[ea]s?|seus?|suas?|porém|contudo|assim|portanto)\b"
    r"|(?:in|at|on|during|after|before|from|for|of|with|by|under)"
    r" (?:this|that|these|those|his|her|its|their|it|them|him)\b)",
    re.IGNORECASE,
)
"""Openers of a sentence whose subject stands before it."""
_GOES_ON = re.compile(
    r"(?:otherwise\b|elsewhere\b|(?:in|for|at|on) (?:(?:all|any|every) (?:the )?others?|others|other (?:case|place)s)\b"
    r"|(?:if|when) (?:it|they|not|none|neither|you (?:do not|don't|cannot|can't))\b"
    r"|caso contrário|senão|(?:para|em|n[oa]s) (?:tod[oa]s [oa]s )?(?:outr[oa]s|demais)\b"
    r"|(?:se|quando) (?:não|for|ele|ela)\b)",
    re.IGNORECASE,
)
"""Openers of the other case: half of a case distinction misleads."""
_EXACT = frozenset({Expects.NUMBER, Expects.DATE, Expects.VALUE, Expects.ERROR})
_BRIEF = frozenset({Expects.NUMBER, Expects.DATE, Expects.TIME, Expects.VERSION, Expects.VALUE})
"""Kinds that two words tell, under a heading: "Released 4 May"."""
_ENTRY = re.compile(r"[^:\s]+: [^:\s]+")
"""An entry of a list that says what one thing has: "- staging: debug"."""
_LACKS_SUBJECT = re.compile(r"[A-Z]\w+ed (?:by|in|on|at|since|to|from|with|for|until|after|before)\b")
"""Openers of a sentence that is only said about the one before it ("Reported by ...")."""
_SAID_OF_SHOWN = re.compile(
    r"(?:this|these|isso|isto|est[ea]s? (?:comandos?|códigos?|exemplos?|linhas?)|est[ea])\b", re.IGNORECASE
)
"""Openers of a sentence that is said of the code before it."""
_SIGNATURE = re.compile(r"\s*(?:(?:async )?def |class )\w")


def quoted(query: Query, passage: ScoredPassage, place: int) -> tuple[Sentence, ...]:
    """The sentences to quote, in order: the one at ``place``, and those beside it in its paragraph that belong; all
    entries of a list, where it is asked for."""
    if whole := _whole_list(query, passage, place):
        return whole
    before, after = (
        _is_beside(passage, place, other) and not _is_of_another_case(query, passage, place, other)
        for other in (place - 1, place + 1)
    )
    leans = before and _leans_on_before(query, passage, place)
    goes_on = after and _goes_on_behind(query, passage, place)
    first, last = place - leans, place + (goes_on or completed(query, passage, place))
    if first == last and not _tells_it_all(query, passage, place):
        before = before and not _is_told_whole(query, passage, place)
        fitting = [other for other, held in ((place - 1, before), (place + 1, after)) if held]
        best = max(fitting, key=lambda other: passage.sentences[other].score, default=place)
        if passage.sentences[best].score >= GOES_WITH * passage.sentences[place].score:
            first, last = min(place, best), max(place, best)
    if query.expects is Expects.VALUE or not _tells_it_all(query, passage, place):  # "`gates` is set so:" holds a value
        first, last = _with_what_is_shown(query, passage, first, last)
    chosen = passage.found[first : last + 1]
    return chosen if chosen[-1].end - chosen[0].start <= LONGEST else (passage.found[place],)


def _leans_on_before(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence at ``place`` is half told without the one before it."""
    lacks = _lacks_its_subject(query, passage, place) and not _is_led_astray(query, passage, place)
    is_other_case = bool(_GOES_ON.match(passage.found[place].headless))
    return _leans(passage, place) or lacks or is_other_case or _names_the_day(query, passage, place, place - 1)


def _goes_on_behind(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether what the sentence at ``place`` tells goes on in the one behind it."""
    own, after = (passage.found[at] for at in (place, place + 1))
    is_other_case = bool(_GOES_ON.match(after.headless))
    tells_default = goes_on_with_default(query, own.text, after.text)
    return is_other_case or tells_default or _names_the_day(query, passage, place, place + 1)


def _is_told_whole(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence at ``place`` says all of a question for a yes or a no: what stands before adds nothing."""
    held = keys(passage.found[place].text, query.language)
    return is_polar(query.text) and are_all_in(query.terms, held)


def _with_what_is_shown(query: Query, passage: ScoredPassage, first: int, last: int) -> tuple[int, int]:
    """The sentences from ``first`` to ``last`` with what their colon announces, a command or a list, and with the code
    that "This starts the server" is said of, or that the section opens with, where the question is how to do a thing.
    As they are where all of it is too long to quote."""
    start = first
    if _SAID_OF_SHOWN.match(passage.found[first].headless):
        start = _start_of_shown(passage.found, first)
    elif wants_steps(query.text):
        start = _start_of_opening(passage.found, first)
    end = end_of_shown(passage.found, last)
    fits = passage.found[end].end - passage.found[start].start <= LONGEST
    return (start, end) if fits else (first, last)


def with_what_it_announces(found: Sequence[Sentence], place: int) -> tuple[Sentence, ...]:
    """The sentence at ``place`` with the command or the list that its colon announces; alone where that is too long."""
    shown = tuple(found[place : end_of_shown(found, place) + 1])
    return shown if shown[-1].end - shown[0].start <= LONGEST else (found[place],)


def _start_of_shown(found: Sequence[Sentence], first: int) -> int:
    """The place of the code right before, or of the sentence that announces it."""
    code = _start_of_code(found, first)
    if code == first:
        return first
    above = code - 1
    while above > 0 and is_directive(found[above]):
        above -= 1
    return above if above >= 0 and is_open(found[above]) else code


def _start_of_opening(found: Sequence[Sentence], first: int) -> int:
    """The place of the code with which the section opens that the sentence at ``first`` follows: the command comes
    before what there is to say of it. ``first`` itself where there is none."""
    code = _start_of_code(found, first)
    return code if found[first].kind == "prose" and code and found[code - 1].kind == "heading" else first


def _start_of_code(found: Sequence[Sentence], first: int) -> int:
    """The place where the code begins that stands right before the sentence at ``first``; ``first`` without any."""
    while first and found[first - 1].is_code:
        first -= 1
    return first


def _is_of_another_case(query: Query, passage: ScoredPassage, place: int, other: int) -> bool:
    """Whether the sentence at ``other`` speaks of another thing or case than the question and the one at ``place``."""
    own, text = (passage.found[at].text for at in (place, other))
    own = f"{line_above(passage.evidence)}. {own}"
    another = names_another(query.text, text) or is_of_the_other(query.text, text, query.language)
    return another or is_elsewhere(query, own, text)


def completed(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the date, number, name or error that is asked for stands in the sentence after the one at ``place`` and
    not in it, said of the same thing: "Version 1. It will be switched off on 30 June"."""
    if query.expects not in FORMAL or not _is_beside(passage, place, place + 1) or not _leans(passage, place + 1):
        return False
    own, after = (passage.found[at].headless for at in (place, place + 1))
    return holds(query.expects, after, query.asked) and not holds(query.expects, own, query.asked)


def is_quotable(sentence: Sentence, source: str, expects: Expects = Expects.ANY, *, changed: bool = False) -> bool:
    """A statement of readable length in the text ``source``, short where it tells what is asked for: no heading,
    question, code (but a signature that tells a default value), nor anything beside an order to a model. ``changed``:
    what changed in its version is asked for, which any entry tells: "Night mode.\""""
    text = sentence.text
    if sentence.kind == "heading" or text.endswith("?") or len(text) > LONGEST:
        return False
    if beside_order(source, sentence.start, sentence.end):
        return False
    if sentence.kind == "code":
        return "\n" not in text.strip() and expects is Expects.VALUE and bool(_SIGNATURE.match(text))
    if changed and sentence.kind == "item":
        return True
    tells = sentence.kind == "item" and _ENTRY.fullmatch(text) is not None
    tells = tells or (expects in _BRIEF and holds(expects, text, frozenset()))
    return len(text.split()) >= (2 if tells else 3)


def _is_beside(passage: ScoredPassage, place: int, other: int) -> bool:
    """Whether there is prose to quote at ``other``, in the paragraph or list entry of the sentence at ``place``."""
    if not 0 <= other < len(passage.found):
        return False
    left, right = (passage.found[at] for at in sorted((place, other)))
    text = passage.evidence.text
    together = left.kind == right.kind == "prose" or (left.kind == "item" and right.goes_on(text))
    together = together and "\n\n" not in text[left.end : right.start]
    is_rest = other == 0 and text.lstrip()[:1].islower()  # of a sentence that begins in the passage before
    return together and not is_rest and is_quotable(passage.found[other], text)


def _whole_list(query: Query, passage: ScoredPassage, place: int) -> tuple[Sentence, ...]:
    """The list around ``place``: its numbered steps, where the question is how to do a thing; its entries, where it
    wants several things that the heading, the columns or the words above name. Empty if it is too long to quote."""
    if passage.found[place].kind != "item":
        return ()
    text, (first, end) = passage.evidence.text, _list_around(passage, place)
    entries = passage.found[first:end]
    if entries[-1].end - entries[0].start > LONGEST:
        return ()
    steps = bool(steps_in(entries, text)) and wants_steps(query.text)
    above = f"{line_above(passage.evidence)} {passage.found[first - 1].text if first else ''}"
    named = wants_several(query.text) and len(entries) > 1 and _kind_asked(query, above)
    return entries if steps or named else ()


def _list_around(passage: ScoredPassage, place: int) -> tuple[int, int]:
    """Where the entries around ``place`` begin and end, with the code that an entry announces. Of a list that is too
    long to quote, no more than shows it: each sentence of it comes here."""
    found = passage.found

    def edge(by: int) -> int:
        at = place
        while 0 <= at + by < len(found) and (found[at + by].kind == "item" or is_announced(at + by)):
            if abs(found[at].start - found[place].start) > LONGEST:
                break
            at += by
        return at

    def is_announced(at: int) -> bool:
        while found[at].kind == "code" and at:
            at -= 1
            if found[at].kind == "item" and is_open(found[at]):
                return True
        return False

    return edge(-1), edge(1) + 1


def _kind_asked(query: Query, above: str) -> bool:
    """Whether ``above`` names the kind of thing that is asked for: the first word that the question is about."""
    return bool(query.terms) and are_all_in(query.terms[:1], keys(above, query.language))


def _tells_it_all(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence holds the number, date, value or error that is asked for: there is nothing to add."""
    return query.expects in _EXACT and holds(query.expects, passage.found[place].text, query.asked)


def _leans(passage: ScoredPassage, place: int) -> bool:
    text = passage.found[place].headless
    return bool(_LEANS.match(text) or _LACKS_SUBJECT.match(text))


def _lacks_its_subject(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence before says what the passage is about, and the one at ``place`` does not. One that says all
    of the question lacks nothing."""
    held = keys(passage.found[place].text, query.language)
    if are_all_in(query.terms, held):
        return False
    above = _topic(query, line_above(passage.evidence)) - _topic(query, query.text)
    before, own = (_topic(query, passage.found[at].text) for at in (place - 1, place))
    return bool(above & before) and not above & own


def _is_led_astray(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence at ``place`` holds the number that is asked for and the one before another number, which can
    be no answer and would be read as one: how often a job is tried, before how long it waits."""
    before = passage.found[place - 1].text
    is_other = query.expects is Expects.NUMBER and not holds(query.expects, before, query.asked)
    return is_other and bool(numbers(before, query.language)) and _tells_it_all(query, passage, place)


def _names_the_day(query: Query, passage: ScoredPassage, place: int, other: int) -> bool:
    """Whether the sentence at ``other`` names the day of the week that is asked about, and the one at ``place`` does
    not: open from Tuesday to Sunday, and closed on Mondays."""
    own, text = (days_named(words(passage.found[at].text)) for at in (place, other))
    return bool((text - own) & days_named(query.asked))


def _topic(query: Query, text: str) -> frozenset[str]:
    return content_stems(text, query.language)
