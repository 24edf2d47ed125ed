"""Commands in blocks of code, read with the comments that say what they do."""

import time

import pytest

from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.procedures import commands_in
from calibrant.judges.free.words.sentences import sentences
from calibrant.judges.given import ToAnswer
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Step, Task


def told(code: str, language: str = "sh") -> list[tuple[str, str]]:
    """The sentences of a fenced block, each with its kind."""
    text = f"Use it so:\n\n```{language}\n{code}\n```\n"
    return [(one.kind, one.text) for one in sentences(text)[1:]]


@pytest.mark.parametrize(
    ("code", "language", "text"),
    [
        ("make dev    # starts the local server", "sh", "make dev: starts the local server"),
        ("make dev    # starts the local server", "", "make dev: starts the local server"),
        ("$ jobs run  # runs what is due", "console", "jobs run: runs what is due"),
        ("# Install the packages\nnpm install", "bash", "npm install: Install the packages"),
        ("# Build it first,\n# with all options\nmake all", "bash", "make all: Build it first, with all options"),
        ("./gate serve \\\n  --port 80  # listens on port 80", "sh", "./gate serve --port 80: listens on port 80"),
        ("cat a.log | jobs read -  # reads a pasted log", "sh", "cat a.log | jobs read -: reads a pasted log"),
        ("jobs list  # see `jobs show ID` for one", "sh", "jobs list: see `jobs show ID` for one"),
    ],
)
def test_a_command_is_read_with_its_comment(code: str, language: str, text: str) -> None:
    assert told(code, language) == [("item", text)]


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("make dev", "sh"),  # nothing is said of it
        ("make dev  # 8080", "sh"),
        ("make dev  # 80 MB", "sh"),
        ("# apt install jobs\nreading the lists", "console"),  # a root's prompt, and what was printed
        ("# apt install jobs\nreading the lists", "sh"),
        ("port: 80  # the port it listens on\nhost: a  # where it listens", "yaml"),
        ("port: 80  # the port it listens on", ""),
        ("run(80)  # the port it listens on", ""),
        ("run = 80  # the port it listens on", ""),
        ("x = 1\nmake dev  # starts the local server", "python"),
        ("if true; then  # always so\n  make dev  # starts the local server\nfi", "sh"),
        ("open http://host/#top of it", "sh"),
    ],
)
def test_what_is_no_explained_command_stays_code(code: str, language: str) -> None:
    assert {kind for kind, _ in told(code, language)} == {"code"}


def test_what_stands_between_explained_commands_stays_code() -> None:
    code = "jobs add -k one   # adds a job\njobs send one\njobs drop one  # removes a job"
    assert told(code) == [
        ("item", "jobs add -k one: adds a job"), ("code", "jobs send one"), ("item", "jobs drop one: removes a job")
    ]  # fmt: skip


def test_a_text_that_starts_inside_a_block_of_code_is_read_so() -> None:
    text = "jobs stop --all\njobs add  # adds a job\n```\n\nEach is kept. Ask for it:\n\n```\njobs list\n```\n"
    assert [(one.kind, one.text) for one in sentences(text, fence="```sh")] == [
        ("code", "jobs stop --all"), ("item", "jobs add: adds a job"), ("prose", "Each is kept."),
        ("prose", "Ask for it:"), ("code", "jobs list"),
    ]  # fmt: skip


def test_a_text_that_starts_with_the_end_of_a_block_of_code_goes_on_in_prose() -> None:
    assert [one.kind for one in sentences("```\n\nEach is kept.", fence="```sh")] == ["prose"]


def test_what_is_left_of_a_block_of_code_that_explains_nothing_is_read_by_its_looks() -> None:
    text = "Examples:\n- jobs check --force\n    This checks all jobs.\n```\n\nEach is kept.\n\n```\nend\n```\n"
    *left, prose, code = sentences(text, fence="```")
    assert [one.kind for one in left] == ["prose", "item"]
    assert "This checks all jobs." in left[-1].text
    assert [(one.kind, one.text) for one in (prose, code)] == [("prose", "Each is kept."), ("code", "end")]


def test_a_text_that_is_code_from_end_to_end_is_read_by_its_looks() -> None:
    text = "port: 80\nhost: local\n"
    assert sentences(text, fence="```yaml") == sentences(text)


def test_each_stands_where_the_text_has_it() -> None:
    text = "```sh\n# Install the packages\nnpm install\n  jobs add  # adds a job\n```\n"
    assert [one.verbatim(text) for one in sentences(text)] == [
        "# Install the packages\nnpm install", "jobs add  # adds a job"
    ]  # fmt: skip


def test_a_command_is_told_by_what_its_comment_says() -> None:
    text = (
        "```sh\njobs add FILE     # adds a job\njobs drop NAME    # removes a job from the queue\n"
        "jobs list         # shows all jobs\n```\n"
    )
    item = Evidence(id="e1", text=text, title="Jobs", source="knowledge", url="file:///jobs.md")
    asked = ToAnswer(
        step=Step(id="s1", question="How do I remove a job from the queue?"), task=Task(text=""), evidence=(item,)
    )
    found = Extractor().free(asked).value.statements
    assert [one.text for one in found] == ["jobs drop NAME: removes a job from the queue"]


INSTALLING = """\
## Installation

```sh
# Fedora
sudo dnf install jobs

# Debian and Ubuntu
sudo apt install jobs
```

The service starts by itself after that.
"""


def installed(question: str) -> list[str]:
    item = Evidence(
        id="e1", text=INSTALLING, title="Jobs", source="knowledge", url="file:///jobs.md",
        locator=Locator(heading="Jobs > Installation"),
    )  # fmt: skip
    asked = ToAnswer(step=Step(id="s1", question=question), task=Task(text=question), evidence=(item,))
    return [one.text for one in Extractor().free(asked).value.statements]


def test_the_one_command_that_says_all_that_is_asked_is_told_alone() -> None:
    assert installed("How do I install jobs on Fedora?") == ["sudo dnf install jobs: Fedora"]
    assert installed("How do I install jobs on Debian?") == ["sudo apt install jobs: Debian and Ubuntu"]


def test_commands_are_told_as_code_where_a_section_is_told_whole() -> None:
    (told_whole,) = installed("How do I install jobs?")
    code, said = INSTALLING.split("```sh\n")[1].split("```\n")
    assert told_whole == f"```\n{code}```\n{said.strip()}"


def test_a_command_with_which_a_section_opens_is_told_before_what_is_said_of_it() -> None:
    text = (
        "## Studio\n\n```sh\nmake dev  # jobs serve: http://host\n```\n\nThe studio shows all jobs and their history.\n"
    )
    item = Evidence(
        id="e1", text=text, title="Jobs", source="knowledge", url="file:///jobs.md",
        locator=Locator(heading="Jobs > Studio"),
    )  # fmt: skip
    question = "How do I look at the history of all jobs in the studio?"
    asked = ToAnswer(step=Step(id="s1", question=question), task=Task(text=question), evidence=(item,))
    (found,) = Extractor().free(asked).value.statements
    assert found.quote.startswith("make dev")
    assert found.quote.endswith("history.")


@pytest.mark.parametrize("line", [" " * 30_000, "# #" * 10_000, f"x{' ' * 30_000}y", "a | " * 8_000, "-a=," * 8_000])
def test_a_block_of_code_made_to_hurt_takes_no_longer_than_others(line: str) -> None:
    started = time.process_time()
    sentences(f"```\njobs add  # adds a job\n{line}\n```\n")
    assert time.process_time() - started < 1.0


def test_an_item_that_only_has_the_sign_of_a_comment_is_no_command() -> None:
    (found,) = sentences("- **Channel:** write to us in # general\n")
    assert (found.kind, found.head, found.is_command) == ("item", "Channel", False)


@pytest.mark.parametrize("code", ["jobs serve --all", "jobs serve --all  # serves all jobs"])
def test_an_explained_command_is_announced_and_spoken_of_as_any_code_is(code: str) -> None:
    text = f"## Serving\n\nRun this:\n\n```sh\n{code}\n```\n\nThis starts the server of the jobs.\n"
    _, announced, shown, _ = sentences(text)
    assert commands_in(sentences(text)) == [(announced, shown)]
    item = Evidence(id="e1", text=text, title="Jobs", source="knowledge", url="file:///jobs.md")
    question = "What starts the server of the jobs?"
    asked = ToAnswer(step=Step(id="s1", question=question), task=Task(text=question), evidence=(item,))
    (found,) = Extractor().free(asked).value.statements
    assert found.quote == text.removeprefix("## Serving\n\n").strip()
