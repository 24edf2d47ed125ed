"""Branches: how many, how they differ, what evidence, patterns, tools and guidance change."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.planning.clarity import strategy_clarity
from calibrant.judges.free.planning.plan import plan
from calibrant.judges.free.request.understand import understand
from calibrant.judges.given import ToolCard, ToPlan, ToUnderstand
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.memory import Pattern
from calibrant.state.retrieval import Distillate, Insight
from calibrant.state.task import Branch, Step, StepKind, Task

OPTIMIZE = "Optimize the HandleTask function using industry best practices"
EVIDENCE = (
    Evidence(
        id="e1",
        text="Use go-cache or sync.Map to cache what HandleTask computes.",
        title="Optimizing handlers",
        source="web",
        url="https://a.example",
        locator=Locator(heading="Caching a function"),
        relevance=0.9,
    ),
    Evidence(id="e2", text="sync.Map avoids locks.", title="Maps", source="web", url="https://b.org", relevance=0.5),
)
PATTERN = Pattern(id="p", name="handler caching", applies_to="", queries=("handler caching",), sources=("github",))


def task(text: str) -> Task:
    return understand(ToUnderstand(text)).value


def branches(given: ToPlan) -> tuple[Branch, ...]:
    return plan(given).value


def test_a_plain_question_has_one_branch_with_one_step() -> None:
    (only,) = branches(ToPlan(task("How do I make json.dumps sort keys?")))
    (step,) = only.steps
    assert step.id == "direct.q1"
    assert step.queries[0] == "How do I make json.dumps sort keys?"
    assert strategy_clarity(only, task("How do I make json.dumps sort keys?")) == 1.0


def test_a_pattern_lends_its_queries_to_the_one_branch_of_a_plain_question() -> None:
    (only,) = branches(ToPlan(task("How do I make json.dumps sort keys?"), patterns=(PATTERN,)))
    assert "handler caching" in only.steps[0].queries
    assert only.sources == ("github",)


@pytest.mark.parametrize("text", [OPTIMIZE, "Should I use SQLite or Postgres?", "Análise completa do portfólio"])
def test_branches_differ_in_queries_sources_or_order(text: str) -> None:
    made = branches(ToPlan(task(text)))
    assert len(made) == 3
    shapes = {
        (tuple(step.queries for step in branch.steps), branch.sources, tuple(step.depends_on for step in branch.steps))
        for branch in made
    }
    assert len(shapes) == 3
    assert len({branch.rationale for branch in made}) == 3


@pytest.mark.parametrize(("wanted", "made"), [(1, 1), (2, 2), (3, 3)])
def test_as_many_branches_as_asked_for(wanted: int, made: int) -> None:
    assert len(branches(ToPlan(task(OPTIMIZE), branches=wanted))) == made


def test_steps_follow_the_dependencies_of_their_questions() -> None:
    direct, broad, _ = branches(ToPlan(task("Should I use SQLite or Postgres?")))
    assert direct.steps[2].depends_on == ("direct.q1", "direct.q2")
    assert broad.steps[2].depends_on == ("broad.q1", "broad.q2")
    assert "q3 after q1, q2" in direct.dependencies


def test_each_part_is_looked_for_in_its_own_words_and_what_is_done_stays_whole() -> None:
    practice = branches(ToPlan(task("How do I deploy the code? How do I deploy the data?")))[-1]
    assert [step.queries[0] for step in practice.steps] == ["deploy code best practices", "deploy data best practices"]
    assert [step.queries[2] for step in practice.steps] == ["common mistakes when deploying the code"] * 2


def test_evidence_changes_the_branches_and_which_is_clearest() -> None:
    before, after = branches(ToPlan(task(OPTIMIZE))), branches(ToPlan(task(OPTIMIZE), evidence=EVIDENCE))
    assert before != after
    asked = " ".join(query for branch in after for step in branch.steps for query in step.queries)
    assert "sync.Map" in asked
    assert "Caching" in asked

    def gains() -> list[float]:
        scores = [[strategy_clarity(branch, task(OPTIMIZE)) for branch in made] for made in (before, after)]
        return [late - early for early, late in zip(*scores, strict=True)]

    assert max(gains()) > 0.0


def test_insights_are_leads_too() -> None:
    distillate = Distillate(key_insights=(Insight(text="Use lru_cache."), Insight(text="lru_cache is simple.")))
    made = branches(ToPlan(task(OPTIMIZE), distillate=distillate))
    assert any("lru_cache" in query for branch in made for step in branch.steps for query in step.queries)


@pytest.mark.parametrize("text", [OPTIMIZE, "Should I use SQLite or Postgres?", "Análise completa do portfólio"])
def test_a_plan_asks_what_was_asked_and_nothing_else(text: str) -> None:
    """An overview is a query: as a question of its own it would be answered, and told."""
    parts = [part.text for part in task(text).questions]
    for evidence in ((), EVIDENCE):
        for branch in branches(ToPlan(task(text), evidence=evidence)):
            assert [step.question for step in branch.steps] == parts


def test_a_pattern_leads_the_branches_of_a_complex_task() -> None:
    first, *_ = branches(ToPlan(task(OPTIMIZE), patterns=(PATTERN,)))
    assert first.name == "by pattern"
    assert first.steps[0].queries[0] == "handler caching"
    assert "handler caching" in first.rationale


def test_a_source_that_the_request_demands_is_the_only_one() -> None:
    made = branches(ToPlan(task("Compare Flask and Django, only from github")))
    assert {branch.sources for branch in made} == {("github",)}


def test_only_configured_sources_are_preferred() -> None:
    made = branches(ToPlan(task(OPTIMIZE), sources=("knowledge", "web")))
    assert made[2].sources == ("knowledge",)


def test_guidance_becomes_a_query() -> None:
    made = branches(ToPlan(task(OPTIMIZE), guidance="with go-cache"))
    assert any("go-cache" in query for query in made[0].steps[0].queries)


CARD = ToolCard("word_count", "", {"properties": {"text": {"type": "string"}}, "required": ["text"]})


@pytest.mark.parametrize(
    ("text", "arguments"),
    [
        ('Use word_count with text "hello world"', {"text": "hello world"}),
        ("Run word_count text=hello", {"text": "hello"}),
        ("Call word_count(text='hello world')", {"text": "hello world"}),
        ("Call word_count(text=hello).", {"text": "hello"}),
        ("Call word_count(text=app/(shop)/page.tsx)", {"text": "app/(shop)/page.tsx"}),
        ("Call word_count(text=app/(shop))", {"text": "app/(shop)"}),
        ("Call word_count(text=)", None),
        ("Use word_count on it", None),
        ('How many words has "hello world"?', None),
    ],
)
def test_a_tool_is_planned_only_when_named_with_its_arguments(text: str, arguments: dict[str, str] | None) -> None:
    steps = branches(ToPlan(task(text), tools=(CARD,)))[0].steps
    called = [step for step in steps if step.kind is StepKind.TOOL]
    assert [step.arguments for step in called] == ([arguments] if arguments else [])
    assert all(step.depends_on == ("direct.tool1",) for step in steps if called and step.kind is StepKind.ANSWER)


SPEAKING = {"properties": {"name": {"type": "string"}}, "required": ["name"]}


@pytest.mark.parametrize(
    ("text", "restarted", "stopped"),
    [
        ('Use restart_worker with name="7". Use stop_worker with name="8".', "7", "8"),
        ('Use stop_worker with name="8" and restart_worker with name="7".', "7", "8"),
        ('With name="7", use restart_worker, then stop_worker with name="8".', "7", "8"),
        ('Use restart_worker "alpha" and stop_worker "beta".', "alpha", "beta"),
        ('Use restart_worker and stop_worker with name="7".', "7", "7"),
        ('For name="7" use restart_worker and stop_worker.', "7", "7"),
    ],
)
def test_each_tool_gets_the_arguments_that_are_named_with_it(text: str, restarted: str, stopped: str) -> None:
    tools = tuple(ToolCard(name, "", SPEAKING) for name in ("restart_worker", "stop_worker"))
    steps = branches(ToPlan(task(text), tools=tools))[0].steps
    called = {step.tool: step.arguments["name"] for step in steps if step.kind is StepKind.TOOL}
    assert called == {"restart_worker": restarted, "stop_worker": stopped}


@pytest.mark.parametrize(
    ("kind", "given", "value"),
    [
        ("integer", "a=3.", 3),
        ("integer", "a=-3", -3),
        ("integer", "a=3.5", None),
        ("integer", "a=three", None),
        ("integer", f"a={'7' * 5_000}", None),
        ("number", "a=3.5.", 3.5),
        ("number", "a=1e9", None),
        ("boolean", "a=true", True),
        ("boolean", "a=False", False),
        ("boolean", "a=yes", None),
        ("array", "a=3", None),
        ("string", "a=3", "3"),
    ],
)
def test_an_argument_has_the_type_that_the_tool_takes_or_is_left_to_a_model(
    kind: str, given: str, value: object
) -> None:
    card = ToolCard("add_up", "", {"properties": {"a": {"type": kind}}, "required": ["a"]})
    (step,) = branches(ToPlan(task(f"Use add_up with {given}"), tools=(card,)))[0].steps
    assert (step.kind, step.arguments.get("a")) == (StepKind.ANSWER if value is None else StepKind.TOOL, value)


@pytest.mark.parametrize(
    ("schema", "value"),
    [
        (True, "3"),
        ({}, "3"),
        ({"type": ["string", "null"]}, "3"),
        ({"type": ["null", "integer"]}, 3),
        ({"type": ["array", "string"]}, "3"),
        ({"type": ["array", "null"]}, None),
    ],
)
def test_an_argument_has_the_first_plain_type_of_several(schema: object, value: object) -> None:
    card = ToolCard("add_up", "", {"properties": {"a": schema}, "required": ["a"]})
    (step,) = branches(ToPlan(task("Use add_up with a=3"), tools=(card,)))[0].steps
    assert (step.kind, step.arguments.get("a")) == (StepKind.ANSWER if value is None else StepKind.TOOL, value)


@pytest.mark.parametrize(
    ("text", "arguments"),
    [("Use list_files", {}), ("Use list_files with path=docs", {"path": "docs"}), ("Use list_files on the docs", {})],
)
@pytest.mark.parametrize("required", [{}, {"required": []}])
def test_a_tool_that_requires_nothing_is_planned_with_what_is_given(
    required: dict[str, list[str]], text: str, arguments: dict[str, str]
) -> None:
    card = ToolCard("list_files", "", {"properties": {"path": {"type": "string"}}, **required})
    called = [step for step in branches(ToPlan(task(text), tools=(card,)))[0].steps if step.kind is StepKind.TOOL]
    assert [step.arguments for step in called] == [arguments]


def test_an_argument_may_be_required_that_has_no_schema() -> None:
    card = ToolCard("list_files", "", {"required": ["path"]})
    (step,) = branches(ToPlan(task('Use list_files "docs"'), tools=(card,)))[0].steps
    assert step.arguments == {"path": "docs"}


def test_the_records_speak_of_the_task() -> None:
    made = branches(ToPlan(task("Find at least three papers on RAG and compare them, not from wikipedia")))
    issues = " ".join(issue for branch in made for issue in branch.anticipated_issues)
    assert "fewer than 3" in issues
    assert all(branch.rationale and branch.tool_rationale and branch.dependencies for branch in made)


def _branch(*steps: Step) -> Branch:
    return Branch(id="b", name="b", steps=steps)


@pytest.mark.parametrize(
    ("steps", "score"),
    [
        ((), 0.0),
        ((Step(id="b.q1", question="What is a list?", queries=("list",)),), 1.0),
        ((Step(id="b.q1", question="What is a list?"),), 0.75),
        ((Step(id="b.q1", question="What is a list?", queries=("list",), depends_on=("b.q9",)),), 0.75),
        ((Step(id="b.q1", question="What is it?", queries=("it",)),), 0.5),
        ((Step(id="b.q1", question="What is a list in <which language?>", queries=("list",)),), 0.5),
    ],
)
def test_clarity_of_a_strategy(steps: tuple[Step, ...], score: float) -> None:
    asked = Task(text="What is a list?", questions=tuple(_question(step) for step in steps))
    assert strategy_clarity(_branch(*steps), asked) == pytest.approx(score)


def _question(step: Step) -> dict[str, str]:
    return {"id": step.id, "text": step.question}


def test_a_strategic_task_in_one_step_is_not_clear() -> None:
    direct = branches(ToPlan(task(OPTIMIZE)))[0]
    assert strategy_clarity(direct, task(OPTIMIZE)) < 0.67


@given(st.text(max_size=200), st.text(max_size=80), st.integers(1, 4))
def test_any_task_can_be_planned(text: str, heading: str, count: int) -> None:
    asked = task(text)
    evidence = (Evidence(id="e", text=text, title=heading, source="web", url="https://a.example"),)
    judged = plan(ToPlan(asked, evidence=evidence, branches=count))
    ids = [step.id for branch in judged.value for step in branch.steps]
    assert len(ids) == len(set(ids))
    assert 1 <= len(judged.value) <= max(1, count)
    assert 0.0 <= judged.doubt <= 1.0
    for branch in judged.value:
        assert 0.0 <= strategy_clarity(branch, asked) <= 1.0


@pytest.mark.parametrize(
    ("text", "lacking"),
    [
        ("Use read_file", ("read_file",)),
        ("Please call read_file and say what it exports.", ("read_file",)),
        ('Use read_file with path="a.md"', ()),
        ("How do I call read_file?", ()),
        ("Explain what read_file gives.", ()),
    ],
)
def test_a_tool_that_is_to_be_called_without_what_it_needs_is_named(text: str, lacking: tuple[str, ...]) -> None:
    assert {branch.left_out for branch in branches(ToPlan(task(text), tools=(READ,)))} == {lacking}


READ = ToolCard("read_file", "", {"properties": {"path": {"type": "string"}}, "required": ["path"]})


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ('Use read_file with path="a.md" and say what it exports', ["say what it exports"]),
        ('Use read_file with path="a.md"', []),
        ("Call read_file(path='a.md')", []),
        ('Call read_file for the file "a.md"', []),
        ('Use read_file on the manual "a.md" and say what it exports', ["say what it exports"]),
        ("Call read_file(path='a.md') and say what it exports", ["say what it exports"]),
        ("Say what it exports: read_file(path=a.md)", ["Say what it exports"]),
        ("Use the read_file tool with path=a.md, and say what it exports", ["say what it exports"]),
        ("Call read_file, path: a.md", []),
        ("Please call read_file with path=a.md, then tell me which port it names.", ["tell me which port it names."]),
        ('Use read_file with path="a.md". Which port does the gateway use?', ["Which port does the gateway use?"]),
        ("Which port does the gateway use?", ["Which port does the gateway use?"]),
    ],
)
def test_what_a_call_answers_is_no_question_to_the_passages(text: str, left: list[str]) -> None:
    asked = task(text)
    steps = branches(ToPlan(asked, tools=(READ,)))[0].steps
    assert [step.question for step in steps if step.kind is StepKind.ANSWER] == left
    assert [step.question for step in steps if step.kind is StepKind.TOOL] == ["read_file(path='a.md')"] * (
        "read_file" in text
    )
    assert strategy_clarity(Branch(id="b", name="b", steps=steps), asked) == 1.0
