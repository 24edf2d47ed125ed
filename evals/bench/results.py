"""Passages, step results and claims in any number, no two alike, for the judges and the synthesis."""

import random
from collections.abc import Iterator

from calibrant.state.answer import Claim, Span
from calibrant.state.confidence import Confidence, Factor
from calibrant.state.evidence import Evidence
from calibrant.state.task import Branch, Question, Statement, Step, StepStatus, SubResult, Task

SUBJECTS = ("queue", "worker", "backend", "scheduler", "index", "cache", "gateway", "router", "broker", "mirror")
RELATIONS = ("waits for", "keeps", "retries", "holds", "writes", "drops", "reads", "locks", "checks", "sends")
THINGS = ("jobs", "locks", "messages", "rows", "pages", "replies", "records", "events", "leases", "tokens")
ROOM = 3
"""Sentences of one passage."""


def sentence(number: int) -> str:
    """A sentence about one thing of many. Every seventh contradicts the one before: the same thing, another number."""
    told = number - 1 if number % 7 == 6 else number
    name = f"{chr(65 + told % 26)}{'aeiou'[told // 26 % 5]}{'lnrst'[told // 130 % 5]}{'aeo'[told // 650 % 3]}x"
    subject, relation, thing = SUBJECTS[told % 10], RELATIONS[told // 3 % 10], THINGS[told // 7 % 10]
    return f"The {name} {subject} {relation} {2 + number % 90} {thing} before it starts again."


def question(number: int) -> str:
    """The question that ``sentence(number)`` answers."""
    first, _, rest = sentence(number).partition(" before ")
    words = first.split()
    return f"How many {words[-1]} does the {words[1]} {words[2]} handle before {rest.rstrip('.')}?"


def evidence(count: int, start: int = 0) -> tuple[Evidence, ...]:
    """``count`` passages of a few sentences, from sentence ``start`` on."""
    return tuple(_passage(start + place * ROOM) for place in range(count))


def _passage(first: int) -> Evidence:
    text = " ".join(sentence(first + place) for place in range(ROOM))
    return Evidence(id=f"e{first}", text=text, title=f"Manual {first}", source="bench", url=f"https://m{first}.example")


def results(count: int, start: int = 0) -> tuple[SubResult, ...]:
    """What as many steps answered, each from a passage of its own, all of it quoted."""
    return tuple(_result(number, item) for number, item in enumerate(evidence(count, start)))


def _result(number: int, item: Evidence) -> SubResult:
    first = int(item.id[1:])
    said = (sentence(first + place) for place in range(ROOM))
    statements = tuple(Statement(text=text, evidence_ids=(item.id,), quote=text, score=0.9) for text in said)
    confidence = Confidence(raw=0.8, score=0.8, factors=(Factor(name="completeness", score=0.8, weight=1.0),))
    return SubResult(
        id=f"b1.s{number}",
        question=question(first),
        status=StepStatus.ANSWERED,
        statements=statements,
        confidence=confidence,
    )


def claims(count: int, start: int = 0) -> tuple[Claim, ...]:
    """Claims of one passage each, in no telling order."""
    found = list(_claims(count, start))
    random.Random(count).shuffle(found)  # noqa: S311 - repeatable on purpose
    return tuple(found)


def _claims(count: int, start: int) -> Iterator[Claim]:
    for number in range(start, start + count):
        text = sentence(number)
        spans = (Span(evidence_id=f"e{number}", quote=text, start=0, end=len(text)),)
        yield Claim(id=f"c{number}", text=text, spans=spans, confidence=0.5 + number % 5 / 10)


def task_of(held: tuple[SubResult, ...]) -> Task:
    """The task whose parts the results answer."""
    questions = tuple(Question(id=result.id, text=result.question) for result in held)
    return Task(text=questions[0].text, questions=questions)


def branch_of(held: tuple[SubResult, ...]) -> Branch:
    """The branch whose steps gave the results."""
    steps = tuple(Step(id=result.id, question=result.question) for result in held)
    return Branch(id="b1", name="in order", steps=steps)
