"""The few words of a question that services are asked for which match only what has all of them."""

import pytest

from calibrant.retrievers.keywords import keywords, named, with_fewer_words

FAILS = "Why does my code fail with \"TypeError: Client.__init__() got 'max_retries'\" after upgrading Skiff?"


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        (FAILS, "typeerror client.__init__ max_retries skiff"),
        ("How do I make Skiff retry requests that fail with 503? Please show the code.", "skiff retry requests 503"),
        ("Our TideDB read replicas throw TDB-1207 for short queries", "tidedb read replicas tdb-1207"),
        ("How can I delay a HarrierMQ message for more than 15 minutes?", "delay harriermq message minutes"),
        ("Show the YAML of a canary rollout with Gantry", "yaml canary rollout gantry"),
        ("limit concurrency semaphore", "limit concurrency semaphore"),
        ("Why does it fail?", "fail"),  # nothing else is there
        ("?!", "?!"),
    ],
)
def test_what_tells_most_is_asked_for(text: str, wanted: str) -> None:
    assert " ".join(keywords(text, 4)) == wanted


def test_what_opens_a_sentence_is_a_name_only_before_another() -> None:
    assert named("Compare HarrierMQ and Osprey Streams.") == ["harriermq", "osprey", "streams"]
    assert named("Ordering of HarrierMQ. Replay, too.") == ["harriermq"]
    assert named("Ada Quist") == ["ada", "quist"]
    assert named("SSDs YAML TideDB") == ["tidedb"]


@pytest.mark.parametrize(
    ("text", "names", "asked"),
    [
        ("retry requests with exponential backoff", 1, ["retry requests exponential", "retry requests"]),
        ("retry requests of Skiff", 1, ["retry requests skiff", "skiff"]),
        ("retry requests of Skiff", 0, ["retry requests skiff", "retry skiff"]),
        ("Skiff", 1, ["skiff"]),
    ],
)
async def test_fewer_words_follow_where_all_find_nothing(text: str, names: int, asked: list[str]) -> None:
    tried: list[str] = []

    async def find(wanted: list[str]) -> list[str]:
        tried.append(" ".join(wanted))
        return []

    assert await with_fewer_words(text, (3, 2), find, names) == []
    assert tried == asked
