"""What a tool gave, read: its output as a passage to quote, an error as a failure in the tool's own words."""

import hashlib
import re
from typing import Any
from urllib.parse import quote, urlencode

from langchain_core.messages import BaseMessage, ToolMessage
from langchain_core.tools import BaseTool, ToolException
from langgraph.types import Command
from pydantic import BaseModel, ValidationError

from calibrant.judges.free.planning.tool_outputs import kind_of_failure, rendered
from calibrant.state.errors import Failure, FailureKind, failure_of
from calibrant.state.evidence import FROM_TOOL, Evidence
from calibrant.state.task import Intent
from calibrant.state.validation import problem_in

TEXT_LIMIT = 4_000
"""Characters of a tool's output that are kept as evidence."""

MESSAGE_LIMIT, ADDRESS_LIMIT = 300, 300
"""Characters of what a tool says went wrong, and of a call as an address."""

SECRET = re.compile(
    r"(\b\w*(?:key|token|secret|password|passwd|pwd)\b[\"']?\s*[=:]\s*[\"']?|\bbearer\s+|://[^\s/:@]*:(?=[^\s/@]+@))"
    r"[^\s\"',;&@]+",
    re.IGNORECASE,
)
"""What looks like a credential in a message."""


def unwrapped(output: Any) -> Any:
    """What a tool gave, without what wraps it for an agent: a message, or the command that adds one. Raises
    ``ToolException`` where the message says that the call has failed."""
    if isinstance(output, Command):
        output = output.update.get("messages", output.update) if isinstance(output.update, dict) else output.update
    messages = output if isinstance(output, list) else [output]
    if not messages or not all(isinstance(one, BaseMessage) for one in messages):
        return output
    said = [block for one in messages for block in one.content_blocks] or ""
    if any(isinstance(one, ToolMessage) and one.status == "error" for one in messages):
        raise ToolException(rendered(said))
    return said


def tells_nothing(output: Any) -> bool:
    """Whether there is nothing in ``output`` that can be read: None, bytes that are no text, or an object (a generator)
    that prints only where it lies in memory."""
    if isinstance(output, bytes):
        return not _decoded(output)
    is_data = isinstance(output, str | dict | list | tuple | BaseModel)
    return output is None or (not is_data and _IN_MEMORY.fullmatch(str(output)) is not None)


_IN_MEMORY = re.compile(r"<.* at 0x[0-9a-fA-F]+>", re.DOTALL)


def _decoded(output: bytes) -> str:
    try:
        return output.decode()
    except UnicodeDecodeError:
        return ""


def as_text(output: Any) -> str:
    """``output`` as text that can be stored; empty where it tells nothing. Data that is no JSON (a date for a key, a
    list that holds itself) stands as it prints itself."""
    if tells_nothing(output):
        return ""
    output = _decoded(output) if isinstance(output, bytes) else output
    try:
        text = rendered(output)
    except Exception:  # noqa: BLE001 - foreign data: how it prints itself is the last that can be tried
        text = str(output)
    return text.encode(errors="replace").decode()


def beginning(text: str) -> str:
    """As much of a long output as is kept: up to the end of a line, else of an item, else of a word."""
    held = text[:TEXT_LIMIT]
    ends = (held.rfind(sign) + 1 for sign in ("\n", "},", ", ", " "))
    end = next((end for end in ends if end > TEXT_LIMIT // 2), TEXT_LIMIT)
    return held[:end].rstrip(", \n")


def as_evidence(intent: Intent, text: str) -> Evidence:
    """The output as a passage. Its address is the call: that is what a reader can check."""
    given = urlencode(intent.arguments, quote_via=quote, safe="/:, ", errors="replace")
    address = f"tool://{intent.tool}{f'?{given}' if given else ''}"[:ADDRESS_LIMIT]
    digest = hashlib.sha256(f"{address}\0{text}".encode()).hexdigest()[:16]
    return Evidence(
        id=f"tool-{digest}",
        text=text,
        title=intent.tool,
        source=f"{FROM_TOOL}{intent.tool}",
        url=address,
        relevance=1.0,
    )


def failure_in_call(error: Exception, tool: BaseTool) -> Failure:
    """What went wrong: in the tool's words, by the argument that did not fit, or by the kind of the error."""
    if isinstance(error, ToolException):
        return _in_its_words(error, tool.name)
    if isinstance(error, ValidationError) and refuses_arguments(error, tool):
        problem = problem_in(error, with_value=False)
        return Failure(kind=FailureKind.ERROR, where=tool.name, message=f"its arguments do not fit: {problem}")
    return failure_of(error, tool.name)


def refuses_arguments(error: Exception, tool: BaseTool) -> bool:
    """Whether a tool was given what does not fit: it has done nothing, and says nothing of how it works."""
    return isinstance(error, ValidationError) and error.title == getattr(tool.args_schema, "__name__", None)


def _in_its_words(error: ToolException, where: str) -> Failure:
    """What a tool says went wrong, which is output like any other: it is meant for whoever called."""
    said = next(filter(None, map(str.strip, str(error).splitlines())), "")
    said = said.removeprefix(f"Error executing tool {where}: ")  # how the protocol's package for Python begins it
    message = SECRET.sub(r"\1…", "".join(sign for sign in said if sign.isprintable()))[:MESSAGE_LIMIT]
    return Failure(kind=kind_of_failure(said), where=where, message=message or type(error).__name__)


def proves_nothing_done(error: Exception, failure: Failure, tool: BaseTool) -> bool:
    """Whether the tool itself says that the call did nothing: in its own words, unless they tell of a timeout, or by
    refusing its arguments. After anything else (a connection that broke) the work may have been done."""
    if isinstance(error, ToolException):
        return failure.kind is not FailureKind.TIMEOUT
    return refuses_arguments(error, tool)
