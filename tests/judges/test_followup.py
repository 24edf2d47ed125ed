"""Follow-ups resolved against the earlier turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.followup import dangling, resolve
from calibrant.judges.free.request.understand import understand
from calibrant.judges.given import ToUnderstand, Turn
from calibrant.state.task import Language

EN, PT = Language.ENGLISH, Language.PORTUGUESE
KEPT = "How long are deleted files kept on the Team plan?"
OPENS = "A que horas abre o escritório de Lisboa?"
LEADS = "Who leads the office in Porto?"


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
        (KEPT, "", "And the Business plan?", "How long are deleted files kept on the Business plan?"),
        (KEPT, "", "And on the Business plan?", "How long are deleted files kept on the Business plan?"),
        (KEPT, "", "And on the Business one?", "How long are deleted files kept on the Business plan?"),
        (KEPT, "", "What about Starter?", "How long are deleted files kept on the Starter plan?"),
        (KEPT, "", "And what does it cost?", "What does the Team plan cost?"),
        (KEPT, "", "Can it be changed?", "Can the Team plan be changed?"),
        ("What is the price of the Starter plan?", "$9", "And the Team plan?", "What is the price of the Team plan?"),
        ("What does the basic plan cost?", "$9", "And the premium plan?", "What does the premium plan cost?"),
        ("How much does the Team plan cost?", "", "How many devices has it?", "How many devices has the Team plan?"),
        ("Who wrote the Great Gatsby?", "", "And Emma?", "Who wrote Emma?"),
        ("Who manages us-west?", "Kim Tran [1]", "And us-east?", "Who manages us-east?"),
        ("Who manages us-west?", "Kim Tran [1]", "When was it opened?", "When was us-west opened?"),
        (
            "Who manages us-west?",
            "Kim Tran",
            "Where does she live?",
            "Where does Kim Tran live?",
        ),
        ("How long are deleted files kept?", "", "How are they restored?", "How are deleted files restored?"),
        ("Which version added dark mode?", "", "When did it appear?", "When did it appear (version added dark mode)?"),
        ("How do I restore a file?", "", "How long does it take?", "How long does it take: How do I restore a file?"),
        ("What happens in April 2024?", "", "and in 2025?", "What happens in 2025?"),
        ("What changed in version 4.1.0?", "", "and in 4.2.0?", "What changed in version 4.2.0?"),
        ("Quanto custa o plano Starter?", "", "E o Team?", "Quanto custa o plano Team?"),
        ("Quanto custa o plano Starter?", "", "E o plano Team?", "Quanto custa o plano Team?"),
        ("Quanto custa o plano mensal?", "", "E o plano anual?", "Quanto custa o plano anual?"),
        ("Qual é o preço do plano Starter?", "", "E o plano Team?", "Qual é o preço do plano Team?"),
        ("Qual é o preço do plano Starter?", "", "Ele tem suporte?", "O plano Starter tem suporte?"),
        ("Quanto custa o plano Starter?", "", "E o suporte?", "Quanto custa o plano Starter, e o suporte?"),
        (OPENS, "", "E o do Porto?", "A que horas abre o escritório do Porto?"),
        (OPENS, "", "E aos domingos?", "A que horas abre o escritório de Lisboa aos domingos?"),
        (LEADS, "", "Since when?", "Since when: Who leads the office in Porto?"),
        (LEADS, "", "And by whom?", "By whom: Who leads the office in Porto?"),
        ("Quem dirige o escritório?", "", "Desde quando?", "Desde quando: Quem dirige o escritório?"),
        (OPENS, "", "E quando fecha?", "Quando fecha o escritório de Lisboa?"),
    ],
)
def test_a_follow_up_gets_what_it_leaves_out(before: str, answer: str, text: str, expected: str) -> None:
    task = understand(ToUnderstand(text, (Turn(before, answer),))).value
    assert task.text == expected
    assert task.original == text


def test_a_chain_of_follow_ups_is_resolved_from_its_start() -> None:
    history = (Turn("How do I open a file in Python?"), Turn("and in Rust?"))
    assert resolve("and in Go?", history, EN).text == "How do I open a file in Go?"


def test_one_bare_question_word_takes_the_place_of_another() -> None:
    history = (Turn(LEADS), Turn("Since when?"))
    assert resolve("Until when?", history, EN).text == "Until when: Who leads the office in Porto?"
    assert resolve("What about Tallinn?", history, EN).text == "Since when: Who leads the office in Tallinn?"


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
        ("What does it cost to park here?", ""),
        ("What does it cost?", "it"),
        ("Can it be changed?", "it"),
        ("Could it be that a lock is held?", ""),
        ("How long does it take?", "it"),
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
