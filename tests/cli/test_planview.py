"""What ``calibrant trace`` shows of a run's records: the task, the plan that was chosen, the signs of uncertainty."""

from pathlib import Path

import pytest

from calibrant.interfaces.commands.trace import TRACED
from calibrant.state.channels import View
from calibrant.state.confidence import Confidence
from calibrant.state.task import Branch, Criterion, Phase, Step, StepKind, Task
from calibrant.state.uncertainty import Signal, SignalKind
from tests.cli.test_views import trace_of
from tests.graph.house import graph_for, ingest, run, write_documents

CALL = Step(id="b.t1", kind=StepKind.TOOL, question="q", tool="read_file", arguments={"path": "a.md"})
SEEN = View(
    perceived=Task(
        text="q",
        plan="Answer the 2 parts one by one.",
        assumptions=("The current version is meant.",),
        risks=("Sources may be out of date.",),
        criteria=(Criterion(id="c1", what="reviews", target=3),),
    ),
    branches=(
        Branch(id="a", name="direct", confidence=Confidence(raw=0.45, score=0.45)),
        Branch(id="b", name="practice-oriented", confidence=Confidence(raw=0.88, score=0.88)),
    ),
    selected=Branch(
        id="b",
        name="practice-oriented",
        rationale="Go by what works.",
        steps=(CALL, Step(id="b.q1", question="And then?")),
        tool_rationale="The request names read_file.",
        dependencies="q1 after t1.",
        risks=("Examples may be old.",),
        anticipated_issues=("q1 needs the answer to t1.",),
    ),
    signals=(
        Signal(kind=SignalKind.HESITATION, phase=Phase.REASON, detail="not sure", resolved=True),
        Signal(kind=SignalKind.NO_TOOL_CALLS, phase=Phase.ACT, attempt=2, detail="nothing calls x"),
    ),
)


@pytest.mark.parametrize(
    "words",
    [
        "Answer the 2 parts one by one.", "The current version is meant.", "Sources may be out of date.",
        "at least 3: reviews", "Strategy: practice-oriented, best of 2", "direct 0.45, practice-oriented 0.88",
        "Go by what works.", "read_file(path='a.md')", "And then?", "The request names read_file.", "q1 after t1.",
        "Examples may be old.",
        "q1 needs the answer to t1.", "reason attempt 1  planner hesitation +2  not sure  (answered)",
        "act attempt 2  no tool calls +4  nothing calls x",
    ],
)  # fmt: skip
def test_the_trace_shows_the_records(words: str) -> None:
    assert words in " ".join(trace_of(SEEN).split()).replace("  ", " ") or words in trace_of(SEEN)


def test_what_is_not_there_is_not_shown() -> None:
    text = trace_of(View())
    assert "Task" not in text
    assert "Strategy" not in text
    assert "Signs" not in text


async def test_a_run_without_a_model_has_them_all(tmp_path: Path) -> None:
    ingest(tmp_path / "data", write_documents(tmp_path / "docs"))
    state = await run(
        graph_for(tmp_path / "data"), "Should several machines that share a queue use SQLite or Postgres?"
    )
    task, branch = state.perceived, state.selected
    assert task is not None
    assert branch is not None
    assert all((task.plan, task.criteria))
    assert all((branch.rationale, branch.risks, branch.tool_rationale, branch.dependencies))
    assert {"perceived", "selected", "branches", "signals", "intents"} <= TRACED
