"""What is drawn: the live view, plain lines, the answer and the trace, at several widths, with and without colour."""

import io
import re
from datetime import UTC, datetime
from functools import reduce
from types import SimpleNamespace
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console, RenderableType
from rich.text import Text

from calibrant.graph.describe import Component
from calibrant.graph.threads import ThreadStatus, ThreadSummary
from calibrant.interfaces import bars, terminal
from calibrant.interfaces.commands import doctor, threads
from calibrant.interfaces.live import LiveView, panel
from calibrant.interfaces.plain import PlainView, lines_of
from calibrant.interfaces.progress import Progress, after, learnt
from calibrant.interfaces.render import show_answer
from calibrant.interfaces.trace import show_trace
from calibrant.state import events as e
from calibrant.state.answer import Review, Verdict
from calibrant.state.budget import StopReason
from calibrant.state.channels import Run, View
from calibrant.state.evidence import Locator, Quotation, SourceState
from calibrant.state.guidance import Guidance
from calibrant.state.retrieval import CodeExample, Distillate, Insight, SourceReport
from calibrant.state.task import Branch, Language, Phase, Power, QueryType, Step, StepStatus, Task
from tests.cli import scripted

QUESTION = "How does functools.lru_cache decide which entry to drop when it is full?"
EVENTS = (
    e.RunStarted(run_id="r", turn=1, question=QUESTION),
    e.PhaseStarted(phase=Phase.PERCEIVE),
    e.Decided(decision=scripted.FIRST, used=0.02),
    *scripted.search_events(),
    e.PhaseStarted(phase=Phase.PERCEIVE, attempt=2),
    e.Decided(decision=scripted.AGAIN, spend=scripted.SPENT, used=0.25),
    e.PhaseStarted(phase=Phase.REASON),
)
VIEW = View(
    run=Run(id="r", question=QUESTION),
    answer=scripted.ANSWER,
    citations=scripted.CITATIONS,
    confidence=scripted.confidence(0.92),
    conflicts=(scripted.CONFLICT,),
    warnings=("github timed out.",),
    stop_reason=StopReason.ANSWERED,
    depth_used=2,
    spend=scripted.SPENT,
    decisions=(scripted.FIRST, scripted.AGAIN, scripted.REASON, scripted.ACT, scripted.REFLECT),
    retrievals=(scripted.RETRIEVAL,),
)


def seen_until(count: int) -> Progress:
    return learnt(reduce(after, EVENTS[:count], Progress()), scripted.INSIGHTS)


def console(width: int, *, encoding: str = "utf-8", **more: Any) -> Console:
    stream = io.TextIOWrapper(io.BytesIO(), encoding=encoding)
    return Console(file=stream, width=width, theme=terminal.THEME, highlight=False, markup=False, **more)


def drawn(part: RenderableType, width: int = 80, **more: Any) -> str:
    paper = console(width, **more)
    with paper.capture() as captured:
        paper.print(part)
    return captured.get()


@pytest.mark.parametrize("width", [60, 80, 100])
@pytest.mark.parametrize("count", range(1, len(EVENTS) + 1))
def test_the_live_view_fits_at_every_moment(width: int, count: int) -> None:
    lines = drawn(panel(seen_until(count), terminal.UNICODE, seconds=3.2, thread_id="1120-7f3a"), width).splitlines()
    assert {cell_len(line) for line in lines} == {width}
    assert len(lines) <= 24


def test_the_live_view_shows_phase_scores_search_and_budget() -> None:
    text = drawn(panel(seen_until(len(EVENTS)), terminal.UNICODE, seconds=7, thread_id="1120-7f3a"))
    for words in (
        QUESTION, "perceive 0.42 → 0.81", "medium", "weighing strategies", "●●○ depth 2 of 3", "round 2", "14 passages",
        "lru_cache eviction", "✓ knowledge 11 hits", "✗ github timed out", "· memory nothing", "When the cache is full",
        " 25%", "1 retrieval · 2 model calls · $0.0021 · 7 s", "thread 1120-7f3a",
    ):  # fmt: skip
        assert words in text


def test_the_parts_of_a_question_are_checked_off() -> None:
    parts = tuple(f"What about {number}?" for number in range(6))
    answered = e.StepDone(step_id="s0", question=parts[0], status=StepStatus.ANSWERED)
    failed = e.StepDone(step_id="s1", question=parts[1], status=StepStatus.UNANSWERED)
    understood = after(Progress(), e.Understood(query_type=QueryType.DECISION, questions=parts))
    seen = after(after(understood, answered), failed)
    text = drawn(panel(seen, terminal.UNICODE))
    for words in ("✓ What about 0?", "✗ What about 1?", "· What about 2?", "and 2 more", "1 of 2 answered"):
        assert (words in text) == (words != "1 of 2 answered")  # act has not been judged: its note waits


def test_the_bar_marks_the_threshold() -> None:
    text = terminal.bar(0.42, 20, terminal.UNICODE, style="red", mark=0.7).plain
    assert text == "━━━━━━━━──────┃─────"
    assert terminal.bar(1.0, 10, terminal.UNICODE, style="", mark=1.0).plain.endswith("┃")
    assert terminal.bar(-1.0, 4, terminal.UNICODE, style="").plain == "────"


def test_signs_fall_back_to_ascii() -> None:
    plain = console(80, encoding="ascii")
    assert terminal.symbols_for(plain) is terminal.ASCII
    text = drawn(panel(seen_until(len(EVENTS)), terminal.ASCII), encoding="ascii")
    assert "0.42 -> 0.81" in text
    assert {sign for sign in text if not sign.isascii()} <= {"…"}  # which stderr replaces


def test_no_color_is_respected(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    text = drawn(panel(seen_until(5), terminal.UNICODE), force_terminal=True)
    assert not [code for code in range(30, 50) if f"\x1b[{code}m" in text]


def test_the_live_view_leaves_nothing_behind() -> None:
    paper = console(80, force_terminal=True)
    with LiveView(paper, QUESTION, "1120-7f3a") as view:
        view.event(EVENTS[0])
        view.learnt(scripted.INSIGHTS)
    with view:  # after a question it stands again
        view.event(EVENTS[1])
    assert view.progress.current is Phase.PERCEIVE


@pytest.mark.parametrize("width", [40, 50, 60])
def test_on_a_narrow_terminal_a_bar_is_shorter_and_not_cut_off(width: int) -> None:
    shown = panel(seen_until(len(EVENTS)), terminal.UNICODE, width=width - len("^C"))
    (perceived,) = [line for line in drawn(shown, width).splitlines() if "0.42" in line]
    assert "medium" in perceived
    assert re.search("[━─┃]…", perceived) is None


@pytest.mark.parametrize("width", [40, 80, 100])
def test_a_terminal_has_room_to_echo_what_stops_the_live_view(width: int) -> None:
    """Without it the echo begins a new line, and the first line of the panel is not removed."""
    paper = console(width, force_terminal=True)
    with paper.capture() as captured, LiveView(paper, QUESTION, "1120-7f3a") as view:
        view.event(EVENTS[0])
    lines = Text.from_ansi(captured.get()).plain.splitlines()
    assert {cell_len(line.strip("\r")) for line in lines if line.strip()} == {width - len("^C")}


def test_the_last_frame_shows_the_time_that_has_passed(monkeypatch: pytest.MonkeyPatch) -> None:
    now, shown = 100.0, list[float]()

    def drawn_at(*_: object, seconds: float, **__: object) -> str:
        shown.append(seconds)
        return ""

    monkeypatch.setattr("calibrant.interfaces.live.time", SimpleNamespace(monotonic=lambda: now))
    monkeypatch.setattr("calibrant.interfaces.live.panel", drawn_at)
    view = LiveView(console(80, force_terminal=True), QUESTION)
    for stays, passed in ((6.0, 6.0), (2.0, 8.0)):  # the time between the two is a person's
        with view:
            now += stays
        assert shown[-1] == passed
        now += 50.0


def test_plain_lines_tell_what_matters() -> None:
    lines = [line for event in (*EVENTS, *scripted.later_events(QUESTION)) for line in lines_of(event)]
    assert "perceive: confidence 0.42 (very low), retrieve: 0.42 against 0.70; budget 2% used" in lines
    assert "perceive: confidence 0.42 -> 0.81 (medium), proceed: 0.81 against 0.70; budget 25% used" in lines
    assert f"searching at depth 1 of 3, round 1: {scripted.QUERIES[0]}" in lines
    assert "  knowledge: 5 hits" in lines
    assert "  github: timed out" in lines
    assert "  round 2: 14 passages, sufficiency 0.91 of 0.90, sufficient" in lines
    assert "composed with confidence 0.83: 3 claims, 1 result used, 1 left out, 1 conflict" in lines
    assert "reviewed: 2 claims supported, 1 claim unverified" in lines


@pytest.mark.parametrize(("length", "whole"), [(100, True), (101, False)])
def test_a_long_query_does_not_fill_the_screen(length: int, whole: bool) -> None:
    query = ("words " * length)[: length - 1] + "s"
    (line,) = lines_of(e.Searched(report=SourceReport(source="manual", state=SourceState.OK, count=2), query=query))
    assert line.endswith(f"for {query}") is whole
    assert line.endswith(" ...") is not whole
    assert len(line) <= len("  manual: 2 hits for ") + 100


def test_a_question_with_a_log_below_it_does_not_fill_the_live_view() -> None:
    seen = Progress(question="Why does this fail?\n" + "ERROR halyard.worker job 8812 failed\n" * 200)
    text = drawn(panel(seen, terminal.UNICODE), width=80)
    assert "Why does this fail?" in text
    assert text.count("\n") < 20


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        ({"kind": "guidance", "action": "guide", "text": "Use Vitest"}, "guide: Use Vitest"),
        ({"kind": "guidance", "action": "skip"}, "skip"),
        ({"kind": "approval", "action": "approve", "calls": [{"id": "a", "action": "approve"}] * 2}, "approve"),
        (
            {
                "kind": "approval",
                "action": "reject",
                "calls": [
                    {"id": "a", "action": "edit", "arguments": {"name": "8"}},
                    {"id": "b", "action": "reject", "message": "Not now"},
                ],
            },
            'edit {"name": "8"}, reject Not now',
        ),
    ],
)
def test_what_a_person_answers_is_told(answer: dict[str, Any], told: str) -> None:
    guidance = Guidance(request_id="d", phase=Phase.ACT, **answer)
    assert list(lines_of(e.PersonAnswered(guidance=guidance))) == [f"act: a person answered, {told}"]


def test_what_holds_without_an_answer_is_told_as_nobodys() -> None:
    guidance = Guidance(request_id="d", phase=Phase.ACT, kind="guidance", action="abort", by_default=True)
    assert list(lines_of(e.PersonAnswered(guidance=guidance))) == ["act: nobody answered, abort"]


def test_plain_view_writes_whole_lines() -> None:
    paper = console(20)
    with paper.capture() as captured, PlainView(paper) as view:
        view.event(EVENTS[2])
        view.learnt(scripted.INSIGHTS)
    assert len(captured.get().splitlines()) == 3


def reviewed(verdict: Verdict) -> Review:
    return Review(claims=(scripted.CONFLICT.first.replace(verdict=verdict),))


def answer_in_a_pipe(view: View) -> str:
    stream = io.StringIO()
    paper = Console(file=stream, width=terminal.UNWRAPPED, theme=terminal.THEME, highlight=False)
    show_answer(paper, view, "1120-7f3a")
    return stream.getvalue()


def test_the_answer_in_a_pipe() -> None:
    text = answer_in_a_pipe(VIEW)
    assert text.startswith(scripted.ANSWER)
    assert "\x1b" not in text
    assert [line for line in text.splitlines() if line != line.rstrip()] == []
    for words in (
        "[1] /usr/lib/python3/functools.py:568  _lru_cache_wrapper",
        "“Use the old root to store the new key and result.”",
        "[2] https://docs.python.org/3/library/functools.html  functools - Higher-order functions",
        "Confidence  0.92 high",
        "Cost most   past experience 0.00 (−0.35) nothing similar was done before",
        "perceive 0.42 → 0.81 · reason 0.78 · act 0.66 · reflect 0.92",
        "! github timed out.",
        "Conflicts   contradiction (0.70) ",
        "  “The cache is thread-safe.” the answer follows it",
        "  “The function may run twice.”",
        " the answer follows it",
        "1 retrieval in 2 rounds · 6 searches · 2 model calls · 2,040 tokens · $0.0021 · 3.2 s",
        "answered · depth 2 of 3",
        "calibrant trace 1120-7f3a",
    ):
        assert words in text


def test_a_forced_depth_is_called_so() -> None:
    forced = VIEW.model_copy(update={"run": Run(id="r", question=QUESTION, power=Power.MEDIUM)})
    assert "answered · depth 2 of 3, forced\n" in answer_in_a_pipe(forced)
    assert "answered · depth 2 of 3\n" in answer_in_a_pipe(VIEW)


def test_places_are_links_on_a_terminal() -> None:
    paper = console(80, force_terminal=True)
    with paper.capture() as captured:
        show_answer(paper, VIEW, "1120-7f3a")
    text = captured.get()
    assert ";file:///usr/lib/python3/functools.py#568\x1b\\" in text
    assert ";https://docs.python.org/3/library/functools.html\x1b\\" in text


@pytest.mark.parametrize("width", [60, 80, 100])
def test_the_answer_and_the_trace_fit(width: int) -> None:
    paper = console(width, force_terminal=True, color_system=None)
    with paper.capture() as captured:
        show_answer(paper, VIEW, "1120-7f3a")
        show_trace(paper, VIEW, "1120-7f3a")
    assert max(cell_len(line) for line in captured.get().splitlines()) <= width


def test_an_abstention_says_so() -> None:
    view = View(answer="I do not know.", stop_reason=StopReason.ABSTAINED, confidence=scripted.confidence(0.2))
    text = answer_in_a_pipe(view)
    assert text.startswith("I do not know.\n")
    assert "Sources" not in text
    assert "Closest" not in text
    assert "abstained: the evidence does not carry an answer well enough" in text


@pytest.mark.parametrize(
    ("of", "told"),
    [
        ({"stop_reason": StopReason.ANSWERED}, "0.20 very low"),
        ({"stop_reason": StopReason.ABSTAINED}, "none: there is no answer"),
        ({"stop_reason": StopReason.BUDGET}, "none: there is no answer"),
        ({"stop_reason": StopReason.BUDGET, "claims": (scripted.CONFLICT.first,)}, "0.20 very low"),
        ({"stop_reason": StopReason.ABSTAINED, "review": reviewed(Verdict.SUPPORTED)}, "0.20 very low"),
        ({"stop_reason": StopReason.ABSTAINED, "review": reviewed(Verdict.CONTRADICTED)}, "none: there is no answer"),
    ],
)
def test_only_an_answer_has_a_confidence_one_that_is_withheld_too(of: dict[str, Any], told: str) -> None:
    """What an abstention has is the last phase's, and some right answers have less."""
    text = answer_in_a_pipe(View(answer="...", confidence=scripted.confidence(0.2), **of))
    assert f"Confidence  {told}" in text
    assert ("Cost most" in text) is told.startswith("0.20")


@pytest.mark.parametrize(
    ("unanswered", "told"), [((), "answered · depth 2"), (("Which is older?",), "answered in part · depth 2")]
)
def test_what_leaves_a_part_open_has_answered_in_part(unanswered: tuple[str, ...], told: str) -> None:
    view = VIEW.model_copy(update={"unanswered": unanswered})
    assert f"Ended       {told}" in answer_in_a_pipe(view)


def test_an_answer_may_hold_what_looks_like_markup() -> None:
    text = answer_in_a_pipe(View(answer="use x[0] and [bold] and :smile: [9]", stop_reason=StopReason.ANSWERED))
    assert text.startswith("use x[0] and [bold] and :smile: [9]\n")


def test_what_came_nearest_is_shown_as_no_answer() -> None:
    """One line each, without a number, under a title in the language of the question."""
    near = Quotation(
        evidence_id="e1", title="Notes", url="https://example.org/notes", source="web", quote="It may be in May.",
        locator=Locator(heading="Spring"),
    )  # fmt: skip
    view = View(answer="Não sei.", stop_reason=StopReason.ABSTAINED, closest=(near,))
    shown = answer_in_a_pipe(view)
    assert (
        "\nClosest found, which may or may not answer it\n· https://example.org/notes  Spring  “It may be in May.”\n"
        in shown
    )
    asked = view.model_copy(update={"perceived": Task(text="Quando?", language=Language.PORTUGUESE)})
    assert "\nO mais próximo, que pode responder ou não\n" in answer_in_a_pipe(asked)


def test_headings_of_an_answer() -> None:
    view = View(answer="## First?\nYes. [1]\n# not\n#hashtag", citations=scripted.CITATIONS)
    paper = console(80, force_terminal=True, color_system=None)
    with paper.capture() as captured:
        show_answer(paper, view, "1120-7f3a")
    lines = [line.strip() for line in captured.get().splitlines()]
    assert lines[:6] == ["", "First?", "Yes. [1]", "", "not", "#hashtag"]
    assert answer_in_a_pipe(view).startswith("## First?\nYes. [1]\n# not\n")


def trace_of(view: View) -> str:
    stream = io.StringIO()
    show_trace(Console(file=stream, width=terminal.UNWRAPPED, theme=terminal.THEME, highlight=False), view, "1120-7f3a")
    return stream.getvalue()


def test_the_trace_shows_the_parts_that_one_step_answers() -> None:
    step = Step(id="direct.all", question="Which is older?", parts=("When was A built?", "When was B built?"))
    text = trace_of(View(selected=Branch(id="direct", name="direct", steps=(step,))))
    told = [line.strip() for line in text.splitlines()]
    assert "steps        Which is older?" in told
    assert {"with When was A built?", "with When was B built?"} <= set(told)


def test_the_live_view_marks_each_part_of_a_step_that_answers_several() -> None:
    done = e.StepDone(step_id="direct.all", question="Which?", parts=("A?", "B?"), status=StepStatus.ANSWERED)
    seen = after(Progress(parts=("A?", "B?")), done)
    assert [seen.fared(part) for part in ("A?", "B?", "C?")] == [StepStatus.ANSWERED, StepStatus.ANSWERED, None]


def test_the_trace_explains_every_decision() -> None:
    text = trace_of(VIEW)
    for words in (
        " 1  perceive   0.42 very low   → retrieve   row 3",
        " 2  perceive attempt 2   0.42 → 0.81 medium (+0.39)   → proceed   row 5",
        "proceed 0.70 · retrieve 0.50 · abort 0.30",
        "0.00 past experience      x 0.30 nothing similar was done before",
        "   - strategy clarity     x 0.15",
        "0 retrievals",
        "28 model calls · 180,000 tokens · $0.92 · 44.2 s",
        "no past experience",
        "act: confidence 0.66 is below 0.80.",
        "sufficiency 0.30 → 0.91 · depth 2 of 3 · the evidence suffices",
        "round 1  depth 1 · 8 passages, 8 new · 0.55 of 0.90 → deeper: 0.55 is below 0.90",
        "✗ github timed out 5.00 s",
        "✓ web 3 hits cached",
    ):
        assert words in text


def test_the_trace_tells_what_each_retrieval_learnt() -> None:
    """Each sentence once, under what it is."""
    practice, mistake = Insight(text="Set a maxsize."), Insight(text="Do not cache methods.")
    found = Distillate(
        key_insights=(Insight(text="The oldest link goes first."), practice),
        best_practices=(practice,),
        common_mistakes=(mistake,),
        code_examples=(CodeExample(description="Counting hits", code="f.cache_info()", language="python"),),
    )
    text = trace_of(VIEW.model_copy(update={"retrievals": (scripted.RETRIEVAL.replace(distillate=found),)}))
    for line in (
        "insights    The oldest link goes first.", "practices   Set a maxsize.", "mistakes    Do not cache methods.",
        "examples    Counting hits (python)",
    ):  # fmt: skip
        assert f"    {line}\n" in text
    assert text.count("Set a maxsize.") == 1
    assert "patterns" not in text


def test_the_trace_of_a_thread_that_has_hardly_begun() -> None:
    assert "not finished" in trace_of(View())


@pytest.mark.parametrize("width", [60, 40])
def test_a_narrow_terminal_hides_no_id_and_no_figure(width: int) -> None:
    drawn = Console(file=io.StringIO(), width=width, theme=terminal.THEME)
    named = "thread-of-a-customer-with-a-long-name"
    summary = ThreadSummary(named, datetime.now(UTC), QUESTION, ThreadStatus.INTERRUPTED)
    drawn.print(threads.table([summary], terminal.UNICODE))
    show_trace(drawn, VIEW, "t1")
    assert isinstance(drawn.file, io.StringIO)
    told = drawn.file.getvalue()
    assert named in told
    for factor in scripted.FIRST.confidence.factors:
        assert f"x {factor.weight:.2f}" in told
        assert factor.score is None or f"{factor.score:.2f} {factor.name[:4]}" in told


def test_on_a_narrow_terminal_the_doctor_has_room_for_what_it_tells() -> None:
    threads_kept = Component("threads and memory", "ok", "SQLite in /barn", "for several machines: set POSTGRES_URL")
    told = drawn(doctor.table([threads_kept], terminal.UNICODE), width=40)
    assert "POSTGRES_URL" in told
    assert "threads and memory" in drawn(doctor.table([threads_kept], terminal.UNICODE), width=80)


def test_a_file_name_in_brackets_is_shown_as_it_is() -> None:
    with bars._progress(console(80, force_terminal=True)) as progress:
        progress.add_task("reading", total=1, path="[slug].md")
        assert "[slug].md" in drawn(progress.get_renderable())


def test_a_quote_with_code_in_it_is_one_line_without_its_marks() -> None:
    quote = "Change the line:\n\n```console\n./configure --enable-tls\n```\nThen run ``make``."
    (cited, *_) = scripted.CITATIONS
    shown = answer_in_a_pipe(View(answer="So. [1]", citations=(cited.model_copy(update={"quote": quote}),)))
    assert "Change the line: ./configure --enable-tls Then run ``make``." in shown
