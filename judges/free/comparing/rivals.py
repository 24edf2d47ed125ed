"""Two answers to one question that cannot both be right: another amount, another date, another person, yes and no.

Sentences of two documents that answer one question may share hardly a word ("reaches 250 °C in 25 minutes", "it takes
an hour to get there"), so that comparing the sentences tells nothing. That both answer the same question does.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibrant.judges.free.comparing.alignment import Alignment, align
from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.belonging import of_two_days
from calibrant.judges.free.comparing.clashes import agree
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.decided import is_decided, is_open, turns
from calibrant.judges.free.comparing.filled import filled_otherwise
from calibrant.judges.free.comparing.frame import Differs, Scope, case_of
from calibrant.judges.free.comparing.mention_kinds import kinds_of
from calibrant.judges.free.comparing.mentioned_amounts import asks_limit, is_rate
from calibrant.judges.free.comparing.mentioned_times import tells_of_change
from calibrant.judges.free.comparing.mentions import Mention, are_kin, overlap, pairs_of
from calibrant.judges.free.comparing.opposition import Opposition
from calibrant.judges.free.comparing.outlook import are_of_two_times
from calibrant.judges.free.comparing.permission import asks_duty, tells_duty
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.comparing.same_case import (
    SWITCH,
    Answer,
    are_of_two,
    either,
    is_same_case,
    opposite_told,
    said,
    terms_of,
)
from calibrant.judges.free.comparing.told_as import are_of_one
from calibrant.judges.free.evidence.answer_kind import Expects
from calibrant.judges.free.evidence.labels import names_another
from calibrant.judges.free.evidence.query import Query, prepare
from calibrant.judges.free.evidence.question_form import is_polar, wants_several
from calibrant.judges.free.evidence.units_asked import measures
from calibrant.judges.free.words.claim_words import EVENTS, FORBIDDEN, LEAVE, stemmed
from calibrant.judges.free.words.dates import Date
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.opposites import are_opposite
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.text import stem

SEVERITY = 0.75
"""Of such a difference: below that of two sentences that say the same but for it."""

LIKELY = 0.3
"""The score from which a sentence is taken to be about what is asked, however it is worded: less than what is given for
an answer, since that two documents tell another number is worth telling. Chosen on documents written for this
(``tests/documents/drifted`` and others)."""

_MOST_OF_IT = 2 / 3
"""Share of the question's words, by weight, that a sentence must have, with what stands above it, beyond which it is
about what is asked: on the fitting half of ``nq_open``, answers about something else had less."""
_OFF = FORBIDDEN | word_set("false off disabled falso desativado desativada desligado desligada")
"""Words that say no where no word denies."""
_ENDS = word_set("died ended abolished deprecated morreu terminou abolido abolida encerrado encerrada")
"""The end of what happens once."""
_OF_KIND = word_set("version versions release releases versão versões")
"""Words of a question that say that it wants a version."""
_SAID_AGAIN = 2
"""Words of the question that a yes or a no has at least."""


@dataclass(frozen=True)
class Comparison:
    """What two answers to one question tell."""

    opposed: Opposition | None = None
    """What they disagree in."""
    agree: bool = False
    """They tell the same."""
    apart: bool = False
    """They speak of two cases."""
    about: bool = False
    """Both are about what is asked, by their words or by their scores."""


def compare_answers(question: str, first: Answer, second: Answer, *, likely: bool = False) -> Comparison:
    """What two documents' answers to ``question`` disagree in, if that can be told. ``likely``: both answer it by
    their scores (``LIKELY``), in whatever words; where those may set two cases apart, that stays unclear."""
    if first.item.document == second.item.document:
        return Comparison()
    sides = first, second
    if are_of_two_times(first.text, second.text) or not all(tells_measure(question, side) for side in sides):
        return Comparison(apart=True)
    if any(names_another(question, side.told) for side in sides):
        return Comparison(apart=True)  # machine 614, where machine 3 is asked about
    about = is_about(question, first), is_about(question, second)
    if not (all(about) or likely):
        return Comparison(apart=any(about))
    query = prepare(question)
    alignment = align(read(first.text, query.language), read(second.text, query.language))
    opposed, agree = disagreement(query, alignment) if all(about) else (None, False)
    if likely and opposed is None and not agree:
        opposed, agree = disagreement(query, alignment, likely=True)
    is_one_case = all(about) and is_same_case(query, first, second)
    if (agree or is_one_case) and _is_same_decision(query, first, second):
        return Comparison(opposed, agree, about=True)
    if likely and opposed is not None and not are_of_two(query, first, second):
        return Comparison(replace(opposed, scope="unclear"), about=True)
    return Comparison(apart=True, about=True)


def is_about(question: str, answer: Answer) -> bool:
    """Whether an answer has most of the words that the question has, with what stands above it. Who tells a version
    need not call it one."""
    query = prepare(question)
    silent = _OF_KIND if query.expects is Expects.VERSION else frozenset[str]()
    asked, told = (
        sum(term.weight for term in terms if term.word not in silent)
        for terms in (terms_of(query), said(query, answer))
    )
    return told > _MOST_OF_IT * asked


def tells_measure(question: str, answer: Answer) -> bool:
    """Whether an answer, or what stands above it, can tell the measure that is asked for: how often a job is tried is
    no answer to how long it waits, and two such numbers are no dispute about that. So of any question for no
    measure."""
    asked = prepare(question).asked
    return measures(answer.text, asked) or measures(answer.told, asked)


def disagreement(query: Query, alignment: Alignment, likely: bool = False) -> tuple[Opposition | None, bool]:
    """What two answers disagree in, and whether they tell the same. A question that wants several things may have
    several answers. ``likely``: as for ``compare_answers``."""
    if wants_several(query.text):
        return None, False
    if either(query):
        return _either(query, alignment)
    if is_polar(query.text):
        return _yes_or_no(query, alignment)
    first, second = alignment.sides
    unpaired = False
    for kind in kinds_of(query, first, second, likely):
        if kind.what == "value" and _tell_other_amounts(first, second, likely):
            continue  # who approves what is above 5,000 euros
        if kind.what == "date" and not all(_tells_of_event(query, side) for side in (first, second)):
            continue  # when it was built, and when it was listed
        if kind.what == "version" and not all(tells_of_change(query.text, side.text) for side in (first, second)):
            continue
        pairs = pairs_of(query, kind, first, second, likely)
        if pairs is None:
            continue
        if kind.what == "number":
            pairs = [pair for pair in pairs if _are_told_alike(first, second, *pair)]
        if not likely and any(_is_denied_of(first, one) or _is_denied_of(second, other) for one, other in pairs):
            return None, False
        alike = [kind.agree(one.value, other.value) for one, other in pairs]
        if False in alike and not (likely and _tell_the_others_too(first, second, pairs)):
            pair = pairs[alike.index(False)]
            return _unless_bounded(query, _opposed(kind.what, alignment, *pair), *pair), False
        if alike and all(alike):
            return None, not unpaired  # both on a Saturday, of which two dates are told
        unpaired = True
    filled = None if unpaired else filled_otherwise(query, alignment)
    return Opposition("value", SEVERITY, filled, 0.5, case_of(alignment)) if filled else None, False


def _are_told_alike(first: Reading, second: Reading, one: Mention[Any], other: Mention[Any]) -> bool:
    """Whether two numbers may be told of one thing and as the same: not a count, and how many there are an hour."""
    told = (first, one), (second, other)
    rates = {is_rate(side, mention) for side, mention in told if isinstance(mention.value, Quantity)}
    return len(rates) < len(told) and are_of_one(first.text, one, second.text, other)


def _unless_bounded(query: Query, opposed: Opposition, one: Mention[Any], other: Mention[Any]) -> Opposition:
    """Where nobody asks for a limit, a number within one may well be right beside it: it holds 100, at most 500."""
    mine, theirs = one.value, other.value
    if asks_limit(query) or not (isinstance(mine, Quantity) and isinstance(theirs, Quantity)):
        return opposed
    within = mine.bound != theirs.bound and agree(mine, theirs)
    return replace(opposed, scope="unclear") if within and opposed.scope == "same" else opposed


def _tell_the_others_too(first: Reading, second: Reading, pairs: Sequence[tuple[Mention[Any], Mention[Any]]]) -> bool:
    """Whether a sentence has the very number that the other one tells, be it without a unit: covered for five."""
    sides = [(first, other) for _, other in pairs] + [(second, one) for one, _ in pairs]
    return any(_tells(side, mention.value) for side, mention in sides if isinstance(mention.value, Quantity))


def _tells(side: Reading, value: Quantity) -> bool:
    """Whether a sentence has this number, in the same unit or where one has none."""
    same = [one for one in side.quantities if one.value / one.factor == value.value / value.factor]
    return any(not (one.unit and value.unit) or (one.unit, one.factor) == (value.unit, value.factor) for one in same)


def _tell_other_amounts(first: Reading, second: Reading, likely: bool) -> bool:
    """Whether two sentences tell other amounts, which may be what sets the two apart; of two that are known to answer
    the question, other amounts of one unit, or only one of them a bound: above 5,000 euros."""
    bounded = [any(one.unit and one.bound in ("<", ">") for one in side.quantities) for side in (first, second)]
    if bounded[0] is not bounded[1]:
        return True
    mine, theirs = (
        {(one.value, one.unit) for one in side.quantities if not is_row(side.text)} for side in (first, second)
    )
    if likely:
        units = {unit for _, unit in mine} & {unit for _, unit in theirs}
        mine, theirs = ({one for one in side if one[1] in units} for side in (mine, theirs))
    return mine != theirs


def _is_denied_of(side: Reading, mention: Mention[Any]) -> bool:
    """Whether the clause that a mention stands in denies something: "it does not cost 12 euros"."""
    before = [word.clause for word in side.words if word.start <= mention.start]
    return any(word.negated for word in side.words if word.clause == max(before, default=0))


def _tells_of_event(query: Query, side: Reading) -> bool:
    """Whether a sentence tells of something that happens once, or of a life in brackets, where that is asked for: of
    how a thing began where that is asked, and not how it ended."""
    language = query.language
    events, ends = (stemmed(words, language) for words in (EVENTS[language], _ENDS))
    asked, told = events & {term.stem for term in query.terms}, events & side.stems
    if not asked or any(_is_in_brackets(side, date) for date in side.dates):
        return True
    is_opposite = any(are_opposite(one, other, language) for one in asked for other in told)
    return bool(told) and (asked <= ends) is (told <= ends) and not is_opposite


def _is_in_brackets(side: Reading, date: Date) -> bool:
    return side.text.rfind("(", 0, date.start) > side.text.rfind(")", 0, date.start)


def _opposed(what: Differs, alignment: Alignment, mine: Mention[Any], theirs: Mention[Any]) -> Opposition:
    first, second = alignment.sides
    values = first.said(mine), second.said(theirs)
    scope: Scope = "same"
    if first.conditional is not second.conditional:
        scope = "unclear"
    elif not any(is_row(side.text) for side in (first, second)):  # a row's other cells limit nothing
        scope = case_of(alignment, {mine.place} - {-1}, {theirs.place} - {-1}, what)
        one, other = mine.value, theirs.value
        if isinstance(one, Quantity) and isinstance(other, Quantity) and of_two_days(first, one, second, other):
            scope = "different"
    return Opposition(what, SEVERITY, values, 0.5, scope)


def _either(query: Query, alignment: Alignment) -> tuple[Opposition | None, bool]:
    """One answer names one of the two opposites that are asked for, the other one the other: empty or full?"""
    first, second = alignment.sides
    mine, theirs = _chosen(query, first), _chosen(query, second)
    if mine is None or theirs is None or first.conditional is not second.conditional:
        return None, False
    if mine[0] == theirs[0]:
        return None, True
    values = mine[1].low, theirs[1].low
    return Opposition("antonym", SEVERITY, values, 0.5, case_of(alignment)), False


def _chosen(query: Query, side: Reading) -> tuple[bool, Word] | None:
    """Whether a sentence says the first of the two, and its word for that: one of its kin, another opposite of the
    other one (filled), or the other one denied. None where it says neither, or both."""
    one, other = (stem(word, query.language) for word in either(query))
    named = [
        (is_first is not word.negated, word)
        for is_first, mine, against in ((True, one, other), (False, other, one))
        for word in side.words
        if are_kin(word.stem, mine, query.language) or are_opposite(word.stem, against, query.language)
    ]
    return named[0] if len({is_first for is_first, _ in named}) == 1 else None


def _yes_or_no(query: Query, alignment: Alignment) -> tuple[Opposition | None, bool]:
    """One answer says yes and the other one no. A condition on one side leaves both right."""
    first, second = alignment.sides
    if read(query.text, query.language).negative or first.conditional is not second.conditional:
        return None, False
    if all(any(amount.bound in ("<", ">") for amount in side.quantities) for side in (first, second)):
        return None, False  # up to a day before, and not less than a day before
    denied = [_denies(query, side) for side in (first, second)]
    if None in denied or denied[0] is denied[1]:
        return None, None not in denied and turns(first) is not turns(second)  # not approved, rejected
    said_first, said_second = (side.text.rstrip(".") for side in (first, second))
    return Opposition("negation", SEVERITY, (said_first, said_second), 0.5, case_of(alignment)), False


def _is_same_decision(query: Query, first: Answer, second: Answer) -> bool:
    """Whether both speak of all that is asked, and tell what was decided or state it, where a word of refusal is what
    makes one of them a no: the budget of the school is not that of the museum, and what was asked for is open."""
    sides = [read(side.text, query.language) for side in (first, second)]
    if not is_polar(query.text) or turns(sides[0]) is turns(sides[1]):
        return True
    if any(is_open(side) for side in sides):
        return False
    wanted = [term.stem for term in terms_of(query)]
    plain = [side for side in sides if not is_decided(side)]
    return said(query, first) & said(query, second) >= {*terms_of(query)} and all(
        overlap(side.words, wanted, query.language) >= len(wanted) for side in plain
    )


def _denies(query: Query, side: Reading) -> bool | None:
    """Whether a sentence says no to what is asked; None where it denies something else, or says too little of it."""
    switch = SWITCH.search(side.text)
    if switch:
        return not switch["on"]
    denied = _is_denied(query, side)
    return denied if denied is None else denied is not turns(side)


def _is_denied(query: Query, side: Reading) -> bool | None:
    """Whether words that deny say no to what is asked; None as for ``_denies``."""
    asked = [word for word in side.words if any(are_kin(word.stem, one.stem, query.language) for one in query.terms)]
    opposite = opposite_told(query, side)
    if opposite is not None and len({word.stem for word in asked}) >= min(_SAID_AGAIN, len(query.terms) - 1):
        return not opposite[0].negated
    if len({word.stem for word in asked}) + is_decided(side) < _SAID_AGAIN:
        return None
    if not side.lowered.isdisjoint(_OFF):
        return None if side.negative else True
    leave = stemmed(LEAVE[query.language], query.language)
    if any(word.negated for word in side.words if word in asked or word.stem in leave):
        return True
    is_beside = side.negative or (asks_duty(query.text) and not tells_duty(side, query.asked))
    return None if is_beside else False
