"""Sufficiency by a model: it says which questions a passage answers and shows the words; code does the arithmetic."""

from asyncio import to_thread
from collections.abc import Sequence
from itertools import chain

from calibrant.judges.cascade import Judged
from calibrant.judges.given import ToSuffice
from calibrant.judges.model.asking import Asking, judged, listed, matched, unknown_ids
from calibrant.judges.model.passages import Passages, passages
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated
from calibrant.judges.model.quoting import is_quoted, prose
from calibrant.judges.model.schemas import PartRow, SufficeReply
from calibrant.state.base import unique
from calibrant.state.budget import Allowance
from calibrant.state.confidence import Confidence, Factor, after_verdict, confidence_of
from calibrant.state.retrieval import Sufficiency

RESTS_ON_PARTS = ("coverage", "completeness")
"""The factors that the parts decide; recency and diversity are counted from the passages."""

SHOWN = 0.95
"""How far towards 1 a part goes that the model shows the words for: beyond what any kind of question requires."""


class Suffice(Asking):
    """``ToSuffice`` -> ``Sufficiency``."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "suffice")

    async def __call__(self, given: ToSuffice, free: Sufficiency, allowance: Allowance) -> Judged[Sufficiency]:
        shown = await to_thread(passages, given.evidence, " ".join(given.questions))
        reply, spend = await self._ask(
            SufficeReply,
            allowance,
            questions=listed("questions", given.questions, "Q"),
            passages=shown.text,
            today=dated(given.now.date() if given.now else None),
        )
        rows = _by_part(reply, len(given.questions))
        stated = {part: _stated_in(row, shown) for part, row in rows.items() if row.answerable}
        # A yes without words that stand in a passage named is no verdict at all.
        verdicts = {part: row.answerable for part, row in rows.items() if stated.get(part) != ()}
        made_up = shown.unknown(sid for row in rows.values() for sid in row.sources)
        value = _moved(given, free, verdicts, rows).replace(
            stated_in=unique(chain.from_iterable(stated.values())),
            shown=all(stated.get(part) for part in range(len(given.questions))),
        )
        return judged(value, spend, unknown_ids(made_up), kept=len(verdicts), given=len(given.questions))


def _by_part(reply: SufficeReply, count: int) -> dict[int, PartRow]:
    rows = matched(reply.parts, [f"Q{number + 1}" for number in range(count)], lambda row: row.question)
    return {int(qid[1:]) - 1: row for qid, row in rows.items()}


def _stated_in(row: PartRow, shown: Passages) -> tuple[str, ...]:
    """The ids of the passages named in which words quoted stand."""
    return tuple(item.id for item in shown.named(row.sources, row.quote) if is_quoted(row.quote, item.text))


def _moved(given: ToSuffice, free: Sufficiency, verdicts: dict[int, bool], rows: dict[int, PartRow]) -> Sufficiency:
    """The free sufficiency with the judged parts moved, and the factors that rest on parts moved with them."""
    count = len(given.questions)
    before = free.parts if len(free.parts) == count else (free.confidence.factor("coverage") or 0.0,) * count
    parts = tuple(_part(score, verdicts.get(n)) for n, score in enumerate(before))
    missing = [
        prose(rows[n].missing, limit=200) or given.questions[n] for n in range(count) if verdicts.get(n) is False
    ]
    unjudged = () if len(verdicts) == count else free.missing
    return Sufficiency(
        confidence=_confidence(free.confidence, before, parts),
        parts=parts,
        missing=unique((*missing, *unjudged)),
        tier="model",
    )


def _part(score: float, verdict: bool | None) -> float:
    """A part as it was judged; as the code has it where it was not. What is shown word for word is enough for any kind
    of question: a model that has shown the answer is not asked for it again after another search."""
    if verdict is None:
        return score
    return after_verdict(score, up=True, strength=SHOWN) if verdict else after_verdict(score, up=False)


def _confidence(free: Confidence, before: Sequence[float], parts: Sequence[float]) -> Confidence:
    by = _mean(parts) - _mean(before)
    return confidence_of([_shifted(factor, by) if factor.name in RESTS_ON_PARTS else factor for factor in free.factors])


def _shifted(factor: Factor, by: float) -> Factor:
    if factor.score is None or by == 0.0:
        return factor
    score = min(1.0, max(0.0, factor.score + by))
    return factor.replace(score=score, reason=f"{factor.reason}; the model's reading: {by:+.2f}".removeprefix("; "))


def _mean(parts: Sequence[float]) -> float:
    return sum(parts) / len(parts) if parts else 0.0
