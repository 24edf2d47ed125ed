"""``kill -9`` in the middle of a fan-out: another process goes on, and only what was not finished is done again."""

from collections import Counter
from collections.abc import Callable

import pytest

from tests.durability.house import Done, Gate, House, Process, asked, booked, prompt_of, topic_of, until
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, OpenAIServer, Record
from tests.wire.smart import answer, plan, smart, suffice

RETRIED = "How often is a failed job retried by default?"
JOBS = "How many jobs does a worker run at a time?"
VERSION = "Which Postgres version does the backend need?"
QUESTION = f"{RETRIED} {JOBS} {VERSION}"
DEAD = "How long does a job stay in the dead-letter queue?"
BEAT = "How often does a worker send a heartbeat?"
MANY = f"{QUESTION} {DEAD} {BEAT}"
"""More parts than one answer is given to: a step each."""

BRANCHES = {"b1": "the manual", "b2": "the defaults", "b3": "the operators"}
"""Three strategies that ask different things, so that their requests can be told apart."""

Resume = Callable[[House], Done]


def embedded(house: House) -> Done:
    """``astream(None, config)`` in a process that knows nothing but the file."""
    return house.run(str(house.data_dir), "t1", module="tests.durability.worker")


def command_line(house: House) -> Done:
    """``calibrant resume``."""
    return house.run("resume", "t1", "--json")


def ask(house: House) -> Process:
    """``calibrant ask`` under way."""
    return house.start("ask", MANY, "--thread", "t1", "--no-input", "--json")


def three_plans(call: Call) -> Json:
    """The scripted plan with other questions in each branch."""
    made = plan(call)
    return {"plans": [_about(one, topic) for one, topic in zip(made["plans"], BRANCHES.values(), strict=True)]}


def _about(one: Json, topic: str) -> Json:
    return {**one, "steps": [{**step, "question": f"{step['question']} As to {topic}."} for step in one["steps"]]}


@pytest.mark.parametrize("resume", [embedded, command_line])
def test_finished_steps_are_not_run_again(house: House, resume: Resume) -> None:
    gate = Gate(answer, VERSION)
    with OpenAIServer(smart(answer=gate)) as server:
        house.use_model(server.base_url)
        process = ask(house)
        until(lambda: gate.reached.is_set() and house.stored("results") == 4, process)
        process.kill()
        before = asked(server)
        gate.open()
        done = resume(house)
        assert done.code == 0, done.err
        after = asked(server)

        assert Counter(topic for name, topic in after.elements() if name == "answer") == {
            RETRIED: 1, JOBS: 1, DEAD: 1, BEAT: 1, VERSION: 2,
        }  # fmt: skip
        again = {key for key in before if after[key] > before[key]}
        assert {name for name, _ in again} <= {"answer", "suffice"}  # a later phase may judge the same passages anew
        for part in ("five times", "four jobs", "14", "thirty seconds"):
            assert part in done.json["answer"]
        lost = next(record for record in server.requests if answers(record, VERSION))
        assert_exact(done, server, lambda record: record is lost)


def test_finished_branches_are_not_run_again(house: House) -> None:
    gate = Gate(suffice, BRANCHES["b3"])
    with OpenAIServer(smart(plan=three_plans, suffice=gate)) as server:
        house.use_model(server.base_url)
        process = ask(house)
        until(lambda: gate.reached.is_set() and house.stored("branches") == 2, process)
        process.kill()
        gate.open()
        done = embedded(house)
        assert done.code == 0, done.err

        assert done.json["nodes"].count("branch") == 1
        assert asked(server)["plan", ""] == 1
        counts = Counter(topic for record in server.requests if (topic := branch_of(record)))
        selected = done.json["selected"]["id"]  # its steps are judged again before they run
        assert counts["b3"] >= 2
        assert {counts[name] for name in ("b1", "b2") if name != selected} == {1}
        lost = next(record for record in server.requests if branch_of(record) == "b3")
        assert_exact(done, server, lambda record: record is lost)


def test_finished_searches_are_not_run_again(house: House) -> None:
    house.settings |= {"SOURCES": str(house.folder)}
    with OpenAIServer(smart()) as server:
        house.use_model(server.base_url)
        (house.folder / "hold-storage").touch()
        process = house.start(str(house.data_dir), "t1", QUESTION, module="tests.durability.worker")
        until(lambda: house.stored("hits") == 9 and searches(house)["storage"] == 3, process)
        process.kill()
        (house.folder / "hold-storage").unlink()
        done = embedded(house)
        assert done.code == 0, done.err

        assert searches(house) == {"retries": 3, "workers": 3, "filas": 3, "storage": 6}
        assert done.json["spend"]["searches"] == 12
        assert done.json["nodes"].count("search") == 3
        assert "plan_search" not in done.json["nodes"]
        assert {item["id"] for item in done.json["evidence"]} >= {"e-retries", "e-workers", "e-storage"}
        assert_exact(done, server, lambda record: False)


def searches(house: House) -> Counter[str]:
    """How often each source was searched."""
    log = house.folder / "searches"
    return Counter(log.read_text("utf-8").split() if log.exists() else [])


def branch_of(record: Record) -> str:
    """Which branch a request judges; empty for any other request."""
    judged = topic_of(record.name, prompt_of(record.body)) if record.name == "suffice" else ""
    return next((name for name, topic in BRANCHES.items() if topic in judged), "")


def answers(record: Record, question: str) -> bool:
    """Whether a request is for the answer to ``question``."""
    return record.name == "answer" and topic_of(record.name, prompt_of(record.body)) == question


def assert_exact(done: Done, server: OpenAIServer, lost: Callable[[Record], bool]) -> None:
    """The ledger holds every call that was answered, once."""
    spend = done.json["spend"]
    assert (spend["model_calls"], spend["tokens_in"]) == booked(server, lost)
    assert "unregistered" not in done.err
    assert "Blocked" not in done.err
