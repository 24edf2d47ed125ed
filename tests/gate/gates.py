"""What each gate measures: one panel of judgements over the items of ``data/``, without a model and without embeddings.

The items were written before anything was run on them: some go wrong, and that is what the floors allow for.
"""

import asyncio
import json
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.evals import metrics
from calibrant.evals.questions import Document, knowledge
from calibrant.graph.build import make_deps
from calibrant.graph.panels import assemble
from calibrant.graph.retrieval import Compiled
from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.graph.wiring import wire
from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.free.request.vague import VAGUE
from calibrant.judges.given import ToReconcile, ToSuffice, ToSupport, ToUnderstand, Turn
from calibrant.judges.panel import Panel
from calibrant.state.answer import Claim, Verdict
from calibrant.state.channels import View
from calibrant.state.context import Context
from calibrant.state.evidence import Evidence
from calibrant.state.guidance import WordingRequest
from calibrant.state.task import INITIAL_DEPTH

DATA = Path(__file__).parent / "data"
ENOUGH = 0.5
"""A sufficiency from here on counts as a yes (``judges/free/evidence/sufficiency.py``)."""
VERDICTS = {Verdict.SUPPORTED: "supported", Verdict.CONTRADICTED: "contradicted"}

Record = dict[str, Any]


@dataclass(frozen=True)
class Outcome:
    """The figures of a gate by name, and a line for each item that went wrong."""

    figures: dict[str, float]
    wrong: tuple[str, ...]


Gate = Callable[[Panel], Outcome]


def records(name: str) -> Any:
    """A file of ``data/``."""
    return json.loads((DATA / f"{name}.json").read_text(encoding="utf-8"))


def free_panel() -> Panel:
    """Every judgement without a model and without embeddings: what every machine has."""
    return assemble(None, None, Settings())


def outcome(wrong: Iterable[str], **figures: float | None) -> Outcome:
    """An outcome; a figure that cannot be told (nothing was reported, say) counts as 0."""
    return Outcome({name: value or 0.0 for name, value in figures.items()}, tuple(wrong))


def passage(name: str, text: str) -> Evidence:
    """A text as a passage."""
    return Evidence(id=name, text=text, title="", source="gate", url=f"gate:{name}")


def claim(item: Evidence, text: str) -> Claim:
    """A claim that quotes the whole of ``item``."""
    span = span_of(item, item.text)
    return Claim(id=f"c{item.id}", text=text, spans=(span,) if span else ())


def sufficiency(panel: Panel) -> Outcome:
    """Can these passages answer the question?"""
    items = records("sufficiency")
    scores = [sufficiency_of(panel, item) for item in items]
    true, said = [item["answers"] for item in items], [score >= ENOUGH for score in scores]
    wrong = (
        f"{item['kind']}: {item['question']} is {'' if item['answers'] else 'not '}answered: {score:.2f}"
        for item, score, yes in zip(items, scores, said, strict=True)
        if yes != item["answers"]
    )
    return outcome(wrong, auroc=metrics.auroc(true, scores), balanced_accuracy=metrics.balanced_accuracy(true, said))


def sufficiency_of(panel: Panel, item: Record) -> float:
    """The score of one item."""
    evidence = tuple(passage(f"p{place}", text) for place, text in enumerate(item["passages"]))
    return panel.suffice.free(ToSuffice((item["question"],), evidence)).value.confidence.score


def conflicts(panel: Panel) -> Outcome:
    """Which pairs are reported as conflicts?"""
    items = records("conflicts")
    said = [is_reported(panel, item) for item in items]
    true = [item["contradicts"] for item in items]
    wrong = (
        f"{item['kind']}: {'reported' if yes else 'missed'}: {item['first']} | {item['second']}"
        for item, yes in zip(items, said, strict=True)
        if yes != item["contradicts"]
    )
    return outcome(wrong, precision=metrics.precision(true, said), recall=metrics.recall(true, said))


def is_reported(panel: Panel, item: Record) -> bool:
    """Whether the two texts of one item are reported as a conflict."""
    texts = passage("a", item["first"]), passage("b", item["second"])
    claims = tuple(claim(text, text.text) for text in texts)
    return bool(panel.reconcile.free(ToReconcile(claims, texts)).value)


def questions(panel: Panel) -> Outcome:
    """What kind of answer does a question need, and how deep does its search begin?"""
    items = records("questions")
    said = [panel.understand.free(ToUnderstand(item["question"])).value.query_type for item in items]
    wrong = (
        f"{item['type']}, called {kind.value}: {item['question']}"
        for item, kind in zip(items, said, strict=True)
        if kind.value != item["type"]
    )
    depths = [INITIAL_DEPTH[kind] == item["depth"] for item, kind in zip(items, said, strict=True)]
    names = [item["type"] for item in items], [kind.value for kind in said]
    return outcome(
        wrong, accuracy=metrics.accuracy(*names), macro_f1=metrics.macro_f1(*names), right_depth=mean(depths)
    )


def requests(panel: Panel) -> Outcome:
    """Which requests are too vague to work on?"""
    items = records("requests")
    scores = [panel.understand.free(ToUnderstand(item["request"], history_of(item))).value.vagueness for item in items]
    true, said = [item["vague"] for item in items], [score >= VAGUE for score in scores]
    wrong = (
        f"{'vague' if item['vague'] else 'clear'}: {item['request']}: {score:.2f}"
        for item, score, yes in zip(items, scores, said, strict=True)
        if yes != item["vague"]
    )
    return outcome(
        wrong,
        auroc=metrics.auroc(true, scores),
        precision=metrics.precision(true, said),
        recall=metrics.recall(true, said),
    )


def history_of(item: Record) -> tuple[Turn, ...]:
    """The turns before a request."""
    return tuple(Turn(*pair) for pair in item.get("history", ()))


def claims(panel: Panel) -> Outcome:
    """Does the passage support the claim, contradict it, or neither?"""
    items = records("claims")
    said = [verdict_on(panel, item) for item in items]
    true = [item["verdict"] for item in items]
    wrong = (
        f"{item['verdict']}, called {verdict}: {item['claim']} | {item['text']}"
        for item, verdict in zip(items, said, strict=True)
        if verdict != item["verdict"]
    )
    supported = [one == "supported" for one in true], [one == "supported" for one in said]
    return outcome(
        wrong,
        accuracy=metrics.accuracy(true, said),
        support_precision=metrics.precision(*supported),
        support_recall=metrics.recall(*supported),
    )


def verdict_on(panel: Panel, item: Record) -> str:
    """The verdict on one claim; what is qualified counts as neither."""
    text = passage("a", item["text"])
    (judged,) = panel.support.free(ToSupport((claim(text, item["claim"]),), (text,))).value
    return VERDICTS.get(judged.verdict, "neither")


def routes(panel: Panel) -> Outcome:
    """Whole runs through the compiled graph: where they end, how much they search, and how sure they are."""
    return asyncio.run(_routes(panel))


async def _routes(panel: Panel) -> Outcome:
    held = records("routes")
    items = held["routes"]
    with TemporaryDirectory() as folder:
        graph = graph_over(Path(folder), held["documents"], panel)
        states = [await state_after(graph, item) for item in items]
    wrong = [line for item, state in zip(items, states, strict=True) for line in faults(item, state)]
    pairs = [pair for pair in zip(items, states, strict=True) if pair[0]["expect"] in ("answers", "abstains")]
    return outcome(
        wrong,
        right_route=mean([route_is_right(item, state) for item, state in zip(items, states, strict=True)]),
        within_searches=mean(
            [state.spend.searches <= one["searches"] for one, state in zip(items, states, strict=True)]
        ),
        within_depth=mean([depth_of(state) <= one["depth"] for one, state in zip(items, states, strict=True)]),
        confidence_right=mean([confidence_is_right(item, state) for item, state in pairs]),
        confidence_auroc=metrics.auroc([one["expect"] == "answers" for one, _ in pairs], [sure(s) for _, s in pairs]),
        mean_searches=mean([state.spend.searches for state in states]),
    )


def graph_over(folder: Path, documents: dict[str, str], panel: Panel) -> Compiled:
    """The graph over a knowledge base of ``documents``, judged by ``panel``."""
    named = [Document(name, text) for name, text in documents.items()]
    machine = Machine(data_dir=knowledge(folder, "gate", named, None), embeddings="none", allow_download=False)
    made = make_deps(machine=machine, secrets=Secrets(), context=Settings())

    async def judged_by(_: Context) -> Panel:
        return panel

    return wire(replace(made, panel=judged_by), Settings, checkpointer=InMemorySaver(serde=serde()))


async def state_after(graph: Compiled, item: Record) -> View:
    """The state where a run ends or waits. Nobody is there, but where the run should ask."""
    config = RunnableConfig(configurable={"thread_id": item["question"]})
    await graph.ainvoke({"task": item["question"], "interactive": item["expect"] == "asks"}, config)
    return View.model_validate((await graph.aget_state(config)).values)


def route_of(state: View) -> str:
    """Where a run ended: ``asks`` (for a wording), ``gives up`` (asks whether to go on), ``abstains``, ``answers``, or
    ``conflict`` (answers, and tells a disagreement)."""
    if state.pending is not None:
        return "asks" if isinstance(state.pending, WordingRequest) else "gives up"
    if not state.citations:
        return "abstains"
    return "conflict" if state.conflicts else "answers"


def route_is_right(item: Record, state: View) -> bool:
    """Whether it ended as expected; an answer must quote what is right from the right document."""
    if route_of(state) != item["expect"]:
        return False
    return "holds" not in item or any(
        item["holds"] in one.quote and one.title == item["document"] for one in state.citations
    )


def depth_of(state: View) -> int:
    """The deepest search of the run."""
    return max((one.depth_used for one in state.retrievals), default=0)


def sure(state: View) -> float:
    """The confidence that the user sees."""
    return state.confidence.score if state.confidence else 0.0


def confidence_is_right(item: Record, state: View) -> bool:
    """At least the level of an answer that is expected; below it where the run should abstain."""
    return bool(sure(state) >= item["confidence"]) is (item["expect"] == "answers")


def faults(item: Record, state: View) -> list[str]:
    """What a run did otherwise than expected, in lines."""
    found = []
    if not route_is_right(item, state):
        quoted = "; ".join(f"{one.title}: {one.quote}" for one in state.citations)
        found.append(f"{item['expect']} expected, {route_of(state)}: {quoted or 'nothing cited'}")
    if state.spend.searches > item["searches"]:
        found.append(f"{state.spend.searches} searches, {item['searches']} allowed")
    if depth_of(state) > item["depth"]:
        found.append(f"depth {depth_of(state)}, {item['depth']} allowed")
    if "confidence" in item and not confidence_is_right(item, state):
        found.append(f"confidence {sure(state):.2f} on the wrong side of {item['confidence']}")
    return [f"{item['question']}: {line}" for line in found]


def mean(values: Sequence[float]) -> float:
    """The mean."""
    return sum(values) / len(values)


GATES: dict[str, Gate] = {
    "sufficiency": sufficiency, "conflicts": conflicts, "questions": questions, "requests": requests,
    "claims": claims, "routes": routes,
}  # fmt: skip
