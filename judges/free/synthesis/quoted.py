"""What a claim quotes: the sentences that its spans stand in, with what stands beside and above them, and whether they
say word for word what the claim says.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from calibrant.judges.free.evidence.above import names_above
from calibrant.judges.free.evidence.procedures import LONGEST
from calibrant.judges.free.words.sentences import Sentence, announcement
from calibrant.judges.free.words.tables import cells, is_row, narrowed
from calibrant.judges.free.words.text import sentences, sentences_of
from calibrant.state.answer import Claim, Span
from calibrant.state.evidence import Evidence
from calibrant.state.injection import beside_order, without_orders
from calibrant.state.markup import plain

_DATA = re.compile(r"[\w.-]+(?: > [\w.-]+)+: |[{\[]\s*[{\"]")
"""A setting as ``sentences`` reads it, ``log > level: info``; or what a tool gave, in JSON."""
_MARKS = re.compile(r"[*`]")
_EDGES = " .;:!\"'“”"
_ASKED = re.compile(r"(?<=\?)[*_\"'”’)\]]*+\s+")
"""Ends the question of a sentence that answers it."""
_CLAUSE = re.compile(r"(?:§\s?)?\d+(?:\.\d+)+\.?\s+(?=[A-ZÀ-Þ])")
"""The number of a clause, which opens it in a contract and is no part of what it says: "4.2 The deposit is ..."."""


@dataclass(frozen=True)
class Quoted:
    """The sentences of a quotation and those right before and after it. Nothing of it orders a model about."""

    quote: tuple[str, ...]
    around: tuple[str, ...]
    passage: str
    above: tuple[str, ...] = ()
    """What stands above the passage and heads the sentences: an answer may open with it ("json.dumps: ..."), or name
    the document that it is from ("the policy of May 2025 allows ...")."""
    bare: tuple[str, ...] = ()
    """What of them is told by itself too: the sentences without what announces or heads them and without the question
    that they answer, and the lines of code."""


def is_data(text: str) -> bool:
    """Whether ``text`` is what a table, a setting or a tool has, as it has it, and not in words that join it."""
    return is_row(text) or _DATA.match(text) is not None


def is_verbatim(claim: Claim, passages: Mapping[str, Evidence]) -> bool:
    """Whether a passage, of those by id, says as a whole what ``claim`` says, word for word."""
    return any(is_word_for_word(claim.text, one) for one in quotations_of(claim, passages))


def quotations_of(claim: Claim, passages: Mapping[str, Evidence]) -> list[Quoted]:
    """The quotations of ``claim``. What stands beside an order to a model is none."""
    held = [(span, passages[span.evidence_id]) for span in claim.spans if span.evidence_id in passages]
    return [_context(span, item) for span, item in held if not beside_order(item.text, span.start, span.end)]


def _context(span: Span, item: Evidence) -> Quoted:
    """The sentences in which ``span`` stands, or the one that it is, with the ones beside them, and what heads them.
    The span's own quotation where no sentence of the passage holds it. Beside the row of a table, other rows tell of
    something else."""
    item = item.replace(text=without_orders(item.text))
    above = names_above(item)
    found = sentences_of(item)
    held = [i for i, sentence in enumerate(found) if sentence.start < span.end and sentence.end > span.start]
    places = [i for i, sentence in enumerate(found) if sentence.verbatim(item.text).strip() == span.quote][:1] or held
    if not places:
        return Quoted((span.quote,), (), item.text, above)
    announced = ((announcement(found, i), found[i].text) for i in places)
    quote = tuple(f"{lead}: {text}" if lead else text for lead, text in announced)
    in_data = any(is_data(one) for one in quote)
    beside = [found[i].text for i in (places[0] - 1, places[-1] + 1) if 0 <= i < len(found)]
    headings = (one.text for one in found[: places[0]] if one.kind == "heading")
    return Quoted(
        quote,
        tuple(one for one in beside if not (in_data and is_data(one))),
        item.text,
        (*above, *headings, *(found[i].head for i in places if found[i].head)),
        tuple(part for i in places for part in _told_apart(found[i], span)),
    )


def _told_apart(sentence: Sentence, span: Span) -> list[str]:
    """The parts of a sentence that are told by themselves. A page without signs at the ends of its sentences has only
    what is quoted of it."""
    if sentence.kind == "code":
        return sentence.text.splitlines()
    if sentence.end - sentence.start > LONGEST:
        return [span.quote]
    told = [part for one in sentences(sentence.headless) for part in _ASKED.split(one.text)]
    return [*told, *(part[found.end() :] for part in told if (found := _CLAUSE.match(part)))]


def normal(text: str) -> str:
    """``text`` without case, line wraps, inline markup and the signs around it."""
    return _folded(text).strip(_EDGES)


def _folded(text: str) -> str:
    return " ".join(_MARKS.sub("", plain(text)).lower().split())


def is_word_for_word(text: str, quoted: Quoted) -> bool:
    """Whether ``text`` is what is quoted, one sentence of it or several, as it stands or as it is read: a row under its
    columns or some of them, a command without its fence."""
    said = [text]
    for above in quoted.above:
        said.append(said[-1].removeprefix(f"{above}: "))
    if any(one == narrowed(row, [column for column, _ in cells(one)]) for one in said for row in quoted.quote):
        return True
    told = {normal(one) for one in said} - {""}
    return any(run in told for whole in (quoted.quote, quoted.bare) for run in _runs(whole))


def _runs(parts: Sequence[str]) -> Iterator[str]:
    """Each part, and each with those that follow it, as ``normal`` has them."""
    held = [folded for part in parts if (folded := _folded(part))]
    return (" ".join(held[start:end]).strip(_EDGES) for start, end in combinations(range(len(held) + 1), 2))
