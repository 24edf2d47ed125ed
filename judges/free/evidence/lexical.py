"""Lexical features: how much of a question a sentence and its passage repeat, and what they leave out.

Words are weighted by how rare they are in general text (document frequencies kept in ``fitted.json``), not by how rare
they are among the passages at hand: those were retrieved by the same words, and adding a passage must not change what
another one is worth.
"""

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from itertools import pairwise

from calibrant.judges.fitted import frequencies
from calibrant.judges.free.evidence.answer_kind import COST, UNTYPED, Expects, expected
from calibrant.judges.free.evidence.holding import holds
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.words.numbers import Number, numbers
from calibrant.judges.free.words.text import (
    Token,
    content_words,
    fold,
    has_negation,
    language_of,
    stem,
    tokens,
)
from calibrant.judges.free.words.units import CURRENCIES, UNITS, conversion
from calibrant.state.task import Language

SENTENCE_FEATURES = (
    "s_cov", "s_rest", "s_ctx", "s_names", "s_gap", "s_near", "s_fits", "s_lacks", "s_short", "s_head", "s_neg",
    "s_num",
)  # fmt: skip
PASSAGE_FEATURES = ("p_cov", "p_names", "p_gap", "p_lacks")

_SAME = {word: words for words in (COST, *CURRENCIES) for word in words}
"""Words that stand for each other."""
_NUMBERED = re.compile(r"(?:.*[._-])?([^\W\d_]+)[-_]?(\d{1,3})")
_RELEASE = re.compile(r"(\d{1,2}\.\d{1,2})\.\d{1,2}(?!\d)")
_MARK = re.compile(r"[A-Z]{1,4}\d+")
"""The name of a machine, a room, a course: C9, EAR115."""
_BRAND = re.compile(r"[a-z]{1,2}[A-Z]\w*|(?!\w*(?:Error|Exception|Warning)$)[A-Z][a-z]+[A-Z][a-z]*")
"""A capital inside, as in iPhone, LinkedIn, GmbH and pH; sortKeys, KeyError, ThreadPoolExecutor are names in code."""
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")
_FLOOR = 0.0005
"""Rarer than this is as telling as a word can be."""
_FRAMES = frozenset(
    {
        *("function", "method", "module", "class", "argument", "parameter", "option", "library", "package", "python"),
        *("call", "user", "programming", "code", "keyword", "função", "método", "módulo", "classe", "argumento"),
        *("parâmetro", "opção", "biblioteca", "pacote", "código", "programa"),
        *("use", "used", "using", "work", "works", "run", "usar", "usa", "usado", "usando", "funciona", "serve"),
        *("often", "whether", "behave", "behaves", "happen", "happens", "comporta", "acontece", "vezes", "times"),
        *("return", "returns", "returned", "retorna", "retornar", "devolve"),
    }
)
"""Words that name the kind of a thing whose name stands beside them: a text about it need not repeat them."""
_ASKED_KIND = re.compile(r"\b(?:what|which|qual|quais|que)\s+(?:o |a |os |as )?(\w+)", re.IGNORECASE)
_MEASURE = re.compile(r"\b(?:how|qu[aã]o) (\w+)|\bquanto (tempo)\b|\bcom que (frequência)\b", re.IGNORECASE)
"""What a question asks the measure of ("how long", "how often"): an answer gives the measure, not the word."""
_NEAR = 4
_DAYS_AND_MONTHS = frozenset(
    {
        *("terça", "terças", "quarta", "quartas", "quinta", "quintas", "sexta", "sextas", "sábado", "sábados"),
        *("domingo", "domingos", "janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto"),
        *("setembro", "outubro", "novembro", "dezembro"),
    }
)
"""Names that Portuguese writes small ("segunda" is also the second, and "segundo" according to)."""
_ONE = frozenset({"a", "an", "um", "uma"})
_KIN, _KIN_LETTERS = 0.8, 4
"""Names are of one kin that begin with as many letters (Germany, German) or are alike in spelling (Counil, Council)."""


@dataclass(frozen=True)
class Term:
    """A content word of a question. ``weight`` is 0..1; ``is_name``: a proper name, an identifier or a number."""

    word: str
    stem: str
    weight: float
    is_name: bool
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Query:
    """A question, prepared for comparison."""

    text: str
    language: Language
    terms: tuple[Term, ...]
    expects: Expects
    asked: frozenset[str]
    """The words of the question, which cannot be its answer."""
    spans: tuple[tuple[Term, int, int], ...] = ()
    """Where the terms stand in the question."""

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
        """The names that a dotted identifier ends with: ``dumps`` of ``json.dumps``. The question is about these."""
        return tuple(term.word.rsplit(".", 1)[1] for term in self.terms if "." in term.word.strip("."))

    @property
    def total(self) -> float:
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
        return frozenset(numbered for term in self.terms if (numbered := _numbered(term.word)))

    def __hash__(self) -> int:
        """Of the question alone, which everything else follows from: queries are keys of what is remembered."""
        return hash(self.text)


@lru_cache(maxsize=1_000)
def prepare(question: str) -> Query:
    """``question`` with its weighted terms. Remembered: every judgement of a run asks again."""
    language = language_of(question)
    kinds = {match.lower() for match in _ASKED_KIND.findall(question)}
    by_word = {token.word: token for token in tokens(question)}
    measures = {match.lower() for pair in _MEASURE.findall(question) for match in pair if match}
    words = [word for word in content_words(question, language) if word not in measures]
    terms = tuple(_term(by_word[word], question, language, word in kinds) for word in words)
    spans = tuple((term, by_word[term.word].start, by_word[term.word].end) for term in terms)
    return Query(question, language, terms, expected(question), frozenset(by_word), spans)


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


@lru_cache(maxsize=20_000)
def keys(text: str, language: Language) -> frozenset[str]:
    """All that a term can match in ``text``: words, parts of identifiers, stems, and the words without diacritics."""
    found: set[str] = set()
    for token in tokens(text):
        for word in (token.word, *token.parts):
            found.add(word)
            found.add(stem(word, language))
            if not word.isascii():
                found.add(fold(word))
        if release := _RELEASE.match(token.word):
            found.add(release[1])  # 0.28.0 is what people call 0.28
    return frozenset(found)


def is_said(word: str, root: str, held: frozenset[str]) -> bool:
    """Whether ``word`` or its stem ``root`` is among ``held``. What something costs is its price, and EUR are euros."""
    if word in held or root in held or (not word.isascii() and fold(word) in held):
        return True
    return word in _SAME and not held.isdisjoint(_SAME[word])


def covered(term: Term, held: frozenset[str]) -> float:
    """How much of ``term`` is among ``held``: 1 for the word or its stem, else the share of an identifier's parts."""
    if is_said(term.word, term.stem, held):
        return 1.0
    return sum(part in held for part in term.parts) / len(term.parts) if term.parts else 0.0


def coverage(query: Query, held: frozenset[str]) -> float:
    """The weighted share of the question's terms among ``held``, 0..1."""
    return _share(query.terms, held)


def _share(terms: Sequence[Term], held: frozenset[str]) -> float:
    total = sum(term.weight for term in terms)
    return sum(term.weight * covered(term, held) for term in terms) / total if total else 0.0


def left_open(query: Query, title: frozenset[str]) -> tuple[Term, ...]:
    """The terms that the title does not say; all of them where it says them all.

    Under a fitting title each sentence seems to fit. What the title leaves open is what the sentence itself has to say.
    """
    return tuple(term for term in query.terms if covered(term, title) < 0.5) or query.terms


def uncovered(query: Query, held: frozenset[str]) -> tuple[Term, ...]:
    """The terms that ``held`` leaves out, heaviest first."""
    left = [term for term in query.terms if covered(term, held) < 0.5]
    return tuple(sorted(left, key=lambda term: -term.weight))


def strangers(query: Query, held: frozenset[str]) -> tuple[Term, ...]:
    """The names in the question that nothing in ``held`` resembles: what is told there is told of something else.

    On the fit half of ``squad2``, of the passages scored 0.5 or more with such a name 9% answer, of the others 56%.
    None where each word is capitalised, as in a headline, nor among the shortest, which are abbreviated at will.
    """
    if not any(query.text[start].islower() for _, start, _ in query.spans):
        return ()
    return tuple(
        term
        for term in uncovered(query, held)
        if term.is_name and (term.word.isalpha() or _NUMBERED.fullmatch(term.word)) and not _kin(term, held)
    )


def tells_of_another(query: Query, held: frozenset[str]) -> bool:
    """Whether the question names a year that is not in ``held``, where there are others, or one of several numbered
    things (``node3``), where there are others of its kind: what is told there is told of those.

    On the fit halves 4% of the passages of another year answer.
    """
    if not query.numbered:
        return False
    told = {numbered for word in held if (numbered := _numbered(word))}
    return not {kind for kind, _ in query.numbered - told}.isdisjoint(kind for kind, _ in told)


def _numbered(word: str) -> tuple[str, str] | None:
    """A year, or one of several numbered things of a kind: ``node3`` as ``node`` and ``3``."""
    if _YEAR.fullmatch(word):
        return "", word
    found = _NUMBERED.fullmatch(word)
    return (found[1], found[2]) if found else None


def _kin(term: Term, held: frozenset[str]) -> bool:
    if len(term.word) < _KIN_LETTERS or get_close_matches(term.word, held, 1, _KIN):
        return True
    return any(word.startswith(term.word[:_KIN_LETTERS]) for word in held)


def sentence_features(query: Query, text: str, title: frozenset[str], before: frozenset[str]) -> list[float]:
    """One value per ``SENTENCE_FEATURES``. ``title``, ``before``: keys of the title and of the sentence before.

    What the title says, the sentences under it leave out: a docstring does not name its function.
    """
    held = keys(text, query.language)
    found = tokens(text)
    titled = held | title
    left = uncovered(query, titled)
    fits = holds(query.expects, text, query.asked)
    typed = query.expects not in UNTYPED
    return [
        coverage(query, titled),
        _share(left_open(query, title), held),
        coverage(query, titled | before),
        _names(query, titled),
        left[0].weight if left else 0.0,
        _near(query, found),
        float(typed and fits),
        float(typed and not fits),
        float(len(found) < 6),
        float(_heads(query, found)),
        float(_denies(query, text)),
        float(_lacks_figure(query, text, title)),
    ]


def _denies(query: Query, text: str) -> bool:
    """Whether one of the two negates and the other does not. Where a yes or a no is wanted, that is an answer."""
    return has_negation(text, query.language) != has_negation(query.text, query.language) and not is_polar(query.text)


def _lacks_figure(query: Query, text: str, title: frozenset[str]) -> bool:
    """Whether the question has a number that neither ``text`` nor the title has: a year, an amount, a version.

    A count in words ("ten machines") is said in many other ways: it is missing where the same is counted differently.
    """
    asked, told = (numbers(each, query.language) for each in (query.text, text))
    written = [number for number in asked if query.text[number.start].isdigit()]
    counted = [number for number in asked if number not in written and number.unit]
    return any(
        not any(_same_amount(number, other) for other in told)
        and title.isdisjoint({f"{number.value:.15g}", query.text[number.start : number.end]})
        for number in written
    ) or any(_counts_otherwise(query, number, text, told) for number in counted)


def _same_amount(one: Number, other: Number) -> bool:
    """Whether two numbers are equal, be it in other units: 64 KiB are no 64 GiB. What is no unit says nothing."""
    if one.unit == other.unit or not {one.unit, other.unit} <= UNITS.keys():
        return one.value == other.value
    factor = conversion(other.unit, one.unit)
    return factor is not None and math.isclose(other.value * factor, one.value)


def _counts_otherwise(query: Query, asked: Number, text: str, told: Sequence[Number]) -> bool:
    """Whether ``text`` counts what the question counts, and comes to another number: "a year", asked for two."""
    unit = stem(asked.unit, query.language)
    counts = {number.value for number in told if number.unit and stem(number.unit, query.language) == unit}
    for before, after in pairwise(tokens(text)):
        if before.word in _ONE and stem(after.word, query.language) == unit:
            counts.add(1.0)
    return bool(counts) and asked.value not in counts


def passage_features(query: Query, held: frozenset[str], fits: bool) -> list[float]:
    """One value per ``PASSAGE_FEATURES``. ``fits``: whether some sentence holds the kind of answer asked for."""
    left = uncovered(query, held)
    typed = query.expects not in UNTYPED
    return [
        coverage(query, held),
        _names(query, held),
        left[0].weight if left else 0.0,
        float(typed and not fits),
    ]


def _names(query: Query, held: frozenset[str]) -> float:
    """The share of the question's names, identifiers and numbers among ``held``; 1 when it has none."""
    names = [term for term in query.terms if term.is_name]
    return sum(covered(term, held) for term in names) / len(names) if names else 1.0


def _near(query: Query, found: tuple[Token, ...]) -> float:
    """The share of neighbouring terms of the question that stand within four words of each other."""
    if len(query.terms) < 2:
        return 0.0
    forms = [frozenset((token.word, stem(token.word, query.language), *token.parts)) for token in found]
    places = [_places(term, forms) for term in query.terms]
    pairs = pairwise(places)
    close = sum(any(abs(one - two) <= _NEAR for one in first for two in second) for first, second in pairs)
    return close / (len(places) - 1)


def _places(term: Term, forms: Sequence[frozenset[str]]) -> list[int]:
    wanted = {term.word, term.stem, *term.parts}
    return [place for place, form in enumerate(forms) if not form.isdisjoint(wanted)]


def _heads(query: Query, found: tuple[Token, ...]) -> bool:
    """Whether the sentence opens with a term of the question: it is about it, not just mentioning it."""
    opening = {part for token in found[:4] for part in (token.word, stem(token.word, query.language), *token.parts)}
    return any(term.word in opening or term.stem in opening for term in query.terms)
