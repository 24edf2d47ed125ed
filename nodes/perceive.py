"""``perceive`` understands the task, recalls what is like it, and judges whether that is enough to go on."""

import asyncio
from collections.abc import Sequence
from dataclasses import replace

from langgraph.runtime import Runtime

from calibrant.judges.free.planning.tool_steps import wanted_tools
from calibrant.judges.free.request.misspelt import may_be_misspelt, misspelt, put_right, readings
from calibrant.judges.free.request.pasted import told_in, without_pasted
from calibrant.judges.free.request.understand import request_language
from calibrant.judges.free.request.vague import VAGUE
from calibrant.judges.given import ToUnderstand
from calibrant.nodes.deps import Deps, Node
from calibrant.nodes.judging.deciding import PhaseJudgement, open_phase
from calibrant.nodes.judging.requests import is_answered_next, request_for
from calibrant.nodes.judging.signals import of_reading, of_sources
from calibrant.nodes.keeping.lenient import memory_of
from calibrant.nodes.reading.history import searched_gaps
from calibrant.nodes.reading.thread import turns
from calibrant.nodes.sources import changed, rereader, spelt
from calibrant.nodes.toolbox import toolbox
from calibrant.nodes.work import Work, limits_of
from calibrant.retrievers.findings import is_allowed
from calibrant.state.base import unique
from calibrant.state.channels import Run, Update, View
from calibrant.state.context import Context
from calibrant.state.decision import NEW_DOCUMENTS, Action, Rule, Situation, of_phase
from calibrant.state.events import Understood
from calibrant.state.evidence import Evidence
from calibrant.state.guidance import Guidance
from calibrant.state.memory import Recollection
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import Phase, Task


def perceive(deps: Deps) -> Node:
    """The node. After a retrieval it only judges again; after an answer it understands again."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        work = await Work.begin(deps, runtime, state)
        attempt = open_phase(work, state, Phase.PERCEIVE)
        task, hesitation = await _task(state, work)
        held = state.recalled if state.perceived and state.perceived.text == task.text else None
        recalled = held or await _recall(runtime, task, work)
        evidence = _with_recalled(state.evidence, recalled)
        state = state.model_copy(update={"perceived": task, "evidence": evidence})
        work.limits = limits_of(work.context, state)  # now that it is known whether the question is plain
        sufficiency = await suffices(state, task, work)
        confidence = work.confidence_in(Phase.PERCEIVE, task, recalled, clarity_of(task), sufficiency=sufficiency)
        signals = work.weighed(*of_reading(hesitation, attempt), *of_sources(state, Phase.PERCEIVE, attempt))
        judgement = PhaseJudgement(state, Phase.PERCEIVE, confidence, work, signals)
        decision = judgement.decide(await _seen(judgement, task, recalled))
        if decision.rule is Rule.VAGUE and decision.action is Action.PROCEED and task.wording:
            work.warnings.append(f"A sharper wording to ask it in: {task.wording}")
        missing = sufficiency.missing if sufficiency else ()
        return work.done(
            judgement.update(
                decision,
                perceived=task,
                recalled=recalled,
                evidence=recalled.evidence,
                request=request_for(state, task, decision, work, recalled=recalled, missing=missing),
            )
        )

    return node


async def _seen(judgement: PhaseJudgement, task: Task, recalled: Recollection) -> Situation:
    """What the rule needs to know; also whether the request is vague, and whether there is something new to read."""
    tools = await toolbox(judgement.work)
    calls = bool(tools if judgement.work.has_model else wanted_tools(task.text, tuple(tools)))
    seen, news = judgement.situation(calls=calls), _news(judgement.state, recalled)
    return seen.replace(vague=task.vagueness >= VAGUE, forcing_gaps=(*seen.forcing_gaps, *news))


async def suffices(state: View, task: Task, work: Work) -> Sufficiency | None:
    """Whether the evidence held can answer the task; None where none is held."""
    if not state.evidence:
        return None
    given = work.to_suffice(task, task.parts, state.evidence, answered_next=is_answered_next(state, task))
    return (await work.judge(work.panel.suffice, given, ahead=True)).value


def clarity_of(task: Task) -> float:
    """How clear the way to an answer is before branches exist: each part a question that one can search for."""
    return task.understanding if task.questions else 0.0


async def _task(state: View, work: Work) -> tuple[Task, str]:
    """The task as held, or understood now: at the start of a run and after a person has spoken."""
    run = state.run
    if run is None:
        raise RuntimeError("perceive runs after intake")
    answers = [answer for answer in state.guidance if answer.phase is Phase.PERCEIVE]
    if state.perceived and not _just_answered(state):
        return state.perceived, ""
    text, spoken = wording(run.question, state.perceived, answers)
    before = turns(state.messages, run)
    pasted = told_in(run.question)
    given = ToUnderstand(without_pasted(text), before, spoken, work.today, pasted)
    given, told = await _put_right(given, run, work)
    judged = await work.judge(work.panel.understand, given)
    task = judged.value.replace(original=run.question, power=run.power, filters=run.filters)
    task = task.replace(assumptions=(*told, *task.assumptions))
    work.emit(Understood.of(task))
    return task, judged.hesitation


async def _put_right(given: ToUnderstand, run: Run, work: Work) -> tuple[ToUnderstand, tuple[str, ...]]:
    """``given`` with misspelt words put right, in the turns before it too; and a sentence for each in the request."""
    texts, language = (given.text, *(turn.question for turn in given.history)), request_language(given)
    words = unique(word for text in texts for word in may_be_misspelt(text))
    strange = await spelt(words, run.filters.collections, work) if words else {}
    slips = await asyncio.to_thread(misspelt, strange, language) if strange else {}  # it may load a dictionary
    told = readings({word: slips[word] for word in may_be_misspelt(given.text) if word in slips}, language)
    work.warnings.extend(told)
    turned = tuple(replace(turn, question=put_right(turn.question, slips)) for turn in given.history)
    return replace(given, text=put_right(given.text, slips), history=turned), told


def wording(question: str, task: Task | None, answers: list[Guidance]) -> tuple[str, str]:
    """The text to work on, and the guidance that goes with it, after what a person has said. A ``use`` that an earlier
    version stored has no text: the proposal is still in ``task`` then."""
    text, spoken = question, ""
    for answer in answers:
        if answer.kind == "wording" and answer.action in ("use", "write"):
            text = answer.text or (task.wording if task else "") or question
        elif answer.action == "guide":
            spoken = answer.text
    return text, spoken


def _just_answered(state: View) -> bool:
    """Whether a person has answered perceive since it last judged."""
    judged = of_phase(state.decisions, Phase.PERCEIVE)
    return bool(judged and state.guidance and state.guidance[-1].request_id == judged[-1].id)


async def _recall(runtime: Runtime[Context], task: Task, work: Work) -> Recollection:
    memory = memory_of(work, runtime)
    if memory is None:
        return Recollection()
    recalled = await memory.recall(task, rereader(work))
    allowed = [item for item in recalled.evidence if is_allowed(task.filters, item)]
    recalled = recalled.within(await asyncio.to_thread(_rated, allowed, task, work))
    return recalled.replace(outdated=0.0 < recalled.answered_at < await changed(task, work))


def _rated(passages: Sequence[Evidence], task: Task, work: Work) -> list[Evidence]:
    """Remembered ``passages`` with how well each fits the task, as those have that a search finds: read again they have
    no relevance, and whatever else is found would go before them."""
    fits = work.panel.rate_by_words(task.parts, passages)
    return [item.replace(relevance=fit) for item, fit in zip(passages, fits, strict=True)]


def _news(state: View, recalled: Recollection) -> tuple[str, ...]:
    """A gap that forces a search, once: what was answered from memory before has to be held against what is new."""
    return (NEW_DOCUMENTS,) if recalled.outdated and NEW_DOCUMENTS not in searched_gaps(state.decisions) else ()


def _with_recalled(evidence: tuple[Evidence, ...], recalled: Recollection) -> tuple[Evidence, ...]:
    held = {item.id for item in evidence}
    return (*evidence, *(item for item in recalled.evidence if item.id not in held))
