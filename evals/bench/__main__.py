"""``make bench``: measure, and print one table. ``make bench ARGS="fanout search"`` measures only those families."""

import argparse
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from os import cpu_count
from pathlib import Path

from calibrant.evals.bench.families import FAILED, FAMILIES, measure
from calibrant.evals.bench.table import Row, as_markdown, as_text


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure the families that ``arguments`` name (none: all) and print the table; progress goes to stderr.

    Gives the exit code: 1 where a family could not be measured.
    """
    parser = _parser()
    options = parser.parse_args(arguments)
    unknown = [family for family in options.families if family not in FAMILIES]
    if unknown:
        parser.error(f"there is no benchmark {unknown[0]!r}: use {', '.join(FAMILIES)}")
    if options.write and not options.write.absolute().parent.is_dir():  # known before minutes are spent
        parser.error(f"--write {options.write}: its folder does not exist")
    rows = list(measure(options.families or FAMILIES, full=options.full))
    sys.stdout.write(f"{conditions()}\n\n{as_text(rows)}\n")
    if options.write:
        options.write.write_text(document(rows), encoding="utf-8")
    return 1 if any(row.figure == FAILED for row in rows) else 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m calibrant.evals.bench", description="What things cost.")
    parser.add_argument("families", nargs="*", metavar="family", help=f"{', '.join(FAMILIES)}; none: all")
    parser.add_argument("--full", action="store_true", help="also what takes many minutes: 100,000 vectors")
    parser.add_argument("--write", type=Path, metavar="PATH", help="write the table as Markdown too")
    return parser


def conditions() -> str:
    """On what the figures were measured: without this they say nothing."""
    where = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}, {cpu_count()} cores"
    return f"{where}, langgraph {version('langgraph')}, chromadb {version('chromadb')}"


def document(rows: Sequence[Row]) -> str:
    """The table as a page of the documentation."""
    made = 'Made by `make bench ARGS="--write PATH"`: one run on one machine. Compare the ratios, not the times.'
    return f"# Benchmarks\n\n{made}\n\n{conditions()}.\n\n{as_markdown(rows)}\n"


if __name__ == "__main__":
    sys.exit(main())
