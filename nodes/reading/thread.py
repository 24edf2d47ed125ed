"""A thread: its id, what has been said in it before, and what a person adds to a run."""

from dataclasses import replace
from typing import Any

from langchain_core.messages import AnyMessage
from langgraph.runtime import Runtime

from calibrant.judges.free.request.courtesy import courtesy
from calibrant.judges.free.request.pasted import without_pasted
from calibrant.judges.given import Turn
from calibrant.state.channels import Run, View
from calibrant.state.task import Language
from calibrant.state.validation import legible


def thread_of(runtime: Runtime[Any]) -> str:
    """The id of the run's thread; empty where it has none."""
    info = runtime.execution_info
    return (info.thread_id if info else None) or ""


def turns(messages: list[AnyMessage], run: Run) -> tuple[Turn, ...]:
    """The earlier turns of the thread that asked something, oldest first, without the question at hand."""
    pairs: list[Turn] = []
    for message in messages:
        text = legible(str(message.text)).strip()  # as ``intake`` takes the question
        if message.type == "human":
            pairs.append(Turn(question=text))
        elif message.type == "ai" and pairs:
            pairs[-1] = Turn(question=pairs[-1].question, answer=without_references(text))
    asked = [place for place, turn in enumerate(pairs) if turn.question == run.question and not turn.answer]
    before = pairs[: asked[-1]] if asked else pairs  # what follows is how a person worded it anew
    told = (replace(turn, question=without_pasted(turn.question)) for turn in before)
    return tuple(turn for turn in told if courtesy(turn.question, Language.ENGLISH) is None)


def without_references(message: str) -> str:
    """A message of ours without its sources: what it says. Where documents lie is nobody's business but the user's."""
    return message.partition("\n\n[1] ")[0]


def guidance_text(state: View) -> str:
    """What a person has said in this run: it holds for the phase that asked and for those after it."""
    return "\n".join(answer.text for answer in state.guidance if answer.action == "guide")
