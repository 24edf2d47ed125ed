"""What a terminal obeys, where documents say it: it is shown, and moves no cursor, sets no title, hides nothing."""

import io
import json
from pathlib import Path

import pytest

from calibrant.interfaces.dialog import panel
from calibrant.interfaces.failures import one_line
from calibrant.interfaces.printable import printable, printable_address, printable_json
from calibrant.interfaces.render import show_answer
from calibrant.interfaces.terminal import THEME, SafeConsole
from calibrant.state.channels import View
from calibrant.state.evidence import Citation, Quotation
from calibrant.state.guidance import ApprovalRequest, PendingCall
from calibrant.state.task import Phase
from tests.cli.conftest import Run

TITLE = "\x1b]0;owned\x07"
CLEAR = "\x1b[2J"
CSI = "\x9b8m"
TURNED = "\u202e"
HOSTILE = f"Jobs are retried {CLEAR}{CSI}five{TURNED} times.{TITLE}"
OBEYED = (CLEAR, TITLE, "\x9b", TURNED, "\x07")


def _console() -> SafeConsole:
    return SafeConsole(file=io.StringIO(), force_terminal=True, width=80, theme=THEME, markup=False)


def _written(console: SafeConsole) -> str:
    assert isinstance(console.file, io.StringIO)
    return console.file.getvalue()


def _obeyed(text: str) -> list[str]:
    return [sign for sign in OBEYED if sign in text]


def test_an_answer_is_shown_without_what_a_terminal_would_obey() -> None:
    citation = Citation(
        number=1, evidence_id="e1", title=HOSTILE, url="https://example.org/x", source="web", quote=HOSTILE
    )
    console = _console()
    show_answer(console, View(answer=f"{HOSTILE} [1]", citations=(citation,), warnings=(HOSTILE,)), "t1")
    assert _obeyed(_written(console)) == []
    assert "Jobs are retried" in _written(console)
    assert "\x1b[" in _written(console)  # our own colours stay


@pytest.mark.parametrize(
    "address", ["https://example.org/a b", f"https://example.org/{TITLE}", "https://e.org/a not bold"]
)
def test_a_link_is_no_more_than_its_address(address: str) -> None:
    citation = Citation(number=1, evidence_id="e1", title="T", url=address, source="web", quote="q")
    console = _console()
    show_answer(console, View(answer="Five. [1]", citations=(citation,)), "t1")
    assert _obeyed(_written(console)) == []
    assert f";{printable_address(address)}\x1b\\" in _written(console)
    near = Quotation(evidence_id="e1", title="T", url=address, source="web", quote=HOSTILE)
    console = _console()
    show_answer(console, View(answer="I do not know.", closest=(near,)), "t1")
    assert _obeyed(_written(console)) == []
    assert f";{printable_address(address)}\x1b\\" in _written(console)


def test_a_call_that_waits_for_approval_is_shown_as_it_is() -> None:
    call = PendingCall(id="c1", tool="send", arguments={"to": f"a{CSI}b"}, why=HOSTILE)
    request = ApprovalRequest(id="r1", phase=Phase.ACT, task=HOSTILE, calls=(call,))
    console = _console()
    console.print(panel(request, console))
    assert _obeyed(_written(console)) == []


def test_json_says_the_same_with_nothing_to_obey() -> None:
    text = json.dumps({"answer": HOSTILE}, ensure_ascii=False)
    assert _obeyed(printable_json(text)) == []
    assert json.loads(printable_json(text)) == {"answer": HOSTILE}


def test_plain_text_stays_as_it_is() -> None:
    for text in ("Zwei\tSpalten\nund Zeilen", "Olá, não é?", "كم مرة", "日本語", "👩‍💻", ""):
        assert printable(text) == text
    assert _obeyed(one_line(HOSTILE)) == []


def test_the_command_shows_a_hostile_document(run: Run, machine: Path) -> None:
    text = f"# Retries {TITLE}\n\nA failed job is retried {CLEAR}five{TURNED} times by default.{CSI}\n"
    (machine / "retries.md").write_text(text, encoding="utf-8")
    assert run("ingest", "retries.md", "-k", "manual").exit_code == 0
    for options in ((), ("--json",)):
        told = run("ask", "How often is a failed job retried?", "--no-input", *options)
        assert told.exit_code == 0
        assert "retried" in told.stdout
        assert _obeyed(told.stdout + told.stderr) == []
