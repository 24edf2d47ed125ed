"""What a reading of a request takes for granted, what may go wrong with it, and the plan in one sentence."""

import re
from collections.abc import Iterator

from calibrant.judges.free.request.conditions import Conditions
from calibrant.judges.free.request.resolved import Resolved
from calibrant.judges.free.words.terms import EN, PT, identifiers
from calibrant.state.task import Language, QueryType, Question

_VERSION = re.compile(r"\b(?:v|version |versão )?\d+\.\d+|\b(?:python|java|node|go|rust) ?\d", re.IGNORECASE)


_TEXTS: dict[Language, dict[str, str]] = {
    EN: {
        "continues": "The question carries on from the one before{}.",
        "about": "; it is about {}",
        "dangling": "What “{}” refers to is not known.",
        "today": "The answer has to hold today.",
        "version": "{}: the current version is meant.",
        "dated": "Sources may be out of date.",
        "unwanted": "Results about {} may turn up.",
        "limited": "{} alone may not be enough.",
        "background": "Gather the background first, then analyse it.",
        "passage": "Answer from the passage that fits best.",
        "one by one": "Answer the {} parts one by one.",
        "in turn": "Answer {} of {} parts first, then what depends on them.",
    },
    PT: {
        "continues": "A pergunta continua a anterior{}.",
        "about": "; é sobre {}",
        "dangling": "Não se sabe a que “{}” se refere.",
        "today": "A resposta deve valer para hoje.",
        "version": "{}: vale a versão atual.",
        "dated": "Fontes podem estar desatualizadas.",
        "unwanted": "Resultados sobre {} podem aparecer.",
        "limited": "Só {} pode não bastar.",
        "background": "Reunir o contexto, depois analisar.",
        "passage": "Responder a partir da melhor passagem.",
        "one by one": "Responder às {} partes separadamente.",
        "in turn": "Responder primeiro {} de {} partes, depois as que dependem delas.",
    },
}


def assumptions(text: str, language: Language, resolved: Resolved, timely: bool) -> tuple[str, ...]:
    """What the reading takes for granted."""
    return tuple(_assumed(text, _TEXTS[language], resolved, timely))


def _assumed(text: str, texts: dict[str, str], resolved: Resolved, timely: bool) -> Iterator[str]:
    if resolved.about is not None:
        yield texts["continues"].format(texts["about"].format(resolved.about) if resolved.about else "")
    if resolved.dangling:
        yield texts["dangling"].format(resolved.dangling)
    if timely and not re.search(r"\b(?:19|20)\d\d\b", text):
        yield texts["today"]
    coded = [term.text for term in identifiers(text) if re.search(r"[._()]", term.text)]
    if coded and not _VERSION.search(text):
        yield texts["version"].format(coded[0])


def risk_sentences(reasons: tuple[str, ...], found: Conditions, language: Language, timely: bool) -> tuple[str, ...]:
    """What may go wrong with an answer to it."""
    texts = _TEXTS[language]
    unwanted = ", ".join(item.value for item in found.must_not[:3])
    limits = ", ".join(item.value for item in found.must_have if item.kind in ("source", "domain"))
    dated = texts["dated"] if timely else ""
    beside = texts["unwanted"].format(unwanted) if unwanted else ""
    alone = texts["limited"].format(limits) if limits else ""
    return (*reasons, *filter(None, (dated, beside, alone)))


def plan_sentence(questions: tuple[Question, ...], query_type: QueryType, language: Language) -> str:
    """How the task will be answered, in one sentence."""
    texts, count = _TEXTS[language], len(questions)
    if count <= 1:
        return texts["background" if query_type is QueryType.STRATEGIC else "passage"]
    first = sum(not part.depends_on for part in questions)
    return texts["one by one"].format(count) if first == count else texts["in turn"].format(first, count)
