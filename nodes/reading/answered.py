"""What a run has answered so far and in which language, what it leaves open, and which sources could not answer."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.answering.stand_ins import stand_ins
from calibrant.judges.free.evidence.question_form import without_scene
from calibrant.judges.free.evidence.unmentioned import absent
from calibrant.judges.free.request.orders import sought
from calibrant.judges.free.words.tongues import is_foreign, is_unknown, tongue
from calibrant.nodes.reading.called import done_calls
from calibrant.nodes.reading.steps import asked_steps, lacked
from calibrant.state.answer import Claim
from calibrant.state.base import unique
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import failed_sources, is_bare, is_silent
from calibrant.state.task import Language, StepStatus, SubResult

SHOWN = 6
"""Missing words that a person is told of."""


@dataclass(frozen=True)
class Lack:
    """What an answer still lacks."""

    held: bool
    """Whether there is evidence, so that an answer could have stood in it."""
    searched: bool
    """Whether anything was searched: a budget may have left no room for it."""
    bare: bool
    """Whether there is nothing yet that could be searched."""
    silent: bool
    """Whether no source could answer: then nobody knows what there is to find."""
    foreign: bool
    """Whether the question seems to be in another language than the evidence: then that its words are missing says
    nothing."""
    missing: tuple[str, ...]
    """Words that no passage has, or what a model has not found there."""
    failed: tuple[str, ...]
    """Sources that could not answer."""

    @property
    def is_beside(self) -> bool:
        """Whether the passages have all words of the question, and yet none answers it."""
        return self.held and not (self.missing or self.foreign)


def lack_of(state: View, parts: Sequence[str]) -> Lack:
    """What is lacking for ``parts`` of the question: what a model has not found that has read the passages, else words.
    Where nothing could be searched, no word counts as missing."""
    evidence, silent, language = state.evidence, is_silent(state.reports), reply_language(state)
    bare = bool(state.reports) and all(map(is_bare, state.reports))
    searched = bool(evidence) or (bool(state.reports) and not bare)
    blind = not evidence and (silent or not searched)
    read = [result for result in state.results if result.question in parts]
    named = unique(lacked(result) for result in read if lacked(result) not in ("", result.question))
    words = named if named or blind else absent([sought(part, language) for part in parts], evidence)
    return Lack(
        held=bool(parts and evidence),
        searched=searched or not parts,
        bare=bare,
        silent=silent,
        foreign=not named and _mostly_told(evidence) and is_foreign(parts, evidence),
        missing=words[:SHOWN],
        failed=failed_sources(state.reports),
    )


def _mostly_told(evidence: Sequence[Evidence]) -> bool:
    """Whether most passages tell in which language they are. A list, or a line of code, may be in any."""
    return 2 * sum(bool(tongue(item.text)) for item in evidence) > len(evidence)


def own_results(state: View) -> tuple[SubResult, ...]:
    """The answers of the steps that were asked for, also of such as were to be given again and were not."""
    ids = {step.id for step in asked_steps(state.selected, state.perceived)}
    return tuple(result for result in state.results if result.id in ids and is_answered(result))


def is_answered(result: SubResult) -> bool:
    """Whether there is an answer of a step."""
    return result.status is StepStatus.ANSWERED or (result.status is StepStatus.REOPENED and bool(result.statements))


def has_answer(view: View) -> bool:
    """Whether there is an answer whose confidence can be told, be it one that was withheld for it. What an abstention
    has is the last phase's confidence, which is none in an answer."""
    withheld = any(claim.verdict.stands for claim in claims_in(view))
    return view.stop_reason is StopReason.ANSWERED or bool(view.claims) or withheld


def claims_by_step(state: View, claims: Sequence[Claim]) -> dict[str, tuple[Claim, ...]]:
    """By step id, the ``claims`` that answer the step. They are those made for it; where none was, those of other steps
    that say the same as its own result, since a sentence that answers two parts is stated only once."""
    told = {step.id: tuple(claim for claim in claims if claim.question_id == step.id) for step in state.steps}
    for result in own_results(state):
        if not told[result.id]:
            told[result.id] = tuple(_also_said(claims_of([result], state.evidence), claims))
    return told


def _also_said(own: Sequence[Claim], claims: Sequence[Claim]) -> Iterator[Claim]:
    for claim in claims:
        same = [one.addresses for one in own if {one.text, *one.spans} & {claim.text, *claim.spans}]
        if same:
            yield claim.replace(addresses=max(same))


def unmentioned(state: View, claims: Sequence[Claim]) -> tuple[str, ...]:
    """What the question names, nothing found mentions, and ``claims`` have another thing in the place of, where words
    chose them: a model has read what it answers with."""
    told, language = claims_by_step(state, claims), reply_language(state)
    chosen = {result.id for result in state.results if result.tier == "free"}
    steps = (step for step in state.steps if step.id in chosen and not step.tool)
    said = ((sought(step.question, language), " ".join(claim.text for claim in told[step.id])) for step in steps)
    return unique(name for asked, text in said for name in stand_ins(asked, text, state.evidence))


def reply_language(state: View) -> Language:
    """The language that the product speaks to this user: English to who asks in one that it does not know."""
    return state.perceived.language if state.perceived and is_understood(state) else Language.ENGLISH


def is_understood(state: View) -> bool:
    """Whether the question is in a language of which more is known than how it looks."""
    return state.perceived is None or not is_unknown(state.perceived.text)


def claims_in(state: View) -> tuple[Claim, ...]:
    """The reviewed claims, else the synthesized ones (a run that ended before its review)."""
    if state.review is not None:
        return state.review.claims
    return state.synthesis.claims if state.synthesis else ()


def unanswered_parts(state: View, claims: Sequence[Claim]) -> tuple[str, ...]:
    """The parts of the question that none of ``claims`` answers, without what was said before them. A step that only
    prepares others is no part; of one that answers several parts, what its result says is missing."""
    leading = {waited for step in state.steps for waited in step.depends_on}
    asked = {question.text for question in state.perceived.questions} if state.perceived else set[str]()
    told = {key for key, found in claims_by_step(state, claims).items() if found}
    told |= {result.id for result, _ in done_calls(state)}
    open_steps = (step for step in state.steps if step.id not in told)
    alone = (step.question for step in open_steps if step.question in asked or step.id not in leading)
    several = {step.id for step in state.steps if step.parts and step.id in told}
    return unique(
        (
            *map(without_scene, alone),
            *(result.missing for result in state.results if result.id in several and result.missing),
        )
    )
