"""What a finished run teaches, where a person had led it."""

import pytest

from calibrant.nodes.keeping.learning import lesson
from calibrant.state.answer import Claim, Review, Span, Verdict
from calibrant.state.budget import Spend
from calibrant.state.channels import Run, View
from calibrant.state.confidence import Confidence
from calibrant.state.evidence import MESSAGE, Evidence
from calibrant.state.guidance import Guidance
from calibrant.state.task import Phase, Task

TEXT = "Orders has seven queues."
ITEM = Evidence(id="e", title="Brokers", source="knowledge", url="file:///brokers.md", text=TEXT)
CLAIM = Claim(
    id="c1",
    text=TEXT,
    spans=(Span(evidence_id="e", quote=TEXT, start=0, end=len(TEXT)),),
    verdict=Verdict.SUPPORTED,
)
GUIDED = Guidance(request_id="r", phase=Phase.ACT, kind="guidance", action="guide", text="How many queues has Orders?")


@pytest.mark.parametrize(
    ("asked", "said", "learnt"),
    [
        ("What would NATS JetStream cost us a month?", (GUIDED,), False),
        ("What would NATS JetStream cost us a month?", (), True),
        ("How many queues does Orders have?", (GUIDED,), True),
        ("How many queues does the broker of Orders have?", (GUIDED.replace(action="retry"),), True),
    ],
    ids=["about something else", "nobody was asked", "about the same", "retried"],
)
def test_an_answer_to_something_else_is_not_learnt_as_one_to_what_was_asked(
    asked: str, said: tuple[Guidance, ...], learnt: bool
) -> None:
    state = View(perceived=Task(text=asked), run=Run(id="run", question=asked), evidence=(ITEM,), guidance=said)
    review = Review(claims=(CLAIM,), supported_share=1.0)
    confidence = Confidence(raw=0.9, score=0.9)
    assert (lesson(state, review, confidence, Spend()) is not None) is learnt


@pytest.mark.parametrize(("source", "learnt"), [("knowledge", True), (MESSAGE, False)])
def test_what_rests_on_pasted_text_is_not_learnt(source: str, learnt: bool) -> None:
    task = Task(text="How many queues does Orders have?")
    state = View(perceived=task, run=Run(id="run", question=task.text), evidence=(ITEM.replace(source=source),))
    review = Review(claims=(CLAIM,), supported_share=1.0)
    assert (lesson(state, review, Confidence(raw=0.9, score=0.9), Spend()) is not None) is learnt
