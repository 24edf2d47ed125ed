"""Words for the full-text index: what a query asks for, and the parts of identifiers.

The index keeps ``_`` inside words, so ``sort_keys`` is found whole; a column of its own holds the parts of each
identifier (``sort keys``), so that ``sortKeys``, ``sort_keys`` and "sort keys" find one another. Chinese, Japanese and
Korean stand there too, as overlapping pairs of characters: no spaces tell their words apart.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calibrant.state.evidence import storable

MAX_TERMS = 48
"""A pasted page is a poor query; the first words that carry meaning are enough."""

_WORD = re.compile(r"\w+(?:[.\-]\w+)*")
_NAME = re.compile(r"\w{3,}")
_PAIRED = "[々〇ぁ-ヺー-ヿ㐀-䶿一-鿿가-힣豈-\ufaff\U00020000-\U0003ffff]"
_SEAM = re.compile(
    r"_+|(?<=[a-zß-ÿ\d])(?=[A-ZÀ-Þ])|(?<=[A-ZÀ-Þ])(?=[A-ZÀ-Þ][a-zß-ÿ])"
    rf"|(?<={_PAIRED})(?!{_PAIRED})|(?<!{_PAIRED})(?={_PAIRED})"
)
_UNSPACED = re.compile(_PAIRED)
_CONTRACTION = re.compile(
    r"\b(?:\w+n['’]t|(?:i|you|he|she|it|we|they|what|who|how|where|that|there)['’]\w+)\b|['’]s\b", re.IGNORECASE
)

_ENGLISH = """
a an and any are as at be been being but by can could did do does doing for from had has have having he her
here hers him his how i if in into is it its itself just may me might mine must my no nor not of on onto or our
ours please shall she should so some such than that the their theirs them then there these they this those to too us
very was we were what whatever when where whether which who whom whose why will with would you your yours tell explain
happens happen
"""
_PORTUGUESE = """
a ao aos aquela aquele aquilo as ate com como cada da das de dela dele des do dos e ela elas ele eles em entao era essa
esse esta estao estas este estes estou eu foi foram ha isso isto ja la lhe mais mas me meu minha muito na nao nas nem no
nos nossa nosso num numa o ou para pela pelas pelo pelos por porque posso qual quais quando quanto quantos que quem se
sem ser seu seus so sobre sua suas tambem tem tenho ter um uma umas uns voce voces explique diga
"""
STOP_WORDS = frozenset(f"{_ENGLISH} {_PORTUGUESE}".split())
"""Fewer than elsewhere: a word that is left out here is searched for nowhere, so those of order, place and amount stay
(before, under, all)."""


@dataclass(frozen=True)
class Term:
    """One word of a query. ``phrases`` are the ways in which a passage may write it, each a tuple of words."""

    text: str
    phrases: tuple[tuple[str, ...], ...]

    @property
    def plain(self) -> tuple[str, ...]:
        """Its parts, for counting which of the query's words a passage covers."""
        return self.phrases[-1]


def terms_of(text: str) -> list[Term]:
    """The words of a query that carry meaning, each once. None for a query of stop words, signs or nothing."""
    found = {term.text: term for word in _WORD.findall(_clean(text)) for term in _terms(word)}
    return list(found.values())[:MAX_TERMS]


def match_expression(terms: Sequence[Term]) -> str:
    """An FTS5 query for passages with any of ``terms``. Every word is quoted, so none can be an operator."""
    phrases = dict.fromkeys(phrase for term in terms for phrase in (*term.phrases, *((p,) for p in term.plain)))
    return " OR ".join(_quoted(phrase) for phrase in phrases)


def identifier_parts(texts: Iterable[str]) -> str:
    """The identifiers in ``texts`` taken apart, one per line, each once: ``sort keys`` for ``sort_keys``."""
    composed = (unicodedata.normalize("NFC", text) for text in texts)
    found = dict.fromkeys(name for text in composed for name in _NAME.findall(text) if _compound(name))
    return "\n".join(dict.fromkeys(" ".join(split_identifier(name)) for name in found))


def split_identifier(name: str) -> tuple[str, ...]:
    """``sort_keys``, ``sortKeys`` and ``SORTKeys`` as their lowercase parts; ``任务队列`` as its pairs."""
    return tuple(pair for part in _SEAM.split(name) if part for pair in _pairs(part.lower()))


def _pairs(part: str) -> Sequence[str]:
    return [part[at : at + 2] for at in range(len(part) - 1 or 1)] if _UNSPACED.match(part) else (part,)


def _compound(name: str) -> bool:
    mixed = "_" in name or not (name.islower() or name.isupper() or name.istitle())
    return mixed or (not name.isascii() and _UNSPACED.search(name) is not None)


def _terms(word: str) -> Iterator[Term]:
    """A plain word; or a compound one with the ways to write it, last its parts."""
    pieces = tuple(piece for piece in re.split(r"[.\-]", word) if piece)
    parts = tuple(part for piece in pieces for part in split_identifier(piece)) or pieces
    if len(parts) == 1 and folded(word) in STOP_WORDS:
        return
    whole = tuple(piece.lower() for piece in pieces)
    yield Term(word.lower(), (whole,) if whole == parts else (whole, parts))


def _clean(text: str) -> str:
    """Composed characters, without those that SQLite cannot store, and without contractions (``don't``, ``what's``)."""
    return _CONTRACTION.sub(" ", unicodedata.normalize("NFC", storable(text)))


def folded(word: str) -> str:
    """``word`` in small letters without its accents, as the index has it."""
    plain = unicodedata.normalize("NFD", word.lower())
    return "".join(char for char in plain if not unicodedata.combining(char))


def _quoted(phrase: Sequence[str]) -> str:
    return '"' + " ".join(phrase).replace('"', '""') + '"'
