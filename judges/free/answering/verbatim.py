"""A statement in the words of the passage that it quotes, where nothing bears out how a model has worded it."""

from collections.abc import Mapping, Sequence

from calibrant.judges import fitted
from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.free.answering.extract import cleaned
from calibrant.judges.free.answering.quotation import LONGEST
from calibrant.judges.free.words.arithmetic import workings
from calibrant.judges.free.words.sentences import announcement
from calibrant.judges.free.words.text import content_stems, language_of, sentences_of
from calibrant.state.answer import Claim, Span
from calibrant.state.base import unique
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


def as_sources_say(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> tuple[Claim, ...]:
    """The claims, those with a calculation in the words that they quote: another document may contradict these, and not
    what comes out."""
    passages = {item.id: item for item in evidence}
    return tuple(_unreckoned(claim, passages) if any(workings(claim.text)) else claim for claim in claims)


def _unreckoned(claim: Claim, passages: Mapping[str, Evidence]) -> Claim:
    quote, *further = [span.quote for span in claim.spans] or [""]
    statement = Statement(text=claim.text, evidence_ids=claim.evidence_ids, quote=quote, also_quoted=tuple(further))
    told = [one.text for one in in_words_quoted(statement, passages)]
    return claim.replace(text=" ".join(told)) if told else claim


def in_words_quoted(statement: Statement, passages: Mapping[str, Evidence]) -> tuple[Statement, ...]:
    """The whole sentences, or the lines of code, that ``statement`` quotes from: one statement for each place, and none
    where it quotes none."""
    held = [passages[eid] for eid in statement.evidence_ids if eid in passages]
    quotes = [quote for quote in (statement.quote, *statement.also_quoted) if quote]
    found = unique(said for quote in quotes if (said := _found(quote, held)) is not None)
    return tuple(
        statement.replace(text=text, evidence_ids=(eid,), quote=quoted, also_quoted=()) for text, quoted, eid in found
    )


def _found(quote: str, passages: Sequence[Evidence]) -> tuple[str, str, str] | None:
    """What the first passage that has ``quote`` says there, for reading and verbatim, and its id."""
    for item in passages:
        span = span_of(item, quote)
        if span is not None and (told := _words_at(item, span)):
            return (*told, item.id)
    return None


def _words_at(item: Evidence, span: Span) -> tuple[str, str] | None:
    """What the passage says at ``span``, for reading and verbatim."""
    found = sentences_of(item)
    held = [one for one in found if one.start < span.end and one.end > span.start]
    if held and all(one.kind == "heading" for one in held):
        return None  # what heads a text states nothing
    if any(one.kind == "code" for one in held):  # a whole block of it is one sentence
        start, end = item.text.rfind("\n", 0, span.start) + 1, item.text.find("\n", span.end)
        lines = item.text[start : end if end >= 0 else None].strip()
        return lines, lines
    if not held or held[-1].end - held[0].start > LONGEST:  # a page without signs at the ends of its sentences
        return span.quote, span.quote
    above = announcement(found, found.index(held[0]))
    told = " ".join(cleaned(one.text) for one in held)
    return f"{above}: {told}" if above else told, item.text[held[0].start : held[-1].end]
