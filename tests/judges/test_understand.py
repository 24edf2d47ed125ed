"""Understanding as a whole: every field of a task, how much was understood, when a model should be asked."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.understand import understand
from calibrant.judges.free.request.vague import VAGUE
from calibrant.judges.given import ToUnderstand, Turn
from calibrant.state.context import Context
from calibrant.state.task import Language, QueryType, Task


def task(text: str, *history: Turn, guidance: str = "") -> Task:
    return understand(ToUnderstand(text, history, guidance)).value


def test_a_plain_question_is_fully_understood() -> None:
    judged = understand(ToUnderstand("How do I make json.dumps sort keys?"))
    found = judged.value
    assert found.is_plain
    assert found.language is Language.ENGLISH
    assert found.topic == ("json.dumps", "sort", "keys")
    assert [part.id for part in found.questions] == ["q1"]
    assert [(item.what, item.target) for item in found.criteria] == [("How do I make json.dumps sort keys?", 1)]
    assert found.understanding >= 0.99
    assert found.risk == 0.0
    assert found.vagueness == 0.0
    assert found.plan
    assert judged.doubt < 0.2
    assert judged.tier == "free"


@pytest.mark.parametrize(
    ("clear", "unclear"),
    [
        ("How do I make json.dumps sort keys?", "help me with it"),
        ("What does zip do with lists?", "Does it raise ValueError?"),
        ("O que é a UFMS?", "melhore isso"),
        ("Who founded Athens?", "Would the Albany in Georgia reach a hundred thousand before the one in New York?"),
    ],
)
def test_an_ambiguous_request_is_understood_less_and_doubted_more(clear: str, unclear: str) -> None:
    sure, unsure = understand(ToUnderstand(clear)), understand(ToUnderstand(unclear))
    assert sure.value.understanding >= unsure.value.understanding + 0.15
    assert sure.doubt < 0.2 <= unsure.doubt


def test_understanding_is_no_constant() -> None:
    texts = ("What is a cat?", "databases", "make it better", "compare flask and django", "does it raise ValueError?")
    assert len({round(task(text).understanding, 2) for text in texts}) == len(texts)


@pytest.mark.parametrize(
    ("text", "risk"),
    [
        ("What is a mortgage?", 0.0),
        ("How do I make json.dumps sort keys?", 0.0),
        ("Should I invest my savings in bitcoin?", 0.5),
        ("Delete all rows in production", 0.8),
        ("How do I delete all my files?", 0.3),
        ("What dosage of ibuprofen is lethal?", 0.6),
        ("Devo investir minha poupança em ações?", 0.5),
    ],
)
def test_risk(text: str, risk: float) -> None:
    found = task(text)
    assert found.risk >= risk if risk else found.risk == 0.0
    assert bool(found.risks) is bool(risk) is bool(found.risk)


def test_guidance_narrows_the_task_and_clears_it_up() -> None:
    alone, guided = task("help me with it"), task("help me with it", guidance="sqlite3 transactions in Python")
    assert alone.vagueness >= VAGUE > guided.vagueness
    assert guided.understanding > alone.understanding
    assert "sqlite3" in guided.topic
    assert "sqlite3 transactions in Python" in guided.constraints
    assert guided.wording == ""


def test_guidance_on_a_clear_request_leaves_its_words_alone() -> None:
    guided = task("How do I test authentication?", guidance="use Vitest, only from github")
    assert guided.text == "How do I test authentication?"
    assert "vitest" in guided.topic
    assert [(item.kind, item.value) for item in guided.must_have] == [("source", "github")]


def test_a_follow_up_says_what_it_takes_for_granted() -> None:
    found = task("does it raise?", Turn("What does json.dumps do with sets?"))
    assert found.text == "Does json.dumps raise?"
    assert any("json.dumps" in said for said in found.assumptions)
    assert found.vagueness < VAGUE


COMPENSATION = Turn("What do Gold customers get when the service is down?", "A credit of 10 %.")


@pytest.mark.parametrize(
    ("text", "history", "asked"),
    [
        ("Und bekommen sie eine Gutschrift?", (COMPENSATION,), True),
        ("Et pour les clients Silver ?", (COMPENSATION,), True),
        ("Wie alt ist die Brücke von Anker?", (), False),
        ("How old is the Anker bridge?", (COMPENSATION,), False),
        ("Qual é a idade da ponte de Anker?", (COMPENSATION,), False),
    ],
)
def test_a_follow_up_in_a_language_that_is_not_known_is_doubted(
    text: str, history: tuple[Turn, ...], asked: bool
) -> None:
    assert (understand(ToUnderstand(text, history)).doubt > Context().doubt) is asked


@pytest.mark.parametrize(
    ("text", "asked"), [("How should we plan the migration from Basalt to TideDB?", True), ("What is TideDB?", False)]
)
def test_a_plan_that_falls_into_no_parts_is_doubted(text: str, asked: bool) -> None:
    assert (understand(ToUnderstand(text)).doubt > Context().doubt) is asked


def test_a_quoted_phrase_binds_every_passage_only_when_there_is_one_step() -> None:
    assert task('Who said "I came I saw"?').must_have
    assert not task('When was the director of "Big Stone Gap" born?').must_have


def test_what_is_pasted_demands_nothing_and_is_searched_for() -> None:
    told = "FlagError: owner must be set, without blanks, at /srv/skiff/flags.py"
    text = f'I set the flag to "yes". Why does this ({told}) happen?'
    found = understand(ToUnderstand(text, pasted=told)).value
    assert (found.must_have, found.must_not, found.constraints) == ((), (), ())
    assert found.pasted == "FlagError: owner must be set, without blanks, at"
    alone = understand(ToUnderstand(told, pasted=told)).value
    assert (alone.must_have, alone.must_not, alone.constraints) == ((), (), ())
    assert task('Who said "yes"?').pasted == ""


def test_conditions_beside_what_is_pasted_still_hold() -> None:
    found = understand(ToUnderstand("Only from github: how do I fix this (FlagError)?", pasted="FlagError")).value
    assert [(item.kind, item.value) for item in found.must_have] == [("source", "github")]


def test_conditions_criteria_and_risks_of_a_search() -> None:
    found = task("Find Syrian hamsters for sale without cages, at least three listings")
    assert [(item.kind, item.value) for item in found.must_not] == [("keyword", "cages")]
    assert [(item.what, item.target) for item in found.criteria] == [("listings", 3)]
    assert any("cages" in said for said in found.risks)


def test_a_comparison_asks_for_its_parts_first() -> None:
    found = task("Should I use SQLite or Postgres for my app?")
    assert found.query_type is QueryType.DECISION
    assert len(found.questions) == 3
    assert found.plan == "Answer 2 of 3 parts first, then what depends on them."


@given(st.text(max_size=300), st.text(max_size=60), st.text(max_size=60))
def test_any_request_becomes_a_task(text: str, before: str, guidance: str) -> None:
    judged = understand(ToUnderstand(text, (Turn(before),) if before else (), guidance))
    found = judged.value
    assert 0.0 <= judged.doubt <= 1.0
    assert 0.0 <= found.understanding <= 1.0
    assert found.questions
    assert found.criteria
    assert (found.vagueness >= VAGUE) is bool(found.wording)
    assert understand(ToUnderstand(text, (Turn(before),) if before else (), guidance)) == judged
