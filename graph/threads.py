"""The threads that a checkpointer holds: what was asked, when, and how it stands. Reads one checkpoint per thread."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from langchain_core.messages import BaseMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from pydantic import ValidationError

from calibrant.state.channels import Run
from calibrant.state.task import Intent, SubResult, unknown_calls

SCAN = 1_000
"""Checkpoints that are read at most where a checkpointer of unknown make cannot be asked for its threads."""

_NEWEST = """
    SELECT thread_id FROM checkpoints WHERE checkpoint_ns = ''
    GROUP BY thread_id ORDER BY max(checkpoint_id) DESC LIMIT
"""
"""Checkpoint ids grow with time, so that the largest is the latest. Only the primary key is read."""


class ThreadStatus(StrEnum):
    """How the latest run of a thread stands."""

    FINISHED = "finished"
    INTERRUPTED = "interrupted"
    UNFINISHED = "unfinished"
    WORKING = "working"
    """Unfinished, and not stopped: a checkpoint alone does not tell."""


@dataclass(frozen=True)
class ThreadSummary:
    """One thread, as a list shows it."""

    id: str
    updated: datetime
    question: str
    status: ThreadStatus
    stop_reason: str = ""
    """How its latest run ended; empty while it has not."""
    unsure: tuple[str, ...] = ()
    """Its calls that may have changed something, and nobody knows whether they did."""
    ours: bool = True
    """Whether this graph wrote it: a database may be shared with others."""


async def list_threads(checkpointer: BaseCheckpointSaver[Any], limit: int = 20) -> list[ThreadSummary]:
    """The threads last written to, latest first."""
    found = [await thread_summary(checkpointer, thread_id) for thread_id in await _newest(checkpointer, limit)]
    return [summary for summary in found if summary is not None]


async def thread_summary(checkpointer: BaseCheckpointSaver[Any], thread_id: str) -> ThreadSummary | None:
    """One thread; None if there is no such thread."""
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    held = await checkpointer.aget_tuple(config)
    if held is None:
        return None
    values = held.checkpoint["channel_values"]
    updated = datetime.fromisoformat(held.checkpoint["ts"])
    status = _status(held)
    ended = str(values.get("stop_reason") or "") if status is ThreadStatus.FINISHED else ""
    return ThreadSummary(thread_id, updated, _question(values), status, ended, _unsure(values), _is_ours(values))


async def _newest(checkpointer: BaseCheckpointSaver[Any], limit: int) -> Sequence[str]:
    if isinstance(checkpointer, AsyncSqliteSaver):
        await checkpointer.setup()
        async with checkpointer.lock, checkpointer.conn.execute(f"{_NEWEST} ?", (limit,)) as cursor:
            return [row[0] for row in await cursor.fetchall()]
    if isinstance(checkpointer, InMemorySaver):
        latest = {thread: max(spaces[""]) for thread, spaces in checkpointer.storage.items() if spaces.get("")}
        return sorted(latest, key=lambda thread: latest[thread], reverse=True)[:limit]
    if hasattr(checkpointer, "conn"):
        return await _newest_in_postgres(checkpointer, limit)
    return await _newest_by_scan(checkpointer, limit)


async def _newest_in_postgres(checkpointer: Any, limit: int) -> Sequence[str]:
    async with checkpointer.conn.connection() as connection:
        rows = await (await connection.execute(f"{_NEWEST} %s", (limit,))).fetchall()
    return [row["thread_id"] for row in rows]


async def _newest_by_scan(checkpointer: BaseCheckpointSaver[Any], limit: int) -> Sequence[str]:
    found: dict[str, None] = {}
    async for held in checkpointer.alist(None, limit=SCAN):
        found[held.config["configurable"]["thread_id"]] = None
    return list(found)[:limit]


def _status(held: CheckpointTuple) -> ThreadStatus:
    """A thread is finished when its latest checkpoint triggers nothing more."""
    if not any(_triggers(channel, value) for channel, value in held.checkpoint["channel_values"].items()):
        return ThreadStatus.FINISHED
    interrupted = any(channel == "__interrupt__" for _, channel, _ in held.pending_writes or ())
    return ThreadStatus.INTERRUPTED if interrupted else ThreadStatus.UNFINISHED


def _triggers(channel: str, value: Any) -> bool:
    if channel == "__pregel_tasks":
        return bool(value)
    return channel == "__start__" or channel.startswith("branch:to:")


def _question(values: Mapping[str, Any]) -> str:
    """What the latest run was asked: by its own record, else by the input, else by the last message of a person."""
    run = values.get("run")
    asked = run.get("question") if isinstance(run, Mapping) else getattr(run, "question", None)
    spoken = [message for message in values.get("messages") or () if isinstance(message, BaseMessage)]
    last = next((str(message.content) for message in reversed(spoken) if message.type == "human"), "")
    return str(asked or _input(values) or last)


def _input(values: Mapping[str, Any]) -> str:
    given = values.get("__start__")
    task = given.get("task") if isinstance(given, Mapping) else None
    return str(task or values.get("task") or "")


def _is_ours(values: Mapping[str, Any]) -> bool:
    try:
        Run.model_validate(values.get("run"))
    except ValidationError:
        return False
    return True


def _unsure(values: Mapping[str, Any]) -> tuple[str, ...]:
    try:
        intents = [Intent.model_validate(one) for one in values.get("intents") or ()]
        results = [SubResult.model_validate(one) for one in values.get("results") or ()]
    except (ValidationError, TypeError):  # a thread of another graph, with channels of these names
        return ()
    return unknown_calls(intents, results)
