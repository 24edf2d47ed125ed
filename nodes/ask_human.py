"""``ask_human`` is the only node that interrupts, and does nothing else: it runs again from its start on each resume.
A tool may interrupt too, inside ``step``."""

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime
from langgraph.types import interrupt

from calibrant.nodes.deps import Deps, Node
from calibrant.state.budget import Spend
from calibrant.state.channels import Update, View
from calibrant.state.context import Context
from calibrant.state.errors import InputError
from calibrant.state.events import PersonAnswered
from calibrant.state.guidance import (
    Guidance,
    HumanRequest,
    WordingAction,
    WordingRequest,
    answer_schema,
    interrupt_payload,
)
from calibrant.state.replies import read_answer
from calibrant.state.uncertainty import resolve


def ask_human(deps: Deps) -> Node:
    """The node. A malformed answer is asked again, with the reason."""

    async def node(state: View, runtime: Runtime[Context]) -> Update:
        request = state.pending
        if request is None:
            raise RuntimeError("ask_human runs after a decision to ask")
        answer: Guidance | None = None
        problem = ""
        while answer is None:
            raw = interrupt(interrupt_payload(request, problem), response_schema=answer_schema(request))
            try:
                answer = read_answer(request, raw)
            except InputError as error:
                problem = str(error)
        answer = _in_full(answer, request).replace(at=deps.clock())
        runtime.stream_writer(PersonAnswered(guidance=answer).model_dump(mode="json"))
        return {
            "guidance": (answer,),
            "messages": [HumanMessage(answer.text)] if answer.kind == "wording" and answer.text else [],
            "pending": None,
            "signals": resolve(state.signals, answer.phase),
            "spend": Spend(questions=1),
        }

    return node


def _in_full(answer: Guidance, request: HumanRequest) -> Guidance:
    """``answer``, with the proposal's words where it takes them: the task that proposed them will be replaced."""
    if isinstance(request, WordingRequest) and answer.action == WordingAction.USE:
        return answer.replace(text=request.proposal)
    return answer
