"""Lexical features: how much of a question a sentence and its passage repeat, and what they leave out."""

import math
from collections.abc import Sequence
from itertools import pairwise

from calibrant.judges.free.evidence.answer_kind import UNTYPED
from calibrant.judges.free.evidence.holding import holds
from calibrant.judges.free.evidence.matching import Term, covered, keys
from calibrant.judges.free.evidence.query import Query, coverage, left_open, share_of, uncovered
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.words.numbers import Number, numbers
from calibrant.judges.free.words.text import Token, has_negation, stem, tokens
from calibrant.judges.free.words.units import UNITS, conversion

SENTENCE_FEATURES = (
    "s_cov", "s_rest", "s_ctx", "s_names", "s_gap", "s_near", "s_fits", "s_lacks", "s_short", "s_head", "s_neg",
    "s_num",
)  # fmt: skip
PASSAGE_FEATURES = ("p_cov", "p_names", "p_gap", "p_lacks")
_NEAR = 4
_ONE = frozenset({"a", "an", "um", "uma"})


def sentence_features(query: Query, text: str, title: frozenset[str], before: frozenset[str]) -> list[float]:
    """One value per ``SENTENCE_FEATURES``. ``title``, ``before``: keys of the title and of the sentence before.

    What the title says, the sentences under it leave out: a docstring does not name its function.
    """
    held = keys(text, query.language)
    found = tokens(text)
    titled = held | title
    left = uncovered(query, titled)
    fits = holds(query.expects, text, query.asked)
    typed = query.expects not in UNTYPED
    return [
        coverage(query, titled),
        share_of(left_open(query, title), held),
        coverage(query, titled | before),
        _names(query, titled),
        left[0].weight if left else 0.0,
        _near(query, found),
        float(typed and fits),
        float(typed and not fits),
        float(len(found) < 6),
        float(_heads(query, found)),
        float(_denies(query, text)),
        float(_lacks_figure(query, text, title)),
    ]


def _denies(query: Query, text: str) -> bool:
    """Whether one of the two negates and the other does not. Where a yes or a no is wanted, that is an answer."""
    return has_negation(text, query.language) != has_negation(query.text, query.language) and not is_polar(query.text)


def _lacks_figure(query: Query, text: str, title: frozenset[str]) -> bool:
    """Whether the question has a number that neither ``text`` nor the title has: a year, an amount, a version.

    A count in words ("ten machines") is said in many other ways: it is missing where the same is counted differently.
    """
    asked, told = (numbers(each, query.language) for each in (query.text, text))
    written = [number for number in asked if query.text[number.start].isdigit()]
    counted = [number for number in asked if number not in written and number.unit]
    return any(
        not any(_same_amount(number, other) for other in told)
        and title.isdisjoint({f"{number.value:.15g}", query.text[number.start : number.end]})
        for number in written
    ) or any(_counts_otherwise(query, number, text, told) for number in counted)


def _same_amount(one: Number, other: Number) -> bool:
    """Whether two numbers are equal, be it in other units: 64 KiB are no 64 GiB. What is no unit says nothing."""
    if one.unit == other.unit or not {one.unit, other.unit} <= UNITS.keys():
        return one.value == other.value
    factor = conversion(other.unit, one.unit)
    return factor is not None and math.isclose(other.value * factor, one.value)


def _counts_otherwise(query: Query, asked: Number, text: str, told: Sequence[Number]) -> bool:
    """Whether ``text`` counts what the question counts, and comes to another number: "a year", asked for two."""
    unit = stem(asked.unit, query.language)
    counts = {number.value for number in told if number.unit and stem(number.unit, query.language) == unit}
    for before, after in pairwise(tokens(text)):
        if before.word in _ONE and stem(after.word, query.language) == unit:
            counts.add(1.0)
    return bool(counts) and asked.value not in counts


def passage_features(query: Query, held: frozenset[str], fits: bool) -> list[float]:
    """One value per ``PASSAGE_FEATURES``. ``fits``: whether some sentence holds the kind of answer asked for."""
    left = uncovered(query, held)
    typed = query.expects not in UNTYPED
    return [
        coverage(query, held),
        _names(query, held),
        left[0].weight if left else 0.0,
        float(typed and not fits),
    ]


def _names(query: Query, held: frozenset[str]) -> float:
    """The share of the question's names, identifiers and numbers among ``held``; 1 when it has none."""
    names = [term for term in query.terms if term.is_name]
    return sum(covered(term, held) for term in names) / len(names) if names else 1.0


def _near(query: Query, found: tuple[Token, ...]) -> float:
    """The share of neighbouring terms of the question that stand within four words of each other."""
    if len(query.terms) < 2:
        return 0.0
    forms = [frozenset((token.word, stem(token.word, query.language), *token.parts)) for token in found]
    places = [_places(term, forms) for term in query.terms]
    pairs = pairwise(places)
    close = sum(any(abs(one - two) <= _NEAR for one in first for two in second) for first, second in pairs)
    return close / (len(places) - 1)


def _places(term: Term, forms: Sequence[frozenset[str]]) -> list[int]:
    wanted = {term.word, term.stem, *term.parts}
    return [place for place, form in enumerate(forms) if not form.isdisjoint(wanted)]


def _heads(query: Query, found: tuple[Token, ...]) -> bool:
    """Whether the sentence opens with a term of the question: it is about it, not just mentioning it."""
    opening = {part for token in found[:4] for part in (token.word, stem(token.word, query.language), *token.parts)}
    return any(term.word in opening or term.stem in opening for term in query.terms)
