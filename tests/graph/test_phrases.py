"""What the product says in its own words: where a sentence ends, and that what it quotes stays as it is."""

import pytest

from calibrant.nodes.phrases import left_open
from calibrant.nodes.steps import Calls
from calibrant.state.task import Language


@pytest.mark.parametrize(
    ("parts", "told"),
    [
        (("What is a lease",), "Not answered: What is a lease."),
        (("What is a lease?",), "Not answered: What is a lease?"),
        (("Name it.", "Why?"), "Not answered: Name it; Why?"),
        (("What does user?.name give?", "Is a?.b safe"), "Not answered: What does user?.name give?; Is a?.b safe."),
    ],
)
def test_a_list_ends_with_one_mark_and_quotes_what_was_asked(parts: tuple[str, ...], told: str) -> None:
    assert left_open(Language.ENGLISH, parts, Calls()) == told
