"""What sets two aligned sentences against each other: numbers, dates, negation, antonyms, exclusive values.

A difference counts only where the rest of the sentences speaks of the same thing. ``frame.fit_of`` decides that: two
words without a match in the same place (server timeout, client timeout) make two attributes, and no opposition.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.belonging import of_two_days
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.decided import is_open, only_refuses, refusal_in, turns
from calibrant.judges.free.comparing.exclusion import exclusive_members, one_swap, swap_kind
from calibrant.judges.free.comparing.frame import PLACING, Differs, Scope, fit_of, governor_of, scope_of
from calibrant.judges.free.comparing.outlook import one_is_outlook
from calibrant.judges.free.comparing.permission import is_permitted
from calibrant.judges.free.comparing.quantities import clash_of_dates, clash_of_numbers
from calibrant.judges.free.comparing.reading import Reading, opens_with_pronoun
from calibrant.judges.free.words.opposites import (
    MANY_VALUED,
    ONE_VALUED,
    PLAIN_FORCE,
    PRICING,
    are_opposite,
    event_stems,
    negated_bases,
    telling_stems,
)
from calibrant.judges.free.words.text import stem, tokens
from calibrant.judges.free.words.units import MONEY
from calibrant.state.task import Language


@dataclass(frozen=True)
class Opposition:
    """How two sentences disagree. ``severity`` 0..1; ``scope``: whether both speak of the same case."""

    what: Differs
    """``version`` and ``answer`` only of answers to one question."""
    severity: float
    values: tuple[str, str]
    """What the first and what the second sentence says; for a negation, twice the word that is denied."""
    fit: float = 1.0
    scope: Scope = "same"
    qualifies: bool = False
    """One side only limits the other: no contradiction."""


_PIVOTS = frozenset(["than", "before", "after", "que", "antes", "depois"])
_MIN_FIT = 0.5
_NEGATION_FIT = 0.55
_CLASS_FIT = 0.75
"""Things of one class are many: only sentences that are otherwise alike speak of one of them."""
_SWAP_FIT = 0.85
_ENOUGH_SHARED = 2.0
"""Weight in common from which two sentences can be about one thing, if they are not the same but for one word."""
_NEAR = 3
_TOGETHER = 2
"""Words in common from which one thing is spoken of: the migration to Kafka, and not any migration."""


def oppose(alignment: Alignment) -> Opposition | None:
    """The strongest disagreement of two sentences about one thing; None where there is none."""
    if alignment.first.language is not alignment.second.language or _starts_elsewhere(alignment):
        return None
    if one_is_outlook(alignment.first.text, alignment.second.text):
        return None
    few = (_swapped, _numbers) if _is_bare(alignment) else (_swapped,)
    detectors = _DETECTORS if alignment.shared >= _ENOUGH_SHARED else few
    found = [hit for detect in detectors for hit in detect(alignment)]
    return max(found, key=lambda hit: (not hit.qualifies, hit.severity), default=None)


def _is_bare(alignment: Alignment) -> bool:
    """Whether both sentences tell an amount of one thing and nothing else: admission is 12 euros, a ticket costs 15."""
    sides = (alignment.first, alignment.only_first), (alignment.second, alignment.only_second)
    return bool(alignment.pairs) and all({word.place for word in rest} <= _priced(side) for side, rest in sides)


def _priced(reading: Reading) -> set[int]:
    """The places of the words that an amount of money says anyway: it costs, its price."""
    if not any(amount.unit in MONEY for amount in reading.quantities):
        return set()
    return {word.place for word in reading.words if word.stem in _pricing(reading.language)}


@cache
def _pricing(language: Language) -> frozenset[str]:
    return frozenset(stem(word, language) for word in PRICING[language])


def _starts_elsewhere(alignment: Alignment) -> bool:
    """After a pronoun only a shared name tells what a sentence is about."""
    return not alignment.shares_name and any(
        opens_with_pronoun(side.text) for side in (alignment.first, alignment.second)
    )


def _weakened(alignment: Alignment) -> float:
    """Possibilities oppose each other less than statements do."""
    return 0.6 if min(alignment.first.force, alignment.second.force) < PLAIN_FORCE else 1.0


def _graded(base: float, fit: float, alignment: Alignment) -> float:
    return round(_full(base, fit) * _weakened(alignment), 4)


def _full(base: float, fit: float) -> float:
    return round(min(1.0, base * (0.5 + 0.5 * fit)), 4)


def _numbers(alignment: Alignment) -> Iterator[Opposition]:
    clash = clash_of_numbers(alignment)
    if clash is None or alignment.first.negative is not alignment.second.negative:
        return
    slots = {clash.first.place}, {clash.second.place}
    fit = fit_of(alignment, slots[0] | _priced(alignment.first), slots[1] | _priced(alignment.second))
    if fit < _MIN_FIT:
        return
    scope = scope_of(alignment, *slots, "number")
    if of_two_days(alignment.first, clash.first, alignment.second, clash.second):
        scope = "different"
    severity = _graded(clash.strength, fit, alignment)
    yield Opposition("number", severity, (clash.said_first, clash.said_second), fit, scope)


def _dates(alignment: Alignment) -> Iterator[Opposition]:
    clash = clash_of_dates(alignment)
    if clash is None or clash_of_numbers(alignment) is not None:
        return
    fit = fit_of(alignment, {clash.first_place}, {clash.second_place})
    # What can happen again (a match won) may well have two dates.
    base = 0.85 if clash.is_life or _is_event(alignment) else 0.45
    if fit >= _MIN_FIT and alignment.first.negative is alignment.second.negative:
        scope = scope_of(alignment, {clash.first_place}, {clash.second_place}, "date")
        said = (clash.said_first, clash.said_second)
        yield Opposition("date", _graded(base, fit, alignment), said, fit, scope)


def _is_event(alignment: Alignment) -> bool:
    stems = event_stems(alignment.first.language)
    return any(one.stem in stems for one, _ in alignment.pairs)


def _negation(alignment: Alignment) -> Iterator[Opposition]:
    """One side denies words that the other one states. A denial under a condition only qualifies."""
    denied_first = [(one, other) for one, other in alignment.pairs if one.negated and not other.negated]
    denied_second = [(one, other) for one, other in alignment.pairs if other.negated and not one.negated]
    shared = any(one.negated and other.negated for one, other in alignment.pairs)
    if shared or bool(denied_first) is bool(denied_second) or _odd(_opposites(alignment)):
        return
    fit = fit_of(alignment, set(), set())
    if fit < _NEGATION_FIT or clash_of_numbers(alignment) is not None or not _answers(alignment, bool(denied_first)):
        return
    denier, stater = (alignment.first, alignment.second) if denied_first else (alignment.second, alignment.first)
    denied = denied_first or denied_second
    word = denied[0][0 if denied_first else 1].low
    leave = any(_is_leave(pair, alignment) for pair in denied)
    severity = _full(0.95, fit) if leave else _graded(0.95, fit, alignment)
    yield Opposition(
        "negation", severity, (word, word), fit, scope_of(alignment, set(), set()),
        qualifies=_only_qualifies(denier, stater, leave),
    )  # fmt: skip


def _refusals(alignment: Alignment) -> Iterator[Opposition]:
    """One side takes back, in nothing but words for that, what the other one states: it is cancelled."""
    first, second = alignment.first, alignment.second
    if turns(first) is turns(second):
        return
    is_first = turns(first)
    refuser, stater = (first, second) if is_first else (second, first)
    rest = alignment.only_first if is_first else alignment.only_second
    if not only_refuses(refuser, rest) or is_open(stater) or stater.negative or stater.conditional:
        return
    if len(alignment.pairs) < _TOGETHER or not _answers(alignment, is_first):
        return
    word = refusal_in(refuser)
    yield Opposition("refusal", 0.95, (word, word), 1.0, scope_of(alignment, set(), set()))


def _is_leave(pair: tuple[Word, Word], alignment: Alignment) -> bool:
    """Whether one side gives leave to do what the other one denies leave for: may book, may not book."""
    return is_permitted(pair[0], alignment.first) and is_permitted(pair[1], alignment.second)


def _answers(alignment: Alignment, first_denies: bool) -> bool:
    """Whether the stating side states what the other one denies, and not only shares a word or two with it.

    The bounds part the true contradictions of the fitting halves (nine in ten cover 0.85 of the denial) from sentences
    of ordinary documentation (four in ten stay below 0.7).
    """
    denial, statement = alignment.cover_first, alignment.cover_second
    if not first_denies:
        denial, statement = statement, denial
    if alignment.shared < 3.0:
        return min(denial, statement) >= 0.8
    return denial >= 0.7 and statement >= 0.3


def _only_qualifies(denier: Reading, stater: Reading, leave: bool) -> bool:
    """A denial under a condition, or of what may be. Leave that is denied is no possibility."""
    if denier.conditional and not stater.conditional and denier.force <= PLAIN_FORCE:
        return True
    return not leave and denier.force < PLAIN_FORCE and stater.force <= PLAIN_FORCE


def _antonyms(alignment: Alignment) -> Iterator[Opposition]:
    pairs = _opposites(alignment)
    if not _odd(pairs) or clash_of_numbers(alignment) is not None:
        return
    one, other = pairs[0]
    fit = fit_of(alignment, {a.place for a, _ in pairs}, {b.place for _, b in pairs})
    denied = sum(a.negated is not b.negated for a, b in [*alignment.pairs, *pairs]) > 0
    if fit >= _MIN_FIT and not denied:
        yield Opposition("antonym", _graded(0.85, fit, alignment), (one.low, other.low), fit,
                         scope_of(alignment, {one.place}, {other.place}))  # fmt: skip


def _opposites(alignment: Alignment) -> list[tuple[Word, Word]]:
    language = alignment.first.language
    known = telling_stems(language)
    pairs = []
    for one in alignment.only_first:
        listed, bases = one.stem in known, negated_bases(one.low)
        for other in alignment.only_second:
            by_prefix = other.low in bases or one.low in negated_bases(other.low)
            if by_prefix or (listed and are_opposite(one.stem, other.stem, language)):
                pairs.append((one, other))
    return pairs


def _odd(pairs: list[tuple[Word, Word]]) -> bool:
    """Two antonyms turn the sense twice ("indoor rose", "outdoor fell")."""
    return len(pairs) % 2 == 1


def _classes(alignment: Alignment) -> Iterator[Opposition]:
    """Two members of one class in the same place of sentences that are otherwise alike: a red light, a green light."""
    for one, other in exclusive_members(alignment):
        places = _repeated(alignment.first, one), _repeated(alignment.second, other)
        fit = fit_of(alignment, *places)
        if fit >= _CLASS_FIT and one[0].negated is other[0].negated and not _takes_many(alignment, one, other):
            said = _joined(one), _joined(other)
            yield Opposition("class", _graded(0.75, fit, alignment), said, fit, scope_of(alignment, *places))


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
    return [token.word for token in tokens(text) if token.end <= start][-_NEAR:]


def _swapped(alignment: Alignment) -> Iterator[Opposition]:
    """The same sentence but for one thing that excludes the other: a brick wall, a cement wall."""
    swap = one_swap(alignment.first, alignment.second)
    kind = swap_kind(swap, alignment.first.language) if swap is not None else None
    if swap is None or kind is None or alignment.shared < 1.0:
        return
    if kind == "class" and MANY_VALUED[alignment.first.language].intersection(swap.before[-_NEAR:]):
        return
    first, second = (" ".join(token.word for token in side) for side in (swap.first, swap.second))
    severity = _graded(0.85 if kind == "antonym" else 0.75, 1.0, alignment)
    scope = scope_of(alignment, {swap.places[0]}, {swap.places[1]})
    # Without a name, what opens the sentence or hardly tells what it is about may be another thing each time.
    if scope == "same" and not alignment.shares_name and (alignment.shared < _ENOUGH_SHARED or not swap.before):
        scope = "unclear"
    yield Opposition(kind, severity, (first, second), 1.0, scope)


def _values(alignment: Alignment) -> Iterator[Opposition]:
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
    if fit < _MIN_FIT or first[0].negated is not second[0].negated:
        return
    # A place may lie within another one (Warsaw, Poland): then both are right.
    placed = first[0].governor in PLACING and not _is_made_in(alignment)
    yield Opposition("value", _graded(0.55 if placed else 0.78, fit, alignment), (_joined(first), _joined(second)), fit)


def _joined(run: Sequence[Word]) -> str:
    return " ".join(word.low for word in run)


def _is_made_in(alignment: Alignment) -> bool:
    made = {"written", "implemented", "developed", "programmed", "escrito", "escrita", "implementado", "implementada"}
    return any(one.low in made or other.low in made for one, other in alignment.pairs)


def _run(words: tuple[Word, ...], anchor: Word) -> list[Word]:
    """The first name after the attribute's word (at most four words on), as a run of neighbours."""
    run: list[Word] = []
    for word in words:
        if word.name and (
            (not run and 0 < word.place - anchor.place <= 6) or (run and word.place == run[-1].place + 1)
        ):
            run.append(word)
    return run


def _swaps(alignment: Alignment) -> Iterator[Opposition]:
    """Two things compared the other way round: A is faster than B, B is faster than A."""
    moved_right = [a for a, b in alignment.pairs if a.governor not in _PIVOTS and b.governor in _PIVOTS]
    moved_left = [a for a, b in alignment.pairs if a.governor in _PIVOTS and b.governor not in _PIVOTS]
    fit = fit_of(alignment, set(), set())
    if moved_right and moved_left and fit >= _SWAP_FIT and alignment.first.negative is alignment.second.negative:
        words = (_joined(moved_right), _joined(moved_left))
        yield Opposition("order", _graded(0.8, fit, alignment), words, fit)


_DETECTORS: tuple[Callable[[Alignment], Iterator[Opposition]], ...] = (
    _swapped, _numbers, _dates, _negation, _refusals, _antonyms, _classes, _values, _swaps,
)  # fmt: skip
