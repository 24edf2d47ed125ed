"""JSON out of what models write instead of JSON."""

import json
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.model import repair

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ('{"a": 1}', {"a": 1}),
        ('{"a": 1,}', {"a": 1}),
        ('{"a": [1, 2,],}', {"a": [1, 2]}),
        ("{'a': 'it', 'b': True, 'c': None}", {"a": "it", "b": True, "c": None}),
        ("{'a': true, 'b': null}", {"a": True, "b": None}),
        ('{"a": True, "b": None}', {"a": True, "b": None}),
        ('```json\n{"a": 1}\n```', {"a": 1}),
        ('Sure, here it is:\n```\n{"a": "x, ]"}\n```\nAnything else?', {"a": "x, ]"}),
        ('```json\n{"a": true, "t": "Run:\\n```\\ncmd\\n```"}\n```', {"a": True, "t": "Run:\n```\ncmd\n```"}),
        ('```\n{"a": true, "t": "Run:\n```\ncmd\n```"}\n```\nOr:', {"a": True, "t": "Run:\n```\ncmd\n```"}),
        (
            '```\n{"s": [{"t": "```\\nx\\n```"}, {"t": "```\\ny\\n```"}, {"t": "z',
            {"s": [{"t": f"```\n{x}\n```"} for x in "xy"]},
        ),
        ('```\n{"a": 2}\n```\nNo:\n```\n{"a": 1}\n```', {"a": 1}),
        ("```\n{'a': 'say \"hi'}\n```\nAnything else?", {"a": 'say "hi'}),
        ('The answer is {"a": "}{"} as requested.', {"a": "}{"}),
        ('<think>maybe {"a": 2}?</think>{"a": 1}', {"a": 1}),
        ('so {"a": 2} then</think>\n{"a": 1}', {"a": 1}),
        ('{"a": "two\nlines"}', {"a": "two\nlines"}),
        ('{"a": 1, // the first\n "b": 2}', {"a": 1, "b": 2}),
        ('{"a": true, "s": [{"t": "x"}, {"t": "y', {"a": True, "s": [{"t": "x"}]}),
        ('{"a": true, "s": [{"t": "x"}], "m', {"a": True, "s": [{"t": "x"}]}),
        ('{"a": true, "s": [{"t": "x", "u": 1', {"a": True}),
        ('[{"t": 1}, {"t": 2}]', [{"t": 1}, {"t": 2}]),
    ],
)
def test_repairs(text: str, value: Any) -> None:
    assert repair.loads(text) == value


@pytest.mark.parametrize("text", ["", "I cannot say.", '{"a": "so "hi" it is"}', '"just a string"', "42", "{a: 1}"])
def test_leaves_alone_what_has_no_one_meaning(text: str) -> None:
    with pytest.raises(ValueError, match="no JSON object"):
        repair.loads(text)


@given(st.dictionaries(st.text(max_size=8), JSON, max_size=4))
def test_valid_json_is_read_as_it_is(value: dict[str, Any]) -> None:
    assert repair.loads(json.dumps(value)) == value


@given(st.text(max_size=200))
def test_never_fails_otherwise(text: str) -> None:
    try:
        value = repair.loads(text)
    except ValueError:
        return
    assert isinstance(value, dict | list)


@given(st.lists(st.dictionaries(st.sampled_from("abc"), st.text(max_size=6), min_size=1), min_size=1), st.data())
def test_a_cut_never_invents(rows: list[dict[str, str]], data: st.DataObject) -> None:
    whole = json.dumps({"ok": True, "rows": rows})
    cut = whole[: data.draw(st.integers(min_value=1, max_value=len(whole) - 1))]
    try:
        value = repair.loads(cut)
    except ValueError:
        return
    assert value.get("ok", True) is True
    kept = value.get("rows", [])
    assert kept == rows[: len(kept)]


@pytest.mark.parametrize("part", ["[", '{"a": 1 ', "<think>", "</think>", "[]", "```", '"', '```"', '```"\\'])
def test_no_reply_takes_long_to_read(part: str) -> None:
    """Each was quadratic in some way of reading it."""
    started = time.process_time()
    list(repair.values(part * (repair.MAX_CHARS // len(part)), cut_off=True))
    assert time.process_time() - started < 10
