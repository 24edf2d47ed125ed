"""What the numbers of a text are told in: "10.8" is 10.8 million where a table counts in millions of euros."""

import re
from collections.abc import Iterable, Iterator

from calibrant.judges.free.words.numbers import CURRENCY_CODES, numbers

_SCALES = {
    "k": 1e3, "mil": 1e3, "thousand": 1e3, "thousands": 1e3, "milhares": 1e3,
    "m": 1e6, "mn": 1e6, "million": 1e6, "millions": 1e6, "milhões": 1e6,
    "bn": 1e9, "billion": 1e9, "billions": 1e9, "bilhões": 1e9,
}  # fmt: skip
_MONEY = rf"(?:{CURRENCY_CODES}|US\$|R\$|[$€£¥]|euros?|dollars?|pounds?|reais)"
_NOTE = re.compile(
    r"\b(?:in|em) (?P<several>thousands|millions|billions|milhares|milhões|bilhões)\b"
    rf"|(?<!\w){_MONEY} ?(?P<behind>{'|'.join(_SCALES)})\b"
    r"|(?:^|(?<=[(\[,:;|])|(?<=[(\[,:;|] )|(?<=\bin )|(?<=\bem ))"
    rf"(?P<before>{'|'.join(_SCALES)}) (?:of |de )?{_MONEY}(?!\w)",
    re.IGNORECASE | re.MULTILINE,
)
"""A text says it beside no number: "amounts in thousands", "EUR million", "€m", "(million euros)"."""


def by_scale(sources: Iterable[str]) -> dict[float, frozenset[float]]:
    """The numbers of ``sources`` in the digits that they are told in, by what these count: 23.2 under a million, of
    "23.2 million" and of a table in millions of euros."""
    found: dict[float, set[float]] = {}
    for source in sources:
        noted = frozenset(_noted(source))
        for number in numbers(source):
            for scale in noted if number.scale == 1.0 else (number.scale,):
                found.setdefault(scale, set()).add(round(number.value / number.scale, 6))
    return {scale: frozenset(values) for scale, values in found.items()}


def _noted(source: str) -> Iterator[float]:
    """What ``source`` says that those of its numbers are told in which do not say it themselves."""
    for note in _NOTE.finditer(source):
        yield _SCALES[(note["several"] or note["behind"] or note["before"]).lower()]
