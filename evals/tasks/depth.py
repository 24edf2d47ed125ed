"""``depth``: the retrieval that deepens by itself against a fixed depth of 1, 2 and 3, over the set's own documents.

A retrieval has found what it needs when the passages kept hold an answer, in a document that answers (in any, where a
user's own files are asked); where a set only names documents, when passages of them are kept (of all, where the
question needs them together).
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from calibrant.evals.figures import column, figure, histogram, mean, plain_figure
from calibrant.evals.once import OncePerSet
from calibrant.evals.questions import Libraries, document_of, holds, of_set, small
from calibrant.evals.setup import Setup
from calibrant.evals.task import Figure, Item, Judge, Plot, Sample, Series, Task, Verdict
from calibrant.graph.app import warm
from calibrant.graph.build import make_deps
from calibrant.graph.retrieval import Compiled, information_graph
from calibrant.graph.settings import Settings
from calibrant.state.task import Power

AUTO, ALWAYS = Power.AUTO.value, Power.DEEP.value
MODES = tuple(power.value for power in Power)
ASKED = ("nq_open_oracle", "squad2", "hotpot", "scifact")


@asynccontextmanager
async def opened(setup: Setup) -> AsyncIterator[Judge]:
    """A judge that retrieves for a question once for each depth."""
    libraries = Libraries(setup, "depth")
    graphs = OncePerSet(lambda dataset: graph_over(setup, libraries, dataset))

    async def judge(item: Item) -> Verdict:
        if not item.truth["needs"] and not item.truth["answers"]:
            return Verdict(unscored="no document answers it")
        graph = await graphs.of(item.dataset)
        values: dict[str, Any] = {}
        for mode in MODES:
            values |= await retrieved(graph, mode, item)
        return Verdict({**values, "depth": values[f"depth:{AUTO}"]})

    yield judge


async def graph_over(setup: Setup, libraries: Libraries, dataset: str) -> Compiled:
    """The retrieval over the documents of ``dataset``, warm: its seconds are told."""
    machine = await libraries.machine(dataset)
    deps = make_deps(embeddings=setup.encoder, context=setup.settings, machine=machine, secrets=setup.secrets)
    await warm(deps, setup.settings, setup.encoder)
    return information_graph(deps, Settings)


async def retrieved(graph: Compiled, mode: str, item: Item) -> dict[str, Any]:
    """One retrieval as values, each named ``what:mode``."""
    result = await graph.ainvoke({"query": item.given, "power": mode, "max_results": 100})
    kept = {document["id"]: document for document in result["documents"]}
    last = result["rounds"][-1]
    values = {
        "found": found(list(kept.values()), item.truth),
        "chunks": len(kept),
        "tokens": last.tokens,
        "searches": result["spend"].searches,
        "rounds": len(result["rounds"]),
        "seconds": round(result["spend"].seconds, 4),
        "depth": result["depth_used"],
        "score": round(result["new_confidence"], 4),
    }
    return {f"{name}:{mode}": value for name, value in values.items()}


def found(passages: list[dict[str, Any]], truth: dict[str, Any]) -> bool:
    """Whether the passages kept hold what the question needs."""
    needs, answers = set(truth["needs"]), truth["answers"]
    if answers:
        inside = [one for one in passages if not needs or document_of(one["url"]) in needs]
        return any(holds(one["text"], answers) for one in inside)
    kept = {document_of(one["url"]) for one in passages}
    return needs <= kept if truth["together"] else bool(needs & kept)


def figures(sample: Sample) -> Iterator[Figure]:
    """What each depth finds and costs, and what the adaptive one saves against always going deep."""
    for dataset, part in sample.by_dataset():
        for mode in MODES:
            name = "adaptive" if mode == AUTO else f"depth {mode}"
            yield figure(part, dataset, f"{name}: found", mean, column(part.rows, f"found:{mode}"))
            for cost in ("chunks", "tokens", "searches", "seconds"):
                values = column(part.rows, f"{cost}:{mode}")
                yield plain_figure(part, dataset, f"{name}: {cost}", mean, values, aim="down", detail=cost == "seconds")
        for cost in ("chunks", "tokens", "searches"):
            ours, theirs = column(part.rows, f"{cost}:{AUTO}"), column(part.rows, f"{cost}:{ALWAYS}")
            yield figure(part, dataset, f"saved against depth {ALWAYS}: {cost}", _saved, ours, theirs)
        ours, theirs = column(part.rows, f"found:{AUTO}"), column(part.rows, f"found:{ALWAYS}")
        yield figure(part, dataset, f"lost against depth {ALWAYS}", _lost, ours, theirs, aim="down")


def _saved(ours: Any, theirs: Any) -> float | None:
    return 1.0 - float(sum(ours)) / float(sum(theirs)) if sum(theirs) else None


def _lost(ours: Any, theirs: Any) -> float | None:
    return (float(sum(theirs)) - float(sum(ours))) / len(ours) if len(ours) else None


def plots(sample: Sample) -> list[Plot]:
    """How deep the adaptive retrieval went, and what each depth finds for its passages."""
    series = []
    for dataset, part in sample.by_dataset():
        chunks = tuple(float(mean(column(part.rows, f"chunks:{mode}")) or 0.0) for mode in MODES)
        share = tuple(float(mean(column(part.rows, f"found:{mode}")) or 0.0) for mode in MODES)
        series.append(Series(dataset, chunks, share))
    cost = Plot("Passages and finds: adaptive, depth 1, 2, 3", "passages, mean", "found", tuple(series), "points")
    return [histogram(sample, "depth", "Depth of the adaptive retrieval"), cost]


TASK = Task(
    name="depth",
    about="Adaptive depth against fixed depths 1, 2 and 3: what is found, and for how much",
    loaders={name: of_set(name) for name in ASKED},
    small=small,
    open=opened,
    figures=figures,
    plots=plots,
    rooms=("state", "judges", "retrievers", "nodes", "graph"),
    concurrency=2,
)
