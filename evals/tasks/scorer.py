"""``scorer``: do our scores of an answer rank as people's ratings do? Spearman and Kendall.

The answers are other systems': each of their sentences is given the passage sentence that shares most words with
it as its quotation. In ``mtrag`` the unanswerable questions have no passages and are not scored (trivial);
in ``ragchecker`` people compared two answers, and the difference of the two scores stands against theirs.
``score`` is weighted as the settings say (by default, as specified), ``fitted`` by the profile of that name.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from calibrant.evals import metrics
from calibrant.evals.figures import column, figure, plain_figure
from calibrant.evals.setup import Setup, cost_of
from calibrant.evals.task import Figure, Item, Plot, Row, Sample, Series, Task, Verdict, each
from calibrant.judges.free.words.text import content_words, sentences
from calibrant.judges.given import ToScore
from calibrant.state.confidence import Confidence, Factor, ResultWeights, weighted_mean
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement, StepStatus, SubResult
from calibrant.state.task import Task as Request

FACTORS = ("completeness", "consistency", "specificity", "grounding", "hedging")
FITTED = ResultWeights.model_validate("fitted")
MEANT = (
    ("score", "overall"), ("fitted", "overall"), ("grounding", "faithfulness"), ("grounding", "consistency"),
    ("grounding", "groundedness"), ("completeness", "completeness"), ("score", "correctness"),
    ("score", "appropriateness"),
)  # fmt: skip
"""Our value and the rating that it is meant to follow, where a set has that rating."""
NO_PASSAGES = "no passages to ground it on"

Answer = tuple[str, str, tuple[str, ...]]
"""A question, an answer and the passages that it should be based on."""


def mtrag(root: Path) -> Iterator[Item]:
    """Answers of two models and of people to the last turn of a conversation, each rated by three people."""
    data = json.loads((root / "mtrag" / "reference_subset_with_human_evaluations.json").read_text(encoding="utf-8"))
    texts = {document["document_id"]: document["text"] for document in data["documents"]}
    tasks = {task["task_id"]: task for task in data["tasks"]}
    for one in data["evaluations"]:
        task = tasks[one["task_id"]]
        contexts = tuple(texts[held["document_id"]] for held in task["contexts"])
        answer: Answer = (task["input"][-1]["text"], one["model_response"], contexts)
        rated = {name: _mean_rating(one["annotations"][name])
                 for name in ("faithfulness", "completeness", "appropriateness", "naturalness")}  # fmt: skip
        rated["overall"] = fmean(rated.values())
        yield Item("mtrag", task["task_id"].split("<")[0], (answer,), rated, task["Answerability"][0].lower())


def _mean_rating(rated: Mapping[str, Mapping[str, Any]]) -> float:
    return fmean(float(one["value"]) for one in rated.values())


def ragchecker(root: Path) -> Iterator[Item]:
    """Pairs of answers over a reference answer; a positive label prefers the second. Two people labelled each."""
    rows = json.loads((root / "ragchecker_human" / "human_labeled_data.json").read_text(encoding="utf-8"))
    pairs: dict[str, list[dict[str, Any]]] = {}
    for row in rows:
        pairs.setdefault(json.dumps([row["query"], row["model1"]["response"], row["model2"]["response"]]), []).append(
            row
        )
    for labelled in pairs.values():
        row = labelled[0]
        answers: tuple[Answer, ...] = tuple(
            (row["query"], row[name]["response"], (row["gt_answer"],)) for name in ("model1", "model2")
        )
        rated = {name: fmean(float(one[f"{name}_label"]) for one in labelled)
                 for name in ("correctness", "completeness", "overall")}  # fmt: skip
        yield Item("ragchecker", f"{row['dataset']} {row['query_id']}", answers, rated, row["dataset"])


def usr(root: Path) -> Iterator[Item]:
    """Summaries rated for consistency with their article, and dialogue turns rated over the fact that they use."""
    folder = root / "usr_topicalchat_qags_unieval"
    for name in ("qags_cnndm", "qags_xsum"):
        for row in json.loads((folder / f"{name}.json").read_text(encoding="utf-8")):
            yield Item(name, str(row["doc_id"]), (("", row["system_output"], (row["source"],)),), row["scores"])
    for row in json.loads((folder / "topical_chat.json").read_text(encoding="utf-8")):
        asked = row["source"].strip().splitlines()[-1].strip()
        yield Item("topical_chat", row["source"], ((asked, row["system_output"], (row["context"],)),), row["scores"])


def small(record: Mapping[str, Any]) -> Item:
    """``question``, ``answer``, ``passages`` and the ratings as ``rated``."""
    answer: Answer = (record["question"], record["answer"], tuple(record["passages"]))
    return Item("small", record["question"], (answer,), record["rated"])


async def judge(setup: Setup, item: Item) -> Verdict:
    """Score and factors of the answer; of two, the second's less the first's."""
    if not all(passages for _, _, passages in item.given):
        return Verdict(unscored=NO_PASSAGES)
    judged = [await setup.ask(setup.panel.score, to_score(setup, answer)) for answer in item.given]
    scored = [one.value for one in judged]
    values = _values(scored[0]) if len(scored) == 1 else _difference(scored[0], scored[1])
    return Verdict({**values, "answers": [_factors(one) for one in scored], **cost_of(*judged)})


def to_score(setup: Setup, answer: Answer) -> ToScore:
    """The answer as a step's result: a statement a sentence, each with its quotation."""
    question, text, passages = answer
    evidence = tuple(_passage(f"e{place}", passage) for place, passage in enumerate(passages))
    told = [sentence.text for sentence in sentences(text)] or [text]
    fits = setup.panel.rate_by_words([question], [_passage("s", one) for one in told])
    statements = tuple(_statement(one, fit, evidence) for one, fit in zip(told, fits, strict=True))
    result = SubResult(id="s1", question=question, status=StepStatus.ANSWERED, statements=statements)
    return ToScore(result, Request(text=question), evidence)


def _passage(name: str, text: str) -> Evidence:
    return Evidence(id=name, text=text, title="", source="eval", url=f"eval:{name}")


def _statement(text: str, fit: float, evidence: Sequence[Evidence]) -> Statement:
    wanted = set(content_words(text))
    found = [(item.id, one.text) for item in evidence for one in sentences(item.text)]
    shared = [len(wanted & set(content_words(quote))) for _, quote in found]
    if not any(shared):
        return Statement(text=text, score=fit)
    name, quote = found[shared.index(max(shared))]
    return Statement(text=text, evidence_ids=(name,), quote=quote, score=fit)


def _values(confidence: Confidence) -> dict[str, Any]:
    factors = _factors(confidence)
    return {"score": confidence.score, "fitted": weighted(factors, FITTED), **factors}


def _factors(confidence: Confidence) -> dict[str, float | None]:
    return {name: confidence.factor(name) for name in FACTORS}


def weighted(factors: Mapping[str, float | None], weights: ResultWeights) -> float:
    """What the scorer makes of these factors under other weights."""
    return weighted_mean([Factor(name=name, score=factors[name], weight=getattr(weights, name)) for name in FACTORS])


def _difference(first: Confidence, second: Confidence) -> dict[str, Any]:
    one, other = _values(first), _values(second)
    return {name: None if value is None or other[name] is None else other[name] - value for name, value in one.items()}


def figures(sample: Sample) -> Iterator[Figure]:
    """Each of our values against the rating it is meant to follow; the score against every rating in detail."""
    for dataset, part in sample.by_dataset():
        rated = _rated(part)
        pairs = [pair for pair in MEANT if pair[1] in rated]
        kinds = ("score", "fitted", *FACTORS)
        others = [(ours, theirs) for theirs in rated for ours in kinds if (ours, theirs) not in pairs]
        for ours, theirs in pairs + others:
            held = _having(part, ours, theirs)
            if held.rows:
                yield from _correlations(dataset, held, ours, theirs, (ours, theirs) not in pairs)
        for kind, chosen in part.by_category():
            if dataset == "mtrag":
                yield from _correlations(f"{dataset} {kind}", chosen, "score", "overall", True)


def _rated(part: Sample) -> list[str]:
    """The ratings that there are, in the order of the records."""
    return list(dict.fromkeys(name for row in part.rows for name in row.truth))


def _having(part: Sample, ours: str, theirs: str) -> Sample:
    """The answers that have both a value of ours and the rating."""
    return part.where(lambda row: row.values[ours] is not None and theirs in row.truth)


def _correlations(dataset: str, part: Sample, ours: str, theirs: str, detail: bool) -> Iterator[Figure]:
    mine, rating = column(part.rows, ours), ratings(part.rows, theirs)
    for name, statistic in (("Spearman", metrics.spearman), ("Kendall", metrics.kendall)):
        make = plain_figure if detail else figure
        yield make(part, dataset, f"{ours} and {theirs}, {name}", statistic, mine, rating, detail=detail)


def ratings(rows: Sequence[Row], name: str) -> list[float]:
    """One of people's ratings of each row."""
    return [float(row.truth[name]) for row in rows]


def plots(sample: Sample) -> list[Plot]:
    """Our score against the rating that it is meant to follow, item by item."""
    out = []
    for dataset, part in sample.by_dataset():
        for ours, theirs in [pair for pair in MEANT if pair[1] in _rated(part)][:1]:
            held = _having(part, ours, theirs)
            points = Series(dataset, tuple(column(held.rows, ours)), tuple(ratings(held.rows, theirs)))
            out.append(Plot(f"{dataset}: {ours} and {theirs}", ours, f"people's {theirs}", (points,), kind="points"))
    return out


TASK = Task(
    name="scorer",
    about="Whether our scores of an answer rank as people's ratings do",
    loaders={"mtrag": mtrag, "ragchecker": ragchecker, "usr": usr},
    small=small,
    open=each(judge),
    figures=figures,
    plots=plots,
)
