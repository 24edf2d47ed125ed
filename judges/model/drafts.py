"""Answers given ahead. Whether passages answer a plain question, a model tells by answering it; the step that comes
next takes that answer, as long as all that it would show was read for it."""

from collections import OrderedDict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import date

from calibrant.judges.cascade import Judged
from calibrant.judges.given import ToAnswer
from calibrant.judges.model.answer import Answer
from calibrant.judges.model.asked_once import KEPT, AskedOnce, same_answer
from calibrant.judges.model.passages import to_show
from calibrant.judges.model.port import ModelPort
from calibrant.state.base import unique
from calibrant.state.budget import Allowance, Spend
from calibrant.state.evidence import Evidence
from calibrant.state.task import Step, StepStatus, SubResult, Task


@dataclass(frozen=True)
class _Draft:
    """An answer, and the ids and titles of all passages that were read for it, those of an earlier no included."""

    judged: Judged[SubResult]
    read: frozenset[tuple[str, str]]


class Drafts:
    """``ToAnswer`` -> ``SubResult``: the answer given ahead where there is one that holds, else a model's."""

    def __init__(self, port: ModelPort) -> None:
        self._answer = AskedOnce(Answer(port), same_answer)
        self._held: OrderedDict[Hashable, _Draft] = OrderedDict()

    def holds(self, given: ToAnswer) -> bool:
        """Whether the answer is there already."""
        return self._draft(given) is not None or self._answer.holds(given)

    async def __call__(self, given: ToAnswer, free: SubResult, allowance: Allowance) -> Judged[SubResult]:
        draft = self._draft(given)
        if draft is None:
            return await self._answer(given, free, allowance)
        value = draft.judged.value.replace(id=given.step.id)
        return replace(draft.judged, value=value, spend=Spend(sequential_calls=allowance.chain))

    async def ahead(
        self, question: str, request: str, evidence: Sequence[Evidence], today: date | None, allowance: Allowance
    ) -> Judged[SubResult]:
        """The answer to the only ``question`` of a ``request``. It is kept unless nothing of it passed the checks."""
        step = Step(id="", question=question)
        given = ToAnswer(step=step, task=Task(text=request), evidence=tuple(evidence), today=today)
        nothing = SubResult(id="", question=question, status=StepStatus.UNANSWERED)
        judged = await self._answer(given, nothing, allowance)
        if judged.doubt < 1.0:
            self._keep(_key(given), _Draft(judged, _named(evidence, judged.value.read)))
        return judged

    def _keep(self, key: Hashable, draft: _Draft) -> None:
        before = self._held.get(key)
        if before is not None and not before.judged.value.statements:
            read = unique((*before.judged.value.read, *draft.judged.value.read))
            value = draft.judged.value.replace(read=read)
            draft = _Draft(replace(draft.judged, value=value), draft.read | before.read)
        self._held[key] = draft
        self._held.move_to_end(key)
        if len(self._held) > KEPT:
            self._held.popitem(last=False)

    def _draft(self, given: ToAnswer) -> _Draft | None:
        """The answer given ahead to just this, if all that would be shown was read for it, and what it quotes is."""
        if given.pasted or given.earlier or given.guidance or given.stated or given.step.parts:
            return None
        draft = self._held.get(_key(given))
        shown = to_show(given.evidence)
        if draft is None or not draft.read >= _named(shown):
            return None
        return draft if {item.id for item in shown} >= set(draft.judged.value.evidence_ids) else None


def _key(given: ToAnswer) -> Hashable:
    return given.step.question, given.task.text, given.today


def _named(evidence: Sequence[Evidence], ids: Sequence[str] | None = None) -> frozenset[tuple[str, str]]:
    """The ids and titles of ``evidence``; of those with ``ids``, if any are given."""
    return frozenset((item.id, item.title) for item in evidence if ids is None or item.id in ids)
