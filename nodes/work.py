"""One node's piece of work: its settings, its share of the budget, what it spent and what it has to tell."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from typing import TypeVar

from langgraph.runtime import Runtime

from calibrant.judges.calibration import Kind, Scored, kind_of
from calibrant.judges.cascade import Judged, Judgement, judge
from calibrant.judges.free.phase import phase_confidence
from calibrant.judges.free.request.vague import VAGUE
from calibrant.judges.given import ToSuffice
from calibrant.judges.panel import Panel
from calibrant.nodes.deps import Deps
from calibrant.nodes.reading.history import taken_as_it_stands
from calibrant.nodes.reading.steps import lacked
from calibrant.state.base import Value
from calibrant.state.budget import Allowance, Ledger, RunLimits, Spend, add_spend
from calibrant.state.channels import Update, View
from calibrant.state.confidence import Confidence
from calibrant.state.context import Context
from calibrant.state.evidence import FROM_TOOL, Evidence
from calibrant.state.memory import Recollection
from calibrant.state.retrieval import PAGES, RetrievalRequest, Sufficiency
from calibrant.state.task import Phase, Task
from calibrant.state.uncertainty import Signal

G = TypeVar("G")
T = TypeVar("T")

DOUBTFUL = 0.45
"""The highest confidence of an answer that names another thing than was asked about (``stand_ins``), or that takes a
vague request as it stands: what it is about was guessed."""


def limits_of(context: Context, state: View | None) -> RunLimits:
    """The run's limits. A plain question, or a vague request that is taken as it stands, gets a shorter chain of model
    calls, unless a model has planned more. It gets one more where what was found first did not answer it, or is told in
    the words quoted: the answer to what is found then, and what a model makes of the words, have to be checked too;
    another one where it was answered in part, which took a check of its own. For each answer of a person it gets two:
    what a model answers then would be lost for want of its check."""
    task = state.perceived if state else None
    if state is None or task is None or not (task.is_plain or taken_as_it_stands(state)) or _is_planned(state):
        return context.limits
    told = (statement for result in state.results for statement in result.statements)
    is_open = any(map(lacked, state.results)) or any(statement.reduced for statement in told)
    is_told_in_part = any(lacked(result) and result.statements for result in state.results)
    answers = sum(not answer.by_default for answer in state.guidance)
    return context.limits.for_plain(more=is_open + is_told_in_part + 2 * answers)


def _is_planned(state: View) -> bool:
    """Whether a model has planned more than to answer the question as it is asked."""
    steps = sum(len(branch.steps) for branch in state.branches)
    return steps > len(state.branches) or any(branch.calls for branch in state.branches)


def _is_by_model(state: View) -> bool:
    """Whether a model gave a part of the answer, or compared one with its passages."""
    synthesis = state.synthesis
    claims = synthesis.claims if synthesis else ()
    is_worded = synthesis is not None and synthesis.tier == "model"
    return is_worded or any(one.tier == "model" for one in state.results) or any(claim.checked for claim in claims)


def cited_evidence(state: View) -> list[Evidence]:
    """The passages that the answer's claims rest on."""
    claims = state.synthesis.claims if state.synthesis else ()
    ids = {eid for claim in claims for eid in claim.evidence_ids}
    return [item for item in state.evidence if item.id in ids]


def kind_of_task(task: Task) -> Kind:
    """The kind of question that a task is, by which scores are calibrated."""
    return kind_of(task.text, task.language, task.query_type)


@dataclass
class Work:
    """Opened at a node's start, closed by ``done``: the update then carries the spend and the warnings."""

    deps: Deps
    context: Context
    panel: Panel
    emit: Callable[[Value], None]
    limits: RunLimits
    before: Spend
    started: float
    spent: Spend = Spend()
    warnings: list[str] = field(default_factory=list)

    @classmethod
    async def begin(
        cls, deps: Deps, runtime: Runtime[Context], state: View | None = None, *, before: Spend | None = None
    ) -> "Work":
        """``state`` is the run's; a node that gets a task of its own (behind a ``Send``) has none. ``before`` is what
        the subgraph has spent so far: its own ledger, within the lease of its request."""
        context = deps.settings(runtime)
        write = runtime.stream_writer
        return cls(
            deps=deps,
            context=context,
            panel=await deps.panel(context),
            emit=lambda event: write(event.model_dump(mode="json")),
            limits=limits_of(context, state),
            before=before or (state.spend if state else Spend()),
            started=deps.clock(),
        )

    @property
    def has_model(self) -> bool:
        """Whether the run has a language model: judgements then have a second tier, all of them."""
        return self.panel.answer.ask is not None

    @property
    def so_far(self) -> Spend:
        """What was spent before this work and by it, its own time until now included."""
        return add_spend(self.before, add_spend(self.spent, self._active))

    @property
    def _active(self) -> Spend:
        return Spend(active=((self.started, self.deps.clock()),))

    @property
    def ledger(self) -> Ledger:
        """The run's ledger as of now."""
        return Ledger(limits=self.limits, spend=self.so_far, now=self.deps.clock())

    @property
    def now(self) -> datetime:
        """The moment, by the clock that was passed in."""
        return datetime.fromtimestamp(self.deps.clock(), UTC)

    @property
    def today(self) -> date:
        """The day of that moment."""
        return self.now.date()

    async def judge(
        self,
        judgement: Judgement[G, T],
        given: G,
        *,
        closing: bool = False,
        ahead: bool = False,
        allowance: Allowance | None = None,
    ) -> Judged[T]:
        """A judgement within ``allowance`` (a lease: what this work has spent is taken from it), else within what the
        run has left. ``closing`` may use the slice kept for synthesis and review; ``ahead`` leaves half for the answer
        that is still to come. Where it breaks, its fallback."""
        left = self.ledger.left(closing=closing) if allowance is None else allowance.after(self.so_far)
        try:
            judged = await judge(judgement, given, left.ahead() if ahead else left, self.context.doubt)
        except Exception as error:  # whatever breaks in one judgement must not cost the whole answer
            if judgement.fallback is None:
                raise
            judged = judgement.fallback.judged(given, error)
        self.spend(judged.spend)
        self.warnings.extend(judged.warnings)
        return judged

    def to_suffice(
        self,
        asked: Task | RetrievalRequest,
        questions: Sequence[str],
        evidence: tuple[Evidence, ...],
        failed_sources: tuple[str, ...] = (),
        *,
        answered_next: bool = False,
    ) -> ToSuffice:
        """Whether ``evidence`` can answer ``questions`` of what was ``asked``, as a judgement is asked it."""
        return ToSuffice(
            questions=tuple(questions),
            evidence=evidence,
            query_type=asked.query_type,
            time_sensitive=asked.time_sensitive,
            now=self.now,
            failed_sources=failed_sources,
            weights=self.context.sufficiency_weights,
            request=asked.text if isinstance(asked, Task) else asked.query,
            answered_next=answered_next,
        )

    def confidence_in(
        self,
        phase: Phase,
        task: Task,
        recalled: Recollection | None,
        clarity: float,
        *,
        sufficiency: Sufficiency | None = None,
        per_step: Sequence[float] = (),
        supported_share: float | None = None,
        disputed: bool = False,
    ) -> Confidence:
        """The confidence in ``phase``, calibrated for such a task. What it goes by beside memory and clarity is
        ``sufficiency`` in perceive and reason, ``per_step`` in act, ``supported_share`` in reflect, with whether
        sources dispute it."""
        confidence = phase_confidence(
            phase,
            task=task,
            recollection=recalled or Recollection(),
            sufficiency=sufficiency,
            per_step=per_step,
            supported_share=supported_share,
            disputed=disputed,
            clarity=clarity,
            risk=task.risk,
            weights=self.context.phase_weights,
        )
        return self.calibrated(confidence, phase.value, kind_of_task(task))

    def calibrated(self, confidence: Confidence, scored: Scored, kind: Kind, *, by_words: bool = False) -> Confidence:
        """``confidence`` calibrated for such a question, or with the reason why it is not. ``by_words``: a model gave
        nothing of what is scored."""
        return self.deps.calibration.apply(confidence, scored, kind, self.context, by_words=by_words)

    def answer_confidence(
        self, confidence: Confidence, task: Task, state: View, unmentioned: Sequence[str]
    ) -> Confidence:
        """The confidence that a user sees: reflect's ``confidence``, calibrated unless it is already; a low one where
        the request is vague, or the answer has another thing in the place of what is ``unmentioned``."""
        if not confidence.calibrator:
            cited = cited_evidence(state)
            kind = kind_of_task(task).replace(
                in_sections=any(item.is_in_section for item in cited),
                from_afar=any(map(self.is_remote, cited)),
                from_tools=bool(state.intents) and all(item.source.startswith(FROM_TOOL) for item in cited),
            )
            confidence = self.calibrated(confidence, "answer", kind, by_words=not _is_by_model(state))
        is_guess = bool(unmentioned) or task.vagueness >= VAGUE
        return confidence.replace(score=min(confidence.score, DOUBTFUL)) if is_guess else confidence

    def is_remote(self, item: Evidence) -> bool:
        """Whether a passage was found beyond the machine."""
        source = self.deps.sources.get(item.source)
        return item.source == PAGES if source is None else source.remote

    def weighed(self, *signals: Signal) -> tuple[Signal, ...]:
        """``signals`` with what the run's configuration has them count for."""
        weights = self.context.uncertainty_weights
        return tuple(signal.replace(weight=weights.of(signal.kind)) for signal in signals)

    def allow_one_more(self) -> None:
        """One more call for a plain question that turns out not to be plain, within what any run may spend."""
        calls = min(self.context.limits.sequential_calls, self.limits.sequential_calls + 1)
        self.limits = self.limits.replace(sequential_calls=calls)

    def spend(self, delta: Spend) -> None:
        """Book ``delta`` on this work."""
        self.spent = add_spend(self.spent, delta)

    def done(self, update: Update) -> Update:
        """``update`` with the spend (this work's own time included) and the warnings."""
        warnings = (*update.get("warnings", ()), *self.warnings)
        return {**update, "spend": add_spend(self.spent, self._active), "warnings": warnings}
