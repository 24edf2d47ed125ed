"""Which of two claims that do not go together the answer follows."""

from collections.abc import Mapping
from datetime import datetime

from calibrant.judges.free.comparing.age import age_of, is_newer, replaces
from calibrant.state.answer import Claim
from calibrant.state.evidence import Evidence

_CONFIDENCE_TIE = 0.02


def preferred(one: Claim, other: Claim, passages: Mapping[str, Evidence]) -> Claim:
    """What the documents say of their age decides; else the more confident claim; in a tie the newer one, where both
    have dates."""
    stated = _by_age(one, other, passages)
    if stated is not None:
        return stated
    if abs(one.confidence - other.confidence) > _CONFIDENCE_TIE:
        return max((one, other), key=lambda claim: claim.confidence)
    dates = [_newest(claim, passages) for claim in (one, other)]
    if dates[0] is not None and dates[1] is not None and dates[0] != dates[1]:
        return one if dates[0] > dates[1] else other
    return max((one, other), key=lambda claim: (claim.confidence, claim is one))


def _by_age(one: Claim, other: Claim, passages: Mapping[str, Evidence]) -> Claim | None:
    """The claim of the document that replaces the other one, or that says that it is newer."""
    cited = [[passages[eid].document for eid in side.evidence_ids if eid in passages] for side in (one, other)]
    if not all(cited) or cited[0][0] == cited[1][0]:
        return None
    (first, *_), (second, *_) = cited
    held = [item for item in passages.values() if item.document in (first, second)]
    over = replaces(first, second, held), replaces(second, first, held)
    if over[0] is not over[1]:
        return one if over[0] else other
    ages = age_of(first, one.text, held), age_of(second, other.text, held)
    newer = is_newer(ages[0], ages[1]) if ages[0] and ages[1] else None
    return None if newer is None else one if newer else other


def _newest(claim: Claim, passages: Mapping[str, Evidence]) -> datetime | None:
    dates = [passages[eid].published for eid in claim.evidence_ids if eid in passages]
    return max((date for date in dates if date is not None), default=None)
