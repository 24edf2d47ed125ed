"""What may come in a future version stands in no conflict with how things are."""

import pytest

from calibrant.judges.free.comparing.alignment import align
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.outlook import is_outlook
from calibrant.judges.free.comparing.reading import read


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("A future version of the desk may enable the bell by default.", True),
        ("In the future the bell will be enabled.", True),
        ("The bell may be enabled by default at some point.", True),
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
def test_what_speaks_of_what_may_be_later(text: str, is_one: bool) -> None:
    assert is_outlook(text) is is_one


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
