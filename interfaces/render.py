"""The answer: its text, numbered sources with quotes, confidence and what cost it, warnings, conflicts, spend."""

import re
from collections.abc import Iterable, Iterator, Sequence

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from calibrant.interfaces.places import link_of, place_of
from calibrant.interfaces.review import conditions_met, conflict_register
from calibrant.interfaces.terminal import Symbols, bar, labelled, level_style, level_text, link_to, show, symbols_for
from calibrant.interfaces.wording import ended, spent
from calibrant.nodes.reading.answered import has_answer
from calibrant.nodes.telling.phrases import phrases_for
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.confidence import Confidence, Factor, score_text
from calibrant.state.evidence import Citation, Quotation
from calibrant.state.fence import fence_of
from calibrant.state.markup import plain
from calibrant.state.task import Phase, Power

MARKER = re.compile(r"\[(\d+)\]")
HEADING = re.compile(r"#{1,6} +(.+)")
LABEL = 11
BAR = 20
QUOTE = 300


def show_answer(console: Console, view: View, thread_id: str) -> None:
    """The whole answer of a finished run."""
    symbols = symbols_for(console)
    parts: list[RenderableType] = [_answer(view, headings=console.is_terminal)]
    if view.citations:
        parts += [Text("\nSources", style="bold"), _sources(view.citations, symbols)]
    if view.closest:
        parts += [Text(f"\n{phrases_for(view).closest_title}", style="bold"), _closest(view.closest, symbols)]
    if console.is_terminal:
        console.print()
    show(console, *parts, Text(), labelled(_facts(view, thread_id, symbols), LABEL))


def _answer(view: View, *, headings: bool) -> Text:
    """The text, its citation marks linked to their sources; Markdown headings in bold where there is bold."""
    links = {str(citation.number): link_of(citation) for citation in view.citations}
    text = view.answer.strip() or "(no answer)"
    lines = (_heading_or_text(line) for line in text.split("\n")) if headings else [Text(text)]
    answer = Text("\n").join(lines)
    answer = answer[1:] if answer.plain.startswith("\n") else answer
    for mark in MARKER.finditer(answer.plain):
        if mark[1] in links:
            answer.stylize("cite", *mark.span())
            answer.stylize(link_to(links[mark[1]]), *mark.span())
    return answer


def _heading_or_text(line: str) -> Text:
    found = HEADING.fullmatch(line)
    return Text(f"\n{found[1]}", style="bold") if found else Text(line)


def _sources(citations: Sequence[Citation], symbols: Symbols) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(justify="right", style="cite")
    grid.add_column(overflow="fold")
    for citation in sorted(citations, key=lambda item: item.number):
        place = Text(place_of(citation), style=link_to(link_of(citation)))
        place.append(f"  {_heading(citation)}".rstrip(), style="not link dim")
        grid.add_row(f"[{citation.number}]", place)
        if citation.quote:
            grid.add_row("", Text(_quoted(citation.quote, symbols), style="quote"))
    return grid


def _closest(found: Sequence[Quotation], symbols: Symbols) -> Table:
    """One line each: the place, what it belongs to, and the sentence; no number, for nothing is cited."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, overflow="ellipsis")
    for one in found:
        line = Text(f"{symbols.dot} ").append(place_of(one), style=link_to(link_of(one)))
        line.append(f"  {_heading(one)}".rstrip(), style="dim").append(
            f"  {_quoted(one.quote, symbols)}", style="quote"
        )
        grid.add_row(line)
    return grid


def _heading(citation: Quotation) -> str:
    """What the place belongs to: the heading in its document, else the title where that says more than the path."""
    if citation.locator.heading:
        return citation.locator.heading
    return "" if citation.title in citation.url else citation.title


def _quoted(quote: str, symbols: Symbols) -> str:
    """``quote`` on one line, where the marks around its code, links and tags would only be in the way."""
    flat = " ".join(word for line in quote.splitlines() if not fence_of(line) for word in plain(line).split())
    cut = flat if len(flat) <= QUOTE else flat[: QUOTE - 1].rstrip() + "…"
    return f"{symbols.opening}{cut}{symbols.closing}"


def _facts(view: View, thread_id: str, symbols: Symbols) -> Iterator[tuple[str, RenderableType]]:
    if read := read_as(view):
        yield "Read as", Text(read)
    confidence = view.confidence
    if confidence is not None and not has_answer(view):
        yield "Confidence", Text("none: there is no answer", style="label")
    elif confidence is not None:
        yield "Confidence", _confidence(confidence, symbols)
        yield from _lines("Cost most", [cost_line(confidence, factor, symbols) for factor in confidence.costliest()])
    yield from _lines("Phases", [_path(view, symbols)])
    yield from _lines("Warnings", [Text(f"{symbols.warning} {text}", style="warn") for text in view.warnings])
    yield from _lines("Conflicts", conflict_register(view, symbols))
    if view.review is not None:
        yield from _lines("Conditions", map(Text, conditions_met(view.review)))
    yield "Spent", Text(f" {symbols.dot} ".join([*spent(view.spend), f"{view.spend.seconds:.1f} s"]))
    yield "Ended", _ended(view, symbols)
    yield "Thread", Text.assemble(thread_id, (f"   calibrant trace {thread_id}", "label"))


def read_as(view: View) -> str:
    """The request as it was understood, where that is not as it was asked: what a follow-up was taken to mean."""
    task = view.perceived
    if task is None or _plain(task.text) in ("", _plain(task.original)):
        return ""
    return task.text


def _plain(text: str) -> str:
    return " ".join(text.casefold().split()).strip(" ?.!")


def _lines(label: str, blocks: Iterable[Text]) -> Iterator[tuple[str, RenderableType]]:
    """Several lines under one label; nothing where there are none."""
    for number, block in enumerate(block for block in blocks if block):
        yield ("" if number else label), block


def _confidence(confidence: Confidence, symbols: Symbols) -> Text:
    style = level_style(confidence.score)
    text = Text.assemble((score_text(confidence.score), style), " ", level_text(confidence.score), "  ")
    text.append_text(bar(confidence.score, BAR, symbols, style=style))
    if confidence.calibrator:
        text.append(f"  calibrated from {score_text(confidence.raw)}", style="label")
    elif confidence.uncalibrated:
        text.append(f"  {uncalibrated(confidence)}", style="label")
    return text


def uncalibrated(confidence: Confidence) -> str:
    """``not calibrated: fitted with other embeddings``; the reason alone where it says so itself."""
    reason = confidence.uncalibrated
    return reason if reason.startswith("not calibrated") else f"not calibrated: {reason}"


def cost_line(confidence: Confidence, factor: Factor, symbols: Symbols) -> Text:
    """``past experience 0.40 (−0.18): nothing similar was done before``."""
    total = sum(item.weight for item in confidence.factors if item.score is not None) or 1.0
    score = factor.score or 0.0
    cost = factor.weight * (1.0 - score) / total
    text = Text(f"{factor.name.replace('_', ' ')} {score:.2f}")
    text.append(f" ({symbols.minus}{cost:.2f})", style="label")
    return text.append(f" {factor.reason}", style="label") if factor.reason else text


def _path(view: View, symbols: Symbols) -> Text:
    """Each phase's first and last score: ``perceive 0.42 → 0.81 · reason 0.78``."""
    words: list[Text] = []
    for phase in Phase:
        scores = [decision.confidence.score for decision in view.decisions if decision.phase is phase]
        if scores:
            words.append(_scores(phase, scores, symbols))
    return Text(f" {symbols.dot} ", style="dim").join(words)


def _scores(phase: Phase, scores: Sequence[float], symbols: Symbols) -> Text:
    moved = score_text(scores[0]) != score_text(scores[-1])
    before = f"{score_text(scores[0])} {symbols.arrow} " if moved else ""
    return Text.assemble((f"{phase.value} {before}", "label"), (score_text(scores[-1]), level_style(scores[-1])))


def _ended(view: View, symbols: Symbols) -> Text:
    style = "" if view.stop_reason in (StopReason.ANSWERED, StopReason.COURTESY) else "warn"
    in_part = " in part" if view.unanswered and view.stop_reason is StopReason.ANSWERED else ""
    text = Text(f"{ended(view.stop_reason)}{in_part}", style=style)
    forced = ", forced" if view.run and view.run.power is not Power.AUTO else ""
    where = f"depth {view.depth_used} of 3{forced}" if view.depth_used else "without a search"
    turn = f" {symbols.dot} turn {view.run.turn}" if view.run and view.run.turn > 1 else ""
    return Text.assemble(text, f" {symbols.dot} {where}{turn}")
