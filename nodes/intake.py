"""``intake`` opens a run: it takes the new question and clears what belonged to the last one."""

from collections.abc import Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from pydantic import BaseModel

from calibrant.judges.free.request.courtesy import courtesy
from calibrant.judges.free.request.pasted import without_pasted
from calibrant.judges.free.request.understand import request_language
from calibrant.judges.given import ToUnderstand
from calibrant.nodes.deps import Deps, Node, check_context
from calibrant.nodes.reading.thread import turns
from calibrant.nodes.telling.phrases import Phrases
from calibrant.nodes.work import Work
from calibrant.state.base import unique
from calibrant.state.budget import Spend
from calibrant.state.channels import Run, Update, View
from calibrant.state.context import Context
from calibrant.state.errors import InputError
from calibrant.state.events import RunStarted
from calibrant.state.evidence import KINDS, Filters
from calibrant.state.task import Power
from calibrant.state.validation import bounded, legible, suggestion, validated

CLEARED: Update = {
    "perceived": None, "recalled": None, "selected": None, "synthesis": None, "review": None,
    "request": None, "pending": None, "evidence": Overwrite(()),
    "branches": Overwrite(()), "results": Overwrite(()), "intents": Overwrite(()),
    "retrievals": Overwrite(()), "decisions": Overwrite(()),
    "signals": Overwrite(()), "guidance": Overwrite(()), "warnings": Overwrite(()),
    "citations": (), "closest": (), "claims": (), "conflicts": (), "unanswered": (),
    "answer": "", "confidence": None, "stop_reason": None, "depth_used": 0,
}  # fmt: skip
"""What a new run clears. Messages stay: a question is understood in their light, but answered from what its own run
finds. The passages of an earlier question would be ranked among the new ones, and be left out of new searches."""

KNOWLEDGE = "knowledge"
"""The name of the source that has knowledge bases."""

CHECKPOINTER = "__pregel_checkpointer"
"""Where LangGraph has a run's checkpointer, if it has one."""


class Asked(BaseModel):
    """What the caller gave beside messages."""

    task: str = ""
    power: Power | None = None
    interactive: bool | None = None
    filters: dict[str, Any] = {}


def intake(deps: Deps) -> Node:
    """The node. Raises ``InputError`` where there is no question, or something does not fit."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        check_context(runtime)
        work = await Work.begin(deps, runtime)
        asked = asked_of(state)
        question = question_of(asked, state)
        run = Run(
            id=deps.new_id(),
            turn=(state.run.turn if state.run else 0) + 1,
            started_at=work.started,
            question=question,
            power=asked.power or work.context.power,
            interactive=_may_ask(asked, work.context),
            filters=_filters(asked, work.context),
        )
        run = run.replace(reply=reply_to(run, state, tuple(deps.sources)))
        work.emit(RunStarted(run_id=run.id, turn=run.turn, question=question))
        said = {"messages": [HumanMessage(question)]} if asked.task else {}
        warnings = Overwrite(unread(asked, state))
        spend = Overwrite(Spend(active=((work.started, deps.clock()),)))
        return {**CLEARED, **said, "run": run, "warnings": warnings, "spend": spend}

    return node


def reply_to(run: Run, state: View, sources: Sequence[str]) -> str:
    """What is said to a request that asks nothing of the sources; empty for any other."""
    before = turns(state.messages, run)
    asked = without_pasted(run.question)
    found = courtesy(asked, request_language(ToUnderstand(asked, before)))
    if found is None:
        return ""
    return Phrases(found.language).polite(found.said, named(sources, run.filters), known=bool(before))


def named(sources: Sequence[str], filters: Filters) -> tuple[str, ...]:
    """The sources by name, with the knowledge bases that the search is restricted to."""
    bases = f" ({', '.join(filters.collections)})" if filters.collections else ""
    return tuple(f"{name}{bases if name == KNOWLEDGE else ''}" for name in sources)


def asked_of(state: View) -> Asked:
    """What was given, read. What is None was not given."""
    given = {name: value for name in Asked.model_fields if (value := getattr(state, name)) is not None}
    asked = validated(Asked, given)
    return asked.model_copy(update={"task": legible(asked.task).strip()})


def question_of(asked: Asked, state: View) -> str:
    """The task, or the last human message."""
    text = asked.task
    said = [message for message in state.messages if message.type == "human"]
    if not text and said and not _was_asked(said[-1], state):
        text = legible(str(said[-1].text)).strip()
    if not text:
        raise InputError("the question is empty: give `task`, or `messages` with a human message")
    return bounded(text, "the question")


def unread(asked: Asked, state: View) -> tuple[str, ...]:
    """That an image or a file of the message that asks is not read: whoever sent it would take the answer to be about
    that."""
    said = [message for message in state.messages if message.type == "human"]
    blocks = said[-1].content if said and not asked.task else ()
    kinds = unique(
        str(block.get("type")) for block in blocks if isinstance(block, dict) and block.get("type") != "text"
    )
    told = ", ".join(kind.removeprefix("input_").removesuffix("_url") for kind in kinds)
    return (f"What came with the question beside text was not read ({told}).",) if kinds else ()


def _was_asked(message: AnyMessage, state: View) -> bool:
    """Whether the last run was asked this, and something was said since: then it is no new question."""
    held = state.run.question if state.run else ""
    return legible(str(message.text)).strip() == held and message is not state.messages[-1]


def _may_ask(asked: Asked, context: Context) -> bool:
    """Whether a person can be asked: never where the run is not kept, for there the question would be its end."""
    wanted = context.interactive if asked.interactive is None else asked.interactive
    return wanted and get_config()["configurable"].get(CHECKPOINTER) is not None


def _filters(asked: Asked, context: Context) -> Filters:
    for name in asked.filters:
        if name not in Filters.model_fields:  # passed over, it would search everything
            raise InputError(f"unknown filter {name!r}; {suggestion(name, list(Filters.model_fields))}")
    filters = validated(Filters, asked.filters)
    for kind in filters.kinds:
        if kind not in KINDS:
            raise InputError(f"unknown kind of document {kind!r}; {suggestion(kind, KINDS)}")
    return filters if filters.collections else filters.replace(collections=context.knowledge)
