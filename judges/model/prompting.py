"""Prompts are files with strict variables; what others wrote stands in them as data that cannot break its fence.

A template is ``prompts/<name>.md``: the system message, a line of ``---``, the user message, with ``$variables``. A
missing or an unknown variable fails loudly, when the prompt is rendered and not at the endpoint.
"""

import re
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib.resources import files
from string import Template as Strings

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

CHARS_PER_TOKEN = 4
"""The usual estimate for European languages. A real tokenizer would have to be downloaded."""

MESSAGE_TOKENS = 8
"""What a chat template adds around one message, about."""

TAGS = (
    "passages", "passage", "question", "questions", "request", "earlier", "guidance", "task", "claims", "claim",
    "pairs", "pair", "response", "sources", "tools", "patterns", "insights", "conflicts", "missing", "draft",
    "calls", "call", "result", "pasted",
)  # fmt: skip
"""Every tag that a prompt of ours may use as a fence."""

ATTRIBUTE_CHARS = 120

_WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""As English has them: ``strftime`` would follow the locale."""

_IN_ATTRIBUTES = str.maketrans({'"': "'", "<": "‹", ">": "›"})
_FENCE = re.compile(rf"<(?=\s*/?\s*(?:{'|'.join(TAGS)})\b)", re.IGNORECASE)
# Control tokens of common chat templates: a local server may read them as such even inside a user's message.
_CONTROL = re.compile(r"<(?=\||/?(?:s|start_of_turn|end_of_turn|think|think/)>|<\s*/?SYS>>)", re.IGNORECASE)
_INST = re.compile(r"\[(/?INST)\]", re.IGNORECASE)
_UNSEEN = re.compile(
    r"[\x00-\x08\x0b-\x1f\x7f-\x84\x86-\x9f\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff"
    r"\U000e0000-\U000e0fff]"
)
"""The last are tags, in which a whole order can be written that nobody sees and a model reads."""
_BLANK_LINES = re.compile(r"\n{3,}")


def tokens_of(text: str) -> int:
    """An estimate of the tokens in ``text``."""
    return -(-len(text) // CHARS_PER_TOKEN)


def safe(text: str) -> str:
    """``text`` as data: no fence of ours, no control token and no invisible character is left in it."""
    visible = _UNSEEN.sub("", text.replace("\r\n", "\n"))
    fenceless = _FENCE.sub("‹", _CONTROL.sub("‹", visible))
    return _INST.sub(r"(\1)", fenceless)


def fenced(tag: str, text: str, **attributes: str) -> str:
    """``text`` as data between ``tag`` and its end; empty text needs no fence."""
    if tag not in TAGS:
        raise ValueError(f"{tag} is not among the tags that data is guarded against")
    if not text.strip():
        return ""
    inside = "".join(f' {name}="{attribute(value)}"' for name, value in attributes.items() if value)
    return f"<{tag}{inside}>\n{safe(text.strip())}\n</{tag}>"


def dated(today: date | None) -> str:
    """The line that tells a model the day; empty where nobody has a calendar."""
    return f"Today is {_WEEKDAYS[today.weekday()]}, {today.isoformat()}." if today else ""


def attribute(text: str) -> str:
    """``text`` as the value of an attribute: one short line that cannot end it. A long one keeps its beginning and its
    end: the last heading says most."""
    line = " ".join(safe(text).translate(_IN_ATTRIBUTES).split())
    if len(line) <= ATTRIBUTE_CHARS:
        return line
    return f"{line[: ATTRIBUTE_CHARS // 2]} … {line[-ATTRIBUTE_CHARS // 2 :]}"


@dataclass(frozen=True)
class Prompt:
    """A rendered prompt. ``name`` is the judgement's: the schema and the tool carry it too."""

    name: str
    system: str
    user: str

    @property
    def tokens(self) -> int:
        """An estimate of what it costs to send."""
        return tokens_of(self.system) + tokens_of(self.user) + 2 * MESSAGE_TOKENS

    def messages(self) -> list[BaseMessage]:
        """The prompt as chat messages."""
        return [SystemMessage(self.system), HumanMessage(self.user)]


@dataclass(frozen=True)
class Template:
    """A prompt with holes."""

    name: str
    system: str
    user: str

    @property
    def variables(self) -> frozenset[str]:
        return frozenset(Strings(self.system).get_identifiers() + Strings(self.user).get_identifiers())

    def render(self, **values: str) -> Prompt:
        """The prompt with every variable filled. Too few or too many of them is our mistake, and raised as such."""
        if values.keys() != self.variables:
            missing, unused = self.variables - values.keys(), values.keys() - self.variables
            raise KeyError(f"prompt {self.name}: missing {sorted(missing)}, unused {sorted(unused)}")
        return Prompt(self.name, _filled(self.system, values), _filled(self.user, values))


def _filled(text: str, values: dict[str, str]) -> str:
    return _BLANK_LINES.sub("\n\n", Strings(text).substitute(values)).strip()


@cache
def template(name: str) -> Template:
    """The template of a judgement. Read when the askers are built: a node must not touch the disk."""
    text = (files("calibrant.judges.model") / "prompts" / f"{name}.md").read_text(encoding="utf-8")
    system, line, user = text.partition("\n---\n")
    if not line:
        raise ValueError(f"prompt {name}: no line of --- between the system and the user message")
    return Template(name, system.strip(), user.strip())
