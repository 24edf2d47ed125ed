"""What of a question a text repeats: a term by its word, its stem, or the parts of an identifier."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from calibrant.judges.free.evidence.answer_kind import COST
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import fold, stem, tokens
from calibrant.judges.free.words.units import CURRENCIES
from calibrant.state.task import Language

_WEIGHT, _LEAST = word_set("weigh weighs weight"), word_set("minimum least")
_SAME = {word: words for words in (COST, _WEIGHT, _LEAST, *CURRENCIES) for word in words}
_SAME |= dict.fromkeys(("latest", "newest", "last", "recent"), frozenset(["latest", "newest"]))
_SAME |= {"version": frozenset(["release"])}
"""Words that stand for each other; of some only the one in a question for the other in a text: its last version is the
latest release, and the last page is not the latest."""
EVERYBODY = word_set(
    "people persons person staff employee employees members member users user customers customer patients patient "
    "visitors visitor pessoas pessoa todos todas funcionário funcionários funcionária funcionárias empregado "
    "empregados colaborador colaboradores membro membros usuário usuários utilizador utilizadores cliente clientes "
    "paciente pacientes"
)
"""Whom a document speaks to, or of, as a whole."""
_SPOKEN_TO = word_set("you your we our everyone everybody each você vocês nós")
"""How it does: "you have 28 days" tells what employees have."""
NUMBERED = re.compile(r"(?:.*[._-])?([^\W\d_]+)[-_]?(\d{1,3})")
"""One of several numbered things of a kind: ``node3``."""
_RELEASE = re.compile(r"(\d{1,2}\.\d{1,2}(?=\.\d{1,2}(?!\d)|\.x\b)|\d{1,2}(?=\.x\b))")
_YEAR = re.compile(r"1[5-9]\d\d|20\d\d")


@dataclass(frozen=True)
class Term:
    """A content word of a question. ``weight`` is 0..1; ``is_name``: a proper name, an identifier or a number."""

    word: str
    stem: str
    weight: float
    is_name: bool
    parts: tuple[str, ...] = ()


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
            found.add(release[1])  # 0.28.0 is what people call 0.28, and 1.x 1
    return frozenset(found)


def is_said(word: str, language: Language, held: frozenset[str]) -> bool:
    """Whether ``word`` or its stem is among ``held``. What something costs is its price, and EUR are euros."""
    return _stands(word, stem(word, language), held)


def _stands(word: str, root: str, held: frozenset[str]) -> bool:
    if word in held or root in held or (not word.isascii() and fold(word) in held):
        return True
    if word in EVERYBODY and not held.isdisjoint(_SPOKEN_TO):
        return True
    return word in _SAME and not held.isdisjoint(_SAME[word])


def covered(term: Term, held: frozenset[str]) -> float:
    """How much of ``term`` is among ``held``: 1 for the word or its stem, else the share of an identifier's parts."""
    if _stands(term.word, term.stem, held):
        return 1.0
    return sum(part in held for part in term.parts) / len(term.parts) if term.parts else 0.0


def is_among(term: Term, held: frozenset[str]) -> bool:
    """Whether ``held`` has ``term``, or half of an identifier's parts at least."""
    return covered(term, held) >= 0.5


def are_all_in(terms: Iterable[Term], held: frozenset[str]) -> bool:
    """Whether ``held`` has all of each of ``terms``."""
    return all(covered(term, held) == 1.0 for term in terms)


def numbered_in(word: str) -> tuple[str, str] | None:
    """A year, or one of several numbered things of a kind: ``node3`` as ``node`` and ``3``."""
    if _YEAR.fullmatch(word):
        return "", word
    found = NUMBERED.fullmatch(word)
    return (found[1], found[2]) if found else None
