"""Follow-ups resolved against the earlier turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.followup import dangling, resolve
from calibrant.judges.free.understand import understand
from calibrant.judges.given import ToUnderstand, Turn
from calibrant.state.task import Language

EN, PT = Language.ENGLISH, Language.PORTUGUESE


@pytest.mark.parametrize(
    ("before", "answer", "text", "expected"),
    [
        ("What does json.dumps do with sets?", "", "does it raise?", "Does json.dumps raise?"),
        ("How do I sort lists in place?", "", "what about tuples?", "How do I sort tuples in place?"),
        ("How do I say hello politely?", "", "and in Portuguese?", "How do I say hello politely in Portuguese?"),
        ("Como o zip funciona com listas?", "", "e com tuplas?", "Como o zip funciona com tuplas?"),
        (
            "Who wrote Emma?",
            "Jane Austen wrote it [1].",
            "when was she born?",
            "When was Jane Austen born?",
        ),
        ("Who is the CEO of Apple?", "Tim Cook.", "and Microsoft?", "Who is the CEO of Microsoft?"),
        ("What is a GIL?", "", "why?", "Why: What is a GIL?"),
        ("O que faz json.dumps?", "", "ele levanta exceção?", "json.dumps levanta exceção?"),
        ("How do I open a file in Python?", "", "and in Rust?", "How do I open a file in Rust?"),
        ("What is the capital of France?", "Paris", "how many people live there?", "How many people live in Paris?"),
        ("What are decorators?", "", "and what is functools.wraps?", "What is functools.wraps?"),
    ],
)
def test_a_follow_up_gets_what_it_leaves_out(before: str, answer: str, text: str, expected: str) -> None:
    task = understand(ToUnderstand(text, (Turn(before, answer),))).value
    assert task.text == expected
    assert task.original == text


def test_a_chain_of_follow_ups_is_resolved_from_its_start() -> None:
    history = (Turn("How do I open a file in Python?"), Turn("and in Rust?"))
    assert resolve("and in Go?", history, EN).text == "How do I open a file in Go?"


@pytest.mark.parametrize("text", ["How do I read a CSV file?", "What is a tuple?", "Is it possible to sort a dict?"])
def test_a_question_that_stands_alone_is_left_as_it_is(text: str) -> None:
    assert resolve(text, (Turn("What does zip do?"),), EN).text == text


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("How do I avoid it?", "it"),
        ("help me with it", "it"),
        ("Does that work?", "that"),
        ("How many planets are there?", ""),
        ("What does zip do and how do I avoid it?", ""),
        ("Is it possible to sort a dict?", ""),
        ("What's the river that runs through Paris?", ""),
        ("In his diary, what did Washington write?", ""),
    ],
)
def test_dangling_pronouns(text: str, pronoun: str) -> None:
    assert dangling(text, EN) == pronoun


def test_an_appended_follow_up_is_more_doubtful_than_an_exchanged_one() -> None:
    exchanged = resolve("what about tuples?", (Turn("How do I sort lists in place?"),), EN)
    appended = resolve("and speed?", (Turn("How do I sort lists in place?"),), EN)
    assert appended.doubt > exchanged.doubt > 0.0
    assert "speed" in appended.text


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80), st.sampled_from([EN, PT]))
def test_any_conversation_resolves(text: str, question: str, answer: str, language: Language) -> None:
    found = resolve(text, (Turn(question, answer),), language)
    assert 0.0 <= found.doubt <= 1.0
