"""An answer that has another thing in the place of what was asked about: it is told as doubtful, and why."""

from pathlib import Path

import pytest

from calibrant.state.confidence import Level
from tests.graph.house import graph_for, ingest, run, write_documents

LIMITS = {
    "limits.md": "# Limits\n\nThe maximum upload size is 20 MB for images. At most 50 files are uploaded in an hour.\n",
    "limites.md": "# Limites\n\nO tamanho máximo de um envio é de 20 MB para imagens. Cada envio é verificado.\n",
}


@pytest.fixture
def limits(tmp_path: Path) -> Path:
    ingest(tmp_path / "data", write_documents(tmp_path / "documents", LIMITS))
    return tmp_path / "data"


@pytest.mark.parametrize(
    ("question", "warning"),
    [
        ("What is the maximum upload size for videos?", "Nothing found mentions: videos."),
        ("Qual é o tamanho máximo de um envio para vídeos?", "Nada do que foi encontrado menciona: vídeos."),
    ],
)
async def test_another_thing_is_told_with_little_confidence(limits: Path, question: str, warning: str) -> None:
    state = await run(graph_for(limits), question)
    assert "20 MB" in state.answer
    assert warning in state.warnings
    assert state.confidence is not None
    assert state.confidence.level is Level.VERY_LOW


@pytest.mark.parametrize("question", ["What is the maximum upload size for images?", "What is the upload size?"])
async def test_what_was_asked_about_is_told_as_before(limits: Path, question: str) -> None:
    state = await run(graph_for(limits), question)
    assert "20 MB" in state.answer
    assert not any("mentions" in warning for warning in state.warnings)
    assert state.confidence is not None
    assert state.confidence.level is not Level.VERY_LOW
