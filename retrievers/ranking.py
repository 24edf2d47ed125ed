"""From many lists to one: duplicates out, lists fused by reciprocal rank, documents kept from crowding each other
out."""

from collections.abc import Sequence

from calibrant.retrievers.fusion import reciprocal_ranks
from calibrant.state.evidence import Evidence

RELEVANCE_SHARE = 0.7
"""How much of a passage's order comes from its relevance; the rest from how many lists rank it high."""


def fuse(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    """The passages of all lists, once each, best first: fused rank and relevance together."""
    best: dict[str, Evidence] = {}
    for ranked in lists:
        for item in ranked:
            if item.id not in best or item.relevance > best[item.id].relevance:
                best[item.id] = item
    fused = reciprocal_ranks([[item.id for item in ranked] for ranked in lists])
    top = max(fused.values(), default=1.0)
    order = {
        key: RELEVANCE_SHARE * best[key].relevance + (1.0 - RELEVANCE_SHARE) * score / top
        for key, score in fused.items()
    }
    return sorted(without_copies(list(best.values())), key=lambda item: (-order[item.id], item.id))


def without_copies(items: Sequence[Evidence]) -> list[Evidence]:
    """One passage for each text, whitespace and case aside; the most relevant copy stays."""
    kept: dict[str, Evidence] = {}
    for item in sorted(items, key=lambda item: -item.relevance):
        kept.setdefault(" ".join(item.text.lower().split()), item)
    return list(kept.values())


def capped(items: Sequence[Evidence], chunks: int, documents: int, tokens: int) -> list[Evidence]:
    """The first of ``items`` within the limits of passages, documents and (estimated) tokens."""
    kept: list[Evidence] = []
    seen: set[str] = set()
    used = 0
    for item in items:
        size = tokens_of(item.text)
        if len(kept) == chunks or used + size > tokens:
            break
        if item.document not in seen and len(seen) == documents:
            continue
        seen.add(item.document)
        kept.append(item)
        used += size
    return kept


def tokens_of(text: str) -> int:
    """An estimate of a text's tokens: four characters each."""
    return max(1, len(text) // 4)
