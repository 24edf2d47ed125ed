"""The order of what was found for a question of several parts: the best for each part comes first."""

from types import SimpleNamespace
from typing import cast

from calibrant.nodes.retrieval.channels import Hits, RetrieveView
from calibrant.nodes.retrieval.rank import best_first
from calibrant.nodes.work import Work
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import RetrievalRequest, SourceReport

FOSTER, LANCHESTER = "What does Foster do?", "What does Lanchester do?"
SCORES = {
    FOSTER: {"f1": 0.9, "f2": 0.8, "f3": 0.7, "l1": 0.0},
    LANCHESTER: {"f1": 0.1, "f2": 0.1, "f3": 0.1, "l1": 0.3},
}


def passage(name: str) -> Evidence:
    return Evidence(id=name, text=name, title=name, source="knowledge", url=f"file:///{name}.md", rank=1)


def order(*parts: str) -> list[str]:
    """The ids of what ``best_first`` makes of three passages about the one and one about the other."""
    report = SourceReport(source="knowledge", state=SourceState.OK)
    found = tuple(passage(name) for name in ("f1", "f2", "f3", "l1"))
    request = RetrievalRequest(id="r", query="What do both do?", questions=parts)
    view = RetrieveView(request=request, hits=(Hits(query="novelist", evidence=found, report=report),))

    def rate(questions: tuple[str, ...], items: list[Evidence]) -> list[float]:
        return [SCORES[questions[0]][item.id] for item in items]

    work = cast(Work, SimpleNamespace(panel=SimpleNamespace(rate_by_words=rate)))
    return [item.id for item in best_first(view, work)]


def test_the_one_that_more_is_said_of_does_not_crowd_out_the_other() -> None:
    assert order(FOSTER, LANCHESTER)[:2] == ["f1", "l1"]


def test_one_question_has_what_fits_best_first() -> None:
    assert order(FOSTER) == ["f1", "f2", "f3", "l1"]
