"""Documents that disagree, asked through the real command line, without a model: the answer tells it, the register
names both sides with their sources, and the confidence shows it."""

import json
import os
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.cli.conftest import Run

Documents = dict[str, str]


@dataclass(frozen=True)
class Case:
    """Three documents, two of which disagree on what is asked."""

    question: str
    documents: Documents
    sides: tuple[str, str]
    """What each side says; the one that must be followed first, where that is known."""
    explanation: str


CASES = {
    "number": Case(
        "How many passengers does the Larkspur ferry carry?",
        {
            "handbook": "The Larkspur ferry carries 240 passengers on each crossing.",
            "brochure": "The Larkspur ferry carries 310 passengers on each crossing.",
            "history": "The Larkspur ferry was built in the Tarn shipyard and is painted green.",
        },
        ("310 passengers", "240 passengers"),
        "They give different numbers",
    ),
    "date": Case(
        "When was the Orsel bridge opened?",
        {
            "chronicle": "The Orsel bridge was opened on 4 May 1987.",
            "almanac": "The Orsel bridge was opened on 12 September 1989.",
            "guide": "The Orsel bridge has four arches and a walkway for pedestrians.",
        },
        ("12 September 1989", "4 May 1987"),
        "They give different dates",
    ),
    "negation": Case(
        "Does the Veltra scheduler support encrypted backups?",
        {
            "manual": "The Veltra scheduler supports encrypted backups.",
            "notes": "The Veltra scheduler does not support encrypted backups.",
            "faq": "The Veltra scheduler writes a backup every night at two.",
        },
        ("supports encrypted backups", "does not support encrypted backups"),
        "One states what the other denies",
    ),
    "newer against older": Case(
        "What does the starter plan of Zephyr cost?",
        {
            "leaflet": "The starter plan of Zephyr costs 12 euros a month.",
            "website": "The starter plan of Zephyr costs 19 euros a month.",
            "team": "Zephyr is made by a team of nine people in Porto.",
        },
        ("19 euros", "12 euros"),
        "They give different numbers",
    ),
}
DAYS = {"leaflet": datetime(2019, 3, 1, 12, tzinfo=UTC), "website": datetime(2024, 6, 1, 12, tzinfo=UTC)}


@pytest.fixture
def over(run: Run, machine: Path) -> Callable[[Documents], Run]:
    """``over(documents)``: the command line with them ingested."""

    def ingested(documents: Documents) -> Run:
        folder = machine / "docs"
        folder.mkdir()
        for name, text in documents.items():
            file = folder / f"{name}.md"
            file.write_text(f"# {name.capitalize()}\n\n{text}\n")
            if name in DAYS:
                os.utime(file, (DAYS[name].timestamp(), DAYS[name].timestamp()))
        assert run("ingest", str(folder), "-k", "docs").exit_code == 0
        return run

    return ingested


@pytest.mark.parametrize("name", CASES)
def test_a_disagreement_is_told_with_both_sides_and_their_sources(over: Callable[[Documents], Run], name: str) -> None:
    case = CASES[name]
    shown = over(case.documents)("ask", case.question, "--thread", "t1").stdout
    answer, register = shown.split("\nSources\n")
    followed, against = answer.strip().splitlines()
    assert followed.endswith("[1]")
    assert against.startswith("Sources disagree; also found: ")
    assert against.endswith("[2]")
    assert all(side in answer for side in case.sides)
    assert "! 1 conflict between sources. Review carefully." in register
    flat = " ".join(register.split())
    assert "contradiction (0." in flat
    assert case.explanation in flat
    for side in case.sides:
        assert side in flat[flat.index("contradiction") :]
    assert flat.count("the answer follows it") == 1


@pytest.mark.parametrize("name", CASES)
def test_the_same_for_a_program(over: Callable[[Documents], Run], name: str) -> None:
    case = CASES[name]
    data = json.loads(over(case.documents)("ask", case.question, "--json").stdout)
    (conflict,) = data["conflicts"]
    assert conflict["severity"] >= 0.5
    claims = {claim["id"]: claim for claim in data["claims"]}
    followed = claims[conflict["preferred"]]
    assert followed["text"] in data["answer"].split("\n")[0]
    cited = {citation["evidence_id"] for citation in data["citations"]}
    assert len(cited) == 2
    assert {span["evidence_id"] for side in ("first", "second") for span in conflict[side]["spans"]} == cited
    assert data["level"] == "low"
    assert data["confidence"]["raw"] < 0.9


def test_of_two_equal_sources_the_newer_is_followed_and_the_days_are_shown(
    over: Callable[[Documents], Run],
) -> None:
    case = CASES["newer against older"]
    shown = over(case.documents)("ask", case.question).stdout
    assert shown.startswith("The starter plan of Zephyr costs 19 euros a month.")
    flat = " ".join(shown.split())
    assert "[1] in a file of 2024-06-01, the answer follows it" in flat
    assert "[2] in a file of 2019-03-01" in flat


def test_the_day_that_a_document_states_is_not_told_as_that_of_its_file(over: Callable[[Documents], Run]) -> None:
    case = CASES["newer against older"]
    leaflet = f"Written on 2 July 2024.\n\n{case.documents['leaflet']}"
    shown = over({**case.documents, "leaflet": leaflet})("ask", case.question).stdout
    flat = " ".join(shown.split())
    assert "of 2024-07-02, the answer follows it" in flat
    assert "in a file of 2024-06-01" in flat
    assert "2019" not in flat


def test_asked_again_the_disagreement_is_remembered(over: Callable[[Documents], Run]) -> None:
    case = CASES["number"]
    asking = over(case.documents)
    asking("ask", case.question)
    again = asking("ask", "How many passengers can the Larkspur ferry carry?").stdout
    assert "Sources disagree; also found: " in again


AGREEING = {
    "another time": (
        "What does the starter plan of Zephyr cost?",
        {
            "old": "In 2019 the starter plan of Zephyr cost 12 euros a month.",
            "new": "In 2024 the starter plan of Zephyr costs 19 euros a month.",
        },
    ),
    "another thing": (
        "How many passengers does the Larkspur ferry carry?",
        {
            "one": "The Larkspur ferry carries 310 passengers on each crossing.",
            "two": "The Osprey ferry carries 90 passengers on each crossing.",
        },
    ),
    "only qualified": (
        "Does the Veltra scheduler support encrypted backups?",
        {
            "one": "The Veltra scheduler supports encrypted backups.",
            "two": "The Veltra scheduler supports encrypted backups only on Linux.",
        },
    ),
    "the same in other words": (
        "How many passengers does the Larkspur ferry carry?",
        {
            "one": "The Larkspur ferry carries 310 passengers on each crossing.",
            "two": "On each crossing the Larkspur ferry takes 310 passengers.",
        },
    ),
}


@pytest.mark.parametrize("name", AGREEING)
def test_what_only_differs_is_no_contradiction(over: Callable[[Documents], Run], name: str) -> None:
    question, documents = AGREEING[name]
    data = json.loads(over(documents)("ask", question, "--json").stdout)
    assert data["stop_reason"] == "answered"
    assert [one for one in data["conflicts"] if one["kind"] != "ambiguity"] == []
    assert "Sources disagree" not in data["answer"]


def test_two_bearers_of_one_name_are_an_ambiguity(over: Callable[[Documents], Run], machine: Path) -> None:
    asking = over({"other": "A lighthouse keeper wrote a diary in 1911."})
    for kind, born in (("footballer", "3 March 1962"), ("painter", "9 July 1978")):
        (machine / "docs" / f"{kind}.md").write_text(f"# Odo Larch ({kind})\n\nOdo Larch was born on {born}.\n")
    assert asking("ingest", str(machine / "docs"), "-k", "docs").exit_code == 0
    data = json.loads(asking("ask", "When was Odo Larch born?", "--json").stdout)
    assert [one["kind"] for one in data["conflicts"]] == ["ambiguity"]
    assert "Sources differ, perhaps about different cases" in data["answer"]


def test_the_answer_tells_how_many_passages_met_the_conditions_and_the_trace_why(run: Run, machine: Path) -> None:
    from tests.graph.house import write_documents
    from tests.graph.markets import HAMSTERS, HAMSTERS_WANTED, pages

    write_documents(machine / "docs", pages(HAMSTERS))
    assert run("ingest", str(machine / "docs"), "-k", "docs").exit_code == 0
    shown = " ".join(run("ask", HAMSTERS_WANTED, "--power", "2", "--thread", "t1").stdout.split())
    traced = " ".join(run("trace", "t1").stdout.split())
    assert "Conditions met by 4 of 15 passages, after another search by 5 of 12 passages Spent" in shown
    assert "4 of 15 passages meet the conditions, 0.27 of 0.30; rejected 11: educational 5, book 3, cage 3" in traced
    assert "searched again without educational, classroom, book, paperback, cage, wire; with live animals" in traced
    assert "5 of 12 passages meet the conditions, 0.42 of 0.30" in traced
    assert "5, at least 3 wanted Syrian hamsters" in traced
