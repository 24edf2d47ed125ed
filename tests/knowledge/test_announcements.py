"""What announces a text stands in the passage in which that begins."""

import re
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.knowledge.chunking import HARD_LIMIT, SMALL, TARGET, Passage, passages
from calibrant.retrievers.knowledge.code import code_document
from calibrant.retrievers.knowledge.documents import Document, Section
from calibrant.retrievers.knowledge.loaders import load
from calibrant.retrievers.knowledge.prose import markdown_document, text_document

BEFORE = "The gate is made of oak and opens to the north. " * 18
BEHIND = "Oil the hinges before you open it. " * 15
ITEMS = "\n".join(f"- Part {number}: it is made of oak, and stands beside the other ones." for number in range(12))
CODE = "\n".join(f"gate.open({number})  # by so many metres" for number in range(20))


def cut(text: str, document: Document | None = None) -> list[Passage]:
    """The passages of ``text``, each of which stands in it word for word."""
    document = document or markdown_document(text, Path("a.md"))
    found = passages(document, "file:///a.md")
    assert all(document.text[item.start : item.end] == item.text for item in found)
    assert all(len(item.text) <= HARD_LIMIT for item in found)
    return found


@pytest.mark.parametrize(
    ("label", "told"),
    [
        ("!!! note", f"    {BEHIND}"),
        ('??? info "Keys of the gate"', f"    {BEHIND}"),
        ('???+ tip "Keys"', f"    {BEHIND}"),
        ('=== "North gate"', f"    {BEHIND}"),
        (".. note::", f"   {BEHIND}"),
        (".. gate:: north\n   :wide: 4", f"   {BEHIND}"),
        (":::{note}", f"{BEHIND}\n:::"),
        (":::{admonition} Keys\n:class: tip", f"{BEHIND}\n:::"),
        ("**Care of the hinges**", BEHIND),
        ("<details>\n<summary>12 parts</summary>", ITEMS),
        ("To open the gate:", f"```python\n{CODE}\n```"),
        ("It has *these parts:*", ITEMS),
        ("It is opened so::", f"    {BEHIND}"),
        ("It opens by itself.\nTo keep it shut:", f"```python\n{CODE}\n```"),
        ("To open the gate:\n\n!!! note", f"    {BEHIND}"),
    ],
)
def test_what_announces_a_text_stands_with_it(label: str, told: str) -> None:
    above, below = cut(f"# Gate\n\n{BEFORE}\n\n{label}\n\n{told}\n")
    assert above.text == f"# Gate\n\n{BEFORE}".strip()
    assert below.text == f"{label}\n\n{told}".strip()


@pytest.mark.parametrize("label", ["# Care", "Care\n-------"])
def test_what_reads_as_a_heading_stands_with_its_text(label: str) -> None:
    text = f"{BEFORE}\n\n{label}\n\n{BEHIND}"
    assert [item.text for item in cut(text, text_document(text, Path("a.txt")))][1:] == [f"{label}\n\n{BEHIND}".strip()]


def test_a_heading_in_a_docstring_stands_with_its_text() -> None:
    text = f'def shut():\n    """Shut it.\n\n    {BEFORE}\n\n    Notes\n    -----\n\n    {BEHIND}\n    """\n'
    found = cut(text, code_document(text, Path("/gate.py")))
    assert [item.text.split("\n")[0] for item in found] == ["def shut():", "    Notes"]


@pytest.mark.parametrize(
    "label",
    [
        "!!! note",
        ".. versionadded:: 2.1",
        ":::",
        "The gate is shut :wave:",
        "| Gate | Width |\n---",
        "```\nopen\n```\n---",
    ],
)
def test_what_announces_nothing_stays_where_it_is(label: str) -> None:
    above, below = cut(f"{BEFORE}\n\n{label}\n\n{BEHIND}")
    assert above.text.endswith(label)
    assert below.text == BEHIND.strip()


def test_of_a_long_paragraph_the_last_sentence_moves() -> None:
    above, below = cut(f"# Gate\n\n{BEFORE}To open it:\n\n```python\n{CODE}\n```\n")
    assert above.text.endswith("to the north.")
    assert below.text == f"To open it:\n\n```python\n{CODE}\n```"


def test_a_long_sentence_stays_where_it_is() -> None:
    long = f"Where the gate is {'very ' * 80}wide:"
    above, below = cut(f"{BEFORE[:480]}\n\n{long}\n\n{BEHIND}")
    assert above.text.endswith(long)
    assert below.text == BEHIND.strip()


def test_a_block_that_is_longer_than_a_passage_begins_with_what_announces_it() -> None:
    lines = "\n".join(f"gate.open({number})  # by so many metres" for number in range(60))
    found = cut(f"# Gate\n\n{BEFORE[:500]}\n\nTo open it:\n\n```python\n{lines}\n```\n")
    assert [item.text.split("\n")[0] for item in found][:2] == ["# Gate", "To open it:"] or "To open it:" in found[
        0
    ].text
    assert not any(item.text.endswith(("it:", "```python")) for item in found)


def test_code_is_not_cut_for_what_is_said_below_it() -> None:
    code = "```python\nshut()\n\nopen()\n```"
    above, _ = cut(f"# Gate\n\n{BEFORE[:600]}\n\n{code}\nIt is open for:\n\n{ITEMS}\n")
    assert code in above.text


def test_the_first_line_of_a_block_of_code_stands_with_the_second() -> None:
    long = "gate.open(" + "1, " * 200 + ")"
    found = cut(f"# Gate\n\n{BEFORE[:600]}\n```python\n{long}\n{long}\n```\n")
    assert not any(item.text.endswith("```python") for item in found)


def test_a_condition_in_code_stands_with_what_it_opens() -> None:
    lines = "\n".join(f"    if gate.width > {number}:\n        gate.open({number})" for number in range(60))
    text = f"def swing(gate):\n{lines}\n"
    found = cut(text, code_document(text, Path("/gate.py")))
    assert len(found) > 2
    assert not any(item.text.endswith(":") for item in found)


def test_it_is_the_same_in_restructured_text() -> None:
    code = CODE.replace("\n", "\n    ")
    text = f"Gate\n====\n\n{BEFORE}\n\nTo open it::\n\n    {code}\n"
    found = cut(text, load(Path("a.rst"), text.encode()))
    assert found[1].text.startswith("To open it:\n\n```\ngate.open(0)")


@st.composite
def announcing(draw: st.DrawFn) -> str:
    """Paragraphs, lists and code, with lines between them that announce what follows."""
    told = st.sampled_from(("a a. ", "- aba\n", "```\naa a:\n\nab\n```\n", "    aba\n", "| a | b |\n"))
    labels = st.sampled_from(
        ("", "aba:\n", "!!! aba\n\n", "# aba\n", "aba\n---\n\n", "```aba\n", ":a: b\n", "**ab**\n\n")
    )
    blocks = draw(st.lists(st.tuples(labels, told, st.integers(1, 120)), max_size=12))
    return "\n\n".join(f"{label}{one * size}" for label, one, size in blocks)


@given(announcing())
def test_nothing_is_lost_for_what_is_announced(text: str) -> None:
    found = cut(text, Document("text", "a", text, [Section(0, len(text))]))
    assert re.findall(r"[ab]", "".join(item.text for item in found)) == re.findall(r"[ab]", text)


@given(st.lists(st.integers(10, 240), min_size=1, max_size=40))
def test_no_passage_ends_in_a_colon_where_another_follows(sizes: list[int]) -> None:
    blocks = [f"As told in {size}:\n\n{('Open it. ' * size)[: size * 4].strip()}" for size in sizes]
    found = cut("\n\n".join(blocks))
    assert not any(item.text.endswith(":") for item in found)
    assert all(len(item.text) <= TARGET + SMALL for item in found)


@pytest.mark.parametrize(
    "line", ["aba:\n", "aba:\n\n", "# " + "a:" * 80 + "\n\n", "!!! a\n", ":a: b\n", "```\n\n", "---\n\n"]
)
def test_lines_made_to_hurt_take_no_longer_than_others(line: str) -> None:
    started = time.process_time()
    text = line * (100_000 // len(line))
    cut(text, text_document(text, Path("a.txt")))
    assert time.process_time() - started < 6
