"""Entries that are longer than a passage: what goes on with one stands under its name, and nothing else does."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.knowledge.chunking import SMALL, Passage, passages
from calibrant.retrievers.knowledge.entries import DEEPEST, LONGEST, Entries
from calibrant.retrievers.knowledge.loaders import load

SAID = "The gate waits for the hinge to be still before it says that it is shut. "
PLAIN = """\
GATE(5)

KEYS
     Width
             How wide it opens.

             In metres.

     Lock    Whether it locks.
             It may not.

     Any other key is passed over.
FILES
     gate.conf
"""
MARKDOWN = """\
- **width** how wide it opens

  In metres.
  - `metres`: the number

    Without a unit.
- First measure the gate.

  Then open it.
1. Lock: whether it locks

   ```
   lock: no
   not here
   ```
"""
TEXTS = {
    "plain": PLAIN,
    "markdown": MARKDOWN,
    "wrapped": "    It was late in the evening\nand the gate was shut.\n\n    In the morning it was open.",
    "sentence": "He said no.\n    In metres.",
    "tag": '<div class="x">\n    In metres.\n</div>',
    "escaped": "**width &lt;m&gt;:** how wide\n\n    In metres.",
    "long": f"{'width ' * 20}:\n    In metres.",
}


@pytest.mark.parametrize(
    ("text", "at", "names"),
    [
        ("plain", "How wide", ("KEYS", "Width")),
        ("plain", "In metres", ("KEYS", "Width")),
        ("plain", "Whether it locks", ("KEYS", "Lock")),
        ("plain", "It may not", ("KEYS", "Lock")),
        ("plain", "Lock ", ("KEYS",)),
        ("plain", "Any other", ("KEYS",)),
        ("plain", "KEYS", ()),
        ("plain", "gate.conf", ("FILES",)),
        ("markdown", "In metres", ("width",)),
        ("markdown", "- `metres`", ("width",)),
        ("markdown", "Without a unit", ("width", "metres")),
        ("markdown", "First measure", ()),
        ("markdown", "Then open", ()),
        ("markdown", "not here", ("Lock",)),
        ("wrapped", "and the gate", ()),
        ("wrapped", "In the morning", ()),
        ("sentence", "In metres", ()),
        ("tag", "In metres", ()),
        ("escaped", "In metres", ("width <m>",)),
        ("long", "In metres", ()),
    ],
)
def test_the_names_over_a_place(text: str, at: str, names: tuple[str, ...]) -> None:
    whole = TEXTS[text]
    assert Entries(whole, 0, len(whole)).over(whole.index(at)) == names


def test_only_what_stands_in_the_section_counts() -> None:
    start = PLAIN.index("             In metres")
    assert Entries(PLAIN, start, len(PLAIN)).over(PLAIN.index("In metres")) == ()


def test_an_entry_ends_where_the_next_one_begins() -> None:
    entries = Entries(PLAIN, 0, len(PLAIN))
    inside, end = PLAIN.index("In metres"), len(PLAIN)
    assert entries.left(inside, end) == PLAIN.index("Lock ")
    assert entries.left(inside, inside + 5) == inside + 5
    assert entries.left(PLAIN.index("gate.conf"), end) == end
    assert entries.left(PLAIN.index("Any other"), end) == PLAIN.index("FILES")
    assert entries.left(0, end) == end


def found(name: str, text: str) -> list[Passage]:
    return passages(load(Path(name), text.encode()), f"file:///{name}")


def under(name: str, text: str, words: str) -> str:
    """The heading of the passage that holds ``words``."""
    return next(item.heading for item in found(name, text) if words in item.text)


def entry(name: str, paragraphs: int) -> str:
    said = (SAID * 4).strip()
    return f"- **{name}** is a key.\n\n" + "".join(f"  {at}. part. {said}\n\n" for at in range(paragraphs))


def test_the_second_half_of_an_entry_stands_under_its_name() -> None:
    text = "# Gate\n\nWords of greeting.\n\n" + entry("width", 5) + entry("lock", 5)
    assert under("a.md", text, "Words of greeting") == "Gate"
    assert under("a.md", text, "**width**") == "Gate"
    named = [item for item in found("a.md", text) if item.heading == "Gate > width"]
    assert named
    assert not any("**lock**" in item.text for item in named)
    assert found("a.md", text)[-1].heading == "Gate > lock"


def test_a_small_rest_of_an_entry_joins_what_it_goes_on_with() -> None:
    text = "# Gate\n\n" + entry("width", 6) + "  It has an end.\n\n" + entry("lock", 5)
    first = next(item for item in found("a.md", text) if "It has an end." in item.text)
    assert "5. part" in first.text
    assert len("It has an end.") < SMALL
    assert not any("**lock**" in item.text and "It has an end." in item.text for item in found("a.md", text))


def test_a_heading_is_not_told_twice() -> None:
    text = "# Gate\n\n## width\n\n" + entry("width", 5)
    assert {item.heading for item in found("a.md", text)} == {"Gate > width"}


def option(*parts: str) -> str:
    """Lines of roff; "First." and the like are paragraphs that fill a passage."""
    said = f"{SAID}\n" * 12
    return "".join(f"{part} {said}" if part.endswith(".") and part[:1] != "." else f"{part}\n" for part in parts)


TAGGED = option(
    ".TH GATE 1", ".SH OPTIONS", ".TP", r".B \-w", "How wide it opens.", ".IP", "First.", ".nf", "gate -w 3", ".fi",
    ".IP", "Second.", ".PP", "Apart.", ".TP", r".B \-q", "Say nothing",
)  # fmt: skip
SET_IN = option(
    ".TH GATE 1", ".SH OPTIONS", ".PP", r"\fB\-w\fR", ".RS 4", "How wide it opens.", ".sp", "First.", ".PP",
    r"\fImetres\fR", ".RS 4", "The number.", ".sp", "Inner.", ".RE", ".sp", "Second.", ".RE", ".PP", "Apart.",
)  # fmt: skip
LISTED = option(
    ".Dd May 1, 2024", ".Dt GATE 8", ".Sh OPTIONS", ".Bl -tag -width Ds", ".It Fl w", "How wide it opens.", ".Pp",
    "First.", ".Bl -bullet", ".It", "one", ".El", ".Pp", "Second.", ".El", ".Pp", "Apart.",
)  # fmt: skip


@pytest.mark.parametrize("page", [TAGGED, SET_IN, LISTED], ids=["tagged", "set in", "listed"])
def test_the_paragraphs_of_an_option_in_a_man_page_belong_to_it(page: str) -> None:
    assert under("gate.1", page, "First.") == "OPTIONS > -w"
    assert under("gate.1", page, "Second.") == "OPTIONS > -w"
    assert under("gate.1", page, "Apart.") == "OPTIONS"


def test_an_option_inside_an_option_is_told_with_it() -> None:
    assert under("gate.1", SET_IN, "Inner.") == "OPTIONS > -w > metres"


@given(st.text(alphabet="ab :.-*`\n\t", max_size=600))
def test_any_text_has_names_of_readable_length(text: str) -> None:
    entries = Entries(text, 0, len(text))
    for place in range(len(text)):
        names = entries.over(place)
        assert len(names) <= DEEPEST
        assert all(name and len(name) <= LONGEST for name in names)
        assert place < entries.left(place, len(text)) <= len(text)


@pytest.mark.parametrize(
    "text",
    [
        "a b:" * 50_000,
        "**a" * 70_000,
        "`a" * 100_000,
        "a" * 200_000 + ": b",
        "a  " * 100_000,
        "\n".join(" " * at + "a" for at in range(600)),
        "a\n  b\n" * 30_000,
    ],
)
def test_text_made_to_hurt_takes_no_longer_than_other(text: str) -> None:
    started = time.process_time()
    assert found("a.txt", text)
    assert time.process_time() - started < 3
