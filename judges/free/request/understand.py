"""Understanding without a model: a request becomes a ``Task``, and how much of it was understood is measured."""

import re
from dataclasses import dataclass, replace

from calibrant.judges.cascade import Judged
from calibrant.judges.free.request.conditions import Conditions, conditions, without_conditions
from calibrant.judges.free.request.criteria import criteria
from calibrant.judges.free.request.followup import bracketed, resolve
from calibrant.judges.free.request.parts import Split, asked_apart, bare, split
from calibrant.judges.free.request.pasted import sought_in
from calibrant.judges.free.request.query_type import Typed, classify, time_sensitive
from calibrant.judges.free.request.reflections import assumptions, plan_sentence, risk_sentences
from calibrant.judges.free.request.resolved import Resolved
from calibrant.judges.free.request.risk import Risk, risk
from calibrant.judges.free.request.unset import by_default
from calibrant.judges.free.request.vague import HALF_REFERENCE, VAGUE, names_something, vagueness, wording
from calibrant.judges.free.words.terms import COMMON, specific_words, topic
from calibrant.judges.free.words.text import QUESTION_WORDS, language_of, sentences, words
from calibrant.judges.free.words.tongues import is_unknown
from calibrant.judges.given import ToUnderstand
from calibrant.state.base import unique
from calibrant.state.task import EN, PT, Language, QueryType, Task

VAGUE_COST, TYPE_COST, READING_COST, LOST_COST, STEPS_COST, LENGTH_COST = 0.7, 0.25, 0.3, 0.2, 0.2, 0.15
"""What each thing that was not understood takes from ``understanding``, at most."""

LONG = 80
"""Words from which a request read as one single question was probably not read fully."""

COMPOUND = 0.4
"""The doubt where reading took a guess: how several parts were cut; what a follow-up adds or points to; whether a later
question that names nothing stands alone ("what should be done first?"); what one in an unknown language follows; into
which parts a plan or an analysis falls."""

_GOES_ON = re.compile(r"\?\s+\w")
"""Something is said behind a question, which may be a part of its sentence: "... by default? If not, ..."."""
_ASKED: dict[Language, re.Pattern[str]] = {
    known: re.compile(rf"(?:^|[,;:]|\b(?:and|or|e|ou)\b)\s*(?:{'|'.join(sorted(QUESTION_WORDS[known]))})\b", re.I)
    for known in (EN, PT)
}
_PT_SIGNS = re.compile(
    r"[ãõç]|(?:ção|ções|mente|agem)\b|\b(?:vale|pena|usar|fazer|comparar|ordenar|diferença|quais|risco)\b"
)


@dataclass(frozen=True)
class _Reading:
    """All that was made out about a request, before it is written down as a task."""

    text: str
    language: Language
    resolved: Resolved
    typed: Typed
    split: Split
    vague: float
    risk: Risk
    conditions: Conditions


def understand(given: ToUnderstand) -> Judged[Task]:
    """The request as a ``Task``; the doubt says whether a model should be asked to read it again."""
    language = request_language(given)
    reading = _read(given, language)
    score = _understanding(reading)
    return Judged(_task(given, reading, score), doubt=_doubt(reading, later=bool(given.history)))


def request_language(given: ToUnderstand) -> Language:
    """The language of a request: by its own words; where they do not tell, that of the turn before."""
    said = f"{given.text} {given.guidance}"
    score = 0.5 * len(_PT_SIGNS.findall(said.lower()))
    for word in words(said):
        score += (word in COMMON[PT]) - (word in COMMON[EN])
    if score:
        return PT if score > 0 else EN
    return language_of(given.history[-1].question if given.history else said)


def _read(given: ToUnderstand, language: Language) -> _Reading:
    resolved = resolve(by_default(given.text), given.history, language)
    text, vague = resolved.text, vagueness(bare(resolved.text, language), language, resolved.dangling)
    if given.guidance and vague >= HALF_REFERENCE:
        text = bracketed(text, given.guidance.strip(" ."))
        vague = min(vague, vagueness(given.guidance, language, ""))  # as clear as the words of the person who was asked
    asked = bare(text, language)
    typed = classify(asked, language)
    parts = split(text, language)
    own = "" if text == given.pasted else text.replace(f"({given.pasted})", " ") if given.pasted else text
    found = conditions(f"{own}\n{given.guidance}" if given.guidance else own, language)
    found = _binding(found, parts, pasted=bool(given.pasted))
    return _Reading(text, language, resolved, typed, parts, vague, risk(asked, language, typed.query_type), found)


def _binding(found: Conditions, parts: Split, *, pasted: bool) -> Conditions:
    """The conditions that hold for every passage: in a request of several steps a quoted phrase binds but one. Beside
    what is ``pasted`` it is a value or a line of the asker's own, which no document need have."""
    if len(parts.questions) == 1 and not parts.suspected and not pasted:
        return found
    return replace(found, must_have=tuple(item for item in found.must_have if item.kind != "phrase"))


def _task(given: ToUnderstand, reading: _Reading, understanding: float) -> Task:
    language, kind = reading.language, reading.typed.query_type
    timely = time_sensitive(reading.text, language, kind, given.today)
    guided = (given.guidance.strip(),) if given.guidance.strip() else ()
    too_vague = reading.vague >= VAGUE
    return Task(
        text=reading.text,
        original=given.text,
        query_type=kind,
        language=language,
        questions=reading.split.questions,
        topic=_topic(reading.text, given.guidance, language),
        pasted=sought_in(given.pasted),
        constraints=unique((*guided, *reading.conditions.constraints)),
        assumptions=tuple(assumptions(reading.text, language, reading.resolved, timely)),
        risks=risk_sentences(reading.risk.reasons, reading.conditions, language, timely),
        must_have=reading.conditions.must_have,
        must_not=reading.conditions.must_not,
        criteria=criteria(reading.split.questions, reading.text, language),
        time_sensitive=timely,
        vagueness=reading.vague,
        wording=wording(reading.text, language, reading.resolved.dangling) if too_vague else "",
        understanding=understanding,
        risk=reading.risk.score,
        plan=plan_sentence(reading.split.questions, kind, language),
    )


def _topic(text: str, guidance: str, language: Language) -> tuple[str, ...]:
    """The topic words of the request, then those that a person's guidance adds; generic ones only if alone."""
    text = without_conditions(text, language)
    found = unique((*topic(text, language), *topic(guidance, language)))
    named = {*specific_words(text, language), *specific_words(guidance, language)}
    return tuple(word for word in found if word in named) or found


def _understanding(reading: _Reading) -> float:
    """How much of the request became known structure: 1 less what each unclear thing costs."""
    cost = VAGUE_COST * reading.vague
    cost += TYPE_COST * (1.0 - reading.typed.margin)
    cost += READING_COST * reading.resolved.doubt
    cost += LOST_COST * bool(reading.resolved.dangling and reading.vague >= HALF_REFERENCE)
    cost += STEPS_COST * reading.split.suspected
    cost += LENGTH_COST * (len(reading.split.questions) == 1 and len(reading.text.split()) > LONG)
    return max(0.0, 1.0 - cost)


def _doubt(reading: _Reading, *, later: bool) -> float:
    """How doubtful this reading is: as doubtful as its most doubtful part. ``later``: of a question after others."""
    unnamed = later and reading.resolved.about is None and not names_something(reading.text)
    unread = later and is_unknown(reading.text)  # a follow-up is put together in English and Portuguese alone
    whole = reading.typed.query_type is QueryType.STRATEGIC and len(reading.split.questions) == 1
    return max(
        reading.vague,
        0.6 * (1.0 - reading.typed.margin),
        reading.resolved.doubt,
        COMPOUND * (reading.resolved.appended or reading.resolved.points or unnamed or unread),
        COMPOUND * whole,
        0.5 * reading.split.suspected,
        COMPOUND * _is_compound(reading),
    )


def _is_compound(reading: _Reading) -> bool:
    """Whether it has several sentences or asks for several things, cut into parts or not: a model words them better,
    unless each part is a question that stands there as it is asked."""
    if asked_apart(reading.text, [question.text for question in reading.split.questions]):
        return False
    goes_on = _GOES_ON.search(reading.text) is not None
    several = len(reading.split.questions) > 1 or len(sentences(reading.text)) > 1 or goes_on
    return several or len(_ASKED[reading.language].findall(reading.text)) > 1
