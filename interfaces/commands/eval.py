"""``calibrant eval``: run tasks over labelled data, show the figures and where the report stands."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click
from rich.table import Table
from rich.text import Text

from calibrant.interfaces import bars, terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.commands.opening import waiting
from calibrant.interfaces.failures import Exit, Stopped
from calibrant.interfaces.lines import say
from calibrant.interfaces.wording import counted
from calibrant.retrievers.home import at_home
from calibrant.state.errors import InputError

if TYPE_CHECKING:
    from calibrant.evals.results import Change, Result
    from calibrant.evals.setup import Setup
    from calibrant.evals.task import Figure, Task


@dataclass(frozen=True)
class EvalOptions:
    """The command line of ``eval``."""

    task: str | None = None
    listed: bool = False
    datasets: tuple[str, ...] = ()
    model: str | None = None
    embeddings: str | None = None
    limit: int | None = None
    half: Literal["held-out", "fit", "all"] = "held-out"
    seed: int = 0
    out: str | None = None
    fresh: bool = False
    at_once: int = 4
    as_json: bool = False


@dataclass(frozen=True)
class Counted:
    """How far a run is, for the bar."""

    done: int
    total: int
    path: str


def run(options: EvalOptions) -> Exit:
    """Run the task, or all of them, one after the other."""
    from calibrant.evals.registry import ALL, task_named, tasks

    if options.listed:
        return show_tasks(options, tasks())
    if not options.task:
        raise InputError("name a task (`calibrant eval --list` shows them) or `all`")
    chosen = tasks() if options.task == ALL else [task_named(options.task)]
    if options.task == ALL and options.datasets:
        raise InputError("--dataset goes with one task: name it instead of `all`")
    setup = setup_of(options.model, options.embeddings, options.seed)
    results = [run_one(task, setup, options) for task in chosen]
    if options.as_json:
        echo_json([asdict(result) for result in results])
    return Exit.FAILED if any(result.is_empty for result in results) else Exit.DONE


def setup_of(model: str | None, embeddings: str | None, seed: int) -> "Setup":
    """The settings of this machine, with what the command line says otherwise."""
    with waiting("starting"):
        from calibrant.evals.setup import Setup
        from calibrant.graph.settings import load_machine, load_settings, read_secrets

        settings = load_settings({"model": model} if model else None)
        machine = load_machine({"embeddings": embeddings} if embeddings else None)
    if settings.model.name:
        say(f"calibrant: {settings.model.name} is asked too, and may cost; `-m none` leaves it out")
    return Setup(settings, machine, read_secrets(), seed)


def run_one(task: "Task", setup: "Setup", options: EvalOptions) -> "Result":
    """One task to its end, shown unless JSON is wanted."""
    from calibrant.evals.runner import Options, run

    folder = at_home(Path(options.out)) if options.out else setup.machine.data_dir / "evals"
    wanted = Options(
        folder / task.name, options.datasets, limit_of(task, options), options.half, options.fresh, options.at_once
    )
    try:
        with bars.bar(task.name, "item") as progress:
            result = asyncio.run(run(task, setup, wanted, lambda *told: progress(Counted(*told))))
    except (KeyboardInterrupt, click.Abort):
        raise Stopped("stopped; what was judged is kept: the same command goes on where it stood") from None
    if not options.as_json:
        show(result, wanted.out)
    return result


def limit_of(task: "Task", options: EvalOptions) -> int | None:
    """The limit that was named; without one, `all` takes as many items as the full tables have."""
    from calibrant.evals.registry import ALL, TABLE

    return TABLE[task.name] if options.limit is None and options.task == ALL else options.limit


def show(result: "Result", folder: Path) -> None:
    """The figures of each half, what could not be scored, what changed, and where the report stands."""
    from calibrant.evals.page import MADE_UP
    from calibrant.evals.results import changes, other_settings

    console = terminal.out()
    if result.made_up:
        console.print(MADE_UP, style="warn", soft_wrap=True)
    for block in result.blocks:
        reused = f" ({counted(result.reused, 'item')} reused)" if result.reused else ""
        title = f"{result.task}, {block.half} half{reused}"
        terminal.show(console, Text(title, style="bold"), table([one for one in block.figures if not one.detail]))
        if not block.counts and not block.unscored:
            console.print("nothing to score: no record is in this half", style="warn", soft_wrap=True)
        for dataset, reason, count in block.unscored:
            console.print(f"not scored: {dataset}: {count:,} ({reason})", style="warn", soft_wrap=True)
    if result.read:
        console.print(f"left out: {result.read:,} records that the reader was fitted on", style="warn", soft_wrap=True)
    moved = [change for change in changes(result) if change.clear]
    if moved and (other := other_settings(result)):
        console.print(f"the run before was set otherwise: {other}", style="warn", soft_wrap=True)
    for change in moved:
        console.print(changed(change), soft_wrap=True)
    console.print(f"report: {folder / 'report.html'}", style="label", soft_wrap=True)


def table(figures: "Sequence[Figure]") -> Table:
    """One line a figure: dataset, name, value, interval, items."""
    from calibrant.evals.page import bounds, number

    grid = Table.grid(padding=(0, 2))
    for justify in ("left", "left", "right", "right", "right"):
        grid.add_column(justify=justify, no_wrap=True)
    for one in figures:
        grid.add_row(
            Text(one.dataset, style="label"), one.name, number(one.value), Text(bounds(one), style="label"),
            Text(f"n={one.count:,}", style="label"),
        )  # fmt: skip
    return grid


def changed(change: "Change") -> str:
    """What lies outside the interval of the run before, in one line."""
    return f"changed: {change.dataset}, {change.name}: {change.before:.3f} before, {change.now:.3f} now"


def show_tasks(options: EvalOptions, found: "Sequence[Task]") -> Exit:
    """The tasks with what they measure and their datasets."""
    if options.as_json:
        echo_json([{"task": task.name, "about": task.about, "datasets": list(task.loaders)} for task in found])
        return Exit.DONE
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for task in found:
        grid.add_row(task.name, Text.assemble(task.about, (f"\n{', '.join(task.loaders)}", "label")))
    terminal.show(terminal.out(), grid)
    return Exit.DONE
