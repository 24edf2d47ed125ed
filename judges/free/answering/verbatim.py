"""A statement in the words of the passage that it quotes, where nothing bears out how a model has worded it."""

from collections.abc import Mapping

from calibrant.judges import fitted
from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.free.answering.extract import cleaned
from calibrant.judges.free.answering.quotation import LONGEST
from calibrant.judges.free.words.text import content_stems, language_of, sentences_of
from calibrant.state.answer import Span
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement


def borrowed(statement: Statement, question: str, passages: Mapping[str, Evidence]) -> frozenset[str]:
    """The rare words that ``statement`` has from ``question`` alone: no passage that it names speaks of them. "The
    sandbox takes 600 requests" answers for the sandbox from a sentence about every server."""
    language = language_of(statement.text)
    said, asked = (content_stems(text, language) for text in (statement.text, question))
    held = [passages[eid] for eid in statement.evidence_ids if eid in passages]
    above = (f"{item.title}. {item.locator.heading}. {' '.join(item.locator.columns)}. {item.text}" for item in held)
    frequent = fitted.frequencies(language.value)
    return (said & asked).difference(frequent, *(content_stems(text, language) for text in above))


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
    if not held or held[-1].end - held[0].start > LONGEST:  # a page without signs at the ends of its sentences
        return span.quote, span.quote
    return " ".join(cleaned(one.text) for one in held), item.text[held[0].start : held[-1].end]
