"""What parts say only together: a model may conclude it, the review checks it, what it was concluded from is not lost.

Whole runs with a model at the other end of a real connection, and the function that decides.
"""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.serde import serde
from calibrant.judges.given import Composed
from calibrant.nodes.telling.composition import given_way, restated
from calibrant.state.answer import Claim, Line, Synthesis, Verdict
from calibrant.state.budget import StopReason
from calibrant.state.channels import View
from tests.graph.house import ingest, run, write_documents
from tests.graph.test_wire import over, settings
from tests.wire.openai_replies import Json, Status
from tests.wire.openai_server import Call, OpenAIServer, Script
from tests.wire.smart import passages_in, smart
from tests.wire.smart import understand as _understood

QUESTION = "Which of the two bridges is older, the Anker bridge or the Bell bridge?"
CONCLUSION = "The Anker bridge is older than the Bell bridge."
BRIDGES = {
    "anker.md": "# The Anker bridge\n\nThe Anker bridge was opened in 1871. It has seven arches.\n",
    "bell.md": "# The Bell bridge\n\nThe Bell bridge was opened in 1902. Trams cross it.\n",
}
Asked = Callable[[Script], Any]


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    """``await asked(script)``: the question, over a page for each bridge."""
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", BRIDGES))

    async def one(script: Script) -> tuple[View, list[str]]:
        with OpenAIServer(script) as server:
            graph = over(tmp_path / "data", settings(server), checkpointer=InMemorySaver(serde=serde()))
            return await run(graph, QUESTION), [request.name for request in server.requests]

    return one


def concluding(verdict: str) -> Script:
    """A model that asks for each fact, concludes from all claims, and then reviews its conclusion so."""

    def understand(call: Call) -> Json:
        questions = [f"When was the {name} bridge opened?" for name in ("Anker", "Bell")]
        return {**_understood(call), "query_type": "strategic", "questions": questions}

    def compose(call: Call) -> Json:
        return {"sentences": [{"text": CONCLUSION, "claims": re.findall(r'<claim id="(C\d+)"', call.user)}]}

    def support(call: Call) -> Json:
        quote = "was opened in 1871" if verdict != "unverified" else ""
        claims = re.findall(r'<claim id="(C\d+)"', call.user)
        return {
            "verdicts": [
                {"claim": cid, "verdict": verdict, "quote": quote, "reason": "r", "holds": ""} for cid in claims
            ]
        }

    return smart(understand=understand, compose=compose, support=support)


async def test_a_conclusion_that_the_review_bears_out_is_the_answer(asked: Asked) -> None:
    state, names = await asked(concluding("supported"))
    assert names[-2:] == ["compose", "support"]
    assert state.answer.startswith(CONCLUSION)
    assert {citation.url.rpartition("/")[2] for citation in state.citations} == set(BRIDGES)
    assert state.unanswered == ()


def comparing(missing: str = "") -> Script:
    """A model that asks for each fact and answers the comparison over the passages of both."""

    def understand(call: Call) -> Json:
        questions = [f"When was the {name} bridge opened?" for name in ("Anker", "Bell")]
        return {**_understood(call), "questions": questions}

    def answer(call: Call) -> Json:
        quote = "The Anker bridge was opened in 1871 ... The Bell bridge was opened in 1902"
        row = {"text": CONCLUSION, "sources": [sid for sid, _ in passages_in(call)], "quote": quote}
        return {"answerable": True, "statements": [row], "disputed": [], "missing": missing}

    def support(call: Call) -> Json:
        claims = re.findall(r'<claim id="(C\d+)"', call.user)
        found = {"verdict": "supported", "quote": "was opened in 1871", "reason": "", "holds": ""}
        return {"verdicts": [{"claim": cid, **found} for cid in claims]}

    return smart(understand=understand, answer=answer, support=support)


async def test_a_comparison_is_answered_at_once_over_the_passages_of_both(asked: Asked) -> None:
    state, names = await asked(comparing())
    assert names.count("answer") == 1
    assert not {"plan", "compose", "score"} & set(names)
    assert state.answer.startswith(CONCLUSION)
    assert {citation.url.rpartition("/")[2] for citation in state.citations} == set(BRIDGES)
    assert (state.unanswered, len(names) <= 4) == ((), True)


async def test_what_one_answer_to_several_parts_leaves_open_is_told_and_counts(asked: Asked) -> None:
    whole, _ = await asked(comparing())
    partly, _ = await asked(comparing(missing="how the bridges are used"))
    assert partly.unanswered == ("how the bridges are used",)
    assert "Not answered: how the bridges are used" in partly.answer
    assert whole.confidence is not None
    assert partly.confidence is not None
    assert partly.confidence.score < whole.confidence.score - 0.1


async def test_the_same_answer_from_more_passages_is_not_checked_again(asked: Asked, tmp_path: Path) -> None:
    upkeep = "# Masonry\n\nYearly upkeep is counted by the arch.\n"
    ingest(tmp_path / "data", write_documents(tmp_path / "more", {"upkeep.md": upkeep}))
    state, names = await asked(comparing(missing="yearly upkeep"))
    assert any("upkeep" in item.text for item in state.evidence)
    assert state.answer.startswith(CONCLUSION)
    assert (names.count("answer"), names.count("support")) == (2, 1)


async def test_where_the_model_fails_each_part_is_answered_without_it(asked: Asked) -> None:
    state, names = await asked({**comparing(), "answer": lambda _: Status(500, "oops")})
    assert "answer" in names
    assert [step.parts for step in state.steps] == [tuple(f"When was the {name} bridge opened?" for name in YEARS)]
    assert all(year in state.answer for year in YEARS.values())
    assert {citation.url.rpartition("/")[2] for citation in state.citations} == set(BRIDGES)


YEARS = {"Anker": "1871", "Bell": "1902"}


def _understand(call: Call) -> Json:
    questions = [f"Since which year can people cross at {name}?" for name in YEARS]
    return {**_understood(call), "query_type": "strategic", "questions": questions}


def _answer(call: Call) -> Json:
    name = next(name for name in YEARS if f"cross at {name}?" in call.user)
    text = f"The {name} bridge was opened in {YEARS[name]}"
    sid = next(sid for sid, passage in passages_in(call) if text in passage)
    row = {"text": f"People can cross at {name} since {YEARS[name]}.", "sources": [sid], "quote": text}
    return {"answerable": True, "statements": [row], "disputed": [], "missing": ""}


ANSWERING: Script = {"understand": _understand, "answer": _answer}
"""A model that asks in words that no page has, and answers in words of its own."""


async def test_an_answer_that_was_held_against_its_quotation_is_not_rated_too(asked: Asked) -> None:
    """A rating is for what the LLM-free tier has picked: whether it answers all that was asked, nobody has said yet."""
    state, names = await asked(smart(**ANSWERING))
    assert names.count("answer") == 2
    assert "score" not in names
    assert all(year in state.answer for year in YEARS.values())


async def test_what_a_sentence_adds_to_checked_claims_is_checked_too(asked: Asked) -> None:
    """A claim that was held against its passage lends nothing to what a sentence makes of it."""
    advice = "The Anker bridge was opened in 1871, so it should be replaced by a wider one."

    def compose(call: Call) -> Json:
        return {"sentences": [{"text": advice, "claims": re.findall(r'<claim id="(C\d+)"', call.user)}]}

    def support(call: Call) -> Json:
        claims = re.findall(r'<claim id="(C\d+)"[^>]*>\n(.*?)\n</claim>', call.user, re.DOTALL)
        return {"verdicts": [_verdict(cid, "wider" not in text) for cid, text in claims]}

    def _verdict(cid: str, is_found: bool) -> Json:
        found = (
            {"verdict": "supported", "quote": "was opened in"} if is_found else {"verdict": "unverified", "quote": ""}
        )
        return {"claim": cid, "reason": "", "holds": "", **found}

    state, names = await asked(smart(**ANSWERING, compose=compose, support=support))
    assert names.count("support") == 3, "each step, and the composed answer"
    assert "wider" not in state.answer
    assert all(year in state.answer for year in YEARS.values())


async def test_claims_of_which_a_model_makes_no_answer_are_told_with_little_confidence(asked: Asked) -> None:
    """Words alone may be sure of what only sounds like the question."""
    answered, _ = await asked(concluding("supported"))
    declined, names = await asked({**concluding("supported"), "compose": lambda _: {"sentences": []}})
    assert names.count("compose") == 1
    assert "The model found no answer to the request in what is told." in declined.warnings
    assert "1871" in declined.answer, "it may be wrong"
    assert answered.confidence is not None
    assert declined.confidence is not None
    assert declined.confidence.score < 0.7 < answered.confidence.score


@pytest.mark.parametrize("declines", [True, False])
async def test_words_that_say_something_else_and_make_no_answer_are_none(asked: Asked, declines: bool) -> None:
    """Neither what was stated of them, nor that they answer, has anything left that speaks for it."""

    def support(call: Call) -> Json:
        claims = re.findall(r'<claim id="(C\d+)"', call.user)
        return {
            "verdicts": [
                {"claim": cid, "verdict": "unverified", "quote": "", "reason": "r", "holds": ""} for cid in claims
            ]
        }

    wording: Script = {"compose": lambda _: {"sentences": []}} if declines else {}
    state, _ = await asked(smart(**ANSWERING, support=support, **wording))
    assert (state.stop_reason is StopReason.ABSTAINED) is declines
    assert ("1871" not in state.answer) is declines


async def test_what_a_review_finds_is_surer_than_the_words_that_it_is_made_of(asked: Asked) -> None:
    def support(call: Call) -> Json:
        claims = re.findall(r'<claim id="(C\d+)"', call.user)
        row = {"verdict": "unverified" if call.number == 1 else "supported", "quote": "was opened in 1871"}
        return {"verdicts": [{"claim": cid, **row, "reason": "", "holds": ""} for cid in claims]}

    def compose(call: Call) -> Json:
        return {"sentences": [{"text": CONCLUSION, "claims": re.findall(r'<claim id="(C\d+)"', call.user)}]}

    state, _ = await asked(smart(**ANSWERING, support=support, compose=compose))
    assert state.synthesis is not None
    least = min(claim.addresses for claim in state.synthesis.behind)
    assert state.answer.startswith(CONCLUSION)
    assert [claim.addresses for claim in state.claims] == [(1.0 + least) / 2]
    assert least < 1.0


@pytest.mark.parametrize("verdict", ["unverified", "contradicted"])
async def test_one_that_it_does_not_gives_way_to_what_it_was_made_of(asked: Asked, verdict: str) -> None:
    state, _ = await asked(concluding(verdict))
    assert CONCLUSION not in state.answer
    assert "1871" in state.answer
    assert "1902" in state.answer
    assert state.review is not None
    assert [claim.verdict for claim in state.review.claims] == [Verdict.SUPPORTED] * 2


@pytest.mark.parametrize(
    ("text", "named", "is_checked"),
    [
        ("The Anker bridge is closed on Sundays.", ("c1",), True),
        ("On Sundays it is the Anker bridge that is closed.", ("c1",), True),
        ("The Anker bridge is closed on Sundays, the Bell bridge in May.", ("c1", "c2"), True),
        ("The Anker bridge is closed on Sundays and the Bell bridge in May.", ("c1", "c2"), True),
        ("The Anker bridge is closed in May, the Bell bridge on Sundays.", ("c1", "c2"), False),
        ("The Anker bridge is closed on Sundays, so take the ferry.", ("c1",), False),
        ("The Anker bridge is closed on Sundays, the Cole bridge is not.", ("c1", "c3"), False),
    ],
)
def test_what_a_sentence_adds_to_claims_that_a_model_found_was_not_found(
    text: str, named: tuple[str, ...], is_checked: bool
) -> None:
    claims = (
        Claim(id="c1", text="The Anker bridge is closed on Sundays.", checked=True),
        Claim(id="c2", text="The Bell bridge is closed in May.", checked=True),
        Claim(id="c3", text="The Cole bridge is not closed."),
    )
    _, (stated,) = restated(claims, Composed(((text, named),)))
    assert stated.checked is is_checked


def claim(name: str, verdict: Verdict = Verdict.SUPPORTED) -> Claim:
    return Claim(id=name, text=f"Text of {name}.", verdict=verdict)


REWORDED = Synthesis(
    lines=(
        Line(text="Both.", claim_ids=("s1",), behind=("c1", "c2")),
        Line(text="The second.", claim_ids=("s2",), behind=("c2",)),
    ),
    claims=(claim("s1"), claim("s2")),
    behind=(claim("c1"), claim("c2")),
)
"""The first sentence restates two claims, the second one of them."""


def test_what_stands_stays() -> None:
    assert given_way(REWORDED, set()) == REWORDED
    assert given_way(REWORDED, {"c1"}) == REWORDED, "what is behind a sentence is not what it says"


def test_what_falls_gives_way_to_what_no_other_line_tells() -> None:
    left = given_way(REWORDED, {"s1"})
    assert [line.text for line in left.lines] == ["Text of c1.", "The second."]
    assert [one.id for one in left.claims] == ["c1", "s2"]
    both = given_way(REWORDED, {"s1", "s2"})
    assert [line.text for line in both.lines] == ["Text of c1.", "Text of c2."]


def test_nothing_takes_the_place_of_what_does_not_stand_itself() -> None:
    unfounded = REWORDED.replace(behind=(claim("c1", Verdict.UNVERIFIED), claim("c2")))
    assert [line.text for line in given_way(unfounded, {"s1"}).lines] == ["The second."]


async def test_a_conclusion_that_is_worked_out_behind_it_is_told(tmp_path: Path) -> None:
    """In the order that is asked of a model: the direct answer first."""
    prices = {name: f"{name} costs {price} euros a month" for name, price in (("Pro", 20), ("Basic", 30))}
    pages = {f"{name}.md": f"# {name}\n\n{said}.\n" for name, said in prices.items()}
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages))
    conclusion = "For 12 months Pro is the cheaper plan, 120 euros below Basic."

    def answer(call: Call) -> Json:
        sids = [sid for sid, _ in passages_in(call)]
        texts = (
            (conclusion, " ... ".join(prices.values())),
            ("Pro costs 240 euros for 12 months (12 × 20 = 240).", prices["Pro"]),
            ("Basic is 120 euros above that (12 × 30 − 240 = 120).", prices["Basic"]),
        )
        rows = [{"text": text, "sources": sids, "quote": quote} for text, quote in texts]
        return {"answerable": True, "statements": rows, "disputed": [], "missing": ""}

    def support(call: Call) -> Json:
        claims = re.findall(r'<claim id="(C\d+)"[^>]*>\n(.*)', call.user)
        quotes = {cid: prices["Basic" if text.startswith("Basic") else "Pro"] for cid, text in claims}
        row = {"verdict": "supported", "reason": "", "holds": ""}
        return {"verdicts": [{"claim": cid, "quote": quote, **row} for cid, quote in quotes.items()]}

    with OpenAIServer(smart(answer=answer, support=support)) as server:
        graph = over(tmp_path / "data", settings(server), checkpointer=InMemorySaver(serde=serde()))
        state = await run(graph, "Which plan is cheaper for 12 months, Pro or Basic?")
    assert [one.text for one in state.results[0].statements][:1] == [conclusion]
    assert conclusion.removesuffix(".") in state.answer


@pytest.mark.parametrize(("shown", "told"), [("", False), ("a faster search", True)])
async def test_an_absence_for_which_nothing_is_shown_is_not_told_as_something_else(
    shown: str, told: bool, tmp_path: Path
) -> None:
    news, export = "Release 2.4 has a faster search", "Exports are written as CSV files"
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"news.md": f"# News\n\n{news}. {export}.\n"}))
    absent = "Release 2.4 changed nothing about exports."

    def answer(call: Call) -> Json:
        rows = [{"text": text, "sources": ["S1"], "quote": quote} for text, quote in ((export, export), (absent, news))]
        return {"answerable": True, "statements": rows, "disputed": [], "missing": ""}

    def support(call: Call) -> Json:
        row = {"verdict": "supported", "quote": shown, "reason": "", "holds": ""}
        return {"verdicts": [{"claim": cid, **row} for cid in re.findall(r'<claim id="(C\d+)"', call.user)]}

    with OpenAIServer(smart(answer=answer, support=support)) as server:
        graph = over(tmp_path / "data", settings(server), checkpointer=InMemorySaver(serde=serde()))
        state = await run(graph, "As which files are exports written since release 2.4?")
    (result,) = state.results
    assert [one.text for one in result.statements] == ([export, absent] if told else [export])


async def test_what_an_answer_to_one_question_lacks_is_searched_for_once(tmp_path: Path) -> None:
    """The words are a model's that has read the passages: they may find what the question's words did not."""
    pages = {"anker.md": BRIDGES["anker.md"], "works.md": "# Masonry\n\nThe arches were laid by the Holt brothers.\n"}
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages))

    def answer(call: Call) -> Json:
        rows = [
            {"text": text, "sources": [sid], "quote": text}
            for sid, passage in passages_in(call)
            for text in ("The Anker bridge was opened in 1871", "The arches were laid by the Holt brothers")
            if text in passage
        ]
        missing = "" if len(rows) > 1 else "who laid the arches"
        return {"answerable": True, "statements": rows, "disputed": [], "missing": missing}

    with OpenAIServer(smart(answer=answer)) as server:
        graph = over(tmp_path / "data", settings(server), checkpointer=InMemorySaver(serde=serde()))
        state = await run(graph, "When was the Anker bridge opened, and by whom was it built?")
        asked = [str(request.body["messages"]) for request in server.requests if request.name == "answer"]
    assert "Holt brothers" in state.answer
    assert ["Stated already" in prompt for prompt in asked] == [False, True]
    assert "Not found in the passages" not in state.answer
