"""Passages as a model sees them: short ids that code made up, the text as data, cut to what fits and matters.

A model names a passage by such an id, or by the title that it was shown. What it names beyond that does not exist.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from calibrant.judges.free.evidence.age import day_of
from calibrant.judges.free.evidence.attributes import host
from calibrant.judges.free.words.text import folded_stems, sentences
from calibrant.judges.model.lenient import EDGES, NAME_LIMIT
from calibrant.judges.model.prompting import CHARS_PER_TOKEN, fenced, tokens_of
from calibrant.judges.model.quoting import locate, parts_of
from calibrant.state.answer import Claim
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence

PASSAGE_TOKENS = 500
"""The longest part of one passage that is shown."""

ALL_TOKENS = 2500
"""All passages together: ten good ones. With the rest of the prompt and its answer that stays within the 4096 tokens at
which local servers often cut, without a word, even where a token is three characters."""

LEAST_WORDS = 3
"""Fewer words may stand in any passage."""

MOST = 12
"""More passages than this only distract."""

CUT = "…"
"""In the place of what is left out."""

_SEAM = 8
"""Characters between two passages that follow one another: the white space there."""

STILL_SHOWN = 3
"""Passages that are shown again beside new ones."""


@dataclass(frozen=True)
class Passages:
    """The passages of one prompt, by id (``S1``, ``S2``, ...)."""

    by_id: dict[str, Evidence] = field(default_factory=dict)
    text: str = ""

    def known(self, ids: Iterable[str]) -> tuple[Evidence, ...]:
        """The passages behind those of ``ids`` that exist."""
        found = {item.id: item for sid in ids for item in self._called(sid)}
        return tuple(found.values())

    def _called(self, name: str) -> tuple[Evidence, ...]:
        """The passage with the id ``name``, else those that stand under that title."""
        if name in self.by_id:
            return (self.by_id[name],)
        return tuple(item for item in self.by_id.values() if as_name(name) in _names_of(item))

    def named(self, ids: Iterable[str], quote: str) -> tuple[Evidence, ...]:
        """The same; where a run of words of ``quote`` stands in none of them, the passages that have one: small models
        write a wrong id, or nothing, beside words that they copied well."""
        known = self.known(ids)
        runs = [part for part in parts_of(quote) if len(part.split()) >= LEAST_WORDS]
        held = tuple(item for item in self.by_id.values() if any(locate(run, item.text) for run in runs))
        return known if any(item in held for item in known) else held or known

    def unknown(self, ids: Iterable[str]) -> tuple[str, ...]:
        """Those of ``ids`` that no passage has."""
        return tuple(sid for sid in dict.fromkeys(ids) if not self._called(sid))


def _names_of(item: Evidence) -> set[str]:
    return {as_name(item.title), as_name(above(item)), as_name(origin(item))} - {""}


def as_name(text: str) -> str:
    """A title as it is compared with the one that a model names, which ``lenient`` has cut."""
    return text.casefold().strip(EDGES)[:NAME_LIMIT]


def passages(evidence: Sequence[Evidence], about: str, budget: int = ALL_TOKENS) -> Passages:
    """The first of ``evidence``, of each what bears on ``about``, cut to ``budget`` tokens in all."""
    parts: dict[Evidence, str] = {}
    for item in to_show(evidence):
        shown = window(item.text, about, min(PASSAGE_TOKENS, budget))
        if not shown:
            break
        parts[item] = shown
        budget -= tokens_of(_block("S10", item, shown, evidence))
    by_id = {f"S{number}": item for number, item in enumerate(_in_reading_order(parts), 1)}
    after_gap = _after_gaps(list(by_id.values()))
    blocks = [
        _block(sid, item, f"{CUT} {parts[item]}" if item in after_gap else parts[item], evidence)
        for sid, item in by_id.items()
    ]
    return Passages(by_id, "<passages>\n" + ("\n".join(blocks) or "(none)") + "\n</passages>")


def _block(sid: str, item: Evidence, shown: str, evidence: Sequence[Evidence]) -> str:
    return fenced("passage", shown, **{"id": sid, "from": origin(item, shown), "dated": day_of(item, evidence)})


def _in_reading_order(items: Iterable[Evidence]) -> list[Evidence]:
    """``items``, those of one section (or function) where its best one stands, and as they stand in it: what comes
    first there may be what is asked."""
    sections: dict[tuple[str, str], list[Evidence]] = {}
    for item in items:
        sections.setdefault((item.document, item.locator.heading), []).append(item)
    return [item for section in sections.values() for item in sorted(section, key=lambda item: item.locator.start)]


def _after_gaps(shown: Sequence[Evidence]) -> frozenset[Evidence]:
    """Those before which something of their section is left out: a script must not look whole without its middle."""
    return frozenset(
        item
        for before, item in pairwise(shown)
        if (before.document, before.locator.heading) == (item.document, item.locator.heading)
        and item.locator.start > before.locator.end + _SEAM
    )


def above(item: Evidence, shown: str = "") -> str:
    """What stands above a passage: often only that tells what it speaks of. A table's columns only where what is
    ``shown`` of it has no header."""
    title, heading = item.title, item.locator.heading
    places = [heading] if heading.casefold().startswith(title.casefold()) else [title, heading]
    columns = " | ".join(item.locator.columns)
    if columns.casefold() not in shown.casefold():
        places.append(columns)
    return " › ".join(filter(None, places))


def origin(item: Evidence, shown: str = "") -> str:
    """The same behind the site of a web page: a vendor, a forum and documentation write alike of one thing."""
    return ": ".join(filter(None, (host(item), above(item, shown))))


def above_claims(claims: Iterable[Claim], evidence: Iterable[Evidence]) -> dict[str, str]:
    """What stands above the passages that each claim is from, by the claim's id."""
    return _by_claim(claims, {item.id: above(item) for item in evidence})


def origins_of_claims(claims: Iterable[Claim], evidence: Iterable[Evidence]) -> dict[str, str]:
    """The same behind the sites of web pages."""
    return _by_claim(claims, {item.id: origin(item) for item in evidence})


def days_of_claims(claims: Iterable[Claim], evidence: Sequence[Evidence]) -> dict[str, str]:
    """When the passages that each claim is from are from, as far as that is told, by the claim's id."""
    return _by_claim(claims, {item.id: day_of(item, evidence) for item in evidence})


def _by_claim(claims: Iterable[Claim], told: Mapping[str, str]) -> dict[str, str]:
    """What is ``told`` of the passages of each claim, by their ids, each once."""
    return {claim.id: " | ".join(unique(told[eid] for eid in claim.evidence_ids if told.get(eid))) for claim in claims}


def shown_of(item: Evidence, evidence: Iterable[Evidence]) -> str:
    """All that a model may be shown of a passage: what stands above it, when it is from, and its text."""
    return f"{origin(item, item.text)}\n{day_of(item, evidence)}\n{item.text}"


def to_show(evidence: Iterable[Evidence]) -> list[Evidence]:
    """As many of ``evidence`` as are shown, if they are short; no passage twice."""
    return list({item.id: item for item in evidence if item.text.strip()}.values())[:MOST]


def best_first(evidence: Iterable[Evidence]) -> list[Evidence]:
    """``evidence`` by how well it fits what was asked."""
    return sorted(evidence, key=lambda item: -item.relevance)


def beside_new(evidence: Sequence[Evidence], read: Collection[str]) -> list[Evidence]:
    """What a model has not ``read`` yet, best first, behind the best of what it has: together they may answer what
    neither does."""
    ranked = best_first(evidence)
    best = [item for item in ranked if item.id in read][:STILL_SHOWN]
    return [*best, *(item for item in ranked if item.id not in read)]


def window(text: str, about: str, tokens: int) -> str:
    """The run of whole sentences of ``text`` that fits into ``tokens`` and covers most of ``about``."""
    room = tokens * CHARS_PER_TOKEN
    if len(text) <= room:
        return text.strip()
    if room < 80:
        return ""
    wanted = folded_stems(about)
    spans = [(sentence.start, sentence.end) for sentence in sentences(text)]
    gains = [len(wanted & folded_stems(text[start:end])) for start, end in spans]
    runs = [_run(spans, gains, first, room) for first in range(len(spans))]
    _, start, end = max(runs, key=lambda run: (run[0], -run[1]), default=(0, 0, room))
    head, tail = (f"{CUT} " if start > 0 else ""), (f" {CUT}" if end < len(text) else "")
    return head + text[start:end].strip() + tail


def _run(spans: list[tuple[int, int]], gains: list[int], first: int, room: int) -> tuple[int, int, int]:
    """The gain, start and end of the longest run from sentence ``first`` that fits; a huge sentence is cut."""
    start, total, end = spans[first][0], 0, spans[first][0] + room
    for index in range(first, len(spans)):
        if spans[index][1] - start > room:
            break
        total, end = total + gains[index], spans[index][1]
    return total, start, end
