"""Two sentences that name different things where only one can be right: of a class, of an attribute, of an order."""

from collections.abc import Iterator, Sequence

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.exclusion import NEAR, exclusive_members, one_swap, swap_kind
from calibrant.judges.free.comparing.frame import PLACING, fit_of, governor_of, scope_of
from calibrant.judges.free.comparing.opposition import ENOUGH_SHARED, MIN_FIT, Opposition, graded
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.claim_words import MANY_VALUED, ONE_VALUED
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import tokens

_PIVOTS = word_set("than before after que antes depois")
_CLASS_FIT = 0.75
"""Things of one class are many: only sentences that are otherwise alike speak of one of them."""
_ORDER_FIT = 0.85
_MADE_IN = word_set("written implemented developed programmed escrito escrita implementado implementada")
"""What is said before what a thing is made in, and not before a place."""


def differing_classes(alignment: Alignment) -> Iterator[Opposition]:
    """Two members of one class in the same place of sentences that are otherwise alike: a red light, a green light."""
    for one, other in exclusive_members(alignment):
        places = _repeated(alignment.first, one), _repeated(alignment.second, other)
        fit = fit_of(alignment, *places)
        if fit >= _CLASS_FIT and one[0].negated is other[0].negated and not _takes_many(alignment, one, other):
            said = _joined(one), _joined(other)
            yield Opposition("class", graded(0.75, fit, alignment), said, fit, scope_of(alignment, *places))


def _repeated(reading: Reading, run: Sequence[Word]) -> set[int]:
    """The places of these words wherever they stand: a pink shirt and a pink dress."""
    held = {word.stem for word in run}
    return {word.place for word in reading.words if word.stem in held}


def _takes_many(alignment: Alignment, one: Sequence[Word], other: Sequence[Word]) -> bool:
    """Whether words just before say that more than one value may hold: supports English, supports Spanish."""
    many = MANY_VALUED[alignment.first.language]
    sides = (alignment.first, one), (alignment.second, other)
    return any(many.intersection(_before(reading.text, run[0].start)) for reading, run in sides)


def _before(text: str, start: int) -> list[str]:
    return [token.word for token in tokens(text) if token.end <= start][-NEAR:]


def swapped(alignment: Alignment) -> Iterator[Opposition]:
    """The same sentence but for one thing that excludes the other: a brick wall, a cement wall."""
    swap = one_swap(alignment.first, alignment.second)
    kind = swap_kind(swap, alignment.first.language) if swap is not None else None
    if swap is None or kind is None or alignment.shared < 1.0:
        return
    if alignment.first.negative is not alignment.second.negative:
        return  # not optional, mandatory
    if kind == "class" and swap.takes_many(alignment.first.language):
        return
    first, second = (" ".join(token.word for token in side) for side in (swap.first, swap.second))
    severity = graded(0.85 if kind == "antonym" else 0.75, 1.0, alignment)
    scope = scope_of(alignment, {swap.places[0]}, {swap.places[1]})
    # Without a name, what opens the sentence or hardly tells what it is about may be another thing each time.
    if scope == "same" and not alignment.shares_name and (alignment.shared < ENOUGH_SHARED or not swap.before):
        scope = "unclear"
    yield Opposition(kind, severity, (first, second), 1.0, scope)


def differing_values(alignment: Alignment) -> Iterator[Opposition]:
    """Two names for an attribute that has one value: written in Rust, written in Go."""
    language = alignment.first.language
    if (alignment.first.lowered | alignment.second.lowered) & MANY_VALUED[language]:
        return
    anchors = [(a, b) for a, b in alignment.pairs if a.low in ONE_VALUED[language] or b.low in ONE_VALUED[language]]
    for anchor in anchors:
        first, second = _run(alignment.only_first, anchor[0]), _run(alignment.only_second, anchor[1])
        if first and second and governor_of(first[0]) == governor_of(second[0]):
            yield from _value(alignment, first, second)


def _value(alignment: Alignment, first: list[Word], second: list[Word]) -> Iterator[Opposition]:
    fit = fit_of(alignment, {word.place for word in first}, {word.place for word in second})
    if fit < MIN_FIT or first[0].negated is not second[0].negated:
        return
    # A place may lie within another one (Warsaw, Poland): then both are right.
    is_made_in = any(one.low in _MADE_IN or other.low in _MADE_IN for one, other in alignment.pairs)
    placed = first[0].governor in PLACING and not is_made_in
    yield Opposition("value", graded(0.55 if placed else 0.78, fit, alignment), (_joined(first), _joined(second)), fit)


def _joined(run: Sequence[Word]) -> str:
    return " ".join(word.low for word in run)


def _run(words: tuple[Word, ...], anchor: Word) -> list[Word]:
    """The first name after the attribute's word (at most six words on), as a run of neighbours."""
    run: list[Word] = []
    for word in words:
        if word.name and (
            (not run and 0 < word.place - anchor.place <= 6) or (run and word.place == run[-1].place + 1)
        ):
            run.append(word)
    return run


def turned_round_orders(alignment: Alignment) -> Iterator[Opposition]:
    """Two things compared the other way round: A is faster than B, B is faster than A."""
    moved_right = [a for a, b in alignment.pairs if a.governor not in _PIVOTS and b.governor in _PIVOTS]
    moved_left = [a for a, b in alignment.pairs if a.governor in _PIVOTS and b.governor not in _PIVOTS]
    fit = fit_of(alignment)
    if moved_right and moved_left and fit >= _ORDER_FIT and alignment.first.negative is alignment.second.negative:
        words = (_joined(moved_right), _joined(moved_left))
        yield Opposition("order", graded(0.8, fit, alignment), words, fit)
