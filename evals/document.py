"""``python -m calibrant.evals.document FOLDER``: the figures of finished runs as a page, ``docs/EVALS.md``.

What is written by hand (what did not help, what the figures do not say) stands in ``docs/evals-notes.md`` and is taken
into the page as it is.
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibrant.evals.aims import AIMS, Aim, aim_of
from calibrant.evals.halves import HELD_OUT
from calibrant.evals.page import bounds, number
from calibrant.evals.registry import MODULES, TABLE, task_named
from calibrant.evals.results import FILE
from calibrant.evals.task import Figure
from calibrant.state.errors import InputError

PAGE, NOTES = Path("docs/EVALS.md"), Path("docs/evals-notes.md")
REACHED, NOT_REACHED, NOT_MEASURED = "reached", "not reached", "not measured"

INTRODUCTION = """# What the judgements are worth

<!-- Made by `make eval` from finished runs. Write by hand in docs/evals-notes.md, not here. -->

What follows was measured on public, labelled data, without a language model where none is named. Every record of a
dataset belongs to one of two halves, by its hash. Models, rules and thresholds were chosen on the one half; all figures
here are of the other, the held-out half.

- The interval is the 95% bootstrap interval over records; n is the number of items.
- A dash: the figure says nothing there (one class only, or nothing was reported).
- An aim is called reached by the value alone. Where the interval holds the aim too, more data could turn it.
- Seconds are those of one machine: compare them with each other only.

`make eval` measures all of this again, where `CALIBRANT_DATASETS` names the folder of the datasets. `calibrant eval`
runs one task; its report also has plots, each factor by itself, and what an item costs."""


@dataclass(frozen=True)
class Run:
    """A finished run of a task, as far as the page tells of it: its held-out half."""

    task: str
    datasets: tuple[str, ...]
    settings: dict[str, Any]
    counts: dict[str, int]
    unscored: tuple[tuple[str, str, int], ...]
    figures: tuple[Figure, ...]

    @property
    def quick(self) -> bool:
        """Whether it took fewer items than a full table does."""
        limit, full = self.settings["limit"], TABLE[self.task]
        return limit is not None and (full is None or limit < full)


def runs_in(folder: Path) -> dict[str, Run]:
    """The finished runs below ``folder``, by task. Raises ``InputError`` where there is none."""
    found = {name: _read(folder / name / FILE) for name in MODULES if (folder / name / FILE).is_file()}
    if not found:
        raise InputError(f"no finished runs in {folder}: `calibrant eval all --out {folder}` makes them")
    return found


def _read(path: Path) -> Run:
    """Raises ``InputError`` where the file is damaged, or the run over made-up items or of another half."""
    try:
        held = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        raise InputError(f"{path} is damaged: run `calibrant eval {path.parent.name}` again") from None
    if held["made_up"]:
        raise InputError(f"{path} is over made-up items, which show nothing: set CALIBRANT_DATASETS and run it again")
    block = next((one for one in held["blocks"] if one["half"] == HELD_OUT), None)
    if block is None:
        raise InputError(f"{path} is of another half: run `calibrant eval {held['task']}` over the held-out one")
    figures = tuple(Figure(**one) for one in block["figures"])
    unscored = tuple((dataset, reason, count) for dataset, reason, count in block["unscored"])
    return Run(held["task"], tuple(held["datasets"]), held["settings"], block["counts"], unscored, figures)


def page(runs: dict[str, Run], notes: str) -> str:
    """The whole page: the aims, a section a task, the notes."""
    parts = [INTRODUCTION, aims(runs), *(section(name, runs.get(name)) for name in MODULES), notes]
    return "\n\n".join(part.strip() for part in parts if part.strip()) + "\n"


def aims(runs: dict[str, Run]) -> str:
    """Every aim beside its figure, and how many are reached."""
    rows = [row for aim in AIMS for row in _standings(aim, runs.get(aim.task))]
    seen = Counter(row[-1] for row in rows)
    told = f"{seen[REACHED]} of {seen[REACHED] + seen[NOT_REACHED]} that were measured are reached."
    hasty = [name for name, run in runs.items() if run.quick]
    if hasty:
        told += f" **Quick runs, whose figures say little: {', '.join(hasty)}.**"
    head = ("task", "dataset", "figure", "aim", "value", "95% interval", "n", "")
    return f"## Aims\n\n{told}\n\n{_table(head, rows)}"


def _standings(aim: Aim, run: Run | None) -> list[tuple[str, ...]]:
    """A row for each figure that the aim concerns; one that says so where there is none."""
    found = [one for one in run.figures if aim.concerns(run.task, one)] if run else []
    return [
        (aim.task, one.dataset, one.name, str(aim), *_measured(one), against_aim(aim, one)) for one in found
    ] or [(aim.task, aim.dataset or "all", aim.figure, str(aim), "-", "", "", NOT_MEASURED)]  # fmt: skip


def against_aim(aim: Aim, figure: Figure) -> str:
    """How the figure stands to its aim, in words."""
    if figure.value is None:
        return NOT_MEASURED
    return REACHED if aim.reached(figure.value) else NOT_REACHED


def section(name: str, run: Run | None) -> str:
    """One task: what it measures, under what conditions, its table, what could not be scored."""
    task = task_named(name)
    head = f"## {name}\n\n{task.about}."
    if run is None:
        return f"{head}\n\nNot run."
    parts = [head, *_warnings(run), conditions(run), table(run), *_left_out(run, task.loaders)]
    return "\n\n".join(parts)


def conditions(run: Run) -> str:
    """What the figures depend on, whichever machine made them."""
    held = run.settings
    limit = "all items" if held["limit"] is None else f"at most {held['limit']:,} items of a dataset"
    scored = ", ".join(f"{dataset} {count:,}" for dataset, count in run.counts.items()) or "nothing"
    return (
        f"{HELD_OUT.capitalize()} half, {limit}, seed {held['seed']}, model: {held['model']}, "
        f"encoder: {held['encoder']}. Scored: {scored}."
    )


def table(run: Run) -> str:
    """The figures of the task, but those that only the report has."""
    told = [one for one in run.figures if not one.detail]
    rows = [(one.dataset, one.name, *_measured(one), _aim(run.task, one)) for one in told]
    return _table(("dataset", "figure", "value", "95% interval", "n", "aim"), rows)


def _aim(task: str, figure: Figure) -> str:
    aim = aim_of(task, figure)
    return f"{aim}: {against_aim(aim, figure)}" if aim else ""


def _warnings(run: Run) -> Iterator[str]:
    if run.quick:
        full = TABLE[run.task]
        yield f"**A quick run: a full one takes {'all items' if full is None else f'{full:,} items of a dataset'}.**"


def _left_out(run: Run, datasets: Iterable[str]) -> Iterator[str]:
    for dataset, reason, count in run.unscored:
        yield f"Not scored: {dataset}: {count:,} ({reason})."
    missing = [name for name in datasets if name not in run.datasets]
    if missing:
        yield f"Not run: {', '.join(missing)}."


def _measured(figure: Figure) -> tuple[str, str, str]:
    return number(figure.value), bounds(figure), f"{figure.count:,}"


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([cell.replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the page. Gives the exit code: 2 where there is nothing to write it from."""
    parser = argparse.ArgumentParser(prog="python -m calibrant.evals.document", description="Figures as a page.")
    parser.add_argument("folder", type=Path, help="where `calibrant eval all --out` put its runs")
    parser.add_argument("--notes", type=Path, default=NOTES, help="what was written by hand (default: %(default)s)")
    parser.add_argument("--write", type=Path, metavar="PATH", help=f"instead of stdout, e.g. {PAGE}")
    options = parser.parse_args(arguments)
    try:
        text = page(runs_in(options.folder), _notes(options.notes))
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    if options.write:
        options.write.write_text(text, encoding="utf-8")
    else:
        sys.stdout.write(text)
    return 0


def _notes(path: Path) -> str:
    if not path.is_file():
        raise InputError(f"no notes at {path}: name the file with --notes")
    return path.read_text(encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
