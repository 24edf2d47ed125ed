"""Answering without a model: the sentences that answer a step's question, quoted, or an abstention."""

from collections.abc import Iterator, Sequence

from calibrant.judges.cascade import Judged
from calibrant.judges.free.answering.candidates import Candidate, as_scored, candidates_for, joined, said_of
from calibrant.judges.free.answering.held_tables import whole_tables
from calibrant.judges.free.answering.quotation import is_quotable
from calibrant.judges.free.answering.telling import as_told
from calibrant.judges.free.comparing.rivals import LIKELY
from calibrant.judges.free.evidence.above import line_above, nearest_above
from calibrant.judges.free.evidence.matching import keys
from calibrant.judges.free.evidence.named_things import absent_names
from calibrant.judges.free.evidence.quality import meeting
from calibrant.judges.free.evidence.query import Query, prepare, uncovered
from calibrant.judges.free.evidence.question_form import aspects, wants_several, without_scene
from calibrant.judges.free.evidence.relevance import Relevance, ScoredPassage
from calibrant.judges.free.evidence.sufficiency import doubt_of
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.text import Sentence, content_stems, language_of
from calibrant.judges.given import ToAnswer
from calibrant.state.confidence import Factor, confidence_of
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import TokenEncoder
from calibrant.state.task import Statement, StepStatus, SubResult

REACH = 5.0
"""How far the doubt about an answer's score reaches (``doubt_of``): it tells less than a passage's. On the fitting
halves 23 of 32 answers of 0.962 and more were right on ``squad2`` and ``nq_open_oracle`` (none had 0.98); on
``faquad``, with and without gaps, 77 of 85 from 0.999 and 203 of 211 from 0.9999 on."""
FEW, SEVERAL = 2, 3
"""Quotations at most: for a plain question; for a list or a comparison, unless the request names a larger number."""
ROWS, LISTED = 10, 20
"""And of one table, whose rows all say the same of the question; of a list that is asked for as a whole."""
CLOSE = 0.75
"""A further one must score at least this share of the best one."""
ALIKE = 0.7
"""Sentences that share more of their content words say the same."""


class Extractor:
    """The LLM-free tier of answering."""

    def __init__(self, encoder: TokenEncoder | None = None) -> None:
        self._relevance = Relevance(encoder)

    def free(self, given: ToAnswer) -> Judged[SubResult]:
        """The step's answer in quoted sentences, or ``UNANSWERED`` with what is missing."""
        question = given.step.question
        parts = [part for asked in given.step.asks for part in aspects(asked)]
        wanted = max((criterion.target for criterion in given.task.criteria), default=1)
        several = len(parts) > 1 or wants_several(without_scene(question)) or wanted > 1
        evidence = meeting(given.task, given.evidence)
        scored = [self._scored(part, evidence) for part in parts]
        found = [candidates_for(part, passages) for part, passages in zip(parts, scored, strict=True)]
        chosen = _chosen(parts, found, several, wanted)
        doubt = max(_doubt(each, passages) for each, passages in zip(found, scored, strict=True))
        warnings = (*self._relevance.warnings, *_left_out(found, chosen), *_cut_off(chosen, evidence))
        return Judged(_result(given, parts, found, chosen), doubt=doubt, warnings=warnings)

    def answers(self, question: str, evidence: Sequence[Evidence]) -> list[tuple[float, Evidence, Sentence]]:
        """The sentences that likely answer ``question`` with their scores, best first: also such as are not good enough
        to be given."""
        scored = ((part, self._scored(part, evidence)) for part in aspects(question))
        found = (one for part, passages in scored for one in candidates_for(part, passages))
        likely = sorted((one for one in found if one.score >= LIKELY), key=lambda one: -one.score)
        return [(one.score, one.evidence, one.sentence) for one in likely]

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


def _chosen(parts: Sequence[str], found: Sequence[Sequence[Candidate]], several: bool, wanted: int) -> list[Candidate]:
    """The best of each part first, then others close to it that say something else."""
    limit = max(SEVERAL, wanted) if several else FEW
    heads = [each[0] for each in found if each and each[0].answers]
    others = sorted(_others(parts, found, several), key=lambda candidate: -candidate.score)
    chosen: list[Candidate] = []
    for candidate in [*heads, *others]:
        most = max(limit, _most(candidate)) if candidate.table and candidate.table == heads[0].table else limit
        if len(chosen) < most and not any(_repeats(candidate, one, wanted) for one in chosen):
            chosen.append(candidate.beside(chosen))
    return chosen


def _doubt(found: Sequence[Candidate], scored: Sequence[ScoredPassage]) -> float:
    """The doubt about a part: where it is answered, that of the score; where it is not, all, if there is anything to
    read: the words of a text say little about what it does not say in them."""
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
    is_full = left and len(chosen) >= _most(chosen[0])
    return (f"{left} more rows of the table fit the question.",) if is_full else ()


def _cut_off(chosen: Sequence[Candidate], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """That a table is told as a list which stands in several passages, and not all of them were found."""
    told = [one for one in chosen if one.label == "" and is_row(one.text)]
    parts = {one.table for one in told if one.evidence.locator.goes_on or one.evidence.locator.columns}
    cut = parts.difference(rows[0].table for rows in whole_tables(evidence)) if parts else ()
    return ("The table that is told goes on in what was not found.",) if cut else ()


def _most(candidate: Candidate) -> int:
    """How many of the rows or things that answer alike are told."""
    return ROWS if candidate.label is None else LISTED


def _others(parts: Sequence[str], found: Sequence[Sequence[Candidate]], several: bool) -> Iterator[Candidate]:
    for part, each in zip(parts, found, strict=True):
        if each and each[0].answers:
            floor = CLOSE * each[0].score
            close = (one for one in each[1:] if one.answers and one.score >= floor)
            yield from (one for one in close if several or _goes_with(prepare(part), one, each[0]))


def _goes_with(query: Query, one: Candidate, best: Candidate) -> bool:
    """A plain question gets a second sentence from the same document only: it completes the first. Where the first
    tells all that is asked for, or is an entry or a setting, which stands by itself, another section, or what leaves
    out a word of the question that the first has, speaks of something else: of another limit, another command. Rows of
    one table, or things of one list, answer alike."""
    if one.evidence.document != best.evidence.document:
        return False
    if one.table and one.table == best.table:
        return True
    is_near = nearest_above(one.evidence) == nearest_above(best.evidence)
    is_whole = best.tells or best.sentence.kind == "item"
    return not is_whole or (is_near and said_of(query, best.text) <= said_of(query, one.text))


def alike(first: str, second: str) -> bool:
    """Whether two sentences share most of their content words, and not each has a number of its own."""
    language = language_of(f"{first} {second}")
    mine, theirs = ({number.value for number in numbers(text, language)} for text in (first, second))
    if mine - theirs and theirs - mine:
        return False
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
        text=as_told(query, item, candidate.text, candidate.label),
        evidence_ids=(item.id,),
        quote=candidate.quote,
        score=min(1.0, max(0.0, candidate.score)),
    )
