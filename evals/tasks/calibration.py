"""``calibration``: what becomes of a model's stated and token confidences when they are calibrated, and when moved.

Five models answered MMLU-Pro's questions. Calibrators are fitted on the fit half of a model's answers and told of on
its held-out half; moved, one that was fitted on another model's answers, or on another subject's, is used.
"""

import csv
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.evals import metrics
from calibrant.evals.calibrators import CALIBRATORS, Calibrator, isotonic
from calibrant.evals.figures import column, figure, reliability, risk_coverage, truths
from calibrant.evals.setup import Setup
from calibrant.evals.task import Figure, Item, Loader, Plot, Row, Sample, Task, Verdict, each

MODELS = {
    "gpt-4.1-mini": "gpt-4.1-mini",
    "gpt-4.1-nano": "gpt-4.1-nano",
    "llama-3.1-405b": "Meta-Llama-3.1-405B-Instruct-Turbo",
    "llama-3.2-3b": "Llama-3.2-3B-Instruct-Turbo",
    "qwen3-235b": "Qwen3-235B-A22B-fp8-tput",
}
KINDS = {"stated": "verbal_numerical_confidence", "token": "logit_perplexity_confidence"}
"""Our name of a confidence and its column: what the model says, and the perplexity of its tokens."""
NO_ANSWER = "no answer could be read from the model's output"
LEAST = 20
"""A calibrator is fitted and judged on no fewer items."""


def of_model(name: str) -> Loader:
    """The answers of one model. The question is the record: it goes to the same half for every model."""

    def load(root: Path) -> Iterator[Item]:
        path = root / "calib_mmlupro" / f"mmlu_pro_{MODELS[name]}_eval_all_None.csv"
        with path.open(encoding="utf-8") as file:
            for place, row in enumerate(csv.DictReader(file)):
                given = (place, row["extracted_answer"], *(_number(row[column]) for column in KINDS.values()))
                right = row["extracted_answer"] == row["correct_answer"]
                yield Item(name, f"mmlu_pro {place}", given, right, row["category"])

    return load


def _number(text: str) -> float | None:
    """A confidence in 0..1; None where the model gave none."""
    try:
        return min(1.0, max(0.0, float(text)))
    except ValueError:
        return None


def small(record: Mapping[str, Any]) -> Item:
    """``question``, whether the answer was ``right``, the ``stated`` and ``token`` confidences, and the ``subject``."""
    given = (record["question"], "A", record["stated"], record["token"])
    return Item("small", record["question"], given, record["right"], record["subject"])


async def judge(setup: Setup, item: Item) -> Verdict:
    """The confidences as they were given."""
    _, answer, stated, token = item.given
    return Verdict({"stated": stated, "token": token}) if answer else Verdict(unscored=NO_ANSWER)


def figures(sample: Sample) -> Iterator[Figure]:
    """ECE raw, calibrated, and moved; AUROC and AURC, which calibration does not change."""
    for dataset, part in sample.by_dataset():
        for kind in KINDS:
            held = _having(part, kind)
            if len(held.rows) < LEAST:
                continue
            true, given = truths(held.rows), column(held.rows, kind)
            yield figure(held, dataset, f"{kind}, ECE raw", metrics.ece, true, given, aim="down")
            if len(held.fitting) >= LEAST:
                yield from _calibrated(dataset, held, kind)
                yield from _moved(dataset, held, sample, kind)
            yield figure(held, dataset, f"{kind}, AUROC", metrics.auroc, true, given)
            yield figure(held, dataset, f"{kind}, AURC", metrics.aurc, true, given, aim="down", detail=True)
            yield figure(held, dataset, f"{kind}, Brier raw", metrics.brier, true, given, aim="down", detail=True)


def _calibrated(dataset: str, held: Sample, kind: str) -> Iterator[Figure]:
    true, given = truths(held.rows), column(held.rows, kind)
    for name, fit in CALIBRATORS.items():
        fitted = list(fit(column(held.fitting, kind), truths(held.fitting))(given))
        yield figure(held, dataset, f"{kind}, ECE {name}", metrics.ece, true, fitted, aim="down")


def _having(sample: Sample, kind: str) -> Sample:
    return sample.where(lambda row: row.values[kind] is not None)


def _moved(dataset: str, held: Sample, sample: Sample, kind: str) -> Iterator[Figure]:
    """The mean ECE with isotonic calibrators of the other models, and with those of other subjects."""
    true, given = truths(held.rows), column(held.rows, kind)
    others = [_having(sample.of(name), kind).fitting for name in sample.datasets if name != dataset]
    moved = [metrics.ece(true, _fitted(rows, kind)(given)) for rows in others if len(rows) >= LEAST]
    if moved:
        yield Figure(dataset, f"{kind}, ECE isotonic of another model", _mean(moved), len(true), aim="down")
    within, across = _over_subjects(held, kind)
    if across:
        yield Figure(dataset, f"{kind}, ECE isotonic within a subject", _mean(within), len(true), aim="down")
        yield Figure(dataset, f"{kind}, ECE isotonic of another subject", _mean(across), len(true), aim="down")


def _over_subjects(held: Sample, kind: str) -> tuple[list[float | None], list[float | None]]:
    """ECE for each pair of subjects: fitted on the one, used on the other; those of one subject come first."""
    subjects = {name: part for name, part in held.by_category() if min(len(part.rows), len(part.fitting)) >= LEAST}
    fitted = {name: _fitted(part.fitting, kind) for name, part in subjects.items()}
    within: list[float | None] = []
    across: list[float | None] = []
    for name, part in subjects.items():
        true, given = truths(part.rows), column(part.rows, kind)
        for other, calibrator in fitted.items():
            (within if other == name else across).append(metrics.ece(true, calibrator(given)))
    return within, across


def _fitted(rows: Sequence[Row], kind: str) -> Calibrator:
    return isotonic(column(rows, kind), truths(rows))


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return float(np.mean(known)) if known else None


def plots(sample: Sample) -> list[Plot]:
    """Reliability of each confidence, and the errors that are left when only sure answers are taken."""
    out = []
    for kind in KINDS:
        held = _having(sample, kind)
        if held.rows:
            plot = reliability(held, kind, title=f"Reliability, {kind} confidence")
            out.append(replace(plot, x="confidence"))
            out.append(risk_coverage(held, kind, title=f"Risk and coverage, {kind} confidence"))
    return out


TASK = Task(
    name="calibration",
    about="What calibrators make of models' stated and token confidences, and what moving them does",
    loaders={name: of_model(name) for name in MODELS},
    small=small,
    open=each(judge),
    figures=figures,
    plots=plots,
    fits=True,
)
