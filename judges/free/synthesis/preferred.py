"""Which of two claims that do not go together the answer follows, and which claims hold no more."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from typing import Literal

from calibrant.judges.free.comparing.clashes import changes
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.replacing import replaces, supersedes
from calibrant.judges.free.evidence.age import Age, age_of, is_newer, is_over, is_to_come, moment_of
from calibrant.judges.free.evidence.cited import cited_by, document_cited_by
from calibrant.state.answer import Claim
from calibrant.state.evidence import Evidence

Reason = Literal["changed", "replaces", "newer", "to come", "over"]
"""Why a claim is followed: it says that the other one's value changed, or its document says that it replaces or
changes the other one, or that it is newer; or the other one does not hold yet, or no more."""

_CONFIDENCE_TIE = 0.02
_WORD = re.compile(r"\w+")
_EARLIER = re.compile(
    r"\b(?:(?:the|our|its|their|an?) (?:old|previous|earlier|former|prior)|anterior(?:es)?|antig[oa]s?)\b",
    re.IGNORECASE,
)
"""Asks for what held before: "what did the old policy say"."""


def preferred(one: Claim, other: Claim, passages: Mapping[str, Evidence], today: date | None = None) -> Claim:
    """What claims and documents say of their age as of ``today`` decides; else the more confident claim; in a tie the
    newer one by its day, where both have one: files that were copied here together differ by the order of copying."""
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
    documents = document_cited_by(one, passages), document_cited_by(other, passages)
    apart = all(documents) and documents[0] != documents[1]
    held = [item for item in passages.values() if item.document in documents] if apart else []
    first, second = (
        _Side(claim, document, age_of(document, claim.text, held), apart and is_over(document, held, today))
        for claim, document in zip((one, other), documents, strict=True)
    )
    told = _that_holds(first, second, today) or _that_changed(one, other)
    return told or (_of_newer(first, second, held) if apart else None)


@dataclass(frozen=True)
class _Side:
    """A claim with its document, when what it says came into force, and whether the document says that it is over."""

    claim: Claim
    document: str
    age: Age | None
    over: bool


def _that_holds(one: _Side, other: _Side, today: date | None) -> tuple[Claim, Reason] | None:
    """The claim that holds, where the other one does not yet, or no more."""
    to_come = [is_to_come(side.age, today) for side in (one, other)]
    if to_come[0] is not to_come[1]:
        return (other if to_come[0] else one).claim, "to come"
    if one.over is not other.over:
        return (other if one.over else one).claim, "over"
    return None


def _that_changed(one: Claim, other: Claim) -> tuple[Claim, Reason] | None:
    """The claim that says that what the other one tells was changed."""
    readings = read(one.text), read(other.text)
    if changes(*readings):
        return one, "changed"
    return (other, "changed") if changes(*reversed(readings)) else None


def _of_newer(one: _Side, other: _Side, held: Sequence[Evidence]) -> tuple[Claim, Reason] | None:
    """The claim of the document that replaces the other one, or that says that it is newer. ``held``: the passages of
    both."""
    over = replaces(one.document, other.document, held), replaces(other.document, one.document, held)
    if over[0] is not over[1]:
        return (one if over[0] else other).claim, "replaces"
    newer = is_newer(one.age, other.age)
    return None if newer is None else ((one if newer else other).claim, "newer")


@dataclass(frozen=True)
class Force:
    """Which documents of ``evidence`` hold as of ``today``, and which of the others were ``asked`` for ("in 2024", "the
    old policy")."""

    evidence: tuple[Evidence, ...]
    asked: str = ""
    today: date | None = None

    def in_force(self, claims: Sequence[Claim]) -> tuple[Claim, ...]:
        """The claims without those of a document that another one says it replaces as a whole, or that says itself that
        it is over, where that other one answers their question too and is borne out: then they are no dispute."""
        return tuple(
            claim
            for claim in claims
            if not any(
                self._gave_way(mine, one) and not self._is_meant(mine, one)
                for mine, one in self._beside(claim, [one for one in claims if one.verdict.stands])
            )
        )

    def of_those_meant(self, heard: Sequence[Claim], own: Sequence[Claim]) -> tuple[Claim, ...]:
        """What was ``heard`` beside an answer's ``own`` claims, without what took the place of a document that is asked
        for."""
        return tuple(
            claim
            for claim in heard
            if not any(
                self._gave_way(one, mine) and self._is_meant(one, mine) for mine, one in self._beside(claim, own)
            )
        )

    def _beside(self, claim: Claim, others: Sequence[Claim]) -> Iterator[tuple[str, str]]:
        """The document of ``claim`` with each other one that answers the same question."""
        mine = document_cited_by(claim, self._passages)
        answers = {document_cited_by(one, self._passages) for one in others if one.question_id == claim.question_id}
        return ((mine, one) for one in answers - {mine, ""} if mine)

    def _gave_way(self, one: str, other: str) -> bool:
        over = one in self._over and other not in self._over
        return over or supersedes(other, one, self.evidence, self.today)

    def _is_meant(self, one: str, other: str) -> bool:
        named = frozenset(_WORD.findall(self.asked.casefold()))
        return bool(_EARLIER.search(self.asked) or named & (self._titles[one] - self._titles[other]))

    @cached_property
    def _passages(self) -> dict[str, Evidence]:
        return {item.id: item for item in self.evidence}

    @cached_property
    def _titles(self) -> dict[str, frozenset[str]]:
        return {item.document: frozenset(_WORD.findall(item.title.casefold())) for item in self.evidence}

    @cached_property
    def _over(self) -> frozenset[str]:
        return frozenset(one for one in self._titles if is_over(one, self.evidence, self.today))


def _newest(claim: Claim, passages: Mapping[str, Evidence]) -> date | None:
    moments = (moment_of(item, passages.values()) for item in cited_by(claim, passages))
    return max((moment.date() for moment in moments if moment), default=None)
