"""A run's question to a person, put through an MCP client: where the client can ask, its user answers in a form."""

from typing import Any

from mcp.server.fastmcp import Context
from mcp.server.session import ServerSession
from mcp.shared.exceptions import McpError
from mcp.types import ClientCapabilities, ElicitationCapability
from pydantic import BaseModel, Field, ValidationError, create_model

from calibrant.interfaces.dialog import MEANING, NEEDS_TEXT, Answer
from calibrant.state.confidence import level_of, score_text
from calibrant.state.errors import InputError
from calibrant.state.guidance import (
    ApprovalAction,
    ApprovalRequest,
    GuidanceAction,
    GuidanceRequest,
    HumanRequest,
    WordingAction,
    WordingRequest,
)
from calibrant.state.replies import read_answer
from calibrant.state.validation import problem_in

TRIES = 2
"""A client may answer by itself: one that does not fill in the form is not asked for ever."""


def can_ask(session: ServerSession) -> bool:
    """Whether the client has said that it can ask its user."""
    return session.check_client_capability(ClientCapabilities(elicitation=ElicitationCapability()))


async def elicited(ctx: Context[Any, Any, Any], request: HumanRequest) -> Answer:
    """The user's answer, ready to resume with; what holds without one, if they decline or the form stays invalid."""
    problem = ""
    for _ in range(TRIES):
        try:
            answer = await _filled_in(ctx, request, problem)
        except InputError as error:
            problem = str(error)
        else:
            return answer or unanswered(request)
    return unanswered(request)


async def _filled_in(ctx: Context[Any, Any, Any], request: HumanRequest, problem: str) -> Answer | None:
    """The form as it came back, read; None if the user declines, or their client cannot ask them after all."""
    try:
        said = await ctx.elicit(message_of(request, problem), form_of(request))
    except McpError:
        return None
    except ValidationError as error:
        raise InputError(problem_in(error)) from None
    except ValueError:  # what the protocol's package makes of a form that is accepted without content
        raise InputError("the form came back empty") from None
    if said.action != "accept":
        return None
    answer: Answer = said.data.model_dump()
    read_answer(request, answer)
    return answer


def unanswered(request: HumanRequest) -> Answer:
    """What happens without an answer: nothing is run, no word is changed, and the run goes on as far as it may."""
    match request:
        case ApprovalRequest():
            return {"action": ApprovalAction.REJECT.value}
        case WordingRequest():
            return {"action": WordingAction.KEEP.value}
        case GuidanceRequest():
            action = GuidanceAction.ABORT if request.abort_by_default else GuidanceAction.SKIP
            return {"action": action.value, "by_default": True}


def form_of(request: HumanRequest) -> type[BaseModel]:
    """The form: one of the options, and words for those that need them. Primitive fields only, as the protocol wants.

    Calls are approved or rejected together; editing their arguments takes the command line.
    """
    options = [option.value for option in request.options if option is not ApprovalAction.EDIT]
    meaning = "; ".join(f"{option}: {MEANING[option]}" for option in options)
    fields: dict[str, Any] = {"action": (str, Field(description=meaning, json_schema_extra={"enum": list(options)}))}
    spoken = [f"{option}: {NEEDS_TEXT[option]}" for option in options if option in NEEDS_TEXT]
    if spoken:
        fields["text"] = (str, Field(default="", description="; ".join(spoken)))
    return create_model("Answer", **fields)


def message_of(request: HumanRequest, problem: str = "") -> str:
    """Why the user is asked, and about what."""
    lines = [f"That was no answer: {problem}"] if problem else []
    lines += [f"Question: {request.task}", *request.why]
    if isinstance(request, WordingRequest) and request.proposal:
        lines.append(f"{'Proposed wording' if request.usable else 'To fill in'}: {request.proposal}")
    if isinstance(request, ApprovalRequest):
        for call in request.calls:
            lines.append(f"{call.tool} {call.arguments} {call.why}".rstrip())
            lines += [f"  rests on: {line}" for line in call.rests_on]
    if isinstance(request, GuidanceRequest):
        lines.append(f"Confidence: {score_text(request.score)} {level_of(request.score).value}")
        lines += ["Without an answer the run ends with what it has."] if request.abort_by_default else []
    return "\n".join(lines)
