"""What kind of answer a question wants, and which sentences cannot be one by their form."""

import pytest

from calibrant.judges.free.feat_answer import Expects, expected, holds
from calibrant.judges.free.text import tokens


def fits(question: str, sentence: str) -> bool:
    """Whether the sentence could answer by its form."""
    return holds(expected(question), sentence, frozenset(token.word for token in tokens(question)))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who wrote Fennel?", "Fennel: Run fennel dump to write all queues to a file."),
        ("Who wrote Fennel?", "Fennel > Backups: Run fennel dump to write all queues to a file."),
        ("How much does a visit cost?", "The lighthouse was first lit in 1897 and is 31 metres high."),
        ("What is the price of a ticket?", "The ferry carries 90 cars."),
        ("Quanto custa a visita ao farol?", "O farol foi aceso pela primeira vez em 1897."),
    ],
)
def test_a_sentence_without_the_kind_of_thing_asked_for_is_no_answer(question: str, sentence: str) -> None:
    assert not fits(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who wrote Fennel?", "Fennel: It was written by Ines Corvin."),
        ("Who wrote Fennel?", "Ines Corvin: She wrote Fennel with Bo Dahl."),
        ("How much does a visit cost?", "Entry costs 7 euros."),
        ("How much does a visit cost?", "Visitors pay $7 at the gate."),
        ("Quanto custa a visita ao farol?", "A visita custa 5 reais."),
        ("How many lives did the storm cost?", "About 1,200 people died."),
    ],
)
def test_a_sentence_with_it_may_be_one(question: str, sentence: str) -> None:
    assert fits(question, sentence)


def test_a_price_is_a_number() -> None:
    assert expected("How much does a visit cost?") is Expects.NUMBER
    assert expected("Quanto custa a visita?") is Expects.NUMBER


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What error does it raise?", Expects.ERROR),
        ("What domain error is raised?", Expects.ERROR),
        ("Which disk error does it give?", Expects.ERROR),
        ("What does error 42 mean?", Expects.ANY),
    ],
)
def test_what_an_error_means_is_no_error(question: str, kind: Expects) -> None:
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How heavy may a parcel be?", Expects.NUMBER),
        ("Which firm runs the canteen?", Expects.PERSON),
        ("Who wrote it?", Expects.PERSON),
        ("Quem escreveu?", Expects.PERSON),
        ("When was it built?", Expects.DATE),
        ("Em que ano foi fundada? Em qual ano?", Expects.DATE),
        ("How many files are there?", Expects.NUMBER),
        ("Quantos arquivos existem?", Expects.NUMBER),
        ("What is the default cutoff?", Expects.VALUE),
        ("Which exception is raised?", Expects.ERROR),
        ("Why does it fail?", Expects.REASON),
        ("What is a heap?", Expects.ANY),
    ],
)
def test_expected_answer(question: str, kind: Expects) -> None:
    assert expected(question) is kind


def test_a_number_in_a_name_is_no_number() -> None:
    assert not holds(Expects.NUMBER, "The sqlite3 module connects.", frozenset())
    assert holds(Expects.NUMBER, "It listens on 8080.", frozenset())
    assert not holds(Expects.DATE, "In 1987 it was new.", frozenset({"1987"}))


def test_a_why_with_its_answer_is_a_reason() -> None:
    assert holds(Expects.REASON, "**Why is it slow?** It copies every file.", frozenset({"why", "slow"}))
    assert not holds(Expects.REASON, "Nobody knows why it is slow.", frozenset({"why", "slow"}))
