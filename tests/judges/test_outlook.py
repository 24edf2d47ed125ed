"""What may come, or was once, stands in no conflict with how things are, and what is planned is not done."""

import pytest

from calibrant.judges.free.comparing.alignment import align
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.outlook import are_of_two_times, is_announced
from calibrant.judges.free.comparing.reading import read

TERMINAL = "A new terminal at Kestrel Bay will open in May 2026."


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("A future version of the desk may enable the bell by default.", True),
        ("In the future the bell will be enabled.", True),
        ("The bell may be enabled by default at some point.", True),
        ("Ines proposes to enable the bell by default.", True),
        ("There is a proposal to ring it at six.", True),
        ("A Inês propôs tocar o sino às seis.", True),
        ("The bell used to be silver.", True),
        ("Formerly the bell was rung at six.", True),
        ("Antigamente o sino era de prata.", True),
        ("The bell used to be silver, now it is gold.", False),
        ("The bell is used to have the crew come in.", False),
        ("Tom proposed to her below the bell.", False),
        ("The meeting is planned for the summer.", False),
        ("Uma versão futura pode ativar o sino por padrão.", True),
        ("No futuro o sino será ativado.", True),
        ("Num futuro próximo o sino será ativado.", True),
        ("O sino poderá ser ativado por padrão um dia.", True),
        ("Os visitantes podem entrar na sala depois das nove.", False),
        ("The bell is enabled by default.", False),
        ("Visitors may enter the hall later than nine.", False),
        ("The office will be closed on Friday.", False),
        ("O sino está ativado por padrão.", False),
    ],
)
def test_what_speaks_of_what_may_be_later_or_was_once(text: str, is_one: bool) -> None:
    assert are_of_two_times(text, "The bell is green.") is is_one


@pytest.mark.parametrize(
    ("first", "second", "is_one"),
    [
        ("It is 300 until 1 January 2027.", "From 1 January 2027 it is 120.", True),
        ("A partir de 5 de maio de 2026 custa 3.", "Até 5 de maio de 2026 custa 2.", True),
        ("It is 300 until 1 January 2027.", "From 1 May 2026 it is 120.", False),
        ("From 1 May 2026 it is 300.", "From 1 May 2026 it is 120.", False),
        ("It is 300 until 1 January 2027.", "It is 120.", False),
    ],
)
def test_one_time_ends_where_the_other_begins(first: str, second: str, is_one: bool) -> None:
    assert are_of_two_times(first, second) is is_one


@pytest.mark.parametrize(
    ("other", "is_opposed"),
    [
        ("The bell of the desk is enabled by default.", True),
        ("A future version may have the bell of the desk enabled by default.", False),
    ],
)
def test_an_outlook_opposes_nothing_that_holds_now(other: str, is_opposed: bool) -> None:
    alignment = align(read("The bell of the desk is disabled by default."), read(other))
    assert (oppose(alignment) is not None) is is_opposed


@pytest.mark.parametrize(
    ("claim", "source", "is_open"),
    [
        ("The new terminal opened in May 2026.", TERMINAL, True),
        ("The new terminal opens in May 2026.", TERMINAL, False),
        ("The new terminal will open in May 2026.", TERMINAL, False),
        ("The nightly snapshot is moved to 04:00.", "The board discussed moving the nightly snapshot to 04:00.", True),
        ("The snapshot was moved to 04:00.", "Costa proposed moving the nightly snapshot to 04:00.", True),
        ("A administração mudou a sede.", "A administração ponderou mudar a sede.", True),
        ("The board discussed moving the snapshot.", "The board discussed moving the nightly snapshot.", False),
        ("The request is approved after five days.", "After five days the request is considered approved.", False),
    ],
)
def test_what_will_be_or_is_only_thought_of_is_not_done(claim: str, source: str, is_open: bool) -> None:
    assert is_announced(align(read(claim), read(source))) is is_open
