"""Conflicts: claims of different passages that do not go together, how badly, and which one to follow.

What only qualifies, or speaks of another attribute, is no conflict.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from calibrant.judges.cascade import Judged
from calibrant.judges.free.comparing.alignment import Alignment, align, word_vectors
from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.clashes import same_day
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.opposition import Opposition
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.comparing.relating import relating
from calibrant.judges.free.comparing.rivals import SEVERITY
from calibrant.judges.free.comparing.suspicion import suspicions
from calibrant.judges.free.evidence.inference import Reads
from calibrant.judges.free.synthesis.given_claims import GivenClaims
from calibrant.judges.free.synthesis.pairing import candidates, disputes, distinct
from calibrant.judges.free.synthesis.rating import conflict_of
from calibrant.judges.free.synthesis.sides import aligned_claims
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, Conflict
from calibrant.state.protocols import TokenEncoder

_ENCODED = 8
"""Undecided pairs that are encoded at most, the most alike first: encoding is what takes time."""
_ALIKE = 0.5
"""Share of words in common from which two claims speak of one thing."""
_APART = 0.35
"""What a suspicion counts for where no call would help: it only ranks, below the doubt from which a model is asked."""
_NAMED, _NEARLY = 0.4, 0.8
"""The doubt about two sentences that say nearly the same, from this share of their words, and differ in a name: worth a
call, and no more."""
_MONEY = ("$", "€", "£", "¥")
_UNIT = re.compile(r"(?<=\d)\s?(?:[%°]|[^\W\d_]+(?:\(\w+\))?)")
"""What a number counts, behind it: 38 dB(A)."""

Pair = tuple[Claim, Claim, Alignment]


class ConflictJudge:
    """Finds the conflicts among claims. An encoder lets other words for the same thing count.

    ``for_model``: suspicions decide whether a model is asked, so two sentences are read together for them. That takes
    2 seconds once, 200 MB and 10 ms a pair, which nobody should pay where no model can be asked.
    """

    def __init__(self, encoder: TokenEncoder | None = None, *, for_model: bool = False) -> None:
        self._encoder = encoder
        self._for_model = for_model

    @cached_property
    def _reads(self) -> Reads | None:
        return relating(self._encoder) if self._for_model else None

    def free(self, given: ToReconcile) -> Judged[tuple[Conflict, ...]]:
        """The conflicts from ``given.threshold`` on, worst first, with the doubt of the nearest call."""
        claims = distinct(given.claims)
        disputed = disputes(claims, {item.id: item for item in given.evidence})
        chosen = [*candidates(claims, disputed)]
        held = GivenClaims(given, chosen, disputed)
        pairs = [(one, other, aligned_claims(one, other, held.passages)) for one, other in chosen]
        found = [_conflict(*pair, held) for pair in pairs]
        closer = self._closer([pair for pair, hit in zip(pairs, found, strict=True) if hit is None], held)
        nearer = (_conflict(*one.pair, held) for one in closer if one.alike)
        hits = [hit for hit in (*found, *nearer) if hit is not None]
        reported = sorted(
            (conflict for conflict in hits if conflict.severity >= given.threshold),
            key=lambda conflict: (-conflict.severity, conflict.id),
        )
        near = [_nearness(conflict.severity, given.threshold) for conflict in hits]
        doubts = (one.doubt for one in closer if not held.are_settled(*one.pair[:2]))
        doubt = max([*near, *doubts], default=0.0)
        return Judged(tuple(reported), doubt=1.0 if given.doubted else round(doubt, 4))

    def _closer(self, open_pairs: Sequence[Pair], held: GivenClaims) -> list["_Closer"]:
        """The undecided pairs that are most alike, aligned again by meaning, with the fitted suspicion of each.

        Suspicion adds doubt, never a conflict: see ``suspicions``.
        """
        if self._encoder is None or not open_pairs:
            return []
        chosen = sorted(open_pairs, key=lambda pair: -pair[2].least_cover)[:_ENCODED]
        vectors = word_vectors(self._encoder, [side for *_, found in chosen for side in found.sides])
        nearer = [align(*found.sides, vectors) for *_, found in chosen]
        suspected = suspicions(nearer, vectors, self._encoder, self._reads)
        return [
            _Closer((one, other, near), found.least_cover >= _ALIKE, suspicion, held.is_open(one, other))
            for (one, other, found), near, suspicion in zip(chosen, nearer, suspected, strict=True)
        ]


@dataclass(frozen=True)
class _Closer:
    """A pair aligned by meaning, whether it shares most of its words, how far it looks like a contradiction, and
    whether nothing speaks against that."""

    pair: Pair
    alike: bool
    suspected: float
    is_open: bool

    @property
    def doubt(self) -> float:
        """The suspicion itself: the rules name few of the contradictions that are in other words (``claims`` and
        ``conflict`` in docs/EVALS.md)."""
        if not self.is_open:
            return _APART * self.suspected
        return max(self.suspected, _NAMED if self._names_another else 0.0)

    @property
    def _names_another(self) -> bool:
        """Whether two sentences that say nearly the same differ in a name: two places for one thing, say."""
        alignment = self.pair[2]
        return alignment.least_cover >= _NEARLY and any(word.name for words in alignment.unmatched for word in words)


def _nearness(severity: float, threshold: float) -> float:
    """1 at the threshold, 0 from 0.25 away."""
    return max(0.0, 1.0 - abs(severity - threshold) / 0.25)


def _conflict(one: Claim, other: Claim, alignment: Alignment, given: GivenClaims) -> Conflict | None:
    """What two answers to one question disagree in; else what two sentences that say much the same do; else that the
    model that gave both says that they disagree."""
    answers = given.comparison(one, other)
    if answers.agree or given.agree(one, other):
        return None
    hit = answers.opposed or oppose(alignment)
    # What takes a thing back names it, and need not say the rest of the question again.
    if hit is not None and (hit.qualifies or (answers.apart and hit.what != "refusal")):
        hit = None
    if given.are_two_entries(one, other):
        hit = None
    is_disputed = given.are_disputed(one, other)
    if is_disputed:
        hit = replace(hit, severity=max(hit.severity, SEVERITY), scope="same") if hit else _of_answers(alignment)
    one_subject = is_disputed or answers.about or alignment.shares_name
    return None if hit is None else conflict_of(one, other, hit, one_subject, given)


def _of_answers(alignment: Alignment) -> Opposition:
    """Two answers that differ in what only one of them says."""
    one, other = alignment.sides
    values = _told_by(one, alignment.only_first, other), _told_by(other, alignment.only_second, one)
    return Opposition("answer", SEVERITY, values)


def _told_by(side: Reading, words: Sequence[Word], other: Reading) -> str:
    """What only one side tells, from the first such word, amount or day to the last one, with its unit and the end of
    what it has in brackets."""
    amounts, text = {amount.value for amount in other.quantities}, side.text
    told = [(word.start, word.end) for word in words]
    told += [(amount.start, _end_of(amount, text)) for amount in side.quantities if amount.value not in amounts]
    told += [(day.start, day.end) for day in side.dates if not any(same_day(day, held) for held in other.dates)]
    if not told:
        return text
    start, end = min(start for start, _ in told), max(end for _, end in told)
    is_open = text.count("(", start, end) > text.count(")", start, end)
    return text[start : text.find(")", end) + 1 or end if is_open else end]


def _end_of(amount: Quantity, text: str) -> int:
    is_money = (
        text[amount.start : amount.start + 1] in _MONEY or text[max(0, amount.start - 1) : amount.start] in _MONEY
    )
    unit = _UNIT.match(text, amount.end) if amount.unit and not is_money else None
    return unit.end() if unit else amount.end
