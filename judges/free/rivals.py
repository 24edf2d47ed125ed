"""Two answers to one question that cannot both be right: another amount, another date, another person.

Sentences of two documents that answer one question may share hardly a word ("reaches 250 °C in 25 minutes", "it takes
an hour to get there"), so that comparing the sentences tells nothing. That both answer the same question does.
"""

import re
from collections.abc import Sequence

from calibrant.judges.free.alignment import Alignment
from calibrant.judges.free.feat_answer import COST, Expects, wants_several
from calibrant.judges.free.feat_lexical import prepare
from calibrant.judges.free.frame import scope_of
from calibrant.judges.free.frequency import frequencies
from calibrant.judges.free.opposition import Opposition
from calibrant.judges.free.quantities import agree, same_day
from calibrant.judges.free.reading import Date, Quantity, Reading, Word, read
from calibrant.judges.free.text import stem, tokens
from calibrant.judges.free.units import MONEY
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

SEVERITY = 0.75
"""Of such a difference: below that of two sentences that say the same but for it."""

MOST_OF_IT = 0.5
"""Share of the question's words that a sentence must have, with what stands above it, beyond which it is about what is
asked: on the fitting half of ``nq_open``, answers about something else had less."""
_COST = {language: frozenset(stem(word, language) for word in COST) for language in Language}
_OF_KIND = {
    Expects.VERSION: frozenset(
        {stem("version", Language.ENGLISH), stem("release", Language.ENGLISH), stem("versão", Language.PORTUGUESE)}
    ),
    Expects.ANY: frozenset().union(*_COST.values()),
}
"""Words of a question that say what kind of answer it wants."""
_FREE = re.compile(
    r"\b(?:is|are|be|come|comes) free\b(?! (?:of (?!charge)|from|to|for|with))|\bfree of charge\b"
    r"|\b(?:at no (?:cost|charge)|costs? nothing|é (?:gratuit[oa]|grátis)|são (?:gratuit[oa]s|grátis)|de graça)\b",
    re.IGNORECASE,
)
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "sir", "sra", "dra"})

Part = tuple[int, int, int]
"""Where a side tells its answer, start and end, and the place of its first word."""


def rival(question: str, alignment: Alignment) -> Opposition | None:
    """What two answers to ``question`` disagree in, where it asks for an amount, a date, a version or a person and each
    tells just one; None where they may both be right. A question that wants several things may have several answers."""
    if alignment.first.negative or alignment.second.negative or wants_several(question):
        return None
    asked = read(question, alignment.first.language)
    match prepare(question).expects:
        case Expects.NUMBER:
            return _amounts(asked, alignment) or _free_or_not(asked, alignment) or _frequencies(asked, alignment)
        case Expects.DATE:
            return _dates(asked, alignment)
        case Expects.VERSION:
            return _versions(asked, alignment)
        case Expects.ANY if asked.stems & _COST[asked.language]:  # "What does it cost?"
            return _amounts(asked, alignment, MONEY) or _free_or_not(asked, alignment)
        # Only in English: elsewhere titles of papers look like names.
        case Expects.PERSON | Expects.BODY if asked.language is Language.ENGLISH:
            return _persons(asked, alignment)
        case _:
            return None


def is_about(question: str, text: str, item: Evidence) -> bool:
    """Whether ``text`` has most of the words that the question has, with what stands above it in ``item``. Who tells a
    version need not call it one, and everything has a price."""
    asked = read(question)
    words = asked.stems - _OF_KIND.get(prepare(question).expects, frozenset())
    held = read(f"{item.title}. {item.locator.heading}. {text}", asked.language).stems
    return len(words & held) > MOST_OF_IT * len(words)


def _amounts(asked: Reading, alignment: Alignment, units: frozenset[str] | None = None) -> Opposition | None:
    """The first of ``units`` (any, where none are named) of which each side tells one amount, and another one."""
    told_units = {amount.unit for amount in alignment.first.quantities if amount.unit}
    for unit in sorted(told_units if units is None else told_units & units):
        told = [_new_amounts(asked, side, unit) for side in (alignment.first, alignment.second)]
        if [len(amounts) for amounts in told] != [1, 1]:
            continue
        (mine,), (theirs,) = told
        if mine.bound == theirs.bound and not agree(mine, theirs):
            first, second = ((one.start, one.end, one.place) for one in (mine, theirs))
            return _opposed("number", alignment, first, second)
    return None


def _new_amounts(asked: Reading, side: Reading, unit: str) -> list[Quantity]:
    """The amounts of a unit that the question does not tell itself."""
    known = {(amount.value, amount.unit) for amount in asked.quantities}
    return [one for one in side.quantities if one.unit == unit and (one.value, one.unit) not in known]


def _free_or_not(asked: Reading, alignment: Alignment) -> Opposition | None:
    """One side says that nothing is paid, the other tells a price."""
    sides = (alignment.first, alignment.second)
    prices = [[one for unit in MONEY for one in _new_amounts(asked, side, unit) if one.value > 0] for side in sides]
    free = [None if price else _FREE.search(side.text) for price, side in zip(prices, sides, strict=True)]
    parts = [
        (word.start(), word.end(), -1) if word else (price[0].start, price[0].end, price[0].place)
        for word, price in zip(free, prices, strict=True)
        if word or len(price) == 1
    ]
    if len(parts) < len(sides) or bool(free[0]) is bool(free[1]):
        return None
    return _opposed("number", alignment, *parts)


def _frequencies(asked: Reading, alignment: Alignment) -> Opposition | None:
    known = frequencies(asked.text)
    told = [
        [one for one in frequencies(side.text) if not any(one.agrees(held) for held in known)]
        for side in (alignment.first, alignment.second)
    ]
    if [len(found) for found in told] != [1, 1] or told[0][0].agrees(told[1][0]):
        return None
    first, second = ((one.start, one.end, -1) for (one,) in told)
    return _opposed("number", alignment, first, second)


def _dates(asked: Reading, alignment: Alignment) -> Opposition | None:
    told = [_new_dates(asked, side) for side in (alignment.first, alignment.second)]
    if [len(dates) for dates in told] != [1, 1]:
        return None
    (mine,), (theirs,) = told
    if same_day(mine, theirs) or not _comparable(mine, theirs):
        return None
    return _opposed("date", alignment, (mine.start, mine.end, -1), (theirs.start, theirs.end, -1))


def _new_dates(asked: Reading, side: Reading) -> list[Date]:
    return [date for date in side.dates if not any(same_day(date, known) for known in asked.dates)]


def _comparable(one: Date, other: Date) -> bool:
    """Whether both give a year, a month or a day: a year and a day of some year may go together."""
    return any(a and b for a, b in ((one.year, other.year), (one.month, other.month), (one.day, other.day)))


def _versions(asked: Reading, alignment: Alignment) -> Opposition | None:
    """Version numbers that differ as far as both go: 3.8 and 3.8.1 go together."""
    known = {name for name, _ in asked.versions}
    told = [[one for one in side.versions if one[0] not in known] for side in (alignment.first, alignment.second)]
    if [len(versions) for versions in told] != [1, 1]:
        return None
    (mine,), (theirs,) = told
    if all(a == b for a, b in zip(mine[0].split("."), theirs[0].split("."), strict=False)):
        return None
    first, second = _place_of(alignment.first, mine[1]), _place_of(alignment.second, theirs[1])
    return _opposed("version", alignment, first, second)


def _place_of(side: Reading, start: int) -> Part:
    """The whole word that a version number begins."""
    return next((one.start, one.end, -1) for one in tokens(side.text) if one.end > start)


def _persons(asked: Reading, alignment: Alignment) -> Opposition | None:
    """First and last names, one person a side, without a word in common."""
    told = [_full_names(asked, side) for side in (alignment.first, alignment.second)]
    if [len(names) for names in told] != [1, 1]:
        return None
    (mine,), (theirs,) = told
    if ({word.low for word in mine} & {word.low for word in theirs}) - _TITLES:
        return None
    first, second = ((run[0].start, run[-1].end, run[0].place) for run in (mine, theirs))
    return _opposed("value", alignment, first, second)


def _full_names(asked: Reading, side: Reading) -> list[Sequence[Word]]:
    """Runs of two and more neighbouring names that the question does not have."""
    runs: list[list[Word]] = []
    for word in side.words:
        if not word.name or word.stem in asked.stems:
            continue
        if runs and not side.text[runs[-1][-1].end : word.start].strip(" ."):
            runs[-1].append(word)
        else:
            runs.append([word])
    return [run for run in runs if len(run) > 1]


def _opposed(what: str, alignment: Alignment, mine: Part, theirs: Part) -> Opposition:
    said = alignment.first.text[slice(*mine[:2])], alignment.second.text[slice(*theirs[:2])]
    first, second = ({place} if place >= 0 else set[int]() for _, _, place in (mine, theirs))
    return Opposition(what, SEVERITY, said, 0.5, scope_of(alignment, first, second, what))
