"""What sets two aligned sentences against each other: numbers, dates, negation, antonyms, exclusive values.

A difference counts only where the rest of the sentences speaks of the same thing. ``frame.fit_of`` decides that: two
words without a match in the same place (server timeout, client timeout) make two attributes, and no opposition.
"""

from collections.abc import Callable, Iterator

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.denial import antonyms, negation, refusals
from calibrant.judges.free.comparing.figures import differing_dates, differing_numbers, is_bare
from calibrant.judges.free.comparing.opposition import ENOUGH_SHARED, Opposition
from calibrant.judges.free.comparing.outlook import are_of_two_times
from calibrant.judges.free.comparing.reading import opens_with_pronoun
from calibrant.judges.free.comparing.values import differing_classes, differing_values, swapped, turned_round_orders


def oppose(alignment: Alignment) -> Opposition | None:
    """The strongest disagreement of two sentences about one thing; None where there is none."""
    if alignment.first.language is not alignment.second.language or _starts_elsewhere(alignment):
        return None
    if are_of_two_times(alignment.first.text, alignment.second.text):
        return None
    few = (swapped, differing_numbers) if is_bare(alignment) else (swapped,)
    detectors = _DETECTORS if alignment.shared >= ENOUGH_SHARED else few
    found = [hit for detect in detectors for hit in detect(alignment)]
    return max(found, key=lambda hit: (not hit.qualifies, hit.severity), default=None)


def _starts_elsewhere(alignment: Alignment) -> bool:
    """After a pronoun only a shared name tells what a sentence is about."""
    return not alignment.shares_name and any(opens_with_pronoun(side.text) for side in alignment.sides)


_DETECTORS: tuple[Callable[[Alignment], Iterator[Opposition]], ...] = (
    swapped, differing_numbers, differing_dates, negation, refusals, antonyms, differing_classes, differing_values,
    turned_round_orders,
)  # fmt: skip
