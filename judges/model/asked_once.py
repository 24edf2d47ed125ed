"""An asker that does not ask twice: the same passages and questions are judged in several phases of a run, and again
where a question is asked again on the same day."""

import asyncio
import copy
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Generic, TypeVar

from calibrant.judges.cascade import Asker, Judged
from calibrant.judges.free.evidence.age import day_of
from calibrant.judges.given import ToAnswer, ToPlan, ToSuffice, ToSupport
from calibrant.judges.model.passages import best_first, to_show
from calibrant.judges.model.plan import values_of
from calibrant.state.budget import Allowance, Spend
from calibrant.state.errors import ModelError

G = TypeVar("G")
T = TypeVar("T")

KEPT = 512
"""Verdicts that are kept, the oldest dropped first."""

Place = tuple[int, Hashable]


class AskedOnce(Generic[G, T]):
    """Wraps an asker. A verdict that is held costs nothing. Errors are not held. A reply of which nothing passed the
    checks is held the second time: the next one may be better, and a third hardly ever is."""

    def __init__(self, ask: Asker[G, T], key: Callable[[G], Hashable]) -> None:
        self._ask = ask
        self._key = key
        self._held: OrderedDict[Hashable, Judged[T]] = OrderedDict()
        self._refused: OrderedDict[Hashable, None] = OrderedDict()
        self._asking: dict[Place, asyncio.Future[ModelError | None]] = {}

    def holds(self, given: G) -> bool:
        """Whether the verdict on ``given`` is there already."""
        return self._key(given) in self._held

    async def __call__(self, given: G, free: T, allowance: Allowance) -> Judged[T]:
        key = self._key(given)
        place = (id(asyncio.get_running_loop()), key)  # a future belongs to one event loop, a server may have several
        while True:
            if (held := self._held.get(key)) is not None:
                return replace(held, spend=Spend(sequential_calls=allowance.chain))
            if place not in self._asking:
                return await self._first(place, given, free, allowance)
            # Branches ask the same at the same time: the first asks, the others get its answer, or its failure. Asking
            # after it would spend time that they have spent waiting.
            if (failed := await asyncio.shield(self._asking[place])) is not None:
                raise _unspent(failed)

    async def _first(self, place: Place, given: G, free: T, allowance: Allowance) -> Judged[T]:
        asking = self._asking[place] = asyncio.get_running_loop().create_future()
        failed: ModelError | None = None
        try:
            return self._keep(place[1], await self._ask(given, free, allowance))
        except ModelError as error:
            failed = error
            raise
        finally:
            del self._asking[place]
            asking.set_result(failed)

    def _keep(self, key: Hashable, judged: Judged[T]) -> Judged[T]:
        if judged.doubt < 1.0 or key in self._refused:
            self._held[key] = judged
        else:
            self._refused[key] = None
        for kept in (self._held, self._refused):
            if len(kept) > KEPT:
                kept.popitem(last=False)
        return judged


def _unspent(error: ModelError) -> ModelError:
    """The same failure for one who did not pay for it."""
    own = copy.copy(error)
    own.spend = Spend()
    return own


def same_answer(given: ToAnswer) -> Hashable:
    """Two answers are the same if a step asks the same of the passages that a model is shown, in their order, what was
    pasted among them, with the same said before, on a day."""
    return (
        given.step.id,
        given.step.question,
        given.step.parts,
        given.task.text,
        tuple((item.id, item.title) for item in to_show((*given.pasted, *given.evidence))),
        tuple((result.question, result.content) for result in given.earlier),
        given.guidance,
        given.today,
        given.stated,
    )


def same_sufficiency(given: ToSuffice) -> Hashable:
    """Two sufficiency questions are the same if they ask the same of the passages that a model is shown, on a day."""
    return (
        given.questions,
        given.request,
        frozenset((item.id, item.title) for item in to_show(best_first(given.evidence))),
        given.query_type,
        given.time_sensitive,
        given.now and given.now.date(),
        given.failed_sources,
        given.weights.model_dump_json(),
    )


def same_support(given: ToSupport) -> Hashable:
    """Two reviews are the same if they have the same claims, which quote the same passages: what else was found since
    tells nothing of them."""
    cited = {eid for claim in given.claims for eid in claim.evidence_ids}
    return (
        tuple(claim.model_dump_json() for claim in given.claims),
        frozenset((item.id, item.title, day_of(item, given.evidence)) for item in given.evidence if item.id in cited),
        given.asked,
        given.today,
        given.doubted,
    )


def same_plan(given: ToPlan) -> Hashable:
    """Two plans are the same if a model is told the same for them."""
    return tuple(values_of(given).items())
