"""The LLM tier: one port to any chat model, the structured-output ladder, one prompt and one schema a judgement."""

from dataclasses import dataclass

from calibrant.judges.cascade import Asker
from calibrant.judges.given import (
    Composed,
    ToAnswer,
    ToCompose,
    ToDistil,
    ToPlan,
    ToReconcile,
    ToScore,
    ToSuffice,
    ToSupport,
    ToUnderstand,
)
from calibrant.judges.model.answer import Answer
from calibrant.judges.model.compose import Compose
from calibrant.judges.model.distil import Distil
from calibrant.judges.model.opening import open_model
from calibrant.judges.model.plan import Plan
from calibrant.judges.model.port import ModelPort, open_port
from calibrant.judges.model.reconcile import Reconcile
from calibrant.judges.model.score import Score
from calibrant.judges.model.suffice import Suffice
from calibrant.judges.model.support import Support
from calibrant.judges.model.understand import Understand
from calibrant.state.answer import Claim, Conflict
from calibrant.state.confidence import Confidence
from calibrant.state.retrieval import Distillate, Sufficiency
from calibrant.state.task import Branch, SubResult, Task

__all__ = ["Askers", "ModelPort", "askers", "open_model", "open_port"]


@dataclass(frozen=True)
class Askers:
    """The LLM tier of every judgement."""

    understand: Asker[ToUnderstand, Task]
    plan: Asker[ToPlan, tuple[Branch, ...]]
    suffice: Asker[ToSuffice, Sufficiency]
    answer: Asker[ToAnswer, SubResult]
    distil: Asker[ToDistil, Distillate]
    score: Asker[ToScore, Confidence]
    support: Asker[ToSupport, tuple[Claim, ...]]
    reconcile: Asker[ToReconcile, tuple[Conflict, ...]]
    compose: Asker[ToCompose, Composed]


def askers(port: ModelPort) -> Askers:
    """Every asker over one port. Reads the prompts from disk: call it where the graph is built, not in a node."""
    return Askers(
        understand=Understand(port),
        plan=Plan(port),
        suffice=Suffice(port),
        answer=Answer(port),
        distil=Distil(port),
        score=Score(port),
        support=Support(port),
        reconcile=Reconcile(port),
        compose=Compose(port),
    )
