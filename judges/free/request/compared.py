"""Comparisons: "difference between A and B", "which is older, A or B", "are A and B both ..." as one part per thing."""

import re

from calibrant.judges.free.request.hops import Draft
from calibrant.judges.free.request.phrases import PREPOSITIONS, counterpart, placed, read
from calibrant.judges.free.request.siblings import sibling
from calibrant.judges.free.words.text import content_words
from calibrant.state.task import EN, PT, Language

_WEIGHED: dict[Language, str] = {
    EN: (
        r"(?:please )?(?:(?:analy[sz]e|evaluate|assess|discuss|explain|weigh|consider|review) )?"
        r"(?:(?:the )?(?:trade-?offs|pros and cons|advantages|merits|risks|costs|benefits|performance) of )?"
    ),
    PT: (
        r"(?:por favor,? )?(?:(?:analis[ea]r?|avali[ea]r?|discut[ai]r?|explique|considere) )?"
        r"(?:(?:[oa]s? )?(?:prós e contras|vantagens|riscos|custos|benefícios|desempenho) d[eoa]s? )?"
    ),
}
"""What is to be done with two things that stand against each other, and in what respect: no part of the first one."""

_IN_RESPECT = r" (?:for|in terms of|on|by|regarding|with respect to) [^?]+"

DIFFERENCE: dict[Language, tuple[str, ...]] = {
    EN: (
        (
            r"^(?P<head>.*?\b(?:differences?|distinctions?|comparison|trade-?offs?|similarit(?:y|ies))(?: in [\w "
            r"-]{2,30})?) between (?P<things>[^?]+)$"
        ),
        (
            r"^(?P<head>(?!(?:who|what|which|when|where|why|how|is|are|was|did|does)\b)(?:[\w-]+ ){0,6}comparison) of "
            rf"(?P<things>[^?]+?)(?P<tail>{_IN_RESPECT})?$"
        ),
        (
            r"^(?P<head>how (?:do|does|is|are)) (?P<things>.+?) (?:differ|different)(?: from "
            r"(?P<other>[^?]+?))?(?P<tail> (?:in|for|when) [^?]+)?$"
        ),
        rf"^(?:please )?(?P<head>compare) (?P<things>[^?]+?)(?P<tail>{_IN_RESPECT})?$",
        (
            rf"^(?P<head>(?:{_WEIGHED[EN]})?)(?P<things>(?!how|what|why|who|which|como|qual)[^?]{{2,40}}? "
            r"(?:vs\.?|versus) [^?]{2,60}?)(?P<tail> (?:for|in) [^?]+)?$"
        ),
    ),
    PT: (
        r"^(?P<head>.*?\b(?:diferenças?|distinção|comparação|semelhanças?)(?: \w+)?) entre (?P<things>[^?]+)$",
        r"^(?P<head>compare|comparar) (?P<things>[^?]+?)(?P<tail> (?:para|em termos de|quanto a) [^?]+)?$",
        (
            rf"^(?P<head>(?:{_WEIGHED[PT]})?)(?P<things>(?!how|what|why|who|which|como|qual)[^?]{{2,40}}? "
            r"(?:vs\.?|versus) [^?]{2,60}?)(?P<tail> (?:para|em) [^?]+)?$"
        ),
    ),
}

EITHER: dict[Language, tuple[str, ...]] = {
    EN: (
        (
            r"^(?P<ask>(?:who|whose|which|what|where)\b[^?]{6,}?)(?:,|:| -|,? out of) ?(?P<things>[^,?]+?(?:, "
            r"[^,?]+?)*,? or [^,?]+)$"
        ),
        (
            r"^(?P<ask>(?:who|whose|which|what|where)\b[^?]*\b(?:more|most|less|least|better|first|last|older|"
            r"younger|taller|larger|bigger|smaller|higher|longer|shorter|faster|cheaper|earlier|later|safer|"
            r"stronger|closer)\b[^?]*?),? (?:between|of|out of) (?P<things>[^,?]+ and [^,?]+)$"
        ),
        r"^(?:between|of|out of) (?P<things>[^,?]+ (?:and|or) [^,?]+), (?P<ask>(?:who|whose|which|what)\b[^?]+)$",
        r"^(?P<ask>which [\w -]{3,40}?), (?P<things>[^,?]+ or [^,?]+), (?P<tail>[^?]+)$",
        (
            r"^(?P<ask>which of) (?:the )?(?P<things>[^?,]+? (?:and|or) [^?,]+?) (?P<tail>(?:is|was|has|have|had|"
            r"are|were|did|does)\b[^?]+)$"
        ),
        (
            r"^(?P<ask>is|was|are|were|does|did|has|have) (?P<things>(?-i:(?:the )?[A-Z\"'])[^?,]+? or "
            r"(?-i:(?:the )?[A-Z\"'])[^?,]+?) (?P<tail>(?-i:[a-z][^?A-Z]+))$"
        ),
        (
            r"^(?P<ask>should (?:i|we) (?:use|choose|pick|buy|take|go with|prefer|learn|adopt)) (?P<things>[^?,]+ "
            r"or [^?,]+?)(?P<tail> (?:for|in|to|if|when) [^?]+)?$"
        ),
    ),
    PT: (
        r"^(?P<ask>(?:quem|qual|quais|o que)\b[^?]{6,}?)(?:,|:| -) ?(?P<things>[^,?]+?(?:, [^,?]+?)* ou [^,?]+)$",
        (
            r"^(?P<ask>(?:devo|devemos|é melhor|qual é melhor) ?(?:usar|escolher|comprar|aprender|adotar)?) "
            r"(?P<things>[^?,]+ ou [^?,]+?)(?P<tail> (?:para|em|se|quando) [^?]+)?$"
        ),
    ),
}

BOTH: dict[Language, tuple[str, ...]] = {
    EN: (
        (
            r"^(?P<be>are|were|is|was|do|did|have|has|can|does) (?:both |either )?(?:the )?"
            r"(?P<a>(?!(?:i|we|you|one|they|it) )[^?]{2,70}?) and "
            r"(?P<b>[^?]{2,70}?) (?P<tail>(?:both|either|each|also)\b[^?]*|(?:of|from|in|on|located in|born in|"
            r"part of|members? of|known for|considered|used for|based in|made by|written by|directed by) (?:the "
            r"same|a similar|different)\b[^?]*|the same\b[^?]*)$"
        ),
        (
            r"^(?P<be>are|were|is|was|do|did|have|has|can|does) both (?P<a>[^?]{2,70}?) and (?P<b>[^?]{2,70}?) "
            r"(?P<tail>(?:an?|the|of|from|in|on|located|born|based|members?|known|considered|used|\w+ed)\b[^?]*)$"
        ),
        r"^(?P<a>[^?]{2,70}?) and (?P<b>[^?]{2,70}?) (?P<be>are|were|have|is) (?P<tail>both [^?]*)$",
        (
            r"^(?P<be>(?:what|which|in what|in which)\b[^?]{3,60}?) (?:do|did|are|were|does) (?:both "
            r")?(?P<a>[A-Z\"][^?]{2,70}?) and (?P<b>[^?]{2,70}?) (?P<tail>(?:both|share|have in common|in "
            r"common)\b[^?]*)$"
        ),
    ),
    PT: (
        (
            r"^(?P<be>(?:são|eram|estão|têm)?) ?(?:tanto )?(?P<a>[^?]{2,70}?) (?:e|quanto) (?P<b>[^?]{2,70}?) "
            r"(?P<tail>(?:são ambos|ambos|têm em comum|são d[oa] mesm[oa]|d[oa] mesm[oa])\b[^?]*)$"
        ),
    ),
}


def compared(clause: str, language: Language) -> list[Draft]:
    """One part per thing compared, then the comparison, which waits for them; empty if nothing is compared."""
    return _difference(clause, language) or _either(clause, language) or _both(clause, language)


def _difference(clause: str, language: Language) -> list[Draft]:
    for pattern in DIFFERENCE[language]:
        found = re.match(pattern, clause, re.IGNORECASE)
        if found is None:
            continue
        groups = found.groupdict()
        things = [*listed(found["things"], language), *([groups["other"]] if groups.get("other") else [])]
        if len(things) >= 2 and not re.search(_ONE_THING[language], found["things"], re.IGNORECASE):
            things = completed(things, language)
            asked = _defined(things, groups["head"], language)
            return _with_verdict([f"{part}{groups.get('tail') or ''}" for part in asked], clause)
    return []


_ONE_THING: dict[Language, str] = {
    EN: (
        r"\b(?:pros and cons|advantages and disadvantages|strengths and weaknesses)\b"
        r"|^the (?-i:[a-z]+) and (?-i:[a-z]+ )+(?-i:[a-z]*s)$"
    ),
    PT: r"\b(?:prós e contras|vantagens e desvantagens|pontos fortes e fracos)\b",
}
"""One thing in two words, or two that share a noun which cannot be told from the second's: "the basic and premium
plans". Nothing is to be asked of each alone."""


def _defined(things: list[str], head: str, language: Language) -> list[str]:
    """The questions what each of the things is, or what it is like in the one respect that is asked for."""
    respect = re.search(r" in ([\w -]+)$", head) if language is EN else None
    if respect:
        return [f"What is the {respect[1].strip()} of {thing}" for thing in things]
    one, many = _WHAT_IS[language]
    alike = all(re.fullmatch(_SEVERAL, thing) for thing in things)
    return [f"{many if alike or re.match(_PLURAL[language], thing) else one} {thing}" for thing in things]


_WHAT_IS = {EN: ("What is", "What are"), PT: ("O que é", "O que são")}
"""Of one thing, and of several."""
_SEVERAL = r"(?-i:[a-zà-ÿ]+[^\Wsui]s)"
"""A plural without an article, where all the things look like one: "pandas" alone may be a name."""
_PLURAL: dict[Language, str] = {
    EN: rf"(?:the )?(?:(?!{PREPOSITIONS[EN]} )[\w-]+ )+(?-i:[a-z]+[^\Wsui]s)(?: {PREPOSITIONS[EN]} |$)",
    PT: r"[oa]s ",
}


def completed(things: list[str], language: Language) -> list[str]:
    """``things`` with what they share said of each: "the policy of 2023", "2025" and "the Starter", "Team plans"."""
    first, *others = _with_the_noun(things)
    first = re.sub(r" between (?=\S+$)", " of ", re.sub(r" entre (?=\S+$)", " de ", first))
    return [first, *(_like(first, thing, language) for thing in others)]


def _like(first: str, thing: str, language: Language) -> str:
    """``thing`` in the place of its counterpart in ``first``; itself where it has none or says more."""
    new = read(thing, language)
    if new is None or new.start or len(thing) > (new.tail[-1].end if new.tail else new.end):
        return thing
    old = counterpart(new, first, language)
    return placed(first, old, new, language) if old else thing


def _with_the_noun(things: list[str]) -> list[str]:
    """The noun that stands behind the last of several names given to the others: "the Starter and Team plans", "staging
    and production retention"."""
    name, _, noun = things[-1].partition(" ")
    bare = [thing.removeprefix("the ") for thing in things[:-1]]
    if noun and all(" " not in thing and sibling(name, thing) for thing in bare):
        return [*(f"{thing} {noun}" for thing in things[:-1]), things[-1]]
    last = re.fullmatch(
        rf"{_NAME}(?P<noun>(?: [a-z][\w-]*)*? [a-z][\w-]*s)|the {_NAME}(?P<one> [a-z][\w-]*)", things[-1]
    )
    if last is None or not all(re.search(rf"(?:^|\s){_NAME}$", thing) for thing in things[:-1]):
        return things
    return [*(f"{thing}{last['noun'] or last['one']}" for thing in things[:-1]), things[-1]]


_NAME = r"(?:[A-ZÀ-Þ0-9][\w.-]*|[a-z]+-[\w-]+)"


def _either(clause: str, language: Language) -> list[Draft]:
    for pattern in EITHER[language]:
        found = re.match(pattern, clause, re.IGNORECASE)
        things = [_bare(thing) for thing in listed(found["things"], language)] if found else []
        if found and 2 <= len(things) <= 6 and all(len(thing.split()) <= 9 for thing in things):
            tail = (found.groupdict().get("tail") or "").strip()
            return _with_verdict([_alone(thing, found["ask"].strip(), tail, language) for thing in things], clause)
    return []


_SUITS = {EN: r"^should\b|\b(?:better|best|preferable)$", PT: r"^(?:devo|devemos|é melhor)|melhor$"}
_ADVANTAGES = {EN: "What are the advantages of", PT: "Quais são as vantagens de"}


def _alone(thing: str, ask: str, tail: str, language: Language) -> str:
    """The question asked of one of the things alone."""
    if re.search(_SUITS[language], ask, re.IGNORECASE):
        return f"{_ADVANTAGES[language]} {thing} {tail}".strip()
    return f"{thing}: {ask} {tail}".strip()


def _bare(thing: str) -> str:
    return re.sub(r"^(?:an?|the|um|uma|o|a|os|as|between) (?=\w)", "", thing, flags=re.IGNORECASE)


def _both(clause: str, language: Language) -> list[Draft]:
    for pattern in BOTH[language]:
        found = re.match(pattern, clause, re.IGNORECASE)
        if found:
            tail = re.sub(r"^(?:both|either|each|also|ambos|são ambos) ?", "", found["tail"], flags=re.IGNORECASE)
            asked = " ".join(content_words(f"{found['be']} {tail}", language)) or tail
            return _with_verdict([f"{found['a']}: {asked}", f"{found['b']}: {asked}"], clause)
    return []


def _with_verdict(parts: list[str], clause: str) -> list[Draft]:
    return [*((part, ()) for part in parts), (clause, tuple(range(len(parts))))]


_LINKS = {EN: r"vs\.?|versus|and|or|with|to", PT: r"vs\.?|versus|e|ou|com"}


def listed(things: str, language: Language) -> list[str]:
    """The members of "A, B and C" (or "A vs B", "A or B")."""
    link = rf"\s*,\s*(?:(?:{_LINKS[language]})\s+)?|\s+(?:{_LINKS[language]})\s+"
    members = (part.strip(" ?.,") for part in re.split(link, things, flags=re.IGNORECASE))
    return [part for part in members if part]
