"""``ambiguity``: does the vagueness of a request tell which ones people found ambiguous?

``qulac``'s topics are keywords that need a clarification, its facets the same needs in full; in ``abg_coqa`` and
``mtrag`` people judged a question in its conversation (without the text it is about: the product would not have it
either); the unanswerable questions of ``selfaware`` are not vague but open, so little is to be hoped for there.
"""

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calibrant.evals import metrics
from calibrant.evals.data import lines_of
from calibrant.evals.figures import column, figure, reliability, truths
from calibrant.evals.setup import Setup, cost_of
from calibrant.evals.task import Figure, Item, Plot, Sample, Task, Verdict, each
from calibrant.judges.free.request.vague import VAGUE
from calibrant.judges.given import ToUnderstand, Turn


def qulac(root: Path) -> Iterator[Item]:
    """Web topics as keywords (vague), and their facets as people described them (clear)."""
    data = json.loads((root / "qulac" / "qulac.json").read_text(encoding="utf-8"))
    facets = {(data["topic"][place], data["facet_desc"][place]) for place in data["topic"]}
    for topic in sorted({topic for topic, _ in facets}):
        yield Item("qulac", topic, ToUnderstand(topic), True, "topic")
    for topic, facet in sorted(facets):
        yield Item("qulac", topic, ToUnderstand(facet.replace("\\'", "'").replace('\\"', '"')), False, "facet")


def abg_coqa(root: Path) -> Iterator[Item]:
    """Questions about a story, with the turns before; people marked those that could mean two things."""
    for row in json.loads((root / "abg_coqa" / "coqa_abg_val.json").read_text(encoding="utf-8"))["data"]:
        history = tuple(Turn(turn["question"], turn["answer"]) for turn in row["history_turns"])
        given = ToUnderstand(row["target_turn"]["question"], history)
        yield Item("abg_coqa", row["id"].split("|")[0], given, row["ambiguity"] == "ambiguous", row["source"])


def mtrag(root: Path) -> Iterator[Item]:
    """The last question of a conversation: underspecified, or answerable as it stands."""
    for row in lines_of(root / "mtrag" / "reference.jsonl"):
        kind = row["answerability"][0]
        if kind in ("UNDERSPECIFIED", "ANSWERABLE"):
            turns = [turn["text"] for turn in row["input"]]
            history = tuple(Turn(asked, told) for asked, told in zip(turns[:-1:2], turns[1:-1:2], strict=False))
            yield Item("mtrag", row["conversation_id"], ToUnderstand(turns[-1], history), kind == "UNDERSPECIFIED")


def selfaware(root: Path) -> Iterator[Item]:
    """Questions that nobody can answer, and ones that have an answer."""
    for row in json.loads((root / "selfaware" / "SelfAware.json").read_text(encoding="utf-8"))["example"]:
        yield Item("selfaware", row["question"], ToUnderstand(row["question"]), not row["answerable"], row["source"])


def small(record: Mapping[str, Any]) -> Item:
    """``request``, whether it is ``vague``, and the ``history`` as question and answer pairs."""
    history = tuple(Turn(*pair) for pair in record.get("history", ()))
    return Item("small", record["request"], ToUnderstand(record["request"], history), record["vague"])


async def judge(setup: Setup, item: Item) -> Verdict:
    """How vague the request is."""
    judged = await setup.ask(setup.panel.understand, item.given)
    return Verdict({"vagueness": judged.value.vagueness, "doubt": round(judged.doubt, 4), **cost_of(judged)})


def figures(sample: Sample) -> Iterator[Figure]:
    """AUROC of the vagueness, of the doubt, and what asking from ``VAGUE`` on means."""
    for dataset, part in sample.by_dataset():
        true, score = truths(part.rows), column(part.rows, "vagueness")
        said = [value >= VAGUE for value in score]
        yield figure(part, dataset, "AUROC", metrics.auroc, true, score)
        yield figure(part, dataset, f"precision from {VAGUE}", metrics.precision, true, said)
        yield figure(part, dataset, f"recall from {VAGUE}", metrics.recall, true, said)
        yield figure(part, dataset, "AUROC of the doubt", metrics.auroc, true, column(part.rows, "doubt"), detail=True)


def plots(sample: Sample) -> list[Plot]:
    """Vagueness against the share that people found ambiguous."""
    return [reliability(sample, "vagueness", title="Vagueness and ambiguity")]


TASK = Task(
    name="ambiguity",
    about="Which requests are too vague to work on",
    loaders={"qulac": qulac, "abg_coqa": abg_coqa, "mtrag": mtrag, "selfaware": selfaware},
    small=small,
    open=each(judge),
    figures=figures,
    plots=plots,
)
