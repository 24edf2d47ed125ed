"""Sentences that are the same but for one thing: what excludes the other, and what does not."""

import json
from importlib.resources import files

import pytest

from calibrant.judges.free.comparing.alignment import align
from calibrant.judges.free.comparing.exclusion import one_swap
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.opposition import Opposition
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.synthesis.conflicts import ConflictJudge
from calibrant.judges.free.words.opposites import antonyms, are_exclusive, are_opposite, are_synonyms, telling_stems
from calibrant.judges.free.words.text import stem
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, ConflictKind, Span
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language


def opposition(first: str, second: str) -> Opposition | None:
    return oppose(align(read(first), read(second)))


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ("The wall of the old mill is made of brick.", "The wall of the old mill is made of cement.", "class"),
        ("The Vostok station stands in North Korea.", "The Vostok station stands in Mongolia.", "class"),
        ("Ada Lovelace lived above the dining room.", "Ada Lovelace lived above the kitchen.", "class"),
        ("It was the first flight of Concorde.", "It was the 7th flight of Concorde.", "class"),
        ("The pink shirt matches the pink dress of Anna.", "The red shirt matches the red dress of Anna.", "class"),
        ("The Orion depot is near the harbour.", "The Orion depot is far away from the harbour.", "antonym"),
        ("The people are in the kitchen.", "The people are in the garage.", "class"),
        ("O muro do moinho é de tijolo.", "O muro do moinho é de concreto.", "class"),
        ("A sede da Embraer fica no Chile.", "A sede da Embraer fica na Coreia do Sul.", "class"),
    ],
)
def test_exclusive_values_of_one_place_oppose(first: str, second: str, what: str) -> None:
    for one, other in ((first, second), (second, first)):
        hit = opposition(one, other)
        assert hit is not None
        assert hit.what == what
        assert hit.severity >= 0.5


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The Orion depot is near the road.", "The Orion depot is near the street."),
        ("Anna keeps a tiny dog.", "Anna keeps a little dog."),
        ("Anna feeds a duck on the lake.", "Anna feeds a bird on the lake."),
        ("The rail of Pier 9 is made of steel.", "The rail of Pier 9 is made of metal."),
        ("Anna is a Korean painter.", "Anna is a South Korean painter."),
        ("Anna drinks wine at night.", "Anna drinks champagne at night."),
        ("The Orion app supports English.", "The Orion app supports Spanish."),
        ("It was the first flight of Concorde.", "It was the 1st flight of Concorde."),
        ("They are in Japan.", "They are in Malaysia."),
        ("The red car of Anna won the race in Monza.", "The mayor likes the blue car that Anna sold in Rome."),
    ],
)
def test_what_may_hold_together_does_not(first: str, second: str) -> None:
    assert opposition(first, second) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Add the specified filter to this handler.", "Remove the specified filter from this handler."),
        ("Return True if the queue is empty.", "Return True if the queue is full."),
    ],
)
def test_two_operations_and_two_conditions_are_different_cases(first: str, second: str) -> None:
    hit = opposition(first, second)
    assert hit is None or hit.scope == "different"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("About Vulnerability Advisor", "Encrypted images aren't scanned by Vulnerability Advisor."),
        ("Open House", "Don't open any attachments."),
        ("Put an item into the queue without blocking.", "Blocks until all items have been gotten and processed."),
    ],
)
def test_a_denial_needs_what_it_denies(first: str, second: str) -> None:
    assert opposition(first, second) is None


def test_the_subject_swapped_is_an_ambiguity_and_less_severe_in_other_documents() -> None:
    told = [("a", "The guitar is on the table."), ("b", "The violin is on the table.")]

    def found(*titles: str) -> tuple[ConflictKind, float]:
        pages = tuple(
            Evidence(id=name, title=title, text=text, source="web", url=name)
            for (name, text), title in zip(told, titles, strict=True)
        )
        claims = tuple(Claim(id=name, text=text, spans=(Span(evidence_id=name, quote=text),)) for name, text in told)
        (conflict,) = ConflictJudge().free(ToReconcile(claims, pages, 0.0)).value
        return conflict.kind, conflict.severity

    together, apart = found("Stage plan", "Stage plan"), found("Stage plan", "Museum guide")
    assert together[0] is apart[0] is ConflictKind.AMBIGUITY
    assert apart[1] < 0.5 < together[1]


def test_one_swap_is_found_only_where_everything_else_is_the_same() -> None:
    swap = one_swap(read("The wall is a brick wall."), read("The wall is a dry stone wall."))
    assert swap is not None
    assert [token.word for token in swap.first] == ["brick"]
    assert [token.word for token in swap.second] == ["dry", "stone"]
    assert one_swap(read("The wall is brick."), read("The roof over the old hall is slate.")) is None
    assert one_swap(read("The wall is brick."), read("The wall is brick.")) is None


@pytest.mark.parametrize("language", list(Language))
def test_the_lists_do_not_contradict_themselves(language: Language) -> None:
    pairs = antonyms(language)
    assert pairs
    assert {(b, a) for a, b in pairs} == pairs
    assert [(a, b) for a, b in pairs if are_synonyms(a, b, language)] == []
    assert {a for a, _ in pairs} <= telling_stems(language)


def test_names_of_one_member_and_of_none_do_not_exclude() -> None:
    english = Language.ENGLISH
    assert are_exclusive("north korea", stem("japan", english), english)
    assert not are_exclusive(stem("usa", english), stem("america", english), english)
    assert not are_exclusive(stem("table", english), stem("japan", english), english)
    assert are_exclusive("7th", stem("first", english), english)
    assert not are_exclusive(f"{'7' * 5_000}th", stem("first", english), english)
    assert are_opposite(stem("tiny", english), stem("huge", english), english)


def test_the_data_names_each_language() -> None:
    held = json.loads(files("calibrant.judges").joinpath("opposites.json").read_text(encoding="utf-8"))
    assert set(held) == {language.value for language in Language}
    kinds = {"opposites", "classes", "compatible", "synonyms", "modifiers", "siblings"}
    assert all(set(lists) == kinds for lists in held.values())
