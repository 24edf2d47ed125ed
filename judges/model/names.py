"""Names that a model tells and no source does."""

import re

from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.words.dictionary import is_usual
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.text import language_of, tokens
from calibrant.judges.free.words.tongues import is_unknown
from calibrant.judges.free.words.units import MONEY, MONTHS, UNITS, WEEKDAYS
from calibrant.judges.model.quoting import plain_word, plain_words
from calibrant.state.task import Language

DERIVED = 4
"""Words that begin with so many letters in common may be of one name: Asia and Asian, Lisbon and Lisboa."""


def strange_names(statement: str, *sources: str) -> tuple[str, ...]:
    """The names in ``statement`` that no source has, nor what they are made of: Asian of Asia, EU of European Union.
    "20 euros" tells the money EUR too. None across languages, which translate names."""
    held = " ".join(sources)
    if is_unknown(statement) or is_unknown(held) or language_of(statement) is not language_of(held):
        return ()
    whole, parts = plain_words(held), (part for token in tokens(held) for part in token.parts)
    known, initials = {*whole, *map(plain_word, parts)}, "".join(word[:1] for word in whole)
    beginnings = {word[:DERIVED] for word in known}
    paid_in = {_measured_in(number.unit) for number in numbers(held)} & MONEY

    def is_told(name: str) -> bool:
        if stands_in(name, held):  # with its apostrophe: You're Next
            return True
        low = plain_word(name)
        is_made_of = low in known or low[:DERIVED] in beginnings or (name.isupper() and low in initials)
        return is_made_of or _measured_in(low) in paid_in

    language = language_of(statement)
    named = (
        word
        for word in read(statement).words
        if word.name and not (is_day_or_month(word.low) or _opens(statement, word.start, language))
    )
    return tuple(said for word in named if not is_told(said := statement[word.start : word.end].removesuffix("'s")))


def stands_in(name: str, text: str) -> bool:
    """Whether ``text`` has ``name`` as it is written, in whatever case."""
    return re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text, re.IGNORECASE) is not None


def _opens(text: str, start: int, language: Language) -> bool:
    """Whether a usual word opens a sentence there: its capital is the sentence's ("Since Miniflux 2.2.11 ...")."""
    is_first = text[:start].rstrip(" \n\"'(“*_-")[-1:] in ("", ".", ":", "!", "?")
    word = re.match(r"\w+", text[start:])
    return is_first and word is not None and is_usual(word.group(), language)


def _measured_in(unit: str) -> str:
    """The canonical unit of ``unit``; empty of what is none."""
    return UNITS.get(unit, ("", 1.0))[0]


def is_day_or_month(word: str) -> bool:
    """Whether English writes ``word`` with a capital, and another language with another word."""
    return word.removesuffix("s") in WEEKDAYS or word in MONTHS
