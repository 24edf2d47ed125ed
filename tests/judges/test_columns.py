"""Amounts of a table's row that a statement gives for another column, and those that it gives for their own."""

import pytest

from calibrant.judges.free.comparing.columns import misplaced
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.synthesis.quoted import Quoted
from calibrant.judges.free.synthesis.support import judge_support
from calibrant.state.answer import Verdict

PLAN = "Plan: Pro; Price per month: €29; Price per year: €290; Users: 10; Storage: 50 GB"
CAR = "Model: X200; Range (km): 410; Charging time (min): 35; Weight (kg): 1810"
HOURS = "Day: Saturday; Opening: 09:00; Closing: 17:00"
TERMS = "Curso: Xadrez; Início: 2026-03-02; Fim: 2026-06-29"


@pytest.mark.parametrize(
    ("row", "claim", "value"),
    [
        (PLAN, "The Pro plan costs €290 a month.", "290"),
        (PLAN, "The Pro plan costs €290 per year.", ""),
        (PLAN, "The Pro plan is €29 a month or €290 a year.", ""),
        (PLAN, "Pro costs €29 per year and €290 per month.", "29"),
        (PLAN, "The Pro plan has 10 GB of storage.", "10 GB"),
        (PLAN, "Pro has storage of 50 GB for 10 users.", ""),
        (PLAN, "The price of Pro is €29.", ""),
        (CAR, "The X200 has a range of 1810 km.", "1810 km"),
        (CAR, "The X200 has a range of 410 km and weighs 1810 kg.", ""),
        (CAR, "The X200 charges in 410 minutes.", "410 minutes"),
        (CAR, "The X200 weighs 500 kg.", ""),
        (HOURS, "On Saturday it closes at 9:00.", "9:00"),
        (HOURS, "On Saturday it opens at 9:00.", ""),
        (TERMS, "O curso de xadrez tem início em 29 de junho de 2026.", "29 de junho de 2026"),
        (TERMS, "O curso de xadrez tem início em 2 de março de 2026.", ""),
        ("Users of the plan are 10 at most.", "The plan has 10 GB.", ""),
    ],
)
def test_a_value_belongs_to_its_column(row: str, claim: str, value: str) -> None:
    assert misplaced(read(claim), row) == value


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("The Pro plan costs €290 a month.", Verdict.UNVERIFIED),
        ("The Pro plan costs €29 a month.", Verdict.SUPPORTED),
    ],
)
def test_a_value_of_another_column_is_not_borne_out(claim: str, verdict: Verdict) -> None:
    assert judge_support(claim, [Quoted((PLAN,), (), PLAN)]).verdict is verdict


def test_what_a_thing_with_a_number_has_is_no_name() -> None:
    assert "s" not in read("The X200's charging time is 35 minutes.").names
    assert judge_support("The X200's charging time is 35 minutes.", [Quoted((CAR,), (), CAR)]).verdict.stands


@pytest.mark.parametrize("text", ["It weighs 1810 kg.", "The track is 1500 m long.", "The file has 2048 bytes."])
def test_a_number_before_its_unit_is_no_year(text: str) -> None:
    reading = read(text)
    assert len(reading.quantities) == 1
    assert not reading.dates


@pytest.mark.parametrize(
    "text", ["It is a 2012 film.", "The 2012 elections were held in May.", "A empresa cresceu até 2010."]
)
def test_a_year_stays_a_year(text: str) -> None:
    assert read(text).dates
    assert not read(text).quantities
