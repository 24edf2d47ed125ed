"""What a second reading adds to the first: a model that reads on for what was missing tells much of the rest again, in
other words."""

import re
from collections.abc import Mapping, Sequence

from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.cited import cited_by, quotes_of
from calibrant.judges.free.words.numbers import counts, numbers
from calibrant.judges.free.words.reply import OPENING
from calibrant.judges.free.words.text import content_stems, language_of
from calibrant.state.answer import Span
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement

_CAPITAL = re.compile(r"\b[A-ZÀ-Þ]\w+")
"""A word that opens a sentence is taken for a name where both a statement and what it quotes have it so."""
IN_ORDER = 2
"""So many statements that stand in the order of their document show that what is told is in its order."""
SAID_AGAIN = 0.9
"""Of the words of a statement so many are told by another one that says the same."""


def with_more(
    before: Sequence[Statement], new: Sequence[Statement], evidence: Sequence[Evidence], lacking: str
) -> tuple[Statement, ...]:
    """What stood ``before``, in its order, and what of the ``new`` says more, where its document has it; one that says
    all that an earlier one does, or corrects it, takes its place. A yes or a no, which only what was found then told,
    comes first of all. ``lacking``: what the first reading missed."""
    spans = {one: _spans(one, evidence) for one in (*before, *new)}
    told, more = {old: [old] for old in before}, list[Statement]()
    replaced, disputed = set[Statement](), set[Statement]()
    for one in new:
        near = [old for old in before if _overlap(spans[old], spans[one])]
        is_quoted = bool(near) and all(any(_overlap(spans[old], [span]) for old in near) for span in spans[one])
        same = [old for old in before if _says_all(old, one)]
        if is_quoted and not _says_more(one, near, lacking):
            same += near
        weaker = [old for old in before if _says_all(one, old) or (old in near and _corrects(one, old))]
        if same:
            disputed.update(same[:1] if one.disputed else ())
        elif weaker:
            replaced.update(weaker)
            told[weaker[0]].append(one)
        else:
            more.append(one)
    kept = [one for old in told for one in told[old] if one not in replaced]
    in_order = _in_reading_order(kept, more, {one: _place(spans[one], evidence) for one in (*kept, *more)})
    held = (one.replace(disputed=one.disputed or one in disputed) for one in in_order)
    return tuple(sorted(held, key=lambda one: one not in more or OPENING.match(one.text) is None))


def _in_reading_order(
    held: Sequence[Statement], more: Sequence[Statement], places: Mapping[Statement, tuple[str, int]]
) -> list[Statement]:
    """The statements ``held``, and each of ``more`` behind them; or between those of its document, where they stand as
    that has them: a step that was missing belongs before the one that follows it."""
    told = list(held)
    for one in more:
        document, offset = places[one]
        beside = [(at, places[old][1]) for at, old in enumerate(told) if document and places[old][0] == document]
        in_order = len(beside) >= IN_ORDER and beside == sorted(beside, key=lambda pair: pair[1])
        later = next((at for at, start in beside if start > offset), len(told)) if in_order else len(told)
        # Of two statements the first may answer by itself; of several it is the first step.
        told.insert(later if len(beside) > IN_ORDER else max(1, later), one)
    return told


def _place(spans: Sequence[Span], evidence: Sequence[Evidence]) -> tuple[str, int]:
    """The document that a statement with these ``spans`` quotes first, and where in it."""
    quoted = ((item, span) for span in spans[:1] for item in evidence if item.id == span.evidence_id)
    return next(((item.document, item.locator.start + span.start) for item, span in quoted), ("", 0))


def _spans(statement: Statement, evidence: Sequence[Evidence]) -> list[Span]:
    held = cited_by(statement, {item.id: item for item in evidence})
    return [span for item in held for quote in quotes_of(statement) if (span := span_of(item, quote)) is not None]


def _overlap(some: Sequence[Span], others: Sequence[Span]) -> bool:
    return any(
        one.evidence_id == other.evidence_id and one.start < other.end and other.start < one.end
        for one in some
        for other in others
    )


def _says_all(one: Statement, other: Statement) -> bool:
    """Whether ``one`` has nearly all words of ``other``, and all of its numbers."""
    language = language_of(f"{one.text} {other.text}")
    told, held = (content_stems(said.text, language) for said in (one, other))
    is_denied = read(one.text).negative is not read(other.text).negative
    return len(held & told) >= SAID_AGAIN * len(held) and _values(other.text) <= _values(one.text) and not is_denied


def _says_more(one: Statement, near: Sequence[Statement], lacking: str) -> bool:
    """Whether ``one`` has a number or a name that none of those ``near`` it has, or a word of what was ``lacking``:
    other words over the same quotation say nothing more."""
    said, before = read(one.text), " ".join(old.text for old in near)
    capitals = set(_CAPITAL.findall(one.text)).intersection(_CAPITAL.findall(_quoted(one)))
    names = said.names | content_stems(" ".join(capitals), said.language)
    telling = names | (said.stems & content_stems(lacking, said.language))
    return bool(telling - content_stems(before, said.language) or _values(one.text) - _values(before))


def _corrects(one: Statement, old: Statement) -> bool:
    """Whether ``one`` has another number in place of one that ``old`` has from elsewhere than the words quoted: a wrong
    calculation. Of those that are quoted each may be told."""
    mine, theirs = _values(one.text), _values(old.text)
    quoted = _values(_quoted(one)) | _values(_quoted(old))
    return bool(mine - theirs) and not theirs - mine <= quoted


def _quoted(statement: Statement) -> str:
    return " ... ".join(quotes_of(statement))


def _values(text: str) -> frozenset[float]:
    """The numbers of ``text`` that say how many."""
    return frozenset(number.value for number in numbers(text) if counts(text, number))
