"""``retrieve_information``'s output: JSON in the shape of spec 1."""

import json

import pytest

from calibrant.state.retrieval import RetrievalResult
from calibrant.state.tool_output import Document, ToolOutput, as_tool_output
from tests.state.samples import PAGE, PASSAGE, RESULT

OUTPUT = as_tool_output(RESULT, (PASSAGE, PAGE))

SPECIFIED = {"retrieval_id", "query", "documents", "synthesis", "confidence_boost", "new_confidence"}
"""Spec 1's keys."""


def test_it_is_json() -> None:
    """Nothing in it that JSON has not: it comes back the same."""
    assert json.loads(json.dumps(OUTPUT)) == OUTPUT


def test_it_has_spec_1s_keys_and_what_the_design_adds() -> None:
    """Additions stand beside, nothing is renamed."""
    added = {"depth_used", "rounds", "sources", "sufficiency", "spend", "stop_reason", "suggestion", "warnings"}
    assert set(OUTPUT) == set(ToolOutput.__annotations__) == SPECIFIED | added


def test_documents_are_the_kept_passages_best_first() -> None:
    """By id, in the result's order; one that is gone is left out."""
    assert [document["id"] for document in OUTPUT["documents"]] == ["e2", "e1"]
    document = OUTPUT["documents"][1]
    assert set(document) == set(Document.__annotations__) >= {"title", "url", "source", "relevance", "summary"}
    assert (document["title"], document["source"], document["relevance"]) == ("Manual", "knowledge", 0.8765)
    assert (document["published"], document["line"], document["heading"]) == ("2024-01-02T00:00:00+00:00", 3, "Ports")


def test_synthesis_is_lists_of_texts_and_examples_with_their_source() -> None:
    """Spec 1's ``synthesis``."""
    synthesis = OUTPUT["synthesis"]
    assert synthesis["key_insights"] == ["The port is 5432."]
    assert synthesis["best_practices"] == ["Set it in the file."]
    assert synthesis["common_mistakes"] == ["Forgetting the firewall."]
    assert synthesis["code_examples"] == [
        {"description": "Set it", "code": "port = 1", "language": "ini", "source": "knowledge"}
    ]


def test_the_boost_is_after_minus_before() -> None:
    """0.60 after 0.25."""
    assert OUTPUT["new_confidence"] == 0.6
    assert OUTPUT["confidence_boost"] == 0.35


def test_the_boost_may_be_negative() -> None:
    """New evidence may speak against."""
    worse = RESULT.replace(confidence_before=0.9)
    assert as_tool_output(worse, ())["confidence_boost"] == pytest.approx(-0.3)


def test_a_failed_source_is_named_with_its_failure() -> None:
    """Failure is not evidence."""
    failed = next(report for report in OUTPUT["sources"] if report["source"] == "web")
    assert failed["state"] == "failed"
    assert failed["failure"]["kind"] == "timeout"


def test_an_empty_result_has_the_same_shape() -> None:
    """Nothing found, nothing missing."""
    empty = as_tool_output(RetrievalResult(id="r", query="q"), ())
    assert set(empty) == set(OUTPUT)
    assert empty["documents"] == []
    assert json.loads(json.dumps(empty)) == empty
