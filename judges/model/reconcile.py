"""Conflicts by a model: pairs that code proposes are confirmed, typed or dismissed."""

from collections.abc import Sequence
from itertools import combinations

from calibrant.judges.cascade import Judged
from calibrant.judges.free.words.text import folded_stems
from calibrant.judges.given import ToReconcile
from calibrant.judges.model.asking import Asking, judged, matched, unknown_ids
from calibrant.judges.model.passages import days_of_claims, origins_of_claims
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.prose import prose
from calibrant.judges.model.schemas import PairRow, ReconcileReply
from calibrant.state.answer import Claim, Conflict, ConflictKind
from calibrant.state.budget import Allowance, Spend
from calibrant.state.evidence import Evidence

PAIRS = 8

ALIKE = 0.3
"""Claims that share fewer of their words are not about the same thing."""

SEVERITY = {
    ConflictKind.CONTRADICTION: 0.9,
    ConflictKind.INCONSISTENCY: 0.7,
    ConflictKind.AMBIGUITY: 0.5,
}
"""How serious each kind is by itself. Averaged with what the free tier measured, where it did."""


class Reconcile(Asking):
    """``ToReconcile`` -> ``Conflict``s."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "reconcile")

    async def __call__(
        self, given: ToReconcile, free: tuple[Conflict, ...], allowance: Allowance
    ) -> Judged[tuple[Conflict, ...]]:
        asked = {f"P{number}": pair for number, pair in enumerate(proposed(given, free), 1)}
        if not asked:
            return judged(free, Spend())
        reply, spend = await self._ask(
            ReconcileReply, allowance, pairs=_shown(asked, given.evidence), today=dated(given.today)
        )
        rows = matched(reply.pairs, list(asked), lambda row: row.pair)
        made_up = tuple(row.pair for row in reply.pairs if row not in rows.values() and row.pair not in asked)
        found = [_conflict(pair, rows.get(pid), free) for pid, pair in asked.items()]
        shown = {frozenset((pair[0].id, pair[1].id)) for pair in asked.values()}
        rest = [conflict for conflict in free if conflict.ids not in shown]
        kept = tuple(c for c in (*found, *rest) if c is not None and c.severity >= given.threshold)
        return judged(kept, spend, unknown_ids(made_up, "pairs"), kept=len(rows), given=len(asked))


Pair = tuple[Claim, Claim]


def proposed(given: ToReconcile, free: Sequence[Conflict]) -> tuple[Pair, ...]:
    """The pairs that the free tier suspects, then those of different passages whose claims are about the same thing,
    but for those that the model that stated both has compared."""
    pairs: dict[frozenset[str], Pair] = {}
    for conflict in sorted(free, key=lambda conflict: -conflict.severity):
        pairs[_texts(conflict.first, conflict.second)] = (conflict.first, conflict.second)
    others = sorted(combinations(given.claims, 2), key=lambda pair: -alike(*pair))
    for pair in others:
        ids = {claim.id for claim in pair}
        is_known = _of_one_passage(*pair) or any(ids <= group for group in given.settled)
        if alike(*pair) >= ALIKE and len(_texts(*pair)) > 1 and not is_known:
            pairs.setdefault(_texts(*pair), pair)
    return tuple(pairs.values())[:PAIRS]


def _texts(*claims: Claim) -> frozenset[str]:
    """What the claims say, whichever of them says it."""
    return frozenset(claim.text.casefold() for claim in claims)


def _of_one_passage(first: Claim, second: Claim) -> bool:
    return not set(first.evidence_ids).isdisjoint(second.evidence_ids)


def alike(first: Claim, second: Claim) -> float:
    """The share of the shorter claim's words that the other has."""
    a, b = folded_stems(first.text), folded_stems(second.text)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0


def _shown(asked: dict[str, Pair], evidence: Sequence[Evidence]) -> str:
    """The claims, with what stands above the passages that they are from and when those are from: often that tells
    which one is in force."""
    sides = [side for pair in asked.values() for side in pair]
    places, days = origins_of_claims(sides, evidence), days_of_claims(sides, evidence)
    blocks = [
        fenced(
            "pair",
            f"1. {first.text}\n2. {second.text}",
            id=pid,
            first=places[first.id],
            first_dated=days[first.id],
            second=places[second.id],
            second_dated=days[second.id],
        )
        for pid, (first, second) in asked.items()
    ]
    return "<pairs>\n" + "\n".join(blocks) + "\n</pairs>"


def _conflict(pair: Pair, row: PairRow | None, free: Sequence[Conflict]) -> Conflict | None:
    """The pair as the model judged it. One that it said nothing about stays as the free tier had it."""
    ids = {pair[0].id, pair[1].id}
    held = next((conflict for conflict in free if conflict.ids == ids), None)
    if row is None:
        return held
    if row.kind == "none":
        return None
    kind = ConflictKind(row.kind)
    severity = SEVERITY[kind] if held is None else (SEVERITY[kind] + held.severity) / 2
    surer = max(pair, key=lambda claim: claim.confidence).id
    in_force = {"1": pair[0].id, "2": pair[1].id}.get(row.in_force.strip(" .P"), "")
    return Conflict(
        id=held.id if held else f"x-{pair[0].id}-{pair[1].id}",
        kind=kind,
        severity=severity,
        first=pair[0],
        second=pair[1],
        preferred=in_force or (held.preferred if held else "") or surer,
        explanation=prose(row.explanation, pair[0].text, pair[1].text, limit=250),
    )
