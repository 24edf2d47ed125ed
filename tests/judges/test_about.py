"""What a question is about, as a follow-up takes it up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.about import introduced, only_thing, subject, thing
from calibrant.state.task import EN, PT, Language


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Where is the band saw?", "the band saw"),
        ("Is the band saw safe?", "the band saw"),
        ("Is the band saw in the workshop?", "the band saw"),
        ("Can the band saw be hired?", "the band saw"),
        ("Does the swimming pool close on Mondays?", "the swimming pool"),
        ("When was the steam box last serviced?", "the steam box"),
        ("When is the museum open?", "the museum"),
        ("When is the open day?", "the open day"),
        ("When is the annual general meeting?", "the annual general meeting"),
        ("What is the height of the tower?", "the tower"),
        ("What is the fee for a canoe?", "the fee"),
        ("How many devices has the Team plan?", "the Team plan"),
        ("Who is the owner in Porto?", "the owner"),
        ("How many people live in Porto?", "Porto"),
        ("What is Curlew's length?", "Curlew"),
        ("Are dogs allowed in the yard?", "dogs"),
        ("How heavy is the Cargo X?", "the Cargo X"),
        ("Who needs Vitamin D every day?", "Vitamin D"),
        ("Where does Anna live?", "Anna"),
        ("How many came in 2018?", ""),
    ],
)
def test_the_subject_of_a_question(text: str, expected: str) -> None:
    assert subject(text, EN) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Quanto custa alugar a serra de fita?", "a serra de fita"),
        ("A serra precisa de certificado?", "a serra"),
        ("Quando o museu municipal abre?", "o museu municipal"),
        ("Qual é a altura da torre?", "a torre"),
        ("Onde fica o barco Curlew?", "o barco Curlew"),
    ],
)
def test_the_subject_of_a_portuguese_question(text: str, expected: str) -> None:
    assert subject(text, PT) == expected


@pytest.mark.parametrize(
    ("fragment", "language", "expected"),
    [
        ("the steam box", EN, "the steam box"),
        ("my boat in the shed", EN, "my boat"),
        ("Curlew", EN, "Curlew"),
        ("the Business plan", EN, "the Business plan"),
        ("Sundays", EN, ""),
        ("the weekend", EN, ""),
        ("the bank holidays", EN, ""),
        ("March 2025", EN, ""),
        ("the opening hours", EN, ""),
        ("children", EN, ""),
        ("a caixa de vapor", PT, "a caixa de vapor"),
        ("o fim de semana", PT, ""),
        ("o preço", PT, ""),
    ],
)
def test_what_a_fragment_brings_up(fragment: str, language: Language, expected: str) -> None:
    assert introduced(fragment, language) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How much does it cost to hire the band saw a day?", "band saw"),
        ("What is the deposit for a canoe?", "canoe"),
        ("Who runs the library in Porto?", "library"),
        ("Who keeps Curlew in the shed?", ""),
        ("Who owns Heather Bell?", "Heather Bell"),
        ("Did Heather Bell race Curlew?", ""),
        ("What is Curlew's length?", ""),
        ("Is the boat in the shed?", ""),
        ("How many hens may be kept on a plot?", ""),
        ("How long is the Team plan?", ""),
    ],
)
def test_the_only_thing_that_a_question_speaks_of(text: str, expected: str) -> None:
    found = only_thing(text, EN)
    assert (found.core if found else "") == expected


@given(st.text(max_size=60), st.sampled_from([EN, PT]))
def test_any_text_may_be_asked(text: str, language: Language) -> None:
    subject(text, language)
    introduced(text, language)
    only_thing(text, language)
    found = thing(text, language)
    assert found is None or 0 == found.start < found.end <= len(text)
