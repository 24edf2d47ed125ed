"""Words of a request that may be misspelt, and the request with such words put right."""

import re
from collections.abc import Mapping

from calibrant.judges.free.words.dictionary import in_dictionary
from calibrant.state.base import unique
from calibrant.state.task import PT, Language

LEAST = 7
"""Letters of a word that is read otherwise than it is written. Measured on questions that people typed, of words in no
dictionary that are one slip away from a word of the documents: of those with five or six letters, asked of documents
that lack half of the answers (nq_open_gaps), 13 of 20 were names ("bossa" is no "boss"); with seven and more, 6 of 85
were read wrongly over squad2, nq_open_oracle, nq_open_gaps, hotpot and faquad_gaps."""

COMPARED = 4
"""Letters from which a word is held against those of the documents at all: of shorter ones too many are near."""

_WORD = re.compile(rf"(?<![\w'’./@:#$-])[^\W\d_]{{{COMPARED},}}(?![\w'’/@-]|[.:]\w)")
_VERBATIM = re.compile(r"`[^`]*`|\"[^\"]*\"|“[^”]*”|«[^»]*»")
_PIECE = re.compile(f"{_VERBATIM.pattern}|{_WORD.pattern}")
_ENDING = 2
"""Letters at the end of a Portuguese word in which it may be but another form: the index stems English."""


def may_be_misspelt(text: str) -> tuple[str, ...]:
    """Those words of ``text`` that are long enough to tell, and in small letters: a name may be one that nobody
    knows."""
    return tuple(word for word in comparable(text) if len(word) >= LEAST and word.islower())


def comparable(text: str) -> tuple[str, ...]:
    """The words of ``text`` that may be held against those of the documents: none that is given word for word."""
    return unique(_WORD.findall(_VERBATIM.sub(" ", text)))


def misspelt(spelt: Mapping[str, str], language: Language) -> dict[str, str]:
    """Those of ``spelt`` (a word that no document has: the one that is near it) that are slips, not words."""
    return {word: meant for word, meant in spelt.items() if meant and not _is_word(word, meant, language)}


def put_right(text: str, slips: Mapping[str, str]) -> str:
    """``text`` with what is meant in place of each slip."""
    return _PIECE.sub(lambda match: slips.get(match[0], match[0]), text) if slips else text


def readings(slips: Mapping[str, str], language: Language) -> tuple[str, ...]:
    """How each slip is read, as a sentence each."""
    told = "Lido como {1}: {0} não está nos documentos." if language is PT else "Read {0} as {1}: no document has {0}."
    return tuple(told.format(f"“{word}”", f"“{meant}”") for word, meant in slips.items())


def _is_word(word: str, meant: str, language: Language) -> bool:
    inflected = language is PT and word[:-_ENDING] == meant.casefold()[: len(word) - _ENDING]
    longer = word[:-1] == meant.casefold() and word[-1] != word[-2]  # systemd is no slip for "system"
    return inflected or longer or in_dictionary(word, language)
