"""The reflection record of a branch (spec 4): risks, issues to expect, why these sources, what waits for what."""

import re
from collections.abc import Iterator, Sequence

from calibrant.judges.free.planning.strategies import Strategy
from calibrant.judges.free.request.vague import PLACEHOLDER
from calibrant.judges.free.words.terms import EN, PT, identifiers
from calibrant.judges.given import ToPlan
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language, Step, StepKind, Task

_TEXTS: dict[Language, dict[str, str]] = {
    EN: {
        "alone": "All evidence held comes from {}.",
        "waits": "{} needs the answer to {}.",
        "gap": "{} still has a gap to fill.",
        "absent": "Not configured as a source: {}.",
        "fewer": "There may be fewer than {} {}.",
        "named": "The request names {}.",
        "tells": "{} may tell what passages do not.",
        "first": "{} first, because {}.",
        "ready": "A search only for steps that the evidence held does not cover; {} queries ready.",
        "limited": "the request limits the sources",
        "code": "{} is code",
        "covered": "they cover {} best",
        "one step": "One step.",
        "independent": "Independent steps, in parallel.",
        "after": "{} after {}",
    },
    PT: {
        "alone": "Todas as passagens vêm de {}.",
        "waits": "{} precisa da resposta de {}.",
        "gap": "{} ainda tem uma lacuna.",
        "absent": "Fonte não configurada: {}.",
        "fewer": "Podem existir menos de {} {}.",
        "named": "O pedido nomeia {}.",
        "tells": "{} pode dizer o que passagens não dizem.",
        "first": "{} primeiro, porque {}.",
        "ready": "Busca só para passos que as passagens não cobrem; {} consultas prontas.",
        "limited": "o pedido limita as fontes",
        "code": "{} é código",
        "covered": "tratam de {}",
        "one step": "Um só passo.",
        "independent": "Passos independentes, em paralelo.",
        "after": "{} depois de {}",
    },
}


def risks(task: Task, strategy: Strategy, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The task's risks, the branch's own, and what the evidence held makes likely."""
    documents = {item.document for item in evidence}
    alone = ""
    if len(evidence) > 1 and len(documents) == 1:
        alone = _TEXTS[task.language]["alone"].format(evidence[0].title or evidence[0].url)
    return tuple(said for said in (*task.risks, strategy.own_risk[task.language], alone) if said)


def issues(task: Task, steps: Sequence[Step], sources: Sequence[str], given: ToPlan) -> tuple[str, ...]:
    """What may stop the branch."""
    return tuple(_issues(task, steps, sources, given))


def _issues(task: Task, steps: Sequence[Step], sources: Sequence[str], given: ToPlan) -> Iterator[str]:
    texts = _TEXTS[task.language]
    for step in steps:
        if step.depends_on and step.kind is StepKind.ANSWER:
            before = ", ".join(_short(other) for other in step.depends_on)
            yield texts["waits"].format(_short(step.id), before)
        if PLACEHOLDER.search(step.question):
            yield texts["gap"].format(_short(step.id))
    lacking = [source for source in sources if given.sources and source not in given.sources]
    if lacking:
        yield texts["absent"].format(", ".join(lacking))
    counted = next((criterion for criterion in task.criteria if criterion.target > 1), None)
    if counted:
        yield texts["fewer"].format(counted.target, counted.what)


def tool_rationale(task: Task, steps: Sequence[Step], sources: Sequence[str]) -> str:
    """Why these tools and sources."""
    texts = _TEXTS[task.language]
    called = [step.tool for step in steps if step.kind is StepKind.TOOL]
    said = []
    if called:
        named = all(name.casefold() in task.text.casefold() for name in called)
        said.append(texts["named" if named else "tells"].format(", ".join(dict.fromkeys(called))))
    if sources:
        said.append(texts["first"].format(", ".join(sources), _why(task)))
    said.append(texts["ready"].format(sum(len(step.queries) for step in steps)))
    return " ".join(said)


def _why(task: Task) -> str:
    texts = _TEXTS[task.language]
    limits = [item.value for item in task.must_have if item.kind == "source"]
    coded = [term.text for term in identifiers(task.text) if re.search(r"[._()]", term.text)]
    if limits:
        return texts["limited"]
    if coded:
        return texts["code"].format(coded[0])
    return texts["covered"].format(" ".join(task.topic[:3]))


def dependencies(steps: Sequence[Step], task: Task) -> str:
    """What waits for what, in one line."""
    texts = _TEXTS[task.language]
    waiting = [step for step in steps if step.depends_on]
    if len(steps) <= 1:
        return texts["one step"]
    if not waiting:
        return texts["independent"]
    told = (texts["after"].format(_short(step.id), ", ".join(map(_short, step.depends_on))) for step in waiting)
    return "; ".join(told) + "."


def _short(step_id: str) -> str:
    return step_id.partition(".")[2] or step_id
