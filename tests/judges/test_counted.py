"""Which numbers count what their sentence lists."""

import pytest

from calibrant.judges.free.comparing.unsourced import strange_numbers

SOURCE = "The first reason is the volume. The second is the replay. The third is skills, says page 9."


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("There were three reasons: a, b and c.", ()),
        ("There were three reasons: a, b, and c.", ()),
        ("It was given up for three reasons: volume, replay, skills", ()),
        ("It was given up for 3 main reasons: volume (page 9), replay; and skills.", (3.0,)),
        ("It was given up for 3 main reasons: the volume, up to page 9; replay; and skills. It is over.", ()),
        ("There were three reasons: a and b.", (3.0,)),
        ("There were three reasons: a, b, c and d.", (3.0,)),
        ("There were two reasons: a, b and c.", (2.0,)),
        ("There were two reasons: a and b.", ()),
        ("There were three reasons, of which a, b and c are told.", (3.0,)),
        ("It costs three euros: a, b and c.", (3.0,)),
        ("Release 3 changed things: a, b and c.", (3.0,)),
        ("Release 3 changed two things: a and b.", (3.0,)),
        ("It closes at 3: a, b and c.", (3.0,)),
        ("It is one of three: a, b or c.", ()),
        ("Houve três motivos: volume, repetição e equipe.", ()),
        ("Houve três motivos: volume e repetição.", (3.0,)),
    ],
)
def test_a_count_is_explained_by_the_list_behind_it(text: str, strange: tuple[float, ...]) -> None:
    assert strange_numbers(text, SOURCE) == strange
