"""Every judgement without a model: how many a second, and how it grows with what it is given.

Without an encoder, as on a machine where nothing is installed. No two inputs are alike, so no cache answers. What
limits a judgement is reading its text; one pass of a regular expression over the same words stands for that.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibrant.evals.bench.results import claims, evidence, question, results, task_of
from calibrant.evals.bench.table import Row, ms, tell, timed, times
from calibrant.graph.panels import assemble
from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.request.query_type import classify
from calibrant.judges.given import ToAnswer, ToDistil, ToReconcile, ToScore, ToSuffice, ToSupport
from calibrant.judges.panel import Panel
from calibrant.state.context import Context
from calibrant.state.task import Language, Step

ITEMS = 40
"""Inputs of each judgement."""
CONFLICTS = (10, 100, 1_000)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Job:
    """A judgement, its inputs, and the text that it reads for each."""

    name: str
    judge: Callable[[Any], object]
    inputs: Sequence[Any]
    texts: Sequence[str]


def measure(folder: Path, full: bool) -> Iterator[Row]:
    """One row for each judgement, then the conflicts at growing numbers of claims."""
    panel = assemble(None, None, Context())
    for job in _jobs(panel):
        tell(f"judging {job.name}")
        job.judge(job.inputs[0])  # what is loaded at the first use
        yield _row(job)
    yield from _conflicts(panel)


def _row(job: Job) -> Row:
    inputs, texts = job.inputs[1:], job.texts[1:]
    seconds = timed(lambda: [job.judge(one) for one in inputs])
    floor = timed(lambda: [_WORD.findall(text.lower()) for text in texts])
    characters = sum(map(len, texts))
    return Row(
        measured=job.name,
        figure=f"{len(inputs) / seconds:,.0f} a second, {ms(seconds / len(inputs))} each",
        against=f"{characters / seconds / 1e6:.2f} million characters a second",
        limited_by=f"finding the same words: {ms(floor / len(inputs))} each",
        from_limit=times(seconds, floor),
    )


def _jobs(panel: Panel) -> Iterator[Job]:
    yield _query_types()
    yield _sufficiency(panel, 5)
    yield _sufficiency(panel, 40)
    held = [results(1, 1_000 + number * 3)[0] for number in range(ITEMS)]
    passages = [evidence(1, 1_000 + number * 3) for number in range(ITEMS)]
    said = [result.content for result in held]
    given = list(zip(held, passages, strict=True))
    yield Job("claims of one result", lambda one: claims_of([one[0]], one[1]), given, said)
    asked = [ToScore(result, task_of((result,)), items) for result, items in given]
    yield Job("score of one result", panel.score.free, asked, said)
    stated = [ToSupport(claims_of([result], items), items) for result, items in given]
    yield Job("support of three claims", panel.support.free, stated, said)
    yield _answers(panel)
    yield _distillates(panel)


def _query_types() -> Job:
    asked = [question(number) for number in range(ITEMS * 10)]
    return Job("query type", lambda text: classify(text, Language.ENGLISH), asked, asked)


def _sufficiency(panel: Panel, count: int) -> Job:
    starts = [10_000 * count + number * count * 3 for number in range(ITEMS)]
    given = [ToSuffice((question(start),), evidence(count, start)) for start in starts]
    texts = [" ".join(item.text for item in one.evidence) for one in given]
    return Job(f"sufficiency of {count} passages", panel.suffice.free, given, texts)


def _answers(panel: Panel) -> Job:
    starts = [700_000 + number * 15 for number in range(ITEMS)]
    given = [
        ToAnswer(Step(id="s1", question=question(start)), task_of(results(1, start)), evidence(5, start))
        for start in starts
    ]
    return Job("answer from 5 passages", panel.answer.free, given, [_text(one.evidence) for one in given])


def _distillates(panel: Panel) -> Job:
    given = [ToDistil(question(start), evidence(5, start)) for start in range(800_000, 800_000 + ITEMS * 15, 15)]
    return Job("distillate of 5 passages", panel.distil.free, given, [_text(one.evidence) for one in given])


def _text(items: Sequence[Any]) -> str:
    return " ".join(item.text for item in items)


def _conflicts(panel: Panel) -> Iterator[Row]:
    """Linear growth is the limit: ten times the claims, ten times the time."""
    panel.reconcile.free(ToReconcile(claims(10, 900_000)))
    before = 0.0
    for count in CONFLICTS:
        tell(f"looking for conflicts among {count:,} claims")
        given = ToReconcile(claims(count, 910_000 + count * 10))
        found: list[Any] = []
        seconds = timed(lambda given=given, found=found: found.extend(panel.reconcile.free(given).value))  # type: ignore[misc]
        each = seconds / count
        yield Row(
            measured=f"conflicts among {count:,} claims",
            figure=f"{ms(seconds)}, {ms(each)} a claim, {len(found)} found",
            against=f"{count * (count - 1) // 2:,} pairs",
            limited_by=f"linear growth: {ms(before)} a claim" if before else "",
            from_limit=times(each, before) if before else "",
        )
        before = each
