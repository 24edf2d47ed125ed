"""The panel: every judgement the nodes make, each with its tiers, assembled once."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from calibrant.judges.cascade import Judgement
from calibrant.judges.free.words.text import RateSentences
from calibrant.judges.given import (
    Composed,
    Filled,
    ToAnswer,
    ToCompose,
    ToDistil,
    ToFill,
    ToPlan,
    ToReconcile,
    ToScore,
    ToSuffice,
    ToSupport,
    ToUnderstand,
)
from calibrant.state.answer import Claim, Conflict
from calibrant.state.confidence import Confidence
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Distillate, Sufficiency
from calibrant.state.task import Branch, SubResult, Task


@dataclass(frozen=True)
class Panel:
    """One field a judgement: nodes pick the one they need and hand it to the cascade. Then what other judgements use of
    the tier without a model."""

    understand: Judgement[ToUnderstand, Task]
    plan: Judgement[ToPlan, tuple[Branch, ...]]
    fill: Judgement[ToFill, Filled]
    suffice: Judgement[ToSuffice, Sufficiency]
    answer: Judgement[ToAnswer, SubResult]
    distil: Judgement[ToDistil, Distillate]
    score: Judgement[ToScore, Confidence]
    support: Judgement[ToSupport, tuple[Claim, ...]]
    reconcile: Judgement[ToReconcile, tuple[Conflict, ...]]
    compose: Judgement[ToCompose, Composed]
    rate_by_words: Callable[[Sequence[str], Sequence[Evidence]], list[float]]
    """How well each passage answers one of the questions, 0..1, by its words alone. Blocking, but quick."""
    answering: RateSentences
    """The sentences that likely answer a question, without a model. Blocking."""
    by_meaning: RateSentences
    """The sentences that an encoder has read, by how likely they answer: also such as are no answer. Blocking."""
