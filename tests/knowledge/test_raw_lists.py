"""Lists and tables that Markdown has as HTML: read as what they show, in the lines of the file."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.prose import markdown_document
from calibrant.retrievers.knowledge.raw_lists import with_lists_read

SETTINGS = """# Settings

<dl class="options">
    <dt id="read-days"><a href="#read-days"><code>READ_DAYS</code></a></dt>
    <dd>
        <p>Days until read entries are removed.</p>
        <p><em>Default is 60 days.</em></p>
    </dd>
    <dt><code>LOG_LEVEL</code></dt>
    <dd>What is logged.</dd>
</dl>

More of *them*.
"""


def shown(text: str) -> str:
    return markdown_document(text, Path("a.md")).text


def test_a_list_of_definitions_is_read_without_its_tags_and_in_its_lines() -> None:
    document = markdown_document(SETTINGS, Path("settings.md"))
    assert "<" not in document.text
    assert "- READ_DAYS: Days until read entries are removed.\n\nDefault is 60 days." in document.text
    assert document.text.endswith("More of *them*.\n")
    for words in ("READ_DAYS", "Default is 60", "LOG_LEVEL", "More of"):
        (line,) = (n for n, one in enumerate(SETTINGS.split("\n"), start=1) if words in one)
        assert document.lines.at(document.text.index(words)) == line


def test_a_passage_names_the_setting_of_which_it_tells() -> None:
    many = "".join(
        f"<dt>KEY_{n}</dt>\n<dd><p>{'Many words. ' * 20}</p>\n<p>Default is {n}.</p></dd>\n" for n in range(9)
    )
    found = passages(markdown_document(f"# All\n\n<dl>\n{many}</dl>\n", Path("a.md")), "file:///a.md")
    for n in range(9):
        (one,) = (passage for passage in found if f"Default is {n}." in passage.text)
        assert f"KEY_{n}" in f"{one.heading} {one.text}"


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("<table>\n<tr><th>Name</th><th>Port</th></tr>\n<tr><td>web</td><td>80</td></tr>\n</table>", "| web | 80 |"),
        ("<ul>\n<li>one</li>\n<li>two <ul>\n<li>three</li>\n</ul></li>\n</ul>\nAfter.", "- three"),
        ("<ol><li>one</li></ol>", "1. one"),
        ("<ol><li>one<ul><li>part</li></ul></li><li><p>two</p></li></ol>", "- part\n\n2. two"),
        ("<ol start='3'><li>three</li><li value='7'>seven</li><li>eight</li></ol>", "3. three\n\n7. seven\n\n8. eight"),
    ],
)
def test_lists_and_tables_are_read(text: str, told: str) -> None:
    assert told in shown(text)
    assert "<" not in shown(text)


@pytest.mark.parametrize(
    "text",
    [
        "<ul>\n<li>one",
        "<table>\n<tr><td>\n\n```bash\nmake\n```\n\n</td></tr>\n</table>",
        "```html\n<ul>\n<li>one</li>\n</ul>\n```",
        "Use <ul> for lists.",
        "<p>Not a list.</p>",
    ],
    ids=["does not end", "has code as Markdown writes it", "is shown as code", "is spoken of", "is none"],
)
def test_what_stays_as_it_is(text: str) -> None:
    assert shown(text) == text


@given(
    st.lists(st.sampled_from(["<ul>", "</ul>", "<li>a</li>", "<table>", "</table>", "```", "text", ""]), max_size=12)
)
def test_what_is_no_list_is_never_lost(lines: list[str]) -> None:
    given_lines = list(enumerate(lines, start=1))
    read = list(with_lists_read(given_lines))
    assert [number for number, _ in read] == sorted(number for number, _ in read)
    assert sum(line.count("text") for _, line in read) == lines.count("text")
