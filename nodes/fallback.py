"""What happens when a judgement itself breaks: the run goes on with something plainer, and says so.

A model that fails is no such case: the cascade falls back to the LLM-free tier. This is for a judge that raises.
"""

from typing import TypeVar

from calibrant.judges.cascade import Judged, Judgement
from calibrant.judges.given import Composed, ToCompose, ToPlan, ToUnderstand
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Verdict
from calibrant.state.budget import Allowance
from calibrant.state.confidence import Confidence
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import Branch, Question, Step, Task

G = TypeVar("G")
T = TypeVar("T")

NEUTRAL = Confidence(raw=0.5, score=0.5)
"""The confidence in a result that could not be scored (spec 3)."""

AS_LIKELY_AS_NOT = Sufficiency(confidence=NEUTRAL)
"""The sufficiency of passages that could not be judged."""

UNJUDGED = "Whether the passages are enough could not be judged"
UNREAD = "The request could not be read and is taken as one question"
UNPLANNED = "The request could not be planned and is looked up part by part"
UNCOMPARED = "Disagreement between sources could not be looked for"
UNCHECKED = "The claims could not be checked and were only compared word for word"


async def judged_or(
    work: Work,
    judgement: Judgement[G, T],
    given: G,
    fallback: T,
    warning: str,
    *,
    closing: bool = False,
    ahead: bool = False,
    allowance: Allowance | None = None,
) -> Judged[T]:
    """The judgement, or ``fallback``, with a ``warning``, where it raises. ``allowance``, ``closing`` and ``ahead`` as
    for ``Work.judge``."""
    try:
        return await work.judge(judgement, given, closing=closing, ahead=ahead, allowance=allowance)
    except Exception as error:  # noqa: BLE001 - whatever breaks in one judgement must not cost the whole answer
        work.warnings.append(f"{warning} ({type(error).__name__}).")
        return Judged(fallback, doubt=1.0)


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


def attributed(given: ToCompose) -> Composed:
    """Plain attribution: every claim in its own words, each with its source, in order."""
    return Composed(tuple((claim.text, (claim.id,)) for claim in given.claims))


def quoted_verbatim(claims: tuple[Claim, ...]) -> tuple[Claim, ...]:
    """The claims checked by comparing letters: one that its passage has word for word is supported."""
    return tuple(
        claim.replace(verdict=Verdict.SUPPORTED, reason="quoted word for word")
        if any(_flat(claim.text) in _flat(span.quote) for span in claim.spans)
        else claim.replace(verdict=Verdict.UNVERIFIED, reason="could not be checked")
        for claim in claims
    )


def _flat(text: str) -> str:
    return " ".join(text.lower().split()).strip(" .")
