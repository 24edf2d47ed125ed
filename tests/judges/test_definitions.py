"""What a name in code is, is told by its docstring, or by the line that gives it its value."""

import pytest

from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.definitions import defining, name_asked_for
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.words.text import sentences_of
from calibrant.judges.given import ToAnswer
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Step, Task

FUNCTION = '''def evidence_for(step: Step, stated: Collection[str]) -> tuple[Evidence, ...]:
    """The passages that a step gets, first of all those where an answer is likely.
    Others follow by relevance.

    A step that is alone gets the most relevant.
    """
    max_shown = 12
    return first[:max_shown]
'''
CONSTANTS = '''WAY_BACK = 11
"""Supersteps that a run still needs after a judgement."""

GIVEN, GIVEN_BY_WORDS = 0.42, 0.5

PLAIN = re.compile(
    r"[a-z]+"
)
"""Words in small letters."""
'''
LEDGER = '''@dataclass(frozen=True)
class Ledger(Value):
    """Limits against spend at one moment."""

    retries_left: int = 3
    """How often a call may still be made."""
'''
BAD = '''class BadInput(ValueError):
    """A ValueError with these additional properties:

    msg: The message without its place
    pos: Where it begins

    """
'''
GO = """// Push adds a job.
// It blocks while the queue is full.
//
// See also Pop.
func (q *Queue) Push(job Job) error {
\tq.jobs <- job
}
"""
NOTES = "The way back is long. Evidence for the clerk is kept until Monday."


def passage(text: str, heading: str, name: str = "e") -> Evidence:
    return Evidence(
        id=name, text=text, title=name, source="knowledge", url=f"file:///{name}.py", locator=Locator(heading=heading)
    )


HELD = (
    passage(FUNCTION, "nodes.shown.evidence_for", "shown"),
    passage(CONSTANTS, "nodes.deciding", "deciding"),
    passage(LEDGER, "state.budget.Ledger", "budget"),
    passage(GO, "Push", "queue"),
    passage("# Rolls back to the release before.\nrollback() {\n  kubectl rollout undo\n}\n", "", "deploy"),
    passage(NOTES, "Notes", "notes"),
)


def told(question: str, evidence: tuple[Evidence, ...] = HELD) -> list[str]:
    given = ToAnswer(step=Step(id="s", question=question), task=Task(text=question), evidence=evidence)
    return [statement.text for statement in Extractor().free(given).value.statements]


SHOWN = "nodes.shown.evidence_for: The passages that a step gets, first of all those where an answer is likely."


@pytest.mark.parametrize(
    ("question", "begins"),
    [
        ("What does evidence_for return?", SHOWN),
        ("What does nodes.shown.evidence_for do?", SHOWN),
        ("Explain evidence_for", SHOWN),
        ("O que faz evidence_for?", SHOWN),
        ("What is WAY_BACK?", "WAY_BACK: 11 (Supersteps that a run still needs after a judgement)"),
        ("What is the value of GIVEN_BY_WORDS?", "GIVEN, GIVEN_BY_WORDS = 0.42, 0.5"),
        ("What is the PLAIN constant?", "PLAIN: Words in small letters."),
        ("What does Push do?", "Push adds a job. It blocks while the queue is full."),
        ("What does rollback do?", "rollback: Rolls back to the release before."),
        ("What does the class Ledger do?", "state.budget.Ledger: Limits against spend at one moment."),
        ("What is retries_left?", "retries_left: 3 (How often a call may still be made)"),
    ],
)
def test_a_name_is_told_by_what_defines_it(question: str, begins: str) -> None:
    (statement,) = told(question)
    assert " ".join(statement.replace("```", "").split()).startswith(begins)


def test_a_bare_value_gives_way_to_what_is_said_of_it_and_an_example_defines_nothing() -> None:
    said = "max_retries is how often a failed job is tried again before it is given up."
    manual = passage(f"{said}\n\n```\nmax_retries = 10\n```\n", "Retries", "manual")
    assert [one.rpartition(": ")[2] for one in told("What is max_retries?", (manual,))] == [said]
    apart = passage("max_retries = 10\n", "settings", "settings")
    prose = passage(said, "Retries", "prose")
    assert said in told("What is max_retries?", (apart, prose))[0]
    assert "max_retries = 10" in told("What is max_retries?", (apart,))[0]


def test_what_a_docstring_announces_is_told_with_it() -> None:
    (statement,) = told("What is BadInput?", (passage(BAD, "decoder.BadInput"),))
    assert "additional properties:" in statement
    assert "pos: Where it begins" in statement


def test_of_a_docstring_the_first_paragraph_is_told() -> None:
    (statement,) = told("What does evidence_for return?")
    assert "Others follow by relevance." in statement
    assert "alone" not in statement
    (statement,) = told("What does Push do?")
    assert "Pop" not in statement


@pytest.mark.parametrize(
    "question",
    [
        "What does evidence_against return?",
        "What is max_shown?",
        "What is STEP_BACK?",
        "What does the class Ledgers do?",
    ],
    ids=["another function", "a variable of a function", "another constant", "another class"],
)
def test_what_nothing_defines_is_not_told_by_its_neighbours(question: str) -> None:
    assert told(question) == []


@pytest.mark.parametrize(
    "text",
    [
        "# Storage\nPostgres is a database for several machines.\n",
        "# Storage\nPostgres: a database for several machines.\n",
        "# Storage\nThe Postgres backend is a database, and its pool = 5 by default.\n",
    ],
)
def test_the_heading_above_a_line_of_prose_defines_nothing(text: str) -> None:
    query, item = prepare("What is Postgres?"), passage(text, "Storage")
    assert defining(query, item, sentences_of(item)) == ()


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("What does evidence_for return?", "evidence_for"),
        ("What's json.dumps?", "json.dumps"),
        ("Para que serve sort_keys?", "sort_keys"),
        ("What is the class Ledger?", "Ledger"),
        ("What does capped return?", "capped"),
        ("What is the monthly price of json.dumps?", ""),
        ("How does json.dumps work?", ""),
        ("What is the difference between sort_keys and skip_keys?", ""),
        ("What does rollback do?", "rollback"),
        ("What does this error (json.JSONDecodeError: Expecting value: line 1 (char 0)) mean?", "json.JSONDecodeError"),
        ("O que significa este erro (KeyError: 'a')?", "KeyError"),
        ("Why does this (json.JSONDecodeError: Expecting value) fail?", ""),
        ("What does the clerk do?", ""),
        ("What does Push do?", "Push"),
        ("What is the capital of France?", ""),
        ("What does the class of 1998 return to?", ""),
        ("When does evidence_for return?", ""),
    ],
)
def test_the_name_of_which_a_question_asks_what_it_is(question: str, name: str) -> None:
    assert name_asked_for(prepare(question)) == name
