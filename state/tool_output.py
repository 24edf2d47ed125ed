"""A retrieval as ``retrieve_information`` gives it: flat JSON, spec 1's tool output.

``TypedDict`` of ``typing_extensions``, as in ``channels``: the server makes schemas of these.
"""

from collections.abc import Mapping
from typing import Annotated, Any

from pydantic import Field
from typing_extensions import TypedDict

from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Distillate, RetrievalResult


class Document(TypedDict):
    """One passage that was found."""

    id: str
    title: str
    url: str
    source: str
    relevance: float
    summary: str
    text: str
    author: str | None
    published: str | None
    heading: str | None
    columns: Annotated[list[str], Field(description="Names of the columns, where it starts inside a table")]
    line: int | None


class Example(TypedDict):
    """A code example with the name of the source it came from."""

    description: str
    code: str
    language: str
    source: str


class Distilled(TypedDict):
    """What the passages say."""

    key_insights: list[str]
    best_practices: list[str]
    common_mistakes: list[str]
    code_examples: list[Example]
    relevant_patterns: list[str]


class ToolOutput(TypedDict):
    """What ``retrieve_information`` gives, as JSON: spec 1's output, and what DESIGN adds to it."""

    retrieval_id: str
    query: str
    documents: list[Document]
    synthesis: Distilled
    confidence_boost: Annotated[float, Field(description="Sufficiency after minus before; may be negative")]
    new_confidence: Annotated[float, Field(description="How far the passages suffice, 0 to 1")]
    depth_used: int
    rounds: list[dict[str, Any]]
    sources: Annotated[list[dict[str, Any]], Field(description="How each source fared: an outage is no finding")]
    sufficiency: dict[str, Any]
    spend: dict[str, Any]
    stop_reason: Annotated[str, Field(description="sufficient, plateau, exhausted, budget or deadline")]
    suggestion: str
    warnings: list[str]


def as_tool_output(result: RetrievalResult, evidence: tuple[Evidence, ...]) -> ToolOutput:
    """The result as a tool gives it, with those of its passages that are in ``evidence``, best first."""
    by_id = {item.id: item for item in evidence}
    kept = [by_id[eid] for eid in result.evidence_ids if eid in by_id]
    return {
        "retrieval_id": result.id,
        "query": result.query,
        "documents": [_document(item) for item in kept],
        "synthesis": _distilled(result.distillate, by_id),
        "confidence_boost": round(result.confidence_boost, 4),
        "new_confidence": round(result.new_confidence, 4),
        "depth_used": result.depth_used,
        "rounds": [entry.model_dump(mode="json") for entry in result.rounds],
        "sources": [report.model_dump(mode="json") for report in result.sources],
        "sufficiency": result.sufficiency.model_dump(mode="json"),
        "spend": result.spend.model_dump(mode="json"),
        "stop_reason": result.stop_reason.value,
        "suggestion": result.suggestion,
        "warnings": [result.shortfall] if result.shortfall else [],
    }


def _distilled(distilled: Distillate, by_id: Mapping[str, Evidence]) -> Distilled:
    return {
        "key_insights": [insight.text for insight in distilled.key_insights],
        "best_practices": [insight.text for insight in distilled.best_practices],
        "common_mistakes": [insight.text for insight in distilled.common_mistakes],
        "code_examples": [
            {
                "description": example.description,
                "code": example.code,
                "language": example.language,
                "source": by_id[example.evidence_id].source if example.evidence_id in by_id else "",
            }
            for example in distilled.code_examples
        ],
        "relevant_patterns": [insight.text for insight in distilled.patterns],
    }


def _document(item: Evidence) -> Document:
    return {
        "id": item.id,
        "title": item.title,
        "url": item.url,
        "source": item.source,
        "relevance": round(item.relevance, 4),
        "summary": item.text[:300],
        "text": item.text,
        "author": item.author,
        "published": item.published.isoformat() if item.published else None,
        "heading": item.locator.heading,
        "columns": list(item.locator.columns),
        "line": item.locator.line,
    }
