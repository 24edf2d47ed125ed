"""What belongs to what in a sentence: which date a number is of, who does a thing and to whom it is done.

Two sentences may have all words in common and still say something else: "1.2 million in 2024, up from 1.05 in 2023" is
not "1.2 million in 2023", and who succeeded whom is not told by the names.
"""

import re

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.clashes import agree, same_day
from calibrant.judges.free.comparing.content import TITLES, Word
from calibrant.judges.free.comparing.frame import tell_since_when
from calibrant.judges.free.comparing.mentions import Mention, with_labels
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.dates import Date

_VERB = re.compile(
    r"\w+(?:ed|ing)$|(?:beat|bought|built|chose|fed|founds?|gave|held|hit|hired|leads?|led|left|lent|made|met|owes|owns|paid"
    r"|blocks|calls|depends|follows|imports|precedes|replaces|requires|runs|ran|sells|sold|sent|shot|sues|supplies|taught|took|told|won|wrote)$|\w+(?:ou|iu|eu|ando|endo|indo)$"
)
_MUTUAL = re.compile(
    r"(?:met|meeting|married|marrying|joined|merged|merging|bordered|faced|played|compared|casou|encontrou)$"
)
"""What A does with B, B does with A."""
_BE = re.compile(r"\b(?:is|are|was|were|be|been|being|é|são|foi|foram|sido|ser)\s+(?:\w+\s+)?$", re.IGNORECASE)
_BY = re.compile(r"\s+(?:\w+\s+){0,2}?(?:by|por|pel[oa]s?)\b", re.IGNORECASE)


def _date_of(reading: Reading, number: Quantity) -> Date | None:
    """The date that a number is of: the one in its own place, where there are as many of them, else the nearest."""
    if len(reading.dates) == len(reading.quantities) and number in reading.quantities:
        return reading.dates[reading.quantities.index(number)]
    return min(reading.dates, key=lambda date: max(date.start - number.end, number.start - date.end), default=None)


def of_two_days(first: Reading, mine: Quantity, second: Reading, theirs: Quantity) -> bool:
    """Whether two numbers are of two dates: the inhabitants of 2010, and those of 2020."""
    if tell_since_when(first, second):
        return False
    one, other = _date_of(first, mine), _date_of(second, theirs)
    return one is not None and other is not None and not same_day(one, other)


def misdated(claim: Reading, source: Reading) -> str:
    """The number of ``claim`` that it gives for a date for which ``source`` has another number; empty where none is."""
    for number in claim.quantities:
        mine = _date_of(claim, number)
        if mine is None:
            continue
        told = [(other, date) for other in source.quantities if (date := _date_of(source, other)) is not None]
        same = [date for other, date in told if agree(number, other)]
        taken = any(same_day(mine, date) and not agree(number, other) for other, date in told)
        if same and taken and not any(same_day(mine, date) for date in same):
            return claim.said(number)
    return ""


def mislabelled(claim: Reading, source: Reading) -> str:
    """The number of ``claim`` that it gives for what ``source`` gives another number for: 30 days for backups, of "logs
    are kept for 30 days, backups for 90"; empty where none is."""
    told = with_labels(source, [Mention(one, one.start, one.end, one.place) for one in source.quantities])
    for number in claim.quantities:
        same = [one for one in told if agree(number, one.value)]
        others = [
            one
            for one in told
            if one.value.unit in ("", number.unit) and not any(agree(mine, one.value) for mine in claim.quantities)
        ]
        if (
            same
            and not any(_is_labelled(claim, one) for one in same)
            and any(_is_labelled(claim, one) for one in others)
        ):
            return claim.said(number)
    return ""


def _is_labelled(claim: Reading, one: Mention[Quantity]) -> bool:
    return bool(one.label) and all(word.stem in claim.stems for word in one.label)


def turned_round(alignment: Alignment) -> str:
    """The verb whose two names change places from one sentence to the other; empty where there is none."""
    first, second = alignment.first.text, alignment.second.text
    names = [
        (one, other)
        for one, other in alignment.pairs
        if (first[one.start].isupper() or second[other.start].isupper()) and one.low not in TITLES
    ]
    for one, other in alignment.pairs:
        if not _VERB.match(one.low) or not _VERB.match(other.low) or _MUTUAL.match(one.low):
            continue
        mine, theirs = _around(one, [a for a, _ in names]), _around(other, [b for _, b in names])
        one_is_passive = _is_passive(alignment.first, one) is not _is_passive(alignment.second, other)
        if all(pair in names for pair in zip(mine, theirs if one_is_passive else theirs[::-1], strict=True)):
            return one.low
    return ""


def _around(verb: Word, names: list[Word]) -> tuple[Word | None, Word | None]:
    """The last name before a verb and the first one after it."""
    before = max((name for name in names if name.place < verb.place), key=lambda name: name.place, default=None)
    after = min((name for name in names if name.place > verb.place), key=lambda name: name.place, default=None)
    return before, after


def _is_passive(reading: Reading, verb: Word) -> bool:
    """Whether something is done by somebody: "was built by"."""
    return bool(_BE.search(reading.text, 0, verb.start) and _BY.match(reading.text, verb.end))
