"""``conflict``: which pairs of texts contradict each other, as the product would report it. Precision and recall.

Pairs that differ only in numbers or dates, in a negation or in an antonym are the obvious ones.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from calibrant.evals import metrics
from calibrant.evals.figures import column, figure, mean, risk_coverage, truths
from calibrant.evals.fitting import conflict as fit_conflict
from calibrant.evals.scifact import CONTRADICT, NOTHING, rationales
from calibrant.evals.setup import Setup, cost_of
from calibrant.evals.task import Figure, Item, Loader, Plot, Sample, Task, Verdict, each
from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, ConflictKind
from calibrant.state.evidence import Evidence

OBVIOUS = ("cardinals", "ordinals", "antonyms", "antonyms_wordnet", "number or date", "negation")

_IDLE = frozenset(re.findall(r"\w+", "a an the is are was were be been do does did has have had it its in on at of to"))
_NEGATION = re.compile(r"not|no|nor|never|none|nobody|nothing|neither|without|cannot|\w+n't")
_COUNTED = re.compile(
    r"[\d.,:%$-]*\d[\d.,:%$-]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|"
    r"thousand|million|billion|first|second|third|january|february|march|april|may|june|july|august|september|"
    r"october|november|december"
)


def of_set(name: str) -> Loader:
    """A set of the fitting tool, split as it splits: by the first text."""

    def load(root: Path) -> Iterator[Item]:
        for pair in fit_conflict.SETS[name](root):
            yield item_of(name, pair.first, pair.first, pair.second, pair.contradicts, pair.category)

    return load


def scifact(root: Path) -> Iterator[Item]:
    """Claims and the sentences of an abstract about them."""
    for one in rationales(root):
        text = " ".join(one.sentences)
        kind = "nothing about it" if one.label == NOTHING else one.label.lower()
        yield item_of("scifact", one.abstract.id, one.claim, text, one.label == CONTRADICT, kind)


def small(record: Mapping[str, Any]) -> Item:
    """``first``, ``second``, whether it ``contradicts``, and the ``category``."""
    first, second = record["first"], record["second"]
    return item_of("small", first, first, second, record["contradicts"], record["category"])


def item_of(dataset: str, key: str, first: str, second: str, contradicts: bool, category: str) -> Item:
    """Two texts; the category is what they differ in, where that is obvious, else the set's own."""
    return Item(dataset, key, (first, second), contradicts, differs_in(first, second) or category)


def differs_in(first: str, second: str) -> str:
    """``number or date`` or ``negation`` where nothing but those tells the two texts apart; else empty."""
    one, other = (set(re.findall(r"[\w'.,:%$-]*\w", text.lower())) - _IDLE for text in (first, second))
    different = one ^ other
    if not different or not one & other:
        return ""
    if all(_COUNTED.fullmatch(word) for word in different):
        return "number or date"
    return "negation" if all(_NEGATION.fullmatch(word) for word in different) else ""


async def judge(setup: Setup, item: Item) -> Verdict:
    """The pair as two claims of two passages. The score is the severity reported, else half the doubt: below 0.5."""
    texts = [Evidence(id=name, text=text, title="", source="eval", url=f"eval:{name}")
             for name, text in zip("ab", item.given, strict=True)]  # fmt: skip
    claims = tuple(
        Claim(id=one.id, text=one.text, spans=tuple(span for span in [span_of(one, one.text)] if span)) for one in texts
    )
    judged = await setup.ask(setup.panel.reconcile, ToReconcile(claims, tuple(texts)))
    worst = max(judged.value, key=lambda conflict: conflict.severity, default=None)
    values = {
        "reported": worst is not None,
        "certain": worst is not None and worst.kind is not ConflictKind.AMBIGUITY,
        "score": round(worst.severity if worst else 0.5 * min(judged.doubt, 0.99), 4),
    }
    return Verdict({**values, **cost_of(judged)})


def figures(sample: Sample) -> Iterator[Figure]:
    """Precision, recall, F1 and AUROC of each set, recall of what is obvious, and of each category."""
    for dataset, part in sample.by_dataset():
        true, said = truths(part.rows), column(part.rows, "reported")
        for name, statistic in (("precision", metrics.precision), ("recall", metrics.recall), ("F1", metrics.f1)):
            yield figure(part, dataset, name, statistic, true, said)
        yield figure(part, dataset, "AUROC", metrics.auroc, true, column(part.rows, "score"))
        yield from _recalls(dataset, part)
        certain = column(part.rows, "certain")
        yield figure(part, dataset, "precision without ambiguities", metrics.precision, true, certain, detail=True)
        yield figure(part, dataset, "recall without ambiguities", metrics.recall, true, certain, detail=True)


def _recalls(dataset: str, part: Sample) -> Iterator[Figure]:
    obvious = part.where(lambda row: row.truth and row.category in OBVIOUS)
    if obvious.rows:
        yield _recall(dataset, "recall of the obvious", obvious)
    for kind, chosen in part.by_category():
        if any(truths(chosen.rows)):
            yield _recall(dataset, f"recall, {kind}", chosen, detail=True)
        else:
            said = column(chosen.rows, "reported")
            yield figure(chosen, dataset, f"reported wrongly, {kind}", mean, said, aim="down", detail=True)


def _recall(dataset: str, name: str, part: Sample, detail: bool = False) -> Figure:
    return figure(part, dataset, name, metrics.recall, truths(part.rows), column(part.rows, "reported"), detail=detail)


def plots(sample: Sample) -> list[Plot]:
    """Errors among the pairs of highest score: those reported first."""
    return [risk_coverage(sample, "score", title="Errors among the most severe")]


TASK = Task(
    name="conflict",
    about="Which texts contradict each other: precision and recall of what is reported",
    loaders={**{name: of_set(name) for name in fit_conflict.SETS}, "scifact": scifact},
    small=small,
    open=each(judge),
    figures=figures,
    plots=plots,
)
