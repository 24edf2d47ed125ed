"""A statement in the words of the passage that it quotes, where nothing bears out how a model has worded it."""

from collections.abc import Mapping, Sequence

from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.free.answering.telling import cleaned, fenced
from calibrant.judges.free.comparing.clashes import same_day
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.evidence.cited import cited_by, quotes_of
from calibrant.judges.free.evidence.procedures import LONGEST
from calibrant.judges.free.words.arithmetic import workings
from calibrant.judges.free.words.sentences import announcement
from calibrant.judges.free.words.text import content_stems, sentences_of
from calibrant.state.answer import Claim, Span
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement

QUOTED = 0.5
"""How well words quoted answer at least, where a statement was not borne out: its wording says nothing of them."""


def stands_together(stated: Statement | Claim, passages: Mapping[str, Evidence]) -> bool:
    """Whether the words of content and the numbers of what is ``stated`` all stand in one part of a sentence of its
    passages, or above it. "The sandbox takes 600 requests" answers for the sandbox from a sentence about every server,
    and "part-time staff have 27 days" from "full-time staff have 27 days; part-time staff have a share of that"."""
    said = read(stated.text)
    for item in cited_by(stated, passages):
        above, heading = ". ".join((item.title, *item.locator.columns)), item.locator.heading
        for one in sentences_of(item):
            heading = one.text if one.kind == "heading" else heading
            for part in one.text.split(";"):
                told = f"{above}. {heading}. {part}"
                if said.stems <= content_stems(told, said.language) and not strange_numbers(stated.text, told):
                    return True
    return False


def leaves_out(statement: Statement, passages: Mapping[str, Evidence]) -> bool:
    """Whether the sentences that ``statement`` quotes have a date or a number of a kind it tells, but another one,
    or a bound that it does not tell: of "14 days on Starter, and 90 days on Team" words do not show which is meant."""
    told = read(statement.text)
    return any(_leaves_out(told, read(one.text, told.language)) for one in in_words_quoted(statement, passages))


def _leaves_out(told: Reading, quoted: Reading) -> bool:
    if told.dates and any(all(not same_day(date, other) for other in told.dates) for date in quoted.dates):
        return True
    kinds = {amount.unit for amount in told.quantities}
    left = (one for one in quoted.quantities if all(one.value != other.value for other in told.quantities))
    return any(one.bound in ("<", ">") or one.unit in kinds for one in left)


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
    held = cited_by(statement, passages)
    found = unique(said for quote in quotes_of(statement) if (said := _found(quote, held)) is not None)
    told = statement.replace(also_quoted=(), score=max(statement.score, QUOTED), reduced=True)
    return tuple(told.replace(text=text, evidence_ids=(eid,), quote=quoted) for text, quoted, eid in found)


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
        lines = item.text[start : end if end >= 0 else None].strip("\n")
        return fenced(lines), lines
    if not held or held[-1].end - held[0].start > LONGEST:  # a page without signs at the ends of its sentences
        return span.quote, span.quote
    above = announcement(found, found.index(held[0]))
    told = " ".join(cleaned(one.text) for one in held)
    return f"{above}: {told}" if above else told, item.text[held[0].start : held[-1].end]
