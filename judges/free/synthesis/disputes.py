"""Which claims of an answer disagree with each other, and which of them it follows."""

from collections.abc import Mapping, Sequence, Set

from calibrant.judges.free.comparing.reading import read
from calibrant.judges.given import ToCompose
from calibrant.state.answer import Claim, Conflict, ConflictKind

_SAME = 0.85
"""Share of stems in common from which two claims say the same."""


class Dispute:
    """Claims that disagree with each other; ``leader`` is the one that the answer follows, and ``allies`` are others of
    its document that nothing beats: two documents that beat a third one may well disagree."""

    def __init__(self, members: list[Claim], leader: str, allies: Set[str], ambiguous: bool) -> None:
        self.members = sorted(members, key=lambda claim: (claim.id != leader, -claim.confidence))
        self.leader = leader
        self.followed = [claim for claim in self.members if claim.id == leader or claim.id in allies]
        self.others = [claim for claim in self.members if claim not in self.followed]
        self.ambiguous = ambiguous
        self.echoes: dict[str, list[str]] = {claim.id: [] for claim in members}

    def echo(self, member: Claim, claim: Claim) -> None:
        """Note that ``claim`` says the same as ``member`` (or as what that one echoes)."""
        side = next(key for key, ids in self.echoes.items() if member.id in (key, *ids))
        self.echoes[side].append(claim.id)

    def cited(self, claim: Claim) -> tuple[str, ...]:
        """A member and the claims that say the same."""
        return (claim.id, *self.echoes[claim.id])

    @property
    def lead(self) -> tuple[str, ...]:
        """The ids of the side that the answer follows."""
        return tuple(key for claim in self.followed for key in self.cited(claim))


def disputes_of(given: ToCompose, usable: Mapping[str, Claim]) -> dict[str, Dispute]:
    """Claim id -> the dispute it is part of. Conflicts that share a claim are one dispute."""
    documents = {item.id: item.document for item in given.evidence}
    groups: list[list[Conflict]] = []
    for conflict in given.conflicts:
        if not conflict.ids <= usable.keys():
            continue  # one side is not said at all: there is nothing to tell
        touching = [group for group in groups if any(conflict.ids & held.ids for held in group)]
        merged = [held for group in touching for held in group] + [conflict]
        groups = [group for group in groups if group not in touching] + [merged]
    found = {
        claim.id: dispute
        for group in groups
        for dispute in [_dispute(group, usable, documents)]
        for claim in dispute.members
    }
    for claim in usable.values():
        member = next((usable[key] for key in found if says_same(usable[key], claim)), None)
        if claim.id not in found and member is not None:
            # Said by another source too: it belongs to the dispute, or a beaten side would be told as plain truth.
            found[member.id].echo(member, claim)
            found[claim.id] = found[member.id]
    return found


def _dispute(group: Sequence[Conflict], usable: Mapping[str, Claim], documents: Mapping[str, str]) -> Dispute:
    ids = list(dict.fromkeys(claim.id for held in group for claim in (held.first, held.second)))
    members = [usable[identity] for identity in ids]
    beaten = {side.id for held in group for side in (held.first, held.second) if held.preferred not in ("", side.id)}
    standing = [claim for claim in members if claim.id not in beaten] or members
    leader = max(standing, key=lambda claim: claim.confidence)
    opposed = {key for held in group if leader.id in held.ids for key in held.ids}
    own = {documents[eid] for eid in leader.evidence_ids if eid in documents}
    beside = (one for one in standing if not own.isdisjoint(documents.get(eid, "") for eid in one.evidence_ids))
    allies = {claim.id for claim in beside if claim.id not in opposed and _is_settled(claim, group)}
    return Dispute(members, leader.id, allies, all(held.kind is ConflictKind.AMBIGUITY for held in group))


def _is_settled(claim: Claim, group: Sequence[Conflict]) -> bool:
    """Whether each conflict of a claim prefers it."""
    return all(held.preferred == claim.id for held in group if claim.id in held.ids)


def row(claim: Claim) -> tuple[str, ...]:
    """The stems of what a claim tells, in order."""
    return tuple(word.stem for word in read(claim.text).words)


def figures(claim: Claim) -> str:
    """What two sentences of the same words may still differ in: figures, negation, verdict."""
    told = read(claim.text)
    amounts = sorted((amount.value, amount.unit) for amount in told.quantities)
    days = sorted(date.ymd for date in told.dates)
    return repr((amounts, days, [name for name, _ in told.versions], told.negative, told.force, claim.verdict))


def says_same(one: Claim, other: Claim) -> bool:
    """Whether two claims say the same in much the same words, in one order."""
    a, b = row(one), row(other)
    common = {*a} & {*b}
    alike = a == b or (bool(common) and len(common) / len({*a, *b}) >= _SAME)
    # The same words in another order may say the opposite: "A beats B".
    in_order = [root for root in a if root in common] == [root for root in b if root in common]
    return alike and in_order and figures(one) == figures(other)
