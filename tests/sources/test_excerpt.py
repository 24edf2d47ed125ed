"""Text, passages, relevance: what all sources share."""

import asyncio
import time
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.excerpt import (
    Caption,
    Piece,
    main_content,
    one_line,
    pieces_of,
    plain,
    timed_pieces,
    xml_root,
)
from calibrant.retrievers.findings import Fit, Result, evidence_id, evidence_of, moment, tried, web_address
from calibrant.state.errors import SourceError, SourceTimeout
from calibrant.state.evidence import Locator, SearchQuery, storable


@given(st.text(max_size=4000))
def test_offsets_are_exact_and_nothing_crashes(text: str) -> None:
    clean = storable(text).replace("\r\n", "\n").replace("\r", "\n")
    for piece in pieces_of(text):
        assert clean[piece.place.start : piece.place.end] == piece.text
    plain(text)
    one_line(text)


@given(st.lists(st.text("ab ", min_size=1, max_size=300), max_size=30))
def test_timed_passages_cover_the_transcript_in_order(texts: Sequence[str]) -> None:
    captions = [Caption(float(place), text) for place, text in enumerate(texts)]
    pieces = timed_pieces(captions)
    assert " ".join(piece.text for piece in pieces) == " ".join(texts)
    seconds = [piece.place.second or 0.0 for piece in pieces]
    assert seconds == sorted(set(seconds))
    whole = " ".join(texts)
    assert all(whole[piece.place.start : piece.place.end] == piece.text for piece in pieces)


def test_html_fragments() -> None:
    assert (
        plain("<p>a &amp; b</p><pre><code class='language-js'>x &lt; 1\n</code></pre>") == "a & b\n\n```js\nx < 1\n```"
    )
    assert plain("<pre>```\n# no heading\n```</pre>") == "````\n```\n# no heading\n```\n````"
    assert plain("costs <s>5 <b>or</b> 6</s>7 <del>euros</del>crowns") == "costs 7 crowns"
    assert plain("2<sup>32</sup> rows, m<sup>2</sup>") == "2^32 rows, m2"
    assert one_line("a\n <b>b</b> &lt;c&gt;") == "a b <c>"
    assert "menu" not in main_content("<nav>menu</nav><main><p>text</p></main>")
    assert "text" in main_content("<p>text</p>")


def test_lists_and_tables_of_fragments_are_told_as_such() -> None:
    table = (
        "<div><table>\n<thead>\n<tr>\n<th>Gate</th>\n<th>Opens</th>\n</tr>\n</thead>\n<tbody>\n"
        "<tr>\n<td>North</td>\n<td><p>at <code>7</code></p></td>\n</tr>\n<tr><td>South</td><td>8</td></tr>\n</tbody>\n"
        "</table></div>\n<p>Knock.</p>"
    )
    assert plain(table) == "| Gate | Opens |\n|---|---|\n| North | at 7 |\n| South | 8 |\n\nKnock."
    items = "<ol>\n<li>Knock</li>\n<li><p>Wait</p><pre>one\ntwo</pre></li>\n</ol>"
    assert plain(items) == "- Knock\n\n- Wait\n\n```\none\ntwo\n```"
    assert plain("<table><tr><td><p>a</p><p>b</p></td></tr></table>") == "a\n\nb"
    assert plain("<tr><td>a<td>b") == "| a | b |"


@pytest.mark.parametrize("text", ["<a>", "", '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>', "{}"])
def test_unsafe_or_broken_xml(text: str) -> None:
    with pytest.raises(ValueError, match="XML"):
        xml_root(text)


_NO_DATES: list[object] = [None, "", "yesterday", True, [], {}, 1e30, float("nan")]


@pytest.mark.parametrize(
    ("value", "iso"),
    [
        ("2024-03-05T08:00:00Z", "2024-03-05T08:00:00+00:00"),
        ("2024-03-05", "2024-03-05T00:00:00+00:00"),
        ("Tue, 05 Mar 2024 08:00:00 GMT", "2024-03-05T08:00:00+00:00"),
        (0, "1970-01-01T00:00:00+00:00"),
        (2024, "2024-01-01T00:00:00+00:00"),
        ("2024-03", "2024-03-01T00:00:00+00:00"),
        *((value, None) for value in _NO_DATES),
    ],
)
def test_dates(value: object, iso: str | None) -> None:
    found = moment(value)
    assert (found.isoformat() if found else None) == iso


@pytest.mark.parametrize("value", [None, 7, "", "javascript:x", "file:///etc/passwd", "//example.org", "https://"])
def test_what_is_no_web_address(value: object) -> None:
    with pytest.raises(ValueError, match="address"):
        web_address(value)


def _relevance(query: str, text: str) -> float:
    return Fit(SearchQuery(text=query)).shares([text])[0]


def test_relevance_is_the_share_of_the_query() -> None:
    assert _relevance("limiting semaphores", "A semaphore limits.") == 1.0
    assert _relevance("limiting semaphores", "A semaphore.") == 0.5
    assert _relevance("limiting semaphores", "Gardens.") == 0.0
    assert _relevance("sort keys", "call sortKeys()") == 1.0
    assert _relevance("what is it", "anything") == 0.5
    assert _relevance("ação", "acao e reacao") == 1.0
    assert _relevance("機械学習とは", "機械学習は人工知能の一分野") > 0.4
    assert _relevance("機械学習とは", "料理の本") < 0.1


async def _ranked(query: SearchQuery, *texts: str) -> list[tuple[str, float]]:
    results = [Result(f"t{n}", f"https://example.org/{n}", [Piece(text)]) for n, text in enumerate(texts)]
    found = await evidence_of("test", query, results, lambda result: result)
    return [(item.text, round(item.relevance, 2)) for item in found]


async def test_a_services_order_counts_for_a_fifth_at_most() -> None:
    query = SearchQuery(text="semaphore")
    assert await _ranked(query, "semaphore one", "semaphore two", "none") == [
        ("semaphore one", 1.0), ("semaphore two", 0.9), ("none", 0.0),
    ]  # fmt: skip


async def test_the_best_passage_of_each_result_comes_before_any_second() -> None:
    pieces = [Piece("nothing"), Piece("semaphore", Locator(start=9)), Piece("a semaphore too")]
    results = [Result("a", "https://a.org/", pieces), Result("b", "https://b.org/", [Piece("semaphore b")])]
    found = await evidence_of("test", SearchQuery(text="semaphore"), results, lambda result: result)
    assert [item.text for item in found] == ["semaphore", "semaphore b", "a semaphore too"]
    assert [item.rank for item in found] == [1, 2, 3]
    assert found[0].id == evidence_id("https://a.org/", "semaphore")


async def test_broken_items_cost_themselves_unless_all_are() -> None:
    def make(item: int) -> Result:
        if item < 2:
            raise KeyError("url")
        return Result("t", "https://example.org", [Piece("text")])

    query = SearchQuery(text="text")
    assert len(await evidence_of("test", query, [0, 1, 2], make)) == 1
    assert await evidence_of("test", query, [], make) == []
    with pytest.raises(SourceError, match="test: the answer is not in the form"):
        await evidence_of("test", query, [0, 1], make)


async def test_an_addition_may_fail_or_come_late() -> None:
    async def fails() -> int:
        raise SourceError("down")

    async def one() -> int:
        return 1

    assert isinstance(await tried(fails), SourceError)
    assert isinstance(await tried(lambda: asyncio.sleep(60, 1), 0.001), SourceTimeout)
    assert await tried(one) == 1


@pytest.mark.parametrize("mark", ["<div>", "<!--", "<!", "<?", "<pre>", "<", "</", "<a ", '<a b="', "&lt;", "<script>"])
def test_hostile_markup_takes_no_more_than_linear_time(mark: str) -> None:
    started = time.process_time()
    html = mark * (100_000 // len(mark))
    plain(html)
    main_content(html)
    assert time.process_time() - started < 5.0
