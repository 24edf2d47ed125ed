"""The compiled graph on real text: the main job, turn after turn."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.builder import wire
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.nodes.deps import Reread
from calibrant.state.budget import StopReason
from calibrant.state.decision import Action
from calibrant.state.errors import InputError
from calibrant.state.memory import Experience, Pattern, Recollection
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
    ],
)
async def test_a_part_that_nothing_answers_is_told(data_dir: Path, question: str, unanswered: int, told: str) -> None:
    state = await run(graph_for(data_dir), question)
    assert len(state.unanswered) == unanswered
    assert told in state.answer
    assert ("answered: " in state.answer or "resposta: " in state.answer) is bool(unanswered)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is silent for two minutes?", "What was found speaks of this, but does not answer it."),
        ("Quem aceita tarefas na fila pausada?", "O que foi encontrado fala disso, mas não responde."),
        ("Who is the chief executive of the worker process company?", "Nothing found mentions: "),
    ],
)
async def test_only_what_no_passage_has_is_called_missing(data_dir: Path, question: str, told: str) -> None:
    state = await run(graph_for(data_dir), question)
    assert state.stop_reason is StopReason.ABSTAINED
    assert told in state.answer


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
    assert len(third.evidence) >= len(first.evidence)


async def test_messages_are_input_too(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await graph.ainvoke({"messages": [HumanMessage(QUESTION)]}, config())
    state = await state_of(graph)
    assert "five times" in state.answer
    assert isinstance(state.messages[-1], AIMessage)
    assert len(state.messages) == 2


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
        ({"task": 5}, "task = 5 is not allowed: expected text"),
        ({"task": QUESTION, "power": "9"}, "power = '9' is not allowed: expected 'auto', '1', '2' or '3'"),
        ({"task": QUESTION, "power": 4}, "power = 4 is not allowed: expected 'auto', '1', '2' or '3'"),
        ({"task": QUESTION, "interactive": "perhaps"}, "interactive = 'perhaps' is not allowed: expected true"),
        ({"task": QUESTION, "filters": "docs"}, "filters = 'docs' is not allowed: expected values by name"),
        ({"task": QUESTION, "filters": {"since": "soon"}}, "since = 'soon' is not allowed: expected a date"),
        ({"task": QUESTION, "filters": {"path": ["*.py"]}}, "unknown filter 'path'; did you mean 'paths'?"),
    ],
)
async def test_bad_input_is_one_clear_line(data_dir: Path, given: Any, line: str) -> None:
    with pytest.raises(InputError) as caught:
        await graph_for(data_dir).ainvoke(given, config())
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


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


async def test_switching_retrieval_off_means_no_search(data_dir: Path) -> None:
    context = Settings(interactive=False, switches={"retrieval": False})
    state = await run(graph_for(data_dir, context=context), QUESTION, context=context)
    assert state.retrievals == ()
    assert state.stop_reason is StopReason.ABSTAINED


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

    async def note_refinement(self, reason: str, refinement: Refinement, worked: bool) -> None:
        """Nothing is kept."""


@pytest.mark.parametrize(("failures", "reason"), [(1, StopReason.ANSWERED), (2, StopReason.FAILED)])
async def test_a_node_whose_store_is_away_for_a_moment_runs_once_more(
    data_dir: Path, failures: int, reason: StopReason
) -> None:
    memory = Flaky(failures)
    deps = replace(deps_for(data_dir), memory=lambda runtime: memory)
    graph = wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()))
    state = await run(graph, QUESTION)
    assert state.stop_reason is reason
    assert memory.recalls == 2
