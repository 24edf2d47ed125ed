"""A plan put right by what a person said: the arguments of its calls, or the call that it lacks."""

from calibrant.judges.free.corrections import corrected
from calibrant.judges.free.tool_steps import tool_steps, wanted_tools
from calibrant.nodes.steps import said_to_go_on
from calibrant.nodes.toolbox import Tools, tool_cards
from calibrant.state.base import unique
from calibrant.state.channels import View
from calibrant.state.task import Branch, Step, StepKind, StepStatus, Task


def revised(state: View, task: Task, branch: Branch, tools: Tools) -> Branch:
    """``branch`` after a person's guidance to act; as it is where there is none, or where it says nothing of a call."""
    answer = said_to_go_on(state)
    if answer is None or not answer.text:
        return branch
    done = {result.id for result in state.results if result.status is StepStatus.ANSWERED}
    candidates = unique(name for result in state.results for name in result.candidates)
    steps = tuple(
        step.replace(arguments=corrected(step.arguments, answer.text, candidates))
        if step.kind is StepKind.TOOL and step.id not in done
        else step
        for step in branch.steps
    )
    return branch.replace(steps=(*_lacking(task, branch, answer.text, tools), *steps))


def _lacking(task: Task, branch: Branch, said: str, tools: Tools) -> tuple[Step, ...]:
    """The calls that the task needs and the plan lacks, with the arguments that the person gave."""
    if any(step.kind is StepKind.TOOL for step in branch.steps):
        return ()
    wanted = {*wanted_tools(task.text, tuple(tools)), *branch.left_out, *wanted_tools(said, tuple(tools))}
    cards = tool_cards({name: tool for name, tool in tools.items() if name in wanted})
    told = task.replace(text=f"{task.text}\n{' '.join(wanted)}\n{said}")
    return tool_steps(branch.id, told, cards)
