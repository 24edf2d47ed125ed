"""Which claims are compared with each other: those that share telling words.

An inverted index finds them, so that the time grows with the number of claims and not with its square.
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from itertools import combinations, pairwise
from math import log
from string import digits

from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.evidence.cited import document_cited_by
from calibrant.judges.free.words.text import content_stems
from calibrant.judges.free.words.units import MONEY
from calibrant.state.answer import Claim
from calibrant.state.evidence import Evidence

_LONGEST_POSTING = 40
"""A word that more claims share than this says nothing about which of them speak of one thing."""
_PARTNERS = 10
_FEW = 4
"""Claims so few that all of them are compared: two may speak of one thing and share no word."""

IdPair = frozenset[str]
"""The ids of two claims."""


def flat(text: str) -> str:
    """A text as it is compared with others that say the same: without its case, its line wraps and its full stop."""
    return " ".join(text.lower().split()).rstrip(".")


def distinct(claims: Sequence[Claim]) -> list[Claim]:
    """One claim for each text, the most confident, in the order of their ids: what came first must not matter."""
    best: dict[str, Claim] = {}
    for claim in sorted(claims, key=lambda claim: (-claim.confidence, _order(claim))):
        best.setdefault(flat(claim.text), claim)
    return sorted(best.values(), key=_order)


def candidates(claims: Sequence[Claim], disputed: Set[IdPair]) -> Iterator[tuple[Claim, Claim]]:
    """Pairs from different passages that share telling words, each pair once; of few claims, all pairs, and of any
    those that are ``disputed``."""
    keys = [_keys(read(claim.text)) for claim in claims]
    postings: dict[str, list[int]] = defaultdict(list)
    for place, held in enumerate(keys):
        for key in held:
            postings[key].append(place)
    few = len(claims) <= _FEW
    places = (place for place, claim in enumerate(claims) if few or claim.disputed)
    chosen = {
        (place, other)
        for place, other in combinations(places, 2)
        if few or frozenset((claims[place].id, claims[other].id)) in disputed
    }
    for place, held in enumerate(keys):
        for other in _partners(place, held, postings, len(claims)):
            chosen.add((min(place, other), max(place, other)))
    for one, other in sorted(chosen):
        if set(claims[one].evidence_ids).isdisjoint(claims[other].evidence_ids):
            yield claims[one], claims[other]


def disputes(claims: Sequence[Claim], passages: Mapping[str, Evidence]) -> frozenset[IdPair]:
    """The pairs of which the model that answered a question with both says that they disagree. It may name all that
    cannot be true together: two from one document are meant only where no other document is in it. Of a statement of
    several sentences those are meant that speak of the same, if any does."""
    named = [claim for claim in claims if claim.disputed]
    pairs = [pair for pair in combinations(named, 2) if pair[0].question_id == pair[1].question_id]
    alike = [pair for pair in pairs if content_stems(pair[0].text) & content_stems(pair[1].text)]
    told = alike + [pair for pair in pairs if pair[0].question_id not in {one.question_id for one, _ in alike}]
    across = [pair for pair in told if len({document_cited_by(claim, passages) for claim in pair}) > 1]
    asked = {one.question_id for one, _ in across}
    within = (pair for pair in told if pair[0].question_id not in asked)
    return frozenset(frozenset((one.id, other.id)) for one, other in (*across, *within))


def _order(claim: Claim) -> tuple[str, int, str]:
    """c2 before c10, and claims before what is heard beside them (w1)."""
    return (claim.id.rstrip(digits), len(claim.id), claim.id)


def _keys(reading: Reading) -> frozenset[str]:
    """Stems, versions, neighbouring stems ("default timeout" is rarer than either of its words), and that there is an
    amount of money: a price has many names."""
    stems = [word.stem for word in reading.words]
    neighbours = [f"{one} {other}" for one, other in pairwise(stems)]
    money = [amount.unit for amount in reading.quantities if amount.unit in MONEY]
    return frozenset([*stems, *neighbours, *(version for version, _ in reading.versions), *money])


def _partners(place: int, keys: frozenset[str], postings: Mapping[str, list[int]], count: int) -> list[int]:
    """The places that share most with ``place``, by summed inverse document frequency."""
    scores: dict[int, float] = defaultdict(float)
    for key in sorted(keys):
        posting = postings[key]
        if len(posting) <= _LONGEST_POSTING:
            for other in posting:
                scores[other] += log(1.0 + count / len(posting))
    scores.pop(place, None)
    return sorted(scores, key=lambda other: (-scores[other], other))[:_PARTNERS]
