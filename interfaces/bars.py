"""Progress bars for work that can be counted; without a terminal, a line now and then."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from calibrant.interfaces import terminal
from calibrant.interfaces.wording import counted


class Progressed(Protocol):
    """How far some work is. ``path`` names what was worked on last."""

    @property
    def done(self) -> int: ...
    @property
    def total(self) -> int: ...
    @property
    def path(self) -> str: ...


Tell = Callable[[Progressed], None]

LINES = 10
"""Without a terminal, about so many lines from start to end."""


@contextmanager
def bar(doing: str, noun: str) -> Iterator[Tell]:
    """A callback that draws what it is told."""
    console = terminal.err()
    if not terminal.is_live(console):
        yield _lines(console, doing, noun)
        return
    with _progress(console) as progress:
        task = progress.add_task(doing, total=None, path="")
        yield lambda told: progress.update(
            task, completed=told.done, total=told.total, path=Path(told.path).name if told.path else ""
        )


def _progress(console: Console) -> Progress:
    return Progress(
        TextColumn("{task.description:<10}", style="label"),
        BarColumn(bar_width=30, complete_style="blue", finished_style="green"),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[path]}", style="dim", markup=False),
        console=console,
        transient=True,
    )


def _lines(console: Console, doing: str, noun: str) -> Tell:
    said = -1

    def tell(told: Progressed) -> None:
        nonlocal said
        tenth = LINES * told.done // max(1, told.total)
        if tenth != said:  # a second round of work starts anew
            said = tenth
            console.print(f"{doing}: {told.done:,} of {counted(told.total, noun)}", soft_wrap=True)

    return tell
