"""What a sentence tells in answer to a question, each thing with the words that say which one it is.

"A ticket costs 13 euros for adults and 9 for children" tells two amounts. A question about children is answered by the
one that stands with their name, and so it is compared with what another document tells of them.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.changed import CURRENCY, current, former, stands_behind
from calibrant.judges.free.comparing.clashes import same_day
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.frame import Differs
from calibrant.judges.free.comparing.reading import Placed, Reading, read
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.dates import Date
from calibrant.judges.free.words.frequency import Frequency
from calibrant.judges.free.words.opposites import are_synonyms
from calibrant.judges.free.words.tables import is_row, name_of
from calibrant.state.task import Language

_BOUNDARY = re.compile(r"[;()]|,\s|\s(?:and|or|but|e|ou|mas)\s")
_BRACKET = re.compile(r"\s*\([^()]*\)")
_COLUMN = re.compile(rf"(?:^|; )[^:;]{{1,60}}: {CURRENCY}$")
_LONGEST_COLUMN = 80
"""Characters of its match."""
_CELL = re.compile(rf":\s*{CURRENCY}$")
_RANGE = re.compile(
    rf"\s*(?:to|until|till|through|[-–—]|a|à|às|ao|até)\s*(?:(?:the|o|a|as)\s+)?(?:[^\W\d]+,?\s+)?{CURRENCY}",
    re.IGNORECASE,
)
"""Between the ends of a range, with a word such as a day's name."""
_BETWEEN = re.compile(rf"\b(?:between|entre)\s+(?:(?:the|o|a|as)\s+)?{CURRENCY}$", re.IGNORECASE)
"""Before a range that "and" joins."""
_AND = re.compile(rf"\s+(?:and|e)\s+(?:(?:the|o|a|as)\s+)?{CURRENCY}", re.IGNORECASE)
_UNTIL = re.compile(rf"\b(?:until|till|até)\s+(?:(?:the|o|a|as|ao|à|às)\s+)?(?:dia\s+)?{CURRENCY}$", re.IGNORECASE)
_SEVERAL = 2
_MOST = 40
"""Things that one sentence tells of a kind."""
_LEAST_KIN = 4
"""Letters in common from which words are of one kin: rent and rental."""

V = TypeVar("V", bound=Quantity | Date | Frequency | frozenset[str])


@dataclass(frozen=True)
class Mention(Generic[V]):
    """One value that a sentence mentions. ``label``: the words beside it, which say what it is the value of; ``place``:
    of its first word, -1 where it has none."""

    value: V
    start: int
    end: int
    place: int = -1
    label: tuple[Word, ...] = ()
    per: str = ""
    """For how much an amount is: a year, a night."""
    role: bool = False
    """Whether the label says nothing but what it is: a bracket behind it."""
    ends: bool = False
    """Whether it is the end of a range, or stands behind "until"."""


@dataclass(frozen=True)
class MentionKind(Generic[V]):
    """A kind of answer: ``what`` two of it disagree in, how it is found in a sentence, and which ones can be right
    together (None where they cannot be compared)."""

    what: Differs
    find: Callable[[Reading], list[Mention[V]]]
    agree: Callable[[V, V], bool | None]


def pairs_of(
    query: Query, kind: MentionKind[V], first: Reading, second: Reading, likely: bool = False
) -> list[tuple[Mention[V], Mention[V]]] | None:
    """What both sides tell of what is asked, side by side; none where it cannot be told which belongs to which. None
    where a side tells nothing of this kind. ``likely``: both are known to answer, so that the one thing that each tells
    is its answer, whatever it is called."""
    found = current(first, kind.find(first), second), current(second, kind.find(second), first)
    if not all(found):
        return None
    mine, theirs = (_asked_for(query, side) for side in found)
    pairs = _pairs(mine, theirs, query.language)
    if any(one.per and other.per and one.per != other.per for one, other in pairs):
        return []
    if any(_is_elsewhere(kind, one, other, *found) for one, other in pairs):
        return []
    if likely and all(len(side) == 1 for side in found):
        return pairs
    chosen = any(len(side) > 1 for side in found) or any(
        _is_cell(first, one) or _is_cell(second, other) for one, other in pairs
    )
    return pairs if not chosen or all(_are_called_alike(query, one, other) for one, other in pairs) else []


def _is_elsewhere(
    kind: MentionKind[V], one: Mention[V], other: Mention[V], mine: Sequence[Mention[V]], theirs: Sequence[Mention[V]]
) -> bool:
    """Whether one side tells elsewhere what the other one tells here: when it closes, beside when it opens."""
    if kind.agree(one.value, other.value) or (one.role and other.role):
        return False
    return any(kind.agree(one.value, mention.value) for mention in theirs) or any(
        kind.agree(mention.value, other.value) for mention in mine
    )


def _are_called_alike(query: Query, one: Mention[V], other: Mention[V]) -> bool:
    """Whether what the question calls the one is said of the other too: when it closes, and not when a tour starts."""
    asked = [term.stem for term in query.terms]
    called = [[word for word in side.label if overlap([word], asked, query.language)] for side in (one, other)]
    return not all(called) or overlap(called[0], [word.stem for word in called[1]], query.language) > 0


def _pairs(
    mine: Sequence[Mention[V]], theirs: Sequence[Mention[V]], language: Language
) -> list[tuple[Mention[V], Mention[V]]]:
    if len(mine) == len(theirs) == 1:
        return [(mine[0], theirs[0])]
    if _is_one_row(mine, theirs, language):
        return list(zip(mine, theirs, strict=True))  # from 7:00 to 21:00
    if len(mine) == _SEVERAL and len(theirs) == 1:
        return [(mine[place], theirs[0]) for place in _beyond(mine, theirs[0])]
    if len(theirs) == _SEVERAL and len(mine) == 1:
        return [(mine[0], theirs[place]) for place in _beyond(theirs, mine[0])]
    found = [(one, other) for one in mine for other in _named_alike(one, theirs, language)]
    both = [(one, other) for one, other in found if _named_alike(other, mine, language) == [one]]
    return both if len(both) == min(len(mine), len(theirs)) else []


def _beyond(ends: Sequence[Mention[V]], one: Mention[V]) -> list[int]:
    """Which of the two ends of a range, told by its place, ``one`` lies beyond; none where it lies within."""
    low, high, at = (_rank(each.value) for each in (*ends, one))
    if ends[0].ends or not ends[1].ends or not (low and high and at and low < high):
        return []
    return [0] if at < low else [1] if at > high else []


def _rank(value: V) -> tuple[float, ...]:
    """Where a value stands among others of its kind, a day in its year; empty for what has no order."""
    match value:
        case Quantity():
            return (value.value,)
        case Date():
            return (value.month, value.day)
        case _:
            return ()


def _is_one_row(mine: Sequence[Mention[V]], theirs: Sequence[Mention[V]], language: Language) -> bool:
    """Whether both sides tell as many things, starts and ends alike, all of a side with one label, and the labels do
    not differ: not the hours in winter, and those in summer."""
    if [one.ends for one in mine] != [one.ends for one in theirs]:
        return False
    labels = {one.label for one in mine}, {one.label for one in theirs}
    if not len(labels[0]) == len(labels[1]) == 1:
        return False
    (first,), (second,) = labels
    return not (first and second) or overlap(first, [word.stem for word in second], language) > 0


def are_kin(one: str, other: str, language: Language) -> bool:
    """Whether two stems may say the same: equal, synonyms, or one grown out of the other."""
    short, long = sorted((one.rstrip("e"), other.rstrip("e")), key=len)
    return short == long or (len(short) >= _LEAST_KIN and long.startswith(short)) or are_synonyms(one, other, language)


def overlap(words: Sequence[Word], others: Sequence[str], language: Language) -> int:
    """How many of ``words`` are among ``others``."""
    return sum(any(are_kin(word.stem, other, language) for other in others) for word in words)


def _asked_for(query: Query, found: Sequence[Mention[V]]) -> list[Mention[V]]:
    """Those that stand with most of the question's words. What the question itself tells is no answer."""
    question = read(query.text, query.language)
    new = [one for one in found if not _is_known(one.value, question)]
    asked = [term.stem for term in query.terms]
    scores = [overlap(one.label, asked, query.language) for one in new]
    best = [one for one, score in zip(new, scores, strict=True) if score == max(scores)]
    plain = [one for one in best if not one.label]
    return plain if plain and not max(scores) else best  # what children pay is no answer for everybody


def _is_known(value: V, question: Reading) -> bool:
    match value:
        case Quantity():
            return any((value.value, value.unit) == (known.value, known.unit) for known in question.quantities)
        case Date():
            return any(same_day(value, known) for known in question.dates)
        case frozenset():
            return not value.isdisjoint(question.lowered | {name for name, _ in question.versions})
        case _:
            return False


def _named_alike(one: Mention[V], others: Sequence[Mention[V]], language: Language) -> list[Mention[V]]:
    """The one of ``others`` that stands with most of the same words, of ends an end; none where no one does, or
    several do."""
    own = [word.stem for word in one.label]
    others = [other for other in others if other.ends is one.ends]
    scores = [overlap(other.label, own, language) for other in others]
    best = max(scores, default=0)
    return [others[scores.index(best)]] if best and scores.count(best) == 1 else []


def with_labels(reading: Reading, found: Sequence[Mention[V]], by_verb: bool = False) -> list[Mention[V]]:
    """``found``, each mention with its label, the words that say what it is the value of.

    - A single mention is labelled by all words of the sentence, or by the name of its cell.
    - Of several, where any has a bracket behind it, each is labelled by what stands in its own.
    - Else each is labelled by the words behind it, up to the end of its part of the sentence, where the last mention
      has such words: "13 for adults and 9 for children".
    - Else by those before it. What stands before the first one labels none, since it is said of all; but for the name
      of its cell, and for the verb of a time (``by_verb``), which those behind it share that have no words.

    Brackets apart, the end of a range has the label of its start. Of more than ``_MOST`` none is what is asked: they
    are data, and comparing them would take as long as all pairs of them."""
    if len(found) > _MOST:
        return []
    found = [replace(one, ends=stands_behind(reading, one, _UNTIL)) for one in found]
    if len(found) < _SEVERAL:
        return [replace(one, label=_of_row(reading, column_of(reading, one)) or reading.words) for one in found]
    roles = [_bracket(reading, one) for one in found]
    if any(roles):
        return [replace(one, label=role, role=bool(role)) for one, role in zip(found, roles, strict=True)]
    edges = [0, *(match.end() for match in _BOUNDARY.finditer(reading.text)), len(reading.text)]
    before, after = [], []
    for number, one in enumerate(found):
        opened = (*edges, *(other.end for other in found[:number]))
        own = _words_in(reading, max(edge for edge in opened if edge <= one.start), one.start)
        is_cell = stands_behind(reading, one, _CELL)
        own = own if number or is_cell else own[-1:] if by_verb else ()
        before.append(_of_row(reading, own) if is_cell else own)
        after.append(_words_in(reading, one.end, min(edge for edge in edges if edge >= one.end)))
    is_behind = bool(after[-1]) and not _is_cell(reading, found[-1])
    labels = after if is_behind else before
    mentions = [replace(one, label=label) for one, label in zip(found, labels, strict=True)]
    return _in_rows(reading, mentions, follow=by_verb and not is_behind)


def _in_rows(reading: Reading, found: Sequence[Mention[V]], follow: bool) -> list[Mention[V]]:
    """``found`` with the label of the start at the end of each range, and, to ``follow``, with that of the one before
    where one has none."""
    gone = {one.start for one in former(reading, found)}
    rows = [found[0]]
    for one in found[1:]:
        last = rows[-1]
        ends = last.start not in gone and _is_range(reading, last, one)
        label = last.label if ends or (follow and not one.label) else one.label
        rows.append(replace(one, label=label, ends=one.ends or ends))
    return rows


def _is_range(reading: Reading, one: Mention[V], other: Mention[V]) -> bool:
    """Whether two neighbours are the ends of a range: from 7:00 to 21:00, between 7:00 and 21:00."""
    if stands_behind(reading, one, _BETWEEN):
        return bool(_AND.fullmatch(reading.text, one.end, other.start))
    return not one.ends and bool(_RANGE.fullmatch(reading.text, one.end, other.start))


def _bracket(reading: Reading, one: Placed) -> tuple[Word, ...]:
    """The words of a bracket right behind: A. Brandt (chair)."""
    match = _BRACKET.match(reading.text, one.end)
    return _words_in(reading, *match.span()) if match else ()


def _is_cell(reading: Reading, one: Placed) -> bool:
    """Whether it is what a cell of a table's row tells."""
    return is_row(reading.text) and stands_behind(reading, one, _COLUMN)


def _of_row(reading: Reading, column: tuple[Word, ...]) -> tuple[Word, ...]:
    """The words of a cell's ``column`` with those of its row's name, if it has one: "Users; Team: 5; Business: 25"."""
    end = len(name_of(reading.text)) if column else 0
    return (*(word for word in reading.words if word.end <= end), *column)


def column_of(reading: Reading, one: Placed) -> tuple[Word, ...]:
    """The words of the name of its cell."""
    match = _COLUMN.search(reading.text, max(0, one.start - _LONGEST_COLUMN), one.start)
    return _words_in(reading, *match.span()) if match else ()


def _words_in(reading: Reading, start: int, end: int) -> tuple[Word, ...]:
    """The words that begin between two characters of the text."""
    return tuple(word for word in reading.words if start <= word.start < end)
