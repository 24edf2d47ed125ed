"""``query-type``: is a question that looks a fact up called factual, and one whose answer changes time-sensitive?

No public set has the four types. These sets hold questions with one right answer, so each other type is a mistake: it
would search deeper than needed. Whether time matters is known of ``retrievalqa`` alone, by where its questions come
from.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calibrant.evals import metrics
from calibrant.evals.data import lines_of
from calibrant.evals.figures import column, figure, mean, truths
from calibrant.evals.setup import Setup, cost_of
from calibrant.evals.task import Figure, Item, Row, Sample, Task, Verdict, each
from calibrant.judges.given import ToUnderstand
from calibrant.state.task import QueryType

TIMELY = ("freshqa", "realtimeqa")
"""Parts of ``retrievalqa`` whose answers change; those of the others do not."""


def hotpot(root: Path) -> Iterator[Item]:
    """Questions over two Wikipedia pages, each with one short answer."""
    for row in json.loads((root / "hotpot_react" / "hotpot_dev_v1_simplified.json").read_text(encoding="utf-8")):
        yield _item("hotpot_react", row["question"], {"type": "factual"}, row["type"])


def strategyqa(root: Path) -> Iterator[Item]:
    """Yes or no questions that need several facts."""
    for row in json.loads((root / "strategyqa" / "dev.json").read_text(encoding="utf-8")):
        yield _item("strategyqa", row["question"], {"type": "factual"})


def retrievalqa(root: Path) -> Iterator[Item]:
    """Questions that a model cannot answer from memory, of five sources."""
    for row in lines_of(root / "retrievalqa" / "retrievalqa_gpt4.jsonl"):
        source = row["data_source"]
        yield _item("retrievalqa", row["question"], {"type": "factual", "timely": source in TIMELY}, source)


def small(record: Mapping[str, Any]) -> Item:
    """``question``, ``type`` and, where it is known, ``timely``."""
    return _item("small", record["question"], {name: record[name] for name in ("type", "timely") if name in record})


def _item(dataset: str, question: str, truth: dict[str, Any], category: str = "") -> Item:
    return Item(dataset, question, ToUnderstand(question), truth, category)


async def judge(setup: Setup, item: Item) -> Verdict:
    """The type of the question, and whether time matters to it."""
    judged = await setup.ask(setup.panel.understand, item.given)
    task = judged.value
    return Verdict({"type": task.query_type.value, "timely": task.time_sensitive, **cost_of(judged)})


def figures(sample: Sample) -> Iterator[Figure]:
    """Accuracy and the share of each type; of time, precision and recall."""
    for dataset, part in sample.by_dataset():
        said, true = column(part.rows, "type"), [truth["type"] for truth in truths(part.rows)]
        yield figure(part, dataset, "type, accuracy", metrics.accuracy, true, said)
        for kind in QueryType:
            share = [one == kind.value for one in said]
            yield figure(part, dataset, f"called {kind.value}", mean, share, aim="", detail=True)
        yield from _timely(dataset, part.where(_is_dated))


def _timely(dataset: str, part: Sample) -> Iterator[Figure]:
    if part.rows:
        said, true = column(part.rows, "timely"), [truth["timely"] for truth in truths(part.rows)]
        yield figure(part, dataset, "time-sensitive, precision", metrics.precision, true, said)
        yield figure(part, dataset, "time-sensitive, recall", metrics.recall, true, said)


def _is_dated(row: Row) -> bool:
    return "timely" in row.truth


TASK = Task(
    name="query-type",
    about="What kind of answer a question needs, and whether time matters to it",
    loaders={"hotpot_react": hotpot, "strategyqa": strategyqa, "retrievalqa": retrievalqa},
    small=small,
    open=each(judge),
    figures=figures,
)
