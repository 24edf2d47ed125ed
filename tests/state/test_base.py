"""Frozen values and the reducers that merge them, from models, dicts and lists alike."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from calibrant.state.base import Reducer, Value, appended, folded, latest, merged, unique, values_of


class Item(Value):
    """A value with an identity."""

    id: str
    number: int = 0


ITEMS = st.lists(st.builds(Item, id=st.sampled_from("abcd"), number=st.integers(0, 9)), max_size=5)


def as_json(items: Any) -> Any:
    """What HTTP hands back: lists of dicts."""
    return [item.model_dump(mode="json") for item in items]


def test_a_value_is_frozen() -> None:
    """A change is a new value."""
    item = Item(id="a")
    with pytest.raises(ValidationError):
        item.number = 2  # type: ignore[misc]
    changed = item.replace(number=2)
    assert (item.number, changed.number, changed.id) == (0, 2, "a")


def test_a_replacement_is_validated() -> None:
    """``model_copy(update=...)`` would not."""
    with pytest.raises(ValidationError):
        Item(id="a").replace(number="many")


def test_a_value_of_a_later_version_is_read() -> None:
    """Fields that are not known are left out; those that are missing have defaults."""
    assert Item.model_validate({"id": "a", "added_later": [1, 2]}) == Item(id="a")


@pytest.mark.parametrize("raw", [None, [], (), [Item(id="a")], [{"id": "a"}], ({"id": "a"}, Item(id="b"))])
def test_values_of(raw: Any) -> None:
    """Models, dicts, lists, tuples, None."""
    values = values_of(Item, raw)
    assert isinstance(values, tuple)
    assert len(values) == len(raw or ())
    assert all(isinstance(value, Item) for value in values)


def test_latest_keeps_the_last_write() -> None:
    """As a model; None clears."""
    reduce = latest(Item)
    assert reduce(None, {"id": "a"}) == Item(id="a")
    assert reduce({"id": "a"}, Item(id="b")) == Item(id="b")
    assert reduce(Item(id="a"), None) is None


def test_appended_keeps_everything_in_order() -> None:
    """Repeats too: it is a log."""
    reduce = appended(Item)
    assert reduce([{"id": "a"}], (Item(id="a"), {"id": "b"})) == (Item(id="a"), Item(id="a"), Item(id="b"))
    assert reduce(None, None) == ()


def test_merged_replaces_in_place() -> None:
    """By id: a later item takes the place of an earlier one, new ones follow."""
    held = [{"id": "a", "number": 1}, Item(id="b", number=1)]
    assert merged(Item)(held, [{"id": "c"}, {"id": "a", "number": 2}]) == (
        Item(id="a", number=2),
        Item(id="b", number=1),
        Item(id="c"),
    )


def test_merged_by_another_key() -> None:
    """Any field can be the identity."""
    reduce = merged(Item, "number")
    assert reduce([Item(id="a", number=1)], [Item(id="b", number=1)]) == (Item(id="b", number=1),)


@pytest.mark.parametrize("reduce", [appended(Item), merged(Item), latest(Item)])
def test_reducers_refuse_what_is_no_item(reduce: Reducer) -> None:
    """A bad write fails at once, not in the node that reads it."""
    bad: Any = {"number": 1} if reduce(None, None) is None else [{"number": 1}]
    with pytest.raises(ValidationError):
        reduce(None, bad)


@pytest.mark.parametrize("reduce", [appended(Item), merged(Item)], ids=["appended", "merged"])
@given(a=ITEMS, b=ITEMS, c=ITEMS)
def test_reducers_are_associative(reduce: Reducer, a: list[Item], b: list[Item], c: list[Item]) -> None:
    """Whichever branches are joined first."""
    assert reduce(reduce(a, b), c) == reduce(a, reduce(b, c))


@given(ITEMS, ITEMS)
def test_merged_is_idempotent(held: list[Item], new: list[Item]) -> None:
    """A replayed write is harmless, and no id is held twice."""
    reduce = merged(Item)
    once = reduce(held, new)
    assert reduce(once, new) == once
    assert len({item.id for item in once}) == len(once)


@pytest.mark.parametrize("reduce", [appended(Item), merged(Item)], ids=["appended", "merged"])
@given(held=ITEMS, new=ITEMS)
def test_reducers_read_json(reduce: Reducer, held: list[Item], new: list[Item]) -> None:
    """After a checkpoint or over HTTP the same comes out."""
    assert reduce(as_json(held), as_json(new)) == reduce(held, new)


@given(ITEMS, st.lists(ITEMS, max_size=4))
def test_folded_is_the_reducer_over_a_batch(held: list[Item], writes: list[list[Item]]) -> None:
    """In whatever batches the writes come, as models or as JSON."""
    reduce = merged(Item)
    fold = folded(reduce)
    one_by_one: Any = held
    for write in writes:
        one_by_one = reduce(one_by_one, write)
    assert fold(held, writes) == one_by_one
    assert fold(fold(held, writes[:2]), writes[2:]) == one_by_one
    assert values_of(Item, fold(as_json(held), [as_json(write) for write in writes])) == values_of(Item, one_by_one)


def test_folded_without_writes_keeps_what_is_held() -> None:
    """Nothing to do."""
    assert folded(merged(Item))((Item(id="a"),), []) == (Item(id="a"),)


@given(st.lists(st.integers(0, 5)))
def test_unique_keeps_first_occurrences(items: list[int]) -> None:
    """In order, each once."""
    found = unique(items)
    assert set(found) == set(items)
    assert len(set(found)) == len(found)
    assert list(found) == sorted(set(items), key=items.index)
