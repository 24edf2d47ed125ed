"""The content words of a sentence: those that are neither function words nor part of a number or a date."""

from dataclasses import dataclass
from functools import cache

from calibrant.judges.free.words.claim_words import FORCE
from calibrant.judges.free.words.lists import NEGATIONS, word_set
from calibrant.judges.free.words.taken import Taken
from calibrant.judges.free.words.text import Token, silent_words, stem
from calibrant.judges.free.words.units import MONTHS_PT
from calibrant.state.task import Language

_NEGATORS = {
    Language.ENGLISH: NEGATIONS[Language.ENGLISH] - {"unable"} | {"lacks"},
    Language.PORTUGUESE: NEGATIONS[Language.PORTUGUESE] - {"impossível"},
}
_NEGATORS_WITH_TO = word_set("unable fails failed refused")
"""Only before "to": a failed job is a job, and one that failed to start did not."""
_THAN = word_set("than de do")
_BREAKS = word_set("but although however while because mas embora porém porque enquanto contudo todavia entretanto")
_MARKS = frozenset(",;:.()")
_BOUNDS = word_set("more less fewer later earlier older younger mais menos")
"""Words with which a "no" bounds a number, and denies nothing: no more than two."""
_NOT_NEGATED = word_set("only just least só apenas somente obstante")
_TEMPORAL = word_set("still anymore longer yet already currently ainda já atualmente")
_AUXILIARIES = word_set(
    "têm tinham serão seria seriam sejam sendo estava estavam estará estarão estiver estiverem houve houver haverá "
    "forem fossem fica ficam ficar ficou ficaram ficará ficarão fique fiquem vai vão irá irão antes após durante "
    "mediante conforme deste desta destes destas desse dessa desses dessas nesses nessas nestes nestas"
)
"""Portuguese words that are no content where sentences are compared, as their likes in English."""
_BEFORE_SE = word_set("não nunca jamais já também que quem quando como onde sempre ainda ninguém nada")
"""Words that draw the pronoun "se" before its verb: "não se aplica"."""
_TIME_ORDER = frozenset(["antes", "depois"])
_DE = word_set("de do da dos das")
ARTICLES = word_set("the a an its their this o os as um uma seu sua")
TITLES = word_set("mr mrs ms dr prof professor sir sr sra dra dona dom")
"""Words before a name that are not a part of it."""
_NEGATION_REACH = 5
"""Words that a negation reaches behind it."""
_OUT_OF_REACH = _NEGATION_REACH + 1


@dataclass(frozen=True)
class Word:
    """A content word: its stem, its place among all tokens, whether it is a name, the function word that governs it."""

    low: str
    stem: str
    place: int
    start: int
    end: int
    name: bool
    governor: str
    negated: bool
    clause: int
    """Which clause it is in, from 0."""
    parts: tuple[str, ...]
    """Those of an identifier."""


@cache
def _silent(language: Language) -> frozenset[str]:
    """Words that are no content."""
    more = _AUXILIARIES if language is Language.PORTUGUESE else frozenset[str]()
    return silent_words(language) | FORCE[language].keys() | _TEMPORAL | more


def words_with_roles(text: str, found: tuple[Token, ...], language: Language, taken: Taken) -> tuple[Word, ...]:
    """The content words outside numbers and dates, each with its governor and whether a negation reaches it."""
    silent = _silent(language)
    governor, governed, since_negation, clause, out = "", -1, _OUT_OF_REACH, 0, []
    for place, token in enumerate(found):
        gap = text[found[place - 1].end : token.start] if place else ""
        if token.word in _BREAKS or not _MARKS.isdisjoint(gap):
            governor, governed, since_negation, clause = "", -1, _OUT_OF_REACH, clause + 1
        since_negation += 1
        is_governed = governed == place - 1 >= 0
        if negates(text, found, place, language):
            since_negation = _OUT_OF_REACH if word_at(found, place + 1) in _NOT_NEGATED else 0
        elif token.word in silent:
            if is_governed and governor in _TIME_ORDER and token.word in _DE:
                governed = place  # antes de
            elif not (is_governed and token.word in ARTICLES) and not is_pronoun(text, found, place):
                governor, governed = token.word, place
        elif (gap, token.word.rstrip("s")) == ("-", "feira"):
            continue  # a part of the day's name
        elif token.start not in taken and any(char.isalnum() for char in token.word):
            is_day = language is Language.PORTUGUESE and _is_day_or_month(text, token)
            name = is_day or _is_name(text, token, place, found)
            negated = since_negation <= _NEGATION_REACH
            root = stem(token.word, language)
            out.append(
                Word(token.word, root, place, token.start, token.end, name, governor, negated, clause, token.parts)
            )
    return tuple(out)


def _is_name(text: str, token: Token, place: int, found: tuple[Token, ...]) -> bool:
    """Whether a word is written as a name. At the start of a sentence only where the rest of it tells."""
    raw = text[token.start : token.end]
    opened = text[max(token.start - 2, 0) : token.start]
    if opened.endswith(("`", "/", "'", '"')) and not (opened[0].isalnum() and opened[1] == "'"):
        return True  # quoted or a path: the word stands for itself; but no X200's
    if any(char.isupper() for char in raw[1:]) or (token.parts and not raw.islower()):
        return True
    if not raw[0].isupper():
        return False
    following = found[place + 1] if place + 1 < len(found) else None
    opens = place == 0 or text[: token.start].rstrip()[-1:] in '.:!?"“'
    return not opens or (following is not None and text[following.start].isupper())


def _is_day_or_month(text: str, token: Token) -> bool:
    """Whether a word is the name of a day or of a month: Portuguese writes them small."""
    is_day = token.word.rstrip("s") in ("sábado", "domingo") or text.startswith(("-feira", "-Feira"), token.end)
    return is_day or token.word in MONTHS_PT


def is_pronoun(text: str, found: tuple[Token, ...], place: int) -> bool:
    """Whether the word at ``place`` is a Portuguese "se" that is no "if": behind a hyphen, or drawn by a word."""
    if found[place].word != "se" or not place:
        return False
    gap = text[found[place - 1].end : found[place].start]
    return gap == "-" or (gap.isspace() and found[place - 1].word in _BEFORE_SE)


def negates(text: str, found: tuple[Token, ...], place: int, language: Language) -> bool:
    """Whether the word at ``place`` denies what follows it: not as a part of a name (If-None-Match, no-cache)."""
    word = found[place].word
    if language is Language.ENGLISH and "-" in (text[found[place].end :][:1], text[: found[place].start][-1:]):
        return False
    if word in _NEGATORS[language]:
        following = [word_at(found, place + 1), word_at(found, place + 2)]
        return not (following[0] in _BOUNDS and following[1] in _THAN)
    return language is Language.ENGLISH and (
        word.endswith("n't") or (word in _NEGATORS_WITH_TO and word_at(found, place + 1) == "to")
    )


def word_at(found: tuple[Token, ...], place: int) -> str:
    """The word at ``place``; empty behind the last one."""
    return found[place].word if place < len(found) else ""
