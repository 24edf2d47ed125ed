"""Calculations that a text shows, such as "3 × 20 = 60", done again."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from calibrant.judges.free.words.formulas import (
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
from calibrant.judges.free.words.units import UNITS, conversion

LONGEST = 80
"""Tokens of a calculation up to its "=". A longer one is not read."""


@dataclass(frozen=True)
class Working:
    """A calculation that a text shows, at ``start`` to ``end``. ``is_right``: what comes out is the ``result``, as
    precisely as that is written. ``stated``: the operands that somebody has to state; ``factors``: what each of these
    multiplies by, 0.5 of a division by 2, or not a number. ``places``: where its numbers stand, the result last.
    ``counted_in``: what its numbers have to be told in to be right: a million for 5.1 + 7.6 = 12.7 million."""

    operands: tuple[float, ...]
    result: float
    is_right: bool
    start: int
    end: int
    stated: tuple[float, ...]
    factors: tuple[float, ...]
    places: tuple[int, ...]
    counted_in: float = 1.0


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
    operands = [term for side in chain for term in terms(side.tree)]
    found = (conversion(term.number.unit, result.number.unit) for term in operands)
    needed = tuple(stated(tree))
    scales = {scale for scale in found if scale not in (None, 1.0)}
    is_right = all(_comes_to(side.tree, result, scales) for side in chain)
    scale = 1.0 if is_right or any(term.number.scale != 1.0 for term in operands) else result.number.scale
    return Working(
        operands=tuple(term.written for term in terms(tree)),
        result=result.written,
        is_right=is_right or (scale != 1.0 and all(_comes_to(side.tree, result, [scale]) for side in chain)),
        start=tokens[chain[0].first].start,
        end=result.token.end,
        stated=tuple(term.written for term, _ in needed),
        factors=tuple(factor for _, factor in needed),
        places=tuple(term.number.start for term in (*operands, result)),
        counted_in=scale,
    )


def _comes_to(tree: Tree, result: Term, scales: Iterable[float]) -> bool:
    """Whether the calculation comes to ``result``, in its own unit or by one of ``scales`` in that of the result: 60 ×
    72 pence are £43.20. A result in per cent is a hundred times the value, unless that was multiplied by 100."""
    value = value_of(tree, shares_of_left=not result.is_share)
    values = [value]
    if result.is_share:
        values = [value * 100, value] if is_times_100(tree) else [value * 100]
    values += [value * scale for scale in scales]
    return any(abs(one - result.written) <= result.number.step / 2 + 1e-9 * abs(one) for one in values)
