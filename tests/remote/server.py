"""A real HTTP server on loopback whose answers are scripted per path, with a log of what reached it and when.

with Server() as server:
    server.on("/search", Reply.of_json({"items": []}), Reply(status=503))   # one after the other; the last repeats
    server.on("/slow", Reply(wait=0.2))
    ... server.url("/search") ...
    assert [hit.query for hit in server.hits("/search")] == [{"q": ["x"]}]
"""

import json
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self
from urllib.parse import parse_qs, urlsplit


@dataclass(frozen=True)
class Reply:
    """One answer. ``body`` may be an iterator of pieces (endless, slow): it is sent as it comes, without a length."""

    status: int = 200
    body: bytes | Callable[[], Iterable[bytes]] = b""
    headers: Mapping[str, str] = field(default_factory=dict)
    wait: float = 0.0
    """Seconds before the first byte."""
    hang: bool = False
    """Never answers, until the client leaves or the server closes."""

    @classmethod
    def of_json(cls, value: Any, **options: Any) -> "Reply":
        headers = {"Content-Type": "application/json", **options.pop("headers", {})}
        return cls(body=json.dumps(value).encode(), headers=headers, **options)

    @classmethod
    def of_html(cls, text: str, **options: Any) -> "Reply":
        headers = {"Content-Type": "text/html; charset=utf-8", **options.pop("headers", {})}
        return cls(body=text.encode(), headers=headers, **options)


@dataclass(frozen=True)
class Hit:
    """One request as it arrived."""

    at: float
    method: str
    path: str
    query: Mapping[str, Sequence[str]]
    headers: Mapping[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return json.loads(self.body)


Script = Reply | Callable[[Hit], Reply]


class Server:
    """The server. Unknown paths answer 404, and are logged too."""

    def __init__(self) -> None:
        self._scripts: dict[str, list[Script]] = {}
        self._log: list[Hit] = []
        self._lock = threading.Lock()
        self.closing = threading.Event()
        self._http = _Listener(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,), daemon=True)

    @property
    def port(self) -> int:
        return int(self._http.server_address[1])

    def url(self, path: str = "/", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def on(self, path: str, *replies: Script) -> None:
        """What ``path`` answers: each in turn, the last one for ever. A function is given the request."""
        with self._lock:
            self._scripts[path] = list(replies)

    def hits(self, path: str | None = None) -> list[Hit]:
        """What arrived, in order; at ``path`` alone where one is given."""
        with self._lock:
            return [hit for hit in self._log if path in (None, hit.path)]

    def most_within(self, seconds: float, path: str | None = None) -> int:
        """The most requests that arrived in any window of so many seconds."""
        times = sorted(hit.at for hit in self.hits(path))
        return max((sum(1 for at in times if start <= at < start + seconds) for start in times), default=0)

    def reply_to(self, hit: Hit) -> Reply:
        """Log the request, take the next reply of its path."""
        with self._lock:
            self._log.append(hit)
            scripts = self._scripts.get(hit.path, [Reply(status=404)])
            script = scripts.pop(0) if len(scripts) > 1 else scripts[0]
        return script if isinstance(script, Reply) else script(hit)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.closing.set()
        self._http.shutdown()
        self._http.server_close()


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that left early is part of the tests."""


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _serve(self) -> None:
            at, parts = time.monotonic(), urlsplit(self.path)
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            query = parse_qs(parts.query, keep_blank_values=True)
            reply = server.reply_to(Hit(at, self.command, parts.path, query, dict(self.headers), body))
            if reply.hang:
                server.closing.wait(30)
                self.close_connection = True
                return
            if reply.wait:
                time.sleep(reply.wait)
            self._send(reply)

        do_GET = do_POST = do_HEAD = do_PUT = do_DELETE = _serve

        def _send(self, reply: Reply) -> None:
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            if isinstance(reply.body, bytes):
                if "Content-Length" not in reply.headers:
                    self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)
                return
            self.send_header("Connection", "close")
            self.close_connection = True
            self.end_headers()
            for piece in reply.body():
                if server.closing.is_set():
                    return
                self.wfile.write(piece)
                self.wfile.flush()

        def log_message(self, format: str, *args: Any) -> None:
            """Quiet."""

    return Handler
