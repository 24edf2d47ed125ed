"""Steps hidden in one question: "the population of each of the five largest states" needs the states first."""

import re

from calibrant.judges.free.request.part_cues import WHAT_ARE
from calibrant.judges.free.words.numbers import ANY_NUMBER_WORD
from calibrant.judges.free.words.terms import names, quoted
from calibrant.state.task import EN, PT, Language

Draft = tuple[str, tuple[int, ...]]
"""A part of a request and the places (from 0) of the parts that it waits for."""

_N = rf"(?:\d{{1,3}}|(?!one\b|uma?\b)(?:{ANY_NUMBER_WORD}))"
"""How many are in a set: "the first one" is none."""
_TIMES = (
    r"(?:second|minute|hour|day|night|week|month|quarter|year|decade|centur(?:y|ie)|season)s?"
    r"|segundos|minutos|horas|dias|noites|semanas|meses|trimestres|anos|décadas|séculos"
)
"""What is no set of things: "in the last two weeks"."""

EACH: dict[Language, tuple[str, ...]] = {
    EN: (
        r"^(?P<ask>.{6,}?)\b(?:for|of|in|by|from|on|at) (?:each|every one|all) of (?P<things>the [^?]{4,})$",
        (
            rf"^(?P<ask>.{{6,}}?)\b(?:for|of|in|by|from) (?P<things>the (?:top|first|last|latest|past) {_N} "
            rf"(?!(?:{_TIMES})\b)[^?]{{4,}})$"
        ),
        rf"^(?P<ask>.{{6,}}?)\b(?:for|of|in|by|from) (?P<things>the {_N} (?:most|least|largest|biggest|"
        rf"smallest|highest|tallest|longest|oldest|"
        r"newest|richest|fastest|best|worst|deadliest|busiest|[\w-]+est)[^?]{4,})$",
        (
            r"^(?P<ask>.{6,}?)\b(?:for|of|in) each (?P<things>[\w-]+ (?:that|who|which|whose|in|on|of|from|"
            r"with)\b[^?]{4,})$"
        ),
    ),
    PT: (
        r"^(?P<ask>.{6,}?)\b(?:d[eo]|para|em) cada (?:um|uma) d(?P<things>[oa]s [^?]{4,})$",
        (
            rf"^(?P<ask>.{{6,}}?)\bd(?P<things>[oa]s (?:{_N} )?(?:primeir[oa]s|últim[oa]s|maiores|menores|"
            rf"melhores) (?!(?:{_N} )?(?:{_TIMES})\b)[^?]{{4,}})$"
        ),
    ),
}
"""A thing wanted of each member of a set that has to be found first."""

BRIDGE: dict[Language, str] = {
    EN: (
        r"^(?P<ask>.{3,}?)\b(?P<one>the (?:[\w-]+ ){0,3}?(?:man|woman|person|actor|actress|director|author|"
        r"writer|singer|musician|band|"
        r"player|footballer|politician|artist|composer|company|film|movie|book|novel|song|album|series|show|"
        r"city|country|state|team|"
        r"university|school|magazine|river|mountain|island|character|fighter|racer|scientist|poet|king|queen|"
        r"president|founder|creator|"
        r"producer|architect|company)s? (?:who|that|which|whose|in which|where|for which) [^?]{8,})$"
    ),
    PT: (
        r"^(?P<ask>.{3,}?)\b(?P<one>[oa] (?:homem|mulher|pessoa|ator|atriz|diretora?|autora?|escritora?|"
        r"cantora?|banda|empresa|filme|"
        r"livro|romance|música|álbum|série|cidade|país|estado|time|universidade|revista|rio|rei|rainha|"
        r"presidente|fundadora?) "
        r"(?:que|cuj[oa]|em que|onde) [^?]{8,})$"
    ),
}
"""A thing wanted of somebody or something that is only described: that has to be found first."""

_ROLE_EN = (
    r"(?:director|author|writer|wife|husband|mother|father|son|daughter|brother|sister|spouse|founder|creator|"
    r"composer|lead singer|"
    r"producer|star|owner|successor|predecessor|grandmother|grandfather|president|mayor|ceo|leader|captain|"
    r"coach|capital|birthplace)"
)
CHAIN: dict[Language, str] = {
    EN: (
        rf"\b(?:of|by|did|does|is|was|has|were|from) (?P<one>the (?:[\w-]+ ){{0,2}}{_ROLE_EN} of (?:the "
        rf")?(?P<whose>[^?]{{3,160}}))"
    ),
    PT: (
        r"\bd(?P<one>[oa] (?:diretora?|autora?|esposa|marido|mãe|pai|filh[oa]|irmã[o]?|fundadora?|presidente|"
        r"capital) d[aoe]s? (?P<whose>[^?]{3,160}))"
    ),
}
"""A thing wanted of somebody who is named by an office or a kinship: "where was the wife of X born"."""

SUSPICIOUS: dict[Language, str] = {
    EN: (
        r"\b(?:who|that|which|whose|where) (?:\w+ ){0,4}(?:who|that|which|whose|where)\b|, (?:who|whose|which|where) |"
        rf"\b{_ROLE_EN} of the [^?]*\b(?:of|who|that|in which)\b|\b(?:same|more|less|fewer|older|younger|"
        rf"larger|earlier|later|first) "
        r"[^?]*\b(?:or|than|as)\b|\b(?:each|every|both) (?:of )?(?:the|their|them)\b|\bin common\b|\b(?:whose|"
        r"in which|for which|after which) "
        r"[^?]{15,}|^(?:would|could) (?!you\b|it\b|i\b|we\b)[^?]{10,}"
    ),
    PT: (
        r"\b(?:que|cuj[oa]|onde) (?:\w+ ){0,4}(?:cuj[oa]|onde)\b|, (?:que|cuj[oa]|onde|o qual|a qual) [^?]{10,}|"
        r"\b(?:mesm[oa]|maior|menor|mais|menos) [^?]*\b(?:ou|do que)\b|\bem comum\b|\bcada (?:um|uma)\b|\bambos\b"
    ),
}


def hops(clause: str, language: Language) -> list[Draft]:
    """What has to be found first, then the question itself, which waits for it; empty if one step is enough."""
    first = _each(clause, language) or _bridge(clause, language) or _chain(clause, language)
    return [(first, ()), (clause, (0,))] if first else []


def _each(clause: str, language: Language) -> str:
    for pattern in EACH[language]:
        found = re.match(pattern, clause, re.IGNORECASE)
        if found and not re.search(
            r"\b(?:one|some|many|any|all|which|most|names?|nomes?|title|list) $", found["ask"], re.I
        ):
            return f"{WHAT_ARE[language]} {found['things']}"
    return ""


_NOT_ABOUT: dict[Language, str] = {
    EN: r"\b(?:name|names|title) of $|^(?:who|what|which) (?:is|was|are|were) $",
    PT: r"\b(?:nomes?|título) d[aoe]s? $|^(?:quem|qual|o que) (?:é|foi|são) $",
}
"""Asking this of what is described asks for the thing itself: one step is enough."""


def _bridge(clause: str, language: Language) -> str:
    """The question for what is only described, when the description names something to find it by."""
    found = re.match(BRIDGE[language], clause, re.IGNORECASE)
    if found is None or not _findable(found["one"]) or re.search(_NOT_ABOUT[language], found["ask"], re.IGNORECASE):
        return ""
    return _first(found["one"], found["ask"], language)


def _chain(clause: str, language: Language) -> str:
    """The question for somebody who is named by an office or a kinship."""
    found = re.search(CHAIN[language], clause, re.IGNORECASE)
    if found is None or not _findable(found["one"]):
        return ""
    ask = clause[: found.start("one")]
    return "" if re.search(_NOT_ABOUT[language], ask, re.IGNORECASE) else _first(found["one"], ask, language)


def _findable(one: str) -> bool:
    return bool(names(one) or quoted(one))


_PEOPLE = (
    r"\b(?:man|men|woman|women|person|people|act\w+|direct\w+|auth\w+|writers?|sing\w+|musicians?|players?|"
    r"\w+baller|politicians?|"
    r"artists?|composers?|wife|husband|mother|father|son|daughter|brother|sister|spouse|founder|creator|king|"
    r"queen|president|ceo|mayor|"
    r"fighter|racer|scientists?|poets?|producers?|leader|captain|coach|grand\w+|homem|mulher|pessoa|ator|"
    r"atriz|diretora?|autora?|"
    r"escritora?|cantora?|rei|rainha|presidente|fundadora?|esposa|marido|mãe|pai|filh[oa]|irmão?)\b"
)
_RELATIVE = r" (?:who|that|which|whose|in which|where|of|que|cuj[oa]|d[aoe]s?) "


def _first(one: str, ask: str, language: Language) -> str:
    """The question that finds ``one``, without the verb of the main clause that may trail it ("... for Manru born")."""
    if re.search(r"\b(?:was|were|is|are|did|does|do|has|have) $", ask, re.IGNORECASE):
        one = re.sub(r"(?<=[\w\"”']) (?:[a-z]+)(?: (?:in|as|for|at|to|by|on))?$", "", one)
    head = re.split(_RELATIVE, one, maxsplit=1)[0]
    person = re.search(_PEOPLE, head, re.IGNORECASE) is not None
    several = head.endswith("s") and not head.endswith("ss") and not head.endswith("series")
    if language is PT:
        return f"{'Quem' if person else 'Qual'} é {one}"
    return f"{'Who' if person else 'What'} {'are' if several else 'is'} {one}"


def suspicious(text: str, language: Language) -> bool:
    """Whether a question that was left whole looks as if it needed several steps."""
    return len(text.split()) >= 7 and re.search(SUSPICIOUS[language], text, re.IGNORECASE) is not None


DESCRIBES: dict[Language, str] = {
    EN: (
        r"^\W*(?:\w+\W+){2,}?(?:what|which|whom|whose|who|that|where)\b|\bwith (?:its|his|her|their)\b|"
        r"\b(?:the|this|these|an?) (?:[\w-]+ ){0,3}(?:named|called|nicknamed|known as|born|led|worked|played|starring|"
        r"directed|written|composed)\b"
    ),
    PT: (
        r"^\W*(?:\w+\W+){2,}?(?:que|qual|quais|quem|cuj[oa]s?|onde)\b|\bcom (?:seu|sua|seus|suas)\b|"
        r"\b(?:[oa]s?|um|uma|est[ea]s?) (?:[\w-]+ ){0,3}(?:chamad[oa]|conhecid[oa]|nascid[oa]|dirigid[oa]|escrit[oa]|"
        r"compost[oa])\b"
    ),
}
"""A thing that is described within the question, or a question word after other words: "is in what airport"."""


def takes_steps(text: str, language: Language) -> bool:
    """Whether a question may need a page to learn who or what is meant, and another one for what is asked of it."""
    return suspicious(text, language) or re.search(DESCRIBES[language], text, re.IGNORECASE) is not None
