"""Sentences that speak of another case than the one asked about, beside one that answers."""

import pytest

from calibrant.judges.free.comparing.elsewhere import is_elsewhere, limits
from calibrant.judges.free.evidence.query import prepare

GERMANY = "In Germany the landlord asks for three months' rent as a deposit."


@pytest.mark.parametrize(
    ("question", "answer", "other", "is_so"),
    [
        ("What is the deposit in Germany?", GERMANY, "In France the deposit is one month's rent.", True),
        ("What is the deposit in germany?", GERMANY, "In France the deposit is one month's rent.", True),
        ("What is the deposit in Germany?", GERMANY, "Unlike in Germany, the deposit in France is one month.", False),
        ("What is the deposit in Germany?", GERMANY, "It must be kept in a separate account.", False),
        ("What is the deposit in Germany?", "The deposit is 900 euros.", "In France the deposit is lower.", False),
        ("What is the deposit in Germany and in France?", GERMANY, "In France the deposit is lower.", False),
        ("Where was she born in Germany?", "She was born in Germany.", "She was born in Bonn.", False),
        ("What is the deposit?", GERMANY, "In France the deposit is one month's rent.", False),
        ("What is the deposit in Germany?", "Germany. It is three months' rent.", "In France it is one month.", True),
        ("Qual é a caução na Alemanha?", "Na Alemanha, são três rendas.", "Em França, paga-se uma renda.", True),
        ("Qual é a caução na Alemanha?", "Na Alemanha, são três rendas.", "Paga-se no início do contrato.", False),
    ],
)
def test_another_place_than_the_one_asked_about(question: str, answer: str, other: str, is_so: bool) -> None:
    assert is_elsewhere(prepare(question), answer, other) is is_so
    assert limits(prepare(question), answer) or not is_so


def test_an_answer_without_the_name_that_is_asked_for_sets_nothing_apart() -> None:
    assert limits(prepare("What is the deposit in Germany?"), GERMANY)
    assert not limits(prepare("What is the deposit in Germany?"), "The deposit is 900 euros.")
    assert not limits(prepare("What is the deposit?"), GERMANY)
