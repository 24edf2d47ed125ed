"""Text, as every LLM-free judgement sees it: language, sentences, words, negation. English and Portuguese.

Pure functions over strings, standard library only.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from difflib import get_close_matches
from functools import cache, lru_cache
from typing import NamedTuple, TypeVar

from calibrant.judges.free.words.lists import (
    ANY_STOP_WORD,
    CERTAINTIES,
    HEDGES,
    LANGUAGE_CUES,
    NEGATIONS,
    QUESTION_WORDS,
    STOP_WORDS,
)
from calibrant.judges.free.words.sentences import Sentence, sentences, sentences_of
from calibrant.judges.free.words.stemming import fold, stem
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

__all__ = [
    "CERTAINTIES",
    "HEDGES",
    "QUESTION_WORDS",
    "STOP_WORDS",
    "RateSentences",
    "Sentence",
    "Token",
    "content_stems",
    "content_words",
    "cues_in",
    "fold",
    "folded_stems",
    "has_negation",
    "language_of",
    "none_in_another",
    "sentences",
    "sentences_of",
    "silent_words",
    "stand_in_a_row",
    "stem",
    "stems",
    "tokens",
    "uncased",
    "words",
]

T = TypeVar("T")

RateSentences = Callable[[str, Sequence[Evidence]], Sequence[tuple[float, Evidence, Sentence]]]
"""Gives the sentences of passages that may answer a question with their scores, 0..1, best first."""

_TOKEN = re.compile(
    r"(?<![\w-])-[^\W\d_](?![\w-])|\d+(?:[.,]\d+)+|[^\W\d_]+(?:['’][^\W\d_]+)?(?=[^\w.]|\.\W|\.?$)|\w+(?:\.\w+)*"
)
_LONG = 6
"""Letters from which a word may be taken for a misspelt one."""
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-zà-ÿ]+|[A-Z]+|\d+")
_PORTUGUESE_SIGNS = re.compile(r"[ãõçáéíóúâêôà]", re.IGNORECASE)
_CONTRACTED_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)
_CASELESS = str.maketrans("İıſ\u212a", "iisk")
"""Letters that a pattern which ignores case takes for an i, an s or a k; ``str.lower`` leaves some of them as they are.
The last is the sign of kelvins."""


_MARKED = re.compile(r"(?<!\w)_(?=[^\W_])([^_`\n]{1,200})(?<=[^\W_])_(?!\w)")
"""What stands between two underscores: emphasized, where it is not a name."""
_PLAIN = ANY_STOP_WORD.union(*NEGATIONS.values())
"""Words that nobody names a thing by."""


def unmarked(text: str) -> str:
    """``text`` with spaces for the underscores that emphasize some words of it, or one that is no name: "_will not_",
    "_not_", but not ``_value_``."""
    return _MARKED.sub(_without_marks, text) if "_" in text else text


def _without_marks(match: re.Match[str]) -> str:
    said = match[1]
    is_name = not re.search(r"\s", said) and said.lower() not in _PLAIN
    return match.group() if is_name else f" {said} "


def uncased(found: str) -> str:
    """What a pattern that ignores case has found, as a table of lowercase words has it."""
    return found.translate(_CASELESS).lower()


class Token(NamedTuple):
    """A word of a text: ``word`` is lowercase, ``parts`` are those of an identifier (``sort_keys`` -> sort, keys).

    A tuple, since there are thousands of them in a run: a frozen dataclass takes three times as long to make.
    """

    word: str
    start: int
    end: int
    parts: tuple[str, ...] = ()


@lru_cache(maxsize=2_000)
def language_of(text: str) -> Language:
    """The language of ``text``, by its frequent words and signs. English where nothing tells."""
    score = 0.0
    for word in re.findall(r"[^\W\d_]+", text[:4000].lower()):
        score += (word in LANGUAGE_CUES[Language.PORTUGUESE]) - (word in LANGUAGE_CUES[Language.ENGLISH])
        score += 0.5 if _PORTUGUESE_SIGNS.search(word) else 0.0
    return Language.PORTUGUESE if score > 0 else Language.ENGLISH


@lru_cache(maxsize=20_000)
def tokens(text: str) -> tuple[Token, ...]:
    """The words of ``text`` in order, identifiers whole, with offsets."""
    return tuple(_token(match) for match in _TOKEN.finditer(unmarked(text)))


def _token(match: re.Match[str]) -> Token:
    raw = match.group()
    word = raw.lower().replace("’", "'")
    word = word[:-2] if word.endswith("'s") else word
    return Token(word, match.start(), match.end(), _parts(raw))


def _parts(raw: str) -> tuple[str, ...]:
    """The parts of an identifier (snake_case, dotted, camelCase); none for a plain word or a number."""
    if (raw.isalpha() and (len(raw) == 1 or raw[1:].islower() or raw.isupper())) or raw[0].isdigit():
        return ()
    found = tuple(part.lower() for part in _CAMEL.findall(raw))
    return found if len(found) > 1 and "'" not in raw and "’" not in raw else ()


def words(text: str) -> list[str]:
    """The lowercase words of ``text``; an identifier is followed by its parts (sort_keys, sort, keys)."""
    return [word for token in tokens(text) for word in (token.word, *token.parts)]


@lru_cache(maxsize=5_000)
def content_words(text: str, language: Language | None = None) -> tuple[str, ...]:
    """The words that carry the topic: no stop words, no question words, no repeats, in order.

    Identifiers stay whole (their parts are not listed): they are the most telling words of all.
    """
    known = language or language_of(text)
    silent = silent_words(known)
    found = (token.word for token in tokens(text))
    return tuple(dict.fromkeys(word for word in found if word not in silent and not _is_noise(word)))


@cache
def silent_words(language: Language) -> frozenset[str]:
    """Words that carry no topic: function words, and those that only ask."""
    return STOP_WORDS[language] | QUESTION_WORDS[language]


def _is_noise(word: str) -> bool:
    return not any(char.isalnum() for char in word) or (len(word) == 1 and not word.isdigit())


def content_stems(text: str, language: Language | None = None) -> frozenset[str]:
    """The stems of the words that carry the topic."""
    known = language or language_of(text)
    return frozenset(stem(word, known) for word in content_words(text, known))


@lru_cache(maxsize=2_000)
def folded_stems(text: str) -> frozenset[str]:
    """``content_stems`` without accents, in the language of ``text`` itself: what two texts share, however typed."""
    return frozenset(map(fold, content_stems(text)))


def stems(text: str, language: Language | None = None) -> list[str]:
    """The stems of all words of ``text`` (parts of identifiers included), in order."""
    known = language or language_of(text)
    return [stem(word, known) for word in words(text)]


def has_negation(text: str, language: Language) -> bool:
    """Whether a word of ``text`` negates. (The Portuguese "no" is "in the", hence the language.)"""
    if language is Language.ENGLISH and _CONTRACTED_NOT.search(text):
        return True
    return any(token.word in NEGATIONS[language] for token in tokens(text))


def cues_in(text: str, cues: Iterable[str]) -> list[str]:
    """Those of ``cues`` (lowercase words or phrases) that stand in ``text`` as whole words."""
    lowered = text.lower()
    return [cue for cue in cues if cue in lowered and re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", lowered)]


def stand_in_a_row(some: Sequence[str], words: Sequence[str]) -> bool:
    """Whether ``some`` words follow each other in ``words``, both lists or both tuples."""
    return any(words[at : at + len(some)] == some for at in range(len(words) - len(some) + 1))


def none_in_another(found: Iterable[T], said: Callable[[T], str]) -> list[T]:
    """``found`` without those that only repeat an earlier one with more or fewer words around it."""
    kept: list[T] = []
    for one in found:
        if not any(said(one) in said(other) or said(other) in said(one) for other in kept):
            kept.append(one)
    return kept


def is_misspelt(word: str, known: Iterable[str], alike: float) -> bool:
    """Whether a long ``word`` differs in a letter from one of ``known``: "hapens". ``alike``: the least share of their
    letters (0..1) that the two have in common. Nobody misses the first: paternity is no maternity."""
    if len(word) < _LONG:
        return False
    return bool(get_close_matches(word, {one for one in known if one[:1] == word[0]}, 1, alike))
