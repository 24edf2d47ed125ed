"""What a query asks for: no operators, no stop words, identifiers whole and in parts."""

import sqlite3
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.knowledge.database import TOKENIZER
from calibrant.retrievers.knowledge.search import Stems
from calibrant.retrievers.knowledge.terms import identifier_parts, match_expression, split_identifier, terms_of


def words(text: str) -> list[str]:
    return [term.text for term in terms_of(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("How do I make json.dumps sort keys?", ["make", "json.dumps", "sort", "keys"]),
        ("What's the walrus operator, and why doesn't it work?", ["walrus", "operator", "work"]),
        ("Como é que se lê um ficheiro em Python?", ["lê", "ficheiro", "python"]),
        ("qual é a função principal", ["função", "principal"]),
        ("os.walk and is_file", ["os.walk", "is_file"]),
        ("what is it", []),
        ("", []),
        ('🙂 !!! " * ( )', []),
    ],
)
def test_words_that_carry_meaning(text: str, expected: list[str]) -> None:
    assert words(text) == expected


def test_identifiers_match_whole_and_in_parts() -> None:
    assert match_expression(terms_of("sortKeys")) == '"sortkeys" OR "sort keys" OR "sort" OR "keys"'
    assert match_expression(terms_of("json.dumps")) == '"json dumps" OR "json" OR "dumps"'


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("sort_keys", ("sort", "keys")),
        ("sortKeys", ("sort", "keys")),
        ("HTTPServer", ("http", "server")),
        ("__init__", ("init",)),
        ("ação_principal", ("ação", "principal")),
        ("utf8", ("utf8",)),
        ("死信队列", ("死信", "信队", "队列")),
        ("GPUメモリー", ("gpu", "メモ", "モリ", "リー")),
        ("대기열은", ("대기", "기열", "열은")),
        ("第3章", ("第", "3", "章")),
    ],
)
def test_identifiers_are_split(name: str, parts: tuple[str, ...]) -> None:
    assert split_identifier(name) == parts


def test_only_compound_names_are_taken_apart() -> None:
    assert identifier_parts(["json Title UPPER sort_keys ThreadPool sort_keys"]) == "sort keys\nthread pool"
    assert identifier_parts(["GPU队列 ação Straße οδός"]) == "gpu 队列"
    assert identifier_parts([unicodedata.normalize("NFD", "한국어 ガソリン")]) == "한국 국어\nガソ ソリ リン"


@given(st.text(max_size=200))
def test_no_text_can_break_the_query(text: str) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute(f'CREATE VIRTUAL TABLE words USING fts5 (text, tokenize = "{TOKENIZER}")')
    if expression := match_expression(terms_of(text)):
        connection.execute("SELECT * FROM words WHERE words MATCH ?", (expression,)).fetchall()


def test_stems_are_those_of_the_index() -> None:
    stems = Stems()
    assert stems.of(["running Ações", "", "sort_keys"]) == [{"run", "aco"}, set(), {"sort_kei"}]
    assert stems.of(["other"]) == [{"other"}]
    assert stems.of(["running other keys", "none"], wanted={"run", "kei"}) == [{"run", "kei"}, set()]
    assert stems.of(["other"], wanted=()) == [set()]
