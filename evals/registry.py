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


def task_named(name: str) -> Task:
    """Raises ``InputError`` for a name that no task has."""
    if name not in MODULES:
        raise InputError(f"no eval {name!r}: use {', '.join(MODULES)} or {ALL}")
    task: Task = import_module(f"calibrant.evals.tasks.{MODULES[name]}").TASK
    return task


def tasks() -> list[Task]:
    """All of them."""
    return [task_named(name) for name in MODULES]
