"""What the numbers of a text are told in, and what a statement may make of that."""

import pytest

from calibrant.judges.free.comparing.scales import by_scale
from calibrant.judges.free.comparing.unsourced import strange_numbers

TABLE = "Amounts in millions of euros.\n\n| Item | France | Total |\n| Revenue | 22.6 | 73.6 |\n| Profit | 1.9 | 7.6 |"
CORRECTED = "Revenue in France was 23.2 million euros, not 23.7."


@pytest.mark.parametrize(
    ("source", "scales"),
    [
        (TABLE, {1e6}),
        ("Revenue (€m): 4", {1e6}),
        ("Revenue, EUR million: 4", {1e6}),
        ("| Revenue (million USD) | 4 |", {1e6}),
        ("Staff in thousands: 4", {1e3}),
        ("Valores em milhões de reais: 4", {1e6}),
        ("Receita (R$ mil): 4", {1e3}),
        ("It is 4 million euros.", {1e6}),
        ("It is €4m.", {1e6}),
        ("It is 4 euros.", set()),
        ("4 of them cost millions of euros.", set()),
        ("4 of them cost a million euros.", set()),
        ("It is EUR 4, and 5 m deep.", set()),
    ],
)
def test_a_text_says_what_its_numbers_are_told_in(source: str, scales: set[float]) -> None:
    assert set(by_scale([source])) == scales


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("Revenue in France was 22.6 million euros.", ()),
        ("Revenue in France was 22,600,000 euros.", ()),
        ("Revenue in France was 22.6 thousand euros.", (22600.0,)),
        ("Revenue in France was 22.7 million euros.", (22700000.0,)),
        ("Revenue in France was 23.2 euros.", (23.2,)),
        ("It grew by 2.65 per cent ((23.2 − 22.6) ÷ 22.6 × 100 = 2.65).", ()),
        ("It grew by 0.6 million euros (23.2 − 22.6 = 0.6).", ()),
        ("It grew by 0.6 million euros (23.2 million − 22.6 million = 0.6 million).", ()),
        ("It grew by 0.6 million euros (23.2 − 22.6 = 0.6 million).", ()),
        ("It grew by 0.6 billion euros (23.2 − 22.6 = 0.6 billion).", (0.6e9, 23.2, 0.6e9)),
        ("It grew by 0.7 million euros (23.2 − 22.6 = 0.6).", (700000.0,)),
    ],
)
def test_a_number_may_be_told_with_what_its_source_counts_in(text: str, strange: tuple[float, ...]) -> None:
    assert strange_numbers(text, TABLE, CORRECTED) == strange


def test_what_one_source_counts_in_says_nothing_of_another() -> None:
    assert strange_numbers("There are 71 million shops.", TABLE, "There are 71 shops.") == (71e6,)
    assert strange_numbers("They cost 60 million (3 × 20 = 60 million).", "3 shops at 20 euros.") == (60e6, 60e6)


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("About 2.7 per cent more (1.06 / 40 × 100 = 2.65).", ()),
        ("About 2.8 per cent more (1.06 / 40 × 100 = 2.65).", (2.8,)),
        ("56.5 per cent of them (113 / 200 = 0.565).", ()),
        ("57 per cent of them (113 / 200 = 0.565).", ()),
        ("58 per cent of them (113 / 200 = 0.565).", (58.0,)),
        ("56.5 of them (113 / 200 = 0.565).", (56.5,)),
    ],
)
def test_a_result_may_be_told_by_fewer_digits_or_in_per_cent(text: str, strange: tuple[float, ...]) -> None:
    assert strange_numbers(text, "1.06; 40; 113; 200", asked="100") == strange
