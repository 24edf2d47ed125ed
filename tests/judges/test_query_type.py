"""Query types: spec 2's examples and their like, in both languages; time sensitivity."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.query_type import classify, time_sensitive
from calibrant.judges.free.request.understand import request_language, understand
from calibrant.judges.given import ToUnderstand
from calibrant.state.task import Language, QueryType

FACT, STATE, CHOICE, STUDY = QueryType.FACTUAL, QueryType.OPERATIONAL, QueryType.DECISION, QueryType.STRATEGIC


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Qual o CEO da Startup A?", FACT),
        ("Status do projeto X?", STATE),
        ("Devo investir na Startup Y?", CHOICE),
        ("Análise completa do portfólio", STUDY),
        ("Análise completa de risco do portfólio", STUDY),
        ("How do I make json.dumps sort keys?", FACT),
        ("What does zip do?", FACT),
        ("Como faço para ordenar uma lista?", FACT),
        ("What does HTTP status code 404 mean?", FACT),
        ("What is the best way to sort a dict?", FACT),
        ("How should I name modules?", FACT),
        ("sqlite3 isolation levels", FACT),
        ("Who suggested that theory?", FACT),
        ("How should I organise imports?", FACT),
        ("How is the migration going?", STATE),
        ("What's the status of the order?", STATE),
        ("How do I check the status of my order?", FACT),
        ("Como vejo o andamento do pedido?", FACT),
        ("What is the recommended size of a gate?", FACT),
        ("Is a steel gate recommended?", CHOICE),
        ("What's better for a farm, a pump or a well?", CHOICE),
        ("Como está o projeto X?", STATE),
        ("Are we on track?", STATE),
        ("Should I use SQLite or Postgres?", CHOICE),
        ("Which is better, Flask or Django?", CHOICE),
        ("Vale a pena usar Rust?", CHOICE),
        ("Devemos migrar para o TideDB?", CHOICE),
        ("Qual é melhor, Flask ou Django?", CHOICE),
        ("pros and cons of SQLite", CHOICE),
        ("Compare Flask and Django", CHOICE),
        ("Compare Flask, Django and FastAPI", STUDY),
        ("Give me a complete analysis of the market", STUDY),
        ("Overview of vector databases", STUDY),
        ("Write a report on climate change in Brazil", STUDY),
        ("How should we plan the migration from Basalt to TideDB?", STUDY),
        ("How should our team roll out Gantry?", STUDY),
        ("Como devemos planejar a migração do Basalt para o TideDB?", STUDY),
        ("Optimize the HandleTask function using industry best practices", STUDY),
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


@pytest.mark.parametrize(("year", "timely"), [(2027, False), (2028, True), (2029, True)])
def test_a_year_that_is_over_does_not_change(year: int, timely: bool) -> None:
    asked = ToUnderstand(f"What changed in {year}?", today=date(2028, 3, 1))
    assert understand(asked).value.time_sensitive is timely


def test_a_clear_question_leaves_no_margin_for_doubt_and_a_mixed_one_does() -> None:
    assert classify("How do I sort a list?", Language.ENGLISH).margin == 1.0
    assert classify("compare flask and django", Language.ENGLISH).margin < 1.0


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
