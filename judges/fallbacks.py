"""What stands in for each judgement where it breaks: the run goes on with something plainer, and says so.

A model that fails is no such case: the cascade falls back to the LLM-free tier. This is for a judge that raises.
"""

from calibrant.judges.cascade import Fallback
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
from calibrant.state.answer import Claim, Conflict, Verdict
from calibrant.state.confidence import Confidence
from calibrant.state.retrieval import Distillate, Sufficiency
from calibrant.state.task import Branch, Question, Step, StepStatus, SubResult, Task

NEUTRAL = Confidence(raw=0.5, score=0.5)
"""The confidence in what could not be judged (spec 3): as likely as not."""


def as_one_question(given: ToUnderstand) -> Task:
    """The request as it stands: one question, of which nothing is understood but its words."""
    return Task(
        text=given.text, original=given.text, questions=(Question(id="q1", text=given.text),), understanding=0.5
    )


def one_after_the_other(given: ToPlan) -> tuple[Branch, ...]:
    """The plainest plan: each part of the request is looked up."""
    task = given.task
    parts = [part.text for part in task.questions] or [task.text]
    steps = [Step(id=f"b1.s{number}", question=part, queries=(part,)) for number, part in enumerate(parts, 1)]
    return (Branch(id="b1", name="direct", steps=tuple(steps)),)


def unanswered(given: ToAnswer) -> SubResult:
    """No answer: all that was asked is missing."""
    step = given.step
    return SubResult(id=step.id, question=step.question, status=StepStatus.UNANSWERED, missing=step.question)


def attributed(given: ToCompose) -> Composed:
    """Plain attribution: every claim in its own words, each with its source, in order."""
    return Composed(tuple((claim.text, (claim.id,)) for claim in given.claims))


def quoted_verbatim(given: ToSupport) -> tuple[Claim, ...]:
    """The claims checked by comparing letters: one that its passage has word for word is supported."""
    return tuple(
        claim.replace(verdict=Verdict.SUPPORTED, reason="quoted word for word")
        if any(_flat(claim.text) in _flat(span.quote) for span in claim.spans)
        else claim.replace(verdict=Verdict.UNVERIFIED, reason="could not be checked")
        for claim in given.claims
    )


def _flat(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .")


UNDERSTAND = Fallback(as_one_question, "The request could not be read and is taken as one question")
PLAN = Fallback(one_after_the_other, "The request could not be planned and is looked up part by part")
FILL = Fallback[ToFill, Filled](
    lambda given: Filled(given.steps), "What a call needs could not be looked up in what was found"
)
SUFFICE = Fallback[ToSuffice, Sufficiency](
    lambda _: Sufficiency(confidence=NEUTRAL), "Whether the passages are enough could not be judged"
)
ANSWER = Fallback(unanswered, "A question could not be looked into")
DISTIL = Fallback[ToDistil, Distillate](lambda _: Distillate(), "What the passages say could not be drawn out")
SCORE = Fallback[ToScore, Confidence](lambda _: NEUTRAL, "A result could not be scored and counts as 0.5")
SUPPORT = Fallback(quoted_verbatim, "The claims could not be checked and were only compared word for word")
RECONCILE = Fallback[ToReconcile, tuple[Conflict, ...]](
    lambda _: (), "Disagreement between sources could not be looked for"
)
COMPOSE = Fallback(attributed, "The answer could not be composed")
