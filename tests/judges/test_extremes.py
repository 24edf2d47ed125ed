"""Rows of a table that are the extreme that a question asks for, and the tables that cannot tell one."""

import pytest

from calibrant.judges.free.answering.extremes import extremes
from calibrant.judges.free.evidence.query import prepare
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import StepStatus
from tests.judges.test_extract import answer, passage

CITIES = """\
| City | Country | Launched | Bikes | E-bikes | Price per hour | Helmets | Area |
|------|---------|----------|-------|---------|----------------|---------|------|
| Ghent | Belgium | 2019-04-06 | 820 | 240 | EUR 2.50 | 40 | 96 km² |
| Leuven | Belgium | 2020-09-12 | 410 | 150 | EUR 2.00 | unlimited | 51 km² |
| Girona | Spain | 2021-05-30 | 360 | 310 | EUR 1.80 | none | 44 km² |
| Trier | Germany | 2023-04-22 | 330 | 310 | EUR 3.00 | some | 41 km² |

Bikes are counted in January.
"""


def chosen(question: str, *evidence: Evidence) -> list[str]:
    """The first cells of the rows that are left; empty where the question or the table does not tell."""
    left = extremes(prepare(question), evidence)
    texts = {item.id: item.text for item in evidence}
    return sorted(texts[key][start:].split("|")[1].strip() for key, start in left.best) if left else []


@pytest.mark.parametrize(
    ("question", "cities"),
    [
        ("Which city has the most bikes?", ["Ghent"]),
        ("Where is the smallest number of bikes?", ["Trier"]),
        ("Which city has the most e-bikes?", ["Girona", "Trier"]),
        ("Which city in Belgium has the fewest bikes?", ["Leuven"]),
        ("Which city was launched last?", ["Trier"]),
        ("Which city is cheapest?", ["Girona"]),
        ("What is the most expensive city?", ["Trier"]),
        ("What is the highest price per hour?", ["Trier"]),
        ("Qual cidade tem mais bikes?", ["Ghent"]),
        # Another column is a condition, or the table does not speak of it, or the cells cannot be compared.
        ("Which city with e-bikes is the cheapest?", []),
        ("Which city is the cheapest for students?", []),
        ("Which city has the most helmets?", []),
        ("Which city has the most stations?", []),
        ("Which city is the most beautiful?", []),
        # No superlative, or more than one.
        ("Which city has bikes?", []),
        ("How many bikes can I rent at most?", []),
        ("Qual cidade tem mais de 400 bikes?", []),
        ("Which cities have the most and the fewest bikes?", []),
    ],
)
def test_the_rows_of_the_one_column_that_is_meant_are_compared(question: str, cities: list[str]) -> None:
    assert chosen(question, passage(CITIES, "Fleet")) == cities


CARDS = """\
| Product | Paper | Price | Delivery days |
|---------|-------|-------|---------------|
| Business cards | silk | 18.00 | 3 |
| Business cards | kraft | 23.40 | 5 |
| Posters | matt | 9.00 | 12 |

All prices include tax.
"""


@pytest.mark.parametrize(
    ("question", "papers"),
    [
        ("Which business cards take the longest?", ["kraft"]),
        ("Which business cards are the quickest to arrive?", ["silk"]),
        ("Which product takes longest?", ["matt"]),
        ("Which product has the longest cable?", []),
    ],
)
def test_what_takes_longest_is_told_by_the_one_column_of_a_time(question: str, papers: list[str]) -> None:
    left = extremes(prepare(question), [passage(CARDS, "Print shop")])
    assert [CARDS[start:].split("|")[2].strip() for _, start in sorted(left.best)] == papers if left else not papers


@pytest.mark.parametrize(
    ("question", "column", "names"),
    [
        ("Which product is the cheapest?", "Name", ["Nut"]),
        ("Which is the cheapest?", "Name", ["Nut"]),
        ("What is the cheapest item?", "Name", ["Nut"]),
        ("Which product is the cheapest?", "Item", ["Nut"]),
        ("Which product has the lowest price?", "Name", ["Nut"]),
        ("What is the lowest product price?", "Name", ["Nut"]),
        ("Which product is the cheapest?", "City", []),
        ("Which bike is the cheapest?", "Name", []),
        ("Which product is the cheapest for students?", "Name", []),
        ("Which product has the longest cable?", "Name", []),
        ("Qual é o produto mais barato?", "Nome", ["Nut"]),
    ],
)
def test_rows_of_which_nothing_is_said_may_be_called_products(question: str, column: str, names: list[str]) -> None:
    price = "Preço" if column == "Nome" else "Price"
    wares = f"| {column} | {price} |\n|---|---|\n| Nut | 2.00 |\n| Bolt | 3.00 |\n| Washer | 5.00 |\n\nEnd."
    assert chosen(question, passage(wares, "Stall")) == names


def test_what_may_name_the_rows_may_name_a_column() -> None:
    carriers = "| Name | Price | Delivery days |\n|---|---|---|\n| A | 5 | 9 |\n| B | 7 | 2 |\n\nEnd."
    assert chosen("Which has the most delivery options?", passage(carriers, "Carriers")) == []
    shops = "| Name | Items |\n|---|---|\n| Nut & Co | 20 |\n| Bolts | 300 |\n\nEnd."
    assert chosen("Which one has the most items?", passage(shops, "Street")) == ["Bolts"]


def test_a_product_is_asked_for_without_a_word_for_it_in_the_table() -> None:
    wares = "| Name | Price |\n|---|---|\n| Nut | 2.00 |\n| Bolt | 3.00 |\n\nEnd."
    result = answer("Which product is the cheapest?", passage(wares, "Stall"))
    assert [statement.text for statement in result.statements] == ["Name: Nut; Price: 2.00"]


def test_no_price_is_the_first_or_the_last() -> None:
    """ "On my first day" asks for no row of a table with a column of days."""
    pay = "| | Night | Weekend day |\n|---|---|---|\n| Standby | 40 EUR | 90 EUR |\n| Call | 60 EUR | 75 EUR |\n\nEnd."
    assert chosen("When do I have to be there on my first day?", passage(pay, "Pay")) == []
    launched = "| City | Launched |\n|---|---|\n| Ghent | 3 May 2019 |\n| Trier | 1 June 2021 |\n\nEnd."
    assert chosen("Which city was launched first?", passage(launched, "Fleet")) == ["Ghent"]


@pytest.mark.parametrize(
    ("cells", "cities"),
    [
        (("1", "unlimited"), ["Ghent"]),
        (("1", "2", "none"), ["Leuven"]),
        (("1 km", "900 m"), ["Gent"]),
        (("1 km", "2 kg"), []),
        (("up to 3", "2"), []),
        (("3.00 up to 5, 2.00 above", "2"), []),
        (("1", "none"), []),
    ],
)
def test_cells_that_are_no_plain_amount_of_one_unit_are_not_compared(cells: tuple[str, ...], cities: list[str]) -> None:
    names = ("Gent", "Ghent", "Leuven") if "unlimited" in cells else ("Gent", "Leuven", "Ghent")
    rows = "\n".join(f"| {name} | {cell} |" for name, cell in zip(names, cells, strict=False))
    table = f"| City | Docks |\n|---|---|\n{rows}\n\nCounted in January."
    assert chosen("Which city has the most docks?", passage(table)) == cities


def cut(text: str, start: int, *, columns: tuple[str, ...] = (), goes_on: bool | None) -> Evidence:
    """A passage that ends inside a table."""
    place = Locator(columns=columns, start=start, end=start + len(text), goes_on=goes_on)
    return Evidence(id=f"p{start}", text=text, title="", source="knowledge", url="file:///t", locator=place)


def test_only_a_table_that_is_held_as_a_whole_has_an_extreme() -> None:
    question, columns = "Which city has the most docks?", ("City", "Docks")
    head = "| City | Docks |\n|---|---|\n| Ghent | 8 |\n| Trier | 9 |"
    rest, at = "| Girona | 12 |", len(head) + 1
    assert chosen(question, cut(head, 0, goes_on=False)) == ["Trier"]
    assert chosen(question, cut(head, 0, goes_on=True)) == []
    assert chosen(question, cut(head, 0, goes_on=None)) == []
    assert chosen(question, cut(head, 0, goes_on=True), cut(rest, at, columns=columns, goes_on=False)) == ["Girona"]
    assert chosen(question, cut(head, 0, goes_on=True), cut(rest, at + 90, columns=columns, goes_on=False)) == []
    assert chosen(question, cut(f"{rest}\n| Kassel | 3 |", at, columns=columns, goes_on=False)) == []


def test_two_tables_that_tell_differently_tell_nothing() -> None:
    other = passage(CITIES.replace("820", "120"), "Fleet of last year", "p2")
    assert chosen("Which city has the most bikes?", passage(CITIES, "Fleet"), other) == []


def test_the_answer_is_the_extreme_row_alone() -> None:
    result = answer("Which city has the most bikes?", passage(CITIES, "Fleet"))
    assert result.status is StepStatus.ANSWERED
    assert [statement.text.split(";")[0] for statement in result.statements] == ["City: Ghent"]


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What is the cheapest dish for guests?", "Soup"),
        ("Which dish is the cheapest for staff?", "Stew"),
        ("What is the most expensive dish for guests?", "Pie"),
        ("What is the cheapest dish?", None),
        ("What is the cheapest dish for children?", None),
    ],
)
def test_prices_are_compared_for_those_who_are_named(question: str, told: str | None) -> None:
    table = (
        "| Dish | Staff | Guests |\n|---|---|---|\n| Soup | 2 € | 3 € |\n| Stew | 1 € | 4 € |\n| Pie | 2 € | 9 € |\n"
    )
    statements = answer(question, passage(f"{table}\nThe canteen is closed in August.", "Canteen")).statements
    assert [one.text.split(";")[0] for one in statements] == ([f"Dish: {told}"] if told else [])


def test_an_extreme_before_what_the_rows_are_called_narrows_them_down_to_no_other_thing() -> None:
    table = "| Plan | Price |\n|---|---|\n| Team | €29 |\n| Business | €79 |\n\nPrices are without tax."
    (told,) = answer("What is the cheapest plan?", passage(table, "Plans")).statements
    assert told.text == "Plan: Team; Price: €29"
