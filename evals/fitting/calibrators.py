"""From labelled scores to a calibrator, or to the reason why there is none. Pure.

A row is one question that the whole graph was asked. The label of every score is the same: that an answer was given,
and that it was right.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibrant.evals import metrics
from calibrant.evals.calibrators import CALIBRATORS
from calibrant.evals.metrics import Bools, Floats
from calibrant.evals.task import Row
from calibrant.judges.calibration import Calibrator, Conditions, FittedOn, Scored
from calibrant.state.task import Language, QueryType

LEAST = 50
"""Labels that a calibrator takes."""

LEAST_OF_A_KIND = 20
"""Labels of a query type, or of questions that name code, from which on a calibrator stands for them."""

TELLING = 0.55
"""The lower bound of AUROC's interval has to be above this for a phase: routes are not to follow a score that does not
tell right from wrong. What the user sees needs only to rise (AUROC above one half): where the score tells little, a
flat curve at the share that is right is the honest thing to show, and the raw score is not."""

ISOTONIC_FROM = 1000
"""Labels from which on isotonic regression is better than a curve of two or three parameters (Niculescu-Mizil and
Caruana 2005)."""

FOLDS = 5
BINS = 5
TOLERANCE = 0.002
"""How far the thinned curve may lie from the fitted one."""


@dataclass(frozen=True)
class Fit:
    """What became of one score in one language, and of answers in sections of longer documents or in others."""

    scored: Scored
    language: Language
    in_sections: bool
    count: int
    auroc: float | None = None
    low: float | None = None
    """Lower bound of AUROC's 95% interval."""
    calibrator: Calibrator | None = None
    problem: str = ""
    """Why there is no calibrator."""
    lacks_labels: bool = False
    """There were too few labels to say anything: whatever is held for the score is as good as before."""


def raw_of(row: Row, scored: Scored) -> float | None:
    """The raw score of a row; None where the phase was not reached, and for reviews of what was not answered."""
    if scored in ("answer", "reflect"):
        return row.values["raw"].get("reflect") if row.values["answered"] else None
    score: float | None = row.values["raw"].get(scored)
    return score


def is_right(row: Row) -> bool:
    """The label: an answer was given, and it was right."""
    return bool(row.values["answered"] and row.values["right"])


def fits(rows: Sequence[Row], scored: Scored, conditions: Callable[[bool], Conditions], seed: int) -> Iterator[Fit]:
    """One fit for each language and form of documents that has questions. ``conditions``: how the scores were made of
    answers in sections, or of others."""
    groups: dict[tuple[Language, bool], list[Row]] = {}
    for row in rows:
        if raw_of(row, scored) is not None:
            groups.setdefault((Language(row.values["language"]), in_sections(row, scored)), []).append(row)
    for (language, sections), mine in sorted(groups.items()):
        yield fit(mine, scored, language, sections, conditions(sections), seed)


def in_sections(row: Row, scored: Scored) -> bool:
    """Whether what answers stands in a section of a longer document: no phase before the answer knows."""
    return scored == "answer" and bool(row.values.get("in_sections"))


def fit(
    rows: Sequence[Row], scored: Scored, language: Language, sections: bool, conditions: Conditions, seed: int
) -> Fit:
    """A calibrator from rows of one kind, if there are enough and the score tells right from wrong."""
    raw, right = scores(rows, scored), labels(rows)
    found = Fit(scored, language, sections, len(rows))
    if len(rows) < LEAST:
        return replace(found, problem=f"{len(rows)} labels, {LEAST} are needed", lacks_labels=True)
    if right.all() or not right.any():
        return replace(found, problem=f"all {len(rows)} are {'right' if right.all() else 'wrong'}")
    groups = [row.key for row in rows]
    auroc = metrics.auroc(right, raw)
    low = (metrics.interval(metrics.auroc, right, raw, groups=groups, seed=seed) or (0.0, 0.0))[0]
    found = replace(found, auroc=auroc, low=low)
    if (auroc or 0.0) <= 0.5 or (low <= TELLING and scored != "answer"):
        return replace(found, problem="the score does not tell right from wrong")
    kind, x, y = curve(rows, scored, seed)
    types = Counter(row.values["query_type"] for row in rows)
    edges, shares = bins(raw)
    calibrator = Calibrator(
        name=f"{scored}-{language.value}-{'sections-' if sections else ''}{kind.lower()}",
        scored=scored,
        kind=kind,
        x=x,
        y=y,
        fitted_on=FittedOn(
            datasets=tuple(dict.fromkeys(row.dataset for row in rows)),
            answers=len(rows),
            right=int(right.sum()),
            conditions=conditions,
            languages=(language,),
            query_types=tuple(kind for kind in QueryType if types[kind.value] >= LEAST_OF_A_KIND),
            names_code=_names_code(rows),
            in_sections=sections,
            edges=edges,
            shares=shares,
        ),
    )
    return replace(found, calibrator=calibrator)


def _names_code(rows: Sequence[Row]) -> bool | None:
    """Whether most of the questions name code; None where there are enough of both."""
    naming = sum(bool(row.values.get("names_code")) for row in rows)
    return None if min(naming, len(rows) - naming) >= LEAST_OF_A_KIND else 2 * naming > len(rows)


def scores(rows: Sequence[Row], scored: Scored) -> Floats:
    """The raw scores of rows that have one."""
    return np.asarray([raw_of(row, scored) for row in rows], dtype=float)


def labels(rows: Sequence[Row]) -> Bools:
    """Their labels."""
    return np.asarray([is_right(row) for row in rows], dtype=bool)


def curve(rows: Sequence[Row], scored: Scored, seed: int) -> tuple[str, tuple[float, ...], tuple[float, ...]]:
    """Kind, x and y of the curve that fits rows of which some are right and some are not."""
    raw, right = scores(rows, scored), labels(rows)
    kind = best_kind(raw, right, [row.key for row in rows], seed)
    return kind, *knots(kind, raw, right)


def best_kind(raw: Floats, right: Bools, groups: Sequence[str], seed: int) -> str:
    """Isotonic where there are enough labels; else the curve with the lower Brier score over folds of whole records."""
    if len(raw) >= ISOTONIC_FROM:
        return "isotonic"
    names, places = np.unique(np.asarray(groups), return_inverse=True)
    fold = (np.random.default_rng(seed).permutation(len(names)) % FOLDS)[places]
    return min(("Platt", "beta"), key=lambda kind: _error(kind, raw, right, fold))


def _error(kind: str, raw: Floats, right: Bools, fold: NDArray[np.int64]) -> float:
    """The cross-validated Brier score of a kind of calibrator; infinite where its curve falls."""
    if np.any(np.diff(CALIBRATORS[kind](raw, right)(np.unique(raw))) < -1e-9):
        return float("inf")
    held = [(CALIBRATORS[kind](raw[fold != n], right[fold != n])(raw[fold == n]), right[fold == n]) for n in set(fold)]
    return float(np.mean(np.concatenate([(given - true) ** 2 for given, true in held])))


def knots(kind: str, raw: Floats, right: Bools) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """The fitted curve over the scores that were seen, as few points as keep within ``TOLERANCE`` of it.

    Beyond them nothing was measured, and the curve is flat.
    """
    between = np.linspace(raw.min(), raw.max(), 101)
    x = np.unique(np.round(np.concatenate([raw, between]), 4))
    y = np.maximum.accumulate(np.round(CALIBRATORS[kind](raw, right)(x), 4))
    kept = sorted(_corners(x, y, 0, len(x) - 1) | {0, len(x) - 1})
    return tuple(x[kept].tolist()), tuple(y[kept].tolist())


def _corners(x: Floats, y: Floats, first: int, last: int) -> set[int]:
    """The points that a line from ``first`` to ``last`` misses, by Ramer, Douglas and Peucker."""
    if last - first < 2:
        return set()
    off = np.abs(np.interp(x[first:last], x[[first, last]], y[[first, last]]) - y[first:last])
    worst = first + int(off.argmax())
    if off.max() <= TOLERANCE:
        return set()
    return {worst} | _corners(x, y, first, worst) | _corners(x, y, worst, last)


def bins(raw: Floats) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Inner edges of about equally filled bins, and the share of the scores in each."""
    edges = np.unique(np.round(np.quantile(raw, np.linspace(0, 1, BINS + 1)[1:-1]), 4))
    counts = np.bincount(np.searchsorted(edges, raw, side="right"), minlength=len(edges) + 1)
    return tuple(edges.tolist()), tuple(np.round(counts / len(raw), 4).tolist())
