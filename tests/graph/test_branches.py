"""Branches: they differ, they are explored side by side, and evidence changes which one wins."""

from pathlib import Path

import pytest
from langgraph.runtime import Runtime

from calibrant.graph.settings import Settings
from calibrant.judges.given import ToolCard, ToPlan
from calibrant.nodes.branch import BranchTask, branch, preferred_evidence
from calibrant.nodes.reason import is_idle
from calibrant.nodes.select import best_of, select
from calibrant.state.budget import StopReason
from calibrant.state.channels import Run, View
from calibrant.state.confidence import Confidence
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import RetrievalResult, Sufficiency
from calibrant.state.task import Branch, QueryType, Question, Step, StepKind, Task
from tests.graph.house import deps_for, graph_for, path, run

DECISION = "Should I use SQLite or the Postgres backend for job results when several machines share one queue?"
SQLITE = Evidence(
    id="e1", title="storage", source="knowledge", url="file:///storage.md", relevance=0.9,
    text="Job results are kept in SQLite by default. The SQLite backend locks the whole file while it writes.",
)  # fmt: skip
POSTGRES = Evidence(
    id="e2", title="storage", source="web", url="https://example.org/pg", relevance=0.9,
    text="The Postgres backend is meant for several machines that share one queue. It needs version 14 or newer.",
)  # fmt: skip


async def test_a_question_that_is_not_plain_gets_several_branches(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    nodes = await path(graph, {"task": DECISION})
    first = nodes[nodes.index("reason") + 1 : nodes.index("select")]
    assert len(first) >= 2
    assert set(first) == {"branch"}


async def test_branches_differ_in_queries_sources_or_order(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), DECISION)
    ways = [
        (one.sources, tuple(step.queries for step in one.steps), tuple(step.question for step in one.steps))
        for one in state.branches
    ]
    assert len(set(ways)) == len(ways) >= 2
    assert state.selected == best_of(state.branches)


async def test_the_number_of_branches_is_configured(data_dir: Path) -> None:
    context = Settings(interactive=False, branches=1)
    state = await run(graph_for(data_dir, context=context), DECISION, context=context)
    assert len(state.branches) == 1


def _branch(name: str, question: str) -> Branch:
    step = Step(id=f"{name}.q1", question=question, queries=(question,))
    return Branch(id=name, name=name, rationale="as asked", steps=(step,))


@pytest.mark.parametrize(("tier", "first"), [("model", "ledger of the harbour master"), ("free", DECISION)])
async def test_what_a_model_has_found_missing_is_searched_for_first(data_dir: Path, tier: str, first: str) -> None:
    """It knows words of the documents that the question does not have; what words alone miss, the question says."""
    found = Sufficiency(tier=tier, missing=("ledger of the harbour master",))
    last = RetrievalResult(id="r1", query="q", queries=("q",), sufficiency=found, stop_reason=StopReason.PLATEAU)
    state = View(
        perceived=Task(text="Who is the harbour master?", questions=(Question(id="q1", text=DECISION),)),
        branches=(_branch("direct", DECISION),),
        retrieval=last,
        retrievals=(last,),
        run=Run(id="r", question=DECISION),
        steps_left=100,
    )
    update = await select(deps_for(data_dir))(state, Runtime(context=Settings(interactive=False)))
    assert update["request"].queries[0] == first


async def _winner(data_dir: Path, evidence: tuple[Evidence, ...]) -> str:
    """Which of two strategies wins on ``evidence``."""
    task = Task(
        text=DECISION, query_type=QueryType.DECISION, questions=(Question(id="q1", text=DECISION),), understanding=1.0
    )
    node = branch(deps_for(data_dir))
    scored: list[Branch] = []
    for one in (
        _branch("keep", "Where are job results kept by default?"),
        _branch("move", "Which backend is meant for several machines that share one queue?"),
    ):
        job = BranchTask(branch=one, task=task, evidence=evidence)
        scored.extend((await node(job, Runtime(context=Settings())))["branches"])
    return best_of(tuple(scored)).name


async def test_evidence_changes_which_branch_wins(data_dir: Path) -> None:
    assert await _winner(data_dir, (SQLITE,)) == "keep"
    assert await _winner(data_dir, (POSTGRES,)) == "move"


async def test_what_waits_for_a_call_does_not_count_against_a_branch(data_dir: Path) -> None:
    """The evidence tells nothing of the order: the call will."""
    task = Task(
        text=DECISION, query_type=QueryType.DECISION, questions=(Question(id="q1", text=DECISION),), understanding=1.0
    )
    call = Step(id="b.s1", kind=StepKind.TOOL, question="Look it up", tool="order_status", arguments={"order": "7"})
    waits = Step(id="b.s2", question="Is the order late?", depends_on=("b.s1",))
    asks = waits.replace(depends_on=())
    node = branch(deps_for(data_dir))
    scores = []
    for steps in ((call, waits), (call, asks)):
        job = BranchTask(branch=Branch(id="b", name="b", steps=steps), task=task, evidence=(SQLITE,))
        (scored,) = (await node(job, Runtime(context=Settings())))["branches"]
        scores.append(scored.confidence.score)
    assert scores[0] > scores[1]


def test_a_branch_is_judged_on_its_own_sources_where_they_gave_something() -> None:
    wants_web = Branch(id="b", name="b", sources=("web",))
    assert preferred_evidence(wants_web, (SQLITE, POSTGRES)) == (POSTGRES,)
    assert preferred_evidence(wants_web, (SQLITE,)) == (SQLITE,)


def test_the_first_proposed_wins_a_tie() -> None:
    same = Confidence(raw=0.7, score=0.7)
    first, second = (Branch(id=name, name=name, confidence=same) for name in ("one", "two"))
    assert best_of((first, second)) is first


@pytest.mark.parametrize(
    ("kind", "shown", "plans"),
    [
        (QueryType.OPERATIONAL, True, False),
        (QueryType.OPERATIONAL, False, True),
        (QueryType.DECISION, True, True),
        (QueryType.STRATEGIC, True, True),
        (QueryType.FACTUAL, False, False),
    ],
)
def test_what_a_model_has_shown_to_be_answered_needs_no_plan(kind: QueryType, shown: bool, plans: bool) -> None:
    """A decision is more than its parts; a plain question has one way."""
    task = Task(text="What is the state of the relay?", query_type=kind)
    found = RetrievalResult(id="r", query="q", sufficiency=Sufficiency(shown=shown))
    state = View(run=Run(id="r", question=task.text), perceived=task, retrievals=(found,), steps_left=50)
    assert is_idle(state, task, ToPlan(task)) is not plans
    assert is_idle(state, task, ToPlan(task, tools=(ToolCard("restart", ""),), suffices=False)) is False
