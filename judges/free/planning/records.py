"""The reflection record of a branch (spec 4): risks, issues to expect, why these sources, what waits for what."""

import re
from collections.abc import Iterator, Sequence

from calibrant.judges.free.planning.strategies import Strategy
from calibrant.judges.free.request.vague import PLACEHOLDER
from calibrant.judges.free.words.terms import identifiers
from calibrant.judges.given import ToPlan
from calibrant.state.evidence import Evidence
from calibrant.state.task import EN, PT, Language, Step, StepKind, Task

_TEXTS: dict[str, dict[Language, str]] = {
    "alone": {EN: "All evidence held comes from {}.", PT: "Todas as passagens vêm de {}."},
    "waits": {EN: "{} needs the answer to {}.", PT: "{} precisa da resposta de {}."},
    "gap": {EN: "{} still has a gap to fill.", PT: "{} ainda tem uma lacuna."},
    "absent": {EN: "Not configured as a source: {}.", PT: "Fonte não configurada: {}."},
    "fewer": {EN: "There may be fewer than {} {}.", PT: "Podem existir menos de {} {}."},
    "named": {EN: "The request names {}.", PT: "O pedido nomeia {}."},
    "tells": {EN: "{} may tell what passages do not.", PT: "{} pode dizer o que passagens não dizem."},
    "first": {EN: "{} first, because {}.", PT: "{} primeiro, porque {}."},
    "ready": {
        EN: "A search only for steps that the evidence held does not cover; {} queries ready.",
        PT: "Busca só para passos que as passagens não cobrem; {} consultas prontas.",
    },
    "limited": {EN: "the request limits the sources", PT: "o pedido limita as fontes"},
    "code": {EN: "{} is code", PT: "{} é código"},
    "covered": {EN: "they cover {} best", PT: "tratam de {}"},
    "one step": {EN: "One step.", PT: "Um só passo."},
    "independent": {EN: "Independent steps, in parallel.", PT: "Passos independentes, em paralelo."},
    "after": {EN: "{} after {}", PT: "{} depois de {}"},
}


def risks(task: Task, strategy: Strategy, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The task's risks, the branch's own, and what the evidence held makes likely."""
    documents = {item.document for item in evidence}
    alone = ""
    if len(evidence) > 1 and len(documents) == 1:
        alone = _said("alone", task, evidence[0].title or evidence[0].url)
    return tuple(said for said in (*task.risks, strategy.own_risk[task.language], alone) if said)


def issues(task: Task, steps: Sequence[Step], sources: Sequence[str], given: ToPlan) -> Iterator[str]:
    """What may stop the branch."""
    for step in steps:
        if step.depends_on and step.kind is StepKind.ANSWER:
            before = ", ".join(_short(other) for other in step.depends_on)
            yield _said("waits", task, _short(step.id), before)
        if PLACEHOLDER.search(step.question):
            yield _said("gap", task, _short(step.id))
    lacking = [source for source in sources if given.sources and source not in given.sources]
    if lacking:
        yield _said("absent", task, ", ".join(lacking))
    counted = next((criterion for criterion in task.criteria if criterion.target > 1), None)
    if counted:
        yield _said("fewer", task, counted.target, counted.what)


def tool_rationale(task: Task, steps: Sequence[Step], sources: Sequence[str]) -> str:
    """Why these tools and sources."""
    called = [step.tool for step in steps if step.kind is StepKind.TOOL]
    said = []
    if called:
        named = all(name.casefold() in task.text.casefold() for name in called)
        said.append(_said("named" if named else "tells", task, ", ".join(dict.fromkeys(called))))
    if sources:
        said.append(_said("first", task, ", ".join(sources), _why(task)))
    said.append(_said("ready", task, sum(len(step.queries) for step in steps)))
    return " ".join(said)


def _why(task: Task) -> str:
    limits = [item.value for item in task.must_have if item.kind == "source"]
    coded = [term.text for term in identifiers(task.text) if re.search(r"[._()]", term.text)]
    if limits:
        return _said("limited", task)
    if coded:
        return _said("code", task, coded[0])
    return _said("covered", task, " ".join(task.topic[:3]))


def dependencies(steps: Sequence[Step], task: Task) -> str:
    """What waits for what, in one line."""
    waiting = [step for step in steps if step.depends_on]
    if len(steps) <= 1:
        return _said("one step", task)
    if not waiting:
        return _said("independent", task)
    told = (_said("after", task, _short(step.id), ", ".join(map(_short, step.depends_on))) for step in waiting)
    return "; ".join(told) + "."


def _short(step_id: str) -> str:
    return step_id.partition(".")[2] or step_id


def _said(key: str, task: Task, *named: object) -> str:
    return _TEXTS[key][task.language].format(*named)
