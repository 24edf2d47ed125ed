"""A statement in the words of the passage that it quotes, where nothing bears out how a model has worded it."""

from collections.abc import Mapping

from calibrant.judges.free.claims import span_of
from calibrant.judges.free.extract import cleaned
from calibrant.judges.free.text import sentences_of
from calibrant.state.answer import Span
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement


def in_its_words(statement: Statement, passages: Mapping[str, Evidence]) -> Statement | None:
    """The whole sentences, or the lines of code, that ``statement`` quotes from; None where it quotes none."""
    for item in (passages[eid] for eid in statement.evidence_ids if eid in passages):
        span = span_of(item, statement.quote) if statement.quote else None
        if span is not None and (told := _told(item, span)):
            text, quote = told
            return statement.replace(text=text, evidence_ids=(item.id,), quote=quote)
    return None


def _told(item: Evidence, span: Span) -> tuple[str, str] | None:
    """What the passage says at ``span``, for reading and verbatim."""
    held = [one for one in sentences_of(item) if one.start < span.end and one.end > span.start]
    if any(one.kind == "code" for one in held):  # a whole block of it is one sentence
        start, end = item.text.rfind("\n", 0, span.start) + 1, item.text.find("\n", span.end)
        lines = item.text[start : end if end >= 0 else None].strip()
        return lines, lines
    return (" ".join(cleaned(one.text) for one in held), item.text[held[0].start : held[-1].end]) if held else None
