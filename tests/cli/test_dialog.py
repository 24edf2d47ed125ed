"""Questions to the person: what is shown, which answers are taken, how a wrong one is met."""

import io
from collections.abc import Iterator
from typing import Any

import click
import pytest
from rich.console import Console

from calibrant.interfaces import terminal
from calibrant.interfaces.dialog import Dialog, matching
from calibrant.state.guidance import GuidanceAction, interrupt_payload
from calibrant.state.replies import read_answer
from tests.cli import scripted


class Person:
    """Types prepared lines; leaves when there are none left."""

    def __init__(self, *lines: str) -> None:
        self.lines: Iterator[str] = iter(lines)

    def __call__(self, console: Console) -> str:
        line = next(self.lines, None)
        if line is None:
            raise click.Abort
        return line


def asked(question: str, *lines: str, problem: str = "") -> tuple[dict[str, Any], str]:
    """The answer that ``lines`` give to the script's request, and what was shown."""
    request = scripted.request_for(question)
    assert request is not None
    stream = io.StringIO()
    paper = Console(file=stream, width=80, theme=terminal.THEME, highlight=False)
    answer = Dialog(paper, Person(*lines)).ask(interrupt_payload(request, problem))
    read_answer(request, answer)
    return answer, stream.getvalue()


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("1", "Look in the C code"), {"action": "guide", "text": "Look in the C code"}),
        (("guide", "  ", "Look"), {"action": "guide", "text": "Look"}),
        (("2",), {"action": "skip"}),
        (("RETRY",), {"action": "retry"}),
        (("a",), {"action": "abort"}),
        (("9", "", "what?", "4"), {"action": "abort"}),
    ],
)
def test_guidance(lines: tuple[str, ...], answer: dict[str, str]) -> None:
    assert asked("guide me", *lines)[0] == answer


def test_guidance_shows_why_and_what() -> None:
    shown = asked("guide me", "2")[1]
    for words in (
        "perceive needs your guidance", "uncertainty 5 reaches 5", "guide me", "github: no answer within 5 s",
        "0.42 very low", "1  guide", "2  skip", "3  retry", "4  abort",
    ):  # fmt: skip
        assert words in shown


def test_a_rejected_answer_is_explained() -> None:
    assert "That was no answer: expected a word" in asked("guide me", "2", problem="expected a word")[1]


@pytest.mark.parametrize(
    ("lines", "answer"),
    [
        (("use",), {"action": "use"}),
        (("2",), {"action": "keep"}),
        (("w", "How does it evict?"), {"action": "write", "text": "How does it evict?"}),
    ],
)
def test_wording(lines: tuple[str, ...], answer: dict[str, str]) -> None:
    given, shown = asked("a vague thing", *lines)
    assert given == answer
    assert "How does lru_cache evict?" in shown


def test_a_wording_with_gaps_is_kept_or_written() -> None:
    given, shown = asked("a thing with gaps", "use", "1")
    assert given == {"action": "keep"}
    assert "Fill in" in shown
    assert "1  keep" in shown
    assert "ask it in these words" not in shown


def test_approval_asks_for_each_call() -> None:
    answer, shown = asked("delete it", "approve", "e", "nonsense", "[1]", '{"path": "b"}')
    assert answer == {
        "calls": [{"id": "c1", "action": "approve"}, {"id": "c2", "action": "edit", "arguments": {"path": "b"}}]
    }
    assert 'remove {"path": "a"}' in shown
    assert shown.count("a JSON object") == 2


def test_leaving_is_an_abort() -> None:
    with pytest.raises(click.Abort):
        asked("guide me")


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("1", "guide"),
        ("0", ""),
        ("5", ""),
        ("²", ""),
        ("٢", "skip"),
        ("s", "skip"),
        ("", ""),
        ("skip it", ""),
        (" Abort ", "abort"),
    ],
)
def test_matching(said: str, meant: str) -> None:
    assert matching(said, tuple(GuidanceAction)) == meant
