"""``make bench``: what things cost, in one run on one machine, as a table. Ratios, not promises: nothing is asserted.

Without embeddings and without a model, so that it runs everywhere: the corpus is the standard library.
"""

import asyncio
import statistics
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from langchain_core.runnables import RunnableConfig

from calibrant.graph.app import open_app
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir
from calibrant.state.evidence import SearchQuery

LEFT_OUT = ("**/site-packages/**", "**/test/**", "**/tests/**", "**/idlelib/**", "**/lib2to3/**", "**/turtledemo/**")
QUESTIONS = (
    "How do I make json.dumps sort the keys of a dictionary?",
    "What does shlex.quote return?",
    "What does contextlib.suppress do with the specified exceptions?",
    "What is the monthly price of json.dumps?",
)
REPEATS = 5


@dataclass(frozen=True)
class Row:
    """One line of the table: what was measured, the figure, and what it is compared with."""

    what: str
    figure: str
    against: str

    @property
    def cells(self) -> tuple[str, str, str]:
        return self.what, self.figure, self.against


def main() -> None:
    """Measure everything and write the table; what is being measured goes to stderr."""
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measure(Path(folder), lambda text: _say(sys.stderr, f"measuring: {text}")))
    widths = [max(len(cell) for cell in column) for column in zip(*(row.cells for row in rows), strict=True)]
    _say(sys.stdout, "Calibrant benchmarks: one run, this machine")
    for row in rows:
        line = "  ".join(cell.ljust(width) for cell, width in zip(row.cells, widths, strict=True))
        _say(sys.stdout, line.rstrip())


def _say(to: TextIO, line: str) -> None:
    to.write(f"{line}\n")
    to.flush()


def measure(folder: Path, tell: Callable[[str], None]) -> Iterator[Row]:
    """Every row, one after the other; ``tell`` shows what is being measured."""
    tell("start-up")
    yield from start_up()
    tell("ingesting the standard library")
    yield from ingestion(folder)
    tell("searching")
    yield from searching(folder)
    tell("asking")
    yield from asyncio.run(asking(folder))


def start_up() -> Iterator[Row]:
    """Import and ``--help``, over the start of Python itself."""
    bare = _seconds_of([sys.executable, "-c", "pass"])
    imported = _seconds_of([sys.executable, "-c", "import calibrant.graph"])
    helped = _seconds_of([sys.executable, "-m", "calibrant.interfaces.cli", "--help"])
    yield Row("import calibrant.graph", f"{imported * 1e3:.0f} ms", f"{imported / bare:.1f} x starting Python")
    yield Row("calibrant --help", f"{helped * 1e3:.0f} ms", f"{helped / bare:.1f} x starting Python")


def _seconds_of(command: list[str]) -> float:
    """The median of a few runs."""
    return statistics.median(_timed(lambda: subprocess.run(command, capture_output=True, check=True)) for _ in range(5))  # noqa: S603


def _timed(work: Callable[[], object]) -> float:
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def ingestion(folder: Path) -> Iterator[Row]:
    """Text only, then the same again with nothing changed."""
    base = KnowledgeBase.open(knowledge_dir(folder, "stdlib"), "stdlib", create=True)
    library = [Path(sysconfig.get_paths()["stdlib"])]
    first = _timed(lambda: base.ingest(library, include=("*.py",), exclude=LEFT_OUT))
    again = _timed(lambda: base.ingest(library, include=("*.py",), exclude=LEFT_OUT))
    stats = base.stats()
    base.close()
    rate = f"{stats.chunks / first:,.0f} passages/s, {stats.bytes / stats.chunks:.0f} bytes on disk a passage"
    yield Row(f"ingest {stats.documents} files", f"{first:.1f} s", rate)
    yield Row("ingest them again, unchanged", f"{again:.2f} s", f"{again / first:.1%} of the first time")


def searching(folder: Path) -> Iterator[Row]:
    """Full-text search over the standard library."""
    base = KnowledgeBase.open(knowledge_dir(folder, "stdlib"), "stdlib")
    times = [
        _timed(lambda text=question: base.search(SearchQuery(text=text, limit=10)))  # type: ignore[misc]
        for question in QUESTIONS * REPEATS
    ]
    chunks = base.stats().chunks
    base.close()
    yield Row("one search", f"{_ms(times)}", f"over {chunks:,} passages")


async def asking(folder: Path) -> list[Row]:
    """Whole runs, threads and memory in SQLite, over the time of their searches alone."""
    machine = Machine(data_dir=folder, embeddings="none", allow_download=False)
    settings = Settings(interactive=False, switches={"memory": False})
    async with open_app(settings=settings, machine=machine, secrets=Secrets()) as app:
        times, searches = [], []
        for number, question in enumerate(QUESTIONS * REPEATS):
            config = RunnableConfig(configurable={"thread_id": str(number)})
            started = time.perf_counter()
            result = await app.graph.ainvoke({"task": question}, config, context=app.context)
            times.append(time.perf_counter() - started)
            searches.append(result["spend"].searches)
    size = await asyncio.to_thread(_size_of, folder)
    mean = sum(searches) / len(searches)
    return [
        Row("one question, whole graph", _ms(times), f"no model, {mean:.1f} searches on average"),
        Row("checkpoints of one run", f"{size / len(times) / 1e3:.0f} kB", "SQLite, every superstep kept"),
    ]


def _size_of(folder: Path) -> int:
    return sum(file.stat().st_size for file in folder.glob("checkpoints.db*"))


def _ms(times: list[float]) -> str:
    ordered = sorted(times)
    return f"p50 {statistics.median(ordered) * 1e3:.0f} ms, p95 {ordered[int(len(ordered) * 0.95)] * 1e3:.0f} ms"


if __name__ == "__main__":
    main()
