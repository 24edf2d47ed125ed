"""Names that no source has."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.model.names import strange_names


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Backups lie in Frankfurt and in Paris.", ("Paris",)),
        ("The plan named Enterprise has backups in Dublin.", ("Enterprise",)),
        ("No copy leaves the EU for a European on a Monday.", ()),
        ("As cópias ficam em Francoforte.", ()),
        ('The film named "You\'re Next" is told of.', ()),
        ("Since Frankfurt is full, they lie in Dublin. Although European, none leaves.", ()),
        ("Use Dublin. According to Enterprise it is full.", ("Enterprise",)),
        ("Siemens Frankfurt has backups.", ("Siemens",)),
        ("Desde Dublin as cópias não saem da União Europeia.", ()),
    ],
)
def test_a_name_must_have_a_source(text: str, names: tuple[str, ...]) -> None:
    held = "Backups are stored in Frankfurt and Dublin. No copy leaves the European Union.", "You're Next?"
    assert strange_names(text, *held) == names


@pytest.mark.parametrize(
    ("held", "names"),
    [("It is 20 euros each.", ()), ("São 20 € por mês, 3 no máximo. It is.", ()), ("It is 20 dollars.", ("EUR",))],
)
def test_money_has_more_than_one_name(held: str, names: tuple[str, ...]) -> None:
    assert strange_names("It comes to EUR 60 for three.", held) == names


@given(st.text(alphabet="Aé_ .'\n1", max_size=30), st.text(alphabet="Aé_ .'\n1", max_size=30))
def test_any_text_is_read_for_names(statement: str, held: str) -> None:
    """A name in code may be an underscore alone."""
    assert all(name in statement for name in strange_names(statement, f"{held} for _ in range(3)"))
