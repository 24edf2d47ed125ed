"""Statements in the words of what they quote."""

import pytest

from calibrant.judges.free.answering.verbatim import QUOTED, in_words_quoted, leaves_out, stands_together
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement

TEXT = """## Retries

A failed job is *retried* five times. The wait
doubles each time.

| plan | price |
|---|---|
| Team | $29 |

```python
queue = Queue(limit=4)
queue.drain(*jobs)
```
"""
HELD = {"e1": Evidence(id="e1", text=TEXT, title="Manual", source="knowledge", url="file:///manual.md")}


def told(quote: str, *ids: str) -> tuple[str, str] | None:
    statement = Statement(text="Something else.", evidence_ids=ids or ("e1",), quote=quote, score=0.4)
    found = in_words_quoted(statement, HELD)
    assert all((one.score, one.evidence_ids) == (QUOTED, ("e1",)) for one in found)
    return next(((one.text, one.quote) for one in found), None)


@pytest.mark.parametrize(("score", "kept"), [(0.1, QUOTED), (QUOTED, QUOTED), (0.8, 0.8)])
def test_how_badly_a_statement_was_worded_does_not_count_against_the_words_quoted(score: float, kept: float) -> None:
    statement = Statement(text="Something else.", evidence_ids=("e1",), quote="five times", score=score)
    assert [one.score for one in in_words_quoted(statement, HELD)] == [kept]


def test_whole_sentences_rows_under_their_columns_and_lines_of_code_are_told() -> None:
    assert told("five times") == ("A failed job is retried five times.", "A failed job is *retried* five times.")
    assert told("doubles each") == ("The wait doubles each time.", "The wait\ndoubles each time.")
    both = told("five times. The wait")
    assert both is not None
    assert both[0] == "A failed job is retried five times. The wait doubles each time."

    assert told("$29") == ("plan: Team; price: $29", "| Team | $29 |")
    assert told("drain(*jobs)") == ("queue.drain(*jobs)", "queue.drain(*jobs)")


def test_what_is_not_held_is_not_told() -> None:
    assert told("nine times") is None
    assert told("") is None
    assert told("five times", "e2") is None


def test_of_a_page_without_ends_of_sentences_only_the_quotation() -> None:
    page = Evidence(id="e1", text="No Measure Who " + "M1 alarm P Soll " * 60, title="", source="knowledge", url="u")
    statement = Statement(text="Soll does it.", evidence_ids=("e1",), quote="alarm P Soll", score=0.4)
    (found,) = in_words_quoted(statement, {"e1": page})
    assert found.text == "alarm P Soll"


def test_each_place_is_told_by_itself() -> None:
    statement = Statement(
        text="It costs $29.", evidence_ids=("e1",), quote="$29", also_quoted=("five times",), score=0.4
    )
    assert [(one.text, one.quote) for one in in_words_quoted(statement, HELD)] == [
        ("plan: Team; price: $29", "| Team | $29 |"),
        ("A failed job is retried five times.", "A failed job is *retried* five times."),
    ]


def stated(text: str, quote: str) -> Statement:
    return Statement(text=text, evidence_ids=("e1",), quote=quote, score=1.0)


@pytest.mark.parametrize(
    ("text", "together"),
    [
        ("In the sandbox a job is retried five times.", False),
        ("A failed job is retried five times an hour.", False),
        ("The failed job is retried 5 times.", True),
        ("The failed job is retried 4 times.", False),  # a number of another sentence
        ("By the manual a job is retried five times.", True),  # it stands above
        ("The wait of a failed job doubles.", False),
        ("Editors may publish drafts.", True),
        ("Readers may publish drafts.", False),
        ("With roles, readers may comment.", True),  # the heading
        ("With retries, readers may comment.", False),  # that of another section
    ],
)
def test_words_of_two_sentences_do_not_stand_together(text: str, together: bool) -> None:
    page = f"{TEXT}\n## Roles\n\nEditors may publish drafts; readers may comment.\n"
    held = {"e1": HELD["e1"].replace(text=page)}
    assert stands_together(stated(text, "five times"), held) is together


@pytest.mark.parametrize(
    ("text", "quote", "is_left"),
    [
        ("On Starter files are kept for 90 days.", "14 days on Starter, and for 90 days on Team", True),
        ("On Starter files are kept for 90 days.", "for 90 days on Team", True),
        ("Files are kept for 2 weeks on Starter, and for 90 days on Team.", "14 days on Starter", False),
        ("Files can be moved.", "moved up to five times", True),
        ("Os ficheiros podem transitar.", "podem transitar, até ao máximo de cinco", True),
        ("The firm was sold in 2021.", "The firm was sold in 2022", True),
        ("The firm was sold for 3 million euros.", "The firm was sold in 2022", False),
        ("The firm was sold.", "The firm was sold in 2022", False),
    ],
)
def test_a_number_beside_the_one_that_is_told_is_left_out(text: str, quote: str, is_left: bool) -> None:
    page = (
        "Files are kept for 14 days on Starter, and for 90 days on Team. Files can be moved up to five times. "
        "The firm was sold in 2022 for 3 million euros. Os ficheiros podem transitar, até ao máximo de cinco."
    )
    assert leaves_out(stated(text, quote), {"e1": HELD["e1"].replace(text=page)}) is is_left
