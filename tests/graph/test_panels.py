"""The panels of judgements by a run's settings: made once each, and no more of them kept than are needed."""

import asyncio
import threading

from calibrant.graph.panels import KEPT, panel_maker
from calibrant.judges.cascade import Judged
from calibrant.judges.model import Askers
from calibrant.judges.remembered import Remembered
from calibrant.state.budget import Allowance
from calibrant.state.context import Context, ModelSettings


async def test_a_panel_is_made_once_however_many_runs_begin_at_the_same_time() -> None:
    made: list[str] = []

    def asker(context: Context) -> Askers | None:
        made.append(context.model.name)
        return None

    panel = panel_maker(None, asker)
    first, *others = await asyncio.gather(*(panel(Context()) for _ in range(8)))
    assert all(other is first for other in others)
    assert made == [""]


async def test_settings_that_differ_from_run_to_run_do_not_pile_up() -> None:
    made: list[str] = []

    def asker(context: Context) -> Askers | None:
        made.append(context.model.name)
        return None

    panel = panel_maker(None, asker)
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

    remembered: Remembered[int, int] = Remembered(ask, lambda given: given)
    found: list[int] = []

    async def several() -> None:
        verdicts = await asyncio.gather(*(remembered(1, 0, Allowance()) for _ in range(3)))
        found.extend(verdict.value for verdict in verdicts)

    threads = [threading.Thread(target=lambda: asyncio.run(several()), daemon=True) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(20.0)
    assert found == [2] * 6
    assert asked == [1, 1]
