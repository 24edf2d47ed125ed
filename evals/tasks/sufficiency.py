"""``sufficiency``: can these passages answer this question? The judge without a model, its factors and its features.

The score is the confidence that the product compares with the required sufficiency (0.90 for a factual question).
"""

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.evals import metrics
from calibrant.evals.calibrators import platt
from calibrant.evals.figures import column, cost_quality, figure, mean, plain_figure, reliability, risk_coverage, truths
from calibrant.evals.fitting import data as fit_data
from calibrant.evals.fitting.cases import all_compared
from calibrant.evals.setup import Setup, cost_of
from calibrant.evals.task import Figure, Item, Loader, Plot, Sample, Task, Verdict, each
from calibrant.judges.fitted import load
from calibrant.judges.free.evidence.features import Rows, encoders_of, is_bare, lexical_rows
from calibrant.judges.free.evidence.late_interaction import CachedEncoder
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.given import ToSuffice
from calibrant.state.evidence import Evidence
from calibrant.state.task import REQUIRED_SUFFICIENCY, QueryType

REQUIRED = REQUIRED_SUFFICIENCY[QueryType.FACTUAL]
THRESHOLD = 0.5
"""A passage that scores this much counts as one that answers (``judges/free/evidence/sufficiency.py``)."""
FACTORS = ("coverage", "diversity", "completeness")
NO_PASSAGES = "no passages to judge"
SETS: dict[str, Callable[[Path], Iterator[fit_data.Item]]] = {
    "nomiracl": fit_data.nomiracl, "clapnq": fit_data.clapnq, "qnli": partial(fit_data.qnli, count=None),
    "squad2": fit_data.squad2, "faquad": fit_data.faquad, "pira": fit_data.pira,
    "faquad_several": fit_data.faquad_several, "pira_several": fit_data.pira_several,
}  # fmt: skip
"""QNLI whole: its passages are single sentences, quickly judged."""


def of_set(name: str) -> Loader:
    """A set of the fitting tool, split as it splits."""

    def load_set(root: Path) -> Iterator[Item]:
        for one in SETS[name](root):
            yield Item(name, one.key, ToSuffice((one.question,), one.evidence), one.answerable)

    return load_set


def small(record: Mapping[str, Any]) -> Item:
    """``question``, ``passages`` and whether they ``answer``."""
    evidence = tuple(
        Evidence(id=f"p{place}", text=text, title="", source="eval", url=f"eval:p{place}")
        for place, text in enumerate(record["passages"])
    )
    return Item("small", record["question"], ToSuffice((record["question"],), evidence), record["answers"])


async def judge(setup: Setup, item: Item) -> Verdict:
    """The sufficiency with its factors; of the fitted model, each feature and what it says without that feature."""
    if not item.given.evidence:
        return Verdict(unscored=NO_PASSAGES)
    judged = await setup.ask(setup.panel.suffice, item.given)
    confidence = judged.value.confidence
    values = {"score": round(confidence.score, 4), "doubt": round(judged.doubt, 4), **cost_of(judged)}
    values |= {name: confidence.factor(name) for name in FACTORS}
    return Verdict(values | features(item.given, setup.tokens))


def features(given: ToSuffice, encoder: CachedEncoder | None) -> dict[str, float]:
    """``feature:NAME`` and ``without:NAME`` of the best passage, and ``logit`` with all of them.

    A feature's sign is that of its weight; without it, its weight counts as 0 (the model is not fitted anew).
    """
    rows, has_encoder = _rows(given, encoder)
    query = prepare(given.questions[0])
    language = query.language.value
    bare = len(rows) == 1 and is_bare(given.evidence[0], rows[0])
    model = load().model(load().head(bare, language), language, has_encoder)
    table = np.array([row.passage for row in rows])
    standard = (table - model.means) / model.scales
    parts = standard * model.coefs
    logits = parts.sum(axis=1) + model.intercept
    out = {"logit": float(logits.max())}
    for place, name in enumerate(model.features):
        out[f"feature:{name}"] = float((standard[:, place] * np.sign(model.coefs[place] or 1.0)).max())
        out[f"without:{name}"] = float((logits - parts[:, place]).max())
    return {name: round(value, 4) for name, value in out.items()}


def _rows(given: ToSuffice, encoder: CachedEncoder | None) -> tuple[list[Rows], bool]:
    """The features of the passages that the product compares, and whether an encoder gave some of them."""
    query = prepare(given.questions[0])
    rows = [lexical_rows(query, one) for one in given.evidence]
    encoders = encoders_of(encoder) if encoder is not None else None
    if encoders is None or load().encoder(query.language.value) != encoders.identity:
        return rows, False
    lexical = load().model("passage", query.language.value)
    compared = all_compared(query, given.evidence, rows, lexical, encoders)
    return (list(compared), True) if compared else (rows, False)


def figures(sample: Sample) -> Iterator[Figure]:
    """How well the score tells, how true it is, and what each factor and feature gives."""
    for dataset, part in sample.by_dataset():
        true, score = truths(part.rows), column(part.rows, "score")
        yield figure(part, dataset, "AUROC", metrics.auroc, true, score)
        yield from _balanced(dataset, part)
        yield figure(part, dataset, "ECE, raw", metrics.ece, true, score, aim="down")
        yield from _calibrated(dataset, part)
        yield figure(part, dataset, "Brier", metrics.brier, true, score, aim="down", detail=True)
        yield figure(part, dataset, "AURC", metrics.aurc, true, score, aim="down", detail=True)
        accepted = [value >= REQUIRED for value in score]
        yield figure(part, dataset, f"precision from {REQUIRED}", metrics.precision, true, accepted)
        yield figure(part, dataset, f"share from {REQUIRED}", mean, accepted, aim="", detail=True)
        yield from _pieces(dataset, part)


def _calibrated(dataset: str, part: Sample) -> Iterator[Figure]:
    """The raw score is an operating point, no probability: it becomes one by Platt's curve, fitted on the fit half of
    the same set. ``by chance``: what probabilities that are exactly right would show over so few items."""
    if not part.fitting:
        return
    curve = platt(column(part.fitting, "score"), truths(part.fitting))
    score = curve(column(part.rows, "score")).tolist()
    yield figure(part, dataset, "ECE, calibrated", metrics.ece, truths(part.rows), score, aim="down")
    yield plain_figure(part, dataset, "ECE, by chance", metrics.ece_by_chance, score, aim="")


def _balanced(dataset: str, part: Sample) -> Iterator[Figure]:
    """At the product's threshold, and at the one that was best on the fit half where that was judged too."""
    true, score = truths(part.rows), column(part.rows, "score")
    said = [value >= THRESHOLD for value in score]
    yield figure(part, dataset, f"balanced accuracy from {THRESHOLD}", metrics.balanced_accuracy, true, said)
    best = metrics.best_threshold(truths(part.fitting), column(part.fitting, "score")) if part.fitting else None
    if best is not None:
        said = [value >= best for value in score]
        yield figure(part, dataset, "balanced accuracy, fitted threshold", metrics.balanced_accuracy, true, said)


def _pieces(dataset: str, part: Sample) -> Iterator[Figure]:
    """The AUROC of each factor and feature by itself, and of the fitted model without each feature."""
    for name in FACTORS:
        held = part.where(lambda row, name=name: row.values[name] is not None)  # type: ignore[misc]
        if held.rows:
            true, score = truths(held.rows), column(held.rows, name)
            yield plain_figure(held, dataset, f"factor {name}", metrics.auroc, true, score, detail=True)
    yield plain_figure(
        part, dataset, "fitted model", metrics.auroc, truths(part.rows), column(part.rows, "logit"), detail=True
    )
    for name in [name for name in part.rows[0].values if name.startswith(("feature:", "without:"))]:
        held = part.where(lambda row, name=name: name in row.values)  # type: ignore[misc]
        value = column(held.rows, name)
        yield plain_figure(held, dataset, name.replace(":", " "), metrics.auroc, truths(held.rows), value, detail=True)


def plots(sample: Sample) -> list[Plot]:
    """How true the score is, what is left when only sure items are taken, and what a judgement costs."""
    return [reliability(sample, "score"), risk_coverage(sample, "score"), cost_quality(sample, "score")]


TASK = Task(
    name="sufficiency",
    about="Whether passages can answer a question, judged without a model",
    loaders={name: of_set(name) for name in SETS},
    small=small,
    open=each(judge),
    figures=figures,
    plots=plots,
    fits=True,
)
