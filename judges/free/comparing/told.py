"""What a sentence tells in answer to a question: amounts, times of day, days, dates and names, each with the words that
say which one it is.

"A ticket costs 13 euros for adults and 9 for children" tells two amounts. A question about children is answered by the
one that stands with their name, and so it is compared with what another document tells of them.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from calibrant.judges.free.comparing.quantities import agree, same_day
from calibrant.judges.free.comparing.reading import Date, Quantity, Reading, Word, read
from calibrant.judges.free.evidence.answer_kind import COST, Expects, is_polar
from calibrant.judges.free.evidence.lexical import Query
from calibrant.judges.free.words.frequency import Frequency, frequencies
from calibrant.judges.free.words.numbers import CLOCK, numbers
from calibrant.judges.free.words.opposites import are_synonyms
from calibrant.judges.free.words.text import tokens
from calibrant.judges.free.words.units import MONEY, UNITS, WEEKDAYS
from calibrant.state.task import Language

_BOUNDARY = re.compile(r"[;()]|,\s|\s(?:and|or|but|e|ou|mas)\s")
_COUNTED = re.compile(r"\b(?:how many|quant[oa]s) (\w+)", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|quando)\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:why|where|how (?:do|does|did|can|should|to|is|are)|por ?qu[eê]|onde|como)\b", re.IGNORECASE
)
"""What asks for no amount."""
_RANGE = re.compile(r"\s*(?:to|or|[-–—]|a|ou)\s*")
_PER = re.compile(r"\s*(?:\b(?:an?|per|each|every|por|cada)\s+|/\s*)(?P<what>[^\W\d]+)", re.IGNORECASE)
_INITIAL = re.compile(r"\b[A-Z]\.\s?$")
_BRACKET = re.compile(r"\s*\([^()]*\)")
_COLUMN = re.compile(r"(?:^|; )[^:;]{1,60}: $")
ROW = re.compile(r"; [^:;]{1,60}: ")
"""Of a table: which row is meant, is settled, and its other cells limit nothing."""
_TITLES = frozenset({"dr", "mr", "mrs", "ms", "prof", "professor", "sir", "sra", "dra"})
_YEARS_ON = re.compile(r"[-–—/]\d")
"""Behind a year: it names a span of them (2017-18)."""
_OFTEN = frozenset({"often", "frequently"})
_FREE = re.compile(
    r"\b(?:is|are|be|come|comes) free\b(?! (?:of (?!charge)|from|to|for|with))|\bfree of charge\b"
    r"|\b(?:at no (?:cost|charge)|costs? nothing|é (?:gratuit[oa]|grátis)|são (?:gratuit[oa]s|grátis)|de graça)\b",
    re.IGNORECASE,
)
FREE = "free"
"""The unit of a price that is none."""
_SEVERAL = 2
_LEAST_KIN = 4
"""Letters in common from which words are of one kin: rent and rental."""

Value = Quantity | Date | Frequency | frozenset[str]


@dataclass(frozen=True)
class Told:
    """One thing that is told. ``label``: the words beside it; ``place``: of its first word, -1 where it has none."""

    value: Value
    start: int
    end: int
    place: int = -1
    label: tuple[Word, ...] = ()
    per: str = ""
    """For how much an amount is: a year, a night."""
    role: bool = False
    """Whether the label says nothing but what it is: a bracket behind it."""


@dataclass(frozen=True)
class Kind:
    """A kind of answer: ``what`` two of it disagree in, how it is found in a sentence, and which ones can be right
    together (None where they cannot be compared)."""

    what: str
    find: Callable[[Reading], list[Told]]
    agree: Callable[[Value, Value], bool | None]


def kinds_of(query: Query, first: Reading, second: Reading) -> Iterator[Kind]:
    """The kinds of things that may answer ``query``, the likeliest first."""
    if query.expects is Expects.NUMBER and not query.asked.isdisjoint(_OFTEN):
        yield _FREQUENCY
        return
    costs = not query.asked.isdisjoint(COST) and not _COUNTED.search(query.text)
    match query.expects:
        case Expects.NUMBER:
            yield from _amounts(query, first, second, bare=True, of=MONEY if costs else None)
            yield _PRICE
        case Expects.VERSION:
            yield _VERSION
        case Expects.TIME:
            yield _amount(frozenset({CLOCK}))
        case Expects.DATE:
            yield from (_DATE, _DAY)
        # Only in English: elsewhere titles of papers look like names.
        case Expects.PERSON | Expects.BODY if query.language is Language.ENGLISH:
            yield _NAME
        case Expects.ANY | Expects.VALUE if not is_polar(query.text):
            if _WHEN.search(query.text):
                yield from (_DATE, _amount(frozenset({CLOCK})), _DAY)
            elif costs:
                yield from (*_amounts(query, first, second, bare=True, of=MONEY), _PRICE)
            elif not _OTHERWISE.search(query.text):
                yield from (*_amounts(query, first, second, bare=query.expects is Expects.VALUE), _DAY)


def pairs_of(query: Query, kind: Kind, first: Reading, second: Reading) -> list[tuple[Told, Told]]:
    """What both sides tell of what is asked, side by side; none where it cannot be told which belongs to which."""
    found = kind.find(first), kind.find(second)
    pairs = _pairs(*(_asked_for(query, side) for side in found))
    if any(one.per and other.per and one.per != other.per for one, other in pairs):
        return []
    if any(_is_elsewhere(kind, one, other, *found) for one, other in pairs):
        return []
    chosen = any(len(side) > 1 for side in found) or any(
        _is_cell(first, one) or _is_cell(second, other) for one, other in pairs
    )
    return pairs if not chosen or all(_are_called_alike(query, one, other) for one, other in pairs) else []


def _is_elsewhere(kind: Kind, one: Told, other: Told, mine: Sequence[Told], theirs: Sequence[Told]) -> bool:
    """Whether one side tells elsewhere what the other one tells here: when it closes, beside when it opens."""
    if kind.agree(one.value, other.value) or (one.role and other.role):
        return False
    return any(kind.agree(one.value, told.value) for told in theirs) or any(
        kind.agree(told.value, other.value) for told in mine
    )


def _are_called_alike(query: Query, one: Told, other: Told) -> bool:
    """Whether what the question calls the one is said of the other too: when it closes, and not when a tour starts."""
    asked = [term.stem for term in query.terms]
    called = [[word for word in side.label if overlap([word], asked, query.language)] for side in (one, other)]
    return not all(called) or overlap(called[0], [word.stem for word in called[1]], query.language) > 0


def _pairs(mine: Sequence[Told], theirs: Sequence[Told]) -> list[tuple[Told, Told]]:
    if len(mine) == len(theirs) == 1:
        return [(mine[0], theirs[0])]
    found = [(one, other) for one in mine for other in _named_alike(one, theirs)]
    both = [(one, other) for one, other in found if _named_alike(other, mine) == [one]]
    if not any(one.label for one in (*mine[1:], *theirs[1:])) and len(mine) == len(theirs):
        return list(zip(mine, theirs, strict=True))  # from 7:00 to 21:00
    return both if len(both) == min(len(mine), len(theirs)) else []


def are_kin(one: str, other: str, language: Language) -> bool:
    """Whether two stems may say the same: equal, synonyms, or one grown out of the other."""
    short, long = sorted((one.rstrip("e"), other.rstrip("e")), key=len)
    return short == long or (len(short) >= _LEAST_KIN and long.startswith(short)) or are_synonyms(one, other, language)


def overlap(words: Sequence[Word], others: Sequence[str], language: Language) -> int:
    """How many of ``words`` are among ``others``."""
    return sum(any(are_kin(word.stem, other, language) for other in others) for word in words)


def _asked_for(query: Query, found: Sequence[Told]) -> list[Told]:
    """Those that stand with most of the question's words. What the question itself tells is no answer."""
    question = read(query.text, query.language)
    new = [one for one in found if not _is_known(one.value, question)]
    asked = [term.stem for term in query.terms]
    scores = [overlap(one.label, asked, query.language) for one in new]
    return [one for one, score in zip(new, scores, strict=True) if score == max(scores)]


def _is_known(value: Value, question: Reading) -> bool:
    match value:
        case Quantity():
            return any((value.value, value.unit) == (known.value, known.unit) for known in question.quantities)
        case Date():
            return any(same_day(value, known) for known in question.dates)
        case frozenset():
            return not value.isdisjoint(question.lowered | {name for name, _ in question.versions})
        case _:
            return False


def _named_alike(one: Told, others: Sequence[Told]) -> list[Told]:
    """The one of ``others`` that stands with most of the same words; none where no one does, or several do."""
    own = [word.stem for word in one.label]
    scores = [overlap(other.label, own, Language.ENGLISH) for other in others]
    best = max(scores, default=0)
    return (
        [other for other, score in zip(others, scores, strict=True) if score == best]
        if scores.count(best) == 1 and best
        else []
    )


def _labelled(reading: Reading, found: Sequence[Told], by_verb: bool = False) -> list[Told]:
    """``found`` with their words; of a single one, all of the sentence. Of several those behind, where the last one has
    some ("13 for adults and 9 for children"), else those before, in its part of the sentence. What stands before the
    first one is of all of them, but for the name of its cell, and the verb of a time (``by_verb``)."""
    if len(found) < _SEVERAL:
        return [_with(one, _column(reading, one) or reading.words) for one in found]
    roles = [_bracket(reading, one) for one in found]
    if any(roles):
        return [replace(one, label=role, role=bool(role)) for one, role in zip(found, roles, strict=True)]
    edges = [0, *(match.end() for match in _BOUNDARY.finditer(reading.text)), len(reading.text)]
    before, after = [], []
    for number, one in enumerate(found):
        ends = [other.end for other in found[:number]]
        low, high = (
            max(edge for edge in (*edges, *ends) if edge <= one.start),
            min(edge for edge in edges if edge >= one.end),
        )
        own = [word for word in reading.words if low <= word.start < one.start]
        is_cell = reading.text[: one.start].rstrip().endswith(":")
        before.append(own if number or is_cell else own[-1:] if by_verb else [])
        after.append([word for word in reading.words if one.end <= word.start < high])
    return [_with(one, label) for one, label in zip(found, after if after[-1] else before, strict=True)]


def _bracket(reading: Reading, one: Told) -> tuple[Word, ...]:
    """The words of a bracket right behind: A. Brandt (chair)."""
    match = _BRACKET.match(reading.text, one.end)
    return tuple(word for word in reading.words if match and match.start() <= word.start < match.end())


def _is_cell(reading: Reading, one: Told) -> bool:
    """Whether it is what a cell of a table's row tells."""
    return bool(ROW.search(reading.text) and _COLUMN.search(reading.text, 0, one.start))


def _column(reading: Reading, one: Told) -> tuple[Word, ...]:
    """The words of the name of its cell."""
    match = _COLUMN.search(reading.text, 0, one.start)
    return tuple(word for word in reading.words if match and match.start() <= word.start < match.end())


def _with(one: Told, label: Sequence[Word]) -> Told:
    return replace(one, label=tuple(label))


def _amounts(
    query: Query, first: Reading, second: Reading, bare: bool, of: frozenset[str] | None = None
) -> Iterator[Kind]:
    """Amounts of each unit that both sides have (of those in ``of``), or of the one that the question names; ``bare``:
    numbers without a unit too, which count as the unit that the question names."""
    units = [{amount.unit for amount in _in_columns(query, side) if amount.unit} for side in (first, second)]
    both = units[0] & units[1] & (of or units[0])
    named = both & {term.stem for term in query.terms}
    yield from (_amount(frozenset({unit}), query=query) for unit in sorted(named or both))
    if bare:
        counted = _COUNTED.search(query.text)
        unit = UNITS.get(counted[1].lower()) if counted else None
        yield _amount(frozenset({"", *(of or ()), *(unit[:1] if unit else ())}), unit)


def _amount(units: frozenset[str], bare: tuple[str, float] | None = None, query: Query | None = None) -> Kind:
    """The kind of amounts of ``units``; ``bare`` is the unit, with its factor, of one that has none. With ``query``,
    what a column that it asks for tells, counts what the column's name says."""

    def find(reading: Reading) -> list[Told]:
        found = _in_columns(query, reading) if query else _with_units(reading)
        amounts = [_measured(one, bare) for one in found if one.unit in units]
        told = [Told(one, one.start, one.end, one.place, per=_per(reading, one)) for one in amounts]
        return _labelled(reading, told, by_verb=CLOCK in units)

    return Kind("number", find, _same_amount)


def _with_units(reading: Reading) -> list[Quantity]:
    """The amounts, each end of a range with its unit: three to five days."""
    found = list(reading.quantities)
    for at, (one, other) in reversed(list(enumerate(pairwise(found)))):
        if not one.unit and _RANGE.fullmatch(reading.text, one.end, other.start):
            found[at] = replace(one, unit=other.unit, value=one.value * _factor(other, reading))
    return found


def _in_columns(query: Query, reading: Reading) -> list[Quantity]:
    """The amounts, with what a column counts as the unit of its cells: passengers: 280."""
    asked = [term.stem for term in query.terms]
    found = []
    for one in _with_units(reading):
        names = [] if one.unit else _column(reading, Told(one, one.start, one.end))
        counted = next((word.stem for word in names if overlap([word], asked, query.language)), "")
        found.append(replace(one, unit=counted or one.unit))
    return found


def _factor(one: Quantity, reading: Reading) -> float:
    """What an amount was multiplied by for its unit."""
    written = next(number.value for number in numbers(reading.text, reading.language) if number.start == one.start)
    return one.value / written if written else 1.0


def _per(reading: Reading, one: Quantity) -> str:
    match = _PER.match(reading.text, one.end)
    return match["what"].lower() if match else ""


def _measured(one: Quantity, bare: tuple[str, float] | None) -> Quantity:
    if one.unit or bare is None:
        return one
    unit, factor = bare
    return replace(one, unit=unit, value=one.value * factor, exact=one.exact * factor)


def _same_amount(one: Value, other: Value) -> bool | None:
    """A number and a bound that holds it tell different things, and may both be right."""
    if not isinstance(one, Quantity) or not isinstance(other, Quantity):
        return None
    is_one = agree(one, other)
    return is_one if one.bound == other.bound or not is_one else None


def _find_dates(reading: Reading) -> list[Told]:
    dates = (one for one in reading.dates if not _YEARS_ON.match(reading.text, one.end))
    return _labelled(reading, [Told(one, one.start, one.end) for one in dates], by_verb=True)


def _same_date(one: Value, other: Value) -> bool | None:
    """A year and a day, or a day of some year, may go together."""
    if not isinstance(one, Date) or not isinstance(other, Date) or bool(one.month) is not bool(other.month):
        return None
    given = ((one.year, other.year), (one.month, other.month), (one.day, other.day))
    return same_day(one, other) if any(a and b for a, b in given) else None


def _find_days(reading: Reading) -> list[Told]:
    """Days of the week."""
    found = [token for token in tokens(reading.text) if token.word.rstrip("s") in WEEKDAYS]
    told = [Told(frozenset({token.word.rstrip("s")}), token.start, token.end) for token in found]
    return _labelled(reading, told, by_verb=True)


def _same_names(one: Value, other: Value) -> bool | None:
    """Two persons share no word of their names; two days are not the same."""
    if not isinstance(one, frozenset) or not isinstance(other, frozenset):
        return None
    return bool((one & other) - _TITLES)


def _find_names(reading: Reading) -> list[Told]:
    """Runs of two and more neighbouring names."""
    runs: list[list[Word]] = []
    for word in reading.words:
        is_name = word.name or _is_behind_initial(reading, word)
        if is_name and runs and not reading.text[runs[-1][-1].end : word.start].strip(" ."):
            runs[-1].append(word)
        elif is_name:
            runs.append([word])
    told = [
        Told(frozenset(word.low for word in run), _start(reading, run[0]), run[-1].end, run[0].place)
        for run in runs
        if len(run) > 1 or _is_behind_initial(reading, run[0])
    ]
    return _labelled(reading, told)


def _is_behind_initial(reading: Reading, word: Word) -> bool:
    """Whether a word with a capital follows an initial: the full stop ends no sentence there."""
    return reading.text[word.start].isupper() and _start(reading, word) < word.start


def _start(reading: Reading, name: Word) -> int:
    """Where a name begins, with the initial before it."""
    initial = _INITIAL.search(reading.text, 0, name.start)
    return initial.start() if initial else name.start


def _find_frequencies(reading: Reading) -> list[Told]:
    """How often: hourly, every six hours, twice a week."""
    return _labelled(reading, [Told(one, one.start, one.end) for one in frequencies(reading.text)])


def _same_frequency(one: Value, other: Value) -> bool | None:
    return one.agrees(other) if isinstance(one, Frequency) and isinstance(other, Frequency) else None


def _find_prices(reading: Reading) -> list[Told]:
    """Amounts of money, or that nothing is paid."""
    paid = [one for one in reading.quantities if one.unit in MONEY and one.value > 0]
    free = None if paid else _FREE.search(reading.text)
    prices = [Quantity(0.0, FREE, -1, *free.span())] if free else paid
    return _labelled(reading, [Told(one, one.start, one.end, one.place) for one in prices])


def _is_paid_alike(one: Value, other: Value) -> bool | None:
    """One side says that nothing is paid, the other one what. Two prices are compared in their unit."""
    units = [value.unit for value in (one, other) if isinstance(value, Quantity)]
    return units == [FREE, FREE] if FREE in units else None


def _find_versions(reading: Reading) -> list[Told]:
    """Version numbers, each a whole word of the text."""
    words = tokens(reading.text)
    found = [(name, next(one for one in words if one.end > start)) for name, start in reading.versions]
    return _labelled(reading, [Told(frozenset({name}), word.start, word.end) for name, word in found])


def _same_version(one: Value, other: Value) -> bool | None:
    """As far as both go: 3.8 and 3.8.1 go together."""
    if not isinstance(one, frozenset) or not isinstance(other, frozenset):
        return None
    mine, theirs = (min(side).split(".") for side in (one, other))
    return all(a == b for a, b in zip(mine, theirs, strict=False))


_FREQUENCY = Kind("number", _find_frequencies, _same_frequency)
_PRICE = Kind("number", _find_prices, _is_paid_alike)
_VERSION = Kind("version", _find_versions, _same_version)
_DATE = Kind("date", _find_dates, _same_date)
_DAY = Kind("value", _find_days, _same_names)
_NAME = Kind("value", _find_names, _same_names)
