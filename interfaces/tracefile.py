"""The events of a run as JSON lines: while it runs (``--trace-file``), or from what a thread holds (``--jsonl``).

A line has the time, the thread, the run and the event's own fields (``state/events.py``). Events hold no passages and
no keys; long texts are cut.
"""

import json
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TextIO

from calibrant.interfaces.plain import Watcher
from calibrant.state import events as e
from calibrant.state.channels import View
from calibrant.state.decision import Action
from calibrant.state.errors import InputError
from calibrant.state.record import clipped
from calibrant.state.retrieval import Distillate, RetrievalResult
from calibrant.state.task import Phase

NOT_KEPT: dict[type[Any], set[str]] = {e.Decided: {"spend", "used"}, e.RetrievalStarted: {"sources"}}
"""What an event has while the run runs and a thread does not hold afterwards: left out rather than made up."""


def line(told: dict[str, Any], *, at: float, thread_id: str, run_id: str) -> str:
    """One line, without its end. ``told`` is an event as JSON-ready data, ``at`` seconds since the epoch."""
    when = datetime.fromtimestamp(at, UTC).isoformat(timespec="milliseconds")
    head = {"at": when, "thread_id": thread_id, "run_id": run_id}
    return json.dumps({**head, **_cut(told)}, ensure_ascii=False)


def _cut(value: Any) -> Any:
    if isinstance(value, str):
        return clipped(value)
    if isinstance(value, dict):
        return {key: _cut(item) for key, item in value.items()}
    return [_cut(item) for item in value] if isinstance(value, list) else value


class TraceFile:
    """A watcher that appends each event to a file and hands it on to another watcher."""

    def __init__(self, path: Path, watcher: Watcher, thread_id: str, run_id: str = "") -> None:
        self.path = path
        self.watcher = watcher
        self.thread_id = thread_id
        self.run_id = run_id
        """Of a run that is gone on with; a new one tells its own."""
        self._file: TextIO | None = None

    def __enter__(self) -> Self:
        self._file = self.path.open("a", encoding="utf-8", buffering=1)
        self.watcher.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        self.watcher.__exit__(kind, error, tb)
        if self._file is not None:
            self._file.close()

    def event(self, event: e.Event) -> None:
        """Write it and hand it on."""
        if isinstance(event, e.RunStarted):
            self.run_id = event.run_id
        if self._file is not None:
            told = event.model_dump(mode="json")
            self._file.write(line(told, at=time.time(), thread_id=self.thread_id, run_id=self.run_id) + "\n")
        self.watcher.event(event)

    def learnt(self, distillate: Distillate) -> None:
        """Hand it on: it is no event, and holds sentences of passages."""
        self.watcher.learnt(distillate)


def traced(watcher: Watcher, path: str, thread_id: str, run_id: str = "") -> Watcher:
    """``watcher``, which also writes to ``path`` if there is one."""
    return TraceFile(Path(path), watcher, thread_id, run_id) if path else watcher


def check_trace_file(path: str) -> None:
    """Refuse a file that cannot be written, before a question is spent on it."""
    if not path:
        return
    try:
        Path(path).open("a").close()
    except OSError as error:
        why = (error.strerror or type(error).__name__).lower()
        what = f"--trace-file {path} cannot be written ({why})"
        raise InputError(f"{what}: name a file in a folder that exists") from None


def lines_of_thread(view: View, thread_id: str) -> Iterator[str]:
    """The lines of one run of a thread, as far as the thread holds them: run, understood, each decision, before it what
    was judged (the strategy, the synthesis, the review), behind it the retrieval or the answer that it led to; then the
    end."""
    run_id = view.run.id if view.run else ""
    for at, event in _events(view):
        told = event.model_dump(mode="json", exclude=NOT_KEPT.get(type(event)))
        yield line(told, at=at, thread_id=thread_id, run_id=run_id)


def _events(view: View) -> Iterator[tuple[float, e.Event]]:
    if view.run is None:
        return
    begun, task = view.run.started_at, view.perceived
    yield begun, e.RunStarted(run_id=view.run.id, turn=view.run.turn, question=view.run.question)
    if task is not None:
        yield begun, e.Understood.of(task)
    yield from _decided(view)
    if view.stop_reason is not None:
        score = view.confidence.score if view.confidence else None
        at = max((end for _, end in view.spend.active), default=begun)
        yield at, e.Finished(stop_reason=view.stop_reason.value, confidence=score, spend=view.spend)


def _decided(view: View) -> Iterator[tuple[float, e.Event]]:
    """Each decision, behind what it judged; each that searches is followed by the next retrieval, each that asks by its
    answer."""
    retrievals, answers = iter(view.retrievals), {answer.request_id: answer for answer in view.guidance}
    reports = iter(view.review.earlier if view.review else ())
    last = {decision.phase: decision.id for decision in view.decisions}
    for decision in view.decisions:
        if decision.id == last[decision.phase]:
            yield from ((decision.at, event) for event in _judged(view, decision.phase))
        elif decision.action is Action.REFINE and (report := next(reports, None)):
            yield decision.at, e.Reviewed(quality=report)
        yield decision.at, e.Decided(decision=decision)
        if answer := answers.get(decision.id):
            yield answer.at or decision.at, e.PersonAnswered(guidance=answer)
        result = next(retrievals, None) if decision.action in (Action.RETRIEVE, Action.REFINE) else None
        if result is not None:
            yield from _retrieved(result, decision.at)


def _judged(view: View, phase: Phase) -> Iterator[e.Event]:
    """What a thread holds of what the last decision of ``phase`` was about."""
    if phase is Phase.REASON and view.selected is not None:
        yield e.Planned.of(view.selected)
    if phase is Phase.REFLECT and view.synthesis is not None:
        yield e.Synthesized.of(view.synthesis)
    if phase is Phase.REFLECT and view.review is not None:
        yield e.Reviewed.of(view.review)


def _retrieved(result: RetrievalResult, asked_at: float) -> Iterator[tuple[float, e.Event]]:
    """``Round.seconds`` counts from the start of the retrieval."""
    start = min((begin for begin, _ in result.spend.active), default=asked_at)
    at = start
    for item in result.rounds:
        yield at, e.RetrievalStarted(phase=result.phase, depth=item.depth, round=item.number, queries=item.queries)
        at = start + item.seconds
        yield at, e.RoundJudged(phase=result.phase, round=item)
    for report in result.sources:
        yield at, e.Searched(report=report, depth=result.depth_used)
