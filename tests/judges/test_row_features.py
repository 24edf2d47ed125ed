"""Rows of a table that have the feature, or lack it, by which a question chooses."""

import pytest

from calibrant.judges.free.answering.row_features import has_feature
from calibrant.judges.free.evidence.query import prepare
from tests.judges.test_extract import answer, passage

ROWS = ("Flat: 1; Balcony: no; Cargo bikes: 0", "Flat: 2; Balcony: yes; Cargo bikes: 12", "Flat: 3; Balcony: terrace")


@pytest.mark.parametrize(
    ("question", "chosen"),
    [
        ("Which flats have a balcony?", [False, True, True]),
        ("Which flats do not have a balcony?", [True, False, False]),
        ("Which flats have no balcony?", [True, False, False]),
        ("Are there flats without a balcony?", [True, False, False]),
        ("Which flats have cargo bikes?", [False, True, None]),
        ("Which flats have bikes?", [None, None, None]),
        ("Does flat 1 have a balcony?", [None, None, None]),
        ("Which flats have a balcony of more than 4 m²?", [None, None, None]),
    ],
)
def test_rows_are_chosen_by_what_they_have(question: str, chosen: list[bool | None]) -> None:
    assert [has_feature(prepare(question), row) for row in ROWS] == chosen


def test_all_rows_that_have_it_are_told_and_no_other() -> None:
    rows = "\n".join(f"| Plan{number} | {number * 10} | {'no' if number % 3 else 'yes'} |" for number in range(1, 13))
    table = f"| Plan | Price | Backup |\n|---|---|---|\n{rows}\n"
    told = [one.text.split(";")[0] for one in answer("Which plans have backup?", passage(table, "Plans")).statements]
    assert sorted(told) == ["Plan: Plan12", "Plan: Plan3", "Plan: Plan6", "Plan: Plan9"]


def test_what_the_title_says_already_chooses_no_row() -> None:
    table = "| Field | Required | Description |\n|---|---|---|\n| crossing_id | yes | The crossing to book |\n"
    text = f"Creates a booking.\n\n{table}| passengers | yes | 1 to 9 |\n| notes | no | Shown to the crew |\n"
    told = answer("Which fields are required to create a booking?", passage(text, "POST /bookings")).statements
    assert [one.quote.split("|")[1].strip() for one in told] == ["crossing_id", "passengers"]
