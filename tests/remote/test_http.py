"""The shared HTTP client against a real server: retries, deadlines, caps, and what its errors say."""

import asyncio
import gzip
import logging
import time
from collections.abc import AsyncIterator, Iterator
from email.utils import formatdate
from typing import Any

import pytest
import pytest_asyncio

from calibrant.retrievers.deadline import seconds_left, within
from calibrant.retrievers.http import Http
from calibrant.retrievers.http_answers import BadStatus
from calibrant.retrievers.limits import Limits, Rate
from calibrant.state.errors import SourceError, SourceLimited, SourceTimeout
from tests.remote.server import Reply, Server


async def test_sends_parameters_headers_and_json(http: Http, server: Server) -> None:
    server.on("/search", Reply.of_json({"items": [1]}))
    found = await http.json(
        "x", server.url("/search"), params={"q": "a b"}, headers={"X-Key": "k"}, method="POST", json={"n": 1}
    )
    (hit,) = server.hits()
    assert found == {"items": [1]}
    assert (hit.method, hit.query, hit.json, hit.headers["X-Key"]) == ("POST", {"q": ["a b"]}, {"n": 1}, "k")
    assert hit.headers["User-Agent"].startswith("calibrant/")


async def test_text_and_bytes(http: Http, server: Server) -> None:
    server.on("/latin", Reply(body="café".encode("latin-1"), headers={"Content-Type": "text/plain; charset=latin-1"}))
    assert await http.text("x", server.url("/latin")) == "café"
    assert (await http.answer("x", server.url("/latin"))).body == "café".encode("latin-1")


@pytest.mark.parametrize("charset", ["no-such", "idna", "hex", "rot13", "undefined"])
async def test_an_impossible_charset_is_read_as_utf8(http: Http, server: Server, charset: str) -> None:
    server.on("/x", Reply(body="café \xff".encode(), headers={"Content-Type": f"text/plain; charset={charset}"}))
    assert (await http.text("x", server.url("/x"))).startswith("café")


async def test_connections_are_kept(http: Http, server: Server) -> None:
    server.on("/x", Reply.of_json(1))
    started = time.perf_counter()
    for _ in range(20):
        await http.json("x", server.url("/x"))
    assert time.perf_counter() - started < 2.0
    assert len({hit.headers["Host"] for hit in server.hits()}) == 1


@pytest.mark.parametrize("status", [429, 500, 502, 503, 504])
async def test_passing_failures_are_tried_again(http: Http, server: Server, status: int) -> None:
    server.on("/x", Reply(status=status, headers={"Retry-After": "0"}), Reply.of_json("fine"))
    assert await http.json("x", server.url("/x")) == "fine"
    assert len(server.hits()) == 2


@pytest.mark.parametrize("status", [400, 401, 404, 501])
async def test_lasting_failures_are_not(http: Http, server: Server, status: int) -> None:
    server.on("/x", Reply(status=status))
    with pytest.raises(BadStatus, match=f"^127.0.0.1 answered {status}$") as caught:
        await http.json("x", server.url("/x"))
    assert caught.value.status == status
    assert len(server.hits()) == 1


async def test_gives_up_after_three_tries(http: Http, server: Server) -> None:
    server.on("/x", Reply(status=503, headers={"Retry-After": "0"}))
    with pytest.raises(BadStatus):
        await http.json("x", server.url("/x"))
    assert len(server.hits()) == 3


def _header(kind: str, seconds: int) -> dict[str, str]:
    if kind == "seconds":
        return {"Retry-After": str(seconds)}
    if kind == "date":
        return {"Retry-After": formatdate(time.time() + seconds, usegmt=True)}
    reset = seconds if kind == "left" else int(time.time()) + seconds
    return {"X-RateLimit-Remaining": "0", "X-RateLimit-Reset": str(reset)}


@pytest.mark.parametrize("kind", ["seconds", "date", "reset", "left"])
async def test_retry_after_that_does_not_fit_is_told_at_once(http: Http, server: Server, kind: str) -> None:
    server.on("/x", Reply(status=403 if kind == "reset" else 429, headers=_header(kind, 40)))
    started = time.perf_counter()
    with pytest.raises(SourceLimited) as caught:
        await http.json("x", server.url("/x"), deadline=1.0)
    assert time.perf_counter() - started < 0.5
    assert caught.value.retry_after == pytest.approx(40, abs=2.5)


async def test_retry_after_is_waited_for_when_it_fits(http: Http, server: Server) -> None:
    stamp = str(time.time() + 0.2)
    server.on("/x", Reply(status=429, headers={"Retry-After": "0"}), Reply.of_json(stamp))
    assert await http.json("x", server.url("/x"), deadline=2.0) == stamp


async def test_a_service_that_asked_for_peace_is_left_alone_by_all(http: Http, server: Server) -> None:
    server.on("/x", Reply(status=429, headers={"Retry-After": "9" * 400}))
    for _ in range(3):
        with pytest.raises(SourceLimited) as caught:
            await http.json("x", server.url("/x"), deadline=1.0)
        assert caught.value.retry_after is not None
        assert caught.value.retry_after <= 3600.0
    assert len(server.hits()) == 1


@pytest.mark.parametrize("headers", [{}, {"Retry-After": "soon"}])
async def test_a_limit_that_names_no_time_is_a_minute(http: Http, server: Server, headers: dict[str, str]) -> None:
    server.on("/x", Reply(status=429, headers=headers))
    for said in ("answered 429", "x: it asked to be left alone"):
        with pytest.raises(SourceLimited, match=said) as caught:
            await http.json("x", server.url("/x"))
        assert caught.value.retry_after == pytest.approx(60.0, abs=1.0)
    assert len(server.hits()) == 1


@pytest.mark.parametrize("said", ["soon", "-5", "1e9", "", "Thu, 99 Foo 2020", "١٢"])
async def test_a_senseless_retry_after_is_no_obstacle(http: Http, server: Server, said: str) -> None:
    headers = {"Retry-After": said} if said.isascii() else {}
    server.on("/x", Reply(status=503, headers=headers), Reply.of_json(1))
    assert await http.json("x", server.url("/x"), deadline=5.0) == 1


async def test_malformed_json(http: Http, server: Server) -> None:
    for body in (b"{", b"", b"[" * 200_000, b"\xff\xfe\x00", b"9" * 5000):
        server.on("/x", Reply(body=body))
        with pytest.raises(SourceError, match=r"^127\.0\.0\.1 sent malformed JSON$"):
            await http.json("x", server.url("/x"))


async def test_a_hanging_service_costs_the_deadline(http: Http, server: Server) -> None:
    server.on("/x", Reply(hang=True))
    started = time.perf_counter()
    with pytest.raises(SourceTimeout, match=r"^127\.0\.0\.1 did not answer in time$"):
        await http.json("x", server.url("/x"), deadline=0.15)
    assert time.perf_counter() - started < 0.5


async def test_the_deadline_from_above_holds(http: Http, server: Server) -> None:
    server.on("/x", Reply(hang=True))
    with within(0.1), pytest.raises(SourceTimeout):
        await http.json("x", server.url("/x"))
    with within(0.1), within(50.0):
        assert seconds_left(5.0) <= 0.1
    assert seconds_left(5.0) == 5.0


async def test_a_longer_deadline_from_above_is_given_whole(server: Server) -> None:
    server.on("/x", Reply.of_json(1, wait=0.3))
    async with Http(Limits(default=()), timeout=0.1) as http:
        with pytest.raises(SourceTimeout):
            await http.json("x", server.url("/x"))
        with within(5.0):
            assert await http.json("x", server.url("/x")) == 1


async def test_an_explanation_is_not_waited_for(http: Http, server: Server) -> None:
    """A service that limits, and then never ends its sentence, has still said so."""

    def endless() -> Iterator[bytes]:
        while True:
            time.sleep(0.05)
            yield b" "

    server.on("/x", Reply(status=429, headers={"Retry-After": "60"}, body=endless))
    started = time.perf_counter()
    with pytest.raises(SourceLimited):
        await http.json("x", server.url("/x"), deadline=5.0)
    assert time.perf_counter() - started < 3.0


async def test_nobody_there(http: Http) -> None:
    with pytest.raises(SourceError, match="cannot be reached") as caught:
        await http.json("x", "http://127.0.0.1:9/?key=secret")
    assert "secret" not in str(caught.value)


async def test_bodies_are_capped(server: Server) -> None:
    async with Http(Limits(default=())) as http:
        packed = gzip.compress(b"\0" * 5_000_000)
        assert len(packed) < 10_000
        for reply in (
            Reply(body=b"x" * 10_001),
            Reply(body=lambda: iter([b"x" * 9_000] * 5)),
            Reply(body=packed, headers={"Content-Encoding": "gzip"}),
            Reply(body=b"x", headers={"Content-Encoding": "br"}),
            Reply(body=b"x", headers={"Content-Encoding": "gzip"}),
        ):
            server.on("/x", reply)
            with pytest.raises(SourceError, match="refused"):
                await http.text("x", server.url("/x"), max_bytes=10_000)


async def test_neither_errors_nor_logs_name_what_was_asked(
    http: Http, server: Server, caplog: pytest.LogCaptureFixture
) -> None:
    server.on("/x", Reply(status=400, body=b"secret-body"))
    with caplog.at_level(logging.DEBUG), pytest.raises(SourceError) as caught:
        await http.json("x", server.url("/x"), params={"key": "secret"}, headers={"Authorization": "secret"})
    said = f"{caught.value} {caught.value!r} {' '.join(record.getMessage() for record in caplog.records)}"
    assert "secret" not in said
    assert "/x" in said  # the line is there, without its query


async def test_cookies_are_not_kept(http: Http, server: Server) -> None:
    server.on("/x", Reply.of_json(1, headers={"Set-Cookie": "id=1"}))
    await http.json("x", server.url("/x"))
    await http.json("x", server.url("/x"))
    assert all("Cookie" not in hit.headers for hit in server.hits())


async def test_follows_a_redirect_without_the_credentials(http: Http, server: Server) -> None:
    with Server() as other:
        other.on("/y", Reply.of_json("there"))
        server.on("/x", Reply(status=302, headers={"Location": other.url("/y", "localhost")}))
        with pytest.raises(SourceError, match="localhost is not a public address"):
            await http.json("x", server.url("/x"))
        assert not other.hits()
        async with Http(Limits(default=()), allow=lambda _: True) as lenient:
            headers = {"Authorization": "secret", "X-Goog-Api-Key": "secret", "Accept": "application/json"}
            assert await lenient.json("x", server.url("/x"), headers=headers) == "there"
        (hit,) = other.hits()
        assert "secret" not in hit.headers.values()
        assert hit.headers["Accept"] == "application/json"
    server.on("/moved", Reply(status=302, headers={"Location": "/here"}))
    server.on("/here", Reply.of_json("here"))
    assert await http.json("x", server.url("/moved"), headers={"X-Goog-Api-Key": "secret"}) == "here"
    assert server.hits("/here")[0].headers["X-Goog-Api-Key"] == "secret"
    server.on("/loop", Reply(status=302, headers={"Location": "/loop"}))
    with pytest.raises(SourceError, match="TooManyRedirects"):
        await http.json("x", server.url("/loop"))


def test_one_client_serves_many_event_loops(server: Server) -> None:
    server.on("/x", Reply.of_json(1))
    http = Http(Limits(default=()))

    async def once() -> Any:
        try:
            return await http.json("x", server.url("/x"))
        finally:
            await http.aclose()

    assert [asyncio.run(once()) for _ in range(3)] == [1, 1, 1]
    http.limits.close()


@pytest_asyncio.fixture
async def limited() -> AsyncIterator[Http]:
    limits = Limits(default=(Rate(2, 30.0),))
    async with Http(limits) as client:
        yield client
    limits.close()


async def test_retries_count_against_the_limit(limited: Http, server: Server) -> None:
    server.on("/x", Reply(status=503, headers={"Retry-After": "0"}))
    with pytest.raises(SourceLimited, match=r"^x: rate limit reached \(2 in 30 s\); free again in"):
        await limited.json("x", server.url("/x"), deadline=2.0)
    assert len(server.hits()) == 2
