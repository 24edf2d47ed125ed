"""How people state conditions: the phrases, as patterns, in English and Portuguese."""

import re

from calibrant.state.task import EN, PT, Language

SOURCES: dict[str, str] = {
    "github": "github",
    "stack overflow": "stackoverflow",
    "stackoverflow": "stackoverflow",
    "arxiv": "arxiv",
    "wikipedia": "wikipedia",
    "wikipédia": "wikipedia",
    "youtube": "youtube",
    "official docs": "docs",
    "official documentation": "docs",
    "the docs": "docs",
    "the documentation": "docs",
    "documentação oficial": "docs",
    "documentação": "docs",
    "the web": "web",
    "a web": "web",
    "my documents": "knowledge",
    "my notes": "knowledge",
    "my files": "knowledge",
    "the knowledge base": "knowledge",
    "meus documentos": "knowledge",
    "minhas notas": "knowledge",
    "base de conhecimento": "knowledge",
}
"""How people name a source, and its name here."""

LONGEST_PHRASE = 8
"""Longer quotations are rarely repeated word for word."""

_SOURCE = (
    "(?P<source>"
    + "|".join(sorted(map(re.escape, SOURCES), key=len, reverse=True))
    + r")\b(?! (?:app|console|gui|interface|page|server|site|ui|view)s?\b)"
)
"""A source by its name, and no part of a program: the web interface."""
_DOMAIN = r"(?P<domain>(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|dev|ai|info|br|pt|uk|de|eu)(?:\.[a-z]{2})?)\b"
PLACE = rf"(?:{_SOURCE}|{_DOMAIN})"
ONLY_FROM: dict[Language, tuple[str, ...]] = {
    EN: (
        rf"\b(?:only|just|exclusively|solely) (?:from|on|in|at|use|using|search|via)? ?{PLACE}",
        rf"\b(?:from|on|in|using|use|search) {PLACE} (?:only|alone|exclusively)",
    ),
    PT: (
        rf"\b(?:só|somente|apenas|exclusivamente) (?:d[oae]s?|n[oae]s?|em|use|usando)? ?{PLACE}",
        rf"\b(?:d[oae]|n[oae]|em|usando) {PLACE} (?:só|somente|apenas)",
    ),
}
NOT_FROM: dict[Language, str] = {
    EN: (
        r"(?<!\bis )(?<!\bare )(?<!\bwas )(?<!\bwere )"
        rf"\b(?:not|nothing|never|except|excluding|ignore|ignoring|avoid|without) (?:from|on|in|using|use)? ?{PLACE}"
    ),
    PT: rf"\b(?:não|nada|exceto|ignore|ignorando|evite|sem|menos) (?:d[oae]|n[oae]|em|usar|use)? ?{PLACE}",
}

_WORD = r"[^\s,;:?!]+"
_STOPS_EN = r"(?:and|or|nor|but|that|which|in|on|for|with|to|from|by|is|are|at|if|when)"
_STOPS_PT = r"(?:e|ou|nem|mas|que|em|no|na|para|com|de|do|da|por|é|se|quando)"
_OBJECT_EN = rf"(?:an? |the |any )?(?P<value>{_WORD}(?:(?<!\.) (?!{_STOPS_EN}\b){_WORD})?)"
_OBJECT_PT = rf"(?:uma? |o |a |os |as )?(?P<value>{_WORD}(?:(?<!\.) (?!{_STOPS_PT}\b){_WORD})?)"
_LIST_TAIL = (
    rf"(?P<more>(?:(?:, {_WORD})*,? (?:or|nor|ou|nem) {_WORD}|(?:, {_WORD})*,? (?:and|e) {_WORD}(?=\s*(?:[,.;?!]|$)))?)"
)
_BEGINS = r"(?<=[.;!?] )"
"""Where an order begins beside what is asked: "how do I exclude a file" gives none."""
EXCLUDED: dict[Language, str] = {
    EN: (
        rf"(?:\b(?:excluding|except(?: for)?|(?:do not|don't) include|leave out|without using)"
        rf"|{_BEGINS}(?:please )?exclude) {_OBJECT_EN}{_LIST_TAIL}"
    ),
    PT: (
        rf"(?:\b(?:excluindo|exceto|com exceção de|não inclua|sem usar)|{_BEGINS}exclua) "
        rf"{_OBJECT_PT}{_LIST_TAIL}"
    ),
}
"""What follows these is never wanted, whatever the request."""

EXCLUDED_IN_SEARCH: dict[Language, str] = {
    EN: (
        rf"(?:\b(?:other than|but not|and not|must not (?:be|have|include|contain|mention|use))|, not) "
        rf"{_OBJECT_EN}{_LIST_TAIL}"
    ),
    PT: (
        rf"(?:\b(?:fora|salvo|mas não|e não|não (?:pode|deve)m? (?:ser|ter|conter|incluir|usar))|, não) "
        rf"{_OBJECT_PT}{_LIST_TAIL}"
    ),
}
"""What follows these is not wanted of a search; in a question they only narrow it."""


WITHOUT: dict[Language, str] = {EN: rf"\bwithout {_OBJECT_EN}{_LIST_TAIL}", PT: rf"\bsem {_OBJECT_PT}{_LIST_TAIL}"}
"""A must-not in a search ("hamsters without cages"); in a question it may be the very subject ("open a file without
closing it"), so there only something with a name of its own is excluded."""

_HELPS = """
do does did is are was were am be been has have had can could will would should may might must
"""
_NO_VERB_BEFORE = "".join(rf"(?<!\b{verb})" for verb in _HELPS.split())
_STATE = r"(?:\w+(?:ed|ing)|found|known|seen|sent|shown|there|here|yet)\b"
NOT_WHICH: dict[Language, str] = {
    EN: rf"(?<=[a-z]){_NO_VERB_BEFORE} not (?!{_STATE}){_OBJECT_EN}{_LIST_TAIL}",
    PT: rf"(?<=[a-zà-ÿ]) não (?=\w+s\b){_OBJECT_PT}{_LIST_TAIL}",
}
"""A bare "not" excludes only in a search ("live animals not toys"), and not where it tells what is wrong ("the client
does not connect", "mail not received")."""

_EMPTY_EN = r"(?:able|possible|capable|allowed|sure|certain|aware|careful|used|done|made|been)"
_EMPTY_PT = r"(?:capaz|capazes|possível|possíveis|permitid[ao]s?|usad[ao]s?|feit[ao]s?|cert[ao]s?)"
"""Words that demand nothing of a passage: "we must be able to replay"."""
REQUIRED: dict[Language, str] = {
    EN: (
        rf"\b(?:must|has to|have to|needs? to) (?:be|have|include|contain|mention|cover|support) "
        rf"(?!{_EMPTY_EN}\b){_OBJECT_EN}"
    ),
    PT: (
        rf"\b(?:deve|devem|tem que|têm que|precisa|precisam) (?:ser|estar|ter|incluir|conter|mencionar|suportar) "
        rf"(?!{_EMPTY_PT}\b){_OBJECT_PT}"
    ),
}
MATERIAL = {
    EN: (
        r"(?:papers?|articles?|studies|study|sources?|posts?|reports?|publications?|documents?|releases?|news|"
        r"results|research|published|written|released|dated)"
    ),
    PT: (
        r"(?:artigos?|estudos?|fontes?|publicações|publicação|relatórios?|documentos?|notícias|resultados|"
        r"publicad[ao]s?|escrit[ao]s?|lançad[ao]s?)"
    ),
}
FROM_YEAR = {EN: r"(?:since|after|from|newer than)", PT: r"(?:desde|após|depois de|a partir de)"}
IN_YEAR = {EN: r"(?:in|from|of|only)", PT: r"(?:em|de|só de|apenas de)"}

SEARCH: dict[Language, str] = {
    EN: (
        r"^(?:please |can you |could you |i want (?:you )?to |i need (?:you )?to )*(?:find|list|show|search|look|"
        r"get|give|suggest|recommend|collect|gather|buy|name|i (?:want|need))\b"
    ),
    PT: (
        r"^(?:por favor,? |você pode |pode |quero |preciso )*(?:encontre|encontrar|ache|liste|listar|mostre|"
        r"busque|buscar|procure|procurar|pesquise|dê|me dê|sugira|recomende|reúna|comprar)\b"
    ),
}
"""A request to collect things, not a question about one."""


SOFT: dict[Language, str] = {
    EN: (
        r"\b(?:in (?:less|fewer|under|no more) than [^,.?!;:]+|within [^,.?!;]{3,40}|under \$?\d[\w.]*|at most "
        r"[^,.?!;:]+|without [^,.?!;:]+|only [^,.?!;:]+|using [^,.?!;:]+|in (?:python|java|javascript|go|rust|sql|"
        r"english|portuguese)\b(?: \d[\d.]*)?|for beginners|step by step|briefly|in detail)"
    ),
    PT: (
        r"\b(?:em menos de [^,.?!;:]+|dentro de [^,.?!;]{3,40}|no máximo [^,.?!;:]+|sem [^,.?!;:]+|(?:apenas|"
        r"somente) [^,.?!;:]+|usando [^,.?!;:]+|em (?:python|java|javascript|go|rust|sql|inglês|português)\b(?: "
        r"\d[\d.]*)?|para iniciantes|passo a passo|resumidamente|em detalhes)"
    ),
}
