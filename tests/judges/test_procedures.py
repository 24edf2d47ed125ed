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


COMMAND = """\
Jobrunner runs on Linux.

Run this command:

```sh
pip install jobrunner==2.3
```

It takes a minute.
"""


@pytest.mark.parametrize(
    ("question", "heading", "asked"),
    [
        ("How do I install jobrunner?", "Jobs > Installation", True),
        ("How can it be installed?", "Jobs > Installation", True),
        ("What is the command to install jobrunner?", "Jobs > Installation", True),
        ("Como instalo o jobrunner?", "Jobs > Instalação", True),
        ("How do I install jobrunner on Windows?", "Jobs > Installation", False),
        ("How do I install otherrunner?", "Jobs > Installation", False),
        ("How do I uninstall jobrunner?", "Jobs > Installation", False),
        ("How do I install jobrunner?", "Installation > Limits", False),
        ("Why do I install jobrunner?", "Jobs > Installation", False),
    ],
)
def test_a_command_is_asked_for_by_its_heading(question: str, heading: str, asked: bool) -> None:
    found = steps_asked_for(prepare(question), passage(COMMAND, heading), sentences(COMMAND))
    assert [one.text for one in found] == (["Run this command:"] if asked else [])


@pytest.mark.parametrize(
    "text",
    [
        "Run this command:\n\nIt takes a minute to install jobrunner.",
        "Jobrunner is fast.\n\n```sh\npip install jobrunner\n```",
        "It needs:\n\n- jobrunner\n- Linux",
    ],
    ids=["no code", "code that nothing announces", "a list"],
)
def test_what_announces_no_code_tells_no_command(text: str) -> None:
    item = passage(text, "Jobs > Installation")
    assert not steps_asked_for(prepare("How do I install jobrunner?"), item, sentences(text))


def test_a_command_is_told_with_what_announces_it() -> None:
    question = "How do I install jobrunner?"
    evidence = (passage(COMMAND, "Jobs > Installation"), passage("A job can be retried.", "Jobs > Retries", "p2"))
    step = Step(id="s1", question=question)
    told = Extractor().free(ToAnswer(step=step, task=Task(text=question), evidence=evidence)).value
    assert [one.text for one in told.statements][:1] == ["Run this command: pip install jobrunner==2.3"]
