"""A quotation opens at the line of the file in which its words stand, whatever a format's reader made of them."""

import re
import sqlite3
from pathlib import Path

import pytest

from calibrant.retrievers.knowledge import KnowledgeBase
from calibrant.state.evidence import Evidence, Quotation, SearchQuery
from tests.knowledge.conftest import Opener

MARK = re.compile(r"word\d+")
"""Each stands in one place of a file."""

FILES = {
    "page.html": """<!doctype html>
<html><head>
<title>Gates</title>
<script>
  var x = 1;

</script></head>
<body
  class="wide"
  id="top"><h1>
Gates word1</h1>
<!-- what nobody
sees -->
<p>The gate is made of oak, word2,
   and the hinges are of
   <b>brass</b>, word3. They are word4
   oiled
in spring.<br>In autumn, word5,<br/>
they are not.
</p>


<ul>
<li>Oak word6</li><li>
  Ash
  word7</li>
</ul><pre>

first word8
  second word9





</pre><p>word14 word15</p>
<table>
<tr><th>Part</th><th>Price</th></tr>
<tr>
  <td>Seal word10</td>
  <td>3</td></tr>
<tr><td>Bolt word11</td><td>4</td></tr>
</table>
Loose words, word12, and then
some more, word13.
</body></html>
""",
    "page.rst": """.. _gates:

Gates
=====

.. contents::
   :depth: 2


The gate is of oak, word1,
and the hinges, word2, are of brass.

.. image:: oak.png
   :alt: nothing

- Oil it word3
  every spring, word4.



- Paint it word5.

.. code-block:: python
   :caption: none

   open("word6")
   close("word7")

.. list-table::
   :header-rows: 1

   * - Part
     - Price
   * - Seal word8
     - 3
   * - Bolt word9
     - 4

The end word10.
""",
    "table.csv": 'part,remark\nseal,"word1\nof two lines"\nbolt,word2\n\n\nnut,word3\n',
    "guide.md": "# Gates\n\n\n\nOak word1\nand ash word2.\n\n| a | b |\n|---|---|\n| word3 | 1 |\n\n```\nword4\n```\n",
    "gate.1": """.TH GATE 1
.\\" a remark
.SH NAME
gate \\- opens word1
.SH OPTIONS
.TP
.B \\-\\-wide
Opens it word2
wide.
.PP

Ends word3.
""",
}


def passages_of(base: KnowledgeBase) -> list[Evidence]:
    return base.search(SearchQuery(text="gate oak seal word1 word2 word3 opens", limit=20))


@pytest.mark.parametrize("name", FILES)
def test_each_word_is_cited_with_its_line(name: str, open_base: Opener, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_text(FILES[name], encoding="utf-8")
    base = open_base()
    base.ingest([path])
    cited = {
        mark.group(): Quotation.of(item, mark.group(), mark.start()).locator.line
        for item in passages_of(base)
        for mark in MARK.finditer(item.text)
    }
    stands = {
        mark.group(): number
        for number, line in enumerate(FILES[name].split("\n"), start=1)
        for mark in MARK.finditer(line)
    }
    if name == "table.csv":  # a row is one line of the text: what stands in it is cited with the row
        assert stands.pop("word1") == cited.pop("word1") == 2
    assert cited == stands


def test_a_knowledge_base_of_the_first_schema_is_brought_up_to_date(open_base: Opener, tmp_path: Path) -> None:
    path = tmp_path / "page.html"
    path.write_text(FILES["page.html"], encoding="utf-8")
    base = open_base()
    base.ingest([path])
    (old,) = passages_of(base)
    base.close()
    made = tmp_path / "data" / "knowledge" / base.name / "knowledge.db"
    connection = sqlite3.connect(made)
    connection.executescript(
        "ALTER TABLE chunks DROP COLUMN jumps; UPDATE documents SET recipe = 6; PRAGMA user_version = 1;"
    )
    connection.close()

    base = open_base()
    (found,) = passages_of(base)
    assert found == old.replace(locator=old.locator.replace(jumps=())), "what it held is still there"
    assert base.ingest([]).updated == 1, "and is read once more"
    assert passages_of(base) == [old]
    assert old.locator.jumps
