"""Statements in the words of what they quote."""

from calibrant.judges.free.answering.verbatim import borrowed, in_words_quoted
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
    assert all((one.score, one.evidence_ids) == (0.4, ("e1",)) for one in found)
    return next(((one.text, one.quote) for one in found), None)


def test_the_whole_sentences_are_told() -> None:
    assert told("five times") == ("A failed job is retried five times.", "A failed job is *retried* five times.")
    assert told("doubles each") == ("The wait doubles each time.", "The wait\ndoubles each time.")
    both = told("five times. The wait")
    assert both is not None
    assert both[0] == "A failed job is retried five times. The wait doubles each time."


def test_a_row_is_told_under_its_columns() -> None:
    assert told("$29") == ("plan: Team; price: $29", "| Team | $29 |")


def test_of_code_only_the_lines() -> None:
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


def test_rare_words_of_the_question_that_no_passage_has_are_borrowed() -> None:
    def words(text: str, question: str) -> frozenset[str]:
        return borrowed(Statement(text=text, evidence_ids=("e1",), quote="five times", score=1.0), question, HELD)

    assert words("In the sandbox a job is retried five times.", "How often does the sandbox retry?") == {"sandbox"}
    assert not words("A failed job is retried five times.", "How often does the sandbox retry a job?")
    assert not words("In the sandbox a job is retried five times.", "How often is a job retried?"), "not asked for"
    assert not words("The cost of Team is $29.", "What is the cost of Team?"), "every text has such words"
    assert not words("The manual says five times.", "What does the manual say?"), "it stands above"
