"""Numbered steps under a heading that says what is asked: told as a whole, and before what only shares words."""

import pytest

from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.procedures import steps_asked_for
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.words.text import sentences
from calibrant.judges.given import ToAnswer
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Step, Task

STEPS = """\
1. Switch the allocation off.
2. Stop the service:

   ```sh
   systemctl stop search
   ```

3. Start it again.

Never do this twice at once.
"""


def passage(text: str, heading: str, key: str = "p1") -> Evidence:
    return Evidence(
        id=key,
        text=text,
        title="Search runbook",
        source="k",
        url="file:///runbook.md",
        locator=Locator(heading=heading),
    )


@pytest.mark.parametrize(
    ("question", "heading", "asked"),
    [
        ("How do I restart a node?", "Search runbook > Restarting a node", True),
        ("how to restart a search node", "Search runbook > Restarting a node", True),
        ("How do I restart a node in staging?", "Search runbook > Restarting a node", False),
        ("How do I replace a node?", "Search runbook > Restarting a node", False),
        ("How do I search?", "Search runbook > Restarting a node", False),
        ("Why do I restart a node?", "Search runbook > Restarting a node", False),
    ],
)
def test_steps_are_asked_for_by_their_heading(question: str, heading: str, asked: bool) -> None:
    found = steps_asked_for(prepare(question), passage(STEPS, heading), sentences(STEPS))
    assert [one.text for one in sentences(STEPS) if one in found] == (
        ["Switch the allocation off.", "Stop the service:", "Start it again."] if asked else []
    )


def test_one_entry_is_no_procedure() -> None:
    text = "1. Switch the allocation off."
    assert not steps_asked_for(prepare("How do I restart a node?"), passage(text, "Restarting a node"), sentences(text))


def test_the_steps_are_told_with_their_commands_and_nothing_of_another_section() -> None:
    question = "How do I restart a node?"
    row = passage("- NodeDown: first restart the node.", "Search runbook > Alerts", "p2")
    evidence = (row, passage(STEPS, "Search runbook > Restarting a node"))
    task = Task(text=question)
    told = Extractor().free(ToAnswer(step=Step(id="s1", question=question), task=task, evidence=evidence)).value
    assert {one.evidence_ids for one in told.statements} == {("p1",)}
    assert "systemctl stop search" in told.statements[0].quote
    assert told.statements[0].quote.endswith("3. Start it again.")
