"""Text, as every LLM-free judgement sees it: language, sentences, words, numbers, negation. English and Portuguese.

Pure functions over strings, standard library only.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import NamedTuple

from calibrant.judges.free.feat_sentences import Sentence, sentences, sentences_of
from calibrant.judges.free.feat_stem import fold, stem
from calibrant.judges.free.feat_words import (
    CERTAINTIES,
    HEDGES,
    LANGUAGE_CUES,
    NEGATIONS,
    QUESTION_WORDS,
    STOP_WORDS,
)
from calibrant.state.task import Language

__all__ = [
    "CERTAINTIES",
    "HEDGES",
    "QUESTION_WORDS",
    "STOP_WORDS",
    "Number",
    "Sentence",
    "Token",
    "content_words",
    "cues_in",
    "fold",
    "has_negation",
    "language_of",
    "numbers",
    "sentences",
    "sentences_of",
    "stem",
    "stems",
    "tokens",
    "words",
]

_TOKEN = re.compile(r"\d+(?:[.,]\d+)+|[^\W\d_]+(?:['’][^\W\d_]+)?(?=[^\w.]|\.\W|\.?$)|\w+(?:\.\w+)*")
_CAMEL = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-zà-ÿ]+|[A-Z]+|\d+")
_PORTUGUESE_SIGNS = re.compile(r"[ãõçáéíóúâêôà]", re.IGNORECASE)
_CONTRACTED_NOT = re.compile(r"n['’]t\b", re.IGNORECASE)


class Token(NamedTuple):
    """A word of a text: ``word`` is lowercase, ``parts`` are those of an identifier (``sort_keys`` -> sort, keys).

    A tuple, since there are thousands of them in a run: a frozen dataclass takes three times as long to make.
    """

    word: str
    start: int
    end: int
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Number:
    """A number in a text. ``unit``: the sign or word beside it (``%``, ``km``, ``$``), lowercase; may be empty."""

    value: float
    unit: str
    start: int
    end: int


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
    return tuple(_token(match) for match in _TOKEN.finditer(text))


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


def words(text: str, fold_accents: bool = False) -> list[str]:
    """The lowercase words of ``text``; an identifier is followed by its parts (sort_keys, sort, keys)."""
    found = [word for token in tokens(text) for word in (token.word, *token.parts)]
    return [fold(word) for word in found] if fold_accents else found


@lru_cache(maxsize=5_000)
def content_words(text: str, language: Language | None = None) -> tuple[str, ...]:
    """The words that carry the topic: no stop words, no question words, no repeats, in order.

    Identifiers stay whole (their parts are not listed): they are the most telling words of all.
    """
    known = language or language_of(text)
    silent = _silent(known)
    found = (token.word for token in tokens(text))
    return tuple(dict.fromkeys(word for word in found if word not in silent and not _is_noise(word)))


@cache
def _silent(language: Language) -> frozenset[str]:
    return STOP_WORDS[language] | QUESTION_WORDS[language]


def _is_noise(word: str) -> bool:
    return not any(char.isalnum() for char in word) or (len(word) == 1 and not word.isdigit())


def stems(text: str, language: Language | None = None) -> list[str]:
    """The stems of all words of ``text`` (parts of identifiers included), in order."""
    known = language or language_of(text)
    return [stem(word, known) for word in words(text)]


def has_negation(text: str, language: Language | None = None) -> bool:
    """Whether a word of ``text`` negates. (The Portuguese "no" is "in the", hence the language.)"""
    known = language or language_of(text)
    if known is Language.ENGLISH and _CONTRACTED_NOT.search(text):
        return True
    return any(token.word in NEGATIONS[known] for token in tokens(text))


def cues_in(text: str, cues: Iterable[str]) -> list[str]:
    """Those of ``cues`` (lowercase words or phrases) that stand in ``text`` as whole words."""
    lowered = text.lower()
    return [cue for cue in cues if cue in lowered and re.search(rf"(?<!\w){re.escape(cue)}(?!\w)", lowered)]


_SCALES = {
    "hundred": 1e2, "thousand": 1e3, "mil": 1e3, "million": 1e6, "milhão": 1e6, "milhões": 1e6, "billion": 1e9,
    "bilhão": 1e9, "bilhões": 1e9, "trillion": 1e12, "trilhão": 1e12, "trilhões": 1e12,
}  # fmt: skip
_SMALL = {
    word: float(value)
    for names in (
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen "
        "seventeen eighteen nineteen",
        "- - dois três quatro cinco seis sete oito nove dez onze doze treze quatorze quinze dezesseis dezessete "
        "dezoito dezenove",
        "- - - - - - - - - - - - - - catorze - dezasseis dezassete - dezanove",
        "- - duas",
    )
    for value, word in enumerate(names.split())
    if word != "-"
}
_TENS = {
    word: 10.0 * value
    for names in (
        "twenty thirty forty fifty sixty seventy eighty ninety",
        "vinte trinta quarenta cinquenta sessenta setenta oitenta noventa",
    )
    for value, word in enumerate(names.split(), 2)
}
_IN_WORDS = rf"(?:{'|'.join(_TENS)})(?:(?:-| e | )(?:{'|'.join(_SMALL)})\b)?|(?:{'|'.join(_SMALL)})"
_SIGNS = "$€£¥%°"
_NUMBER = re.compile(
    rf"(?P<before>R\$|US\$|[{_SIGNS}])?\s?(?<![\w.])(?P<sign>-(?=\d))?"
    rf"(?P<digits>\d+(?:[.,]\d+)*|\b(?:{_IN_WORDS})\b)"
    rf"(?:[ -]?(?P<scale>{'|'.join(_SCALES)})\b)?(?:\s?(?P<after>[{_SIGNS}])|[ -]?(?P<unit>[^\W\d_]+))?",
    re.IGNORECASE,
)


@lru_cache(maxsize=10_000)
def numbers(text: str, language: Language | None = None) -> tuple[Number, ...]:
    """The numbers of ``text`` with their units: "5 km" -> (5, "km"), "R$ 1.500,00" -> (1500, "r$"), "two files"."""
    known = language or language_of(text)
    return tuple(_number(match, known) for match in _NUMBER.finditer(text))


def _number(match: re.Match[str], language: Language) -> Number:
    value = _value(match["digits"].lower(), language) * _SCALES.get((match["scale"] or "").lower(), 1.0)
    unit = (match["before"] or match["after"] or match["unit"] or "").lower()
    silent = unit in STOP_WORDS[language]
    start, end = match.span("digits")
    return Number(-value if match["sign"] else value, "" if silent else unit, start, end)


def _value(digits: str, language: Language) -> float:
    """The value of a number as written: 1,500.25 in English, 1.500,25 in Portuguese; 3.14 and 3,14 in either."""
    if not digits[0].isdigit():
        return sum((_SMALL | _TENS)[word] for word in re.split(r" e |[ -]", digits))
    grouping, point = (".", ",") if language is Language.PORTUGUESE else (",", ".")
    if re.fullmatch(rf"\d{{1,3}}(?:\{grouping}\d{{3}})+(?:\{point}\d+)?", digits):
        return float(digits.replace(grouping, "").replace(point, "."))
    plain = digits.replace(",", ".")
    whole, *rest = plain.split(".")
    return float(f"{whole}.{''.join(rest)}") if rest else float(whole)
