"""How much to quote: the sentence that answers, and the one beside it that it leans on or that goes on with it.

"He is known for starring as Ricky Underwood" answers "who played Ricky?" only with the sentence before it. A quotation
is one piece of its passage, so that what is cited can be found there word for word.
"""

import re

from calibrant.judges.free.feat_answer import Expects, holds
from calibrant.judges.free.feat_lexical import Query
from calibrant.judges.free.relevance import ScoredPassage, title_of
from calibrant.judges.free.text import Sentence, content_words, stem
from calibrant.state.injection import is_order

GOES_WITH = 0.1
"""A sentence beside the best one is quoted with it from this share of its score. Chosen on the fit halves: the answer
stands in the quotation for 0.78 of the questions of ``nq_open_oracle`` (0.66 in a single sentence), 0.87 of ``squad2``
(0.84) and 0.80 of ``faquad`` (0.77), for half a sentence more."""
LONGEST = 600
"""Characters of a quotation."""

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
    r"(?:otherwise\b|(?:if|when) (?:it|they|not|none|neither)\b|caso contrário|senão"
    r"|(?:se|quando) (?:não|for|ele|ela)\b)",
    re.IGNORECASE,
)
"""Openers of the other case: half of a case distinction misleads."""
_EXACT = frozenset({Expects.NUMBER, Expects.DATE, Expects.VALUE, Expects.ERROR})
_SIGNATURE = re.compile(r"\s*(?:(?:async )?def |class )\w")


def quoted(query: Query, passage: ScoredPassage, place: int) -> tuple[Sentence, ...]:
    """The sentences to quote, in order: the one at ``place``, and those beside it in its paragraph that belong."""
    before, after = (_is_beside(passage, place, other) for other in (place - 1, place + 1))
    leans = before and (_leans(passage, place) or _lacks_its_subject(query, passage, place))
    goes_on = after and bool(_GOES_ON.match(passage.sentences[place + 1].sentence.text))
    first, last = place - leans, place + goes_on
    if first == last and not _tells_it_all(query, passage, place):
        fitting = [other for other, held in ((place - 1, before), (place + 1, after)) if held]
        best = max(fitting, key=lambda other: passage.sentences[other].score, default=place)
        if passage.sentences[best].score >= GOES_WITH * passage.sentences[place].score:
            first, last = min(place, best), max(place, best)
    chosen = tuple(marked.sentence for marked in passage.sentences[first : last + 1])
    return chosen if chosen[-1].end - chosen[0].start <= LONGEST else (passage.sentences[place].sentence,)


def is_quotable(sentence: Sentence, expects: Expects = Expects.ANY) -> bool:
    """A statement of readable length: no heading, question, code (but a signature that tells a default value), nor an
    order to a model."""
    text = sentence.text
    if sentence.kind == "heading" or text.endswith("?") or len(text) > LONGEST or is_order(text):
        return False
    if sentence.kind == "code":
        return "\n" not in text.strip() and expects is Expects.VALUE and bool(_SIGNATURE.match(text))
    return len(text.split()) >= 3


def _is_beside(passage: ScoredPassage, place: int, other: int) -> bool:
    """Whether there is prose to quote at ``other``, in the same paragraph as the sentence at ``place``."""
    if not 0 <= other < len(passage.sentences):
        return False
    left, right = (passage.sentences[at].sentence for at in sorted((place, other)))
    together = "\n\n" not in passage.evidence.text[left.end : right.start]
    return together and left.kind == right.kind == "prose" and is_quotable(passage.sentences[other].sentence)


def _tells_it_all(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence holds the number, date, value or error that is asked for: there is nothing to add."""
    return query.expects in _EXACT and holds(query.expects, passage.sentences[place].sentence.text, query.asked)


def _leans(passage: ScoredPassage, place: int) -> bool:
    return bool(_LEANS.match(passage.sentences[place].sentence.text))


def _lacks_its_subject(query: Query, passage: ScoredPassage, place: int) -> bool:
    """Whether the sentence before says what the passage is about, and the one at ``place`` does not."""
    above = _topic(query, title_of(passage.evidence)) - _topic(query, query.text)
    before, own = (_topic(query, passage.sentences[at].sentence.text) for at in (place - 1, place))
    return bool(above & before) and not above & own


def _topic(query: Query, text: str) -> set[str]:
    return {stem(word, query.language) for word in content_words(text, query.language)}
