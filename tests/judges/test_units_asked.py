"""A length, a time or a weight that is asked for is told with a unit."""

import pytest

from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.units_asked import measures


@pytest.mark.parametrize(
    ("question", "told", "stray"),
    [
        ("How long was the service down?", "It was down for nine hours.", "Name: Ann Berg; Since the move: 2021"),
        ("How long was the service down?", "The outage of 90s was noticed.", "There were 90 calls."),
        ("How long has it been down?", "It is down since 2019.", "It went down in 2019."),
        ("How long was Ann's call?", "Ann's call took 40 s.", "Ann's call was the 40th."),
        ("How long was she queen?", "She was queen from 1837 to 1901.", "She became queen in 1837."),
        ("How long is a session kept?", "session > retention_days: 30", "session > workers: 30"),
        ("How far ahead must a berth be booked?", "It is booked 3 weeks ahead.", "A berth takes boats of up to 15 m."),
        ("How long may a name be?", "A name has 64 characters at most.", "There are 64 names."),
        ("How long did he get?", "He was sentenced to life imprisonment.", "He was sentenced with 2 others."),
        ("How long is the bridge?", "The 12.9-kilometre bridge opened in May.", "The bridge has 44 pillars."),
        ("How deep may the boat be?", "It may be 11 m long and 2 m deep.", "It may be 11 m long and 3.6 m wide."),
        ("How tall may the shed be?", "It may be 2.4 m high.", "It may be 2.4 m long."),
        ("How wide may the shed be?", "It may measure 2.4 m by 1.8 m.", "It may be 2.4 m high."),
        ("How heavy is the docking station?", "Docking station; Weight: 1.9 kg", "Docking station; Number: 70114"),
        ("How much does the pump weigh?", "It weighs two pounds.", "It costs 2 euros."),
        ("How tall is the tower?", "The tower is 300 metres tall.", "The tower has 300 steps."),
        ("How old must a rider be?", "A rider is at least 16 years old.", "Each bike is inspected after 600 km."),
        ("How old must a rider be?", "18 for cargo bikes.", "Cargo bikes: every 30 days."),
        ("How old must a rider be?", "Bike: Cargo; Minimum age: 18", "Plan: Student; Price: 8; Included minutes: 30"),
        ("Qual é a idade mínima?", "Categoria: A2; Idade mínima: 18", "Categoria: A2; Preço EUR: 480"),
        ("How old is the lighthouse?", "Built to last: 200 years.", "Thursday: lighthouse climb (139 steps)"),
        ("How long is the waiting list?", "Two years.", "Flat: 3; Area m2: 74; Monthly rent EUR: 655"),
        ("Quanto tempo ficam os registos?", "Ficam catorze dias.", "Ficam 14 registos."),
        ("De quanto em quanto tempo há reunião?", "Há reunião mensalmente.", "Há reunião com 4 sócios."),
        ("Quanto pesa a bomba?", "Pesa 2 quilos.", "Custa 2 reais."),
    ],
)
def test_only_a_measure_of_its_kind_is_an_answer(question: str, told: str, stray: str) -> None:
    asked = prepare(question).asked
    assert measures(told, asked)
    assert not measures(stray, asked)


@pytest.mark.parametrize("question", ["How many people came?", "Who wrote it?", "How much is the fee?", "Why so long?"])
def test_other_questions_need_no_unit(question: str) -> None:
    assert measures("There were 12.", prepare(question).asked)
