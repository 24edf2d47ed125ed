"""Tools in act: read-only ones run, others wait for approval, failures are typed and become signals."""

from pathlib import Path
from typing import Any

from langchain_core.tools import StructuredTool
from langgraph.runtime import Runtime

from calibrant.graph.settings import Settings
from calibrant.nodes.act import signals_of
from calibrant.nodes.step import StepTask, counted, step
from calibrant.nodes.steps import needs_approval, ready, unfinished
from calibrant.state.budget import Allowance
from calibrant.state.channels import Run, View
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.guidance import ApprovalAction, CallAnswer, Guidance
from calibrant.state.task import Branch, Phase, Step, StepKind, StepStatus, SubResult, Task
from calibrant.state.uncertainty import SignalKind, uncertainty_score
from tests.graph.house import deps_for

CALL = Step(id="b.q1", kind=StepKind.TOOL, question="Restart worker 7", tool="restart", arguments={"name": "7"})
LEASE = Allowance(seconds=5.0)


def tool(log: list[str], *, read_only: bool, fails: bool = False) -> StructuredTool:
    """A tool that logs its calls."""

    async def restart(name: str) -> str:
        """Restart a worker."""
        log.append(name)
        if fails:
            raise FileNotFoundError(name)
        return f"worker {name} was restarted"

    return StructuredTool.from_function(coroutine=restart, name="restart", metadata={"read_only": read_only})


async def _run(data_dir: Path, made: StructuredTool, job: StepTask) -> dict[str, Any]:
    return await step(deps_for(data_dir, tools=[made]))(job, Runtime(context=Settings()))


async def test_a_tool_gives_evidence_that_its_statement_quotes(data_dir: Path) -> None:
    log: list[str] = []
    update = await _run(data_dir, tool(log, read_only=True), StepTask(step=CALL, task=Task(text="x"), allowance=LEASE))
    (result,), (found,) = update["results"], update["evidence"]
    assert log == ["7"]
    assert result.status is StepStatus.ANSWERED
    assert result.statements[0].evidence_ids == (found.id,)
    assert found.text == "worker 7 was restarted"
    assert found.source == "tool:restart"


async def test_a_failing_tool_is_a_typed_result_without_its_message(data_dir: Path) -> None:
    made = tool([], read_only=True, fails=True)
    update = await _run(data_dir, made, StepTask(step=CALL, task=Task(text="x"), allowance=LEASE))
    (result,) = update["results"]
    assert result.status is StepStatus.FAILED
    assert result.failure.kind is FailureKind.MISSING
    assert result.content == ""


async def test_a_call_that_may_have_changed_something_is_not_tried_again(data_dir: Path) -> None:
    for read_only in (True, False):
        made = tool([], read_only=read_only, fails=True)
        update = await _run(data_dir, made, StepTask(step=CALL, task=Task(text="x"), allowance=LEASE))
        (result,) = update["results"]
        assert bool(unfinished(Branch(id="b", name="b", steps=(CALL,)), (result,))) is read_only


async def test_a_rejected_call_is_not_made(data_dir: Path) -> None:
    log: list[str] = []
    job = StepTask(
        step=CALL, task=Task(text="x"), verdict=CallAnswer(id="x", action=ApprovalAction.REJECT), allowance=LEASE
    )
    update = await _run(data_dir, tool(log, read_only=False), job)
    assert log == []
    assert update["results"][0].status is StepStatus.SKIPPED


async def test_an_edited_call_runs_with_the_edited_arguments(data_dir: Path) -> None:
    log: list[str] = []
    verdict = CallAnswer(id="x", action=ApprovalAction.EDIT, arguments={"name": "8"})
    job = StepTask(step=CALL, task=Task(text="x"), verdict=verdict, allowance=LEASE)
    await _run(data_dir, tool(log, read_only=False), job)
    assert log == ["8"]


def _state(*results: SubResult, guidance: tuple[Guidance, ...] = ()) -> View:
    return View(
        run=Run(id="r", question="q"),
        selected=Branch(id="b", name="b", steps=(CALL, Step(id="b.q2", question="then", depends_on=("b.q1",)))),
        results=results,
        guidance=guidance,
    )


def test_a_call_that_changes_something_waits_for_approval() -> None:
    state = _state()
    assert state.selected is not None
    writing, reading = tool([], read_only=False), tool([], read_only=True)
    (pending,) = needs_approval(state, state.selected, {"restart": writing})
    assert (pending.tool, pending.arguments, pending.id) == ("restart", {"name": "7"}, "r:b.q1")
    assert needs_approval(state, state.selected, {"restart": reading}) == ()
    given = Guidance(
        request_id="q", phase=Phase.ACT, kind="approval", action="approve",
        calls=(CallAnswer(id="r:b.q1", action=ApprovalAction.APPROVE),),
    )  # fmt: skip
    assert needs_approval(_state(guidance=(given,)), state.selected, {"restart": writing}) == ()


def _failed(attempts: int) -> SubResult:
    failure = Failure(kind=FailureKind.TIMEOUT, where="restart", message="no answer")
    return SubResult(
        id="b.q1",
        question="Restart worker 7",
        status=StepStatus.FAILED,
        failure=failure,
        attempts=attempts,
        alike=attempts,
    )


def test_steps_wait_for_what_they_depend_on_and_failures_are_tried_three_times() -> None:
    state = _state()
    assert state.selected is not None
    assert [one.id for one in ready(state.selected, ())] == ["b.q1"]
    assert [one.id for one in ready(state.selected, (_failed(1),))] == ["b.q1"]
    assert [one.id for one in unfinished(state.selected, (_failed(3),))] == ["b.q2"]


def test_three_identical_failures_reach_the_threshold_for_asking() -> None:
    (signal,) = signals_of((_failed(3),), attempt=4)
    assert signal.kind is SignalKind.REPEATED_FAILURE
    assert uncertainty_score((signal,), Phase.ACT) == 5


def test_failures_are_alike_only_if_they_are_the_same() -> None:
    timeout = _failed(1)
    assert timeout.failure is not None
    other = timeout.replace(failure=timeout.failure.replace(message="another reason"))
    twice = counted(timeout, timeout)
    assert (twice.attempts, twice.alike) == (2, 2)
    changed = counted(other, twice)
    assert (changed.attempts, changed.alike) == (3, 1)
    assert [one.kind for one in signals_of((changed,), attempt=4)] == [SignalKind.UNEXPLAINED_TIMEOUT]
    assert [one.kind for one in signals_of((counted(timeout, twice),), attempt=4)] == [SignalKind.REPEATED_FAILURE]


def test_a_missing_resource_counts_once_an_attempt() -> None:
    missing = _failed(1).replace(failure=Failure(kind=FailureKind.MISSING, where="restart", message="no such file"))
    signals = (*signals_of((missing,), 1), *signals_of((missing.replace(attempts=2),), 2), *signals_of((missing,), 2))
    assert uncertainty_score(signals, Phase.ACT) == 4
