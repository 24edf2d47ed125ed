"""A question, prepared for comparison: its terms, weighted, and the kind of answer it wants.

Words are weighted by how rare they are in general text (document frequencies kept in ``fitted.json``), not by how rare
they are among the passages at hand: those were retrieved by the same words, and adding a passage must not change what
another one is worth.
"""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from calibrant.judges.fitted import frequencies
from calibrant.judges.free.evidence.answer_kind import Expects, expected
from calibrant.judges.free.evidence.matching import Term, covered, is_among, numbered_in
from calibrant.judges.free.evidence.question_form import without_scene
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import Token, content_words, language_of, stem, tokens
from calibrant.judges.free.words.units import MONTHS_PT, WEEKDAYS_PT
from calibrant.state.task import Language

_MARK = re.compile(r"[A-Z]{1,4}\d+")
"""The name of a machine, a room, a course: C9, EAR115."""
_BRAND = re.compile(r"[a-z]{1,2}[A-Z]\w*|(?!\w*(?:Error|Exception|Warning)$)[A-Z][a-z]+[A-Z][a-z]*")
"""A capital inside, as in iPhone, LinkedIn, GmbH and pH; sortKeys, KeyError, ThreadPoolExecutor are names in code."""
_SAID_BEFORE = 0.5
"""What a word counts that was only said before the question, beside the question's own."""
_FLOOR = 0.0005
"""Rarer than this is as telling as a word can be."""
_FRAMES = word_set(
    "function method module class argument parameter option library package python call user programming code keyword "
    "função método módulo classe argumento parâmetro opção biblioteca pacote código programa use used using work works "
    "run usar usa usado usando funciona serve often whether behave behaves happen happens comporta acontece vezes "
    "times return returns returned retorna retornar devolve"
)
"""Words that name the kind of a thing whose name stands beside them: a text about it need not repeat them."""
_ASKED_KIND = re.compile(r"\b(?:what|which|qual|quais|que)\s+(?:o |a |os |as )?(\w+)", re.IGNORECASE)
_MEASURE = re.compile(r"\b(?:how|qu[aã]o) (\w+)|\bquanto (tempo)\b|\bcom que (frequência)\b", re.IGNORECASE)
"""What a question asks the measure of ("how long", "how often"): an answer gives the measure, not the word."""
_HOW_OFTEN = re.compile(r"\bde quant[oa]s? em quant[oa]s?\b", re.IGNORECASE)
"""What asks for a frequency without that word."""
_DAYS_AND_MONTHS = frozenset((*MONTHS_PT, *WEEKDAYS_PT, *(f"{day}s" for day in WEEKDAYS_PT))) - {"segunda", "segundas"}
"""Names that Portuguese writes small ("segunda" is also the second, and "segundo" according to)."""


@dataclass(frozen=True)
class Query:
    """A question, prepared for comparison."""

    text: str
    """What asks, without the scene."""
    language: Language
    terms: tuple[Term, ...]
    expects: Expects
    asked: frozenset[str]
    """The words of the question, which cannot be its answer; and the word for what it asks for in several."""
    spans: tuple[tuple[Term, int, int], ...] = ()
    """Where its own terms stand in ``text``."""
    scene: str = ""
    """What was said before the question, to be understood with it. Its words count less, and none of them is a name: a
    text that answers need not repeat them."""

    @property
    def whole(self) -> str:
        """The question with its scene."""
        return self.scene + self.text

    @property
    def names_code(self) -> bool:
        """Whether an identifier (``sort_keys``, ``json.dumps``) is among the terms."""
        return any(term.parts for term in self.terms)

    @property
    def is_about_code(self) -> bool:
        """Whether one of them is more than a capital letter or a few with a number, as machines and rooms have it, and
        no name such as firms and their wares have."""
        written = (self.text[start:end] for term, start, end in self.spans if term.parts)
        return any(not (_MARK.fullmatch(one) or _BRAND.fullmatch(one)) for one in written)

    @property
    def subjects(self) -> tuple[str, ...]:
        """The names that the question is about: ``dumps`` of ``json.dumps``, and ``sort_keys``."""
        names = (term.word.strip("._") for term in self.terms)
        return tuple(name.rsplit(".", 1)[-1] for name in names if "." in name or "_" in name)

    @property
    def total(self) -> float:
        """The weight of all terms."""
        return sum(term.weight for term in self.terms)

    def without_names(self, held: frozenset[str]) -> "Query":
        """The question without the names that are among ``held``, to ask it where they go without saying; as it is
        where nothing else would be left."""
        terms = tuple(term for term in self.terms if not (term.is_name and covered(term, held) == 1.0))
        if not terms or len(terms) == len(self.terms):
            return self
        return replace(self, terms=terms, spans=tuple(span for span in self.spans if span[0] in terms))

    @cached_property
    def numbered(self) -> frozenset[tuple[str, str]]:
        """The years and numbered things that are asked about."""
        return frozenset(numbered for term in self.terms if (numbered := numbered_in(term.word)))

    def __hash__(self) -> int:
        """The hash of the question, which all else follows from: queries are keys of what is remembered."""
        return hash(self.whole)


@lru_cache(maxsize=1_000)
def prepare(question: str) -> Query:
    """``question`` with its weighted terms. Remembered: every judgement of a run asks again."""
    language = language_of(question)
    text = without_scene(question)
    scene = question[: len(question) - len(text)]
    spans = _spans(text, language)
    own = tuple(term for term, _, _ in spans)
    said = {token.word for token in tokens(question)} | ({"frequência"} if _HOW_OFTEN.search(text) else set())
    terms = (*own, *_of_scene(scene, own, language))
    return Query(text, language, terms, expected(text), frozenset(said), spans, scene)


def _spans(text: str, language: Language) -> tuple[tuple[Term, int, int], ...]:
    """The terms of ``text`` and where they stand."""
    kinds = {match.lower() for match in _ASKED_KIND.findall(text)}
    by_word = {token.word: token for token in tokens(text)}
    measures = {match.lower() for pair in _MEASURE.findall(text) for match in pair if match}
    told = [by_word[word] for word in content_words(text, language) if word not in measures]
    return tuple((_term(token, text, language, token.word in kinds), token.start, token.end) for token in told)


def _of_scene(scene: str, own: Sequence[Term], language: Language) -> Iterator[Term]:
    """The terms that the scene adds to those of the question."""
    known = {term.stem for term in own}
    for term, _, _ in _spans(scene, language):
        if term.stem not in known:
            yield replace(term, weight=_SAID_BEFORE * term.weight, is_name=False)


def _term(token: Token, question: str, language: Language, is_kind: bool) -> Term:
    raw = question[token.start : token.end]
    root = stem(token.word, language)
    named = bool(token.parts) or not token.word.isalpha() or (raw[0].isupper() and token.start > 0)
    named = named or (language is Language.PORTUGUESE and token.word in _DAYS_AND_MONTHS)
    weight = 1.0 if token.parts else rarity(frequencies(language.value).get(root, 0.0))
    weight *= 0.5 if is_kind or (token.word in _FRAMES and token.start > 0) else 1.0
    return Term(token.word, root, weight, named, token.parts)


def rarity(frequency: float) -> float:
    """IDF scaled to 0.1..1: 1 for a word in fewer than one text of 2,000."""
    return max(0.1, min(1.0, math.log(1.0 / max(frequency, _FLOOR)) / math.log(1.0 / _FLOOR)))


def coverage(query: Query, held: frozenset[str]) -> float:
    """The weighted share of the question's terms among ``held``, 0..1."""
    return share_of(query.terms, held)


def share_of(terms: Sequence[Term], held: frozenset[str]) -> float:
    """The share of ``terms`` among ``held`` by weight, 0..1; 0 without terms."""
    total = sum(term.weight for term in terms)
    return sum(term.weight * covered(term, held) for term in terms) / total if total else 0.0


def left_open(query: Query, title: frozenset[str]) -> tuple[Term, ...]:
    """The terms that the title does not say; all of them where it says them all.

    Under a fitting title each sentence seems to fit. What the title leaves open is what the sentence itself has to say.
    """
    return tuple(term for term in query.terms if not is_among(term, title)) or query.terms


def uncovered(query: Query, held: frozenset[str]) -> tuple[Term, ...]:
    """The terms that ``held`` leaves out, heaviest first."""
    left = [term for term in query.terms if not is_among(term, held)]
    return tuple(sorted(left, key=lambda term: -term.weight))
