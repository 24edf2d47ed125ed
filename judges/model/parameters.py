"""The optional parameters of a call, less those that the endpoint has shown that it does not take.

Endpoints disagree on them: OpenAI's reasoning models refuse a temperature and know the cap by its new name only, most
other servers by its old one. What is refused is remembered, so that finding out costs one call, once.
"""

import re
from collections.abc import Sequence
from typing import Any

from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from calibrant.judges.model.opening import is_openai
from calibrant.state.context import ModelSettings

NEW_CAP, OLD_CAP = "max_completion_tokens", "max_tokens"

EFFORT = "reasoning_effort"

SYSTEM = "system"
"""Not a parameter, but refused like one: a message of this role."""

NAMES = {
    **{name: name for name in (NEW_CAP, OLD_CAP, "temperature", EFFORT)},
    "max_output_tokens": NEW_CAP,
    "reasoning.effort": EFFORT,
    "reasoningEffort": EFFORT,
}
"""What an endpoint may refuse without refusing the call: its name for it, and the client's. The client translates for
OpenAI's Responses API (``max_output_tokens``, ``reasoning.effort``), other servers for themselves."""

ROOM_TO_THINK = 4
"""How much longer the output may become where a model thinks first and reached its cap before it answered."""

MOST_ROOM = 32_768
"""No cap is widened beyond this: a model refuses more tokens than it can put out."""

_THINKS = re.compile(r"(?:ft:)?(?:gpt-[5-9]|o\d)")
"""The names of OpenAI's models that think before they answer."""


class Parameters:
    """What goes with each call to one endpoint. ``sent`` is false for a model that the embedder has set up."""

    def __init__(self, settings: ModelSettings, sent: bool = True) -> None:
        optional = {"temperature": settings.temperature, EFFORT: settings.reasoning_effort or None}
        self._optional = {name: value for name, value in optional.items() if sent and value is not None}
        self._caps = [NEW_CAP, OLD_CAP] if is_openai(settings) else [OLD_CAP, NEW_CAP]
        self._sent = sent
        self._system = True
        self._first_cap = self.cap = settings.max_output_tokens
        """The most tokens that one call may put out."""
        self._room = max(self.cap, min(self.cap * ROOM_TO_THINK, MOST_ROOM))
        if is_openai(settings) and _THINKS.match(settings.name):
            self.widen(self.cap)  # else the first call would be paid for only to find that out

    def values(self) -> dict[str, Any]:
        """The parameters as the client takes them."""
        if not self._sent or not self._caps:
            return dict(self._optional)
        # The client would give the old name of the cap as the new one: that one goes past it.
        cap = {NEW_CAP: self.cap} if self._caps[0] == NEW_CAP else {"extra_body": {OLD_CAP: self.cap}}
        return {**self._optional, **cap}

    @property
    def state(self) -> tuple[dict[str, Any], bool]:
        """All that a refusal changes: where it has changed, another call is worth its try."""
        return self.values(), self._system

    def addressed(self, messages: Sequence[BaseMessage]) -> list[BaseMessage]:
        """The messages, the system's as the beginning of the user's where the model knows no system."""
        if self._system or not isinstance(messages[0], SystemMessage):
            return list(messages)
        return [HumanMessage(f"{messages[0].text}\n\n{messages[1].text}"), *messages[2:]]

    def refuse(self, name: str) -> None:
        """Never send ``name`` again. The cap has another name, which is tried next. One that was widened may be too
        much for the model, and is taken back first."""
        if self._caps and self._caps[0] == name and self.cap > self._first_cap:
            self.cap = self._room = self._first_cap
            return
        self._optional.pop(name, None)
        self._system = self._system and name != SYSTEM
        if self._caps and self._caps[0] == name:
            self._caps.pop(0)

    def widen(self, used: int) -> bool:
        """Give a model room to think that reached its cap of ``used`` tokens. Whether there is more room than that."""
        if self._sent and self._caps:
            self.cap = self._room
        return self.cap > used
