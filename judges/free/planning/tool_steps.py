"""Tool steps that can be read off a request: it names the tool, and says what to give it."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

from calibrant.judges.free.words.terms import quoted
from calibrant.judges.free.words.text import content_words, stem, stems
from calibrant.judges.given import ToolCard
from calibrant.state.task import Step, StepKind, Task, call_text

OWN_TOOLS = frozenset({"retrieve_information", "read_page"})
"""The steps search by themselves: these need no step of their own."""

_CALLS = (
    r"(?:use|using|call|run|invoke|execute|with|usando|use|chame|execute|rode|com)(?: the| o| a)?(?: tool| ferramenta)?"
)
_WHOLE, _NUMBER = re.compile(r"-?\d{1,18}"), re.compile(r"-?\d+(?:\.\d+)?")
_ORDER = re.compile(
    r"\W*(?:(?:please|now|and|then|(?:can|could|would|will) you|por favor|agora),? )*(\w+)", re.IGNORECASE
)
"""The first word of an order, but for its courtesies."""
_PLAIN = frozenset({"string", "boolean", "integer", "number"})
"""The JSON types of a single value."""
_OF_WHAT = r"(?:for|on|to|of|in|at|para|em|de|a) (?:the |o |a )?[^\W\d_]+"
"""What a value is the name of, before it: for the gate "north"."""
_JOINTS = r"(?:with|by|on|for|to|and|then|also|please|com|em|para|e|depois|também)"
"""What holds a call and the rest of a request together."""


def tool_steps(branch: str, task: Task, tools: Sequence[ToolCard]) -> tuple[Step, ...]:
    """A step for each tool that the request names plainly and whose required arguments stand in it: before it names the
    next tool, else anywhere."""
    return tuple(_steps(branch, task, tools))


def _steps(branch: str, task: Task, tools: Sequence[ToolCard]) -> Iterator[Step]:
    number = 0
    named = {tool.name: found.start() for tool in tools if (found := _named(task.text, tool.name))}
    places = [0, *sorted(named.values())[1:], len(task.text)]
    for tool in tools:
        if tool.name in OWN_TOOLS or tool.name not in named:
            continue
        start, end = next(part for part in pairwise(places) if part[1] > named[tool.name])
        own = _arguments(task.text[start:end], tool)
        arguments = own if own is not None else _arguments(task.text, tool)
        if arguments is not None:
            number += 1
            yield Step(
                id=f"{branch}.tool{number}",
                kind=StepKind.TOOL,
                question=call_text(tool.name, arguments),
                tool=tool.name,
                arguments=arguments,
            )


def beyond(text: str, calls: Sequence[Step]) -> str:
    """What ``text`` asks beside the calls that it names: "say what it exports". Empty where that is nothing; ``text``
    itself where it names none."""
    named = [step for step in calls if _named(text, step.tool)]
    if not named:
        return text
    rest = text
    for said in (form for step in named for form in _forms(step)):
        rest = re.sub(said, " ", rest, flags=re.IGNORECASE)
    rest = re.sub(r"\([\s,]*\)", " ", rest)
    rest = re.sub(rf"^(?:\W|\b{_JOINTS}\b)+|(?:[\s,;:]|\b{_JOINTS}\b)+$", "", rest, flags=re.IGNORECASE)
    return re.sub(r"\s+", " ", rest) if content_words(rest) else ""


def _forms(step: Step) -> Iterator[str]:
    """How a request names the tool of ``step`` and what it gives it."""
    yield rf"(?:\b{_CALLS} )?(?<![\w.]){re.escape(step.tool)}(?![\w.]\w)(?: tool\b)?"
    for name, value in step.arguments.items():
        plain = re.escape(str(value))
        yield rf"(?:\b(?:{re.escape(name)}\s*(?:=|:|is)?|{_OF_WHAT})\s*)?[\"“`]\s*{plain}\s*[\"”`]"
        yield rf"\b{re.escape(name)}\s*=\s*'{plain}'"
        yield rf"\b{re.escape(name)}\s*[=:]\s*{plain}"


def wanted_tools(text: str, names: Sequence[str]) -> tuple[str, ...]:
    """Those of ``names`` that the request asks for by name."""
    return tuple(name for name in names if name not in OWN_TOOLS and _named(text, name))


def not_callable(text: str, tools: Sequence[ToolCard], calls: Sequence[Step]) -> tuple[str, ...]:
    """The tools that the request orders to call, and that are not among ``calls``: it does not say what they need. A
    question may only ask about one."""
    made = {step.tool for step in calls}
    others = (tool.name for tool in tools if tool.name not in made and tool.name not in OWN_TOOLS)
    return () if "?" in text else tuple(name for name in others if _named(text, name, rf"\b{_CALLS} "))


def names_deed(text: str, tools: Sequence[ToolCard]) -> bool:
    """Whether the request is an order to do what one of the tools does, by its name: "Restart the checkout service", of
    ``restart_service``."""
    said = _ORDER.match(text)
    return said is not None and any(stem(said[1].lower()) in stems(tool.name) for tool in tools)


def _named(text: str, name: str, lead: str = "") -> re.Match[str] | None:
    """Where the request asks for the tool by name: an identifier anywhere, a plain word only after "use" or "run".
    ``lead``: what has to stand before either."""
    whole = rf"(?<![\w.]){re.escape(name)}(?![\w.]\w)"
    lead = lead or ("" if re.search(r"[_\d]|[a-z][A-Z]", name) else rf"\b{_CALLS} ")
    return re.search(f"{lead}{whole}", text, re.IGNORECASE)


def _arguments(text: str, tool: ToolCard) -> dict[str, Any] | None:
    """The tool's arguments as the request gives them; None if one is missing that is required, or does not fit its
    type."""
    properties: dict[str, Any] = tool.schema.get("properties", {})
    given = {name: value for name in properties if (value := value_of(text, name)) is not None}
    missing = [name for name in tool.required if name not in given]
    phrases = [term.text for term in quoted(text) if term.text not in given.values()]
    if len(missing) == 1 and len(phrases) == 1:
        given[missing[0]] = phrases[0]
        missing = []
    if missing:
        return None
    found = {name: typed(value, properties.get(name)) for name, value in given.items()}
    return None if None in found.values() else found


def _type_of(schema: Any) -> str:
    """The JSON type of an argument, by its schema: of several the first that is plain, a string where none is named."""
    named = schema.get("type", ()) if isinstance(schema, dict) else ()
    types = [named] if isinstance(named, str) else [*named]
    return next((one for one in types if one in _PLAIN), types[0] if types else "string")


def typed(value: str, schema: Any) -> Any:
    """``value`` as the JSON type that the ``schema`` of an argument names; None where it is none, or that is no plain
    one."""
    match _type_of(schema):
        case "string":
            return value
        case "boolean":
            return {"true": True, "false": False}.get(value.lower())
        case "integer" if _WHOLE.fullmatch(value):
            return int(value)
        case "number" if _NUMBER.fullmatch(value):
            return float(value)
        case _:
            return None


def value_of(text: str, name: str) -> str | None:
    """What the request gives for the argument ``name``: ``name=value``, ``name: value`` or ``name "value"``, in a call
    as code has it too."""
    match = re.search(rf"\b{re.escape(name)}\s*(?:=|:|is)?\s*[\"“`]([^\"”`]+)[\"”`]", text, re.IGNORECASE)
    match = match or re.search(rf"\b{re.escape(name)}\s*=\s*'([^']+)'", text, re.IGNORECASE)
    if match:
        return match.group(1)
    one_word = r":\s*(?=[^\s,;]+[ \t]*(?:[,;\n]|$))"  # "name: b", but not "note: see below"
    named = rf"\b{re.escape(name)}(?:\s*=\s*|{one_word})"
    bare = re.search(rf"{named}([^\s,;]*[^\s,;.?!])", text, re.IGNORECASE)
    return (_within_brackets(bare.group(1)) or None) if bare else None


def _within_brackets(value: str) -> str:
    """``value`` without the bracket that ends the call it stands in; one that was opened in it is its own."""
    while value.endswith(")") and value.count(")") > value.count("("):
        value = value[:-1]
    return value
