"""What a reading of a request takes for granted, what may go wrong with it, and the plan in one sentence."""

import re
from collections.abc import Iterator

from calibrant.judges.free.request.conditions import Conditions
from calibrant.judges.free.request.resolved import Resolved
from calibrant.judges.free.words.terms import PT, identifiers
from calibrant.state.task import Language, QueryType, Question

_VERSION = re.compile(r"\b(?:v|version |versão )?\d+\.\d+|\b(?:python|java|node|go|rust) ?\d", re.IGNORECASE)


def assumptions(text: str, language: Language, resolved: Resolved, timely: bool) -> tuple[str, ...]:
    """What the reading takes for granted."""
    return tuple(_assumed(text, language is PT, resolved, timely))


def _assumed(text: str, pt: bool, resolved: Resolved, timely: bool) -> Iterator[str]:
    if resolved.about is not None:
        lead = "A pergunta continua a anterior" if pt else "The question carries on from the one before"
        about = f"; é sobre {resolved.about}" if pt else f"; it is about {resolved.about}"
        yield f"{lead}{about if resolved.about else ''}."
    if resolved.dangling:
        yield f"Não se sabe a que “{resolved.dangling}” se refere." if pt else (
            f"What “{resolved.dangling}” refers to is not known."
        )  # fmt: skip
    if timely and not re.search(r"\b(?:19|20)\d\d\b", text):
        yield "A resposta deve valer para hoje." if pt else "The answer has to hold today."
    coded = [term.text for term in identifiers(text) if re.search(r"[._()]", term.text)]
    if coded and not _VERSION.search(text):
        yield f"{coded[0]}: vale a versão atual." if pt else f"{coded[0]}: the current version is meant."


def risk_sentences(reasons: tuple[str, ...], found: Conditions, language: Language, timely: bool) -> tuple[str, ...]:
    """What may go wrong with an answer to it."""
    pt = language is PT
    said = list(reasons)
    if timely:
        said.append("Fontes podem estar desatualizadas." if pt else "Sources may be out of date.")
    unwanted = ", ".join(item.value for item in found.must_not[:3])
    if unwanted:
        said.append(f"Resultados sobre {unwanted} podem aparecer." if pt else f"Results about {unwanted} may turn up.")
    limits = ", ".join(item.value for item in found.must_have if item.kind in ("source", "domain"))
    if limits:
        said.append(f"Só {limits} pode não bastar." if pt else f"{limits} alone may not be enough.")
    return tuple(said)


def plan_sentence(questions: tuple[Question, ...], query_type: QueryType, language: Language) -> str:
    """How the task will be answered, in one sentence."""
    pt = language is PT
    waiting = [part for part in questions if part.depends_on]
    if len(questions) <= 1:
        if query_type is QueryType.STRATEGIC:
            return "Reunir o contexto, depois analisar." if pt else "Gather the background first, then analyse it."
        return "Responder a partir da melhor passagem." if pt else "Answer from the passage that fits best."
    count = len(questions)
    if not waiting:
        return f"Responder às {count} partes separadamente." if pt else f"Answer the {count} parts one by one."
    first = count - len(waiting)
    if pt:
        return f"Responder primeiro {first} de {count} partes, depois as que dependem delas."
    return f"Answer {first} of {count} parts first, then what depends on them."
