"""The panels of judgements by a run's settings: made once each, and no more of them kept than are needed."""

import asyncio
import threading
from dataclasses import replace
from datetime import date

import pytest

from calibrant.graph.panels import KEPT, panel_maker
from calibrant.judges.cascade import Judged, Judgement, judge
from calibrant.judges.given import ToAnswer, ToSupport
from calibrant.judges.model import ModelPort
from calibrant.judges.model.asked_once import AskedOnce, same_answer, same_support
from calibrant.state.answer import Claim, Span
from calibrant.state.budget import Allowance, Spend
from calibrant.state.context import Context, ModelSettings
from calibrant.state.errors import ModelLimited
from calibrant.state.task import Statement, Step, StepStatus, SubResult, Task
from tests.remote.sources import passage


async def test_a_panel_is_made_once_however_many_runs_begin_at_the_same_time() -> None:
    made: list[str] = []

    def port(context: Context) -> ModelPort | None:
        made.append(context.model.name)
        return None

    panel = panel_maker(None, port)
    first, *others = await asyncio.gather(*(panel(Context()) for _ in range(8)))
    assert all(other is first for other in others)
    assert made == [""]


async def test_settings_that_differ_from_run_to_run_do_not_pile_up() -> None:
    made: list[str] = []

    def port(context: Context) -> ModelPort | None:
        made.append(context.model.name)
        return None

    panel = panel_maker(None, port)
    contexts = [Context(model=ModelSettings(name=f"model-{number}")) for number in range(KEPT + 1)]
    for context in contexts:
        await panel(context)
    await panel(contexts[-1])
    assert len(made) == KEPT + 1
    await panel(contexts[0])
    assert made[-1] == "model-0"


def test_a_verdict_is_remembered_for_all_event_loops() -> None:
    asked: list[int] = []
    together = threading.Barrier(2)

    async def ask(given: int, free: int, allowance: Allowance) -> Judged[int]:
        asked.append(given)
        await asyncio.to_thread(together.wait, 5.0)
        await asyncio.sleep(0.05)
        return Judged(given + 1)

    asking: AskedOnce[int, int] = AskedOnce(ask, lambda given: given)
    found: list[int] = []

    async def several() -> None:
        verdicts = await asyncio.gather(*(asking(1, 0, Allowance()) for _ in range(3)))
        found.extend(verdict.value for verdict in verdicts)

    threads = [threading.Thread(target=lambda: asyncio.run(several()), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20.0)
    assert found == [2] * 6
    assert asked == [1, 1]


async def test_what_fails_for_one_fails_for_those_who_wait_for_it() -> None:
    """Branches judge the same passages at once: one pays for the failure, the others do not ask after it."""
    asked: list[int] = []

    async def ask(given: int, free: int, allowance: Allowance) -> Judged[int]:
        asked.append(given)
        await asyncio.sleep(0.05)
        error = ModelLimited("slow down", 3.0)
        error.spend = Spend(model_calls=1)
        raise error

    asking: AskedOnce[int, int] = AskedOnce(ask, lambda given: given)
    failures = await asyncio.gather(*(asking(1, 0, Allowance()) for _ in range(3)), return_exceptions=True)
    assert asked == [1]
    assert [str(failure) for failure in failures] == ["slow down"] * 3
    assert sorted(failure.spend.model_calls for failure in failures if isinstance(failure, ModelLimited)) == [0, 0, 1]


async def test_who_waits_asks_himself_where_the_first_is_stopped() -> None:
    asked: list[int] = []

    async def ask(given: int, free: int, allowance: Allowance) -> Judged[int]:
        asked.append(given)
        await asyncio.sleep(0.05)
        return Judged(given + 1)

    asking: AskedOnce[int, int] = AskedOnce(ask, lambda given: given)
    first, second = (asyncio.create_task(asking(1, 0, Allowance())) for _ in range(2))
    await asyncio.sleep(0.01)
    first.cancel()
    assert (await second).value == 2
    assert asked == [1, 1]


@pytest.mark.parametrize(
    ("doubts", "heard"),
    [([1.0, 0.5, 0.0], [1.0, 0.5, 0.5]), ([1.0, 1.0, 0.0], [1.0, 1.0, 1.0]), ([0.5, 0.0], [0.5, 0.5, 0.5])],
)
async def test_a_reply_of_which_nothing_stands_is_asked_for_once_more(doubts: list[float], heard: list[float]) -> None:
    """Each phase of a run judges the same: a model that answers with a wrong quotation is not paid for each of them."""
    replies = iter(doubts)

    async def ask(given: int, free: int, allowance: Allowance) -> Judged[int]:
        return Judged(given, next(replies))

    asking: AskedOnce[int, int] = AskedOnce(ask, lambda given: given)
    assert [(await asking(1, 0, Allowance())).doubt for _ in range(3)] == heard


def test_an_answer_is_the_same_where_the_prompt_would_be() -> None:
    curlew = (Statement(text="Curlew."),)
    won, sank = (
        SubResult(id="s1", question=asked, status=StepStatus.ANSWERED, statements=curlew)
        for asked in ("Which won?", "Which sank?")
    )
    step = Step(id="s2", question="How long is it?")
    given = ToAnswer(step=step, task=Task(text="t"), evidence=(passage("p", "It is long."),), earlier=(won,))
    assert same_answer(given) == same_answer(replace(given, evidence=(passage("p", "It is long."),)))
    for other in (
        replace(given, earlier=(sank,)),
        replace(given, evidence=(passage("p", "It is long.", title="Another title"),)),
        replace(given, today=date(2026, 1, 2)),
        replace(given, stated="Curlew is 9 m long."),
        replace(given, pasted=(passage("log", "Curlew sank."),)),
    ):
        assert same_answer(other) != same_answer(given)


def test_a_review_is_the_same_where_the_prompt_would_be() -> None:
    claim = Claim(id="c1", text="It is long.", spans=(Span(evidence_id="p", quote="It is long."),))
    long = passage("p", "It is long.")
    given = ToSupport(claims=(claim,), evidence=(long,), asked="How long is it?")
    assert same_support(given) == same_support(replace(given, evidence=(passage("q", "It is wide."), long)))
    for other in (
        replace(given, claims=(claim.replace(text="It is very long."),)),
        replace(given, evidence=(passage("p", "It is long.", title="Another title"),)),
        replace(given, asked="How wide is it?"),
        replace(given, doubted=True),
    ):
        assert same_support(other) != same_support(given)


async def test_a_verdict_that_is_known_needs_no_budget() -> None:
    """A judgement that a phase has paid for is not thrown away when the calls are spent."""

    async def ask(given: int, free: int, allowance: Allowance) -> Judged[int]:
        return Judged(given + 1, spend=Spend(model_calls=1, sequential_calls=1))

    asking: AskedOnce[int, int] = AskedOnce(ask, lambda given: given)
    judgement = Judgement("it", lambda _: Judged(0, doubt=0.9), asking, asking.holds)
    plenty = Allowance(model_calls=1, sequential_calls=1, tokens=1, dollars=1.0, seconds=1.0)
    assert (await judge(judgement, 1, Allowance(), 0.5)).value == 0
    assert (await judge(judgement, 1, plenty, 0.5)).value == 2
    again = await judge(judgement, 1, Allowance(chain=4), 0.5)
    assert (again.value, again.tier, again.spend) == (2, "model", Spend(sequential_calls=4))
