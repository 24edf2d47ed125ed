"""Witnesses: what other documents say against a claim, and only that."""

from collections.abc import Sequence

import pytest

from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.evidence.sufficiency import SufficiencyJudge
from calibrant.judges.free.synthesis.witnesses import witnesses
from calibrant.state.answer import Claim, Span
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Question

PORT = "The Alpha server listens on port 8080."
ASKED = (Question(id="q1", text="Which port does the Alpha server listen on?"),)
RATE = SufficiencyJudge(None).rate
ANSWERS = Extractor().answers


def passage(identity: str, text: str, url: str = "") -> Evidence:
    return Evidence(id=identity, text=text, title=identity, source="knowledge", url=url or f"file:///{identity}.md")


def claim(text: str = PORT, eid: str = "e1") -> Claim:
    span = Span(evidence_id=eid, quote=text, start=0, end=len(text))
    return Claim(id="c1", text=text, spans=(span,), confidence=0.8, question_id="q1", addresses=0.9)


def against(*others: Evidence, limit: int = 12) -> list[str]:
    evidence: Sequence[Evidence] = (passage("e1", PORT), *others)
    return [one.text for one in witnesses((claim(),), ASKED, evidence, RATE, ANSWERS, limit)]


def test_a_sentence_of_another_document_that_opposes_the_claim_is_heard() -> None:
    other = passage("e2", "Alpha is fast. The Alpha server listens on port 9090. It is written in Go.")
    (heard,) = witnesses((claim(),), ASKED, (passage("e1", PORT), other), RATE, ANSWERS)
    assert (heard.id, heard.text, heard.question_id) == ("w1", "The Alpha server listens on port 9090.", "q1")
    (span,) = heard.spans
    assert other.text[span.start : span.end] == span.quote == heard.text
    assert heard.confidence == pytest.approx(0.8)
    assert heard.addresses == pytest.approx(0.9)


@pytest.mark.parametrize(
    "text",
    [
        "The Alpha server listens on port 8080 by default.",
        "The Beta proxy listens on port 9090.",
        "The Alpha server keeps 30 backups.",
        "Does the Alpha server listen on port 9090?",
        "Alpha is fast.",
    ],
    ids=["agrees", "another thing", "another attribute", "a question", "beside it"],
)
def test_what_does_not_oppose_it_is_not_heard(text: str) -> None:
    assert against(passage("e2", text)) == []


@pytest.mark.parametrize(
    ("question", "heard"),
    [("How many times is a failed job retried?", True), ("How long does a failed job wait?", False)],
)
def test_what_is_told_beside_the_measure_asked_for_is_not_opposed(question: str, heard: bool) -> None:
    told, other = "A failed job is retried five times.", "A failed job is retried three times."
    asked = (Question(id="q1", text=question),)
    found = witnesses((claim(told),), asked, (passage("e1", told), passage("e2", other)), RATE, ANSWERS)
    assert [one.text for one in found] == ([other] if heard else [])


def test_what_takes_the_claim_back_is_heard_though_it_says_little_of_it() -> None:
    stated = "We migrate the settlements queue from RabbitMQ to Kafka by the end of June."
    plan, decision = passage("e1", stated), passage("e2", "Offers came in. The migration to Kafka is cancelled.")
    (heard,) = witnesses((claim(stated),), ASKED, (plan, decision), RATE, ANSWERS)
    assert heard.text == "The migration to Kafka is cancelled."


def test_what_a_model_says_is_disputed_needs_no_witness() -> None:
    evidence = passage("e1", PORT), passage("e2", "The Alpha server listens on port 9090.")
    assert witnesses((claim(),), ASKED, evidence, RATE, ANSWERS)
    assert witnesses((claim().replace(disputed=True),), ASKED, evidence, RATE, ANSWERS) == ()


def test_the_same_document_is_no_second_source() -> None:
    other = passage("e2", "The Alpha server listens on port 9090.", url="file:///e1.md")
    assert against(other) == []


def test_one_sentence_in_two_documents_is_heard_once_and_the_limit_holds() -> None:
    twice = [passage(eid, "The Alpha server listens on port 9090.") for eid in ("e2", "e3")]
    assert len(against(*twice)) == 1
    many = [passage(f"e{n}", f"The Alpha server listens on port {n}000.") for n in range(2, 9)]
    assert len(against(*many)) == 3
    assert len(against(*many, limit=2)) == 2


ENTRY = "Admission is 12 euros."
COST = (Question(id="q1", text="How much is admission to the Harbour museum?"),)


def heard_about_entry(title: str, text: str, told: str = ENTRY) -> list[str]:
    page = Evidence(id="e1", text=ENTRY, title="The Harbour museum", source="knowledge", url="file:///museum.md")
    other = Evidence(id="e2", text=text, title=title, source="knowledge", url="file:///other.md")
    return [one.text for one in witnesses((claim(told),), COST, (page, other), RATE, ANSWERS)]


@pytest.mark.parametrize("told", [ENTRY, f"The Harbour museum: {ENTRY}"])
def test_another_price_in_other_words_is_heard(told: str) -> None:
    assert heard_about_entry("Visit the Harbour museum", "A ticket costs 15 euros.", told) == [
        "A ticket costs 15 euros."
    ]


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("The Corbel museum", "A ticket costs 15 euros."),
        ("Visit the Harbour museum", "A guided tour costs 15 euros."),
        ("Visit the Harbour museum", "A family ticket costs 30 euros."),
        ("Visit the Harbour museum", "A ticket costs 12 euros."),
    ],
    ids=["another museum", "another thing", "another kind of it", "the same price"],
)
def test_a_price_of_something_else_is_not_heard(title: str, text: str) -> None:
    assert heard_about_entry(title, text) == []


def test_a_witness_of_a_claim_that_is_told_with_its_heading_is_measured_with_its_own() -> None:
    texts = "A call that fails is made again over 6 hours.", "A call that fails is made again over 36 hours, slowly."
    pages = [
        Evidence(id=f"e{place}", text=text, title=title, source="k", url=f"file:///{place}",
                 locator=Locator(heading=f"{title} > Webhooks"))
        for place, (text, title) in enumerate(zip(texts, ("API v1", "API v2"), strict=True), start=1)
    ]  # fmt: skip

    def rate(_: Sequence[str], said: Sequence[Evidence]) -> list[float]:
        return [1.0 if "Webhooks" in one.text else 0.3 for one in said]

    asked = (Question(id="q1", text="How often is a webhook tried?"),)
    heard = witnesses((claim(f"Webhooks: {texts[0]}"),), asked, pages, rate, lambda _, held: ())
    assert [one.text for one in heard] == [texts[1]]
