"""``calibrant calibrate``: ask the graph labelled questions, fit calibrators on one half, check them on the other.

The calibrator of the answer's confidence changes no route. Those of the phases do, since the decision rule compares
calibrated scores with its thresholds: they are tried on the fit half, and kept only where the run gets no worse.
"""

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import get_args

import numpy as np

from calibrant.evals import metrics
from calibrant.evals.figures import figure, mean
from calibrant.evals.fitting.calibrators import LEAST, Fit, curve, fits, in_sections, is_right, labels, raw_of, scores
from calibrant.evals.halves import FIT, HELD_OUT
from calibrant.evals.metrics import Floats
from calibrant.evals.risk import Answer, Kept, kept, threshold_for
from calibrant.evals.runner import Half, Options, Tell, judged
from calibrant.evals.setup import Setup
from calibrant.evals.task import SMALL, Figure, Row, Sample
from calibrant.evals.tasks.answer import TASK
from calibrant.graph.calibrators import calibration_of
from calibrant.judges.calibration import Calibration, Calibrator, CalibratorFile, Conditions, Kind, Scored
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.task import Language, QueryType

PHASES: tuple[Scored, ...] = tuple(name for name in get_args(Scored) if name != "answer")
"""Whose scores are compared with thresholds."""

MORE_SEARCHES = 1.1
"""A run that searches more often than so many times as before is worse, though it be as often right."""

CHECKED_ON = 20
"""Answers of the held-out half that a check takes."""


@dataclass(frozen=True)
class Plan:
    """What a user chose. ``folder`` keeps the answers. ``risk`` None: no threshold is chosen."""

    folder: Path
    datasets: tuple[str, ...] = ()
    limit: int | None = None
    risk: float | None = None
    fresh: bool = False


@dataclass(frozen=True)
class RunShares:
    """How runs went: shares that were right (or rightly abstained) and that found the answer; searches a question."""

    right: float
    found: float
    searches: float


@dataclass(frozen=True)
class Trial:
    """What calibrators of phases did to the runs of the fit half."""

    names: tuple[str, ...]
    before: RunShares
    after: RunShares

    @property
    def kept(self) -> bool:
        """Whether the runs got no worse."""
        no_worse = self.after.right >= self.before.right and self.after.found >= self.before.found
        return no_worse and self.after.searches <= MORE_SEARCHES * self.before.searches


@dataclass(frozen=True)
class RiskThreshold:
    """A threshold for an error rate, and what it does on the held-out half. None: no threshold keeps the rate."""

    risk: float
    threshold: float | None
    questions: int
    before: Kept
    after: Kept | None = None


@dataclass(frozen=True)
class Outcome:
    """What was fitted, and what it is worth."""

    file: CalibratorFile
    conditions: Conditions
    fits: tuple[Fit, ...]
    trial: Trial | None
    figures: tuple[Figure, ...]
    promised: RiskThreshold | None
    datasets: tuple[str, ...]
    questions: int
    unscored: int

    @property
    def made_up(self) -> bool:
        return SMALL in self.datasets


async def calibrate(setup: Setup, plan: Plan, tell: Tell) -> Outcome:
    """Ask, fit and check. What was asked is kept in ``plan.folder`` and not asked again. Raises as ``runner.run``."""
    encoder = await asyncio.to_thread(lambda: setup.encoder)
    switches = setup.settings.switches.model_copy(update={"calibration": True})
    settings = setup.settings.model_copy(update={"abstain_below": 0.0, "switches": switches})
    uncalibrated = replace(setup, settings=settings, chosen=())
    calibration = calibration_of((), encoder.identity if encoder else "")
    fitting = _Fitting(calibration, settings, setup.seed)

    first = await judged(TASK, uncalibrated, _options(plan, "all"), tell)
    rows = [row for row in first.rows if not row.unscored]
    phases = [one for name in PHASES for one in fitting.of(name, rows)]
    rows, routing, trial = await _tried(replace(uncalibrated, chosen=_calibrators(phases)), plan, rows, tell)
    answers = fitting.of("answer", rows)

    chosen = (*routing, *_calibrators(answers))
    calibration = replace(calibration, calibrators=chosen)
    promised = None if plan.risk is None else _risk_threshold(plan.risk, rows, _final_score(calibration, settings))
    held = Sample(tuple(_half(rows, HELD_OUT)), tuple(_half(rows, FIT)), setup.seed)
    return Outcome(
        file=CalibratorFile(calibrators=chosen),
        conditions=calibration.conditions(settings),
        fits=(*phases, *answers),
        trial=trial,
        figures=(*_worth(held, answers), *_transferred(held)),
        promised=promised,
        datasets=first.datasets,
        questions=len(rows),
        unscored=len(first.rows) - len(rows),
    )


async def _tried(
    setup: Setup, plan: Plan, rows: list[Row], tell: Tell
) -> tuple[list[Row], tuple[Calibrator, ...], Trial | None]:
    """The rows to go on with, the calibrators of phases that are kept, and what trying them showed."""
    if not setup.chosen:
        return rows, (), None
    plan = replace(plan, fresh=False)
    found = (await judged(TASK, setup, _options(plan, "fit"), tell)).rows
    after = [row for row in found if not row.unscored]
    trial = Trial(tuple(one.name for one in setup.chosen), _run_shares(_half(rows, FIT)), _run_shares(after))
    if not trial.kept:
        return rows, (), trial
    found = (await judged(TASK, setup, _options(plan, "all"), tell)).rows
    return [row for row in found if not row.unscored], setup.chosen, trial


@dataclass(frozen=True)
class _Fitting:
    """What all fits of a run share."""

    calibration: Calibration
    settings: Context
    seed: int

    def of(self, scored: Scored, rows: Sequence[Row]) -> list[Fit]:
        """The fits of one score, one a kind, fitted on one half and checked on the other."""
        return [_checked(one, rows) for one in fits(_half(rows, FIT), scored, self._conditions, self.seed)]

    def _conditions(self, in_sections: bool) -> Conditions:
        return self.calibration.conditions(self.settings, in_sections=in_sections)


def _options(plan: Plan, half: Half) -> Options:
    return Options(plan.folder, plan.datasets, plan.limit, half, plan.fresh)


def _half(rows: Sequence[Row], half: str) -> list[Row]:
    return [row for row in rows if row.half == half]


def _calibrators(fitted: Sequence[Fit]) -> tuple[Calibrator, ...]:
    return tuple(one.calibrator for one in fitted if one.calibrator)


def _run_shares(rows: Sequence[Row]) -> RunShares:
    right, found, searches = (
        mean(values) or 0.0
        for values in (
            [bool(row.values["right"]) for row in rows],
            [is_right(row) for row in rows],
            [row.values["searches"] for row in rows],
        )
    )
    return RunShares(right, found, searches)


def _checked(fitted: Fit, rows: Sequence[Row]) -> Fit:
    """The fit without its calibrator where that does not bring scores closer to outcomes on the held-out half."""
    if fitted.calibrator is None:
        return fitted
    held = _covered(fitted.calibrator, _half(rows, HELD_OUT))
    if len(held) < CHECKED_ON:
        problem = f"{len(held)} answers to check it on, {CHECKED_ON} are needed"
        return replace(fitted, calibrator=None, problem=problem, lacks_labels=True)
    raw, right = scores(held, fitted.scored), labels(held)
    mapped = _mapped(fitted.calibrator.x, fitted.calibrator.y, raw)
    for measure in (metrics.ece, metrics.brier):
        if (measure(right, mapped) or 0.0) > (measure(right, raw) or 0.0):
            return replace(fitted, calibrator=None, problem="it does not help on the held-out half")
    return fitted


def _covered(calibrator: Calibrator, rows: Sequence[Row]) -> list[Row]:
    """The rows that the calibrator is for."""
    fitted = calibrator.fitted_on
    return [
        row
        for row in rows
        if raw_of(row, calibrator.scored) is not None
        and row.values["language"] in fitted.languages
        and in_sections(row, calibrator.scored) == fitted.in_sections
        and row.values["query_type"] in fitted.query_types
    ]


def _mapped(x: Sequence[float], y: Sequence[float], raw: Sequence[float] | Floats) -> list[float]:
    return [float(value) for value in np.interp(raw, x, y)]


def _worth(held: Sample, answers: Sequence[Fit]) -> Iterator[Figure]:
    """Of each calibrator of answers, on the held-out half: the error of raw and of calibrated confidences."""
    for calibrator in _calibrators(answers):
        part = replace(held, rows=tuple(_covered(calibrator, held.rows)))
        raw, right = list(scores(part.rows, "answer")), list(labels(part.rows))
        mapped = _mapped(calibrator.x, calibrator.y, raw)
        for name, measure in (("ECE", metrics.ece), ("Brier", metrics.brier)):
            yield figure(part, calibrator.name, f"{name} raw", measure, right, raw, aim="down")
            yield figure(part, calibrator.name, f"{name} calibrated", measure, right, mapped, aim="down")


def _transferred(held: Sample) -> Iterator[Figure]:
    """What moving does: a curve fitted on one dataset's answers, used on its own held-out half and on another's."""
    reviewed = held.where(lambda row: raw_of(row, "answer") is not None)
    curves = {
        name: curve(part.fitting, "answer", held.seed)[1:]
        for name, part in reviewed.by_dataset()
        if len(part.fitting) >= LEAST and 0 < labels(part.fitting).sum() < len(part.fitting)
    }
    for name in curves if len(curves) > 1 else ():
        part = reviewed.of(name)
        if len(part.rows) < CHECKED_ON:
            continue
        raw, right = list(scores(part.rows, "answer")), list(labels(part.rows))
        yield figure(part, name, "ECE raw", metrics.ece, right, raw, aim="down")
        for other, (x, y) in curves.items():
            title = f"ECE, curve of {'its own' if other == name else other}"
            yield figure(part, name, title, metrics.ece, right, _mapped(x, y, raw), aim="down")


def _final_score(calibration: Calibration, settings: Context) -> Callable[[Row], float]:
    """The confidence that a user would see."""

    def score(row: Row) -> float:
        raw = raw_of(row, "answer")
        if raw is None:
            return float(row.values["confidence"])
        kind = Kind(
            language=Language(row.values["language"]),
            query_type=QueryType(row.values["query_type"]),
            names_code=row.values.get("names_code", False),
            in_sections=row.values.get("in_sections", False),
        )
        seen = Confidence(raw=raw, score=raw)
        for scored in ("reflect", "answer"):
            mapped = calibration.apply(seen, scored, kind, settings)
            if mapped.calibrator:
                return mapped.score
        return raw

    return score


def _risk_threshold(wanted: float, rows: Sequence[Row], score: Callable[[Row], float]) -> RiskThreshold:
    """The threshold that the fit half gives. The scores were calibrated on the same half, by rising curves of few
    parameters: how far that bends the guarantee, the held-out half shows."""
    fitting, held = (
        [
            Answer(answered=bool(row.values["answered"]), score=score(row), wrong=not is_right(row))
            for row in _half(rows, half)
        ]
        for half in (FIT, HELD_OUT)
    )
    threshold = threshold_for(wanted, fitting)
    after = kept(threshold, held) if threshold is not None else None
    return RiskThreshold(wanted, threshold, len(fitting), kept(0.0, held), after)


def merged(held: CalibratorFile, outcome: Outcome) -> CalibratorFile:
    """What was fitted, with those of ``held`` that nothing was learnt about: a file serves several embeddings, models
    and languages, and a short trial run must not switch off what is in use."""
    settled = {(fit.scored, fit.language, fit.in_sections) for fit in outcome.fits if not fit.lacks_labels}
    others = tuple(one for one in held.calibrators if not _is_settled(one, outcome.conditions, settled))
    return held.replace(calibrators=(*outcome.file.calibrators, *others))


def _is_settled(one: Calibrator, conditions: Conditions, settled: set[tuple[Scored, Language, bool]]) -> bool:
    """Whether this run had the labels to say what becomes of ``one``."""
    then = one.fitted_on.conditions
    return (then.encoder, then.tier) == (conditions.encoder, conditions.tier) and all(
        (one.scored, language, one.fitted_on.in_sections) in settled for language in one.fitted_on.languages
    )
