"""Composition: order, preference, disagreement told, nothing unsupported, nothing twice, nothing invented."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.synthesis.compose import Sentence, compose, with_disputes
from calibrant.judges.given import Composed, ToCompose
from calibrant.state.answer import Claim, Conflict, ConflictKind, Span, Verdict
from calibrant.state.confidence import Factor, confidence_of
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Language, Question, Task

ONE = (Question(id="q1", text="What is the port?"),)
TWO = (*ONE, Question(id="q2", text="Who made it?"))


def claim(identity: str, text: str, confidence: float = 0.5, question: str = "q1",
          verdict: Verdict = Verdict.SUPPORTED) -> Claim:  # fmt: skip
    return Claim(id=identity, text=text, confidence=confidence, question_id=question, verdict=verdict)


def given_of(*claims: Claim, questions: tuple[Question, ...] = ONE, conflicts: tuple[Conflict, ...] = (),
             language: Language = Language.ENGLISH) -> ToCompose:  # fmt: skip
    return ToCompose(Task(text="t", language=language), questions, claims, conflicts)


def conflict(first: Claim, second: Claim, kind: ConflictKind = ConflictKind.CONTRADICTION) -> Conflict:
    preferred = max(first, second, key=lambda side: side.confidence).id
    return Conflict(
        id=f"{first.id}-{second.id}", kind=kind, severity=0.9, first=first, second=second, preferred=preferred
    )


def test_no_claims_no_answer() -> None:
    assert compose(given_of()).value.sentences == ()


@pytest.mark.parametrize(
    ("texts", "worded", "doubt"),
    [
        (("The port is 8080.", "It can be changed."), False, 0.5),
        (("The port is 8080.", "It can be changed."), True, 0.1),
        (("The port is 8080.",), False, 0.1),
        (("The port is 8080.",), True, 0.1),
        (("The port is 8080.", "setting: port; default: 8080"), True, 1.0),
    ],
    ids=["several", "one answer", "a single one", "a single one of one answer", "data"],
)
def test_what_is_worded_already_leaves_little_doubt(texts: tuple[str, ...], worded: bool, doubt: float) -> None:
    told = given_of(*(claim(f"c{number}", text) for number, text in enumerate(texts)))
    confidence = confidence_of([Factor(name="r", score=0.5, weight=1.0)])
    assert compose(replace(told, confidence=confidence, worded=worded)).doubt == pytest.approx(doubt)


def test_claims_stand_under_their_questions_as_they_were_stated() -> None:
    told = [
        claim("c1", "Ann Lee made Alpha.", 0.9, "q2"),
        claim("c2", "The port is 8080.", 0.3),
        claim("c3", "The port can be changed.", 0.8),
        claim("c4", "Alpha is a job server.", 0.9, "other"),
    ]
    assert compose(given_of(*told, questions=TWO)).value.sentences == (
        ("## What is the port?", ()),
        ("The port is 8080.", ("c2",)),
        ("The port can be changed.", ("c3",)),
        ("## Who made it?", ()),
        ("Ann Lee made Alpha.", ("c1",)),
        ("Alpha is a job server.", ("c4",)),
    )


@pytest.mark.parametrize(
    ("questions", "answered"),
    [
        (ONE, ("q1",)),
        (TWO, ("q1",)),  # what is left unanswered is told elsewhere
        (TWO, ("q1", "q2")),  # one sentence answers both
        (TWO, ("q1", "other")),
    ],
)
def test_what_stands_in_one_place_has_no_heading(questions: tuple[Question, ...], answered: tuple[str, ...]) -> None:
    told = [claim(f"c{part}", "Ann Lee made Alpha, on port 8080.", question=part) for part in answered]
    sentences = compose(given_of(*told, questions=questions)).value.sentences
    assert [text for text, _ in sentences] == ["Ann Lee made Alpha, on port 8080."]


def test_a_row_is_told_once_with_all_the_cells_that_are_told_of_it() -> None:
    row, other = (Span(evidence_id="e1", quote="|", start=at, end=at + 1) for at in (0, 9))
    told = [
        claim("c1", "Members; Free: 1").replace(spans=(row,)),
        claim("c2", "Members; Free: 1; Team: 20", question="q2").replace(spans=(row,)),
        claim("c3", "Guests; Free: 1").replace(spans=(other,)),
    ]
    assert [ids for _, ids in compose(given_of(*told, questions=TWO)).value.sentences if ids] == [("c3",), ("c2",)]


def test_what_looks_like_one_cell_leaves_the_rest_of_its_list_as_it_is() -> None:
    steps = Span(evidence_id="e1", quote="|", start=0, end=1)
    told = [
        claim(f"c{at}", text).replace(spans=(steps,)) for at, text in enumerate(("Freeze: stop it.", "Wait a day."))
    ]
    assert [ids for _, ids in compose(given_of(*told)).value.sentences if ids] == [("c0",), ("c1",)]


def test_the_preferred_side_is_said_and_the_disagreement_told() -> None:
    low, high = claim("c1", "The port is 9090.", 0.4), claim("c2", "The port is 8080.", 0.8)
    assert compose(given_of(low, high, conflicts=(conflict(low, high),))).value.sentences == (
        ("The port is 8080.", ("c2",)),
        ("Sources disagree; also found: The port is 9090.", ("c1",)),
    )


def test_a_beaten_side_that_two_sources_say_is_told_in_the_dispute_alone() -> None:
    low, high = claim("c1", "The port is 9090.", 0.4), claim("c2", "The port is 8080.", 0.8)
    echo = claim("c3", "The port is 9090.", 0.3)
    assert compose(given_of(low, high, echo, conflicts=(conflict(low, high),))).value.sentences == (
        ("The port is 8080.", ("c2",)),
        ("Sources disagree; also found: The port is 9090.", ("c1", "c3")),
    )


@pytest.mark.parametrize(
    ("names", "language", "told"),
    [
        (("a/old.md", "a/new.md"), Language.ENGLISH, "Sources disagree; also found: The port is 9090 (old.md). "
         "The first is followed: its document says that it replaces or changes the other."),
        (("a/rules.md", "b/rules.md"), Language.ENGLISH, "Sources disagree; also found: The port is 9090 "
         "(/a/rules.md). The first is followed: its document says that it replaces or changes the other."),
        (("a/old.md", "a/new.md"), Language.PORTUGUESE, "As fontes divergem; também se lê: The port is 9090 "
         "(old.md). Segue-se a primeira: o seu documento diz que substitui ou altera o outro."),
    ],
)  # fmt: skip
def test_documents_of_one_title_are_named_and_why_one_is_followed(
    names: tuple[str, str], language: Language, told: str
) -> None:
    texts = "Version 1.", "Version 2. It replaces version 1."
    pages = [
        Evidence(id=name, text=text, title="Port rules", source="k", url=f"file:///{name}", locator=Locator(start=0))
        for name, text in zip(names, texts, strict=True)
    ]
    old, new = (
        claim(identity, text, sure).replace(spans=(Span(evidence_id=item.id, quote=text),))
        for identity, text, sure, item in (
            ("c1", "The port is 9090.", 0.5, pages[0]), ("c2", "The port is 8080.", 0.9, pages[1])
        )
    )  # fmt: skip
    given = replace(given_of(old, new, conflicts=(conflict(old, new),), language=language), evidence=tuple(pages))
    assert compose(given).value.sentences[1] == (told, ("c1",))
    other = replace(given, evidence=tuple(item.replace(title=item.id, text="x") for item in pages))
    assert "(" not in compose(other).value.sentences[1][0]
    assert "follow" not in compose(other).value.sentences[1][0]


def test_three_sides_are_one_disagreement_and_ambiguity_is_named_so() -> None:
    a, b, c = (
        claim("a", "It has 30 workers.", 0.9),
        claim("b", "It has 60 workers."),
        claim("c", "It has 90 workers.", 0.4),
    )
    told = compose(given_of(a, b, c, conflicts=(conflict(a, b), conflict(b, c)))).value.sentences
    assert [ids for _, ids in told] == [("a",), ("b", "c")]
    vague = compose(given_of(a, b, conflicts=(conflict(a, b, ConflictKind.AMBIGUITY),))).value.sentences
    assert vague[1][0].startswith("Sources differ, perhaps about different cases; also found: ")


GUIDE = "Access lasts a week, and a phone app is enough."


def policy_and_guide(documents: tuple[str, str, str] = ("policy", "policy", "guide")) -> ToCompose:
    """Two sentences of a policy, each of which replaces one of a guide."""
    texts = "Production access lasts at most 8 hours.", "No, a phone app is not enough.", GUIDE
    evidence = tuple(
        Evidence(id=f"e{number}", text=text, title=title, source="k", url=f"file:///{title}.md")
        for number, (text, title) in enumerate(zip(texts, documents, strict=True), 1)
    )
    hours, phone, guide = (
        claim(f"c{number}", item.text, confidence).replace(spans=(Span(evidence_id=item.id, quote=item.text),))
        for number, (item, confidence) in enumerate(zip(evidence, (0.9, 0.8, 0.4), strict=True), 1)
    )
    conflicts = conflict(hours, guide), conflict(phone, guide)
    return replace(given_of(hours, phone, guide, conflicts=conflicts), evidence=evidence)


AGAINST = ("Sources disagree; also found: Access lasts a week, and a phone app is enough.", ("c3",))


def test_all_that_a_beaten_side_disagrees_with_leads() -> None:
    assert compose(policy_and_guide()).value.sentences == (
        ("Production access lasts at most 8 hours.", ("c1",)),
        ("No, a phone app is not enough.", ("c2",)),
        AGAINST,
    )


def test_two_documents_that_beat_a_third_one_do_not_both_lead() -> None:
    told = compose(policy_and_guide(("policy", "memo", "guide"))).value.sentences
    assert [ids for _, ids in told] == [("c1",), ("c2", "c3")]


def test_a_model_words_each_side_that_is_followed() -> None:
    given = policy_and_guide()
    drafted = ("A phone app is not enough.", ("c2",)), ("You get 8 hours at most.", ("c1",))
    told = with_disputes(Composed(drafted), given)
    assert told.sentences == (drafted[0], AGAINST, drafted[1])
    assert told.fixed == {AGAINST}
    beaten = Composed((("A phone app is enough.", ("c3",)), drafted[1]))
    assert with_disputes(beaten, given).sentences == compose(given).value.sentences


def test_portuguese_words() -> None:
    a, b = claim("a", "A porta é 8080.", 0.9), claim("b", "A porta é 9090.")
    told = compose(given_of(a, b, conflicts=(conflict(a, b),), language=Language.PORTUGUESE)).value.sentences
    assert told[1][0] == "As fontes divergem; também se lê: A porta é 9090."


def test_the_policy_decides_about_unsupported_claims() -> None:
    told = [
        claim("c1", "The port is 8080.", 0.2),
        claim("c2", "The port is red.", 0.9, verdict=Verdict.UNVERIFIED),
        claim("c3", "The port is wet.", 0.8, verdict=Verdict.CONTRADICTED),
    ]
    assert [ids for _, ids in compose(given_of(*told)).value.sentences] == [("c1",)]
    assert [text for text, _ in compose(given_of(*told), policy="mark").value.sentences] == [
        "The port is 8080.",
        "The port is red.",
        "The port is wet.",
    ]


def test_a_dropped_side_is_no_disagreement() -> None:
    low = claim("c1", "The port is 9090.", 0.4, verdict=Verdict.UNVERIFIED)
    high = claim("c2", "The port is 8080.", 0.8)
    told = compose(given_of(low, high, conflicts=(conflict(low, high),))).value.sentences
    assert told == (("The port is 8080.", ("c2",)),)


def test_what_says_the_same_is_said_once_with_all_its_citations() -> None:
    told = [
        claim("c1", "The default port of Alpha is 8080.", 0.9),
        claim("c2", "Alpha's default port is 8080!", 0.2),
        claim("c3", "The default port of Alpha is 8080."),
        claim("c4", "The default port of Alpha is 8081."),
    ]
    sentences = compose(given_of(*told)).value.sentences
    assert sentences[0] == ("The default port of Alpha is 8080.", ("c1", "c3"))
    assert "8081" in " ".join(text for text, _ in sentences)


def test_the_same_words_in_another_order_are_not_the_same() -> None:
    told = [claim("c1", "Alpha beats Beta in tests."), claim("c2", "Beta beats Alpha in tests.")]
    assert len(compose(given_of(*told)).value.sentences) == 2


@given(st.lists(st.tuples(st.sampled_from(["Alpha is fast.", "Beta is slow.", "Gamma has 3 parts."]), st.floats(0, 1),
                          st.sampled_from(Verdict), st.sampled_from(["q1", "q2", "x"])), max_size=8))  # fmt: skip
def test_only_the_claims_own_words_and_each_once(rows: list[tuple[str, float, Verdict, str]]) -> None:
    told = [claim(f"c{i}", text, score, question, verdict) for i, (text, score, verdict, question) in enumerate(rows)]
    sentences = compose(given_of(*told, questions=TWO)).value.sentences
    texts = [text for text, _ in sentences]
    known = {one.text for one in told} | {f"## {question.text}" for question in TWO}
    assert {re.sub(r" \(.*\)$", "", text) for text in texts} <= known
    assert len(set(texts)) == len(texts)
    assert {identity for _, ids in sentences for identity in ids} <= {one.id for one in told}


# A disagreement is told whatever was composed


PORTS = (claim("c1", "The port is 8080.", 0.9), claim("c2", "The port is 9090.", 0.5), claim("c3", "Ann made it.", 0.4))
DISPUTED = given_of(*PORTS, conflicts=(conflict(*PORTS[:2]),))
TELLING = ("Sources disagree; also found: The port is 9090.", ("c2",))


def test_the_free_composition_comes_back_as_it_is() -> None:
    composed = compose(DISPUTED).value
    assert TELLING in composed.sentences
    assert with_disputes(composed, DISPUTED).sentences == composed.sentences


@pytest.mark.parametrize(
    ("drafted", "told"),
    [
        ([("It is 8080.", ("c1",))], [("It is 8080.", ("c1",)), TELLING]),
        ([("It is 9090.", ("c2",))], [("The port is 8080.", ("c1",)), TELLING]),
        ([("8080, or 9090.", ("c1", "c2"))], [("The port is 8080.", ("c1",)), TELLING]),
        ([("It is 8080.", ("c1",)), ("Or so.", ("c2",))], [("It is 8080.", ("c1",)), TELLING]),
        ([("9090, by Ann.", ("c2", "c3"))], [("Ann made it.", ("c3",)), ("The port is 8080.", ("c1",)), TELLING]),
        ([("Ann did.", ("c3",))], [("Ann did.", ("c3",))]),
        ([], []),
    ],
)
def test_what_a_model_leaves_out_is_added(drafted: list[Sentence], told: list[Sentence]) -> None:
    assert list(with_disputes(Composed(tuple(drafted)), DISPUTED).sentences) == told


def test_a_side_that_its_source_does_not_bear_out_is_not_told() -> None:
    unsure = given_of(PORTS[0], PORTS[1].replace(verdict=Verdict.UNVERIFIED), conflicts=(conflict(*PORTS[:2]),))
    drafted = Composed((("It is 8080.", ("c1",)),))
    assert with_disputes(drafted, unsure) == drafted
    assert TELLING in with_disputes(drafted, unsure, "mark").sentences
