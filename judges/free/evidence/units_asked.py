"""Whether a sentence tells a measure of the kind that is asked for: a length, a time or a weight has a unit.

"Since 2021" does not say how long something was down, nor "Number: 70114" how heavy it is.
"""

import re

from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.units import ANY_UNIT, UNITS

_TIMES = """
hourly daily weekly monthly yearly night nights noite noites weekend weekends fortnight fortnights semana mês hrs yrs
quarter quarters semester semesters term terms season seasons décadas século séculos centuries millennium millennia
nanosecond nanoseconds microsecond microseconds life lifelong lifetime vida forever indefinite indefinitely permanent
permanently always sempre diariamente semanalmente quinzena quinzenas quinzenalmente mensalmente trimestre trimestres
trimestralmente semestre semestres semestralmente anualmente overnight until till throughout até duration timeout ttl
interval delay prazo
"""
"""What tells a time beside the units with a factor."""
_LENGTHS = """
foot inch yard yards nautical light-year light-years kilometer kilometre millimetre millimetres centimetre centimetres
quilómetros milhas pés character characters caracteres word words page pages páginas line lines digit digits byte bytes
"""
_WEIGHTS = "gram kilogram kilo kilos kilogramme quilo ton tonne tonnes toneladas ounce ounces oz stone stones pound lb"


def _pattern(kinds: str, more: str) -> re.Pattern[str]:
    """A unit of one of ``kinds``, also in a name (``retention_days``) and behind a number (``30s``), not in "Ann's"."""
    names = {name for name, (kind, _) in UNITS.items() if kind in kinds.split()} | set(more.split())
    each = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    return re.compile(
        rf"(?<![^\W\d_])(?<!['’])(?<!square )(?<!cubic )(?:{each})(?![^\W\d_]|[²³]|[23]\b)", re.IGNORECASE
    )


_TIME, _LENGTH, _WEIGHT = _pattern("s year", _TIMES), _pattern("m", _LENGTHS), _pattern("g", _WEIGHTS)
_AT_ONCE = re.compile(
    r"\b(?:immediately|at once|straight ?away|right away|promptly|instantly|without (?:undue )?delay)\b", re.IGNORECASE
)
_PROMPT = re.compile(rf"{_AT_ONCE.pattern}|\b(?:(?:on|by|before) \d|logo|já)\b|:\d\d", re.IGNORECASE)
_SPEED = re.compile(
    r"\b(?:mph|kph|kmh|kn|knots?|nós|(?:km|kilomet(?:re|er)s?|miles?|m) ?(?:/|per|por) ?\w)", re.IGNORECASE
)
_SHARE = re.compile(r"%|\bper ?cent|\bpor cento\b", re.IGNORECASE)
_HASTE = frozenset(("soon", "quickly", "rapidly", "promptly", "fast"))
"""Words of a question that "at once" answers."""
_FROM_TO = re.compile(r"\b(?:1\d|20)\d\d\b.*\b(?:1\d|20)\d\d\b")
"""A time from one year to another."""
_SINCE = re.compile(r"\b(?:since|desde)\b", re.IGNORECASE)
_AGE = re.compile(
    r"\b(?:ages?|aged|old|born|idades?)\b"
    r"|\b(?!(?:an?|per|each|every|por|cada|ao) )\w+[ -](?:years?|months?|weeks?|anos?|meses|semanas)\b",
    re.IGNORECASE,
)
_BARE = re.compile(
    rf"(?<![\w.,:€$£-])\d{{1,3}}(?![\w%-]|[.,:]\d)(?! ?(?:{ANY_UNIT})(?!\w))(?! [^\W\d_]{{3,}}s\b)", re.IGNORECASE
)
"""A number without a unit that counts nothing: "18 for cargo bikes", not "139 steps"."""
_OF_COLUMNS = re.compile(r"\b(?:hourly|daily|weekly|monthly|yearly|mensal|anual)\b", re.IGNORECASE)
"""What tells how often in the name of a column: "Monthly rent: 655" says nothing of how long."""
_TOLD_BY = (
    ({"how", "old"}, (_AGE, _BARE)),
    ({"minimum", "age"}, (_AGE, _BARE)),
    ({"idade", "mínima"}, (_AGE, _BARE)),
    ({"how", "long"}, (_TIME, _LENGTH, _FROM_TO)),
    ({"quanto", "tempo"}, (_TIME, _FROM_TO)),
    ({"how", "tall"}, (_LENGTH,)),
    ({"how", "deep"}, (_LENGTH,)),
    ({"how", "wide"}, (_LENGTH,)),
    ({"how", "heavy"}, (_WEIGHT,)),
    ({"how", "weigh"}, (_WEIGHT,)),
    ({"far", "ahead"}, (_TIME,)),
    ({"far", "advance"}, (_TIME,)),
    ({"how", "soon"}, (_TIME, _PROMPT)),
    ({"how", "quickly"}, (_TIME, _SPEED)),
    ({"how", "rapidly"}, (_TIME, _SPEED)),
    ({"how", "promptly"}, (_TIME,)),
    ({"quanto", "pesa"}, (_WEIGHT,)),
)
"""Words of a question, and what one of has to be in an answer. Of the answered questions of the fitting halves with
them (some 40) each one has it; "for life" and "16 seasons" were added to the words above for this."""


_DIMENSIONS = (
    ("deep", "depth", "draught"),
    ("wide", "width"),
    ("tall", "high", "height"),
    ("thick", "thickness"),
    ("long",),
)
_ASKED_DIMENSIONS = frozenset(("deep", "depth", "wide", "width", "tall", "thick", "thickness"))
"""What is asked for with no other meaning: a rent is high, and a stay long."""
_WORD = re.compile(r"[^\W\d_]+")


def _measures_another(sentence: str, asked: frozenset[str]) -> bool:
    """Whether ``sentence`` says how long and wide something is, and nothing of how deep, which is asked."""
    if asked.isdisjoint(_ASKED_DIMENSIONS):
        return False
    said = frozenset(word.lower() for word in _WORD.findall(sentence))
    told = [dimension for dimension in _DIMENSIONS if not said.isdisjoint(dimension)]
    return bool(told) and all(asked.isdisjoint(dimension) for dimension in told)


_VOLTS = re.compile(r"\d ?[kKmM]?V\b|\bvolts?\b")
_DEGREES = re.compile(r"[°º]|\d ?[CFK]\b|\b(?:degrees?|graus?|celsius|fahrenheit|kelvin)\b", re.IGNORECASE)
_BYTES = re.compile(r"\d ?(?:[KMGTP]i?B?|B)\b|\b(?:kilo|mega|giga|tera)?bytes?\b", re.IGNORECASE)
_DOOR = re.compile(r"\blisten\w*|:\d{2,5}\b|\b\d{2,5}/(?:tcp|udp)\b", re.IGNORECASE)
"""What tells a port without that word."""

_NAMES = {
    **dict.fromkeys(("weight", "peso"), _WEIGHT),
    **dict.fromkeys(("height", "depth", "width", "altura", "profundidade", "largura"), _LENGTH),
    **dict.fromkeys(("speed", "velocidade"), _SPEED),
    **dict.fromkeys(("interest", "juro", "juros"), _SHARE),
    **dict.fromkeys(("voltage", "tensão", "voltagem"), _VOLTS),
    **dict.fromkeys(("temperature", "temperatura"), _DEGREES),
    **dict.fromkeys(("memory", "ram", "disk", "storage", "memória", "disco"), _BYTES),
    **dict.fromkeys(("port", "porta"), _DOOR),
}
"""Measures that have a name and units of their own."""


def told_by_unit(name: str, text: str) -> bool:
    """Whether ``text`` has a unit of the measure ``name``."""
    return name in _NAMES and bool(_NAMES[name].search(text))


def has_units(name: str) -> bool:
    """Whether ``name`` is a measure with units of its own: a text without one does not tell it."""
    return name in _NAMES


def is_at_once(sentence: str, asked: frozenset[str]) -> bool:
    """Whether ``sentence`` says "at once", where ``asked`` is how quickly: a time without a number."""
    return not asked.isdisjoint(_HASTE) and bool(_AT_ONCE.search(sentence))


def measures(sentence: str, asked: frozenset[str]) -> bool:
    """Whether ``sentence`` can answer a question with the words ``asked`` as far as measures go."""
    if _measures_another(sentence, asked):
        return False
    in_row = is_row(sentence)
    if in_row:
        sentence = _OF_COLUMNS.sub("", sentence)
    goes_on = not asked.isdisjoint(("been", "há")) and _SINCE.search(sentence)
    told = (
        any(pattern.search(sentence) for pattern in patterns if not (in_row and pattern is _BARE))
        for words, patterns in _TOLD_BY
        if words <= asked
    )
    return bool(goes_on) or all(told)
