"""What a model call may still cost when it is made."""

import pytest

from calibrant.judges.model.meter import LEAST_S, Meter
from calibrant.judges.model.parameters import Parameters
from calibrant.state.budget import Allowance
from calibrant.state.context import ModelSettings
from calibrant.state.errors import ModelError


@pytest.mark.parametrize(("left", "made"), [(0.99 * LEAST_S, False), (1.01 * LEAST_S, True)])
def test_a_call_that_nothing_could_answer_in_time_is_not_made(left: float, made: bool) -> None:
    settings = ModelSettings(name="m")
    allowance = Allowance(model_calls=1, sequential_calls=1, tokens=100_000, dollars=1.0, seconds=left / 0.9)
    meter = Meter(settings, Parameters(settings), allowance, lambda: 0.0)
    assert meter.affords(100) is made
    if not made:
        with pytest.raises(ModelError, match="not within the budget"):
            meter.reserve(100)
