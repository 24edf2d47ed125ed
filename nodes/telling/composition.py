"""The lines of an answer and the claims that they tell, as composed, reworded, or given way to what they restate."""

import re
from collections.abc import Sequence, Set

from calibrant.judges.free.words.text import content_stems
from calibrant.judges.given import Composed
from calibrant.state.answer import Claim, Line, Synthesis, Verdict
from calibrant.state.base import unique

_PARTS = re.compile(r"[,;:]\s|\s(?:and|but|while|whereas|e|mas|enquanto)\s", re.IGNORECASE)
"""Parts a sentence into what it says, each of one thing."""


def kept_as_they_are(claims: Sequence[Claim], composed: Composed) -> tuple[tuple[Line, ...], tuple[Claim, ...]]:
    """The lines, and the claims in the order of composition."""
    by_id = {claim.id: claim for claim in claims}
    ids = unique(claim_id for _, ids in composed.sentences for claim_id in ids)
    lines = tuple(Line(text=text, claim_ids=ids) for text, ids in composed.sentences)
    return lines, tuple(by_id[claim_id] for claim_id in ids if claim_id in by_id)


def restated(claims: Sequence[Claim], composed: Composed) -> tuple[tuple[Line, ...], tuple[Claim, ...]]:
    """The same for a model's wording: each of its sentences is a claim of its own, to be checked against the spans of
    the claims that it restates. Of a sentence in fixed words the claims stay as they are."""
    by_id = {claim.id: claim for claim in claims}
    lines: list[Line] = []
    stated: dict[str, Claim] = {}
    for number, (text, ids) in enumerate(composed.sentences, start=1):
        sources = [by_id[claim_id] for claim_id in ids if claim_id in by_id]
        if not sources or (text, ids) in composed.fixed:
            lines.append(Line(text=text, claim_ids=tuple(claim.id for claim in sources)))
            stated |= {claim.id: claim for claim in sources}
            continue
        spans = unique(span for claim in sources for span in claim.spans)
        stated[f"s{number}"] = min(sources, key=lambda claim: claim.confidence).replace(
            id=f"s{number}",
            text=text,
            spans=spans,
            verdict=Verdict.UNVERIFIED,
            reason="",
            checked=_is_checked(text, sources),
        )
        lines.append(Line(text=text, claim_ids=(f"s{number}",), behind=tuple(claim.id for claim in sources)))
    return tuple(lines), tuple(stated.values())


def _is_checked(text: str, sources: Sequence[Claim]) -> bool:
    """Whether a model has compared all of a sentence with the passages already. Nobody has compared what it adds to the
    claims that it restates ("so faster dispatch would help"), nor what it mixes of two of them."""
    told = [content_stems(claim.text) for claim in sources]
    parts = map(content_stems, _PARTS.split(text))
    return all(claim.checked for claim in sources) and all(any(part <= one for one in told) for part in parts)


def restated_by(lines: Sequence[Line], claims: Sequence[Claim]) -> tuple[Claim, ...]:
    """The claims that lines restate."""
    behind = {claim_id for line in lines for claim_id in line.behind}
    return tuple(claim for claim in claims if claim.id in behind)


def given_way(synthesis: Synthesis, fallen: Set[str]) -> Synthesis:
    """The composition without the model's sentences that are not borne out, by the ids of their claims. They give way
    to the claims that they restate, where those stand and no other line tells them: how an answer is worded is no
    reason to lose it."""
    lost = [line for line in synthesis.lines if line.behind and not fallen.isdisjoint(line.claim_ids)]
    held = {claim.id: claim for claim in (*synthesis.behind, *synthesis.claims)}
    told = {key for line in synthesis.lines if line not in lost for key in (*line.claim_ids, *line.behind)}
    lines: list[Line] = []
    for line in synthesis.lines:
        if line not in lost:
            lines.append(line)
            continue
        instead = [key for key in line.behind if key not in told and held[key].verdict.stands]
        lines += [Line(text=held[key].text, claim_ids=(key,)) for key in instead]
        told.update(instead)
    stated = unique(key for line in lines for key in line.claim_ids)
    return synthesis.replace(lines=tuple(lines), claims=tuple(held[key] for key in stated if key in held))
