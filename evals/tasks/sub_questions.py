"""``sub-questions``: is a question that needs several look-ups seen as one, and a plain one left whole?

Sets of several steps (``fanoutqa``, ``hotpot_react``, ``strategyqa``) have no plain question, ``nq_open`` nothing
else: each gives a recall, and together they give the AUROC. ``break_qdmr`` has both, told apart by how many things
its decompositions look up (its parts about pictures, databases and flights are left out).
"""

import csv
import gzip
import json
from ast import literal_eval
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calibrant.evals import metrics
from calibrant.evals.figures import column, figure, histogram, mean, truths
from calibrant.evals.setup import Setup, cost_of
from calibrant.evals.task import Figure, Item, Plot, Sample, Task, Verdict, each
from calibrant.judges.given import ToUnderstand

OPEN_DOMAIN = ("COMQA", "CWQ", "DROP")
"""Parts of BREAK whose questions are put to texts or to the world."""


def fanoutqa(root: Path) -> Iterator[Item]:
    """Questions that ask the same of each member of a group."""
    for row in json.loads((root / "fanoutqa" / "fanout-final-dev.json").read_text(encoding="utf-8")):
        yield _item("fanoutqa", row["id"], row["question"], len(row["decomposition"]))


def hotpot(root: Path) -> Iterator[Item]:
    """Questions over two Wikipedia pages: a bridge from one to the other, or a comparison."""
    for row in json.loads((root / "hotpot_react" / "hotpot_dev_v1_simplified.json").read_text(encoding="utf-8")):
        yield _item("hotpot_react", row["question"], row["question"], 2, row["type"])


def strategyqa(root: Path) -> Iterator[Item]:
    """Yes or no questions with the steps that people took."""
    for row in json.loads((root / "strategyqa" / "dev.json").read_text(encoding="utf-8")):
        yield _item("strategyqa", row["qid"], row["question"], len(row["decomposition"]))


def nq_open(root: Path) -> Iterator[Item]:
    """What people asked a search engine: one passage answers."""
    with gzip.open(root / "nq_open_oracle" / "nq-open-oracle.jsonl.gz", "rt", encoding="utf-8") as file:
        for line in file:
            question = json.loads(line)["question"]
            yield _item("nq_open", question, question, 1)


def break_qdmr(root: Path) -> Iterator[Item]:
    """Questions with their decomposition; each ``select`` of it looks something up."""
    with (root / "break_qdmr" / "dev.csv").open(encoding="utf-8") as file:
        for row in csv.DictReader(file):
            domain = row["question_id"].split("_")[0]
            if domain in OPEN_DOMAIN:
                steps = literal_eval(row["operators"]).count("select")
                yield _item("break_qdmr", row["question_text"], row["question_text"], steps, domain)


def small(record: Mapping[str, Any]) -> Item:
    """``question`` and how many ``steps`` it takes."""
    return _item("small", record["question"], record["question"], record["steps"])


def _item(dataset: str, key: str, question: str, steps: int, category: str = "") -> Item:
    return Item(dataset, key, ToUnderstand(question), steps, category)


async def judge(setup: Setup, item: Item) -> Verdict:
    """The parts of the question; ``seen`` also counts the suspicion of several steps that the doubt shows."""
    judged = await setup.ask(setup.panel.understand, item.given)
    parts = len(judged.value.questions)
    return Verdict({"parts": parts, "score": round(parts + judged.doubt, 4), "split": parts > 1, **cost_of(judged)})


def figures(sample: Sample) -> Iterator[Figure]:
    """How many of the questions of several steps are split, and of the others left whole."""
    for dataset, part in sample.by_dataset():
        several = [steps > 1 for steps in truths(part.rows)]
        split = column(part.rows, "split")
        if any(several):
            yield figure(part, dataset, "split, of those of several steps", metrics.recall, several, split)
        if not all(several):
            plain, whole = ([not one for one in flags] for flags in (several, split))
            yield figure(part, dataset, "left whole, of the others", metrics.recall, plain, whole)
        steps, parts = truths(part.rows), column(part.rows, "parts")
        if len(set(steps)) > 1:
            yield figure(part, dataset, "steps and parts, Spearman", metrics.spearman, steps, parts)
        for kind, chosen in part.by_category():
            right = [row.values["split"] == (row.truth > 1) for row in chosen.rows]
            yield figure(chosen, dataset, f"right, {kind}", mean, right, detail=True)
    if len(sample.datasets) > 1:
        several = [steps > 1 for steps in truths(sample.rows)]
        yield figure(sample, "all", "AUROC of parts and doubt", metrics.auroc, several, column(sample.rows, "score"))


def plots(sample: Sample) -> list[Plot]:
    """How many parts are seen."""
    return [histogram(sample, "parts", "Parts of a question")]


TASK = Task(
    name="sub-questions",
    about="Which questions need several look-ups",
    loaders={
        "fanoutqa": fanoutqa, "hotpot_react": hotpot, "strategyqa": strategyqa, "nq_open": nq_open,
        "break_qdmr": break_qdmr,
    },
    small=small,
    open=each(judge),
    figures=figures,
    plots=plots,
)  # fmt: skip
