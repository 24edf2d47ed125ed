"""Spec 5's examples as whole runs: what makes it uncertain, what the person is asked, and what each answer leads to."""

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest
from langchain_core.tools import BaseTool, StructuredTool, ToolException
from langgraph.store.memory import InMemoryStore
from langgraph.types import Command

from calibrant.graph.retrieval import Compiled
from calibrant.graph.settings import Settings
from calibrant.retrievers.breaker import Breaker
from calibrant.retrievers.guard import Guarded
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.confidence import Level
from calibrant.state.decision import Action
from calibrant.state.errors import SourceError
from calibrant.state.events import EVENT, PersonAnswered
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.task import Phase, StepStatus
from calibrant.state.uncertainty import SignalKind, uncertainty_score
from tests.graph.house import answer, asked, config, graph_for, ingest, run, write_documents
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, Handler, OpenAIServer
from tests.wire.smart import block, smart

EASY = {"proceed": 0.03, "retrieve": 0.02, "abort": 0.01}
STRAIGHT: dict[str, Any] = {
    "thresholds": dict.fromkeys(("perceive", "reason", "act", "reflect"), EASY),
    "switches": {"refinement": False, "memory": False},
}
"""Thresholds that every phase reaches: only uncertainty asks."""


def straight(**given: Any) -> Settings:
    return Settings(**{"interactive": True, **STRAIGHT, **given})


def reader(name: str, call: Callable[[str], Awaitable[Any]]) -> StructuredTool:
    """A read-only tool of one argument."""

    async def tool(target: str) -> Any:
        return await call(target)

    return StructuredTool.from_function(
        coroutine=tool, name=name, description=f"{name} by its target.", metadata={"read_only": True}
    )


@dataclass
class Files:
    """A tree of files: ``read_file`` and ``find_file`` over it, and what was asked for."""

    held: dict[str, str]
    read: list[str] = field(default_factory=list)

    def tools(self) -> list[BaseTool]:
        return [reader("read_file", self._read), reader("find_file", self._find)]

    async def _read(self, path: str) -> str:
        self.read.append(path)
        if path not in self.held:
            raise FileNotFoundError(2, "no such file", path)
        return self.held[path]

    async def _find(self, name: str) -> list[str]:
        return [path for path in self.held if path.endswith(f"/{name}")]


def reasons(question: dict[str, Any]) -> str:
    return " | ".join(question["reasons"])


def kinds(state: View, phase: Phase) -> list[SignalKind]:
    return [signal.kind for signal in state.signals if signal.phase is phase and not signal.resolved]


# Example 1: two frameworks, both valid

TESTING = {
    "guide.md": "# Guide\n\nTests for user authentication live beside the module that they test.\n",
    "vitest.md": "# Vitest\n\nFor tests of user authentication, Vitest keeps its suites in `tests/auth.test.ts`.\n",
    "jest.md": "# Jest\n\nFor tests of user authentication, Jest keeps its suites in `__tests__/auth.js`.\n",
}
ADD_TESTS = "How should I write tests for user authentication, and where do they live?"


def torn(call: Call) -> Json:
    """A planner that cannot choose, until a person has."""
    said = block(call.user, "guidance")
    chosen = next((name for name in ("Vitest", "Jest") if name in said), "")
    question = f"Where does {chosen} keep its suites?" if chosen else ADD_TESTS
    rationale = f"{chosen} was chosen." if chosen else "Could use Vitest or Jest, both are valid, not sure which."
    step = {"question": question, "queries": [question], "after": []}
    row = {"name": "Tests", "rationale": rationale, "sources": [], "risks": [], "issues": [], "steps": [step]}
    return {"plans": [row]}


@pytest.fixture
def frameworks(tmp_path: Path) -> Iterator[Callable[..., Compiled]]:
    """``frameworks(plan)``: a graph over notes on both, with that planner."""
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", TESTING))
    servers: list[OpenAIServer] = []

    def made(plan: Handler = torn, **given: Any) -> Compiled:
        server = OpenAIServer(smart(plan=plan)).__enter__()
        servers.append(server)
        model = {"name": "scripted", "base_url": server.base_url}
        return graph_for(tmp_path / "data", context=straight(model=model, doubt=0.0, branches=1, **given))

    yield made
    for server in servers:
        server.__exit__(None, None, None)


async def test_a_choice_of_frameworks_is_put_to_the_person(frameworks: Callable[..., Compiled]) -> None:
    graph = frameworks()
    state = await run(graph, ADD_TESTS)
    question = await asked(graph)
    assert (question["kind"], question["phase"], question["task"]) == ("guidance", "reason", ADD_TESTS)
    assert kinds(state, Phase.REASON) == [SignalKind.HESITATION, SignalKind.SEVERAL_CANDIDATES]
    assert uncertainty_score(state.signals, Phase.REASON) == 5
    assert reasons(question) == ('the planner hesitates: "both are valid" | several candidates: Vitest, Jest')


@pytest.mark.parametrize(
    ("said", "told", "other"),
    [
        ("Use Vitest - it's already configured in this project", "tests/auth.test.ts", "__tests__"),
        ("Use Jest, as everywhere else", "__tests__", "auth.test.ts"),
    ],
)
async def test_what_the_person_chooses_is_what_is_planned_and_answered(
    frameworks: Callable[..., Compiled], said: str, told: str, other: str
) -> None:
    graph = frameworks()
    await run(graph, ADD_TESTS)
    state = await answer(graph, {"action": "guide", "text": said})
    assert state.stop_reason is StopReason.ANSWERED
    assert told in state.answer
    assert other not in state.answer
    assert uncertainty_score(state.signals, Phase.REASON) == 0
    assert state.spend.questions == 1


async def test_skip_goes_on_with_the_plan_as_it_is(frameworks: Callable[..., Compiled]) -> None:
    graph = frameworks()
    await run(graph, ADD_TESTS)
    state = await answer(graph, {"action": "skip"})
    assert state.stop_reason is StopReason.ANSWERED
    assert [one.attempt for one in state.decisions if one.phase is Phase.REASON] == [1]


async def test_retry_plans_again_and_may_have_to_ask_again(frameworks: Callable[..., Compiled]) -> None:
    graph = frameworks()
    await run(graph, ADD_TESTS)
    state = await answer(graph, {"action": "retry"})
    assert state.decisions[-1].attempt == 2
    assert uncertainty_score(state.signals, Phase.REASON) == 5
    state = await answer(graph, {"action": "abort"})
    assert state.stop_reason is StopReason.ABORTED
    assert state.citations == ()


async def test_below_the_threshold_nobody_is_asked(frameworks: Callable[..., Compiled]) -> None:
    state = await run(frameworks(ask_at=6), ADD_TESTS)
    assert state.pending is None
    assert state.stop_reason is StopReason.ANSWERED


async def test_with_nobody_there_it_goes_on_with_a_warning(frameworks: Callable[..., Compiled]) -> None:
    state = await run(frameworks(interactive=False), ADD_TESTS)
    assert state.stop_reason is StopReason.ANSWERED
    signs = 'the planner hesitates: "both are valid"; several candidates: Vitest, Jest'
    assert f"reason: went on although uncertainty 5 reaches 5 ({signs})." in state.warnings


async def test_what_a_sign_counts_for_can_be_set(frameworks: Callable[..., Compiled]) -> None:
    state = await run(frameworks(uncertainty_weights={"planner_hesitation": 1}), ADD_TESTS)
    assert state.pending is None
    assert uncertainty_score(state.signals, Phase.REASON) == 4
    assert state.stop_reason is StopReason.ANSWERED


async def test_what_a_person_answers_is_told_once_on_the_stream(frameworks: Callable[..., Compiled]) -> None:
    graph = frameworks()
    await run(graph, ADD_TESTS)
    question = await asked(graph)
    told = []
    for reply in ({"action": "perhaps"}, {"action": "guide", "text": "Use Vitest"}):
        told += [one async for one in graph.astream(Command(resume=reply), config(), stream_mode="custom")]
    (event,) = [EVENT.validate_python(one) for one in told if one["event"] == "guidance"]
    assert isinstance(event, PersonAnswered)
    assert (event.guidance.request_id, event.guidance.summary) == (question["id"], "guide: Use Vitest")
    assert event.guidance.at >= question["asked_at"]


# Example 2: the same failure three times

NPM, VITEST = "npm test", "npx vitest run tests/auth.test.ts"
RUN_TESTS = f'Use run_tests with target="{NPM}" and say whether the auth module passes'


@dataclass
class Suite:
    """``run_tests``: one command hangs, the other passes."""

    ran: list[str] = field(default_factory=list)

    def graph(self, data_dir: Path, **given: Any) -> Compiled:
        tools = [reader("run_tests", self._run)]
        return graph_for(data_dir, context=straight(**given), tools=tools, store=InMemoryStore())

    async def _run(self, command: str) -> str:
        self.ran.append(command)
        if command == NPM:
            raise TimeoutError
        return "The auth module passes 12 of 12 tests."


async def test_three_identical_failures_are_put_to_the_person(data_dir: Path) -> None:
    tests = Suite()
    graph = tests.graph(data_dir)
    state = await run(graph, RUN_TESTS)
    question = await asked(graph)
    assert tests.ran == [NPM] * 3
    assert question["phase"] == "act"
    assert "failed 3 times alike: run_tests: TimeoutError" in reasons(question)
    assert question["last_error"] == "run_tests: TimeoutError"
    assert state.signals[-1].kind is SignalKind.REPEATED_FAILURE


async def test_guidance_changes_what_is_run(data_dir: Path) -> None:
    tests = Suite()
    graph = tests.graph(data_dir)
    await run(graph, RUN_TESTS)
    state = await answer(graph, {"action": "guide", "text": f"Run {VITEST} instead of {NPM}"})
    assert tests.ran == [NPM, NPM, NPM, VITEST]
    assert "12 of 12" in state.answer
    assert state.stop_reason is StopReason.ANSWERED
    assert uncertainty_score(state.signals, Phase.ACT) == 0


async def test_retry_tries_as_often_as_at_first_and_asks_again(data_dir: Path) -> None:
    tests = Suite()
    graph = tests.graph(data_dir)
    await run(graph, RUN_TESTS)
    await answer(graph, {"action": "retry"})
    assert tests.ran == [NPM] * 6
    assert "failed 3 times alike" in reasons(await asked(graph))


@pytest.mark.parametrize(("action", "reason"), [("skip", StopReason.ABSTAINED), ("abort", StopReason.ABORTED)])
async def test_skip_and_abort_run_nothing_more(data_dir: Path, action: str, reason: StopReason) -> None:
    tests = Suite()
    graph = tests.graph(data_dir)
    await run(graph, RUN_TESTS)
    state = await answer(graph, {"action": action})
    assert tests.ran == [NPM] * 3
    assert state.stop_reason is reason
    assert state.citations == ()


async def test_with_nobody_there_a_step_far_beyond_doubt_is_skipped(data_dir: Path) -> None:
    tests = Suite()
    state = await run(tests.graph(data_dir, interactive=False, skip_above=8), RUN_TESTS)
    skipped = [decision for decision in state.decisions if decision.action is Action.SKIP]
    assert [decision.uncertainty for decision in skipped] == [9]
    assert state.stop_reason is StopReason.ABSTAINED
    assert any("act: skipped" in warning for warning in state.warnings)


# Example 3: a file that is not there

HELPER = "src/lib/helpers.ts"
UPDATE = 'Use read_file with target="src/utils/helper.ts" and say what it exports'


class Elsewhere(Files):
    """Its ``read_file`` looks in another folder each time, and finds nothing there either."""

    async def _read(self, path: str) -> str:
        self.read.append(path)
        if path in self.held:
            return self.held[path]
        raise FileNotFoundError(2, "no such file", f"try{len(self.read)}.ts")


async def test_a_missing_file_on_each_of_three_attempts_is_put_to_the_person(data_dir: Path) -> None:
    files = Elsewhere({HELPER: "The helpers export slugify and retry."})
    graph = graph_for(data_dir, context=straight(), tools=files.tools())
    state = await run(graph, UPDATE)
    question = await asked(graph)
    assert kinds(state, Phase.ACT) == [SignalKind.MISSING_RESOURCE] * 3
    assert reasons(question) == "" + " | ".join(f"read_file: there is no file try{number}.ts" for number in (1, 2, 3))
    state = await answer(graph, {"action": "guide", "text": f"The file is actually at {HELPER}, use that instead"})
    assert files.read == ["src/utils/helper.ts"] * 3 + [HELPER]
    assert "slugify" in state.answer
    assert state.stop_reason is StopReason.ANSWERED


# Several files of one name, and the one that was meant

READ_HELPER = "What does helper.ts export, and what is it for?"


def finds_first(call: Call) -> Json:
    """A planner that looks for the file, then reads it by the name that it was given."""
    rows = [
        {"question": "Where is helper.ts?", "queries": [], "after": [], "tool": "find_file",
         "arguments": '{"target": "helper.ts"}'},
        {"question": READ_HELPER, "queries": [], "after": [1], "tool": "read_file",
         "arguments": '{"target": "helper.ts"}'},
    ]  # fmt: skip
    row = {"name": "Find and read", "rationale": "The file has to be found first.", "sources": [], "risks": []}
    return {"plans": [{**row, "issues": [], "steps": rows}]}


@pytest.mark.parametrize(("folder", "told"), [("utils", "slugify"), ("lib", "backoff")])
async def test_the_person_says_which_candidate_is_meant(data_dir: Path, folder: str, told: str) -> None:
    files = Files({"src/utils/helper.ts": "It exports slugify.", "src/lib/helper.ts": "It exports backoff."})
    with OpenAIServer(smart(plan=finds_first)) as server:
        context = straight(model={"name": "scripted", "base_url": server.base_url}, doubt=0.0, branches=1)
        graph = graph_for(data_dir, context=context, tools=files.tools())
        state = await run(graph, READ_HELPER)
        question = await asked(graph)
        assert kinds(state, Phase.ACT) == [SignalKind.SEVERAL_CANDIDATES, SignalKind.MISSING_RESOURCE]
        assert "several candidates: src/utils/helper.ts, src/lib/helper.ts" in reasons(question)
        assert "read_file: there is no file helper.ts" in reasons(question)
        state = await answer(graph, {"action": "guide", "text": f"The one in src/{folder}/helper.ts"})
    assert files.read == ["helper.ts", f"src/{folder}/helper.ts"]
    assert told in state.answer


# A tool that the plan needs and does not call

RESTART = "Which backends are there, which Postgres version is needed, and then use restart_worker"


async def test_a_person_gives_what_a_call_lacks(data_dir: Path) -> None:
    log: list[str] = []

    async def restart(target: str) -> str:
        log.append(target)
        return f"Worker {target} was restarted."

    context = straight(branches=1)
    graph = graph_for(data_dir, context=context, tools=[reader("restart_worker", restart)])
    state = await run(graph, RESTART)
    assert SignalKind.NO_TOOL_CALLS in [signal.kind for signal in state.signals]
    assert log == []
    assert uncertainty_score(state.signals, Phase.ACT) == 4
    assert state.stop_reason is not None  # 4 is no reason to ask

    graph = graph_for(data_dir, context=straight(branches=1, ask_at=4), tools=[reader("restart_worker", restart)])
    await run(graph, RESTART)
    assert "nothing calls restart_worker, which the task needs" in reasons(await asked(graph))
    state = await answer(graph, {"action": "guide", "text": 'target="7"'})
    assert log == ["7"]
    assert "Worker 7 was restarted" in state.answer


# A circuit breaker asks before it gives up


class Down:
    """A service that is down, until it is up."""

    name = "web"
    remote = True

    def __init__(self) -> None:
        self.up = False

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """Nothing but a failure."""
        if not self.up:
            raise SourceError("status 503")
        text = "A failed job is retried five times by default."
        return [Evidence(id="e1", text=text, title="Retries", source="web", url="https://example.org/retries")]


async def test_an_open_breaker_is_put_to_the_person_and_a_retry_asks_the_source_again(data_dir: Path) -> None:
    service, breaker = Down(), Breaker("web", clock=lambda: 0.0)
    for _ in range(3):
        breaker.fail()
    graph = graph_for(data_dir, context=Settings(interactive=True), sources=[Guarded(service, breaker=breaker)])
    state = await run(graph, "How often is a failed job retried by default?")
    assert reasons(await asked(graph)) == "no source is left to ask; web kept failing"
    assert SignalKind.BREAKER_OPENED in [signal.kind for signal in state.signals]
    service.up = True
    state = await answer(graph, {"action": "retry"})
    assert "five times" in state.answer


async def test_a_breaker_beside_a_source_that_works_asks_nobody(data_dir: Path) -> None:
    class Works(Down):
        name = "notes"

    working = Works()
    working.up = True
    broken = Breaker("web")
    for _ in range(3):
        broken.fail()
    context = Settings(interactive=True)
    graph = graph_for(data_dir, context=context, sources=[working, Guarded(Down(), breaker=broken)])
    state = await run(graph, "How often is a failed job retried by default?")
    assert SignalKind.BREAKER_OPENED not in [signal.kind for signal in state.signals]
    assert "five times" in state.answer


# Approval, in every form that a client may send

CHANGE = 'Use restart_worker with name="7"'


@pytest.mark.parametrize(
    ("reply", "restarted"),
    [
        ({"action": "approve"}, ["7"]),
        ({"action": "reject"}, []),
        ({"calls": [{"id": "id1:direct.tool1", "action": "edit", "arguments": {"name": "8"}}]}, ["8"]),
        ([{"type": "accept", "args": None}], ["7"]),
        ([{"type": "ignore", "args": None}], []),
        ([{"type": "edit", "args": {"action": "restart_worker", "args": {"name": "8"}}}], ["8"]),
        ([{"type": "response", "args": "Not now"}], []),
        ({"decisions": [{"type": "approve"}]}, ["7"]),
        ({"decisions": [{"type": "edit", "edited_action": {"name": "restart_worker", "args": {"name": "8"}}}]}, ["8"]),
        ({"decisions": [{"type": "reject", "message": "Not now"}]}, []),
    ],
)
async def test_a_call_that_changes_something_is_made_only_as_approved(
    data_dir: Path, reply: Any, restarted: list[str]
) -> None:
    log: list[str] = []
    graph = _restarting(data_dir, log)
    state = await run(graph, CHANGE)
    assert (await asked(graph))["kind"] == "approval"
    assert log == []
    state = await answer(graph, reply)
    assert log == restarted
    assert state.spend.questions == 1
    if restarted:
        assert f"worker {restarted[0]} was restarted" in state.answer
        assert state.answer.endswith(f"\n\nDone: restart_worker(name='{restarted[0]}').")
        (intent,) = state.intents
        assert (intent.id, intent.arguments, intent.changes) == ("id1:direct.tool1", {"name": restarted[0]}, True)
    else:
        assert state.intents == ()
        assert next(iter(state.results)).status is StepStatus.SKIPPED


async def test_edited_arguments_that_the_tool_does_not_take_are_asked_for_again(data_dir: Path) -> None:
    """It would be called without them, and the answer would tell that they were given."""
    log: list[str] = []
    graph = _restarting(data_dir, log)
    await run(graph, CHANGE)
    edit = {"id": "id1:direct.tool1", "action": "edit"}
    state = await answer(graph, {"calls": [{**edit, "arguments": {"name": "8", "dry_run": True}}]})
    question = await asked(graph)
    assert question["problem"] == "restart_worker: there is no argument 'dry_run': allowed: name"
    assert question["calls"][0]["parameters"]["required"] == ["name"]
    assert (log, state.intents) == ([], ())
    await answer(graph, {"calls": [{**edit, "arguments": {"name": "8"}}]})
    assert log == ["8"]


@pytest.mark.parametrize("gives", ["ok", "", '{"status": "restarted", "id": 17}', "7"])
async def test_an_approved_call_answers_a_request_that_asked_just_for_it(data_dir: Path, gives: str) -> None:
    """Whatever it gives: nobody is asked about a call that succeeded, and what was done is told."""
    graph = _restarting(data_dir, [], gives=gives)
    await run(graph, CHANGE)
    state = await answer(graph, {"action": "approve"})
    assert (state.pending, state.stop_reason, state.unanswered) == (None, StopReason.ANSWERED, ())
    assert "Done: restart_worker(name='7')" in state.answer
    assert gives in state.answer
    assert state.confidence is not None
    assert state.confidence.level is Level.HIGH


@pytest.mark.parametrize(
    ("least", "reason", "told"),
    [
        (0.0, StopReason.ANSWERED, "Not answered: What is the price of a submarine? "),
        (0.999, StopReason.ABSTAINED, "below the required 1.00. "),
    ],
    ids=["in part", "withheld"],
)
async def test_an_approved_call_is_told_whatever_else_is_found(
    data_dir: Path, least: float, reason: StopReason, told: str
) -> None:
    graph = _restarting(data_dir, [], gives="ok", abstain_below=least)
    await run(graph, f"{CHANGE}. What is the price of a submarine?")
    state = await answer(graph, {"action": "approve"})
    assert state.stop_reason is reason
    assert state.answer.endswith(f"{told}Done: restart_worker(name='7'): ok.")


async def test_a_malformed_approval_is_asked_again_with_the_reason(data_dir: Path) -> None:
    log: list[str] = []
    graph = _restarting(data_dir, log)
    await run(graph, CHANGE)
    await answer(graph, {"action": "perhaps"})
    assert "approve" in (await asked(graph))["problem"]
    assert log == []
    await answer(graph, {"action": "approve"})
    assert log == ["7"]


async def test_with_nobody_there_nothing_is_changed_and_reading_goes_on(data_dir: Path) -> None:
    log: list[str] = []
    files = Files({"a.md": "A failed job is retried five times."})
    question = f'{CHANGE}, and use read_file with target="a.md"'
    state = await run(_restarting(data_dir, log, *files.tools(), interactive=False), question)
    assert (log, files.read) == ([], ["a.md"])
    assert "Not run, because nobody is there to approve it: restart_worker." in state.warnings
    assert "Not done: restart_worker: nobody is there to approve it." in state.answer


def _restarting(
    data_dir: Path, log: list[str], *more: BaseTool, gives: str = "worker {} was restarted", **given: Any
) -> Compiled:
    async def restart_worker(name: str) -> str:
        """Restart a worker by name."""
        log.append(name)
        return gives.replace("{}", name)

    tools = [StructuredTool.from_function(coroutine=restart_worker), *more]
    return graph_for(data_dir, context=straight(**given), tools=tools, store=InMemoryStore())


# Nobody is asked before what may answer has been tried


@pytest.mark.parametrize("interactive", [True, False])
async def test_a_tool_is_called_before_anybody_is_asked(data_dir: Path, interactive: bool) -> None:
    """With the thresholds as they come: no passage says it, and none has to."""
    files = Files({HELPER: "The helpers export slugify and retry."})
    graph = graph_for(data_dir, context=Settings(interactive=interactive), tools=files.tools())
    state = await run(graph, f'Use read_file with target="{HELPER}"')
    assert files.read == [HELPER]
    assert (state.pending, state.stop_reason) == (None, StopReason.ANSWERED)
    assert state.answer == "The helpers export slugify and retry. [1]"
    assert [citation.place for citation in state.citations] == [f"tool://read_file?target={HELPER}"]
    assert state.spend.refinements == 0  # what the call is given is no condition on passages
    untried = [decision.reason for decision in state.decisions if "a tool has yet to be called" in decision.reason]
    assert untried


async def test_a_model_may_find_a_tool_for_what_no_passage_says(data_dir: Path) -> None:
    files = Files({"helper.ts": "It exports backoff."})
    with OpenAIServer(smart(plan=finds_first)) as server:
        context = Settings(interactive=True, model={"name": "scripted", "base_url": server.base_url})
        state = await run(graph_for(data_dir, context=context, tools=files.tools(), sources=[]), READ_HELPER)
    assert files.read == ["helper.ts"]
    assert (state.spend.questions, state.stop_reason) == (0, StopReason.ANSWERED)


async def test_without_a_tool_that_fits_the_person_is_asked(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=Settings(interactive=True), tools=Files({}).tools())
    await run(graph, "Who is the chief executive of the company that makes workers?")
    assert (await asked(graph))["phase"] == "perceive"


# What a person says of a call


async def test_who_rejects_a_call_is_not_asked_about_it_again(data_dir: Path) -> None:
    log: list[str] = []
    graph = _restarting(data_dir, log, thresholds={})
    await run(graph, CHANGE)
    state = await answer(graph, {"action": "reject"})
    assert (log, state.pending, state.spend.questions) == ([], None, 1)
    assert state.stop_reason is StopReason.ABSTAINED
    assert "Not answered: restart_worker(name='7')." in state.answer


@pytest.mark.parametrize(
    ("verdict", "called"),
    [({"action": "edit"}, "8"), ({"action": "approve"}, "7")],
    ids=["edited", "approved as it is"],
)
async def test_the_plan_has_the_call_that_was_made(data_dir: Path, verdict: dict[str, str], called: str) -> None:
    log: list[str] = []
    graph = _restarting(data_dir, log)
    await run(graph, CHANGE)
    (call,) = (await asked(graph))["calls"]
    state = await answer(graph, {"calls": [{**verdict, "id": call["id"], "arguments": {"name": "8"}}]})
    assert log == [called]
    assert state.selected is not None
    assert [step.question for step in state.selected.steps] == [f"restart_worker(name='{called}')"]


# What fails is told


async def test_a_call_that_was_approved_and_failed_is_asked_about_and_named(data_dir: Path) -> None:
    made: list[str] = []

    async def restart_worker(name: str) -> str:
        """Restart a worker by name."""
        made.append(name)
        raise ToolException(f"worker {name} does not answer")

    tools = [StructuredTool.from_function(coroutine=restart_worker)]
    graph = graph_for(data_dir, context=Settings(interactive=True), tools=tools, store=InMemoryStore())
    await run(graph, CHANGE)
    assert (await asked(graph))["kind"] == "approval"
    await answer(graph, {"action": "approve"})
    question = await asked(graph)
    assert (question["kind"], question["phase"]) == ("guidance", "act")
    assert question["reasons"] == ["Not done: restart_worker: worker 7 does not answer."]
    await answer(graph, {"action": "retry"})
    (call,) = (await asked(graph))["calls"]
    assert call["may_have_happened"]
    state = await answer(graph, {"action": "reject"})
    assert made == ["7"]
    assert state.stop_reason is StopReason.ABSTAINED
    assert "Not done: restart_worker: not approved." in state.answer


@pytest.mark.parametrize("interactive", [True, False])
async def test_what_failed_is_named_in_the_answer(data_dir: Path, interactive: bool) -> None:
    async def read_file(target: str) -> str:
        """Read."""
        raise ToolException("the disk is gone")

    tool = StructuredTool.from_function(coroutine=read_file, metadata={"read_only": True})
    graph = graph_for(data_dir, context=Settings(interactive=interactive), tools=[tool])
    state = await run(graph, f'Use read_file with target="{HELPER}"')
    if interactive:
        assert reasons(await asked(graph)) == "failed 3 times alike: read_file: the disk is gone"
        state = await answer(graph, {"action": "skip"})
    assert (state.stop_reason, state.spend.questions) == (StopReason.ABSTAINED, int(interactive))
    assert "Not done: read_file: the disk is gone." in state.answer
    assert "mentions" not in state.answer  # no passage has to mention a call

    question = f'Use read_file with target="{HELPER}". How many jobs does each worker process run at a time?'
    graph = graph_for(data_dir, context=straight(interactive=False), tools=[tool])
    state = await run(graph, question)
    assert "four jobs at a time" in state.answer
    assert "Not done: read_file: the disk is gone." in state.answer


# What reflect asks about is tried again


async def test_guidance_to_reflect_is_acted_on(data_dir: Path) -> None:
    thresholds = dict.fromkeys(("perceive", "reason"), EASY) | {
        "act": {"proceed": 0.8, "retrieve": 0.4, "abort": 0.01},
    }
    context = Settings(interactive=True, thresholds=thresholds, switches={"memory": False, "refinement": False})
    graph = graph_for(data_dir, context=context)
    await run(graph, "For what span of days is a broken task preserved?")
    question = await asked(graph)
    assert question["phase"] == "reflect"
    state = await answer(graph, {"action": "guide", "text": "A job in the dead-letter queue is meant"})
    assert any("dead-letter" in query for result in state.retrievals for query in result.queries)
    acted = [decision.phase for decision in state.decisions]
    assert acted[acted.index(Phase.REFLECT) + 1 :].count(Phase.ACT) >= 1
    assert state.stop_reason is not None


async def test_who_leaves_a_low_score_is_not_asked_for_it_again(data_dir: Path) -> None:
    graph = graph_for(data_dir, context=Settings(interactive=True))
    await run(graph, "Who is the chief executive of the company that makes workers?")
    state = await answer(graph, {"action": "skip"})
    assert (state.pending, state.stop_reason, state.spend.questions) == (None, StopReason.ABSTAINED, 1)
