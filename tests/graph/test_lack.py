"""What an answer still lacks, as a person is asked about it and as an abstention says it."""

import pytest

from calibrant.nodes.reading.answered import SHOWN, Lack, lack_of
from calibrant.nodes.telling.phrases import Phrases
from calibrant.state.channels import View
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.evidence import Evidence, SourceState
from calibrant.state.retrieval import RetrievalResult, SourceReport
from calibrant.state.task import Language

QUEUE = Evidence(id="e1", text="A failed job is retried three times.", title="Jobs", source="knowledge", url="jobs.md")
FOUND = SourceReport(source="knowledge", state=SourceState.OK)
DOWN = SourceReport(
    source="web",
    state=SourceState.FAILED,
    failure=Failure(kind=FailureKind.UNAVAILABLE, message="refused", where="web"),
)
BARE = SourceReport(source="knowledge", state=SourceState.SKIPPED)
NOTHING_YET = "There is nothing to search yet: `calibrant ingest PATH` makes a knowledge base."
PART = "How often is a failed workflow retried?"


def lack(*parts: str, evidence: tuple[Evidence, ...] = (), reports: tuple[SourceReport, ...] = (FOUND,)) -> Lack:
    """What is lacking for ``parts`` after one retrieval."""
    state = View(evidence=evidence, retrievals=(RetrievalResult(id="r", query="q", sources=reports),))
    return lack_of(state, parts)


def test_a_word_that_no_passage_has_is_missing() -> None:
    assert lack(PART, evidence=(QUEUE,)) == Lack(
        held=True, searched=True, bare=False, silent=False, foreign=False, missing=("workflow",), failed=()
    )


def test_where_every_word_is_there_the_evidence_is_beside_the_point() -> None:
    found = lack("How often is a failed job retried?", evidence=(QUEUE,))
    assert found.is_beside
    (told,) = Phrases(Language.ENGLISH).lacking(found)
    assert told == "What was found speaks of this, but nothing in it is sure enough to be the answer."


@pytest.mark.parametrize(
    ("reports", "missing", "said"),
    [
        ((FOUND,), True, ("Nothing was found on this.",)),
        ((FOUND, DOWN), True, ("Nothing was found on this.", "Could not be searched: web.")),
        ((DOWN,), False, ("Could not be searched: web.",)),
        ((BARE,), False, (NOTHING_YET,)),
        ((BARE, DOWN), False, ("Could not be searched: web.",)),
        ((BARE, FOUND), True, ("Nothing was found on this.",)),
    ],
)
def test_where_no_source_has_answered_no_word_counts_as_missing(
    reports: tuple[SourceReport, ...], missing: bool, said: tuple[str, ...]
) -> None:
    found = lack(PART, reports=reports)
    assert (bool(found.missing), found.held) == (missing, False)
    assert Phrases(Language.ENGLISH).lacking(found) == said


GERMAN = "Wie oft wird ein Auftrag nach einem Fehler wiederholt, und wer ist dann dran?"


def test_another_language_is_said_and_is_not_beside_the_point() -> None:
    found = lack(GERMAN, evidence=(QUEUE,))
    assert found.foreign
    assert not found.is_beside


@pytest.mark.parametrize(
    ("evidence", "foreign"),
    [
        ((QUEUE,), True),
        ((QUEUE, QUEUE.replace(id="e2", text="Fehlgeschlagener Auftrag: drei Wiederholungen")), False),
        ((QUEUE, QUEUE.replace(id="e2"), QUEUE.replace(id="e3", text="retries: 3")), True),
        ((QUEUE.replace(text="Fehlgeschlagener Auftrag: drei Wiederholungen"),), False),
        ((QUEUE.replace(text="Ein Auftrag wird nicht wiederholt."),), False),
        ((), False),
    ],
    ids=["English", "half may be German", "most are English", "it may be German", "German", "nothing found"],
)
def test_another_language_is_said_only_where_most_passages_tell_their_own(
    evidence: tuple[Evidence, ...], foreign: bool
) -> None:
    found = lack(GERMAN, evidence=evidence)
    assert found.foreign is foreign
    assert any("another language" in line for line in Phrases(Language.ENGLISH).lacking(found)) is foreign


def test_parts_that_are_all_calls_ask_nothing_of_the_evidence() -> None:
    assert lack(evidence=(QUEUE,)) == Lack(
        held=False, searched=True, bare=False, silent=False, foreign=False, missing=(), failed=()
    )


def test_where_nothing_was_searched_nothing_counts_as_not_found() -> None:
    found = lack(PART, reports=())
    assert (found.searched, found.missing) == (False, ())
    assert Phrases(Language.ENGLISH).lacking(found) == ("Nothing was searched.",)
    assert lack(reports=()).searched, "of calls alone nobody expects it"


def test_a_person_is_told_of_a_few_missing_words() -> None:
    assert len(lack("alpha bravo charlie delta echoes foxtrot golfing hotels", evidence=(QUEUE,)).missing) == SHOWN
