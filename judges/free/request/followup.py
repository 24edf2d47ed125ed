"""Follow-ups: "and in Portuguese?", "does it raise?" resolved against the earlier turns of the conversation.

The earlier question lends what the follow-up leaves out: a name for its pronoun, or its own words, one part exchanged.
"""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise

from calibrant.judges.free.request.about import described, introduced
from calibrant.judges.free.request.exchanged import capital, exchanged, of, what_is, with_sibling
from calibrant.judges.free.request.followup_cues import (
    ACTION_BEFORE,
    AGAIN,
    ALL_OF_THEM,
    AMOUNT,
    CLAUSE,
    CONDITION,
    CONTINUES,
    CORRECTS,
    ELLIPTIC,
    EXPLETIVE,
    IN_PLACE,
    MANNER,
    OBJECT_PRONOUN,
    PERSONAL,
    POINTING,
    POSSESSIVES,
    SAME_AMOUNT,
    SUBJECT_PRONOUNS,
    SUBJECTLESS,
    TAKES,
    THINGS,
    VERBAL,
    opens_question,
)
from calibrant.judges.free.request.meant import ASKS_NO_THING, answered, person, which
from calibrant.judges.free.request.part_cues import ASIDE, THANKS
from calibrant.judges.free.request.phrases import FUSED, PREPOSITIONS, fused, is_plain
from calibrant.judges.free.request.question_words import reworded
from calibrant.judges.free.request.resolved import Asked, Resolved
from calibrant.judges.free.words.terms import identifiers, longest_chunk, names, specific_words
from calibrant.judges.free.words.text import tokens, uncased
from calibrant.judges.given import Turn
from calibrant.state.task import EN, PT, Language


def resolve(text: str, history: Sequence[Turn], language: Language) -> Resolved:
    """``text`` with what it leaves to the earlier turns filled in; itself when it stands alone."""
    turns = [Turn(" ".join(turn.question.split()), turn.answer) for turn in (*history, Turn(text))]
    found = Resolved(turns[0].question, dangling=dangling(turns[0].question, language))
    for before, turn in pairwise(turns):
        question = _plain(found.alternatives[-1] if found.alternatives else found.text, language)
        bare, others = found.bare or question, found.alternatives
        asked = Asked(question, before.answer, bare, found.about, language, found.lent, others)
        said = _against(turn.question, asked)
        found = replace(said, points=said.points or (found.points and said.about is not None))
    return found


_OPENED = 0.4
"""Doubt about a case that is added ("and if I am late, what then?"): the words alone do not tell of what."""
_AS_FOR = re.compile(r"^(?:e )?(?:quanto|em relação) (aos?|às?) (?=\w)", re.IGNORECASE)


def _plain(text: str, language: Language) -> str:
    """``text`` without what is said around it and asks nothing ("ok, thanks.", "please")."""
    asked = re.sub(rf"^{ASIDE[language]}+", "", re.sub(THANKS[language], "", text), flags=re.IGNORECASE)
    return asked if asked.strip(" ?.!") else text


def _against(text: str, asked: Asked) -> Resolved:
    """``text`` read as what is said right after ``asked``."""
    language = asked.language
    text = _plain(text, language)
    if re.match(AGAIN[language], text, re.IGNORECASE):
        return _again(asked)
    if language is PT:  # "e quanto à garagem?" asks what "e a garagem?" does
        text = _AS_FOR.sub(lambda match: f"e {FUSED[uncased(match[1])][1]} ", text)
    meant = re.sub(CORRECTS[language], "", text, flags=re.IGNORECASE)
    opening = re.match(CONTINUES[language], meant, re.IGNORECASE)
    rest = meant[opening.end() :] if opening else meant
    if re.match(ELLIPTIC[language], text.lower()) or re.match(ELLIPTIC[language], rest.lower()):
        return _joined(rest or text, asked)
    if re.match(ALL_OF_THEM[language], rest, re.IGNORECASE) and asked.alternatives:
        return _of_all(rest, asked)
    same = re.match(SAME_AMOUNT[language], rest, re.IGNORECASE)
    if same and re.search(AMOUNT[language], asked.question, re.IGNORECASE):
        return replace(exchanged(same["case"], asked), points=True)
    alternative = re.sub(IN_PLACE[language], "", rest, flags=re.IGNORECASE)
    corrects = meant != text or alternative != rest
    conditional = re.match(CONDITION[language], rest, re.IGNORECASE)
    asked_first = rest[conditional.end() :] if conditional else rest
    asks = re.match(rf"{VERBAL[language]}|{CLAUSE[language]}", asked_first.lower()) is not None
    names_one = not asks and (corrects or opening is not None)
    leaning = _leaning(rest, names_one, asked)
    if leaning or not names_one:
        found = leaning or _alone(rest, asked)
        return replace(found, doubt=max(found.doubt, _OPENED)) if opening and conditional else found
    found = _put_right(alternative, asked) if corrects else exchanged(rest, asked)
    return replace(found, points=found.points or _points(rest, language))  # "And the other one?"


def _leaning(rest: str, names_one: bool, asked: Asked) -> Resolved | None:
    """A question that leaves to a pronoun what it is about, or leaves it out. ``names_one``: it is a noun alone."""
    language = asked.language
    pronoun = dangling(rest, language)
    named, _, said = rest.partition(", ")
    if _PLURAL.fullmatch(pronoun) and opens_question(said, language) and _are_things(named, language):
        things = uncased(named)  # "And backups, how long are they kept?"
        return _against(said, Asked(things, "", things, things, language))
    if pronoun and re.search(TAKES[language], rest, re.IGNORECASE):
        return _joined(rest, asked)
    if pronoun:
        owned = names_one and _is_one_of(POSSESSIVES, pronoun, language)  # "And its price?"
        return _named(_owned(rest, pronoun, language) if owned else rest, pronoun, asked)
    objectless = re.fullmatch(OBJECT_PRONOUN[language], rest, re.IGNORECASE)
    if objectless:
        return _completed(f"{objectless['before']} {objectless['verb']}", asked)
    if subjectless(rest, language):
        return _completed(rest, asked)
    if names_one and opens_question(said, language):  # "And the library, is it open?"
        return _against(said, Asked(named, "", named, introduced(named, language), language))
    return None


def _alone(text: str, asked: Asked) -> Resolved:
    """What nothing shows to carry on, unless it says too little by itself."""
    language = asked.language
    if one := with_sibling(text, asked):
        return one
    if re.match(rf"^{PREPOSITIONS[language]}\b", text.lower()) and len(text.split()) <= 4:
        return exchanged(text, asked)
    plain = re.sub(MANNER[language], "", text, flags=re.IGNORECASE)
    if not specific_words(plain, language) and len(plain.split()) <= 8:
        return replace(_joined(text, asked), points=_points(text, language))
    return Resolved(capital(text), points=_points(text, language))


def _points(text: str, language: Language) -> bool:
    """Whether a word of ``text`` points to what was said before, and words alone do not tell to which of it."""
    return re.search(POINTING[language], text, re.IGNORECASE) is not None


def _put_right(fragment: str, asked: Asked) -> Resolved:
    """The question before with what was meant: as it was asked, it is no alternative to what follows."""
    found = exchanged(fragment, asked)
    others = (*asked.alternatives[:-1], found.text)
    return replace(found, alternatives=others if found.alternatives and len(others) > 1 else ())


def _again(asked: Asked) -> Resolved:
    """The question before, once more."""
    about, others = asked.subject, asked.alternatives
    return Resolved(asked.question, about, doubt=0.1, bare=asked.bare, lent=asked.lent, alternatives=others)


def _of_all(text: str, asked: Asked) -> Resolved:
    """The questions that differ in one part, asked together: what is quoted for each stands side by side. What is asked
    beyond that ("which one is cheaper?") is a question of its own, which quotes may leave open."""
    others = asked.alternatives
    beyond = (capital(text),) if opens_question(text, asked.language) else ()
    about, all_of_it = asked.subject, " ".join((*others, *beyond))
    return Resolved(all_of_it, about, doubt=0.2, appended=True, bare=asked.bare, alternatives=others)


def dangling(text: str, language: Language) -> str:
    """The first pronoun of ``text`` that nothing in it explains; empty when there is none."""
    pronouns = "|".join(table[language] for table in (SUBJECT_PRONOUNS, PERSONAL, POSSESSIVES))
    spoken = re.sub(EXPLETIVE[language], lambda match: "#" * len(match.group()), text, flags=re.IGNORECASE)
    for match in re.finditer(rf"\b(?:{pronouns})\b", spoken, re.IGNORECASE):
        if not _explained(text, match, language):
            return text[match.start() : match.end()]
    return ""


def subjectless(text: str, language: Language) -> bool:
    """Whether ``text`` leaves its subject out where another language would have a pronoun."""
    return language is PT and SUBJECTLESS.fullmatch(text.strip()) is not None


_PLURAL = re.compile(r"they|them|eles|elas", re.IGNORECASE)
_BARE_NOUN = re.compile(
    r"(?!(?:besides|perhaps|always|sometimes|afterwards|nowadays|others|guys|folks|antes|depois|aliás|pois|mais)$)"
    r"[^\W\d_]{3,}s",
    re.IGNORECASE,
)
"""A word in the plural that may stand before a comma, but for those in -s that name nothing, or who is spoken to."""


def _are_things(text: str, language: Language) -> bool:
    """Whether ``text`` is a noun in the plural alone, which needs no article to be what a pronoun stands for."""
    return _BARE_NOUN.fullmatch(text) is not None and bool(specific_words(text, language))


_OF_THEIRS = {EN: r"(?!)", PT: r"dele|dela|deles|delas"}
_POSSESSED = re.compile(r"(?:(?<!\w)[^\W\d_]+(?:-[^\W\d_]+)*\s+){1,2}$")
"""The words before a Portuguese possessive say what is possessed, not by whom ("a última revisão dela")."""
_SHOWN = ("this", "these", "isto", "isso", "este", "esta", "esse", "essa", "estes", "estas", "esses", "essas")
"""Words for what was pasted with a question, behind which it is told in brackets (``without_pasted``)."""
_REACH = 1_000
"""Characters before a pronoun in which what it stands for is looked for."""


def _explained(text: str, pronoun: re.Match[str], language: Language) -> bool:
    """Whether the text itself says what a pronoun stands for: it names something before it, tells it in brackets, or
    has a name right after."""
    if text.startswith(" (", pronoun.end()) and pronoun.group().lower() in _SHOWN:
        return True
    before = text[max(0, pronoun.start() - _REACH) : pronoun.start()]
    if pronoun.group().lower() in ("there", "lá"):
        return bool(names(before))
    if _is_one_of(_OF_THEIRS, pronoun.group(), language):
        before = re.sub(_POSSESSED, "", before)
    known = set(specific_words(before, language))
    for token in tokens(before):
        if token.word in known and not re.search(ACTION_BEFORE[language], before[: token.start], re.IGNORECASE):
            return True
    opening = pronoun.start() < 12 and "," in text[pronoun.end() :]
    return opening and bool(names(text[text.index(",", pronoun.end()) :]))


def _named(text: str, pronoun: str, asked: Asked) -> Resolved:
    """``text`` with its pronoun replaced by what the earlier question, or its answer, is about."""
    language = asked.language
    meant = person(asked) if _is_one_of(PERSONAL, pronoun, language) else ""
    if not (_is_one_of(THINGS, pronoun, language) and ASKS_NO_THING.match(asked.question)):
        meant = meant or answered(asked)
    meant = meant or which(asked, pronoun) or asked.subject
    if not meant:
        about = longest_chunk(asked.question, language)
        lost = "" if about else pronoun
        return Resolved(capital(bracketed(text, about)), about="", dangling=lost, doubt=0.4, points=True)
    several = len({term.text for term in identifiers(asked.question)} or {meant}) > 1
    found = re.search(rf"\b{re.escape(pronoun)}\b", text)
    if found:
        owns = _is_possessive(pronoun, text[found.end() :], language)
        text = f"{text[: found.start()]}{_in_place_of(pronoun, meant, owns, language)}{text[found.end() :]}"
    return Resolved(capital(text), about=meant, doubt=0.4 if several else 0.1, points=True)


def _completed(text: str, asked: Asked) -> Resolved:
    """A question without a subject, with what the one before is about behind its verb."""
    told = described(asked.question)
    about = told if asked.about and asked.about in told else asked.about or told
    about = about or longest_chunk(asked.question, asked.language)
    completed = f"{capital(text.strip(' ?'))} {about}".strip() + "?"
    return Resolved(completed, about=about, doubt=0.2, appended=True)


def bracketed(part: str, about: str) -> str:
    """``part`` with what its pronoun stands for in brackets at its end."""
    if not about:
        return part
    return f"{part[:-1]} ({about}){part[-1]}" if part[-1:] in ("?", ".") else f"{part} ({about})"


def _is_one_of(pronouns: dict[Language, str], pronoun: str, language: Language) -> bool:
    return re.fullmatch(pronouns[language], pronoun, re.IGNORECASE) is not None


def _is_possessive(pronoun: str, after: str, language: Language) -> bool:
    """Whether ``pronoun`` stands for a possessor. "Her" does before a noun only, not in "who owns her?"."""
    if language is EN and not re.match(r"\s+\w", after):
        return False  # it stands before a noun
    if pronoun.lower() == "her":
        following = re.match(r"\s+([^\W\d_][\w'’-]*)", after)
        return following is not None and following[1] != "now" and is_plain(following[1].lower(), language)
    return _is_one_of(POSSESSIVES, pronoun, language)


def _in_place_of(pronoun: str, meant: str, owns: bool, language: Language) -> str:
    """``meant`` in the form that ``pronoun`` has: a possessor, a place, or just a name."""
    if owns:
        return fused("de", meant, language) if language is PT else f"{meant}'s"
    if pronoun.lower() in ("there", "lá"):
        return fused("em" if language is PT else "in", meant, language)
    return meant


def _joined(text: str, asked: Asked) -> Resolved:
    """A question that says nothing by itself, with the words of the one before; it takes the place of another such."""
    before = asked.lent or asked.question
    about = asked.subject
    asked_so = reworded(text, before, asked.language)
    if asked_so:
        return Resolved(asked_so, about=about, doubt=0.15, lent=before)
    joined = f"{capital(text.strip(' ?.'))}: {before.strip(' ?.')}?"
    return Resolved(joined, about=about, doubt=0.2, appended=True, lent=before)


def _owned(noun: str, pronoun: str, language: Language) -> str:
    """The question for a property that a possessive makes somebody's: "its price" is "the price of its"."""
    found = re.fullmatch(rf"{re.escape(pronoun)} (?P<noun>.+?)[ ?.!]*", noun, re.IGNORECASE)
    return what_is(of(f"the {found['noun']}", pronoun, language) if found else noun, language)
