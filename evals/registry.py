"""The tasks by name. A task's module is imported when it is asked for."""

from importlib import import_module

from calibrant.evals.task import Task
from calibrant.state.errors import InputError

ALL = "all"

MODULES = {
    "sufficiency": "sufficiency",
    "conflict": "conflict",
    "claims": "claims",
    "query-type": "query_type",
    "sub-questions": "sub_questions",
    "ambiguity": "ambiguity",
    "scorer": "scorer",
    "calibration": "calibration",
    "depth": "depth",
    "answer": "answer",
    "synthesis": "synthesis",
    "memory": "memory",
}
"""Name on the command line to module in ``tasks/``."""

TABLE: dict[str, int | None] = {
    "sufficiency": 150, "conflict": 500, "claims": None, "query-type": None, "sub-questions": 1500, "ambiguity": None,
    "scorer": 100, "calibration": None, "depth": 60, "answer": 150, "synthesis": None, "memory": 40,
}  # fmt: skip
"""Items of each dataset (of each half that is judged) that a run of all tasks takes, None for all of them: with these
it stays below an hour on two cores. Tasks that run the whole graph, or read many passages an item, take few."""


def task_named(name: str) -> Task:
    """Raises ``InputError`` for a name that no task has."""
    if name not in MODULES:
        raise InputError(f"no eval {name!r}: use {', '.join(MODULES)} or {ALL}")
    task: Task = import_module(f"calibrant.evals.tasks.{MODULES[name]}").TASK
    return task


def tasks() -> list[Task]:
    """All of them."""
    return [task_named(name) for name in MODULES]
