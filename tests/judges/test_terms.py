"""Identifiers: found in a text of any kind, wherever they stand in it."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.words.terms import _IDENTIFIER, identifiers, quoted

MARKS = st.text(alphabet="aAbZ_.()- 9é'\n,", max_size=60)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("How do I call json.dumps with sort_keys, or sorted()?", ["json.dumps", "sort_keys", "sorted()"]),
        ("What does HandleTask do in SQLite over HTTP?", ["HandleTask", "SQLite", "HTTP"]),
        ("Does python3 take --no-input or -v?", ["python3", "--no-input"]),
        ("(os.path.join) [my_name]", ["os.path.join", "my_name"]),
        ("The Arden queue keeps a finished job. It is gone then: why?", []),
        ("WHAT IS THE BEST HTTP SERVER?", []),
    ],
)
def test_identifiers_are_told_from_words(text: str, found: list[str]) -> None:
    assert [term.text for term in identifiers(text)] == found


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('What does "X" mean in "sorted keys"?', ["sorted keys"]),
        ('size="1", color="red"', ["red"]),
        ('"" and `go build`', ["go build"]),
        (f'"{"long " * 20}" and "short"', ["short"]),
        ("He wrote “it said “no entry” there.", ["no entry"]),
    ],
)
def test_what_stands_between_two_quotations_is_none(text: str, found: list[str]) -> None:
    assert [term.text for term in quoted(text)] == found


@given(MARKS)
def test_looking_only_where_one_can_be_misses_none(text: str) -> None:
    everywhere = [match.span() for match in _IDENTIFIER.finditer(text) if len(match.group()) > 1]
    shouted = len(text) >= 12 and text.isupper()
    assert [(term.start, term.end) for term in identifiers(text)] == ([] if shouted else everywhere)


@pytest.mark.parametrize("part", ["_", "a1", "aé", "A_", "“a"])
def test_a_long_word_takes_no_longer_than_many(part: str) -> None:
    started = time.process_time()
    identifiers(f"See {part * 8_000} and sort_keys.")
    quoted(part * 8_000)
    assert time.process_time() - started < 1


def test_beside_a_long_word_an_identifier_is_found() -> None:
    assert [term.text for term in identifiers(f"See {'_' * 8_000} and sort_keys.")] == ["sort_keys"]
