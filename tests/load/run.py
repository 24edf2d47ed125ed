"""Many questions at once, against loopback services that count what reaches them.

python -m tests.load.run [--questions 200] [--processes 2] [--rate 50/s] [--long 150/5min] [--seconds 50]
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibrant.retrievers.limits import Rate, parse_rates, shown_rates
from tests.load.asking import environment
from tests.load.services import SERVICES, Services, most_within

ROOT = Path(__file__).resolve().parents[2]


@dataclass(frozen=True)
class Load:
    """How much is asked of whom."""

    questions: int = 200
    processes: int = 1
    rate: str = "50/s"
    long: str = "150/5min"
    """The long window, in the place of the 100 an hour."""
    seconds: float = 50.0
    """For one retrieval, and for one search of a source: long, since this is no test of how fast the machine is."""

    @property
    def rates(self) -> tuple[Rate, ...]:
        return (*parse_rates(self.rate), *parse_rates(self.long))


@dataclass(frozen=True)
class Result:
    """What became of the questions, and when the services were asked, by their own clock."""

    outcomes: Sequence[dict[str, Any]]
    times: dict[str, list[float]]
    seconds: float

    def most(self, rate: Rate) -> dict[str, int]:
        """The most requests that each service saw in any window of ``rate``."""
        return {service: most_within(times, rate.seconds) for service, times in self.times.items()}


def run(load: Load, data_dir: Path) -> Result:
    """Ask everything at once and wait for it. The services run here, whoever asks in processes of its own."""
    with Services() as services:
        settings = environment(data_dir, services.url(""), load.rate, load.long, load.seconds)
        share = load.questions // load.processes
        children = [_child(settings, place * share, share) for place in range(load.processes)]
        started = time.perf_counter()
        outputs = [_output(child) for child in children]
        seconds = time.perf_counter() - started
        times = {name: services.times(name) for name in SERVICES}
    return Result([json.loads(line) for output in outputs for line in output.splitlines()], times, seconds)


def _child(settings: Any, first: int, count: int) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "tests.load.asking", str(first), str(count)]
    pipes: Any = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
    return subprocess.Popen(command, cwd=ROOT, env={**os.environ, **settings}, **pipes)


def _output(child: "subprocess.Popen[str]") -> str:
    output, _ = child.communicate("go\n", timeout=120)
    if child.returncode:
        raise RuntimeError("a process that asks has failed; its own words stand above")
    return output


def table(result: Result, load: Load) -> Iterator[str]:
    """The result as lines of text."""
    times = sorted(outcome["seconds"] for outcome in result.outcomes)
    answered = sum(outcome["answered"] for outcome in result.outcomes)
    told = [outcome for outcome in result.outcomes if not outcome["answered"]]
    yield f"{len(times)} questions in {load.processes} processes: {result.seconds:.1f} s"
    yield f"answered {answered}, not answered but told why {sum(bool(outcome['told']) for outcome in told)}"
    yield f"seconds a question: median {times[len(times) // 2]:.2f}, longest {times[-1]:.2f}"
    yield ""
    yield f"{'service':24}{'requests':>9}" + "".join(f"{f'most in {rate.seconds:g} s':>15}" for rate in load.rates)
    for service, at in result.times.items():
        yield f"{service:24}{len(at):>9}" + "".join(
            f"{f'{most_within(at, rate.seconds)} of {rate.count}':>15}" for rate in load.rates
        )
    yield ""
    yield "state of the sources"
    states = Counter(pair for outcome in result.outcomes for pair in outcome["sources"].items())
    yield from (f"{source:24}{state:10}{count:>5}" for (source, state), count in sorted(states.items()))
    yield ""
    yield f"kinds of failure: {dict(Counter(kind for outcome in result.outcomes for kind in outcome['kinds']))}"
    yield f"limits: {shown_rates(load.rates)}"


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--questions", type=int, default=200)
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--rate", default=Load.rate)
    parser.add_argument("--long", default=Load.long)
    parser.add_argument("--seconds", type=float, default=Load.seconds)
    load = Load(**vars(parser.parse_args()))
    with tempfile.TemporaryDirectory() as folder:
        print("\n".join(table(run(load, Path(folder)), load)))


if __name__ == "__main__":
    main()
