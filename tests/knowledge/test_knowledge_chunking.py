"""Documents into passages: exact offsets, whole sentences, stable ids."""

import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.knowledge.chunking import HARD_LIMIT, TARGET, headed, passages, split_heading
from calibrant.retrievers.knowledge.code import code_document
from calibrant.retrievers.knowledge.documents import Document, Lines, Section
from calibrant.retrievers.knowledge.prose import markdown_document, text_document
from calibrant.retrievers.knowledge.restructured import restructured_document

GUIDE = """# Guide

Opening words about the guide.

## Install

Run the installer and wait.

```python
# not a heading
```

### From source

Clone it first, then build it.

Usage
-----

Call it.
"""

MODULE = '''"""Tools for parsing."""

import os

LIMIT = 3


# Reads one thing.
@staticmethod
def read(path: str) -> str:
    """Read the file at path."""
    return open(path).read()


class Parser:
    """Parses."""

    strict = True

    def parse(self, text):
        """Parse text."""

    class Inner:
        def deep(self): ...


try:
    import fast
except ImportError:
    def fallback():
        """Slow way."""
'''


def made(text: str, document: Document | None = None) -> list[tuple[str, str]]:
    found = passages(document or text_document(text, Path("a.txt")), "file:///a.txt")
    return [(item.heading, item.text) for item in found]


def test_markdown_headings_become_paths_and_fences_are_no_headings() -> None:
    document = markdown_document(GUIDE, Path("guide.md"))
    assert document.title == "Guide"
    assert [section.heading for section in document.sections] == [
        "Guide",
        "Guide > Install",
        "Guide > Install > From source",
        "Guide > Usage",
    ]


@pytest.mark.parametrize(
    ("line", "heading"),
    [
        ("# Using C#", "Using C#"),
        ("## F#", "F#"),
        ("# Care ##  ", "Care"),
        ("# Care \t#", "Care"),
        ("#  Care # of it ", "Care # of it"),
        (r"# `reactive()` \*\*", "reactive()"),
        ("# See [the `guide`](https://x.test/a) and ![a sign](b.png)", "See the guide and a sign"),
    ],
)
def test_marks_that_close_a_heading_are_no_part_of_it(line: str, heading: str) -> None:
    document = markdown_document(f"{line}\n\nWords.\n", Path("a.md"))
    assert [section.heading for section in document.sections] == [heading]


def test_a_heading_of_nothing_but_marks_is_none() -> None:
    assert markdown_document("# ##\n\nWords.\n", Path("a.md")).sections == [Section(0, 13)]


@pytest.mark.parametrize(
    "text",
    [
        "# a" + " " * 4000 + "b",
        "# a" + "#" * 100_000 + "b",
        "# " + "[" * 20_000,
        "# " + "[](" * 20_000,
        "---\ntitle:" + " " * 4000,
    ],
)
def test_a_line_made_to_hurt_takes_no_longer_than_others(text: str) -> None:
    started = time.process_time()
    markdown_document(text, Path("a.md"))
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize(
    ("opening", "inside", "closing"),
    [
        ("````markdown", "```\n# no heading\n```", "````"),
        ("```", "```python\n# no heading", "```  "),
        ("~~~", "```\n# no heading", "~~~~~"),
        ("1. Run it:\n\n     ```sh", "# no heading", "     ```"),
    ],
)
def test_a_fence_is_closed_only_by_its_own_marks(opening: str, inside: str, closing: str) -> None:
    document = markdown_document(f"{opening}\n{inside}\n{closing}\n# Care\n\nOil it.\n", Path("a.md"))
    assert [section.heading for section in document.sections] == ["", "Care"]


def test_code_between_marks_in_one_line_opens_no_fence() -> None:
    assert markdown_document("```x = 1```\n\n# Care\n", Path("a.md")).title == "Care"


@pytest.mark.parametrize(
    "title",
    ['"Real title"', "'Real title'", "Real title  ", "Real title # of two", ">-\n  Real\n  title", '"Real title" # x'],
)
def test_front_matter_names_the_document(title: str) -> None:
    document = markdown_document(f"---\nauthor: Ann\ntitle: {title}\n---\n# Other\n\nText.\n", Path("x.md"))
    assert document.title == "Real title"


@pytest.mark.parametrize(
    "heading",
    [
        "<h1>Gate</h1>",
        '<h1 align="center">\n  <img src="gate.png">\n  <a href="#">Gate</a>\n</h1>',
        '<H1 align="center">\n\n![Gate](gate.png)\n\n</H1>',
    ],
)
def test_a_heading_may_be_written_as_html(heading: str) -> None:
    document = markdown_document(
        f"{heading}\n\nWords.\n\n```\n<h2>no heading</h2>\n```\n<h2></h2>\n## Care\n", Path("a.md")
    )
    assert document.title == "Gate"
    assert [section.heading for section in document.sections] == ["Gate", "Gate > Care"]


@pytest.mark.parametrize("title", ["Real: title", "{{ title }}", "- Real ["])
def test_a_title_that_is_no_yaml_is_taken_as_it_stands(title: str) -> None:
    assert markdown_document(f"---\ntitle: {title}\n---\n# Other\n", Path("x.md")).title == title


def test_what_is_commented_out_is_not_read() -> None:
    told = "It opens at 7. <!-- sure? -->\n\n```\n<!--\n-->\n```\n<!-- open"
    text = f"# Gate\n\n<!-- Until May:\n# Barn\nIt opens at 5.\n-->\n{told}\n"
    found = passages(markdown_document(text, Path("a.md")), "file:///a.md")
    assert [(item.heading, item.line, item.end_line, item.jumps) for item in found] == [("Gate", 1, 13, ((8, 7),))]
    assert found[0].text == f"# Gate\n\n{told}"


def test_comments_that_do_not_end_are_passed_in_no_time() -> None:
    started = time.perf_counter()
    markdown_document("-->\n" + "<!--\n" * 100_000, Path("a.md"))
    markdown_document("<h1>\n" * 100_000 + "<h1>" * 100_000, Path("a.md"))
    assert time.perf_counter() - started < 3


MYST = """(gates)=
# Gates

```{eval-rst}
.. currentmodule:: gates
```

```{contents}
:depth: 2
```

```{warning}
The gate closes by itself.
```

````{admonition} Keys
:class: tip

Ask the master.

```{versionadded} 2.1
```
````

```{code-block} python
gate.open()
```

```{eval-rst}
.. autofunction:: open_gate
```

```{note}
never closed"""


def test_directives_in_markdown_are_read_as_what_they_frame() -> None:
    document = markdown_document(MYST, Path("a.md"))
    assert [line for line in document.text.split("\n") if line] == [
        "# Gates",
        "The gate closes by itself.",
        "Keys",
        "Ask the master.",
        "Added in version 2.1.",
        *("```{code-block} python", "gate.open()", "```"),
        *("```{eval-rst}", ".. autofunction:: open_gate", "```"),
        *("```{note}", "never closed"),
    ]
    (found,) = passages(document, "file:///a.md")
    assert (found.line, found.end_line) == (2, len(MYST.split("\n")))


def test_directives_in_each_other_are_passed_in_no_time() -> None:
    started = time.perf_counter()
    opened = [f"{'`' * width}{{note}}" for width in range(700, 3, -1)]
    markdown_document("\n".join([*opened, *(one.partition("{")[0] for one in reversed(opened))]), Path("a.md"))
    markdown_document("```{note}\n" * 50_000, Path("a.md"))
    assert time.perf_counter() - started < 3


def test_a_title_below_the_front_matter_is_not_its_own() -> None:
    text = "---\nauthor: Ann\n---\n# Other\n\ntitle: none\n\n---\n"
    assert markdown_document(text, Path("x.md")).title == "Other"


def test_lines_are_those_of_the_file() -> None:
    found = passages(markdown_document(GUIDE, Path("guide.md")), "file:///guide.md")
    lines = GUIDE.split("\n")
    for item in found:
        assert item.line is not None
        assert item.end_line is not None
        assert lines[item.line - 1] == item.text.split("\n")[0]
        assert lines[item.end_line - 1] == item.text.split("\n")[-1]


def test_restructured_text_headings() -> None:
    document = restructured_document("Title\n=====\n\nWords.\n\nPart\n----\n\nMore.\n", Path("a.rst"))
    assert [section.heading for section in document.sections] == ["Title", "Title > Part"]


def test_a_line_above_a_title_makes_another_level_of_it_and_may_be_short() -> None:
    text = "====\nStatutes of the club\n====\n\nOf 2024.\n\n1. Rents\n========\n\nDue.\n\n2. Dogs\n=======\n\nNone.\n"
    document = restructured_document(text, Path("a.rst"))
    assert document.title == "Statutes of the club"
    above = "Statutes of the club"
    assert [section.heading for section in document.sections] == [above, f"{above} > 1. Rents", f"{above} > 2. Dogs"]
    begun = [document.text[section.start :].split("\n")[0] for section in document.sections]
    assert begun == ["# Statutes of the club", "## 1. Rents", "## 2. Dogs"]
    assert [document.lines.at(section.start) for section in document.sections] == [1, 7, 12]


def test_a_small_paragraph_without_entries_around_it_stays_apart() -> None:
    text = "\n\n".join("Words to read. " * size for size in (65, 10, 65))
    assert [item.text[-14:] for item in passages(text_document(text, Path("a.txt")), "file:///a.txt")] == [
        "Words to read."
    ] * 3


def test_sentences_stay_whole() -> None:
    sentence = "The pump has to be primed before the first start of the day. "
    for _, text in made(sentence * 60):
        assert text.startswith("The pump")
        assert text.endswith("day.")
        assert len(text) <= TARGET


@st.composite
def indented(draw: st.DrawFn) -> str:
    """Entries inside entries, of lines of all lengths."""
    lines = draw(st.lists(st.tuples(st.integers(0, 4), st.integers(0, 1600), st.booleans()), max_size=12))
    texts = ("  " * depth + ("a a. " * (size // 5) or "aba") + "\n" * (1 + gap) for depth, size, gap in lines)
    return "".join(texts)


def test_a_section_that_says_only_its_heading_is_no_passage() -> None:
    document = markdown_document("# One\n\n## Two\n\nWords.\n", Path("a.md"))
    assert made("", document) == [("One > Two", "## Two\n\nWords.")]
    assert made("", markdown_document("# Using C#\n\n## Start\n\nWords.\n", Path("a.md")))[0][0] == "Using C# > Start"


@given(st.one_of(st.text(alphabet="ab .\n", max_size=4000), indented()))
def test_nothing_is_lost_or_invented(text: str) -> None:
    found = passages(text_document(text, Path("a.txt")), "file:///a.txt")
    assert all(item.text == text[item.start : item.end] for item in found)
    assert all(len(item.text) <= HARD_LIMIT for item in found)
    assert sorted("".join(item.text for item in found).replace(" ", "").replace("\n", "").replace(".", "")) == sorted(
        text.replace(" ", "").replace("\n", "").replace(".", "")
    )


def test_ids_stay_when_text_moves_and_differ_for_repeats() -> None:
    before = passages(markdown_document("# A\n\nSame words.\n", Path("a.md")), "file:///a.md")
    after = passages(markdown_document("# New\n\nOther.\n\n# A\n\nSame words.\n", Path("a.md")), "file:///a.md")
    assert before[0].id == after[1].id
    assert before[0].start != after[1].start
    row = "x: 1\n" * 3
    sections = [Section(0, 4), Section(5, 9), Section(10, 14)]
    ids = [item.id for item in passages(Document("text", "t", row, sections, Lines.of(row)), "file:///r")]
    assert len(set(ids)) == 3


def test_python_is_cut_by_definition_with_dotted_names(tmp_path: Path) -> None:
    package = tmp_path / "tools"
    package.mkdir()
    (package / "__init__.py").touch()
    document = code_document(MODULE, package / "parsing.py")
    found = {item.heading: item.text for item in passages(document, "file:///p")}
    assert document.title == "tools.parsing"
    assert list(found) == [
        "tools.parsing",
        "tools.parsing.read",
        "tools.parsing.Parser",
        "tools.parsing.Parser.parse",
        "tools.parsing.Parser.Inner",
        "tools.parsing.Parser.Inner.deep",
        "tools.parsing.fallback",
    ]
    assert found["tools.parsing.read"].startswith("# Reads one thing.\n@staticmethod\ndef read")
    assert '"""Read the file at path."""' in found["tools.parsing.read"]
    assert "strict = True" in found["tools.parsing.Parser"]
    assert found["tools.parsing.fallback"].startswith("    def fallback")


def test_a_package_is_named_without_init(tmp_path: Path) -> None:
    (tmp_path / "json").mkdir()
    path = tmp_path / "json" / "__init__.py"
    path.touch()
    assert code_document("x = 1\n", path).title == "json"


def test_a_long_docstring_is_cut_in_paragraphs_apart_from_the_body() -> None:
    paragraphs = "\n\n".join(f"    Paragraph {n} " + "says a good deal about it. " * 15 for n in range(5))
    body = "\n".join(f"    step_{n}(value)" for n in range(80))
    text = f'def long(value):\n    """Opening.\n\n{paragraphs}\n    """\n{body}\n'
    found = [item for item in passages(code_document(text, Path("/m.py")), "file:///m.py") if item.heading == "m.long"]
    assert found[0].text.startswith('def long(value):\n    """Opening.')
    assert all(item.text.lstrip().startswith(("def", "Paragraph", "step_", '"""')) for item in found)
    assert not any("Paragraph" in item.text and "step_" in item.text for item in found)


@pytest.mark.parametrize("text", ["def broken(:\n    pass\n", "print 'old'\n\ndef f():\n    pass\n"])
def test_python_that_does_not_parse_is_read_by_lines(text: str) -> None:
    assert "".join(body for _, body in made("", code_document(text, Path("/old.py")))).count("pass") == 1


def test_other_languages_are_cut_at_declarations() -> None:
    text = "import x\n\nexport async function load(a) {\n  return a;\n}\n\npub struct Point {\n  x: i32,\n}\n"
    assert [heading for heading, _ in made("", code_document(text, Path("/a.js")))] == ["", "load", "Point"]
    receiver = "package p\n\nfunc (s *Server) Run() error {\n\treturn nil\n}\n"
    assert [heading for heading, _ in made("", code_document(receiver, Path("/a.go")))] == ["", "Run"]


def test_a_comment_stands_with_the_declaration_below_it() -> None:
    push = "// Push adds a job.\n//\n// It blocks.\nfunc Push() {}\n"
    text = f"package queue\n\n{push}\n/**\n * Takes one.\n */\n@Pure\nclass Pop {{}}\n"
    bodies = dict(made("", code_document(text, Path("/a.go"))))
    assert bodies["Push"].startswith("// Push adds a job.")
    assert bodies["Pop"].startswith("/**\n * Takes one.")
    assert "package queue" in bodies[""]
    apart = "// Of the file.\n\nfunc Push() {}\n"
    assert [heading for heading, _ in made("", code_document(apart, Path("/a.go")))] == ["", "Push"]


@pytest.mark.parametrize("line", ["export\n", "func (\n"])
def test_code_made_to_hurt_takes_no_longer_than_other(line: str) -> None:
    started = time.process_time()
    code_document(line * 20_000, Path("/a.js"))
    assert time.process_time() - started < 0.5


def test_a_heading_made_to_hurt_takes_no_longer_than_others() -> None:
    started = time.process_time()
    split_heading(" > | " * 8000)
    assert time.process_time() - started < 0.5


@pytest.mark.parametrize("heading", ["", "# Staff\n\n"])
def test_a_passage_that_starts_inside_a_table_knows_its_columns(heading: str) -> None:
    lines = [f"| Person {number} | room {number} | early \\| late |" for number in range(60)]
    text = (
        heading
        + "\n".join(["Who is who.", "", "| Name | `Room` |  |", "| --- | :---: | --- |", *lines])
        + "\n\nThe end."
    )
    found = passages(markdown_document(text, Path("staff.md")), "file:///staff.md")
    inside = [item for item in found if item.text.startswith("| Person")]
    assert len(inside) > 1
    for item in found:
        assert item.columns == (("Name", "`Room`", "") if item in inside else ())
        assert split_heading(headed(item.heading, item.columns, "")) == (item.heading, item.columns, "")
        assert text[item.start : item.end] == item.text


@pytest.mark.parametrize(
    "line", ["|" * 200_000, " " * 200_000 + "|", "a|\n" + " " * 200_000, "a|\n" + "|-" * 100_000 + "x"]
)
def test_lines_that_are_almost_a_table_take_no_longer_than_others(line: str) -> None:
    """Backtracking over one of them would take minutes."""
    assert passages(markdown_document(f"# A\n\nWords.\n\n{line}\n\nThe end.", Path("a.md")), "file:///a.md")


def test_what_follows_a_table_has_no_columns() -> None:
    table = "\n".join(["| A | B |", "|---|---|", *(f"| {number} | {'x' * 40} |" for number in range(18))])
    words = " ".join(f"Sentence {number} is about something else." for number in range(60))
    found = passages(markdown_document(f"{table}\n\n{words}", Path("t.md")), "file:///t.md")
    assert len(found) > 2
    assert found[-1].columns == ()


@given(
    st.text(st.characters(exclude_characters="|\n`~")),
    st.lists(st.text(alphabet="abc d", min_size=1).map(str.strip), max_size=4),
    st.sampled_from(["", "```", "```sh", "~~~~ {.bash}", "``` title > part"]),
)
def test_a_heading_comes_back_with_its_columns_or_its_fence(heading: str, columns: list[str], fence: str) -> None:
    above = (heading, tuple(columns), "" if columns else fence)
    assert split_heading(headed(*above)) == above


COMMANDS = "\n".join(
    f'jobs ask "Which one is number {number}?" --all  # asks for number {number}' for number in range(40)
)


@pytest.mark.parametrize("opening", ["```sh", "~~~~", "    ```"])
def test_a_passage_that_starts_inside_a_block_of_code_knows_it(opening: str) -> None:
    fence = opening.strip().removesuffix("sh")
    said = "What follows is said of it. " * 60
    text = f"# Use\n\nAsk it so:\n\n{opening}\n{COMMANDS}\n{fence}\n\n{said}\n\n```\nend\n```\n"
    found = passages(markdown_document(text, Path("use.md")), "file:///use.md")
    inside = [item for item in found if item.text.startswith("jobs ask")]
    assert len(inside) > 1
    for item in found:
        assert item.fence == (opening.strip() if item in inside else "")
        assert split_heading(headed(item.heading, (), item.fence)) == (item.heading, (), item.fence)
        assert text[item.start : item.end] == item.text


def test_a_block_of_code_is_cut_between_its_lines() -> None:
    text = f"# Use\n\nAsk it so:\n\n```sh\n{COMMANDS}\n```\n"
    found = passages(markdown_document(text, Path("use.md")), "file:///use.md")
    lines = [line for item in found for line in item.text.splitlines() if line.startswith("jobs")]
    assert lines == COMMANDS.splitlines()


@pytest.mark.parametrize(("style", "fenced"), [("a.md", True), ("a.py", False)])
def test_only_markup_has_blocks_of_code(style: str, fenced: bool) -> None:
    text = f'"""Use\n\n```sh\n{COMMANDS}\n```\n"""\n'
    read = markdown_document if fenced else code_document
    found = passages(read(text, Path(style)), "file:///a")
    assert any(item.fence for item in found) is fenced


def test_many_small_tables_are_cut_in_time() -> None:
    text = "|a|b|\n|-|-|\n\n" * 80_000
    started = time.process_time()
    passages(markdown_document(text, Path("a.md")), "file:///a.md")
    assert time.process_time() - started < 6
