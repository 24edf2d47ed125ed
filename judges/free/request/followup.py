"""Follow-ups: "and in Portuguese?", "does it raise?" resolved against the earlier turns of the conversation.

The earlier question lends what the follow-up leaves out: a name for its pronoun, or its own words, one part exchanged.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from calibrant.judges.free.request.bare import reworded
from calibrant.judges.free.request.followup_cues import (
    ACTION_BEFORE,
    CLAUSE,
    CONTINUES,
    ELLIPTIC,
    EXPLETIVE,
    OBJECT_PRONOUN,
    PERSON,
    PERSON_PRONOUNS,
    PERSONAL,
    POINTING,
    POSSESSIVES,
    SUBJECT_PRONOUNS,
    SUBJECTLESS,
    TAKES,
    THINGS,
    VERBAL,
)
from calibrant.judges.free.words.about import TOLD_WITHIN, described, introduced, only_thing, subject, thing
from calibrant.judges.free.words.phrases import FUSED, PREPOSITIONS, Phrase, counterpart, fused, is_plain, placed, read
from calibrant.judges.free.words.terms import EN, PT, identifiers, longest_chunk, names, specific_words
from calibrant.judges.free.words.text import content_words, tokens
from calibrant.judges.free.words.units import UNITS
from calibrant.judges.given import Turn
from calibrant.state.task import Language


@dataclass(frozen=True)
class Resolved:
    """A request with its references resolved. ``dangling`` names a pronoun for which nothing was found."""

    text: str
    about: str | None = None
    """What it is about, where it carries on from an earlier turn (empty if nobody can tell); None where it does not."""
    dangling: str = ""
    doubt: float = 0.0
    """How unsure the reading is: several things could be meant, or words were only appended."""
    appended: bool = False
    """Words of the earlier question were only put beside it: right for a search, no sentence for a reader."""
    bare: str = ""
    """The question without the thing that was appended to it, which gives way to the next one."""
    lent: str = ""
    """The question before, where this one asks it with other question words: the next such asks it as well."""
    points: bool = False
    """It rests on a word for something that was said before, which was replaced or may be such a word: a good guess."""


@dataclass(frozen=True)
class _Asked:
    """The question before, resolved, and what it was answered."""

    question: str
    answer: str
    bare: str
    about: str | None
    lent: str = ""

    def subject(self, language: Language) -> str:
        """What it is about: what was carried over from the turns before it, else what its own words tell."""
        return subject(self.question, language) if self.about is None else self.about


def resolve(text: str, history: Sequence[Turn], language: Language) -> Resolved:
    """``text`` with what it leaves to the earlier turns filled in; itself when it stands alone."""
    turns = [Turn(" ".join(turn.question.split()), turn.answer) for turn in (*history, Turn(text))]
    found = Resolved(turns[0].question, dangling=dangling(turns[0].question, language))
    for before, turn in pairwise(turns):
        asked = _Asked(found.text, before.answer, found.bare or found.text, found.about, found.lent)
        said = _against(turn.question, asked, language)
        found = replace(said, points=said.points or (found.points and said.about is not None))
    return found


_AS_FOR = re.compile(r"^(?:e )?(?:quanto|em relação) (aos?|às?) (?=\w)", re.IGNORECASE)


def _against(text: str, asked: _Asked, language: Language) -> Resolved:
    if language is PT:  # "e quanto à garagem?" asks what "e a garagem?" does
        text = _AS_FOR.sub(lambda match: f"e {FUSED[match[1].lower()][1]} ", text)
    opening = re.match(CONTINUES[language], text, re.IGNORECASE)
    rest = text[opening.end() :] if opening else text
    if re.match(ELLIPTIC[language], text.lower()) or re.match(ELLIPTIC[language], rest.lower()):
        return _joined(rest or text, asked, language)
    pronoun = dangling(rest, language)
    if pronoun and re.search(TAKES[language], rest, re.IGNORECASE):
        return _joined(rest, asked, language)
    if pronoun:
        return _named(rest, pronoun, asked, language)
    objectless = re.fullmatch(OBJECT_PRONOUN[language], rest, re.IGNORECASE)
    if objectless:
        return _completed(f"{objectless['before']} {objectless['verb']}", asked, language)
    if subjectless(rest, language):
        return _completed(rest, asked, language)
    if opening and not re.match(rf"{VERBAL[language]}|{CLAUSE[language]}", rest.lower()):
        named, _, said = rest.partition(", ")
        if re.match(VERBAL[language], said.lower()):  # "And the library, is it open?"
            return _against(said, _Asked(named, "", named, introduced(named, language)), language)
        return _exchanged(rest, asked, language)
    if re.match(rf"^{PREPOSITIONS[language]}\b", text.lower()) and len(text.split()) <= 4:
        return _exchanged(text, asked, language)
    if not specific_words(rest, language) and len(rest.split()) <= 8:
        return _joined(rest, asked, language)
    return Resolved(_capital(rest), points=re.search(POINTING[language], rest, re.IGNORECASE) is not None)


def dangling(text: str, language: Language) -> str:
    """The first pronoun of ``text`` that nothing in it explains; empty when there is none."""
    pronouns = "|".join(table[language] for table in (SUBJECT_PRONOUNS, PERSON_PRONOUNS, POSSESSIVES))
    spoken = re.sub(EXPLETIVE[language], lambda match: "#" * len(match.group()), text, flags=re.IGNORECASE)
    for match in re.finditer(rf"\b(?:{pronouns})\b", spoken, re.IGNORECASE):
        if not _explained(text, match, language):
            return text[match.start() : match.end()]
    return ""


def subjectless(text: str, language: Language) -> bool:
    """Whether ``text`` leaves its subject out where another language would have a pronoun."""
    return language is PT and SUBJECTLESS.fullmatch(text.strip()) is not None


_OF_THEIRS = {EN: r"(?!)", PT: r"dele|dela|deles|delas"}
_POSSESSED = re.compile(r"(?:(?<!\w)[^\W\d_]+(?:-[^\W\d_]+)*\s+){1,2}$")
"""The words before a Portuguese possessive say what is possessed, not by whom ("a última revisão dela")."""
_REACH = 1_000
"""Characters before a pronoun in which what it stands for is looked for."""


def _explained(text: str, pronoun: re.Match[str], language: Language) -> bool:
    """Whether the text itself says what a pronoun stands for: it names something before it, or a name right after."""
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


def _named(text: str, pronoun: str, asked: _Asked, language: Language) -> Resolved:
    """``text`` with its pronoun replaced by what the earlier question, or its answer, is about."""
    meant = _person(asked, language) if _is_one_of(PERSONAL, pronoun, language) else ""
    if not (_is_one_of(THINGS, pronoun, language) and _ASKS_NO_THING.match(asked.question)):
        meant = meant or _answered(asked)
    meant = meant or asked.subject(language)
    if not meant:
        about = longest_chunk(asked.question, language)
        lost = "" if about else pronoun
        return Resolved(_capital(bracketed(text, about)), about="", dangling=lost, doubt=0.4, points=True)
    several = len({term.text for term in identifiers(asked.question)} or {meant}) > 1
    found = re.search(rf"\b{re.escape(pronoun)}\b", text)
    if found:
        owns = _is_possessive(pronoun, text[found.end() :], language)
        text = f"{text[: found.start()]}{_in_place_of(pronoun, meant, owns, language)}{text[found.end() :]}"
    return Resolved(_capital(text), about=meant, doubt=0.4 if several else 0.1, points=True)


def _completed(text: str, asked: _Asked, language: Language) -> Resolved:
    """A question without a subject, with what the one before is about behind its verb."""
    told = described(asked.question)
    about = told if asked.about and asked.about in told else asked.about or told
    about = about or longest_chunk(asked.question, language)
    completed = f"{_capital(text.strip(' ?'))} {about}".strip() + "?"
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


def _person(asked: _Asked, language: Language) -> str:
    """A person's name: the one that the question asked for, else the one that it named, else a new one."""
    of_a_thing = r"(?<!\ba )(?<!\ban )(?<!\bthe )" if language is EN else ""
    new = [name for name in re.findall(of_a_thing + PERSON.pattern, asked.answer) if name not in asked.question]
    if asked.about is None:
        named = PERSON.findall(asked.question)
    else:
        named = [asked.about] if asked.about[:1].isupper() else []
    return next(iter((*new, *named) if _ASKS_A_PERSON.search(asked.question) else (*named, *new)), "")


_ASKS_A_NAME = re.compile(
    r"^(?:who|where|which|what is the \w+ of|what's the \w+ of|quem|onde|qual (?:é |foi )?[oa] \w+ d[aoe]s?)\b",
    re.IGNORECASE,
)
_ASKS_A_PERSON = re.compile(r"\b(?:whom?|whose|quem)\b", re.IGNORECASE)
_ASKS_NO_THING = re.compile(r"^(?:who|where|quem|onde)\b", re.IGNORECASE)


def _answered(asked: _Asked) -> str:
    """The name that a short answer gave to a question for a name: what a pronoun after it stands for."""
    said = asked.answer
    if not _ASKS_A_NAME.match(asked.question) or len(said.split()) > 15:
        return ""
    found = re.findall(r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*(?![\w'’-]*:)", said)
    return next((name for name in found if name not in asked.question and len(name) > 2 and name != "The"), "")


_THE_ONE: dict[Language, str] = {
    EN: rf"^(?:the ones?|that|those) (?={PREPOSITIONS[EN]} )|(?<=\w) ones?$",
    PT: rf"^[oa]s? (?={PREPOSITIONS[PT]} )",
}
"""Words that only stand for the noun of the question before: "the Business one", "o do Porto"."""


def _exchanged(fragment: str, asked: _Asked, language: Language) -> Resolved:
    """The question before with the part exchanged that ``fragment`` is an alternative to, else with it appended.

    A name or a thing is from then on what the talk is about; a day, a year or a condition changes nothing there.
    """
    fragment, before = fragment.strip(" ?."), asked.question.strip(" ?.")
    noun = _with_its_noun(fragment, before, language)
    if not noun:
        return Resolved(before, about=asked.subject(language))
    new = read(noun, language)
    about = "" if new and new.lead else introduced(noun, language)
    if about:
        before = asked.bare.strip(" ?.")
    pair = _pair(noun, new, before, language)
    if pair:
        old, new, rest = pair
        text = _capital(f"{placed(before, old, new, language)}{rest}?")
        return Resolved(text, about=about or _kept(old.core, text, asked, language), doubt=0.15)
    alike = "" if new and new.lead else _alike(noun, before, language)
    if alike:
        text = f"{before.replace(alike, noun, 1)}?"
        return Resolved(text, about=_kept(alike, text, asked, language), doubt=0.15)
    link = " " if new and new.lead else (", e " if language is PT else ", as for ")
    bare = f"{before}?" if about else ""
    text = f"{before}{link}{noun}?"
    return Resolved(text, about=about or asked.subject(language), doubt=0.25, appended=True, bare=bare)


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
    other = thing(noun, language)
    one = only_thing(before, language, other) if other else None
    return (one, other, noun[other.end :]) if one and other else None


def _kept(old: str, text: str, asked: _Asked, language: Language) -> str:
    """What ``text`` is about: what the question before was, unless ``old`` was that and is no longer there."""
    about = asked.subject(language)
    return subject(text, language) if old in about else about


def _alike(fragment: str, before: str, language: Language) -> str:
    """The one plain noun of ``before`` with the number of ``fragment`` (both plural), if it is no unit of measure."""
    last = (content_words(fragment, language) or ("",))[-1]
    if not last.endswith("s") or len(fragment.split()) > 2:
        return ""
    lowered = [before[token.start : token.end] for token in tokens(before)]
    known = set(specific_words(before, language)) - UNITS.keys()
    alike = [word for word in lowered if word in known and word.endswith("s") and not word.endswith("ss")]
    return alike[0] if len(alike) == 1 else ""


def _joined(text: str, asked: _Asked, language: Language) -> Resolved:
    """A question that says nothing by itself, with the words of the one before; it takes the place of another such."""
    before = asked.lent or asked.question
    about = asked.subject(language)
    asked_so = reworded(text, before, language)
    if asked_so:
        return Resolved(asked_so, about=about, doubt=0.15, lent=before)
    joined = f"{_capital(text.strip(' ?.'))}: {before.strip(' ?.')}?"
    return Resolved(joined, about=about, doubt=0.2, appended=True, lent=before)


def _capital(text: str) -> str:
    """``text`` with a capital first letter, unless it opens with an identifier."""
    coded = identifiers(text)
    if not text or (coded and coded[0].start == 0):
        return text
    return text[0].upper() + text[1:]
