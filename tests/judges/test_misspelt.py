"""Which words of a request may be misspelt, and how the request is then read."""

import pytest

from calibrant.judges.free.request.misspelt import comparable, may_be_misspelt, misspelt, put_right, readings
from calibrant.judges.free.words.dictionary import in_dictionary
from calibrant.state.task import EN, PT, Language


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("What is the retenton of logs?", ("retenton",)),
        ("Is a protien a retenton?", ("protien", "retenton")),
        ("Who wrote Brenanson's guide?", ()),  # a name may be one that nobody knows
        ("What does `retenton` do?", ()),
        ('Where does it say "retenton"?', ()),
        ("What is in docs/retenton and retenton.md?", ()),
        ("retenton_days, retenton-days, json.retenton", ()),
        ("the bossa nova", ()),  # too short to tell
        ("Qual é a manutençao?", ("manutençao",)),
    ],
)
def test_words_that_are_read_otherwise_are_long_plain_and_in_small_letters(text: str, words: tuple[str, ...]) -> None:
    assert may_be_misspelt(text) == words


def test_a_name_is_compared_too_but_never_replaced() -> None:
    assert comparable("Who is Aoife Brenan of the ops team?") == ("Aoife", "Brenan", "team")


@pytest.mark.parametrize(
    ("word", "meant", "language", "slip"),
    [
        ("retenton", "retention", EN, True),
        ("contact", "contract", EN, False),  # a word of its own
        ("defunded", "defended", EN, False),  # by its prefix
        ("registradas", "registrados", PT, False),  # another form
        ("matricola", "matrícula", PT, True),
        ("nobody", "", EN, False),
        ("systemd", "System", EN, False),  # a letter more at the end: a name
        ("contractt", "contract", EN, True),
    ],
)
def test_a_word_of_the_language_is_meant_as_it_is_written(
    word: str, meant: str, language: Language, slip: bool
) -> None:
    assert (word in misspelt({word: meant}, language)) is slip


def test_the_request_is_put_right_word_by_word() -> None:
    slips = {"retenton": "retention"}
    said = "Is retenton a `retenton`, Retenton?"
    assert put_right(said, slips) == "Is retention a `retenton`, Retenton?"
    assert put_right("no slip", {}) == "no slip"
    assert readings(slips, EN) == ("Read “retenton” as “retention”: no document has “retenton”.",)
    assert readings(slips, PT) == ("Lido como “retention”: “retenton” não está nos documentos.",)


def test_english_words_stand_in_texts_of_all_languages() -> None:
    assert in_dictionary("software", PT)
    assert in_dictionary("carro", PT)
    assert not in_dictionary("retenton", PT)
