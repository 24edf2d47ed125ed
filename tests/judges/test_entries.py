"""Entries that say what they are about: which of them a question asks for, and when it asks for something else."""

import pytest

from calibrant.judges.free.answering.entries import asks_for_less, entries_asked_for, label_of
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.relevance import Relevance
from calibrant.judges.free.words.text import sentences_of
from calibrant.state.evidence import Evidence
from tests.judges.test_extract import answer, passage

CREW = passage(
    "The museum has a staff of 9.\n\n- Chair: Isla Macrae, since 2025\n- Treasurer: Tomasz Wilk\n- Yard manager: Bo Ek",
    "Heron Boat Society > People",
)
DIRECTION = passage("- Diretora: Ana Reis, desde 2021\n- Tesoureiro: Rui Costa", "Escola de música > Direção")


@pytest.mark.parametrize(
    ("question", "label", "less"),
    [
        ("Who is the yard manager?", "Yard manager", False),
        ("Who is the current yard manager?", "Yard manager", False),
        ("Who became treasurer?", "Treasurer", False),
        ("Who is the museum chair?", "Chair", False),
        ("Who is the chair of the society?", "Chair", False),
        ("Who has been the chair since 2025?", "Chair", False),
        ("Who is the deputy yard manager?", "Treasurer", False),
        ("Who is the deputy yard manager?", "Yard manager", True),
        ("Who is the deputy-treasurer?", "Treasurer", True),
        ("Who was the first chair of the society?", "Chair", True),
        ("Who is the chair of the safety committee?", "Chair", True),
        ("Who is the elected chair?", "Chair", False),
        ("Who is the chair of the board?", "Chair", False),
        ("Who is the club treasurer?", "Treasurer", False),
        ("What does the treasurer for members do?", "Treasurer", False),
        ("Who is the former treasurer?", "Treasurer", True),
        ("Who is the chair of the library?", "Chair", False),
        ("Quem é a diretora da escola?", "Diretora", False),
        ("Quem é a diretora do coro?", "Diretora", False),
        ("Quem é a diretora eleita?", "Diretora", False),
        ("Quem é a antiga diretora?", "Diretora", True),
        ("Quem é a diretora da comissão de segurança?", "Diretora", True),
        ("Quem é a diretora desde 2021?", "Diretora", False),
        ("Quem é a vice-diretora?", "Diretora", True),
        ("Quem é a diretora da biblioteca?", "Diretora", True),
    ],
)
def test_an_entry_tells_of_what_its_label_names(question: str, label: str, less: bool) -> None:
    (scored,) = Relevance().score(question, [DIRECTION if label == "Diretora" else CREW])
    (entry,) = (one.sentence for one in scored.sentences if label_of(one.sentence) == label)
    assert asks_for_less(prepare(question), scored, entry) is less


CONTACTS = passage("- Chair: Ann Lee\n- Treasurer: Bo Lind\n- Address: 3 Main Street", "Contacts")
GROUPS = passage("Whom to ask.\n\n- Treasurer: Bo Lind\n- Youth group treasurer: Kai Berg", "Contacts")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Who is the chair of the board?", "Ann Lee"),
        ("Who is the treasurer of the club?", "Bo Lind"),
        ("Who is the club treasurer?", "Bo Lind"),
        ("Who is the elected treasurer?", "Bo Lind"),
        ("What is the address of the club?", "3 Main Street"),
    ],
)
def test_an_entry_does_not_say_whose_it_is(question: str, told: str) -> None:
    statements = answer(question, CONTACTS).statements
    assert [told in one.text for one in statements] == [True]


def test_an_entry_of_a_longer_name_tells_what_the_shorter_one_is_not() -> None:
    (scored,) = Relevance().score("Who is the group treasurer?", [GROUPS])
    less = {
        label: asks_for_less(prepare("Who is the group treasurer?"), scored, one.sentence)
        for one in scored.sentences
        if (label := label_of(one.sentence))
    }
    assert less == {"Treasurer": True, "Youth group treasurer": False}


def test_for_whom_something_is_an_entry_does_not_say() -> None:
    rules = passage("- Speed limit: 5 knots\n- Quiet hours: 22:00 to 7:00", "Harbour rules")
    (told,) = answer("What is the speed limit for boats?", rules).statements
    assert "5 knots" in told.text


def test_what_is_asked_for_more_narrowly_is_not_answered() -> None:
    assert answer("Who is the yard manager?", CREW).statements
    assert not answer("Who is the deputy yard manager?", CREW).statements


@pytest.mark.parametrize(
    ("question", "labels"),
    [
        ("Who is the yard manager?", ["", "Yard manager"]),
        ("Who is the treasurer of the society?", ["", "Treasurer"]),
        ("Who keeps the yard?", ["", "Chair", "Treasurer", "Yard manager"]),
    ],
)
def test_beside_the_entry_that_is_meant_no_other_is_told(question: str, labels: list[str]) -> None:
    found = [(label_of(sentence), CREW, sentence) for sentence in sentences_of(CREW)]
    assert entries_asked_for(prepare(question), found) == labels


@pytest.mark.parametrize(
    "text", ["plan: Team; price: 9 euros", "cache_ttl: 60", "Note that the gate, as we said: is shut", "Fees are due."]
)
def test_rows_settings_and_sentences_have_no_label(text: str) -> None:
    (sentence,) = sentences_of(Evidence(id="p", text=f"- {text}", title="", source="knowledge", url="file:///p"))
    assert not label_of(sentence)


@pytest.mark.parametrize(
    ("question", "less"),
    [("Who is the owner of edge-proxy?", False), ("Who is the backup owner of edge-proxy?", True)],
)
def test_a_column_names_no_deputy_either(question: str, less: bool) -> None:
    services = passage("| name | owner | port |\n|---|---|---|\n| edge-proxy | Ingrid Solheim | 443 |", "Services")
    (scored,) = Relevance().score(question, [services])
    (row,) = (one.sentence for one in scored.sentences if "Ingrid" in one.sentence.text)
    assert asks_for_less(prepare(question), scored, row) is less
