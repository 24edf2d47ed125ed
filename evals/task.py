"""What an eval is made of: items, a judge that works on one of them, and the figures and plots over all.

A task is one module in ``tasks/`` with a ``TASK``; ``registry.py`` lists it. ``runner.py`` does the rest.
"""

import hashlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from calibrant.evals.halves import FIT, READ, half_of
from calibrant.evals.setup import Setup

SMALL = "small"
"""The name of the set that ships with the package."""


@dataclass(frozen=True)
class Item:
    """One thing to judge. ``given`` is what the judge sees, ``truth`` what is compared with its verdict.

    ``key`` names the record that the item comes from: it decides the half (as the fitting tools split), and
    bootstrapping draws whole records.
    """

    dataset: str
    key: str
    given: Any
    truth: Any
    category: str = ""
    by_words: bool = False
    """Judged without embeddings: what the reader was fitted on is as good as any other record then."""
    over: str = ""
    """Digest of the documents that it is asked of, where they may change: those of a user."""
    own_library: str = ""
    """The knowledge base that it is asked of, where its set has several."""

    @property
    def id(self) -> str:
        """Changes with the content: a result that was kept for other content is never taken for this item's."""
        return hashlib.sha256(f"{self.dataset}\n{self.key}\n{self.given!r}{self.over}".encode()).hexdigest()[:16]

    @property
    def library(self) -> str:
        """The name of the knowledge base that it is asked of."""
        return self.own_library or self.dataset

    @property
    def half(self) -> str:
        """``fit`` is what models, rules and thresholds were chosen on; figures are told of ``held-out``."""
        half = half_of(self.dataset, self.key)
        return FIT if half == READ and self.by_words else half


@dataclass(frozen=True)
class Verdict:
    """What a judge says about an item: named values (JSON's own kinds), or why it cannot say anything.

    ``calls``, ``tokens``, ``dollars`` and ``depth`` are taken as costs.
    """

    values: Mapping[str, Any] = field(default_factory=dict)
    unscored: str = ""


@dataclass(frozen=True)
class Row:
    """An item's verdict beside its truth: what figures are computed from."""

    id: str
    dataset: str
    key: str
    half: str
    truth: Any
    category: str
    values: Mapping[str, Any]
    unscored: str = ""
    seconds: float = 0.0


@dataclass(frozen=True)
class Sample:
    """The scored rows of one half. ``fitting`` are those of the fit half, where they were judged too."""

    rows: tuple[Row, ...]
    fitting: tuple[Row, ...] = ()
    seed: int = 0

    @property
    def datasets(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(row.dataset for row in self.rows))

    def of(self, dataset: str) -> "Sample":
        """The same, of one dataset."""
        rows, fitting = (tuple(row for row in held if row.dataset == dataset) for held in (self.rows, self.fitting))
        return Sample(rows, fitting, self.seed)

    def by_dataset(self) -> Iterator[tuple[str, "Sample"]]:
        return ((dataset, self.of(dataset)) for dataset in self.datasets)

    def by_category(self) -> "Iterator[tuple[str, Sample]]":
        """A sample a category, those without a name left out."""
        names = sorted({row.category for row in self.rows} - {""})
        return ((name, self.where(lambda row, name=name: row.category == name)) for name in names)  # type: ignore[misc]

    def where(self, keep: Callable[[Row], bool]) -> "Sample":
        """The same, of the rows that ``keep`` takes."""
        return Sample(tuple(filter(keep, self.rows)), tuple(filter(keep, self.fitting)), self.seed)


@dataclass(frozen=True)
class Figure:
    """One number of the report. ``low`` and ``high`` bound its 95% bootstrap interval; None: it cannot be told.

    ``detail`` keeps it out of the terminal's table. ``aim`` says which way is better.
    """

    dataset: str
    name: str
    value: float | None
    count: int
    low: float | None = None
    high: float | None = None
    aim: Literal["up", "down", ""] = "up"
    detail: bool = False


@dataclass(frozen=True)
class Series:
    """One line, set of bars or cloud of points of a plot."""

    name: str
    x: tuple[float, ...]
    y: tuple[float, ...]


@dataclass(frozen=True)
class Plot:
    """A picture as data. ``diagonal`` draws y = x, where a reliability curve should lie."""

    title: str
    x: str
    y: str
    series: tuple[Series, ...]
    kind: Literal["line", "bars", "points"] = "line"
    diagonal: bool = False


Judge = Callable[[Item], Awaitable[Verdict]]
Loader = Callable[[Path], Iterable[Item]]


def nothing(_: Sample) -> Sequence[Plot]:
    """No plots."""
    return ()


def one_for_all(item: Item) -> str:
    """No strata."""
    return ""


@dataclass(frozen=True)
class Task:
    """One eval. ``loaders`` read the datasets below a folder, ``small`` one record of ``small/<name>.json``.

    ``open`` gives the judge for as long as the run lasts; ``concurrency`` items are judged side by side where no
    model is asked. ``rooms`` are the packages whose code a verdict depends on: where it changes, items are judged anew.
    ``fits``: the figures need the fit half as well, so it is always judged. ``stratum``: a sample has as much of each
    as there is.
    """

    name: str
    about: str
    loaders: Mapping[str, Loader]
    small: Callable[[Mapping[str, Any]], Item]
    open: Callable[[Setup], AbstractAsyncContextManager[Judge]]
    figures: Callable[[Sample], Iterable[Figure]]
    plots: Callable[[Sample], Iterable[Plot]] = nothing
    rooms: tuple[str, ...] = ("state", "judges")
    concurrency: int = 1
    fits: bool = False
    stratum: Callable[[Item], str] = one_for_all


def each(judge: Callable[[Setup, Item], Awaitable[Verdict]]) -> Callable[[Setup], AbstractAsyncContextManager[Judge]]:
    """``Task.open`` for a judge that needs nothing but the setup."""

    @asynccontextmanager
    async def opened(setup: Setup) -> AsyncIterator[Judge]:
        async def one(item: Item) -> Verdict:
            return await judge(setup, item)

        yield one

    return opened
