"""What is made once for each data set."""

import asyncio

from calibrant.evals.once import OncePerSet


async def test_items_that_are_judged_side_by_side_share_what_their_set_needs() -> None:
    made: list[str] = []

    async def make(dataset: str) -> object:
        made.append(dataset)
        await asyncio.sleep(0)
        return object()

    held = OncePerSet(make)
    first, second, other = await asyncio.gather(held.of("squad2"), held.of("squad2"), held.of("faquad"))
    assert first is second is not other
    assert made == ["squad2", "faquad"]
