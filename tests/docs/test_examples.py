"""The Python in the documents runs as it stands there, and prints what is said."""

import re
from pathlib import Path

import pytest

from tests.docs.pages import PAGES, Block, blocks

PROGRAMS = [block for page in PAGES for block in blocks(page, "python")]
SCORE = re.compile(r"\b[01]\.\d\d\b")


@pytest.fixture
def plain_machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without embeddings and without anything of ours."""
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    monkeypatch.setenv("CALIBRANT_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)


@pytest.mark.usefixtures("plain_machine")
@pytest.mark.parametrize("block", PROGRAMS, ids=lambda block: f"{block.page}:{block.line}")
def test_every_program_runs(block: Block) -> None:
    if block.fragment:
        compile(block.text, block.page, "exec")
        pytest.skip(f"a fragment: {block.fragment}")
    exec(compile(block.text, f"{block.page}:{block.line}", "exec"), {"__name__": "__main__"})


@pytest.mark.usefixtures("plain_machine")
def test_the_readme_example_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    """Line by line; scores within 0.05, since better judgements may move them a little."""
    program = blocks("README.md", "python")[0]
    shown = next(block.text for block in blocks("README.md", "text") if block.line > program.line)
    exec(compile(program.text, "README.md", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert SCORE.sub("0.00", printed) == SCORE.sub("0.00", shown)
    told, expected = (list(map(float, SCORE.findall(text))) for text in (printed, shown))
    assert told == pytest.approx(expected, abs=0.05)


def test_there_is_an_example() -> None:
    assert blocks("README.md", "python")
