"""What models write in place of what was asked for: read where the meaning is plain, left out where it is not."""

import json
from typing import Any

import pytest
from pydantic import ValidationError

from calibrant.judges.model.ladder import Unreadable, read
from calibrant.judges.model.schemas import (
    AnswerReply,
    ComposeReply,
    DistilRow,
    PairRow,
    PartRow,
    PlanReply,
    Reply,
    ScoreReply,
    StatementRow,
    StepRow,
    SufficeReply,
    SupportReply,
    ToolStepRow,
    UnderstandReply,
    VerdictRow,
)
from calibrant.judges.model.wire import wire_schema

ROW = {"text": "A b.", "sources": ["S1"], "quote": "a"}


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        (["S1", "s2"], ("S1", "S2")),
        ("S1, S2; S3", ("S1", "S2", "S3")),
        (["[S1]", "<S2>", '"S3".'], ("S1", "S2", "S3")),
        ("S1 and S2", ("S1", "S2")),
        (["1", 2, "[3]", " 4. "], ("S1", "S2", "S3", "S4")),
        ("1, 2", ("S1", "S2")),
        (["Source 1", "passage S2", "S 3", "S-4", "S05"], ("S1", "S2", "S3", "S4", "S5")),
        ([{"id": "S1"}], ("S1",)),
        ("S1: retries.md", ("S1",)),
        (None, ()),
        ("", ()),
        ("C1", ("C1",)),
        (["retries.md"], ("retries.md",)),
        ("version 3.7", ("version 3.7",)),
        ("the 12 apostles", ("the 12 apostles",)),
    ],
)
def test_ids(given: Any, ids: tuple[str, ...]) -> None:
    reply = AnswerReply.model_validate({"answerable": True, "statements": [{**ROW, "sources": given}]})
    assert reply.statements[0].sources == ids


@pytest.mark.parametrize(
    "reply",
    [
        {"answerable": True, "statements": [ROW]},
        {"answerable": "Yes, it is", "statements": ROW},
        {"answerable": None, "statements": [ROW]},
        {"statements": [ROW]},
        {"Answerable": "true", "Statements": [{"Text": "A b.", "Sources": "S1", "Quote": "a"}], "note": "extra"},
        {"answerable": True, "statements": [ROW, {"text": "no sources"}, "a string", None]},
        {"answer": {"answerable": True, "statements": [ROW]}},
        {"answer": [ROW]},
        [ROW],
        ROW,
    ],
)
def test_an_answer(reply: Any) -> None:
    read_reply = read(AnswerReply, json.dumps(reply))
    assert read_reply.answerable
    assert [row.model_dump() for row in read_reply.statements] == [{**ROW, "sources": ("S1",)}]


@pytest.mark.parametrize(
    ("said", "disputed"),
    [
        ({"disputed": [1, 2]}, (1, 2)),
        ({"disputed": "1 and 2"}, (1, 2)),
        ({"disputed": "1, 2; 3"}, (1, 2, 3)),
        ({"disputed": "1 e 2"}, (1, 2)),
        ({"disputed": [[1, 2]]}, (1, 2)),
        ({"disputed": ["statement 2", "3"]}, (2, 3)),
        ({"disputed": "none"}, ()),
        ({"disputed": False}, ()),
        ({"disputed": None}, ()),
        ({}, ()),
    ],
)
def test_numbers_of_statements(said: dict[str, Any], disputed: tuple[int, ...]) -> None:
    assert AnswerReply.model_validate({"answerable": True, "statements": [ROW], **said}).disputed == disputed


def test_a_list_of_quotes_is_of_several_places() -> None:
    reply = AnswerReply.model_validate({"answerable": True, "statements": [{**ROW, "quote": ["a b", "c d"]}]})
    assert reply.statements[0].quote == "a b ... c d"


def test_a_question_with_an_id_is_what_it_says() -> None:
    given = [{"question": "a?"}, {"id": "Q2", "text": "b?"}, {"id": "3", "question": "c?", "why": "It is asked."}, "d?"]
    assert UnderstandReply.model_validate({"questions": given}).questions == ("a?", "b?", "c?", "d?")


def test_rows_of_which_none_fits_are_told() -> None:
    with pytest.raises(Unreadable, match=r"statements\.0: .*names no source and quotes nothing"):
        read(AnswerReply, '{"answerable": true, "statements": [{"text": "no sources"}]}')


@pytest.mark.parametrize(
    ("given", "rating"),
    [(3, 3), ("3", 3), ("3/4", 3), ("3 of 4", 3), (3.0, 3), (3.6, 4), (0, 0), ("4 (excellent)", 4),
     ("high", None), (85, None), (0.85, None), (-1, None), (None, None), (True, None)],
)  # fmt: skip
def test_a_rating(given: Any, rating: int | None) -> None:
    reply = ScoreReply.model_validate({"completeness": given, "grounding": 2})
    assert (reply.completeness, reply.grounding) == (rating, 2)
    assert set(reply.ratings) == {2, rating} - {None}


def test_ratings_that_say_nothing_are_told() -> None:
    with pytest.raises(ValidationError, match="at least one rating"):
        ScoreReply.model_validate({"completeness": "high", "grounding": 85})


@pytest.mark.parametrize(
    ("given", "verdict"),
    [
        ("Supported (S1)", "supported"),
        ("CONTRADICTED.", "contradicted"),
        ("**qualified**", "qualified"),
        ("not supported", "unverified"),
        ("Partially supported", "unverified"),
    ],
)
def test_a_verdict_in_more_words(given: str, verdict: str) -> None:
    reply = SupportReply.model_validate({"verdicts": [{"claim": 1, "verdict": given, "quote": "a"}]})
    assert (reply.verdicts[0].claim, reply.verdicts[0].verdict) == ("C1", verdict)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("I am sorry, I cannot help with that.", "no JSON object in the reply"),
        ('{"answerable": true, "statements": [{"quote": "client.subscribe("orders", 3)"}]}', "the JSON cannot be read"),
        ('{"answerable": true, "statements": [], "missing": ""}', "answerable is true, and there is no statement"),
        ('{"answerable": true, "missing": "the price"}', "answerable is true, and there is no statement"),
    ],
)
def test_what_is_wrong_with_a_reply_is_told(text: str, problem: str) -> None:
    with pytest.raises(Unreadable, match=problem):
        read(AnswerReply, text)


def test_rows_by_their_ids() -> None:
    reply = SupportReply.model_validate({"verdicts": {"C1": {"verdict": "supported"}, "C2": {"verdict": "qualified"}}})
    assert [(row.claim, row.verdict) for row in reply.verdicts] == [("C1", "supported"), ("C2", "qualified")]


@pytest.mark.parametrize("said", ["None", "n/a", "nothing.", "", None])
def test_nothing_is_missing_where_none_is(said: str | None) -> None:
    assert AnswerReply.model_validate({"answerable": False, "missing": said}).missing == ""


@pytest.mark.parametrize(
    ("said", "missing"),
    [
        ("The passages do not mention who keeps the gate.", "who keeps the gate."),
        ("The provided documents do not contain information about the east gate", "the east gate"),
        ("Specific information on the east gate", "the east gate"),
        ("As passagens não mencionam o portão", "o portão"),
        ("Informações sobre o portão", "o portão"),
        ("information desk hours", "information desk hours"),
        ("the passage to the east gate", "the passage to the east gate"),
    ],
)
def test_what_is_missing_is_named_without_what_small_models_write_in_front(said: str, missing: str) -> None:
    assert AnswerReply.model_validate({"answerable": False, "missing": said}).missing == missing


@pytest.mark.parametrize("given", ["maybe", "yes", None])
def test_a_verdict_that_is_none_of_ours_is_left_out(given: Any) -> None:
    sound = {"claim": "C2", "verdict": "unverified"}
    reply = SupportReply.model_validate({"verdicts": [{"claim": "C1", "verdict": given}, sound]})
    assert [row.claim for row in reply.verdicts] == ["C2"]


def test_a_part_of_which_nothing_is_said_is_no_no() -> None:
    rows = [{"question": "Q1", "answerable": None}, {"question": "Q2", "answerable": "no"}]
    assert [row.question for row in SufficeReply.model_validate({"parts": rows}).parts] == ["Q2"]


@pytest.mark.parametrize(
    "row", [{"sources": ["S1"], "source": ""}, {"source": "", "sources": ["S1"]}, {"Source": "S1"}]
)
def test_a_name_that_fits_exactly_goes_before_one_that_is_near(row: dict[str, Any]) -> None:
    (part,) = SufficeReply.model_validate({"parts": [{"question": "Q1", "answerable": "yes", **row}]}).parts
    assert part.sources == ("S1",)


def test_understanding_with_gaps() -> None:
    reply = UnderstandReply.model_validate(
        {
            "queryType": "a how-to question",
            "questions": [{"id": 1, "question": "How do I sort keys?"}],
            "assumptions": None,
            "criteria": [{"what": "examples", "target": "at least 3"}, {"what": "steps", "target": None}, {}],
            "timeSensitive": None,
            "vague": "No",
        }
    )
    assert reply.query_type is None
    assert reply.questions == ("How do I sort keys?",)
    assert [(row.what, row.target) for row in reply.criteria] == [("examples", 3), ("steps", 1)]
    assert (reply.time_sensitive, reply.vague) == (False, False)


def test_steps_with_words_for_numbers_and_an_object_for_a_string() -> None:
    assert StepRow.model_validate({"question": "q", "after": ["step 1", 2, "none"]}).after == (1, 2)
    given = {"question": "q", "tool": "read_page", "arguments": {"url": "http://a.b"}}
    assert ToolStepRow.model_validate(given).arguments == '{"url": "http://a.b"}'


def test_a_plan_with_a_step_that_does_not_fit_is_left_out_whole() -> None:
    """Steps name each other by number: without one, the numbers would name others."""
    good = {"name": "a", "steps": [{"question": "q"}]}
    bad = {"name": "b", "steps": [{"queries": ["x"]}, {"question": "q", "after": [1]}]}
    assert [plan.name for plan in PlanReply.model_validate({"plans": [bad, good]}).plans] == ["a"]


def test_sentences_name_claims() -> None:
    reply = ComposeReply.model_validate(
        {"sentences": [{"text": "A.", "claims": "C1, C2"}, {"text": "B.", "claims": 3}]}
    )
    assert [row.claims for row in reply.sentences] == [("C1", "C2"), ("C3",)]


def test_leniency_is_not_on_the_wire() -> None:
    """What is asked for stays exact: an enum, an integer, an object."""
    assert wire_schema(UnderstandReply)["properties"]["query_type"] == {
        "type": "string",
        "enum": ["factual", "operational", "decision", "strategic"],
        "description": "What kind of answer it needs.",
    }
    assert wire_schema(ScoreReply)["properties"]["grounding"] == {"type": "integer", "description": "0 to 4."}
    for reply in Reply.__subclasses__():
        assert "anyOf" not in str(wire_schema(reply))


@pytest.mark.parametrize(
    ("row", "before", "after"),
    [
        (StatementRow, "quote", "text"),
        (PartRow, "quote", "answerable"),
        (DistilRow, "quote", "text"),
        (VerdictRow, "quote", "reason"),
        (VerdictRow, "reason", "verdict"),
        (PairRow, "explanation", "kind"),
    ],
)
def test_what_a_judgement_rests_on_is_written_before_it(row: type[Reply], before: str, after: str) -> None:
    """Endpoints let a model write the fields in the order of the schema, and it cannot take back what it wrote."""
    fields = list(wire_schema(row)["properties"])
    assert fields.index(before) < fields.index(after)


def test_what_is_wrapped_without_end_is_no_reply() -> None:
    with pytest.raises(Unreadable):
        read(AnswerReply, '{"a": ' * 900 + "1" + "}" * 900)


ENDLESS = "9" * 400
"""What a small model writes that repeats itself."""


def test_digits_without_end_are_no_number() -> None:
    understood = UnderstandReply.model_validate({"questions": ["a"], "criteria": [{"what": "x", "target": ENDLESS}]})
    assert [row.target for row in understood.criteria] == [1]
    assert StepRow.model_validate({"question": "a", "after": [ENDLESS, "step 1"]}).after == (1,)
    assert ScoreReply.model_validate({"grounding": 3, "hedging": ENDLESS}).ratings == (3,)
