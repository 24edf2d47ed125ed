"""Which steps of a plan answer what was asked, and which only prepare others."""

from calibrant.nodes.reading.steps import asked_steps
from calibrant.state.task import Branch, Question, Step, Task

TASK = Task(text="What is A, and what is B?", questions=(Question(id="q1", text="A?"), Question(id="q2", text="B?")))


def ids(*steps: Step) -> list[str]:
    return [step.id for step in asked_steps(Branch(id="b", name="b", steps=steps), TASK)]


def step(name: str, question: str, *after: str) -> Step:
    return Step(id=name, question=question, depends_on=after)


def test_what_the_parts_wait_for_only_prepares_them() -> None:
    assert ids(step("s0", "Background?"), step("s1", "A?", "s0"), step("s2", "B?", "s0")) == ["s1", "s2"]


def test_a_part_that_another_one_waits_for_was_asked_for() -> None:
    assert ids(step("s1", "A?"), step("s2", "B?", "s1")) == ["s1", "s2"]


def test_a_step_that_nothing_waits_for_is_there_for_its_own_sake() -> None:
    assert ids(step("s1", "A?"), step("s2", "B?"), step("s3", "C?")) == ["s1", "s2", "s3"]


def test_a_plan_that_puts_its_own_questions_in_place_of_the_parts_is_all_there_is() -> None:
    assert ids(step("s0", "Background?"), step("s1", "A?", "s0")) == ["s0", "s1"]
