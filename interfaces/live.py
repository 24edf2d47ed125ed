"""The live view: one quiet panel that shows where a run stands, drawn from ``Progress``.

It has four phases, one search, one budget line, and grows only when there is more to say; when the run ends or asks, it
makes room for the answer or the question.
"""

import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Self

from rich import box
from rich.columns import Columns
from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from calibrant.interfaces.progress import PhaseLine, Progress, after, learnt
from calibrant.interfaces.terminal import Symbols, bar, depth_dots, level_style, level_text, source_sign, symbols_for
from calibrant.interfaces.wording import counted, in_short, spent_briefly, state_of
from calibrant.state.confidence import score_text
from calibrant.state.events import Event
from calibrant.state.retrieval import Distillate
from calibrant.state.task import StepStatus

FRAMES_PER_SECOND = 8
BAR = 20
BESIDE = 40
"""Columns of the panel beside the bars: on a narrow terminal they are shorter, rather than cut off."""
SHORT_BAR = 12
LABEL = 10
PARTS = 4

ECHO = "^C"
"""What a terminal writes behind the panel's last line when it is stopped: without room for it, it begins a new line,
and the panel's first one is left standing."""

Row = tuple[str, RenderableType]
"""A label and what stands beside it."""


class LiveView:
    """Follows a run on a terminal. A context manager: inside it the panel stands, outside it is gone."""

    def __init__(self, console: Console, question: str = "", thread_id: str = "") -> None:
        self.console = console
        self.progress = Progress(question=question)
        self.thread_id = thread_id
        self._live: Live | None = None
        self._since = 0.0
        self._worked = 0.0

    def __enter__(self) -> Self:
        self._since = time.monotonic()
        self._live = Live(
            get_renderable=self._draw, console=self.console, transient=True, refresh_per_second=FRAMES_PER_SECOND
        )
        self._live.start()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        if self._live is not None:
            self._live.stop()  # which draws once more
        self._worked += time.monotonic() - self._since  # the time that a person takes to answer is not counted

    def event(self, event: Event) -> None:
        """Fold one event in; the next frame shows it."""
        self.progress = after(self.progress, event)

    def learnt(self, distillate: Distillate) -> None:
        """Fold in what a retrieval brought."""
        self.progress = learnt(self.progress, distillate)

    def _draw(self) -> RenderableType:
        seconds = self._worked + time.monotonic() - self._since
        width = self.console.width - len(ECHO)
        return panel(self.progress, symbols_for(self.console), seconds=seconds, thread_id=self.thread_id, width=width)


def panel(
    seen: Progress, symbols: Symbols, *, seconds: float = 0.0, thread_id: str = "", width: int | None = None
) -> Panel:
    """The whole view of one moment, as wide as there is room where no ``width`` is given."""
    room = BAR if width is None else max(1, min(BAR, width - BESIDE))
    phases = _phases(seen, symbols, seconds, room)
    parts: list[RenderableType] = [_question(seen), *_parts(seen, symbols), Text(), phases]
    for block in (list(_search(seen, symbols)), list(_insights(seen)), [_budget(seen, symbols, seconds)]):
        if block:
            parts += [Text(), _rows(block)]
    title = Text("calibrant", style="label")
    footer = Text(f"thread {thread_id}", style="label") if thread_id else None
    return Panel(
        Padding(Group(*parts), (1, 1)), box=box.ROUNDED, border_style="dim",
        title=title, title_align="left", subtitle=footer, subtitle_align="right", width=width,
    )  # fmt: skip


def _question(seen: Progress) -> Text:
    return Text(in_short(seen.question, 3) or "…", style="bold")


def _parts(seen: Progress, symbols: Symbols) -> Iterator[Text]:
    """The parts of the question, checked off as they are answered."""
    for part in seen.parts[:PARTS]:
        status = seen.fared(part)
        answered = status is StepStatus.ANSWERED
        sign = symbols.done if answered else symbols.failed if status else symbols.waiting
        style = "good" if answered else "warn" if status else "dim"
        yield Text.assemble((f"  {sign} ", style), (part, "dim"), no_wrap=True, overflow="ellipsis")
    if len(seen.parts) > PARTS:
        yield Text(f"    and {len(seen.parts) - PARTS} more", style="dim")


def _phases(seen: Progress, symbols: Symbols, seconds: float, room: int) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(width=1)
    grid.add_column(width=LABEL - 2)
    grid.add_column(width=len(f"0.00 {symbols.arrow} 0.00"))
    grid.add_column(width=room)
    grid.add_column(width=8)
    grid.add_column(ratio=1, overflow="ellipsis", no_wrap=True)
    for line in seen.phases:
        grid.add_row(*_phase(line, seen, symbols, seconds, room))
    return grid


def _phase(line: PhaseLine, seen: Progress, symbols: Symbols, seconds: float, room: int) -> Iterable[Text]:
    active = line.phase is seen.current and not seen.finished and not line.done
    name = Text(line.phase.value, style="bold" if active else "" if line.score is not None else "dim")
    yield _sign(line, active, symbols, seconds)
    yield name
    if line.score is None:
        yield from (Text(), Text(), Text(), Text(seen.doing if active else "", style="label"))
        return
    yield _scores(line, symbols)
    yield bar(line.score, room, symbols, style=level_style(line.score), mark=line.proceed)
    yield level_text(line.score)
    yield Text(seen.doing if active else line.note, style="label")


def _sign(line: PhaseLine, active: bool, symbols: Symbols, seconds: float) -> Text:
    if active:
        return Text(symbols.spinner[int(seconds * FRAMES_PER_SECOND) % len(symbols.spinner)], style="cyan")
    if line.done and line.score is not None:
        return Text(symbols.done, style=level_style(line.score))
    return Text(symbols.waiting, style="dim")


def _scores(line: PhaseLine, symbols: Symbols) -> Text:
    """``0.42 → 0.81``, right-aligned so that the latest scores stand in one column."""
    assert line.score is not None
    text = Text(justify="right")
    if line.first is not None and line.boosted:
        text.append(f"{score_text(line.first)} {symbols.arrow} ", style="dim")
    return text.append(score_text(line.score), style=level_style(line.score))


def _search(seen: Progress, symbols: Symbols) -> Iterator[Row]:
    """Depth and round, the query, and how each source fares."""
    if seen.searching is None:
        return
    started = seen.searching
    where = [f"depth {started.depth} of 3", f"round {started.round}"]
    if seen.passages:
        where.append(counted(seen.passages, "passage"))
    words = f" {symbols.dot} ".join(where)
    yield "search", Text.assemble((depth_dots(started.depth, symbols), "cyan"), (f" {words}", "label"))
    if started.queries:
        more = f" and {len(started.queries) - 1} more" if len(started.queries) > 1 else ""
        query = Text(
            f"{symbols.opening}{started.queries[0]}{symbols.closing}{more}",
            style="quote",
            no_wrap=True,
            overflow="ellipsis",
        )
        yield "", query
    sources = list(_sources(seen, symbols))
    if sources:
        yield "sources", Columns(sources, padding=(0, 3))


def _sources(seen: Progress, symbols: Symbols) -> Iterator[Text]:
    expected = seen.searching.sources if seen.searching else ()
    for name in dict.fromkeys((*expected, *seen.reports)):
        report = seen.reports.get(name)
        sign, style = source_sign(report.state if report else None, symbols)
        words = f"{name} {state_of(report)}" if report else name
        yield Text(f"{sign} {words}", style=style, no_wrap=True)


def _insights(seen: Progress) -> Iterator[Row]:
    for number, insight in enumerate(seen.insights[:2]):
        text = Text(insight, no_wrap=True, overflow="ellipsis")
        yield ("learnt" if number == 0 else "", text)


def _budget(seen: Progress, symbols: Symbols, seconds: float) -> Row:
    used = bar(seen.used, SHORT_BAR, symbols, style="yellow" if seen.used >= 0.8 else "blue")
    words = [*spent_briefly(seen.spend), f"{seconds:.0f} s"]
    return "budget", used.append(f" {seen.used:4.0%}   " + f" {symbols.dot} ".join(words), style="label")


def _rows(rows: Iterable[Row]) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(width=LABEL, style="label")
    grid.add_column(ratio=1)
    for label, text in rows:
        grid.add_row(label, text)
    return grid
