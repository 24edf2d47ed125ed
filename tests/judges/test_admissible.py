"""What is no answer for its form: another row's cell, a measure of another kind, a time for a price, no setting."""

import pytest

from calibrant.judges.free.answering.admissible import answers_kind, is_of_another, names_setting, tells_more
from calibrant.judges.free.answering.properties import says_measure
from calibrant.judges.free.answering.rows import rows_asked_for
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.words.text import sentences_of
from tests.judges.test_extract import passage

BENCHMARKS = passage(
    "| Setup | fsync | batch | Messages/s |\n|---|---|---|---|\n"
    "| 3 replicas | interval | 1 | 29,000 |\n| 3 replicas | interval | 100 | 210,000 |\n"
    "| Single node | always | 100 | 40,000 |",
    "Benchmarks",
)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("How many messages per second with fsync interval and batch 1?", ["29,000"]),
        ("How many messages per second with fsync always and batch 100?", ["40,000"]),
        ("How many messages per second with fsync always and batch 1?", []),
        ("How many messages per second with fsync never and batch 1?", ["29,000"]),
        ("How many messages per second with 3 replicas and batch 100?", ["210,000"]),
        ("How many messages per second with 3 replicas and fsync always?", []),
    ],
)
def test_a_row_is_not_told_for_the_cell_of_another(question: str, told: list[str]) -> None:
    rows = [one.text for one in sentences_of(BENCHMARKS) if "fsync: " in one.text]
    found = rows_asked_for(prepare(question), [(row, BENCHMARKS, row) for row in rows])
    assert [row.rpartition(": ")[2] for row, _ in found] == told


@pytest.mark.parametrize(
    ("question", "told", "stray"),
    [
        ("What port does the bridge listen on?", "The bridge listens on 8081.", "Keep a 2.8 broker for the bridge."),
        ("Which port is the console on?", "console: 0.0.0.0:7072", "The console moved in 3.0."),
        ("What voltage should I run the gel at?", "Run it at 90 V.", "Load 5 µL on a 0.8% gel."),
        ("What temperature should the oven have?", "Heat the oven to 180 °C.", "Heat the oven for 20 minutes."),
        ("How much memory does a pod get?", "A pod gets 512 MiB.", "A pod is drained in 90 seconds."),
        ("How much disk does a node need?", "A node needs 2 TB.", "A node needs 16 cores."),
        ("Que temperatura deve ter o forno?", "O forno deve ter 180 graus.", "O forno deve ficar ligado 20 minutos."),
    ],
)
def test_a_measure_before_its_verb_is_told_with_its_name_or_unit(question: str, told: str, stray: str) -> None:
    query = prepare(question)
    assert says_measure(query, passage(told), told)
    assert not says_measure(query, passage(stray), stray)


@pytest.mark.parametrize(
    ("question", "told", "stray"),
    [
        ("How much is the no-show fee?", "The no-show fee is 30 euros.", "The fee is charged after 45 minutes."),
        ("How much is the no-show fee?", "No-show fee: 30", "It is charged after 45 minutes instead of 30."),
        ("How much does the monthly pass cost?", "ticket: Monthly pass; adults: 58.00", "The pass is 58.00 mm wide."),
        ("How much does a late return cost?", "It costs £5 an hour.", "A fee is due after 2 to 3 days."),
        ("What does the plan cost per year?", "It costs 300 euros a year.", "It costs 30 euros a month."),
        (
            "How much is credited per hour of outage?",
            "10 % of the monthly fee for each full hour.",
            "A monthly fee of 5 %.",
        ),
        ("What is the annual fee?", "The fee is 50 euros.", "The fee is 5 euros each month."),
        ("Quanto custa por mês?", "Custa 30 euros por mês.", "Custa 300 euros por ano."),
        ("Quanto custa a taxa?", "A taxa custa 30 euros.", "A taxa é cobrada depois de 45 minutos."),
    ],
)
def test_a_price_is_no_time_and_for_the_period_asked_for(question: str, told: str, stray: str) -> None:
    query = prepare(question)
    assert answers_kind(query, told)
    assert not answers_kind(query, stray)


@pytest.mark.parametrize(
    ("question", "text", "named"),
    [
        ("Which setting raises the limit?", "Raise queue.max_deliveries.", True),
        ("Which setting raises the limit?", "Set `concurrency` to 8.", True),
        ("Which setting raises the limit?", "worker > limit: 30 (jobs at a time)", True),
        ("Which flag raises the limit?", "Start it with --limit 30.", True),
        ("Which environment variable raises the limit?", "Set MAX_JOBS.", True),
        ("Which setting raises the limit?", "The limit is 50 MiB/s by default.", False),
        ("Which setting raises queue.max_deliveries?", "It is queue.max_deliveries that limits it.", False),
        ("Which limit is raised?", "The limit is 50 MiB/s by default.", True),
        ("Qual parâmetro aumenta o limite?", "O limite é de 50 por hora.", False),
    ],
)
def test_a_setting_that_is_asked_for_is_named(question: str, text: str, named: bool) -> None:
    assert names_setting(prepare(question), text) is named


@pytest.mark.parametrize(
    ("question", "told", "stray"),
    [
        ("What does the foot switch cost?", "The foot switch costs 12 euros.", "The socket is for the foot switch."),
        ("What's the phone number of the officer?", "Call the officer on 01632 960418.", "The officer is Ann Lee."),
        ("Which brand of key do we get?", "You get a key by Yubico.", "PASSWORDS AND SIGNING IN: A key is required."),
    ],
)
def test_what_is_asked_for_shows_in_the_form(question: str, told: str, stray: str) -> None:
    query = prepare(question)
    assert answers_kind(query, told)
    assert not answers_kind(query, stray)


@pytest.mark.parametrize(
    ("question", "told", "stray"),
    [
        ("How many people may book at once?", "Twelve people may book at once.", "public: 45m (Life of a hold)"),
        ("How many seats has the hall?", "The hall has 120 seats.", "The hall is 20 m long."),
        ("How many days is a hold kept?", "A hold is kept for 3 days.", "A hold costs 3 euros."),
    ],
)
def test_what_is_counted_is_not_measured(question: str, told: str, stray: str) -> None:
    query = prepare(question)
    assert says_measure(query, passage(told), told)
    assert not says_measure(query, passage(stray), stray)


@pytest.mark.parametrize(
    ("question", "told", "stray"),
    [
        ("Where is the serial number?", "It is under the base.", "Products without a serial number"),
        ("Where do I send the form?", "Send the form to the registrar.", "The form has four parts."),
        ("Where can I see it?", "Location: Hall B", "You can see it."),
        ("Where did he study?", "He attended Brown.", "He studied law."),
        ("From where is Basic checked?", "Checks; Basic: Frankfurt; Pro: Dublin", "Checks; Basic: 5 minutes; Pro: 10"),
        (
            "Where is Basic checked?",
            "Plans: Checks; Basic: Frankfurt",
            "Plans: Checks; Basic: 5 minutes; Pro: 10 minutes",
        ),
        ("Where is Basic checked from?", "Checks; Basic: Frankfurt; Pro: Dublin", "Checks; Basic: 5 minutes; Pro: 10"),
        ("Where's the form?", "It is in the office.", "The form has four parts."),
        ("Onde fica o formulário?", "Fica na secretaria.", "O formulário tem quatro partes."),
        ("What do I use instead of channel()?", "Use open() instead.", "channel() is deprecated."),
        ("From which version on is it gate() instead of door()?", "door() was renamed in 3.0.", "gate() opens."),
        ("Is there a replacement for channel()?", "It was superseded by open().", "channel() is deprecated."),
    ],
)
def test_where_and_what_instead_have_words_of_their_own(question: str, told: str, stray: str) -> None:
    query = prepare(question)
    assert answers_kind(query, told)
    assert not answers_kind(query, stray)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What language does booking-api use?", True),
        ("What database does booking-api use?", False),
        ("What port does booking-api run on?", True),
        ("Which owner does booking-api have?", True),
        ("What tongue is booking-api written in?", True),
        ("Who owns booking-api?", True),
    ],
)
def test_a_row_is_told_where_it_has_what_is_asked_for_by_name(question: str, told: bool) -> None:
    row = "name: booking-api; owner: Tamsin Okafor; port: 8080; language: Kotlin"
    assert bool(rows_asked_for(prepare(question), [(0, passage(row, "Services"), row)])) is told


@pytest.mark.parametrize(
    ("question", "told", "stray"),
    [
        ("How many orders may I place per day?", "At most 40 orders a day.", "An order number is unique for 30 days."),
        ("How many orders may I place per day?", "Daily limits: 40 orders", "At most 40 orders an hour."),
        ("How many calls can I make in a minute?", "Calls/min: 600", "Calls: 600; kept for: 10 minutes"),
        ("How many orders may I place per day?", "At most 40 orders a day.", "A number is unique for eight days."),
        ("Quantos pedidos posso fazer por dia?", "40 pedidos por dia.", "Guardamos 40 pedidos por quinze dias."),
        ("How many days a week may I stay at home?", "Two days per week.", "Up to two days."),
        ("Quantos pedidos posso fazer por dia?", "40 pedidos por dia.", "40 pedidos por hora."),
    ],
)
def test_how_many_in_a_time_is_told_with_the_time(question: str, told: str, stray: str) -> None:
    query = prepare(question)
    assert answers_kind(query, told)
    assert not answers_kind(query, stray)


@pytest.mark.parametrize(
    ("question", "row", "told"),
    [
        ("How many users can I have on the Team plan?", "Users; Basic: 1; Team: 5; Business: 25", True),
        ("How many messages are included in Business?", "Messages per month; Team: 50; Business: 500", True),
        ("How many pages are included in Business?", "Messages per month; Team: 50; Business: 500", False),
        ("How many users can I have on Pro?", "Feature: Users; Basic: 1; Pro: 5", True),
        ("How many pages can I have on Pro?", "Feature: Users; Basic: 1; Pro: 5", False),
        ("How many lessons does a child have?", "group: Children; lessons: 4", True),
    ],
)
def test_the_cells_of_a_row_count_what_it_is_called(question: str, row: str, told: bool) -> None:
    assert bool(rows_asked_for(prepare(question), [(0, passage(row, "Plans"), row)])) is told
    assert says_measure(prepare(question), passage(row, "Plans"), row) is told


@pytest.mark.parametrize(
    ("question", "text", "other"),
    [
        ("Is fd faster than find?", "find is much faster if it does not need to read a pattern.", True),
        ("Is fd faster than find?", "fd is much faster if it does not need to read a pattern.", False),
        ("Is fd faster than find?", "It is 23 times faster than find.", False),
        ("Is fd faster than find?", "Here find needs a pattern.", False),
        ("Is fd faster?", "find is much faster.", False),
        ("Does Team have more seats than Free?", "Free has more seats from May on.", True),
        ("Does Team have more seats than Free?", "Team has more seats from May on.", False),
        ("A prova é mais longa que o teste?", "O teste é mais longo em maio.", True),
        ("A prova é mais longa que o teste?", "O teste é mais longo do que a prova.", False),
    ],
)
def test_what_is_said_of_the_second_is_not_said_of_the_first(question: str, text: str, other: bool) -> None:
    assert is_of_another(prepare(question), passage(text, "Speed"), text) is other


@pytest.mark.parametrize(
    ("question", "text", "more"),
    [
        ("Which option follows symbolic links?", "-L, --follow: Follow symbolic links", True),
        ("Which option follows links?", "--follow: Follow links", True),
        ("What does --follow follow?", "--follow: Follow", False),
        ("Which option follows links?", "Follow links", False),
    ],
)
def test_the_name_of_an_option_tells_more_than_its_words(question: str, text: str, more: bool) -> None:
    assert tells_more(prepare(question), text) is more
