"""Which items of a set a limit leaves: always the same ones, each stratum in its share."""

from hypothesis import given
from hypothesis import strategies as st

from calibrant.evals.data import sample
from calibrant.evals.task import Item


def items(answerable: int, unanswerable: int) -> list[Item]:
    return [
        Item("squad2", f"{number}", f"question {number}", number < answerable)
        for number in range(answerable + unanswerable)
    ]


def stratum(item: Item) -> str:
    return str(item.truth)


sizes = st.integers(0, 60)


@given(sizes, sizes, st.integers(0, 130), st.integers(0, 5))
def test_each_stratum_has_its_share_to_an_item(answerable: int, unanswerable: int, limit: int, seed: int) -> None:
    held = items(answerable, unanswerable)
    drawn = sample(held, limit, seed, stratum)
    assert len(drawn) == min(limit, len(held))
    if held:
        assert abs(sum(item.truth for item in drawn) - len(drawn) * answerable / len(held)) <= 1


@given(sizes, sizes, st.integers(0, 130), st.integers(0, 130), st.integers(0, 5))
def test_a_larger_limit_keeps_those_of_a_smaller_one(
    answerable: int, unanswerable: int, one: int, other: int, seed: int
) -> None:
    held = items(answerable, unanswerable)
    fewer, more = (sample(held, limit, seed, stratum) for limit in sorted((one, other)))
    places = {item.id: place for place, item in enumerate(more)}
    assert all(item.id in places for item in fewer)
    assert [places[item.id] for item in fewer] == sorted(places[item.id] for item in fewer)


def test_another_seed_draws_others() -> None:
    held = items(30, 30)
    assert [item.id for item in sample(held, 20, 0, stratum)] != [item.id for item in sample(held, 20, 1, stratum)]
