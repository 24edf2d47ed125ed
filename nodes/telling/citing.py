"""The claims that may be stated, as a reader sees them: lines, numbered quotations, the list of sources."""

import re
from collections.abc import Mapping, Sequence

from calibrant.judges.free.answering.telling import FENCE, fenced, in_fence
from calibrant.nodes.telling.phrases import Phrases
from calibrant.state.answer import Claim, Line, Span, Synthesis, marks_of
from calibrant.state.base import unique
from calibrant.state.evidence import Citation, Evidence

_MARKS_OF_ITS_OWN = re.compile(r"(?<=[.!?])(?:\[\d{1,3}\])+(?=\s|$)")
"""Marks that a quoted text has behind a sentence ("in 1889.[7]"): beside ours they would name a source that is none.
Elsewhere such signs may be code (``argv[1]``)."""
_NOTE = re.compile(r"(?<=\w)(?<! is)(?<! are) \[(\d{1,2})\](?=;|$)")
"""The note that a cell of a table sends its reader to ("on request [1]"): raised, it is told from our own marks."""
_ANNOUNCES_NOTHING = re.compile(r":((?: \[\d+\](?:\[\d+\])*)?)\Z")
"""The colon of a last line: what it announces does not stand, or was not quoted."""
_EACH = re.compile(r"\[\d+\]|[^\s\[\]]+")
"""A mark, or a word beside the marks."""
_RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def claims_to_state(claims: Sequence[Claim], policy: str) -> tuple[Claim, ...]:
    """The claims that may be stated: unsupported ones are dropped, or kept to be marked, by policy."""
    if policy == "mark":
        return tuple(claim for claim in claims if claim.spans)
    return tuple(claim for claim in claims if claim.spans and claim.verdict.stands)


def cite(claims: Sequence[Claim], evidence: Mapping[str, Evidence]) -> tuple[Citation, ...]:
    """One numbered citation a quotation, in order of first use: each claim shows its own words, also where two come
    from one passage; words within a longer quotation are cited by that. Only passages that are held can be cited."""
    spans = [span for claim in claims for span in claim.spans if span.evidence_id in evidence]
    quoted: dict[tuple[str, str], Span] = {}
    for span in filter(None, (one.within(spans) for one in spans)):
        quoted.setdefault((span.evidence_id, span.quote), span)
    return tuple(
        Citation.of(evidence[span.evidence_id], span.quote, span.start, number=number)
        for number, span in enumerate(quoted.values(), start=1)
    )


def render(synthesis: Synthesis, claims: Sequence[Claim], citations: Sequence[Citation], phrases: Phrases) -> str:
    """The lines whose claims stand, each with its citation numbers and a mark where it is not supported. A heading
    stays only if something follows it. Code stands between lines of backticks, to be copied: its numbers follow it,
    unless what announces it has them."""
    by_id = {claim.id: claim for claim in claims}
    rendered: list[tuple[Line, str]] = []
    before = ""
    for line in synthesis.lines:
        stated = [by_id[claim_id] for claim_id in line.claim_ids if claim_id in by_id]
        if line.claim_ids and len(stated) < len(line.claim_ids):
            continue
        marks = " ".join(filter(None, (marks_of(stated, citations), phrases.doubt({one.verdict for one in stated}))))
        is_code = bool(stated) and all(claim.is_code for claim in stated)
        rendered.append((line, _rendered_line(line, marks, before, is_code=is_code)))
        before = marks
    told = "\n".join(text for index, (line, text) in enumerate(rendered) if line.claim_ids or _leads(rendered, index))
    return _ANNOUNCES_NOTHING.sub(r".\1", told.strip())


def _rendered_line(line: Line, marks: str, before: str, *, is_code: bool) -> str:
    if "\n" not in line.text and not is_code:
        return " ".join(filter(None, (_with_notes_raised(_MARKS_OF_ITS_OWN.sub("", line.text)), marks)))
    told = in_fence(line.text) if is_code and FENCE not in line.text else fenced(line.text)
    is_announced = told != line.text and set(_EACH.findall(marks)) <= set(_EACH.findall(before))
    return "\n".join(filter(None, (told, "" if is_announced else marks)))


def _with_notes_raised(text: str) -> str:
    return _NOTE.sub(lambda note: note[1].translate(_RAISED), text)


def _leads(rendered: Sequence[tuple[Line, str]], index: int) -> bool:
    """Whether a heading is followed by a stated line."""
    return index + 1 < len(rendered) and bool(rendered[index + 1][0].claim_ids)


def reference_list(citations: Sequence[Citation]) -> str:
    """The sources, for clients that show only messages."""
    named = [(citation.number, unique(filter(None, (citation.title, citation.place)))) for citation in citations]
    lines = [f"[{number}] {' - '.join(names)}" for number, names in named]
    return "\n\n" + "\n".join(lines) if lines else ""
