"""What the claims of an answer are worth: how far they answer what was asked, which success criteria they meet. Pure
functions over the state."""

from collections import Counter
from collections.abc import Sequence, Set
from datetime import date

from calibrant.judges.free.evidence.age import names_document, out_of_force, tells_status
from calibrant.judges.free.request.criteria import told_in
from calibrant.nodes.reading.answered import claims_by_step
from calibrant.nodes.reading.called import done_calls
from calibrant.nodes.reading.steps import asked_steps, found_share
from calibrant.state.answer import Claim, Conflict, ConflictKind, QualityReport, Verdict
from calibrant.state.channels import View
from calibrant.state.task import Criterion, Step, Task

SUPPORT_WEIGHT = {Verdict.SUPPORTED: 1.0, Verdict.QUALIFIED: 0.5, Verdict.UNVERIFIED: 0.0, Verdict.CONTRADICTED: 0.0}
"""What a claim counts for, by its verdict."""

PERHAPS = 0.5
"""What a disagreement counts for that is perhaps of two cases: of 68 answers on the public sets whose confidence one
lowered, 53 were right. Chosen with those of the held-out halves in sight (docs/evals-notes.md)."""

DECLINED = 0.25
"""What is left of how well claims answer, where a model that was to word them found that they do not."""


def supported_share(state: View, claims: Sequence[Claim], today: date | None) -> float:
    """Over the steps asked for: the best claim's support times how well it answers, averaged. 0.0 without steps.

    A step whose call was made is answered by that; one of which something stays missing counts for the rest. A claim
    that another source disputes counts for less: where two sources contradict each other outright, the followed one is
    right half the time as far as anybody can tell. So is what only a document tells that says it holds no more, unless
    the request names it.
    """
    steps = asked_steps(state.selected, state.perceived)
    if not steps:
        return 0.0
    conflicts = state.synthesis.conflicts if state.synthesis else ()
    asked = f"{state.perceived.text}\n{state.perceived.original}" if state.perceived else ""
    past = out_of_force((item for item in state.evidence if not names_document(asked, item.title)), today)
    stated, done = claims_by_step(state, claims), {result.id for result, _ in done_calls(state)}
    given = {result.id: result for result in state.results}
    best = [
        1.0
        if step.id in done
        else found_share(step, given.get(step.id))
        * max((_worth(claim, conflicts, past) for claim in _answering(step, stated.get(step.id, ()))), default=0.0)
        for step in steps
    ]
    declined = state.synthesis is not None and state.synthesis.declined
    return sum(best) / len(best) * (DECLINED if declined else 1.0)


def _answering(step: Step, claims: Sequence[Claim]) -> Sequence[Claim]:
    """Those of a step's claims that answer it: where a model says of some that no two can both be true, these. What it
    tells beside them ("in the sandbox it is 60") is no other answer, unless several things are asked."""
    disputed = [claim for claim in claims if claim.disputed]
    return claims if step.parts else disputed or claims


def is_disputed(state: View, claims: Sequence[Claim]) -> bool:
    """Whether a source speaks against a claim that stands."""
    conflicts = state.synthesis.conflicts if state.synthesis else ()
    return any(claim.verdict.stands and conflict.concerns(claim) for claim in claims for conflict in conflicts)


def _worth(claim: Claim, conflicts: Sequence[Conflict], past: Set[str]) -> float:
    """What a claim counts for: its support, less where it is disputed or over. That something holds no more holds."""
    disputed = max((_weight(conflict) for conflict in conflicts if conflict.concerns(claim)), default=0.0)
    is_over = bool(claim.evidence_ids) and past >= set(claim.evidence_ids)
    doubt = 1.0 if is_over and not any(tells_status(span.quote) for span in claim.spans) else disputed
    return SUPPORT_WEIGHT[claim.verdict] * claim.addresses * (1.0 - 0.5 * doubt)


def _weight(conflict: Conflict) -> float:
    """How much a conflict speaks against either side."""
    return conflict.severity * (PERHAPS if conflict.kind is ConflictKind.AMBIGUITY else 1.0)


def criteria_met(state: View, task: Task, claims: Sequence[Claim], quality: QualityReport) -> tuple[Criterion, ...]:
    """The success criteria with their counts: supported claims of the part they name, without the beaten side of a
    conflict; verified passages where the task sets conditions on what counts."""
    question_of = {step.id: step.question for step in state.steps}
    supported = followed(state, claims)
    answers = Counter(question_of[key] for key, found in claims_by_step(state, supported).items() for _ in found)
    others = count_of_things(supported) if quality.score is None else quality.verified
    return tuple(
        criterion.replace(met=answers[criterion.what] if criterion.what in question_of.values() else others)
        for criterion in task.criteria
    )


def followed(state: View, claims: Sequence[Claim]) -> list[Claim]:
    """The claims that stand, without the beaten sides of conflicts."""
    beaten = {conflict.sides[1].id for conflict in (state.synthesis.conflicts if state.synthesis else ())}
    return [claim for claim in claims if claim.verdict.stands and claim.id not in beaten]


def count_of_things(claims: Sequence[Claim]) -> int:
    """How many things these claims may tell of, at most."""
    return sum(told_in(claim.text) for claim in claims)
