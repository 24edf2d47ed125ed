"""Calculations that a text shows, such as "3 × 20 = 60": a number that no source has may be worked out from some that
sources have, if the text shows how and it is right."""

import ast
import operator
import re
from collections.abc import Iterable, Iterator, Set
from dataclasses import dataclass

from calibrant.judges.free.words.numbers import Number, numbers
from calibrant.judges.free.words.text import language_of
from calibrant.state.task import Language

_UNIT = r"(?:\s?/?(?!(?:x|of|de)\b)[^\W\d_]++){0,3}+"
_TERM = rf"(?:R\$|US\$|[$€£¥])?\s?\d++(?:[.,]\d++)*+(?:\s?[%$€£¥])?+{_UNIT}"
_SIGN = r"\s*(?:[+\-−–*×·÷/]|\bx\b|(?<=%)\s(?:of|de)\b)\s*"
_SHOWN = re.compile(rf"(?P<terms>\(*{_TERM}\)*(?:{_SIGN}\(*{_TERM}\)*)+)\s*[=≈]\s*(?P<result>[-−]?\s?{_TERM})")
_PIECE = re.compile(rf"(?P<bracket>[()])|(?P<sign>{_SIGN})|(?P<term>{_TERM})")

_MEANS = {"−": "-", "–": "-", "×": "*", "·": "*", "x": "*", "÷": "/", "of": "*", "de": "*"}
_DOES = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}

CONVERSIONS = frozenset({7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 100.0, 365.0, 1000.0, 1024.0})
"""Numbers that units are converted by: nobody has to state them."""

_PERCENT = re.compile(r"\s?(?:%|per ?cent\b|por cento\b)", re.IGNORECASE)


@dataclass(frozen=True)
class Working:
    """A calculation that a text shows, at ``start`` to ``end``. ``is_right``: what comes out is the ``result``, as
    precisely as that is written."""

    operands: tuple[float, ...]
    result: float
    is_right: bool
    start: int
    end: int


def workings(text: str) -> Iterator[Working]:
    """The calculations that ``text`` shows, in their order."""
    language = language_of(text)
    for shown in _SHOWN.finditer(text):
        start = shown.start("terms")
        terms = shown["terms"]
        while terms.startswith("(") and terms.count("(") > terms.count(")"):  # the bracket that it all stands in
            start, terms = start + 1, terms[1:]
        operands, formula = _formula(terms, language)
        result, step = _read(shown["result"], language)
        value = _value(formula)
        candidates = () if value is None else (value, value * 100) if "%" in shown["result"] else (value,)
        is_right = any(abs(one - result) <= step / 2 + 1e-9 * abs(one) for one in candidates)
        yield Working(operands, result, is_right, start, shown.end())


def without_workings(text: str) -> str:
    """``text`` without the calculations that it shows and the numbers that these explain: the words that a source must
    bear out. A text without calculations stays as it is."""
    shown = list(workings(text))
    explained = {number for working in shown for number in (working.result, *working.operands)}
    cuts = [(working.start, working.end) for working in shown]
    cuts += [(number.start, number.end) for number in numbers(text) if number.value in explained]
    kept, at = "", 0
    for start, end in sorted(cuts):
        kept, at = kept + text[at : max(at, start)], max(at, end)
    return " ".join((kept + text[at:]).replace("()", "").split()) if shown else text


def strange_numbers(text: str, *sources: str, asked: str = "") -> tuple[float, ...]:
    """The numbers in ``text`` that stand in none of ``sources`` and are not worked out from those that do, or that were
    ``asked`` with."""
    known = {_exact(number.value) for source in sources for number in numbers(source)}
    known |= _worked_out(text, known | set(_operands((*sources, asked))))
    found = (n for n in numbers(text) if text[n.start].isdigit() or n.value > 1.0)  # "one of them" counts nothing
    return tuple(n.value for n in found if _exact(n.value) not in known)


def _worked_out(text: str, known: Set[float]) -> set[float]:
    """The numbers of the calculations in ``text`` that are right and start from ``known`` ones, or from what one before
    has come to."""
    found: set[float] = set()
    for working in workings(text):
        operands = {_exact(operand) for operand in working.operands}
        mean_of = float(len(working.operands) - 1)
        if working.is_right and operands <= known | CONVERSIONS | found | {mean_of}:
            found |= {_exact(working.result), *operands}
    return found


def _operands(sources: Iterable[str]) -> Iterator[float]:
    """What a calculation may start from: the numbers of ``sources``, percentages as factors too (0.85: 15 % less)."""
    for source in sources:
        for number in numbers(source):
            yield _exact(number.value)
            if _PERCENT.match(source, number.end):
                share = number.value / 100
                yield from map(_exact, (share, 1 - share, 1 + share))


def _exact(value: float) -> float:
    """``value`` without what floating point adds to it."""
    return round(value, 6)


def _formula(terms: str, language: Language) -> tuple[tuple[float, ...], str]:
    """The numbers of a calculation, and it as Python writes it."""
    operands: list[float] = []
    written: list[str] = []
    for piece in _PIECE.finditer(terms):
        if piece["term"]:
            value, _ = _read(piece["term"], language)
            operands.append(value)
            written.append(repr(value / 100 if "%" in piece["term"] else value))
        else:
            sign = (piece["bracket"] or piece["sign"]).strip()
            written.append(_MEANS.get(sign, sign))
    return tuple(operands), " ".join(written)


def _read(term: str, language: Language) -> tuple[float, float]:
    """The number that ``term`` has, and the step of its last digit: 0.1 for 2.5, a hundred thousand for 2.5 million."""
    number = max(numbers(term, language), key=_magnitude)
    digits = re.search(r"\d[\d.,]*", term)
    plain = max(numbers(digits.group(), language), key=_magnitude).value if digits else number.value
    decimals = len(repr(plain).partition(".")[2].rstrip("0"))
    scale = number.value / plain if plain else 1.0
    sign = -1.0 if re.match(r"\s*[-−]", term) and number.value > 0 else 1.0
    return sign * number.value, 10.0**-decimals * abs(scale)


def _magnitude(number: Number) -> float:
    return abs(number.value)


def _value(formula: str) -> float | None:
    """What the calculation comes to; None where it cannot be done."""
    try:
        return _evaluated(ast.parse(formula, mode="eval").body)
    except (SyntaxError, ValueError, ZeroDivisionError, OverflowError, RecursionError):
        return None


def _evaluated(node: ast.expr) -> float:
    match node:
        case ast.Constant(value=float() as value):
            return value
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _DOES:
            return float(_DOES[type(op)](_evaluated(left), _evaluated(right)))
        case _:
            raise ValueError("no calculation")
