"""Two answers to one question that cannot both be right, though their sentences share hardly a word."""

import pytest

from calibrant.judges.free.conflicts import ConflictJudge, aligned
from calibrant.judges.free.extract import Extractor
from calibrant.judges.free.rivals import is_about, rival
from calibrant.judges.free.sufficiency import SufficiencyJudge
from calibrant.judges.free.witnesses import witnesses
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, ConflictKind, Span
from calibrant.state.evidence import Evidence
from calibrant.state.task import Question

FILTER = "How many hours does a grease filter of the Fornax oven last?"
CLOCK = "Who built the tower clock of the museum?"
VERSION = "Which version of Fornax does the display need?"
SINCE = "When did the Fornax oven arrive?"


def test_who_tells_a_version_need_not_call_it_one() -> None:
    item = Evidence(id="a", text="", title="Requirements", source="knowledge", url="")
    assert is_about("Which version of Fornax does Halyard need?", "Halyard needs Fornax 3.8.", item)
    assert is_about("Which version of Fornax does Halyard need?", "Fornax 3.10 is required by Halyard.", item)
    assert not is_about("Which version of Fornax does Halyard need?", "Fornax 3.8 was released in May.", item)


def test_a_price_is_about_what_it_is_the_price_of() -> None:
    item = Evidence(id="a", text="", title="Prices", source="knowledge", url="")
    assert is_about("What does the starter plan cost?", "The starter plan is free.", item)
    assert not is_about("What does the starter plan cost?", "The team plan costs 30 dollars.", item)


@pytest.mark.parametrize(
    ("question", "first", "second", "said"),
    [
        (FILTER, "The grease filter lasts for 500 hours.", "Change it after 200 hours.", ("500 hours", "200 hours")),
        (
            FILTER,
            "It lasts for 500 operating hours.",
            "A grease filter is finished after 200 hours.",
            ("500 operating hours", "200 hours"),
        ),
        ("How much is an adult ticket?", "Adults pay 9 euros.", "Admission: 11 euros", ("9 euros", "11 euros")),
        (
            CLOCK,
            "The clock was built by Anselm Rudd.",
            "It is the work of Jorgen Halle.",
            ("Anselm Rudd", "Jorgen Halle"),
        ),
        (
            CLOCK,
            "Mr Anselm Rudd built the clock.",
            "The maker is Mr Jorgen Halle.",
            ("Mr Anselm Rudd", "Mr Jorgen Halle"),
        ),
        (SINCE, "The oven came on 3 May 2021.", "We have had it since 9 June 2022.", ("3 May 2021", "9 June 2022")),
        ("How often is it cleaned?", "It is cleaned daily.", "We do that every week.", ("daily", "every week")),
        ("What does a ticket cost?", "Tickets are 9 euros.", "Admission: 11 euros", ("9 euros", "11 euros")),
        ("What does a ticket cost?", "Admission is free.", "Tickets: 11 euros", ("is free", "11 euros")),
        ("Quanto custa o bilhete?", "O bilhete custa 10 reais.", "A entrada é gratuita.", ("10 reais", "é gratuita")),
        (VERSION, "It needs Fornax 3.8 or newer.", "Fornax 3.10 or newer is required.", ("3.8", "3.10")),
        (VERSION, "Version 12 is needed.", "The display needs version 14.", ("12", "14")),
        ("Qual versão do Fornax é necessária?", "É necessária a versão 12.", "Use a versão 14.", ("12", "14")),
    ],
)
def test_answers_that_differ_in_what_is_asked_for(
    question: str, first: str, second: str, said: tuple[str, str]
) -> None:
    hit = rival(question, aligned(first, second))
    assert hit is not None
    assert hit.values == said


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (FILTER, "The grease filter lasts for 500 hours.", "Change it after 500 hours."),
        (FILTER, "The grease filter lasts for 48 months.", "Change it after four years."),
        (FILTER, "The grease filter lasts for 500 hours.", "A filter weighs 2 kg."),
        ("How often is it cleaned?", "It is cleaned every night.", "We do that every 24 hours."),
        ("How often is it cleaned?", "It is cleaned every night.", "Once a week we do, and daily in May."),
        ("What does a ticket cost?", "Tickets are free for children.", "Tickets: 11 euros"),
        ("What does a ticket cost?", "Tickets are 9 euros.", "The tour lasts 11 minutes."),
        ("What does a ticket show?", "Admission is free.", "Tickets: 11 euros"),
        (VERSION, "It needs Fornax 3.8.", "Fornax 3.8.1 is needed."),
        (VERSION, "It needs Fornax v2.4.0.", "Fornax 2.4.0 is needed."),
        (VERSION, "It needs Fornax 3.8.", "It runs with Fornax 3.8, 3.9 and 3.10."),
        ("Which versions of Fornax does it support?", "It supports Fornax 3.8.", "It supports Fornax 3.9."),
        (FILTER, "The grease filter lasts at least 500 hours.", "Change it after 600 hours."),
        (FILTER, "The grease filter lasts for 500 hours.", "It lasts 200 hours, the fine one 300 hours."),
        (FILTER, "The grease filter lasts for 500 hours.", "It does not last 200 hours."),
        (
            "How long does it take to reach 250 °C?",
            "It reaches 250 °C in 25 minutes.",
            "After 25 minutes it is at 250 °C.",
        ),
        ("What are the fees?", "Adults pay 9 euros.", "Children pay 4 euros."),
        (CLOCK, "The clock was built by Anselm Rudd.", "Rudd built it."),
        (CLOCK, "The clock was built by Anselm Rudd.", "It was built by Mr A. Rudd of Leeds."),
        (SINCE, "The oven came in 2021.", "The oven came on 3 May."),
        (SINCE, "The oven came on 3 May 2021.", "It came in May 2021."),
        ("Why was the clock built?", "Anselm Rudd wanted it.", "Jorgen Halle wanted it."),
    ],
)
def test_answers_that_may_both_be_right(question: str, first: str, second: str) -> None:
    assert rival(question, aligned(first, second)) is None


@pytest.mark.parametrize(
    ("text", "above", "expected"),
    [
        ("A grease filter is finished after 200 hours.", "Fornax oven", True),
        ("A grease filter is finished after 200 hours.", "", False),
        ("The door is checked after 200 hours.", "Fornax oven", False),
        ("The lift runs for 200 hours.", "", False),
    ],
)
def test_what_is_about_something_else_is_no_answer(text: str, above: str, expected: bool) -> None:
    assert is_about(FILTER, text, passage("e", text, above)) is expected


def passage(identity: str, text: str, title: str = "Fornax oven") -> Evidence:
    return Evidence(id=identity, text=text, title=title, source="knowledge", url=f"file:///{identity}.md")


MANUAL = passage("manual", "The grease filter of the oven lasts for 500 hours.")
NOTES = passage("notes", "Doors squeak. A grease filter is finished after 200 hours. Ask the cook.")
ASKED = (Question(id="q1", text=FILTER),)


def claim(identity: str, item: Evidence, text: str, question: str = "q1") -> Claim:
    start = item.text.index(text)
    span = Span(evidence_id=item.id, quote=text, start=start, end=start + len(text))
    return Claim(id=identity, text=text, spans=(span,), confidence=0.8, question_id=question, addresses=0.9)


def test_the_other_documents_answer_is_heard_and_is_a_conflict() -> None:
    told = claim("c1", MANUAL, MANUAL.text)
    answers = Extractor().answers
    heard = witnesses((told,), ASKED, (MANUAL, NOTES), SufficiencyJudge(None).rate, answers)
    assert [one.text for one in heard] == ["A grease filter is finished after 200 hours."]
    (found,) = ConflictJudge().free(ToReconcile((told, *heard), (MANUAL, NOTES), questions=ASKED)).value
    assert found.kind is ConflictKind.CONTRADICTION
    assert found.explanation == 'They give different numbers: "500 hours" against "200 hours".'


def test_answers_to_different_questions_or_of_one_document_are_no_rivals() -> None:
    told, other = claim("c1", MANUAL, MANUAL.text), "A grease filter is finished after 200 hours."
    judge = ConflictJudge()
    elsewhere = ToReconcile((told, claim("c2", NOTES, other, "q2")), (MANUAL, NOTES), questions=ASKED)
    same = NOTES.replace(url=MANUAL.url)
    together = ToReconcile((told, claim("c2", same, other)), (MANUAL, same), questions=ASKED)
    unasked = ToReconcile((told, claim("c2", NOTES, other)), (MANUAL, NOTES))
    assert [judge.free(given).value for given in (elsewhere, together, unasked)] == [(), (), ()]
