"""Each format as text with places; what cannot be read fails with one clear line."""

import codecs
import io
import json
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path

import docx
import pytest
from docx.document import Document as DocumentOfWord
from docx.enum.style import WD_STYLE_TYPE
from docx.opc.packuri import PackURI
from docx.opc.part import Part
from docx.oxml import parse_xml
from docx.oxml.ns import nsdecls

from calibrant.judges.free.words.text import sentences
from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.documents import Document, LoadError, NotTextError
from calibrant.retrievers.knowledge.loaders import MAX_BYTES, decoded, load, read_file
from calibrant.retrievers.knowledge.word import MAX_UNPACKED

PAGE = """<html><head><title>The  Pump</title><style>p {}</style></head>
<body><nav>menu</nav><div role="navigation"><p>menu</p></div>
<h1>Pump</h1>
<p>It must be
<b>primed</b>.</p>
<h2>Care<a>¶</a></h2>
<ul><li>Oil it</li><li>Clean it</li></ul>
<pre>line one
  line two</pre>
<table><tr><th>Part</th><th>Price</th></tr><tr><td>Seal</td><td>3</td></tr></table>
<script>var x = 1;</script></body></html>
"""


def read(path: Path, content: bytes | str) -> Document:
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return load(path, read_file(path)[0])


def pdf(*pages: str, bookmarks: Sequence[str] = ("Care",)) -> bytes:
    """A PDF written by hand, with bookmarks on its last page; the signs 1 and 2 are ligatures."""
    parts, kids = ["<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>"], []
    body: list[str] = []
    first = 5 + len(bookmarks)
    for number, text in enumerate(pages):
        lines = " 0 -14 Td ".join(f"({line}) Tj" for line in text.split("\n"))
        stream = f"BT /F1 12 Tf 72 720 Td {lines} ET"
        page, content = first + 2 * number, first + 1 + 2 * number
        kids.append(f"{page} 0 R")
        body.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        body.append(f"<< /Length {len(stream.encode('latin-1'))} >>\nstream\n{stream}\nendstream")
    signs = "<< /Type /Encoding /BaseEncoding /WinAnsiEncoding /Differences [1 /fi /ffi] >>"
    parts.append(f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(pages)} >>")
    parts.append(f"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding {signs} >>")
    parts.append(f"<< /Type /Outlines /First 5 0 R /Last {first - 1} 0 R /Count {len(bookmarks)} >>")
    for number, title in enumerate(bookmarks, start=5):
        after = f"/Next {number + 1} 0 R" if number + 1 < first else ""
        parts.append(f"<< /Title ({title}) /Parent 4 0 R {after} /Dest [{kids[-1]} /Fit] >>")
    out, offsets = "%PDF-1.4\n", []
    for number, part in enumerate(parts + body, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{part}\nendobj\n"
    start = len(out)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    out += f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n{table}"
    return (out + f"trailer << /Size {len(offsets) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").encode("latin-1")


def saved(file: DocumentOfWord) -> bytes:
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


def word() -> bytes:
    file = docx.Document()
    file.add_heading("Manual", 1)
    file.add_paragraph("Prime the pump.")
    file.add_heading("Care", 2)
    table = file.add_table(rows=2, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Part", "Price"
    table.rows[1].cells[0].text, table.rows[1].cells[1].text = "Seal", "3 EUR"
    return saved(file)


def test_a_term_of_a_web_page_stands_before_its_definition(tmp_path: Path) -> None:
    page = (
        "<dl><dt>Lease</dt><dd>The right to a job.</dd>"
        "<dt>Dead <b>letter</b></dt><dd><p>Undelivered.</p><p>Kept.</p></dd>"
        "<dt>push(job, *, delay=0)</dt><dd>Put a job.</dd></dl>"
    )
    assert read(tmp_path / "a.html", page).text.split("\n\n")[:4] == [
        "- Lease: The right to a job.",
        "- Dead letter: Undelivered.",
        "Kept.",
        "push(job, *, delay=0)",
    ]


def test_html_keeps_visible_text_headings_and_source_lines(tmp_path: Path) -> None:
    document = read(tmp_path / "a.html", PAGE)
    found = {item.heading: item for item in passages(document, "file:///a.html")}
    assert document.title == "The Pump"
    assert list(found) == ["Pump", "Pump > Care"]
    assert found["Pump"].text == "Pump\n\nIt must be primed."
    assert (found["Pump"].line, found["Pump > Care"].line) == (3, 6)
    care = found["Pump > Care"].text
    assert "- Oil it" in care
    assert "line one\n  line two" in care
    assert "Seal | 3" in care
    assert not {"menu", "var x"} & set(document.text.split("\n"))


def test_pdf_keeps_pages_and_bookmarks(tmp_path: Path) -> None:
    document = read(tmp_path / "manual.pdf", pdf("Prime the pump.", "Oil the seal."))
    found = passages(document, "file:///manual.pdf")
    assert [(item.text, item.page, item.heading) for item in found] == [
        ("Prime the pump.", 1, ""),
        ("Oil the seal.", 2, "Care"),
    ]
    assert document.title == "manual"


def test_the_headings_of_a_pdf_open_where_they_stand_on_a_page(tmp_path: Path) -> None:
    pages = ("Oil it.", "Pump manual 2\nand clean it.\n2.1 Cold starts\nWarm it up.\n3. Faults\nCall us.")
    marks = ("Cold starts", "Faults", "Guarantee")
    found = passages(read(tmp_path / "a.pdf", pdf(*pages, bookmarks=marks)), "file:///a.pdf")
    assert [(item.heading, item.text) for item in found] == [
        ("", "Oil it."),
        ("", "Pump manual 2\nand clean it."),
        ("2.1 Cold starts", "2.1 Cold starts\nWarm it up."),
        ("3. Faults", "3. Faults\nCall us."),
    ]


def test_the_line_at_the_head_of_a_page_is_no_passage(tmp_path: Path) -> None:
    content = pdf("Pump manual 3\nCare\nOil it.")
    found = passages(read(tmp_path / "a.pdf", content), "file:///a.pdf")
    assert [(item.heading, item.text) for item in found] == [("Care", "Pump manual 3\nCare\nOil it.")]


def test_words_of_a_pdf_are_written_as_one_asks_for_them(tmp_path: Path) -> None:
    content = pdf("The \x01le of an o\x02ce: a docu\u00ad\nment\u00ad.")
    assert read(tmp_path / "a.pdf", content).text == "The file of an office: a document.\n\n"


def test_word_keeps_headings_and_tables(tmp_path: Path) -> None:
    found = passages(read(tmp_path / "a.docx", word()), "file:///a.docx")
    assert [(item.heading, item.text) for item in found] == [
        ("Manual", "Manual\n\nPrime the pump."),
        ("Manual > Care", "Care\n\n| Part | Price |\n|---|---|\n| Seal | 3 EUR |"),
    ]


def test_a_table_of_a_page_names_its_columns(tmp_path: Path) -> None:
    rows = (
        "<tr><th>Part</th><th>Price</th></tr><tr><td>Seal</td><td><b>3</b> | 4</td></tr><tr><td>Cap</td><td>5</td></tr>"
    )
    document = read(tmp_path / "a.html", f"<h1>Parts</h1><table>{rows}</table><p>All prices in euros.</p>")
    table = "| Part | Price |\n|---|---|\n| Seal | 3 \\| 4 |\n| Cap | 5 |"
    assert document.text == f"Parts\n\n{table}\n\nAll prices in euros.\n\n"
    assert [one.text for one in sentences(document.text)][1:4] == [
        "| Part | Price |",
        "Part: Seal; Price: 3 | 4",
        "Part: Cap; Price: 5",
    ]


@pytest.mark.parametrize(
    ("rows", "text"),
    [
        (
            "<tr><th>A<th>B<th>C</tr><tr><td colspan=2>x</td><td>1</td></tr>",
            "| A | B | C |\n|---|---|---|\n| x |  | 1 |\n",
        ),
        (
            "<tr><td rowspan=3>x<td>1</tr><tr><td>2</td></tr><tr><td>3</td></tr><tr><td>y</td><td>4</td></tr>",
            "| x | 1 |\n| x | 2 |\n| x | 3 |\n| y | 4 |\n",
        ),
        (
            "<tr><td>a</td><td rowspan=2 colspan=2>b</td><td>c</td></tr><tr><td>d</td><td>e</td></tr>",
            "| a | b |  | c |\n| d | b |  | e |\n",
        ),
        ("<tr><td>a</td><td>b</td><td rowspan=2>c</td></tr><tr><td>d</td></tr>", "| a | b | c |\n| d |  | c |\n"),
        ("<tbody><tr><td rowspan=9>a</td><td>b</td></tr></tbody><tbody><tr><td>c</td><td>d</td></tr></tbody>",
         "| a | b |\n| c | d |\n"),
        ("<tr><td colspan=two rowspan=-1>a</td><td>b</td></tr>", "| a | b |\n"),
    ],
)  # fmt: skip
def test_cells_that_stretch_keep_the_columns(tmp_path: Path, rows: str, text: str) -> None:
    assert read(tmp_path / "a.html", f"<table>{rows}</table>").text == text


def test_what_a_cell_stretches_over_has_bounds(tmp_path: Path) -> None:
    row = f"<tr>{'<td colspan=99999 rowspan=99999>x</td>' * 500}</tr>"
    document = read(tmp_path / "a.html", f"<table>{(row + '<tr><td>y</td></tr>' * 60) * 5}</table>")
    assert len(document.text) < 5_000_000


@pytest.mark.parametrize(
    "rows",
    [
        "<tr><th>City<th>People<tr><td>Porto<td>231800",
        "<thead><tr><th>City<th>People<tbody><tr><td>Porto<td>231800",
        "<tr><th><p>City</p></th><th>People</th></tr><tr><td><p>Porto</p></td><td><div>231800</div></td></tr>",
        "<tr><th>City</th><th><h3>People</h3></th></tr><td>Porto</td><td>231800",
    ],
)
def test_rows_however_their_markup_is_written(tmp_path: Path, rows: str) -> None:
    document = read(tmp_path / "a.html", f"<table>{rows}</table><p>End")
    assert document.text == "| City | People |\n|---|---|\n| Porto | 231800 |\n\nEnd\n\n"


def test_a_page_laid_out_with_a_table_keeps_its_headings_and_paragraphs(tmp_path: Path) -> None:
    long = "Oil the seal. " * 100
    cells = (
        f"<td>Menu</td><td><h1>Pump</h1><p>Prime it.</p></td></tr><tr><td>More</td><td><p>Wait.</p>\n<p>{long}</p></td>"
    )
    document = read(tmp_path / "a.html", f"<table><tr>{cells}</tr></table>")
    assert document.text == f"Menu\n\nPump\n\nPrime it.\n\nMore\n\nWait.\n\n{long.strip()}\n\n"
    assert document.sections[-1].heading == "Pump"
    assert document.lines.at(len(document.text) - 3) == 2


def test_a_table_in_a_cell_is_read_by_itself(tmp_path: Path) -> None:
    inner = "<table><tr><td>Seal</td><td>3</td></tr></table>"
    page = f"<table><tr><td>Parts</td><td>These:{inner}All.</td><td>End</td></tr></table>"
    assert read(tmp_path / "a.html", page).text == "Parts\n\nThese:\n\n| Seal | 3 |\n\nAll.\n\nEnd\n\n"


def test_a_head_without_its_end_hides_nothing(tmp_path: Path) -> None:
    document = read(tmp_path / "a.html", "<head><title>Ports</title><script>x</script><body><p>Porto is one")
    assert (document.title, document.text) == ("Ports", "Porto is one\n\n")


def test_a_tag_cut_off_at_the_end_is_no_text(tmp_path: Path) -> None:
    assert read(tmp_path / "a.html", '<head><title>Ports</title><meta name="author" conten').text == ""
    assert read(tmp_path / "b.html", "<p>2 < 3, always</p").text == "2 < 3, always\n\n"


@pytest.mark.parametrize(
    ("page", "text"),
    [
        ("<p>One</p>" + "<a " * 40_000, "One\n\n"),
        ("<p>One</p>" + "<!--" * 100_000 + "<p>Two", "One\n\nTwo\n\n"),
        ("<p>One <a b='<a c'>two</a>", "One two\n\n"),
        ("<p>One <!-- aside --> two</p><p>Three <!-- and four</p>", "One two\n\nThree and four\n\n"),
    ],
)
def test_a_page_that_opens_what_it_never_closes_takes_no_time(tmp_path: Path, page: str, text: str) -> None:
    begun = time.monotonic()
    assert read(tmp_path / "a.html", page).text == text
    assert time.monotonic() - begun < 3.0


@pytest.mark.parametrize(
    ("markup", "heading"),
    [
        ("Using C#", "Using C#"),
        ("Care #", "Care"),
        ("Care¶", "Care"),
        ('Care<a href="#care">#</a>', "Care"),
        ('<a href="#care">#</a> Care', "Care"),
        ('<a href="#care">§</a>Care', "Care"),
    ],
)
def test_a_sign_beside_a_heading_is_no_part_of_it(tmp_path: Path, markup: str, heading: str) -> None:
    document = read(tmp_path / "a.html", f"<h1>{markup}</h1><p>Words.")
    assert [section.heading for section in document.sections] == [heading]


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("2<sup>32</sup> or 10<sup>-6</sup>", "2^32 or 10^-6"),
        ("in 2019<sup id='r3'><a href='#n3'>3</a></sup>.", "in 2019 [3]."),
        ("the barn<a href='p.html#n4'><sup>*</sup></a> and", "the barn [*] and"),
        ("the barn<sup><a href='#n4'>[4]</a></sup>", "the barn[4]"),
        ("the 1<sup>st</sup> of 7 m<sup>2</sup>, H<sub>2</sub>O", "the 1st of 7 m2, H2O"),
        ("costs <del>5</del> 7 <s>to 9</s> crowns", "costs 7 crowns"),
        ("docu&shy;men\u00adts", "documents"),
    ],
)
def test_what_is_set_apart_from_a_number_or_a_word_is_no_part_of_it(tmp_path: Path, markup: str, text: str) -> None:
    assert read(tmp_path / "a.html", f"<p>{markup}</p>").text == f"{text}\n\n"


@pytest.mark.parametrize(
    ("items", "text"),
    [
        ("<li><p>A lamp</p><p>or two</p></li><li>\n<div><p>A <b>rope</b></p></div></li>", "- A lamp/or two/- A rope"),
        ("<li><div></div><section>A lamp</section></li><li><button>x</button></li><li></li>", "- A lamp"),
        ("<li><h2>Lamps</h2>Any</li><li><pre>a  b</pre></li>", "Lamps/Any/a  b"),
        ("<li><ul><li>A lamp</li></ul></li>", "- A lamp"),
    ],
)
def test_the_words_of_an_item_stand_behind_its_sign(tmp_path: Path, items: str, text: str) -> None:
    assert "/".join(read(tmp_path / "a.html", f"<ul>{items}</ul>").text.split("\n\n")[:-1]) == text


def test_a_listing_keeps_its_layout_whatever_stands_in_it(tmp_path: Path) -> None:
    lines = "<pre><code><div>if open:</div><div>    <b>close</b>()</div></code></pre>"
    parts = "<pre>a = 1\n  b\n<h2>Part</h2>\n  c   d</pre>"
    assert read(tmp_path / "a.html", f"{lines}{parts}<p>e   f</p>").text.split("\n\n")[:-1] == [
        "if open:\n    close()",
        "a = 1\n  b",
        "Part",
        "  c   d",
        "e f",
    ]


def test_equal_cells_of_a_word_table_stay_and_merged_ones_are_said_once(tmp_path: Path) -> None:
    file = docx.Document()
    table = file.add_table(rows=4, cols=4)
    rows = [
        ["Plan", "Users", "Seats", "Price"],
        ["Basic", "10", "10", "5"],
        ["Free", "", "", "0"],
        ["All", "", "", "9"],
    ]
    for row, texts in zip(table.rows, rows, strict=True):
        for cell, text in zip(row.cells, texts, strict=True):
            cell.text = text
    table.cell(3, 1).merge(table.cell(3, 2)).text = "any"
    assert read(tmp_path / "a.docx", saved(file)).text.split("\n")[:5] == [
        "| Plan | Users | Seats | Price |",
        "|---|---|---|---|",
        "| Basic | 10 | 10 | 5 |",
        "| Free |  |  | 0 |",
        "| All | any |  | 9 |",
    ]


def _run(text: str) -> str:
    return f"<w:r><w:t>{text}</w:t></w:r>"


@pytest.mark.parametrize(
    "markup",
    [
        f"<w:ins w:id='1' w:author='A'>{_run('at seven')}</w:ins><w:del w:id='2' w:author='A'><w:r><w:delText>at six"
        f"</w:delText></w:r></w:del><w:moveFrom w:id='3' w:author='A'>{_run('at six')}</w:moveFrom>",
        f"<w:sdt><w:sdtPr/><w:sdtContent>{_run('at seven')}</w:sdtContent></w:sdt>"
        f"<w:sdt><w:sdtPr><w:showingPlcHdr/></w:sdtPr><w:sdtContent>{_run('Tap here.')}</w:sdtContent></w:sdt>",
        f"<w:fldSimple w:instr='TIME'>{_run('at seven')}</w:fldSimple>",
        f"<w:smartTag w:uri='x' w:element='time'>{_run('at seven')}</w:smartTag>",
    ],
)
def test_what_stands_around_words_of_a_word_file_does_not_hide_them(tmp_path: Path, markup: str) -> None:
    file = docx.Document()
    cell = file.add_table(rows=1, cols=2).cell(0, 1).paragraphs[0]
    for paragraph in (file.add_paragraph("The gate opens "), cell):
        for piece in parse_xml(f"<w:p {nsdecls('w')}>{markup}</w:p>"):
            paragraph._p.append(piece)
    whole = (
        f"<w:sdt {nsdecls('w')}><w:sdtPr/><w:sdtContent><w:p>{_run('Shut on Sundays.')}</w:p></w:sdtContent></w:sdt>"
    )
    file.element.body.insert(2, parse_xml(whole))
    text = read(tmp_path / "a.docx", saved(file)).text
    assert text == "|  | at seven |\n\nThe gate opens at seven\n\nShut on Sundays.\n\n"


def test_the_table_of_contents_of_a_word_file_is_left_out(tmp_path: Path) -> None:
    file = docx.Document()
    file.styles.add_style("toc 1", WD_STYLE_TYPE.PARAGRAPH)
    file.add_paragraph("Care\t1", style="toc 1")
    file.add_paragraph("Oil it.")
    assert read(tmp_path / "a.docx", saved(file)).text == "Oil it.\n\n"


def test_boxes_and_tables_in_tables_of_a_word_file_are_read(tmp_path: Path) -> None:
    file = docx.Document()
    box = f"<w:txbxContent><w:p>{_run('Shut on Sundays.')}</w:p><w:p>{_run('And in May.')}</w:p></w:txbxContent>"
    twice = (
        '<mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">'
        f"<mc:Choice><w:drawing>{box}</w:drawing></mc:Choice><mc:Fallback><w:pict>{box}</w:pict></mc:Fallback>"
        "</mc:AlternateContent>"
    )
    file.add_paragraph("The gate opens at seven.")._p.append(parse_xml(f"<w:r {nsdecls('w')}>{twice}</w:r>"))
    cell = file.add_table(rows=1, cols=2).cell(0, 1)
    cell.text = "Keeper"
    cell.add_table(rows=1, cols=1).cell(0, 0).text = "Ann Lee"
    assert read(tmp_path / "a.docx", saved(file)).text.split("\n\n")[:-1] == [
        "The gate opens at seven.",
        "Shut on Sundays.",
        "And in May.",
        "|  | Keeper Ann Lee |",
    ]


def test_a_list_of_a_word_file_is_one(tmp_path: Path) -> None:
    file = docx.Document()
    file.add_paragraph("Bring:")
    file.add_paragraph("a lamp", style="List Bullet")
    file.add_paragraph("a rope", style="List Number")
    numbered = file.add_paragraph("a map", style="List Paragraph")
    numbered._p.get_or_add_pPr().append(parse_xml(f"<w:numPr {nsdecls('w')}><w:numId w:val='3'/></w:numPr>"))
    assert read(tmp_path / "a.docx", saved(file)).text == "Bring:\n\n- a lamp\n\n- a rope\n\n- a map\n\n"


def test_the_notes_of_a_word_file_stand_below_what_refers_to_them(tmp_path: Path) -> None:
    file = docx.Document()
    notes = (
        f"<w:footnotes {nsdecls('w')}>"
        "<w:footnote w:id='-1' w:type='separator'><w:p><w:r><w:separator/></w:r></w:p></w:footnote>"
        f"<w:footnote w:id='2'><w:p><w:r><w:footnoteRef/></w:r>{_run('Not on Sundays.')}</w:p></w:footnote>"
        f"<w:footnote w:id='5'><w:p>{_run('Nine in May.')}</w:p></w:footnote></w:footnotes>"
    )
    about = "application/vnd.openxmlformats-officedocument.wordprocessingml.footnotes+xml"
    relation = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/footnotes"
    package = file.part.package
    assert package
    file.part.relate_to(Part(PackURI("/word/footnotes.xml"), about, notes.encode(), package), relation)
    paragraph = file.add_paragraph("The gate opens at 7")
    for number, after in ((2, " and shuts at 8"), (5, ".")):
        paragraph._p.append(parse_xml(f"<w:r {nsdecls('w')}><w:footnoteReference w:id='{number}'/></w:r>"))
        paragraph.add_run(after)
    file.add_paragraph("Knock twice.")
    assert read(tmp_path / "a.docx", saved(file)).text.split("\n\n")[:-1] == [
        "The gate opens at 7 [1] and shuts at 8 [2].",
        "[1] Not on Sundays.",
        "[2] Nine in May.",
        "Knock twice.",
    ]


MANUAL = """\
PUMP MANUAL
For the model of 2024

SAFETY

Wear gloves.

1. Starting the pump

Open the valve.

1.1 In winter

Wait an hour.

2. Parts list

1. Seal

2. Cap

3. Valve

That is all. SEE ALSO the other manual.
"""


def test_a_plain_text_has_headings_that_stand_alone(tmp_path: Path) -> None:
    document = read(tmp_path / "manual.txt", MANUAL)
    assert [section.heading for section in document.sections if section.heading] == [
        "SAFETY",
        "SAFETY > 1. Starting the pump",
        "SAFETY > 1. Starting the pump > 1.1 In winter",
    ]
    assert document.title == "SAFETY"
    assert read(tmp_path / "b.txt", "1. Start\n\nPush.\n\n2. Stop\n\nPull.\n").title == "b.txt"


SHOWN = """HARROWCTL(1)                    Harrow Manual                    HARROWCTL(1)

NAME
       harrowctl - administer a running Harrow broker

COMMANDS
   Queues
       queue list [--empty]
              List queues with depth.

   Connections
       conn list
              List client connections.

SEE ALSO
       harrowd(8)

Harrow 3.4                       2024-11-06                      HARROWCTL(1)
"""


def test_a_man_page_that_man_has_shown_keeps_its_sections(tmp_path: Path) -> None:
    document = read(tmp_path / "harrowctl.txt", SHOWN)
    assert document.title == "harrowctl(1)"
    assert [(passage.heading, passage.line) for passage in passages(document, "u")] == [
        ("", 1),
        ("NAME", 3),
        ("COMMANDS > Queues", 7),
        ("COMMANDS > Connections", 11),
        ("SEE ALSO", 15),
    ]


@pytest.mark.parametrize("mark", [",", ";", "\t"])
def test_csv_names_each_cell_and_keeps_lines(tmp_path: Path, mark: str) -> None:
    rows = [["city", "people"], ["Porto", "231800"], ['"two\nlines"', "5"], ["Faro", "64560"]]
    document = read(tmp_path / "a.csv", "\n".join(mark.join(row) for row in rows))
    assert document.text.split("\n") == [
        "city: Porto; people: 231800",
        "city: two lines; people: 5",
        "city: Faro; people: 64560",
    ]
    assert [document.lines.at(place) for place in (0, 28, len(document.text) - 1)] == [2, 3, 5]


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("Porto,231800\nLisboa,545796", ["column 1: Porto; column 2: 231800", "column 1: Lisboa; column 2: 545796"]),
        ("Seal;-3,50 €\nCap;12 %", ["column 1: Seal; column 2: -3,50 €", "column 1: Cap; column 2: 12 %"]),
        ("Porto,2019\nFaro,2020", ["column 1: Porto; column 2: 2019", "column 1: Faro; column 2: 2020"]),
        ("country,2019,2020\nPT,5,6", ["country: PT; 2019: 5; 2020: 6"]),
        ("city,people", ["column 1: city; column 2: people"]),
        ("city,,size\nPorto,231800,41,extra", ["city: Porto; column 2: 231800; size: 41; column 4: extra"]),
        ('a,b\n"say ""hi"", x",2', ['a: say "hi", x; b: 2']),
    ],
)
def test_a_first_row_names_the_columns_unless_it_has_a_figure(tmp_path: Path, text: str, rows: list[str]) -> None:
    assert read(tmp_path / "a.csv", text).text.split("\n") == rows


def test_doubled_quotes_beyond_the_sample_are_quotes(tmp_path: Path) -> None:
    text = 'name,size\n"Pump, small",2\n' * 600 + '"the ""old"", large one",3'
    assert read(tmp_path / "a.csv", text).text.endswith('name: the "old", large one; size: 3')


def test_the_mark_that_excel_states_is_heeded(tmp_path: Path) -> None:
    document = read(tmp_path / "a.csv", "sep=;\r\nname;price\r\nSeal, small;3,5\r\n")
    assert (document.text, document.lines.at(0)) == ("name: Seal, small; price: 3,5", 3)


def test_tabs_part_the_cells_of_tsv(tmp_path: Path) -> None:
    text = "name\tnote\nSeal\tone, two, three\nCap\tone, two, three\n"
    assert read(tmp_path / "a.tsv", text).text.split("\n")[0] == "name: Seal; note: one, two, three"
    assert read(tmp_path / "b.tsv", "a,b,c\tname\n1,2,3\tSeal\n").text == "a,b,c: 1,2,3; name: Seal"


def test_a_very_long_cell_loses_no_file(tmp_path: Path) -> None:
    document = read(tmp_path / "a.csv", f"name,note\nSeal,{'x' * 140_000}\nCap,short\n")
    assert document.text.endswith("name: Cap; note: short")


def test_code_of_a_notebook_that_tells_of_code_ends_where_its_cell_does(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "code", "source": ["told = '''\n", "```\n", "'''\n", "# no heading"]},
        {"cell_type": "markdown", "source": "# Care\n\nOil it."},
    ]
    document = read(tmp_path / "a.ipynb", json.dumps({"cells": cells}))
    assert [section.heading for section in document.sections] == ["", "Care"]
    assert document.text.startswith("````python\ntold")


def test_notebook_cells_in_order(tmp_path: Path) -> None:
    cells = [
        {"cell_type": "markdown", "source": ["# Plan\n", "Words."]},
        {"cell_type": "code", "source": "x = 1"},
    ]
    document = read(tmp_path / "a.ipynb", json.dumps({"cells": cells}))
    assert document.text == "# Plan\nWords.\n\n```python\nx = 1\n```"
    assert document.title == "Plan"


def test_saved_web_page_by_a_community_loader_without_a_warning(tmp_path: Path) -> None:
    path = tmp_path / "a.mhtml"
    path.write_text(
        'MIME-Version: 1.0\nContent-Type: multipart/related; boundary="b"\n\n--b\nContent-Type: text/html\n\n'
        "<html><head><title>Saved</title></head><body><p>Prime the pump.</p></body></html>\n--b--\n"
    )
    code = (
        "import sys; from pathlib import Path; from calibrant.retrievers.knowledge.loaders import load\n"
        "p = Path(sys.argv[1]); d = load(p, p.read_bytes()); print(d.title, 'Prime the pump.' in d.text)"
    )
    done = subprocess.run([sys.executable, "-c", code, str(path)], capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == ("Saved True\n", "")


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.pdf", b"%PDF-1.4 cut off", "not a readable PDF file"),
        ("a.docx", b"PK\x03\x04 cut off", "not a readable Word file"),
        ("a.pdf", pdf(""), "no text in it"),
        ("a.ipynb", b"{}", "not a readable notebook"),
        ("a.bin", b"\x00\x01\x02", "a binary file"),
        ("a.epub", b"PK", "pip install"),
    ],
)
def test_what_cannot_be_read_says_why(tmp_path: Path, name: str, content: bytes, message: str) -> None:
    with pytest.raises(LoadError, match=message) as caught:
        read(tmp_path / name, content)
    assert "\n" not in str(caught.value)


def test_a_word_file_that_unpacks_to_too_much_is_passed_over(tmp_path: Path) -> None:
    bomb = io.BytesIO(word())
    with zipfile.ZipFile(bomb, "a", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr("word/media/image1.bmp", b" " * MAX_UNPACKED)
    with pytest.raises(NotTextError, match="unpacks to more than 100 MB"):
        read(tmp_path / "a.docx", bomb.getvalue())


def test_special_large_and_missing_files(tmp_path: Path) -> None:
    large = tmp_path / "large.txt"
    with large.open("wb") as file:
        file.truncate(MAX_BYTES + 1)
    with pytest.raises(NotTextError, match="larger than 20 MB"):
        read_file(large)
    with pytest.raises(NotTextError, match="not a regular file"):
        read_file(Path("/dev/null"))
    with pytest.raises(LoadError, match="vanished"):
        read_file(tmp_path / "none.txt")


def test_text_that_sqlite_cannot_hold_is_replaced_in_place(tmp_path: Path) -> None:
    cells = '{"cells": [{"cell_type": "markdown", "source": "# a\\ud800b\\n\\nc\\u0000d"}]}'
    document = read(tmp_path / "a.ipynb", cells)
    assert document.text == "# a\ufffdb\n\nc d"
    assert [section.heading for section in document.sections] == ["a\ufffdb"]


@pytest.mark.parametrize(
    ("encode", "text"),
    [
        (lambda text: text.encode(), "ação 🙂"),
        (lambda text: text.encode("utf-8-sig"), "ação"),
        (lambda text: text.encode("utf-16"), "ação"),
        (lambda text: text.encode("utf-32"), "ação"),
        (lambda text: codecs.BOM_UTF32_BE + text.encode("utf-32-be"), "ação"),
        (lambda text: text.encode("cp1252"), "ação – preço"),
    ],
)
def test_encodings(encode: Callable[[str], bytes], text: str) -> None:
    assert decoded(encode(text)) == text


def test_newlines_are_plain_and_python_says_its_encoding() -> None:
    assert decoded(b"a\r\nb\rc") == "a\nb\nc"
    assert decoded("# coding: iso-8859-15\ns = '€'".encode("iso-8859-15"), python=True).endswith("'€'")


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        ('<meta charset="windows-1251">', "cp1251"),
        ("<meta http-equiv=Content-Type content='text/html; charset=Shift_JIS'>", "shift_jis"),
        ('<meta charset="windows-1251">', "utf-8"),
        ('<?xml version="1.0" encoding="windows-1251"?><html>', "cp1251"),
        ("<?xml version='1.0' encoding='iso-8859-1' standalone='yes'?><html>", "cp1252"),
        ('<?xml version="1.0"?><html title="encoding=\'shift_jis\'">', "cp1252"),
        ('<meta charset="iso-8859-1">', "cp1252"),
        ('<meta charset="utf-8">', "cp1252"),
        ('<meta charset="no-such">', "cp1252"),
    ],
)
def test_a_page_says_its_encoding_where_it_is_not_utf8(tmp_path: Path, said: str, encoding: str) -> None:
    words = {"cp1251": "порт", "shift_jis": "港は", "utf-8": "порт", "cp1252": "preço – “x”"}[encoding]
    assert read(tmp_path / "a.html", f"{said}<p>{words}</p>".encode(encoding)).text == f"{words}\n\n"


def test_an_xml_file_says_its_encoding(tmp_path: Path) -> None:
    said = '<?xml version="1.0" encoding="windows-1251"?>'
    assert "порт открыт" in read(tmp_path / "a.xml", f"{said}<p>порт открыт</p>".encode("cp1251")).text
