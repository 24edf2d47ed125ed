"""Answering by a model: each statement must name a passage that it was shown and quote words that stand there."""

from asyncio import to_thread
from collections.abc import Container, Sequence
from dataclasses import dataclass
from datetime import date

from calibrant.judges.cascade import Judged
from calibrant.judges.free.answering.telling import FENCE
from calibrant.judges.free.answering.verbatim import in_words_quoted
from calibrant.judges.free.comparing.unsourced import without_day
from calibrant.judges.free.words.text import folded_stems, sentences_of
from calibrant.judges.free.words.tongues import tongue
from calibrant.judges.given import ToAnswer, reckoned_with
from calibrant.judges.model.asking import Asking, judged, listed, titled, unknown_ids
from calibrant.judges.model.borne_out import UNREAD, bears_out, best_sentence
from calibrant.judges.model.denials import denied
from calibrant.judges.model.passages import LEAST_WORDS, Passages, above, passages, shown_of, window
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.prose import prose, without_code
from calibrant.judges.model.quoting import Found, locate, parts_found
from calibrant.judges.model.schemas import AnswerReply, StatementRow
from calibrant.judges.model.told_numbers import Told, with_numbers
from calibrant.state.base import unique
from calibrant.state.budget import Allowance
from calibrant.state.evidence import Evidence
from calibrant.state.injection import beside_order
from calibrant.state.task import Statement, StepStatus, SubResult

STATEMENTS = 10
"""What is read of one reply: a procedure may have as many steps."""

EARLIER_TOKENS = 200
"""How much of an earlier step's result is shown: those sentences that bear on what this one asks."""

LEAST = 0.25
"""A quote in a sentence that bears out less of a statement than this was quoted for something else."""


class Answer(Asking):
    """``ToAnswer`` -> ``SubResult``."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "answer")

    async def __call__(self, given: ToAnswer, free: SubResult, allowance: Allowance) -> Judged[SubResult]:
        question = given.step.question
        shown = await to_thread(passages, (*given.pasted, *given.evidence), question)
        reply, spend = await self._ask(
            AnswerReply,
            allowance,
            task=titled(
                "The question is one part of this request; answer the question alone:",
                fenced("task", _context(given)),
            ),
            earlier=titled(
                "Results of earlier steps, which tell what the question speaks of and prove nothing:",
                fenced("earlier", _earlier(given)),
            ),
            guidance=titled("A person's guidance, to be followed:", fenced("guidance", given.guidance)),
            passages=shown.text,
            question=fenced("question", question),
            stated=titled(
                "Stated already. Give only statements that say what is missing there, or that show it to be wrong; if "
                "there are none, answerable is false, and missing tells what still lacks:",
                fenced("draft", given.stated),
            ),
            parts=titled("It has these parts:", listed("questions", given.step.parts)),
            today=dated(given.today),
        )
        # Of several parts a model that finds one may say of the whole that it is not answerable.
        in_part = bool(given.step.parts and reply.missing)
        rows = reply.statements[:STATEMENTS] if reply.answerable or in_part else ()
        asked = reckoned_with(f"{given.task.text} {given.guidance}", given.today)
        statements, warnings, is_direct = checked(
            rows, shown, question, asked, reply.disputed, given.today, given.stated
        )
        result = _result(given, free, reply, statements)
        if statements and not (is_direct or result.missing):
            result = result.replace(missing=question)  # what is left is said beside an answer that is not told
        result = result.replace(read=tuple(item.id for item in shown.by_id.values()))
        return judged(result, spend, warnings, kept=len(statements), given=len(rows))


def _context(given: ToAnswer) -> str:
    """The request, unless the question has all of its words."""
    return "" if folded_stems(given.task.text) <= folded_stems(given.step.question) else given.task.text


def _earlier(given: ToAnswer) -> str:
    about = given.step.question
    told = [(result.question, window(result.content, about, EARLIER_TOKENS)) for result in given.earlier]
    return "\n".join(f"{asked} {content}" for asked, content in told if content)


def checked(
    rows: tuple[StatementRow, ...],
    shown: Passages,
    question: str,
    asked: str = "",
    disputed: Container[int] = (),
    today: date | None = None,
    stated: str = "",
) -> tuple[tuple[Statement, ...], tuple[str, ...], bool]:
    """The statements that a passage bears out, warnings for the rest, and whether the first one, which is to answer
    directly, is among them. ``asked``: the request that the question is part of, and what a person has said to it;
    ``disputed``: the numbers, from 1, of those no two of which can both be true; ``today`` may be told as what it is;
    what was ``stated`` before may be reckoned with."""
    found = _found(rows, shown, question, asked, today, stated)
    kept: dict[str, Statement] = {}
    for number, (statements, _) in enumerate(found, 1):
        for statement in statements:
            kept.setdefault(statement.text.casefold(), statement.replace(disputed=number in disputed))
    dropped, bent = sum(not statements for statements, _ in found), sum(is_bent for _, is_bent in found)
    made_up = (sid for row in rows for sid in shown.unknown(row.sources))
    warnings = unknown_ids(tuple(dict.fromkeys(made_up)))
    if dropped:
        warnings += (f"Statements of the model without support in the passages it named: {dropped} of {len(rows)}.",)
    if any(FENCE in row.text and not _has_code(told) for row, (told, _) in zip(rows, found, strict=True)):
        warnings += ("Code of the model is left out that is not written with what the passages have.",)
    if bent:
        warnings += (
            f"Statements of the model told in the words it quoted, which do not show the rest: {bent} of {len(rows)}.",
        )
    return tuple(kept.values()), warnings, bool(found and found[0][0])


def _has_code(statements: Sequence[Statement]) -> bool:
    return any(FENCE in one.text for one in statements)


_Kept = tuple[tuple[Statement, ...], bool]
"""What of a row of the reply is told, and whether only the words that it quotes are."""


def _found(
    rows: tuple[StatementRow, ...], shown: Passages, question: str, asked: str, today: date | None, stated: str
) -> list[_Kept]:
    """What is told of each row. The direct answer comes first, and those behind it may show how it is worked out: what
    does not hold by itself is read once more beside all that holds."""

    def read(row: StatementRow, others: Sequence[_Kept]) -> _Kept:
        beside = (stated, *(one.text for statements, _ in others for one in statements))
        return _statements(row, shown, question, asked, today, beside)

    found: list[_Kept] = []
    for row in rows:
        found.append(read(row, found))
    held = [told for told in found if not told[1]]
    return [
        read(row, held) if is_bent or not told else (told, False)
        for row, (told, is_bent) in zip(rows, found, strict=True)
    ]


def _statements(
    row: StatementRow, shown: Passages, question: str, asked: str, today: date | None, beside: tuple[str, ...]
) -> _Kept:
    """The statement, if a passage bears it out, and whether it is told in the words that it quotes: where it denies
    them, has a number that stands nowhere, or is in a third language, nothing else of it is worth telling. What is
    stated ``beside`` it in the reply may be reckoned with."""
    cited = _cited(row, shown)
    text = prose(row.text, *(item.text for item in shown.by_id.values()), f"{question} {asked}")
    if not text or not cited:
        return (), False
    sources = (shown_of(item, shown.by_id.values()) for item in cited)
    told, held_to = Told((question, *sources, *beside), f"{question} {asked}"), without_day(text, today)
    told, further_proof = with_numbers(held_to, told, cited, shown)
    stated = without_code(held_to)  # what announces code is not proved by its names
    proof = _proof(stated, row.quote, cited, shown, told) or _shown(stated, row.quote, cited, question, told)
    if proof is None:
        return (), False
    places = (*proof.quoted, *further_proof)
    places = (*places, *_numbers_named(held_to, [item for item, _ in places], cited, question, told.asked, beside))
    if any(beside_order(item.text, found.start, found.end) for item, found in places):
        return (), False  # a passage that tells the model what to say proves nothing
    held = list(dict.fromkeys(item.id for item, _ in places))
    also = (item.id for item in cited if item.id not in held and best_sentence(text, item.text))
    quote, *further = (found.quote for _, found in places)
    statement = Statement(
        text=text, evidence_ids=(*held, *also), quote=quote, also_quoted=tuple(further), score=proof.score
    )
    third = tongue(text) not in ("", tongue(question), tongue(proof.quoted[0][0].text))
    if not (third or told.lacks(held_to) or denied(text, " ".join((quote, *further)), asked=told.asked)):
        return (statement,), False
    quoted = in_words_quoted(statement.replace(evidence_ids=tuple(held)), {item.id: item for item, _ in places})
    return quoted, bool(quoted)


def _cited(row: StatementRow, shown: Passages) -> tuple[Evidence, ...]:
    """The passages that a row names, and those with a part of its quote that stands in none of them: of several ids one
    may be wrong."""
    named, held = shown.named(row.sources, row.quote), tuple(shown.by_id.values())
    parts = [part for part in parts_found(row.quote, [item.text for item in held]) if len(part.split()) >= LEAST_WORDS]
    lost = (part for part in parts if not any(locate(part, item.text) for item in named))
    found = (next((item for item in held if locate(part, item.text)), None) for part in lost)
    return unique((*named, *filter(None, found))) if named else named


def _numbers_named(
    text: str, held: Sequence[Evidence], cited: tuple[Evidence, ...], question: str, asked: str, beside: tuple[str, ...]
) -> tuple[tuple[Evidence, Found], ...]:
    """Where passages that are named tell the numbers of ``text`` that those ``held``, which are quoted, do not: a model
    that takes a number each from two passages may quote the one alone."""
    named = Passages({item.id: item for item in cited})
    told = Told((question, *(shown_of(item, cited) for item in held), *beside), asked)
    return with_numbers(text, told, tuple(held), named)[1]


@dataclass(frozen=True)
class _Proof:
    """The words that a statement rests on, in the order in which they were quoted, and how far they bear it out
    together."""

    quoted: tuple[tuple[Evidence, Found], ...]
    score: float


def _proof(text: str, quote: str, cited: tuple[Evidence, ...], shown: Passages, told: Told) -> _Proof | None:
    """The parts of the quote, if need be from a passage beside the one that is named, else the sentence most like the
    statement."""
    for places in (cited, tuple(shown.by_id.values())):
        said = parts_found(quote, [item.text for item in places])
        parts = [_best(text, [(item, locate(part, item.text)) for item in places]) for part in said]
        proof = _together(text, [part for part in parts if part is not None], told)
        if proof is not None and (proof.score >= LEAST or told.explains(text)):
            return proof
    likest = _best(text, [(item, best_sentence(text, item.text, above(item))) for item in cited])
    return _together(text, [likest] if likest else [], told)


def _shown(text: str, quote: str, cited: tuple[Evidence, ...], question: str, told: Told) -> _Proof | None:
    """The quote alone, in a passage that is named and in a sentence that has a word of what is asked or stated: without
    a number from elsewhere, other words may say the same (too heavy: at most 31500). If they do, support has to say."""
    words = folded_stems(f"{question} {text}")
    said = parts_found(quote, [item.text for item in cited])
    found = [_best(text, [(item, locate(part, item.text)) for item in cited]) for part in said]
    parts = [part for part in found if part is not None and words & folded_stems(" ".join(_sentences_at(*part)))]
    return _Proof(tuple(parts), UNREAD) if parts and not told.lacks(text) else None


def _together(text: str, parts: list[tuple[Evidence, Found]], told: Told) -> _Proof | None:
    if not parts:
        return None
    said = " ".join(_said(*part) for part in parts)
    return _Proof(tuple(parts), bears_out(text, said, *told.sources, asked=told.asked))


def _best(text: str, places: list[tuple[Evidence, Found | None]]) -> tuple[Evidence, Found] | None:
    scored = [(item, found) for item, found in places if found is not None]
    return max(scored, key=lambda part: bears_out(text, _said(*part)), default=None)


def _said(item: Evidence, found: Found) -> str:
    """The whole sentences that a quote stands in, under what stands above them: the shortest run of words that proves
    a statement, which is asked for, seldom has its subject, and statements name the document that they are from."""
    headings = [one.text for one in sentences_of(item) if one.kind == "heading" and one.end <= found.start]
    return " ".join([above(item), *headings, *_sentences_at(item, found)])


def _sentences_at(item: Evidence, found: Found) -> list[str]:
    return [one.text for one in sentences_of(item) if one.start < found.end and one.end > found.start] or [found.quote]


def _result(given: ToAnswer, free: SubResult, reply: AnswerReply, statements: tuple[Statement, ...]) -> SubResult:
    """An abstention is an answer. A reply of which nothing passed the checks is none: then the free result stands."""
    missing = prose(reply.missing, limit=300)
    if reply.answerable and not statements:
        return free if free.statements else free.replace(missing=missing or given.step.question)
    return free.replace(
        id=given.step.id,
        question=given.step.question,
        status=StepStatus.ANSWERED if statements else StepStatus.UNANSWERED,
        statements=statements,
        missing=missing if statements else missing or given.step.question,
        failure=None,
        tier="model",
    )
