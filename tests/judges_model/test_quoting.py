"""Quotes: found where they stand, nearly found where a model was careless, and not found where they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.model.passages import window
from calibrant.judges.model.quoting import locate, parts_found

TEXT = (
    "The “default” busy timeout is 0 ms,\nso a second writer fails at once. It costs $5 (about 10%). "
    "A duração padrão é de três segundos. In WAL mode, readers do not block the writer at any time. "
    "It is read with `load()`, and then. With the so\u00adft hy\u200bphen, _never_ guess. "
    "A back\u2011\n  off doubles the wait."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("busy timeout is 0 ms", "busy timeout is 0 ms"),
        ('THE "default"   busy timeout', "The “default” busy timeout"),
        ("timeout is 0 ms, so a second writer", "timeout is 0 ms,\nso a second writer"),
        ("a duracao padrao", "A duração padrão"),
        ("It costs 5 (about 10", "It costs $5 (about 10%)."[:-1]),
        ("readers ... do not block the writer at any time", "do not block the writer at any time"),
        ("read with load", "read with `load()`"),
        ("`load()`, and", "`load()`, and"),
        ("the soft hyphen", "the so\u00adft hy\u200bphen"),
        ("never guess", "_never_ guess"),
        ("a backoff", "A back\u2011\n  off"),
        ("a back-off doubles", "A back\u2011\n  off doubles"),
        ("in WAL mode readers don't block the writer at any time", None),
        (
            "In the WAL mode, readers do not block the writer at any time",
            "In WAL mode, readers do not block the writer",
        ),
        ("so a second writer fails at once. It costs $6", None),
        ("nothing like it anywhere in this text", None),
        ("writers", None),
        ("", None),
        ("...", None),
    ],
)
def test_locate(quote: str, found: str | None) -> None:
    where = locate(quote, TEXT)
    if found is None:
        assert where is None or quote.startswith("in WAL")
    else:
        assert where is not None
        assert where.quote.startswith(found) or found in where.quote
        assert TEXT[where.start : where.end] == where.quote


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        (
            "gothic art emerged in france in early 12th century at abbey church built by abbot suger",
            "Gothic art emerged in France in the early 12th century at the abbey church built by Abbot Suger.",
        ),
        (
            "Gothic art started in France in the early 12th century at the abbey church made by Abbot Suger",
            "Gothic art emerged in France in the early 12th century at the abbey church built by Abbot Suger.",
        ),
        (
            "emerged in the France in the early 12th century, at the old abbey church",
            "emerged in France in the early 12th century at the abbey church",
        ),
        ("Gothic art emerged in France in the early 13th century at the abbey church built by Abbot Suger", None),
        ("Gothic art in the abbey church of France was by Abbot Suger in the century", None),
    ],
    ids=["without articles", "two other words", "with more words", "another number", "in another order"],
)
def test_a_careless_copy_is_found_from_its_first_word_to_its_last(quote: str, found: str | None) -> None:
    text = (
        "Much was built of stone. Gothic art emerged in France in the early 12th century at the abbey church built by "
        "Abbot Suger. It spread to the north."
    )
    where = locate(quote, text)
    assert (where.quote.rstrip(".") if where else None) == (found.rstrip(".") if found else None)


@pytest.mark.parametrize(
    ("quote", "is_found"),
    [
        ("Applications are made within 6 months after the purchase", True),
        ("Applications are made within six months after one purchase", True),
        ("Applications are made within 7 months after the purchase", False),
        ("Applications are made within seven months after the purchase", False),
        ("Applications are made within some months after the purchase", False),
    ],
)
def test_a_number_may_be_copied_in_digits_and_is_no_other_one(quote: str, is_found: bool) -> None:
    assert (locate(quote, "Applications are made within six months after the purchase.") is not None) is is_found


@given(st.text(max_size=80), st.text(max_size=200))
def test_what_is_found_stands_there(quote: str, text: str) -> None:
    where = locate(quote, text)
    assert where is None or text[where.start : where.end] == where.quote


def test_two_sentences_may_be_quoted_without_what_stands_between() -> None:
    text = "Queues are durable. They are kept on disk. A queue holds 10 jobs."
    assert parts_found("Queues are durable. A queue holds 10 jobs.", [text]) == [
        "Queues are durable.",
        "A queue holds 10 jobs",
    ]
    assert parts_found("They are kept on disk. A queue holds 10 jobs", [text]) == [
        "They are kept on disk. A queue holds 10 jobs"
    ]


def test_a_percentage_is_quoted_with_its_sign() -> None:
    where = locate("with 150", "It is paid with 150 % of the pay.")
    assert where is not None
    assert where.quote == "with 150 %"


def test_a_window_shows_the_part_that_matters() -> None:
    text = "Filler sentence here. " * 200 + "The busy timeout is zero. " + "Filler sentence here. " * 200
    shown = window(text, "busy timeout", 100)
    assert "busy timeout is zero" in shown
    assert len(shown) <= 410
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert window("short", "busy", 100) == "short"


MARKED = (
    "Trips (train, bus, etc.) are paid. Click on **I agree**. **Error 73: no:** it is locked. "
    'Tick _did it change on the way_ now. See [the guide](g.md). "Within one hour of it."'
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("train, bus, etc", "(train, bus, etc.)"),
        ("Click on I agree", "Click on **I agree**"),
        ("Error 73: no: it is locked", "**Error 73: no:** it is locked"),
        ("it is locked", "it is locked"),
        ("did it change", "did it change"),
        ("the guide", "[the guide]"),
        ("within one hour of it", '"Within one hour of it."'),
    ],
)
def test_what_is_opened_in_a_quotation_is_closed(quote: str, found: str) -> None:
    located = locate(quote, MARKED)
    assert located
    assert located.quote == MARKED[located.start : located.end] == found
