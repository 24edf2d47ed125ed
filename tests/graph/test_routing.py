"""Where ``act`` leads, by its decision and by what LangGraph leaves of the run."""

import pytest

from calibrant.graph.routing import WAVE, instead_of_steps
from calibrant.state.channels import View
from calibrant.state.confidence import Thresholds
from calibrant.state.decision import Action, Decision, Rule
from calibrant.state.task import Phase


@pytest.mark.parametrize(
    ("action", "steps_left", "expected"),
    [
        (Action.PROCEED, WAVE + 1, None),
        (Action.PROCEED, WAVE, "synthesize"),
        (Action.PROCEED, WAVE - 1, "synthesize"),
        (Action.SKIP, WAVE + 1, "synthesize"),
        (Action.RETRIEVE, WAVE, "retrieve"),
        (Action.ASK, WAVE, "ask_human"),
        (Action.RESPOND, WAVE + 1, "respond"),
    ],
)
def test_act_leads_to_its_steps_only_where_a_wave_of_them_has_room(
    action: Action, steps_left: int, expected: str | None
) -> None:
    judged = Decision(
        id="d", phase=Phase.ACT, action=action, rule=Rule.REACHED, reason="",
        thresholds=Thresholds(proceed=0.7, retrieve=0.5, abort=0.3),
    )  # fmt: skip
    assert instead_of_steps(View(decisions=(judged,), steps_left=steps_left)) == expected
