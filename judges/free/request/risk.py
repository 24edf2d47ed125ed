"""How much harm a wrong answer or action may do, from 0 (plain information) to 1, and in what respect."""

import re
from dataclasses import dataclass

from calibrant.judges.free.words.stemming import fold
from calibrant.state.task import EN, PT, Language, QueryType

PERSONAL_RISK, ACUTE_RISK, ACTION_RISK, HOW_TO_RISK = 0.5, 0.6, 0.8, 0.3
"""Advice on a person's own health, law or money; a dose or a poison; an order to destroy; being told how to."""

AREAS: dict[str, dict[Language, str]] = {
    "health": {
        EN: (
            r"\b(?:symptoms?|diagnos\w+|medic\w+|drugs?|doctor|disease|treatments?|pregnan\w+|surgery|therapy|"
            r"vaccin\w+|pain|pills?|ibuprofen|antibiotic\w*|blood pressure|chest)\b"
        ),
        PT: (
            r"\b(?:sintomas?|diagnostic\w+|medic\w+|remedios?|doencas?|tratamentos?|gravid\w+|gestante|cirurgia|"
            r"terapia|vacinas?|dor|dores|comprimidos?|antibiotic\w*)\b"
        ),
    },
    "law": {
        EN: (
            r"\b(?:law ?suits?|sue|sued|legal\w*|illegal|attorney|lawyer|contracts?|liab\w+|custody|divorce|visa|"
            r"immigration|gdpr|copyright)\b"
        ),
        PT: (
            r"\b(?:process\w+ judicia\w+|processar|legal\w*|ilegal|advogad\w+|contratos?|guarda|divorcio|visto|"
            r"imigracao|lgpd|direitos? autora\w+)\b"
        ),
    },
    "money": {
        EN: (
            r"\b(?:invest\w*|loans?|mortgage|tax(?:es)?|retirement|stocks?|shares|crypto\w*|bitcoin|savings|"
            r"insurance|pension|bankrupt\w*)\b"
        ),
        PT: (
            r"\b(?:invest\w*|emprestimos?|hipoteca|impostos?|aposentadoria|acoes|cripto\w*|bitcoin|poupanca|"
            r"seguro|previdencia|falencia)\b"
        ),
    },
}

ACUTE: dict[Language, str] = {
    EN: (
        r"\b(?:dos(?:e|age|es)|overdos\w+|poison\w*|suicid\w+|self-harm|mix bleach|explosives?|lethal|stroke|"
        r"heart attack)\b"
    ),
    PT: r"\b(?:dos(?:e|agem|es)|overdose|venen\w+|suicid\w+|explosiv\w+|letal|infarto|avc)\b",
}
"""Where a wrong word can kill, whoever asks."""

DESTROYS: dict[Language, str] = {
    EN: (
        r"\b(?:delet\w+|eras\w+|wip\w+|drop(?:ping)? (?:the |all )?(?:tables?|databases?|schemas?|columns?)|"
        r"truncat\w+ (?:the )?table|rm -rf|format(?:ting)? (?:the |my )?(?:disk|drive)|force[- ]push\w*|"
        r"overwrit\w+|shut ?down|terminat\w+|revok\w+|transfer \$?\d+|send (?:an? |the )?(?:email|money|payment)|"
        r"purchase|deploy\w* to prod\w*|in production)\b"
    ),
    PT: (
        r"\b(?:apag\w+|exclu(?:a|ir)\b|delet\w+|formatar|drop table|rm -rf|sobrescrev\w+|deslig\w+|encerr\w+|"
        r"revog\w+|transf(?:ira|erir)|envi(?:e|ar) (?:um |o )?(?:email|e-mail|dinheiro|pagamento)|em producao)\b"
    ),
}
"""What is hard to undo."""

_ORDERS: dict[Language, str] = {
    EN: (
        r"^(?:please |now |then |go ahead and |can you |could you )*(?:delete|erase|wipe|drop|truncate|rm|format|"
        r"force|overwrite|shut|terminate|revoke|transfer|send|purchase|buy|deploy|remove|run|execute)\b"
    ),
    PT: (
        r"^(?:por favor,? |agora |pode )*(?:apague|apagar|exclua|delete|formate|drop|rm|sobrescreva|desligue|"
        r"encerre|revogue|transfira|envie|compre|implante|remova|execute|rode)\b"
    ),
}
_MINE: dict[Language, str] = {
    EN: r"\b(?:i|my|me|we|our|mine)\b",
    PT: r"\b(?:eu|meus?|minhas?|devo|posso|nos|noss[oa]s?|estou|tenho)\b",
}
_SAID: dict[str, dict[Language, str]] = {
    "health": {
        EN: "A wrong answer could harm somebody's health.",
        PT: "Uma resposta errada pode prejudicar a saúde de alguém.",
    },
    "law": {
        EN: "A wrong answer could have legal consequences.",
        PT: "Uma resposta errada pode ter consequências legais.",
    },
    "money": {EN: "A wrong answer could cost money.", PT: "Uma resposta errada pode custar dinheiro."},
    "acute": {EN: "A wrong answer could put a life in danger.", PT: "Uma resposta errada pode pôr uma vida em perigo."},
    "action": {EN: "It concerns something that is hard to undo.", PT: "Trata-se de algo difícil de desfazer."},
}


@dataclass(frozen=True)
class Risk:
    """How much harm may be done (0..1), and the reasons, as sentences."""

    score: float = 0.0
    reasons: tuple[str, ...] = ()


def risk(text: str, language: Language, query_type: QueryType) -> Risk:
    """The risk of ``text``. Information that nobody is about to act on has none."""
    folded = fold(text.lower())
    mine = query_type is QueryType.DECISION or re.search(_MINE[language], folded) is not None
    found: dict[str, float] = {}
    if mine:
        found = {area: PERSONAL_RISK for area, cues in AREAS.items() if re.search(cues[language], folded)}
    if re.search(ACUTE[language], folded):
        found["acute"] = ACUTE_RISK
    if re.search(DESTROYS[language], folded):
        orders = re.match(_ORDERS[language], folded) is not None
        found["action"] = ACTION_RISK if orders else HOW_TO_RISK * mine
    scored = {kind: score for kind, score in found.items() if score > 0}
    # Several respects add up, but never past certainty.
    total = max(scored.values(), default=0.0) + 0.1 * max(0, len(scored) - 1)
    return Risk(min(1.0, total), tuple(_SAID[kind][language] for kind in scored))
