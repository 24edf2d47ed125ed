"""``claims``: does a passage support a claim, contradict it, or neither?

``scifact`` has claims beside the sentences that people marked; ``fever_symmetric`` claims that cannot be told by
themselves; ``assin`` Portuguese sentences of which one follows from the other, or does not.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from calibrant.evals import metrics
from calibrant.evals.figures import column, figure, mean, reliability, truths
from calibrant.evals.fitting import conflict as fit_conflict
from calibrant.evals.scifact import rationales
from calibrant.evals.setup import Setup, cost_of
from calibrant.evals.task import Figure, Item, Plot, Sample, Task, each
from calibrant.evals.task import Verdict as Told
from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.given import ToSupport
from calibrant.state.answer import Claim, Verdict
from calibrant.state.evidence import Evidence

NEITHER = "neither"
_SAID = {Verdict.SUPPORTED: "supported", Verdict.CONTRADICTED: "contradicted"}


def scifact(root: Path) -> Iterator[Item]:
    """Claims over abstracts; where an abstract says nothing about the claim, over the sentence nearest to it."""
    labels = {"SUPPORT": "supported", "CONTRADICT": "contradicted"}
    for one in rationales(root):
        yield _item("scifact", one.abstract.id, one.claim, one.abstract, one.sentences, labels.get(one.label, NEITHER))


def fever_symmetric(root: Path) -> Iterator[Item]:
    """Claims over one sentence of Wikipedia."""
    for pair in fit_conflict.SETS["fever_symmetric"](root):
        truth = "contradicted" if pair.contradicts else "supported"
        yield _pair("fever_symmetric", pair.first, pair.first, pair.second, truth)


def assin(root: Path) -> Iterator[Item]:
    """Portuguese pairs: the second sentence as a claim over the first one."""
    for name in ("assin2-dev.xml", "assin-ptbr-test.xml"):
        path = root / "assin_pt" / name
        for pair in ElementTree.fromstring(path.read_text(encoding="utf-8").encode()).iter("pair"):  # noqa: S314
            text, claim = (" ".join((pair.findtext(side) or "").split()) for side in ("t", "h"))
            truth = NEITHER if pair.get("entailment") == "None" else "supported"
            yield _pair("assin", text, claim, text, truth, name.split("-")[0])


def small(record: Mapping[str, Any]) -> Item:
    """``claim``, ``text`` and the ``verdict``."""
    return _pair("small", record["claim"], record["claim"], record["text"], record["verdict"])


def _pair(dataset: str, key: str, claim: str, text: str, truth: str, category: str = "") -> Item:
    item = Evidence(id="a", text=text, title="", source="eval", url="eval:a")
    return _item(dataset, key, claim, item, (text,), truth, category)


def _item(
    dataset: str, key: str, claim: str, item: Evidence, quotes: tuple[str, ...], truth: str, category: str = ""
) -> Item:
    spans = tuple(span for span in (span_of(item, quote) for quote in quotes) if span is not None)
    return Item(dataset, key, ToSupport((Claim(id="c1", text=claim, spans=spans),), (item,)), truth, category or truth)


async def judge(setup: Setup, item: Item) -> Told:
    """The verdict on the claim. What is qualified counts as neither, and is counted apart."""
    judged = await setup.ask(setup.panel.support, item.given)
    verdict = judged.value[0].verdict
    values = {"verdict": _SAID.get(verdict, NEITHER), "qualified": verdict is Verdict.QUALIFIED}
    return Told({**values, "score": graded(verdict, judged.doubt), **cost_of(judged)})


def graded(verdict: Verdict, doubt: float) -> float:
    """Support as one number, 0..1: the verdict, moved towards the middle by half its doubt."""
    middle = {Verdict.SUPPORTED: 1.0 - doubt / 2, Verdict.QUALIFIED: 0.5, Verdict.UNVERIFIED: doubt / 2}
    return round(middle.get(verdict, 0.0), 4)


def figures(sample: Sample) -> Iterator[Figure]:
    """Accuracy over the verdicts; precision and recall of each; AUROC of the graded support."""
    for dataset, part in sample.by_dataset():
        true, said = truths(part.rows), column(part.rows, "verdict")
        yield figure(part, dataset, "accuracy", metrics.accuracy, true, said)
        supported = [one == "supported" for one in true]
        yield figure(part, dataset, "support, AUROC", metrics.auroc, supported, column(part.rows, "score"))
        for name in sorted(set(true)):
            yield from _rates(dataset, part, name, [one == name for one in true], [one == name for one in said])
        qualified = column(part.rows, "qualified")
        yield figure(part, dataset, "called qualified", mean, qualified, aim="", detail=True)


def _rates(dataset: str, part: Sample, name: str, true: list[bool], said: list[bool]) -> Iterator[Figure]:
    for label, statistic in (("precision", metrics.precision), ("recall", metrics.recall)):
        yield figure(part, dataset, f"{name}, {label}", statistic, true, said, detail=name == NEITHER)


def plots(sample: Sample) -> list[Plot]:
    """The graded support against the share that is supported."""
    return [reliability(_as_support(sample), "score", title="Support")]


def _as_support(sample: Sample) -> Sample:
    return replace(sample, rows=tuple(replace(row, truth=row.truth == "supported") for row in sample.rows))


TASK = Task(
    name="claims",
    about="Whether a passage supports a claim, contradicts it, or neither",
    loaders={"scifact": scifact, "fever_symmetric": fever_symmetric, "assin": assin},
    small=small,
    open=each(judge),
    figures=figures,
    plots=plots,
)
