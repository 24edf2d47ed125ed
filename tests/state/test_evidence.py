"""Evidence and citations: where a citation opens."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from pydantic import ValidationError

from calibrant.state.evidence import Citation, Evidence, Filters, Locator, Quotation, SearchQuery, host_of, storable


def place(url: str, **where: Any) -> str:
    """Where a citation of ``url`` opens."""
    locator = Locator(**where)
    return Citation(number=1, evidence_id="e", title="t", url=url, source="s", quote="q", locator=locator).place


@pytest.mark.parametrize(
    ("url", "where", "opens"),
    [
        ("file:///docs/a.md", {"line": 12}, "/docs/a.md:12"),
        ("file:///docs/a.md", {}, "/docs/a.md"),
        ("file:///docs/a%0A[2]%20Official.md", {}, "/docs/a [2] Official.md"),
        ("file:///docs/a.pdf", {"page": 3}, "/docs/a.pdf#page=3"),
        ("file:///docs/a.pdf", {"page": 3, "line": 9}, "/docs/a.pdf#page=3"),
        ("file:///my%20docs/relat%C3%B3rio.md", {"line": 2}, "/my docs/relatório.md:2"),
        ("file:///C:/my%20docs/a.md", {"line": 2}, "C:/my docs/a.md:2"),
        ("file://server/share/a.md", {"line": 2}, "//server/share/a.md:2"),
        ("https://example.org/p", {}, "https://example.org/p"),
        ("https://example.org/p", {"line": 5}, "https://example.org/p"),
        ("https://example.org/p.pdf", {"page": 3}, "https://example.org/p.pdf#page=3"),
        ("https://example.org/watch?v=x", {"second": 83.9}, "https://example.org/watch?v=x&t=83"),
        ("https://example.org/x", {"second": 0.0}, "https://example.org/x?t=0"),
        ("", {"line": 1}, ""),
    ],
)
def test_place(url: str, where: dict[str, Any], opens: str) -> None:
    """File and line, file and page, or the address, with the second in a recording."""
    assert place(url, **where) == opens


@pytest.mark.parametrize(
    ("title", "heading", "is_in_section"),
    [
        ("Guide", "Install", True),
        ("", "Install", True),
        ("json", "json.dumps", False),
        ("Guide", "Guide", False),
        ("Guide", " Guide\n", False),
        ("Guide", "", False),
    ],
)
def test_a_section_has_a_heading_that_is_not_its_documents_title(title: str, heading: str, is_in_section: bool) -> None:
    item = Evidence(id="e", text="t", title=title, source="s", url="", locator=Locator(heading=heading))
    assert item.is_in_section is is_in_section


@pytest.mark.parametrize(
    ("where", "line"),
    [
        ({"line": 5, "end_line": 11}, 8),
        ({"line": 5}, 8),
        ({"line": 5, "end_line": 7}, 7),
        ({"line": 5, "end_line": 5}, 5),
        ({"line": 5, "end_line": 30, "jumps": ((3, 20),)}, 21),
        ({"line": 5, "end_line": 30, "jumps": ((3, 20), (5, 25), (8, 30))}, 25),
        ({"line": 5, "end_line": 30, "jumps": ((8, 30),)}, 8),
        ({}, None),
    ],
)
def test_a_quotation_opens_at_its_own_line(where: dict[str, Any], line: int | None) -> None:
    """Also where the text does not go on line by line as the document does."""
    item = Evidence(
        id="e", text="a\n\nb\nc\n\nd\ne", title="t", source="s", url="file:///a.html", locator=Locator(**where)
    )
    found = Quotation.of(item, "c", item.text.index("c")).locator
    assert (found.line, found.jumps) == (line, ())
    assert Quotation.of(item, "c", item.text.index("c") - 1).locator.line == line, "white space before it is not quoted"
    assert Quotation.of(item, "a", 0).locator.line == where.get("line")


def test_the_place_stands_in_json_and_is_not_read_from_it() -> None:
    cited = Citation(evidence_id="e", title="T", url="https://a.example/b", source="web", quote="q", number=1)
    told = cited.model_dump(mode="json")
    assert told.pop("place") == "https://a.example/b"
    assert Citation.model_validate(told) == cited
    assert Citation.model_validate({**told, "place": "elsewhere"}) == cited


def test_what_nothing_can_store_is_replaced_character_by_character() -> None:
    item = Evidence(
        id="e", text="a\ud83d\x00b", title="t\udc00", source="s", url="u\ud800", author="\ud800",
        locator=Locator(heading="h\ud800"),
    )  # fmt: skip
    assert item.text == "a\ufffd b"
    item.model_dump_json().encode()
    assert item.replace(text="c\ud83d").text == "c\ufffd"


@pytest.mark.parametrize(
    "text",
    ["a\x1b[31mred\x1b[0m b", "a\x07 b\x1b", "a\x9b1m b\x7f", "a \u202eb", "a\r\n\tb\x0cc", "\u0645\u200f \u05d0 é"],
)
def test_what_a_terminal_obeys_gives_way_and_the_rest_stands_where_it_stood(text: str) -> None:
    kept = storable(text)
    assert len(kept) == len(text)
    assert set(kept).isdisjoint("\x1b\x07\x9b\x7f\u202e")
    assert all(one in (other, " ") for one, other in zip(kept, text, strict=True))
    assert storable(kept) == kept


def test_what_no_terminal_obeys_is_kept() -> None:
    text = "a\r\n\tb\x0cc \u0645\u200f é [31m"
    assert storable(text) == text
    assert storable("a\x1b[31mred") == "a     red"


@pytest.mark.parametrize(
    ("url", "host"),
    [
        ("https://Docs.example.org:8443/a?b#c", "docs.example.org"),
        ("http://me:hush@[::1]/", "::1"),
        ("file:///docs/a.md", ""),
        ("http://[x", ""),
        ("notes", ""),
        ("", ""),
    ],
)
def test_the_host_of_an_address(url: str, host: str) -> None:
    assert host_of(url) == host


def test_the_document_of_a_passage() -> None:
    """Its address; its title where it has none."""
    passage = Evidence(id="e", text="x", title="Note", source="memory", url="")
    assert passage.document == "Note"
    assert passage.replace(url="https://example.org").document == "https://example.org"


@pytest.mark.parametrize("relevance", [-0.1, 1.1, float("nan")])
def test_relevance_is_a_share(relevance: float) -> None:
    """Comparable over sources."""
    with pytest.raises(ValidationError):
        Evidence(id="e", text="x", title="t", source="s", url="", relevance=relevance)


@pytest.mark.parametrize(("limit", "good"), [(0, False), (1, True), (100, True), (101, False)])
def test_a_query_asks_for_a_sensible_number(limit: int, good: bool) -> None:
    """At least one, at most a hundred."""
    if good:
        assert SearchQuery(text="x", limit=limit).limit == limit
        return
    with pytest.raises(ValidationError):
        SearchQuery(text="x", limit=limit)


@pytest.mark.parametrize("given", ["2025", 2025, "2025-01", "202501", "2025-01-01", "20250101", 20250101])
def test_a_year_or_a_day_in_digits_is_no_number_of_seconds(given: str | int) -> None:
    """Documents of any age would fit the filter, and none of them would be recent."""
    beginning = datetime(2025, 1, 1, tzinfo=UTC)
    assert Filters.model_validate({"since": given}).since == beginning
    dated = {"id": "e", "text": "t", "title": "t", "source": "s", "url": "", "published": given}
    assert Evidence.model_validate(dated).published == beginning
    assert Evidence.model_validate(dated | {"published": beginning.timestamp()}).published == beginning


def test_a_date_without_a_zone_is_universal_time_wherever_it_comes_from() -> None:
    naive, aware = datetime(2025, 1, 31, 12), datetime(2025, 1, 31, 12, tzinfo=UTC)
    found = Evidence(id="e", text="t", title="t", source="s", url="", published=naive)
    assert found.published == aware == Filters(since=naive).since
    assert Filters.model_validate({"since": "2025-01-31"}).since == datetime(2025, 1, 31, tzinfo=UTC)
    assert Filters(since=datetime.min).since is not None
    there = datetime(2025, 1, 31, 9, tzinfo=timezone(timedelta(hours=-3)))
    assert Evidence(id="e", text="t", title="t", source="s", url="", published=there).published == aware
