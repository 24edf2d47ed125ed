"""The parts of a dataset: each fit holds out the same half, and what the reader saw nothing else is fitted to."""

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from calibrant.evals.halves import FIT, HELD_OUT, MANUALS, READ, READ_SETS, WRITTEN, half_of, is_read
from calibrant.evals.manuals import asked, manuals
from calibrant.evals.task import Item

SETS = st.sampled_from(["nomiracl", "pira", "scifact", *sorted(READ_SETS - WRITTEN - {MANUALS})])


@given(st.text(), SETS, SETS)
def test_one_record_is_held_out_from_every_set_or_from_none(key: str, one: str, other: str) -> None:
    assert (half_of(one, key) == HELD_OUT) is (half_of(other, key) == HELD_OUT)


@given(st.text(), SETS)
def test_the_reader_saw_only_the_sets_that_it_was_fitted_on(key: str, name: str) -> None:
    assert half_of(name, key) in ({HELD_OUT, FIT, READ} if name in READ_SETS else {HELD_OUT, FIT})
    assert Item(name, key, None, None).half == half_of(name, key)


@given(st.text(), SETS)
def test_the_reader_reads_nothing_that_is_held_out_or_that_another_fit_needs(key: str, name: str) -> None:
    assert is_read(name, key) is (half_of(name, key) == (READ if name in READ_SETS else FIT))


@given(st.text(), st.sampled_from(sorted(WRITTEN)))
def test_of_what_was_written_to_learn_from_nothing_is_held_out(key: str, name: str) -> None:
    assert half_of(name, key) in {FIT, READ}
    assert is_read(name, key) is (half_of(name, key) == READ)


def test_all_questions_over_one_manual_are_in_the_part_that_it_is_for() -> None:
    parts = {(one.manual.name, half_of(MANUALS, one.manual.key)) for one in asked()}
    assert parts == {(name, manual.part) for name, manual in manuals().items()}
    assert {part for _, part in parts} == {HELD_OUT, FIT, READ}
    assert all(is_read(MANUALS, one.key) is (one.part == READ) for one in manuals().values())


def test_half_is_held_out_and_a_fifth_of_the_rest_is_left_to_the_other_fits() -> None:
    found = Counter(half_of("squad2", f"paragraph {number}") for number in range(10_000))
    assert 0.48 < found[HELD_OUT] / 10_000 < 0.52
    assert 0.18 < found[FIT] / (found[FIT] + found[READ]) < 0.22


def test_without_embeddings_the_whole_half_is_for_fitting() -> None:
    halves = {Item("squad2", f"paragraph {number}", None, None, by_words=True).half for number in range(100)}
    assert halves == {HELD_OUT, FIT}
