"""What the review found, in words: the conflict register, the success criteria, the quality reports."""

from collections.abc import Iterator, Sequence

from rich.text import Text

from calibrant.interfaces.terminal import Symbols
from calibrant.interfaces.wording import counted
from calibrant.judges.free.evidence.age import day_of
from calibrant.state.answer import Claim, Conflict, QualityReport, Review, marks_of
from calibrant.state.channels import View
from calibrant.state.evidence import Citation, Evidence
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Criterion


def conflict_register(view: View, symbols: Symbols) -> Iterator[Text]:
    """Each conflict: kind, severity and what it is about; then both sides with their sources, the preferred first."""
    for conflict in view.conflicts:
        head = Text.assemble((f"{conflict.kind.value} ({conflict.severity:.2f})", "warn"))
        yield head.append(f" {conflict.explanation}", style="label") if conflict.explanation else head
        yield from _sides(conflict, view.citations, view.evidence, symbols)


def _sides(
    conflict: Conflict, citations: Sequence[Citation], evidence: Sequence[Evidence], symbols: Symbols
) -> Iterator[Text]:
    days = [_day_of(side, evidence) for side in conflict.sides]
    told = all(days) and days[0] != days[1]  # one and the same day tells nothing
    for place, (side, day) in enumerate(zip(conflict.sides, days, strict=True)):
        text = Text(f"  {symbols.opening}{' '.join(side.text.split())}{symbols.closing}")
        marks = marks_of([side], citations)
        text.append(f" {marks}" if marks else "", style="cite")
        notes = [day] if told else []
        notes += ["the answer follows it"] if conflict.preferred and not place else []
        yield text.append(f" {', '.join(notes)}" if notes else "", style="label")


def _day_of(side: Claim, evidence: Sequence[Evidence]) -> str:
    """When a side is from, as its documents say; else when a file of it was written here, which decides a tie."""
    held = [item for item in evidence if item.id in side.evidence_ids]
    told = max((day_of(item, evidence) for item in held), default="")
    written = max((f"{item.published:%Y-%m-%d}" for item in held if item.published), default="")
    if told:
        return f"of {told}"
    return f"in a file of {written}" if written else ""


def quality_lines(review: Review, symbols: Symbols) -> Iterator[Text]:
    """The quality report of each search, each with the refinement that followed it. Nothing for a task without
    conditions."""
    for report in review.earlier:
        yield quality_line(report)
        if report.refinement is not None:
            yield Text(f"{symbols.arrow} searched again {refinement_words(report.refinement)}".rstrip(), style="label")
    if review.quality.score is not None:
        yield quality_line(review.quality)


def conditions_met(review: Review) -> Iterator[str]:
    """The same for whoever reads the answer: how many passages met the conditions, and whether more was searched."""
    reports = (*review.earlier, review.quality)
    if review.quality.score is not None:
        met = [f"{report.verified} of {counted(report.fetched, 'passage')}" for report in reports]
        yield f"met by {', after another search by '.join(met)}"


def quality_line(report: QualityReport) -> Text:
    """``4 of 15 passages meet the conditions, 0.27 of 0.30: educational 5, book 3, cage 3``."""
    text = Text(f"{report.verified} of {report.fetched} passages meet the conditions, ")
    style = "good" if report.meets_threshold else "warn"
    text.append(f"{report.score:.2f}", style=style).append(f" of {report.threshold:.2f}")
    named = ", ".join(f"{entry.reason} {entry.count}" for entry in report.breakdown)
    return text.append(f"; rejected {report.rejected}: {named}", style="label") if named else text


def refinement_words(refinement: Refinement) -> str:
    """What the next search changes: ``without a, b; with c; in d``."""
    parts = (
        ("without", refinement.negative),
        ("with", refinement.positive),
        ("in", (*refinement.sources, *refinement.domains)),
    )
    return "; ".join(f"{word} {', '.join(names)}" for word, names in parts if names)


def criteria_lines(review: Review, symbols: Symbols) -> Iterator[Text]:
    """The success criteria one by one, with how many were found."""
    for criterion in review.criteria:
        yield _criterion(criterion, symbols)


def _criterion(criterion: Criterion, symbols: Symbols) -> Text:
    sign, style = (symbols.done, "good") if criterion.is_met else (symbols.failed, "bad")
    met, target = criterion.met or 0, criterion.target
    count = f"{met} of {target}" if met <= target else f"{met}, at least {target} wanted"
    return Text.assemble((sign, style), f" {count}  {criterion.what}")
