"""YouTube: videos with their transcripts, in passages that open at the second.

    with a key   GET /youtube/v3/search    documented: https://developers.google.com/youtube/v3/docs/search/list
                                           (100 searches a day by default)
    without      POST /youtubei/v1/search  what YouTube's own page asks; documented nowhere, may change any day
    transcripts  POST /youtubei/v1/player, then the caption track that it names (``/api/timedtext``)

Transcripts have no documented way: the Data API gives captions to a video's owner only. What is done here is what
youtube-transcript-api does; YouTube refuses it to many addresses of data centres. A video that has no transcript, or
whose transcript cannot be had, is represented by its description, without a second; the latter is told.
"""

import asyncio
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import unescape
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pydantic import SecretStr

from calibrant.retrievers.excerpt import Caption, dicts, pieces_of, timed_pieces, xml_root
from calibrant.retrievers.findings import Result, evidence_of, moment, tried, without, words
from calibrant.retrievers.http import Http, account_of
from calibrant.retrievers.http_answers import UNTOLD_S, BadStatus
from calibrant.retrievers.limits import LONGEST_PAUSE_S
from calibrant.state.errors import SourceError
from calibrant.state.evidence import Evidence, SearchQuery

YOUTUBE = "https://www.youtube.com"
DATA_API = "https://www.googleapis.com"
TRANSCRIPTS = 3
"""So many videos of a search are read."""
_PAGE = {"client": {"clientName": "WEB", "clientVersion": "2.20250101.00.00", "hl": "en"}}
_APP = {"client": {"clientName": "ANDROID", "clientVersion": "20.10.38"}}
"""The client whose caption tracks can be read without a browser's token."""
_ONLY_VIDEOS = "EgIQAQ=="
_ID = re.compile(r"[\w-]{6,20}")
_NUMBER = re.compile(r"\d+(\.\d+)?")
_NEEDS_TOKEN = ("exp=xpe", "exp=xpv")
"""The marks of a track that only a browser may read."""

_SPENT = frozenset({"quotaExceeded", "dailyLimitExceeded"})
_TOO_FAST = frozenset({"rateLimitExceeded", "userRateLimitExceeded"})
_BAD_KEY = frozenset({"keyInvalid", "keyExpired", "API_KEY_INVALID"})
"""Reasons in an error's body: https://developers.google.com/youtube/v3/docs/errors."""
_REFUSED = (401, 403)

Item = dict[str, Any]


class YouTube:
    """Talks and tutorials, by what is said in them."""

    name = "youtube"
    remote = True
    hint: ClassVar[str] = "YOUTUBE_API_KEY: a documented search instead of one that may stop working any day."

    def __init__(
        self,
        http: Http,
        key: SecretStr | None = None,
        base_url: str = YOUTUBE,
        data_url: str = DATA_API,
    ) -> None:
        self._http = http
        self._key = key
        self._base_url = base_url.rstrip("/")
        self._data_url = data_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The videos found, the first three by their transcripts."""
        videos = (await self._by_key(query, self._key) if self._key else await self._keyless(query))[: query.limit]
        reading = [tried(partial(self._transcript, video), 0.8) for video in videos[:TRANSCRIPTS]]
        transcripts = await asyncio.gather(*reading)
        for video, captions in zip(videos, transcripts, strict=False):
            video["captions"] = () if isinstance(captions, SourceError) else captions
        return without(self.name, "transcripts", await evidence_of(self.name, query, videos, _result), transcripts)

    async def _by_key(self, query: SearchQuery, key: SecretStr) -> list[Item]:
        asked = " ".join([query.text, *(f"-{word}" for word in query.negative if " " not in word)])
        params = {"part": "snippet", "type": "video", "q": asked, "maxResults": min(query.limit, 50)}
        headers = {"X-Goog-Api-Key": key.get_secret_value()}
        url = f"{self._data_url}/youtube/v3/search"
        account = account_of("youtube", key)
        await self._http.check(account)
        try:
            answer = await self._http.json("youtube", url, params=params, headers=headers)
        except BadStatus as error:
            raise await self._refusal(error, account) from None
        if not isinstance(answer, dict) or not isinstance(answer.get("items"), list):
            raise SourceError("YouTube's answer has no items in it")
        return [_from_data_api(item) for item in dicts(answer["items"])]

    async def _refusal(self, error: BadStatus, account: str) -> SourceError:
        """What the Data API means by a status: a used-up quota and a wrong key are both told by reasons in its body."""
        reasons = {words(held.get("reason")) for held in _reasons(error.said)}
        if reasons & _SPENT:
            why = "YouTube refused: the quota of the key is used up"
            return await self._http.limited(account, why, LONGEST_PAUSE_S)
        if reasons & _TOO_FAST:
            return await self._http.limited("youtube", "YouTube is limiting requests", UNTOLD_S)
        if error.status in _REFUSED or reasons & _BAD_KEY:
            return SourceError("YouTube refused the key: see YOUTUBE_API_KEY")
        return error

    async def _keyless(self, query: SearchQuery) -> list[Item]:
        asked = {"context": _PAGE, "query": query.text, "params": _ONLY_VIDEOS}
        url = f"{self._base_url}/youtubei/v1/search?prettyPrint=false"
        answer = await self._http.json("youtube", url, method="POST", json=asked)
        if not isinstance(answer, dict) or not isinstance(answer.get("contents"), dict):
            raise SourceError("YouTube's answer is not in the form that was expected")
        return [_from_page(item) for item in _renderers(answer["contents"], "videoRenderer")]

    async def _transcript(self, video: Item) -> list[Caption]:
        """What is said, caption by caption. Empty where the video has no captions; ``SourceError`` where it is not
        shown to us, or its captions only to browsers."""
        asked = {"context": _APP, "videoId": video["id"]}
        url = f"{self._base_url}/youtubei/v1/player?prettyPrint=false"
        player = await self._http.json("youtube-transcripts", url, method="POST", json=asked)
        if _status(player) not in ("", "OK"):
            raise SourceError("YouTube does not show the video to this machine")
        track = _track(list(_renderers(player, "captionTracks")))
        if any(mark in track for mark in _NEEDS_TOKEN):
            raise SourceError("YouTube gives them to browsers only")
        if not track:
            return []
        text = await self._http.text("youtube-transcripts", f"{self._base_url}{_place_of(track)}")
        return await asyncio.to_thread(_captions, text)


def _track(tracks: Sequence[Item]) -> str:
    """The address of the best track: English if there is one, written by a person rather than recognised."""

    def rank(track: Item) -> tuple[bool, bool]:
        return words(track.get("languageCode")).split("-")[0] != "en", track.get("kind") == "asr"

    return words(min(tracks, key=rank).get("baseUrl")) if tracks else ""


def _status(player: Any) -> str:
    """Whether a video may be played: ``OK``, or what stands against it; empty where that is not said."""
    held = player.get("playabilityStatus") if isinstance(player, dict) else None
    return words(held.get("status")) if isinstance(held, dict) else ""


def _reasons(said: Any) -> list[Item]:
    return [*_renderers(said, "errors"), *_renderers(said, "details")]


def _from_data_api(item: Item) -> Item:
    snippet = item["snippet"] if isinstance(item.get("snippet"), dict) else {}
    held = item.get("id")
    return {
        "id": words(held.get("videoId")) if isinstance(held, dict) else "",
        "title": unescape(words(snippet.get("title"))),
        "author": unescape(words(snippet.get("channelTitle"))),
        "about": unescape(words(snippet.get("description"))),
        "published": snippet.get("publishedAt"),
    }


def _from_page(item: Item) -> Item:
    """The page gives no date, only "3 years ago"."""
    snippets = [_runs(part.get("snippetText")) for part in dicts(item.get("detailedMetadataSnippets"))]
    return {
        "id": words(item.get("videoId")),
        "title": _runs(item.get("title")),
        "author": _runs(item.get("ownerText")),
        "about": " ".join([*snippets, _runs(item.get("descriptionSnippet"))]).strip(),
    }


def _runs(value: Any) -> str:
    """A text as YouTube's page writes it: ``{"runs": [{"text": ...}]}`` or ``{"simpleText": ...}``."""
    if not isinstance(value, dict):
        return ""
    return words(value.get("simpleText")) or "".join(words(run.get("text")) for run in dicts(value.get("runs")))


def _renderers(value: Any, name: str) -> Iterator[Item]:
    """The objects called ``name`` wherever they stand: the layers around them change more often than they do."""
    stack = [value]
    while stack:
        held = stack.pop()
        if isinstance(held, Mapping):
            found = held.get(name)
            yield from dicts(found if isinstance(found, list) else [found])
            stack.extend(held[key] for key in reversed(list(held)) if key != name)
        elif isinstance(held, list):
            stack.extend(reversed(held))


def _place_of(track: str) -> str:
    """Path and query of a track's address. The answer that names it may not send us to another host, as a path without
    its slash would: it could go on with the host's name, or make a password of it."""
    try:
        parts = urlsplit(track.replace("&fmt=srv3", ""))
    except ValueError:
        parts = urlsplit("")
    if not parts.path.startswith("/"):
        raise SourceError("YouTube's transcript has no address that can be used")
    return f"{parts.path}?{parts.query}"


def _captions(text: str) -> list[Caption]:
    """``<transcript><text start="1.2" dur="3">...</text></transcript>``; its text is escaped twice."""
    try:
        root = xml_root(text)
    except ValueError as error:
        raise SourceError("YouTube's transcript is not in the form that was expected") from error
    lines = [(line.get("start"), " ".join(unescape("".join(line.itertext())).split())) for line in root.iter("text")]
    return [Caption(float(start), said) for start, said in lines if said and start and _NUMBER.fullmatch(start)]


def _result(video: Item) -> Result:
    if not _ID.fullmatch(video["id"]) or not video["title"]:
        raise ValueError("no video")
    captions = video.get("captions") or ()
    pieces = timed_pieces(captions) if captions else pieces_of(video["about"] or video["title"], "text", "Description")
    url = f"{YOUTUBE}/watch?v={video['id']}"
    return Result(video["title"], url, pieces, video["author"], moment(video.get("published")))
