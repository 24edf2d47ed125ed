"""Identifiers and acronyms: how a question names them, where they stand, and that nothing else answers for them."""

import pytest

from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.named_things import absent_names, named_things, unnamed
from calibrant.judges.given import ToAnswer
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Step, StepStatus, SubResult, Task


def passage(text: str, heading: str, document: str = "desk", key: str = "p1") -> Evidence:
    locator = Locator(heading=heading)
    return Evidence(id=key, text=text, title="", source="knowledge", url=f"file:///{document}", locator=locator)


def answer(question: str, *evidence: Evidence) -> SubResult:
    step = Step(id="s1", question=question)
    return Extractor().free(ToAnswer(step=step, task=Task(text=question), evidence=evidence)).value


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("What is DESK_HOLD_TIME?", ["DESK_HOLD_TIME"]),
        ("What does --keep-open do?", ["--keep-open"]),
        ("What does -C do, and -q?", ["-C", "-q"]),
        ("Is it well-known - a check-in?", []),
        ("What does close() return?", ["close"]),
        ("What is the use of desk.close?", ["desk.close"]),
        ("O FastDesk suporta gRPC?", ["FastDesk", "gRPC"]),
        ("Is it faster than RE2, or than an ORM?", ["RE2", "ORM"]),
        ("How do I read CSVs, e.g. in the U.S.?", ["CSV"]),
        ("WHO IS THE CEO?", []),
        ("Who fought in World War II?", []),
        ("What does the desk cost?", []),
    ],
)
def test_what_a_question_names(question: str, names: list[str]) -> None:
    assert [one.text for one in named_things(question)] == names


@pytest.mark.parametrize(
    ("question", "text", "has"),
    [
        ("What is desk_hold_time?", "DESK_HOLD_TIME is told in seconds.", True),
        ("What is desk_hold_time?", "The desk-hold time is told in seconds.", True),
        ("What is DESK_HOLD?", "DESK_HOLD_TIME is told in seconds.", False),
        ("What is FORNAX_DESK_HOLD_TIME?", "DESK_HOLD_TIME is told in seconds.", True),
        ("What is DESK_HOLD_TIME?", "FORNAX_DESK_HOLD_TIME is told in seconds.", True),
        ("What is HOLD_TIME?", "DESK_HOLD_TIME is told in seconds.", False),
        ("What does -c do?", "``-c COLOUR, --colour COLOUR``: paint it", True),
        ("What does -c do?", "``-C COUNT, --count``: so many, not --c or pre-c", False),
        ("What is desk.close for?", "Use `close` at the end.", True),
        ("What is the default of server.timeout?", "Set session.timeout to 8 hours.", False),
        ("What is the default of server.timeout?", "Set app.server.timeout to 8 hours.", True),
        ("What is the default of server.timeout?", "Under server, the timeout is 8 hours.", True),
        ("What is Desk.hold_time?", "It is kept in self.hold_time.", True),
        ("How much RAM does gamma have?", "name: gamma; ram_gb: 32", True),
        ("How much RAM does gamma have?", "name: gamma; program: 32", False),
        ("What is the SLA?", "The service level agreement says 4 hours.", True),
        ("Is there a TV?", "Each room has a television.", True),
        ("How many TVs are there?", "One TV a room.", True),
        ("What is ARPNET?", "The ARPANET was a network.", True),
        ("Does it have an ORM?", "It has a store of rows.", False),
        ("O FastDesk suporta gRPC?", "O FastDesk suporta HTTP.", False),
    ],
)
def test_where_a_name_stands(question: str, text: str, has: bool) -> None:
    assert (not absent_names(question, [text])) is has


FLAGS = passage("DESK_TRACE is off by default, and DESK_HOLD_TIME is 90 seconds.", "Settings of the desk")


@pytest.mark.parametrize(
    ("question", "is_answered"),
    [
        ("What is the default of DESK_HOLD_TIME?", True),
        ("What is the default of DESK_HOLD_SIZE?", False),
        ("Is DESK_TRACE off by default?", True),
        ("Is DESK_TRACE_ALL off by default?", False),
    ],
)
def test_a_setting_is_not_answered_by_another_one(question: str, is_answered: bool) -> None:
    assert (answer(question, FLAGS).status is StepStatus.ANSWERED) is is_answered


@pytest.mark.parametrize(
    ("question", "absent"),
    [
        ("Which port does FastDesk listen on?", []),
        ("Which port does FastShop listen on?", ["FastShop"]),
        ("Which port does desk_port set?", ["desk_port"]),
        ("What is the difference between FastDesk and FastShop?", []),
    ],
)
def test_a_product_may_be_named_elsewhere_in_its_document(question: str, absent: list[str]) -> None:
    told, document = "The server listens on port 8070.", "FastDesk has desk_port. The server listens on port 8070."
    assert [one.text for one in unnamed(question, told, document)] == absent


def test_what_no_passage_names_is_said_to_be_missing() -> None:
    assert "DESK_HOLD_SIZE" in answer("What is the default of DESK_HOLD_SIZE?", FLAGS).missing
