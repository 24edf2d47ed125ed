"""What a second reading adds to the first: what was missing, and nothing twice."""

import pytest

from calibrant.judges.free.answering.second_reading import with_more
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement

POLICY = Evidence(
    id="p",
    text="Exports start within a day of the order. Ann approves each export daily. A seat costs 40 euros a month.\n"
    "Basic has 5 seats and Team has 20 seats. Deletion takes 30 days.",
    title="Policy",
    source="docs",
    url="file:///p.md",
)
DAY = "Exports start within a day of the order"
LATE = "Yes, but not at once: an export starts within a day."
SEATS = "Basic has 5 seats and Team has 20 seats"
PRICE = "A seat costs 40 euros a month"
TOTAL = "Three seats cost 120 euros (3 × 40 = 120)."


def said(text: str, *quotes: str, held: str = "p", disputed: bool = False) -> Statement:
    quote, *further = quotes
    return Statement(text=text, evidence_ids=(held,), quote=quote, also_quoted=tuple(further), disputed=disputed)


@pytest.mark.parametrize(
    ("before", "new", "told"),
    [
        (said(LATE, DAY), said("It does, although only after some hours.", "within a day of the order"), [0]),
        (said(LATE, DAY), said("Deletion is over in a month.", "Deletion takes 30 days"), [0, 1]),
        (said(LATE, DAY), said("It is not at once; deletion is slow.", DAY, "Deletion takes 30 days"), [0, 1]),
        (said(LATE, DAY), said("It does, although only after some hours.", DAY, held="other"), [0, 1]),
        (said("It is done daily.", "export daily"), said("Ann sees to it.", "Ann approves each export daily"), [0, 1]),
        (said("Ann sees to it.", "Ann approves"), said("Somebody has to look.", "approves each"), [0]),
        (said("Ann sees to it.", "Ann approves"), said("Ann has to look at it.", "Ann approves"), [0]),
        (said("It is done daily.", "export daily"), said("The approval is by hand.", "approves each"), [0, 1]),
        (said("Basic has 5 seats.", SEATS), said("Team has 20 seats.", SEATS), [0, 1]),
        (said(TOTAL, PRICE), said("Four seats cost 160 euros (4 × 40 = 160).", PRICE), [1]),
        (said(TOTAL, PRICE), said("Together it comes to 120 euros.", PRICE), [0]),
        (said(TOTAL, PRICE), said("Three seats cost euros.", SEATS), [0]),
        (said("Basic has seats.", SEATS), said("Basic has 5 seats.", DAY), [1]),
        (said("Exports start late.", DAY), said("Exports do not start late.", SEATS), [0, 1]),
        (said("Exports start late.", DAY), said("No, exports do not start late.", SEATS), [1, 0]),
    ],
    ids=[
        "in other words",
        "of another place",
        "of one place told and one that is not",
        "of a passage that is not held",
        "a name",
        "without the name",
        "the same name",
        "a word of what was lacking",
        "each a number of the words quoted",
        "another calculation",
        "no other number",
        "the same words without the number",
        "the same words with a number",
        "denied elsewhere",
        "a no comes first",
    ],
)
def test_of_a_second_reading_is_told_what_the_first_one_did_not(
    before: Statement, new: Statement, told: list[int]
) -> None:
    both = (before, new)
    wanted = tuple(both[at] for at in told)
    assert with_more((before,), (new,), (POLICY,), "approval by whom") == wanted


def test_what_stood_keeps_its_order_and_what_is_new_follows() -> None:
    first, second = said(LATE, DAY), said(TOTAL, PRICE)
    more, better = said("Deletion takes 30 days.", "30 days"), said("Four cost 160 euros (4 × 40 = 160).", PRICE)
    assert with_more((first, second), (more, first, second), (POLICY,), "") == (first, second, more)
    assert with_more((second, first), (more, better), (POLICY,), "") == (better, first, more)


def test_two_new_statements_may_share_their_words() -> None:
    rows = said("Basic has 5 seats.", SEATS), said("Small teams fit as well.", SEATS)
    assert with_more((said(LATE, DAY),), rows, (POLICY,), "") == (said(LATE, DAY), *rows)


def test_a_dispute_with_what_was_told_before_is_kept() -> None:
    again, other = said("It starts after hours.", DAY, disputed=True), said("At once.", SEATS, disputed=True)
    assert [one.disputed for one in with_more((said(LATE, DAY),), (again, other), (POLICY,), "")] == [True, True]


STEPS = ("Stop the pumps", "Close the valves", "Copy the records", "Drain the basin", "Open the gate")
MANUAL = Evidence(id="m", text=". ".join(STEPS) + ".", title="Manual", source="docs", url="file:///m.md")


@pytest.mark.parametrize(
    ("before", "new", "told"),
    [
        ((0, 3, 4), (2, 1), (0, 1, 2, 3, 4)),
        ((1, 3, 4), (0,), (0, 1, 3, 4)),
        ((1, 3), (0,), (1, 0, 3)),
        ((0, 1), (4,), (0, 1, 4)),
        ((4, 0, 3), (1,), (4, 0, 3, 1)),
        ((0,), (1,), (0, 1)),
    ],
    ids=["between", "the first step", "the answer", "behind", "in no order", "one by itself"],
)
def test_a_step_that_was_missing_stands_where_its_document_has_it(
    before: tuple[int, ...], new: tuple[int, ...], told: tuple[int, ...]
) -> None:
    said_of = [said(f"One has to {step.lower()}.", step, held="m") for step in STEPS]
    stood, more = (tuple(said_of[at] for at in places) for places in (before, new))
    assert with_more(stood, more, (MANUAL,), "") == tuple(said_of[at] for at in told)
