"""Files with markup of their own, as a reader has them: reStructuredText, man pages, plain texts; and files that are
none to be read."""

from pathlib import Path

import pytest

from calibrant.judges.free.words.text import sentences
from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.documents import Document, NotTextError
from calibrant.retrievers.knowledge.loaders import load

RST = """\
.. _gates:

Gates
=====

A gate is made of oak. See Hinges_ for its parts::

    gate = open("oak")
    gate.close()

.. note:: Oil it in spring.

.. py:data:: MAX_WIDTH
    :type: int

    How wide a gate may be.

    .. versionadded:: 2.1

    .. versionchanged:: 2.3
        Was 3 before.

    Default: ``4``

After the entries.

.. class:: Gate(wood, *, width=4)

   A gate by itself.

   .. method:: close(slowly=False)

      Shut it.

.. option:: -q, --quiet

   Say nothing.

.. code-tab:: console
   :caption: Oiling

   $ gate oil --all

.. toctree::
   :maxdepth: 2

   hinges
   locks

.. |oak| image:: oak.png
.. Remember to ask the smith about this.
.. _Hinges: https://hinges.test/

term
    What it means.
"""
MDOC = """\
.Dd May 2, 2024
.Dt GATE 8
.Sh NAME
.Nm gate
.Nd open and close gates
.Sh SYNOPSIS
.Nm
.Op Fl q
.Op Fl w Ar width
.Sh OPTIONS
.Bl -tag
.It Fl w Ar width
How wide it opens.
See
.Xr hinge 5 .
.El
"""
MAN = r"""'\" t
.\" made by hand
.TH GATE 1 "May 2024"
.SH NAME
gate \- open and close gates
.SH OPTIONS
.TP
.BR \-w ", " \-\-width = \fIN\fR
Open it by \fIN\fR metres.
The default is 4\&.
.TP
.B \-q
.TQ
.B \-\-quiet
Say nothing.
.PP
\fB\-\-force\fR
.RS 4
Break the lock.
.RE
.PP
Without a lock, add
.nf
  --no-lock
.fi
to the command.
.SS "Exit codes"
.IP \(bu 2
0: the gate is shut
.if n .ad l
.de XX
not a text
..
"""
PLAIN = """\
Gate protocol
=============

Words of greeting.

Keys
----

A key is up to 90 bytes long.

The first part ends here.
--------------------------------------------------------------------

Name   Width
------------
oak    4
"""


def made(name: str, text: str) -> Document:
    return load(Path(name), text.encode())


def read(name: str, text: str) -> dict[str, str]:
    """The passages by heading."""
    found: dict[str, str] = {}
    for item in passages(made(name, text), f"file:///{name}"):
        found[item.heading] = f"{found[item.heading]}\n\n{item.text}" if item.heading in found else item.text
    return found


def test_what_documents_a_name_is_a_section_of_its_own() -> None:
    found = read("gates.rst", RST)
    assert found["Gates > MAX_WIDTH"] == (
        "## MAX_WIDTH\n\nType: int\n\nHow wide a gate may be.\n\nAdded in version 2.1.\n\n"
        "Changed in version 2.3: Was 3 before.\n\nDefault: ``4``"
    )
    assert found["Gates > Gate > close"] == "### close\n\nclose(slowly=False)\n\nShut it."
    assert "Gate(wood, *, width=4)" in found["Gates > Gate"]
    assert found["Gates > -q, --quiet"].endswith("Say nothing.")


def test_what_stands_below_an_entry_belongs_to_the_section_again() -> None:
    found = read("gates.rst", RST)["Gates"]
    assert "After the entries." in found
    assert "**term:** What it means." in found
    assert "Oil it in spring." in found


def test_what_only_steers_the_typesetting_is_no_text() -> None:
    document = made("gates.rst", RST)
    for word in ("_gates", "caption", "maxdepth", "locks", "oak.png", "smith", "hinges.test", "Hinges_", "::"):
        assert word not in document.text


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("deprecated-removed:: 2.1 3.0\n   Use the door.", "since version 2.1, removed in version 3.0: Use the door."),
        ("deprecated-removed:: next 3.0", "since version next, removed in version 3.0."),
        ("deprecated:: 2.1", "since version 2.1."),
        ("deprecated:: 2.1 Use 2 doors.", "since version 2.1: Use 2 doors."),
    ],
)
def test_when_something_is_removed_is_told(written: str, told: str) -> None:
    assert made("a.rst", f".. {written}\n").text.strip() == f"Deprecated {told}"


def test_what_stands_for_a_name_between_bars_is_told_in_its_place() -> None:
    text = (
        "The |Gate| opens at 7, |gate|_ too; |door| and a||b|| do not.\n\n| The |gate|\n\n::\n\n   a |gate| b\n\n"
        ".. |gate| replace:: North\n   Gate\n.. |door| image:: door.png\n"
    )
    assert made("a.rst", text).text == (
        "The North Gate opens at 7, North Gate too; |door| and a||b|| do not.\n\n| The North Gate\n\n"
        "```\na |gate| b\n```\n\n"
    )


OPTIONS = ".TH GATE 1\n.SH OPTIONS\n"


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        (r"A cancela \('e p\('ublica, n\(~ao \[u00E9] de A\(,cores\.", "A cancela é pública, não é de Açores."),
        (r"Gro\(ss, h\(oa, \(r?Qu\('e?", "Groß, hå, ¿Qué?"),
        ("\\# To do: locks\nOpen it.", "Open it."),
        (".ds = \\-\\-\n.ds Gx \"the \\*=gate\n.B \\*=width\nopens \\*(Gx.", "--width\nopens the --gate."),
        ('.ie n .IP """wide""" 4\n.el .IP "\\f(CWwide\\fR" 4\nTen metres.', '**"wide":** Ten metres.'),
        (".if t .IP narrow\n.if !'one'two' .IP wide\nTen metres.", "**wide:** Ten metres."),
        (".IP wide\nTen metres.\n.Sp\nNo more.", "**wide:** Ten metres.\n\n  No more."),
        ("See\n.Sx WIDTHS ,\nbelow.", "See\nWIDTHS,\nbelow."),
        (".if \\n(.g .IP narrow\nTen metres.", "Ten metres."),
        (
            ".ie n \\{\\\n\\h'-04'\\(bu\\h'+03'\\c\n.\\}\n.el \\{\\\n.sp -1\n.IP \\(bu 2.3\n.\\}\nTen metres.",
            "- Ten metres.",
        ),
        (".if t \\{\\\nWide.\n.if n \\{ Narrow. \\}\n.\\}\nTen metres.", "Ten metres."),
        (".ds a " + "x" * 150 + "\n.ds b \\*a\\*a\nTen\\*b metres.", "Ten metres."),
        (".IP 1. 3\nOil it.\n.IP 2. 3\nOpen it.", "1. Oil it.\n\n2. Open it."),
        (
            ".INDENT 0.0\n.IP \\(bu 2\nOak\n.UNINDENT\n.sp\nAll are oiled. So:\n.INDENT 3.5\n.sp\nOil it.\n.UNINDENT\n",
            "- Oak\n\nAll are oiled. So:\n\nOil it.",
        ),
    ],
)  # fmt: skip
def test_a_man_page_says_what_a_terminal_shows(written: str, shown: str) -> None:
    assert made("gate.1", OPTIONS + written).text.strip() == f"# OPTIONS\n\n{shown}"


def test_code_in_restructured_text_is_code() -> None:
    document = made("gates.rst", RST)
    code = [one.text for one in sentences(document.text) if one.kind == "code"]
    assert 'gate = open("oak")\ngate.close()' in code
    assert "$ gate oil --all" in code


def test_a_passage_knows_its_line_of_the_file() -> None:
    found = {item.heading: item for item in passages(made("gates.rst", RST), "file:///gates.rst")}
    lines = RST.split("\n")
    for heading, item in found.items():
        if item.line and heading.endswith("MAX_WIDTH"):
            assert lines[item.line - 1] == ".. py:data:: MAX_WIDTH"
            assert item.end_line
            assert lines[item.end_line - 1].strip() == "Default: ``4``"


@pytest.mark.parametrize(
    ("first", "title"),
    [
        ("Version 3.2.0", "CHANGES.rst"),
        ("1.4.0 (2024-05-01)", "CHANGES.rst"),
        ("v2.0", "CHANGES.rst"),
        ("Unreleased", "CHANGES.rst"),
        ("Versão 3.2", "CHANGES.rst"),
        ("Version control", "Version control"),
        ("1.1 The gate", "1.1 The gate"),
        ("Changes", "Changes"),
    ],
)
def test_a_changelog_is_not_titled_by_its_last_release(first: str, title: str) -> None:
    assert made("CHANGES.rst", f"{first}\n{'=' * 30}\n\n- The gate is wider.\n").title == title


def test_a_man_page_has_headings_and_entries() -> None:
    document = made("gate.1", MAN)
    assert document.title == "gate(1)"
    found = read("gate.1", MAN)
    assert found["NAME"] == "# NAME\n\ngate - open and close gates"
    options = [one.text for one in sentences(found["OPTIONS"])]
    assert options[1:] == [
        "-w, --width=N: Open it by N metres. The default is 4.",
        "-q, --quiet: Say nothing.",
        "--force: Break the lock.",
        "Without a lock, add --no-lock to the command.",
    ]
    assert found["OPTIONS > Exit codes"].endswith("- 0: the gate is shut")


TABLE = r"""
.TS
allbox tab(:);
lB lB lB.
T{
Key
T}:T{
Limit | unit
T}:Notes
.T&
l l l
l l l.
T{
\fBWidth\fR
T}:4 m:T{
Don\*(Aqt force it,
.br
it breaks
T}
_
Lock:\&.lock
.TE
"""


def test_tables_of_man_pages() -> None:
    found = read("gate.5", f".TH GATE 5\n.SH KEYS\nWhat there is:{TABLE}Apart.\n")["KEYS"]
    assert found.split("\n")[2:] == [
        "What there is:", "", "| Key | Limit \\| unit | Notes |", "| --- | --- | --- |",
        "| Width | 4 m | Don't force it, it breaks |", "| Lock | .lock |  |", "", "Apart.",
    ]  # fmt: skip
    item = passages(made("gate.5", f".TH GATE 5\n.SH KEYS\nWhat there is:{TABLE}"), "file:///gate.5")[0]
    told = [one.text for one in sentences(item.text, item.columns)]
    assert "Key: Width; Limit | unit: 4 m; Notes: Don't force it, it breaks" in told[-2]


@pytest.mark.parametrize(
    ("rows", "told"),
    [
        (".TS\nl l.\na\tb\nc\td\n.TE\n", "|  |  |\n| --- | --- |\n| a | b |\n| c | d |"),
        (".TS\ncenter;\nc c,l l.\na\tb\nc\n.TE\n", "| a | b |\n| --- | --- |\n| c |  |"),
        (".TS\nl l.\na\tb\n_\nc\td\n.TE\n", "| a | b |\n| --- | --- |\n| c | d |"),
        (".TS\nl l.\nT{\nopen\n", "|  |\n| --- |\n| open |"),
        (".TS\nl l\n.TE\n", ""),
        (".TS\n.TE\n", ""),
        (".TS\nl.\n.T&\n", ""),
    ],
)
def test_tables_of_other_formats_and_broken_ones(rows: str, told: str) -> None:
    found = read("gate.5", f".TH GATE 5\n.SH KEYS\nWhat there is:\n{rows}")["KEYS"]
    assert found.removeprefix("# KEYS\n\nWhat there is:").strip() == told


def test_quotation_marks_of_man_pages_are_told() -> None:
    text = r'It isn\*(Aqt \*(L"shut\*(R" if 3 \*[Gt] 2.'
    assert read("gate.1", f".TH GATE 1\n.SH A\n{text}\n")["A"].endswith("It isn't “shut” if 3 > 2.")


def test_the_other_macros_of_man_pages() -> None:
    found = read("gate.8", MDOC)
    assert found["NAME"] == "# NAME\n\ngate\n– open and close gates"
    assert found["SYNOPSIS"].split("\n")[2:] == ["gate", "[-q]", "[-w width]"]
    assert found["OPTIONS"].endswith("**-w width:** How wide it opens.\n  See\n  hinge(5).")


def test_a_man_page_that_a_program_wrote_begins_with_its_own_macros() -> None:
    preamble = '.\\" Automatically generated\n.de Vb\n.ft CW\n..\n.de1 INDENT\n.RS 4\n..\n.tr \\(*W-\n'
    document = made("gate.3", preamble + ".TH GATE 3pm\n.SH NAME\ngate \\- a door\n.Vb 1\n\\& gate \\-q\n.Ve\n")
    assert document.text == "# NAME\n\ngate - a door\n\n```\n gate -q\n```\n\n"


def test_a_rotated_log_is_no_man_page() -> None:
    assert made("gate.log.1", "10:30 The gate was opened.\n.SH is a word here.\n").text.startswith("10:30")


def test_underlined_lines_head_a_plain_text() -> None:
    document = made("protocol.txt", PLAIN)
    assert document.title == "Gate protocol"
    assert list(dict.fromkeys(section.heading for section in document.sections)) == [
        "Gate protocol",
        "Gate protocol > Keys",
    ]


@pytest.mark.parametrize(
    ("name", "text", "reason"),
    [
        ("logo.svg", "<svg><text>Gate</text></svg>", "a drawing"),
        ("Doxyfile", "PROJECT_NAME = Gate\n", "settings of a documentation tool"),
        ("gate.excalidraw", "{}", "a drawing"),
        ("poetry.lock", "[[package]]\nname = 'gate'\n", "by a program"),
        ("package-lock.json", "{}", "by a program"),
        ("book.xsl", "<xsl:template/>", "stylesheet"),
        ("gate.min.js", "var a=1;", "by a program"),
    ],
)
def test_files_that_are_none_to_read_are_passed_over_with_the_reason(name: str, text: str, reason: str) -> None:
    with pytest.raises(NotTextError, match=reason):
        made(name, text)


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("gate.toml.example", "width = 4\n", "code"),
        ("gate.html.j2", "<p>It is {{ width }} wide.</p>\n", "html"),
        ("gate.md.txt", "# Gate\n\nIt is oak.\n", "markdown"),
        ("v1.2.txt", "It is oak.\n", "text"),
        ("Makefile.am", "AM_CFLAGS = -O2\nbin_PROGRAMS = gate\ngate_SOURCES = a.c \\\n\tb.c\n", "code"),
        ("gate.service", "[Unit]\nDescription=Gate\n[Service]\nExecStart=/bin/gate\n", "code"),
        ("gate.conf.example", "width = 4\n", "code"),
        ("AUTHORS", "Ana Reis <ana@gate.test>\nRui Paz <rui@gate.test>\n", "text"),
        ("NEWS", "The gate is wider.\nIt was made of oak.\n", "text"),
        ("LEIAME", "O portão abre às 9h.\n\nFale com a Ana: ela tem a chave.\n", "text"),
    ],
)
def test_a_file_without_a_known_name_is_told_by_its_lines(name: str, text: str, kind: str) -> None:
    assert made(name, text).kind == kind


@pytest.mark.parametrize(
    ("titled", "named", "title"),
    [
        ('"harbor gate" "1"', "harbor-tow \\- Tow a barge", "harbor-tow(1)"),
        ('"harbor tow" "1"', "harbor-tow - Tow a barge", "harbor tow(1)"),
        ("TOW 8", "haul, tow \\- move a barge", "tow(8)"),
        ("FERRY 8", "barge \\- a boat\n.br\nferry \\- another", "ferry(8)"),
        ('"Flow of barges" 8', "flow \\- how they go", "Flow of barges(8)"),
        ("TOW 8", ".Nm haul", "tow(8)"),
    ],
)
def test_a_man_page_is_titled_by_what_it_says_it_is_about(titled: str, named: str, title: str) -> None:
    """Pages that a program writes may all bear the title of the first."""
    text = f".TH {titled}\n.SH NAME\n{named}\n.SH OPTIONS\nOf the gate, the haul and the tow.\n"
    assert made("page.1", text).title == title


SWITCHES = """\
Gate
====

Opening
    -w, --width WIDTH    how wide; a gate that is open
                         wider scrapes
    -q          say nothing, see Hinges_

Shut it with -f  or by hand.

.. _Hinges: https://hinges.test/
"""


def test_a_list_of_options_has_an_entry_for_each() -> None:
    document = made("gate.rst.inc", SWITCHES)
    assert document.text.strip().split("\n\n")[1:] == [
        "**Opening:**\n    - ``-w, --width WIDTH``: how wide; a gate that is open\n      wider scrapes\n"
        "    - ``-q``: say nothing, see Hinges",
        "Shut it with -f  or by hand.",
    ]
    assert passages(document, "file:///gate")[0].line == 1


def test_a_class_says_nothing_in_a_cell() -> None:
    drawn = """\
+------------------+
| Width            |
+==================+
| .. class:: wide  |
|                  |
| 4 m              |
+------------------+
"""
    assert "| 4 m |" in made("gate.rst", drawn).text


@pytest.mark.parametrize(
    ("name", "text", "title"),
    [
        (
            "gep-0012.rst",
            "GEP: 12\nTitle: Oak: wider\n  gates\nStatus: Final\n\nWhy\n===\n\nThey scrape.\n",
            "GEP 12: Oak: wider gates",
        ),
        ("gep-0013.rst", "GEP: 12\nTitle: Wider gates\n\nWhy\n===\n\nThey scrape.\n", "Wider gates"),
        ("gates.md", "---\ntitle: Gates &amp; doors\n---\n\n# Why\n\nThey scrape.\n", "Gates & doors"),
        ("gep-12.md", '---\ngep: 12\ntitle: "Wider gates"\n---\n\n# Why\n\nThey scrape.\n', "GEP 12: Wider gates"),
        ("gates.rst", "Note: Title\nTitle: is a word\nof a text.\n\nWhy\n===\n\nThey scrape.\n", "Why"),
        ("gates.md", "Title: Gates\n\n# Why\n\nThey scrape.\n", "Why"),
    ],
)
def test_a_page_is_titled_by_its_particulars(name: str, text: str, title: str) -> None:
    assert made(name, text).title == title


@pytest.mark.parametrize(("named", "is_headed"), [("wide-table", False), ("Gate", True), ("barn.Gate(wood)", True)])
def test_a_class_that_only_styles_is_no_entry(named: str, is_headed: bool) -> None:
    document = made("gate.rst", f"Gate\n====\n\n.. class:: {named}\n\n   It opens.\n")
    assert any(section.heading != "Gate" for section in document.sections) is is_headed
    assert "It opens." in document.text
