"""Lists of changes: known by what stands above them, and lowered where nobody asks about a change."""

import pytest

from calibrant.judges.free.evidence.changelogs import (
    asks_of_changes,
    is_entry_asked_for,
    newest_entries,
    tells_of_changes,
)
from calibrant.judges.free.evidence.relevance import Relevance
from calibrant.state.evidence import Evidence, Locator
from tests.judges.test_extract import answer


def passage(text: str, heading: str, title: str = "", key: str = "p1") -> Evidence:
    locator = Locator(heading=heading)
    return Evidence(id=key, text=text, title=title, source="knowledge", url=f"file:///{key}", locator=locator)


@pytest.mark.parametrize(
    ("heading", "tells"),
    [
        ("Changelog", True),
        ("Quay changelog > Fixed", True),
        ("2.1.0 (4 May 2021)", True),
        ("[1.4.2] - 2020-02-01", True),
        ("1.4.2 - 2020-02-01 > Added", True),
        ("Version 3.0", True),
        ("Quay 3.0.1", True),
        ("Release notes > v2.4", True),
        ("Histórico de alterações", True),
        ("Versão 2.0", True),
        ("Unreleased", True),
        ("Options", False),
        ("Minutes of 4 May 2021", False),
        ("2021-05-04", False),
        ("4.2 Rent and deposit", False),
        ("4.2", False),
        ("Clause 4.2.1", False),
        ("1.4 (2 May 2020)", True),
        ("Version control", False),
        ("History of the harbour", False),
    ],
)
def test_a_list_of_changes_is_known_by_its_heading(heading: str, tells: bool) -> None:
    assert tells_of_changes(passage("It may be empty.", heading)) is tells


@pytest.mark.parametrize(
    ("question", "asks"),
    [
        ("What is the default timeout?", False),
        ("How do I switch on compression?", False),
        ("Qual é o limite padrão de tentativas?", False),
        ("What happens when the file is too big?", False),
        ("O que acontece quando o ficheiro é grande?", False),
        ("How do I create a new desk?", False),
        ("Who found CVE-2021-0000?", True),
        ("Which version added compression?", True),
        ("When did compression arrive?", True),
        ("What happened to compression in 0.28?", True),
        ("Is compression still supported?", True),
        ("Em que versão foi adicionada a compressão?", True),
        ("Quando foi removida a compressão?", True),
    ],
)
def test_who_asks_about_a_change(question: str, asks: bool) -> None:
    assert asks_of_changes(question) is asks


@pytest.mark.parametrize(
    ("question", "first"),
    [("What is the default wait of the desk?", "now"), ("When was the default wait changed?", "then")],
)
def test_the_reference_comes_before_what_changed_once(question: str, first: str) -> None:
    then = passage("The default wait of the desk was changed to 7 seconds.", "2.1.0 (4 May 2021)", "Changelog", "then")
    now = passage(
        "The desk waits. Its default is 5 seconds, unless you set another.", "Desk > Options", "Manual", "now"
    )
    scored = Relevance().score(question, [then, now])
    assert max(scored, key=lambda one: one.logit).evidence.id == first


@pytest.mark.parametrize(
    ("question", "heading", "asked"),
    [
        ("What changed in 2.1.0?", "2.1.0 (4 May 2021) > Fixed", True),
        ("what's new in v2.1.0", "Version 2.1.0", True),
        ("What was fixed in version 2.1.0?", "[2.1.0] - 2021-05-04 > Fixed", True),
        ("What was fixed in version 2.1.0?", "2.1.0 (4 May 2021) > Changed", False),
        ("When was 2.1.0 released?", "2.1.0 - 2021-05-04 > Added", True),
        ("When did Quay 2.1.0 come out?", "2.1.0 - 2021-05-04", True),
        ("When was 2.1.0 deprecated?", "2.1.0 - 2021-05-04 > Deprecated", False),
        ("When was 2.1.0 released?", "2.1.1 - 2021-05-04", False),
        ("When was compression added in 2.1.0?", "2.1.0 - 2021-05-04 > Added", False),
        ("What changed between 2.1.0 and 2.2.0?", "2.1.0 - 2021-05-04", False),
        ("What changed in 2.1.0?", "Upgrading", False),
        ("O que mudou na 2.1.0?", "2.1.0 (4 de maio de 2021)", True),
    ],
)
def test_the_entries_of_a_version_are_asked_for_as_such(question: str, heading: str, asked: bool) -> None:
    assert is_entry_asked_for(question, passage("It may be empty.", heading, "Quay changelog")) is asked


FLAT = """- Added labels to all of the gates that are in the harbour, and to those in the old town.
- Added a map.
- Fixed the clock of the ferry, which was late by an hour for two days after the summer time had begun.
- Fixed a lamp that was on by day.
- The horn is louder, but not so loud that it would be heard behind the old town, where nobody needs it.
- The boat sails without a pilot where the water is calm and deep enough, and nobody has asked for one to be on board.
- Night mode.
"""


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What changed in 2.1.0?", [line.removeprefix("- ") for line in FLAT.splitlines()]),
        ("What was fixed in 2.1.0?", [line.removeprefix("- ") for line in FLAT.splitlines()[2:4]]),
        ("What was removed in 2.1.0?", []),
    ],
)
def test_all_changes_of_the_sort_that_is_asked_for_are_told(question: str, told: list[str]) -> None:
    assert [one.text for one in answer(question, passage(FLAT, "2.1.0 (4 May 2021)")).statements] == told


def test_the_changes_of_a_version_are_told_under_their_sorts() -> None:
    groups = {
        "Added": "- Night mode.\n- A map.",
        "Changed": "- A louder horn.",
        "Fixed": "- A lamp.\n- The clock.",
    }
    held = [
        passage(text, f"2.1.0 (4 May 2021) > {name}", key=f"log#{name}").replace(
            url="file:///log.md", locator=Locator(heading=f"2.1.0 (4 May 2021) > {name}", start=100 * place)
        )
        for place, (name, text) in enumerate(groups.items())
    ]
    told = [one.text for one in answer("What changed in 2.1.0?", *held).statements]
    assert told == [
        "Added: Night mode.", "Added: A map.", "Changed: A louder horn.", "Fixed: A lamp.", "Fixed: The clock."
    ]  # fmt: skip
    assert [one.text for one in answer("What was fixed in 2.1.0?", *held).statements] == told[3:]


def test_one_change_of_the_sort_that_is_asked_for_is_told_alone() -> None:
    (told,) = answer("What was fixed in 2.1.0?", passage("- Added a map.\n- Fixed a lamp.", "2.1.0")).statements
    assert told.text == "Fixed a lamp."


def test_a_change_of_a_word_or_two_is_told() -> None:
    (told,) = answer("When was 2.1.0 released?", passage("- First release.", "2.1.0 (4 May 2021)")).statements
    assert told.text == "2.1.0 (4 May 2021): First release."
    (told,) = answer("What was added in 2.1.0?", passage("- Night mode.", "2.1.0 (4 May 2021) > Added")).statements
    assert told.quote == "- Night mode."


def test_an_entry_of_the_version_asked_for_needs_no_word_of_the_question() -> None:
    entry = passage("- Labels may be empty.\n- Wrong tax.", "2.1.0 - 2021-05-04 > Fixed", "Changelog")
    for question in ("What changed in 2.1.0?", "When was 2.1.0 released?"):
        (scored,) = Relevance().score(question, [entry])
        assert min(scored.score, *(one.score for one in scored.sentences)) > 0.7


NOTES = tuple(
    passage("Nothing is said of the gate.", heading, "Ferry release notes", key=f"notes.md#{place}").replace(
        url="file:///notes.md"
    )
    for place, heading in enumerate(
        ("3.9.1 (2025-02-01)", "3.10.0 (2026-05-18) > Fixed", "3.10.0 (2026-05-18)", "Gates")
    )
)
OTHER = passage("Nothing is said of the gate.", "Version 1.2", "Barn changelog", key="barn.md")


@pytest.mark.parametrize(
    ("question", "newest"),
    [
        ("What is the latest version of the ferry?", [*NOTES[1:3], OTHER]),
        ("Qual é a versão mais recente?", [*NOTES[1:3], OTHER]),
        ("What changed in version 3.9.1?", []),
        ("What is the latest time of departure?", []),
    ],
)
def test_the_newest_entries_are_known_by_their_numbers(question: str, newest: list[Evidence]) -> None:
    assert list(newest_entries(question, (*NOTES, OTHER))) == newest
