"""What the sufficiency models are fitted on: labelled items with the features of their passages, and their scores."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from calibrant.evals.fitting.data import Item
from calibrant.judges.fitted import Logistic
from calibrant.judges.free.evidence.features import Encoders, Rows, compared_rows, lexical_rows
from calibrant.judges.free.evidence.query import Query, prepare
from calibrant.judges.free.evidence.relevance import ScoredPassage, ScoredSentence, promising
from calibrant.state.evidence import Evidence

Scored = tuple[str, bool, float]
"""The set of an item, whether it can be answered, and the log odds that a model gives it."""


@dataclass(frozen=True)
class Case:
    """An item with the features of the passages that are compared, and which of the sentences answer."""

    item: Item
    rows: tuple[Rows, ...]

    @property
    def labels(self) -> list[bool] | None:
        """One per sentence of the only passage, where it is known which answer."""
        if self.item.spans is None or len(self.rows) != 1:
            return None
        return [
            any(one.start < end and start < one.end for start, end in self.item.spans) for one in self.rows[0].found
        ]


def case_of(item: Item) -> Case:
    """``item`` with what words alone tell of its passages."""
    return Case(item, tuple(lexical_rows(prepare(item.question), one) for one in item.evidence))


def compared_case(case: Case, lexical: Logistic, encoders: Encoders) -> Case:
    """``case`` with what the encoders say of the passages that the product would compare."""
    query = prepare(case.item.question)
    return Case(case.item, all_compared(query, case.item.evidence, case.rows, lexical, encoders))


def all_compared(
    query: Query, evidence: Sequence[Evidence], rows: Sequence[Rows], lexical: Logistic, encoders: Encoders
) -> tuple[Rows, ...]:
    """The features of the passages that the product would compare: the most promising ones by the ``lexical`` model."""
    scored = [
        ScoredPassage(
            item,
            float(lexical.logits(own.passage[None, :])[0]),
            0.0,
            tuple(ScoredSentence(found, 0.0, 0.0) for found in own.found),
        )
        for item, own in zip(evidence, rows, strict=True)
    ]
    chosen = [place for place in promising(scored) if rows[place].found]
    return tuple(compared_rows(query, evidence[place], rows[place], encoders) for place in chosen)


def passage_scores(model: Logistic, cases: Sequence[Case]) -> list[Scored]:
    """Set, truth and log odds of each item: those of its best passage."""
    return [
        (
            case.item.source,
            case.item.answerable,
            float(model.logits(np.array([row.passage for row in case.rows])).max()),
        )
        for case in cases
    ]


def sentence_scores(model: Logistic, cases: Sequence[Case]) -> list[Scored]:
    """Set, truth and log odds of each item: those of its best sentence. In nomiracl's passages nobody marked one."""
    return [
        (
            case.item.source,
            case.item.answerable,
            max(float(model.logits(rows.sentences).max()) for rows in case.rows if rows.found),
        )
        for case in cases
        if case.item.source != "nomiracl" and any(rows.found for rows in case.rows)
    ]
