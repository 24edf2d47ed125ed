"""The compiled graph on real text: the main job, turn after turn."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, NoReturn

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.base import SearchItem
from langgraph.store.memory import InMemoryStore

from calibrant.graph import wiring
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.deps import Node
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource, knowledge_dir
from calibrant.state.budget import StopReason
from calibrant.state.confidence import score_text
from calibrant.state.decision import Action, Rule
from calibrant.state.errors import InputError
from calibrant.state.evidence import Evidence, Filters
from calibrant.state.memory import Experience, Pattern, Recollection
from calibrant.state.protocols import Reread
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Phase, Power, Task
from tests.graph.house import config, deps_for, graph_for, ingest, path, run, state_of, write_documents

QUESTION = "How often is a failed job retried by default?"


async def test_a_plain_question_is_answered_with_a_citation_that_opens_at_the_line(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), QUESTION)
    assert "five times" in state.answer
    assert state.stop_reason is StopReason.ANSWERED
    assert "[1]" in state.answer
    first = state.citations[0]
    path_, line = first.place.removeprefix("file://").rsplit(":", 1)
    assert path_.endswith("retries.md")
    assert first.quote.split()[0] in Path(path_).read_text(encoding="utf-8").splitlines()[int(line) - 1]
    assert state.confidence is not None
    assert state.confidence.score >= 0.7


async def test_two_claims_of_one_passage_are_each_quoted_where_they_stand(tmp_path: Path) -> None:
    rows = "region,city,manager\neu-west,Rotterdam,Ingrid Maas\nus-west,Portland,Kim Tran\n"
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"regions.csv": rows}))
    state = await run(graph_for(tmp_path / "data"), "Who manages us-west?")
    assert len({one.evidence_id for one in state.citations}) == 1
    for line in state.answer.splitlines():
        text, number = line.removesuffix("]").rsplit(" [", 1)
        (cited,) = (one for one in state.citations if one.number == int(number))
        assert cited.quote == text
        assert cited.locator.line == (2 if "eu-west" in text else 3)
    assert any("Kim Tran" in one.quote for one in state.citations)


@pytest.mark.parametrize(
    ("question", "unanswered", "told"),
    [
        (
            "How often is a failed job retried by default and what is its VAT number?",
            1,
            "Not answered: What is its VAT",
        ),
        ("How often is a failed job retried by default and how many jobs does a worker run at a time?", 0, ""),
        (
            "Qual é a prioridade padrão de uma fila e quem inventou o telefone?",
            1,
            "Sem resposta: Quem inventou o telef",
        ),
        ("Who is the chief executive of the worker process company?", 1, "Not answered: Who is the chief executive"),
        (
            "Our nightly run failed. How often is a failed job retried by default? Who invented the telephone?",
            1,
            "Not answered: Who invented the telephone?",
        ),
    ],
)
async def test_a_part_that_nothing_answers_is_told(data_dir: Path, question: str, unanswered: int, told: str) -> None:
    state = await run(graph_for(data_dir), question)
    assert len(state.unanswered) == unanswered
    assert told in state.answer
    assert ("answered: " in state.answer or "resposta: " in state.answer) is bool(unanswered)


@pytest.mark.parametrize(
    ("question", "lines"),
    [
        ("How often is a failed job retried by default and what is its VAT number?", 1),
        (QUESTION, 0),
        ("Who is the chief executive of the worker process company?", 0),
    ],
)
async def test_what_a_run_is_unsure_of_is_one_warning_beside_an_answer(
    data_dir: Path, question: str, lines: int
) -> None:
    """However many phases went on unsure; an abstention tells nothing that could be less sure than wanted."""
    state = await run(graph_for(data_dir), question)
    unsure = {one.phase for one in state.decisions if one.goes_on_unsure and one.warning}
    assert len(unsure) > 1 or question == QUESTION
    assert [one.startswith("Less sure than wanted") for one in state.warnings].count(True) == lines
    assert not any(one.startswith("Went on") for one in state.warnings)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is silent for two minutes?", "What was found speaks of this, but nothing in it is sure enough to be"),
        ("Quem aceita tarefas na fila pausada?", "O que foi encontrado fala disso, mas nada é seguro o bastante"),
        ("Who is the chief executive of the worker process company?", "Nothing found mentions: "),
    ],
)
async def test_only_what_no_passage_has_is_called_missing(data_dir: Path, question: str, told: str) -> None:
    state = await run(graph_for(data_dir), question)
    assert state.stop_reason is StopReason.ABSTAINED
    assert told in state.answer


async def test_a_follow_up_is_not_answered_with_what_was_said_before(tmp_path: Path) -> None:
    rules = "# Plots\n\nUp to six hens may be kept on a plot, but no cockerels.\nA fence may be one metre high.\n"
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"plots.md": rules}))
    for follow_up, reason in (("And a cockerel?", StopReason.ANSWERED), ("And a goat?", StopReason.ABSTAINED)):
        graph = graph_for(tmp_path / "data")
        assert "six hens" in (await run(graph, "How many hens may be kept on a plot?")).answer
        assert (await run(graph, follow_up)).stop_reason is reason


async def test_who_is_asked_for_is_not_where_somebody_is(tmp_path: Path) -> None:
    rows = "office,street,desks,manager\nPorto,Rua do Almada 210,31,Rita Nogueira\nVienna,Lindengasse 12,12,\n"
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"offices.csv": rows}))
    graph = graph_for(tmp_path / "data")
    assert "Rita Nogueira" in (await run(graph, "Who is the manager of the Porto office?")).answer
    assert (await run(graph, "Who runs the Vienna office?", "t2")).stop_reason is StopReason.ABSTAINED


@pytest.mark.parametrize(
    ("opening", "left_out"),
    [
        ("This guide replaces the Member Handbook.", True),
        ("This guide does not replace the Member Handbook.", False),
        ("From 1 January 2099 this guide replaces the Member Handbook.", False),
        ("These rules have been replaced: see the Member Handbook.", False),
    ],
)
async def test_what_was_replaced_is_left_out_with_a_word(tmp_path: Path, opening: str, left_out: bool) -> None:
    documents = {
        "guide.md": f"# Boat Guide\n\n{opening}\n\n- Helmets are required on the dock.\n",
        "handbook.md": "# Member Handbook\n\n- Life jackets are required on the water.\n",
    }
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", documents))
    state = await run(graph_for(tmp_path / "data"), "List what is required.")
    assert "Helmets" in state.answer
    assert ("Life jackets" in state.answer) is not left_out
    assert any("Life jackets" in warning for warning in state.warnings) is left_out


@pytest.mark.parametrize(
    ("question", "quote"),
    [
        ("Who is silent for two minutes?", "two minutes"),
        ("Quem inventou a fila de prioridade?", "fila"),
        ("What is the capital of Mongolia?", ""),
    ],
)
async def test_an_abstention_shows_what_came_nearest(data_dir: Path, question: str, quote: str) -> None:
    """Not cited, not in the answer, and gone with the next question; nothing where nothing came near."""
    graph = graph_for(data_dir)
    state = await run(graph, question)
    assert state.stop_reason is StopReason.ABSTAINED
    assert state.citations == ()
    assert len(state.closest) <= 3
    assert bool(state.closest) is bool(quote)
    if quote:
        assert quote in state.closest[0].quote
        assert state.closest[0].quote not in state.answer
        assert ".md:" in state.closest[0].place
    assert (await run(graph, QUESTION)).closest == ()


async def test_one_sentence_that_answers_two_parts_leaves_neither_open(tmp_path: Path) -> None:
    text = "The mill of Orrel was built in 1874 by Hanna Dreyer in the old harbour."
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"mill.md": text}))
    state = await run(graph_for(tmp_path / "data"), "Who built the mill of Orrel and when was the mill of Orrel built?")
    assert len(state.selected.steps if state.selected else ()) == 2
    assert state.answer.count("Hanna Dreyer") == 1
    assert state.unanswered == ()


async def test_a_plain_question_takes_the_shortest_way(data_dir: Path) -> None:
    nodes = await path(graph_for(data_dir), {"task": QUESTION})
    assert nodes == [
        "intake", "perceive", "retrieve", "perceive", "reason", "branch", "select", "act", "step", "act",
        "synthesize", "reflect", "respond",
    ]  # fmt: skip


async def test_what_the_documents_do_not_say_is_not_answered(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), "Who is the chief executive of the worker process company?")
    assert state.stop_reason is StopReason.ABSTAINED
    assert state.citations == ()
    assert state.claims == ()
    assert state.confidence is not None
    assert state.confidence.score < 0.5


async def test_portuguese_is_answered_in_the_words_of_the_portuguese_document(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), "Qual é a prioridade padrão de uma fila?")
    assert "5" in state.answer
    assert state.citations[0].url.endswith("filas.md")


async def test_three_turns_on_one_thread_each_have_their_own_budget(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    first = await run(graph, QUESTION)
    second = await run(graph, "How many jobs does a worker run at a time?")
    third = await run(graph, "Which version of Postgres does the backend need?")
    assert [state.run.turn for state in (first, second, third) if state.run] == [1, 2, 3]
    assert "four" in second.answer
    assert "14" in third.answer
    for state in (first, second, third):
        assert state.spend.retrievals == len(state.retrievals) <= 2
        assert all(decision.attempt <= 3 for decision in state.decisions)
    assert [message.type for message in third.messages] == ["human", "ai"] * 3


async def test_a_complete_question_in_a_thread_is_answered_as_it_would_be_alone(data_dir: Path) -> None:
    """What earlier turns found takes no place from what this one finds, and is searched for anew."""
    graph, question = graph_for(data_dir), "Which version of Postgres does the backend need?"
    alone = await run(graph, question, "alone")
    for earlier in (QUESTION, "Where are job results kept?", "How many jobs does a worker run at a time?"):
        await run(graph, earlier, "thread")
    later = await run(graph, question, "thread")
    assert later.evidence == alone.evidence
    assert later.answer == alone.answer
    assert [(one.row, one.confidence.score) for one in later.decisions] == [
        (one.row, one.confidence.score) for one in alone.decisions
    ]


async def test_messages_are_input_too(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await graph.ainvoke({"messages": [HumanMessage(QUESTION)]}, config())
    state = await state_of(graph)
    assert "five times" in state.answer
    assert isinstance(state.messages[-1], AIMessage)
    assert len(state.messages) == 2


async def test_what_a_message_has_beside_text_is_told_to_be_unread(data_dir: Path) -> None:
    """An answer would be taken to be about the picture."""
    text, picture = (
        {"type": "text", "text": QUESTION},
        {"type": "image_url", "image_url": {"url": "data:image/png;base64,x"}},
    )
    graph = graph_for(data_dir)
    await graph.ainvoke(
        {"task": " ", "messages": [HumanMessage([text, picture, {"type": "file", "id": "f"}])]}, config()
    )
    state = await state_of(graph)
    assert "five times" in state.answer
    assert state.warnings == ("What came with the question beside text was not read (image, file).",)
    assert len(state.messages) == 2
    assert (await run(graph, QUESTION)).warnings == ()


@pytest.mark.parametrize("form", ["task", "messages"])
async def test_what_is_not_seen_of_a_question_is_not_asked(data_dir: Path, form: str) -> None:
    typed = "\ufeff\u202e" + QUESTION.replace("failed", "fai\u200bled") + "\x1b[0m\x07"
    graph = graph_for(data_dir)
    await graph.ainvoke({form: typed if form == "task" else [("user", typed)]}, config())
    state = await state_of(graph)
    assert state.run is not None
    assert state.run.question == QUESTION
    assert "five times" in state.answer


async def test_the_spend_is_the_sum_of_what_was_done(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), QUESTION)
    assert state.spend.model_calls == 0
    assert state.spend.retrievals == 1
    assert state.spend.searches == sum(len(one.queries) for one in state.retrievals)
    assert 0.0 < state.spend.seconds < 30.0


@pytest.mark.parametrize(
    ("given", "line"),
    [
        ({"task": "  "}, "the question is empty"),
        ({"messages": []}, "the question is empty"),
        ({"task": ""}, "the question is empty"),
        (
            {"task": "why? " * 4_001},
            "the question has 20,004 characters, 20,000 at most: give a long text as a document",
        ),
        ({"messages": [HumanMessage("x" * 20_001)]}, "the question has 20,001 characters"),
        ({"task": 5}, "task = 5 is not allowed: expected text"),
        ({"task": QUESTION, "power": "9"}, "power = '9' is not allowed: expected 'auto', '1', '2' or '3'"),
        ({"task": QUESTION, "power": 4}, "power = 4 is not allowed: expected 'auto', '1', '2' or '3'"),
        ({"task": QUESTION, "interactive": "perhaps"}, "interactive = 'perhaps' is not allowed: expected true"),
        ({"task": QUESTION, "filters": "docs"}, "filters = 'docs' is not allowed: expected values by name"),
        ({"task": QUESTION, "filters": {"since": "soon"}}, "since = 'soon' is not allowed: expected a date"),
        ({"task": QUESTION, "filters": {"kinds": ["md"]}}, "unknown kind of document 'md'; allowed: text, markdown,"),
        (
            {"task": QUESTION, "filters": {"kinds": ["markdwn"]}},
            "unknown kind of document 'markdwn'; did you mean 'mark",
        ),
        ({"task": QUESTION, "filters": {"path": ["*.py"]}}, "unknown filter 'path'; did you mean 'paths'?"),
    ],
)
async def test_bad_input_is_one_clear_line(data_dir: Path, given: Any, line: str) -> None:
    with pytest.raises(InputError) as caught:
        await graph_for(data_dir).ainvoke(given, config())
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("given", [{"task": ""}, {"task": "  "}, {"messages": []}], ids=str)
async def test_an_empty_question_is_not_the_one_before(data_dir: Path, given: dict[str, Any]) -> None:
    graph = graph_for(data_dir)
    await run(graph, QUESTION)
    with pytest.raises(InputError, match="the question is empty"):
        await graph.ainvoke(given, config())
    again = await graph.ainvoke({"messages": [HumanMessage(QUESTION)]}, config())
    assert "five times" in again["answer"]


@pytest.mark.parametrize("turns_before", [0, 1])
@pytest.mark.parametrize("then", [{"task": QUESTION}, {"messages": [HumanMessage(QUESTION)]}], ids=["task", "messages"])
async def test_what_was_refused_is_no_part_of_the_next_run(
    data_dir: Path, then: dict[str, Any], turns_before: int
) -> None:
    graph = graph_for(data_dir)
    for _ in range(turns_before):
        await run(graph, QUESTION)
    for refused in ({"filters": {"pathz": ["*.py"]}}, {"filters": {"since": "soon"}}, {"task": "why? " * 4_001}):
        with pytest.raises(InputError):
            await run(graph, "Who accepts jobs?", given={"power": "3", "interactive": True, **refused})
    await graph.ainvoke(then, config())
    state = await state_of(graph)
    assert "five times" in state.answer
    assert state.run is not None
    assert (state.run.question, state.run.turn) == (QUESTION, turns_before + 1)
    assert (state.run.power, state.run.interactive, state.run.filters) == (Power.AUTO, False, Filters())


async def test_what_the_caller_gave_waits_for_intake_and_is_gone_after_it(data_dir: Path) -> None:
    saver = InMemorySaver(serde=serde())
    given = {"task": QUESTION, "power": "2", "interactive": False, "filters": {"paths": ["*.md"]}}
    await graph_for(data_dir, checkpointer=saver).ainvoke(given, config(), interrupt_before=["intake"])
    graph = graph_for(data_dir, checkpointer=saver)
    assert given.items() <= (await graph.aget_state(config())).values.items()
    await graph.ainvoke(None, config())
    state = await state_of(graph)
    assert "five times" in state.answer
    assert state.run is not None
    assert (state.run.power, state.run.filters.paths) == (Power.MEDIUM, ("*.md",))
    assert not given.keys() & (await graph.aget_state(config())).values.keys()


@pytest.mark.parametrize(("given", "power"), [(3, Power.DEEP), ("2", Power.MEDIUM), ("auto", Power.AUTO)])
async def test_power_is_a_number_or_its_text(data_dir: Path, given: Any, power: Power) -> None:
    state = await run(graph_for(data_dir), QUESTION, given={"power": given})
    assert state.run is not None
    assert state.run.power is power


async def test_every_decision_says_why(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), QUESTION)
    assert [decision.phase for decision in state.decisions][-1] is Phase.REFLECT
    for decision in state.decisions:
        assert decision.reason
        assert all(factor.reason for factor in decision.confidence.factors)
        assert decision.left.model_calls >= 0
    searched = next(decision for decision in state.decisions if decision.action is Action.RETRIEVE)
    after = state.decisions[state.decisions.index(searched) + 1]
    assert after.before == searched.confidence.score
    assert after.boost is not None
    assert after.boost > 0.0


async def test_forced_power_is_obeyed_and_says_what_would_find_more(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    state = await run(graph, "Compare everything about storage, workers and shutdown strategy", given={"power": "1"})
    assert {one.depth_used for one in state.retrievals} == {1}
    assert [one for one in state.warnings if one.endswith("Use power 2 or auto for a more complete answer.")]


async def test_an_answer_from_less_than_its_kind_of_question_needs_says_so(data_dir: Path) -> None:
    """Spec 2, scenario 2: the deepest search was made, and the answer is given with a warning."""
    state = await run(graph_for(data_dir), "Full report on what happens to a job that has used up its retries")
    told = f"Sufficiency {score_text(state.retrievals[-1].new_confidence)} is below the 0.90 that such a question needs"
    assert state.stop_reason is StopReason.ANSWERED
    assert f"{told}, at depth 3 of 3." in state.warnings


async def test_neither_a_sufficient_search_nor_an_abstention_says_so(data_dir: Path) -> None:
    for question, ended in ((QUESTION, StopReason.ANSWERED), ("How much does a worker cost?", StopReason.ABSTAINED)):
        state = await run(graph_for(data_dir), question)
        assert state.stop_reason is ended
        assert not [one for one in state.warnings if one.startswith("Sufficiency")]


@pytest.mark.parametrize("never", [{"switches": {"retrieval": False}}, {"limits": {"retrievals": 0}}])
async def test_switching_retrieval_off_means_no_search(data_dir: Path, never: dict[str, Any]) -> None:
    """Of which nobody can say whether it would have helped."""
    context = Settings(interactive=False, **never)
    state = await run(graph_for(data_dir, context=context), QUESTION, context=context)
    assert state.retrievals == ()
    assert state.stop_reason is StopReason.ABSTAINED
    assert state.warnings[-1].endswith("no search may be made.")


@pytest.mark.parametrize(
    ("question", "ended"),
    [(QUESTION, StopReason.ANSWERED), ("How much does a worker cost?", StopReason.ABSTAINED)],
)
async def test_without_confidence_there_is_one_search_and_nothing_is_asked(
    data_dir: Path, question: str, ended: StopReason
) -> None:
    context = Settings(interactive=True, switches={"confidence": False})
    state = await run(graph_for(data_dir, context=context), question)
    assert state.stop_reason is ended
    assert state.spend.retrievals == 1
    assert {decision.rule for decision in state.decisions} == {Rule.UNJUDGED}


async def test_a_context_given_with_the_run_wins(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), QUESTION, context=Settings(interactive=False, limits={"retrievals": 0}))
    assert state.spend.retrievals == 0


class Flaky:
    """A memory whose store is away for the first ``failures`` recalls."""

    def __init__(self, failures: int) -> None:
        self.failures = failures
        self.recalls = 0

    async def recall(self, task: Task, reread: Reread | None) -> Recollection:
        self.recalls += 1
        if self.recalls <= self.failures:
            raise ConnectionError
        return Recollection()

    async def remember(self, experience: Experience, pattern: Pattern | None) -> None:
        """Nothing is kept."""

    async def worked_refinements(self, reason: str) -> tuple[Refinement, ...]:
        return ()

    async def note_refinement(self, reason: str, refinement: Refinement, worked: bool, run_id: str) -> None:
        """Nothing is kept."""


@pytest.mark.parametrize(("failures", "warned"), [(1, False), (2, True)])
async def test_a_store_that_is_away_is_asked_once_more_and_then_done_without(
    data_dir: Path, failures: int, warned: bool
) -> None:
    memory = Flaky(failures)
    deps = replace(deps_for(data_dir), memory=lambda runtime: memory)
    graph = wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()))
    state = await run(graph, QUESTION)
    assert state.stop_reason is StopReason.ANSWERED
    assert memory.recalls == 2
    assert ("The run went on without its memory: ConnectionError." in state.warnings) is warned


class Away(InMemoryStore):
    """A store that cannot be read, or not be written."""

    def __init__(self, *, read: bool) -> None:
        super().__init__()
        self.read = read

    async def asearch(self, *args: Any, **options: Any) -> list[SearchItem]:
        if self.read:
            raise OSError("postgresql://user:secret@host")
        return await super().asearch(*args, **options)

    async def aput(self, *args: Any, **options: Any) -> None:
        raise OSError("postgresql://user:secret@host")


@pytest.mark.parametrize("read", [True, False])
async def test_an_answer_does_not_fail_with_the_store(data_dir: Path, read: bool) -> None:
    state = await run(graph_for(data_dir, store=Away(read=read)), QUESTION)
    assert state.stop_reason is StopReason.ANSWERED
    assert state.confidence is not None
    assert state.confidence.score > 0.7
    assert any("without its memory" in warning for warning in state.warnings)
    assert "secret" not in " ".join(state.warnings)


class Hanging(InMemoryStore):
    """A store that never answers."""

    async def abatch(self, ops: Any) -> Any:
        await asyncio.Event().wait()


async def test_a_store_that_hangs_costs_moments_and_not_the_answer(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.nodes.keeping.lenient.PATIENCE_S", 0.05)
    monkeypatch.setattr("calibrant.nodes.keeping.lenient.LEAST_S", 0.05)
    state = await asyncio.wait_for(run(graph_for(data_dir, store=Hanging()), QUESTION), 20.0)
    assert state.stop_reason is StopReason.ANSWERED
    assert "The run went on without its memory: it did not answer in time." in state.warnings


class Unread(KnowledgeSource):
    """Passages that are found, but cannot be read again, from a source that does not know when it changed."""

    async def reread(self, ids: Sequence[str]) -> list[Evidence]:
        raise KeyError(ids)

    async def changed(self, collections: Sequence[str] = ()) -> float:
        raise ConnectionResetError


class Mute(KnowledgeSource):
    """Passages from a source that never says when it changed."""

    async def changed(self, collections: Sequence[str] = ()) -> float:
        await asyncio.Event().wait()
        return 0.0


async def test_a_source_that_does_not_say_when_it_changed_is_not_waited_for(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("calibrant.nodes.sources.PATIENCE_S", 0.05)
    base = KnowledgeBase.open(knowledge_dir(data_dir, "manual"), "manual")
    graph = graph_for(data_dir, sources=[Mute([base])], store=InMemoryStore())
    for thread in ("t1", "t2"):  # what is remembered is what may have changed
        state = await asyncio.wait_for(run(graph, QUESTION, thread), 30)
    base.close()
    assert state.stop_reason is StopReason.ANSWERED
    assert "Whether knowledge has something new could not be told: TimeoutError." in "\n".join(state.warnings)


async def test_a_source_that_cannot_be_read_again_costs_what_was_remembered_of_it_alone(data_dir: Path) -> None:
    base = KnowledgeBase.open(knowledge_dir(data_dir, "manual"), "manual")
    graph = graph_for(data_dir, sources=[Unread([base])], store=InMemoryStore())
    first, second = await run(graph, QUESTION, "t1"), await run(graph, QUESTION, "t2")
    base.close()
    assert [state.stop_reason for state in (first, second)] == [StopReason.ANSWERED] * 2
    assert second.recalled is not None
    assert second.recalled.experiences
    assert second.recalled.evidence == ()
    told = "\n".join(second.warnings)
    assert "What is remembered of knowledge could not be read again: KeyError at test_run.py:" in told
    assert "Whether knowledge has something new could not be told: ConnectionResetError." in told


@tool
async def stock(item: str) -> str:
    """How many of an item are in stock."""
    await asyncio.sleep(0.6)
    return f"There are 7 {item}s in stock."


stock.metadata = {"read_only": True}


async def test_a_run_with_more_seconds_than_the_graph_was_built_with_gets_them(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wiring, "GRACE_S", 0.1)
    short, long = (Settings(interactive=False, limits={"seconds": seconds}) for seconds in (0.2, 30.0))
    graph = graph_for(data_dir, tools=[stock], context=short)
    state = await run(graph, 'Call stock(item="bolt"): how many are there?', context=long)
    assert "7 bolts" in state.answer


async def test_a_node_that_hangs_is_ended(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class Hanging(Flaky):
        async def recall(self, task: Task, reread: Reread | None) -> Recollection:
            await asyncio.sleep(60.0)
            return Recollection()

    monkeypatch.setattr(wiring, "GRACE_S", 0.1)
    context = Settings(interactive=False, limits={"seconds": 0.2})
    deps = replace(deps_for(data_dir, context=context), memory=lambda runtime: Hanging(0))
    graph = wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()))
    async with asyncio.timeout(10.0):
        state = await run(graph, QUESTION)
    assert state.stop_reason is StopReason.FAILED
    assert "perceive failed: TimeoutError. Answered with what there was." in state.warnings


async def _hangs(state: Any, runtime: Any) -> NoReturn:
    await asyncio.sleep(60.0)
    raise AssertionError("it was to be ended")


async def _breaks(state: Any, runtime: Any) -> NoReturn:
    raise ZeroDivisionError


LOST = pytest.mark.parametrize(("node", "error"), [(_hangs, "TimeoutError"), (_breaks, "ZeroDivisionError")])
"""How one of several nodes that run side by side may be lost."""


@LOST
async def test_a_step_that_is_lost_is_a_failure_and_the_run_goes_on(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, node: Node, error: str
) -> None:
    monkeypatch.setattr(wiring, "GRACE_S", 0.1)
    monkeypatch.setattr(wiring, "step", lambda deps: node)
    state = await asyncio.wait_for(run(graph_for(data_dir, context=_quick(error)), QUESTION), 20.0)
    assert state.stop_reason is StopReason.ABSTAINED
    (result,) = state.results
    assert result.failure is not None
    assert result.failure.message.startswith(error)


@LOST
async def test_a_plan_whose_scoring_is_lost_is_taken_all_the_same(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, node: Node, error: str
) -> None:
    monkeypatch.setattr(wiring, "GRACE_S", 0.1)
    monkeypatch.setattr(wiring, "branch", lambda deps: node)
    state = await asyncio.wait_for(run(graph_for(data_dir, context=_quick(error)), QUESTION), 20.0)
    assert any(told.startswith("The plan direct could not be scored") and error in told for told in state.warnings)


def _quick(error: str) -> Settings:
    """A run whose nodes are ended soon, where they are to hang."""
    return Settings(interactive=False, limits={"seconds": 2.0 if error == "TimeoutError" else 30.0})


async def test_the_trace_tells_how_many_retrievals_are_left_also_where_another_would_not_help(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), "Who is the chief executive of the worker process company?")
    searched = 0
    for decision in state.decisions:
        assert decision.retrievals_left == 4 - searched
        searched += decision.action is Action.RETRIEVE
    assert 0 < searched < 4
    assert "searching does not help" in state.decisions[-1].reason
