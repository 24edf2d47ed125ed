"""From many lists to one: copies, order, and caps."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.nodes.retrieval.rank import passages
from calibrant.retrievers.copies import canonical_url, document_of
from calibrant.retrievers.ranking import authority, capped, freshness, fuse, tokens_of, without_copies
from calibrant.state.budget import RetrievalLimits
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import RetrievalRequest
from tests.remote.sources import passage

SAID = "The default timeout of the client is thirty seconds and it may be changed by an option that takes seconds."


def ids(items: list[Evidence]) -> list[str]:
    return [item.id for item in items]


@pytest.mark.parametrize(
    "url",
    [
        "https://example.org/a", "http://example.org/a", "https://www.example.org/a/", "HTTPS://EXAMPLE.ORG:443/a",
        "https://example.org/a#part", "https://example.org/a?utm_source=x&utm_medium=y", "https://example.org./a",
        "https://example.org/a/index.html", "https://example.org/a?fbclid=1&gclid=2",
    ],
)  # fmt: skip
def test_spellings_of_one_page(url: str) -> None:
    assert canonical_url(url) == "example.org/a"


def test_pages_that_only_look_alike() -> None:
    urls = [
        "https://example.org/a", "https://example.org/A", "https://example.org/a?id=1", "https://example.org/a?id=2",
        "https://docs.example.org/a", "https://example.org:8080/a", "https://example.org/", "file:///a", "file:///b",
    ]  # fmt: skip
    assert len({canonical_url(url) for url in urls}) == len(urls)
    assert canonical_url("https://x/?b=2&a=1") == canonical_url("https://x/?a=1&b=2")
    assert canonical_url("http://[::1") == "http://[::1"
    assert document_of(passage("t", url="")) == "t"


@given(st.text())
def test_any_text_has_a_canonical_form(text: str) -> None:
    canonical_url(text)
    canonical_url(f"http://{text}")


@pytest.mark.parametrize(
    "other",
    [
        SAID.upper(),
        SAID.replace(" ", "\n  "),
        SAID.replace("may be", "can be"),
        f"{SAID} See below.",
        SAID.replace(",", "").replace(".", "!"),
    ],
)
def test_near_copies_go(other: str) -> None:
    kept = without_copies([passage("a", SAID, relevance=0.5), passage("b", other, relevance=0.6)])
    assert ids(kept) == ["b"]


@pytest.mark.parametrize(
    "other",
    [
        SAID.replace("is thirty", "is not thirty"),
        SAID.replace("thirty", "30"),
        SAID.replace("default", "maximal"),
        f"{SAID} Version 2 has none.",
        f"{SAID} " + "Retries wait twice as long each time and end after the third one unless told otherwise. " * 2,
        "The client gives up after a while, which the option for it sets, and then raises an error of its own kind.",
    ],
)
def test_what_says_something_else_stays(other: str) -> None:
    assert len(without_copies([passage("a", SAID), passage("b", other)])) == 2


def test_numbers_tell_short_and_long_texts_apart() -> None:
    texts = [f"{SAID} It was {number} before." for number in (10, 20, 30)] + ["yes", "no", "Yes", "---", "- - -"]
    kept = without_copies([passage(str(place), text) for place, text in enumerate(texts)])
    assert [item.text for item in kept] == [*texts[:5], *texts[6:]]


def test_relevance_leads_and_agreement_helps() -> None:
    a, b, c = (passage(key, f"{key} text", relevance=score) for key, score in (("a", 0.9), ("b", 0.6), ("c", 0.59)))
    assert ids(fuse([[b, a], [c]]))[0] == "a"
    assert ids(fuse([[b], [c], [c]]))[:2] == ["c", "b"]
    assert fuse([]) == []


def test_authority_and_freshness_only_tip_the_scales() -> None:
    old, new = datetime(2015, 1, 1, tzinfo=UTC), datetime(2025, 1, 1, tzinfo=UTC)
    blog = passage("a", "x", url="https://medium.com/x", published=old, relevance=0.70)
    docs = passage("b", "y", url="https://docs.example.org/y", published=new, relevance=0.70)
    assert ids(fuse([[blog], [docs]])) == ["b", "a"]
    assert ids(fuse([[blog.replace(relevance=0.80)], [docs]])) == ["a", "b"]


def test_weak_signals_stay_within_bounds() -> None:
    assert authority(passage("a", url="https://nist.gov/x")) == 1.0
    assert authority(passage("a", url="https://notgov/x")) == 0.5
    assert authority(passage("a", url="https://evil-github.com/x")) == 0.5
    assert authority(passage("a", url="http://[::1/x")) == 0.5
    assert authority(passage("a", url="file:///x")) == 1.0
    assert freshness(passage("a"), 0.0) == 0.5
    day = datetime(2025, 1, 1, tzinfo=UTC)
    assert freshness(passage("a", published=day), day.timestamp()) == 1.0
    assert freshness(passage("a", published=day), day.timestamp() + 86_399) == 1.0
    assert freshness(passage("a", published=day), day.timestamp() + 86_400) < 1.0
    assert freshness(passage("a", published=day), day.timestamp() - 9e9) == 1.0
    assert freshness(passage("a", published=day), day.timestamp() + 730 * 86_400) == 0.5


def test_a_source_does_not_fill_the_top_alone() -> None:
    web = [passage(f"w{place}", f"w{place}", relevance=0.60, source="web") for place in range(6)]
    hub = [passage(f"g{place}", f"g{place}", relevance=0.57, source="github") for place in range(2)]
    assert "g0" in ids(fuse([web, hub]))[:3]
    weak = [item.replace(relevance=0.3) for item in hub]
    assert ids(fuse([web, weak]))[-2:] == ["g0", "g1"]


def test_five_documents_of_a_source_and_twenty_in_all() -> None:
    items = [passage(f"{source}{place}", source=source) for place in range(9) for source in "abcde"]
    kept = capped(items, 100, 20, 5, 10_000)
    assert len(kept) == 20
    assert all(sum(item.source == source for item in kept) <= 5 for source in "abcde")
    assert len(capped(items, 100, 20, 2, 10_000)) == 10


def test_the_settings_say_how_many_of_a_source() -> None:
    lists = [[passage(f"{source}{place}", f"{source} {place}", source=source) for place in range(4)] for source in "ab"]
    request = RetrievalRequest(id="r", query="?", limits=RetrievalLimits(per_source=1))
    assert {item.source for item in passages(fuse(lists), request, 3)[0]} == {"a", "b"}
    assert len(passages(fuse(lists), request, 3)[0]) == 2


def test_more_passages_of_a_document_are_no_more_documents() -> None:
    page = [passage(f"p{place}", url=f"https://www.example.org/p?utm_source={place}") for place in range(7)]
    kept = capped([*page, passage("g", source="github")], 100, 2, 5, 10_000)
    assert len(kept) == 8


def test_a_source_that_is_alone_is_not_held_back() -> None:
    assert len(capped([passage(str(place)) for place in range(12)], 100, 20, 5, 10_000)) == 12
    bases = [passage(f"{base}{place}", collection=base, source="knowledge") for place in range(8) for base in "ab"]
    assert len(capped(bases, 100, 20, 5, 10_000)) == 10


def test_passages_and_tokens_are_limits_too() -> None:
    items = [passage(str(place), "x" * 400) for place in range(9)]
    assert len(capped(items, 3, 20, 5, 10_000)) == 3
    assert len(capped(items, 100, 20, 5, 450)) == 4
    assert len(capped(items, 100, 20, 5, 1)) == 1  # nothing at all would help nobody
    assert tokens_of("") == 1


@given(
    st.lists(st.lists(st.tuples(st.integers(0, 20), st.sampled_from("ab"), st.floats(0, 1)), max_size=12), max_size=4)
)
def test_every_passage_is_there_once(drawn: list[list[tuple[int, str, float]]]) -> None:
    lists = [
        [
            passage(f"{source}{key}", f"text {source} {key}", source=source, relevance=score)
            for key, source, score in row
        ]
        for row in drawn
    ]
    fused = ids(fuse(lists))
    assert sorted(fused) == sorted({item.id for row in lists for item in row})
