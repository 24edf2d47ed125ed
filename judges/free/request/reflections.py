"""What a reading of a request takes for granted, what may go wrong with it, and the plan in one sentence."""

import re
from collections.abc import Iterator

from calibrant.judges.free.request.conditions import Conditions
from calibrant.judges.free.request.resolved import Resolved
from calibrant.judges.free.words.terms import identifiers
from calibrant.state.task import EN, PT, Language, QueryType, Question

_VERSION = re.compile(r"\b(?:v|version |versão )?\d+\.\d+|\b(?:python|java|node|go|rust) ?\d", re.IGNORECASE)

_TEXTS: dict[str, dict[Language, str]] = {
    "continues": {EN: "The question carries on from the one before{}.", PT: "A pergunta continua a anterior{}."},
    "about": {EN: "; it is about {}", PT: "; é sobre {}"},
    "dangling": {EN: "What “{}” refers to is not known.", PT: "Não se sabe a que “{}” se refere."},
    "today": {EN: "The answer has to hold today.", PT: "A resposta deve valer para hoje."},
    "version": {EN: "{}: the current version is meant.", PT: "{}: vale a versão atual."},
    "dated": {EN: "Sources may be out of date.", PT: "Fontes podem estar desatualizadas."},
    "unwanted": {EN: "Results about {} may turn up.", PT: "Resultados sobre {} podem aparecer."},
    "limited": {EN: "{} alone may not be enough.", PT: "Só {} pode não bastar."},
    "background": {EN: "Gather the background first, then analyse it.", PT: "Reunir o contexto, depois analisar."},
    "passage": {EN: "Answer from the passage that fits best.", PT: "Responder a partir da melhor passagem."},
    "one by one": {EN: "Answer the {} parts one by one.", PT: "Responder às {} partes separadamente."},
    "in turn": {
        EN: "Answer {} of {} parts first, then what depends on them.",
        PT: "Responder primeiro {} de {} partes, depois as que dependem delas.",
    },
}


def assumptions(text: str, language: Language, resolved: Resolved, timely: bool) -> Iterator[str]:
    """What the reading takes for granted."""
    if resolved.about is not None:
        yield _said("continues", language, _said("about", language, resolved.about) if resolved.about else "")
    if resolved.dangling:
        yield _said("dangling", language, resolved.dangling)
    if timely and not re.search(r"\b(?:19|20)\d\d\b", text):
        yield _said("today", language)
    coded = [term.text for term in identifiers(text) if re.search(r"[._()]", term.text)]
    if coded and not _VERSION.search(text):
        yield _said("version", language, coded[0])


def risk_sentences(reasons: tuple[str, ...], found: Conditions, language: Language, timely: bool) -> tuple[str, ...]:
    """What may go wrong with an answer to it."""
    unwanted = ", ".join(item.value for item in found.must_not[:3])
    limits = ", ".join(item.value for item in found.must_have if item.kind in ("source", "domain"))
    dated = _said("dated", language) if timely else ""
    beside = _said("unwanted", language, unwanted) if unwanted else ""
    alone = _said("limited", language, limits) if limits else ""
    return (*reasons, *filter(None, (dated, beside, alone)))


def plan_sentence(questions: tuple[Question, ...], query_type: QueryType, language: Language) -> str:
    """How the task will be answered, in one sentence."""
    count = len(questions)
    if count <= 1:
        return _said("background" if query_type is QueryType.STRATEGIC else "passage", language)
    first = sum(not part.depends_on for part in questions)
    if first == count:
        return _said("one by one", language, count)
    return _said("in turn", language, first, count)


def _said(key: str, language: Language, *named: object) -> str:
    return _TEXTS[key][language].format(*named)
