"""Calculations that a text shows, such as "3 × 20 = 60": a number that no source has may be worked out from some that
sources have, if the text shows how and it is right."""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

from calibrant.judges.free.words.formulas import (
    PERCENT,
    Operation,
    Term,
    Token,
    Tree,
    formula,
    is_times_100,
    opening_number,
    plain,
    stated,
    terms,
    tokens_of,
    value_of,
)
from calibrant.judges.free.words.numbers import Number, numbers
from calibrant.judges.free.words.units import MONEY, UNITS

LONGEST = 80
"""Tokens of a calculation up to its "=". A longer one is not read."""
_FIRST = re.compile(r"\b(?:first|primeir[oa])\b", re.IGNORECASE)
"""Sets one apart from the others."""


@dataclass(frozen=True)
class Working:
    """A calculation that a text shows, at ``start`` to ``end``. ``is_right``: what comes out is the ``result``, as
    precisely as that is written. ``stated``: the operands that somebody has to state. ``places``: where its numbers
    stand, the result last."""

    operands: tuple[float, ...]
    result: float
    is_right: bool
    start: int
    end: int
    stated: tuple[float, ...]
    places: tuple[int, ...]


def workings(text: str) -> Iterator[Working]:
    """The calculations that ``text`` shows, in their order. One may come to its result in several steps: 2 × 3 × 10 =
    6 × 10 = 60."""
    if "=" not in text and "≈" not in text:
        return
    tokens = tokens_of(plain(text))
    equals = [at for at, token in enumerate(tokens) if token.kind == "equals"]
    sides = [_side(tokens, before + 1, at) for before, at in zip([-1, *equals], equals, strict=False)]
    chain: list[_Side] = []
    for at, side, following in zip(equals, sides, [*sides[1:], None], strict=True):
        if side is None:
            continue
        chain.append(side)
        if following is None or following.first > at + 1:  # what follows is no further step
            if working := _working(tokens, chain, at):
                yield working
            chain = []


def without_workings(text: str, *, with_units: bool = True) -> str:
    """``text`` without the calculations that it shows and the numbers that these explain, with or without their units:
    the words that a source must bear out. A text without calculations stays as it is."""
    shown = list(workings(text))
    explained = {number for working in shown for number in (working.result, *working.operands)}
    cuts = [(working.start, working.end) for working in shown]
    cuts += [_extent(text, number, with_units) for number in numbers(text) if number.value in explained]
    kept, at = "", 0
    for start, end in sorted(cuts):
        kept, at = kept + text[at : max(at, start)], max(at, end)
    return " ".join((kept + text[at:]).replace("()", "").split()) if shown else text


def _extent(text: str, number: Number, with_units: bool) -> tuple[int, int]:
    unit = re.compile(rf"\s?{re.escape(number.unit)}", re.IGNORECASE)
    beside = None if with_units or number.unit not in UNITS else unit.match(text, number.end)
    return number.start, beside.end() if beside else number.end


def strange_numbers(text: str, *sources: str, asked: str = "") -> tuple[float, ...]:
    """The numbers in ``text`` that stand in none of ``sources`` and are not worked out from those that do, or that were
    ``asked`` with; and what comes out of a wrong calculation that is not a source's own."""
    text, sources = plain(text), tuple(map(plain, sources))
    known = {_exact(number.value) for source in sources for number in numbers(source)}
    shown = list(workings(text))
    sound = _sound(shown, known | set(_operands((*sources, plain(asked)))))
    wrong = [one for one in shown if not one.is_right and not any(text[one.start : one.end] in it for it in sources)]
    told = known.union(*((_exact(one.result), *map(_exact, one.stated)) for one in sound))
    results = {one.places[-1] for one in wrong}

    def is_told(number: Number) -> bool:
        is_worked_out = _exact(number.value) in told or any(_explains(one, number) for one in sound)
        return is_worked_out and number.start not in results

    counts = (n for n in numbers(text) if text[n.start].isdigit() or n.value > 1.0)  # "one of them" counts nothing
    return tuple(number.value for number in counts if not is_told(number))


def _sound(shown: Iterable[Working], known: Set[float]) -> list[Working]:
    """The calculations that are right and start from ``known`` numbers, or from what one before has come to."""
    held, sound = set(known), []
    for one in shown:
        starts_from = held.intersection(map(_exact, one.operands))
        if one.is_right and starts_from and held.issuperset(map(_exact, one.stated)):
            held.add(_exact(one.result))
            sound.append(one)
    return sound


def _explains(working: Working, number: Number) -> bool:
    """Whether ``number`` is a part of the calculation, or tells a measure that it converts by: 12 months."""
    measure, _ = UNITS.get(number.unit, ("", 1.0))
    is_measure = measure not in {"", "%", *MONEY}
    return number.start in working.places or (is_measure and number.value in working.operands)


def _operands(sources: Iterable[str]) -> Iterator[float]:
    """What a calculation may start from: the numbers of ``sources``, percentages as factors too (0.85: 15 % less), and
    the one that is told apart as the first ("the first hour costs ..., each further hour ...")."""
    for source in sources:
        if _FIRST.search(source):
            yield 1.0
        for number in numbers(source):
            yield _exact(number.value)
            if PERCENT.match(source, number.end):
                share = number.value / 100
                yield from map(_exact, (share, 1 - share, 1 + share))


def _exact(value: float) -> float:
    """``value`` without what floating point adds to it."""
    return round(value, 6)


@dataclass(frozen=True)
class _Side:
    """What stands on one side of an "=": its first token, and how it is read."""

    first: int
    tree: Tree


def _side(tokens: Sequence[Token], low: int, end: int) -> _Side | None:
    """The longest run of tokens before ``end`` that reads as a calculation; None where more of it stands before."""
    for first in range(max(low, end - LONGEST), end):
        tree = formula(tokens[first:end])
        if tree is not None:
            return None if _goes_on(tokens, low, first) else _Side(first, tree)
    return None


def _goes_on(tokens: Sequence[Token], low: int, first: int) -> bool:
    """Whether a sign before ``first`` joins it to something that is not read. A dash after mere words does not."""
    if first == low or tokens[first - 1].kind != "sign":
        return False
    before = next((token.kind for token in reversed(tokens[low : first - 1]) if token.kind != "words"), "")
    return tokens[first - 1].sign != "-" or before in ("number", "close")


def _working(tokens: Sequence[Token], chain: Sequence[_Side], equals: int) -> Working | None:
    """The calculation whose steps are ``chain``, with the number behind its last "="; None where it has none of them.
    It starts from the numbers of its first step: the others are on the way."""
    tree = next((side.tree for side in chain if isinstance(side.tree, Operation)), None)
    result = opening_number(tokens[equals + 1 : equals + 3])
    if tree is None or result is None:
        return None
    held = [*(term for side in chain for term in terms(side.tree)), result]
    return Working(
        operands=tuple(term.written for term in terms(tree)),
        result=result.written,
        is_right=all(_comes_to(side.tree, result) for side in chain),
        start=tokens[chain[0].first].start,
        end=result.token.end,
        stated=tuple(term.written for term in stated(tree)),
        places=tuple(term.number.start for term in held),
    )


def _comes_to(tree: Tree, result: Term) -> bool:
    """Whether the calculation comes to ``result``. A result in per cent is a hundred times the value, unless that was
    multiplied by 100."""
    value = value_of(tree, shares_of_left=not result.is_share)
    values = [value]
    if result.is_share:
        values = [value * 100, value] if is_times_100(tree) else [value * 100]
    return any(abs(one - result.written) <= result.number.step / 2 + 1e-9 * abs(one) for one in values)
