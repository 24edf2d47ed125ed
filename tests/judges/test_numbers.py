"""The numbers of a text, as people write them in several countries, and which of them clash."""

import pytest

from calibrant.judges.free.comparing.alignment import align
from calibrant.judges.free.comparing.clashes import clash_of_numbers
from calibrant.judges.free.comparing.reading import opens_with_pronoun, read
from calibrant.judges.free.words.numbers import CLOCK, numbers
from calibrant.state.task import Language


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("a mean of 55·7 months (0·62, n=93)", [55.7, 0.62, 93.0]),
        ("3·20 = 60", [3.0, 20.0, 60.0]),
        ("3·20·2 = 120", [3.0, 20.0, 2.0, 120.0]),
    ],
)
def test_a_decimal_point_may_stand_in_the_middle(text: str, values: list[float]) -> None:
    assert [number.value for number in numbers(text)] == values


def test_numbers_have_units() -> None:
    found = [
        (number.value, number.unit) for number in numbers("5 km, 50% and $1,500.25 for two files", Language.ENGLISH)
    ]
    assert found == [(5.0, "km"), (50.0, "%"), (1500.25, "$"), (2.0, "files")]
    assert [(it.value, it.unit) for it in numbers("R$ 1.500,50", Language.PORTUGUESE)] == [(1500.5, "r$")]
    assert numbers("3 million people", Language.ENGLISH)[0].value == 3e6


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("fourteen days", 14.0, "days"),
        ("twenty-five users", 25.0, "users"),
        ("forty two cats", 42.0, "cats"),
        ("sixty percent", 60.0, "percent"),
        ("two hundred seats", 200.0, "seats"),
        ("one hundred and fifty seats", 150.0, "seats"),
        ("two thousand five hundred seats", 2500.0, "seats"),
        ("one thousand, two hundred and ten seats", 1210.0, "seats"),
        ("two hundred and fifty thousand seats", 250_000.0, "seats"),
        ("a hundred and twenty seats", 120.0, "seats"),
        ("a dozen seats", 12.0, "seats"),
        ("two and a half hours", 2.5, "hours"),
        ("one hour and a half", 1.5, "hour"),
        ("two and a half million seats", 2.5e6, "seats"),
        ("uma hora e meia", 1.5, "hora"),
        ("meia hora na fila", 0.5, "hora"),
        ("um milhão e meio de euros", 1.5e6, "euros"),
        ("vinte e cinco dias", 25.0, "dias"),
        ("dezasseis gatos", 16.0, "gatos"),
        ("vinte e uma pessoas", 21.0, "pessoas"),
        ("duzentos e cinquenta lugares", 250.0, "lugares"),
        ("mil e duzentas pessoas", 1200.0, "pessoas"),
        ("dois mil e quinhentos reais", 2500.0, "reais"),
        ("cento e vinte mil euros", 120_000.0, "euros"),
        ("por uma semana", 1.0, "semana"),
    ],
)
def test_numbers_in_words(text: str, value: float, unit: str) -> None:
    assert [(number.value, number.unit) for number in numbers(text)] == [(value, unit)]


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("paid $5M for it", 5e6, "$"),
        ("paid $1.2bn", 1.2e9, "$"),
        ("paid 5M€", 5e6, "€"),
        ("2.5 bn euros", 2.5e9, "euros"),
        ("12k users", 12e3, "users"),
        ("5M users", 5e6, "users"),
        ("5m deep", 5.0, "m"),
        ("512B", 512.0, "b"),
        ("10 000 books", 1e4, "books"),
        ("10\u00a0000 books", 1e4, "books"),
        ("231\u202f800,5 habitantes", 231_800.5, "habitantes"),
        ("€1.000,50", 1000.5, "€"),
        ("€1,000.50", 1000.5, "€"),
        ("1,00,000 farms", 1e5, "farms"),
        ("1.000.000 farms", 1e6, "farms"),
        ("12.345 km", 12.345, "km"),
        ("−18 °C", -18.0, "°"),
        ("at 14:30", 14.5, CLOCK),
        ("14:30: the gate closes", 14.5, CLOCK),
        ("at 2:30 pm", 14.5, CLOCK),
        ("at 2 p.m.", 14.0, CLOCK),
        ("at 12 am", 0.0, CLOCK),
        ("at half past eight", 8.5, CLOCK),
        ("at quarter to ten.", 9.75, CLOCK),
        ("until 8 in the evening", 20.0, CLOCK),
        ("at 11 at night", 23.0, CLOCK),
        ("at 3 at night", 3.0, CLOCK),
        ("with 3 at night", 3.0, ""),
        ("at two in the afternoon", 14.0, CLOCK),
        ("closes at noon", 12.0, CLOCK),
        ("closes at midnight", 24.0, CLOCK),
        ("30 in the afternoon", 30.0, ""),
        ("2:30 in the afternoon", 2.5, CLOCK),
        ("half an hour", 0.5, "hour"),
        ("½ hour", 0.5, "hour"),
        ("2½ hours", 2.5, "hours"),
        ("3 1/4 miles", 3.25, "miles"),
        ("20 per cent", 20.0, "per-cent"),
        ("at 8.30 pm", 20.5, CLOCK),
        ("from 8.30am.", 8.5, CLOCK),
        ("four dozen muffins", 48.0, "muffins"),
        ("port:8080", 8080.0, ""),
    ],
)
def test_numbers_are_read_as_they_are_written(text: str, value: float, unit: str) -> None:
    assert [(number.value, number.unit) for number in numbers(text, Language.ENGLISH)] == [(value, unit)]


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("às 9h", [(9.0, CLOCK)]),
        ("das 9h às 17h30", [(9.0, CLOCK), (17.5, CLOCK)]),
        ("das 9 às 17 horas", [(9.0, CLOCK), (17.0, CLOCK)]),
        ("9h às 17h", [(9.0, CLOCK), (17.0, CLOCK)]),
        ("até as 18h", [(18.0, CLOCK)]),
        ("às 6 da tarde", [(18.0, CLOCK)]),
        ("às oito da noite", [(20.0, CLOCK)]),
        ("ao meio-dia e meia", [(12.5, CLOCK)]),
        ("às 10 horas, e meia hora depois", [(10.0, CLOCK), (0.5, "hora")]),
        ("começa pelas 19h30min", [(19.5, CLOCK)]),
        ("em 24h", [(24.0, "h")]),
        ("nas 24h seguintes", [(24.0, "h")]),
        ("leva 2 horas", [(2.0, "horas")]),
        ("6 milhões de reais", [(6e6, "reais")]),
        ("1,2 milhão de linhas", [(1.2e6, "linhas")]),
        ("30 (trinta) dias", [(30.0, "dias")]),
        ("R$ 2.500,00 (dois mil e quinhentos reais)", [(2500.0, "r$")]),
        ("25 por cento", [(25.0, "por-cento")]),
        ("um livro de uma pessoa", []),
        ("a milhões de pessoas", []),
    ],
)
def test_portuguese_numbers(text: str, told: list[tuple[float, str]]) -> None:
    assert [(number.value, number.unit) for number in numbers(text, Language.PORTUGUESE)] == told


@pytest.mark.parametrize(
    "text", ["12. Respond is the only exit.", "**12. Respond** is the only exit.", "3) Turn it off."]
)
def test_the_mark_of_an_entry_is_no_number_of_what_it_says(text: str) -> None:
    assert not numbers(text)


@pytest.mark.parametrize("text", ["2. 5 km", "1.5 apples", "12. ", "There were 12. Then none."])
def test_other_numbers_before_a_full_stop_are_read(text: str) -> None:
    assert numbers(text)


def test_numbers_beside_each_other_stay_apart() -> None:
    assert [number.value for number in numbers("in 2019 100 people")] == [2019, 100]
    assert [number.value for number in numbers("10−18 days")] == [10, 18]
    assert [(number.value, number.unit) for number in numbers("in 2016 $5 million")] == [(2016, ""), (5e6, "$")]
    assert [number.value for number in numbers("between one hundred and two hundred hens")] == [100, 200]
    assert [number.value for number in numbers("between one thousand and two thousand hens")] == [1000, 2000]
    assert [number.unit for number in numbers("2026-03-14T08:30:00Z", Language.ENGLISH)][-1] == CLOCK


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Acme paid $5M for Foo.", "Acme paid $5 million for Foo."),
        ("The library holds 10 000 books.", "The library holds 10,000 books."),
        ("The library holds 10,300 books.", "The library holds 10,000 books."),
        ("The river is 352 km long.", "The river is 350 km long."),
        ("The race is 26 miles long.", "The race is 42 km long."),
        ("The hall seats 150 guests.", "The hall seats one hundred and fifty guests."),
        ("The crossing takes 2.5 hours.", "The crossing takes 2 1/2 hours."),
        ("A travessia dura 90 minutos.", "A travessia dura uma hora e meia."),
        ("The barn holds 2 tonnes of hay.", "The barn holds 2000 kg of hay."),
        ("The trial lasts four weeks.", "The trial lasts a month."),
        ("The session starts at 14:30.", "The session starts at 2:30 pm."),
        ("The session starts at 2:30.", "The session starts at 2:30 pm."),
        ("The limit of queue 3 is 6 jobs at a time.", "The limit of queue 4 is 7 jobs at a time."),
    ],
)
def test_what_is_only_written_otherwise_or_of_another_thing_does_not_clash(one: str, other: str) -> None:
    assert clash_of_numbers(align(read(one), read(other))) is None


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ("Acme paid $5M for Foo.", "Acme paid $6 million for Foo.", ("5M", "6 million")),
        ("The session starts at 14:30.", "The session starts at 3:30 pm.", ("14:30", "3:30 pm")),
        ("It is serviced after 500 operating hours.", "It is serviced after 400 operating hours.",
         ("500 operating hours", "400 operating hours")),
        ("Visitors use gate 12.", "Visitors use gate 14.", ("12", "14")),
        ("Wait 10 minutes before you open the gate.", "Wait 15 minutes before you open the gate.",
         ("10 minutes", "15 minutes")),
        ("Entre 10 e 20 pessoas cabem na balsa.", "Entre 12 e 20 pessoas cabem na balsa.", ("10", "12")),
        ("The deposit is 20 per cent.", "The deposit is 30%.", ("20 per cent", "30")),
        ("The cache holds 1 gigabyte.", "The cache holds 2 GB.", ("1 gigabyte", "2 GB")),
        ("The library holds 9,999 books.", "The library holds 9,900 books.", ("9,999", "9,900")),
        ("Logs are kept for 28 days.", "Logs are kept for 30 days.", ("28 days", "30 days")),
        ("A ticket is valid for 48 hours.", "A ticket is valid for 50 hours.", ("48 hours", "50 hours")),
        ("A bag may weigh 28 kg.", "A bag may weigh 30 kg.", ("28 kg", "30 kg")),
        ("The trail is 28 km long.", "The trail is 30 km long.", ("28 km", "30 km")),
        ("The limit of queue 3 is 6 jobs.", "The limit of queue 3 is 7 jobs.", ("6", "7")),
    ],
)  # fmt: skip
def test_other_numbers_of_one_thing_clash(one: str, other: str, said: tuple[str, str]) -> None:
    clash = clash_of_numbers(align(read(one), read(other)))
    assert clash is not None
    assert (clash.said_first, clash.said_second) == said


@pytest.mark.parametrize(
    ("text", "step"),
    [
        ("60", 1.0),
        ("60.0", 0.1),
        ("2.50", 0.01),
        ("0.00001", 1e-5),
        ("1,200", 1.0),
        ("1,200.50", 0.01),
        ("1 500", 1.0),
        ("2.5 million", 1e5),
        ("2.50 million", 1e4),
        ("−12k", 1e3),
        ("17:30", 1 / 60),
        ("twelve", 1.0),
    ],
)
def test_a_number_tells_what_its_last_digit_counts(text: str, step: float) -> None:
    (number,) = numbers(text, Language.ENGLISH)
    assert number.step == pytest.approx(step)


def test_commas_part_thousands_or_decimals_by_the_language() -> None:
    assert [numbers("1.500", language)[0].step for language in (Language.ENGLISH, Language.PORTUGUESE)] == [0.001, 1.0]


@pytest.mark.parametrize("digits", [101, 309, 400, 5_000])
def test_a_row_of_digits_that_is_no_amount_is_read_past(digits: int) -> None:
    reading = read(f"The key of the 3 gates is {'7' * digits}, and it has 12 parts.")
    assert [amount.value for amount in reading.quantities] == [3, 12]


@pytest.mark.parametrize("several", [309, 400, 5_000])
def test_digits_with_commas_between_are_read_past(several: int) -> None:
    assert [amount.value for amount in read(f"The 3 keys: {'7,' * several}7").quantities][:1] == [3]


@pytest.mark.parametrize(
    ("text", "exact"),
    [
        ("3,500", 100.0),
        ("2.5 million", 1e5),
        ("20 million", 1e7),
        ("twenty thousand", 1e4),
        ("1,000,000", 1e6),
        ("42", 1.0),
        ("0", 1.0),
        ("0.05", 0.01),
        ("2.50", 0.01),
        ("60.0", 0.1),
    ],
)
def test_a_number_may_be_rounded_to_its_last_decimal_or_to_its_zeros(text: str, exact: float) -> None:
    (amount,) = read(text, Language.ENGLISH).quantities
    assert amount.exact == pytest.approx(exact)


@pytest.mark.parametrize(
    ("text", "amount"),
    [("EUR 14", (14.0, "€")), ("from USD 5 million on", (5e6, "$")), ("Price: CHF 1,200", (1200.0, "chf"))],
)
def test_a_currency_may_stand_before_its_amount(text: str, amount: tuple[float, str]) -> None:
    """It was read as a version, as in "Python 3"."""
    found = read(text, Language.ENGLISH)
    assert [(each.value, each.unit) for each in found.quantities] == [amount]
    assert not found.versions


@pytest.mark.parametrize(
    "text", ["It opens early (May 5).", 'It is "May 5"; not later.', "It runs from mid-May 5, then stops."]
)
def test_the_number_of_a_day_is_no_version(text: str) -> None:
    assert not read(text, Language.ENGLISH).versions


def test_a_number_behind_a_name_in_brackets_is_a_version() -> None:
    assert read("It needs a server (Fornax 5).", Language.ENGLISH).versions == (("5", 26),)


@pytest.mark.parametrize(
    ("text", "versions"),
    [
        ("The port (_new in 2.0, prior to 2.0 only if given_) is 80.", ["2.0", "2.0"]),
        ("A partir da 2.1 a porta é 80.", ["2.1"]),
        ("It was cut, starting with 3.5 GB, to 80.", []),
        ("It was introduced with 2.5 million users and 80 servers.", []),
    ],
)
def test_what_is_new_in_a_number_is_new_in_a_version(text: str, versions: list[str]) -> None:
    found = read(text)
    assert [name for name, _ in found.versions] == versions
    assert 80 in [amount.value for amount in found.quantities]


@pytest.mark.parametrize(("text", "opens"), [("", False), (" \n", False), ("It\nruns.", True), ("Iris runs.", False)])
def test_a_pronoun_opens_a_sentence(text: str, opens: bool) -> None:
    assert opens_with_pronoun(text) is opens
