"""The passages that a claim or a statement quotes, of those that are held."""

from collections.abc import Mapping

from calibrant.state.answer import Claim
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement


def cited_by(stated: Claim | Statement, passages: Mapping[str, Evidence]) -> list[Evidence]:
    """Those of ``passages``, by their ids, that are quoted, in the order in which they are."""
    return [passages[eid] for eid in stated.evidence_ids if eid in passages]


def document_cited_by(stated: Claim | Statement, passages: Mapping[str, Evidence]) -> str:
    """The document of the first of them; empty where none is held."""
    return next((item.document for item in cited_by(stated, passages)), "")
