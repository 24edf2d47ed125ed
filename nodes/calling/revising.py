"""The plan before its next calls: edited by a person, put right by what they said, and with the arguments that earlier
steps have told since."""

from calibrant.judges.free.planning.tool_steps import tool_steps, wanted_tools
from calibrant.judges.given import ToFill
from calibrant.nodes.calling.approval import skipped, verdict_on
from calibrant.nodes.reading.steps import ready, said_to_go_on, unfinished
from calibrant.nodes.reading.thread import guidance_text
from calibrant.nodes.toolbox import Tools, is_read_only, tool_cards
from calibrant.nodes.work import Work
from calibrant.state.channels import View
from calibrant.state.guidance import ApprovalAction
from calibrant.state.task import Branch, Step, StepKind, StepStatus, SubResult, Task


async def revised(
    state: View, task: Task, branch: Branch, tools: Tools, work: Work
) -> tuple[Branch, tuple[SubResult, ...]]:
    """``branch`` with the calls as a person has edited them, put right by guidance, and with what is known by now. And
    the results of the calls that are not to be made."""
    branch = branch.replace(steps=tuple(_edited(state, step) for step in branch.steps))
    answer = said_to_go_on(state)
    said = answer.text if answer else ""
    if said:
        branch = branch.replace(steps=(*_lacking(task, branch, said, tools), *branch.steps))
    due = _to_fill(state, branch, tools, said)
    if not due:
        return branch, ()
    given = ToFill(task, due, tool_cards(tools), state.results, said, guidance_text(state), work.today)
    filled = (await work.judge(work.panel.fill, given, ahead=True)).value
    by_id = {step.id: step for step in filled.steps}
    dropped = tuple(
        skipped(by_id[step_id], state.results, why or said)
        for step_id, why in filled.dropped.items()
        if step_id in by_id
    )
    return branch.replace(steps=tuple(by_id.get(step.id, step) for step in branch.steps)), dropped


def _to_fill(state: View, branch: Branch, tools: Tools, said: str) -> tuple[Step, ...]:
    """The calls that come next and await something, or change something on what others gave; after a person's word all
    that are still to be made. What others failed to tell is not looked for."""
    if said:
        return tuple(step for step in unfinished(branch, state.results) if _is_call(step, tools))
    calls = (step for step in ready(branch, state.results) if _is_call(step, tools))
    answered = {result.id for result in state.results if result.status is StepStatus.ANSWERED}
    told = (step for step in calls if step.depends_on and answered.issuperset(step.depends_on))
    return tuple(step for step in told if step.awaits or _waits_for_approval(state, step, tools))


def _is_call(step: Step, tools: Tools) -> bool:
    return step.kind is StepKind.TOOL and step.tool in tools


def _waits_for_approval(state: View, step: Step, tools: Tools) -> bool:
    return not is_read_only(tools[step.tool]) and verdict_on(state, step) is None


def _edited(state: View, step: Step) -> Step:
    verdict = verdict_on(state, step) if step.kind is StepKind.TOOL else None
    if verdict is None or verdict.action is not ApprovalAction.EDIT or verdict.arguments is None:
        return step
    return step.with_arguments(verdict.arguments)


def _lacking(task: Task, branch: Branch, said: str, tools: Tools) -> tuple[Step, ...]:
    """The calls that the plan lacks, with the arguments that the person gave: those that they name, and where it makes
    none, those that the task needs."""
    named, planned = wanted_tools(said, tuple(tools)), {step.tool for step in branch.calls}
    needed = () if planned else (*wanted_tools(task.text, tuple(tools)), *branch.left_out)
    wanted = {*named, *needed} - planned
    cards = tool_cards({name: tool for name, tool in tools.items() if name in wanted})
    told = said if planned else f"{task.text}\n{' '.join(wanted)}\n{said}"
    found = tool_steps(branch.id, task.replace(text=told), cards)
    return tuple(step.replace(id=f"{branch.id}.{step.tool}") for step in found)
