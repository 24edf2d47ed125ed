"""What was aimed at, as data: which figures should reach which limit on the held-out halves."""

from collections.abc import Callable
from dataclasses import dataclass
from operator import ge, gt, le, lt
from typing import Literal

from calibrant.evals.task import Figure

Comparison = Literal["at least", "more than", "at most", "less than"]

_HOLDS: dict[Comparison, Callable[[float, float], bool]] = {
    "at least": ge,
    "more than": gt,
    "at most": le,
    "less than": lt,
}


@dataclass(frozen=True)
class Aim:
    """One aim. ``dataset`` empty: on each dataset that has the figure."""

    task: str
    figure: str
    comparison: Comparison
    limit: float
    dataset: str = ""

    def concerns(self, task: str, figure: Figure) -> bool:
        """Whether ``figure`` of ``task`` is what is aimed at. Details (parts of a dataset) have no aims."""
        same = (task, figure.name) == (self.task, self.figure) and self.dataset in ("", figure.dataset)
        return same and not figure.detail

    def reached(self, value: float) -> bool:
        """Whether ``value`` is on the right side, by itself: how sure that is, its interval says."""
        return _HOLDS[self.comparison](value, self.limit)

    def __str__(self) -> str:
        return f"{self.comparison} {self.limit:.2f}"


AIMS = (
    Aim("sufficiency", "AUROC", "at least", 0.78, "nomiracl"),
    Aim("sufficiency", "AUROC", "at least", 0.92, "clapnq"),
    Aim("sufficiency", "AUROC", "at least", 0.88, "qnli"),
    Aim("sufficiency", "AUROC", "at least", 0.68, "squad2"),
    Aim("sufficiency", "ECE, calibrated", "at most", 0.05),
    Aim("conflict", "recall of the obvious", "at least", 0.80, "breaking_nli"),
    Aim("conflict", "precision", "at least", 0.80, "breaking_nli"),
    Aim("conflict", "AUROC", "at least", 0.75, "fever_symmetric"),
    Aim("conflict", "AUROC", "at least", 0.75, "snli_cad"),
    Aim("scorer", "score and overall, Spearman", "at least", 0.50),
    Aim("scorer", "grounding and consistency, Spearman", "at least", 0.50),
    Aim("scorer", "grounding and groundedness, Spearman", "at least", 0.50),
    Aim("calibration", "stated, ECE isotonic", "at most", 0.05),
    Aim("calibration", "token, ECE isotonic", "at most", 0.05),
    Aim("depth", "saved against depth 3: chunks", "at least", 0.50),
    Aim("depth", "lost against depth 3", "at most", 0.01),
    Aim("answer", "answerable: answer found in the cited sentences", "at least", 0.80, "squad2"),
    Aim("answer", "unanswerable: answered all the same", "less than", 0.50, "squad2"),
    Aim("answer", "confidence, ECE", "at most", 0.05),
    Aim("synthesis", "weighted over concatenation", "more than", 0.0),
)
"""In the order of the tasks."""


def aim_of(task: str, figure: Figure) -> Aim | None:
    """The aim that concerns ``figure``, if there is one."""
    return next((aim for aim in AIMS if aim.concerns(task, figure)), None)
