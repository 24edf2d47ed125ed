"""Calibrators and rows made by hand."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from calibrant.evals.halves import FIT, HELD_OUT
from calibrant.evals.task import Row
from calibrant.graph.calibrators import fitted_models, fitted_sections
from calibrant.judges.calibration import Calibrator, Conditions, FittedOn, Scored, weights_of
from calibrant.state.context import Context
from calibrant.state.task import Language, QueryType


def conditions(**changes: Any) -> Conditions:
    """Those of a run with the default settings and without embeddings."""
    return Conditions(weights=weights_of(Context(), fitted_models())).replace(**changes)


def calibrator(scored: Scored = "answer", **changes: Any) -> Calibrator:
    """One that holds for English factual questions: 0.4 -> 0.1, 0.8 -> 0.5, 1.0 -> 0.6."""
    fitted = FittedOn(
        datasets=("made",),
        answers=100,
        right=60,
        conditions=changes.pop("conditions", conditions()),
        languages=(Language.ENGLISH,),
        query_types=(QueryType.FACTUAL,),
        edges=(0.2, 0.4, 0.6, 0.8),
        shares=(0.2, 0.2, 0.2, 0.2, 0.2),
    )
    held = {"x": (0.4, 0.8, 1.0), "y": (0.1, 0.5, 0.6), **changes}
    return Calibrator(name=f"{scored}-made", scored=scored, kind="Platt", fitted_on=fitted, **held)


def in_sections(made: Calibrator) -> Calibrator:
    """The same for answers in sections of longer documents."""
    weights = weights_of(Context(), fitted_models() + fitted_sections())
    fitted = made.fitted_on.replace(in_sections=True, conditions=made.fitted_on.conditions.replace(weights=weights))
    return made.replace(name=f"{made.name}-sections", fitted_on=fitted)


def row(number: int, score: float, right: bool, **changes: Any) -> Row:
    """A question that was answered."""
    values = {
        "answered": True, "right": right, "confidence": score, "searches": 1, "language": "en",
        "query_type": "factual", "raw": {"perceive": 0.5, "reflect": score},
    }  # fmt: skip
    half = changes.pop("half", FIT if number % 2 else HELD_OUT)
    dataset = changes.pop("dataset", "made")
    return Row(str(number), dataset, str(number), half, {"answers": ["a"]}, "", {**values, **changes})


def rows(count: int, share: float = 0.7, seed: int = 0) -> list[Row]:
    """Answers whose confidence is too high: of those at score s, ``share * s`` are right."""
    dice = np.random.default_rng(seed)
    scores: Sequence[float] = dice.random(count).round(4).tolist()
    return [row(number, score, bool(dice.random() < share * score)) for number, score in enumerate(scores)]
