"""Amounts: temperatures in one scale, and what bounds a number, before or behind it."""

import pytest

from calibrant.judges.free.comparing.amounts import DEGREES
from calibrant.judges.free.comparing.reading import read


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("Heat it to 50 °C.", 50.0),
        ("It takes 122 °F.", 50.0),
        ("The fridge may go up to 7 degrees, no more.", 7.0),
        ("It is 30 degrees Celsius in there.", 30.0),
        ("It stays at -4 °F in there.", -20.0),
    ],
)
def test_temperatures_are_reckoned_in_one_scale(text: str, value: float) -> None:
    (amount,) = read(text).quantities
    assert amount.value == pytest.approx(value)
    assert amount.unit == DEGREES


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("There were five SEV-1 alerts.", [5.0]),
        ("See ADR-014, SP-07, P2 and CVE-2025-1234.", []),
        ("COVID-19 cases are told on A4 paper.", []),
        ("It starts at T-5 minutes.", [300.0]),
        ("A 3-phase supply has a 24-hour window.", [3.0, 86_400.0]),
        ("It takes 5-10 days.", [432_000.0, 864_000.0]),
        ("It is a sub-10 goal.", [10.0]),
        ("Cold: -5 °C.", [-5.0]),
    ],
)
def test_the_number_of_a_name_is_no_amount(text: str, values: list[float]) -> None:
    assert [amount.value for amount in read(text).quantities] == values


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("It has 2 GB of memory.", ""),
        ("It has 2 GB of memory or more.", ">"),
        ("It needs 2 GB at least.", ">"),
        ("It needs at least 2 GB.", ">"),
        ("It takes 6 hours at most.", "<"),
        ("It takes up to £130 a night.", "<"),
        ("It takes at most US$130 a night.", "<"),
        ("It holds 20 books or fewer.", "<"),
        ("It needs no more than 20 books.", "<"),
    ],
)
def test_what_bounds_a_number_stands_before_or_behind_it(text: str, bound: str) -> None:
    (amount,) = read(text).quantities
    assert amount.bound == bound


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("It holds no more than 20 books.", False),
        ("It leaves no later than 9:00.", False),
        ("It holds no books.", True),
        ("It no longer holds 20 books.", True),
        ("Não mais de 20 livros.", False),
    ],
)
def test_a_bound_denies_nothing(text: str, negative: bool) -> None:
    assert read(text).negative is negative


@pytest.mark.parametrize(
    ("text", "first", "last"),
    [
        ("Wash it at 50 to 59 °F.", 10.0, 15.0),
        ("Wash it at 50 to 60 °C.", 50.0, 60.0),
        ("It takes three to five days.", 3 * 86_400.0, 5 * 86_400.0),
    ],
)
def test_the_first_end_of_a_range_has_the_unit_of_the_last(text: str, first: float, last: float) -> None:
    one, other = read(text).quantities
    assert one.value == pytest.approx(first)
    assert other.value == pytest.approx(last)
    assert (one.unit, one.factor) == (other.unit, other.factor)
