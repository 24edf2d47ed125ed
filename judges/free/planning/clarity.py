"""How clear a strategy is: are its steps well defined?"""

from statistics import fmean

from calibrant.judges.free.planning.gaps import FRAMING
from calibrant.judges.free.request.vague import PLACEHOLDER
from calibrant.judges.free.words.terms import specific_words
from calibrant.state.task import Branch, QueryType, Step, StepKind, Task

QUESTION_SHARE, MEANS_SHARE, ORDER_SHARE = 0.5, 0.25, 0.25
"""What a step's question, its means (queries, or a tool's arguments) and its dependencies count for."""

PLACEHOLDER_COST = 0.5
"""A step with a gap to fill in is half defined at best."""

COARSE, COARSE_INFORMED = 0.6, 0.85
"""A strategic or decision task left as one step says what, not how; less so if its queries know what to look for."""

UNINFORMED = 0.5
"""An added step that brings no word beyond the request's own: it is a form without content."""


def strategy_clarity(branch: Branch, task: Task) -> float:
    """The clarity of ``branch``, 0..1."""
    if not branch.steps:
        return 0.0
    known = {step.id for step in branch.steps}
    score = fmean(_defined(step, known, task) for step in branch.steps)
    asked = [part for step in branch.steps for part in step.asks]
    if task.query_type in (QueryType.DECISION, QueryType.STRATEGIC) and len(asked) == 1:
        score *= COARSE_INFORMED if _informed(branch.steps[0].queries, task) else COARSE
    return score


def _defined(step: Step, known: set[str], task: Task) -> float:
    """How well one step is defined, 0..1."""
    asks = float(bool(specific_words(PLACEHOLDER.sub(" ", step.question), task.language)))
    own = step.kind is StepKind.TOOL or bool(step.parts) or any(step.question in part.text for part in task.questions)
    asks *= 1.0 if own or _informed((step.question, *step.queries), task) else UNINFORMED
    means = bool(step.tool and step.arguments) if step.kind is StepKind.TOOL else bool(step.queries)
    ordered = all(other in known and other != step.id for other in step.depends_on)
    score = QUESTION_SHARE * asks + MEANS_SHARE * means + ORDER_SHARE * ordered
    return score * (PLACEHOLDER_COST if PLACEHOLDER.search(step.question) else 1.0)


def _informed(texts: tuple[str, ...], task: Task) -> bool:
    """Whether ``texts`` have a telling word that the request does not: something learnt from evidence or memory."""
    said = {*specific_words(task.text, task.language), *FRAMING[task.language], *task.topic}
    said |= {word for part in task.questions for word in specific_words(part.text, task.language)}
    return any(word not in said for text in texts for word in specific_words(text, task.language))
