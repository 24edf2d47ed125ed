"""A plan put right by what a person said: the arguments of its calls, or the call that it lacks."""

from calibrant.judges.free.planning.corrections import corrected
from calibrant.judges.free.planning.tool_steps import tool_steps, wanted_tools
from calibrant.nodes.calling.approval import verdict_on
from calibrant.nodes.reading.steps import said_to_go_on
from calibrant.nodes.toolbox import Tools, tool_cards
from calibrant.state.base import unique
from calibrant.state.channels import View
from calibrant.state.guidance import ApprovalAction
from calibrant.state.task import Branch, Step, StepKind, StepStatus, Task


def revised(state: View, task: Task, branch: Branch, tools: Tools) -> Branch:
    """``branch`` after a person's word to act: with the calls as they have edited them, or put right by guidance; as it
    is where they say nothing of a call."""
    branch = branch.replace(steps=tuple(_edited(state, step) for step in branch.steps))
    answer = said_to_go_on(state)
    if answer is None or not answer.text:
        return branch
    done = {result.id for result in state.results if result.status is StepStatus.ANSWERED}
    candidates = unique(name for result in state.results for name in result.candidates)
    steps = tuple(
        step.with_arguments(corrected(step.arguments, answer.text, candidates))
        if step.kind is StepKind.TOOL and step.id not in done
        else step
        for step in branch.steps
    )
    return branch.replace(steps=(*_lacking(task, branch, answer.text, tools), *steps))


def _edited(state: View, step: Step) -> Step:
    verdict = verdict_on(state, step) if step.kind is StepKind.TOOL else None
    if verdict is None or verdict.action is not ApprovalAction.EDIT or verdict.arguments is None:
        return step
    return step.with_arguments(verdict.arguments)


def _lacking(task: Task, branch: Branch, said: str, tools: Tools) -> tuple[Step, ...]:
    """The calls that the task needs and the plan lacks, with the arguments that the person gave."""
    if branch.calls:
        return ()
    wanted = {*wanted_tools(task.text, tuple(tools)), *branch.left_out, *wanted_tools(said, tuple(tools))}
    cards = tool_cards({name: tool for name, tool in tools.items() if name in wanted})
    told = task.replace(text=f"{task.text}\n{' '.join(wanted)}\n{said}")
    return tool_steps(branch.id, told, cards)
