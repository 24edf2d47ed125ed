"""The decision trace: each judgement with its factors, thresholds, row, reason and route; then what was put together
and reviewed, and the retrievals."""

from collections.abc import Iterator

from rich.columns import Columns
from rich.console import Console, RenderableType
from rich.padding import Padding
from rich.text import Text

from calibrant.interfaces.planview import plan_of
from calibrant.interfaces.review import criteria_lines, quality_lines
from calibrant.interfaces.synthesisview import synthesis_of
from calibrant.interfaces.terminal import (
    Symbols,
    factor_table,
    labelled,
    level_style,
    level_text,
    show,
    source_sign,
    symbols_for,
)
from calibrant.interfaces.wording import counted, ended, state_of
from calibrant.state.budget import Allowance
from calibrant.state.channels import View
from calibrant.state.confidence import score_text
from calibrant.state.decision import Action, Decision
from calibrant.state.guidance import Guidance
from calibrant.state.retrieval import Distillate, RetrievalResult, Round, SourceReport
from calibrant.state.uncertainty import Signal

ROUTE_STYLE = {
    Action.PROCEED: "good",
    Action.RETRIEVE: "cyan",
    Action.REFINE: "cyan",
    Action.ASK: "warn",
    Action.SKIP: "warn",
    Action.RESPOND: "warn",
}


def show_trace(console: Console, view: View, thread_id: str, turns: int = 1) -> None:
    """The whole trace of one run of a thread that has so many ``turns``."""
    symbols = symbols_for(console)
    parts: list[RenderableType] = [_head(view, thread_id, turns, symbols)]
    parts += plan_of(view)
    for number, decision in enumerate(view.decisions, start=1):
        parts += [Text(), *_decision(number, decision, symbols)]
    parts += synthesis_of(view, symbols)
    if view.review is not None and view.review.criteria:
        reviewed = [*criteria_lines(view.review, symbols), *quality_lines(view.review, symbols)]
        parts += [Text("\nReview", style="bold"), *(Padding(line, (0, 0, 0, 4)) for line in reviewed)]
    if view.signals:
        parts += [Text("\nSigns of uncertainty", style="bold"), *(_sign(item) for item in view.signals)]
    if view.guidance:
        parts += [Text("\nAnswers of a person", style="bold"), *(_spoken(item) for item in view.guidance)]
    if view.retrievals:
        parts.append(Text("\nRetrievals", style="bold"))
    for retrieval in view.retrievals:
        parts += [*_retrieval(retrieval, symbols)]
    show(console, *parts)


def _head(view: View, thread_id: str, turns: int, symbols: Symbols) -> Text:
    question, parts = "(no question yet)", [f"thread {thread_id}"]
    several = turns > 1
    if view.run is not None:
        question = view.run.question
        parts.append(f"turn {view.run.turn} of {turns}" if several else f"turn {view.run.turn}")
    parts.append(ended(view.stop_reason))
    if several:
        parts.append("`--turn N` shows the others")
    return Text.assemble((question, "bold"), "\n", (f" {symbols.dot} ".join(parts), "label"))


def _decision(number: int, decision: Decision, symbols: Symbols) -> Iterator[RenderableType]:
    yield _verdict(number, decision, symbols)
    yield Padding(labelled(_details(decision, symbols), 11), (0, 0, 0, 4))


def _verdict(number: int, decision: Decision, symbols: Symbols) -> Text:
    """``3  reason  0.52 → 0.78 medium → proceed  (row 5)``."""
    score = decision.confidence.score
    text = Text.assemble((f"{number:>2}  ", "label"), (decision.phase.value, "bold"))
    if decision.attempt > 1:
        text.append(f" attempt {decision.attempt}", style="label")
    text.append("   ")
    if decision.before is not None:
        text.append(f"{score_text(decision.before)} {symbols.arrow} ", style="label")
    text.append_text(Text.assemble((score_text(score), level_style(score)), " ", level_text(score)))
    if decision.boost is not None:
        text.append(f" ({decision.boost:+.2f})", style="label")
    route = decision.action.value + (f" ({decision.asking.value})" if decision.asking else "")
    text.append(f"   {symbols.arrow} ").append(route, style=ROUTE_STYLE[decision.action])
    return text.append(f"   row {decision.row}", style="label")


def _details(decision: Decision, symbols: Symbols) -> Iterator[tuple[str, RenderableType]]:
    limits = decision.thresholds
    dot = f" {symbols.dot} "
    yield "reason", decision.reason
    yield (
        "thresholds",
        dot.join((f"proceed {limits.proceed:.2f}", f"retrieve {limits.retrieve:.2f}", f"abort {limits.abort:.2f}")),
    )
    if decision.confidence.factors:
        yield "factors", factor_table(decision.confidence.factors)
    if decision.confidence.calibrator:
        yield "calibrated", f"from {score_text(decision.confidence.raw)} by {decision.confidence.calibrator}"
    elif decision.confidence.uncalibrated:
        yield "calibrated", f"no: {decision.confidence.uncalibrated}"
    if decision.uncertainty:
        yield "uncertainty", str(decision.uncertainty)
    if decision.gaps:
        yield "gaps", ", ".join(decision.gaps)
    if decision.warning:
        yield "warning", Text(decision.warning, style="warn")
    yield "left", dot.join(left_words(decision.left, decision.retrievals_left))


def left_words(left: Allowance, retrievals: int) -> list[str]:
    """What was left of the budget, in words."""
    return [
        counted(retrievals, "retrieval"),
        counted(left.model_calls, "model call"),
        counted(left.tokens, "token"),
        f"${left.dollars:.2f}",
        f"{left.seconds:.1f} s",
    ]


def _sign(item: Signal) -> Text:
    words = f"  {item.kind.value.replace('_', ' ')} +{item.counts}  {item.detail}"
    settled = ("  (answered)" if item.resolved else "", "label")
    return Text.assemble("    ", (item.phase.value, "bold"), f" attempt {item.attempt}", words, settled)


def _spoken(item: Guidance) -> Text:
    return Text.assemble("    ", (item.phase.value, "bold"), f"  {item.kind}  ", item.summary)


def _retrieval(result: RetrievalResult, symbols: Symbols) -> Iterator[RenderableType]:
    """One retrieval: what it brought, its rounds, how each source fared."""
    boost = f"{score_text(result.confidence_before)} {symbols.arrow} {score_text(result.new_confidence)}"
    head = Text.assemble("\n    ", (result.phase.value, "bold"), f"  {symbols.opening}{result.query}{symbols.closing}")
    where = f"depth {result.depth_used} of 3 {symbols.dot} {ended(result.stop_reason)}"
    head.append(f"\n    sufficiency {boost} {symbols.dot} {where}", "label")
    yield head
    for item in result.rounds:
        yield _round(item, symbols)
    if result.sources:
        sources = Columns([_source(report, symbols) for report in result.sources], padding=(0, 3))
        yield Padding(sources, (0, 0, 0, 4))
    learnt = dict(_learnt(result.distillate))
    if learnt:
        yield Padding(labelled(((kind, "\n".join(texts)) for kind, texts in learnt.items()), 11), (0, 0, 0, 4))
    if result.suggestion:
        yield Text(f"    {result.suggestion}", style="warn")


def _learnt(found: Distillate) -> Iterator[tuple[str, list[str]]]:
    """What the passages say, by kind; what is of a special kind is no insight besides."""
    special = {
        "practices": [item.text for item in found.best_practices],
        "mistakes": [item.text for item in found.common_mistakes],
        "patterns": [item.text for item in found.patterns],
        "examples": [f"{item.description} ({item.language or 'code'})" for item in found.code_examples],
    }
    told = {text for texts in special.values() for text in texts}
    insights = [item.text for item in found.key_insights if item.text not in told]
    yield from ((kind, texts) for kind, texts in {"insights": insights, **special}.items() if texts)


def _round(item: Round, symbols: Symbols) -> Padding:
    """One round: what it asked, what it brought, what it decided."""
    reached = Text(score_text(item.confidence), style=level_style(item.confidence))
    found = f"depth {item.depth} {symbols.dot} {counted(item.chunks, 'passage')}, {item.new} new {symbols.dot} "
    decided = f" of {item.threshold:.2f} {symbols.arrow} {item.decision.value}"
    text = Text.assemble((f"round {item.number}  ", "label"), found, reached, decided)
    if item.reason:
        text.append(f": {item.reason}", style="label")
    for query in item.queries:
        text.append(f"\n         {symbols.opening}{query}{symbols.closing}", style="quote")
    return Padding(text, (0, 0, 0, 4))


def _source(report: SourceReport, symbols: Symbols) -> Text:
    sign, style = source_sign(report.state, symbols)
    text = Text(f"{sign} {report.source} {state_of(report)}", style=style)
    took = "cached" if report.cached else f"{report.seconds:.2f} s" if report.seconds else ""
    return Text.assemble(text, (f" {took}" if took else "", "label"), no_wrap=True)
