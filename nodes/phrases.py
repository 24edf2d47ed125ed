"""The few sentences that the product says in its own words, in the languages that the LLM-free tier knows."""

from collections.abc import Collection, Sequence

from calibrant.state.answer import Verdict
from calibrant.state.confidence import shown
from calibrant.state.task import Language

_TEXTS = {
    Language.ENGLISH: {
        "none": "I did not find an answer that the evidence supports.",
        "parts": "Not answered: {}.",
        "missing": "Nothing found mentions: {}.",
        "nothing": "Nothing was found on this.",
        "beside": "What was found speaks of this, but does not answer it.",
        "searched": "Searched: {}.",
        "failed": "Could not be searched: {}.",
        "broken": "Failed: {}.",
        "aborted": "Stopped as you asked.",
        "closest": "Closest, but no answer",
        "withheld": "I found an answer but withhold it: my confidence in it is {}, below the required {:.2f}.",
        Verdict.UNVERIFIED: "(unverified)",
        Verdict.CONTRADICTED: "(its source contradicts it)",
    },
    Language.PORTUGUESE: {
        "none": "Não encontrei uma resposta que as fontes sustentem.",
        "parts": "Sem resposta: {}.",
        "missing": "Nada do que foi encontrado menciona: {}.",
        "nothing": "Nada foi encontrado sobre isto.",
        "beside": "O que foi encontrado fala disso, mas não responde.",
        "searched": "Fontes consultadas: {}.",
        "failed": "Não foi possível consultar: {}.",
        "broken": "Falhou: {}.",
        "aborted": "Interrompido a seu pedido.",
        "closest": "O mais próximo, mas não responde",
        "withheld": "Encontrei uma resposta, mas não a dou: minha confiança nela é {}, abaixo do mínimo de {:.2f}.",
        Verdict.UNVERIFIED: "(não verificado)",
        Verdict.CONTRADICTED: "(a fonte o contradiz)",
    },
}


def abstention(
    language: Language,
    *,
    parts: Sequence[str],
    broken: Sequence[str],
    missing: Sequence[str],
    beside: bool,
    searched: Sequence[str],
    failed: Sequence[str],
) -> str:
    """The abstention: that there is no answer, and what is missing. ``beside``: nothing is, and yet nothing answers."""
    said = [_TEXTS[language]["none"], gaps(language, parts, broken), _list(language, "missing", missing)]
    said += [_TEXTS[language]["beside"] if beside else ""]
    said += [_list(language, "searched", searched), _list(language, "failed", failed)]
    return " ".join(part for part in said if part)


def lacking(language: Language, *, found: bool, missing: Sequence[str], failed: Sequence[str]) -> tuple[str, ...]:
    """What an answer still lacks, sentence by sentence."""
    said = (_list(language, "missing", missing) or _TEXTS[language]["beside"]) if found else _TEXTS[language]["nothing"]
    return tuple(part for part in (said, _list(language, "failed", failed)) if part)


def gaps(language: Language, parts: Sequence[str], broken: Sequence[str]) -> str:
    """Which parts of the question are left open, and which calls failed."""
    return " ".join(filter(None, (_list(language, "parts", parts), failures(language, broken))))


def failures(language: Language, broken: Sequence[str]) -> str:
    """Which calls failed, and why."""
    return _list(language, "broken", broken)


def _list(language: Language, key: str, items: Sequence[str]) -> str:
    told = _TEXTS[language][key].format("; ".join(item.rstrip(".") for item in items)).replace("?.", "?")
    return told if items else ""


def doubt(language: Language, verdicts: Collection[Verdict]) -> str:
    """What stands behind a sentence that its sources do not support, by the worst of its claims' ``verdicts``."""
    worst = next((one for one in (Verdict.CONTRADICTED, Verdict.UNVERIFIED) if one in verdicts), None)
    return _TEXTS[language][worst] if worst else ""


def closest_title(language: Language) -> str:
    """What stands above the sentences that came nearest."""
    return _TEXTS[language]["closest"]


def refusal(language: Language) -> str:
    """What is said when a person has stopped the run."""
    return _TEXTS[language]["aborted"]


def withheld(language: Language, confidence: float, least: float) -> str:
    """What is said in place of an answer that is not sure enough."""
    return _TEXTS[language]["withheld"].format(shown(confidence), least)
