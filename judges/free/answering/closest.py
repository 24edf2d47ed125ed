"""What came nearest where nothing answers: of the passages that speak of what is asked, the sentence that does most.

It is shown beside an abstention, so that a reader sees what was there. It answers nothing and supports nothing.
"""

from collections.abc import Iterator, Sequence

from calibrant.judges.free.answering.extract import cleaned
from calibrant.judges.free.answering.quotation import is_quotable
from calibrant.judges.free.evidence.lexical import Query, coverage, keys, prepare
from calibrant.judges.free.evidence.relevance import title_of
from calibrant.judges.free.words.text import Sentence, sentences_of
from calibrant.state.evidence import Evidence, Quotation

NEAR = 0.5
"""The least share of the question's words, by their weight, that a sentence has with what stands above it."""
MOST = 3

Nearness = tuple[float, float]
"""The share of the question's words with what stands above, and in the sentence alone."""


def closest(questions: Sequence[str], evidence: Sequence[Evidence]) -> tuple[Quotation, ...]:
    """At most three quotations, the nearest first, each of another passage; none where nothing came near."""
    asked = [prepare(question) for question in questions]
    found: dict[str, tuple[Nearness, float, Quotation]] = {}
    for item in evidence:
        for nearness, said in _nearest(asked, item):
            found.setdefault(said.quote, (nearness, item.relevance, said))
    best = sorted(found.values(), key=lambda one: one[:2], reverse=True)
    return tuple(said for _, _, said in best[:MOST])


def _nearest(asked: Sequence[Query], item: Evidence) -> Iterator[tuple[Nearness, Quotation]]:
    """The one sentence of a passage that has most of a question's words, if it has enough of them."""
    scored = [(_nearness(query, item, said), said) for query in asked for said in _said(item)]
    nearness, said = max(scored, key=lambda pair: pair[0], default=((0.0, 0.0), None))
    if said is not None and nearness[0] >= NEAR:
        yield nearness, Quotation.of(item, cleaned(said.text), said.start)


def _nearness(query: Query, item: Evidence, said: Sentence) -> Nearness:
    own = keys(said.text, query.language)
    return coverage(query, own | keys(title_of(item), query.language)), coverage(query, own)


def _said(item: Evidence) -> Iterator[Sentence]:
    """The sentences of a passage that can be read by themselves."""
    return (one for one in sentences_of(item) if is_quotable(one, item.text))
