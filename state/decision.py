"""The decision rule: one pure function from what a phase knows to what happens next.

The rows are those of README.md, "How it decides", in their order; the first that matches wins. ``Decision`` records
which one it was, so that every route in a trace can be explained.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import StrEnum
from typing import Any

from pydantic import Field, computed_field, model_validator

from calibrant.state.base import Value
from calibrant.state.budget import Allowance
from calibrant.state.confidence import Confidence, Thresholds, score_text
from calibrant.state.task import Phase
from calibrant.state.uncertainty import ASK_AT, SKIP_ABOVE

USEFUL_BOOST = 0.02
"""A retrieval that raised the score by less has stopped helping (row 6)."""

UNCLEAR = 0.67
"""Below this strategy_clarity, the lack of a pattern forces a retrieval (spec 1: 0.1 of 0.15)."""

_UNSURE = {
    Phase.PERCEIVE: "of what is known about the request",
    Phase.REASON: "of how to answer it",
    Phase.ACT: "of what was found for the steps",
    Phase.REFLECT: "of the answer",
}
"""What a phase is too little sure of, in words that mean something to who did not build this."""


class Action(StrEnum):
    """What can follow a judgement."""

    PROCEED = "proceed"
    RETRIEVE = "retrieve"
    REFINE = "refine"
    ASK = "ask"
    SKIP = "skip"
    RESPOND = "respond"


class Asking(StrEnum):
    """What a person would be asked for."""

    WORDING = "wording"
    GUIDANCE = "guidance"
    APPROVAL = "approval"
    ABORT = "abort"


class Rule(StrEnum):
    """What a decision rests on: a row of the table, or one of the last four, which the table knows nothing of."""

    VAGUE = "vague"
    UNCERTAIN = "uncertain"
    GAPS = "gaps"
    QUALITY = "quality"
    REACHED = "reached"
    SEARCH = "search"
    TOLERABLE = "tolerable"
    SPENT = "spent"
    WEAK = "weak"
    ABORT = "abort"
    APPROVAL = "approval"
    """A call that changes something is put to a person."""
    UNAPPROVED = "unapproved"
    """Such a call is left out: nobody is there."""
    SALVAGE = "salvage"
    """A node failed."""
    UNJUDGED = "unjudged"
    """Confidence tracking is switched off."""

    @property
    def row(self) -> int:
        """The number of the row, from 1; 0 for what the table does not decide."""
        return TABLE.index(self) + 1 if self in TABLE else 0


TABLE = (
    Rule.VAGUE, Rule.UNCERTAIN, Rule.GAPS, Rule.QUALITY, Rule.REACHED, Rule.SEARCH, Rule.TOLERABLE, Rule.SPENT,
    Rule.WEAK, Rule.ABORT,
)  # fmt: skip
"""The rows in their order."""


class Situation(Value):
    """All that the rule looks at."""

    phase: Phase
    score: float = Field(ge=0.0, le=1.0)
    uncertainty: int = 0
    signs: tuple[str, ...] = ()
    """What made it uncertain, in words."""
    vague: bool = False
    wording_offered: bool = False
    forcing_gaps: tuple[str, ...] = ()
    """Forcing gaps that this run has not searched for yet."""
    quality_below: bool = False
    refinements_left: int = 0
    retrievals_left: int = 0
    last_boost: float | None = None
    """What this phase's last retrieval changed; None if it has made none."""
    covered: bool = False
    """The last search found all that is asked: what is lacking is no evidence."""
    unsearched: str = ""
    """Why nobody knows whether searching helps, where no retrieval is left: none was made, or no source answered."""
    answered: bool = False
    """A person has already answered for this phase."""
    untried: str = ""
    """What may still bring an answer where no search does: a tool that has yet to be called, a model that has yet to
    read what is held."""
    exhausted: bool = False
    holds_evidence: bool = False
    interactive: bool = True
    questions_left: int = 3
    ask_at: int = ASK_AT
    skip_above: int = SKIP_ABOVE

    @property
    def somebody(self) -> bool:
        """Whether a person can be asked."""
        return self.interactive and self.questions_left > 0


class Ruling(Value):
    """What the rule says."""

    rule: Rule
    action: Action
    reason: str
    asking: Asking | None = None
    warning: str = ""

    @property
    def row(self) -> int:
        return self.rule.row


class Decision(Ruling):
    """A ruling with everything needed to explain it later: the trace consists of these."""

    id: str
    phase: Phase
    confidence: Confidence = Confidence()
    before: float | None = None
    """The score before the retrieval that led to this judgement; None for a first judgement."""
    thresholds: Thresholds
    uncertainty: int = 0
    gaps: tuple[str, ...] = ()
    attempt: int = 1
    left: Allowance = Allowance()
    retrievals_left: int = 0
    """That the run could still make, whether or not another one would help."""
    at: float = 0.0
    """The clock's reading, in seconds since the epoch."""

    @model_validator(mode="before")
    @classmethod
    def _with_rule(cls, raw: Any) -> Any:
        """An earlier version stored the number of the row alone."""
        if not isinstance(raw, Mapping) or "rule" in raw or "row" not in raw:
            return raw
        row = raw["row"]
        return {**raw, "rule": TABLE[row - 1] if row in range(1, len(TABLE) + 1) else _outside(raw)}

    @computed_field  # type: ignore[prop-decorator]
    @property
    def row(self) -> int:
        """The row of the table, from 1, as a trace shows it; 0 for what the table does not decide."""
        return self.rule.row

    @property
    def goes_on_unsure(self) -> bool:
        """Whether it goes on with less confidence than wanted."""
        return self.rule in (Rule.TOLERABLE, Rule.WEAK) and self.action is Action.PROCEED

    @property
    def boost(self) -> float | None:
        """What the retrieval changed; negative when the new evidence spoke against."""
        return None if self.before is None else self.confidence.score - self.before


def _outside(raw: Mapping[str, Any]) -> Rule:
    """The rule of a decision that was stored as row 0."""
    if raw.get("action") == Action.RESPOND:
        return Rule.SALVAGE
    if raw.get("asking") != Asking.APPROVAL:
        return Rule.UNJUDGED
    return Rule.APPROVAL if raw.get("action") == Action.ASK else Rule.UNAPPROVED


def of_phase(decisions: Iterable[Decision], phase: Phase) -> list[Decision]:
    """The decisions that were made in ``phase``, in their order."""
    return [decision for decision in decisions if decision.phase is phase]


def less_sure(decisions: Iterable[Decision]) -> str:
    """One line for all phases that went on with less confidence than wanted, by the last judgement of each; empty where
    none did. That perceive and reason knew too little is settled where act has found enough."""
    last = {decision.phase: decision for decision in decisions}
    acted = last.get(Phase.ACT)
    settled = {Phase.PERCEIVE, Phase.REASON} if acted and acted.rule is Rule.REACHED else set[Phase]()
    told = [
        _unsure(one.phase, one.confidence.score, one.thresholds.proceed)
        for one in last.values()
        if one.goes_on_unsure and one.warning and one.phase not in settled
    ]
    return f"Less sure than wanted {_joined(told)}." if told else ""


def _joined(parts: list[str]) -> str:
    """``of this, of that and of the other``."""
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def decide(s: Situation, t: Thresholds) -> Ruling:
    """The first matching row of the table. Pure and total: row 10 matches what nothing else does."""
    return next(_rows(s, t))


def _rows(s: Situation, t: Thresholds) -> Iterator[Ruling]:
    """Every row that matches, in the order of the table in the README."""
    if s.phase is Phase.PERCEIVE and s.vague and not s.wording_offered:
        yield _vague(s)
    if s.uncertainty >= s.ask_at:
        yield _uncertain(s)
    if s.forcing_gaps and s.retrievals_left > 0:
        yield Ruling(
            rule=Rule.GAPS, action=Action.RETRIEVE, reason=f"not yet searched for: {', '.join(s.forcing_gaps)}"
        )
    if s.phase is Phase.REFLECT and s.quality_below and s.refinements_left > 0:
        yield Ruling(
            rule=Rule.QUALITY, action=Action.REFINE, reason="too little of what was found meets the conditions"
        )
    if s.score >= t.proceed:
        yield Ruling(rule=Rule.REACHED, action=Action.PROCEED, reason=f"{score_text(s.score)} reaches {t.proceed:.2f}")
    if s.retrievals_left > 0 and not s.covered and (s.last_boost is None or s.last_boost >= USEFUL_BOOST):
        yield Ruling(
            rule=Rule.SEARCH,
            action=Action.RETRIEVE,
            reason=f"{score_text(s.score)} is below {t.proceed:.2f}; searching may help",
        )
    if s.score >= t.retrieve or s.answered or s.untried:
        yield _below(s, t)
    if s.exhausted and s.holds_evidence:
        yield Ruling(rule=Rule.SPENT, action=Action.RESPOND, reason="the budget is spent: answering with what is held")
    if s.score >= t.abort:
        yield _guidance(s, t)
    yield _abort(s, t)


def _vague(s: Situation) -> Ruling:
    reason = "the request is too vague to search for"
    if s.somebody:
        return Ruling(rule=Rule.VAGUE, action=Action.ASK, asking=Asking.WORDING, reason=reason)
    return Ruling(
        rule=Rule.VAGUE, action=Action.PROCEED, reason=reason, warning="The request is vague; taken as it stands."
    )


def _uncertain(s: Situation) -> Ruling:
    signs = f" ({'; '.join(s.signs)})" if s.signs else ""
    reason = f"uncertainty {s.uncertainty} reaches {s.ask_at}{signs}"
    if s.somebody:
        return Ruling(rule=Rule.UNCERTAIN, action=Action.ASK, asking=Asking.GUIDANCE, reason=reason)
    if s.uncertainty > s.skip_above:
        return Ruling(rule=Rule.UNCERTAIN, action=Action.SKIP, reason=reason, warning=f"{s.phase}: skipped, {reason}.")
    return Ruling(
        rule=Rule.UNCERTAIN, action=Action.PROCEED, reason=reason, warning=f"{s.phase}: went on although {reason}."
    )


def _below(s: Situation, t: Thresholds) -> Ruling:
    warning = f"Less sure than wanted {_unsure(s.phase, s.score, t.proceed)}."
    if s.answered:
        why = "a person has answered"
    elif s.score >= t.retrieve:
        why = f"{_futile(s)} and {score_text(s.score)} is tolerable"
    else:
        why, warning = f"{_futile(s)} and {s.untried}", ""  # it is judged again once that was tried
    return Ruling(rule=Rule.TOLERABLE, action=Action.PROCEED, reason=why, warning=warning)


def _futile(s: Situation) -> str:
    """Why there is no search: a run that could not afford one, or heard of no source, knows nothing of whether it would
    have helped."""
    if s.exhausted:
        return "the budget is spent"
    if s.unsearched:
        return s.unsearched
    return "all that is asked was found" if s.covered else "searching does not help"


def _guidance(s: Situation, t: Thresholds) -> Ruling:
    reason = f"{score_text(s.score)} is below {t.retrieve:.2f} and {_futile(s)}"
    if s.somebody:
        return Ruling(rule=Rule.WEAK, action=Action.ASK, asking=Asking.GUIDANCE, reason=reason)
    warning = f"Went on, unsure {_unsure(s.phase, s.score, t.retrieve)}: {_futile(s)}."
    return Ruling(rule=Rule.WEAK, action=Action.PROCEED, reason=reason, warning=warning)


def _abort(s: Situation, t: Thresholds) -> Ruling:
    reason = f"{score_text(s.score)} is below {t.abort:.2f} and {_futile(s)}"
    if s.somebody:
        return Ruling(rule=Rule.ABORT, action=Action.ASK, asking=Asking.ABORT, reason=reason)
    warning = f"Stopped, unsure {_unsure(s.phase, s.score, t.abort)}: {_futile(s)}."
    return Ruling(rule=Rule.ABORT, action=Action.RESPOND, reason=reason, warning=warning)


def _unsure(phase: Phase, score: float, wanted: float) -> str:
    """What a score that is too low means to a person, with the figures that the trace has of it."""
    return f"{_UNSURE[phase]} ({phase} {score_text(score)} of {wanted:.2f})"


NO_EXPERIENCE = "no past experience"
NO_PATTERN = "no known pattern and no clear strategy"
NEW_DOCUMENTS = "documents that came after what is remembered"


def forcing_gaps(confidence: Confidence, searched: tuple[str, ...]) -> tuple[str, ...]:
    """The gaps that force a retrieval (spec 1, ``shouldRetrieveOnline``) and were not yet searched for in this run."""
    experience = confidence.factor("past_experience")
    pattern = confidence.factor("pattern_availability")
    clarity = confidence.factor("strategy_clarity")
    found = []
    if experience == 0.0:
        found.append(NO_EXPERIENCE)
    if pattern == 0.0 and (clarity is None or clarity < UNCLEAR):
        found.append(NO_PATTERN)
    return tuple(gap for gap in found if gap not in searched)
