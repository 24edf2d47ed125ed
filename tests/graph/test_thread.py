"""What a thread has said so far, as a question is understood in its light."""

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage

from calibrant.judges.given import Turn
from calibrant.nodes.thread import turns
from calibrant.state.channels import Run


def test_the_question_at_hand_is_no_earlier_turn_however_it_was_typed() -> None:
    said: list[AnyMessage] = [
        HumanMessage("How often is a job retried? "),
        AIMessage("Five times.\n\n[1] Retries - retries.md:3"),
    ]
    run = Run(id="r", question="How many times is it retried?")
    before = (Turn(question="How often is a job retried?", answer="Five times."),)
    assert turns([*said, HumanMessage("How many times is it retried?\n")], run) == before
    assert turns([HumanMessage("  How many times is it retried?\n")], run) == ()
