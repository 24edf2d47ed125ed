"""A threshold for a promised error rate, by conformal risk control (Angelopoulos et al. 2022). Pure.

The loss of a question is 1 where a wrong answer is given, else 0; it falls as the threshold rises. With n questions
and their mean loss R(t), the smallest t with n/(n+1) R(t) + 1/(n+1) <= risk keeps the expected loss of the next
question, drawn as these were, at or below ``risk``.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

DIGITS = 4
"""A threshold is told with so many."""


@dataclass(frozen=True)
class Answer:
    """What of a question counts: whether it was answered, how sure, and whether what is said would be wrong."""

    answered: bool
    score: float
    wrong: bool


@dataclass(frozen=True)
class Kept:
    """What a threshold does: the share answered, and the share answered wrongly."""

    coverage: float
    risk: float


def threshold_for(risk: float, questions: Sequence[Answer]) -> float | None:
    """The smallest threshold that keeps ``risk``; None where none does, or too few questions could show it.

    An answer is given where its score is at or above the threshold, so that a wrong one is avoided just above its own.
    """
    wrong = sorted((one.score for one in questions if one.answered and one.wrong), reverse=True)
    bearable = math.floor(risk * (len(questions) + 1) - 1 + 1e-9)
    if bearable < 0:
        return None
    if bearable >= len(wrong):
        return 0.0
    above = math.floor(wrong[bearable] * 10**DIGITS + 1e-6)  # 0.57 * 10000 is a little less than 5700
    threshold = (above + 1) / 10**DIGITS
    return threshold if threshold <= 1.0 else None


def kept(threshold: float, questions: Sequence[Answer]) -> Kept:
    """Coverage and risk where answers below ``threshold`` are withheld."""
    given = [one.answered and one.score >= threshold for one in questions]
    wrong = [told and one.wrong for told, one in zip(given, questions, strict=True)]
    return Kept(float(np.mean(given)), float(np.mean(wrong))) if questions else Kept(0.0, 0.0)
