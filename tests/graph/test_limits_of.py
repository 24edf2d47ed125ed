"""How many model calls a question may take one behind the other."""

import pytest

from calibrant.nodes.work import limits_of
from calibrant.state.channels import View
from calibrant.state.context import Context
from calibrant.state.guidance import Guidance
from calibrant.state.task import Phase, QueryType, Question, Statement, StepStatus, SubResult, Task

ANSWERED = SubResult(id="s", question="How often?", status=StepStatus.ANSWERED, tier="model")
REDUCED = Statement(text="Daily", evidence_ids=("e",), reduced=True)


@pytest.mark.parametrize(
    ("result", "more"),
    [
        (ANSWERED, 0),
        (ANSWERED.replace(missing="by whom"), 1),
        (ANSWERED.replace(statements=(REDUCED.replace(reduced=False),)), 0),
        (ANSWERED.replace(statements=(REDUCED,)), 1),
        (ANSWERED.replace(statements=(REDUCED,), missing="by whom"), 2),
    ],
    ids=["answered", "lacks something", "told", "told in the words quoted", "told in part"],
)
def test_a_plain_question_has_more_calls_where_its_answer_left_something_open(result: SubResult, more: int) -> None:
    task = Task(text="How often?", query_type=QueryType.FACTUAL, questions=(Question(id="s", text="How often?"),))
    assert task.is_plain
    limits = Context().limits
    state = View(perceived=task, results=(result,))
    assert limits_of(Context(), state).sequential_calls == limits.plain_calls + more
    said = Guidance(request_id="r", phase=Phase.PERCEIVE, kind="guidance", action="guide", text="In the runbook.")
    guided = state.model_copy(update={"guidance": (said, said.replace(by_default=True))})
    assert limits_of(Context(), guided).sequential_calls == limits.plain_calls + more + 2
    assert limits_of(Context(), View()).sequential_calls == limits.sequential_calls
