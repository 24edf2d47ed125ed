"""Distilling by a model: what helps, each item with the words or the code of the passage that it comes from."""

from asyncio import to_thread
from collections.abc import Sequence

from calibrant.judges.cascade import Judged
from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.given import ToDistil
from calibrant.judges.model.asking import Asking, judged, listed, titled, unknown_ids
from calibrant.judges.model.borne_out import bears_out, best_sentence
from calibrant.judges.model.passages import Passages, passages
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import fenced
from calibrant.judges.model.prose import prose
from calibrant.judges.model.quoting import Found, locate
from calibrant.judges.model.schemas import DistilReply, DistilRow
from calibrant.state.budget import Allowance
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import CodeExample, Distillate, Insight

ITEMS = 8

LEAST = 0.25
"""An item of which the quote bears out less is not what the passage says."""

_FIELDS = {
    "insight": "key_insights",
    "practice": "best_practices",
    "mistake": "common_mistakes",
    "pattern": "patterns",
}


class Distil(Asking):
    """``ToDistil`` -> ``Distillate``."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "distil")

    async def __call__(self, given: ToDistil, free: Distillate, allowance: Allowance) -> Judged[Distillate]:
        shown = await to_thread(passages, given.evidence, " ".join((given.query, *given.questions)))
        reply, spend = await self._ask(
            DistilReply,
            allowance,
            request=fenced("request", given.query),
            questions=titled("It is needed for these questions:", listed("questions", given.questions)),
            passages=shown.text,
        )
        rows = reply.items[:ITEMS]
        kept = [(row.kind, item) for row in rows if (item := _item(row, shown)) is not None]
        warnings = unknown_ids(shown.unknown(row.source for row in rows))
        # Nothing that passed the checks is no reason to lose what the free tier found.
        value = _distillate(kept, free) if kept or not rows else free
        return judged(value, spend, warnings, kept=len(kept), given=len(rows))


def _item(row: DistilRow, shown: Passages) -> Insight | CodeExample | None:
    for item in shown.named([row.source], row.quote):
        if row.kind == "code":
            return _code(row, item)
        found = locate(row.quote, item.text) or best_sentence(row.text, item.text)
        text = prose(row.text, item.text, limit=300)
        if found and text and bears_out(text, found.quote) >= LEAST and not strange_numbers(text, item.text):
            return Insight(text=text, evidence_id=item.id)
    return None


def _code(row: DistilRow, item: Evidence) -> CodeExample | None:
    """Code as it stands in the passage, by whole lines: the model's copy is never shown."""
    found = locate(row.quote, item.text)
    if found is None:
        return None
    code = _lines(item.text, found).strip("`\n ")
    return CodeExample(
        description=prose(row.text, item.text, limit=200), code=code, language=row.language[:20], evidence_id=item.id
    )


def _lines(text: str, found: Found) -> str:
    start = text.rfind("\n", 0, found.start) + 1
    end = text.find("\n", found.end)
    return text[start : end if end >= 0 else len(text)]


def _distillate(kept: Sequence[tuple[str, Insight | CodeExample]], free: Distillate) -> Distillate:
    """The items by kind. Code that the free tier found stays: it is verbatim anyway."""
    fields = {
        field: tuple(item for kind, item in kept if kind == name and isinstance(item, Insight))
        for name, field in _FIELDS.items()
    }
    examples = {item.code: item for item in free.code_examples}
    examples |= {item.code: item for _, item in kept if isinstance(item, CodeExample)}
    return Distillate(**fields, code_examples=tuple(examples.values()))
