"""Understanding by a model: it improves the model-free ``Task``, and can invent nothing that was not asked."""

import re

from calibrant.judges.cascade import Judged
from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.planning.hesitation import hesitation
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.text import folded_stems, sentences
from calibrant.judges.given import ToUnderstand
from calibrant.judges.model.asking import Asking, judged, titled
from calibrant.judges.model.names import strange_names
from calibrant.judges.model.passages import window
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import CHARS_PER_TOKEN, dated, fenced
from calibrant.judges.model.prose import notes, prose
from calibrant.judges.model.schemas import UnderstandReply
from calibrant.state.base import unique
from calibrant.state.budget import Allowance
from calibrant.state.task import Criterion, QueryType, Question, Task

QUESTIONS = 5
NOTES = 4
CRITERIA = 3
TURNS = 3
"""Earlier turns that are shown: enough to resolve a follow-up."""

TURN_TOKENS = 170
"""How much of an answer is shown: those sentences that bear on what is asked now."""

NEW = 0.3
"""Share of new words up to which a rewritten request says what was said."""
FEW_NEW = 2

PASTED = "A log or another text was pasted with the request, and is read later. It tells:"

_ASKS_BACK = re.compile(
    r"\b(?:you|your|clarify|specify|você|vocês|esclare[cç]\w+|especifi\w+)\b",
    re.IGNORECASE,
)
"""Words with which a model speaks to the person, where it is to put the request in the person's own words."""

_MARKS = re.compile(r"\s*(?:\[\d{1,2}\])+")
"""The numbers of citations, which say nothing without the list of sources."""


class Understand(Asking):
    """``ToUnderstand`` -> ``Task``."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "understand")

    async def __call__(self, given: ToUnderstand, free: Task, allowance: Allowance) -> Judged[Task]:
        reply, spend = await self._ask(
            UnderstandReply,
            allowance,
            earlier=titled("Earlier turns of the conversation:", fenced("earlier", _turns(given))),
            guidance=titled("A person's guidance:", fenced("guidance", given.guidance)),
            request=fenced("request", given.text),
            pasted=titled(PASTED, fenced("pasted", given.pasted)),
            today=dated(given.today),
        )
        questions, strange = _questions(given, free, reply)
        task = _task(given, free, reply, questions)
        warnings = ("The model proposed questions that were not asked; they were left out.",) if strange else ()
        return judged(
            task,
            spend,
            warnings,
            kept=len(questions),
            given=len(questions) + strange,
            hesitation=hesitation(" ".join(notes(reply.assumptions, NOTES))),
        )


def _turns(given: ToUnderstand) -> str:
    turns = given.history[-TURNS:]
    told = [(turn.question, _told(_MARKS.sub("", turn.answer), given.text)) for turn in turns]
    return "\n".join(f"Asked: {asked}\nAnswered: {answer or '(nothing)'}" for asked, answer in told)


def _told(answer: str, about: str) -> str:
    """As much of an earlier answer as there is room for: where it opens, which says what it speaks of, and what is most
    like the request."""
    opening = next((one.end for one in sentences(answer)), 0)
    if len(answer) <= TURN_TOKENS * CHARS_PER_TOKEN or opening > TURN_TOKENS * CHARS_PER_TOKEN // 2:
        return window(answer, about, TURN_TOKENS)
    rest = window(answer[opening:], about, TURN_TOKENS - opening // CHARS_PER_TOKEN)
    return f"{answer[:opening]} {rest}"


def _questions(given: ToUnderstand, free: Task, reply: UnderstandReply) -> tuple[tuple[Question, ...], int]:
    """The model's questions that share a word with what was said; the free ones if none does. A single one is the
    request itself, where that is one sentence: what is asked shall be answered, and not what was made of it."""
    said = folded_stems(" ".join((given.text, given.guidance, given.pasted, _turns(given))))
    texts = [prose(text, given.text, limit=300) for text in unique(reply.questions)[:QUESTIONS] if text]
    asked = [text for text in texts if folded_stems(text) & said or not said]
    request = _text(given, free, reply)
    if len(asked) == len(texts) == 1 and len(sentences(request)) == 1:
        asked = [request]
    made = tuple(Question(id=f"q{number}", text=text) for number, text in enumerate(asked, 1))
    same = [question.text for question in made] == [question.text for question in free.questions]
    return free.questions if same or not made else made, len(texts) - len(asked)


def _task(given: ToUnderstand, free: Task, reply: UnderstandReply, questions: tuple[Question, ...]) -> Task:
    return free.replace(
        text=_text(given, free, reply),
        query_type=QueryType(reply.query_type) if reply.query_type else free.query_type,
        questions=questions,
        assumptions=unique((*free.assumptions, *notes(reply.assumptions, NOTES))),
        risks=unique((*free.risks, *notes(reply.risks, NOTES))),
        criteria=_criteria(given, free, reply, questions),
        time_sensitive=free.time_sensitive or reply.time_sensitive,
        vagueness=_vagueness(free, reply),
        wording=_wording(given, free, reply) if reply.vague else "",
        understanding=_understanding(given, free, reply, questions),
    )


def _text(given: ToUnderstand, free: Task, reply: UnderstandReply) -> str:
    """The request, rewritten only if it is a follow-up: otherwise nobody's words are changed."""
    resolved = prose(reply.request, given.text, _turns(given), limit=600)
    return resolved if given.history and resolved and _is_faithful(resolved, given) else free.text


def _is_faithful(resolved: str, given: ToUnderstand) -> bool:
    """Whether a rewritten request says what was said: few of its words are new. Of a short one a word or two may be,
    such as the company for "they", where they are less than half of it and no number or name."""
    said = f"{given.text} {_turns(given)}"
    told = folded_stems(resolved)
    new = len(told - folded_stems(said))
    if new <= NEW * max(1, len(told)):
        return True
    is_plain = not (strange_numbers(resolved, said) or strange_names(resolved, said))
    return new <= FEW_NEW and new < len(told) / 2 and is_plain


def _criteria(
    given: ToUnderstand, free: Task, reply: UnderstandReply, questions: tuple[Question, ...]
) -> tuple[Criterion, ...]:
    """What can be counted, where the request says how many; else, as in the free tier, an answer to each question."""
    told = {number.value for number in numbers(given.text)}
    rows = [row for row in reply.criteria[:CRITERIA] if row.what and row.target in told]
    if not rows and questions == free.questions:
        return free.criteria
    counted = [(prose(row.what, limit=100), row.target) for row in rows] or [(q.text, 1) for q in questions]
    return tuple(Criterion(id=f"c{n}", what=what, target=target) for n, (what, target) in enumerate(counted, 1))


def _vagueness(free: Task, reply: UnderstandReply) -> float:
    """The free vagueness, halfway to where the model's yes or no points: neither alone decides."""
    return (free.vagueness + (1.0 if reply.vague else 0.0)) / 2


def _wording(given: ToUnderstand, free: Task, reply: UnderstandReply) -> str:
    """The model's sharper wording, unless it asks back ("which topic would you like ...?"): nobody could use that."""
    proposed = prose(reply.wording, given.text, limit=300)
    asks_back = _ASKS_BACK.search(proposed) and not _ASKS_BACK.search(given.text)
    return free.wording if asks_back or not proposed else proposed


def _understanding(given: ToUnderstand, free: Task, reply: UnderstandReply, questions: tuple[Question, ...]) -> float:
    """Half what the free tier measured, half the share of the request's words that the questions take up: all, where it
    has none ("why?")."""
    wanted = folded_stems(given.text)
    asked = folded_stems(" ".join(question.text for question in questions))
    covered = len(wanted & asked) / len(wanted) if wanted else float(bool(asked))
    return min(free.understanding, covered) if reply.vague else (free.understanding + covered) / 2
