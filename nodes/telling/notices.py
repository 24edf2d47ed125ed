"""What a reader of passages has to be told of them, whether an answer cites them or a caller is given them."""

from collections.abc import Iterable, Sequence
from datetime import date

from calibrant.judges.free.evidence.age import out_of_force
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.injection import is_injection


def orders_in(passages: Iterable[Evidence]) -> tuple[str, ...]:
    """Passages that talk to a model instead of a reader, named: their orders are text, and are not followed."""
    titles = unique(item.title for item in passages if is_injection(item.text))
    return tuple(f"{title} holds instructions to a model; they were taken as text, not followed." for title in titles)


def over(passages: Sequence[Evidence], today: date) -> tuple[str, ...]:
    """Documents of these ``passages`` that say of themselves that they hold no more, named."""
    past = out_of_force(passages, today)
    titles = unique(item.title for item in passages if item.id in past)
    return tuple(f"{title} says itself that it holds no more." for title in titles)
