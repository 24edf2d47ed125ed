"""Progress without a terminal: one line on stderr for each event that a reader of a log would miss."""

from collections.abc import Iterator
from types import TracebackType
from typing import Protocol, Self

from rich.console import Console

from calibrant.interfaces.review import quality_line, refinement_words
from calibrant.interfaces.wording import counted, in_short, state_of
from calibrant.state import events as e
from calibrant.state.confidence import level_of, score_text
from calibrant.state.retrieval import Distillate


class Watcher(Protocol):
    """Whoever follows a run: the live view or the plain lines."""

    def __enter__(self) -> Self: ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None
    ) -> None: ...

    def event(self, event: e.Event) -> None:
        """An event of the run."""
        ...

    def learnt(self, distillate: Distillate) -> None:
        """What a retrieval brought."""
        ...


class PlainView:
    """Writes lines as events arrive."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, tb: TracebackType | None) -> None:
        return None

    def event(self, event: e.Event) -> None:
        for line in lines_of(event):
            self.console.print(line, soft_wrap=True)

    def learnt(self, distillate: Distillate) -> None:
        for insight in distillate.key_insights[:2]:
            self.console.print(f"  learnt: {insight.text}", soft_wrap=True)


def lines_of(event: e.Event) -> Iterator[str]:
    """The lines for one event; none for those that only matter to a view that redraws itself."""
    match event:
        case e.Understood():
            yield f"understood as a {event.query_type.value} question of {counted(len(event.questions) or 1, 'part')}"
        case e.Decided():
            yield _decision(event)
        case e.PersonAnswered():
            who = "nobody" if event.guidance.by_default else "a person"
            yield f"{event.guidance.phase.value}: {who} answered, {event.guidance.summary}"
        case e.RetrievalStarted():
            queries = "; ".join(in_short(query) for query in event.queries)
            yield f"searching at depth {event.depth} of 3, round {event.round}: {queries}".rstrip(": ")
        case e.Searched():
            asked = f" for {in_short(event.query)}" if event.query else ""
            yield f"  {event.report.source}: {state_of(event.report)}{asked}"
        case e.RoundJudged():
            judged = event.round
            yield (
                f"  round {judged.number}: {counted(judged.chunks, 'passage')}, "
                f"sufficiency {score_text(judged.confidence)} of {judged.threshold:.2f}, {judged.decision.value}"
            )
        case e.StepDone():
            yield f"  {event.status.value}: {event.question}"
        case e.Synthesized():
            yield f"composed with confidence {score_text(event.confidence)}: {', '.join(_composed(event))}"
        case e.Reviewed():
            yield f"reviewed: {'; '.join(_reviewed(event))}"
        case _:
            return


def _composed(event: e.Synthesized) -> Iterator[str]:
    yield counted(event.claims, "claim")
    yield f"{counted(len(event.results), 'result')} used"
    if event.left_out:
        yield f"{len(event.left_out)} left out"
    if event.conflicts:
        yield counted(len(event.conflicts), "conflict")


def _reviewed(event: e.Reviewed) -> Iterator[str]:
    verdicts = event.verdicts or {}
    yield ", ".join(f"{counted(count, 'claim')} {verdict.value}" for verdict, count in verdicts.items()) or "no claims"
    if event.quality.score is not None:
        yield quality_line(event.quality).plain
        if event.quality.refinement is not None:
            yield f"suggested: {refinement_words(event.quality.refinement)}"


def _decision(event: e.Decided) -> str:
    decision = event.decision
    score = f"{score_text(decision.confidence.score)} ({level_of(decision.confidence.score).value})"
    if decision.before is not None:
        score = f"{score_text(decision.before)} -> {score}"
    budget = f"; budget {event.used:.0%} used" if event.used else ""
    return f"{decision.phase.value}: confidence {score}, {decision.action.value}: {decision.reason}{budget}"
