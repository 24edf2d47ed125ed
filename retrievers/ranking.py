"""From many lists to one: copies out, lists fused by reciprocal rank, no source and no document crowding out the
others.

A passage's place comes from its relevance and from how many lists rank it high. Where that leaves two close together,
the more authoritative, the fresher, and the one from the source that has said less so far come first.
"""

import re
from collections import Counter
from collections.abc import Sequence

from calibrant.retrievers.copies import document_of, without_near_copies
from calibrant.retrievers.fusion import reciprocal_ranks
from calibrant.state.evidence import Evidence, host_of

RELEVANCE_SHARE = 0.7
"""How much of a passage's order comes from its relevance; the rest from how many lists rank it high."""
AUTHORITY_SHARE = 0.04
FRESHNESS_SHARE = 0.03
"""The most that the weak signals move a passage."""
HALF_LIFE_DAYS = 730.0
"""A passage this much older than the newest one is half as fresh."""
CROWDING = 0.02
"""What each passage of a source costs that source's next one, three times at most."""

_AUTHORITY = (
    (re.compile(r"(?:^|\.)(?:gov|edu|mil|int)(?:\.[a-z]{2})?$|\.ac\.[a-z]{2}$"), 1.0),
    (re.compile(r"^(?:docs?|developer|developers|api|learn|man)\.|\.readthedocs\.io$|(?:^|\.)docs\.rs$"), 0.9),
    (re.compile(r"(?:^|\.)(?:arxiv\.org|wikipedia\.org|ietf\.org|w3\.org|rfc-editor\.org|nature\.com|acm\.org)$"), 0.8),
    (re.compile(r"(?:^|\.)(?:github\.com|stackoverflow\.com|stackexchange\.com)$"), 0.6),
    (re.compile(r"(?:^|\.)(?:medium\.com|quora\.com|reddit\.com|pinterest\.[a-z.]+|blogspot\.com)$"), 0.2),
)
"""How far kinds of sites are trusted before anything is known of the page. Weak on purpose: what a page says is
judged by what it says."""
_UNKNOWN = 0.5
_DAY = 86_400
"""Seconds of a day."""


def fuse(lists: Sequence[Sequence[Evidence]]) -> list[Evidence]:
    """The passages of all lists, once each, best first."""
    best: dict[str, Evidence] = {}
    for ranked in lists:
        for item in ranked:
            if item.id not in best or item.relevance > best[item.id].relevance:
                best[item.id] = item
    ranks = reciprocal_ranks([[item.id for item in ranked] for ranked in lists])
    top = max(ranks.values(), default=1.0)
    kept = without_copies(list(best.values()))
    newest = max((item.published.timestamp() for item in kept if item.published), default=0.0)
    order = {item.id: _order(item, ranks[item.id] / top, newest) for item in kept}
    return _spread(sorted(kept, key=lambda item: (-order[item.id], item.id)), order)


def _order(item: Evidence, rank: float, newest: float) -> float:
    weak = AUTHORITY_SHARE * (authority(item) - _UNKNOWN) + FRESHNESS_SHARE * (freshness(item, newest) - _UNKNOWN)
    return RELEVANCE_SHARE * item.relevance + (1.0 - RELEVANCE_SHARE) * rank + weak


def authority(item: Evidence) -> float:
    """0..1 by the kind of site; the user's own documents stand highest."""
    if not item.url.startswith(("http://", "https://")):
        return 1.0 if item.url.startswith("file://") else _UNKNOWN
    host = host_of(item.url)
    return next((score for pattern, score in _AUTHORITY if pattern.search(host)), _UNKNOWN)


def freshness(item: Evidence, newest: float) -> float:
    """1 for the day of the newest of those compared (a POSIX time), halving with age in days; in the middle where no
    date is known. What was copied here on one day is equally fresh, whatever was written first."""
    if item.published is None:
        return _UNKNOWN
    days = max(0.0, newest // _DAY - item.published.timestamp() // _DAY)
    return float(0.5 ** (days / HALF_LIFE_DAYS))


def _spread(ranked: Sequence[Evidence], order: dict[str, float]) -> list[Evidence]:
    """``ranked`` again, each source's next passage set back a little for those that it has placed already."""
    queues: dict[tuple[str, str], list[Evidence]] = {}
    for item in reversed(ranked):
        queues.setdefault(_source(item), []).append(item)
    placed: Counter[tuple[str, str]] = Counter()
    out = []
    while queues:
        source = max(queues, key=lambda key: order[queues[key][-1].id] - CROWDING * min(placed[key], 3))
        out.append(queues[source].pop())
        placed[source] += 1
        if not queues[source]:
            del queues[source]
    return out


def _source(item: Evidence) -> tuple[str, str]:
    """Two knowledge bases are two sources."""
    return item.source, item.collection


def without_copies(items: Sequence[Evidence]) -> list[Evidence]:
    """One passage of those that say the same in nearly the same words; the most relevant one stays."""
    return without_near_copies(sorted(items, key=lambda item: -item.relevance))


def capped(items: Sequence[Evidence], chunks: int, documents: int, per_source: int, tokens: int) -> list[Evidence]:
    """The first of ``items`` within the limits of passages, documents and (estimated) tokens; the very first whatever
    its size, since nothing at all helps nobody.

    A source gives at most ``per_source`` documents. One that is alone has nobody to crowd out and is not held back.
    """
    alone = len({_source(item) for item in items}) < 2
    kept: list[Evidence] = []
    seen: set[str] = set()
    given: Counter[tuple[str, str]] = Counter()
    used = 0
    for item in items:
        size, document, source = tokens_of(item.text), document_of(item), _source(item)
        if len(kept) == chunks or (kept and used + size > tokens):
            break
        if document not in seen and (len(seen) == documents or (given[source] == per_source and not alone)):
            continue
        if document not in seen:
            given[source] += 1
        seen.add(document)
        kept.append(item)
        used += size
    return kept


def tokens_of(text: str) -> int:
    """An estimate of a text's tokens: four characters each."""
    return max(1, len(text) // 4)
