"""``calibrant calibrate``: fit calibrators, check them, say what they are worth, and put them where the graph finds
them."""

import asyncio
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click
from rich.console import RenderableType
from rich.table import Table
from rich.text import Text

from calibrant.interfaces import bars, terminal
from calibrant.interfaces.commands import eval as evaluation
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.failures import Exit, Stopped
from calibrant.retrievers.home import at_home
from calibrant.state.errors import ConfigurationError, InputError

if TYPE_CHECKING:
    from calibrant.evals.calibrate import Outcome, RiskThreshold, Trial
    from calibrant.evals.fitting.calibrators import Fit
    from calibrant.evals.setup import Setup
    from calibrant.judges.calibration import CalibratorFile


@dataclass(frozen=True)
class CalibrateOptions:
    """The command line of ``calibrate``."""

    datasets: tuple[str, ...] = ()
    model: str | None = None
    embeddings: str | None = None
    limit: int | None = None
    seed: int = 0
    risk: float | None = None
    out: str | None = None
    fresh: bool = False
    as_json: bool = False


def run(options: CalibrateOptions) -> Exit:
    """Fit, show, write."""
    setup = evaluation.setup_of(options.model, options.embeddings, options.seed)
    outcome = calibrated(setup, options)
    path = write(outcome, setup, options)
    if options.as_json:
        echo_json({**asdict(outcome), "file": outcome.file.model_dump(mode="json"), "path": str(path),
                   "conditions": outcome.conditions.model_dump(mode="json"),
                   "fits": [fit_as_json(fit) for fit in outcome.fits]})  # fmt: skip
    else:
        show(outcome, path)
    return Exit.DONE


def calibrated(setup: "Setup", options: CalibrateOptions) -> "Outcome":
    """The outcome, behind a bar."""
    from calibrant.evals.calibrate import Plan, calibrate

    folder = setup.machine.data_dir / "evals" / "calibrate"
    plan = Plan(folder, options.datasets, options.limit, options.risk, options.fresh)
    try:
        with bars.bar("calibrate", "question") as progress:
            return asyncio.run(calibrate(setup, plan, lambda *given: progress(evaluation.Counted(*given))))
    except (KeyboardInterrupt, click.Abort):
        raise Stopped("stopped; what was asked is kept: the same command goes on where it stood") from None


def write(outcome: "Outcome", setup: "Setup", options: CalibrateOptions) -> Path:
    """Where the file went: ``--out``, else where the graph finds it. What made-up questions gave is put aside."""
    from calibrant.evals.calibrate import merged
    from calibrant.graph.calibrators import FILE, parsed, write_calibrators
    from calibrant.judges.calibration import CalibratorFile

    used = setup.machine.data_dir / FILE
    aside = setup.machine.data_dir / "evals" / "calibrate" / FILE
    path = at_home(Path(options.out)) if options.out else aside if outcome.made_up else used
    try:
        if path == used:
            held = in_use(path.parent)
        else:
            held = parsed(path.read_text(encoding="utf-8"), path) if path.is_file() else CalibratorFile()
        write_calibrators(merged(held, outcome), path)
    except OSError as error:
        raise InputError(f"{path} cannot be written ({error.strerror})") from None
    return path


def in_use(data_dir: Path) -> "CalibratorFile":
    """The calibrators that runs apply; those that ship where this machine's are damaged: to fit anew is the cure."""
    from calibrant.graph.calibrators import load_calibrators, shipped

    try:
        return load_calibrators(data_dir)
    except ConfigurationError:
        return shipped()


def show(outcome: "Outcome", path: Path) -> None:
    """The whole page."""
    from calibrant.evals.fitting.calibrators import LEAST
    from calibrant.evals.page import MADE_UP

    console = terminal.out()
    if outcome.made_up:
        console.print(MADE_UP, style="warn", soft_wrap=True)
    asked = f"{outcome.questions:,} questions of {', '.join(outcome.datasets)}"
    terminal.show(console, Text(f"calibrators, from {asked}", style="bold"), fit_table(outcome.fits))
    if not any(one.calibrator for one in outcome.fits):
        told = f"nothing was fitted: that takes {LEAST} questions that are answered, some right and some wrong"
        console.print(f"{told}; what was in use stays", style="warn", soft_wrap=True)
    if outcome.unscored:
        console.print(f"not scored: {outcome.unscored:,}", style="warn", soft_wrap=True)
    if outcome.trial is not None:
        terminal.show(console, *trial_lines(outcome.trial))
    if outcome.figures:
        terminal.show(console, Text("held-out half", style="bold"), evaluation.table(outcome.figures))
    if outcome.promised is not None:
        terminal.show(console, *promised_lines(outcome.promised))
    console.print(f"calibrators: {path}", style="label", soft_wrap=True)


def fit_as_json(fit: "Fit") -> dict[str, object]:
    """A fit in JSON's kinds."""
    name = fit.calibrator.name if fit.calibrator else ""
    return {**asdict(fit), "calibrator": name}


def fit_table(fits: "Sequence[Fit]") -> Table:
    """One line a score and kind: labels, AUROC, and the calibrator or why there is none."""
    grid = Table.grid(padding=(0, 2))
    for justify in ("left", "left", "right", "left", "left"):
        grid.add_column(justify=justify, no_wrap=justify == "right")
    for one in fits:
        auroc = f"AUROC {one.auroc:.2f}, at least {one.low:.2f}" if one.auroc is not None else ""
        fitted = (
            Text(one.calibrator.kind, style="good") if one.calibrator else Text(f"none: {one.problem}", style="warn")
        )
        kind = f"{one.language.value}, sections" if one.in_sections else one.language.value
        grid.add_row(one.scored, kind, Text(f"n={one.count:,}", style="label"), auroc, fitted)
    return grid


def trial_lines(trial: "Trial") -> Iterator[RenderableType]:
    """What the calibrators of phases did to the run, and what follows from it."""
    before, after = trial.before, trial.after
    yield Text("phases, tried on the fit half", style="bold")
    grid = Table.grid(padding=(0, 2))
    for name, was, now in (
        ("right or rightly abstained", before.right, after.right),
        ("answer found", before.found, after.found),
        ("searches a question", before.searches, after.searches),
    ):
        grid.add_row(name, f"{was:.3f}", Text(f"{now:.3f} with them"))
    yield grid
    verdict = "kept: the run is no worse" if trial.kept else "not kept: the run is worse with them"
    yield Text(f"{', '.join(trial.names)}: {verdict}", style="good" if trial.kept else "warn")


def promised_lines(promised: "RiskThreshold") -> Iterator[RenderableType]:
    """The threshold, what it costs, and the line that puts it to work."""
    yield Text(f"at most {promised.risk:.0%} of the questions answered wrongly", style="bold")
    if promised.threshold is None or promised.after is None:
        yield Text(
            f"no threshold keeps that over {promised.questions:,} questions: ask for more, or fit on more", style="warn"
        )
        return
    for name, kept in (("without it", promised.before), ("with it", promised.after)):
        yield Text(f"{name}: {kept.coverage:.1%} answered, {kept.risk:.1%} wrongly (held-out half)")
    yield Text(f"for calibrant.yaml: abstain_below: {promised.threshold:g}")
