"""The ladder's rungs: what of a client's structured output is used."""

from typing import Any

import pytest
from langchain_core.language_models import GenericFakeChatModel
from langchain_core.messages import AIMessage
from langchain_core.runnables import Runnable, RunnableBinding, RunnableLambda

from calibrant.judges.model.ladder import Rung, bound
from calibrant.judges.model.opening import open_model
from calibrant.judges.model.schemas import AnswerReply
from calibrant.state.context import ModelSettings


class Foreign(GenericFakeChatModel):
    """A model whose structured output has a form of its own."""

    def with_structured_output(self, schema: Any, **options: Any) -> Runnable[Any, Any]:
        return RunnableLambda(lambda given: {"raw": given})


def test_the_native_rung_is_the_model_without_its_parser() -> None:
    model = open_model(ModelSettings(name="any", base_url="http://127.0.0.1:1/v1"))
    asked = bound(model, Rung.NATIVE, AnswerReply)
    assert isinstance(asked, RunnableBinding)
    assert asked.bound is model
    assert asked.kwargs["response_format"]["json_schema"]["strict"] is True
    assert asked.kwargs["response_format"]["json_schema"]["name"] == "answer"


def test_a_form_that_is_not_known_is_used_whole() -> None:
    asked = bound(Foreign(messages=iter([AIMessage("")])), Rung.NATIVE, AnswerReply)
    assert asked.invoke("x") == {"raw": "x"}


def test_a_model_without_structured_output_has_no_such_rung() -> None:
    with pytest.raises(NotImplementedError):
        bound(GenericFakeChatModel(messages=iter([AIMessage("")])), Rung.NATIVE, AnswerReply)
