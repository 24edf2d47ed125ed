"""Words that no document has, and the word a slip of the pen away that the documents do have.

A misspelt word finds nothing by words, and what it asks for is missed in every passage. The words of the documents
themselves tell how it is written: names and jargon stand in no dictionary.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from string import ascii_lowercase

from calibrant.retrievers.knowledge.database import Database
from calibrant.retrievers.knowledge.search import Stems
from calibrant.retrievers.knowledge.terms import folded

CLEARLY = 2
"""How many times as many passages have to have the word that is meant as the next one that could be."""
LONGEST = 64
"""Letters of a word: what is longer is a key or a hash, and what lies a slip away from it takes as much room as its
square."""
MOST = 50
"""Strange words of a text up to which a slip is looked for in each, which takes some 15 ms: more of them are another
language's, or a log's."""
LOOKED_AT = 100
"""Passages in which a word is looked for as it is written; the index has only stems."""

_WORD = re.compile(r"[^\W\d_]+")
_KNOWN = "SELECT term, doc FROM vocabulary WHERE term IN (SELECT value FROM json_each(?))"
_PASSAGES = "SELECT title, heading, text FROM words WHERE words MATCH ? LIMIT ?"


class Spelling:
    """The spelling of one knowledge base's words."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._stems = Stems()

    def of(self, words: Sequence[str]) -> Mapping[str, str]:
        """For each of ``words`` that is not held: the one that is meant, as the documents write it, or "" where none is
        near or several are."""
        stems = dict(zip(words, self._stems.of(words), strict=True))
        held = self._passages_with({stem for found in stems.values() for stem in found})
        strange = [word for word, found in stems.items() if found and not any(map(held.get, found))]
        return {word: self._meant(word) if len(strange) <= MOST else "" for word in strange}

    def _meant(self, word: str) -> str:
        if len(word) > LONGEST:
            return ""
        near = list(dict.fromkeys(one_slip_away(folded(word))))
        stems = ["".join(found) if len(found) == 1 else "" for found in self._stems.of(near)]
        held = self._passages_with(set(stems))
        candidates: dict[str, str] = {}
        for variant, stem in zip(near, stems, strict=True):
            if stem in held and stem not in candidates and (written := self._as_written(variant)):
                candidates[stem] = written
        best, *others = sorted(candidates, key=lambda stem: held[stem], reverse=True) or [""]
        clear = all(held[best] >= CLEARLY * held[stem] for stem in others)
        return candidates.get(best, "") if clear else ""

    def _passages_with(self, stems: set[str]) -> Mapping[str, int]:
        """How many passages have each of ``stems``; those that none has are left out."""
        with self._database.reading() as connection:
            return {row["term"]: row["doc"] for row in connection.execute(_KNOWN, (json.dumps(sorted(stems)),))}

    def _as_written(self, word: str) -> str:
        """``word`` as a passage writes it, in small letters if one does; empty where only its stem is held."""
        with self._database.reading() as connection:
            rows = connection.execute(_PASSAGES, (f'"{word}"', LOOKED_AT)).fetchall()
        found = {said for row in rows for text in row for said in _WORD.findall(text) if folded(said) == word}
        return max(found, key=lambda said: (said.islower(), said), default="")


def one_slip_away(word: str) -> Iterator[str]:
    """``word`` with one letter more, one less, another one, or two swapped that stand side by side. The first letter
    stays: there people seldom slip."""
    for at in range(1, len(word) + 1):
        before, after = word[:at], word[at:]
        yield from (f"{before}{letter}{after}" for letter in ascii_lowercase)
        if after:
            yield before + after[1:]
            yield from (f"{before}{letter}{after[1:]}" for letter in ascii_lowercase if letter != after[0])
        if len(after) > 1:
            yield before + after[1] + after[0] + after[2:]


def spelt_by_all(words: Sequence[str], told: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """What several tell of ``words``: those that all of them miss, as the first reads them that has a word near."""
    missed = [word for word in words if told and all(word in one for one in told)]
    return {word: next(filter(None, (one[word] for one in told)), "") for word in missed}
