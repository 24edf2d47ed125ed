"""Tables of reStructuredText: each way to write one gives the same rows, under the names of their columns."""

from pathlib import Path

import pytest

from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.restructured import restructured_document

SIMPLE = """
========  =======
Service   Timeout
========  =======
Mailer    45 s
          (twice)
Indexer   90 s
========  =======
"""
UNDERLINED = """
========  =======
      Limits
-----------------
Service   Timeout
========  =======
Mailer    45 s (twice)
--------  -------
Indexer   90 s
========  =======
"""
GRID = """
+---------+---------+
| Service | Timeout |
+=========+=========+
| Mailer  | 45 s    |
|         | (twice) |
+---------+---------+
| Indexer | 90 s    |
+---------+---------+
"""
LISTED = """
.. list-table:: Limits
   :widths: 25 75
   :header-rows: 1

   * - Service
     - Timeout
   * - Mailer
     - 45 s
       (twice)
   * - Indexer
     - 90 s
"""
CSV = """
.. csv-table:: Limits
   :header: "Service", "Timeout"

   "Mailer", "45 s
   (twice)"
   Indexer, 90 s
"""
DELIMITED = """
.. csv-table::
   :delim: ;
   :header-rows: 1

   Service; Timeout
   Mailer; 45 s (twice)
   Indexer; 90 s
"""
ROWS = ["| Service | Timeout |", "|---|---|", "| Mailer | 45 s (twice) |", "| Indexer | 90 s |"]


def rows_of(text: str) -> list[str]:
    document = restructured_document(text, Path("a.rst"))
    return [line for line in document.text.split("\n") if line.startswith("|")]


@pytest.mark.parametrize("text", [SIMPLE, GRID, LISTED, CSV, DELIMITED])
def test_each_way_to_write_a_table_gives_its_rows(text: str) -> None:
    assert rows_of(f"Limits\n======\n\nBefore.\n{text}\nBehind.\n") == ROWS
    assert rows_of(f".. note::\n\n   Before.\n{text.replace(chr(10), chr(10) + '   ')}") == ROWS


def test_a_line_of_dashes_is_no_row() -> None:
    assert rows_of(UNDERLINED)[1:] == ROWS[1:]


def test_what_is_around_a_table_stays() -> None:
    text = restructured_document(f"Before.\n{LISTED}\nBehind.\n", Path("a.rst")).text
    assert text.startswith("Before.\n\nLimits\n\n| Service")
    assert text.rstrip().endswith("| 90 s |\n\nBehind.")


def test_a_row_stands_in_its_line() -> None:
    document = restructured_document(GRID, Path("a.rst"))
    assert document.lines.at(document.text.index("Mailer")) == 5
    assert document.lines.at(document.text.index("Indexer")) == 8


def test_cells_over_several_columns_and_rows_stand_in_the_first() -> None:
    grid = """
+-----+-----+-----+
| A         | B   |
+-----+-----+-----+
| c   | d   | e   |
|     +-----+-----+
|     | f   | g|h |
+-----+-----+-----+
"""
    assert rows_of(grid) == ["|  |  |  |", "|---|---|---|", "| A |  | B |", "| c | d | e |", "|  | f | g\\|h |"]


@pytest.mark.parametrize(
    "text",
    [
        "=====  =====\nnever  closed\n\nA paragraph.\n",
        "+-----+\n| open\n\nA paragraph.\n",
        ".. list-table::\n\n   Not a list.\n",
        ".. csv-table::\n   :file: elsewhere.csv\n",
    ],
)
def test_what_is_no_table_is_left_as_it_was(text: str) -> None:
    document = restructured_document(text, Path("a.rst"))
    assert "|---|" not in document.text
    assert "elsewhere" not in document.text


def test_code_in_a_cell_is_kept_as_code() -> None:
    text = ".. list-table::\n\n   * - Run this::\n\n         make all\n     - Builds it.\n"
    assert "```\nmake all\n" in restructured_document(text, Path("a.rst")).text.replace("    ", "")


def test_each_passage_of_a_long_table_knows_its_columns() -> None:
    rows = "".join(f"Item{number:03}  A supplier from the northern region\n" for number in range(90))
    border = "=======  ====================================\n"
    text = f"Parts\n=====\n\n{border}Part     Supplier\n{border}{rows}{border}"
    first, *others = passages(restructured_document(text, Path("a.rst")), "a.rst")
    assert "| Part | Supplier |" in first.text
    assert others
    assert {item.columns for item in others} == {("Part", "Supplier")}
    assert all(item.text.startswith("| Item") for item in others)
