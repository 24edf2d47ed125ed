"""Follow-ups: "and in Portuguese?", "does it raise?" resolved against the earlier turns of the conversation.

The earlier question lends what the follow-up leaves out: a name for its pronoun, or its own words, one part exchanged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from calibrant.judges.free.words.phrases import PREPOSITIONS, counterpart, described, fused, placed, read, subject
from calibrant.judges.free.words.terms import EN, PT, identifiers, longest_chunk, names, specific_words
from calibrant.judges.free.words.text import content_words, tokens
from calibrant.judges.free.words.units import UNITS
from calibrant.judges.given import Turn
from calibrant.state.task import Language

CONTINUES: dict[Language, str] = {
    EN: (
        r"^(?:(?:ok(?:ay)?|so|right|thanks?|and|but|also|then)[,.!]? +)*(?:what about|how about|and what about|"
        r"and)\b[,:]? *"
    ),
    PT: (
        r"^(?:(?:ok|certo|então|obrigad[oa]|mas)[,.!]? +)*(?:e (?:quanto a(?:os?|s)?|sobre)|e se for|que tal|"
        r"e)\b[,:]? *"
    ),
}
"""Openings that carry on from the question before."""

_SUBJECT_PRONOUNS = {
    EN: r"(?:it|they|them|that|this|those|these|there(?=\W*$))",
    PT: r"(?:ele|ela|eles|elas|isso|isto|aquilo|lá(?=\W*$))",
}
_PERSON_PRONOUNS = {EN: r"(?:he|she|him)", PT: r"(?:ele|ela)"}
_PERSONAL = {EN: r"he|she|him|his|her", PT: r"ele|ela|dele|dela"}
_THINGS = {EN: r"it|its|this|that", PT: r"isso|isto|aquilo|disso|disto|daquilo"}
_POSSESSIVES = {EN: r"(?:its|their|his|her)", PT: r"(?:dele|dela|deles|delas|disso|disto|daquilo)"}

_GOES_ON = r"(?=[^?.;!]*\b(?:to|that|if|when|since)\b)"
EXPLETIVE: dict[Language, str] = {
    EN: (
        r"\b(?:is|was|does|did|will|would|can|could|has|might|may)(?:n't)? it (?:(?:rain|snow|matter)\b|"
        r"worth \w+ing\b|(?:be |been )?(?:take|possible|safe|true|ok|okay|legal|necessary|better|best|worth|mean|make "
        r"sense|cost|an?|the|that|called|important|likely|common|considered|illegal|bad|good|easy|hard|"
        rf"difficult)\b{_GOES_ON}|(?:be|been) (?:\w+ )?(?:that|since)\b)|"
        r"\bit (?:is|was|takes|took|would)\b|\bit's\b|"
        r"\b(?:is|are|was|were|be|been) there\b|"
        r"\b(?:this|that|these|those)(?! (?:is|are|was|were|works?|means?|do|does|happens?|raises?|returns?|"
        r"fails?|apply|"
        r"applies|and|or|in|with|for|on|to|from)\b)(?=\s+[\w'-])"
    ),
    PT: r"\b(?:isso|isto) (?:é|significa) que\b",
}
"""Words like pronouns that stand for nothing said before: "is it possible to", "that" before a clause, "these words".
Where no clause follows, "it" stands for a thing: "is it possible?", "what does it cost?"."""

_TAKES: dict[Language, str] = {EN: r"\bdoes it take\W*$", PT: r"\b(?:isso|isto) (?:demora|leva)\W*$"}
"""What is asked of what somebody does, not of a thing."""

_SUBJECTLESS = re.compile(
    r"(?:(?:até |desde |de )?quando|onde|como|quanto(?: tempo)?|a que horas|por qu[eê])\s+\w+\W*", re.IGNORECASE
)
"""A Portuguese question of a verb alone: nothing says whose ("quanto custa?")."""

_ACTION_BEFORE: dict[Language, str] = {
    EN: (
        r"\b(?:i|you|we|they|to|can|not|n't|me|please|just|ever|never|who|what|which|how|how (?:many|"
        r"much))\s+(?:\w+ly\s+)?$|^$"
    ),
    PT: r"\b(?:eu|você|nós|se|para|não|me|posso|devo|como|favor|quem|qual|quais|que|quant[oa]s?)\s+$|^$",
}
"""Before a verb: what follows these names nothing, so a pronoun after it stays unexplained ("how do I avoid it")."""

ELLIPTIC: dict[Language, str] = {
    EN: (
        r"^(?:why(?: not| so)?|how(?: so| come| (?:long|often|much|many|far|old|big))?|for example|an? (?:short "
        r"|simple )?example|examples?|"
        r"(?:(?:since|until|till|from|by|to|at|in|on|of|for|with|under|after|before) )?"
        r"(?:when|where|whom?|whose|what|which(?: ones?)?)|"
        r"(?:can you |could you |please )*(?:give|show)(?: me)? (?:an? |some |one )?(?:short |simple |more |"
        r"other )*examples?|"
        r"more(?: details?)?|go on|continue|really|are you sure|tell me more|explain(?: more| further| that)?|"
        r"elaborate|in short)\W*$"
    ),
    PT: (
        r"^(?:por ?qu[eê](?: não)?|como(?: assim)?|quanto(?: tempo)?|quant[oa]s|"
        r"(?:(?:desde|até|a partir de|de|para|por|com|em|a) )?(?:quando|onde|quem|qual(?: deles| delas)?)|"
        r"por exemplo|(?:um )?exemplos?|"
        r"(?:me )?(?:dê|mostre)(?: me)? (?:um |alguns |outro )?exemplos?|mais(?: detalhes)?|continue|tem "
        r"certeza|explique(?: melhor)?|"
        r"resumindo)\W*$"
    ),
}
"""Questions that are nothing without the one before."""

PERSON = re.compile(r"[A-ZÀ-Þ][\w'’.-]+(?: (?:d[aeo]s? |van |von |de )?[A-ZÀ-Þ][\w'’-]+)+")
VERBAL = {
    EN: (
        r"^(?:what|who|when|where|which|why|how|is|are|was|were|do|does|did|can|could|should|would|will|has|have|"
        r"find|list|show)\b"
    ),
    PT: r"^(?:o que|qual|quais|quem|quando|onde|por que|como|quant[oa]s?|devo|posso|é|são|tem|existe|liste|mostre)\b",
}  # fmt: skip
"""A part that is a question by itself, however it is joined to the one before."""


@dataclass(frozen=True)
class Resolved:
    """A request with its references resolved. ``dangling`` names a pronoun for which nothing was found."""

    text: str
    antecedent: str = ""
    dangling: str = ""
    doubt: float = 0.0
    """How unsure the reading is: several things could be meant, or words were only appended."""
    appended: bool = False
    """Words of the earlier question were only put beside it: right for a search, no sentence for a reader."""


def resolve(text: str, history: Sequence[Turn], language: Language) -> Resolved:
    """``text`` with what it leaves to the earlier turns filled in; itself when it stands alone."""
    text = " ".join(text.split())
    if not history:
        return Resolved(text, dangling=dangling(text, language))
    turn = history[-1]
    asked = resolve(turn.question, history[:-1], language)
    return _against(text, Turn(asked.text, turn.answer), language)


def _against(text: str, turn: Turn, language: Language) -> Resolved:
    opening = re.match(CONTINUES[language], text, re.IGNORECASE)
    rest = text[opening.end() :] if opening else text
    if re.match(ELLIPTIC[language], text.lower()) or re.match(ELLIPTIC[language], rest.lower()):
        return _joined(rest or text, turn.question, language)
    pronoun = dangling(rest, language)
    if pronoun and re.search(_TAKES[language], rest, re.IGNORECASE):
        return _joined(rest, turn.question, language)
    if pronoun:
        return _named(rest, pronoun, turn, language)
    if subjectless(rest, language):
        return _completed(rest, turn.question, language)
    if opening and not re.match(VERBAL[language], rest.lower()):
        return _exchanged(rest, turn.question, language)
    if re.match(rf"^{PREPOSITIONS[language]}\b", text.lower()) and len(text.split()) <= 4:
        return _exchanged(text, turn.question, language)
    if not specific_words(rest, language) and len(rest.split()) <= 8:
        return _joined(rest, turn.question, language)
    return Resolved(_capital(rest))


def dangling(text: str, language: Language) -> str:
    """The first pronoun of ``text`` that nothing in it explains; empty when there is none."""
    pronouns = "|".join(table[language] for table in (_SUBJECT_PRONOUNS, _PERSON_PRONOUNS, _POSSESSIVES))
    spoken = re.sub(EXPLETIVE[language], lambda match: "#" * len(match.group()), text, flags=re.IGNORECASE)
    for match in re.finditer(rf"\b(?:{pronouns})\b", spoken, re.IGNORECASE):
        if not _explained(text, match, language):
            return text[match.start() : match.end()]
    return ""


def subjectless(text: str, language: Language) -> bool:
    """Whether ``text`` leaves its subject out where another language would have a pronoun."""
    return language is PT and _SUBJECTLESS.fullmatch(text.strip()) is not None


_REACH = 1_000
"""Characters before a pronoun in which what it stands for is looked for."""


def _explained(text: str, pronoun: re.Match[str], language: Language) -> bool:
    """Whether the text itself says what a pronoun stands for: it names something before it, or a name right after."""
    before = text[max(0, pronoun.start() - _REACH) : pronoun.start()]
    if pronoun.group().lower() in ("there", "lá"):
        return bool(names(before))
    known = set(specific_words(before, language))
    for token in tokens(before):
        if token.word in known and not re.search(_ACTION_BEFORE[language], before[: token.start], re.IGNORECASE):
            return True
    opening = pronoun.start() < 12 and "," in text[pronoun.end() :]
    return opening and bool(names(text[text.index(",", pronoun.end()) :]))


def _named(text: str, pronoun: str, turn: Turn, language: Language) -> Resolved:
    """``text`` with its pronoun replaced by what the earlier question, or its answer, is about."""
    meant = _person(turn) if _is_one_of(_PERSONAL, pronoun, language) else ""
    if not (_is_one_of(_THINGS, pronoun, language) and _ASKS_A_PERSON.match(turn.question)):
        meant = meant or _answered(turn)
    meant = meant or subject(turn.question, language)
    if not meant:
        about = longest_chunk(turn.question, language)
        lost = "" if about else pronoun
        return Resolved(_capital(bracketed(text, about)), antecedent=about, dangling=lost, doubt=0.4)
    several = len({term.text for term in identifiers(turn.question)} or {meant}) > 1
    text = re.sub(rf"\b{re.escape(pronoun)}\b", lambda _: _in_place_of(pronoun, meant, language), text, count=1)
    return Resolved(_capital(text), antecedent=meant, doubt=0.4 if several else 0.1)


def _completed(text: str, before: str, language: Language) -> Resolved:
    """A question without a subject, with what the one before is about behind its verb."""
    about = described(before) or longest_chunk(before, language)
    completed = f"{_capital(text.strip(' ?'))} {about}".strip() + "?"
    return Resolved(completed, antecedent=about, doubt=0.2, appended=True)


def bracketed(part: str, about: str) -> str:
    """``part`` with what its pronoun stands for in brackets at its end."""
    if not about:
        return part
    return f"{part[:-1]} ({about}){part[-1]}" if part[-1:] in ("?", ".") else f"{part} ({about})"


def _is_one_of(pronouns: dict[Language, str], pronoun: str, language: Language) -> bool:
    return re.fullmatch(pronouns[language], pronoun, re.IGNORECASE) is not None


def _in_place_of(pronoun: str, meant: str, language: Language) -> str:
    """``meant`` in the form that ``pronoun`` has: a possessor, a place, or just a name."""
    if re.fullmatch(_POSSESSIVES[language], pronoun, re.IGNORECASE):
        return fused("de", meant, language) if language is PT else f"{meant}'s"
    if pronoun.lower() in ("there", "lá"):
        return fused("em" if language is PT else "in", meant, language)
    return meant


def _person(turn: Turn) -> str:
    """A person's name: from the answer, if the question did not have it, else from the question."""
    new = [name for name in PERSON.findall(turn.answer) if name not in turn.question]
    return next(iter((*new, *PERSON.findall(turn.question))), "")


_ASKS_A_NAME = re.compile(
    r"^(?:who|where|which|what is the \w+ of|what's the \w+ of|quem|onde|qual (?:é |foi )?[oa] \w+ d[aoe]s?)\b",
    re.IGNORECASE,
)
_ASKS_A_PERSON = re.compile(r"^(?:who|quem)\b", re.IGNORECASE)


def _answered(turn: Turn) -> str:
    """The name that a short answer gave to a question for a name: what a pronoun after it stands for."""
    said = turn.answer
    if not _ASKS_A_NAME.match(turn.question) or len(said.split()) > 15:
        return ""
    found = re.findall(r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*(?![\w'’-]*:)", said)
    return next((name for name in found if name not in turn.question and len(name) > 2 and name != "The"), "")


_THE_ONE: dict[Language, str] = {
    EN: rf"^(?:the ones?|that|those) (?={PREPOSITIONS[EN]} )|(?<=\w) ones?$",
    PT: rf"^[oa]s? (?={PREPOSITIONS[PT]} )",
}
"""Words that only stand for the noun of the question before: "the Business one", "o do Porto"."""


def _exchanged(fragment: str, before: str, language: Language) -> Resolved:
    """The question before with the part exchanged that ``fragment`` is an alternative to, else with it appended."""
    fragment, before = re.sub(_THE_ONE[language], "", fragment.strip(" ?."), flags=re.IGNORECASE), before.strip(" ?.")
    if not fragment:
        return Resolved(before)
    new = read(fragment, language)
    old = counterpart(new, before, language) if new else None
    if new and old:
        rest = fragment[new.tail[-1].end if new.tail else new.end :]
        return Resolved(f"{placed(before, old, new, language)}{rest}?", antecedent=old.core, doubt=0.15)
    alike = _alike(fragment, before, language)
    if alike:
        return Resolved(f"{before.replace(alike, fragment, 1)}?", antecedent=alike, doubt=0.15)
    link = " " if new and new.lead else (", e " if language is PT else ", as for ")
    return Resolved(f"{before}{link}{fragment}?", antecedent=subject(before, language), doubt=0.25, appended=True)


def _alike(fragment: str, before: str, language: Language) -> str:
    """The one plain noun of ``before`` with the number of ``fragment`` (both plural), if it is no unit of measure."""
    last = (content_words(fragment, language) or ("",))[-1]
    if not last.endswith("s") or len(fragment.split()) > 2:
        return ""
    lowered = [before[token.start : token.end] for token in tokens(before)]
    known = set(specific_words(before, language)) - UNITS.keys()
    alike = [word for word in lowered if word in known and word.endswith("s") and not word.endswith("ss")]
    return alike[0] if len(alike) == 1 else ""


def _joined(text: str, before: str, language: Language) -> Resolved:
    """A question that says nothing by itself, with the words of the one before; it takes the place of another such."""
    lead, _, asked = before.partition(": ")
    before = asked if asked and re.match(ELLIPTIC[language], lead.lower()) else before
    about = before.strip(" ?.")
    joined = f"{_capital(text.strip(' ?.'))}: {about}?"
    return Resolved(joined, antecedent=longest_chunk(before, language), doubt=0.2, appended=True)


def _capital(text: str) -> str:
    """``text`` with a capital first letter, unless it opens with an identifier."""
    coded = identifiers(text)
    if not text or (coded and coded[0].start == 0):
        return text
    return text[0].upper() + text[1:]
