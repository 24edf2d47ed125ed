"""Answering without a model: the sentences that answer a step's question, quoted from the evidence, or an abstention.

A passage has to answer (its fitted score) and a sentence of it has to be the answer (its own); what may be given at
all, ``admissible`` says.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from calibrant.judges.cascade import Judged
from calibrant.judges.free.answering.admissible import answers_above, answers_kind, is_of_another, tells_more
from calibrant.judges.free.answering.asked import says_measure
from calibrant.judges.free.answering.bounds import within, without_bounds
from calibrant.judges.free.answering.entries import asks_for_less, entries_asked_for
from calibrant.judges.free.answering.extremes import extremes
from calibrant.judges.free.answering.held_tables import Table
from calibrant.judges.free.answering.meaning import tells_meaning
from calibrant.judges.free.answering.quotation import completed, is_quotable, quoted
from calibrant.judges.free.answering.rows import rows_asked_for
from calibrant.judges.free.answering.telling import as_told, text_of
from calibrant.judges.free.comparing.elsewhere import is_elsewhere, limits
from calibrant.judges.free.evidence.above import called, line_above, nearest_above
from calibrant.judges.free.evidence.answer_kind import FORMAL, Expects
from calibrant.judges.free.evidence.holding import holds
from calibrant.judges.free.evidence.lexical import Query, keys, prepare, uncovered
from calibrant.judges.free.evidence.named_things import absent_names, unnamed
from calibrant.judges.free.evidence.procedures import steps_in
from calibrant.judges.free.evidence.quality import meeting
from calibrant.judges.free.evidence.question_form import aspects, is_polar, wants_several, wants_steps
from calibrant.judges.free.evidence.relevance import Relevance, ScoredPassage, ScoredSentence
from calibrant.judges.free.evidence.sufficiency import doubt_of
from calibrant.judges.free.words.text import Sentence, content_stems, language_of, sentences_of
from calibrant.judges.given import ToAnswer
from calibrant.state.base import unique
from calibrant.state.confidence import Factor, confidence_of
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import TokenEncoder
from calibrant.state.task import Statement, StepStatus, SubResult

GIVEN, GIVEN_BY_WORDS = 0.42, 0.5
"""A candidate below this score is no answer; the second is for scores that no encoder has a part in. On the fit half of
``squad2``, whose unanswerable questions look answerable, 0.64 of the answerable ones are answered rightly from 0.42 on,
and 0.45 of the others are answered; from 0.3 on 0.68 and 0.51."""
REACH = 5.0
"""How far the doubt about an answer's score reaches (``doubt_of``): it tells less than a passage's. On the fitting
halves 23 of 32 answers of 0.962 and more were right on ``squad2`` and ``nq_open_oracle`` (none had 0.98); on
``faquad``, with and without gaps, 77 of 85 from 0.999 and 203 of 211 from 0.9999 on."""
FEW, SEVERAL = 2, 3
"""Quotations at most: for a plain question; for a list or a comparison, unless the request names a larger number."""
ROWS = 10
"""And of one table, whose rows all say the same of the question."""
CLOSE = 0.75
"""A further one must score at least this share of the best one."""
ALIKE = 0.7
"""Sentences that share more of their content words say the same."""
_COUNTER = re.compile(r"(?:^|(?<=> ))(?:§ ?\d+|\d+(?:\.\d+)*[.)]|\d+(?:\.\d+)+)\s+(?=[^\W\d_])")
"""The number of a section."""


@dataclass(frozen=True)
class Candidate:
    """A sentence that may answer, in the ``sentences`` that it is quoted with. ``score`` joins the passage's and its
    own: the answer needs both."""

    evidence: Evidence
    sentence: Sentence
    sentences: tuple[Sentence, ...]
    score: float
    encoded: bool = False
    """An encoder was used."""
    tells: bool = False
    """Whether it holds the number, the date or the like that is asked for, and needs no other sentence."""
    table: Table = ()
    """Whose row it is, where the question names one of its cells: all such rows answer alike."""

    @property
    def answers(self) -> bool:
        """Whether it is good enough to be given."""
        return self.score >= (GIVEN if self.encoded else GIVEN_BY_WORDS)

    @property
    def text(self) -> str:
        """What the sentences say."""
        return text_of(self.sentences, self.evidence.text)

    @property
    def quote(self) -> str:
        """The sentences as they stand in the passage."""
        return self.evidence.text[self.sentences[0].start : self.sentences[-1].end]

    @property
    def told(self) -> str:
        """The sentence with what stands above it."""
        return f"{nearest_above(self.evidence)}. {self.sentence.text}"

    def is_procedure(self, query: Query) -> bool:
        """Whether it is numbered steps that tell how to do what is asked: another section does another thing."""
        return bool(steps_in(self.sentences, self.evidence.text)) and wants_steps(query.text)

    def beside(self, others: Sequence["Candidate"]) -> "Candidate":
        """By itself where its neighbours are quoted already: nothing is told twice."""
        told = {sentence for one in others if one.evidence.id == self.evidence.id for sentence in one.sentences}
        return self if told.isdisjoint(self.sentences) else replace(self, sentences=(self.sentence,))


def as_scored(question: str, evidence: Sequence[Evidence]) -> str:
    """``question`` as passages are scored for it. Where it chooses rows of a table by their numbers, or by an extreme,
    it is asked without those: no row says "cheapest"."""
    query = prepare(question)
    if left := extremes(query, evidence):
        return left.question
    return without_bounds(query).text if _compares_rows(query, evidence) else question


def _compares_rows(query: Query, evidence: Sequence[Evidence]) -> bool:
    """Whether ``query`` sets bounds with which a row of a table can be compared."""
    rows = (one.text for item in evidence for one in sentences_of(item))
    return without_bounds(query) is not query and any(within(query, row) is not None for row in rows)


class Extractor:
    """The LLM-free tier of answering."""

    def __init__(self, encoder: TokenEncoder | None = None) -> None:
        self._relevance = Relevance(encoder)

    def free(self, given: ToAnswer) -> Judged[SubResult]:
        """The step's answer in quoted sentences, or ``UNANSWERED`` with what is missing."""
        question = given.step.question
        parts = [part for asked in given.step.asks for part in aspects(asked)]
        wanted = max((criterion.target for criterion in given.task.criteria), default=1)
        several = len(parts) > 1 or wants_several(question) or wanted > 1
        evidence = meeting(given.task, given.evidence)
        scored = [self._scored(part, evidence) for part in parts]
        found = [_candidates(part, passages) for part, passages in zip(parts, scored, strict=True)]
        chosen = self._chosen(found, several, wanted)
        doubt = max(_doubt(each, passages) for each, passages in zip(found, scored, strict=True))
        warnings = (*self._relevance.warnings, *_left_out(found, chosen))
        return Judged(_result(given, parts, found, chosen), doubt=doubt, warnings=warnings)

    def answers(self, question: str, evidence: Sequence[Evidence]) -> list[tuple[Evidence, Sentence]]:
        """The sentences that are good enough to answer ``question``, best first."""
        scored = ((part, self._scored(part, evidence)) for part in aspects(question))
        found = (one for part, passages in scored for one in _candidates(part, passages) if one.answers)
        return [(one.evidence, one.sentence) for one in sorted(found, key=lambda one: -one.score)]

    def likely(self, question: str, evidence: Sequence[Evidence]) -> list[tuple[float, Evidence, Sentence]]:
        """The sentences of the passages that an encoder read, with their scores, best first: also such as are no
        answer."""
        encoded = (passage for passage in self._relevance.score(question, evidence) if passage.encoded)
        found = (
            (joined(passage, marked), passage.evidence, marked.sentence)
            for passage in encoded
            for marked in passage.sentences
            if is_quotable(marked.sentence, passage.evidence.text)
        )
        return sorted(found, key=lambda one: -one[0])

    def _scored(self, part: str, evidence: Sequence[Evidence]) -> Sequence[ScoredPassage]:
        return self._relevance.score(as_scored(part, evidence), evidence)

    def _chosen(self, found: Sequence[Sequence[Candidate]], several: bool, wanted: int) -> list[Candidate]:
        """The best of each part first, then others close to it that say something else."""
        limit = max(SEVERAL, wanted) if several else FEW
        heads = [each[0] for each in found if each and each[0].answers]
        others = sorted(_others(found, several), key=lambda candidate: -candidate.score)
        chosen: list[Candidate] = []
        for candidate in [*heads, *others]:
            most = max(limit, ROWS) if candidate.table and candidate.table == heads[0].table else limit
            if len(chosen) < most and not any(_repeats(candidate, one, wanted) for one in chosen):
                chosen.append(candidate.beside(chosen))
        return chosen


def _candidates(question: str, scored: Sequence[ScoredPassage]) -> list[Candidate]:
    """The sentences that could answer ``question``, best first."""
    query = prepare(question)
    named = _naming(question, scored)
    found = [candidate for passage in named for candidate in _candidates_of(query, passage)]
    evidence = [passage.evidence for passage in scored]
    if left := extremes(query, evidence):
        rows = [replace(one, table=left.table) for one in found if (one.evidence.id, one.sentence.start) in left.rows]
        return [one for one in _alike(rows) if (one.evidence.id, one.sentence.start) in left.best]
    texts = [(at, one.evidence, one.text) for at, one in enumerate(found)]
    tables = dict(rows_asked_for(query, texts, bounded=_compares_rows(query, evidence)))
    entries = entries_asked_for(query, [(at, found[at].evidence, found[at].sentence) for at in tables])
    kept = range(len(found)) if wants_several(question) else entries
    found = _alike([replace(found[at], table=tables.get(at, ())) for at in kept])
    return _of_the_case(query, sorted(found, key=lambda candidate: -candidate.score))


def _alike(found: Sequence[Candidate]) -> list[Candidate]:
    """With one score, the best, for the rows of a table that answer alike."""
    best: dict[Table, float] = {}
    for one in found:
        best[one.table] = max(best.get(one.table, 0.0), one.score)
    return [replace(one, score=best[one.table]) if one.table else one for one in found]


def _of_the_case(query: Query, found: Sequence[Candidate]) -> list[Candidate]:
    """Without those that speak of another case, where one is good enough that speaks of the one asked about: its
    likeness to the question is no measure of that."""
    answers = unique(one.told for one in found if one.answers and limits(query, one.told))
    return [one for one in found if not any(is_elsewhere(query, answer, one.told) for answer in answers)]


def _naming(question: str, scored: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """The passages that have the identifiers and acronyms of ``question``, they or their document, be it as its file's
    name. A passage with nothing above it may say "it"."""
    held = [(passage, line_above(passage.evidence), passage.evidence.document) for passage in scored]
    told: dict[str, str] = {}
    for passage, above, document in held:
        before = told.get(document) or called(passage.evidence)
        told[document] = f"{before}\n{above}\n{passage.evidence.text}"
    return [
        passage
        for passage, above, document in held
        if not above or not unnamed(question, f"{above}\n{passage.evidence.text}", told[document])
    ]


def _doubt(found: Sequence[Candidate], scored: Sequence[ScoredPassage]) -> float:
    """Of a part that is answered, that of the score. Of a part that is not answered, all, if there is anything to read:
    the words of a text say little about what it does not say in them."""
    if found and found[0].answers:
        return doubt_of(found[0].score, REACH)
    return float(bool(scored))


def _repeats(one: Candidate, other: Candidate, wanted: int) -> bool:
    """Whether ``one`` says again what ``other`` says. Where a number of things is wanted, each document may tell of
    another one in the same words."""
    if one.evidence.id == other.evidence.id and one.sentence in other.sentences:
        return True
    counts = wanted > 1 and one.evidence.document != other.evidence.document
    rows = one.table and one.table == other.table
    return one.text == other.text if counts or rows else alike(one.text, other.text)


def _left_out(found: Sequence[Sequence[Candidate]], chosen: Sequence[Candidate]) -> tuple[str, ...]:
    """That there are more rows of a table than are told."""
    rows = {one.text for each in found for one in each if chosen and one.table and one.table == chosen[0].table}
    left = len(rows - {one.text for one in chosen})
    return (f"{left} more rows of the table fit the question.",) if left and len(chosen) >= ROWS else ()


def _others(found: Sequence[Sequence[Candidate]], several: bool) -> Iterator[Candidate]:
    for each in found:
        if each and each[0].answers:
            floor = CLOSE * each[0].score
            close = (one for one in each[1:] if one.answers and one.score >= floor)
            yield from (one for one in close if several or _goes_with(one, each[0]))


def _goes_with(one: Candidate, best: Candidate) -> bool:
    """A plain question gets a second sentence from the same document only: it completes the first. Where the first
    tells all that is asked for, another section speaks of something else: of another limit, another command."""
    if one.evidence.document != best.evidence.document:
        return False
    return not best.tells or nearest_above(one.evidence) == nearest_above(best.evidence)


def _candidates_of(query: Query, passage: ScoredPassage) -> Iterator[Candidate]:
    """The sentences of a passage that could be quoted as an answer, with their scores."""
    for place, marked in enumerate(passage.sentences):
        beside = is_of_another(query, passage.evidence, marked.sentence.text)
        beside = beside or asks_for_less(query, passage, marked.sentence) or not tells_meaning(query, passage, place)
        if beside or not is_quotable(marked.sentence, passage.evidence.text, query.expects):
            continue
        if answers_kind(query, _known(query, passage.evidence) + marked.sentence.text) or completed(
            query, passage, place
        ):
            whole = quoted(query, passage, place)
            found = Candidate(passage.evidence, marked.sentence, whole, joined(passage, marked), passage.encoded)
            is_formal = query.expects in FORMAL and holds(query.expects, found.text, query.asked)
            found = replace(found, tells=is_formal or found.is_procedure(query))
            if _breaks_off(query, whole):
                continue
            new = tells_more(query, found.text) or answers_above(query, nearest_above(passage.evidence), found.text)
            if new and says_measure(query, passage.evidence, found.text):
                yield found


def _breaks_off(query: Query, whole: Sequence[Sentence]) -> bool:
    """Whether a quotation ends before what its colon announces: "Run this command:" does not tell how to do a thing."""
    return whole[-1].text.endswith(":") and query.expects not in FORMAL and not is_polar(query.text)


def joined(passage: ScoredPassage, marked: ScoredSentence) -> float:
    """The geometric mean: neither a fitting sentence in a stray passage nor the reverse is an answer."""
    return float((passage.score * marked.score) ** 0.5)


def alike(first: str, second: str) -> bool:
    """Whether two sentences share most of their content words."""
    language = language_of(f"{first} {second}")
    one, two = (content_stems(text, language) for text in (first, second))
    return len(one & two) > ALIKE * min(len(one), len(two)) if one and two else first == second


def _result(
    given: ToAnswer, parts: Sequence[str], found: Sequence[Sequence[Candidate]], chosen: Sequence[Candidate]
) -> SubResult:
    question = given.step.question
    open_parts = [part for part, each in zip(parts, found, strict=True) if not each or not each[0].answers]
    missing = "; ".join(_missing(part, given.evidence) for part in open_parts)
    if not chosen:
        return SubResult(id=given.step.id, question=question, status=StepStatus.UNANSWERED, missing=missing)
    query = prepare(question)
    statements = tuple(_statement_of(query, candidate) for candidate in chosen)
    mean = sum(statement.score for statement in statements) / len(statements)
    factor = Factor(name="answer", score=mean, weight=1.0, reason="how well the quoted sentences fit the question")
    return SubResult(
        id=given.step.id,
        question=question,
        status=StepStatus.ANSWERED,
        statements=statements,
        missing=missing,
        confidence=confidence_of((factor,)),
    )


def _missing(part: str, evidence: Sequence[Evidence]) -> str:
    """What was not found: the words that no passage has; else that no sentence answers."""
    query = prepare(part)
    held = frozenset[str]().union(*(keys(item.text, query.language) for item in evidence))
    names = absent_names(part, [f"{line_above(item)}\n{item.text}" for item in evidence])
    known = {name.lower() for name in names}
    absent = [*names, *(term.word for term in uncovered(query, held) if term.word not in known)]
    if absent:
        return f"nothing found on {', '.join(absent)} ({part})"
    return f"no sentence found that answers: {part}"


def _statement_of(query: Query, candidate: Candidate) -> Statement:
    """The sentences as a statement: cleaned for reading, with the verbatim span as its quote."""
    item = candidate.evidence
    return Statement(
        text=as_told(query, item, candidate.text),
        evidence_ids=(item.id,),
        quote=candidate.quote,
        score=min(1.0, max(0.0, candidate.score)),
    )


def _known(query: Query, item: Evidence) -> str:
    """What stands above a passage and may hold the answer. Of names only the nearest heading's: the others are those of
    the document, whoever is asked about. The number of a section, or one in the name of a file, is no amount."""
    above = nearest_above(item)
    if query.expects is Expects.NUMBER:
        above = _COUNTER.sub("", "" if item.url.endswith(f"/{above}") else above)
    above = above.rpartition(" > ")[2] if query.expects in (Expects.PERSON, Expects.BODY) else above
    return f"{above}: " if above else ""
