"""A long row of figures, or of other things, takes time that grows with its length, and not with its square."""

import time

import pytest

from calibrant.judges.free.comparing.alignment import align
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.rivals import disagreement
from calibrant.judges.free.evidence.age import is_over
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.planning.ambiguity import alternatives
from calibrant.judges.free.request.followup import resolve
from calibrant.judges.given import Turn
from calibrant.state.task import EN
from tests.judges.test_age import document

FIGURES = ("5 times ", "2020 ", "12:30 ", "1 January 2020 ", "2020-01-01 ", "1, ", "A-1 ", "M#", "version 1 ")


@pytest.mark.parametrize("figure", FIGURES)
def test_a_row_of_figures_is_read_in_time(figure: str) -> None:
    text = figure * (30_000 // len(figure))
    started = time.process_time()
    read(f"The job: {text}")
    assert time.process_time() - started < 3


@pytest.mark.parametrize("figure", ["12 ", "1-2-", "$5 and "])
def test_two_rows_of_figures_are_compared_in_time(figure: str) -> None:
    query = prepare("How long is the mast?")
    row = figure * (4_000 // len(figure))
    alignment = align(read(f"The mast: {row}"), read(f"A mast: {row}"))
    started = time.process_time()
    assert disagreement(query, alignment)[0] is None
    assert time.process_time() - started < 3


def test_a_row_of_years_is_asked_in_time_whether_it_is_over() -> None:
    item = document("Years", "2020 " * 6_000)
    read(item.text.strip())
    started = time.process_time()
    assert not is_over(item.document, [item], None)
    assert time.process_time() - started < 3


@pytest.mark.parametrize("said", ["the gate opens ", "1. a\n"])
def test_a_follow_up_of_a_long_question_is_read_in_time(said: str) -> None:
    asked = said * (12_000 // len(said))
    started = time.process_time()
    resolve("And for children?", (Turn(asked, asked),), EN)
    assert time.process_time() - started < 2


def test_a_long_word_of_a_planner_is_read_in_time() -> None:
    started = time.process_time()
    assert alternatives("x" * 12_000) == ()
    assert time.process_time() - started < 1
