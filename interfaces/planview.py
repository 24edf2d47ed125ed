"""The reflection records of a run (spec 4) as the trace shows them: the task as understood, and the chosen plan."""

from collections.abc import Iterator, Sequence
from itertools import chain

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from calibrant.interfaces.terminal import labelled
from calibrant.state.channels import View
from calibrant.state.confidence import score_text
from calibrant.state.task import Branch, Step, StepKind, Task, call_text

Row = tuple[str, str]


def plan_of(view: View) -> list[RenderableType]:
    """The task and the strategy; nothing of what is not there yet."""
    parts: list[RenderableType] = []
    if view.perceived:
        parts += [Text("\nTask", style="bold"), _grid(_task_rows(view.perceived))]
    if view.selected:
        count = len(view.branches)
        parts += [
            Text.assemble("\nStrategy: ", view.selected.name, f", best of {count}" if count > 1 else "", style="bold"),
            _grid(chain(_scores(view.branches), _branch_rows(view.selected))),
        ]
    return parts


def _grid(rows: Iterator[Row]) -> Padding:
    return Padding(labelled(((label, Text(text)) for label, text in rows if text), 12), (0, 0, 0, 4))


def _task_rows(task: Task) -> Iterator[Row]:
    yield "plan", task.plan
    yield "assumptions", "\n".join(task.assumptions)
    yield "risks", "\n".join(task.risks)
    yield "success", "\n".join(f"at least {item.target}: {item.what}" for item in task.criteria)


def _scores(branches: Sequence[Branch]) -> Iterator[Row]:
    """How each strategy was scored, where one was chosen among several."""
    if len(branches) > 1:
        yield "scores", ", ".join(f"{branch.name} {score_text(branch.confidence.score)}" for branch in branches)


def _branch_rows(branch: Branch) -> Iterator[Row]:
    yield "why", branch.rationale
    yield "steps", "\n".join(map(_step, branch.steps))
    yield "tools", branch.tool_rationale
    yield "dependencies", branch.dependencies
    yield "risks", "\n".join(branch.risks)
    yield "issues", "\n".join(branch.anticipated_issues)


def _step(step: Step) -> str:
    if step.kind is StepKind.TOOL:
        return call_text(step.tool, step.arguments)
    return "\n".join((step.question, *(f"  with {part}" for part in step.parts)))
