"""Which of two claims is followed and why, and which claims hold no more."""

from datetime import UTC, date, datetime, timedelta

import pytest

from calibrant.judges.free.evidence.age import out_of_force
from calibrant.judges.free.synthesis.pairing import distinct
from calibrant.judges.free.synthesis.preferred import Force, preferred, reason_to_follow
from calibrant.state.answer import Claim, Span, Verdict
from calibrant.state.evidence import Evidence, Locator


def page(name: str, text: str, title: str = "Rules of the rink") -> Evidence:
    return Evidence(id=name, text=text, title=title, source="k", url=f"file:///{name}.md", locator=Locator(start=0))


OLD = page("old", "Version 1, in force from 1 May 2022. Keys cost 20 euros.")
NEW = page("new", "Version 2, in force from 1 May 2024. It replaces version 1.")
PART = page("part", "Version 2, in force from 1 May 2024. It replaces section 3 of version 1.")
OTHER = page("other", "The rink is round.", "Leaflet")


def claim(
    identity: str,
    item: Evidence,
    text: str = "Keys cost 20 euros.",
    question: str = "q1",
    verdict: Verdict = Verdict.SUPPORTED,
) -> Claim:
    span = Span(evidence_id=item.id, quote=text)
    return Claim(id=identity, text=text, spans=(span,), question_id=question, verdict=verdict)


@pytest.mark.parametrize(
    ("item", "text", "expected"),
    [
        (NEW, "Keys cost 30 euros.", ("c2", "replaces")),
        (page("late", "Edition 2025."), "Keys cost 30 euros.", ("c2", "newer")),
        (page("early", "Edition 2020."), "Keys cost 30 euros.", ("c1", "newer")),
        (page("early", "Edition 2020."), "Keys were raised from 20 euros to 30 euros.", ("c2", "changed")),
        (OTHER, "Keys cost 30 euros.", None),
        (OLD, "Keys cost 30 euros.", None),
    ],
)
def test_why_a_claim_is_followed(item: Evidence, text: str, expected: tuple[str, str] | None) -> None:
    passages = {one.id: one for one in (OLD, item)}
    told = reason_to_follow(claim("c1", OLD), claim("c2", item, text), passages)
    assert (told and (told[0].id, told[1])) == expected


NOON = datetime(2026, 11, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("later", "followed"),
    [
        (timedelta(), "c1"),
        (timedelta(milliseconds=10), "c1"),
        (timedelta(hours=11, minutes=59), "c1"),
        (timedelta(hours=12), "w1"),
        (-timedelta(days=1), "c1"),
    ],
)
def test_the_day_of_a_file_decides_a_tie_and_its_time_does_not(later: timedelta, followed: str) -> None:
    """What was copied here at one go differs by milliseconds, in the order of copying."""
    one = page("one", "Keys cost 20 euros.").replace(published=NOON)
    other = page("other", "Keys cost 30 euros.").replace(published=NOON + later)
    passages = {item.id: item for item in (one, other)}
    assert preferred(claim("c1", one), claim("w1", other, "Keys cost 30 euros."), passages).id == followed


def test_a_claim_stands_before_what_is_heard_beside_it() -> None:
    told = [claim(identity, OLD, f"Key {identity} is lost.") for identity in ("w1", "c10", "w10", "c2")]
    assert [one.id for one in distinct(told)] == ["c2", "c10", "w1", "w10"]


KEYS = "Keys cost 15 euros."
GONE = page("gone", "Prices.\n\nThese prices applied until 31 December 2024. Keys cost 15 euros.", "Prices")


@pytest.mark.parametrize(
    ("item", "today", "expected"),
    [
        (GONE, date(2026, 11, 23), ("c1", "over")),
        (GONE, date(2024, 12, 31), None),
        (GONE, None, None),
        (page("v1", "Keys cost 15 euros.", "Rules (deprecated)"), None, ("c1", "over")),
        (page("v1", "Keys cost 15 euros.", "[Archived] Rules"), None, ("c1", "over")),
        (page("v1", "Keys cost 15 euros.", "Rules – obsolete"), None, ("c1", "over")),
        (page("v1", "Keys cost 15 euros.", "DEPRECATED: Rules"), None, ("c1", "over")),
        (page("v1", "Keys cost 15 euros.", "Deprecated modules"), None, None),
        (
            page("p4", f"Policy 4.\nIssued 2020.\nFor all.\n**Status: replaced by 5 in 2022.**\n{KEYS}"),
            None,
            ("c1", "over"),
        ),
        (page("a9", f"Status: superseded by ADR 21\n\n{KEYS}"), None, ("c1", "over")),
        (page("a8", f"Status: superseded by ADR 19 for new services\n\n{KEYS}"), None, None),
        (page("a7", f"Status: superseded by ADR 19. Still in force for Ferry.\n\n{KEYS}"), None, None),
        (page("p6", f"This policy has been superseded by policy 7. {KEYS}"), None, ("c1", "over")),
        (page("p7", f"This page is outdated, see the new rules. {KEYS}"), None, ("c1", "over")),
        (page("p8", f"Esta página está desatualizada. {KEYS}"), None, ("c1", "over")),
        (page("k1", f"This key is deprecated. {KEYS}"), None, None),
        (page("a1", f"Status: accepted\n\n{KEYS}"), None, None),
        (page("gate", f"The gate was replaced by a new one. {KEYS}"), None, None),
        (page("set", f"Deprecated: old_key. {KEYS}"), None, None),
        (page("trip", "The ferry ran until 31 December 2024.", "Ferry"), date(2026, 11, 23), None),
    ],
)
def test_what_its_document_says_is_over_is_not_followed(
    item: Evidence, today: date | None, expected: tuple[str, str] | None
) -> None:
    """Until when a ferry ran ends no document."""
    old = page("old", "Version 1, in force from 1 May 2022. Keys cost 20 euros.")
    passages = {one.id: one for one in (old, item)}
    told = reason_to_follow(claim("c1", old), claim("c2", item, "Keys cost 15 euros."), passages, today)
    assert (told and (told[0].id, told[1])) == expected


COMING = page("coming", "Version 2, in force from 1 May 2027. It replaces version 1.")


@pytest.mark.parametrize(
    ("item", "text", "today", "expected"),
    [
        (COMING, "Keys cost 30 euros.", date(2026, 11, 23), ("c1", "to come")),
        (COMING, "Keys cost 30 euros.", date(2027, 4, 30), ("c1", "to come")),
        (COMING, "Keys cost 30 euros.", date(2027, 5, 1), ("c2", "replaces")),
        (COMING, "Keys cost 30 euros.", None, ("c2", "replaces")),
        (OTHER, "From 1 May 2027 keys cost 30 euros.", date(2026, 11, 23), ("c1", "to come")),
        (OTHER, "From 1 May 2027 keys cost 30 euros.", date(2027, 6, 1), ("c2", "newer")),
        (OTHER, "From 1 May 2027 keys rise from 20 to 30 euros.", date(2026, 11, 23), ("c1", "to come")),
    ],
)
def test_what_is_not_in_force_yet_is_not_followed(
    item: Evidence, text: str, today: date | None, expected: tuple[str, str]
) -> None:
    passages = {one.id: one for one in (OLD, item)}
    one, other = claim("c1", OLD), claim("c2", item, text)
    for sides in ((one, other), (other, one)):
        told = reason_to_follow(*sides, passages, today)
        assert told
        assert (told[0].id, told[1]) == expected


@pytest.mark.parametrize(
    ("others", "left"),
    [
        ((claim("c2", NEW),), ["c2"]),
        ((claim("c2", NEW, question="q2"),), ["c1", "c2"]),
        ((claim("c2", NEW, verdict=Verdict.UNVERIFIED),), ["c1", "c2"]),
        ((claim("c2", PART),), ["c1", "c2"]),
        ((claim("c2", OTHER),), ["c1", "c2"]),
        ((), ["c1"]),
    ],
    ids=["beside it", "another question", "not borne out", "a part of it", "another document", "alone"],
)
def test_what_a_replaced_document_says_does_not_stand_beside_what_replaces_it(
    others: tuple[Claim, ...], left: list[str]
) -> None:
    held = Force((OLD, *{NEW, PART, OTHER} & {_page(one) for one in others})).in_force((claim("c1", OLD), *others))
    assert [one.id for one in held] == left


@pytest.mark.parametrize(("asked", "left"), [("What do keys cost?", ["c2"]), ("And in 2024?", ["c1", "c2"])])
def test_what_is_over_stands_beside_what_holds_only_where_it_is_asked_for(asked: str, left: list[str]) -> None:
    gone = page("gone", "These prices applied until 31 December 2024. Keys cost 15 euros.", "Prices 2024")
    now = page("now", "Keys cost 20 euros.", "Prices")
    claims = (claim("c1", gone, "Keys cost 15 euros."), claim("c2", now))
    held = Force((gone, now), asked, date(2026, 11, 23)).in_force(claims)
    assert [one.id for one in held] == left


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("What do keys cost?", ["c2"]),
        ("What did keys cost by the old rules?", []),
        ("How old are the rules on keys?", ["c2"]),
        ("What did keys cost in version 1?", []),
    ],
)
def test_what_took_its_place_is_not_set_against_a_document_that_is_asked_for(asked: str, left: list[str]) -> None:
    old = page("old", "Status: replaced by version 2 on 2024-07-01. Keys cost 15 euros.", "Rules (version 1)")
    new = page("new", "Replaces version 1 of 2023-03-01. Keys cost 20 euros.", "Rules (version 2)")
    own, heard = (claim("c1", old, "Keys cost 15 euros."),), (claim("c2", new, "Keys cost 20 euros."),)
    force = Force((old, new), asked, date(2026, 11, 23))
    assert [one.id for one in force.of_those_meant(heard, own)] == left
    assert [one.id for one in force.in_force((*own, *heard))] == (["c2"] if left else ["c1", "c2"])


def _page(told: Claim) -> Evidence:
    return next(item for item in (NEW, PART, OTHER) if item.id in told.evidence_ids)


def test_passages_of_what_is_over_are_told_apart() -> None:
    today = date(2026, 11, 23)
    assert out_of_force((GONE, OLD, page("v1", "Keys.", "Rules (deprecated)")), today) == {"gone", "v1"}
    assert out_of_force((GONE, OLD), date(2024, 6, 1)) == frozenset()
