"""What a question is about: what a pronoun in the next one stands for, and what another thing can take the place of.

A thing is a phrase with an article, in all its words ("the band saw", "a caixa de vapor"), that is no property of
something ("the price") and no time ("the weekend").
"""

import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice

from calibrant.judges.free.request.phrases import (
    ARTICLES,
    FUSED,
    PREPOSITIONS,
    Phrase,
    around,
    first_core,
    is_plain,
    marked,
    opened,
)
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.terms import Term, identifiers, names, quoted
from calibrant.judges.free.words.units import MONTHS, UNITS, WEEKDAYS
from calibrant.state.task import EN, PT, Language

_PROPERTIES = word_set(
    "price prices cost costs fee fees rent rate charge deposit discount fine tax name title address location phone "
    "number email size range height width length depth weight age colour color capacity speed volume value limit "
    "maximum minimum date holidays hours opening schedule timetable deadline duration reason purpose cause result "
    "difference population history preço preços custo custos taxa tarifa aluguel caução depósito desconto multa "
    "imposto nome título endereço morada localização telefone número tamanho altura largura comprimento profundidade "
    "peso idade cor capacidade velocidade volume valor limite máximo mínimo data horário horários prazo duração motivo "
    "razão causa resultado diferença população história alcance autonomia"
)
"""Nouns for what is asked of a thing: one beside a thing takes nobody's place, and is not what "it" stands for."""

_TIME_WORDS = """
morning mornings afternoon afternoons evening evenings night nights weekday weekdays weekend weekends summer winter
spring autumn season seasons holiday holidays month year time times
manhã manhãs tarde tardes noite noites fim fins semana verão inverno primavera outono feriado feriados férias mês
"""
_TIMES = word_set(_TIME_WORDS).union(UNITS, MONTHS, WEEKDAYS)

VERBS = word_set(
    "need cost open close use have work start begin end finish take run hold belong require include offer allow stay "
    "live sleep eat fit weigh come go leave arrive contain provide sell charge accept return serve help pay get know "
    "want look precisa precisam custa custam abre abrem fecha fecham fica ficam funciona funcionam começa começam "
    "termina terminam dura duram serve servem pertence pertencem cabe cabem vai vão aceita aceitam vende vendem inclui "
    "incluem exige exigem permite permitem oferece oferecem usa usam leva levam vale valem pesa pesam mede medem"
)
"""Verbs that follow their subject: after "does", or in Portuguese anywhere."""

_PREDICATE = re.compile(
    r"open|closed?|shut|free|safe|full|empty|ready|due|available|possible|kept|held|built|made|sold|lost|found|paid"
    r"|sent|done|set|written|known|given|taken|run|\w{3,}(?<!e)ed|\w{3,}[ai]ble",
)
"""What is said of a subject with "is"."""
_ADVERB = re.compile(r"last|first|now|today|yet|then|ever|still|usually|normally|currently|hoje|agora|ainda|\w+mente")
_DO_BEFORE = re.compile(
    r"(?:\b(?:do|does|did|can|could|will|would|shall|should|may|might|must)|\b(?:como|quando|onde|por que))\s+$",
    re.IGNORECASE,
)
"""Before a subject whose verb comes after it: the last plain word behind it is that verb."""
_BE_BEFORE = re.compile(r"\b(?:is|are|was|were|has|have|had)\s+$", re.IGNORECASE)
_BE_FIRST = re.compile(r"^(?:(?:why|how) )?(?:is|are|was|were)\s+$", re.IGNORECASE)
"""Where nothing else was asked of the subject, its last word is what is asked ("Is the band saw safe?")."""
_AUXILIARY = re.compile(r"\s+(?:be|been|have|also|not)\b", re.IGNORECASE)
_COMPLEMENT = re.compile(r"(?:\s+de\s+(?!\d)[^\W\d_][\w-]*)+")
_SETTING = re.compile(r"in|on|at|by|from|to|until|since|during|em|n[oa]s?|desde|até", re.IGNORECASE)
"""Before a name that says where or when something is, where the name has no article ("the office in Porto")."""

TOLD_WITHIN = 1_000
"""Characters in which a question has said what it is about; what comes later is not read for that."""
_COUNTS = re.compile(r"(?:how many|which|quant[oa]s|quais)\b", re.IGNORECASE)
_LINK = ", "
"""What follows a comma has its capitals for another reason than to open a sentence."""

_DOING = re.compile(
    r"^(?:how (?:do|can|could|would|should|to)(?: (?:i|you|we|one))?"
    r"|como (?![oa]s? )(?:eu |se |posso |faço para |fazer para )?) ?\w+ (?P<object>[^?,;:.]+)",
    re.IGNORECASE,
)
_NOUN_NEXT: dict[Language, re.Pattern[str]] = {
    EN: re.compile(
        rf"(?:^(?:who|what) (?!is |are |was |were |do |does |did |can )[a-z]+|\b(?:is|are|was|were|do|does|did)"
        rf"|(?<![\w-]){PREPOSITIONS[EN]})\s+(?=[a-z])",
        re.IGNORECASE,
    ),
    PT: re.compile(rf"(?:\b(?:é|são|foi|foram|era|eram)|(?<![\w-]){PREPOSITIONS[PT]})\s+(?=[a-zà-ÿ])", re.IGNORECASE),
}
"""Where a noun without an article may begin: after a verb or a preposition."""
_ARTICLE = {known: re.compile(rf"(?<![\w-])(?:{ARTICLES[known]}|{'|'.join(FUSED)})\s+", re.IGNORECASE)
            for known in (EN, PT)}  # fmt: skip
_DESCRIBED = re.compile(
    rf"(?<![\w-]){ARTICLES[PT]} (?!que\b)[^\W\d_][\w-]*(?: (?:d[aoe]s? )?[A-ZÀ-Þ][\w-]*)*"
    rf"(?:(?: de [a-zà-ÿ-]++| (?!(?:{'|'.join(sorted(VERBS))}|\w*(?:ou|eu|iu|[ae]m))\b)[a-zà-ÿ-]{{4,}}+)(?=\W*$))?"
)


def subject(text: str, language: Language) -> str:
    """What ``text`` is about, in its own words: what a pronoun in a follow-up stands for. Empty if they do not tell."""
    text = text.strip()[:TOLD_WITHIN]
    doing = _DOING.match(text)
    if doing and not identifiers(text):
        return " ".join(re.split(r" (?:and|e) ", doing["object"])[0].split()[:6])
    named = list(_naming(text))
    if main := next((term for term in named if not is_setting(around(text, term, language), language)), None):
        return _said(_phrase(text, main, language))
    bare = _bare(text, language)
    things = (one for one in _articled(text, language) if not is_time(one.core))
    found = _owner(text, list(islice(things, 2)))
    if bare and (not (found or named) or (found and found.lead and bare.end < found.start and bare.core.endswith("s"))):
        return _said(bare)  # "Are dogs allowed in the yard?" asks of dogs
    if found:
        return _said(found)
    return _said(_phrase(text, named[0], language)) if named else ""


def introduced(fragment: str, language: Language) -> str:
    """What ``fragment`` ("the steam box", "Curlew") brings up by itself: a name or a thing, else empty."""
    text = f"{_LINK}{fragment}"[:TOLD_WITHIN]
    if named := next(_naming(text), None):
        return _said(_phrase(text, named, language))
    found = thing(fragment, language)
    return _said(found) if found else ""


def thing(fragment: str, language: Language) -> Phrase | None:
    """The thing that ``fragment`` begins with, all its words as the core."""
    at = len(_LINK)
    found = next(_things(f"{_LINK}{fragment}", language), None)
    return replace(found, start=0, end=found.end - at) if found and found.start == at else None


def only_thing(text: str, language: Language, like: Phrase | None = None) -> Phrase | None:
    """The one thing that ``text`` asks about, or the one name where it speaks of no thing; all its words are the core.

    Of several things, the one with the kind of article that ``like`` has; where something else is counted ("How many
    hens may the keeper have?"), only such a one. A thing with a preposition may be no more than the place of another
    ("hens on a plot"), unless it is what a property is of ("the deposit for a canoe").
    """
    things, named = list(_things(text, language)), list(islice(_naming(text), 2))
    if like and (len(things) > 1 or _COUNTS.match(text)):
        alike = [one for one in things if _is_definite(one, language) is _is_definite(like, language)]
        return alike[0] if len(alike) == 1 and _is_asked_about(text, alike[0], language) else None
    if things:
        return things[0] if len(things) == 1 and _is_asked_about(text, things[0], language) else None
    if len(named) != 1 or identifiers(text):
        return None
    phrase = around(text, named[0], language)
    found = whole(text, phrase, language)
    return found if found.core == phrase.core and not found.determiner else None


def property_of(text: str, language: Language) -> Phrase | None:
    """The one property that ``text`` asks for, or is, in all its words; what else it speaks of are things."""
    found = [one for one in _articled(f"{_LINK}{text}", language) if is_property(one.core)]
    at = len(_LINK)
    return replace(found[0], start=found[0].start - at, end=found[0].end - at) if len(found) == 1 else None


def described(text: str) -> str:
    """The first phrase of a Portuguese ``text`` that has an article, with the names behind it, and with the word that
    it ends in ("a revisão completa", "a troca de pneu")."""
    found = _DESCRIBED.search(text)
    return found.group() if found else ""


def whole(text: str, phrase: Phrase, language: Language) -> Phrase:
    """``phrase`` with all its words as the core, without the verb that follows a subject."""
    if not phrase.determiner and not is_plain(phrase.core, language):
        return replace(phrase, head="", core=re.sub(r"['’]s?$", "", phrase.core), tail=())
    end = _end(text, phrase, language)
    words = (phrase.head, phrase.core, text[phrase.end : end].strip())
    return replace(phrase, head="", core=" ".join(filter(None, words)), end=end, tail=())


def _phrase(text: str, core: Term, language: Language) -> Phrase:
    """The phrase of ``text`` that has this core, whole."""
    return whole(text, around(text, core, language), language)


def _end(text: str, phrase: Phrase, language: Language) -> int:
    """Where ``phrase`` ends: before an adverb or a verb; in Portuguese behind what it is of ("serra de fita")."""
    before, end = text[: phrase.start], phrase.end
    does, be = _DO_BEFORE.search(before), _BE_BEFORE.search(before)
    for term in phrase.tail:
        said = term.text
        if _ADVERB.fullmatch(said) or (be and _PREDICATE.fullmatch(said)):
            return end
        if (does or language is PT) and said in VERBS:
            return end
        end = term.end
    if phrase.tail and _ends_in_verb(text, before, end):
        return phrase.tail[-2].end if len(phrase.tail) > 1 else phrase.end
    found = _COMPLEMENT.match(text, end) if language is PT else None
    return found.end() if found else end


def _ends_in_verb(text: str, before: str, end: int) -> bool:
    """Whether the last word before ``end`` is no part of the phrase after ``before``, but what is said of it."""
    if _DO_BEFORE.search(before):
        return _AUXILIARY.match(text, end) is None
    return bool(_BE_FIRST.match(before)) and not text[end:].strip(" ?.")


def _things(text: str, language: Language) -> Iterator[Phrase]:
    return (found for found in _articled(text, language) if not is_property(found.core) and not is_time(found.core))


def _articled(text: str, language: Language) -> Iterator[Phrase]:
    """The plain phrases of ``text`` that have an article, whole."""
    text, reached = text[:TOLD_WITHIN], 0
    for opening in _ARTICLE[language].finditer(text):
        core = first_core(text, opening.end(), language)
        if core is None or opening.start() < reached or not is_plain(core.text, language):
            continue
        found = _phrase(text, core, language)
        if not found.lead:  # "o meu": both are taken away with the phrase
            lead, _, start = opened(text, found.start, language)
            found = replace(found, lead=lead, start=start)
        reached = found.end
        yield found


def _bare(text: str, language: Language) -> Phrase | None:
    """The first plain phrase without an article that stands where a noun may begin."""
    for opening in _NOUN_NEXT[language].finditer(text):
        core = first_core(text, opening.end(), language)
        if core and is_plain(core.text, language) and not _is_said(text, core, language):
            return _phrase(text, core, language)
    return None


def _is_said(text: str, core: Term, language: Language) -> bool:
    """Whether a word by itself is what is said of a subject, and names nothing ("What was decided about fees?")."""
    alone = not around(text, core, language).tail
    return alone and bool(_BE_BEFORE.search(text[: core.start]) and _PREDICATE.fullmatch(core.text))


def _owner(text: str, found: list[Phrase]) -> Phrase | None:
    """The first of ``found``; where that is a property of the next, the next ("the height of the tower")."""
    if len(found) > 1 and is_property(found[0].core) and found[1].preposition in ("of", "de"):
        return found[1] if not text[found[0].end : found[1].start].strip() else found[0]
    return next(iter(found), None)


def _naming(text: str) -> Iterator[Term]:
    """What ``text`` names by its form, most telling first."""
    return (term for kind in (identifiers, quoted, names, marked) for term in kind(text) if not is_time(term.text))


def is_setting(phrase: Phrase, language: Language) -> bool:
    """Whether a name is no more than where or when something is ("in Spain", "na França")."""
    bare = not (phrase.article if language is PT else phrase.determiner)
    return bare and not is_plain(phrase.core, language) and _SETTING.fullmatch(phrase.lead) is not None


def _is_asked_about(text: str, one: Phrase, language: Language) -> bool:
    """Whether a thing has no preposition, or that of a property before it."""
    properties = (found for found in _articled(text, language) if is_property(found.core))
    return not one.lead or any(
        not text[found.end : one.start].strip() for found in properties if found.end <= one.start
    )


def _is_definite(phrase: Phrase, language: Language) -> bool:
    return phrase.determiner.lower() not in (("um", "uma") if language is PT else ("a", "an"))


def is_property(said: str) -> bool:
    """Whether ``said`` is a property of something ("the price"), and no thing."""
    words = said.lower().split()
    return words[-1] in _PROPERTIES or words[0] in _PROPERTIES


def is_time(said: str) -> bool:
    """Whether ``said`` is a day, a season or a length of time, and nothing else ("Sundays", "the weekend")."""
    words = re.findall(r"[^\W\d_]+", said.lower().replace("-feira", ""))
    return all(word in _TIMES or word.removesuffix("s") in _TIMES or word == "de" for word in words)


def _said(phrase: Phrase) -> str:
    determiner = phrase.determiner if phrase.start else phrase.determiner.lower()
    return f"{determiner} {phrase.core}".strip()
