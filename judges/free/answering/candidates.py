"""The sentences of scored passages that could answer a question, best first: each as it would be quoted.

A passage has to answer (its fitted score) and a sentence of it has to be the answer (its own); what may be given at
all, ``admissible`` says.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from calibrant.judges.free.answering.admissible import answers_above, answers_kind, is_of_another, tells_more
from calibrant.judges.free.answering.bounds import within, without_bounds
from calibrant.judges.free.answering.entries import asks_for_less, entries_asked_for
from calibrant.judges.free.answering.extremes import Extremes, extremes
from calibrant.judges.free.answering.held_tables import Table, table_of
from calibrant.judges.free.answering.listing import Listed, things_listed
from calibrant.judges.free.answering.meaning import tells_meaning
from calibrant.judges.free.answering.properties import says_measure
from calibrant.judges.free.answering.quotation import completed, is_quotable, quoted
from calibrant.judges.free.answering.rows import rows_asked_for
from calibrant.judges.free.answering.siblings import groups_named, is_of_another_group, without_siblings
from calibrant.judges.free.answering.telling import text_of
from calibrant.judges.free.comparing.elsewhere import is_elsewhere, limits
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.above import called, line_above, nearest_above
from calibrant.judges.free.evidence.answer_kind import FORMAL, REQUIRED, Expects
from calibrant.judges.free.evidence.changelogs import is_entry_asked_for
from calibrant.judges.free.evidence.definitions import defining, is_headed, name_asked_for
from calibrant.judges.free.evidence.headed_codes import told_under_code
from calibrant.judges.free.evidence.holding import holds
from calibrant.judges.free.evidence.listings import section_listed
from calibrant.judges.free.evidence.matching import is_said, keys
from calibrant.judges.free.evidence.messages import told_of_message
from calibrant.judges.free.evidence.named_things import unnamed
from calibrant.judges.free.evidence.procedures import commands_asked_for, section_asked_for, steps_in
from calibrant.judges.free.evidence.query import Query, prepare
from calibrant.judges.free.evidence.question_form import is_polar, wants_several, wants_steps
from calibrant.judges.free.evidence.relevance import ScoredPassage, ScoredSentence
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.text import STOP_WORDS, Sentence, content_stems, sentences_of
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.injection import beside_order

GIVEN, GIVEN_BY_WORDS = 0.42, 0.5
"""A candidate below this score is no answer; the second is for scores that no encoder has a part in. On the fit half of
``squad2``, whose unanswerable questions look answerable, 0.64 of the answerable ones are answered rightly from 0.42 on,
and 0.45 of the others are answered; from 0.3 on 0.68 and 0.51."""
NEARLY = 0.9
"""From this share of the best one's score on, something else about a candidate decides."""
_EXAMPLES = re.compile(r"(?:\w+ )?(?:examples?|exemplos?)\b.*", re.IGNORECASE)
"""The heading of a section of examples."""
_OF_EXAMPLES = word_set("example examples exemplo exemplos")
_COUNTER = re.compile(r"(?:^|(?<=> ))(?:§ ?\d+|\d+(?:\.\d+)*[.)]|\d+(?:\.\d+)+)\s+(?=[^\W\d_])")
"""The number of a section."""
_YEAR = re.compile(r"\b(?:19|20)\d\d\b")


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
    """Whose row it is, where the question names one of its cells: all such rows answer alike. So do the things of a
    list that is asked for."""
    label: str | None = None
    """What it is told under, as one of several things that are listed; None: as what it says needs it."""

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
        """The candidate, by itself where its neighbours are quoted already: nothing is told twice."""
        told = {sentence for one in others if one.evidence.id == self.evidence.id for sentence in one.sentences}
        return self if told.isdisjoint(self.sentences) else replace(self, sentences=(self.sentence,))


def as_scored(question: str, evidence: Sequence[Evidence]) -> str:
    """``question`` as passages are scored for it. Where it chooses rows of a table by their numbers, or by an extreme,
    it is asked without those: no row says "cheapest". Nor does a manual say the amounts of somebody who asks how."""
    query = prepare(question)
    if left := extremes(query, evidence):
        return left.question
    if wants_steps(query.text):
        return _without_own_amounts(query, evidence)
    return without_bounds(query).whole if _compares_rows(query, evidence) else question


def _without_own_amounts(query: Query, evidence: Sequence[Evidence]) -> str:
    """The question without the measures that no passage says: how to leave out "files larger than 100 MB"."""
    text, own = query.text, read(query.text, query.language).quantities
    told = {amount.value for item in evidence if own for amount in read(item.text, query.language).quantities}
    for amount in reversed([one for one in own if one.unit and one.value not in told]):
        text = text[: amount.start] + text[amount.end :].lstrip("% ")
    return query.scene + text


def _compares_rows(query: Query, evidence: Sequence[Evidence]) -> bool:
    """Whether ``query`` sets bounds with which a row of a table can be compared."""
    rows = (one.text for item in evidence for one in sentences_of(item))
    return without_bounds(query) is not query and any(within(query, row) is not None for row in rows)


def candidates_for(question: str, scored: Sequence[ScoredPassage]) -> list[Candidate]:
    """The sentences that could answer ``question``, best first."""
    query = prepare(question)
    named = without_siblings(query, _naming(query.text, scored))
    evidence = [passage.evidence for passage in scored]
    if left := extremes(query, evidence):
        return _rows_left(left, named)
    defined = list(_definitions(query, scored))
    if said := [one for one in defined if any(sentence.kind != "code" for sentence in one.sentences)]:
        return said
    if listed := things_listed(query, scored):
        return _alike([_one_of_list(thing) for thing in listed])
    sections = (_section(query, one, section_listed(query, one.evidence, one.found)) for one in named)
    if told := [section for section in sections if section and section.answers]:
        return sorted(told, key=lambda section: -section.score)
    found = [candidate for passage in named for candidate in _candidates_of(query, passage)]
    texts = [(at, one.evidence, one.text) for at, one in enumerate(found)]
    tables = dict(rows_asked_for(query, texts, bounded=_compares_rows(query, evidence)))
    entries = entries_asked_for(query, [(at, found[at].evidence, found[at].sentence) for at in tables])
    kept = range(len(found)) if wants_several(query.text) else entries
    found = _alike([replace(found[at], table=tables.get(at, ())) for at in kept], named)
    found = _of_the_case(query, sorted(found, key=lambda candidate: (-candidate.score, _beyond(query, candidate))))
    found = after_examples(query, naming_more(query, found))
    return found if any(one.answers for one in found) else [*defined, *found]  # a bare value is better than nothing


def _rows_left(left: Extremes, scored: Sequence[ScoredPassage]) -> list[Candidate]:
    """The rows that a superlative leaves. They are read without it: no plan is another thing for being the cheapest."""
    query = prepare(left.question)
    found = {(one.evidence.id, one.sentence.start): one for item in scored for one in _candidates_of(query, item)}
    rows = [replace(one, table=left.table) for place, one in found.items() if place in left.rows]
    return [one for one in _alike(rows) if (one.evidence.id, one.sentence.start) in left.best]


def _definitions(query: Query, scored: Sequence[ScoredPassage]) -> Iterator[Candidate]:
    """What defines the name in code that is asked about."""
    for passage in scored:
        if places := defining(query, passage.evidence, passage.found):
            score = max(joined(passage, passage.sentences[place]) for place in places)
            told, name = tuple(passage.found[place] for place in places), name_asked_for(query)
            named = name in told[0].text or is_headed(passage.evidence, name)
            yield Candidate(passage.evidence, told[-1], told, score, passage.encoded, label=None if named else name)


def _one_of_list(thing: Listed) -> Candidate:
    passage, score = thing.passage, max(joined(thing.passage, marked) for marked in thing.marked)
    sentences = tuple(marked.sentence for marked in thing.marked)
    return Candidate(
        passage.evidence, sentences[0], sentences, score, passage.encoded, table=thing.listing, label=thing.label
    )


def _alike(found: Sequence[Candidate], scored: Sequence[ScoredPassage] = ()) -> list[Candidate]:
    """``found``, each row of a table with the best score of them all: they answer alike. So do those rows of the
    passages ``scored`` that were not chosen: how "exit code: 3" and "exit code: 4" differ in it is chance."""
    best: dict[Table, float] = {}
    for one in found:
        best[one.table] = max(best.get(one.table, 0.0), one.score)
    for passage in scored:
        for marked in passage.sentences:
            table = table_of(passage.evidence, marked.sentence.text)
            if table in best:
                best[table] = max(best[table], joined(passage, marked))
    return [replace(one, score=best[one.table]) if one.table else one for one in found]


def _of_the_case(query: Query, found: Sequence[Candidate]) -> list[Candidate]:
    """``found`` without those that speak of another case, where one is good enough that speaks of the one asked about:
    its likeness to the question is no measure of that."""
    answers = unique(one.told for one in found if one.answers and limits(query, one.told))
    return [one for one in found if not any(is_elsewhere(query, answer, one.told) for answer in answers)]


def naming_more(query: Query, found: Sequence[Candidate]) -> list[Candidate]:
    """``found``, where the best is a row, with that one first which is nearly as good, names all of the question that
    the row does, and more: of a job's name, not of jobs per day. A row's score is little measured."""
    if not found or not is_row(found[0].text):
        return list(found)
    best = reduce(lambda held, one: one if _named(query, one) > _named(query, held) else held, _near_best(found))
    return _led_by(best, found)


def after_examples(query: Query, found: Sequence[Candidate]) -> list[Candidate]:
    """``found``, where the best gives an amount or the like in an example, with that one first which is nearly as good
    and stands in no example: what a setting is there is what somebody may set it to."""
    if not found or query.expects not in FORMAL or not query.asked.isdisjoint(_OF_EXAMPLES):
        return list(found)
    others = (one for one in _near_best(found) if one.answers and not _is_example(one))
    return _led_by(next(others, found[0]) if _is_example(found[0]) else found[0], found)


def _near_best(found: Sequence[Candidate]) -> list[Candidate]:
    return [one for one in found if one.score >= NEARLY * found[0].score]


def _led_by(best: Candidate, found: Sequence[Candidate]) -> list[Candidate]:
    return [best, *(one for one in found if one is not best)]


def _is_example(one: Candidate) -> bool:
    return any(map(_EXAMPLES.fullmatch, one.evidence.locator.heading.split(" > ")))


def _beyond(query: Query, one: Candidate) -> int:
    """How many words a candidate has that the question has not: of two that fit alike, the one that adds less is about
    just that ("the password", and not "the password of the source"). Rows that answer alike stay as they stand."""
    said = content_stems(one.sentence.text, query.language) - content_stems(query.text, query.language)
    return 0 if one.table else len(said)


def _named(query: Query, one: Candidate) -> frozenset[str]:
    """The words of the question that a candidate has with what stands above it."""
    return said_of(query, f"{line_above(one.evidence)} {one.text}")


def said_of(query: Query, text: str) -> frozenset[str]:
    """The words of the question that ``text`` has, "name" and "number" too."""
    held = keys(text, query.language)
    asked = query.asked - STOP_WORDS[query.language]
    return frozenset(word for word in asked if is_said(word, query.language, held))


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


def _candidates_of(query: Query, passage: ScoredPassage) -> Iterator[Candidate]:
    """The sentences of a passage that could be quoted as an answer, with their scores."""
    if section := _section(query, passage, _told_whole(query, passage)):
        yield section
        return
    changed, groups = is_entry_asked_for(query.text, passage.evidence), groups_named(query, passage)
    unbounded = without_bounds(query)  # "less than 90 days" narrows nothing down to another thing
    for place, marked in enumerate(passage.sentences):
        beside = (
            is_of_another(query, passage.evidence, marked.sentence.text)
            or is_of_another_group(query, groups, marked.sentence.text)
            or asks_for_less(unbounded, passage, marked.sentence)
            or not tells_meaning(query, passage, place)
        )
        if beside or not is_quotable(marked.sentence, passage.evidence.text, query.expects, changed=changed):
            continue
        if answers_kind(query, _known(query, passage.evidence) + marked.sentence.text) or completed(
            query, passage, place
        ):
            whole = quoted(query, passage, place)
            found = Candidate(passage.evidence, marked.sentence, whole, joined(passage, marked), passage.encoded)
            holds_it = query.expects in REQUIRED and holds(query.expects, found.text, query.asked)
            found = replace(found, tells=holds_it or found.is_procedure(query))
            if _breaks_off(query, whole):
                continue
            new = tells_more(query, found.text) or answers_above(query, nearest_above(passage.evidence), found.text)
            if new and says_measure(query, passage.evidence, found.text):
                yield found


def _told_whole(query: Query, passage: ScoredPassage) -> Sequence[Sentence]:
    """What of a passage answers as it stands: the command that does what is asked, all of a section on how to do it,
    what stands under the code that is asked about, or behind the message."""
    item, found = passage.evidence, passage.found
    commands = commands_asked_for(query, item, found)
    return (
        tuple(one for one in found if one in commands)
        or section_asked_for(query, item, found)
        or told_under_code(query, item, found)
        or told_of_message(query, found)
    )


def _section(query: Query, passage: ScoredPassage, told: Sequence[Sentence]) -> Candidate | None:
    """All that is ``told`` in a section: how to do what is asked, or what there is of it."""
    item = passage.evidence
    if not told or beside_order(item.text, told[0].start, told[-1].end):
        return None
    score = max(joined(passage, marked) for marked in passage.sentences if marked.sentence in told)
    found = Candidate(item, told[0], tuple(told), score, passage.encoded, tells=True)
    is_other = is_of_another(query, item, found.text) or not answers_kind(query, _known(query, item) + found.text)
    return None if is_other else found


def _breaks_off(query: Query, whole: Sequence[Sentence]) -> bool:
    """Whether a quotation ends before what its colon announces: "Run this command:" does not tell how to do a thing."""
    return whole[-1].text.endswith(":") and query.expects not in FORMAL and not is_polar(query.text)


def joined(passage: ScoredPassage, marked: ScoredSentence) -> float:
    """The geometric mean: neither a fitting sentence in a stray passage nor the reverse is an answer."""
    return float((passage.score * marked.score) ** 0.5)


def _known(query: Query, item: Evidence) -> str:
    """What stands above a passage and may hold the answer. Of names only the nearest heading's: the others are those of
    the document, whoever is asked about. The number of a section, a year, or one in the name of a file, is no
    amount."""
    above = nearest_above(item)
    if query.expects is Expects.NUMBER:
        above = _YEAR.sub("", _COUNTER.sub("", "" if item.url.endswith(f"/{above}") else above))
    above = above.rpartition(" > ")[2] if query.expects in (Expects.PERSON, Expects.BODY) else above
    return f"{above}: " if above else ""
