"""A loopback endpoint that speaks OpenAI's chat-completions protocol, scripted by judgement.

    with OpenAIServer(smart()) as server:
        model = open_model(ModelSettings(name="any", base_url=server.base_url))

A script maps a judgement's name to a handler: ``(Call) -> Answer`` (a dict is the structured reply; see
``openai_replies`` for the rest). The name comes from the schema or the tool of the request, so the order of calls
does not matter. A request without an entry is answered with 500 and fails the ``with`` block.
"""

import json
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

from calibrant.judges.model.prompting import template
from tests.wire.openai_replies import Answer, Dropped, Json, Raw, Slow, Status, chunks, completion, error_body
from tests.wire.openai_rules import complaint, misfit

JUDGEMENTS = ("understand", "plan", "fill", "suffice", "answer", "distil", "score", "support", "reconcile", "compose")
NATIVE, TOOL, TEXT = "json_schema", "function_calling", "text"


@dataclass(frozen=True)
class Call:
    """One request as a handler sees it."""

    name: str
    body: Json
    number: int
    """From 1, over all requests of this name."""

    @property
    def way(self) -> str:
        """How the structured reply was asked for."""
        if (self.body.get("response_format") or {}).get("type") == "json_schema":
            return NATIVE
        return TOOL if self.body.get("tools") else TEXT

    @property
    def schema(self) -> Json | None:
        """The JSON schema that came with the request."""
        if self.way == NATIVE:
            return dict(self.body["response_format"]["json_schema"]["schema"])
        return dict(self.body["tools"][0]["function"]["parameters"]) if self.way == TOOL else None

    @property
    def system(self) -> str:
        return self._said("system")

    @property
    def user(self) -> str:
        return self._said("user")

    @property
    def corrected(self) -> bool:
        """Whether this is a second try after a reply that did not fit."""
        return any(message["role"] == "assistant" for message in self.body["messages"])

    def _said(self, role: str) -> str:
        return "\n".join(str(m["content"]) for m in self.body["messages"] if m["role"] == role)


Handler = Callable[[Call], Answer]
Script = Mapping[str, Handler]


@dataclass
class Record:
    """One request as it was received and answered."""

    name: str
    body: Json
    headers: dict[str, str]
    started: float
    ended: float = 0.0
    status: int = 0

    @property
    def seconds(self) -> float:
        return self.ended - self.started


@dataclass
class OpenAIServer:
    """The endpoint. ``latency`` delays every answer; ``supports`` and ``ignores`` name ``json_schema``, ``tools``."""

    script: Script
    api_key: str = ""
    """The only key accepted; empty accepts any."""
    models: tuple[str, ...] = ()
    """The models that exist; empty means any."""
    latency: float = 0.0
    supports: frozenset[str] = frozenset({"json_schema", "tools"})
    refuses: frozenset[str] = frozenset()
    """Parameters that are answered with 400."""
    ignores: frozenset[str] = frozenset()
    """What is silently ignored, as many local servers do."""
    requests: list[Record] = field(default_factory=list)
    failures: list[str] = field(default_factory=list)
    peak: int = 0
    """The most requests that were in progress at once."""

    def __enter__(self) -> Self:
        self._lock = threading.Lock()
        self._closing = threading.Event()
        self._busy = 0
        self._http = _Listener(("127.0.0.1", 0), _Connection)
        self._http.endpoint = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)
        self._thread.start()
        return self

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._closing.set()
        self._http.shutdown()
        self._http.server_close()
        self._thread.join(timeout=5)
        if self.failures and error is None:
            raise AssertionError("; ".join(self.failures))

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._http.server_port}/v1"

    @property
    def names(self) -> list[str]:
        """The judgements asked for, in order of arrival."""
        return [record.name for record in self.requests]

    def pause(self, seconds: float) -> None:
        """Sleep, but not beyond the end of the server."""
        self._closing.wait(seconds)

    def received(self, body: Json, headers: dict[str, str]) -> tuple[Record, Call]:
        """The request, recorded."""
        name = judgement_of(body)
        with self._lock:
            self._busy += 1
            self.peak = max(self.peak, self._busy)
            number = 1 + sum(record.name == name for record in self.requests)
            record = Record(name, body, headers, time.monotonic())
            self.requests.append(record)
        return record, Call(name, body, number)

    def answered(self, record: Record, status: int) -> None:
        """The request, done with."""
        with self._lock:
            self._busy -= 1
        record.ended, record.status = time.monotonic(), status

    def answer(self, call: Call, headers: dict[str, str]) -> Answer:
        """What the script, or the endpoint before it, says to ``call``."""
        refused = self._refused(call, headers)
        if refused is not None:
            return refused
        handler = self.script.get(call.name)
        if handler is None:
            return self._failed(f"the script has no entry for {call.name or 'a request without a schema'}")
        try:
            answer = handler(self._heard(call))
        except Exception as error:  # noqa: BLE001 - a broken handler must fail the test, not the connection
            return self._failed(f"the handler of {call.name} failed: {error!r}")
        wrong = misfit(answer, call.schema) if isinstance(answer, dict) and call.schema and call.way == NATIVE else None
        return self._failed(f"{call.name}: {wrong}") if wrong else answer

    def _refused(self, call: Call, headers: dict[str, str]) -> Status | None:
        given = headers.get("authorization", "").removeprefix("Bearer ")
        if self.api_key and given != self.api_key:
            # The real endpoint echoes part of the key too.
            return Status(401, f"Incorrect API key provided: {given}.", code="invalid_api_key")
        model = call.body.get("model", "")
        if self.models and model not in self.models:
            return Status(404, f"The model `{model}` does not exist or you do not have access.", code="model_not_found")
        return complaint(call.body, self.supports, self.refuses)

    def _heard(self, call: Call) -> Call:
        """The request without what this endpoint ignores."""
        dropped = {"json_schema": ("response_format",), "tools": ("tools", "tool_choice")}
        gone = {key for name in self.ignores for key in dropped[name]}
        return Call(call.name, {key: value for key, value in call.body.items() if key not in gone}, call.number)

    def _failed(self, why: str) -> Status:
        self.failures.append(why)
        return Status(500, why, type="server_error")


def judgement_of(body: Json) -> str:
    """The judgement that a request asks for: by its schema, its tool, or, in plain text, by the words of its prompt."""
    response_format = body.get("response_format") or {}
    if response_format.get("type") == "json_schema":
        return str(response_format["json_schema"]["name"])
    if body.get("tools"):
        return str(body["tools"][0]["function"]["name"])
    said = "\n".join(str(message.get("content")) for message in body.get("messages", ()))
    return next((name for name in JUDGEMENTS if template(name).system.splitlines()[0] in said), "")


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    endpoint: OpenAIServer

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away (a timeout under test) is no news."""


class _Connection(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Listener

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing on stderr."""

    def do_GET(self) -> None:
        names = self.server.endpoint.models or ("any",)
        self._json(200, {"object": "list", "data": [{"id": name, "object": "model"} for name in names]})

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers.get("Content-Length", 0))))
        headers = {key.lower(): value for key, value in self.headers.items()}
        if self.path != "/v1/chat/completions":
            self._json(404, error_body(Status(404, f"Invalid URL (POST {self.path})")))
            return
        endpoint = self.server.endpoint
        record, call = endpoint.received(body, headers)
        status = 0
        try:
            endpoint.pause(endpoint.latency)
            status = self._answer(endpoint.answer(call, headers), call)
        finally:
            endpoint.answered(record, status)

    def _answer(self, answer: Answer, call: Call) -> int:
        match answer:
            case Slow(seconds, then):
                self.server.endpoint.pause(seconds)
                return self._answer(then, call)
            case Dropped():
                self.close_connection = True
                return 0
            case Status():
                retry = {} if answer.retry_after is None else {"Retry-After": f"{answer.retry_after:g}"}
                return self._json(answer.status, error_body(answer), retry)
            case Raw():
                return self._send(answer.status, answer.body, {"Content-Type": answer.content_type})
        body = completion(answer, self.server.endpoint._heard(call).body, call.number)
        return self._stream(body, call) if call.body.get("stream") else self._json(200, body)

    def _stream(self, body: Json, call: Call) -> int:
        events = "".join(f"data: {json.dumps(chunk)}\n\n" for chunk in chunks(body, call.body))
        return self._send(200, (events + "data: [DONE]\n\n").encode(), {"Content-Type": "text/event-stream"})

    def _json(self, status: int, body: Json, headers: dict[str, str] | None = None) -> int:
        return self._send(status, json.dumps(body).encode(), {"Content-Type": "application/json", **(headers or {})})

    def _send(self, status: int, body: bytes, headers: dict[str, str]) -> int:
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(body))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)
        return status
