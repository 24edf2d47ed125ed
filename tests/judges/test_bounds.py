"""Rows of a table that are within the bound that a question sets, below, at and above it."""

import pytest

from calibrant.judges.free.answering.bounds import within, without_bounds
from calibrant.judges.free.answering.candidates import as_scored
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.sufficiency import SufficiencyJudge
from calibrant.judges.given import ToSuffice
from calibrant.state.task import StepStatus
from tests.judges.test_extract import answer, passage

PLANS = [
    f"Plan: {name}; Price per month: €{price}; Users: {users}; Storage: {storage}"
    for name, price, users, storage in (("Free", 0, 1, "1 GB"), ("Team", 29, 10, "50 GB"), ("Large", 79, 50, "5 TB"))
]
CAR = "Model: X200; Range (km): 410; Charging time (min): 35; Weight (kg): 1810"
TABLE = """\
| Plan | Price per month | Users |
| --- | --- | --- |
| Free | €0 | 1 |
| Team | €29 | 10 |
| Business | €79 | 50 |
| Enterprise | €199 | 500 |

Annual payment saves 15%.
"""


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("Which plans cost less than €29?", [True, False, False]),
        ("Which plans cost less than €30?", [True, True, False]),
        ("Which plans cost at most €29?", [True, True, False]),
        ("Which plans cost no more than €29?", [True, True, False]),
        ("Which plans have no fewer than 10 users?", [False, True, True]),
        ("Que planos custam não mais de 29 euros?", [True, True, False]),
        ("Which plans cost more than 29 euros?", [False, False, True]),
        ("What plans have at least 10 users?", [False, True, True]),
        ("Which plans have more than 50 GB of storage?", [False, False, True]),
        ("Which plans have at least 10 users and cost less than €50?", [False, True, False]),
        ("Que planos custam menos de 50 euros?", [True, True, False]),
        ("How much is the plan for more than 10 users?", [None, None, None]),
        ("Which plan costs €29?", [None, None, None]),
        ("Which plans were sold for more than 3 years?", [None, None, None]),
    ],
)
def test_rows_are_chosen_by_their_numbers(question: str, chosen: list[bool | None]) -> None:
    assert [within(prepare(question), row) for row in PLANS] == chosen


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("Which models have a range of more than 400 km?", True),
        ("Which models have a range of more than 410 km?", False),
        ("Which models charge in under 30 minutes?", False),
        ("Which models have a weight of less than 2000 kg?", True),
    ],
)
def test_the_unit_may_stand_in_the_name_of_the_column(question: str, chosen: bool) -> None:
    assert within(prepare(question), CAR) is chosen


def test_a_bound_in_a_cell_is_no_amount() -> None:
    assert within(prepare("Which orders over 500 euros are free?"), "Order: over 500 euros; Shipping: free") is None


def test_the_number_of_a_bound_says_no_more_of_a_row_that_has_it() -> None:
    query = prepare("Which plans have at least 10 users?")
    assert without_bounds(query).text == "Which plans have  users?"
    plain = prepare("Which plan costs €29?")
    assert without_bounds(plain) is plain


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Which plans cost less than €50?", ["Plan: Free", "Plan: Team"]),
        ("Which plans allow at least 50 users?", ["Plan: Business", "Plan: Enterprise"]),
    ],
)
def test_all_rows_within_it_are_told_and_no_other(question: str, told: list[str]) -> None:
    statements = answer(question, passage(TABLE, "Plans")).statements
    assert [one.text.partition(";")[0] for one in statements] == told


def test_a_cell_at_the_bound_is_not_the_one_that_is_meant() -> None:
    rows = "| Course | Duration |\n| --- | --- |\n| Bread | 2 hours |\n| Cheese | 3 hours |\n| Honey | 1 hour |\n"
    told = answer("Which courses have a duration of more than 1 hour?", passage(rows, "Courses")).statements
    assert [one.text.partition(";")[0] for one in told] == ["Course: Bread", "Course: Cheese"]


def test_a_bound_behind_a_preposition_narrows_down_to_no_other_thing() -> None:
    rows = "| Data | Kept for |\n| --- | --- |\n| Bookings | 7 years |\n| Pictures | 14 days |\n| Logs | 90 days |\n"
    told = answer("Which data is kept for less than 100 days?", passage(rows, "Data")).statements
    assert [one.text.partition(";")[0] for one in told] == ["Data: Pictures", "Data: Logs"]


@pytest.mark.parametrize(
    "question",
    ["How many plans are there?", "What is the average price per month?", "What do all plans cost in total per month?"],
)
def test_a_row_does_not_tell_what_comes_of_all_of_them(question: str) -> None:
    assert answer(question, passage(TABLE, "Plans")).status is StepStatus.UNANSWERED


def test_a_row_that_is_a_sum_tells_it() -> None:
    rows = "| Item | Price |\n| --- | --- |\n| Rent | €900 |\n| Power | €80 |\n| Total of all items | €980 |\n"
    statements = answer("What is the total price of all items?", passage(rows, "Costs")).statements
    assert [one.text for one in statements] == ["Item: Total of all items; Price: €980"]


def test_what_rows_are_chosen_by_is_not_missed_in_them() -> None:
    """No row says "500": that they can be compared with it suffices."""
    question = "Which plans have more than 30 users?"
    given = ToSuffice(questions=(question,), evidence=(passage(TABLE, "Plans"),))
    by_words, as_chosen = SufficiencyJudge().free(given).value, SufficiencyJudge(None, as_scored).free(given).value
    assert "30" in by_words.missing
    assert as_chosen.missing == ()
    assert as_chosen.score > by_words.score


def test_a_bare_unit_in_the_name_of_a_column_counts_and_prices_are_compared_first() -> None:
    flats = [
        f"Flat: {name}; Area m2: 51; Rent EUR: {rent}; Heating EUR: 62; Users a month: 9"
        for name, rent in (("A", 468), ("B", 655))
    ]
    assert [within(prepare("Are there flats under 500 euros?"), row) for row in flats] == [True, False]
    assert within(prepare("Which flats are for less than 9 months?"), flats[0]) is None


def test_a_sentence_beside_rows_that_are_compared_has_to_say_the_bound() -> None:
    """It is scored without: "Are there plans?"."""
    text = f"{TABLE}\nThere are plans for firms and there are plans for families."
    told = [one.text for one in answer("Are there plans under 30 euros?", passage(text, "Plans")).statements]
    assert told
    assert all(one.startswith("Plan: ") for one in told)
