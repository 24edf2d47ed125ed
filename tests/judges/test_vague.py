"""Vagueness: what is too vague to search for, what is merely short, and the wording proposed."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.followup import dangling
from calibrant.judges.free.request.understand import understand
from calibrant.judges.free.request.vague import PLACEHOLDER, VAGUE, vagueness, wording
from calibrant.judges.given import ToUnderstand
from calibrant.state.task import Language


@pytest.mark.parametrize(
    "text",
    [
        "help me with it", "make it better", "tell me about stuff", "Fix the thing", "databases", "improve performance",
        "fix the bug", "What is it?", "?", "hello", "me ajude com isso", "melhore isso", "arrume a coisa",
        "fale sobre coisas", "I need help", "vírus", "What is the problem?",
        "How do I solve the problem?", "What does it cost?", "Can it be changed?", "How long does it take?",
        "Quanto custa?", "Onde fica?", "Posso?", "É permitido?", "Foi aprovado?", "Quando é que abre?",
        "Por quanto tempo vale?",
    ],
)  # fmt: skip
def test_vague_requests_reach_the_threshold_and_get_a_wording(text: str) -> None:
    task = understand(ToUnderstand(text)).value
    assert task.vagueness >= VAGUE
    assert PLACEHOLDER.search(task.wording)


@pytest.mark.parametrize(
    "text",
    [
        "sqlite3 isolation levels", "What is a cat?", "How do I make json.dumps sort keys?", "O que é a UFMS?",
        "Fix the bug in parser.py", "Find Syrian hamsters for sale", "SQLite", "tell me about databases",
        "does it raise ValueError?", "butter and margarine", "add tests for user authentication", "What causes rain?",
        "What is a list?", "What is data?", "How do I sort a list?", "How do I write a file?", "O que é um arquivo?",
        "How do I write files?", "What is a set?", "Quanto custa o plano?",
    ],
)  # fmt: skip
def test_short_but_specific_requests_stay_below_the_threshold(text: str) -> None:
    task = understand(ToUnderstand(text)).value
    assert task.vagueness < VAGUE
    assert task.wording == ""


def test_a_wording_keeps_what_was_said_and_leaves_the_rest_open() -> None:
    said = wording("make it faster", Language.ENGLISH, "it")
    assert said.startswith("Make <what?>")
    assert "faster" in said
    assert wording("databases", Language.ENGLISH).startswith("Databases: <")
    assert wording("resolve o problema", Language.PORTUGUESE).startswith("Resolve <o quê?>")
    assert wording("é permitido?", Language.PORTUGUESE) == "é permitido <o quê?>?"


@pytest.mark.parametrize("text", ["melhore isso", "fale sobre coisas"])
def test_a_wording_speaks_the_language_of_the_request(text: str) -> None:
    assert "<qu" in wording(text, Language.PORTUGUESE).lower() or "<o qu" in wording(text, Language.PORTUGUESE).lower()


@given(st.text(max_size=120), st.sampled_from(list(Language)))
def test_vagueness_is_a_score_and_a_wording_invents_no_word(text: str, language: Language) -> None:
    assert 0.0 <= vagueness(text, language, dangling(text, language)) <= 1.0
    assert wording(text, language)


@given(st.sampled_from(["sqlite3", "isolation", "transactions", "asyncio"]))
def test_naming_something_more_never_makes_a_request_vaguer(word: str) -> None:
    for text in ("fix the thing", "help me with it", "databases", "tell me about stuff"):
        before, after = (
            vagueness(said, Language.ENGLISH, dangling(said, Language.ENGLISH))
            for said in (text, f"{text} {word} deadlock")
        )
        assert after <= before
