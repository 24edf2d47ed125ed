"""The families of benchmarks, and how one is measured: in a process and a folder of its own."""

import multiprocessing
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from pathlib import Path

from calibrant.evals.bench.table import Row, tell

FAMILIES = ("startup", "fanout", "cache", "search", "overhead", "threads", "storage", "judges", "synthesis")
"""Each is a module with ``measure(folder, full) -> Iterator[Row]``."""

FAILED = "could not be measured"


def measure(families: Sequence[str], *, full: bool) -> Iterator[Row]:
    """The rows of ``families``. Each has a process of its own: no cache and no heap of one flatters the next.

    One that fails costs its own rows: a row says so instead, and stderr has the traceback.
    """
    for place, family in enumerate(families, 1):
        tell(f"[{place}/{len(families)}] {family}")
        with ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as process:
            try:
                yield from process.submit(run_family, family, full).result()
            except Exception as error:  # noqa: BLE001 - what is measured is the whole product: anything may be raised
                tell("".join(traceback.format_exception(error)))
                yield Row(family, FAILED, type(error).__name__, "", "")


def run_family(family: str, full: bool) -> list[Row]:
    """The rows of one family, measured in a folder that is gone afterwards."""
    module = import_module(f"calibrant.evals.bench.{family}")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        return list(module.measure(Path(folder), full))
