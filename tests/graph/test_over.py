"""What a document says that holds no more, by its own words: told with less confidence, unless that is asked for."""

from pathlib import Path

import pytest

from tests.graph.house import graph_for, ingest, run, write_documents

RULE = """# GEP 12: Wider gates

Status: Superseded by GEP 20

## Width

The gates of a barn open four metres wide.
"""


@pytest.mark.parametrize(
    ("question", "answer", "is_sure"),
    [
        ("How wide do the gates of a barn open?", "four metres", False),
        ("How wide do the gates of a barn open in GEP 12?", "four metres", True),
        ("What is the status of the gates?", "Superseded", True),
    ],
)
async def test_it_is_trusted_less_unless_it_is_asked_about(
    tmp_path: Path, question: str, answer: str, is_sure: bool
) -> None:
    ingest(tmp_path, write_documents(tmp_path / "docs", {"gep-0012.md": RULE}))
    state = await run(graph_for(tmp_path), question)
    assert answer in state.answer
    assert state.review
    assert (state.review.supported_share > 0.6) is is_sure
    assert "GEP 12: Wider gates says itself that it holds no more." in state.warnings
