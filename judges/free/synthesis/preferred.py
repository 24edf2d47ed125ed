"""Which of two claims that do not go together the answer follows, and which claims hold no more."""

import re
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime
from typing import Literal

from calibrant.judges.free.comparing.age import Age, age_of, is_newer, is_over, is_to_come
from calibrant.judges.free.comparing.quantities import changes
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.replacing import replaces, supersedes
from calibrant.state.answer import Claim
from calibrant.state.evidence import Evidence

Reason = Literal["changed", "replaces", "newer", "to come", "over"]
"""Why a claim is followed: it says that the other one's value changed, or its document says that it replaces or
changes the other one, or that it is newer; or the other one does not hold yet, or no more."""

_CONFIDENCE_TIE = 0.02
_WORD = re.compile(r"\w+")


def preferred(one: Claim, other: Claim, passages: Mapping[str, Evidence], today: date | None = None) -> Claim:
    """What claims and documents say of their age as of ``today`` decides; else the more confident claim; in a tie the
    newer one, where both have dates."""
    told = reason_to_follow(one, other, passages, today)
    if told is not None:
        return told[0]
    if abs(one.confidence - other.confidence) > _CONFIDENCE_TIE:
        return max((one, other), key=lambda claim: claim.confidence)
    dates = [_newest(claim, passages) for claim in (one, other)]
    if dates[0] is not None and dates[1] is not None and dates[0] != dates[1]:
        return one if dates[0] > dates[1] else other
    return max((one, other), key=lambda claim: (claim.confidence, claim is one))


def reason_to_follow(
    one: Claim, other: Claim, passages: Mapping[str, Evidence], today: date | None = None
) -> tuple[Claim, Reason] | None:
    """The claim that holds by what is said in it or in its document, and why; None where nothing is."""
    documents = _document(one, passages), _document(other, passages)
    apart = all(documents) and documents[0] != documents[1]
    held = [item for item in passages.values() if item.document in documents] if apart else []
    ages = age_of(documents[0], one.text, held), age_of(documents[1], other.text, held)
    over = [is_over(document, held, today) for document in documents] if apart else [False, False]
    told = _that_holds(one, other, ages, over, today) or _that_changed(one, other)
    return told or (_of_newer(one, other, documents, ages, held) if apart else None)


_Ages = tuple[Age | None, Age | None]


def _that_holds(
    one: Claim, other: Claim, ages: _Ages, over: Sequence[bool], today: date | None
) -> tuple[Claim, Reason] | None:
    """The claim that holds, where the other one does not yet, or no more: its document is ``over``."""
    to_come = [age is not None and is_to_come(age, today) for age in ages]
    if to_come[0] is not to_come[1]:
        return (other if to_come[0] else one), "to come"
    if over[0] is not over[1]:
        return (other if over[0] else one), "over"
    return None


def _that_changed(one: Claim, other: Claim) -> tuple[Claim, Reason] | None:
    """The claim that says that what the other one tells was changed."""
    readings = read(one.text), read(other.text)
    if changes(*readings):
        return one, "changed"
    return (other, "changed") if changes(*reversed(readings)) else None


def _of_newer(
    one: Claim, other: Claim, documents: tuple[str, str], ages: _Ages, held: Sequence[Evidence]
) -> tuple[Claim, Reason] | None:
    """The claim of the document that replaces the other one, or that says that it is newer. ``held``: the passages of
    both."""
    first, second = documents
    over = replaces(first, second, held), replaces(second, first, held)
    if over[0] is not over[1]:
        return (one if over[0] else other), "replaces"
    newer = is_newer(ages[0], ages[1]) if ages[0] and ages[1] else None
    return None if newer is None else ((one if newer else other), "newer")


def in_force(
    claims: Sequence[Claim], evidence: Iterable[Evidence], asked: str = "", today: date | None = None
) -> tuple[Claim, ...]:
    """The claims without those of a document that another one says it replaces as a whole, or that says itself that it
    is over, where that other one answers their question too and is borne out: then they are no dispute. What was
    ``asked`` may name the earlier one ("in 2024")."""
    passages = {item.id: item for item in evidence}
    documents = {claim.id: _document(claim, passages) for claim in claims}
    titles = {item.document: frozenset(_WORD.findall(item.title.casefold())) for item in passages.values()}
    named = frozenset(_WORD.findall(asked.casefold()))
    over = {document for document in titles if is_over(document, passages.values(), today)}

    def is_past(mine: str, other: str) -> bool:
        if named & (titles[mine] - titles[other]):
            return False
        return (mine in over and other not in over) or supersedes(other, mine, passages.values(), today)

    def is_replaced(claim: Claim) -> bool:
        standing = [other for other in claims if other.question_id == claim.question_id and other.verdict.stands]
        beside, mine = {documents[other.id] for other in standing}, documents[claim.id]
        return bool(mine) and any(is_past(mine, one) for one in beside - {mine, ""})

    return tuple(claim for claim in claims if not is_replaced(claim))


def _document(claim: Claim, passages: Mapping[str, Evidence]) -> str:
    return next((passages[eid].document for eid in claim.evidence_ids if eid in passages), "")


def _newest(claim: Claim, passages: Mapping[str, Evidence]) -> datetime | None:
    dates = [passages[eid].published for eid in claim.evidence_ids if eid in passages]
    return max((date for date in dates if date is not None), default=None)
