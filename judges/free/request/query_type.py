"""What kind of answer a request needs: factual, operational, decision or strategic (spec 2), by weighted cues.

A factual answer is the default: it needs no cue. A strong cue (2) beats it, a weak one (0.6) only narrows the margin,
and a narrow margin is what makes the verdict doubtful.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from functools import lru_cache

from calibrant.judges.free.words.stemming import fold
from calibrant.state.task import EN, PT, Language, QueryType

STRONG, MEDIUM, WEAK, FAINT = 2.0, 1.3, 0.6, 0.4
DEFAULT = 1.0
"""What a factual reading scores without any cue."""

CLEAR_LEAD = 0.5
"""The lead that leaves no doubt: what a strong cue keeps over a plainly worded question."""

Cues = Mapping[float, tuple[str, ...]]
"""Patterns by weight."""

_WHO = r"(?:i|we|you|my \w+|our \w+|one)"
_STATE = r"(?:status|progress|state)"

OPERATIONAL: dict[Language, Cues] = {
    EN: {
        STRONG: (
            (
                rf"^(?!how (?:do|can|could|to)\b|where\b).*\b{_STATE} "
                r"(?:of|on|for) (?:the |our |my |this )?(?:[\w.-]+ )?(?:project|order|deployment|release|"
                rf"migration|sprint|task|ticket|build|pipeline|rollout|deal|delivery|shipment|team|work)"
            ),
            r"^(?:current |project |order )?status\b(?! (?:code|bar|line|quo))",
            r"\bwhat(?:'s| is) the (?:current |latest )?(?:status|progress)\b(?! (?:code|bar|line|quo))",
            r"\b(?:status|progress) (?:update|report)\b|\bany (?:update|news|progress)s?\b",
            (
                r"\bhow (?:is|are|'s) (?!it (?:called|possible))[^?]{1,60}\b(?:going|doing|progressing|coming along|"
                r"performing)\b"
            ),
            (
                r"\b(?:are we|is it|is the [\w ]{1,30}|are the [\w ]{1,30}) (?:on track|on schedule|behind schedule|"
                r"ready yet|done yet|finished yet|blocked|delayed)\b"
            ),
            r"\bwhat(?:'s| is) (?:left|pending|blocking|open|next|overdue)\b|\bwho is working on\b",
            r"\b(?:is|are) [^?]{1,40} (?:up|down|online|offline) (?:right now|today|currently|at the moment)\b",
        ),
        WEAK: (r"\bright now\b|\bat the moment\b|\bso far this (?:week|month|quarter|year)\b",),
    },
    PT: {
        STRONG: (
            r"^(?:o |a )?(?:status|andamento|situacao)\b|\bstatus (?:d[ao]s?|atual)\b",
            r"^(?!como\b|onde\b).*\b(?:andamento|progresso) d[aoe]s?\b|\bsituacao atual\b|\bem que pe\b",
            (
                r"\bcomo (?:anda|andam|vai|vao)\b|\bcomo esta (?:indo|o projeto|a migracao|o andamento|a entrega|o "
                r"pedido)\b"
            ),
            r"\b(?:esta|estamos|estao) (?:no prazo|atrasad\w+|pront\w+|bloquead\w+|em dia)\b",
            r"\bo que (?:falta|esta pendente|esta bloqueando)\b|\balguma (?:novidade|atualizacao)\b",
        ),
        WEAK: (r"\bneste momento\b|\bagora mesmo\b",),
    },
}

DECISION: dict[Language, Cues] = {
    EN: {
        STRONG: (
            (
                rf"^(?:so )?should {_WHO}\b|\bwhether (?:{_WHO} should|to)\b|\b(?:what|which)\b[^?]{{0,40}} should "
                rf"{_WHO} (?:choose|use|pick|buy|take|go|prefer|do|adopt|invest)\b"
            ),
            (
                r"\bwhich (?:one |of (?:these|them|the two) )?(?:is|are|would be|works?) (?:the )?(?:better|best|"
                r"preferable|safer|right|more suitable)\b|\bwhat(?:'s| is) better\b"
            ),
            (
                r"\b(?:is|are|was) [^?]{1,60} (?:better|worth it|worth using|worth the|preferable|a good (?:idea|"
                r"choice|fit|investment))\b"
            ),
            r"\bis it (?:worth|wise|better|advisable|a good idea|safe to invest)\b",
            r"\bpros and cons\b|\badvantages and disadvantages\b|\btrade-?offs?\b",
            (
                r"^(?:please )?(?:recommend|suggest|advise)\b|\b(?:would|do|can|could) you (?:recommend|choose|pick|"
                r"advise|suggest)\b|\b(?:your|any) (?:recommendations?|suggestions?|advice)\b"
                r"|\bis (?!(?:the|a) recommended)[\w ]{2,40} recommended\b"
            ),
            r"\bhelp me (?:choose|decide|pick)\b|\bchoos(?:e|ing) between\b|\bdecide (?:between|whether|if)\b",
        ),
        MEDIUM: (
            rf"\bwhen should {_WHO}\b|[,.;] should {_WHO}\b|\band should {_WHO}\b",
            r"^compare\b|\bcomparison (?:of|between)\b|\b(?:vs\.?|versus)\b",
            r"\b(?:which|what) (?:\w+ ){1,3}is (?:the )?best for\b|\bbest (?:\w+ ){1,2}for (?:my|our|a|an)\b",
        ),
        FAINT: (r"\bbetter (?:than|to)\b|\bshould\b",),
    },
    PT: {
        STRONG: (
            (
                r"\b(?:devo|devemos|deveria|deveriamos)\b"
                r"(?!(?<=\bcomo devemos) (?:planejar|planear|organizar|migrar)\b)|"
                r"\bvale (?:mais )?a pena\b|\bcompensa\b"
            ),
            (
                r"\bqual (?:dos dois |das duas |deles |delas )?(?:e|seria) (?:o |a )?(?:melhor|mais indicad\w+|"
                r"preferivel|mais segur\w+)\b|\bqual (?:biblioteca|opcao|ferramenta|alternativa|banco|"
                r"linguagem)[^?]{0,40} (?:usar|escolher|adotar)\b"
            ),
            r"\bpros e contras\b|\bvantagens e desvantagens\b",
            r"\b(?:recomenda|recomendam|recomende|aconselha|sugere)\b|\be uma boa (?:ideia|escolha|opcao)\b",
            (
                r"\bescolher entre\b|\bdecidir (?:entre|se)\b|\be melhor [^?]{1,60} ou\b|\bme ajude a (?:escolher|"
                r"decidir)\b"
            ),
        ),
        MEDIUM: (r"^compare\b|^comparar\b|^comparacao\b|\bversus\b|\bvs\b",),
        FAINT: (r"\bmelhor (?:do )?que\b",),
    },
}

_DEEP_EN = r"(?:complete|full|comprehensive|in-depth|detailed|thorough|deep|exhaustive|end-to-end|overall)"
_STUDY_EN = (
    r"(?:analysis|overview|review|report|assessment|survey|study|picture|evaluation|investigation|comparison|"
    r"audit|roadmap|dive)"
)
STRATEGIC: dict[Language, Cues] = {
    EN: {
        STRONG: (
            (
                rf"\b{_DEEP_EN} (?:[\w-]+ ){{0,2}}{_STUDY_EN}\b|\b(?:swot|risk|market|portfolio|competitive|competitor|"
                rf"gap) (?:analysis|assessment)\b"
            ),
            rf"^(?:please )?(?:(?:give me|write|prepare|make|create|do) )?(?:an? )?{_STUDY_EN} (?:of|on|about)\b",
            (
                r"\b(?:develop|design|define|create|propose|plan|draft|build|outline) (?:[\w-]+ ){0,3}(?:strategy|"
                r"roadmap|plan|architecture|policy)\b"
            ),
            (
                r"\b(?:what|which) (?:[\w-]+ ){0,4}strategy (?:should|would|for|to)\b|\b(?:long-term|growth|"
                r"go-to-market|migration) (?:strategy|plan)\b|\broadmap\b"
            ),
            r"^(?:please )?(?:analy[sz]e|assess|evaluate|audit|investigate|research|survey)\b",
            r"\bcompare (?:all|several|many|every|multiple)\b|\bcompare [^?,]+,[^?]+\b(?:and|with|to)\b",
            r"\bhow (?:should|shall) (?:we|our \w+) (?:best )?(?:plan|organi[sz]e|migrate|roll out|phase)\b",
        ),
        MEDIUM: (r"^(?:please )?(?:optimi[sz]e|improve|redesign|refactor|modernize|migrate|scale)\b",),
        WEAK: (
            r"\bstate of the art\b|\blandscape of\b|\b(?:industry )?best practices\b",
            r"\bforecast\b|\bprojections?\b|\bimplications of\b|\boverview\b",
        ),
    },
    PT: {
        STRONG: (
            (
                r"\b(?:analise|avaliacao|visao|revisao|panorama|relatorio|estudo|levantamento|comparacao) (?:completa|"
                r"completo|geral|detalhad\w|profund\w|abrangente|de risco|de mercado|d[aoe]s? portfolio)\b"
            ),
            (
                r"^(?:faca |prepare |escreva |quero |gere )?(?:uma? )?(?:analise|avaliacao|panorama|relatorio|"
                r"levantamento|diagnostico|visao geral) d[aoe]s?\b"
            ),
            (
                r"\b(?:estrategia (?:de|para)|roteiro (?:de|para)|plano de (?:acao|migracao|negocios|longo prazo)|"
                r"planejamento)\b"
            ),
            (
                r"^(?:analise|avalie|audite|investigue|pesquise|mapeie)\b|\bcompare (?:tod[ao]s|vari[ao]s|"
                r"divers[ao]s)\b|\bcompare [^?,]+,[^?]+ e\b"
            ),
            r"\bcomo devemos (?:planejar|planear|organizar|migrar)\b",
        ),
        MEDIUM: (r"^(?:otimize|melhore|refatore|redesenhe|migre)\b|\bprojecao\b",),
        WEAK: (r"\bestado da arte\b|\b(?:boas|melhores) praticas\b|\bimplicacoes\b",),
    },
}

PLAIN: dict[Language, str] = {
    EN: (
        r"^(?:and |so |but |in |on |at |for |during |according )?[^?]*\b(?:what|who|whom|whose|when|where|which|"
        r"why|how (?:do|does|did|can|to|many|much|old|long|far|is|are|was|were))\b"
    ),
    PT: (
        r"\b(?:o que|qual|quais|quem|quando|onde|por que|quant[oa]s?|como (?:faco|fazer|se|posso|funciona\w*|usar|"
        r"e|foi))\b"
    ),
}
"""Forms of a question that looks a fact up; they add to the factual reading."""

RECENT_FROM = 2025
"""Years from here on may still be changing, where nobody tells what year it is: judgements have no clock."""

_TIMELY: dict[Language, str] = {
    EN: (
        r"\b(?:latest|newest|most recent|recently|currently|today|tonight|nowadays|right now|as of now|up[- ]to[- "
        r"]date|at the moment|this (?:week|month|quarter|year)|upcoming|so far this|breaking news|stock price|"
        r"exchange rate|weather (?:in|today|forecast))\b|(?<!electric )(?<!alternating )(?<!direct )(?<!ocean "
        r")\bcurrent (?!(?:working )?director|time zone|through|flow)(?=\w)"
    ),
    PT: (
        r"\b(?:atual|atuais|atualmente|hoje|agora|ultim[ao]s? (?:versao|noticias?|lancamentos?|novidades?|dados)|"
        r"mais recentes?|recentemente|neste momento|est[ea] (?:semana|mes|ano|trimestre)|nest[ea] (?:semana|mes|"
        r"ano)|cotacao|previsao do tempo)\b"
    ),
}
_YEAR = re.compile(r"\b(20\d\d)\b")


@dataclass(frozen=True)
class Typed:
    """A query type, and by how much it leads (0..1)."""

    query_type: QueryType
    margin: float


@lru_cache(maxsize=2_000)
def classify(text: str, language: Language) -> Typed:
    """The query type of ``text``: the kind whose cues weigh most, factual where nothing tells."""
    folded = fold(text.lower()).strip(" \t\n¿¡\"'")
    scores = {QueryType.FACTUAL: DEFAULT + 0.5 * bool(re.search(PLAIN[language], folded))}
    kinds = ((QueryType.OPERATIONAL, OPERATIONAL), (QueryType.DECISION, DECISION), (QueryType.STRATEGIC, STRATEGIC))
    for kind, cues in kinds:
        scores[kind] = _weigh(folded, cues[language])
    ranked = sorted(scores, key=lambda kind: -scores[kind])
    lead = scores[ranked[0]] - scores[ranked[1]]
    return Typed(ranked[0], min(1.0, max(0.0, lead / CLEAR_LEAD)))


def _weigh(folded: str, cues: Cues) -> float:
    """The weight of ``cues`` in a text: the heaviest counts fully, each other one a quarter."""
    found = [weight for weight, group in cues.items() for cue in group if re.search(cue, folded)]
    return sum(weight * (1.0 if place == 0 else 0.25) for place, weight in enumerate(sorted(found, reverse=True)))


def time_sensitive(
    text: str, language: Language, query_type: QueryType = QueryType.FACTUAL, today: date | None = None
) -> bool:
    """Whether the answer may have changed lately: words of now, a year that is not over, or a question about a current
    state."""
    if query_type is QueryType.OPERATIONAL or re.search(_TIMELY[language], fold(text.lower())):
        return True
    recent_from = today.year if today else RECENT_FROM
    return any(int(year) >= recent_from for year in _YEAR.findall(text))
