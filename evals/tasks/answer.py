"""``answer``: the whole graph, end to end, over a knowledge base of the set's own documents.

A question is answered right when a cited sentence holds one of its answers; one that cannot be answered is handled
right when the agent abstains.
"""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.evals import manuals, metrics
from calibrant.evals.figures import column, figure, histogram, mean, plain_figure, reliability, risk_coverage
from calibrant.evals.halves import MANUALS
from calibrant.evals.once import OncePerSet
from calibrant.evals.questions import Libraries, document_of, holds, of_set, small
from calibrant.evals.setup import Setup, spent
from calibrant.evals.task import Figure, Item, Judge, Plot, Row, Sample, Task, Verdict
from calibrant.graph.build import make_deps
from calibrant.graph.retrieval import Compiled
from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.graph.wiring import wire
from calibrant.nodes.work import cited_evidence, kind_of_task
from calibrant.state.channels import View

ASKED = ("squad2", "nq_open_oracle", "nq_open_gaps", "faquad", "faquad_gaps")
LIMITS = ("searches", "chunks", "depth")


@asynccontextmanager
async def opened(setup: Setup) -> AsyncIterator[Judge]:
    """A judge that asks the graph: nobody is there to ask, and no question learns from another."""
    libraries = Libraries(setup, "answer")
    graphs = OncePerSet(lambda library: graph_over(setup, libraries, library))

    async def judge(item: Item) -> Verdict:
        graph, config = await graphs.of(item.library), RunnableConfig(configurable={"thread_id": item.id})
        await graph.ainvoke({"task": item.given}, config)
        state = View.model_validate((await graph.aget_state(config)).values)
        await graph.checkpointer.adelete_thread(item.id)  # type: ignore[union-attr]
        return Verdict(values_of(state, item))

    yield judge


async def graph_over(setup: Setup, libraries: Libraries, library: str) -> Compiled:
    """The graph over a knowledge base."""
    switches = setup.settings.switches.model_copy(update={"memory": False})
    context = setup.settings.model_copy(update={"interactive": False, "switches": switches})
    machine = await libraries.machine(library)
    deps = make_deps(
        embeddings=setup.encoder, context=context, machine=machine, secrets=setup.secrets, calibrators=setup.calibrators
    )
    return wire(deps, Settings, checkpointer=InMemorySaver(serde=serde()))


def values_of(state: View, item: Item) -> dict[str, Any]:
    """What the agent answered, as values."""
    answers, needs = item.truth["answers"], set(item.truth["needs"])
    quotes = [citation.quote for citation in state.citations]
    right = [holds(quote, answers) for quote in quotes]
    return {
        "answered": bool(quotes),
        "citations": len(quotes),
        "holding": sum(right),
        "right": any(right) if answers else not quotes,
        "retrieved": any(
            document_of(one.url) in needs if needs else holds(one.text, answers) for one in state.evidence
        ),
        "confidence": round(state.confidence.score, 4) if state.confidence else 0.0,
        "depth": max((one.depth_used for one in state.retrievals), default=0),
        "searches": state.spend.searches,
        "chunks": state.spend.chunks,
        "stop": state.stop_reason.value if state.stop_reason else "",
        "raw": raw_scores(state),
        "query_type": state.perceived.query_type.value if state.perceived else "",
        "language": state.perceived.language.value if state.perceived else "",
        "names_code": state.perceived is not None and kind_of_task(state.perceived).names_code,
        "in_sections": any(one.is_in_section for one in cited_evidence(state)),
        **spent(state.spend),
    }


def raw_scores(state: View) -> dict[str, float]:
    """The last score of each phase, and of the last retrieval, before calibration."""
    scores = {decision.phase.value: decision.confidence.raw for decision in state.decisions}
    if state.retrievals:
        scores["sufficiency"] = state.retrievals[-1].sufficiency.confidence.raw
    return {name: round(score, 5) for name, score in scores.items()}


def figures(sample: Sample) -> Iterator[Figure]:
    """Of what can be answered, what was; of what cannot, what was all the same; and what the confidence is worth."""
    for dataset, part in sample.by_dataset():
        yield from _answerable(dataset, part.where(_can))
        yield from _unanswerable(dataset, part.where(lambda row: not _can(row)))
        yield figure(part, dataset, "right or rightly abstained", mean, column(part.rows, "right"))
        yield from _confident(dataset, part)
        for name in LIMITS:
            yield plain_figure(part, dataset, f"{name}, mean", mean, column(part.rows, name), aim="down", detail=True)
    if len(sample.datasets) > 1:
        yield from _confident("all", sample)


def _confident(dataset: str, part: Sample) -> Iterator[Figure]:
    """What the confidence of an answer is worth. ``by chance``: the error that confidences which are exactly right
    would show over so few answers."""
    answered = part.where(_answered)
    right, sure = column(answered.rows, "right"), column(answered.rows, "confidence")
    yield figure(answered, dataset, "confidence, AUROC", metrics.auroc, right, sure)
    yield figure(answered, dataset, "confidence, ECE", metrics.ece, right, sure, aim="down")
    yield plain_figure(answered, dataset, "confidence, ECE by chance", metrics.ece_by_chance, sure, aim="")
    yield figure(answered, dataset, "AURC", metrics.aurc, right, sure, aim="down")


def _answerable(dataset: str, part: Sample) -> Iterator[Figure]:
    if not part.rows:
        return
    yield figure(part, dataset, "answerable: answer found in the cited sentences", mean, column(part.rows, "right"))
    yield figure(part, dataset, "answerable: right document retrieved", mean, column(part.rows, "retrieved"))
    said = [not answered for answered in column(part.rows, "answered")]
    yield figure(part, dataset, "answerable: abstained", mean, said, aim="down")
    cited = part.where(_answered)
    held, all_of_them = column(cited.rows, "holding"), column(cited.rows, "citations")
    yield figure(cited, dataset, "answerable: citations that hold the answer", _ratio, held, all_of_them)


def _unanswerable(dataset: str, part: Sample) -> Iterator[Figure]:
    if part.rows:
        said = column(part.rows, "answered")
        yield figure(part, dataset, "unanswerable: answered all the same", mean, said, aim="down")


def _ratio(part: Any, whole: Any) -> float | None:
    return float(sum(part) / sum(whole)) if sum(whole) else None


def _can(row: Row) -> bool:
    return bool(row.truth["answers"])


def _answered(row: Row) -> bool:
    return bool(row.values["answered"])


def plots(sample: Sample) -> list[Plot]:
    """How true the confidence of an answer is, what is left when only sure ones are taken, and how deep it went."""
    answered = sample.where(_answered)
    return [
        reliability(answered, "confidence", right="right"),
        risk_coverage(answered, "confidence", right="right"),
        histogram(sample, "depth", "Depth of search"),
    ]


TASK = Task(
    name="answer",
    about="The whole graph: answers with citations, abstentions, and what the confidence is worth",
    loaders={**{name: of_set(name) for name in ASKED}, MANUALS: manuals.items},
    small=small,
    open=opened,
    figures=figures,
    plots=plots,
    rooms=("state", "judges", "retrievers", "memory", "nodes", "graph"),
    concurrency=2,
    stratum=lambda item: "answerable" if item.truth["answers"] else "unanswerable",
)
