"""What a price or a count is for: whether a text tells it for the year, the day or the minute that is asked about."""

import re

from calibrant.judges.free.evidence.answer_kind import Expects
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.numbers import ANY_NUMBER_WORD

_ASKS_PRICE = re.compile(
    r"\b(?:how much|costs?|prices?|fees?|rent|rates?|salary|pay|charged?|quanto|custam?|preços?|aluguel|salário)\b",
    re.IGNORECASE,
)
_OFTEN = r"(?:per|an?|each|every|por|ao?|à|cada) (?:(?:full|started|whole|single|calendar|working|business|further) )?"
_PERIODS = {
    "year": (r"years?|yr|annum|anos?", r"yearly|annual(?:ly)?|anual(?:mente)?"),
    "month": (r"months?|mo|mês|meses", r"monthly|mensa(?:l|is|lmente)"),
    "week": (r"weeks?|semanas?", r"weekly|semana(?:l|is|lmente)"),
    "day": (r"days?|nights?|dias?|noites?", r"daily|nightly|diári[oa]s?|diariamente|24[ -]hours?"),
    "hour": (r"hours?|h|horas?", r"hourly|60[ -]minutes?"),
    "minute": (r"minutes?|min|minutos?", r"rpm|60[ -]seconds?"),
    "second": (r"seconds?|s|sec|segundos?", r"[rq]ps"),
}
"""What a price or a count may be for: its units, and other words for each of them."""
_FOR = {
    name: re.compile(rf"(?:(?<!\w){_OFTEN}|/ ?)(?:{units})(?!\w)|(?<!\w)(?:{others})(?!\w)", re.IGNORECASE)
    for name, (units, others) in _PERIODS.items()
}
_LASTS = {
    name: re.compile(rf"(?<![\w.,])(?:\d[\d.,]*|{ANY_NUMBER_WORD})[ -](?:{units})(?!\w)", re.IGNORECASE)
    for name, (units, _) in _PERIODS.items()
}
"""How long, and not how often: 30 days."""
_SAYS = {
    name: re.compile(rf"(?<!\w)(?:{units}|{others})(?!\w)", re.IGNORECASE) for name, (units, others) in _PERIODS.items()
}
_ASKS_RATE = re.compile(rf"\b(?:how many|quant[oa]s)\b.*? {_OFTEN}\w", re.IGNORECASE)


def tells_for_period(query: Query, text: str) -> bool:
    """Whether a price in ``text`` may be that of the period that the question names: none by the month alone, where it
    asks for one by the year."""
    asked, told = _periods(query.text) if _ASKS_PRICE.search(query.text) else frozenset(), _periods(text)
    return not (asked and told) or not asked.isdisjoint(told)


def tells_rate(query: Query, text: str) -> bool:
    """Whether ``text`` speaks of a day, an hour or the like, where the question asks how many there are in one: what
    lasts 30 days is none."""
    asks = query.expects is Expects.NUMBER and _ASKS_RATE.search(query.text)
    asked = _periods(query.text) if asks else frozenset()
    return not asked or any(_FOR[one].search(text) or _SAYS[one].search(_LASTS[one].sub("", text)) for one in asked)


def _periods(text: str) -> frozenset[str]:
    return frozenset(name for name, said in _FOR.items() if said.search(text))
