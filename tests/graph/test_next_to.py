"""What stands next to the passages that a search finds: a model reads it, words alone do not."""

from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

from calibrant.nodes.sources import NEXT_TO, SURROUNDED, around
from calibrant.nodes.work import Work
from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource
from calibrant.state.errors import SourceError
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import Continuous
from tests.graph.house import deps_for, graph_for, ingest, run, state_of, write_documents
from tests.graph.test_wire import Asked, asking
from tests.wire.smart import smart

PARTS = ["gasket", "spindle", "bellows", "flange", "ratchet", "plunger"]
PAGE = "\n\n".join(
    [
        "# Overhaul",
        *(
            f"The {part} is set aside first. {'Its seat is cleaned with spirit and left to dry. ' * 18}"
            for part in PARTS
        ),
        "# Paint",
        "The flange may be painted.",
    ]
)
QUESTION = "What happens with the bellows?"


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    ingest(tmp_path, write_documents(tmp_path / "docs", {"overhaul.md": PAGE}))
    return tmp_path


@pytest.fixture
def base(data_dir: Path) -> KnowledgeBase:
    return KnowledgeBase.open(data_dir / "knowledge" / "manual", "manual")


def part_of(item: Evidence) -> str:
    return next(part for part in PARTS if part in item.text)


async def test_a_knowledge_base_knows_what_stands_around_a_passage_in_its_section(base: KnowledgeBase) -> None:
    source = KnowledgeSource([base])
    assert isinstance(source, Continuous)
    found = {
        part: (await source.search(SearchQuery(text=part, limit=1)))[0] for part in ("gasket", "bellows", "plunger")
    }
    near = await source.around([*(item.id for item in found.values()), "none"])
    assert {part: [part_of(item) for item in near[held.id]] for part, held in found.items()} == {
        "gasket": ["spindle"],
        "bellows": ["spindle", "flange"],
        "plunger": ["ratchet"],  # what follows stands in another section
    }


@pytest.mark.parametrize(("relevance", "place"), [((0.9, 0.5), 0), ((0.5, 0.9), 1)])
async def test_it_is_relevant_for_what_it_stands_next_to(
    base: KnowledgeBase, data_dir: Path, relevance: tuple[float, float], place: int
) -> None:
    source = KnowledgeSource([base])
    first, second = [(await source.search(SearchQuery(text=part, limit=1)))[0] for part in ("gasket", "bellows")]
    given = [item.replace(relevance=fit) for item, fit in zip((first, second), relevance, strict=True)]
    work = cast(Work, SimpleNamespace(deps=deps_for(data_dir, sources=[source]), warnings=[]))
    near = {part_of(item): item.relevance for item in await around(sorted(given, key=lambda one: -one.relevance), work)}
    assert near == {"spindle": 0.5, "flange": pytest.approx(NEXT_TO * relevance[1])}, "the spindle stands between them"


async def test_a_source_that_breaks_costs_nothing_but_a_warning(base: KnowledgeBase, data_dir: Path) -> None:
    class Broken(KnowledgeSource):
        async def around(self, ids: Sequence[str], collections: Sequence[str] = ()) -> dict[str, list[Evidence]]:
            raise SourceError("disk full")

    source = Broken([base])
    found = list(await source.search(SearchQuery(text=QUESTION, limit=SURROUNDED)))
    work = cast(Work, SimpleNamespace(deps=deps_for(data_dir, sources=[source]), warnings=[]))
    assert await around(found, work) == []
    assert work.warnings == ["What stands next to passages of knowledge could not be read: disk full."]


async def test_a_model_reads_what_stands_next_to_what_was_found(data_dir: Path, tmp_path: Path) -> None:
    asked: Asked = asking(data_dir, tmp_path)
    ran = await asked(smart(), QUESTION, doubt=0.0)
    prompt = next(record for record in ran.requests if record.name == "answer").body["messages"][1]["content"]
    assert [part for part in PARTS if f"The {part} is set aside" in prompt] == ["spindle", "bellows", "flange"]
    held = {part_of(item) for item in ran.state.evidence if item.locator.heading.endswith("Overhaul")}
    assert {"spindle", "flange"} <= held
    assert set(ran.state.retrievals[0].new_ids) == {item.id for item in ran.state.evidence}
    assert ran.state.spend.chunks == len(ran.state.evidence)


async def test_without_a_model_nothing_else_is_read(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    await run(graph, QUESTION)
    state = await state_of(graph)
    assert {item.id for item in state.evidence} == set(state.retrievals[0].evidence_ids)


async def test_what_stands_between_two_passages_is_read_however_far_behind_they_are(
    base: KnowledgeBase, data_dir: Path
) -> None:
    source = KnowledgeSource([base])
    first, second = [(await source.search(SearchQuery(text=part, limit=1)))[0] for part in ("bellows", "ratchet")]
    best = [first.replace(id=f"e{number}", source="web", relevance=0.9) for number in range(SURROUNDED)]
    given = [*best, first.replace(relevance=0.4), second.replace(relevance=0.3)]
    work = cast(Work, SimpleNamespace(deps=deps_for(data_dir, sources=[source]), warnings=[]))
    assert [(part_of(item), item.relevance) for item in await around(given, work)] == [("flange", 0.3)]
