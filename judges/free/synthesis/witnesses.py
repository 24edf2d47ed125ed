"""Witnesses: sentences of other documents that speak against a claim.

An answer quotes the sentence that fits best, so its claims alone show no disagreement: the other side stands in a
passage that nobody quoted. Here it is looked up. Whether it is a conflict, and of what kind, ``conflicts`` decides.
"""

from collections.abc import Callable, Iterator, Sequence, Set
from dataclasses import dataclass

from calibrant.judges.free.answering.quotation import is_quotable
from calibrant.judges.free.answering.telling import cleaned
from calibrant.judges.free.comparing.decided import is_decided, turns
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.comparing.rivals import LIKELY, compare_answers, tells_measure
from calibrant.judges.free.comparing.same_case import Answer, answer_of
from calibrant.judges.free.evidence.cited import named_by
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.synthesis.pairing import flat
from calibrant.judges.free.synthesis.sides import aligned, untitled
from calibrant.judges.free.words.text import RateSentences, Sentence, sentences_of
from calibrant.judges.free.words.units import MONEY
from calibrant.state.answer import Claim, Span
from calibrant.state.evidence import Evidence
from calibrant.state.task import Question

Rate = Callable[[Sequence[str], Sequence[Evidence]], list[float]]
"""How well each text answers one of the questions, 0..1 (``Panel.rate_by_words``)."""

Pool = Sequence[tuple[Evidence, Sentence]]

_ALIKE = 0.5
"""Share of the shorter sentence's words that the other must have: the same as for two claims (``conflicts``)."""
_AS_GOOD = 0.5
"""A sentence must answer the question at least half as well as the claim does: else it speaks of something else."""
_PER_CLAIM = 3
"""Witnesses against one claim at most."""


@dataclass(frozen=True)
class _Found:
    item: Evidence
    sentence: Sentence
    severity: float
    ratio: float | None = None
    """How well it answers, as a share of how well the claim does; None where that is still to be found."""


def witnesses(
    claims: Sequence[Claim],
    questions: Sequence[Question],
    evidence: Sequence[Evidence],
    rate: Rate,
    answers: RateSentences,
    limit: int = 12,
    by_model: Set[str] = frozenset(),
) -> tuple[Claim, ...]:
    """The sentences that oppose ``claims``, as claims of their own (w1, w2, ...), the gravest of each claim first:
    other answers to the same question, else those that say much the same and yet disagree.

    A witness is as confident as its claim, scaled by how well it answers the same question: both sides are measured
    alike, so that the dates decide where they answer equally well. A claim of which a model says what it disagrees with
    needs none: that model has read the passages. ``by_model``: the ids of the claims that a model has chosen among all
    that it has read; they are not opposed in other words.
    """
    asked = {question.id: question.text for question in questions}
    said = ((item, sentence) for item in evidence for sentence in sentences_of(item))
    pool = [(item, sentence) for item, sentence in said if is_quotable(sentence, item.text)]
    seen = {flat(claim.text) for claim in claims}
    found: list[Claim] = []
    for claim in (claim for claim in claims if not claim.disputed):
        question = asked.get(claim.question_id, "")
        likely = claim.id not in by_model and claim.addresses >= LIKELY
        rivals = [*_rivals(claim, question, evidence, answers, likely)]
        opposed = rivals or [*_against(claim, question, pool, evidence)]
        for one in sorted(opposed, key=lambda one: -one.severity)[:_PER_CLAIM]:
            text = cleaned(one.sentence.text)
            ratio = one.ratio
            if ratio is None:
                ratio = _ratio(claim, _headed_alike(one, text, claim, evidence), question, rate)
            is_as_good = one.ratio is not None or ratio >= _AS_GOOD
            if flat(text) not in seen and is_as_good and len(found) < limit:
                seen.add(flat(text))
                found.append(_claim(f"w{len(found) + 1}", claim, one, text, ratio))
    return tuple(found)


def _rivals(
    claim: Claim, question: str, evidence: Sequence[Evidence], answers: RateSentences, likely: bool
) -> Iterator[_Found]:
    """Other documents' answers to the claim's question that differ in what it asks for."""
    quoted = named_by(claim.evidence_ids, evidence)
    own, asked = {item.document for item in quoted}, read(question)
    others = [item for item in evidence if item.document not in own and _speaks_of(item, asked)]
    if not (question and quoted and others):
        return
    mine = answer_of(claim.text, quoted[0])
    heard = set[str]()
    for score, item, sentence in (*answers(question, others), *_decisions(question, others)):
        is_likely = likely and item.document not in heard
        heard.add(item.document)
        theirs = Answer(sentence.text, item, sentence.start)
        told = compare_answers(question, mine, theirs, likely=is_likely and score >= LIKELY)
        if told.opposed is not None:
            is_unclear = is_likely and told.opposed.scope == "unclear"
            ratio = min(1.0, score / claim.addresses) if is_unclear else 1.0
            yield _Found(item, sentence, told.opposed.severity, ratio)


def _decisions(question: str, evidence: Sequence[Evidence]) -> Iterator[tuple[float, Evidence, Sentence]]:
    """The sentences that tell what was decided, where a yes or a no is wanted: "cancelled" answers whether it was
    approved, in other words than the question's."""
    for item in evidence if is_polar(question) else ():
        for sentence in sentences_of(item):
            if is_quotable(sentence, item.text) and is_decided(read(sentence.text)):
                yield 0.0, item, sentence


def _against(claim: Claim, question: str, pool: Pool, evidence: Sequence[Evidence]) -> Iterator[_Found]:
    """The sentences of documents that the claim does not quote, and that say much the same and yet disagree with it."""
    quoted = named_by(claim.evidence_ids, evidence)
    own = {item.document for item in quoted}
    if quoted and not tells_measure(question, answer_of(claim.text, quoted[0])):
        return  # it is told beside the answer, and nobody asked for it
    mine, asked = read(claim.text), read(question)
    for item, sentence in pool:
        if item.document in own or not _may_oppose(mine, read(sentence.text)):
            continue
        alignment = aligned(untitled(claim.text, quoted, [item]), sentence.text)
        hit = oppose(alignment)
        if hit is None or hit.qualifies or not (alignment.shares_name or _speaks_of(item, asked)):
            continue
        yield _Found(item, sentence, hit.severity, 1.0 if hit.fit == 1.0 else None)


def _may_oppose(one: Reading, other: Reading) -> bool:
    """Whether two sentences share half of the shorter one's words, one takes something back, or both tell an amount of
    money: the quick look."""
    if not one.stems or not other.stems:
        return False
    if turns(one) is not turns(other) or len(one.stems & other.stems) >= _ALIKE * min(len(one.stems), len(other.stems)):
        return True
    return all(any(amount.unit in MONEY for amount in side.quantities) for side in (one, other))


def _speaks_of(item: Evidence, asked: Reading) -> bool:
    """Whether a passage, or what stands above it, has every name that the question has: another museum has prices of
    its own."""
    return asked.names <= read(f"{item.title}. {item.locator.heading}. {item.text}", asked.language).stems


def _headed_alike(one: _Found, text: str, claim: Claim, evidence: Sequence[Evidence]) -> str:
    """``text`` with as much of its heading in front as the claim is told with of its own."""
    headings = [item.locator.heading.split(" > ") for item in named_by(claim.evidence_ids, evidence)]
    ends = (parts[place:] for parts in headings for place in range(len(parts)))
    told = next((end for end in ends if claim.text.startswith(f"{' > '.join(end)}: ")), [])
    above = " > ".join(one.item.locator.heading.split(" > ")[-len(told) :]) if told else ""
    return f"{above}: {text}" if above else text


def _ratio(claim: Claim, text: str, question: str, rate: Rate) -> float:
    """How well ``text`` answers the claim's question, as a share of how well the claim does; 1 without a question."""
    if not question:
        return 1.0
    mine, theirs = rate((question,), (_bare(claim.text), _bare(text)))
    return min(1.0, theirs / mine) if mine else 1.0


def _bare(text: str) -> Evidence:
    """The sentence by itself: titles would make the difference otherwise."""
    return Evidence(id="", text=text, title="", source="", url="")


def _claim(identity: str, claim: Claim, one: _Found, text: str, ratio: float) -> Claim:
    span = Span(
        evidence_id=one.item.id,
        quote=one.sentence.verbatim(one.item.text),
        start=one.sentence.start,
        end=one.sentence.end,
    )
    return Claim(
        id=identity,
        text=text,
        spans=(span,),
        confidence=claim.confidence * ratio,
        question_id=claim.question_id,
        addresses=claim.addresses * ratio,
    )
