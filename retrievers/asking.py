"""Asking one source: within its deadline, and with a typed report of how it fared. A failure here never reaches a
sibling.

    ok       it found passages              limited  its rate limit, or ours for it, is reached
    empty    it answered: nothing found     skipped  it was not asked: its breaker is open, or nothing is in it
    failed   it could not answer
"""

import asyncio
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from inspect import isawaitable

from pydantic import ValidationError

from calibrant.retrievers.breaker import SourceSkipped
from calibrant.retrievers.cache import Recalled
from calibrant.retrievers.deadline import told_to_end, within
from calibrant.state.errors import Failure, FailureKind, SourceEmpty, SourceError, failure_of
from calibrant.state.evidence import LONGEST_PASSAGE, Evidence, SearchQuery, SourceState
from calibrant.state.protocols import Source
from calibrant.state.retrieval import SourceReport, did_not_answer


@dataclass(frozen=True)
class Answered:
    """What a source gave to one query, and its report."""

    evidence: tuple[Evidence, ...]
    report: SourceReport


class Partial(list[Evidence]):
    """What a source found although a part of it could not answer; ``failure`` says which and why."""

    def __init__(self, items: Iterable[Evidence], failure: Failure) -> None:
        super().__init__(items)
        self.failure = failure


async def ask_source(source: Source, query: SearchQuery, seconds: float, clock: Callable[[], float]) -> Answered:
    """``source``'s answer to ``query`` within ``seconds``. Never raises for the source's sake: failures are reports."""
    started, timer = clock(), asyncio.timeout(seconds)
    try:
        with within(seconds):
            async with timer:
                found = await searched(source, query)
        return _answered(source, found, query, clock() - started)
    except SourceSkipped as error:
        left_alone = _failed(source, failure_of(error, source.name), clock() - started, SourceState.SKIPPED)
        return Answered((), left_alone.report.replace(left_alone=True))
    except SourceEmpty:
        return Answered((), SourceReport(source=source.name, state=SourceState.SKIPPED, seconds=clock() - started))
    except TimeoutError as error:
        failure = failure_of(error, source.name)  # the source's own, unless its time is up
        if timer.expired():
            failure = failure.replace(message=f"no answer within {seconds:.1f} s")
        return _failed(source, failure, clock() - started)
    except asyncio.CancelledError as error:
        if told_to_end():
            raise
        return _failed(source, failure_of(error, source.name), clock() - started)
    except Exception as error:  # noqa: BLE001 - a source is foreign code: whatever it raises is a typed failure here
        return _failed(source, failure_of(error, source.name), clock() - started)


async def searched(source: Source, query: SearchQuery) -> Sequence[Evidence]:
    """What ``source`` finds, as evidence. Raises ``SourceError`` where it gives something else, or where its search is
    not asynchronous, for that is easily missed."""
    searching: object = source.search(query)
    if not isawaitable(searching):
        raise SourceError(f"{source.name}: its search is not async: write async def search(...)")
    found: object = await searching
    given = _checked(source, found)
    if isinstance(found, Partial):
        return Partial(given, found.failure)
    return Recalled(given) if isinstance(found, Recalled) else given


def _answered(source: Source, found: Sequence[Evidence], query: SearchQuery, seconds: float) -> Answered:
    given = [item for item in found if item.id not in query.exclude]
    kept = tuple(item.shortened() for item in given[: query.limit])
    failure = found.failure if isinstance(found, Partial) else _loss(source, given, query.limit)
    empty = SourceState.EMPTY if failure is None else SourceState.FAILED
    report = SourceReport(
        source=source.name,
        state=SourceState.OK if kept else empty,
        count=len(kept),
        seconds=seconds,
        cached=isinstance(found, Recalled),
        failure=failure,
        partial=failure is not None,
        further=bool(query.exclude),
    )
    return Answered(kept, report)


def _checked(source: Source, found: object) -> list[Evidence]:
    """``found`` as evidence. Raises ``SourceError``, which names the field, where a source gives something else."""
    if not isinstance(found, Iterable) or isinstance(found, str | bytes | Mapping):
        raise SourceError(f"{source.name}: its search returns a {type(found).__name__}, not a list of Evidence")
    try:
        return [Evidence.model_validate(item) for item in found]
    except ValidationError as error:
        wrong = error.errors(include_input=False, include_url=False)[0]
        field = ".".join(map(str, wrong["loc"]))
        where = f"its field {field}: " if field else ""
        raise SourceError(f"{source.name}: what its search returns is no Evidence: {where}{wrong['msg']}") from None


def _loss(source: Source, given: Sequence[Evidence], limit: int) -> Failure | None:
    """What is told where not all that a source gives is read; None where it is."""
    kept = given[:limit]
    told = "; ".join(filter(None, (_surplus(given, limit), _shortening(kept), _ambiguity(kept))))
    return Failure(kind=FailureKind.MALFORMED, where=source.name, message=told) if told else None


def _surplus(given: Sequence[Evidence], limit: int) -> str:
    if len(given) <= limit:
        return ""
    return f"it gave {len(given):,} passages, of which {limit} were asked for and read: a source has to heed the limit"


def _shortening(kept: Sequence[Evidence]) -> str:
    longest = max(kept, key=lambda item: len(item.text), default=None)
    if longest is None or len(longest.text) <= LONGEST_PASSAGE:
        return ""
    return (
        f"its passage {longest.id} has {len(longest.text):,} characters, of which {LONGEST_PASSAGE:,} were read: "
        "a source has to give long documents in pieces"
    )


def _ambiguity(kept: Sequence[Evidence]) -> str:
    """Of passages with one id, wherever they come together, the last is kept."""
    texts = {item.id: item.text for item in kept}
    lost = next((item.id for item in kept if item.text != texts[item.id]), None)
    if lost is None:
        return ""
    return f"two of its passages have the id {lost} and different texts, of which one was read: an id is for one text"


def _failed(source: Source, failure: Failure, seconds: float, state: SourceState | None = None) -> Answered:
    told = SourceState.LIMITED if failure.kind is FailureKind.LIMITED else SourceState.FAILED
    return Answered((), SourceReport(source=source.name, state=state or told, seconds=seconds, failure=failure))


def merge_reports(reports: Sequence[SourceReport]) -> tuple[SourceReport, ...]:
    """One report a source over several queries: counts and times add; one success is enough to be ``ok``, and what
    failed once and otherwise found nothing has failed."""
    merged: dict[str, SourceReport] = {}
    for report in reports:
        held = merged.get(report.source)
        merged[report.source] = report if held is None else _joined(held, report)
    return tuple(merged.values())


_ORDER = (SourceState.OK, SourceState.LIMITED, SourceState.FAILED, SourceState.EMPTY, SourceState.SKIPPED)


def _joined(a: SourceReport, b: SourceReport) -> SourceReport:
    best = min(a, b, key=lambda report: _ORDER.index(report.state))
    return best.replace(
        count=a.count + b.count,
        seconds=max(a.seconds, b.seconds),
        cached=a.cached and b.cached,
        failure=a.failure or b.failure,
        left_alone=a.left_alone or b.left_alone,
        partial=a.partial or b.partial or did_not_answer(a) != did_not_answer(b),
        further=a.further and b.further,
    )
