"""A run of one task: load, judge what is not judged yet, compute, compare with the run before, write."""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from calibrant.evals import extras
from calibrant.evals.data import chosen_datasets, load, root_of, sample
from calibrant.evals.figures import costs
from calibrant.evals.halves import FIT, HELD_OUT, READ
from calibrant.evals.page import write
from calibrant.evals.results import Block, Result, kept_before
from calibrant.evals.setup import Setup
from calibrant.evals.store import Kept, Store, fingerprint, row_of
from calibrant.evals.task import SMALL, Item, Judge, Row, Sample, Task, Verdict
from calibrant.state.errors import CalibrantError, ConfigurationError, ModelUnusable, failure_of

Half = Literal["held-out", "fit", "all"]
Tell = Callable[[int, int, str], None]
"""Called with the items done, the items to do and the dataset of the last one."""


@dataclass(frozen=True)
class Options:
    """What a user chose. ``datasets`` empty: all of the task's."""

    out: Path
    datasets: tuple[str, ...] = ()
    limit: int | None = None
    half: Half = "held-out"
    fresh: bool = False
    at_once: int = 4
    """Items judged side by side where a model is asked; without one, the task says how many."""


@dataclass(frozen=True)
class Judged:
    """The rows of a run, and what they were made under."""

    rows: tuple[Row, ...]
    datasets: tuple[str, ...]
    fingerprint: str
    reused: int
    seconds: float
    read: int = 0
    """Records that were passed over, of those that a half was asked for: the reader was fitted on them."""


async def run(task: Task, setup: Setup, options: Options, tell: Tell) -> Result:
    """Run ``task`` and write ``items.jsonl``, ``results.json`` and ``report.html`` into ``options.out``.

    Raises ``InputError`` for a dataset or a file that is not there.
    """
    found = await judged(task, setup, options, tell)
    result = Result(
        task=task.name,
        about=task.about,
        datasets=found.datasets,
        made_up=SMALL in found.datasets,
        fingerprint=found.fingerprint,
        settings={
            "seed": setup.seed, "limit": options.limit, "half": options.half,
            "model": setup.settings.model.name or "none", "encoder": setup.identity["encoder"],
        },
        seconds=found.seconds,
        reused=found.reused,
        read=found.read,
        blocks=await asyncio.to_thread(_blocks, task, found.rows, setup.seed, options.half),
    )  # fmt: skip
    result = replace(result, before=kept_before(options.out))
    await asyncio.to_thread(write, result, options.out)
    return result


async def judged(task: Task, setup: Setup, options: Options, tell: Tell) -> Judged:
    """The items that ``options`` ask for, with their verdicts: those kept in ``items.jsonl``, the others made now.

    Raises as ``run``.
    """
    extras.check()
    root = root_of(setup.machine.datasets)
    names = chosen_datasets(task, options.datasets, root)
    held = [await asyncio.to_thread(_loaded, task, name, root, setup) for name in names]
    items = [item for one in held for item in _wanted(one, task, setup, options)]
    read = sum(item.half == READ for one in held for item in one) if options.half != HELD_OUT else 0
    mark = await asyncio.to_thread(fingerprint, task, setup)
    store = Store(options.out, mark, fresh=options.fresh)
    reused = sum(item.id in store.kept for item in items)
    started = time.perf_counter()
    try:
        width = max(task.concurrency, options.at_once) if setup.settings.model.name else task.concurrency
        failed = await _judge(task, setup, items, store, tell, width)
    finally:
        store.close()
    rows = tuple(row_of(item, store.kept.get(item.id) or failed[item.id]) for item in items)
    return Judged(rows, names, mark, reused, round(time.perf_counter() - started, 2), read)


def _loaded(task: Task, dataset: str, root: Path | None, setup: Setup) -> list[Item]:
    return [replace(item, by_words=setup.encoder is None) for item in load(task, dataset, root)]


def _wanted(held: Sequence[Item], task: Task, setup: Setup, options: Options) -> list[Item]:
    """The items of the halves that are needed, each half limited by itself."""
    halves = {"held-out": (HELD_OUT,), "fit": (FIT,), "all": (HELD_OUT, FIT)}[options.half]
    needed = dict.fromkeys((*halves, FIT) if task.fits else halves)
    return [
        item
        for half in needed
        for item in sample([item for item in held if item.half == half], options.limit, setup.seed, task.stratum)
    ]


async def _judge(
    task: Task, setup: Setup, items: Sequence[Item], store: Store, tell: Tell, width: int
) -> dict[str, Kept]:
    """Judge what is not kept yet, ``width`` items side by side.

    What failed is returned and not kept, so that the next run tries it again.
    """
    waiting = iter([item for item in items if item.id not in store.kept])
    failed: dict[str, Kept] = {}
    done = len(items) - sum(item.id not in store.kept for item in items)

    async def work(judge: Judge) -> None:
        nonlocal done
        for item in waiting:
            kept, has_failed = await _timed(judge, item)
            if has_failed:
                failed[item.id] = kept
            else:
                store.add(item, kept)
            done += 1
            tell(done, len(items), item.dataset)

    if done == len(items):
        return failed
    try:
        async with task.open(setup) as judge, asyncio.TaskGroup() as group:
            for _ in range(width):
                group.create_task(work(judge))
    except ExceptionGroup as errors:  # one is enough to know; what was judged is kept
        raise errors.exceptions[0] from None
    return failed


async def _timed(judge: Judge, item: Item) -> tuple[Kept, bool]:
    """The verdict and its seconds, and whether it is a failure: then the item is unscored, and why is said."""
    started = time.perf_counter()
    try:
        verdict = await judge(item)
    except (ModelUnusable, ConfigurationError):  # true of every item
        raise
    except (CalibrantError, TimeoutError) as error:
        failure = failure_of(error, "judge")
        return Kept(Verdict(unscored=f"{failure.kind}: {failure.message}"), _since(started)), True
    return Kept(verdict, _since(started)), False


def _since(started: float) -> float:
    """As many digits as are kept: a run that reuses a verdict must give the same figures."""
    return round(time.perf_counter() - started, 5)


def _blocks(task: Task, rows: Sequence[Row], seed: int, half: Half) -> tuple[Block, ...]:
    """Figures, plots and costs, one block a half."""
    scored = [row for row in rows if not row.unscored]
    fitting = tuple(row for row in scored if row.half == FIT)
    blocks = []
    for name in (HELD_OUT, FIT):
        mine = tuple(row for row in scored if row.half == name)
        if half not in (name, "all"):
            continue
        held = Sample(mine, fitting if name == HELD_OUT else (), seed)  # nothing is told of on what it was fitted to
        unscored = Counter((row.dataset, row.unscored) for row in rows if row.unscored and row.half == name)
        blocks.append(
            Block(
                half=name,
                counts=dict(Counter(row.dataset for row in mine)),
                unscored=tuple((dataset, reason, count) for (dataset, reason), count in sorted(unscored.items())),
                figures=tuple(task.figures(held)) if mine else (),
                plots=tuple(task.plots(held)) if mine else (),
                costs=tuple(costs(held)),
            )
        )
    return tuple(blocks)
