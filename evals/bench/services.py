"""A model and a search service of fixed latency, at the other end of real connections, in a process of their own.

    with Services(model_s=0.2, search_s=0.1) as services:
        ...                        # POST {url}/v1/chat/completions as OpenAI, GET {url}/search as SearXNG
        services.log()             # what they worked on since the last look, and when

The process keeps the log: the time in which a service was at work is measured where the work is done, from the
arrival of a request to the end of its answer. What a run takes beyond it is the run's own.
"""

import asyncio
import json
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self
from urllib.parse import parse_qs

import httpx

from calibrant.evals.bench.manual import found
from calibrant.evals.bench.scripted_model import Json, reply_to

CHARS_PER_TOKEN = 4
"""The usual estimate; the scripted model reports its usage by it."""

Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]


@dataclass(frozen=True)
class Worked:
    """One request: which service, from when to when (seconds of its own clock), and the tokens of a model call."""

    service: str
    started: float
    ended: float
    tokens: int = 0


def busy_seconds(log: Sequence[Worked]) -> float:
    """The time in which any service was at work: overlaps count once."""
    total, until = 0.0, float("-inf")
    for work in sorted(log, key=lambda work: work.started):
        total += max(0.0, work.ended - max(work.started, until))
        until = max(until, work.ended)
    return total


@dataclass
class Services:
    """Both services, running while the ``with`` block does."""

    model_s: float
    search_s: float
    url: str = field(init=False, default="")

    def __enter__(self) -> Self:
        command = [sys.executable, "-m", __name__, str(self.model_s), str(self.search_s)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)  # noqa: S603
        assert self._process.stdout is not None
        self.url = self._process.stdout.readline().strip()
        if not self.url:
            raise RuntimeError("the scripted services did not start")
        return self

    def __exit__(self, *_: object) -> None:
        self._process.terminate()
        self._process.communicate()

    def log(self) -> list[Worked]:
        """What they worked on since the last look."""
        return [Worked(**row) for row in httpx.get(f"{self.url}/log").json()]


@dataclass
class _Server:
    """The services as an ASGI application."""

    model_s: float
    search_s: float
    log: list[Json] = field(default_factory=list)

    async def __call__(self, scope: Any, receive: Receive, send: Send) -> None:
        body = await _body(receive)
        if scope["path"] == "/log":
            held, self.log = self.log, []
            await _answer(send, held)
        elif scope["path"] == "/search":
            query = parse_qs(scope["query_string"].decode())["q"][0]
            await self._work("search", self.search_s, send, lambda: (_results(query), 0))
        else:
            await self._work("model", self.model_s, send, lambda: _completion(json.loads(body)))

    async def _work(self, service: str, latency: float, send: Send, work: Callable[[], tuple[Json, int]]) -> None:
        started = time.monotonic()
        answer, tokens = work()
        await asyncio.sleep(started + latency - time.monotonic())
        await _answer(send, answer)
        self.log.append({"service": service, "started": started, "ended": time.monotonic(), "tokens": tokens})


async def _body(receive: Receive) -> bytes:
    parts, more = [], True
    while more:
        message = await receive()
        parts.append(message.get("body", b""))
        more = message.get("more_body", False)
    return b"".join(parts)


async def _answer(send: Send, answer: Any) -> None:
    headers = [(b"content-type", b"application/json")]
    await send({"type": "http.response.start", "status": 200, "headers": headers})
    await send({"type": "http.response.body", "body": json.dumps(answer).encode()})


def _results(query: str) -> Json:
    """As SearXNG gives them."""
    rows = [
        {"title": f"The {name} queue", "url": f"https://manual.example/{name.lower()}", "content": text}
        for name, text in found(query)
    ]
    return {"query": query, "results": rows}


def _completion(request: Json) -> tuple[Json, int]:
    """As OpenAI gives it, with its tokens."""
    content = json.dumps(reply_to(request))
    prompt, output = len(json.dumps(request["messages"])) // CHARS_PER_TOKEN, len(content) // CHARS_PER_TOKEN
    message = {"role": "assistant", "content": content, "refusal": None}
    usage = {"prompt_tokens": prompt, "completion_tokens": output, "total_tokens": prompt + output}
    return {
        "id": "chatcmpl-1", "object": "chat.completion", "created": 1_700_000_000, "model": request["model"],
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}], "usage": usage,
    }, prompt + output  # fmt: skip


def _serve(model_s: float, search_s: float) -> None:
    """Serve until terminated; the address is the first line of stdout."""
    import socket

    import uvicorn

    listener = socket.create_server(("127.0.0.1", 0), backlog=1024)
    sys.stdout.write(f"http://127.0.0.1:{listener.getsockname()[1]}\n")
    sys.stdout.flush()
    config = uvicorn.Config(_Server(model_s, search_s), lifespan="off", log_level="error", access_log=False)
    uvicorn.Server(config).run(sockets=[listener])


if __name__ == "__main__":
    _serve(float(sys.argv[1]), float(sys.argv[2]))
