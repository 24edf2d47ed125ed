"""Calibration, applied: from a raw confidence to how often answers with such a confidence were right. Pure.

``evals/calibrate.py`` fits the numbers, ``graph/calibrators.py`` finds their file. A calibrator says what it was fitted
on, and changes nothing else, but that an answer is told to be no surer than the nearest that was measured: moved to
another task, calibrators were measured to be worse than none.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from pydantic import Field, model_validator

from calibrant.judges.free.evidence.query import prepare
from calibrant.state.base import Value
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.task import Language, QueryType

Scored = Literal["sufficiency", "perceive", "reason", "act", "reflect", "answer"]
"""Whose scores a calibrator is for. ``answer`` is what the user sees: reflect's score, mapped when all is decided, so
that no route depends on it. The others are mapped where they are made, and decisions compare them with thresholds."""

FREE = "free"
"""The tier where no model is asked."""

DRIFTED = 0.25
"""A population stability index from which on two sets of scores are held to be different (Siddiqi 2006)."""

DRIFT_LEAST = 100
"""With fewer scores the index exceeds ``DRIFTED`` by chance too often."""

_ABOUT_CODE = {False: "not calibrated for questions about code", True: "calibrated for questions about code only"}
_IN_SECTIONS = {False: "not calibrated for long documents", True: "calibrated for long documents only"}
_FROM_AFAR = {False: "not calibrated for remote sources", True: "calibrated for remote sources only"}
_LANGUAGES = {Language.ENGLISH: "English", Language.PORTUGUESE: "Portuguese"}


class Conditions(Value):
    """How a score was made: all of it has to be as it was when a calibrator was fitted."""

    encoder: str = ""
    """Identity of the embeddings; empty without any."""
    weights: str = ""
    """See ``weights_of``."""
    tier: str = FREE
    """``free``, or the name of the model that is asked in doubt."""

    @property
    def summary(self) -> str:
        """All of it in one line, by which a record says how its score was made."""
        return f"{self.encoder or 'words'} {self.weights} {self.tier}"


class Kind(Value):
    """What kind of question a score is about."""

    language: Language
    query_type: QueryType
    names_code: bool = False
    """It names functions, options and the like: such questions are answered from other texts, in other words."""
    in_sections: bool = False
    """What answers it stands in a section of a longer document, as a manual or a handbook has them."""
    from_afar: bool = False
    """What answers it was found by sources beyond the machine: everybody writes there, and for other ends."""
    from_tools: bool = False
    """What answers it was given by tools, and no text was searched for it."""


def kind_of(text: str, language: Language, query_type: QueryType) -> Kind:
    """The kind of a question."""
    return Kind(language=language, query_type=query_type, names_code=prepare(text).is_about_code)


class FittedOn(Value):
    """What a calibrator was fitted on."""

    datasets: tuple[str, ...] = ()
    answers: int = Field(ge=1)
    right: int = Field(ge=0)
    conditions: Conditions = Conditions()
    languages: tuple[Language, ...]
    query_types: tuple[QueryType, ...]
    names_code: bool | None = False
    """Whether the questions named functions, options and the like; None: enough of them did, and enough did not."""
    in_sections: bool = False
    from_afar: bool = False
    edges: tuple[float, ...] = ()
    """Inner edges of the bins by which drift is told, rising."""
    shares: tuple[float, ...] = ()
    """The share of the raw scores in each bin: one more than edges."""


class Calibrator(Value):
    """A rising, piecewise linear curve from raw to calibrated score, flat beyond its ends."""

    name: str
    scored: Scored
    kind: str
    """``isotonic``, ``Platt`` or ``beta``."""
    x: tuple[float, ...] = Field(min_length=1)
    y: tuple[float, ...] = Field(min_length=1)
    fitted_on: FittedOn

    @model_validator(mode="after")
    def _rises(self) -> "Calibrator":
        if len(self.x) != len(self.y):
            raise ValueError(f"{self.name}: {len(self.x)} knots, but {len(self.y)} values")
        if not all(0.0 <= value <= 1.0 for value in (*self.x, *self.y)):
            raise ValueError(f"{self.name}: a knot lies outside 0..1")
        if np.any(np.diff(self.x) <= 0.0) or np.any(np.diff(self.y) < 0.0):
            raise ValueError(f"{self.name}: the curve does not rise")
        return self

    def score(self, raw: float) -> float:
        """The calibrated score of ``raw``, both in 0..1."""
        return float(np.interp(raw, self.x, self.y))


class CalibratorFile(Value):
    """What ``calibrators.json`` holds."""

    version: Literal[1] = 1
    calibrators: tuple[Calibrator, ...] = ()


@dataclass(frozen=True)
class Calibration:
    """The calibrators of a graph, and what of a score's conditions the graph decides."""

    calibrators: tuple[Calibrator, ...] = ()
    encoder: str = ""
    models: str = ""
    """Digest of the fitted models of the judges, but that of the reader of sections."""
    sections: str = ""
    """Digest of the reader of sections: it has no part in what stands elsewhere."""
    model: str = ""
    """Name of a model that was passed in; empty: the settings name one, or none."""

    def conditions(self, context: Context, *, by_words: bool = False, in_sections: bool = False) -> Conditions:
        """Those of a run with these settings. ``by_words``: a model gave nothing of what is scored."""
        return Conditions(
            encoder=self.encoder,
            weights=weights_of(context, self.models + (self.sections if in_sections else "")),
            tier=FREE if by_words else self.model or context.model.name or FREE,
        )

    def conditions_for(self, name: str, context: Context) -> Conditions:
        """Those that the calibrator called ``name`` asks about; those of most scores where there is none."""
        in_sections = any(one.name == name and one.fitted_on.in_sections for one in self.calibrators)
        return self.conditions(context, in_sections=in_sections)

    def apply(
        self, confidence: Confidence, scored: Scored, kind: Kind, context: Context, *, by_words: bool = False
    ) -> Confidence:
        """``confidence`` with its score calibrated, or with the reason why it is not; as it is where no calibrator is
        for ``scored`` or calibration is switched off. ``by_words``: as for ``conditions``.

        An answer to a kind of question that nothing was fitted to is told to be no surer than one to the nearest kind:
        of 8 such answers over the manuals of three programs 5 were wrong, three of those with a raw score of 0.96. One
        that tools gave is told as it is.
        """
        held = [one for one in self.calibrators if one.scored == scored]
        if not held or not context.switches.calibration:
            return confidence
        asked = [self.conditions(context, by_words=by_words, in_sections=one.fitted_on.in_sections) for one in held]
        fits = [_fit(one.fitted_on, now, kind) for one, now in zip(held, asked, strict=True)]
        best = max(range(len(held)), key=lambda place: fits[place][0])
        nearest, problem = held[best], fits[best][1]
        calibrated = nearest.score(confidence.raw)
        if not problem:
            return confidence.replace(score=calibrated, calibrator=nearest.name)
        is_found = scored == "answer" and not kind.from_tools
        is_other_kind = is_found and not mismatch(nearest.fitted_on.conditions, asked[best])
        score = min(confidence.score, calibrated) if is_other_kind else confidence.score
        return confidence.replace(score=score, uncalibrated=problem)


def _fit(fitted: FittedOn, asked: Conditions, kind: Kind) -> tuple[int, str]:
    """How many conditions hold before the first that does not, and that one in words; none where all do."""
    checks = (
        *_checks(fitted.conditions, asked),
        (not kind.from_tools, "not calibrated for what tools give"),
        (kind.language in fitted.languages, f"not calibrated for {_LANGUAGES[kind.language]} questions"),
        (kind.in_sections == fitted.in_sections, _IN_SECTIONS[fitted.in_sections]),
        (kind.query_type in fitted.query_types, f"not calibrated for this kind of question ({kind.query_type})"),
        (fitted.names_code in (None, kind.names_code), _ABOUT_CODE[bool(fitted.names_code)]),
        (kind.from_afar == fitted.from_afar, _FROM_AFAR[fitted.from_afar]),
    )
    first = next((place for place, (holds, _) in enumerate(checks) if not holds), len(checks))
    return first, checks[first][1] if first < len(checks) else ""


def _checks(then: Conditions, now: Conditions) -> tuple[tuple[bool, str], ...]:
    """For each condition whether it holds, and what to say if it does not."""
    return (
        (then.encoder == now.encoder, "fitted with other embeddings" if now.encoder else "fitted with embeddings"),
        (then.weights == now.weights, "fitted with other weights"),
        (then.tier == now.tier, "fitted without a model" if then.tier == FREE else f"fitted with {then.tier}"),
    )


def mismatch(then: Conditions, now: Conditions) -> str:
    """Why what was fitted under ``then`` does not hold ``now``; empty where it does."""
    return next((problem for holds, problem in _checks(then, now) if not holds), "")


def weights_of(context: Context, models: str) -> str:
    """Short digest of the weights that make a raw score: the settings', and the fitted models by their digest."""
    weights = context.model_dump_json(include={"phase_weights", "sufficiency_weights", "result_weights"})
    return hashlib.sha256(f"{weights}\n{models}".encode()).hexdigest()[:12]


def drift(raw: Sequence[float], fitted: FittedOn) -> float | None:
    """How far recent raw scores lie from those of the fit: the population stability index, 0 for the same mix.

    None with fewer than ``DRIFT_LEAST`` scores, or where the fit kept no bins. Each bin gets half a score on both
    sides, so that an empty one is not infinitely far.
    """
    bins = len(fitted.shares)
    if len(raw) < DRIFT_LEAST or bins < 2:
        return None
    now = np.bincount(np.searchsorted(fitted.edges, raw, side="right"), minlength=bins)
    then = np.asarray(fitted.shares) * fitted.answers
    seen, known = ((counts + 0.5) / (counts.sum() + 0.5 * bins) for counts in (now, then))
    return float(((seen - known) * np.log(seen / known)).sum())
