"""Entries of a list that say what they are about ("Yard manager: Ann"): whether it is what the question asks for.

A list names each thing by all of its name, so that an entry tells nothing of the deputy yard manager. Whose it is, or
for whom, it mostly leaves out: the chair of the club is its chair.
"""

import re
from collections.abc import Sequence
from functools import lru_cache
from typing import TypeVar

from calibrant.judges.free.answering.modifiers import tells_apart
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.matching import Term, is_among, is_said, keys
from calibrant.judges.free.evidence.query import Query, left_open
from calibrant.judges.free.evidence.relevance import ScoredPassage
from calibrant.judges.free.words.lists import OF_OR_FOR, word_set
from calibrant.judges.free.words.tables import cells, is_row
from calibrant.judges.free.words.text import Sentence, content_words, tokens
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

T = TypeVar("T")

_LABEL = re.compile(r"((?:[^\W\d_]+[ -]){0,3}[^\W\d_]+): \S")
"""Up to four words. Names of settings are no words."""
_ARTICLES = word_set("the a an your our their its o os as um uma seu sua")
_IDLE = word_set(
    "current present new actual own full right correct best main real atual novo nova melhor direito direita"
)
"""Words that make no other thing of the one that they are said of, though they have an opposite."""
_DEPUTIES = word_set(
    "deputy vice assistant acting interim former previous past retired honorary youth emergency emergencies weekend "
    "backup adjunto adjunta substituto substituta suplente interino interina ex anterior auxiliar honorário honorária "
    "juvenil emergência emergências"
)
"""Words that make another office or thing of the one that they are said of, besides those that have an opposite."""
_BODIES = word_set(
    "committee subcommittee commission department section division comissão subcomissão comitê comité departamento "
    "secção seção divisão"
)
"""Parts of a house that have offices of their own."""
_HOUSES = word_set(
    "school library museum hospital church university college theatre hotel restaurant shop escola biblioteca museu "
    "igreja universidade faculdade teatro restaurante loja"
)
"""Houses: under the title of one, another is asked for in vain."""


def label_of(sentence: Sentence) -> str:
    """What an entry of a list says that it is about; empty for anything else, and for the row of a table."""
    found = _LABEL.match(sentence.text) if sentence.kind == "item" and not is_row(sentence.text) else None
    return found[1] if found else ""


def entries_asked_for(query: Query, found: Sequence[tuple[T, Evidence, Sentence]]) -> list[T]:
    """``found`` (each with its passage and sentence) without entries that are not meant: where the label of one says
    all that the title leaves open of the question, only such ones of its document stay. Beside the yard manager no
    treasurer is told."""
    settled = {item.document for _, item, sentence in found if _is_meant(query, item, sentence)}
    return [
        one
        for one, item, sentence in found
        if item.document not in settled or not label_of(sentence) or _is_meant(query, item, sentence)
    ]


def _is_meant(query: Query, item: Evidence, sentence: Sentence) -> bool:
    said, above = (keys(text, query.language) for text in (label_of(sentence), line_above(item)))
    return all(is_among(term, said) for term in left_open(query, above)) and bool(said)


def asks_for_less(query: Query, passage: ScoredPassage, sentence: Sentence) -> bool:
    """Whether the question narrows down what the label of an entry, or the column of a row, names to another office or
    thing, by a word that neither the entry says nor the prose beside it nor what stands above: the deputy yard manager,
    the chair of the safety committee. The chair of the board, or the treasurer elected, is not another one."""
    labels = [column for column, _ in cells(sentence.text)] if is_row(sentence.text) else [label_of(sentence)]
    return any(_narrows_down(query, label, passage, sentence) for label in labels)


def _narrows_down(query: Query, label: str, passage: ScoredPassage, sentence: Sentence) -> bool:
    """Whether the question narrows down what ``label`` names, which stands in ``sentence``, to another thing."""
    said, asked = (keys(text, query.language) for text in (label, query.text))
    places = [at for at, (term, _, _) in enumerate(query.spans) if is_among(term, said)]
    words = content_words(label, query.language)
    if not places or not all(is_said(word, query.language, asked) for word in words):
        return False
    narrowing = [term for term in (*_before(query, places[0]), *_behind(query, places[-1])) if term.word not in _IDLE]
    held = _held(query.language, passage, sentence) if narrowing else frozenset[str]()
    open_ones = [term for term in narrowing if not is_among(term, held)]
    if not open_ones:
        return False  # the entries of a long table are not all read for each of its rows
    beside = [keys(other, query.language) for other in _labels(passage.found) if other != label]
    alike = [other for other in beside if all(is_said(word, query.language, other) for word in words)]
    above = keys(line_above(passage.evidence), query.language)
    return any(
        _makes_another(query.language, term, above) or any(is_among(term, other) for other in alike)
        for term in open_ones
    )


def _makes_another(language: Language, term: Term, above: frozenset[str]) -> bool:
    """Whether a word makes another thing of the one that it narrows down."""
    if term.word in _HOUSES:
        return not above.isdisjoint(_HOUSES)
    parts = {term.word, *term.parts}
    return not parts.isdisjoint(_DEPUTIES | _BODIES) or any(tells_apart(part, language) for part in parts)


@lru_cache(maxsize=100)
def _labels(found: tuple[Sentence, ...]) -> tuple[str, ...]:
    """What the entries of a passage say that they are about. Asked for each of them, and read once."""
    return unique(filter(None, map(label_of, found)))


def _held(language: Language, passage: ScoredPassage, sentence: Sentence) -> frozenset[str]:
    """What an entry says with its surroundings, but for other entries; words with a hyphen also without it."""
    prose = (one.text for one in passage.found if one.kind != "item")
    text = " ".join([line_above(passage.evidence), *prose, sentence.text])
    return keys(text, language) | keys(text.replace("-", ""), language)


def _before(query: Query, place: int) -> list[Term]:
    """The terms between an article and the term at ``place``."""
    first = place
    while first and _touch(query, first - 1):
        first -= 1
    before = [token.word for token in tokens(query.text) if token.end <= query.spans[first][1]]
    return [term for term, _, _ in query.spans[first:place]] if before and before[-1] in _ARTICLES else []


def _behind(query: Query, place: int) -> list[Term]:
    """The terms of what the one at ``place`` is of: the safety committee."""
    if place + 1 == len(query.spans):
        return []
    between = {token.word for token in tokens(query.text[query.spans[place][2] : query.spans[place + 1][1]])}
    if between.isdisjoint(OF_OR_FOR) or not between <= OF_OR_FOR | _ARTICLES:
        return []
    end = place + 1
    while end + 1 < len(query.spans) and _touch(query, end):
        end += 1
    return [term for term, _, _ in query.spans[place + 1 : end + 1]]


def _touch(query: Query, place: int) -> bool:
    """Whether nothing stands between the term at ``place`` and the next one."""
    (_, _, end), (_, start, _) = query.spans[place : place + 2]
    return not query.text[end:start].strip(" -")
