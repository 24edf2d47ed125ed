"""The numbers of a text: as digits or words, with their scale, sign and unit, and times of day."""

import re
from dataclasses import dataclass, field
from functools import cache, lru_cache

from calibrant.judges.free.words.taken import Taken
from calibrant.judges.free.words.text import STOP_WORDS, language_of, uncased
from calibrant.state.task import Language


@dataclass(frozen=True)
class Number:
    """A number in a text. ``unit``: the sign or word beside it (``%``, ``km``, ``$``), lowercase; may be empty."""

    value: float
    unit: str
    start: int
    end: int
    step: float = field(default=1.0, compare=False)
    """What its last digit counts: 0.01 for 2.50, a hundred thousand for 2.5 million, a minute for a time of day."""
    scale: float = field(default=1.0, compare=False)
    """What its digits are told in: a million for 2.5 million."""


_SCALES = {
    "dozen": 12.0, "hundred": 1e2, "thousand": 1e3, "mil": 1e3, "million": 1e6, "milhão": 1e6, "milhões": 1e6,
    "billion": 1e9, "bilhão": 1e9, "bilhões": 1e9, "trillion": 1e12, "trilhão": 1e12, "trilhões": 1e12,
}  # fmt: skip
_SMALL = {
    word: float(value)
    for names in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen",
        "- - dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete "
        "dezoito dezenove",
        "- - - - - - - - - - - - - - catorze - dezasseis dezassete - dezanove",
        "- - duas",
    )
    for value, word in enumerate(names.split())
    if word != "-"
}
_TENS = {
    word: 10.0 * value
    for names in (
        "twenty thirty forty fifty sixty seventy eighty ninety",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    )
    for value, word in enumerate(names.split(), 2)
}
_HUNDREDS = {
    word: 100.0 * value
    for names in (
        "cem duzentos trezentos quatrocentos quinhentos seiscentos setecentos oitocentos novecentos",
        "cento duzentas trezentas quatrocentas quinhentas seiscentas setecentas oitocentas novecentas",
    )
    for value, word in enumerate(names.split(), 1)
}
_ARTICLES = {"a": 1.0, "um": 1.0, "uma": 1.0}
_WORDS = _SMALL | _TENS | _HUNDREDS | _ARTICLES
NUMBER_WORDS = {word: int(value) for word, value in (_SMALL | _TENS | {"um": 1.0, "uma": 1.0}).items() if value}
"""The small numbers in words, in either language."""
ANY_NUMBER_WORD = "|".join(sorted(NUMBER_WORDS, key=len, reverse=True))
_BELOW_100 = rf"(?:{'|'.join(_TENS)})(?:(?:-| e | )(?:{'|'.join(_SMALL)}|uma?)\b)?|(?:{'|'.join(_SMALL)})"
_BELOW_1000 = (
    rf"(?<!por )(?:{'|'.join(_HUNDREDS)})(?: e (?:{_BELOW_100}|uma?)\b)?"
    rf"|(?:{_BELOW_100}|(?<!half )a(?= hundred\b))(?: hundred(?:(?: and)? (?:{_BELOW_100})\b(?! hundred))?)?"
)
_ANY_SCALE = "|".join(_SCALES)
_ONE = (
    rf"uma?(?= (?:segundo|minuto|hora|dia|semana|mês|ano|década|{_ANY_SCALE})\b)"
    r"|(?<!half )a(?= (?:dozen|thousand|\w+illion)\b)"
)
"""Before a measure of time or a scale it counts; elsewhere it is an article."""
_IN_WORDS = (
    rf"(?:{_BELOW_1000}|{_ONE})"
    rf"(?: thousand(?:,? and|,)? (?:{_BELOW_1000})\b(?! (?:{_ANY_SCALE}))| mil(?: e (?:{_BELOW_1000})\b)?)?"
    rf"|mil(?: e (?:{_BELOW_1000})\b)?"
)
_AGAIN = rf"(?: \((?:{_IN_WORDS}|uma?)\b[^()\d]{{0,40}}\))?"
"""The same number in words, as contracts have it: 30 (trinta) dias."""
_AMOUNT = 1e100
"""No row of digits that is longer tells an amount: a key, a long code."""
_HALF = re.compile(
    r"\b(?:half an? |½ ?|meia (?=hora))(?P<unit>second|minute|hour|day|week|month|year|mile|litre|liter|kilo|hora)\b",
    re.IGNORECASE,
)
_FRACTIONS = {
    "½": 0.5, "1/2": 0.5, "and a half": 0.5, "e meio": 0.5, "e meia": 0.5, "¼": 0.25, "1/4": 0.25, "¾": 0.75,
    "3/4": 0.75,
}  # fmt: skip
"""What may be added to a whole number behind it."""
_AND_A_HALF = r" (?:and a half|e mei[oa](?! hora))(?![\w-])"
_LETTERS = {"k": 1e3, "m": 1e6, "mn": 1e6, "bn": 1e9, "b": 1e9, "tn": 1e12}
"""Scales of one or two letters: $5M, 12k, 2.5 bn."""
_OF_MONEY = frozenset(["m", "b"])
"""Those that are a unit elsewhere: 5m deep, 512B. A large M right after its number never is."""
CLOCK = "clock"
"""The unit of a time of day, in hours. One without am or pm may be either."""
_CLOCK = (
    r"(?P<hour>\d{1,2})(?:(?::|\.(?=[0-5]\d\s?[ap]\.?m\b))(?P<minute>[0-5]\d)(?::[0-5]\d)?(?!:?\d)"
    r"|(?=\s?[ap]\.?m\b))"
    r"(?:\s?(?P<half>[ap]m\b|[ap]\.m\b\.?))?"
)
_LED = "|".join(
    f"(?<={before})"
    for before in ("às ", "das ", "até as ", "entre as ", "após as ", "desde as ", " e as ", "h-", "h–", "h – ", "h a ")
)
_HOUR = r"(?:[01]?\d|2[0-4])"
_CLOCK_PT = (
    rf"(?:(?P<led>{_LED})|)(?P<hora>{_HOUR})(?:h(?P<minuto>[0-5]\d)(?:\s?min)?(?!\w)"
    rf"|h(?=(?: às | a |\s?[-–]\s?){_HOUR}h)"
    rf"|(?(led)(?:\s?(?:h|hs|horas?)\b|(?= às {_HOUR}))|(?!)))"
    r"(?:\s(?P<part>da (?:manhã|tarde|noite)))?"
)
"""19h30; and 9h where a time of day is told: "às 9h", "das 9h às 17h"."""
_HOURS = {word: value for word, value in (_SMALL | {"uma": 1.0}).items() if 0 < value <= 12}
_HOUR_IN_WORDS = rf"(?<![:.,\d])(?:1?\d|2[0-4])|{'|'.join(_HOURS)}"
_CLOCK_IN_WORDS = re.compile(
    rf"\b(?:(?P<noon>noon|midday|meio-dia(?P<half_past> e meia)?)|(?P<midnight>midnight|meia-noite)"
    rf"|(?:(?P<part>half past|quarter past|quarter to) )(?P<from>{_HOUR_IN_WORDS})(?!\w|[:.]\d)"
    rf"|(?P<hour>{_HOUR_IN_WORDS})(?: o['’]clock)?"
    r"(?P<half> (?:in the (?:morning|afternoon|evening)|at night|da (?:manhã|tarde|noite))| o['’]clock))(?!\w)",
    re.IGNORECASE,
)
"""A time of day in words: half past eight, 8 in the evening, noon."""
_AT = re.compile(r"\b(?:at|by|from|to|until|till|before|after|about|around|past)\s+$", re.IGNORECASE)
"""Words before a time of day."""
_NEAR = 16
"""Characters before it in which they stand."""
_NIGHT_ENDS = 6
"""Before that hour a time at night is after midnight."""
_PARTS = {"half past": 0.5, "quarter past": 0.25, "quarter to": -0.25}
_LABEL = re.compile(r"(?<![\w-])[A-Z]+\d*(?:-\w+)*-$")
"""What stands before the number of a name: SEV-1, CVE-2025-1234."""
_LABEL_CHARS = 24
"""No such name is longer."""
_GROUPED = r"\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3})+(?!\d)(?:[.,]\d+)?"
CURRENCY_CODES = "EUR|USD|GBP|CHF|BRL"
"""As prices have them before a number, in a pattern."""
_SIGNS = "$€£¥%°"
_MONEY_SIGNS = "$€£¥"
_MIDDLE_POINT = re.compile(r"(?<=\d)(?<!·\d)·(?=\d+(?!\d|\s*[=·]))")
"""The decimal point of some journals: 0·62. Not a product: 3·20 = 60."""
_MARK = re.compile(r"[\s*_]*(?P<number>\d{1,3})[.)][*_]*\s+(?=[*_`\"'“(]*[^\W\d_])")
"""The mark of an entry, in bold or not: "**12. Respond** ..."."""


@lru_cache(maxsize=10_000)
def numbers(text: str, language: Language | None = None) -> tuple[Number, ...]:
    """The numbers of ``text`` with their units: "5 km" -> (5, "km"), "R$ 1.500,00" -> (1500, "r$"), "two files". The
    mark of an entry of a list tells none."""
    known = language or language_of(text)
    text = _MIDDLE_POINT.sub(".", text) if "·" in text else text
    worded = [_time_in_words(match) for match in _CLOCK_IN_WORDS.finditer(text) if _is_time(match)]
    worded += [Number(0.5, uncased(match["unit"]), *match.span()) for match in _HALF.finditer(text)]
    found = (_number(match, known) for match in _pattern(known).finditer(text))
    taken = Taken(text)
    for one in worded:
        taken.take(one.start, one.end)
    if mark := _MARK.match(text):
        taken.take(*mark.span("number"))
    others = (one for one in found if one.start not in taken and one.end - 1 not in taken)
    told = (*worded, *(one for one in others if abs(one.value) < _AMOUNT))
    return tuple(sorted(told, key=lambda number: number.start))


@cache
def _pattern(language: Language) -> re.Pattern[str]:
    """A number and what stands with it. Compiled when first needed: in Portuguese that takes a quarter of a second."""
    clock, again = (f"{_CLOCK}|{_CLOCK_PT}", _AGAIN) if language is Language.PORTUGUESE else (_CLOCK, "")
    return re.compile(
        rf"(?P<before>R\$|US\$|[{_SIGNS}]|\b(?:{CURRENCY_CODES})(?=\s))?\s?(?:(?<![\w.])|(?<=\dT))"
        rf"(?:{clock}|(?P<sign>[-−](?=\d))?"
        rf"(?P<digits>{_GROUPED}|\d+(?:[.,]\d+)*|\b(?:{_IN_WORDS})\b){again}"
        rf"(?P<fraction>{_AND_A_HALF}| ?[½¼¾]| (?:1/2|1/4|3/4)(?![\d/]))?"
        rf"(?: ?(?P<letter>{'|'.join(_LETTERS)})\b"
        rf"|[ -]?(?P<scale>{_ANY_SCALE})\b(?P<of_scale>{_AND_A_HALF})?(?: de\b)?)?"
        rf"(?:\s?(?P<after>[%°]|[{_MONEY_SIGNS}](?!\s?\d))"
        rf"|[ -]?(?P<unit>(?:por cento|per cent)\b|[^\W\d_]+)(?P<of_unit>{_AND_A_HALF})?)?)",
        re.IGNORECASE,
    )


def counts(text: str, number: Number) -> bool:
    """Whether a number of ``text`` says how many: "one of them" counts nothing."""
    return text[number.start].isdigit() or number.value > 1.0


def ends_label(text: str, place: int) -> bool:
    """Whether the number at ``place`` stands as the end of a name: SEV-1, ADR-014."""
    return _LABEL.search(text, max(0, place - _LABEL_CHARS), place) is not None


def _is_time(match: re.Match[str]) -> bool:
    """Whether words tell a time: "at 11 at night", and not how many there are: "2 calls by day and 3 at night"."""
    is_night = uncased(match["half"] or "").strip() == "at night"
    return (
        not is_night
        or match["part"] is not None
        or _AT.search(match.string, max(0, match.start() - _NEAR), match.start()) is not None
    )


def _time_in_words(match: re.Match[str]) -> Number:
    """Half past eight as 8.5; without morning or evening it may be either."""
    if match["noon"] or match["midnight"]:
        noon = 12.5 if match["half_past"] else 12.0
        return Number(noon if match["noon"] else 24.0, CLOCK, *match.span(), 1 / 60)
    said = uncased(match["from"] or match["hour"])
    hour = float(said) if said.isdecimal() else _HOURS[said]
    told = uncased(match["half"] or "")
    is_late = told.endswith(("afternoon", "evening", "tarde")) or (
        told.endswith(("night", "noite")) and hour % 12 >= _NIGHT_ENDS
    )
    value = (hour % 12 + 12 if is_late else hour) + _PARTS.get(uncased(match["part"] or ""), 0.0)
    return Number(value, CLOCK, *match.span(), 1 / 60)


def _number(match: re.Match[str], language: Language) -> Number:
    if match["hour"]:
        return _time_of_day(match, "hour", match["minute"], match["half"])
    if language is Language.PORTUGUESE and match["hora"]:
        return _time_of_day(match, "hora", match["minuto"], match["part"])
    written = _unit(match)
    unit = "" if written in STOP_WORDS[language] else written
    value, step = _value(uncased(match["digits"]), language)
    if fraction := match["fraction"] or match["of_scale"] or match["of_unit"]:
        step = _FRACTIONS[uncased(fraction.strip())]
        value += step
    scale = -_scale(match) if match["sign"] else _scale(match)
    end = match.end("fraction" if match["fraction"] else "digits")
    told_in = 1.0 if uncased(match["digits"]) in _ARTICLES else abs(scale)  # "a million" has no digits
    return Number(value * scale, unit, match.start("digits"), end, step * abs(scale), told_in)


def _time_of_day(match: re.Match[str], named: str, minute: str | None, half: str | None) -> Number:
    """The time whose hour is the group ``named``, in the ``half`` of the day that is told: "pm", "da tarde"."""
    hour = int(match[named])
    if half:
        is_late = half[0] in "pP" or uncased(half) in ("da tarde", "da noite")
        hour = hour % 12 + 12 * is_late
    return Number(hour + int(minute or 0) / 60, CLOCK, match.start(named), match.end(), 1 / 60)


def _scale(match: re.Match[str]) -> float:
    letter = match["letter"] or ""
    return _LETTERS[uncased(letter)] if _is_scale(match) else _SCALES.get(uncased(match["scale"] or ""), 1.0)


def _is_scale(match: re.Match[str]) -> bool:
    """Whether the letter at the number is its scale, and not its unit."""
    letter, is_close = match["letter"], match.start("letter") == match.end("digits")
    is_money = (match["before"] or match["after"] or "%")[-1] in _MONEY_SIGNS
    return bool(letter) and (is_money or (letter == "M" and is_close) or letter.lower() not in _OF_MONEY)


def _unit(match: re.Match[str]) -> str:
    letter = "" if _is_scale(match) else match["letter"]
    return (match["before"] or match["after"] or letter or match["unit"] or "").lower().replace(" ", "-")


def _value(digits: str, language: Language) -> tuple[float, float]:
    """The value of a number as written, and its step: 1,500.25 in English, 1.500,25 in Portuguese; 3.14, 3,14 and 1 500
    in either."""
    if not digits[0].isdigit():
        return _in_words(re.split(r",? and | e |[ ,-]+", digits)), 1.0
    grouping = _grouping(digits, *((".", ",") if language is Language.PORTUGUESE else (",", ".")))
    plain = re.sub(rf"[\s{grouping}]", "", digits).replace(",", ".")
    whole, *rest = plain.split(".")
    decimals = "".join(rest)
    return float(f"{whole}.{decimals}"), 10.0 ** -len(decimals)


def _in_words(words: list[str]) -> float:
    thousands = rest = 0.0
    for word in words:
        if word in ("mil", "thousand"):
            thousands, rest = 1e3 * max(rest, 1.0), 0.0
        else:
            rest = 1e2 * rest if word == "hundred" else rest + _WORDS[word]
    return thousands + rest


def _grouping(digits: str, usual: str, point: str) -> str:
    """The sign that parts the thousands, by the language's own signs. Where both stand, the last one is the point
    whatever the language; and a point stands only once."""
    for sign, other in ((usual, point), (point, usual)):
        between = "2,3" if sign == "," else "3"  # 1,00,000 is written in India
        thousands = rf"\d{{1,3}}(?:\{sign}\d{{{between}}})*\{sign}\d{{3}}"
        is_sure = sign == usual or other in digits or digits.count(sign) > 1
        if is_sure and re.fullmatch(rf"{thousands}(?:\{other}\d+)?", digits):
            return sign
    return ""
