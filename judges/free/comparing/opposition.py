"""How two aligned sentences disagree, and how severe that is."""

from dataclasses import dataclass

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.frame import Differs, Scope
from calibrant.judges.free.words.claim_words import PLAIN_FORCE

MIN_FIT = 0.5
"""How well the rest of two sentences has to fit (``frame.fit_of``)."""
ENOUGH_SHARED = 2.0
"""Weight in common from which two sentences can be about one thing, if they are not the same but for one word."""


@dataclass(frozen=True)
class Opposition:
    """How two sentences disagree. ``severity`` 0..1; ``scope``: whether both speak of the same case."""

    what: Differs
    """``version`` and ``answer`` only of answers to one question."""
    severity: float
    values: tuple[str, str]
    """What the first and what the second sentence says; where one denies or takes back what the other one states, twice
    the word that is denied, or that takes it back."""
    fit: float = 1.0
    scope: Scope = "same"
    qualifies: bool = False
    """One side only limits the other: no contradiction."""


def _weakened(alignment: Alignment) -> float:
    """Possibilities oppose each other less than statements do."""
    return 0.6 if min(alignment.first.force, alignment.second.force) < PLAIN_FORCE else 1.0


def graded(base: float, fit: float, alignment: Alignment) -> float:
    """The severity of a difference that is ``base`` where the rest fits wholly: less where it fits less, or where a
    side only says what may be."""
    return round(full(base, fit) * _weakened(alignment), 4)


def full(base: float, fit: float) -> float:
    """The severity of such a difference where both sides are sure of what they say."""
    return round(min(1.0, base * (0.5 + 0.5 * fit)), 4)
