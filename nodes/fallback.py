"""What happens when a judgement itself breaks: the run goes on with something plainer, and says so.

A model that fails is no such case: the cascade falls back to the LLM-free tier. This is for a judge that raises.
"""

from typing import TypeVar

from calibrant.judges.cascade import Judged, Judgement
from calibrant.judges.given import Composed, ToCompose
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Verdict
from calibrant.state.budget import Allowance
from calibrant.state.confidence import Confidence

G = TypeVar("G")
T = TypeVar("T")

NEUTRAL = Confidence(raw=0.5, score=0.5)
"""The confidence in a result that could not be scored (spec 3)."""

UNCHECKED = "The claims could not be checked and were only compared word for word"


async def judged_or(
    work: Work,
    judgement: Judgement[G, T],
    given: G,
    fallback: T,
    warning: str,
    *,
    closing: bool = False,
    allowance: Allowance | None = None,
) -> Judged[T]:
    """The judgement, or ``fallback``, with a ``warning``, where it raises. ``allowance`` and ``closing`` as for
    ``Work.judge``."""
    try:
        return await work.judge(judgement, given, closing=closing, allowance=allowance)
    except Exception as error:  # noqa: BLE001 - whatever breaks in one judgement must not cost the whole answer
        work.warnings.append(f"{warning} ({type(error).__name__}).")
        return Judged(fallback, doubt=1.0)


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
