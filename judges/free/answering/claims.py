"""Claims: every sentence of the steps' answers that states something, with the words of the passages that it quotes."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from calibrant.judges.free.answering.telling import FENCE, in_blocks
from calibrant.judges.free.evidence.same_question import question_and_answer
from calibrant.judges.free.words.tables import cells, is_row
from calibrant.judges.free.words.text import Sentence, content_stems, content_words, language_of, sentences
from calibrant.state.answer import Claim, Span
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement, SubResult

_EDGES = " \t\n\r\"'“”‘’«»"


@dataclass(frozen=True)
class _Found:
    text: str
    kind: str
    statement: Statement
    result: SubResult

    @property
    def confidence(self) -> float:
        return self.statement.score * self.result.confidence.score


def claims_of(results: Sequence[SubResult], evidence: Sequence[Evidence], limit: int = 50) -> tuple[Claim, ...]:
    """The claims of ``results`` in order, as c1, c2, ...; beyond ``limit`` the least confident are left out.

    Only ids of ``evidence`` are cited, and only words that stand there are quoted.
    """
    found = [
        _Found(text, kind, statement, result)
        for result in results
        for statement in result.statements
        for text, kind in _stating(statement.text, result.question)
    ]
    kept = set(sorted(range(len(found)), key=lambda place: (-found[place].confidence, place))[:limit])
    known = {item.id: item for item in evidence}
    return tuple(_claim(f"c{number}", found[place], known) for number, place in enumerate(sorted(kept), 1))


def _stating(text: str, question: str) -> list[tuple[str, str]]:
    """The sentences that state something, with their kind: not questions, headings or bare words, unless they are code
    that a sentence before them announces."""
    found = [(_without_question(one.text, question), one.kind) for one in _told(text)]
    return [one for place, one in enumerate(found) if _states(*one) or (place and one[1] == "code")]


def _told(text: str) -> Sequence[Sentence]:
    """The sentences of what is told: it has no line breaks but those between entries, in tables and around code."""
    if FENCE in text:
        return in_blocks(sentences(text), text)
    lines = text.splitlines()
    is_table = any(line.lstrip().startswith("|") for line in lines)
    return sentences(text) if is_table else [one for line in lines for one in sentences(line)]


def _without_question(text: str, question: str) -> str:
    """The answer alone, where a page opens it with a question that has no other words than the one that was asked:
    "Does it run on macOS? Yes" says more than "yes" to whoever asked about Linux."""
    asked, told = question_and_answer(text)
    language = language_of(question)
    is_known = content_stems(asked, language) <= content_stems(question, language)
    return told if asked and is_known and _states(told, "prose") else text


def _states(text: str, kind: str) -> bool:
    if kind == "heading" or text.rstrip(_EDGES + ")").endswith("?"):
        return False
    return bool(content_words(text)) and len(text.split()) >= 2


def _claim(identity: str, found: _Found, known: Mapping[str, Evidence]) -> Claim:
    statement = found.statement
    cited = [known[eid] for eid in dict.fromkeys(statement.evidence_ids) if eid in known]
    quotes = (statement.quote, *statement.also_quoted)
    if found.kind == "code" and any(found.text in item.text for item in cited):
        quotes = (found.text,)
    quotes = tuple(quote for quote in quotes if found.text in quote or _is_line_of(quote, found)) or quotes
    spans = [span for item in cited for quote in quotes if (span := span_of(item, quote, found.text)) is not None]
    return Claim(
        id=identity,
        text=found.text,
        spans=tuple(spans),
        confidence=found.confidence,
        question_id=found.result.id,
        addresses=statement.score,
        checked=statement.checked,
        disputed=statement.disputed,
        is_code=found.kind == "code" and FENCE in statement.text,
    )


def _is_line_of(quote: str, found: _Found) -> bool:
    """Whether ``quote`` stands in the line that was found, or has cells of the row that it is, and no others: of a list
    or a table that a model writes each line rests on its own."""
    if "\n" not in found.statement.text:
        return False
    if quote and quote in found.text:
        return True
    told = {value for _, value in cells(found.text)} if is_row(found.text) else set[str]()
    quoted = [cell.strip() for cell in quote.split("|") if cell.strip()]
    return len(quoted) > 1 and told.issuperset(quoted)


def span_of(item: Evidence, quote: str, text: str = "") -> Span | None:
    """Where ``quote`` (or, without one, ``text`` itself) stands in the passage, verbatim; None where it does not.

    Only whitespace and enclosing quotation marks may differ: a page breaks its lines elsewhere than a model does.
    """
    written = (quote or text).strip()
    wanted = written.strip(_EDGES)
    if not wanted:
        return None
    # The mark with which name = "web" ends encloses no more than the name.
    is_enclosed = written[0] in _EDGES and written[-1] in _EDGES
    for said in (wanted,) if is_enclosed else (written, wanted):
        start = item.text.find(said)
        if start >= 0:
            return Span(evidence_id=item.id, quote=said, start=start, end=start + len(said))
    pattern = r"\s+".join(re.escape(part) for part in wanted.split())
    match = re.search(pattern, item.text)
    if match is None:
        return None
    return Span(evidence_id=item.id, quote=match.group(), start=match.start(), end=match.end())
