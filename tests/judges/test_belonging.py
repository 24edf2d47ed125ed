"""What belongs to what: statements that have all words of their source and say something else."""

import pytest

from calibrant.judges.free.comparing.alignment import align
from calibrant.judges.free.comparing.belonging import misdated, turned_round
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.synthesis.quoted import Quoted
from calibrant.judges.free.synthesis.support import judge_support
from calibrant.state.answer import Verdict

NOVAK = "Mr Novak was elected treasurer, succeeding Ms Bianchi."
FERRY = "The ferry carried 1.2 million passengers in 2024, up from 1.05 million in 2023."
TERMINAL = "A new terminal at Kestrel Bay will open in May 2026."


@pytest.mark.parametrize(
    ("claim", "source", "is_turned"),
    [
        ("Ms Bianchi succeeded Mr Novak as treasurer.", NOVAK, True),
        ("Mr Novak succeeded Ms Bianchi as treasurer.", NOVAK, False),
        ("Novak was succeeded by Bianchi as treasurer.", NOVAK, True),
        ("Bianchi was succeeded by Novak as treasurer.", NOVAK, False),
        ("Beta acquired Acme in 2020.", "Beta was acquired by Acme in 2020.", True),
        ("Acme acquired Beta in 2020.", "Beta was acquired by Acme in 2020.", False),
        ("A Alfa vendeu a Beta em 2019.", "Em 2019 a Beta vendeu a Alfa.", True),
        ("Anna met Bert in Paris.", "Bert met Anna in Paris.", False),
        ("The capital of Malaysia is Kuala Lumpur.", "Kuala Lumpur is the capital of Malaysia.", False),
        ("Orwell wrote Animal Farm.", "Animal Farm was written by George Orwell.", False),
    ],
)
def test_who_does_it_to_whom(claim: str, source: str, is_turned: bool) -> None:
    assert bool(turned_round(align(read(claim), read(source)))) is is_turned


@pytest.mark.parametrize(
    ("claim", "source", "number"),
    [
        ("The ferry carried 1.2 million passengers in 2023.", FERRY, "1.2 million"),
        ("The ferry carried 1.2 million passengers in 2024.", FERRY, ""),
        ("The ferry carried 1.05 million passengers in 2023.", FERRY, ""),
        ("In 2023 it carried 1.2 million.", "In 2023 it carried 1.05 million, in 2024 1.2 million.", "1.2 million"),
        ("It sold 5 million copies between 2010 and 2015.", "Between 2010 and 2015 it sold 5 million copies.", ""),
        ("The firm of 1990 has 50 people.", "Founded in 1990, the firm had 50 people in 2015.", ""),
    ],
)  # fmt: skip
def test_which_date_a_number_is_of(claim: str, source: str, number: str) -> None:
    assert misdated(read(claim), read(source)) == number


@pytest.mark.parametrize(
    ("claim", "source", "verdict"),
    [
        ("Ms Bianchi succeeded Mr Novak as treasurer.", NOVAK, Verdict.UNVERIFIED),
        ("Mr Novak succeeded Ms Bianchi as treasurer.", NOVAK, Verdict.SUPPORTED),
        ("The ferry carried 1.2 million passengers in 2023.", FERRY, Verdict.UNVERIFIED),
        ("The ferry carried 1.05 million passengers in 2023.", FERRY, Verdict.SUPPORTED),
        ("The new terminal opened in May 2026.", TERMINAL, Verdict.UNVERIFIED),
    ],
)
def test_a_claim_of_the_same_words_is_not_supported_by_what_says_something_else(
    claim: str, source: str, verdict: Verdict
) -> None:
    found = judge_support(claim, [Quoted((source,), (), source)])
    assert found.verdict is verdict
    assert found.verdict is Verdict.SUPPORTED or found.doubt > 0.35, "worth asking a model"
