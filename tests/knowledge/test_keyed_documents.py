"""YAML as sections: each passage tells the keys in which it stands."""

from itertools import pairwise
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from calibrant.retrievers.knowledge.chunking import TARGET, passages
from calibrant.retrievers.knowledge.keys import keyed_document
from calibrant.retrievers.knowledge.loaders import load

LINES = st.lists(
    st.tuples(
        st.integers(0, 6), st.sampled_from(["gate: 4", "barns:", "- oak", "- name: b", "# oil", "", "about: |", "---"])
    ),
    max_size=200,
)


def _ferries(count: int) -> str:
    stops = "".join(f"      stop{place}: Pier number {place}\n" for place in range(count))
    return f"line:\n  # The first.\n  north:\n    stops:\n{stops}  south:\n    boats: 2\n"


def test_a_passage_is_headed_by_the_keys_in_which_it_stands() -> None:
    found = passages(load(Path("ferry.yaml"), _ferries(90).encode()), "u")
    assert [one.heading for one in found] == ["", "line > north > stops", "line > north > stops", "line"]
    assert all(len(one.text) <= TARGET for one in found[:2])
    assert found[1].text.startswith("      stop")


def test_entries_of_a_list_are_called_by_their_names() -> None:
    stops = "".join(f"    stop{place}: Pier number {place}\n" for place in range(60))
    text = f"routes:\n  - name: north\n{stops}  - name: south\n{stops}"
    headings = [one.heading for one in passages(load(Path("ferry.yml"), text.encode()), "u")]
    assert "routes > north" in headings
    assert "routes > south" in headings


@given(LINES)
def test_the_sections_hold_the_whole_file(lines: list[tuple[int, str]]) -> None:
    text = "\n".join(" " * depth + line * (1 + depth * 9 * line.startswith("#")) for depth, line in lines)
    sections = keyed_document(text, Path("x.yaml")).sections
    assert "".join(text[one.start : one.end] for one in sections) == text
    assert all(left.end == right.start for left, right in pairwise(sections))


def test_keys_may_nest_without_end() -> None:
    text = "".join(" " * depth + "a:\n" for depth in range(1_200))
    sections = keyed_document(text, Path("x.yaml")).sections
    assert sections[-1].end == len(text)
