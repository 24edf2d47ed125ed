"""The terminal: consoles, colours, symbols. Progress and questions go to stderr, answers to stdout.

Rich honours NO_COLOR and TERM=dumb by itself; symbols fall back to ASCII where the encoding cannot carry them.
"""

import errno
import os
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from io import StringIO, TextIOWrapper
from typing import TextIO

from rich.console import Console, ConsoleOptions, RenderableType
from rich.segment import Segment
from rich.style import Style
from rich.table import Table
from rich.text import Text
from rich.theme import Theme

from calibrant.interfaces.printable import printable, printable_address
from calibrant.retrievers.encoding import text_of
from calibrant.state.confidence import Factor, level_of
from calibrant.state.evidence import SourceState

WIDEST = 100
"""Longer lines are hard to read, however wide the terminal is."""

UNWRAPPED = 100_000
"""The width of a pipe: lines are left whole, for whoever reads them next."""

THEME = Theme(
    {
        "level.high": "green",
        "level.medium": "cyan",
        "level.low": "yellow",
        "level.very_low": "red",
        "label": "dim",
        "quote": "italic dim",
        "cite": "bold cyan",
        "warn": "yellow",
        "bad": "red",
        "good": "green",
        "bar.rest": "dim",
    }
)


@dataclass(frozen=True)
class Symbols:
    """The few signs that are used, so that they can be swapped for ASCII."""

    done: str = "✓"
    failed: str = "✗"
    waiting: str = "·"
    warning: str = "!"
    arrow: str = "→"
    bar: str = "━"
    rest: str = "─"
    mark: str = "┃"
    full: str = "●"
    empty: str = "○"
    dot: str = "·"
    opening: str = "“"
    closing: str = "”"
    minus: str = "−"
    spinner: str = "⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏"


UNICODE = Symbols()
ASCII = Symbols(
    done="+", failed="x", waiting=".", arrow="->", bar="=", rest="-", mark="|", full="*", empty="o", dot="-",
    opening='"', closing='"', minus="-", spinner="|/-\\",
)  # fmt: skip


def symbols_for(console: Console) -> Symbols:
    """The signs that the console's encoding can carry."""
    return ASCII if console.options.ascii_only else UNICODE


def link_to(address: str) -> Style:
    """The style of words that open ``address``."""
    return Style(link=printable_address(address))


class SafeConsole(Console):
    """A console on which only we give orders: text that is shown can move no cursor and change no title."""

    def render(self, renderable: RenderableType, options: ConsoleOptions | None = None) -> Iterable[Segment]:
        for segment in super().render(renderable, options):
            yield segment if segment.control else Segment(printable(segment.text), segment.style)

    def on_broken_pipe(self) -> None:
        """Whoever read the answer has left: without a reader it has no use."""
        self.quiet = True
        raise BrokenPipeError(errno.EPIPE, os.strerror(errno.EPIPE))


def out() -> Console:
    """Where answers go: stdout. In a pipe, without colour and with lines left whole."""
    return _console(sys.stdout)


def err() -> Console:
    """Where progress and questions go: stderr."""
    return _console(sys.stderr)


def _console(stream: TextIO | None) -> Console:
    if stream is None:  # closed (`2>&-`): the console would write to the other one
        stream = StringIO()
    if isinstance(stream, TextIOWrapper):  # a character that the encoding lacks is no reason to fail
        stream.reconfigure(errors="replace")
    console = SafeConsole(file=stream, theme=THEME, highlight=False, emoji=False, markup=False)
    if not console.is_terminal:
        console.width = UNWRAPPED
    elif console.width > WIDEST:
        console.width = WIDEST
    return console


def show(console: Console, *parts: RenderableType) -> None:
    """Print ``parts`` one below the other. In a pipe, without the blanks that tables leave at the end of lines."""
    if console.is_terminal:
        console.print(*parts, sep="\n")
        return
    with console.capture() as captured:
        console.print(*parts, sep="\n")
    lines = (line.rstrip() for line in captured.get().splitlines())
    console.file.write("\n".join(lines) + "\n")
    console.file.flush()


def labelled(rows: Iterable[tuple[str, RenderableType]], width: int) -> Table:
    """Labels in a column of ``width``, what each is about beside it."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=width, style="label")
    grid.add_column(overflow="fold")
    for label, block in rows:
        grid.add_row(label, block)
    return grid


def is_live(console: Console) -> bool:
    """Whether a view that redraws itself makes sense there."""
    return console.is_terminal and not console.is_dumb_terminal


def piped() -> str:
    """All that comes in by stdin, read as a document would be; nothing where it is closed (`<&-`)."""
    if sys.stdin is None:
        return ""
    return text_of(sys.stdin.buffer.read()).replace("\r\n", "\n")


def typed(text: str) -> str:
    """A word of the command line as text: bytes that are none in the terminal's encoding come as lone surrogates."""
    return text_of(os.fsencode(text))


def somebody_there() -> bool:
    """Whether a person can be asked: both ends of the conversation are a terminal."""
    return _is_tty(sys.stdin) and _is_tty(sys.stderr)


def _is_tty(stream: TextIO | None) -> bool:
    try:
        return stream is not None and stream.isatty()
    except ValueError:  # closed
        return False


def level_style(score: float) -> str:
    """The style of a score's level."""
    return f"level.{level_of(score).name.lower()}"


def level_text(score: float) -> Text:
    """``medium``, in its colour."""
    return Text(level_of(score).value, style=level_style(score))


def bar(share: float, width: int, symbols: Symbols, *, style: str, mark: float | None = None) -> Text:
    """A thin bar for a share in 0..1, with a mark where a threshold lies."""
    filled = round(min(1.0, max(0.0, share)) * width)
    signs = list(symbols.bar * filled + symbols.rest * (width - filled))
    if mark is not None:
        signs[min(width - 1, round(mark * width))] = symbols.mark
    return Text.assemble(("".join(signs[:filled]), style), ("".join(signs[filled:]), "bar.rest"))


def depth_dots(depth: int, symbols: Symbols) -> str:
    """A depth of 1 to 3 as ``●●○``."""
    return symbols.full * depth + symbols.empty * (3 - depth)


def source_sign(state: SourceState | None, symbols: Symbols) -> tuple[str, str]:
    """The sign and the style for how a source fares; None means that it has not answered yet."""
    if state in (SourceState.FAILED, SourceState.LIMITED):
        return symbols.failed, "bad"
    return (symbols.done, "good") if state is SourceState.OK else (symbols.waiting, "dim")


def factor_table(factors: Sequence[Factor]) -> Table:
    """Score, name, weight and reason, one factor a line; an unscored one has a dash."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")  # on a narrow terminal words wrap, and no figure is cut
    grid.add_column(no_wrap=True)
    grid.add_column(style="label", overflow="fold")
    for factor in factors:
        known = factor.score is not None
        score = Text(
            f"{factor.score:.2f}" if known else "   -", style=level_style(factor.score or 0) if known else "dim"
        )
        grid.add_row(score, factor.name.replace("_", " "), Text(f"x {factor.weight:.2f}", style="dim"), factor.reason)
    return grid
