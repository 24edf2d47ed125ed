"""Telling by words how far one text bears out another."""

import re
from functools import lru_cache

from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.words.arithmetic import without_workings
from calibrant.judges.free.words.text import fold, folded_stems, language_of, sentences, stem, words
from calibrant.judges.free.words.tongues import is_unknown
from calibrant.judges.model.names import is_day_or_month
from calibrant.judges.model.quoting import Found, plain_word, plain_words

STATED = 0.6
"""A sentence with this share of a statement's content words is taken as its source when the quote is not there."""

UNREAD = 0.5
"""How far words bear out what cannot be compared with them."""


def best_sentence(statement: str, text: str, above: str = "") -> Found | None:
    """The sentence of ``text`` that says what ``statement`` says, by its words, some of which may stand ``above``; None
    if none does. One word is none: it stands in many sentences."""
    wanted = folded_stems(statement)
    told = [sentence for sentence in sentences(text) if len(wanted & _held_stems(sentence.text)) > 1]
    scored = [(overlap(statement, f"{above} {sentence.text}"), -sentence.start, sentence) for sentence in told]
    if not scored:
        return None
    score, _, sentence = max(scored, key=lambda row: row[:2])
    return Found(sentence.start, sentence.end, text[sentence.start : sentence.end]) if score >= STATED else None


@lru_cache(maxsize=2_000)
def _held_stems(text: str) -> frozenset[str]:
    """The stems of ``text`` that may bear out a statement: an identifier's parts too, as ``price_per_hour`` of a table
    is told as a price per hour."""
    language = language_of(text)
    return frozenset(fold(stem(word, language)) for word in words(text))


def overlap(statement: str, quote: str, *told: str, asked: str = "") -> float:
    """The share of the statement's content words that the quote has, 0..1; halved by a number that stands neither there
    nor in what else was ``told``, and is not worked out from these and what was ``asked``."""
    wanted = folded_stems(without_workings(statement))
    if not wanted:
        return 0.0
    share = len(wanted & _held_stems(quote)) / len(wanted)
    return share if not strange_numbers(statement, quote, *told, asked=asked) else share / 2


def bears_out(statement: str, quote: str, *told: str, asked: str = "") -> float:
    """How far ``quote`` bears out ``statement``, 0..1. Across languages only names and numbers can be compared; in one
    that the LLM-free tier does not know, names are not told from other words either."""
    worth = 1.0 if not strange_numbers(statement, quote, *told, asked=asked) else 0.5
    if is_unknown(statement) or is_unknown(quote):
        return UNREAD * worth
    if language_of(statement) is language_of(quote):
        return overlap(statement, quote, *told, asked=asked)
    capitals = re.findall(r"(?<!^)(?<![.!?]\s)\b[A-ZÀ-Þ]\w+", statement)
    names = {plain_word(word) for word in capitals if not is_day_or_month(word.lower())}
    held = set(plain_words(quote))
    share = len(names & held) / len(names) if names else UNREAD
    return share * worth
