"""What came nearest where nothing answers: the sentences that most likely do, and those with most of the words asked.

They are shown beside an abstention, so that a reader sees what was there. They support nothing: each may be the answer,
but none is sure enough to be told as it.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, zip_longest

from calibrant.judges.free.answering.quotation import is_quotable, with_what_it_announces
from calibrant.judges.free.answering.telling import cleaned
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.matching import keys
from calibrant.judges.free.evidence.query import Query, coverage, prepare
from calibrant.judges.free.words.text import RateSentences, Sentence, sentences_of
from calibrant.state.evidence import Evidence, Quotation

NEAR = 0.5
"""The least share of the question's words, by their weight, that a sentence has with what stands above it."""
NEAR_IN_MEANING = 0.05
"""The least score of a sentence that was compared by meaning."""
MOST = 3

Nearness = tuple[float, float]
"""The share of the question's words with what stands above, and in the sentence alone."""


def closest(questions: Sequence[str], evidence: Sequence[Evidence], rate: RateSentences) -> tuple[Quotation, ...]:
    """At most three quotations, each of another passage: by turns the likeliest and the one with most of the words.
    None where nothing came near. ``rate`` compares by meaning, and gives none where it cannot.

    With all-MiniLM-L6-v2, of 157 questions over the folders of ``tests/documents`` that have an answer and end without
    one (the passages of 156 hold it), 74 are shown a sentence with the answer, 60 of them first; by words alone 23 and
    16. Of 26 about something else one is shown any (none).
    """
    turns = zip_longest(_by_meaning(questions, evidence, rate), _by_words(questions, evidence))
    by_passage: dict[str, Quotation] = {}
    for said in filter(None, chain.from_iterable(turns)):
        by_passage.setdefault(said.evidence_id, said)
    by_quote: dict[str, Quotation] = {}
    for said in by_passage.values():
        by_quote.setdefault(said.quote, said)
    return tuple(by_quote.values())[:MOST]


def _by_meaning(questions: Sequence[str], evidence: Sequence[Evidence], rate: RateSentences) -> list[Quotation]:
    """The sentences that most likely answer, the likeliest first."""
    scored = (one for question in questions for one in rate(question, evidence) if one[0] >= NEAR_IN_MEANING)
    best = sorted(scored, key=lambda one: one[0], reverse=True)
    return [_quotation(item, said) for _, item, said in best]


def _by_words(questions: Sequence[str], evidence: Sequence[Evidence]) -> list[Quotation]:
    """The sentence of each passage that has most of a question's words, if it has enough of them."""
    asked = [prepare(question) for question in questions]
    found = [(nearness, item, said) for item in evidence for nearness, said in _nearest(asked, item)]
    best = sorted(found, key=lambda one: (one[0], one[1].relevance), reverse=True)
    return [_quotation(item, said) for _, item, said in best]


def _quotation(item: Evidence, said: Sentence) -> Quotation:
    """A sentence with what it announces: "Run this command:" shows nobody how to do a thing."""
    found = sentences_of(item)
    shown = with_what_it_announces(found, found.index(said)) if said in found else (said,)
    return Quotation.of(item, cleaned(" ".join(one.text for one in shown)), said.start)


def _nearest(asked: Sequence[Query], item: Evidence) -> Iterator[tuple[Nearness, Sentence]]:
    readable = [one for one in sentences_of(item) if is_quotable(one, item.text)]
    scored = [(_nearness(query, item, said), said) for query in asked for said in readable]
    nearness, said = max(scored, key=lambda pair: pair[0], default=((0.0, 0.0), None))
    if said is not None and nearness[0] >= NEAR:
        yield nearness, said


def _nearness(query: Query, item: Evidence, said: Sentence) -> Nearness:
    own = keys(said.text, query.language)
    return coverage(query, own | keys(line_above(item), query.language)), coverage(query, own)
