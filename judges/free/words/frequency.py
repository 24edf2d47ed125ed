"""How often something happens ("daily", "every six hours", "twice a week"), in times a day. English and Portuguese."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.text import uncased

_DAYS = {
    "minute": 1 / 1440, "hour": 1 / 24, "day": 1, "night": 1, "week": 7, "fortnight": 14, "month": 30, "quarter": 91,
    "year": 365, "minuto": 1 / 1440, "hora": 1 / 24, "dia": 1, "noite": 1, "semana": 7, "mês": 30, "mese": 30,
    "quinzena": 15, "trimestre": 91, "semestre": 182, "ano": 365,
}  # fmt: skip
_ADVERBS = {
    "hourly": 1 / 24, "daily": 1, "nightly": 1, "weekly": 7, "fortnightly": 14, "monthly": 30, "quarterly": 91,
    "yearly": 365, "annually": 365, "diariamente": 1, "semanalmente": 7, "mensalmente": 30, "anualmente": 365,
    "quinzenalmente": 15, "trimestralmente": 91, "semestralmente": 182,
}  # fmt: skip
_COUNTS = {"once": 1, "twice": 2, "uma vez": 1, "duas vezes": 2, "other": 2, "second": 2}
_NUMBER = r"[\w.,-]{1,30}"
"""A number in words or digits. None is longer, and what is would be read anew from each of its signs."""
_SPAN = rf"(?:(?P<gap>{_NUMBER}) )?(?P<unit>{'|'.join(_DAYS)})s?\b"
_FREQUENCY = re.compile(
    rf"\b(?:(?P<adverb>{'|'.join(_ADVERBS)})\b"
    rf"|(?:(?P<times>once|twice|uma vez|duas vezes|{_NUMBER}(?= times| vezes))(?: times| vezes)? "
    rf"(?:an?|per|every|each|por|ao|à|cada|a cada) |(?:every|each|cada|tod[oa]s?(?: [oa]s?)?) ){_SPAN}"
    rf"|de (?:(?P<step>\w+) em (?P=step) (?P<each>{'|'.join(_DAYS)})s?|(?P<one>{'|'.join(_DAYS)}) em (?P=one))\b)",
    re.IGNORECASE,
)
_ALIKE = 1.1
"""Four weeks are a month."""


@dataclass(frozen=True)
class Frequency:
    """Times a day, and where it is told."""

    per_day: float
    start: int
    end: int

    def agrees(self, other: "Frequency") -> bool:
        """Whether both say much the same."""
        return max(self.per_day, other.per_day) <= _ALIKE * min(self.per_day, other.per_day)


def frequencies(text: str) -> tuple[Frequency, ...]:
    """The frequencies that ``text`` tells, in order."""
    return tuple(_frequencies(text))


def _frequencies(text: str) -> Iterator[Frequency]:
    for match in _FREQUENCY.finditer(text):
        unit = match["unit"] or match["each"] or match["one"]
        days = _ADVERBS[uncased(match["adverb"])] if match["adverb"] else _DAYS[uncased(unit)]
        times, gap = _count(match["times"]), _count(match["gap"] or match["step"])
        if times and gap:
            yield Frequency(times / (gap * days), match.start(), match.end())


def _count(said: str | None) -> float:
    """The number that is said, 1 where none is; 0 for a word that is none."""
    if not said:
        return 1.0
    found = numbers(said)
    return float(_COUNTS.get(uncased(said), found[0].value if len(found) == 1 else 0.0))
