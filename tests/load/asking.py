"""A process that asks the compiled retrieval graph many questions at once, configured as a user would: by environment.

python -m tests.load.asking FIRST COUNT    prints one outcome a line, as JSON
"""

import asyncio
import json
import sys
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from calibrant.graph import build_retrieval_graph
from calibrant.graph.retrieval import Compiled
from tests.load.services import fact


def environment(data_dir: Path, url: str, short: str, long: str, seconds: float) -> Mapping[str, str]:
    """The settings of such a process: every service at ``url``, every rate ``short, long``."""
    services = ("tavily", "github", "stackoverflow", "arxiv", "wikipedia")
    own = ("arxiv", "github", "github-code", "github-content", "wikipedia")
    rates = dict.fromkeys(("default", *own), f"{short}, {long}")
    return {
        "CALIBRANT_DATA_DIR": str(data_dir),
        "CALIBRANT_EMBEDDINGS": "none",
        "CALIBRANT_SOURCES": "web, github, stackoverflow, arxiv, wikipedia",
        "CALIBRANT_BASE_URLS": json.dumps(dict.fromkeys(services, url)),
        "CALIBRANT_RATES": json.dumps(rates),
        "CALIBRANT_DEADLINE_S__DEFAULT": f"{seconds}",
        "CALIBRANT_RETRIEVAL__SECONDS": f"{seconds}",
        "TAVILY_API_KEY": "tvly-loopback",
    }


async def outcome(graph: Compiled, number: int) -> dict[str, Any]:
    """What became of one question: whether the fact was found, and every report that is not a success."""
    name = f"korabi{number}"
    started = time.perf_counter()
    found = await graph.ainvoke({"query": f"What is the rated pressure of the valve {name}?", "power": "2"})
    reports = [{**report, **(report["failure"] or {})} for report in found["sources"]]
    return {
        "question": name,
        "answered": any(fact(name) in document["text"] for document in found["documents"]),
        "sources": {report["source"]: report["state"] for report in reports},
        "told": [f"{report['source']}: {report['message']}" for report in reports if report["failure"]],
        "kinds": sorted({report["kind"] for report in reports if report["failure"]}),
        "seconds": time.perf_counter() - started,
    }


async def main(first: int, count: int) -> None:
    """Ask ``count`` questions at once, from the number ``first`` on."""
    graph = build_retrieval_graph()
    sys.stdin.readline()  # whoever started several of these starts them together
    for told in await asyncio.gather(*(outcome(graph, first + place) for place in range(count))):
        print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
