"""Which requests get one answer over all their parts, and what becomes of a plan then."""

import pytest

from calibrant.judges.free.planning.plan import MOST_QUERIES
from calibrant.judges.free.planning.together import MOST_PARTS, is_one_answer, together
from calibrant.state.task import Branch, QueryType, Question, Step, StepKind, Task

WHO, WHEN = "Who owns it?", "When was it built?"


def task(*parts: Question, query_type: QueryType = QueryType.FACTUAL) -> Task:
    return Task(text="Who owns it, and when was it built?", questions=parts, query_type=query_type)


def parts(count: int) -> tuple[Question, ...]:
    return tuple(Question(id=f"q{number}", text=f"Part {number}?") for number in range(count))


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        (task(*parts(1)), False),
        (task(*parts(2)), True),
        (task(*parts(MOST_PARTS)), True),
        (task(*parts(MOST_PARTS + 1)), False),
        (task(*parts(2), query_type=QueryType.DECISION), True),
        (task(*parts(2), query_type=QueryType.STRATEGIC), False),
        (task(parts(2)[0], Question(id="q1", text="Where was she born?", depends_on=("q0",))), False),
    ],
)
def test_a_few_parts_that_stand_side_by_side_get_one_answer(asked: Task, expected: bool) -> None:
    assert is_one_answer(asked) is expected


TASK = task(Question(id="q1", text=WHO), Question(id="q2", text=WHEN))
STEPS = (
    Step(id="direct.q1", question=WHO, queries=(WHO, "owner", "owned by")),
    Step(id="direct.q2", question=WHEN, queries=(WHEN, "year built")),
)


def test_one_step_asks_for_all_parts_and_searches_for_them_by_turns() -> None:
    (step,) = together(Branch(id="direct", name="direct", steps=STEPS), TASK).steps
    assert (step.question, step.parts, step.asks) == (TASK.text, (WHO, WHEN), (WHO, WHEN))
    assert step.queries == (WHO, WHEN, "owner", "year built")[:MOST_QUERIES]


@pytest.mark.parametrize(
    "steps",
    [
        (STEPS[0],),
        (*STEPS, Step(id="direct.q3", question="What does it cost?")),
        (*STEPS, Step(id="direct.t1", kind=StepKind.TOOL, question=WHO, tool="lookup")),
    ],
)
def test_a_plan_that_does_something_else_stays(steps: tuple[Step, ...]) -> None:
    branch = Branch(id="direct", name="direct", steps=steps)
    assert together(branch, TASK) == branch
