"""What runbooks tell under the code of an error, and behind a message that they show."""

import pytest

from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.headed_codes import CODE, told_under_code
from calibrant.judges.free.evidence.messages import LEAST, told_of_message
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.words.text import sentences
from calibrant.judges.given import ToAnswer
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Step, StepStatus, SubResult, Task

FULL = "## K-1042\n\nThe disk of the relay is full. Free some space with `relay prune`.\n"
EXPIRED = "## K-1043: certificate\n\nIt has expired. Renew it with `relay cert renew`.\n"
BOUND = """\
## Startup fails

If the log shows this:

```
relay: cannot bind to 0.0.0.0:8080: address already in use
```

another process holds the port. Stop it, or choose another port.

```
relay start --port 8081
```

Then look again.
"""


def passage(text: str) -> Evidence:
    heading = f"Runbook > {text.splitlines()[0].lstrip('# ')}"
    return Evidence(
        id=heading, text=text, title="Runbook", source="k", url="file:///runbook.md", locator=Locator(heading=heading)
    )


def told(question: str, *texts: str) -> SubResult:
    evidence = tuple(passage(text) for text in texts)
    return Extractor().free(ToAnswer(Step(id="s1", question=question), Task(text=question), evidence)).value


@pytest.mark.parametrize("code", ["K-1042", "E0308", "ORA-00942", "SEV-1", "k_2001"])
def test_codes(code: str) -> None:
    assert CODE.findall(f"What is {code}?") == [code]


@pytest.mark.parametrize("text", ["in 2024", "utf-8", "3.11", "v2.10.123", "A4", "the 12 disks"])
def test_what_is_no_code(text: str) -> None:
    assert CODE.findall(text) == []


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("What does error K-1042 mean?", True),
        ("How do I fix K-1042?", True),
        ("Why do I get K-1042?", True),
        ("k-1042", True),
        ("O que significa o erro K-1042?", True),
        ("How do I fix K-1043?", False),
        ("Is K-1042 worse than K-1043?", False),
        ("Which team is called for K-1042?", False),
        ("How do I fix it?", False),
    ],
)
def test_what_stands_under_a_code_is_asked_for_where_nothing_else_is(question: str, asked: bool) -> None:
    found = told_under_code(prepare(question), passage(FULL), sentences(FULL))
    assert [one.text for one in found] == (
        ["The disk of the relay is full.", "Free some space with `relay prune`."] if asked else []
    )


def test_an_error_is_told_under_its_code_and_no_other() -> None:
    found = told("What does error K-1043 mean?", FULL, EXPIRED)
    assert [one.quote for one in found.statements] == ["It has expired. Renew it with `relay cert renew`."]
    assert told("What does error K-1044 mean?", FULL, EXPIRED).status is StepStatus.UNANSWERED


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("relay: cannot bind to 0.0.0.0:8080: address already in use", True),
        ("I get: cannot bind to 0.0.0.0:9090: address already in use. What can I do?", True),
        ("address already in use", True),
        ("address already taken in use", False),
        ("already in use", False),  # fewer words than count
        ("Which address already in use may a second service of ours have?", False),  # of a line and a question, little
        ("Which port is used?", False),
    ],
)
def test_what_is_said_of_a_message_is_told_of_it(question: str, asked: bool) -> None:
    found = told_of_message(prepare(question), sentences(BOUND))
    assert [one.text for one in found] == (
        ["another process holds the port.", "Stop it, or choose another port."] if asked else []
    )


def test_as_many_words_in_a_row_make_a_message() -> None:
    words = ["address", "already", "in", "use"]
    assert len(words) == LEAST
    assert told_of_message(prepare(" ".join(words)), sentences(BOUND))
    assert not told_of_message(prepare(" ".join(words[1:])), sentences(BOUND))


@pytest.mark.parametrize(("said", "asked"), [("things run", True), ("things stop", False)])
def test_most_of_a_line_makes_a_message(said: str, asked: bool) -> None:
    text = "## Start\n\n```\nrelay cannot bind port now since other things run there\n```\n\nWait a minute.\n"
    question = f"Please tell us: relay cannot bind port, and {said}: what shall our team of the night do about it then?"
    assert [one.text for one in told_of_message(prepare(question), sentences(text))] == ["Wait a minute."] * asked


def test_a_message_is_answered_by_what_is_said_of_it() -> None:
    question = "relay: cannot bind to 0.0.0.0:8080: address already in use. What can I do?"
    assert [one.quote for one in told(question, FULL, BOUND, EXPIRED).statements] == [
        "another process holds the port. Stop it, or choose another port."
    ]
