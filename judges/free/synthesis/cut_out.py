"""Whether a clause is cut out of a sentence that says something else as a whole."""

import re

from calibrant.judges.free.comparing.content import ARTICLES
from calibrant.judges.free.comparing.reading import lowered_words, read
from calibrant.judges.free.synthesis.quoted import Quoted, normal
from calibrant.judges.free.words.claim_words import CONDITIONS
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import language_of, tokens
from calibrant.state.task import Language

CLAUSES, HALVES = re.compile(r"[,;:()—–](?=\s|$)|\(|—|–"), re.compile(r"[;:](?=\s)|—")
"""What parts the statements of a sentence, and what parts a condition from what it does not belong to."""
_JOINS = ARTICLES | word_set(
    "and but or so because since as where here then now also today "
    "e mas ou porque pois onde aqui então agora também hoje"
)
"""What may open a clause that says by itself what it says."""
_BESIDE = word_set("during while durante enquanto")
"""Conditions that only say when: what is said beside them holds."""
CUT_OUT = "it is cut out of what the passage says"
"""The reason for a clause of a sentence that says something else as a whole."""


def is_cut_out(text: str, quoted: Quoted) -> bool:
    """Whether ``text`` stands in a sentence, quoted or beside what is, that says something else as a whole: "it is a
    mistake to think that ...", "... in no case", "if ..., ..."."""
    clause = normal(text)
    if len(read(text).words) < 2:  # "Five." states nothing by itself
        return False
    place = re.compile(rf"(?<!\w){re.escape(clause)}(?!\w)")
    halves = [half for one in (*quoted.quote, *quoted.bare, *quoted.around) for half in HALVES.split(normal(one))]
    rests = [(half[: one.start()], half[one.end() :]) for half in halves for one in place.finditer(half)]
    return bool(rests) and all(_changes(before, after, language_of(text)) for before, after in rests)


def _changes(before: str, after: str, language: Language) -> bool:
    """Whether the words left out around a clause change what it says: those before it that it hangs on, a negation
    after it, a condition anywhere."""
    hangs = any(one.word not in _JOINS for one in tokens(CLAUSES.split(before)[-1]))
    denied = read(CLAUSES.split(after)[0], language).negative
    limits = CONDITIONS[language] - _BESIDE
    return hangs or denied or not limits.isdisjoint(lowered_words(f"{before} … {after}", language))
