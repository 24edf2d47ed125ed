"""What a claim or a statement quotes: the passages, of those that are held, and the words."""

from collections.abc import Iterable, Mapping, Sequence

from calibrant.state.answer import Claim
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement


def cited_by(stated: Claim | Statement, passages: Mapping[str, Evidence]) -> list[Evidence]:
    """The passages that are quoted, in the order in which they are. ``passages``: those that are held, by id."""
    return [passages[eid] for eid in stated.evidence_ids if eid in passages]


def named_by(ids: Iterable[str], evidence: Sequence[Evidence]) -> list[Evidence]:
    """Those of ``evidence`` that have one of ``ids``, in their own order."""
    named = frozenset(ids)
    return [item for item in evidence if item.id in named]


def quotes_of(statement: Statement) -> list[str]:
    """The words that a statement quotes, one piece for each place."""
    return [quote for quote in (statement.quote, *statement.also_quoted) if quote]


def document_cited_by(stated: Claim | Statement, passages: Mapping[str, Evidence]) -> str:
    """The document of the first of them; empty where none is held."""
    return next((item.document for item in cited_by(stated, passages)), "")
