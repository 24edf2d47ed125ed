"""A question whose answer stands on a page that another page names: the second round follows the name."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from calibrant.graph.retrieval import information_graph
from calibrant.graph.settings import Settings
from calibrant.state.depth import CHOSEN, CHUNKS
from calibrant.state.evidence import Evidence, SearchQuery
from tests.graph.house import deps_for

QUESTION = "In what year was the singer who popularized the song Slow Harbour born?"
SONG = Evidence(
    id="song", title="Slow Harbour", source="pages", url="https://a.example/song",
    text="Slow Harbour is a song written by Nils Toll in Bergen, and popularized by Ada Quist in 1949.",
)  # fmt: skip
SINGER = Evidence(
    id="singer", title="Ada Quist", source="pages", url="https://a.example/quist",
    text="Ada Quist (8 November 1927 - 1 January 2013) recorded for thirty years.",
)  # fmt: skip
OTHERS = tuple(
    Evidence(
        id=f"other{number}", title=f"Festival of town {number}", source="pages", url=f"https://a.example/{number}",
        text=f"Choir {number} of the town sings at its own festival in summer, and a boat race ends the day {number}.",
    )
    for number in range(30)
)  # fmt: skip


class Pages:
    """The singer's page is found by her name alone."""

    name = "pages"
    remote = False

    def __init__(self) -> None:
        self.asked: list[str] = []

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        self.asked.append(query.text)
        found = (SINGER, *OTHERS) if "Quist" in query.text else (SONG, *OTHERS)
        return [item for item in found if item.id not in query.exclude][: query.limit]


async def retrieved(**given: Any) -> tuple[dict[str, Any], Pages]:
    pages = Pages()
    graph = information_graph(deps_for(Path("unused"), sources=[pages]), Settings)
    return dict(await graph.ainvoke({"query": QUESTION, "max_results": 100, **given})), pages


async def test_the_second_round_searches_for_the_name_and_keeps_its_page() -> None:
    result, pages = await retrieved()
    assert "Ada Quist" in pages.asked
    kept = [document["id"] for document in result["documents"]]
    assert {"song", "singer"} <= set(kept[:3])
    assert len(kept) <= CHOSEN[2] < CHUNKS[2]


async def test_a_forced_depth_sends_one_round_and_keeps_its_whole_share() -> None:
    result, pages = await retrieved(power="2")
    assert "Ada Quist" not in pages.asked
    assert len(result["documents"]) == CHUNKS[2]
