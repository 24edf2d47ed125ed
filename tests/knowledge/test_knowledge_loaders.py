"""Each format as text with places; what cannot be read fails with one clear line."""

import io
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import docx
import pytest

from calibrant.judges.free.text import sentences
from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.documents import Document, LoadError, NotTextError
from calibrant.retrievers.knowledge.loaders import MAX_BYTES, decoded, load, read_file

PAGE = """<html><head><title>The  Pump</title><style>p {}</style></head>
<body><nav>menu</nav>
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


def pdf(*pages: str) -> bytes:
    """A PDF written by hand: one line of text per page, and a bookmark on the second."""
    parts, kids = ["<< /Type /Catalog /Pages 2 0 R /Outlines 4 0 R >>"], []
    body: list[str] = []
    for number, text in enumerate(pages):
        stream = f"BT /F1 12 Tf 72 720 Td ({text}) Tj ET"
        page, content = 6 + 2 * number, 7 + 2 * number
        kids.append(f"{page} 0 R")
        body.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {content} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        body.append(f"<< /Length {len(stream)} >>\nstream\n{stream}\nendstream")
    parts.append(f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(pages)} >>")
    parts.append("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>")
    parts.append("<< /Type /Outlines /First 5 0 R /Last 5 0 R /Count 1 >>")
    parts.append(f"<< /Title (Care) /Parent 4 0 R /Dest [{kids[-1]} /Fit] >>")
    out, offsets = "%PDF-1.4\n", []
    for number, part in enumerate(parts + body, start=1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n{part}\nendobj\n"
    start = len(out)
    table = "".join(f"{offset:010d} 00000 n \n" for offset in offsets)
    out += f"xref\n0 {len(offsets) + 1}\n0000000000 65535 f \n{table}"
    return (out + f"trailer << /Size {len(offsets) + 1} /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").encode("latin-1")


def word() -> bytes:
    file = docx.Document()
    file.add_heading("Manual", 1)
    file.add_paragraph("Prime the pump.")
    file.add_heading("Care", 2)
    table = file.add_table(rows=2, cols=2)
    table.rows[0].cells[0].text, table.rows[0].cells[1].text = "Part", "Price"
    table.rows[1].cells[0].text, table.rows[1].cells[1].text = "Seal", "3 EUR"
    out = io.BytesIO()
    file.save(out)
    return out.getvalue()


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
    assert document.text == "# a?b\n\nc d"
    assert [section.heading for section in document.sections] == ["a?b"]


@pytest.mark.parametrize(
    ("encode", "text"),
    [
        (lambda text: text.encode(), "ação 🙂"),
        (lambda text: text.encode("utf-8-sig"), "ação"),
        (lambda text: text.encode("utf-16"), "ação"),
        (lambda text: text.encode("cp1252"), "ação – preço"),
    ],
)
def test_encodings(encode: Callable[[str], bytes], text: str) -> None:
    assert decoded(encode(text)) == text


def test_newlines_are_plain_and_python_says_its_encoding() -> None:
    assert decoded(b"a\r\nb\rc") == "a\nb\nc"
    assert decoded("# coding: iso-8859-15\ns = '€'".encode("iso-8859-15"), python=True).endswith("'€'")
