"""YouTube: both searches, and transcripts whose passages open at the second."""

import pytest
from pydantic import SecretStr

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.http import Http
from calibrant.retrievers.youtube import YouTube
from calibrant.state.errors import SourceError, SourceLimited
from calibrant.state.evidence import Citation, SearchQuery
from tests.remote.server import Reply, Server
from tests.sources import payloads

DATA, PAGE, PLAYER, TRACK = "/youtube/v3/search", "/youtubei/v1/search", "/youtubei/v1/player", "/api/timedtext"
QUERY = SearchQuery(text="How is isotonic regression calibrated?", limit=5)
KEY = SecretStr("AIza-very-secret")


def _transcript(count: int = 60) -> Reply:
    lines = [(4.5 * n, f"this is caption number {n} of the talk") for n in range(count)]
    lines[40] = (180.25, "now isotonic regression isn&amp;#39;t calibrated")
    body = "".join(payloads.CAPTION.format(start=start, text=text) for start, text in lines)
    return Reply(body=payloads.TRANSCRIPT.format(body + '<text dur="1">no start</text>').encode())


def _source(server: Server, http: Http, key: SecretStr | None = None) -> YouTube:
    return YouTube(http, key, base_url=server.url(), data_url=server.url())


def _serve(server: Server) -> None:
    server.on(DATA, Reply.of_json(payloads.YOUTUBE_DATA))
    server.on(PAGE, Reply.of_json(payloads.YOUTUBE_PAGE))
    server.on(PLAYER, Reply.of_json(payloads.PLAYER))
    server.on(TRACK, _transcript())


async def test_a_passage_opens_at_its_second(server: Server, http: Http) -> None:
    _serve(server)
    best, *_ = await _source(server, http, KEY).search(QUERY)
    assert "now isotonic regression isn't calibrated" in best.text
    assert best.locator.second is not None
    assert 0 < best.locator.second <= 180.25
    assert best.title == "Calibration & confidence"
    assert best.author == "PyCon"
    cited = Citation(
        number=1, evidence_id=best.id, title="", url=best.url, source="", quote="", locator=best.locator
    )  # fmt: skip
    assert cited.place == f"https://www.youtube.com/watch?v=dQw4w9WgXcQ&t={int(best.locator.second)}"
    assert best.locator.end - best.locator.start == len(best.text)


async def test_the_documented_search_has_its_key_in_a_header(server: Server, http: Http) -> None:
    _serve(server)
    await _source(server, http, KEY).search(QUERY.replace(negative=("music",)))
    (hit,) = server.hits(DATA)
    assert hit.query == {"part": ["snippet"], "type": ["video"], "q": [f"{QUERY.text} -music"], "maxResults": ["5"]}
    assert hit.headers["X-Goog-Api-Key"] == "AIza-very-secret"
    assert server.hits(PAGE) == []


async def test_without_a_key_the_page_is_asked_and_the_written_track_read(server: Server, http: Http) -> None:
    _serve(server)
    found = await _source(server, http).search(QUERY.replace(limit=4))
    assert {item.url[-11:] for item in found} == {"aaaaaaaaaaa", "bbbbbbbbbbb"}
    assert found[0].title == "Calibration explained"
    (hit,) = server.hits(PAGE)
    assert hit.json["query"] == QUERY.text
    assert hit.json["context"]["client"]["clientName"] == "WEB"
    assert server.hits(PLAYER)[0].json["context"]["client"]["clientName"] == "ANDROID"
    assert server.hits(TRACK)[0].query == {"v": ["x"], "lang": ["en"]}


@pytest.mark.parametrize(
    ("player", "track"),
    [
        (Reply.of_json({"playabilityStatus": {"status": "LOGIN_REQUIRED", "reason": "Sign in"}}), Reply()),
        (Reply(status=404), Reply()),
        (Reply.of_json(payloads.PLAYER), Reply.of_html("<html><br>sorry")),
        (Reply.of_json(payloads.PLAYER), Reply()),
        (Reply.of_json({"captionTracks": [{"baseUrl": "/api/timedtext?v=x&exp=xpe"}]}), _transcript()),
        (Reply.of_json({"captionTracks": [{"baseUrl": "/api/timedtext?v=x&lang=en&exp=xpv"}]}), _transcript()),
        (Reply.of_json({"captionTracks": [{"baseUrl": "http://[x/api/timedtext?v=x"}]}), _transcript()),
    ],
)
async def test_without_a_transcript_the_description_stands_and_says_so(
    server: Server, http: Http, player: Reply, track: Reply
) -> None:
    _serve(server)
    server.on(PLAYER, player)
    server.on(TRACK, track)
    answer = await _source(server, http, KEY).search(QUERY)
    (found,) = answer
    assert (found.text, found.locator.second) == ("A talk on calibration.", None)
    assert isinstance(answer, Partial)
    assert answer.failure.message.startswith("transcripts could not be read (")


@pytest.mark.parametrize("address", ["@localhost:{port}/x", "//localhost:{port}/x"])
async def test_no_transcript_is_read_from_another_host(server: Server, http: Http, address: str) -> None:
    _serve(server)
    with Server() as other:
        tracks = [{"baseUrl": address.format(port=other.port)}]
        server.on(PLAYER, Reply.of_json({"captionTracks": tracks}))
        answer = await _source(server, http, KEY).search(QUERY)
        assert other.hits() == []
    assert isinstance(answer, Partial)
    assert answer[0].text == "A talk on calibration."


async def test_a_video_without_captions_lacks_nothing(server: Server, http: Http) -> None:
    _serve(server)
    server.on(PLAYER, Reply.of_json({"playabilityStatus": {"status": "OK"}}))
    found = await _source(server, http, KEY).search(QUERY)
    assert found[0].text == "A talk on calibration."
    assert not isinstance(found, Partial)


async def test_nothing_found(server: Server, http: Http) -> None:
    server.on(DATA, Reply.of_json({"kind": "youtube#searchListResponse", "items": []}))
    server.on(PAGE, Reply.of_json({"contents": {}}))
    assert await _source(server, http, KEY).search(QUERY) == []
    assert await _source(server, http).search(QUERY) == []


@pytest.mark.parametrize("reply", [Reply.of_html("<html>"), Reply.of_json({}), Reply.of_json([]), Reply(status=403)])
async def test_failures(server: Server, http: Http, reply: Reply) -> None:
    server.on(DATA, reply)
    server.on(PAGE, reply)
    for source in (_source(server, http, KEY), _source(server, http)):
        with pytest.raises(SourceError) as caught:
            await source.search(QUERY)
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("status", "error", "kind", "said"),
    [
        (403, {"errors": [{"domain": "youtube.quota", "reason": "quotaExceeded"}]}, SourceLimited, "quota"),
        (403, {"errors": [{"domain": "usageLimits", "reason": "accessNotConfigured"}]}, SourceError, "YOUTUBE_API_KEY"),
        (400, {"errors": [{"reason": "badRequest"}], "details": [{"reason": "API_KEY_INVALID"}]}, SourceError, "_KEY"),
        (400, {"errors": [{"domain": "youtube.search", "reason": "invalidSearchFilter"}]}, SourceError, "answered 400"),
        (404, "no", SourceError, "answered 404"),
    ],
)
async def test_a_refusal_says_why(
    server: Server, http: Http, status: int, error: object, kind: type[SourceError], said: str
) -> None:
    server.on(DATA, Reply.of_json({"error": error}, status=status))
    with pytest.raises(SourceError, match=said) as caught:
        await _source(server, http, KEY).search(QUERY)
    assert isinstance(caught.value, kind)
    assert isinstance(caught.value, SourceLimited) is (kind is SourceLimited)


@pytest.mark.parametrize(
    ("reason", "seconds"),
    [("quotaExceeded", 3600), ("dailyLimitExceeded", 3600), ("rateLimitExceeded", 60), ("userRateLimitExceeded", 60)],
)
async def test_after_a_limit_it_is_left_alone(server: Server, http: Http, reason: str, seconds: int) -> None:
    server.on(DATA, Reply.of_json({"error": {"errors": [{"reason": reason}]}}, status=403))
    for said in ("YouTube", r"youtube(?: \(key \w{8}\))?: it asked to be left alone"):
        with pytest.raises(SourceLimited, match=said) as caught:
            await _source(server, http, KEY).search(QUERY)
        assert caught.value.retry_after == pytest.approx(seconds, abs=1.0)
    assert len(server.hits(DATA)) == 1


async def test_items_that_are_no_videos(server: Server, http: Http) -> None:
    server.on(
        DATA, Reply.of_json({"items": [{"id": "x"}, {"id": {"videoId": "../../etc"}, "snippet": {"title": "t"}}]})
    )
    server.on(PLAYER, Reply.of_json({}))
    with pytest.raises(SourceError, match="form"):
        await _source(server, http, KEY).search(QUERY)
