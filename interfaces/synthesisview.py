"""What a run put together, as the trace shows it: results with their factors, claims with their verdicts, conflicts."""

from collections.abc import Iterator

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from calibrant.interfaces.review import conflict_register
from calibrant.interfaces.terminal import Symbols, factor_table, level_style, level_text
from calibrant.nodes.reading.answered import claims_in
from calibrant.state.answer import Claim, marks_of
from calibrant.state.channels import View
from calibrant.state.confidence import score_text
from calibrant.state.task import StepStatus, SubResult


def synthesis_of(view: View, symbols: Symbols) -> list[RenderableType]:
    """The results, the claims and the conflicts; nothing of what is not there yet."""
    parts: list[RenderableType] = []
    if view.results:
        parts += [Text("\nResults", style="bold"), *(_indented(block) for block in _results(view))]
    if claims := claims_in(view):
        parts += [Text("\nClaims", style="bold"), *(_indented(_claim(claim, view, symbols)) for claim in claims)]
    if view.conflicts:
        parts += [Text("\nConflicts", style="bold"), *map(_indented, conflict_register(view, symbols))]
    return parts


def _indented(block: RenderableType) -> Padding:
    return Padding(block, (0, 0, 0, 4))


def _results(view: View) -> Iterator[RenderableType]:
    """The confidence of the whole, then each step: its score and what it is made of, or why it has none."""
    used, left_out = view.synthesis, view.synthesis.excluded if view.synthesis else ()
    if used is not None and used.confidence.factors:
        score = used.confidence.score
        yield Text.assemble((score_text(score), level_style(score)), " ", level_text(score), ("  together", "label"))
    for result in view.results:
        yield _result(result, left_out=result.id in left_out)
        if result.confidence.factors:
            yield Padding(factor_table(result.confidence.factors), (0, 0, 0, 2))


def _result(result: SubResult, *, left_out: bool) -> Text:
    if result.status is not StepStatus.ANSWERED:
        why = result.failure.message if result.failure else ""
        text = Text.assemble((result.status.value, "warn"), f"  {result.question}")
        return text.append(f"  {why}", style="label") if why else text
    score = result.confidence.score
    text = Text.assemble((score_text(score), level_style(score)), f"  {result.question}")
    return text.append("  left out: too little confidence", style="warn") if left_out else text


def _claim(claim: Claim, view: View, symbols: Symbols) -> Text:
    """``✓ supported 0.87  “Five times.” [1]  found word for word``."""
    sign, style = (symbols.done, "good") if claim.verdict.stands else (symbols.failed, "bad")
    text = Text.assemble((f"{sign} {claim.verdict.value}", style), f" {score_text(claim.confidence)}  ")
    text.append(f"{symbols.opening}{' '.join(claim.text.split())}{symbols.closing}")
    marks = marks_of([claim], view.citations)
    text.append(f" {marks}" if marks else "", style="cite")
    return text.append(f"  {claim.reason}" if claim.reason else "", style="label")
