"""``respond`` is the only exit: it renders the answer from whatever there is. Titles and places come from evidence,
by code."""

import asyncio
from collections.abc import Mapping, Sequence

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from calibrant.judges.free.answering.closest import closest
from calibrant.judges.free.evidence.sufficiency import absent
from calibrant.judges.free.request.orders import sought
from calibrant.judges.free.words.tongues import is_foreign, is_unknown
from calibrant.nodes.answered import failed_sources, told_for
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.notices import orders_in
from calibrant.nodes.phrases import abstention, doubt, fates, gaps, only_quoted, refusal, withheld
from calibrant.nodes.questions import is_beyond_quoting
from calibrant.nodes.recording import keep, run_record
from calibrant.nodes.steps import calls_of, done_calls
from calibrant.nodes.work import Work, kind_of_task
from calibrant.state.answer import Claim, Line, Span, Synthesis, marks_of
from calibrant.state.base import unique
from calibrant.state.budget import StopReason, add_spend
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.decision import Action, Rule
from calibrant.state.events import Finished
from calibrant.state.evidence import Citation, Evidence, Filters, Quotation
from calibrant.state.retrieval import is_silent
from calibrant.state.task import Language, Phase, Power, StepStatus


def respond(deps: Deps) -> Node:
    """The node."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        done = work.done(replied(state) or await answered(state, work))
        confidence, reason = done["confidence"], done["stop_reason"]
        score = confidence.score if confidence else None
        work.emit(Finished(stop_reason=reason.value, confidence=score, spend=work.ledger.spend))
        spend = add_spend(work.before, done["spend"])
        await keep(run_record(state, confidence, reason, spend, deps.clock()), deps, runtime)
        return done

    return node


def replied(state: View) -> Update:
    """The reply to what asks nothing of the sources: no claim, and no confidence in one. Empty for any other run."""
    reply = state.run.reply if state.run else ""
    told = {"answer": reply, "confidence": None, "stop_reason": StopReason.COURTESY, "messages": [AIMessage(reply)]}
    return told if reply else {}


async def answered(state: View, work: Work) -> Update:
    """The answer with all that stands behind it, or an abstention."""
    claims = standing(claims_in(state), work.context.unsupported)
    evidence = {item.id: item for item in state.evidence}
    citations = cite(claims, evidence)
    answer = render(state.synthesis or Synthesis(), claims, citations, language_of(state))
    found = bool(answer or done_calls(state))
    confidence = confidence_in(state, found, work)
    least, instead = work.context.abstain_below, ""
    if found and confidence.score < least:
        instead = withheld(language_of(state), confidence.score, least)
        found, answer, claims, citations = False, "", (), ()
    reason = stop_reason(state, found, work)
    unanswered = unanswered_parts(state, claims)
    work.warnings.extend(fell_short(state, answered=found))
    work.warnings.extend(orders_in(_relied_on(state, citations, work)))
    quoting = state.perceived is not None and is_beyond_quoting(state, state.perceived, work)
    if answer and quoting:
        work.warnings.append(only_quoted(language_of(state)))
    told = with_gaps(answer, state, unanswered, claims) if found else without_answer(state, reason, instead, quoting)
    return {
        "answer": told,
        "confidence": confidence,
        "citations": citations,
        "claims": claims,
        "conflicts": state.synthesis.conflicts if state.synthesis and not instead else (),
        "unanswered": unanswered,
        "closest": await nearest(state, reason),
        "stop_reason": reason,
        "depth_used": state.deepest,
        "messages": [AIMessage(told + reference_list(citations))],
    }


def _relied_on(state: View, citations: Sequence[Citation], work: Work) -> list[Evidence]:
    """The passages that this run relies on: of the documents that it cites; with a model, all that it was shown."""
    if work.has_model:
        return list(state.evidence)
    cited = {citation.evidence_id for citation in citations}
    documents = {item.document for item in state.evidence if item.id in cited}
    return [item for item in state.evidence if item.document in documents]


def fell_short(state: View, *, answered: bool) -> list[str]:
    """That the last search found less than was needed. An abstention says so itself, but not that more was allowed; and
    what a model found in the passages, or a tool gave, does not rest on how words judge them."""
    last, calls = state.retrieval, {step.id for step in state.steps if step.tool}
    given = [one for one in state.results if one.status is StepStatus.ANSWERED]
    if answered and given and all(one.tier == "model" or one.id in calls for one in given):
        return []
    told = last.shortfall if last and (answered or last.power is not Power.AUTO) else ""
    return [told] if told else []


def confidence_in(state: View, answered: bool, work: Work) -> Confidence:
    """The last decision's confidence. That of a reviewed answer is calibrated, unless reflect's own calibrator did."""
    if state.decision is None:
        return Confidence()
    confidence, task = state.decision.confidence, state.perceived
    if not answered or task is None or state.decision.phase is not Phase.REFLECT or confidence.calibrator:
        return confidence
    return work.calibrated(confidence, "answer", kind_of_task(task))


def language_of(state: View) -> Language:
    """The language that the product speaks to this user: English to who asks in one that it does not know."""
    if state.perceived is None or is_unknown(state.perceived.text):
        return Language.ENGLISH
    return state.perceived.language


def claims_in(state: View) -> tuple[Claim, ...]:
    """The reviewed claims, else the synthesized ones (a run that ended before its review)."""
    if state.review is not None:
        return state.review.claims
    return state.synthesis.claims if state.synthesis else ()


def standing(claims: Sequence[Claim], policy: str) -> tuple[Claim, ...]:
    """The claims that may be stated: unsupported ones are dropped, or kept to be marked, by policy."""
    if policy == "mark":
        return tuple(claim for claim in claims if claim.spans)
    return tuple(claim for claim in claims if claim.spans and claim.verdict.stands)


def cite(claims: Sequence[Claim], evidence: Mapping[str, Evidence]) -> tuple[Citation, ...]:
    """One numbered citation a quotation, in order of first use: each claim shows its own words, also where two come
    from one passage. Only passages that are held can be cited."""
    quoted: dict[tuple[str, str], Span] = {}
    for span in (span for claim in claims for span in claim.spans if span.evidence_id in evidence):
        quoted.setdefault((span.evidence_id, span.quote), span)
    return tuple(
        Citation.of(evidence[span.evidence_id], span.quote, span.start, number=number)
        for number, span in enumerate(quoted.values(), start=1)
    )


def render(synthesis: Synthesis, claims: Sequence[Claim], citations: Sequence[Citation], language: Language) -> str:
    """The lines whose claims stand, each with its citation numbers and a mark where it is not supported. A heading
    stays only if something follows it."""
    by_id = {claim.id: claim for claim in claims}
    rendered: list[tuple[Line, str]] = []
    for line in synthesis.lines:
        stated = [by_id[claim_id] for claim_id in line.claim_ids if claim_id in by_id]
        if line.claim_ids and len(stated) < len(line.claim_ids):
            continue
        rendered.append((line, _told(line, stated, citations, language)))
    return "\n".join(
        text for index, (line, text) in enumerate(rendered) if line.claim_ids or _leads(rendered, index)
    ).strip()


def _told(line: Line, stated: Sequence[Claim], citations: Sequence[Citation], language: Language) -> str:
    behind = (marks_of(stated, citations), doubt(language, {claim.verdict for claim in stated}))
    return " ".join(filter(None, (line.text, *behind)))


def _leads(rendered: Sequence[tuple[Line, str]], index: int) -> bool:
    """Whether a heading is followed by a stated line."""
    return index + 1 < len(rendered) and bool(rendered[index + 1][0].claim_ids)


def unanswered_parts(state: View, claims: Sequence[Claim]) -> tuple[str, ...]:
    """The parts of the question that none of ``claims`` answers; a step that only leads to others is no part."""
    leading = {waited for step in state.steps for waited in step.depends_on}
    asked = {question.text for question in state.perceived.questions} if state.perceived else set[str]()
    told = {key for key, found in told_for(state, claims).items() if found}
    told |= {result.id for result, _ in done_calls(state)}
    open_steps = (step for step in state.steps if step.id not in told)
    return unique(step.question for step in open_steps if step.question in asked or step.id not in leading)


def with_gaps(answer: str, state: View, unanswered: Sequence[str], claims: Sequence[Claim]) -> str:
    """The answer, which parts it leaves open, and what became of the calls."""
    return "\n\n".join(filter(None, (answer, gaps(language_of(state), unanswered, calls_of(state, claims)))))


def reference_list(citations: Sequence[Citation]) -> str:
    """The sources, for clients that show only messages."""
    lines = [f"[{citation.number}] {citation.title} - {citation.place}" for citation in citations]
    return "\n\n" + "\n".join(lines) if lines else ""


def stop_reason(state: View, answered: bool, work: Work) -> StopReason:
    """Why the run ended."""
    if state.guidance and state.guidance[-1].action == "abort":
        return StopReason.ABORTED
    rule = state.decision.rule if state.decision else None
    if rule is Rule.SALVAGE:
        return StopReason.FAILED
    cut = work.ledger.exhausted or rule is Rule.SPENT
    stopped = state.decision is not None and state.decision.action is Action.RESPOND
    if cut and (stopped or not answered):
        return StopReason.BUDGET
    return StopReason.ANSWERED if answered else StopReason.ABSTAINED


async def nearest(state: View, reason: StopReason) -> tuple[Quotation, ...]:
    """What came nearest to an answer, where the run ends without one."""
    if reason not in (StopReason.ABSTAINED, StopReason.BUDGET) or claims_in(state):
        return ()
    return await asyncio.to_thread(closest, sought_in(state), state.evidence)


def parts_of(state: View) -> tuple[str, ...]:
    """What an abstention leaves open."""
    return unanswered_parts(state, ()) or ((state.run.question,) if state.run else ())


def sought_in(state: View) -> tuple[str, ...]:
    """What was searched for, for each open part."""
    return tuple(filter(None, (sought(part, language_of(state)) for part in parts_of(state))))


def without_answer(state: View, reason: StopReason, instead: str, quoting: bool) -> str:
    """That there is no answer: ``instead``, that a person stopped the run, or the abstention. What became of the calls
    is told in any case."""
    language = language_of(state)
    stopped = instead or (refusal(language) if reason is StopReason.ABORTED else "")
    if stopped:
        return " ".join(filter(None, (stopped, fates(language, calls_of(state)))))
    return abstention_text(state, quoting)


def abstention_text(state: View, quoting: bool) -> str:
    """No evidence, no answer: what was asked, what is missing (``quoting``: a model), where it was looked for. Where
    nothing could be searched, nothing is known of what is missing."""
    language = language_of(state)
    parts = parts_of(state)
    calls = {step.question for step in state.selected.calls} if state.selected else set()
    asked = [part for part in parts if part not in calls]
    failed, held = failed_sources(state), state.evidence
    blind = not held and is_silent(state.reports)
    words = [] if blind else absent(list(filter(None, (sought(part, language) for part in asked))), held)
    return abstention(
        language,
        parts=parts,
        calls=calls_of(state),
        quoting=quoting,
        foreign=is_foreign(asked, held),
        missing=words[:6],
        beside=bool(asked and held) and not words,
        searched=unique(report.source for report in state.reports if report.source not in failed),
        filters=state.perceived.filters if state.perceived else Filters(),
        failed=failed,
    )
