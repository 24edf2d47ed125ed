"""A disagreement is told whatever the model writes: whole runs with a model at the other end of a real connection."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.serde import serde
from calibrant.graph.settings import Settings
from calibrant.judges.free.synthesis.compose import compose
from calibrant.judges.given import ToCompose
from calibrant.nodes.synthesize import is_weighed
from calibrant.nodes.telling.citing import render
from calibrant.nodes.telling.composition import kept_as_they_are
from calibrant.nodes.telling.phrases import Phrases
from calibrant.state.answer import Claim, Conflict, ConflictKind, Span, Synthesis, Verdict
from calibrant.state.channels import View
from calibrant.state.confidence import Confidence
from calibrant.state.task import Language, Question, Task
from tests.graph.house import graph_for, ingest, run, write_documents
from tests.graph.test_wire import EAGER, over, settings
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, OpenAIServer, Script
from tests.wire.smart import passages_in, smart

QUESTION = "How often is a failed job retried by default?"
RIVALS = {
    "manual.md": "# Manual\n\nA failed job is retried 5 times by default.\n",
    "forum.md": "# Forum\n\nA failed job is retried 9 times by default.\n",
}
Asked = Callable[..., Any]


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    """``await asked(script)``: the question, over documents that disagree."""
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", RIVALS))

    async def one(script: Script, **given: Any) -> View:
        with OpenAIServer(script) as server:
            context = settings(server, limits={"plain_calls": 10}, **EAGER, **given)
            graph = over(tmp_path / "data", context, checkpointer=InMemorySaver(serde=serde()))
            return await run(graph, QUESTION)

    return one


def words(*sentences: tuple[str, int]) -> Script:
    """A model that words the answer so, with the number of the first claim: each sentence cites so many claims."""

    def compose(call: Call) -> Json:
        number = re.search(r"retried (\d) times", call.user[call.user.index('id="C1"') :])
        assert number is not None
        told = [(text.format(number[1]), count) for text, count in sentences]
        return {"sentences": [{"text": text, "claims": ["C1", "C2"][:count]} for text, count in told]}

    return smart(compose=compose)


ONE_SIDE = ("By default a failed job is retried {} times.", 1)
BOTH_SIDES = ("A failed job is by default retried {} times.", 2)


@pytest.mark.parametrize("sentences", [(ONE_SIDE,), (BOTH_SIDES,), (ONE_SIDE, BOTH_SIDES)], ids=["one", "both", "each"])
async def test_a_model_cannot_leave_the_other_side_out(asked: Asked, sentences: tuple[tuple[str, int], ...]) -> None:
    state = await asked(words(*sentences))
    assert state.synthesis is not None
    assert state.synthesis.tier == "model"
    assert [conflict.kind for conflict in state.conflicts] == [ConflictKind.CONTRADICTION]
    assert state.answer.count("Sources disagree") == 1
    followed, told = state.answer.splitlines()
    assert told.startswith("Sources disagree; also found: ")
    assert ("5 times" in followed, "9 times" in followed) == ("9 times" in told, "5 times" in told)
    assert followed.endswith("[1]")
    assert told.endswith("[2]")
    assert {citation.url.rpartition("/")[2] for citation in state.citations} == {"manual.md", "forum.md"}
    assert any("1 conflict between sources" in warning for warning in state.warnings)


MUSIC = "The music of Northern Bells is by {}."


async def bells(tmp_path: Path, *beside: str) -> View:
    """Two names for one thing, by a model that reads both and says that they are ``disputed``; and what it states
    ``beside`` them, copied from the notes."""
    pages = {
        "guide.md": "# Guide\n\nThe hymn Northern Bells was set to music by Ada Brand.\n",
        "notes.md": "# Notes\n\nNorthern Bells: words of 1902, music of Carl Voss.\n",
    }
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages))
    quotes = {MUSIC.format(name): name for name in ("Ada Brand", "Carl Voss")}
    quotes |= {f"Northern Bells has {said}.": said for said in beside}

    def answer(call: Call) -> Json:
        rows = [
            {"text": told, "sources": [sid], "quote": quote}
            for told, quote in quotes.items()
            for sid, text in passages_in(call)
            if quote in text
        ]
        return {"answerable": True, "statements": rows, "disputed": [1, 2], "missing": ""}

    def quoted(call: Call) -> Json:
        found = [(cid, quotes[text]) for cid, text in re.findall(r'<claim id="(C\d+)"[^>]*>\n(.*)', call.user)]
        return {
            "verdicts": [{"claim": c, "verdict": "supported", "quote": q, "reason": "", "holds": ""} for c, q in found]
        }

    with OpenAIServer(smart(answer=answer, support=quoted)) as server:
        graph = over(tmp_path / "data", settings(server, **EAGER), checkpointer=InMemorySaver(serde=serde()))
        state = await run(graph, "Who wrote the music of the hymn Northern Bells?")
    assert "reconcile" not in server.names
    return state


async def test_what_the_model_that_answers_sees_is_told_within_the_calls_of_a_plain_question(tmp_path: Path) -> None:
    """Two names are no contradiction by words: it takes the reader of both, and no further call."""
    state = await bells(tmp_path)
    (conflict,) = state.conflicts
    assert conflict.kind is ConflictKind.INCONSISTENCY
    first, last = state.answer.splitlines()
    assert first in {f"{MUSIC.format('Ada Brand')} [1]", f"{MUSIC.format('Carl Voss')} [1]"}
    other = "Carl Voss" if "Ada Brand" in first else "Ada Brand"
    assert last == f"Sources disagree; also found: {MUSIC.format(other)} [2]"
    assert {citation.url.rpartition("/")[2] for citation in state.citations} == {"guide.md", "notes.md"}
    assert state.spend.model_calls <= 3


async def test_what_is_stated_beside_a_disputed_answer_makes_it_no_surer(tmp_path: Path) -> None:
    alone, more = await bells(tmp_path / "alone"), await bells(tmp_path / "more", "words of 1902")
    assert "words of 1902" in more.answer
    assert len(more.conflicts) == 1
    assert more.review is not None
    assert alone.review is not None
    assert more.review.supported_share == alone.review.supported_share < 0.8


ALLOWANCES = """# Allowances abroad

| Where you have been | For a full day | With a lunch that is given |
|---|---|---|
| Spain | 110 euros | 82 euros |
"""


@pytest.mark.parametrize(
    ("verdict", "told"),
    [
        ("supported", "Employees who travel to Spain for a training course get 82 euros when lunch is offered. [1]"),
        (
            "unverified",
            "Where you have been: Spain; For a full day: 110 euros; With a lunch that is given: 82 euros [1]",
        ),
    ],
)
async def test_whether_a_row_is_rightly_put_in_words_is_left_to_the_review(
    tmp_path: Path, verdict: str, told: str
) -> None:
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"allowances.md": ALLOWANCES}))
    row = "| Spain | 110 euros | 82 euros |"
    worded = "Employees who travel to Spain for a training course get 82 euros when lunch is offered."

    def answer(call: Call) -> Json:
        sid = next(sid for sid, text in passages_in(call) if "Spain" in text)
        text = "Where you have been: Spain; For a full day: 110 euros; With a lunch that is given: 82 euros"
        rows = [{"text": text, "sources": [sid], "quote": row}]
        return {"answerable": True, "statements": rows, "disputed": [], "missing": ""}

    def judged(call: Call) -> Json:
        asked = re.findall(r'<claim id="(C\d+)"[^>]*>\n(.*)', call.user)
        return {
            "verdicts": [
                {
                    "claim": c,
                    "quote": row,
                    "reason": "",
                    "holds": "",
                    "verdict": verdict if text == worded else "supported",
                }
                for c, text in asked
            ]
        }

    def compose(_: Call) -> Json:
        return {"sentences": [{"text": worded, "claims": ["C1"]}]}

    with OpenAIServer(smart(answer=answer, support=judged, compose=compose)) as server:
        context = settings(server, limits={"plain_calls": 10}, **EAGER)
        graph = over(tmp_path / "data", context, checkpointer=InMemorySaver(serde=serde()))
        state = await run(graph, "What do employees get who travel to Spain for a training course with lunch?")
    assert state.answer == told


PAUSED = "If a queue is paused, a failed job is retried 9 times by default."
RETRIED = "A failed job is retried 9 times by default."


@pytest.mark.parametrize(
    ("other", "seen", "said", "kinds", "by_words"),
    [
        (PAUSED, True, "inconsistency", [], [ConflictKind.AMBIGUITY]),
        (PAUSED, False, "inconsistency", [ConflictKind.INCONSISTENCY], [ConflictKind.AMBIGUITY]),
        (RETRIED, True, "inconsistency", [ConflictKind.INCONSISTENCY], [ConflictKind.CONTRADICTION]),
        (RETRIED, True, "none", [], [ConflictKind.CONTRADICTION]),
        (RETRIED, False, "none", [], [ConflictKind.CONTRADICTION]),
    ],
)
async def test_what_a_model_has_not_called_disputed_is_left_to_it(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    other: str,
    seen: bool,
    said: str,
    kinds: list[ConflictKind],
    by_words: list[ConflictKind],
) -> None:
    """What may be another case is not told, where it has read that, and of all else it is asked, if need be with a call
    more than a plain question has; without a model both are told."""
    pages = {"manual.md": RIVALS["manual.md"], "forum.md": f"# Forum\n\n{other}\n"}
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", pages))

    def answer(call: Call) -> Json:
        row = next({"text": text, "sources": [sid]} for sid, text in passages_in(call) if "5 times" in text)
        told = "A failed job is retried 5 times by default."
        return {"answerable": True, "statements": [{**row, "text": told, "quote": told}], "disputed": [], "missing": ""}

    def reconcile(call: Call) -> Json:
        pairs = re.findall(r'<pair id="(P\d+)"', call.user)
        return {"pairs": [{"pair": pid, "explanation": "", "kind": said, "in_force": ""} for pid in pairs]}

    with OpenAIServer(smart(answer=answer, reconcile=reconcile)) as server:
        context = settings(server, conflict_threshold=0.3, limits={"plain_calls": 1})
        graph = over(tmp_path / "data", context, checkpointer=InMemorySaver(serde=serde()))
        with monkeypatch.context() as patched:
            patched.setattr("calibrant.nodes.synthesize.is_seen", lambda *_: seen)
            with_model = await run(graph, QUESTION)
    without = await run(graph_for(tmp_path / "data", context=Settings(conflict_threshold=0.3)), QUESTION)
    assert "retried 5 times" in with_model.answer
    assert [conflict.kind for conflict in with_model.conflicts] == kinds
    assert [conflict.kind for conflict in without.conflicts] == by_words


@pytest.mark.parametrize(
    ("kind", "own", "read", "is_left"),
    [
        (ConflictKind.AMBIGUITY, {"c1"}, {"q": {"e1", "e2"}}, True),
        (ConflictKind.AMBIGUITY, {"c1"}, {"q": {"e1"}}, False),
        (ConflictKind.AMBIGUITY, {"c1"}, {"p": {"e1", "e2"}}, False),
        (ConflictKind.AMBIGUITY, {"c1"}, {}, False),
        (ConflictKind.AMBIGUITY, {"c1", "c2"}, {"q": {"e1", "e2"}}, False),
        (ConflictKind.INCONSISTENCY, {"c1"}, {"q": {"e1", "e2"}}, False),
    ],
)
def test_a_model_has_weighed_what_it_has_read_beside_its_answer(
    kind: ConflictKind, own: set[str], read: dict[str, set[str]], is_left: bool
) -> None:
    first, second = (
        Claim(id=f"c{n}", text="t", spans=(Span(evidence_id=f"e{n}", quote="t"),), question_id="q") for n in (1, 2)
    )
    conflict = Conflict(id="c1-c2", kind=kind, severity=0.5, first=first, second=second)
    assert is_weighed(conflict, own, {key: frozenset(ids) for key, ids in read.items()}) is is_left


async def test_a_disputed_answer_is_less_certain(asked: Asked, data_dir: Path) -> None:
    disputed = await asked(words(ONE_SIDE))
    assert disputed.confidence is not None
    assert disputed.confidence.score < 0.9
    assert disputed.review is not None
    assert disputed.review.supported_share < 0.7


async def test_an_unsupported_sentence_is_dropped_or_marked_by_policy(asked: Asked) -> None:
    more = ("A failed job is retried {} times by default, and never a job that has not failed.", 1)
    dropped = await asked(words(more))
    marked = await asked(words(more), unsupported="mark")
    assert "never a job" not in dropped.answer
    assert "that has not failed. [1] (unverified)" in marked.answer


@pytest.mark.parametrize(
    ("first", "last", "language", "mark"),
    [
        (Verdict.UNVERIFIED, Verdict.UNVERIFIED, Language.ENGLISH, " (unverified)"),
        (Verdict.UNVERIFIED, Verdict.UNVERIFIED, Language.PORTUGUESE, " (não verificado)"),
        (Verdict.CONTRADICTED, Verdict.CONTRADICTED, Language.PORTUGUESE, " (a fonte o contradiz)"),
        (Verdict.UNVERIFIED, Verdict.SUPPORTED, Language.ENGLISH, ""),
        (Verdict.SUPPORTED, Verdict.UNVERIFIED, Language.PORTUGUESE, " (não verificado)"),
    ],
)
def test_a_mark_is_said_once_by_the_last_verdict_in_the_users_language(
    first: Verdict, last: Verdict, language: Language, mark: str
) -> None:
    text = "A failed job is retried five times."
    claims = (Claim(id="c1", text=text, question_id="q1", verdict=first),)
    questions = (Question(id="q1", text=QUESTION),)
    given = ToCompose(Task(text=QUESTION, language=language), questions, claims, (), Confidence())
    lines, stated = kept_as_they_are(claims, compose(given, policy="mark").value)
    reviewed = tuple(claim.replace(verdict=last) for claim in stated)
    assert render(Synthesis(lines=lines, claims=stated), reviewed, (), Phrases(language)) == f"{text}{mark}"


async def test_a_short_answer_that_its_passage_bears_out_is_not_doubted_for_how_little_it_tells(tmp_path: Path) -> None:
    yard = (
        "# Tug yard\n\n## Moving\n\nMove the spare one first. When it has run for an hour without alarm, change over "
        "and move the other one. Never move on a Friday.\n"
    )
    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"yard.md": yard}))

    def answer(call: Call) -> Json:
        rows = [
            {"text": "The tug must never be moved on a Friday.", "sources": ["S1"], "quote": "Never move on a Friday"}
        ]
        return {"answerable": True, "statements": rows, "disputed": [], "missing": ""}

    with OpenAIServer(smart(answer=answer)) as server:
        graph = over(tmp_path / "data", settings(server), checkpointer=InMemorySaver(serde=serde()))
        state = await run(graph, "What must not be done on a Friday?")
    assert state.synthesis is not None
    assert state.synthesis.confidence.score < 0.5
    assert not any("Low overall confidence" in warning for warning in state.warnings)
