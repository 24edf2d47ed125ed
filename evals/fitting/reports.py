"""What the fitting of the sufficiency models prints: how well each does on items that it did not see."""

from collections.abc import Sequence

import numpy as np

from calibrant.evals.calibrators import platt
from calibrant.evals.fitting.cases import Case, Scored
from calibrant.evals.fitting.vectors import say
from calibrant.evals.metrics import Floats, auroc, ece, ece_by_chance, interval
from calibrant.judges.fitted import Logistic, Scale

BINS = 10
KINDS = {
    "nomiracl": "several passages", "qnli": "one sentence",
    "faquad_several": "several passages", "pira_several": "several passages",
}  # fmt: skip
"""What a question is judged from, where that is not one passage. Each kind is calibrated by itself."""


def report(name: str, scored: Sequence[Scored], scale: Scale) -> None:
    """Held-out AUROC per set with a 95% bootstrap interval, and the quantiles that the scale is chosen from."""
    for source in dict.fromkeys(source for source, _, _ in scored):
        truth = np.array([answerable for held, answerable, _ in scored if held == source])
        logits = np.array([logit for held, _, logit in scored if held == source])
        low, high = interval(auroc, truth, logits, groups=list(map(str, range(len(truth))))) or (0.0, 1.0)
        marks = ((side, mark) for mark in (scale.low, scale.high) for side in (True, False))
        parts = [f"{(logits[truth == side] >= mark).mean():.2f}" for side, mark in marks]
        shares = " >=0.5: answerable {} not {}  >=0.9: answerable {} not {}".format(*parts)
        say(f"{name:26} {source:9} n={len(truth):5} AUROC {auroc(truth, logits):.3f} [{low:.3f}, {high:.3f}]" + shares)


def report_calibration(name: str, fitting: Sequence[Scored], held: Sequence[Scored]) -> None:
    """The calibration error (ten bins of equal mass) of the log odds as probabilities on the held-out half.

    Platt's curve, one for each kind, is fitted on the cross-validated log odds of the fitting half. ``chance``: the
    error that probabilities which are exactly right would show over so few items.
    """
    for kind in dict.fromkeys(_kind(source) for source, _, _ in held):
        known, asked = ([one for one in part if _kind(one[0]) == kind] for part in (fitting, held))
        curve = platt(_odds(known), [truth for _, truth, _ in known])
        found, truth = curve(_odds(asked)), np.array([truth for _, truth, _ in asked])
        chance = ece_by_chance(found, BINS)
        say(f"{name:20} {kind:16} n={len(found):5} ECE {ece(truth, found, BINS):.3f} (chance {chance:.3f})")


def _kind(source: str) -> str:
    return KINDS.get(source, "one passage")


def _odds(scored: Sequence[Scored]) -> Floats:
    """Log odds as the probabilities that a calibrator takes."""
    return np.asarray(1.0 / (1.0 + np.exp(-np.array([logit for _, _, logit in scored]))))


def report_picks(name: str, model: Logistic, cases: Sequence[Case]) -> None:
    """How often the best sentence of an answering passage is one that holds the answer, among passages of several."""
    hits: dict[str, list[bool]] = {}
    for case in cases:
        labels = case.labels
        if labels and any(labels) and len(labels) > 1:
            hits.setdefault(case.item.source, []).append(labels[int(model.logits(case.rows[0].sentences).argmax())])
    for source, found in hits.items():
        say(f"{name:20} {source:9} n={len(found):5} best sentence holds the answer {np.mean(found):.3f}")


def report_coefficients(model: Logistic) -> None:
    """The weight of each feature."""
    pairs = zip(model.features, model.coefs, strict=True)
    say("   " + " ".join(f"{name}={coef:+.2f}" for name, coef in pairs) + f" intercept={model.intercept:+.2f}")
