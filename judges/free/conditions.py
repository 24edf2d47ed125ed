"""What a request demands of an answer: must-haves, must-nots, constraints. English and Portuguese.

Kinds of attributes: ``keyword`` and ``phrase`` (words of a passage), ``source`` (a source by name), ``domain`` (of its
address), ``year`` (of publication) and ``since`` (the earliest such year).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from calibrant.judges.free.terms import EN, PT, identifiers, quoted
from calibrant.judges.free.text import content_words, sentences
from calibrant.state.base import unique
from calibrant.state.task import Attribute, Language

SOURCES: dict[str, str] = {
    "github": "github", "stack overflow": "stackoverflow", "stackoverflow": "stackoverflow", "arxiv": "arxiv",
    "wikipedia": "wikipedia", "wikipédia": "wikipedia", "youtube": "youtube", "official docs": "docs",
    "official documentation": "docs", "the docs": "docs", "the documentation": "docs", "documentação oficial": "docs",
    "documentação": "docs", "the web": "web", "a web": "web", "my documents": "knowledge", "my notes": "knowledge",
    "my files": "knowledge", "the knowledge base": "knowledge", "meus documentos": "knowledge",
    "minhas notas": "knowledge", "base de conhecimento": "knowledge",
}  # fmt: skip
"""How people name a source, and its name here."""

LONGEST_PHRASE = 8
"""Longer quotations are rarely repeated word for word."""

_SOURCE = "(?P<source>" + "|".join(sorted(map(re.escape, SOURCES), key=len, reverse=True)) + r")\b"
_DOMAIN = r"(?P<domain>(?:[a-z0-9-]+\.)+(?:com|org|net|edu|gov|io|dev|ai|info|br|pt|uk|de|eu)(?:\.[a-z]{2})?)\b"
_PLACE = rf"(?:{_SOURCE}|{_DOMAIN})"
ONLY_FROM: dict[Language, tuple[str, ...]] = {
    EN: (
        rf"\b(?:only|just|exclusively|solely) (?:from|on|in|at|use|using|search|via)? ?{_PLACE}",
        rf"\b(?:from|on|in|using|use|search) {_PLACE} (?:only|alone|exclusively)",
    ),
    PT: (
        rf"\b(?:só|somente|apenas|exclusivamente) (?:d[oae]s?|n[oae]s?|em|use|usando)? ?{_PLACE}",
        rf"\b(?:d[oae]|n[oae]|em|usando) {_PLACE} (?:só|somente|apenas)",
    ),
}
NOT_FROM: dict[Language, tuple[str, ...]] = {
    EN: (
        rf"\b(?:not|nothing|never|except|excluding|ignore|ignoring|avoid|without) (?:from|on|in|using|use)? ?{_PLACE}",
    ),
    PT: (rf"\b(?:não|nada|exceto|ignore|ignorando|evite|sem|menos) (?:d[oae]|n[oae]|em|usar|use)? ?{_PLACE}",),
}

_WORD = r"[^\s,;:?!]+"
_STOPS_EN = r"(?:and|or|nor|but|that|which|in|on|for|with|to|from|by|is|are|at|if|when)"
_STOPS_PT = r"(?:e|ou|nem|mas|que|em|no|na|para|com|de|do|da|por|é|se|quando)"
_OBJECT_EN = rf"(?:an? |the |any )?(?P<value>{_WORD}(?: (?!{_STOPS_EN}\b){_WORD})?)"
_OBJECT_PT = rf"(?:uma? |o |a |os |as )?(?P<value>{_WORD}(?: (?!{_STOPS_PT}\b){_WORD})?)"
_LIST_TAIL = (
    rf"(?P<more>(?:(?:, {_WORD})*,? (?:or|nor|ou|nem) {_WORD}|(?:, {_WORD})*,? (?:and|e) {_WORD}(?=\s*(?:[,.;?!]|$)))?)"
)
EXCLUDED: dict[Language, tuple[str, ...]] = {
    EN: (
        rf"\b(?:excluding|except(?: for)?|(?:do not|don't) include|leave out|without using) {_OBJECT_EN}{_LIST_TAIL}",
    ),
    PT: (
        rf"\b(?:excluindo|exceto|com exceção de|não inclua|sem usar) {_OBJECT_PT}{_LIST_TAIL}",
    ),
}  # fmt: skip
"""What follows these is never wanted, whatever the request."""

EXCLUDED_IN_SEARCH: dict[Language, str] = {
    EN: rf"(?:\b(?:other than|but not|and not|must not (?:be|have|include|contain|mention|use))|, not) {_OBJECT_EN}{_LIST_TAIL}",
    PT: (
        rf"(?:\b(?:fora|salvo|mas não|e não|não (?:pode|deve)m? (?:ser|ter|conter|incluir|usar))|, não) {_OBJECT_PT}{_LIST_TAIL}"
    ),
}
"""What follows these is not wanted of a search; in a question they only narrow it."""


WITHOUT: dict[Language, str] = {EN: rf"\bwithout {_OBJECT_EN}{_LIST_TAIL}", PT: rf"\bsem {_OBJECT_PT}{_LIST_TAIL}"}
"""A must-not in a search ("hamsters without cages"); in a question it may be the very subject ("open a file without closing
it"), so there only something with a name of its own is excluded."""

NOT_WHICH: dict[Language, str] = {
    EN: rf"(?<=[a-z]) not {_OBJECT_EN}{_LIST_TAIL}",
    PT: rf"(?<=[a-zà-ÿ]) não {_OBJECT_PT}{_LIST_TAIL}",
}
"""A bare "not" excludes only in a search: "live animals not toys"."""

REQUIRED: dict[Language, str] = {
    EN: rf"\b(?:must|has to|have to|needs? to) (?:be|have|include|contain|mention|cover|support) {_OBJECT_EN}",
    PT: rf"\b(?:deve|devem|tem que|têm que|precisa|precisam) (?:ser|estar|ter|incluir|conter|mencionar|suportar) {_OBJECT_PT}",
}
_MATERIAL = {
    EN: r"(?:papers?|articles?|studies|study|sources?|posts?|reports?|publications?|documents?|releases?|news|results|research|published|written|released|dated)",
    PT: r"(?:artigos?|estudos?|fontes?|publicações|publicação|relatórios?|documentos?|notícias|resultados|publicad[ao]s?|escrit[ao]s?|lançad[ao]s?)",
}  # fmt: skip
_FROM_YEAR = {EN: r"(?:since|after|from|newer than)", PT: r"(?:desde|após|depois de|a partir de)"}
_IN_YEAR = {EN: r"(?:in|from|of|only)", PT: r"(?:em|de|só de|apenas de)"}

SEARCH: dict[Language, str] = {
    EN: r"^(?:please |can you |could you |i want (?:you )?to |i need (?:you )?to )*(?:find|list|show|search|look|get|give|suggest|recommend|collect|gather|buy|name|i (?:want|need))\b",
    PT: r"^(?:por favor,? |você pode |pode |quero |preciso )*(?:encontre|encontrar|ache|liste|listar|mostre|busque|buscar|procure|procurar|pesquise|dê|me dê|sugira|recomende|reúna|comprar)\b",
}  # fmt: skip
"""A request to collect things, not a question about one."""


@dataclass(frozen=True)
class Conditions:
    """The conditions that a request states."""

    must_have: tuple[Attribute, ...] = ()
    must_not: tuple[Attribute, ...] = ()
    constraints: tuple[str, ...] = ()


def conditions(text: str, language: Language) -> Conditions:
    """The typed conditions of ``text``; ``constraints`` are the same, and the softer ones, in its own words."""
    wanted = tuple(_wanted(text, language))
    unwanted = tuple(item for item in _unwanted(text, language) if item not in wanted)
    return Conditions(
        unique(wanted), unique(unwanted), _told_apart((*_matches(text, language), *_soft(text, language)))
    )


def _told_apart(phrases: tuple[str, ...]) -> tuple[str, ...]:
    """``phrases`` without those that only repeat another with more or fewer words around it."""
    kept: list[str] = []
    for phrase in (phrase.strip(" ,.") for phrase in phrases):
        if not any(phrase in other or other in phrase for other in kept):
            kept.append(phrase)
    return tuple(kept)


def _stated(text: str, language: Language) -> Iterator[str]:
    """The sentences that state or search, not ask: "must" and "other than" in a question are part of what it asks."""
    yield from (sentence.text for sentence in sentences(text) if is_search(sentence.text, language))


def _wanted(text: str, language: Language) -> Iterator[Attribute]:
    for pattern in ONLY_FROM[language]:
        yield from (_place(match) for match in re.finditer(pattern, text, re.IGNORECASE))
    for match in re.finditer(r"(?<![-\w])site:(\S+)", text, re.IGNORECASE):
        yield Attribute(kind="domain", value=match.group(1).lower().strip("/.,"))
    for sentence in _stated(text, language):
        for match in re.finditer(REQUIRED[language], sentence, re.IGNORECASE):
            yield from _keywords(match["value"], language)
    for term in quoted(text):
        if len(term.text.split()) <= LONGEST_PHRASE:
            yield Attribute(kind="phrase", value=term.text)
    yield from _years(text, language)


def _years(text: str, language: Language) -> Iterator[Attribute]:
    """Years of publication: a year counts as one only beside a word for published material."""
    near = rf"\b{_MATERIAL[language]}\b[^.?!]{{0,40}}?\b"
    for match in re.finditer(
        rf"{near}{_FROM_YEAR[language]} (?P<year>(?:19|20)\d\d)\b(?! ?(?:-|to|a) ?\d)", text, re.I
    ):
        exact = re.search(r"\bfrom (?:19|20)\d\d$", match.group(), re.I) is not None
        yield Attribute(kind="year" if exact else "since", value=match["year"])
    for match in re.finditer(rf"{near}{_IN_YEAR[language]} (?P<year>(?:19|20)\d\d)\b", text, re.I):
        yield Attribute(kind="year", value=match["year"])


def _unwanted(text: str, language: Language) -> Iterator[Attribute]:
    for pattern in NOT_FROM[language]:
        yield from (_place(match) for match in re.finditer(pattern, text, re.IGNORECASE))
    for match in re.finditer(r"(?<!\w)-site:(\S+)", text, re.IGNORECASE):
        yield Attribute(kind="domain", value=match.group(1).lower().strip("/.,"))
    for match in re.finditer(r"(?<=\s)-(?!site:)([^\W\d_][\w-]+)", text):
        yield Attribute(kind="keyword", value=match.group(1).lower())
    for pattern in EXCLUDED[language]:
        yield from _excluded(pattern, text, language)
    for sentence in _stated(text, language):
        for pattern in (WITHOUT[language], NOT_WHICH[language], EXCLUDED_IN_SEARCH[language]):
            yield from _excluded(pattern, sentence, language)
    yield from _excluded(WITHOUT[language], text, language, named_only=True)


def _excluded(pattern: str, text: str, language: Language, named_only: bool = False) -> Iterator[Attribute]:
    for match in re.finditer(pattern, text, re.IGNORECASE):
        values = [match["value"], *re.split(r",|\b(?:or|and|nor|ou|e|nem)\b", match["more"] or "")]
        for value in values:
            if _is_place(value) or (named_only and not _has_name(value)):
                continue
            yield from _keywords(value, language)


def _has_name(value: str) -> bool:
    return bool(identifiers(value)) or value[:1].isupper()


def _is_place(value: str) -> bool:
    return re.match(rf"(?:(?:from|on|in|using|use|do|da|no|na) )?{_PLACE}", value.strip(), re.IGNORECASE) is not None


def _keywords(value: str, language: Language) -> Iterator[Attribute]:
    """The words of a condition, as one keyword (its order kept): "live animals", "GPL"."""
    words = content_words(value, language)
    if words:
        yield Attribute(kind="keyword", value=" ".join(words))


def _place(match: re.Match[str]) -> Attribute:
    if match["source"]:
        return Attribute(kind="source", value=SOURCES[match["source"].lower()])
    return Attribute(kind="domain", value=match["domain"].lower())


def is_search(text: str, language: Language) -> bool:
    """Whether ``text`` asks to collect things, or is a bare phrase to search for."""
    stripped = text.strip()
    asks = stripped.endswith("?") or re.match(ASKING, stripped, re.IGNORECASE)
    return re.match(SEARCH[language], stripped.lower()) is not None or not asks


ASKING = (
    r"(?:and |so |but |e |mas )?(?:what|who|whom|whose|when|where|which|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|"
    r"have|explain|tell|o que|qual|quais|quem|quando|onde|por que|como|quant[oa]s?|explique|devo|posso)\b"
)  # fmt: skip

_SOFT: dict[Language, str] = {
    EN: r"\b(?:in (?:less|fewer|under|no more) than [^,.?!;:]+|within [^,.?!;]{3,40}|under \$?\d[\w.]*|at most [^,.?!;:]+|without [^,.?!;:]+|only [^,.?!;:]+|using [^,.?!;:]+|in (?:python|java|javascript|go|rust|sql|english|portuguese)\b(?: \d[\d.]*)?|for beginners|step by step|briefly|in detail)",
    PT: r"\b(?:em menos de [^,.?!;:]+|dentro de [^,.?!;]{3,40}|no máximo [^,.?!;:]+|sem [^,.?!;:]+|(?:apenas|somente) [^,.?!;:]+|usando [^,.?!;:]+|em (?:python|java|javascript|go|rust|sql|inglês|português)\b(?: \d[\d.]*)?|para iniciantes|passo a passo|resumidamente|em detalhes)",
}  # fmt: skip


def _soft(text: str, language: Language) -> Iterator[str]:
    yield from (match.group() for match in re.finditer(_SOFT[language], text, re.IGNORECASE))


def _matches(text: str, language: Language) -> Iterator[str]:
    """The stated conditions as they stand in the text."""
    for pattern in (
        *ONLY_FROM[language],
        *NOT_FROM[language],
        *EXCLUDED[language],
        EXCLUDED_IN_SEARCH[language],
        REQUIRED[language],
    ):
        yield from (match.group() for match in re.finditer(pattern, text, re.IGNORECASE))
