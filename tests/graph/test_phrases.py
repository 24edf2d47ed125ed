"""What the product says in its own words: where a sentence ends, and that what it quotes stays as it is."""

import pytest

from calibrant.nodes.reading.called import Calls
from calibrant.nodes.telling.phrases import Phrases
from calibrant.state.confidence import Factor
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
    assert Phrases(Language.ENGLISH).left_open(parts, Calls()) == told


@pytest.mark.parametrize(
    ("language", "told"),
    [
        (
            Language.ENGLISH,
            ("send_mail, erase changes something: it needs approval", "erase may already have been done"),
        ),
        (
            Language.PORTUGUESE,
            ("send_mail, erase altera algo: precisa de aprovação", "erase talvez já tenha sido feito"),
        ),
    ],
)
def test_a_person_is_asked_for_approval_in_the_language_of_the_task(language: Language, told: tuple[str, ...]) -> None:
    assert Phrases(language).approval_sought(["send_mail", "erase"], ["erase"]) == told


@pytest.mark.parametrize(
    ("language", "name", "told"),
    [
        (Language.ENGLISH, "strategy_clarity", "the steps are hardly defined"),
        (Language.PORTUGUESE, "strategy_clarity", "Os passos do plano estão pouco definidos."),
        (Language.PORTUGUESE, "risk", "the steps are hardly defined"),
    ],
)
def test_why_a_factor_is_low_is_told_in_the_language_of_the_task(language: Language, name: str, told: str) -> None:
    """What has no words of its own in that language is told as it is."""
    assert Phrases(language).weakness(Factor(name=name, weight=1.0, reason="the steps are hardly defined")) == told
