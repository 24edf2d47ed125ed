"""What a thread has said so far, as a question is understood in its light."""

import pytest
from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from calibrant.judges.given import Turn
from calibrant.nodes.reading.thread import turns
from calibrant.nodes.telling.citing import reference_list
from calibrant.state.channels import Run
from calibrant.state.evidence import Citation


def test_the_question_at_hand_is_no_earlier_turn_however_it_was_typed() -> None:
    said: list[AnyMessage] = [
        HumanMessage("How often is a job retried? "),
        AIMessage("Five times.\n\n[1] Retries - retries.md:3"),
    ]
    run = Run(id="r", question="How many times is it retried?")
    before = (Turn(question="How often is a job retried?", answer="Five times."),)
    assert turns([*said, HumanMessage("How many times is it retried?\n")], run) == before
    assert turns([HumanMessage("  How many times is it retried?\n")], run) == ()
    assert turns([HumanMessage("\ufeffHow many ti\u200bmes is it retried?\x07")], run) == ()


def test_an_earlier_question_is_read_without_what_was_pasted_with_it() -> None:
    pasted = (
        'Why does this fail?\n\nTraceback (most recent call last):\n  File "a.py", line 2, in run\nValueError: no owner'
    )
    said: list[AnyMessage] = [HumanMessage(pasted), AIMessage("An owner is missing."), HumanMessage("How do I fix it?")]
    before = Turn(question="Why does this (ValueError: no owner) fail?", answer="An owner is missing.")
    assert turns(said, Run(id="r", question="How do I fix it?")) == (before,)
    assert turns(said[:1], Run(id="r", question=pasted)) == ()


@pytest.mark.parametrize(
    ("title", "url", "line"),
    [
        ("Retries", "https://example.org/r", "[1] Retries - https://example.org/r"),
        ("Retries", "", "[1] Retries"),
        ("retries.md", "retries.md", "[1] retries.md"),
    ],
)
def test_a_message_names_title_and_place_of_a_source_as_far_as_there_are_two(title: str, url: str, line: str) -> None:
    cited = Citation(number=1, evidence_id="e", title=title, url=url, source="notes", quote="q")
    assert reference_list([cited]) == f"\n\n{line}"
