"""Whether two aligned sentences speak of one thing, apart from what differs between them (the slots)."""

import re
from collections.abc import Set
from typing import Literal

from calibrant.judges.free.comparing.alignment import Alignment, weight
from calibrant.judges.free.comparing.content import ARTICLES, Word
from calibrant.judges.free.comparing.reading import Reading, lowered_words
from calibrant.judges.free.evidence.age import opens
from calibrant.judges.free.words.claim_words import CASES
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import tokens
from calibrant.state.task import Language

Differs = Literal["number", "date", "version", "negation", "refusal", "antonym", "class", "value", "order", "answer"]
"""What two sentences disagree in; "answer": all that only one of them says.

"refusal": one takes back what the other states; "class" and "value": two names for one attribute; "order": two things
the other way round.
"""
Scope = Literal["same", "unclear", "different"]
"""Whether two sentences speak of one case."""
Slot = Set[int]
"""The places of the words of a sentence in which it differs from the other one."""
_NO_SLOT: Slot = frozenset()
_LIMITING = word_set("for under per if when unless using para se quando por sob")
_VERSIONED = word_set("is are was were be é são foi era foram has requires uses tem exige requer usa")
"""Verbs behind which a version is what is told."""
_LEADING = {
    Language.ENGLISH: word_set("in since from until em desde na"),
    Language.PORTUGUESE: word_set("in since from until em desde na no"),
}
"""Words behind which it only says which one is meant."""
_PART = re.compile(r"[,;:.()]\s")
PLACING = word_set("in at near em no na nos nas num numa")
_CONTRACTED = {
    **dict.fromkeys(("no", "na", "nos", "nas", "num", "numa"), "em"),
    **dict.fromkeys(("do", "da", "dos", "das"), "de"),
    **dict.fromkeys(("pelo", "pela", "pelos", "pelas"), "por"),
    **dict.fromkeys(("aos", "à", "às"), "ao"),
}
"""Portuguese prepositions that have an article in them -> without it."""


def fit_of(alignment: Alignment, first_slot: Slot = _NO_SLOT, second_slot: Slot = _NO_SLOT) -> float:
    """How well the rest fits, 0..1: S / (S + min(r1, r2) + 0.15 max(r1, r2)), with S shared and r unmatched weight.

    Extra words on one side are detail (a long sentence beside a short one); on both sides they are another matter.
    0 where two of them compete for one place.
    """
    rest_first, rest_second = _rest(alignment, first_slot, second_slot)
    edges = (min(first_slot, default=0), min(second_slot, default=0))
    clauses = _clause(alignment.first, edges[0]), _clause(alignment.second, edges[1])
    if any(_compete(one, other, edges, clauses) for one in rest_first for other in rest_second):
        return 0.0
    extra = sorted((weight(rest_first), weight(rest_second)))
    shared = alignment.shared
    return shared / (shared + extra[0] + 0.15 * extra[1]) if shared else 0.0


def _rest(alignment: Alignment, first_slot: Slot, second_slot: Slot) -> tuple[list[Word], list[Word]]:
    """The words of each side that have no match, outside of what differs."""
    return (
        [word for word in alignment.only_first if word.place not in first_slot],
        [word for word in alignment.only_second if word.place not in second_slot],
    )


def _clause(reading: Reading, place: int) -> int:
    return max((word.clause for word in reading.words if word.place <= place), default=0)


def _compete(one: Word, other: Word, edges: tuple[int, int], clauses: tuple[int, int]) -> bool:
    """Whether two unmatched words fill the same place: governed alike, on the same side of what differs.

    A later clause tells something else, and may differ.
    """
    if (one.place < edges[0]) is not (other.place < edges[1]):
        return False
    if one.clause > clauses[0] and other.clause > clauses[1]:
        return False
    return governor_of(one) == governor_of(other)


def governor_of(word: Word) -> str:
    """The function word before a word; articles do not count."""
    return "" if word.governor in ARTICLES else _CONTRACTED.get(word.governor, word.governor)


def scope_of(
    alignment: Alignment, first_slot: Slot = _NO_SLOT, second_slot: Slot = _NO_SLOT, differs: Differs | None = None
) -> Scope:
    """Whether one side limits its case (for uploads, in version 2, in 2010) and the other does not.

    ``differs``: where the difference is itself a ``date`` or a ``version``, those do not limit.
    """
    told = case_of(alignment, first_slot, second_slot, differs)
    if told != "same":
        return told
    first, second = _rest(alignment, first_slot, second_slot)
    limits = any(_limits(word, first_slot) for word in first), any(_limits(word, second_slot) for word in second)
    return "unclear" if limits[0] is not limits[1] else "same"


def case_of(
    alignment: Alignment, first_slot: Slot = _NO_SLOT, second_slot: Slot = _NO_SLOT, differs: Differs | None = None
) -> Scope:
    """The same, by conditions, versions and years alone. Of two answers to one question no more is compared."""
    told = _by_condition(alignment, first_slot, second_slot, differs)
    if told != "same":
        return told
    versions = [set[str]() if differs == "version" else _scoping_versions(side) for side in alignment.sides]
    years = [{str(date.year) for date in side.dates if date.scope} for side in alignment.sides]
    for one, other in (versions,) if differs == "date" or tell_since_when(*alignment.sides) else (versions, years):
        if one and other and not one & other:
            return "different"
        if bool(one) is not bool(other):
            return "unclear"
    return "same"


def tell_since_when(first: Reading, second: Reading) -> bool:
    """Whether both say from which day on something is so, and no more of days: the later one takes the place of the
    other, and does not stand beside it."""
    return all(len(side.dates) == 1 and opens(side.dates[0], side.text) for side in (first, second))


def _by_condition(alignment: Alignment, first_slot: Slot, second_slot: Slot, differs: Differs | None) -> Scope:
    """Two conditions make two cases, unless all that they differ in is a ``number`` or a ``date``: paid if cancelled
    within 30 days, paid if cancelled within 14 days."""
    if _is_case(alignment.first, first_slot) and _is_case(alignment.second, second_slot):
        return _by_threshold(alignment, first_slot, second_slot) if differs in ("number", "date") else "different"
    mine, theirs = ({one for one, start in _figures(side) if is_conditional(side, start)} for side in alignment.sides)
    return "different" if mine and theirs and not mine & theirs else "same"


def _by_threshold(alignment: Alignment, first_slot: Slot, second_slot: Slot) -> Scope:
    """Whether two thresholds are of one condition, with one consequence."""
    mine, theirs = ({figure for figure, _ in _figures(side)} for side in alignment.sides)
    if max(len(mine - theirs), len(theirs - mine)) > 1:
        return "different"  # 10 euros from 7 days on, 20 euros from 14 days on
    rest = _rest(alignment, first_slot, second_slot)
    if all(rest) or any(
        is_conditional(side, word.start) for side, words in zip(alignment.sides, rest, strict=True) for word in words
    ):
        return "different"
    return "unclear" if any(rest) else "same"


def _figures(reading: Reading) -> list[tuple[tuple[float, ...] | tuple[float, str], int]]:
    """The numbers and dates, each with its place in the text."""
    amounts = [((amount.value, amount.unit), amount.start) for amount in reading.quantities]
    return [*amounts, *((date.ymd, date.start) for date in reading.dates)]


def _is_case(reading: Reading, slot: Slot) -> bool:
    """Whether what differs is a condition (if the queue is full) or what a sentence tells to do (Remove the filter)."""
    found = tokens(reading.text)
    if not slot or min(slot) >= len(found):
        return False
    at = min(slot)
    if at == 0:
        return len(found) > 1 and found[1].word in ARTICLES
    return is_conditional(reading, found[at].start)


def is_conditional(reading: Reading, start: int) -> bool:
    """Whether a character stands in a condition: behind a word that opens one, in its part of the sentence."""
    part = _PART.split(reading.text[:start])[-1]
    return not CASES[reading.language].isdisjoint(lowered_words(part, reading.language))


def _limits(word: Word, slot: Slot) -> bool:
    return word.governor in _LIMITING or (word.governor in PLACING and word.place < min(slot, default=0))


def _scoping_versions(reading: Reading) -> set[str]:
    """Versions that say which one is meant: they stand before the verb, or after a preposition."""
    found = set()
    for version, start in reading.versions:
        before = reading.text[:start].lower().split()
        if not _LEADING[reading.language].isdisjoint(before[-3:]) or _VERSIONED.isdisjoint(before):
            found.add(version)
    return found
