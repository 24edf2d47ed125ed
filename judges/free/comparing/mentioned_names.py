"""Names of people and things, offices and places that a sentence tells, and which two of them can both be right."""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace

from calibrant.judges.free.comparing.content import TITLES, Word
from calibrant.judges.free.comparing.mentions import Mention, MentionKind, overlap, with_labels
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.evidence.answer_kind import PEOPLE, PEOPLE_PT
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.lists import word_set

_OFFICES = re.compile(rf"\b(?:{PEOPLE}|{PEOPLE_PT}|board|committee|council|teams?|desk|reception)\b", re.IGNORECASE)
_PLACING = word_set("in at on by near behind under opposite outside inside beside to into no na nos nas ao à em junto")
"""What stands before a place."""
_OF = word_set("of de do da")
_INITIAL = re.compile(r"\b[A-Z]\.\s?$")


def same_names(one: frozenset[str], other: frozenset[str]) -> bool:
    """Whether two names share a word: two persons do not, nor do two days."""
    return bool((one & other) - TITLES)


def _find_names(reading: Reading) -> list[Mention[frozenset[str]]]:
    """Runs of two and more neighbouring names."""
    named = [word for word in reading.words if word.name or _is_behind_initial(reading, word)]
    runs = _runs(named, lambda one, other: not reading.text[one.end : other.start].strip(" ."))
    full = [run for run in runs if len(run) > 1 or _is_behind_initial(reading, run[0])]
    return with_labels(reading, [replace(_mention(run), start=_start(reading, run[0])) for run in full])


def _find_things(reading: Reading) -> list[Mention[frozenset[str]]]:
    """Names of one word and more, each run of neighbours one."""
    runs = _runs([word for word in reading.words if word.name], lambda one, other: other.place == one.place + 1)
    return with_labels(reading, [_mention(run) for run in runs])


def _runs(words: Sequence[Word], follows: Callable[[Word, Word], bool]) -> list[list[Word]]:
    """``words`` in runs, in each of which every word ``follows`` on the one before it."""
    runs: list[list[Word]] = []
    for word in words:
        if runs and follows(runs[-1][-1], word):
            runs[-1].append(word)
        else:
            runs.append([word])
    return runs


def _find_offices(reading: Reading) -> list[Mention[frozenset[str]]]:
    """Offices, each with the words that say which one: the head of finance, your department director."""
    starts = {found.start() for found in _OFFICES.finditer(reading.text)}
    offices = [_office_at(reading.words, at) for at, word in enumerate(reading.words) if word.start in starts]
    return with_labels(reading, [_mention(words, by_stem=True) for words in offices])


def _office_at(words: Sequence[Word], at: int) -> Sequence[Word]:
    """The words of the office that the one at ``at`` names."""
    first = at - 1 if at and words[at - 1].place == words[at].place - 1 else at
    after = words[at + 1 : at + 2]
    is_of = any(word.governor in _OF and word.place <= words[at].place + 3 for word in after)
    return words[first : at + 1 + is_of]


def place_of(query: Query) -> MentionKind[frozenset[str]]:
    """The kind of places: all words of a sentence that stand behind one of place, but those of the question."""
    asked = [term.stem for term in query.terms]

    def find(reading: Reading) -> list[Mention[frozenset[str]]]:
        held = [word for word in _placed(reading) if not overlap([word], asked, reading.language)]
        return [_mention(held, by_stem=True)] if held else []

    return MentionKind("value", find, same_names)


def _placed(reading: Reading) -> list[Word]:
    """The words right behind a word of place, and those that follow on them."""
    held: list[Word] = []
    for word in reading.words:
        last = held[-1] if held else None
        follows = last is not None and not word.governor and (word.clause, word.place) == (last.clause, last.place + 1)
        if word.governor in _PLACING or follows:
            held.append(word)
    return held


def _mention(words: Sequence[Word], *, by_stem: bool = False) -> Mention[frozenset[str]]:
    """What ``words`` name, as they are written or by their stems."""
    said = frozenset(word.stem if by_stem else word.low for word in words)
    return Mention(said, words[0].start, words[-1].end, words[0].place)


def _is_behind_initial(reading: Reading, word: Word) -> bool:
    """Whether a word with a capital follows an initial: the full stop ends no sentence there."""
    return reading.text[word.start].isupper() and _start(reading, word) < word.start


def _start(reading: Reading, name: Word) -> int:
    """Where a name begins, with the initial before it."""
    initial = _INITIAL.search(reading.text, 0, name.start)
    return initial.start() if initial else name.start


NAME = MentionKind("value", _find_names, same_names)
THING = MentionKind("value", _find_things, same_names)
OFFICE = MentionKind("value", _find_offices, same_names)
