"""Memory: a second, similar task retrieves less and its trace says why; a dissimilar one is unaffected."""

import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.store.memory import InMemoryStore

from calibrant.graph.persistence import open_store
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.memory import Memory
from calibrant.nodes.reflect import RATED_BAD
from calibrant.state.budget import StopReason
from calibrant.state.decision import NEW_DOCUMENTS, Action, of_phase
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.memory import Recollection
from calibrant.state.task import Phase
from tests.graph.house import answer, graph_for, ingest, machine, run, write_documents
from tests.graph.test_wire import EAGER, over, settings
from tests.memory.stores import WordEncoder
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, OpenAIServer
from tests.wire.smart import passages_in, smart

FIRST = "How often is a failed job retried by default?"
SIMILAR = "How often does a failed job get retried by default?"
OTHER = "How many jobs does a worker run at a time?"


async def test_a_second_similar_task_retrieves_less_and_says_why(data_dir: Path) -> None:
    store = InMemoryStore()
    graph = graph_for(data_dir, store=store)
    first = await run(graph, FIRST, "one")
    second = await run(graph, SIMILAR, "two")
    assert first.stop_reason is second.stop_reason is StopReason.ANSWERED
    assert second.spend.retrievals < first.spend.retrievals
    assert second.spend.searches < first.spend.searches
    assert "five times" in second.answer
    opening = second.decisions[0]
    assert opening.action is Action.PROCEED
    remembered = next(one for one in opening.confidence.factors if one.name == "past_experience")
    assert remembered.score is not None
    assert remembered.score > 0.5
    assert "similar" in remembered.reason


async def test_the_same_question_makes_its_experience_anew_and_no_other(data_dir: Path) -> None:
    store, now = InMemoryStore(), time.time
    graph = graph_for(data_dir, store=store)
    first = await run(graph, FIRST, "one")
    (before,) = await Memory(store, now).learnt()
    second = await run(graph, f"  {FIRST.upper().rstrip('?')} ", "two")
    assert first.run
    assert second.run
    (after,) = await Memory(store, now).learnt()
    assert (after.experience.id, after.experience.again) == (first.run.id, (second.run.id,))
    assert (after.uses, after.experience.thread_id) == (2, "two")
    assert after.experience.at > before.experience.at
    assert after.experience.queries == before.experience.queries
    assert await Memory(store, now).feedback(second.run.id, "good")
    await run(graph, SIMILAR, "three")
    assert len(await Memory(store, now).learnt()) == 2, "in other words it is another experience"


async def test_the_same_question_over_other_documents_is_another_experience(tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "docs")
    ingest(tmp_path / "data", folder)
    store = InMemoryStore()
    graph = graph_for(tmp_path / "data", store=store)
    await run(graph, FIRST, "one")
    manual = folder / "retries.md"
    manual.write_text(manual.read_text("utf-8").replace("five times", "nine times"), encoding="utf-8")
    ingest(tmp_path / "data", folder)
    assert "nine times" in (await run(graph, FIRST, "two")).answer
    assert [one.experience.again for one in await Memory(store, time.time).learnt()] == [(), ()]


@pytest.mark.parametrize("encoder", [None, WordEncoder()], ids=["words", "vectors"])
async def test_what_was_forgotten_is_searched_anew(data_dir: Path, tmp_path: Path, encoder: WordEncoder | None) -> None:
    """Over the real store. What the other question taught is not forgotten with it."""
    async with open_store(machine(tmp_path), encoder, forgets=True) as store:
        graph, memory = graph_for(data_dir, store=store), Memory(store, time.time)
        first = await run(graph, FIRST, "one")
        other = await run(graph, OTHER, "other")
        assert first.run
        gone = await memory.forget([first.run.id])
        assert (gone.experiences, gone.patterns) == (1, 1)
        again = await run(graph, SIMILAR, "two")
        assert again.spend.searches == first.spend.searches > 0
        assert again.recalled is not None
        assert again.recalled.past_experience == 0.0
        assert (await run(graph, OTHER, "three")).spend.searches == 0 < other.spend.searches


class Web:
    """A source that finds one thing, by one word, and cannot read it again."""

    name, remote = "web", False

    def __init__(self) -> None:
        self.sent: list[str] = []

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        self.sent.append(query.text)
        text = "The tests of user authentication use Vitest, which is configured in this project."
        found = Evidence(id="w1", text=text, title="Tests", source="web", url="https://site.test/1")
        return [found] if "Vitest" in query.text else []


@pytest.mark.parametrize(
    ("again", "goes_first"),
    [
        ("Which framework do the tests of user authentication use?", True),
        ("Which framework do the tests of user authentication use on Windows?", False),
    ],
)
async def test_the_query_that_worked_goes_first_where_the_same_is_asked_and_its_passages_cannot_be_read_again(
    again: str, goes_first: bool, data_dir: Path
) -> None:
    web, question = Web(), "Which framework do the tests of user authentication use?"
    graph = graph_for(data_dir, store=InMemoryStore(), sources=[web], context=Settings(interactive=True))
    await run(graph, question, "one")
    first = await answer(graph, {"action": "guide", "text": "Look for Vitest"}, "one")
    worked = next(query for query in web.sent if "Vitest" in query)
    web.sent.clear()
    second = await run(graph, again, "two")
    assert "Vitest" in first.answer
    assert second.recalled is not None
    assert second.recalled.patterns
    assert (web.sent[0] == worked) is goes_first
    assert worked in web.sent
    assert (second.answer == first.answer) is goes_first


async def test_a_task_in_other_words_is_recalled_again(data_dir: Path) -> None:
    graph = graph_for(data_dir, store=InMemoryStore(), context=Settings(interactive=True))
    await run(graph, FIRST, "one")
    vague = await run(graph, "make it better", "two")
    assert vague.recalled == Recollection()
    state = await answer(graph, {"action": "write", "text": FIRST}, "two")
    assert ("five times" in state.answer, state.spend.searches) == (True, 0)


async def test_what_came_after_the_remembered_answer_is_searched_and_a_disagreement_is_told(tmp_path: Path) -> None:
    """Nothing new: memory stands and nothing is searched. A rival document: one search at the first depth finds it."""
    folder = write_documents(tmp_path / "docs")
    ingest(tmp_path / "data", folder)
    store = InMemoryStore()
    graph = graph_for(tmp_path / "data", store=store)
    await run(graph, FIRST, "one")
    unchanged = await run(graph, SIMILAR, "two")
    assert (unchanged.spend.searches, unchanged.answer.count("nine times")) == (0, 0)

    rival = "# Retries\n\nA failed job is retried nine times by default.\n"
    (folder / "version3.md").write_text(rival, encoding="utf-8")
    ingest(tmp_path / "data", folder)
    after = await run(graph, SIMILAR, "three")
    opening = after.decisions[0]
    assert opening.action is Action.RETRIEVE
    assert opening.gaps == (NEW_DOCUMENTS,)
    assert [one.depth_used for one in after.retrievals] == [1]
    assert {Path(one.url).name for one in after.citations} >= {"retries.md", "version3.md"}
    assert len(after.conflicts) == 1
    assert "nine times" in after.answer
    assert "five times" in after.answer


async def test_what_came_while_a_person_was_thinking_is_searched_the_next_time(tmp_path: Path) -> None:
    folder = write_documents(tmp_path / "docs")
    ingest(tmp_path / "data", folder)
    asks = {"act": {"proceed": 0.999, "retrieve": 0.998, "abort": 0.1}}
    graph = graph_for(tmp_path / "data", store=InMemoryStore(), context=Settings(interactive=True, thresholds=asks))
    await run(graph, FIRST, "one")
    write_documents(folder, {"version3.md": "# Retries\n\nA failed job is retried nine times by default.\n"})
    ingest(tmp_path / "data", folder)
    assert "nine times" not in (await answer(graph, "retry", "one")).answer
    again = await run(graph, FIRST, "two")
    assert again.decisions[0].gaps == (NEW_DOCUMENTS,)


@pytest.mark.parametrize("power", ["2", "3"])
async def test_what_came_later_does_not_crowd_out_the_remembered_answer(tmp_path: Path, power: str) -> None:
    """More of it is found than a step is shown."""
    folder = write_documents(tmp_path / "docs")
    ingest(tmp_path / "data", folder)
    graph = graph_for(tmp_path / "data", store=InMemoryStore(), context=Settings(interactive=False, power=power))
    await run(graph, FIRST, "one")
    about = "# Team {0}\n\nThe failed job of team {0} is often retried by hand by default of the shift {0}.\n"
    write_documents(folder, {f"team{number}.md": about.format(number) for number in range(40)})
    ingest(tmp_path / "data", folder)
    then = await run(graph, FIRST, "two")
    assert len(then.evidence) > 12
    assert "five times" in then.answer


@pytest.mark.parametrize(
    "excluding",
    [
        {"paths": ["nothing-*.md"]},
        {"kinds": ["csv"]},
        {"collections": ["another"]},
        {"since": "2100-01-01"},
    ],
    ids=lambda given: str(next(iter(given))),
)
async def test_what_is_remembered_meets_the_filters_of_the_request(data_dir: Path, excluding: dict[str, Any]) -> None:
    """Learnt without a filter, asked with one that excludes the passage: as if nothing had been learnt."""
    store = InMemoryStore()
    graph = graph_for(data_dir, store=store)
    await run(graph, FIRST, "one")
    barred = await run(graph, FIRST, "two", given={"filters": excluding})
    assert barred.stop_reason is StopReason.ABSTAINED
    assert barred.spend.searches
    assert barred.citations == ()
    in_the_thread = await run(graph, FIRST, "one", given={"filters": excluding})
    assert in_the_thread.stop_reason is StopReason.ABSTAINED
    fitting = {"filters": {"paths": ["*.md"], "kinds": ["markdown"], "collections": ["manual"], "since": "2000-01-01"}}
    allowed = await run(graph, FIRST, "three", given=fitting)
    assert (allowed.stop_reason, allowed.spend.searches) == (StopReason.ANSWERED, 0)


async def test_what_was_called_bad_is_searched_again_with_a_warning_and_not_learnt(data_dir: Path) -> None:
    store = InMemoryStore()
    graph = graph_for(data_dir, store=store)
    first = await run(graph, FIRST, "one")
    memory = Memory(store, time.time)
    assert first.run
    await memory.feedback(first.run.id, "bad")
    for thread, question in (("two", FIRST), ("four", FIRST), ("three", SIMILAR)):
        again = await run(graph, question, thread)
        assert again.spend.searches
        assert RATED_BAD in again.warnings
    assert len(await store.asearch(("calibrant", "pattern"))) == 1
    assert again.run
    assert await memory.feedback(again.run.id, "good")
    trusted = await run(graph, FIRST, "five")
    assert (trusted.spend.searches, RATED_BAD in trusted.warnings) == (0, False)


async def test_a_dissimilar_task_is_unaffected(data_dir: Path) -> None:
    alone = await run(graph_for(data_dir, store=InMemoryStore()), OTHER)
    store = InMemoryStore()
    graph = graph_for(data_dir, store=store)
    await run(graph, FIRST, "one")
    after = await run(graph, OTHER, "two")
    assert after.spend.retrievals == alone.spend.retrievals
    assert [(one.phase, one.action, one.confidence.score) for one in after.decisions] == [
        (one.phase, one.action, one.confidence.score) for one in alone.decisions
    ]
    assert after.answer == alone.answer


@pytest.mark.parametrize(
    ("question", "least"),
    [("Who is the chief executive of the worker process company?", 0.0), (FIRST, 1.0)],
    ids=["nothing found", "withheld"],
)
async def test_nothing_is_learnt_from_an_abstention(data_dir: Path, question: str, least: float) -> None:
    store = InMemoryStore()
    context = Settings(interactive=False, abstain_below=least)
    state = await run(graph_for(data_dir, store=store, context=context), question)
    assert state.stop_reason is StopReason.ABSTAINED
    assert await store.asearch(("calibrant",)) == []


async def test_what_was_learnt_names_the_passages_that_were_cited(data_dir: Path) -> None:
    store = InMemoryStore()
    state = await run(graph_for(data_dir, store=store), FIRST)
    (experience,) = await store.asearch(("calibrant", "experience"))
    (pattern,) = await store.asearch(("calibrant", "pattern"))
    assert experience.value["evidence_ids"] == [one.evidence_id for one in state.citations]
    assert experience.value["thread_id"] == "t1"
    assert pattern.value["sources"] == ["knowledge"]


async def test_memory_can_be_switched_off(data_dir: Path) -> None:
    store = InMemoryStore()
    context = Settings(interactive=False, switches={"memory": False})
    await run(graph_for(data_dir, store=store, context=context), FIRST, context=context)
    assert await store.asearch(("calibrant",)) == []


async def test_a_remembered_answer_that_lacked_a_part_does_not_end_the_search_for_it(data_dir: Path) -> None:
    both = "How often is a failed job retried by default, and who empties the attic?"
    told, quote = "By default a failed job is retried five times.", "retried five times by default"

    def answers(call: Call) -> Json:
        held = [sid for sid, shown in passages_in(call) if quote in shown]
        rows = [{"text": told, "sources": held[:1], "quote": quote}] if held else []
        return {"answerable": bool(rows), "statements": rows, "disputed": [], "missing": "who empties the attic"}

    with OpenAIServer(smart(answer=answers)) as server:
        graph = over(
            data_dir, settings(server, **EAGER), store=InMemoryStore(), checkpointer=InMemorySaver(serde=serde())
        )
        await run(graph, both, "one")
        second = await run(graph, both, "two")
    assert second.recalled
    assert second.recalled.past_experience > 0.5
    assert "five times" in second.answer
    acted = of_phase(second.decisions, Phase.ACT)
    assert Action.RETRIEVE in [decision.action for decision in acted]
