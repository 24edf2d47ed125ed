"""Arithmetic: calculations that a text shows, and the numbers that they may stand for."""

from collections.abc import Sequence

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.words import arithmetic
from calibrant.judges.free.words.arithmetic import LONGEST, without_workings, workings
from calibrant.judges.free.words.formulas import Token, Tree, formula


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
        ("Three licences cost 60 euros (3x20 = 60).", (3, 20), 60, True),
        ("3 x R$ 20,00 = R$ 60,00", (3, 20), 60, True),
        ("EUR 20 × 3 = EUR 60", (20, 3), 60, True),
        ("60/EUR 20 = 3", (60, 20), 3, True),
        ("3 × 20 = **60**", (3, 20), 60, True),
        ("**3** × **20** = *60*", (3, 20), 60, True),
        ("`3*20 = 60`", (3, 20), 60, True),
        ("* 3 × 20 = 60", (3, 20), 60, True),
        ("1. 3 × 20 = 60", (3, 20), 60, True),
        ("- 3 × 20 = 60", (3, 20), 60, True),
        ("It is this – 3 × 20 = 60.", (3, 20), 60, True),
        (r"\(3 \times 20 = 60\)", (3, 20), 60, True),
        ("20 times 3 = 60", (20, 3), 60, True),
        ("20 euros a month for each person × 3 = 60", (20, 3), 60, True),
        ("2 × 3 × 10 = 6 × 10 = 60", (2, 3, 10), 60, True),
        ("2 × 3 × 10 = 5 × 10 = 60", (2, 3, 10), 60, False),
        ("3 × 20 = 60 × 12 = 720", (3, 20), 720, False),
        ("Total = 3 × 20 = 60", (3, 20), 60, True),
        ("1 500 × 2 = 3 000", (1500, 2), 3000, True),
        ("-5 + 8 = 3", (-5, 8), 3, True),
        ("8 − (−5) = 13", (8, -5), 13, True),
        ("10 -2 = 8", (10, 2), 8, True),
        ("17:30 − 9:00 = 8.5 hours", (17.5, 9), 8.5, True),
        ("17:30 − 9:00 = 8:30", (17.5, 9), 8.5, True),
        ("17:30 − 9:00 = 8:31", (17.5, 9), 8 + 31 / 60, False),
        ("(17.5 − 9) × 2 = 17", (17.5, 9, 2), 17, True),
        ("60 kWh × 72 pence = £43.20", (60, 72), 43.2, True),
        ("60 × 72 pence = £43.21", (60, 72), 43.21, False),
        ("60 × 72 = £43.20", (60, 72), 43.2, False),
        ("60 × 72 = 4,320 pence = £43.20", (60, 72), 43.2, True),
        ("3 × 45 minutes = 2.25 hours", (3, 45), 2.25, True),
    ],
)
def test_a_calculation_is_read_and_done_again(
    text: str, operands: tuple[float, ...], result: float, is_right: bool
) -> None:
    (working,) = workings(text)
    assert (working.operands, working.result, working.is_right) == (operands, result, is_right)


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("7.49 + 7.99 = 15.47", False),
        ("7.49 + 7.99 = 15.48", True),
        ("7.49 + 7.99 = 15.49", False),
        ("7.49 + 7.99 = 15.00", False),
        ("7.49 + 7.99 ≈ 15", True),
        ("19.90 + 15.50 = 35.00", False),
        ("19.90 + 15.50 = 35.40", True),
        ("19,90 + 15,50 = 35,00", False),
        ("R$ 1.500,50 × 2 = R$ 3.001,00", True),
        ("R$ 1.500,50 × 2 = R$ 3.000,00", False),
        ("0.1 × 0.2 = 0.02", True),
        ("0.1 × 0.2 = 0.00001", False),
        ("0.3 − 0.1 = 0.00", False),
        ("2.04 million + 1.00 million = 3.04 million", True),
        ("2.04 million + 1.00 million = 3.00 million", False),
    ],
)
def test_what_comes_out_is_as_precise_as_it_is_written(text: str, is_right: bool) -> None:
    (working,) = workings(text)
    assert working.is_right is is_right


@pytest.mark.parametrize(
    ("text", "is_right"),
    [
        ("3 × 20 = 60%", False),
        ("3 / 20 = 15%", True),
        ("3 / 20 = 14%", False),
        ("3 / 20 = 16%", False),
        ("3 / 20 × 100 = 15%", True),
        ("(25 − 20) / 20 × 100 = 25%", True),
        ("3 / 20 × 100% = 15%", True),
        ("20% + 15% = 35%", True),
        ("2 × 15% + 5% = 35%", True),
        ("100% − 15% = 85%", True),
        ("60 + 25 = 85%", False),
        ("100 − 15% = 85", True),
        ("100 − 15% = 84", False),
        ("100 + 15% = 115", True),
        ("60 + 40 − 15% = 85", True),
        ("20% + 5% = 0.25", True),
        ("15 percent of 200 = 30", True),
        ("15 por cento de 200 = 30", True),
        ("3 / 20 = 0.15 = 15%", True),
    ],
)
def test_per_cent_are_hundredths_and_are_taken_off_what_stands_before(text: str, is_right: bool) -> None:
    (working,) = workings(text)
    assert working.is_right is is_right


@pytest.mark.parametrize(
    "text", ["x = 5", "retries = 5, timeout=3-4", "a = 3 + 4", "3 and 4 make 7", "", "= 5", "x × 3 × 20 = 60"]
)
def test_what_is_no_calculation(text: str) -> None:
    assert list(workings(text)) == []


HALF, DOUBLE = "20 euros, and half on Monday.", "20 euros. The fee doubles on Monday."


@pytest.mark.parametrize(
    ("text", "source", "is_told"),
    [
        ("10 (20 / 2 = 10)", HALF, True),
        ("10 (20 × 0.5 = 10)", HALF, True),
        ("10 (0.5 × 20 = 10)", HALF, True),
        ("10 (50% of 20 = 10)", HALF, True),
        ("30 (20 + 20 / 2 = 30)", HALF, True),
        ("41,25 € (82,50 / 2 = 41,25)", "82,50 €; no dia da partida paga-se metade.", True),
        ("41,25 € (82,50 × 50 % = 41,25)", "82,50 €; no dia da partida paga-se metade.", True),
        ("40 (20 × 2 = 40)", HALF, False),
        ("22 (20 + 2 = 22)", HALF, False),
        ("20.5 (20 + 0.5 = 20.5)", HALF, False),
        ("5 (20 / 4 = 5)", HALF, False),
        ("11 (20 / 2 = 11)", HALF, False),
        ("15 (30 / 2 = 15)", HALF, False),
        ("10", HALF, False),
        ("40 (2 × 20 = 40)", DOUBLE, True),
        ("40 (20 / 0.5 = 40)", DOUBLE, True),
        ("40 (2 × 20 = 40)", "20 euros, in August twice that.", True),
        ("40 (2 × 20 = 40)", "São 20 euros; em agosto, o dobro.", True),
        ("10 (20 / 2 = 10)", DOUBLE, False),
        ("60 (3 × 20 = 60)", DOUBLE, False),
        ("40 (2 × 20 = 40)", "20 euros for a double room.", False),
        ("40 (2 × 20 = 40)", "20 euros, twice daily.", False),
        ("10 (20 / 2 = 10)", "20 euros in the second half of the year.", False),
        ("10 (20 / 2 = 10)", "20 euros with half-board, from half past eight.", False),
        ("10 (20 / 2 = 10)", "São 20 euros na segunda metade do ano.", False),
        ("10 (20 / 2 = 10)", "20 euros.", False),
    ],
)
def test_half_and_double_are_told_in_words(text: str, source: str, is_told: bool) -> None:
    assert (strange_numbers(text, source) == ()) is is_told


@pytest.mark.parametrize(
    ("text", "source", "is_told"),
    [
        ("672 hours (28 × 24 = 672)", "It is due in February 2026.", True),
        ("696 hours (29 × 24 = 696)", "It is due in February 2026.", False),
        ("696 hours (29 × 24 = 696)", "It is due on 17 February.", True),
        ("744 hours (31 × 24 = 744)", "It is due on 17 February.", False),
        ("744 horas (31 × 24 = 744)", "Vence em março de 2026.", True),
        ("744 hours (31 × 24 = 744)", "It is due each month.", False),
    ],
)
def test_a_month_that_is_named_has_its_days(text: str, source: str, is_told: bool) -> None:
    assert (strange_numbers(text, source) == ()) is is_told


TIERS = "The first hour costs 1.20, each further hour 0.90."
ESCALOES = "A primeira hora custa 1,20 €; cada hora seguinte custa 0,90 €."


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
        ("It is 84 (7 × 12 = 84).", "It is 50.", "", (84.0, 7.0, 12.0, 84.0)),
        ("It is 84 (7 × 12 = 84).", "It is 7 a month.", "", ()),
        ("It is 84 (7 × 12 = 84).", "A month.", "What do seven cost?", ()),
        ("The fee is 20, 50 in all (20 + 30 = 50).", "The fee is 20.", "", (50.0, 30.0, 50.0)),
        ("The deposit is 30 euros: 600 (20 × 30 = 600).", "The fee is 20.", "", (30.0,)),
        ("It has 12 members: 240 (20 × 12 = 240).", "The fee is 20.", "", (12.0,)),
        ("For 12 months it is 240 (20 × 12 = 240).", "The fee is 20.", "", ()),
        ("It is 40 euros for 12 months (12 × 20 = 240).", "The fee is 20.", "", (40.0,)),
        ("It is 1 month in 12 (12 / 240 = 0.05).", "It is 240.", "", (1.0, 12.0, 12.0, 0.05)),
        ("1400 (20 × 35 × 2 = 1400)", "20 people pay 35 euros.", "", (1400.0, 2.0, 1400.0)),
        ("The mean of the 2 is 30 ((25 + 35) / 2 = 30).", "25 and 35 euros.", "", (2.0,)),
        ("The mean is 30 ((25 + 35) / 2 = 30).", "25 and 35 euros.", "", ()),
        ("The mean is 20 ((25 + 35) / 3 = 20).", "25 and 35 euros.", "", (20.0, 3.0, 20.0)),
        ("It is 5 (10 / 2 = 5).", "It is 10.", "", (5.0, 2.0, 5.0)),
        ("It costs 85 (100 × (1 − 0.15) = 85).", "100 euros, 15% less.", "", ()),
        ("85% are left (100% − 15% = 85%).", "15% went.", "", ()),
        ("It is 21 (20 + 1 = 21).", "It is 20.", "", (21.0, 1.0, 21.0)),
        ("It costs 70 (3 × 20 = 70).", "3 at 20, or 70 in all.", "", (70.0,)),
        ("Take 9 - 17 = 8 hours.", "Take 9 - 17 = 8 hours, or less.", "", ()),
        ("60 for two (3 × 20 for two people = 60)", "3, 20", "", (2.0, 2.0)),
        ("It is 60 (2 × 3 × 10 = 6 × 10 = 60).", "2, 3 and 10.", "", ()),
        ("4 hours cost 3.90 (1.20 + (4 − 1) × 0.90 = 3.90).", f"{TIERS} 4 hours?", "", ()),
        ("4 horas custam 3,90 € (1,20 + (4 − 1) × 0,90 = 3,90).", f"{ESCALOES} 4 horas?", "", ()),
        ("4 hours cost 3.90 (1.20 + 3 × 0.90 = 3.90).", f"{TIERS} 4 hours?", "", (3.9, 3.0, 3.9)),
        ("4 hours cost 2.70 ((4 − 1) × 0.90 = 2.70).", "Each hour costs 0.90. 4 hours?", "", (2.7, 1.0, 2.7)),
        ("25 people pay 500 euros (25 × 20 = 500).", "Each pays 20.", "What would 25 people pay?", ()),
        ("490 a year, 2 of 12 months less ((12 − 2) × 49 = 490)", "49 a month, 2 months less.", "", ()),
        (
            "490 a year, 3 of 12 months less ((12 − 3) × 49 = 441)",
            "49 a month.",
            "",
            (490.0, 3.0, 12.0, 12.0, 3.0, 441.0),
        ),
        ("Of these 100 messages are above 500 messages.", "500 messages.", "What of 600 messages?", ()),
        ("Of these 100 messages are above it.", "500 messages.", "What of 600 messages?", (100.0,)),
        ("Of these 100 users are above 500 messages.", "500 messages.", "What of 600 messages?", (100.0,)),
        ("20 euros and 40 euros are 60 euros.", "20 euros, 40 euros.", "", ()),
        ("20 euros and 40 euros are 70 euros.", "20 euros, 40 euros.", "", (70.0,)),
        ("Done on 10 June, due on 14 June, told on 4 June.", "10 June, 14 June.", "", (4.0,)),
        ("From 2:30 to 4:30, again at 7:00.", "2:30, 4:30.", "", (7.0,)),
        ("12 groups fit (500 / 40 = 12.5).", "Groups of 40, 500 in all.", "", ()),
        ("13 groups are begun (500 / 40 = 12.5).", "Groups of 40, 500 in all.", "", ()),
        ("14 groups fit (500 / 40 = 12.5).", "Groups of 40, 500 in all.", "", (14.0,)),
        ("It is 10 (12 − 2 = 10).", "2 months less.", "", (10.0, 12.0, 10.0)),
        ("43.20 pounds (60 × 72 pence = 4,320 pence)", "72 pence each.", "What do 60 cost?", ()),
        ("43.30 pounds (60 × 72 pence = 4,320 pence)", "72 pence each.", "What do 60 cost?", (43.3,)),
        ("43.20 (60 × 0.72 = 43.20)", "72 pence each.", "What do 60 cost?", ()),
        ("43.20 (60 × 0.72 = 43.20)", "72 litres each.", "What do 60 cost?", (43.2, 60.0, 0.72, 43.2)),
        (
            "It comes to 286,200: 3 × 71,000 = 213,000, and 24 × 2,300 = 55,200, and 2 × 9,000 = 18,000.",
            "3 years at 71,000. 24 months at 2,300. 2 moves at 9,000.",
            "",
            (),
        ),
        (
            "It comes to 286,300: 3 × 71,000 = 213,000, and 24 × 2,300 = 55,200, and 2 × 9,000 = 18,000.",
            "3 years at 71,000. 24 months at 2,300. 2 moves at 9,000.",
            "",
            (286300.0,),
        ),
        ("It costs £0.72.", "It costs 72p.", "", ()),
        ("It costs €0.72.", "It costs 72 cents.", "", ()),
        ("It costs €0.72.", "It costs 72p.", "", (0.72,)),
        ("It takes 1.5 hours.", "It takes 90 minutes.", "", ()),
        ("It takes 2 hours.", "It takes 90 minutes.", "", (2.0,)),
        ("It is 2.5 km.", "It is 2,500 m.", "", ()),
        ("It came with 3.x.", "Since 3.4 there is one.", "", ()),
        ("It came with 4.x.", "Since 3.4 there is one.", "", (4.0,)),
        ("They pay 8,120 euros (140 × 58 = 8,120).", "58 euros per 1,000 meters. They have 140,000.", "", ()),
        (
            "They pay 8,178 euros (141 × 58 = 8,178).",
            "58 euros per 1,000 meters. They have 140,000.",
            "",
            (8178.0, 141.0, 8178.0),
        ),
        (
            "They pay 8,120 euros (140 × 58 = 8,120).",
            "58 euros for 1,000 meters. They have 140,000.",
            "",
            (8120.0, 140.0, 8120.0),
        ),
        (
            "25 bales take 3 carts (25 / 10 = 2.5), and these cost 60 euros (3 × 20 = 60).",
            "A cart takes 10 bales and costs 20 euros.",
            "What do carts for 25 bales cost?",
            (),
        ),
        (
            "25 bales take 4 carts (25 / 10 = 2.5), and these cost 80 euros (4 × 20 = 80).",
            "A cart takes 10 bales and costs 20 euros.",
            "What do carts for 25 bales cost?",
            (4.0, 80.0, 4.0, 80.0),
        ),
        (
            "It is 3 × 10 percent = 30 percent, which is 60 euros (200 × 0.3 = 60).",
            "10 percent of the 200 euros for each day.",
            "What is it for 3 days?",
            (),
        ),
        (
            "It is 3 × 10 percent = 30 percent, which is 80 euros (200 × 0.4 = 80).",
            "10 percent of the 200 euros for each day.",
            "What is it for 3 days?",
            (80.0, 0.4, 80.0),
        ),
        (
            "26 people pay 520 euros (26 × 20 = 520).",
            "Each pays 20.",
            "What would 25 people pay?",
            (26.0, 520.0, 26.0, 520.0),
        ),
    ],
)
def test_a_number_is_known_if_a_source_has_it_or_it_is_worked_out(
    text: str, source: str, asked: str, strange: tuple[float, ...]
) -> None:
    assert strange_numbers(text, source, asked=asked) == strange


def test_what_is_left_without_calculations() -> None:
    assert without_workings("Three cost 60 euros (3 × 20 = 60) a month.") == "cost euros a month."
    assert without_workings("Three cost 60 euros (3 × 20 = 60) a month.", with_units=False) == "cost a month."
    assert without_workings("60 € for 3 members (3 × 20 = 60).", with_units=False) == "for members ."
    assert without_workings("Three cost  60 euros.") == "Three cost  60 euros."


@given(st.integers(1, 10_000), st.integers(1, 10_000), st.sampled_from("+-×"))
def test_any_calculation_that_is_right_is_found_to_be(one: int, other: int, sign: str) -> None:
    value = {"+": one + other, "-": one - other, "×": one * other}[sign]
    (working,) = workings(f"{one} {sign} {other} = {value}")
    assert working.is_right
    (wrong,) = workings(f"{one} {sign} {other} = {value + 1}")
    assert not wrong.is_right


SHAPES = {
    "{}{}{} = {}": 1,
    "{} {} {} = {}": 1,
    "{} euros {} {} euros = {} euros": 1,
    "EUR {} {} EUR {} = EUR {}": 1,
    "${} {} ${} = ${}": 1,
    "**{}** {} {} = **{}**": 1,
    "({} {} {}) = {}": 1,
    "- ({} {} {} = {})": 1,
    "Total = {} {} {} = {}": 1,
    "{} {} {} = {} = {}": 2,
}
"""Ways of writing a calculation, with how often its result stands in them."""


@given(
    st.integers(1, 10_000),
    st.integers(1, 10_000),
    st.sampled_from(["+", "-", "−", "×", "*", "x"]),
    st.sampled_from(sorted(SHAPES)),
    st.integers(-50, 50),
)
def test_a_right_sum_of_source_numbers_passes_in_any_notation_and_a_wrong_one_never(
    one: int, other: int, sign: str, shape: str, off: int
) -> None:
    value = {"+": one + other, "-": one - other, "−": one - other}.get(sign, one * other)
    assume(value + off >= 0 or not ("$" in shape or "EUR" in shape))  # "$-1" is not read: it stands as −$1
    text = shape.format(one, sign, other, *[value + off] * SHAPES[shape])
    is_told = not strange_numbers(text, f"{one} and {other}, but never {value + off}.")
    assert is_told is (off == 0), text


@given(st.lists(st.integers(1, 999), min_size=2, max_size=30), st.data())
def test_a_number_from_nowhere_is_told_wherever_it_stands_in_a_sum(parts: list[int], data: st.DataObject) -> None:
    text = f"{' + '.join(map(str, parts))} = {sum(parts)}"
    assert strange_numbers(text, str(parts)) == ()
    lost = data.draw(st.sampled_from(parts))
    held = [part for part in parts if part != lost]
    assert lost in strange_numbers(text, f"{held} and 0.5") or lost == sum(parts)


@given(st.text(max_size=200) | st.text("1 2.,+-*/()=≈%x€\nof de", max_size=200))
def test_no_text_is_too_odd(text: str) -> None:
    assert all(0 <= one.start < one.end <= len(text) for one in workings(text))
    assert strange_numbers(text, text) == ()


@pytest.mark.parametrize(
    "part", ["1+(", "1+", "(", "1 ", "1%", "(1", "1)", "1 a", "a ", "1+1=", "1+(2=", "a - 1=", "="]
)
@pytest.mark.parametrize("end", ["", "=1"])
def test_the_work_grows_with_the_length(part: str, end: str, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []

    def counted(tokens: Sequence[Token]) -> Tree | None:
        read.append(len(tokens))
        return formula(tokens)

    monkeypatch.setattr(arithmetic, "formula", counted)
    for times in (100, 200, 400):
        read.clear()
        list(workings(part * times + end))
        assert max(read, default=0) <= LONGEST, "each reading is of a few tokens"
        assert len(read) <= len(part) * times + LONGEST, "and there is at most one for each token"


def test_a_calculation_that_is_too_long_to_read_is_none() -> None:
    assert len(list(workings("1 + " * (LONGEST // 2 - 1) + f"1 = {LONGEST // 2}"))) == 1
    assert list(workings("1 + " * (LONGEST // 2) + f"1 = {LONGEST // 2 + 1}")) == []
    assert list(workings("20 euros - " * LONGEST + "1 = 19")) == []


def test_a_long_list_of_amounts_takes_no_longer_than_its_length() -> None:
    assert list(workings("20 euros per licence - 30 licences of mine - " * 200)) == []
