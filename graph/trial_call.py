"""One call to the model that the settings name: whether it can do its job, before a run depends on it.

It is asked a question whose answer stands in a passage, by the prompt of the ``answer`` judgement: address, key,
schema, quotations and speed are tried as a run tries them.
"""

import asyncio
import time

from calibrant.graph.build import port_maker
from calibrant.graph.describe import Component
from calibrant.graph.settings import Secrets
from calibrant.judges.given import ToAnswer
from calibrant.judges.model.answer import Answer
from calibrant.state.budget import Allowance
from calibrant.state.context import Context
from calibrant.state.errors import CalibrantError
from calibrant.state.evidence import Evidence
from calibrant.state.task import Step, StepStatus, SubResult, Task

NAME = "model: a call"
QUESTION = "How many lamps does the hall have?"
PASSAGE = "The hall has forty lamps, six doors and a stage at its far end. It was painted in spring."
TOLD = ("forty", "40")

_GIVEN = ToAnswer(
    step=Step(id="s1", question=QUESTION),
    task=Task(text=QUESTION),
    evidence=(Evidence(id="e1", text=PASSAGE, title="The hall", source="knowledge", url="file:///hall.md"),),
)
_UNANSWERED = SubResult(id="s1", question=QUESTION, status=StepStatus.UNANSWERED)
"""What there is without the model: nothing, so that whatever comes is the model's."""


async def try_model(context: Context, secrets: Secrets) -> Component:
    """How the model answered one question, as a line for ``doctor``. It is called once, and again only where its first
    reply cannot be used as it is; that may cost money."""
    allowance = Allowance(
        model_calls=4, sequential_calls=4, tokens=20_000, dollars=1.0, seconds=context.model.timeout_s
    )
    begun = time.perf_counter()
    try:
        port = await asyncio.to_thread(port_maker(None, secrets, context), context)
        if port is None:
            return Component(NAME, "off", "no model is named: nothing to call")
        ask = await asyncio.to_thread(Answer, port)
        judged = await ask(_GIVEN, _UNANSWERED, allowance)
    except CalibrantError as error:
        return Component(NAME, "broken", str(error), "runs go on without a model until this is repaired")
    spend = judged.spend
    calls = "1 call" if spend.model_calls == 1 else f"{spend.model_calls} calls"
    cost = f"{time.perf_counter() - begun:.1f} s, {calls}, {spend.tokens} tokens"
    if _is_right(judged.value):
        return Component(NAME, "ok", f"answered a test question, with its words quoted: {cost}")
    hint = f"it was to find {TOLD[0]!r} in two sentences, and to quote them: a larger model may do better"
    return Component(NAME, "broken", f"replied, but nothing of it could be used: {cost}", hint)


def _is_right(result: SubResult) -> bool:
    """Whether the answer is there, and proved by the passage's own words."""
    said = " ".join(statement.text.lower() for statement in result.statements)
    quoted = all(statement.quote and statement.quote in PASSAGE for statement in result.statements)
    return result.status is StepStatus.ANSWERED and quoted and any(word in said for word in TOLD)
