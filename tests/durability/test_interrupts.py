"""A question to a person outlives the process that asked it: asked in one, answered in another."""

import json

import pytest

from tests.durability.house import Done, House

RETRIED = "How often is a failed job retried by default?"
VAGUE = "help me with it"
ANSWERED, ABSTAINED, WAITING, BAD_INPUT = 0, 3, 4, 2

EASY = {"proceed": 0.03, "retrieve": 0.02, "abort": 0.01}
FIRST = {"proceed": 1.0, "retrieve": 0.999, "abort": 0.998}
DEMANDING = {"CALIBRANT_THRESHOLDS": json.dumps({"perceive": FIRST, "reason": EASY, "act": EASY, "reflect": EASY})}
"""No first impression is good enough: every run asks for guidance before it plans."""


@pytest.fixture(params=["sqlite", "postgres"])
def anywhere(house: House, request: pytest.FixtureRequest) -> House:
    """A machine that keeps its threads in SQLite, or in a Postgres of its own."""
    if request.param == "postgres":
        house.settings["CALIBRANT_POSTGRES_URL"] = request.getfixturevalue("fresh_postgres")
    return house


def waits(house: House, question: str, kind: str) -> Done:
    """Ask, and leave the question open."""
    done = house.run("ask", question, "--thread", "t1", "--ask-later", "--json")
    assert done.code == WAITING, done.err
    assert done.json["waiting"]["kind"] == kind
    return done


def test_guidance_from_another_process(anywhere: House) -> None:
    anywhere.settings |= DEMANDING
    before = waits(anywhere, RETRIED, "guidance")
    done = anywhere.run("resume", "t1", "--guide", "Look at the retries", "--json")
    assert done.code == ANSWERED, done.err
    assert "five times" in done.json["answer"]
    assert done.json["waiting"] is None
    assert done.json["spend"]["questions"] == 1
    assert done.json["spend"]["searches"] == before.json["spend"]["searches"] + 1  # by what the person said
    kept = [decision["id"] for decision in before.json["decisions"]]
    assert [decision["id"] for decision in done.json["decisions"]][: len(kept)] == kept
    again = anywhere.run("resume", "t1", "--guide", "And now?")
    assert (again.code, again.said) == (BAD_INPUT, "calibrant: thread t1 asks nothing: it has finished")


def test_abort_from_another_process(house: House) -> None:
    house.settings |= DEMANDING
    waits(house, RETRIED, "guidance")
    done = house.run("resume", "t1", "--abort", "--json")
    assert (done.code, done.json["stop_reason"]) == (ABSTAINED, "aborted"), done.err
    assert done.json["citations"] == []


def test_a_wording_from_another_process(house: House) -> None:
    waits(house, VAGUE, "wording")
    wrong = house.run("resume", "t1", "--guide", "Think harder")
    assert wrong.code == BAD_INPUT
    assert "does not answer that question" in wrong.said
    done = house.run("resume", "t1", "--wording", RETRIED, "--json")
    assert done.code == ANSWERED, done.err
    assert "five times" in done.json["answer"]


def test_postgres_leaves_nothing_in_files(house: House, fresh_postgres: str) -> None:
    house.settings |= {**DEMANDING, "CALIBRANT_POSTGRES_URL": fresh_postgres}
    waits(house, RETRIED, "guidance")
    assert not list(house.data_dir.glob("*.db"))
    listed = json.loads(house.run("threads", "--json").out)
    assert [(thread["id"], thread["status"]) for thread in listed] == [("t1", "interrupted")]
