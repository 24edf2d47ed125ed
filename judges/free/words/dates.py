"""The dates and the version numbers of a sentence."""

import re
from dataclasses import dataclass, replace
from functools import lru_cache

from calibrant.judges.free.words.lists import ANY_STOP_WORD
from calibrant.judges.free.words.numbers import CURRENCY_CODES, Number, numbers
from calibrant.judges.free.words.taken import Taken
from calibrant.judges.free.words.text import language_of, uncased
from calibrant.judges.free.words.units import ANY_MONTH, MONTHS, UNITS
from calibrant.state.task import Language

_YEAR = re.compile(r"(?<![\w.,$€£/-])(?P<y>1[0-9]\d{2}|20\d{2})(?![\w%]|[.,]\d|-\d)")
_DATES = (
    re.compile(r"\b(?P<y>\d{4})(?P<sep>[/-])(?P<m>0[1-9]|1[0-2])(?P=sep)(?P<d>0[1-9]|[12]\d|3[01])(?:\b|(?=T\d))"),
    re.compile(rf"\b(?P<n>{ANY_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: ?,? ?(?P<y>\d{{4}}))?\b", re.I),
    re.compile(
        rf"\b(?P<d>\d\d?)(?:th|st|nd|rd|\.?º)?(?: of| de)? (?P<n>{ANY_MONTH})(?:,? (?:de )?(?P<y>\d{{4}}))?\b", re.I
    ),
    re.compile(rf"\b(?P<n>{ANY_MONTH})(?: of| de|,)? (?P<y>\d{{4}})\b", re.I),
    _YEAR,
)
_FIRST_DAY = re.compile(
    r"(?<![\w.,:/-])(?P<d>\d\d?)(?:st|nd|rd|th|\.?º)?(?:[-–—]| (?:to|until|till|through|and|or|a|até|e|ou) (?:the )?)$"
)
"""Before a day that has its month behind it: 12 to 14 June, de 12 a 14 de junho."""
_ONE_MORE = re.compile(r"(?<![\w.,:/-])(?P<d>\d\d?), $")
"""Before that, in a row of them: 12, 13 and 14 June."""
_LAST_DAY = re.compile(
    r"(?:[-–—]| (?:to|until|till|through) )(?P<d>\d|[12]\d|3[01])(?:st|nd|rd|th)?(?![\w:]|[.,/-]\d)"
    r"(?:,? (?P<y>\d{4})\b)?"
)
"""Behind a day that has its month before it: June 12-14, 2026."""
_DAY_FIRST = re.compile(r"(?<![\w/.-])(?P<d>\d\d?)(?P<sep>[/.-])(?P<m>0?[1-9]|1[0-2])(?P=sep)(?P<y>(?:19|20)\d{2})\b")
"""As a date is written in Portuguese; in English the month may come first."""
_ONLY_A_DAY = r"(?P<d>1[3-9]|2\d|3[01])"
_IN_ENGLISH = (
    re.compile(rf"(?<![\w/.-]){_ONLY_A_DAY}/(?P<m>0?[1-9]|1[0-2])/(?P<y>(?:19|20)\d{{2}})\b"),
    re.compile(rf"(?<![\w/.-])(?P<m>0?[1-9]|1[0-2])/{_ONLY_A_DAY}/(?P<y>(?:19|20)\d{{2}})\b"),
)
"""With a day that is no month there is no doubt which is which."""
_VERSION = re.compile(r"\bv?\d+(?:\.\d+){2,}\b|\bv\d+(?:\.\d+)*\b|(?<=version )\d[\d.]*\b|(?<=versão )\d[\d.]*\b", re.I)
_SINCE = re.compile(
    r"(?<![^\W_])(?:(?:new|added|introduced|changed|renamed|deprecated|dropped|removed) (?:in|since|as of|with)"
    r"|prior to|starting (?:with|from|in)"
    r"|(?:nov[oa]|adicionad[oa]|introduzid[oa]|alterad[oa]|removid[oa]) (?:na|em|desde a?)|a partir da)"
    r" (\d+\.\d+)(?![\w%]| (?:[mb]illi|milh|mil\b))",
    re.IGNORECASE,
)
"""What was new in 2.0 is told of a version, whatever has it."""
_BEFORE_COUNT = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|holds?|seats|than|at (?:least|most)|up to|about|around|approximately|nearly"
    r"|almost|roughly|only|é|são|foi|foram|eram|tem|têm|teve|tinha|comporta|cabem|cerca de|pelo menos|no máximo"
    r"|(?:mais|menos) de)\s+$",
    re.IGNORECASE,
)
"""Words before a number that says how many there are, and no year."""
_REACH = 24
"""Characters before a number in which such words stand."""
_LEADING = re.compile(r"\W*(?:as of|in|since|em|desde|by|during|durante|até)?\s*", re.I)
"""What may stand before a date that opens its sentence, and says when."""
_OF_LAW = re.compile(r"(?:\b(?:artigo|cláusula|parágrafo)s? |\bart\. |§ ?)(\d+)", re.I)
_NAMED_NUMBER = re.compile(
    rf"\b(?!(?:{CURRENCY_CODES})\b)(?P<name>[A-Z][A-Za-z+#]{{1,40}}) (?P<number>\d{{1,3}}(?:\.\d+)*)(?=[\s,;)+]|\.?$)"
)


@dataclass(frozen=True)
class Date:
    """A date as far as it is given: 0 stands for unknown. ``scope``: it says when, and is not itself the news."""

    year: int
    month: int
    day: int
    start: int
    end: int
    scope: bool = False

    @property
    def ymd(self) -> tuple[int, int, int]:
        """Year, month and day: dates that give the same are equal, wherever they stand."""
        return self.year, self.month, self.day


@lru_cache(maxsize=8_000)
def dates_in(text: str, language: Language | None = None) -> tuple[Date, ...]:
    """The dates of ``text``, in their order."""
    known = language or language_of(text)
    out: list[Date] = []
    taken = Taken(text)
    measured = {number.start for number in numbers(text, known) if _is_counted(text, number)}
    for pattern in (*((_DAY_FIRST,) if known is Language.PORTUGUESE else _IN_ENGLISH), *_DATES):
        for match in pattern.finditer(text):
            is_amount = pattern is _YEAR and match.start() in measured
            if not is_amount and match.start() not in taken:
                found = _days(text, match)
                out += found
                taken.take(found[0].start, found[-1].end)
    return tuple(sorted(out, key=lambda date: date.start))


def _is_counted(text: str, number: Number) -> bool:
    """Whether a number is an amount, though it may be written like a year: 1200 euros, the limit is 1200 requests."""
    near = max(0, number.start - _REACH)
    return number.unit in UNITS or bool(number.unit and _BEFORE_COUNT.search(text, near, number.start))


def _days(text: str, match: re.Match[str]) -> list[Date]:
    """The date of ``match``, with the other days of a range or a row that have the name of their month from it."""
    found = [_date(text, match)]
    if not (found[0].day and match.groupdict().get("n")):
        return found
    if match.start("n") < match.start("d"):
        last = _LAST_DAY.match(text, match.end())
        if last and int(last["d"]) > found[0].day:
            one = replace(found[0], year=found[0].year or int(last["y"] or 0))
            found = [one, replace(one, day=int(last["d"]), start=last.start("d"), end=last.end())]
        return found
    before = _FIRST_DAY
    while day := before.search(text, max(0, found[0].start - _REACH), found[0].start):
        if not 0 < int(day["d"]) < found[0].day:
            break
        found.insert(0, replace(found[0], day=int(day["d"]), start=day.start(), end=day.end("d")))
        before = _ONE_MORE
    return found


def _date(text: str, match: re.Match[str]) -> Date:
    part = match.groupdict()
    month = MONTHS.get(uncased(part.get("n") or ""), int(part.get("m") or 0))
    leads = _LEADING.fullmatch(text, 0, match.start()) is not None
    return Date(int(part["y"] or 0), month, int(part.get("d") or 0), match.start(), match.end(), leads)


def versions_in(text: str, language: Language) -> tuple[tuple[str, int], ...]:
    """Version numbers with their places: v2, 3.8.1, "version 2", the number that follows a name (Python 3.8) or
    "new in", and that of an article of a Portuguese rule ("artigo 5.º")."""
    found = {match.start(): match.group().lower().lstrip("v") for match in _VERSION.finditer(text)}
    if language is Language.PORTUGUESE:
        found |= {match.start(1): match[1] for match in _OF_LAW.finditer(text)}
    measured = {number.start for number in numbers(text, language) if number.unit in UNITS}
    found |= {match.start(1): match[1] for match in _SINCE.finditer(text) if match.start(1) not in measured}
    for match in _NAMED_NUMBER.finditer(text):
        name, place = match["name"].lower(), match.start("number")
        if name not in MONTHS and name not in ANY_STOP_WORD and place not in measured:
            found.setdefault(place, match["number"])
    return tuple(sorted(((name.rstrip("."), place) for place, name in found.items()), key=lambda pair: pair[1]))
