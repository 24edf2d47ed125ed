"""What a benchmark gives: rows with a figure and its limit, and the table of them; with the arithmetic they need."""

import sys
import textwrap
import time
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import astuple, dataclass, fields


@dataclass(frozen=True)
class Row:
    """One line of the table."""

    measured: str
    figure: str
    against: str
    """What the figure is compared with."""
    limited_by: str
    """What it cannot get below (or above)."""
    from_limit: str
    """How far from that limit it is."""


TITLES = tuple(field.name.replace("_", " ") for field in fields(Row))
WIDTHS = (36, 34, 38, 36, 16)
"""Columns of the table on a terminal; what is longer goes on in the next line."""


def as_text(rows: Iterable[Row]) -> str:
    """The table for a terminal."""
    lines = [_lines(TITLES), _lines(tuple("-" * width for width in WIDTHS)), *(_lines(astuple(row)) for row in rows)]
    return "\n".join(lines)


def _lines(cells: Sequence[str]) -> str:
    wrapped = [textwrap.wrap(cell, width) or [""] for cell, width in zip(cells, WIDTHS, strict=True)]
    height = max(map(len, wrapped))
    rows = [[cell[at] if at < len(cell) else "" for cell in wrapped] for at in range(height)]
    return "\n".join(
        "  ".join(part.ljust(width) for part, width in zip(row, WIDTHS, strict=True)).rstrip() for row in rows
    )


def as_markdown(rows: Iterable[Row]) -> str:
    """The table for a document."""
    lines = [TITLES, tuple("---" for _ in TITLES), *(astuple(row) for row in rows)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def timed(work: Callable[[], object]) -> float:
    """Seconds that ``work`` takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


async def awaited(work: Awaitable[object]) -> float:
    """Seconds until ``work`` is done."""
    started = time.perf_counter()
    await work
    return time.perf_counter() - started


def percentile(values: Sequence[float], share: float) -> float:
    """The value below which ``share`` (0..1) of ``values`` lie, by nearest rank."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, round(share * (len(ordered) - 1)))]


def ms(seconds: float) -> str:
    """Seconds as milliseconds, with as many digits as tell something."""
    value = seconds * 1e3
    return f"{value:,.0f} ms" if value >= 20 else f"{value:.1f} ms" if value >= 1 else f"{value:.2f} ms"


def spread(values: Sequence[float]) -> str:
    """The median and the 95th percentile."""
    return f"p50 {ms(percentile(values, 0.5))}, p95 {ms(percentile(values, 0.95))}"


def size(count: float) -> str:
    """Bytes for people."""
    return f"{count / 1e6:,.1f} MB" if count >= 1e6 else f"{count / 1e3:,.1f} kB"


def times(figure: float, limit: float) -> str:
    """``figure`` as a multiple of ``limit``."""
    return f"{figure / limit:.2f} x" if figure / limit < 10 else f"{figure / limit:,.0f} x"


def tell(line: str) -> None:
    """Say on stderr what is being measured."""
    sys.stderr.write(f"{line}\n")
    sys.stderr.flush()
