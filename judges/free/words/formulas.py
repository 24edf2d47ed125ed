"""Formulas: a text cut into numbers, signs, brackets and words, and a run of these read as sums of products."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from calibrant.judges.free.words.numbers import Number, numbers
from calibrant.judges.free.words.text import uncased

CONVERSIONS = frozenset(
    {
        *(7.0, 12.0, 24.0, 30.0, 52.0, 60.0, 365.0, 168.0, 1440.0, 3600.0, 8760.0, 86_400.0, 604_800.0),
        *(100.0, 1000.0, 1e6, 1e9, 1024.0, 1024.0**2, 1024.0**3),
    }
)
"""Numbers that units are converted by, of time and of others: nobody has to state them."""

_MEANS = {
    **dict.fromkeys(("+", "plus", "mais"), "+"),
    **dict.fromkeys(("-", "−", "–", "minus", "menos"), "-"),
    **dict.fromkeys(("*", "×", "·", "⋅", "\\times", "\\cdot", "x", "times", "vezes", "of", "de"), "*"),
    **dict.fromkeys(("/", "÷", "\\div"), "/"),
}

_MARKS = re.compile(r"(?m:^[ \t]*+[*+-](?=\s))|`+|[*_]{2,}|(?<![^\s(=])[*_](?=\S)|(?<=\S)[*_](?![^\s).,;:!?=])")
"""Signs that open an entry of a list, or set words in bold, in italics or as code. A lone "*" with a space on both
sides, or on none, is "times"."""
_BETWEEN = re.compile(r"(?<=\d)x(?=\d)", re.IGNORECASE)

_MONEY = r"(?-i:(?<![^\W_])(?:[A-Z]{3}\s?(?=\d|[$€£¥]))?(?:[A-Z]{0,2}[$€£¥]\s?)?)"
_DIGITS = (
    r"(?<![\w.])(?P<digits>\d{1,2}:[0-5]\d(?![\d:])|\d{1,3}(?:[ \u00a0\u2009\u202f]\d{3}(?!\d))++(?:[.,]\d++)*+"
    r"|\d++(?:[.,]\d++)*+)(?![²³^])"
)
_SHARE = r"(?P<share>\s?(?:%|per ?cent\b|por cento\b))"
_LETTER = r"[^\W\d_]"
_SIGN_WORD = rf"(?:x(?!{_LETTER})|(?:times|vezes|plus|mais|minus|menos)\b)"
_TOKEN = re.compile(
    r"(?P<equals>==?|≈)"
    rf"|(?P<number>{_MONEY}{_DIGITS}(?:{_SHARE}|\s?[$€£¥°])?)"
    rf"|(?P<sign>[+\-−–*×·⋅÷]|/(?=\s*(?:{_MONEY}\d|\())|\\(?:times|cdot|div)\b|{_SIGN_WORD}"
    r"|(?:(?<=%)|(?<=cent)|(?<=cento))\s(?:of|de)\b)"
    r"|(?P<open>\()|(?P<close>\))"
    rf"|(?P<words>(?:(?:/\s?)?(?!{_SIGN_WORD}){_LETTER}++(?:['’-]{_LETTER}++)*+\s?){{1,6}}+)"
    r"|(?P<other>\S)",
    re.IGNORECASE,
)
PERCENT = re.compile(_SHARE, re.IGNORECASE)


def plain(text: str) -> str:
    """``text`` without signs of markup and with "×" for the x of 3x20. As long as before."""
    return _BETWEEN.sub("×", _MARKS.sub(lambda mark: " " * len(mark.group()), text))


@dataclass(frozen=True)
class Token:
    """A part of a text that a calculation may have. ``kind``: the name of its group in ``_TOKEN``."""

    kind: str
    start: int
    end: int
    sign: str = ""
    """For a sign: + - * or /, however it is written."""
    is_tight: bool = False
    """For a sign: whether no space follows, as the minus of -5."""
    number: Number | None = None
    is_share: bool = False
    """For a number: whether it is one of per cent."""


def tokens_of(text: str) -> list[Token]:
    """The tokens of a ``plain`` text, in their order."""
    held = {number.start: number for number in numbers(text)}
    return [_token(match, held) for match in _TOKEN.finditer(text)]


def _token(match: re.Match[str], held: Mapping[int, Number]) -> Token:
    kind, (start, end) = str(match.lastgroup), match.span()
    if kind == "sign":
        sign = _MEANS[uncased(match.group().strip())]
        return Token(kind, start, end, sign, is_tight=not match.string[end : end + 1].isspace())
    number = held.get(match.start("digits"))
    if kind == "number" and number is None:
        kind = "other"
    return Token(kind, start, end, number=number, is_share=bool(match["share"]))


@dataclass(frozen=True)
class Term:
    """A number of a calculation as it is ``written``, and where; 15 per cent count as 0.15."""

    number: Number
    token: Token
    is_minus: bool

    @property
    def written(self) -> float:
        return -abs(self.number.value) if self.is_minus else abs(self.number.value)

    @property
    def is_share(self) -> bool:
        return self.token.is_share

    @property
    def value(self) -> float:
        return self.written / 100 if self.is_share else self.written


@dataclass(frozen=True)
class Operation:
    """Two formulas that a sign joins."""

    sign: str
    left: "Tree"
    right: "Tree"


Tree = Term | Operation


def formula(tokens: Sequence[Token]) -> Tree | None:
    """All the tokens as one formula; None where they are none."""
    return _Reader(tokens).all()


def opening_number(tokens: Sequence[Token]) -> Term | None:
    """The number that the tokens open with, with its minus."""
    return _Reader(tokens).number()


class _Reader:
    """Reads tokens as sums of products of numbers and brackets, each of which may have a unit in words."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self._left = [*tokens, Token("end", 0, 0)][::-1]

    def all(self) -> Tree | None:
        tree = self._sum()
        return tree if self._left[-1].kind == "end" else None

    def _sum(self) -> Tree | None:
        return self._row("+-", self._product)

    def _product(self) -> Tree | None:
        return self._row("*/", self._operand)

    def _row(self, signs: str, part: Callable[[], Tree | None]) -> Tree | None:
        tree = part()
        while tree is not None and (sign := self._left[-1].sign) and sign in signs:
            self._left.pop()
            right = part()
            tree = None if right is None else Operation(sign, tree, right)
        return tree

    def _operand(self) -> Tree | None:
        tree = self._bracket() if self._takes("open") else self.number()
        self._takes("words")
        return tree

    def _bracket(self) -> Tree | None:
        tree = self._sum()
        return tree if self._takes("close") else None

    def number(self) -> Term | None:
        is_minus = self._left[-1].sign == "-" and self._left[-1].is_tight
        if is_minus:
            self._left.pop()
        token = self._left[-1]
        if token.number is None:
            return None
        self._left.pop()
        return Term(token.number, token, is_minus)

    def _takes(self, kind: str) -> bool:
        is_there = self._left[-1].kind == kind
        if is_there:
            self._left.pop()
        return is_there


def is_times_100(tree: Tree) -> bool:
    """Whether 100 is a factor of it."""
    match tree:
        case Operation("*", left, right):
            return _is(left, 100.0) or _is(right, 100.0) or is_times_100(left) or is_times_100(right)
        case Operation("/", left, _):
            return is_times_100(left)
        case _:
            return False


def value_of(tree: Tree, *, shares_of_left: bool = True) -> float:
    """What the calculation comes to; not a number where it cannot be done. ``shares_of_left``: whether 100 − 15% is
    85."""
    if isinstance(tree, Term):
        return tree.value
    left = value_of(tree.left, shares_of_left=shares_of_left)
    right = value_of(tree.right, shares_of_left=shares_of_left)
    if shares_of_left and tree.sign in "+-" and _is_share(tree.right) and not _is_share(tree.left):
        right *= left
    match tree.sign:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case _:
            return left / right if right else math.nan


def _is_share(tree: Tree) -> bool:
    if isinstance(tree, Term):
        return tree.is_share
    return tree.sign in "+-" and _is_share(tree.left) and _is_share(tree.right)


def terms(tree: Tree) -> Iterator[Term]:
    """The numbers of a formula, in their order."""
    if isinstance(tree, Term):
        yield tree
    else:
        yield from (*terms(tree.left), *terms(tree.right))


def stated(tree: Tree, power: int = 0) -> Iterator[tuple[Term, float]]:
    """The numbers of a calculation that somebody has to state, all but those that units or the form explain, each with
    what it multiplies by: 0.5 where it divides by 2 or is 50 %, not a number where it is added. ``power``: 1 where the
    whole is a factor, -1 where it is a divisor."""
    if isinstance(tree, Term):
        yield tree, tree.value**power if power and tree.value else math.nan
        return
    left = (power or 1) if tree.sign in "*/" else 0
    right = -left if tree.sign == "/" else left
    if not _converts(tree.left, tree.sign == "*") and not _is_whole(tree):
        yield from stated(_rest(tree.left, tree.sign == "*"), left)
    if not _converts(tree.right, tree.sign in "*/") and not _is_mean(tree):
        yield from stated(_rest(tree.right, tree.sign in "*/"), right)


def _rest(tree: Tree, is_factor: bool) -> Tree:
    """What is taken off a number that units are converted by, where the rest is a factor: (12 − 2) months."""
    if isinstance(tree, Operation) and tree.sign == "-" and _converts(tree.left, is_factor):
        return tree.right
    return tree


def _converts(tree: Tree, is_factor: bool) -> bool:
    """Whether it is a factor, or a divisor, that units are converted by; or 100 %."""
    return is_factor and isinstance(tree, Term) and (tree.value in CONVERSIONS or (tree.is_share and tree.value == 1.0))


def _is_whole(tree: Operation) -> bool:
    """Whether a share is taken off the whole, or added to it: 1 − 0.15, 100% + 19%."""
    return tree.sign in "+-" and _is(tree.left, 1.0) and 0 < value_of(tree.right) < 1


def _is_mean(tree: Operation) -> bool:
    """Whether a sum is divided by how many numbers it has."""
    return tree.sign == "/" and _summands(tree.left) > 1 and _is(tree.right, _summands(tree.left))


def _is(tree: Tree, value: float) -> bool:
    return isinstance(tree, Term) and tree.value == value


def _summands(tree: Tree) -> int:
    return _summands(tree.left) + _summands(tree.right) if isinstance(tree, Operation) and tree.sign == "+" else 1
