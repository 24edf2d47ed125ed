"""Relevance: how far a passage, and each of its sentences, answers a question.

Fitted models over the same features: ``passage`` (does it answer the question at all?), ``single`` (the same for a bare
sentence) and ``sentence`` (is this the answering sentence?). Each passage is scored by itself, whatever else was
retrieved, so that adding one changes no other's score. With an encoder the most promising passages, by the lexical
model, are compared token by token as well.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from calibrant.judges.fitted import load
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.answer_kind import FORMAL
from calibrant.judges.free.evidence.changelogs import asks_of_changes, is_entry_asked_for, tells_of_changes
from calibrant.judges.free.evidence.definitions import defining
from calibrant.judges.free.evidence.features import (
    ENCODED_CHARACTERS,
    Encoders,
    Rows,
    asked_of,
    compared_rows,
    encoders_of,
    is_bare,
    is_structured,
    lexical_rows,
)
from calibrant.judges.free.evidence.headed_codes import told_under_code
from calibrant.judges.free.evidence.holding import holds
from calibrant.judges.free.evidence.labels import names_another
from calibrant.judges.free.evidence.late_interaction import cached, shown
from calibrant.judges.free.evidence.listings import listed_in
from calibrant.judges.free.evidence.matching import keys
from calibrant.judges.free.evidence.messages import told_of_message
from calibrant.judges.free.evidence.procedures import commands_asked_for, steps_asked_for
from calibrant.judges.free.evidence.query import Query, prepare
from calibrant.judges.free.evidence.same_question import replies_to
from calibrant.judges.free.evidence.strangers import strangers, tells_of_another
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.text import Sentence
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.protocols import TokenEncoder

ELSEWHERE = 2.0
"""Log odds off for a passage that never names the function, class or option (``json.dumps``) that is asked about."""
STRANGE = 2.5
"""Log odds off for a passage in and above which nothing resembles a name of the question: of such passages that score
0.5 or more, 9 % answer on the fit half of squad2, and 56 % of the others. The fitted weights of names are near 0, for
the sets' passages nearly all name what is asked about. The same for passages and sentences that tell of another year or
another numbered thing."""
CHANGED = 1.0
"""Log odds off for a list of changes and its sentences, where neither a version nor a change is asked about: of two
passages that fit as well, the reference is to come first, and an entry alone stays below what is told with confidence.
No labelled set has such lists: the weight is that of another weak sign, no measured one."""
ASKED_FOR = 2.0
"""Log odds at least for what stands under a heading that says all that is asked: the changes of a version, the steps of
a procedure, the things of a list; and for the answer behind the very question, on a page that asks it. Nothing in them
need resemble the question. Such an answer is told with some confidence; no labelled set has any."""
SOUGHT = 20.0
"""What the relevance by which a search ranks (0..1) counts beside the log odds by words, where passages are chosen to
be compared by an encoder, if most of them stand in sections of longer documents. Of the questions over seven manuals
(``evals/manuals.py``, fit) it has 95% compared with a passage that holds their answer; by words alone it was 86%. From
13 up the weight makes no difference. Among short pages it brought more that only look alike: of 975 answerable
questions of ``nq_open`` 737 were answered rightly and 79 wrongly without it, 731 and 93 with it."""
LEAST_SAID = 0.2
"""A question whose words weigh less in all ("How does it work?") is about nothing that a passage could be found by."""
_LEAST_SCORE = 1e-13
AT_HOME = 0.6
"""Log odds on for the documentation of the very thing that is asked about, and for its sentences, where they hold the
kind of answer wanted (an exception, a number, a date): they may say it in other words."""


@dataclass(frozen=True)
class ScoredSentence:
    """A sentence of a passage with its log odds and score (0..1) of being the answer."""

    sentence: Sentence
    logit: float
    score: float


@dataclass(frozen=True)
class ScoredPassage:
    """A passage with its log odds and score (0..1) of answering the question. ``encoded``: an encoder was used."""

    evidence: Evidence
    logit: float
    score: float
    sentences: tuple[ScoredSentence, ...]
    encoded: bool = False

    @cached_property
    def found(self) -> tuple[Sentence, ...]:
        """The sentences without their scores."""
        return tuple(marked.sentence for marked in self.sentences)


class Relevance:
    """Scores passages and their sentences against a question."""

    def __init__(self, encoder: TokenEncoder | None = None) -> None:
        self._given = cached(encoder)

    @cached_property
    def _encoders(self) -> Encoders | None:
        """The encoders, if they are those whose vectors the models were fitted on."""
        known = {model.encoder for model in load().models.values()}
        return encoders_of(self._given) if self._given is not None and self._given.identity in known else None

    @property
    def compares(self) -> bool:
        """Whether passages are compared token by token."""
        return self._encoders is not None

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a reader should know about how passages were scored."""
        if self._given is None or self.compares:
            return ()
        name = self._given.identity
        return (f"Passages were judged by their words alone: nothing is fitted to the embedding model {name}.",)

    def score(self, question: str, evidence: Sequence[Evidence]) -> tuple[ScoredPassage, ...]:
        """``evidence`` scored, in the order given."""
        query = prepare(question)
        if query.total < LEAST_SAID:
            return tuple(map(_set_aside, evidence))
        scored = [_by_words(query, item) for item in evidence]
        # The encoder's language is English: in Portuguese its vectors told less than the words alone (held-out halves).
        if self._encoders is None or load().encoder(query.language.value) != self._encoders.identity:
            return tuple(scored)
        for place in promising(scored):
            rows = lexical_rows(query, evidence[place])
            more = compared_rows(query, evidence[place], rows, self._encoders)
            late = _scored(query, evidence[place], more, True)
            # The encoder knows no identifiers, and was fitted to prose: elsewhere the words may tell more.
            unsure = query.names_code or is_structured(rows)
            kept = unsure and scored[place].score > late.score
            scored[place] = replace(scored[place], encoded=True) if kept else _with_rows(late, scored[place])
        return tuple(item if item.encoded else _set_aside(item.evidence) for item in scored)  # outrun by words


def _with_rows(late: ScoredPassage, known: ScoredPassage) -> ScoredPassage:
    """``late`` with the scores by words of the rows of a table that stands among prose, where those tell more: its rows
    differ in a word or a number, and an encoder that was fitted to prose makes little of it."""
    told = (
        own if own.score > one.score and is_row(one.sentence.text) else one
        for one, own in zip(late.sentences, known.sentences, strict=True)
    )
    return replace(late, sentences=tuple(told))


def _by_words(query: Query, item: Evidence) -> ScoredPassage:
    """A passage, scored by its words alone."""
    place = item.locator
    known = _remembered(query, item.text, item.title, item.url, place.heading, place.columns, place.fence)
    return replace(known, evidence=item)


@lru_cache(maxsize=2_000)
def _remembered(
    query: Query, text: str, title: str, url: str, heading: str, columns: tuple[str, ...], fence: str
) -> ScoredPassage:
    """Remembered: each phase of a run, and each judgement in it, scores the same passages against the same question.

    Of all that a passage has, only what its score depends on: where it was found, and as which result, makes no other.
    """
    place = Locator(heading=heading, columns=columns, fence=fence)
    item = Evidence(id="", text=text, title=title, source="", url=url, locator=place)
    return _scored(query, item, lexical_rows(query, item), False)


def _scored(query: Query, item: Evidence, rows: Rows, encoded: bool) -> ScoredPassage:
    models, language = load(), query.language.value
    passage = models.model(models.head(is_bare(item, rows), language), language, encoded)
    sentence = models.model("sentence", language, encoded)
    asked_for = _asked_for(query, item, rows)
    dated = CHANGED * (tells_of_changes(item) and not asks_of_changes(query.text))
    at_home = AT_HOME * _is_home(item, query)
    logit = float(passage.logits(rows.passage[None, :])[0]) if rows.found else -30.0
    logit -= ELSEWHERE * sum(not _names(item, subject) for subject in query.subjects)
    logit -= STRANGE * _is_strange(item, query)
    logit = _raised(logit + at_home - dated, bool(asked_for))
    logits = sentence.logits(rows.sentences) if rows.found else ()
    told = [
        (found, _raised(float(value) - dated + _beyond_words(query, item, found, at_home), found in asked_for))
        for found, value in zip(rows.found, logits, strict=True)
    ]
    marked = tuple(ScoredSentence(found, value, sentence.scale.score(value)) for found, value in told)
    return ScoredPassage(item, logit, passage.scale.score(logit), marked, encoded)


def _asked_for(query: Query, item: Evidence, rows: Rows) -> frozenset[Sentence]:
    """The sentences that stand under a heading that says all that is asked, or behind a message that is asked about,
    that define the name asked about, or that answer the question in its own words."""
    if is_entry_asked_for(query.text, item):
        return frozenset(rows.found)
    replies = (one for one in rows.found if replies_to(query, item, one.text))
    defined = (rows.found[place] for place in defining(query, item, rows.found))
    return frozenset[Sentence]().union(
        commands_asked_for(query, item, rows.found),
        steps_asked_for(query, item, rows.found),
        told_under_code(query, item, rows.found),
        told_of_message(query, rows.found),
        replies,
        defined,
        listed_in(query, item, rows.found),
    )


def _raised(logit: float, is_asked_for: bool) -> float:
    return max(ASKED_FOR, logit) if is_asked_for else logit


def _beyond_words(query: Query, item: Evidence, found: Sentence, at_home: float) -> float:
    """Log odds that no fitted weight is about: on for a sentence that holds what is asked for ``at_home``, off for one
    that tells of something else of the kind."""
    told_at_home = holds(query.expects, found.text, query.asked)
    text = f"{line_above(item)} {found.text}"
    is_other = _is_of_another_label(query, text, keys(text, query.language))
    return at_home * told_at_home - STRANGE * is_other


def _names(item: Evidence, subject: str) -> bool:
    """Whether a passage or what stands above it has ``subject`` as a word of its own, or in several words."""
    name = r"[\s_-]?".join(re.escape(part) for part in subject.split("_"))
    return re.search(rf"(?<![^\W_]){name}(?![^\W_])", f"{item.locator.heading} {item.text}", re.IGNORECASE) is not None


def _is_strange(item: Evidence, query: Query) -> bool:
    """Whether a name of the question has nothing like it in a passage nor above it, or it tells of another one of its
    kind. A bare sentence may say "it"."""
    above = line_above(item)
    held = keys(item.text, query.language) | keys(above, query.language)
    is_other = _is_of_another_label(query, f"{above} {item.text}", held)
    return is_other or (bool(above) and bool(strangers(asked_of(query, item), held)))


def _is_of_another_label(query: Query, text: str, held: frozenset[str]) -> bool:
    """Whether ``text``, of the keys ``held``, is about another year or another one of several things of a kind."""
    return tells_of_another(query, held) or names_another(query.text, text)


def _is_home(item: Evidence, query: Query) -> bool:
    """Whether ``item`` stands under the name that the question asks about and holds the kind of answer it wants."""
    if query.expects not in FORMAL or not query.subjects:
        return False
    return item.locator.heading.rsplit(".", 1)[-1].lower() in query.subjects and holds(
        query.expects, item.text, query.asked
    )


def _set_aside(item: Evidence) -> ScoredPassage:
    """A passage that is not counted."""
    return ScoredPassage(item, -30.0, 0.0, ())


def promising(scored: Sequence[ScoredPassage]) -> list[int]:
    """The places of the most promising passages, best first, up to ``ENCODED_CHARACTERS`` in all (one at least)."""
    in_sections = sum(one.evidence.is_in_section for one in scored)
    sought = SOUGHT if 2 * in_sections > len(scored) else 0.0
    best = sorted(range(len(scored)), key=lambda place: (-_promise(scored[place], sought), -scored[place].logit))
    spent = 0
    chosen: list[int] = []
    for place in best:
        spent += sum(len(shown(one.sentence)) for one in scored[place].sentences)
        if chosen and spent > ENCODED_CHARACTERS:
            break
        chosen.append(place)
    return chosen


def _promise(scored: ScoredPassage, sought: float) -> float:
    """By its words and, as far as ``sought`` counts it, by the search that found it, how likely a passage answers. Of
    the score, not of ``logit``: those of different heads are not of one scale."""
    score = min(max(scored.score, _LEAST_SCORE), 1.0 - _LEAST_SCORE)
    return math.log(score / (1.0 - score)) + sought * scored.evidence.relevance
