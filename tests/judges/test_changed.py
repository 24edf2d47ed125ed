"""What a sentence says was so before: only where the change was made."""

import time

import pytest

from calibrant.judges.free.comparing.changed import former
from calibrant.judges.free.comparing.clashes import changes
from calibrant.judges.free.comparing.reading import read


@pytest.mark.parametrize(
    ("text", "gone"),
    [
        ("The fee was raised from 40 euros to 50 euros.", ["40 euros"]),
        ("The fee was raised from $40 to $50.", ["40"]),
        ("The fee was raised from € 40 to € 50.", ["40"]),
        ("The fee was raised from US$ 40 to US$ 50 on 4 May 2026.", ["40"]),
        ("The board approved the proposal: the fee was raised from 40 to 50 euros.", ["40"]),
        ("The board, which may change fees, decided to have the fee raised from 40 to 50 euros.", ["40"]),
        ("The fee of the basic plan was raised from 40 to 50 euros.", ["40"]),
        ("The fee was raised from 40 € to 50 €.", ["40"]),
        ("The share rose from 40% to 50%.", ["40"]),
        ("The fee was not raised from 40 to 50 euros.", []),
        ("The motion to have the fee raised from 40 to 50 euros was rejected.", []),
        ("The board rejected that the fee be raised from 40 to 50 euros.", []),
        ("It was proposed that the fee be raised from 40 to 50 euros.", []),
        ("The fee would have been raised from 40 to 50 euros.", []),
        ("Members vote again if the fee is raised from 40 to 50 euros.", []),
        ("The fee ranges from 40 to 50 euros.", []),
        ("keep_days: 14 # raised from 7 on 16 October 2024", ["7"]),
        ("It is 14 days, which were not raised from 7.", []),
        ("A anuidade passou de R$ 40 para R$ 50.", ["40"]),
        ("A anuidade foi aumentada de 40 para 50 euros.", ["40"]),
        ("A direção aprovou a proposta: a anuidade foi aumentada de 40 para 50 euros.", ["40"]),
        ("A anuidade não foi aumentada de 40 para 50 euros.", []),
        ("A anuidade foi elevada de R$ 40,00 para R$ 50,00.", ["40,00"]),
        ("A anuidade caiu de 50 € para 40 €.", ["50"]),
        ("O prazo passa de 10 para 15 dias.", ["10"]),
        ("As tarifas diminuíram de 5 para 4 euros.", ["5"]),
        ("O horário mudou das 18h para as 19h30.", ["18h"]),
        ("A anuidade teria sido aumentada de 40 para 50 euros.", []),
        ("Os sócios votam de novo se a anuidade for aumentada de 40 para 50 euros.", []),
        ("Propuseram que a anuidade passou de 40 para 50 euros.", []),
        ("A proposta de que a anuidade fosse aumentada de 40 para 50 euros foi rejeitada.", []),
        ("Foi proposto que a anuidade seja aumentada de 40 para 50 euros.", []),
    ],
)
def test_what_has_changed_is_told_where_the_change_was_made(text: str, gone: list[str]) -> None:
    reading = read(text)
    assert [text[one.start : one.end] for one in former(reading, reading.quantities)] == gone


@pytest.mark.parametrize(
    "text",
    [
        "A regata foi adiada do dia 13 de junho para o dia 27 de junho de 2026.",
        "A regata foi adiada de sábado, 13 de junho, para sexta-feira, 26 de junho.",
        "A regata foi antecipada de 10/06/2026 para 05/06/2026.",
    ],
)
def test_a_portuguese_day_that_gave_way_is_told(text: str) -> None:
    reading = read(text)
    assert former(reading, reading.dates) == [reading.dates[0]]


@pytest.mark.parametrize(
    ("text", "other", "expected"),
    [
        ("The fee was raised from $40 to $50.", "The fee is $40.", True),
        ("A anuidade passou de R$ 40 para R$ 50.", "A anuidade é de R$ 40.", True),
        ("A anuidade passou de R$ 40 para R$ 50.", "A anuidade é de R$ 50.", False),
        ("The fee was not raised from $40 to $50.", "The fee is $40.", False),
    ],
)
def test_a_change_is_of_what_the_other_one_tells(text: str, other: str, expected: bool) -> None:
    assert changes(read(text), read(other)) is expected


def test_many_changes_take_a_time_that_grows_with_their_number() -> None:
    reading = read("The fee was raised from 40 to 50 euros and " * 500)
    started = time.process_time()
    assert len(former(reading, reading.quantities)) == 500
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize(("before", "expected"), [("7 days", True), ("7", True), ("8 days", False)])
def test_what_has_changed_may_be_told_without_its_unit(before: str, expected: bool) -> None:
    now = read("keep_days: 14 # raised from 7 on 16 October 2024")
    assert changes(now, read(f"Messages are kept for {before}.")) is expected
