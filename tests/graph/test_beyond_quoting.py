"""What quotations cannot do, through the compiled graph without a model: orders, and questions in other languages.

Both are told in a sentence, in place of words that nothing found mentions."""

from pathlib import Path

import pytest

from calibrant.state.budget import StopReason
from tests.graph.house import asked, config, graph_for, run

HOW = "set CALIBRANT_MODEL_NAME, and CALIBRANT_MODEL_BASE_URL for an endpoint of your own."


async def test_an_abstention_says_that_a_model_is_needed_and_what_came_nearest(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), "Translate the rule about the dead-letter queue into German.")
    assert state.stop_reason is StopReason.ABSTAINED
    assert f"Without a language model I can only quote; for more, {HOW}" in state.answer
    assert "Nothing found mentions: rule. Searched" in state.answer
    assert "dead-letter queue" in state.closest[0].quote


@pytest.mark.parametrize(
    ("order", "missing"),
    [
        ("Write a short mail to Jonas that explains what happens on Sundays.", "mentions: Sundays."),
        ("Escreva um poema sobre a lua.", "menciona: lua."),
        ("Write a poem.", ""),
    ],
)
async def test_the_words_of_the_order_are_not_missing(data_dir: Path, order: str, missing: str) -> None:
    state = await run(graph_for(data_dir), order)
    assert state.stop_reason is StopReason.ABSTAINED
    assert "CALIBRANT_MODEL_NAME" in state.answer
    assert missing in state.answer
    assert bool(missing) is any(word in state.answer for word in ("mentions", "menciona"))


async def test_what_is_to_be_written_is_not_searched_for(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), "Write a mail to Jonas that explains how long a dead letter stays.")
    assert state.retrievals[0].queries[0] == "how long a dead letter stays"


async def test_who_is_asked_what_to_do_is_told_so_too(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    given = {"task": "Translate the rule about the dead-letter queue into German.", "interactive": True}
    await graph.ainvoke(given, config())
    reasons = (await asked(graph))["reasons"]
    assert HOW in reasons[0]
    assert "Nothing found mentions: rule." in reasons[1:]


async def test_an_order_that_is_answered_with_a_quotation_says_so(data_dir: Path) -> None:
    state = await run(graph_for(data_dir), "Summarise how many jobs each worker process runs at a time.")
    assert state.stop_reason is StopReason.ANSWERED
    assert "four jobs at a time" in state.answer
    assert any(HOW in warning for warning in state.warnings)


async def test_a_question_is_told_nothing_of_models(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    ended = [await run(graph, one) for one in ("How often is a failed job retried?", "Who painted the Mona Lisa?")]
    assert not any("CALIBRANT_MODEL_NAME" in f"{state.answer} {state.warnings}" for state in ended)


async def test_a_question_in_another_language_than_the_sources_says_so(data_dir: Path) -> None:
    graph = graph_for(data_dir)
    state = await run(graph, "Wie lange bleibt ein Job in der dead-letter queue, und wer kann das ändern?")
    assert state.stop_reason is StopReason.ABSTAINED
    assert "The question may be in another language than the sources: asked in theirs, it may" in state.answer
    assert "mentions" not in state.answer
    french = await run(graph, "Combien de temps une tâche reste-t-elle dans la dead-letter queue ?")
    assert french.answer.startswith("I did not find an answer")


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("Wie lange bleibt ein Job in der dead-letter queue, und wer kann das ändern?", True),
        ("How long does a job stay in the dead-letter queue?", False),
        ("Quanto tempo uma tarefa fica na dead-letter queue?", False),
        ("dead-letter queue", False),
    ],
)
async def test_which_languages_are_understood_is_told_to_who_asks_in_another(
    data_dir: Path, question: str, told: bool
) -> None:
    state = await run(graph_for(data_dir), question)
    assert any("English and Portuguese are understood" in warning for warning in state.warnings) is told
