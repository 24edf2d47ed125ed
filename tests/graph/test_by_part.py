"""The order of what was found: the best for each part of a question comes first, and then what is newest, where time
matters."""

from collections.abc import Mapping
from types import MappingProxyType, SimpleNamespace
from typing import cast

import pytest

from calibrant.nodes.retrieval.channels import Hits, RetrieveView
from calibrant.nodes.retrieval.rank import best_first, newest
from calibrant.nodes.work import Work
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import RetrievalRequest, SourceReport

FOSTER, LANCHESTER = "What does Foster do?", "What does Lanchester do?"
SCORES = {
    FOSTER: {"f1": 0.9, "f2": 0.8, "f3": 0.7, "l1": 0.0},
    LANCHESTER: {"f1": 0.1, "f2": 0.1, "f3": 0.1, "l1": 0.3},
}


def passage(name: str, title: str = "") -> Evidence:
    return Evidence(id=name, text=name, title=title or name, source="knowledge", url=f"file:///{name}.md", rank=1)


def order(*parts: str, timely: bool = False, titles: Mapping[str, str] = MappingProxyType({})) -> list[str]:
    """The ids of what ``best_first`` makes of three passages about the one and one about the other."""
    report = SourceReport(source="knowledge", state=SourceState.OK)
    found = tuple(passage(name, titles.get(name, "")) for name in ("f1", "f2", "f3", "l1"))
    request = RetrievalRequest(id="r", query="What do both do?", questions=parts, time_sensitive=timely)
    view = RetrieveView(request=request, hits=(Hits(query="novelist", evidence=found, report=report),))

    def rate(questions: tuple[str, ...], items: list[Evidence]) -> list[float]:
        return [SCORES[questions[0]][item.id] for item in items]

    work = cast(Work, SimpleNamespace(panel=SimpleNamespace(rate_by_words=rate)))
    return [item.id for item in best_first(view, work)]


def test_the_one_that_more_is_said_of_does_not_crowd_out_the_other() -> None:
    assert order(FOSTER, LANCHESTER)[:2] == ["f1", "l1"]


def test_one_question_has_what_fits_best_first() -> None:
    assert order(FOSTER) == ["f1", "f2", "f3", "l1"]


JUNE, MAY = "Report, updated June 2026", "Report, updated May 2026"


@pytest.mark.parametrize(
    ("timely", "titles", "found"),
    [
        (True, {"f1": MAY, "f3": JUNE}, ["f1", "f3", "f2", "l1"]),
        (False, {"f1": MAY, "f3": JUNE}, ["f1", "f2", "f3", "l1"]),
        (True, {"f1": JUNE, "f3": MAY}, ["f1", "f2", "f3", "l1"]),
        (True, {"f2": JUNE, "f3": JUNE}, ["f1", "f2", "f3", "l1"]),  # of one day the better one
        (True, {"f1": MAY, "l1": JUNE}, ["f1", "f2", "f3", "l1"]),  # the newest answers nothing
        (True, {}, ["f1", "f2", "f3", "l1"]),
    ],
)
def test_where_time_matters_the_newest_that_answers_as_well_is_not_crowded_out(
    timely: bool, titles: dict[str, str], found: list[str]
) -> None:
    assert order(FOSTER, timely=timely, titles=titles) == found


@pytest.mark.parametrize(("fit", "found"), [(0.44, []), (0.45, ["b"])])
def test_half_as_well_is_about_as_well(fit: float, found: list[str]) -> None:
    held = [passage("a"), passage("b", JUNE)]
    assert newest(held, {"a": 0.9, "b": fit}) == found


def test_of_nothing_nothing_is_the_newest() -> None:
    assert newest([], {}) == []
