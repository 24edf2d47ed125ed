"""Claims: which sentences state something, ids, spans that are verbatim, closed citations."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.answering.claims import claims_of, span_of
from calibrant.state.confidence import Confidence
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement, StepStatus, SubResult

PASSAGE = Evidence(
    id="e1",
    title="Alpha manual",
    source="knowledge",
    url="file:///alpha.md",
    text="Alpha is a job server. Its default port\nis 8080. Workers restart by themselves.",
)


def result(*statements: Statement, score: float = 0.5, identity: str = "s1") -> SubResult:
    return SubResult(
        id=identity,
        question="What is the default port?",
        status=StepStatus.ANSWERED,
        statements=statements,
        confidence=Confidence(raw=score, score=score),
    )


def test_a_statement_becomes_a_claim_with_its_span() -> None:
    told = Statement(text="The port is 8080.", evidence_ids=("e1",), quote="Its default port is 8080.", score=0.8)
    (claim,) = claims_of([result(told)], [PASSAGE])
    (span,) = claim.spans
    assert (claim.id, claim.question_id, claim.addresses) == ("c1", "s1", 0.8)
    assert claim.confidence == pytest.approx(0.4)
    assert PASSAGE.text[span.start : span.end] == span.quote == "Its default port\nis 8080."


def test_each_sentence_is_a_claim_and_questions_are_none() -> None:
    told = Statement(text="Alpha is a job server. Does it scale? Workers restart by themselves.", evidence_ids=("e1",))
    claims = claims_of([result(told)], [PASSAGE])
    assert [(claim.id, claim.text) for claim in claims] == [
        ("c1", "Alpha is a job server."),
        ("c2", "Workers restart by themselves."),
    ]
    assert all(claim.spans for claim in claims), "a sentence that stands in the passage quotes itself"


def test_code_of_one_word_is_a_claim_where_a_sentence_announces_it() -> None:
    item = PASSAGE.replace(text="A rule that begins with a slash, `/logs`, matches the topmost folder alone.")
    announced = "Write this rule, which matches the topmost folder alone:\n```\n/logs\n```"
    told = Statement(text=announced, evidence_ids=("e1",), quote="matches the topmost folder alone")
    sentence, code = claims_of([result(told)], [item])
    assert sentence.text == "Write this rule, which matches the topmost folder alone:"
    assert (code.text, [span.quote for span in code.spans]) == ("/logs", ["/logs"])
    assert claims_of([result(told.replace(text="```\n/logs\n```"))], [item]) == ()


def test_each_row_of_a_table_that_was_written_quotes_its_own() -> None:
    barns = "| Barn | Bales |\n|---|---|\n| East | 40 |\n| West | 55 |\n"
    item = PASSAGE.replace(text=barns)
    told = Statement(text=barns, evidence_ids=("e1",), quote="East | 40", also_quoted=("West | 55",))
    claims = claims_of([result(told)], [item])
    assert [(claim.text, [span.quote for span in claim.spans]) for claim in claims] == [
        ("Barn: East; Bales: 40", ["East | 40"]),
        ("Barn: West; Bales: 55", ["West | 55"]),
    ]


def test_each_item_of_a_list_that_was_written_quotes_its_own() -> None:
    item = PASSAGE.replace(text="1. Lift the bar.\n2. Push the gate.\n")
    lines = "1. Lift the bar.\n2. Push the gate."
    told = Statement(text=lines, evidence_ids=("e1",), quote="Lift the bar", also_quoted=("Push the gate",))
    claims = claims_of([result(told)], [item])
    assert [[span.quote for span in claim.spans] for claim in claims] == [["Lift the bar"], ["Push the gate"]]


@pytest.mark.parametrize(
    "told",
    [
        Statement(text="The port is 9090.", evidence_ids=("e1",), quote="Its port is 9090."),
        Statement(text="The port is 8080.", evidence_ids=("unknown",), quote="Its default port is 8080."),
        Statement(text="The port is 8080.", quote="Its default port is 8080."),
        Statement(text="The port is 9090.", evidence_ids=("e1",)),
    ],
)
def test_what_is_not_quoted_verbatim_has_no_span(told: Statement) -> None:
    (claim,) = claims_of([result(told)], [PASSAGE])
    assert claim.spans == ()


def test_beyond_the_limit_the_least_confident_are_left_out() -> None:
    told = [Statement(text=f"Server number {word} is red.", score=score) for word, score in
            (("one", 0.2), ("two", 0.9), ("three", 0.5))]  # fmt: skip
    claims = claims_of([result(*told)], [], limit=2)
    assert [(claim.id, claim.addresses) for claim in claims] == [("c1", 0.9), ("c2", 0.5)]


def test_failed_steps_give_no_claims() -> None:
    assert claims_of([SubResult(id="s", question="q", status=StepStatus.FAILED)], [PASSAGE]) == ()


@given(st.text(max_size=60), st.text(max_size=20))
def test_a_span_is_always_verbatim(text: str, quote: str) -> None:
    item = PASSAGE.replace(text=text)
    span = span_of(item, quote)
    assert span is None or text[span.start : span.end] == span.quote


@pytest.mark.parametrize(
    ("text", "quote", "said"),
    [
        ('name = "web"', 'name = "web"', 'name = "web"'),
        ('"Web" is its name.', '"Web" is its name.', '"Web" is its name.'),
        ("It is the web.", '"It is the web."', "It is the web."),
        ("It is the web.", 'It is the web."', "It is the web."),
        ('It is "the web".', '“It is "the web".”', 'It is "the web".'),
    ],
)
def test_only_marks_around_a_quotation_are_left_out(text: str, quote: str, said: str) -> None:
    span = span_of(PASSAGE.replace(text=text), quote)
    assert span is not None
    assert (span.quote, text[span.start : span.end]) == (said, said)


def test_each_line_of_a_list_that_is_told_is_a_claim() -> None:
    """Its marks are not told: names without a full stop would run into one another."""
    listed = "- gate.test: Dan Reis\n- Barn of the East: Ana Paz."
    told = Statement(text=listed.replace("- ", ""), evidence_ids=("e1",), quote=listed)
    claims = claims_of([result(told)], [PASSAGE.replace(text=listed)])
    assert [claim.text for claim in claims] == ["gate.test: Dan Reis", "Barn of the East: Ana Paz."]
