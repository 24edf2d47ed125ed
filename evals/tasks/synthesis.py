"""``synthesis``: weighted synthesis against plain concatenation, on questions whose documents disagree.

Each document is one helper's whole source: what the extractor quotes from it is that helper's result. Concatenation
gives the results one after the other; the product scores, filters, weighs and tells disagreement. An answer is counted
as stated where a sentence holds it; a disagreement that is told as one states neither side as fact.
"""

import json
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from functools import reduce
from pathlib import Path
from typing import Any

from langgraph.runtime import Runtime

from calibrant.evals import metrics
from calibrant.evals.figures import column, figure, mean
from calibrant.evals.questions import holds
from calibrant.evals.setup import Setup, spent
from calibrant.evals.task import Figure, Item, Judge, Sample, Task, Verdict
from calibrant.graph.build import make_deps
from calibrant.judges.given import ToAnswer, ToScore, ToUnderstand
from calibrant.nodes.synthesize import synthesize
from calibrant.state.answer import Synthesis
from calibrant.state.budget import Spend, add_spend
from calibrant.state.channels import View
from calibrant.state.context import Context
from calibrant.state.evidence import Evidence
from calibrant.state.task import Branch, Step, StepStatus, SubResult
from calibrant.state.task import Task as Request

WAYS = ("concatenation", "weighted")


def ramdocs(root: Path) -> Iterator[Item]:
    """Questions with several right answers, documents that misinform, and noise."""
    text = (root / "ramdocs" / "RAMDocs_first250.jsonl").read_text(encoding="utf-8")
    for row in map(json.loads, text.splitlines()):
        documents = tuple(document["text"] for document in row["documents"])
        yield _item("ramdocs", row["question"], documents, row["gold_answers"], row["wrong_answers"])


def small(record: Mapping[str, Any]) -> Item:
    """``question``, ``documents``, the ``right`` answers and the ``wrong`` ones."""
    return _item("small", record["question"], tuple(record["documents"]), record["right"], record["wrong"])


def _item(dataset: str, question: str, documents: tuple[str, ...], right: list[str], wrong: list[str]) -> Item:
    return Item(dataset, question, (question, documents), {"right": right, "wrong": wrong})


@asynccontextmanager
async def opened(setup: Setup) -> AsyncIterator[Judge]:
    """A judge with the product's own ``synthesize`` node."""
    deps = make_deps(
        embeddings=setup.encoder, sources=(), context=setup.settings, machine=setup.machine, secrets=setup.secrets
    )
    node = synthesize(deps)

    async def judge(item: Item) -> Verdict:
        question, documents = item.given
        view = await results_of(setup, question, documents)
        runtime: Runtime[Context] = Runtime(context=setup.settings, stream_writer=lambda _: None)
        update = await node(view, runtime)
        said = Synthesis.model_validate(update["synthesis"])
        plain = [statement.text for result in view.results for statement in result.statements]
        values = {
            **values_of("concatenation", plain, plain, item.truth),
            **values_of("weighted", *_lines(said), item.truth),
        }
        cost = spent(add_spend(view.spend, update["spend"]))
        measured = {"confidence": round(said.confidence.score, 4), "conflicts": len(said.conflicts), **cost}
        return Verdict({**values, **measured})

    yield judge


async def results_of(setup: Setup, question: str, documents: Sequence[str]) -> View:
    """A run's state before synthesis: one step and one result a document, each scored."""
    understood = await setup.ask(setup.panel.understand, ToUnderstand(question))
    task: Request = understood.value
    evidence = tuple(
        Evidence(id=f"e{place}", text=text, title="", source="eval", url=f"eval:{place}", relevance=1.0)
        for place, text in enumerate(documents)
    )
    steps = tuple(Step(id=f"s{place}", question=question) for place in range(len(documents)))
    made = [await _result(setup, task, step, item) for step, item in zip(steps, evidence, strict=True)]
    results = tuple(result for result, _ in made if result is not None)
    spend = reduce(add_spend, (one for _, one in made), understood.spend)
    branch = Branch(id="b", name="each document", steps=steps)
    return View(perceived=task, selected=branch, evidence=evidence, results=results, spend=spend)


async def _result(setup: Setup, task: Request, step: Step, item: Evidence) -> tuple[SubResult | None, Spend]:
    """The result that one document gives, if it answers, and what that took."""
    answered = await setup.ask(setup.panel.answer, ToAnswer(step, task, (item,)))
    if answered.value.status is not StepStatus.ANSWERED:
        return None, answered.spend
    scored = await setup.ask(setup.panel.score, ToScore(answered.value, task, (item,)))
    return answered.value.replace(confidence=scored.value), add_spend(answered.spend, scored.spend)


def _lines(said: Synthesis) -> tuple[list[str], list[str]]:
    """All sentences, and those that state something as fact: a told disagreement states neither of its sides."""
    pairs = [{conflict.first.id, conflict.second.id} for conflict in said.conflicts]
    lines = [line.text for line in said.lines if line.claim_ids]
    facts = [line.text for line in said.lines if line.claim_ids and not any(p <= set(line.claim_ids) for p in pairs)]
    return lines, facts


def values_of(way: str, lines: Sequence[str], facts: Sequence[str], truth: Mapping[str, Any]) -> dict[str, Any]:
    """One way's answer as values, each named ``what:way``."""
    right, wrong = truth["right"], truth["wrong"]
    found = [holds(" ".join(lines), (answer,)) for answer in right]
    off = [line for line in lines if not holds(line, (*right, *wrong))]
    values = {
        "found": sum(found) / len(found) if found else 1.0,
        "wrong": holds(" ".join(facts), wrong) if wrong else False,
        "beside": len(off) / len(lines) if lines else 0.0,
        "sentences": len(lines),
    }
    values["strict"] = values["found"] == 1.0 and not values["wrong"]
    return {f"{name}:{way}": value for name, value in values.items()}


def figures(sample: Sample) -> Iterator[Figure]:
    """What each way tells: right answers, wrong ones as fact, sentences beside the point; and the difference."""
    for dataset, part in sample.by_dataset():
        for way in WAYS:
            for name, what, aim in (
                ("strict", "all right answers, no wrong one as fact", "up"), ("found", "right answers told", "up"),
                ("wrong", "a wrong answer as fact", "down"), ("beside", "sentences beside the point", "down"),
                ("sentences", "sentences", "down"),
            ):  # fmt: skip
                yield figure(part, dataset, f"{way}: {what}", mean, column(part.rows, f"{name}:{way}"), aim=aim)
        gained = [float(row.values["strict:weighted"]) - float(row.values["strict:concatenation"]) for row in part.rows]
        yield figure(part, dataset, "weighted over concatenation", mean, gained)
        right, sure = column(part.rows, "strict:weighted"), column(part.rows, "confidence")
        yield figure(part, dataset, "confidence, AUROC", metrics.auroc, right, sure)


TASK = Task(
    name="synthesis",
    about="Weighted synthesis against plain concatenation where documents disagree",
    loaders={"ramdocs": ramdocs},
    small=small,
    open=opened,
    figures=figures,
    rooms=("state", "judges", "nodes", "graph"),
)
