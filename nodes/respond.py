"""``respond`` is the only exit: it renders the answer from whatever there is. Titles and places come from evidence,
by code."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from calibrant.judges.free.request.pasted import apart
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.keeping.recording import keep, run_record
from calibrant.nodes.reading.answered import claims_in, is_understood, unanswered_parts, unmentioned
from calibrant.nodes.reading.called import calls_of, done_calls
from calibrant.nodes.reading.steps import lacked
from calibrant.nodes.sources import outdated
from calibrant.nodes.telling.abstaining import nearest, without_answer
from calibrant.nodes.telling.citing import cite, claims_to_state, reference_list, render
from calibrant.nodes.telling.notices import orders_in, over
from calibrant.nodes.telling.phrases import phrases_for
from calibrant.nodes.telling.questions import needs_model
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Synthesis
from calibrant.state.budget import StopReason, add_spend
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.decision import Action, Rule, less_sure
from calibrant.state.events import Finished
from calibrant.state.evidence import Citation, Evidence
from calibrant.state.task import Language, Phase, Power, StepStatus

ONLY_WORDS = (
    f"Without a language model only {' and '.join(known.name.capitalize() for known in Language)} are understood: "
    "a question in another language finds little but what shares its words."
)

NOT_READ = "What was pasted with the question is read by a language model alone; here it only told what to search for."

COMPOSED = "The code is put together from what is cited; no passage has it so. Try it before you rely on it."


def respond(deps: Deps) -> Node:
    """The node: writes the answer with all that stands behind it and why the run ended, and has the run recorded."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        done = work.done(replied(state) or await answered(state, work))
        confidence, reason = done["confidence"], done["stop_reason"]
        score = confidence.score if confidence else None
        work.emit(Finished(stop_reason=reason.value, confidence=score, spend=work.ledger.spend))
        spend = add_spend(work.before, done["spend"])
        searched = state.perceived.filters.collections if state.perceived else ()
        await keep(run_record(state, confidence, reason, spend, deps.clock()), deps, runtime, searched)
        return done

    return node


def replied(state: View) -> Update:
    """The reply to what asks nothing of the sources: no claim, and no confidence in one. Empty for any other run."""
    reply = state.run.reply if state.run else ""
    told = {"answer": reply, "confidence": None, "stop_reason": StopReason.COURTESY, "messages": [AIMessage(reply)]}
    return told if reply else {}


@dataclass(frozen=True)
class _Answer:
    """What the claims that may be stated come to."""

    confidence: Confidence
    found: bool
    """Whether there is something to tell: an answer, or calls that were made."""
    text: str = ""
    claims: tuple[Claim, ...] = ()
    citations: tuple[Citation, ...] = ()
    withheld: str = ""
    """What is said in place of an answer that is not sure enough."""


async def answered(state: View, work: Work) -> Update:
    """The answer with all that stands behind it, or an abstention."""
    answer = _answer_of(state, work)
    reason = stop_reason(state, answer.found, work)
    unanswered = unanswered_parts(state, answer.claims)
    work.warnings.extend(_warnings(state, answer, work))
    work.warnings.extend(await outdated(_cited(state, answer.citations), work))
    if answer.found:
        text = with_gaps(answer.text, state, unanswered, answer.claims)
    else:
        text = await without_answer(state, reason, answer.withheld, work)
    return {
        "answer": text,
        "confidence": answer.confidence,
        "citations": answer.citations,
        "claims": answer.claims,
        "conflicts": state.synthesis.conflicts if state.synthesis and not answer.withheld else (),
        "unanswered": unanswered,
        "closest": await nearest(state, reason, work),
        "stop_reason": reason,
        "depth_used": state.deepest,
        "messages": [AIMessage(text + reference_list(answer.citations))],
    }


def _answer_of(state: View, work: Work) -> _Answer:
    """The claims as an answer; withheld where its confidence is below what the settings require."""
    claims = claims_to_state(claims_in(state), work.context.unsupported)
    citations = cite(claims, {item.id: item for item in state.evidence})
    text = render(state.synthesis or Synthesis(), claims, citations, phrases_for(state))
    found = bool(text or done_calls(state))
    confidence, least = confidence_in(state, found, work), work.context.abstain_below
    if found and confidence.score < least:
        instead = phrases_for(state).withheld(confidence.score, least)
        return _Answer(confidence, found=False, withheld=instead)
    return _Answer(confidence, found, text, claims, citations)


def _warnings(state: View, answer: _Answer, work: Work) -> Iterator[str]:
    """What a reader has to know beside the answer. Without one, nothing was told that is less sure than wanted."""
    if answer.found and (told := less_sure(state.decisions)):
        yield told
    yield from fell_short(state, answered=answer.found)
    yield from model_spent(work)
    if _has_composed_code(answer.claims, _relied_on(state, answer.citations)):
        yield COMPOSED
    yield from orders_in(_relied_on(state, answer.citations))
    yield from over(_cited(state, answer.citations), work.today)
    if missing := unmentioned(state, answer.claims):
        yield phrases_for(state).nothing_mentions(missing)
    if not (work.has_model or is_understood(state)):
        yield ONLY_WORDS
    if not work.has_model and state.run and apart(state.run.question).pasted:
        yield NOT_READ
    if answer.text and needs_model(state, work):
        yield phrases_for(state).only_quoted


def _has_composed_code(claims: Sequence[Claim], evidence: Sequence[Evidence]) -> bool:
    """Whether a model has written code that stands in no passage, be it with other white space."""
    held = " ".join(" ".join(item.text.split()) for item in evidence)
    return any(claim.is_code and " ".join(claim.text.split()) not in held for claim in claims)


def _relied_on(state: View, citations: Sequence[Citation]) -> list[Evidence]:
    """The passages that this run relies on: of the documents that it cites, and those that a model has read."""
    documents = {item.document for item in _cited(state, citations)}
    read = {held for result in state.results for held in result.read}
    return [item for item in state.evidence if item.document in documents or item.id in read]


def _cited(state: View, citations: Sequence[Citation]) -> list[Evidence]:
    """The passages that are cited."""
    ids = {citation.evidence_id for citation in citations}
    return [item for item in state.evidence if item.id in ids]


def lacking(state: View) -> Iterator[str]:
    """What a model that answered a question found missing; of several parts in one, those are left open."""
    single = {step.id for step in state.steps if not step.parts}
    for result in state.results:
        if result.id in single and result.status is StepStatus.ANSWERED and (missing := lacked(result)):
            yield missing


def model_spent(work: Work) -> list[str]:
    """That calls, tokens or dollars ran out, where there is a model: what came then was judged without it."""
    limits, left = work.limits, work.ledger.left()
    spent = [
        ("model_calls", left.model_calls <= 0 < limits.model_calls),
        ("tokens", left.tokens <= 0 < limits.tokens),
        ("dollars", left.dollars <= 0.0 < limits.dollars),
    ]
    gone = [f"limits.{name}" for name, is_spent in spent if is_spent]
    told = f"The model's budget is spent ({', '.join(gone)}): what was left to judge was judged without it."
    return [told] if gone and work.has_model else []


def fell_short(state: View, *, answered: bool) -> list[str]:
    """A warning where the last search found less than was needed.

    Not where a model found all answers in the passages, or tools gave them: that the passages seem too little is then
    only what a comparison of words says. An abstention says by itself that too little was found, but not that a higher
    ``power`` was allowed.
    """
    last, calls = state.retrieval, {step.id for step in state.steps if step.tool}
    given = [one for one in state.results if one.status is StepStatus.ANSWERED]
    if answered and given and all(one.tier == "model" or one.id in calls for one in given):
        return []
    told = last.shortfall if last and (answered or last.power is not Power.AUTO) else ""
    return [told] if told else []


def confidence_in(state: View, answered: bool, work: Work) -> Confidence:
    """The last decision's confidence; for a reviewed answer, the one that it is told with."""
    if state.decision is None:
        return Confidence()
    confidence, task = state.decision.confidence, state.perceived
    if not answered or task is None or state.decision.phase is not Phase.REFLECT:
        return confidence
    return work.answer_confidence(confidence, task, state, unmentioned(state, claims_in(state)))


def with_gaps(answer: str, state: View, unanswered: Sequence[str], claims: Sequence[Claim]) -> str:
    """The answer, what a model has not found for it, which parts it leaves open, and what became of the calls."""
    phrases = phrases_for(state)
    beside = phrases.untold(tuple(lacking(state))), phrases.left_open(unanswered, calls_of(state, claims))
    return "\n\n".join(filter(None, (answer, " ".join(filter(None, beside)))))


def stop_reason(state: View, answered: bool, work: Work) -> StopReason:
    """Why the run ended."""
    said = state.guidance[-1] if state.guidance else None
    if said and said.action == "abort" and not said.by_default:
        return StopReason.ABORTED
    rule = state.decision.rule if state.decision else None
    if rule is Rule.SALVAGE:
        return StopReason.FAILED
    cut = work.ledger.exhausted or rule is Rule.SPENT
    stopped = state.decision is not None and state.decision.action is Action.RESPOND
    if cut and (stopped or not answered):
        return StopReason.BUDGET
    return StopReason.ANSWERED if answered else StopReason.ABSTAINED
