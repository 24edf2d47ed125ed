"""Query types: spec 2's examples and their like, in both languages; time sensitivity."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.query_type import classify, time_sensitive
from calibrant.judges.given import ToUnderstand
from calibrant.judges.free.understand import request_language, understand
from calibrant.state.task import Language, QueryType

F, O, D, S = QueryType.FACTUAL, QueryType.OPERATIONAL, QueryType.DECISION, QueryType.STRATEGIC


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Qual o CEO da Startup A?", F),
        ("Status do projeto X?", O),
        ("Devo investir na Startup Y?", D),
        ("Análise completa do portfólio", S),
        ("Análise completa de risco do portfólio", S),
        ("How do I make json.dumps sort keys?", F),
        ("What does zip do?", F),
        ("Como faço para ordenar uma lista?", F),
        ("What does HTTP status code 404 mean?", F),
        ("What is the best way to sort a dict?", F),
        ("How should I name modules?", F),
        ("sqlite3 isolation levels", F),
        ("Who suggested that theory?", F),
        ("How is the migration going?", O),
        ("What's the status of the order?", O),
        ("Como está o projeto X?", O),
        ("Are we on track?", O),
        ("Should I use SQLite or Postgres?", D),
        ("Which is better, Flask or Django?", D),
        ("Vale a pena usar Rust?", D),
        ("Qual é melhor, Flask ou Django?", D),
        ("pros and cons of SQLite", D),
        ("Compare Flask and Django", D),
        ("Compare Flask, Django and FastAPI", S),
        ("Give me a complete analysis of the market", S),
        ("Overview of vector databases", S),
        ("Optimize the HandleTask function using industry best practices", S),
    ],
)
def test_type_of_a_request(text: str, kind: QueryType) -> None:
    assert understand(ToUnderstand(text)).value.query_type is kind


@pytest.mark.parametrize(
    ("text", "timely"),
    [
        ("What is the latest version of pytest?", True),
        ("Who is currently the president?", True),
        ("Qual é a versão atual do Python?", True),
        ("What changed in 2026?", True),
        ("What changed in 2024?", False),
        ("Which electric current flows here?", False),
        ("What is the current working directory?", False),
        ("How do I make json.dumps sort keys?", False),
        ("Status do projeto X?", True),
    ],
)
def test_time_sensitive(text: str, timely: bool) -> None:
    assert understand(ToUnderstand(text)).value.time_sensitive is timely


def test_a_clear_question_leaves_no_margin_for_doubt_and_a_mixed_one_does() -> None:
    assert classify("How do I sort a list?", Language.ENGLISH).margin == 1.0
    assert classify("compare flask and django", Language.ENGLISH).margin < 1.0


def test_the_words_that_told_are_named() -> None:
    assert "should i" in classify("Should I invest?", Language.ENGLISH).cues[0]


@pytest.mark.parametrize(
    ("text", "language"),
    [("Vale a pena usar Rust?", "pt"), ("arrume a coisa", "pt"), ("e com listas?", "pt"), ("does it raise?", "en")],
)
def test_language_of_short_requests(text: str, language: str) -> None:
    assert request_language(ToUnderstand(text)) == language


@given(st.text(max_size=200), st.sampled_from(list(Language)))
def test_any_text_has_a_type_and_a_margin(text: str, language: Language) -> None:
    found = classify(text, language)
    assert 0.0 <= found.margin <= 1.0
    assert isinstance(time_sensitive(text, language, found.query_type), bool)
