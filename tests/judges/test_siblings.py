"""Sections that are called alike, and groups of settings: what is told of one is no answer of the other."""

import pytest

from calibrant.judges.free.answering.siblings import groups_named, is_of_another_group, without_siblings
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.relevance import Relevance
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import StepStatus
from tests.judges.test_extract import answer

DOCKS = {
    "Dry dock": "It costs 310 euros a day.",
    "Floating dock": "It takes boats of up to 15 m.",
    "Pier": "It is new.",
}
SETTINGS = "http:\n  port: 9100\n  timeout_seconds: 20\nmail:\n  from: dock@yard.example\n  smtp_port: 587\n"


def sections(told: dict[str, str]) -> list[Evidence]:
    return [
        Evidence(
            id=f"yard#{place}",
            text=f"## {name}\n\n{text}",
            title="Yard",
            source="k",
            url="file:///yard.md",
            locator=Locator(heading=f"Yard > {name}"),
        )
        for place, (name, text) in enumerate(told.items())
    ]


@pytest.mark.parametrize(
    ("question", "left"),
    [
        ("How much does the floating dock cost?", ["Floating dock", "Pier"]),
        ("How much does the dry dock cost?", ["Dry dock", "Pier"]),
        ("How much does a dock cost?", ["Dry dock", "Floating dock", "Pier"]),
        ("How much more is the dry dock than the floating dock?", ["Dry dock", "Floating dock", "Pier"]),
        ("How much does the floating bridge cost?", ["Dry dock", "Floating dock", "Pier"]),
    ],
)
def test_what_stands_under_the_name_of_another_one_is_set_aside(question: str, left: list[str]) -> None:
    query = prepare(question)
    kept = without_siblings(query, Relevance().score(question, sections(DOCKS)))
    assert [one.evidence.locator.heading.removeprefix("Yard > ") for one in kept] == left


def test_a_section_that_speaks_of_the_other_one_is_heard() -> None:
    told = DOCKS | {"Dry dock": "It costs 310 euros a day, as the floating one does."}
    question = "How much does the floating dock cost?"
    assert len(without_siblings(prepare(question), Relevance().score(question, sections(told)))) == len(told)


def test_a_price_of_the_other_one_is_no_answer() -> None:
    assert answer("How much does the floating dock cost a day?", *sections(DOCKS)).status is StepStatus.UNANSWERED
    assert answer("How much does the dry dock cost a day?", *sections(DOCKS)).status is StepStatus.ANSWERED


@pytest.mark.parametrize(
    ("question", "other"),
    [
        ("What is the mail timeout?", True),
        ("What is the http timeout?", False),
        ("What is the timeout?", False),
        ("What is the http timeout for mail?", False),
    ],
)
def test_a_setting_of_another_group_is_no_answer(question: str, other: bool) -> None:
    item = Evidence(id="s", text=SETTINGS, title="dock.yaml", source="k", url="file:///dock.yaml")
    (passage,) = Relevance().score(question, [item])
    named = groups_named(prepare(question), passage)
    assert is_of_another_group(prepare(question), named, "http > timeout_seconds: 20") is other
