"""One step for all parts of a request. Where a model reads the passages, one answer over those of all parts says what
they come to together, such as which of two is older; part by part nobody would be asked that, at a call for each."""

from itertools import chain, zip_longest

from calibrant.judges.free.planning.plan import MOST_QUERIES
from calibrant.judges.free.planning.records import dependencies
from calibrant.state.base import unique
from calibrant.state.task import Branch, QueryType, Step, StepKind, Task

MOST_PARTS = 4
"""Passages for more parts do not fit into one prompt."""


def is_one_answer(task: Task) -> bool:
    """Whether one answer may be given to all parts of ``task``: a few that can be looked up side by side. An analysis
    or an overview has more to say of each."""
    several = 1 < len(task.questions) <= MOST_PARTS
    return several and task.query_type is not QueryType.STRATEGIC and not any(one.depends_on for one in task.questions)


def together(branch: Branch, task: Task) -> Branch:
    """``branch`` with one step for all parts of ``task``; itself where its steps do something else than answer them."""
    parts = tuple(step.question for step in branch.steps)
    answers = all(step.kind is StepKind.ANSWER for step in branch.steps)
    if not answers or set(parts) != {part.text for part in task.questions}:
        return branch
    by_turns = zip_longest(*(step.queries for step in branch.steps), fillvalue="")
    queries = unique(filter(None, chain.from_iterable(by_turns)))[:MOST_QUERIES]
    steps = (Step(id=f"{branch.id}.all", question=task.text, parts=parts, queries=queries),)
    return branch.replace(steps=steps, dependencies=dependencies(steps, task))
