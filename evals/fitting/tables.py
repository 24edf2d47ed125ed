"""Tables, prices, settings and lists for the reader to learn from, made from ``tables.json``.

An invented table with a question about one of its cells, or without the row, or the column, that would answer it.
"""

import json
import random
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from calibrant.evals.fitting.data import Item, passage

COUNT = 2_400
"""Questions, a third of which are not answered."""
FILE = Path(__file__).with_suffix(".json")
MARKS = ("\ue000", "\ue001")
"""Around the cell that answers, until the table is text: characters of no text."""
_DRAWN = re.compile(r"\{(?:([a-z]+)|(\d+)-(\d+))\}")


def table_items() -> Iterator[Item]:
    """Questions over invented tables, prices, settings and lists; every third one is not answered by them."""
    kept = json.loads(FILE.read_text(encoding="utf-8"))
    dice = random.Random(0)  # noqa: S311 - a choice, no secret
    for number in range(COUNT):
        table = _table(kept["pools"], dice.choice(kept["tables"]), dice)
        asked = _missing(table, dice) if number % 3 == 0 else table
        text, spans = _unmarked(dice.choice(FORMS)(asked.columns, asked.rows))
        yield Item("made", f"made {number}", table.question, (passage(text, table.heading),), bool(spans), spans)


@dataclass(frozen=True)
class Table:
    """Rows of cells, the first naming the row. The cell that ``question`` asks for stands between ``MARKS``."""

    heading: str
    question: str
    columns: list[str]
    rows: list[list[str]]


def _table(pools: Mapping[str, list[str]], kind: Mapping[str, Any], dice: random.Random) -> Table:
    columns = dice.sample(list(kind["columns"]), dice.randint(1, min(4, len(kind["columns"]))))
    keys = dice.sample(kind["keys"], dice.randint(3, min(9, len(kind["keys"]))))
    rows = [[key, *(_value(pools, kind["columns"][name]["values"], dice) for name in columns)] for key in keys]
    row, column = dice.randrange(len(rows)), dice.randrange(len(columns))
    key, value = rows[row][0], rows[row][1 + column]
    question = dice.choice(kind["columns"][columns[column]]["asked"])
    wanted = 0 if question.startswith("=") else 1 + column
    if wanted == 0:  # the question names the value: one row only may have it
        rows = [it for it in rows if it[0] == key or it[1 + column] != value]
        row = next(place for place, it in enumerate(rows) if it[0] == key)
    rows[row][wanted] = MARKS[0] + rows[row][wanted] + MARKS[1]
    words = "the " + key.replace("_", " ")
    asked = question.lstrip("=").format(key=key, value=value, lower=key[:1].lower() + key[1:], words=words)
    return Table(dice.choice(kind["headings"]), asked, [kind["key"], *columns], rows)


def _missing(table: Table, dice: random.Random) -> Table:
    """The table without the row, or without the column, in which the answer stands."""
    row, column = next((y, x) for y, it in enumerate(table.rows) for x, cell in enumerate(it) if MARKS[0] in cell)
    if column and len(table.columns) > 2 and dice.random() < 0.5:
        columns, *rows = ([*it[:column], *it[column + 1 :]] for it in [table.columns, *table.rows])
        return replace(table, columns=columns, rows=rows)
    return replace(table, rows=[it for place, it in enumerate(table.rows) if place != row])


def _value(pools: Mapping[str, list[str]], told: str | list[str], dice: random.Random) -> str:
    """One of the values; of ``{2-9}`` a number, of ``{colour}`` one of that pool."""

    def drawn(found: re.Match[str]) -> str:
        name, low, high = found.groups()
        return dice.choice(pools[name]) if name else str(dice.randint(int(low), int(high)))

    return _DRAWN.sub(drawn, told if isinstance(told, str) else dice.choice(told))


def _unmarked(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    start, end = (text.find(mark) for mark in MARKS)
    return text.replace(MARKS[0], "").replace(MARKS[1], ""), ((start, end - 1),) if start >= 0 else ()


def _markdown(columns: list[str], rows: list[list[str]]) -> str:
    lines = [columns, ["---"] * len(columns), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def _records(columns: list[str], rows: list[list[str]]) -> str:
    """As the rows of a CSV file are kept."""
    return "\n".join(_pairs(columns, row, "; ") for row in rows)


def _bullets(columns: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"- **{row[0]}**: {_pairs(columns[1:], row[1:], ', ')}" for row in rows)


def _settings(columns: list[str], rows: list[list[str]]) -> str:
    """As YAML files are written."""
    return "\n".join(f"{row[0]}:\n  {_pairs(columns[1:], row[1:], f'{chr(10)}  ')}" for row in rows)


def _pairs(columns: list[str], row: list[str], between: str) -> str:
    return between.join(f"{name}: {cell}" for name, cell in zip(columns, row, strict=True))


FORMS = (_markdown, _markdown, _records, _bullets, _settings)
"""Markdown is twice as likely as the others."""
