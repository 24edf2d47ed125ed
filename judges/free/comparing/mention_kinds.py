"""The kinds of things that a sentence can tell in answer to a question, how each is found in it, and which two of a
kind can both be right: amounts, prices, times, dates, days, names, versions, how often."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.content import TITLES, Word
from calibrant.judges.free.comparing.dates import Date
from calibrant.judges.free.comparing.mentions import Mention, MentionKind, Value, column_of, overlap, with_labels
from calibrant.judges.free.comparing.quantities import agree, same_day
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.evidence.answer_kind import COST, PEOPLE, PEOPLE_PT, Expects
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.words.frequency import Frequency, frequencies
from calibrant.judges.free.words.numbers import CLOCK, numbers
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.text import STOP_WORDS, Token, tokens
from calibrant.judges.free.words.units import MONEY, UNITS, WEEKDAYS
from calibrant.state.task import Language

_COUNTED = re.compile(r"\b(?:how many|quant[oa]s) (\w+)", re.IGNORECASE)
_WHEN = re.compile(r"\b(?:when|quando)\b", re.IGNORECASE)
_OTHERWISE = re.compile(
    r"\b(?:why|where|how (?:do|does|did|can|should|to|is|are)|por ?qu[eê]|onde|como)\b", re.IGNORECASE
)
"""What asks for no amount."""
_WHERE = re.compile(r"\b(?:where|onde|aonde)\b", re.IGNORECASE)
_WHICH_NAME = re.compile(
    r"^\W*(?:which|what|qual|quais|que)\s+(?!(?:is|are|was|were|do|does|did|has|have|can|é|são|foi|faz)\b)[^\W\d]+",
    re.IGNORECASE,
)
"""What asks for the name of a thing of a kind: which tool."""
_LIMIT = re.compile(
    r"\b(?:max(?:imum)?|min(?:imum)?|limits?|at (?:most|least)|up to|lowest|highest|longest|shortest|oldest|youngest|latest"
    r"|máxim[oa]s?|mínim[oa]s?|limites?)\b"
    r"|\bhow (?:much|many|long|far|old|big|large|heavy|high|fast|cold|warm|hot)\b.*\b(?:may|can|must|should|allowed|have to|has to)\b"
    r"|\bquant[oa]s?\b.*\b(?:pode|podem|posso|podemos|deve|devem|devo)\b",
    re.IGNORECASE,
)
"""What asks for a limit: a number told without a bound is one too, then."""
_OFFICES = re.compile(rf"\b(?:{PEOPLE}|{PEOPLE_PT}|board|committee|council|teams?|desk|reception)\b", re.IGNORECASE)
_PLACING = frozenset(
    [
        "in",
        "at",
        "on",
        "by",
        "near",
        "behind",
        "under",
        "opposite",
        "outside",
        "inside",
        "beside",
        "to",
        "into",
        "no",
        "na",
        "nos",
        "nas",
        "ao",
        "à",
        "em",
        "junto",
    ]
)
_RANGE = re.compile(r"\s*(?:to|or|[-–—]|a|ou|para)\s*")
_PER = re.compile(r"\s*(?:\b(?:an?|per|each|every|por|cada|ao|à)\s+|/\s*)(?P<what>[^\W\d]+)", re.IGNORECASE)
_INITIAL = re.compile(r"\b[A-Z]\.\s?$")
_YEARS_ON = re.compile(r"[-–—/]\d")
"""Behind a year: it names a span of them (2017-18)."""
_COUNTED_FROM = re.compile(
    r"\b(?:days?|weeks?|months?|years?|dias?|semanas?|mês|meses|anos?)\s+"
    r"(?:before|after|prior to|antes d[eo]|depois d[eo]|após)\s+(?:the\s+|o\s+)?(?:dia\s+)?$",
    re.IGNORECASE,
)
"""Before a date that time is counted from: it is not what is told."""
_OFTEN = frozenset({"often", "frequently"})
_OFTEN_PT = re.compile(r"\b(?:com que frequência|quantas vezes|de quant[oa]s? em quant[oa]s?)\b", re.IGNORECASE)
_ORDINAL_DAYS = frozenset({"segunda", "quarta", "quinta", "sexta"})
_FEIRA = re.compile(r"-feiras?\b", re.IGNORECASE)
_FREE = re.compile(
    r"\b(?:is|are|be|come|comes) free\b(?! (?:of (?!charge)|from|to|for|with))|\bfree of charge\b"
    r"|\b(?:at no (?:cost|charge)|costs? nothing|é (?:gratuit[oa]|grátis)|são (?:gratuit[oa]s|grátis)|de graça"
    r"|entrada (?:livre|franca))\b",
    re.IGNORECASE,
)
_NEWER = re.compile(
    r"\+|,? (?:or|and) (?:a(?:ny)? )?(?:everything )?(?:newer|later|above|higher|up|upwards|onwards|greater)\b"
    r"|,? (?:ou|e) (?:superior|mais recente|posterior)\w*",
    re.IGNORECASE,
)
_AT_LEAST = re.compile(
    r"(?:\b(?:at least|minimum(?: of)?|from|no mínimo|pelo menos|a partir d[ao])|>=|≥)\s*(?:[A-Z][\w+#]*\s+)?"
    r"(?:version\s+|versão\s+)?v?$"
)
_AND_UP = "+"
"""Beside a version: that one or a newer one."""
_MEASURES = frozenset(kind for kind, _ in UNITS.values()) | {CLOCK}
FREE = "free"
"""The unit of a price that is none."""


def kinds_of(query: Query, first: Reading, second: Reading, likely: bool = False) -> Iterator[MentionKind]:
    """The kinds of things that may answer ``query``, the likeliest first. ``likely``: both sides are known to answer
    it, so that the names and places in them are what they answer."""
    is_number = query.expects is Expects.NUMBER
    if (is_number and not query.asked.isdisjoint(_OFTEN)) or _OFTEN_PT.search(query.text):
        yield _FREQUENCY
        return
    costs = not query.asked.isdisjoint(COST) and not _COUNTED.search(query.text)
    if likely and _WHERE.search(query.text):
        yield _place(query)
    elif likely and query.expects in (Expects.ANY, Expects.VALUE) and _WHICH_NAME.search(query.text):
        yield _THING
    match query.expects:
        case Expects.NUMBER:
            yield from _amounts(query, first, second, bare=True, of=MONEY if costs else None, likely=likely)
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
            if likely:
                yield _OFFICE
        case Expects.ANY | Expects.VALUE | Expects.WHEN if not is_polar(query.text):
            if _WHEN.search(query.text):
                yield from (_DATE, _amount(frozenset({CLOCK})), _DAY)
            elif costs:
                yield from (*_amounts(query, first, second, bare=True, of=MONEY, likely=likely), _PRICE)
            elif not _OTHERWISE.search(query.text):
                yield from (*_amounts(query, first, second, bare=query.expects is Expects.VALUE, likely=likely), _DAY)


def _amounts(
    query: Query, first: Reading, second: Reading, bare: bool, of: frozenset[str] | None = None, likely: bool = False
) -> Iterator[MentionKind]:
    """Amounts of each unit that both sides have (of those in ``of``), or of the one that the question names; ``bare``:
    numbers without a unit too, which count as the unit that the question names."""
    units = [{amount.unit for amount in _in_columns(query, side) if amount.unit} for side in (first, second)]
    both = units[0] & units[1] & (of or units[0])
    named = both & {term.stem for term in query.terms}
    if (thing := _COUNTED.search(query.text)) and thing[1].lower() not in UNITS:
        both -= _MEASURES  # who counts people is told no metres
    yield from (_amount(frozenset({unit}), query=query, likely=likely) for unit in sorted(named or both))
    if bare:
        counted = _COUNTED.search(query.text)
        unit = UNITS.get(counted[1].lower()) if counted else None
        yield _amount(
            frozenset({"", *(of or ()), *(unit[:1] if unit else ())}), unit, query if likely else None, likely
        )


def _amount(
    units: frozenset[str], bare: tuple[str, float] | None = None, query: Query | None = None, likely: bool = False
) -> MentionKind:
    """The kind of amounts of ``units``; ``bare`` is the unit, with its factor, of one that has none. With ``query``,
    what a column that it asks for tells, counts what the column's name says."""

    def find(reading: Reading) -> list[Mention]:
        found = _in_columns(query, reading) if query else _with_units(reading)
        if likely and query and "" in units:  # of what is counted, one side may give the number alone
            asked = {term.stem for term in query.terms}
            found = [replace(one, unit="") if one.unit in asked - _MEASURES else one for one in found]
        amounts = [_measured(one, bare) for one in found if one.unit in units]
        mentions = [Mention(one, one.start, one.end, one.place, per=_per(reading, one)) for one in amounts]
        return with_labels(reading, mentions, by_verb=CLOCK in units)

    is_limit = likely or (query is not None and _LIMIT.search(query.text) is not None)
    return MentionKind("number", find, _same_limit if is_limit else _same_amount)


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
        if not one.unit and (named := _unit_of_row(reading)):
            found.append(_measured(one, named))
            continue
        names = [] if one.unit else column_of(reading, Mention(one, one.start, one.end))
        counted = next((word.stem for word in names if overlap([word], asked, query.language)), "")
        found.append(replace(one, unit=counted or one.unit))
    return found


def _unit_of_row(reading: Reading) -> tuple[str, float] | None:
    """The unit of measure that a row names in another cell ("Default: 120; Meaning: seconds until ..."), if it is one."""
    if not is_row(reading.text):
        return None
    named = {UNITS[word] for word in reading.lowered if len(word) > 2 and word in UNITS}
    return named.pop() if len(named) == 1 else None


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


def _same_limit(one: Value, other: Value) -> bool | None:
    """The same where a limit is asked for: "120 euros" is one, as "up to 120 euros" is."""
    if not isinstance(one, Quantity) or not isinstance(other, Quantity):
        return None
    return agree(replace(one, bound=""), replace(other, bound=""))


def _find_dates(reading: Reading) -> list[Mention]:
    dates = (
        one
        for one in reading.dates
        if not _YEARS_ON.match(reading.text, one.end) and not _COUNTED_FROM.search(reading.text, 0, one.start)
    )
    return with_labels(reading, [Mention(one, one.start, one.end) for one in dates], by_verb=True)


def _same_date(one: Value, other: Value) -> bool | None:
    """A year and a day, or a day of some year, may go together."""
    if not isinstance(one, Date) or not isinstance(other, Date) or bool(one.month) is not bool(other.month):
        return None
    given = ((one.year, other.year), (one.month, other.month), (one.day, other.day))
    return same_day(one, other) if any(a and b for a, b in given) else None


def _find_days(reading: Reading) -> list[Mention]:
    """Days of the week."""
    words = [*tokens(reading.text), None]
    found = [one for one, following in pairwise(words) if one and _is_day(reading, one, following)]
    mentions = [Mention(frozenset({one.word.rstrip("s")}), one.start, _end_of_day(reading, one)) for one in found]
    return with_labels(reading, mentions, by_verb=True)


def _is_day(reading: Reading, one: Token, following: Token | None) -> bool:
    """Whether a word names a day. Before a noun, "segunda" is the second of several."""
    name = one.word.rstrip("s")
    if name not in _ORDINAL_DAYS or following is None or _end_of_day(reading, one) > one.end:
        return name in WEEKDAYS
    is_beside = reading.text[one.end : following.start] == " " and following.word.isalpha()
    return not is_beside or following.word in STOP_WORDS[Language.PORTUGUESE]


def _end_of_day(reading: Reading, day: Token) -> int:
    match = _FEIRA.match(reading.text, day.end)
    return match.end() if match else day.end


def _same_names(one: Value, other: Value) -> bool | None:
    """Two persons share no word of their names; two days are not the same."""
    if not isinstance(one, frozenset) or not isinstance(other, frozenset):
        return None
    return bool((one & other) - TITLES)


def _find_names(reading: Reading) -> list[Mention]:
    """Runs of two and more neighbouring names."""
    runs: list[list[Word]] = []
    for word in reading.words:
        is_name = word.name or _is_behind_initial(reading, word)
        if is_name and runs and not reading.text[runs[-1][-1].end : word.start].strip(" ."):
            runs[-1].append(word)
        elif is_name:
            runs.append([word])
    mentions = [
        Mention(frozenset(word.low for word in run), _start(reading, run[0]), run[-1].end, run[0].place)
        for run in runs
        if len(run) > 1 or _is_behind_initial(reading, run[0])
    ]
    return with_labels(reading, mentions)


def _find_things(reading: Reading) -> list[Mention]:
    """Names of one word and more, each run of neighbours one."""
    runs: list[list[Word]] = []
    for word in (word for word in reading.words if word.name):
        if runs and word.place == runs[-1][-1].place + 1:
            runs[-1].append(word)
        else:
            runs.append([word])
    mentions = [Mention(frozenset(word.low for word in run), run[0].start, run[-1].end, run[0].place) for run in runs]
    return with_labels(reading, mentions)


def _find_offices(reading: Reading) -> list[Mention]:
    """Offices, each with the words that say which one: the head of finance, your department director."""
    mentions = []
    for found in _OFFICES.finditer(reading.text):
        at = next((place for place, word in enumerate(reading.words) if word.start == found.start()), None)
        if at is not None:
            run = _office_at(reading.words, at)
            mentions.append(Mention(frozenset(word.stem for word in run), run[0].start, run[-1].end, run[0].place))
    return with_labels(reading, mentions)


def _office_at(words: Sequence[Word], at: int) -> Sequence[Word]:
    """The words of the office that the one at ``at`` names."""
    first = at - 1 if at and words[at - 1].place == words[at].place - 1 else at
    after = words[at + 1 : at + 2]
    last = (
        at + 1
        if after and after[0].governor in ("of", "de", "do", "da") and after[0].place <= words[at].place + 3
        else at
    )
    return words[first : last + 1]


def _place(query: Query) -> MentionKind:
    """The kind of places: all words of a sentence that stand behind one of place, but those of the question."""
    asked = [term.stem for term in query.terms]

    def find(reading: Reading) -> list[Mention]:
        held = [word for word in _placed(reading) if not overlap([word], asked, reading.language)]
        if not held:
            return []
        return [Mention(frozenset(word.stem for word in held), held[0].start, held[-1].end, held[0].place)]

    return MentionKind("value", find, _same_names)


def _placed(reading: Reading) -> list[Word]:
    """The words right behind a word of place, and those that follow on them."""
    held: list[Word] = []
    for word in reading.words:
        last = held[-1] if held else None
        follows = last is not None and not word.governor and (word.clause, word.place) == (last.clause, last.place + 1)
        if word.governor in _PLACING or follows:
            held.append(word)
    return held


def _is_behind_initial(reading: Reading, word: Word) -> bool:
    """Whether a word with a capital follows an initial: the full stop ends no sentence there."""
    return reading.text[word.start].isupper() and _start(reading, word) < word.start


def _start(reading: Reading, name: Word) -> int:
    """Where a name begins, with the initial before it."""
    initial = _INITIAL.search(reading.text, 0, name.start)
    return initial.start() if initial else name.start


def _find_frequencies(reading: Reading) -> list[Mention]:
    """How often: hourly, every six hours, twice a week."""
    return with_labels(reading, [Mention(one, one.start, one.end) for one in frequencies(reading.text)])


def _same_frequency(one: Value, other: Value) -> bool | None:
    return one.agrees(other) if isinstance(one, Frequency) and isinstance(other, Frequency) else None


def _find_prices(reading: Reading) -> list[Mention]:
    """Amounts of money, or that nothing is paid."""
    paid = [one for one in reading.quantities if one.unit in MONEY and one.value > 0]
    free = None if paid else _FREE.search(reading.text)
    prices = [Quantity(0.0, FREE, -1, *free.span())] if free else paid
    return with_labels(reading, [Mention(one, one.start, one.end, one.place) for one in prices])


def _is_paid_alike(one: Value, other: Value) -> bool | None:
    """One side says that nothing is paid, the other one what. Two prices are compared in their unit."""
    units = [value.unit for value in (one, other) if isinstance(value, Quantity)]
    return units == [FREE, FREE] if FREE in units else None


def _find_versions(reading: Reading) -> list[Mention]:
    """Version numbers, each a whole word of the text."""
    words = tokens(reading.text)
    found = [(name, next(one for one in words if one.end > start)) for name, start in reading.versions]
    named = [(frozenset({name, *_or_newer(reading.text, word)}), word) for name, word in found]
    return with_labels(reading, [Mention(value, word.start, word.end) for value, word in named])


def _or_newer(text: str, word: Token) -> tuple[str, ...]:
    """The mark of a version that is only the oldest of those that are meant."""
    is_least = _NEWER.match(text, word.end) or _AT_LEAST.search(text, 0, word.start)
    return (_AND_UP,) if is_least else ()


def _same_version(one: Value, other: Value) -> bool | None:
    """As far as both go: 3.8 and 3.8.1 go together."""
    if not isinstance(one, frozenset) or not isinstance(other, frozenset):
        return None
    mine, theirs = (next(iter(side - {_AND_UP})).split(".") for side in (one, other))
    is_one = all(a == b for a, b in zip(mine, theirs, strict=False))
    if (_AND_UP in one) is (_AND_UP in other):
        return is_one
    least, exact = (mine, theirs) if _AND_UP in one else (theirs, mine)
    return None if is_one or _number_of(exact) > _number_of(least) else False


def _number_of(version: Sequence[str]) -> tuple[int, ...]:
    return tuple(int(part) if part.isdecimal() else 0 for part in version)


_FREQUENCY = MentionKind("number", _find_frequencies, _same_frequency)
_PRICE = MentionKind("number", _find_prices, _is_paid_alike)
_VERSION = MentionKind("version", _find_versions, _same_version)
_DATE = MentionKind("date", _find_dates, _same_date)
_DAY = MentionKind("value", _find_days, _same_names)
_NAME = MentionKind("value", _find_names, _same_names)
_THING = MentionKind("value", _find_things, _same_names)
_OFFICE = MentionKind("value", _find_offices, _same_names)
