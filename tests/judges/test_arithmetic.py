"""Arithmetic: calculations that a text shows, and the numbers that they may stand for."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.words.arithmetic import strange_numbers, without_workings, workings


@pytest.mark.parametrize(
    ("text", "operands", "result", "is_right"),
    [
        ("Three licences cost 60 euros a month (3 × 20 = 60).", (3, 20), 60, True),
        ("It costs $60 (3 x $20 = $60).", (3, 20), 60, True),
        ("20 €/month * 3 = 60 €", (20, 3), 60, True),
        ("20 euros per licence × 3 licences = 60 euros", (20, 3), 60, True),
        ("It is 28 years old: 2026-1998 = 28 years.", (2026, 1998), 28, True),
        ("10 – 12 = −2", (10, 12), -2, True),
        ("15% of 200 = 30", (15, 200), 30, True),
        ("30 / 200 = 15%", (30, 200), 15, True),
        ("((20 + 5) × 3 = 75)", (20, 5, 3), 75, True),
        ("20 + 5 × 3 = 75", (20, 5, 3), 75, False),
        ("1,200 / 12 = 100", (1200, 12), 100, True),
        ("100 / 3 ≈ 33.3", (100, 3), 33.3, True),
        ("100 / 3 ≈ 33.4", (100, 3), 33.4, False),
        ("2.5 million − 1.2 million = 1.3 million", (2.5e6, 1.2e6), 1.3e6, True),
        ("Três licenças custam R$ 4.500,00 por ano (3 × R$ 1.500,00 = R$ 4.500,00).", (3, 1500), 4500, True),
        ("1 / 0 = 3", (1, 0), 3, False),
    ],
)
def test_a_calculation_is_read_and_done_again(
    text: str, operands: tuple[float, ...], result: float, is_right: bool
) -> None:
    (working,) = workings(text)
    assert (working.operands, working.result, working.is_right) == (operands, result, is_right)


@pytest.mark.parametrize("text", ["x = 5", "retries = 5, timeout=3-4", "a = 3 + 4", "3 and 4 make 7", "", "= 5"])
def test_what_is_no_calculation(text: str) -> None:
    assert list(workings(text)) == []


@pytest.mark.parametrize(
    ("text", "source", "asked", "strange"),
    [
        ("Together 60 euros (3 × 20 = 60).", "20 euros each.", "What do three cost?", ()),
        ("Together 60 euros.", "20 euros each.", "What do three cost?", (60.0,)),
        ("Together 60 euros (3 × 20 = 60).", "20 euros each.", "", (60.0, 3.0, 60.0)),
        ("Together 61 euros (3 × 20 = 60).", "20 euros each.", "What do three cost?", (61.0,)),
        ("Three cost 720 a year (3 × 20 = 60; 60 × 12 = 720).", "20 each.", "What do three cost a year?", ()),
        ("6 on average ((4 + 6 + 8) / 3 = 6).", "4, 6 and 8 cases.", "", ()),
        ("It costs 85 (100 × 0.85 = 85).", "100, less 15 per cent.", "", ()),
        ("Custa 85 (100 × 0,85 = 85).", "São 100, menos 15 por cento.", "", ()),
        ("It costs 80 (100 × 0.80 = 80).", "100, or 20 per licence.", "", (80.0, 0.8, 80.0)),
        ("It takes 600 requests.", "It takes 60 requests.", "Does it take 600 requests?", (600.0,)),
    ],
)
def test_a_number_is_known_if_a_source_has_it_or_it_is_worked_out(
    text: str, source: str, asked: str, strange: tuple[float, ...]
) -> None:
    assert strange_numbers(text, source, asked=asked) == strange


def test_what_is_left_without_calculations() -> None:
    assert without_workings("Three cost 60 euros (3 × 20 = 60) a month.") == "cost euros a month."
    assert without_workings("Three cost  60 euros.") == "Three cost  60 euros."


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.sampled_from("+-×"))
def test_any_calculation_that_is_right_is_found_to_be(one: int, other: int, sign: str) -> None:
    value = {"+": one + other, "-": one - other, "×": one * other}[sign]
    (working,) = workings(f"{one} {sign} {other} = {value}")
    assert working.is_right
    (wrong,) = workings(f"{one} {sign} {other} = {value + 1}")
    assert not wrong.is_right


@given(st.text(max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    assert all(0 <= one.start < one.end <= len(text) for one in workings(text))


def test_a_long_list_of_amounts_takes_no_longer_than_its_length() -> None:
    assert list(workings("20 euros per licence - 30 licences of mine - " * 200)) == []
