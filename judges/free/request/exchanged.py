"""The question before with one of its parts exchanged: "And the Team plan?", "And the price?", "And close?"."""

import re
from dataclasses import replace

from calibrant.judges.free.request.about import (
    TOLD_WITHIN,
    VERBS,
    introduced,
    is_property,
    is_setting,
    is_time,
    only_thing,
    property_of,
    subject,
    thing,
)
from calibrant.judges.free.request.phrases import PREPOSITIONS, Phrase, counterpart, fused, placed, read
from calibrant.judges.free.request.resolved import Asked, Resolved
from calibrant.judges.free.request.siblings import sibling
from calibrant.judges.free.words.terms import identifiers, specific_words
from calibrant.judges.free.words.text import content_words, tokens
from calibrant.judges.free.words.units import UNITS
from calibrant.state.task import EN, PT, Language

_THE_ONE: dict[Language, str] = {
    EN: rf"^(?:the ones?|that|those) (?={PREPOSITIONS[EN]} )|(?<=\w) ones?$",
    PT: rf"^[oa]s? (?={PREPOSITIONS[PT]} )",
}
"""Words that only stand for the noun of the question before: "the Business one", "o do Porto"."""


def exchanged(fragment: str, asked: Asked) -> Resolved:
    """The question before with the part exchanged that ``fragment`` is an alternative to, else with it appended.

    A name or a thing is from then on what the talk is about; a day, a year or a condition changes nothing there.
    """
    noun = _with_its_noun(fragment.strip(" ?."), asked.question.strip(" ?."), asked.language)
    if not noun:
        return Resolved(asked.question, about=asked.subject)
    new = read(noun, asked.language)
    led = bool(new and new.lead)
    about = "" if led else introduced(noun, asked.language)
    appended = not about and (led or is_time(noun))  # to what was appended before
    before = (asked.question if appended else asked.bare).strip(" ?.")
    return (
        _with_verb(noun, before, asked)
        or _with_property(noun, before, asked)
        or _with_part(noun, new, before, about, asked)
        or with_sibling(noun, replace(asked, question=before))
        or _appended(noun, led, before, about, asked)
    )


def _with_verb(verb: str, before: str, asked: Asked) -> Resolved | None:
    """Another verb of the same subject: "And close?"."""
    found = [token for token in tokens(before) if token.word in VERBS]
    if verb not in VERBS or len(found) != 1:
        return None
    text = f"{before[: found[0].start]}{verb}{before[found[0].end :]}?"
    return Resolved(text, about=asked.subject, doubt=0.15)


def _with_property(noun: str, before: str, asked: Asked) -> Resolved | None:
    """Another property of the same thing ("And the price?"), or one that is said whose it is ("the price of the van").

    Where the question before asked for a property as well, only the words for it are exchanged.
    """
    language = asked.language
    wanted, held = property_of(noun, language), property_of(before, language)
    if wanted is None:
        return None
    if re.match(_OWNER[language], noun[wanted.end :]):
        text = what_is(noun, language)
        return Resolved(text, doubt=0.15, alternatives=(asked.question, text) if held else ())
    about = asked.subject
    return Resolved(what_is(of(noun, about, language), language), about, doubt=0.15) if about and not held else None


def _with_part(noun: str, new: Phrase | None, before: str, about: str, asked: Asked) -> Resolved | None:
    """Another thing, name, day or plural in place of the one that it is an alternative to."""
    language = asked.language
    pair = _pair(noun, new, before, language)
    if pair:
        old, new, rest = pair
        text = capital(f"{placed(before, old, new, language)}{rest}?")
        about = ("" if is_setting(old, language) else about) or _kept(old.core, text, asked)
        return Resolved(text, about, doubt=0.15, alternatives=_beside(text, new, asked))
    alike = "" if new and new.lead else _alike(noun, before, language)
    if not alike:
        return None
    text = f"{before.replace(alike, noun, 1)}?"
    return Resolved(text, about=_kept(alike, text, asked), doubt=0.15)


def with_sibling(name: str, asked: Asked) -> Resolved | None:
    """Another name of a kind, as short as people write it: "And staging?", "business?"."""
    name, before = name.strip(" ?."), asked.question.strip(" ?.")
    old = sibling(name, before)
    if old is None:
        return None
    text = f"{before[: old.start]}{name}{before[old.end :]}?"
    return Resolved(text, about=_kept(old.text, text, asked), doubt=0.15)


def _appended(noun: str, led: bool, before: str, about: str, asked: Asked) -> Resolved:
    """``noun`` behind the question before. A condition ("on Sundays") stays; a noun gives way to the next one."""
    if led:
        noun = f"{noun[0].lower()}{noun[1:]}"
    link = " " if led else (", e " if asked.language is PT else ", as for ")
    bare = f"{asked.bare.strip(' ?.')} {noun}?" if led else f"{before}?"
    text = f"{before}{link}{noun}?"
    return Resolved(text, about=about or asked.subject, doubt=0.25, appended=True, bare=bare)


_OWNER: dict[Language, str] = {EN: r" (?:of|in) ", PT: r" (?:d[eoa]s?|em|n[oa]s?) "}
"""What follows a property that is said to be somebody's or somewhere's: so it is asked for by itself."""
_MOST_ALTERNATIVES = 4


def _beside(text: str, new: Phrase, asked: Asked) -> tuple[str, ...]:
    """The questions that ``text`` is an alternative to, and itself. Another property is asked of all of them."""
    if not is_property(new.core):
        return (*(asked.alternatives or (asked.question,)), text)[-_MOST_ALTERNATIVES:]
    old = ((other, property_of(other, asked.language)) for other in asked.alternatives)
    return tuple(placed(other, one, new, asked.language) for other, one in old if one)


def of(noun: str, whose: str, language: Language) -> str:
    """``noun`` with the one that it is a property of."""
    return f"{noun} {fused('de', whose, language) if language is PT else f'of {whose}'}"


def what_is(noun: str, language: Language) -> str:
    """The question for what ``noun`` is ("the price of the van", "os horários dele")."""
    noun = noun.strip(" ?.")
    if language is PT:
        return f"{'Quais são' if re.match('[oa]s ', noun, re.IGNORECASE) else 'Qual é'} {noun}?"
    return f"{'What are' if re.match('the .{0,60}?[^su ]s (?:of|in) ', noun) else 'What is'} {noun}?"


def _with_its_noun(fragment: str, before: str, language: Language) -> str:
    """``fragment`` without "one", which stands for a noun of ``before``: with that noun, where it is plain which."""
    noun = re.sub(_THE_ONE[language], "", fragment, flags=re.IGNORECASE)
    thing_before = only_thing(before, language) if noun != fragment and fragment.startswith(noun) else None
    return f"{noun} {thing_before.core.split()[-1]}" if noun and thing_before and noun.islower() else noun


def _pair(noun: str, new: Phrase | None, before: str, language: Language) -> tuple[Phrase, Phrase, str] | None:
    """What gives way in ``before``, what takes its place, and what follows it in the fragment."""
    if max(len(noun), len(before)) > TOLD_WITHIN:
        return None
    old = counterpart(new, before, language) if new else None
    if new and old:
        return old, new, noun[new.tail[-1].end if new.tail else new.end :]
    asked_for, other = property_of(noun, language), thing(noun, language)
    if asked_for and (one := property_of(before, language)):
        return one, asked_for, noun[asked_for.end :]
    one = only_thing(before, language, other) if other else None
    return (one, other, noun[other.end :]) if one and other else None


def _kept(old: str, text: str, asked: Asked) -> str:
    """What ``text`` is about: what the question before was, unless ``old`` was that and is no longer there."""
    about = asked.subject
    return subject(text, asked.language) if old in about else about


def _alike(fragment: str, before: str, language: Language) -> str:
    """The one plain noun of ``before`` with the number of ``fragment`` (both plural), if it is no unit of measure."""
    last = (content_words(fragment, language) or ("",))[-1]
    if not last.endswith("s") or len(fragment.split()) > 2:
        return ""
    lowered = [before[token.start : token.end] for token in tokens(before)]
    known = set(specific_words(before, language)) - UNITS.keys()
    alike = [word for word in lowered if word in known and word.endswith("s") and not word.endswith("ss")]
    return alike[0] if len(alike) == 1 else ""


def capital(text: str) -> str:
    """``text`` with a capital first letter, unless it opens with an identifier."""
    coded = identifiers(text)
    if not text or (coded and coded[0].start == 0):
        return text
    return text[0].upper() + text[1:]
