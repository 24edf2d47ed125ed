"""What a run has been through, read off its state: attempts, scores, searches, what a person has said. Pure."""

from collections.abc import Iterable, Sequence

from calibrant.nodes.reading.steps import is_partial, lacked
from calibrant.state.base import unique
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from calibrant.state.decision import USEFUL_BOOST, Action, Decision, Rule, of_phase
from calibrant.state.depth import DEEPEST
from calibrant.state.guidance import Guidance
from calibrant.state.retrieval import RetrievalResult, is_silent
from calibrant.state.task import Phase, Power, StepStatus
from calibrant.state.uncertainty import Signal

FOUND = 0.5
"""How surely a part is answered from which on it counts as found: as likely as not."""


def attempt_of(state: View, phase: Phase) -> int:
    """The number of the coming judgement of ``phase`` in this run, from 1."""
    return 1 + len(of_phase(state.decisions, phase))


def named_missing(state: View) -> tuple[str, ...]:
    """What a model that answered from the passages held, or read those of the last retrieval, has found missing."""
    lacking = (one.strip() for result in state.results for one in lacked(result).split(";"))
    return unique((*filter(None, lacking), *(state.retrieval.sufficiency.named if state.retrieval else ())))


def named_unsought(state: View) -> tuple[str, ...]:
    """What of it no search has looked for yet."""
    sought = [query for retrieval in state.retrievals for query in retrieval.queries]
    return tuple(one for one in named_missing(state) if not any(one.strip(" ?.") in query for query in sought))


def taken_as_it_stands(state: View) -> bool:
    """Whether the request is too vague to search for, and was gone on with since nobody was there to word it."""
    return any(one.rule is Rule.VAGUE and one.action is Action.PROCEED for one in state.decisions)


def score_before(decisions: Sequence[Decision], phase: Phase) -> float | None:
    """The phase's score before the retrieval that it is coming back from; None if it is not."""
    own = of_phase(decisions, phase)
    return own[-1].confidence.score if own and own[-1].action in (Action.RETRIEVE, Action.REFINE) else None


def last_boost(decisions: Sequence[Decision], phase: Phase, score: float) -> float | None:
    """What the phase's last retrieval changed: the score judged after it, minus the one before. None without one."""
    own = of_phase(decisions, phase)
    searched = [index for index, decision in enumerate(own) if decision.action is Action.RETRIEVE]
    if not searched:
        return None
    after = own[searched[-1] + 1].confidence.score if searched[-1] + 1 < len(own) else score
    return after - own[searched[-1]].confidence.score


def searched_gaps(decisions: Sequence[Decision]) -> tuple[str, ...]:
    """The forcing gaps that this run has searched for."""
    return tuple(gap for decision in decisions if decision.rule is Rule.GAPS for gap in decision.gaps)


def spoken_for(answer: Guidance, phase: Phase) -> bool:
    """Whether ``answer`` lets ``phase`` go on. Guidance, to skip and to reject a call count for every phase, any other
    answer only for the phase that asked; approval of a call never does, for it is about that call alone."""
    return answer.action in ("guide", "skip", "reject") or (answer.phase is phase and answer.action != "approve")


def searched_out(state: View) -> bool:
    """Whether more searching is futile: the last retrieval went as deep as it may, and what it found did not help."""
    last = state.retrieval
    if last is None or guided_since(state) or urged_after_outage(state) or named_since(state):
        return False
    deepest = last.depth_used == DEEPEST or last.power is not Power.AUTO
    return deepest and last.confidence_boost < USEFUL_BOOST


def is_covered(state: View, phase: Phase) -> bool:
    """Whether perceive's search found all that the request needs, and nothing was made of it yet: then a low score is
    not for want of evidence, and another search would only cost."""
    last = state.retrieval
    if last is None or phase not in (Phase.PERCEIVE, Phase.REASON) or guided_since(state) or urged_after_outage(state):
        return False
    return last.stop_reason is StopReason.SUFFICIENT and last.phase is Phase.PERCEIVE


def named_by_model(state: View) -> bool:
    """Whether a model has read what was found and said what is missing, of a step or of a part of one: new words to
    search for."""
    return any(
        lacked(one) and (one.status is StepStatus.UNANSWERED or is_partial(state.steps, one)) for one in state.results
    )


def named_since(state: View) -> bool:
    """Whether a model that has read what was found named as missing what no search has looked for yet: that earlier
    searches did not help says nothing of it."""
    return named_by_model(state) and bool(named_unsought(state))


def guided_since(state: View) -> bool:
    """Whether a person has said something that no retrieval has used yet."""
    searched = [index for index, decision in enumerate(state.decisions) if decision.action is Action.RETRIEVE]
    asked = {answer.request_id for answer in state.guidance if answer.action == "guide"}
    after = state.decisions[searched[-1] + 1 :] if searched else state.decisions
    return any(decision.id in asked for decision in after)


def urged_after_outage(state: View) -> bool:
    """Whether a person has just said to go on after a retrieval in which no source could answer: it does not show that
    searching is futile."""
    last, said = state.retrieval, state.guidance[-1] if state.guidance else None
    if last is None or said is None or state.decision is None or said.request_id != state.decision.id:
        return False
    return is_silent(last.sources) and said.action in ("guide", "retry")


def signs_of(signals: Sequence[Signal], phase: Phase) -> tuple[str, ...]:
    """What makes ``phase`` uncertain and nobody has answered yet, in words, each once."""
    details = unique(signal.detail for signal in signals if signal.phase is phase and not signal.resolved)
    return tuple(one for one in details if one and not any(one != other and one in other for other in details))


def unfound(retrievals: Iterable[RetrievalResult]) -> bool:
    """Whether nothing that searches found is thought to answer any part of what was asked, by a model or by what
    embeddings tell. Words alone are no witness of that."""
    judged = [one.sufficiency for one in retrievals if one.sufficiency.parts]
    is_read = bool(judged) and not any(one.by_words for one in judged)
    return is_read and max(part for one in judged for part in one.witnessed) < FOUND
