"""The reflection record of a branch (spec 4): risks, issues to expect, why these sources, what waits for what."""

import re
from collections.abc import Iterator, Sequence

from calibrant.judges.free.request.vague import PLACEHOLDER
from calibrant.judges.free.words.terms import PT, identifiers
from calibrant.judges.given import ToPlan
from calibrant.state.evidence import Evidence
from calibrant.state.task import Step, StepKind, Task

_OWN_RISK = {
    "direct": (
        "Sources may say it in other words than the question.",
        "As fontes podem dizê-lo com outras palavras que a pergunta.",
    ),
    "broad to narrow": (
        "Background may crowd out what was asked.",
        "O contexto pode tomar o lugar do que foi perguntado.",
    ),
    "practice-oriented": (
        "Examples may be written for another version.",
        "Os exemplos podem ser de outra versão.",
    ),
    "by source": (
        "Reference sources may lag behind the present.",
        "Fontes de referência podem estar atrasadas.",
    ),
    "by pattern": (
        "The task it worked for may have differed in what matters.",
        "A tarefa em que funcionou pode ter sido diferente no essencial.",
    ),
}
"""What each way of going about it risks by itself, in English and Portuguese."""


def risks(task: Task, title: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """The task's risks, the branch's own, and what the evidence held makes likely."""
    own = _OWN_RISK[title][task.language is PT]
    documents = {item.document for item in evidence}
    alone = ""
    if len(evidence) > 1 and len(documents) == 1:
        held = evidence[0].title or evidence[0].url
        alone = f"Todas as passagens vêm de {held}." if task.language is PT else f"All evidence held comes from {held}."
    return tuple(said for said in (*task.risks, own, alone) if said)


def issues(task: Task, steps: Sequence[Step], sources: Sequence[str], given: ToPlan) -> tuple[str, ...]:
    """What may stop the branch."""
    return tuple(_issues(task, steps, sources, given))


def _issues(task: Task, steps: Sequence[Step], sources: Sequence[str], given: ToPlan) -> Iterator[str]:
    pt = task.language is PT
    for step in steps:
        if step.depends_on and step.kind is StepKind.ANSWER:
            before = ", ".join(_short(other) for other in step.depends_on)
            yield f"{_short(step.id)} precisa da resposta de {before}." if pt else (
                f"{_short(step.id)} needs the answer to {before}."
            )  # fmt: skip
        if PLACEHOLDER.search(step.question):
            yield f"{_short(step.id)} ainda tem uma lacuna." if pt else f"{_short(step.id)} still has a gap to fill."
    lacking = [source for source in sources if given.sources and source not in given.sources]
    if lacking:
        named = ", ".join(lacking)
        yield f"Fonte não configurada: {named}." if pt else f"Not configured as a source: {named}."
    counted = next((criterion for criterion in task.criteria if criterion.target > 1), None)
    if counted:
        yield f"Podem existir menos de {counted.target} {counted.what}." if pt else (
            f"There may be fewer than {counted.target} {counted.what}."
        )  # fmt: skip


def tool_rationale(task: Task, steps: Sequence[Step], sources: Sequence[str]) -> str:
    """Why these tools and sources."""
    pt = task.language is PT
    called = [step.tool for step in steps if step.kind is StepKind.TOOL]
    said = []
    if called:
        names = ", ".join(dict.fromkeys(called))
        if all(name.casefold() in task.text.casefold() for name in called):
            said.append(f"O pedido nomeia {names}." if pt else f"The request names {names}.")
        else:
            why = "pode dizer o que passagens não dizem" if pt else "may tell what passages do not"
            said.append(f"{names} {why}.")
    if sources:
        why = _why(task, pt)
        named = ", ".join(sources)
        said.append(f"{named} primeiro, porque {why}." if pt else f"{named} first, because {why}.")
    count = sum(len(step.queries) for step in steps)
    said.append(
        f"Busca só para passos que as passagens não cobrem; {count} consultas prontas."
        if pt
        else f"A search only for steps that the evidence held does not cover; {count} queries ready."
    )
    return " ".join(said)


def _why(task: Task, pt: bool) -> str:
    limits = [item.value for item in task.must_have if item.kind == "source"]
    coded = [term.text for term in identifiers(task.text) if re.search(r"[._()]", term.text)]
    if limits:
        return "o pedido limita as fontes" if pt else "the request limits the sources"
    if coded:
        return f"{coded[0]} é código" if pt else f"{coded[0]} is code"
    about = " ".join(task.topic[:3])
    return f"tratam de {about}" if pt else f"they cover {about} best"


def dependencies(steps: Sequence[Step], task: Task) -> str:
    """What waits for what, in one line."""
    pt = task.language is PT
    waiting = [step for step in steps if step.depends_on]
    if len(steps) <= 1:
        return "Um só passo." if pt else "One step."
    if not waiting:
        return "Passos independentes, em paralelo." if pt else "Independent steps, in parallel."
    link = "depois de" if pt else "after"
    return "; ".join(f"{_short(step.id)} {link} {', '.join(map(_short, step.depends_on))}" for step in waiting) + "."


def _short(step_id: str) -> str:
    return step_id.partition(".")[2] or step_id
