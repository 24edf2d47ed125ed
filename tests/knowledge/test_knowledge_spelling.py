"""Words that no document has, and which word of the documents is meant."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from string import ascii_lowercase

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.knowledge import KnowledgeBase, KnowledgeSource
from calibrant.retrievers.knowledge.spelling import LONGEST, MOST, one_slip_away, spelt_by_all

Opener = Callable[..., KnowledgeBase]

TEXT = """# Retention

The retention of streams is 14 days. Streams of bookings are kept longer. Aoife Brennan owns the service.

## Manutenção

A manutenção é anual. A casual visitor may wait. A causal link was found. A causal chain too.
"""


@pytest.fixture
def base(open_base: Opener, docs: Path) -> KnowledgeBase:
    (docs / "streams.md").write_text(TEXT)
    made = open_base()
    made.ingest([docs])
    return made


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("retenton", "retention"),  # a letter left out
        ("retenntion", "retention"),  # one too many
        ("retemtion", "retention"),  # another one
        ("retnetion", "retention"),  # two swapped
        ("Brenan", "Brennan"),  # as the documents write it
        ("manutencap", "manutenção"),
        ("retetnoin", ""),  # two slips
        ("tetention", ""),  # the first letter
        ("giraffe", ""),
        ("cuasal", "causal"),
    ],
)
def test_a_slip_is_read_as_the_documents_write_it(base: KnowledgeBase, typed: str, meant: str) -> None:
    assert base.spelt([typed]) == {typed: meant}


@pytest.mark.parametrize(("others", "meant"), [(MOST - 2, "retention"), (MOST - 1, "retention"), (MOST, "")])
def test_a_text_of_strange_words_alone_has_no_misspelt_one(base: KnowledgeBase, others: int, meant: str) -> None:
    strange = [f"{first}{second}quux" for first in ascii_lowercase for second in ascii_lowercase][:others]
    assert base.spelt(["streams", "retenton", *strange])["retenton"] == meant


@pytest.mark.parametrize(("letters", "is_read"), [(LONGEST - 1, True), (LONGEST, True), (LONGEST + 1, False)])
def test_a_key_or_a_hash_is_no_misspelt_word(open_base: Opener, docs: Path, letters: int, is_read: bool) -> None:
    word = ("lopado" * LONGEST)[:letters]
    (docs / "a.md").write_text(f"The dish is called {word}.")
    base = open_base()
    base.ingest([docs])
    slip = f"{word[:-1]}x"
    assert base.spelt([slip]) == {slip: word if is_read else ""}
    pasted = "q" * 20_000  # with all that lies a slip away it would fill twenty gigabytes
    assert base.spelt([pasted]) == {pasted: ""}


@pytest.mark.parametrize("known", ["retention", "retentions", "Streams", "stream", "manutencao", "BRENNAN"])
def test_a_word_that_is_held_is_not_doubted(base: KnowledgeBase, known: str) -> None:
    assert base.spelt([known]) == {}


def test_where_two_words_are_as_near_nobody_can_tell(open_base: Opener, docs: Path) -> None:
    (docs / "two.md").write_text("# Two\n\nThe stack is high.\n\n# Other\n\nThe snack is cold.\n")
    base = open_base()
    base.ingest([docs])
    assert base.spelt(["sgack", "stacc"]) == {"sgack": "", "stacc": "stack"}


def test_a_word_that_another_base_has_is_not_misspelt(open_base: Opener, docs: Path) -> None:
    first, second = docs / "first", docs / "second"
    for folder, text in ((first, "The retention is long."), (second, "The retenton is a kind of fish.")):
        folder.mkdir()
        (folder / "a.md").write_text(f"# Text\n\n{text}\n")
    bases = [open_base("one"), open_base("two")]
    bases[0].ingest([first])
    bases[1].ingest([second])
    source = KnowledgeSource(bases)
    assert asyncio.run(source.spelt(["retenton", "retentoin"])) == {"retentoin": "retention"}
    assert asyncio.run(source.spelt(["retenton"], ["one"])) == {"retenton": "retention"}


@given(st.text("abcdef", min_size=2, max_size=8))
def test_every_variant_is_one_slip_away_and_begins_alike(word: str) -> None:
    for variant in set(one_slip_away(word)) - {word}:
        assert variant[0] == word[0]
        assert word in set(one_slip_away(variant)), "one slip leads back"


def test_what_one_source_holds_is_missed_by_none() -> None:
    assert spelt_by_all(["a", "b"], [{"a": "", "b": "c"}, {"a": "d"}]) == {"a": "d"}
    assert spelt_by_all(["a"], []) == {}
