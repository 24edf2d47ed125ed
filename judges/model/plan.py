"""Planning by a model: candidate branches made of known sources and known tools, each answering the whole task."""

import json
import re
from collections.abc import Sequence
from typing import Any

from calibrant.judges.cascade import Judged
from calibrant.judges.free.planning.ambiguity import alternatives
from calibrant.judges.free.planning.hesitation import hesitation
from calibrant.judges.free.planning.records import dependencies, tool_rationale
from calibrant.judges.free.words.text import folded_stems
from calibrant.judges.given import ToolCard, ToPlan
from calibrant.judges.model import repair
from calibrant.judges.model.asking import Asking, judged, listed, titled
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.prose import notes, prose
from calibrant.judges.model.schemas import PlanReply, PlanRow, StepRow, ToolPlanReply, ToolStepRow
from calibrant.state.base import unique
from calibrant.state.budget import Allowance
from calibrant.state.task import Branch, Step, StepKind

STEPS = 6
QUERIES = 3
NOTES = 3

_PLACE = re.compile(r"\s*(?:<[^<>]*>|\{\{?[^{}]*\}?\}|\$\{?[A-Za-z_][\w.]*\}?|\?+|\.{3}|…)\s*")
"""What stands for a value that is not known yet."""

TOOL_RULES = (
    "- tool and arguments: only if a step needs a tool from the list; its question then says what the call is for, "
    "and arguments is a JSON object with what that tool asks for, of values that are known now. Leave out an argument "
    "that only an earlier step's result will tell, and name that step in after: it is filled in then. Steps without a "
    "tool leave both empty, and are answered from passages."
)


class Plan(Asking):
    """``ToPlan`` -> candidate ``Branch``es."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "plan")

    async def __call__(
        self, given: ToPlan, free: tuple[Branch, ...], allowance: Allowance
    ) -> Judged[tuple[Branch, ...]]:
        schema: type[PlanReply | ToolPlanReply] = ToolPlanReply if given.tools else PlanReply
        reply, spend = await self._ask(schema, allowance, **values_of(given))
        rows = reply.plans[: given.branches]
        read = [_branch(row, number, given) for number, row in enumerate(rows, 1)]
        branches = _distinct([branch for branch, _ in read if branch.steps])
        warnings = [warning for _, found in read for warning in found]
        said = " ".join(prose(row.rationale) for row in rows)
        lacking = unique(name for branch, _ in read for name in branch.left_out)
        return judged(
            branches or tuple(branch.replace(left_out=lacking) for branch in free),
            spend,
            warnings,
            kept=len(branches),
            given=max(1, len(rows)),
            hesitation=hesitation(said),
            alternatives=alternatives(said, given.task.text),
        )


def values_of(given: ToPlan) -> dict[str, str]:
    """What the prompt says about ``given``, by the prompt's variables."""
    insights = [item.text for item in (*given.distillate.key_insights, *given.distillate.best_practices)]
    patterns = [f"{item.name}: {'; '.join(item.steps or item.queries)}" for item in given.patterns[:3]]
    return {
        "count": _count(given),
        "toolrules": TOOL_RULES if given.tools else "",
        "task": fenced("task", _task(given)),
        "sources": titled("Sources:", listed("sources", given.sources)),
        "tools": titled("Tools:", fenced("tools", "\n".join(map(card_text, given.tools)))),
        "patterns": titled("What worked before for something similar:", listed("patterns", patterns)),
        "insights": titled("What is known so far:", listed("insights", insights[:8])),
        "guidance": titled("A person's guidance:", fenced("guidance", given.guidance)),
        "today": dated(given.today),
    }


def _count(given: ToPlan) -> str:
    if given.branches == 1:
        return "Give 1 plan."
    sources = "in which sources they prefer, " if len(given.sources) > 1 else ""
    return (
        f"Give up to {given.branches} plans, best first. They must differ in what they search for, {sources}or in the "
        "order of the steps; not merely in wording. Give fewer if no other way is worth trying."
    )


def _task(given: ToPlan) -> str:
    task = given.task
    lines = [task.text, *(f"Question: {question.text}" for question in task.questions if question.text != task.text)]
    lines += [f"Constraint: {item}" for item in task.constraints]
    lines += [f"Must have: {item.kind} {item.value}" for item in task.must_have]
    lines += [f"Must not have: {item.kind} {item.value}" for item in task.must_not]
    return "\n".join(lines)


def card_text(tool: ToolCard) -> str:
    """A tool as a prompt shows it."""
    arguments = json.dumps(tool.schema.get("properties", {}), ensure_ascii=False)[:600]
    return f"- {tool.name}: {tool.description[:300]} Arguments: {arguments}"


def _branch(row: PlanRow, number: int, given: ToPlan) -> tuple[Branch, list[str]]:
    """The row as a branch, and what had to be left out of it."""
    warnings: list[str] = []
    made: dict[int, Step] = {}
    for at, item in enumerate(row.steps[:STEPS], 1):
        step = _step(item, f"b{number}.s{at}", given.tools, warnings)
        if step is not None and step.awaits and not made:
            warnings.append(_cannot_be_made(step.tool))
        elif step is not None:
            made[at] = step
    steps = [step.replace(depends_on=_after(row.steps[at - 1], at, made)) for at, step in made.items()]
    unknown = [name for name in row.sources if name not in given.sources]
    if unknown:
        warnings.append(f"The model planned with sources that are not there ({', '.join(unknown[:3])[:100]}).")
    planned = (*steps, *_uncovered(steps, f"b{number}", given))
    sources = unique(name for name in row.sources if name in given.sources)
    lacking = [item for at, item in enumerate(row.steps[:STEPS], 1) if at not in made]
    branch = Branch(
        id=f"b{number}",
        name=prose(row.name, limit=60) or f"plan {number}",
        rationale=prose(row.rationale, limit=400),
        steps=planned,
        sources=sources,
        risks=notes(row.risks, NOTES),
        anticipated_issues=notes(row.issues, NOTES),
        tool_rationale=tool_rationale(given.task, planned, sources),
        dependencies=dependencies(planned, given.task),
        left_out=unique(card.name for card in given.tools for item in lacking if _tool(item) == card.name),
    )
    return branch, warnings


def _step(row: StepRow, step_id: str, tools: Sequence[ToolCard], warnings: list[str]) -> Step | None:
    question = prose(row.question, limit=300)
    queries = unique(query for text in row.queries[:QUERIES] if (query := prose(text, limit=120)))
    wanted = _tool(row)
    if not question:
        return None
    if not wanted:
        return Step(id=step_id, question=question, queries=queries)
    card = next((card for card in tools if card.name == wanted), None)
    given = row.arguments if isinstance(row, ToolStepRow) else ""
    arguments = None if card is None else read_arguments(given, card)
    if card is None or arguments is None:
        warnings.append(_cannot_be_made(wanted))
        return None
    return Step(
        id=step_id,
        kind=StepKind.TOOL,
        question=question,
        queries=queries,
        tool=wanted,
        arguments=arguments,
        awaits=unique((*(name for name in card.required if name not in arguments), *held_places(given, card))),
    )


def _cannot_be_made(tool: str) -> str:
    return f"The model planned a tool call that cannot be made ({tool[:60]}); the step was left out."


def _tool(row: StepRow) -> str:
    return row.tool if isinstance(row, ToolStepRow) else ""


def read_arguments(text: str, card: ToolCard) -> dict[str, Any] | None:
    """Arguments that the tool knows, without such as only hold a place ("<id from step 1>"); None where ``text`` is no
    JSON."""
    given = _known(text, card)
    if given is None:
        return None
    return {key: value for key, value in given.items() if value is not None and not _holds_a_place(value)}


def held_places(text: str, card: ToolCard) -> tuple[str, ...]:
    """The arguments that only hold a place: what is meant is not known yet."""
    return tuple(key for key, value in (_known(text, card) or {}).items() if _holds_a_place(value))


def _known(text: str, card: ToolCard) -> dict[str, Any] | None:
    """The arguments in ``text`` that the tool knows; None where it is no JSON."""
    try:
        raw = repair.loads(text) if text else {}
    except ValueError:
        return None
    known = card.schema.get("properties", {})
    return {key: value for key, value in raw.items() if key in known} if isinstance(raw, dict) else {}


def _holds_a_place(value: Any) -> bool:
    return isinstance(value, str) and _PLACE.fullmatch(value) is not None


def _after(row: StepRow, at: int, made: dict[int, Step]) -> tuple[str, ...]:
    """Only earlier steps: then no plan can wait for itself. A call that awaits something waits for all of them, unless
    it says which."""
    named = unique(made[number].id for number in row.after if number in made and number < at)
    return named if named or not made[at].awaits else tuple(made[number].id for number in made if number < at)


def _uncovered(steps: Sequence[Step], branch: str, given: ToPlan) -> list[Step]:
    """A step for each question of the task that no step of the plan takes up."""
    taken = folded_stems(" ".join(f"{step.question} {_call_in_words(step)}" for step in steps))
    left = [question for question in given.task.questions if not _taken(question.text, taken)] if steps else []
    return [
        Step(id=f"{branch}.s{STEPS + number}", question=question.text, queries=(question.text,))
        for number, question in enumerate(left, 1)
    ]


def _call_in_words(step: Step) -> str:
    return " ".join((step.tool.replace("_", " "), *map(str, step.arguments.values())))


def _taken(question: str, words: frozenset[str]) -> bool:
    wanted = folded_stems(question)
    return not wanted or len(wanted & words) / len(wanted) >= 0.5


def _distinct(branches: Sequence[Branch]) -> tuple[Branch, ...]:
    """Branches that differ in what they ask, search for or prefer: a second name makes no second plan."""
    once: dict[object, Branch] = {}
    for branch in branches:
        asked = tuple((step.question.casefold(), tuple(map(str.casefold, step.queries))) for step in branch.steps)
        once.setdefault((asked, branch.sources), branch)
    return tuple(once.values())
