"""Who or what a pronoun stands for: a name that the answer before gave, or what its question asked for."""

import re

from calibrant.judges.free.request.about import is_property
from calibrant.judges.free.request.followup_cues import PERSON, POSSESSIVES, SUBJECT_PRONOUNS
from calibrant.judges.free.request.resolved import Asked
from calibrant.judges.free.words.text import content_stems, stem, tokens
from calibrant.state.task import EN

_FIRST = 2_000
"""Characters of an answer in which names are looked for."""


def person(asked: Asked) -> str:
    """A person's name: the one that the question asked for, else the one that it named, else a new one."""
    of_a_thing = r"(?<!\ba )(?<!\ban )(?<!\bthe )" if asked.language is EN else ""
    new = [name for name in _new(of_a_thing + PERSON.pattern, asked) if not _FIRM.search(name)]
    if asked.about is None:
        named = PERSON.findall(asked.question)
    else:
        named = [asked.about] if asked.about[:1].isupper() else []
    return next(iter((*new, *named) if _ASKS_A_PERSON.search(asked.question) else (*named, *new)), "")


_FIRM = re.compile(
    r"\b(?:GmbH|AG|KG|SE|Ltd|LLC|LLP|Inc|Corp|Co|plc|PLC|BV|NV|SA|Lda|Ltda|Company|Corporation|Group|Holdings?|Industries"
    r"|Bank|University|Institute|Foundation|Association|Council|Committee|Ministry|Department|Universidade|Instituto"
    r"|Banco|Fundação|Associação|Câmara|Ministério)\b"
)
"""What has two capitals too, and is nobody."""


def _new(pattern: str, asked: Asked) -> list[str]:
    """The names in an answer that its question does not have, first the one that stands nearest to a word of it: in a
    list ("Ana Reis (chair), Tom Okafor (treasurer)") that is whom it asked for."""
    answer = asked.answer[:_FIRST]
    question, said = asked.question.casefold(), re.sub(_LABEL, _hidden, answer)
    found = re.finditer(rf"(?<![\w'’-])(?!The\b|[OA]s?\b){pattern}", said)
    new = [name for name in found if name.group().casefold() not in question]
    known = content_stems(asked.question, asked.language)
    places = [(word.start, word.end) for word in tokens(answer) if stem(word.word, asked.language) in known]

    def distance(name: re.Match[str]) -> int:
        return min((_between(answer, name.span(), place) for place in places), default=0)

    return [name.group() for name in sorted(new, key=distance)]


def _between(text: str, one: tuple[int, int], other: tuple[int, int]) -> int:
    """How far apart two places are: a comma between them parts two items of a list."""
    first, second = sorted((one, other))
    between = text[first[1] : second[0]]
    return len(between) + 100 * sum(between.count(mark) for mark in ",;.")


_LABEL = re.compile(r"(?:^|(?<=; ))(?:[^;:\n]{1,60}: )+", re.MULTILINE)
"""What a table calls a value ("Range (km): "), before it in its row; what a list is of ("Present: ")."""


def _hidden(found: re.Match[str]) -> str:
    return " " * len(found.group())


_ASKS_A_NAME = re.compile(
    r"^(?:who|where|which|what is the \w+ of|what's the \w+ of|quem|onde|qual (?:é |foi )?[oa] \w+ d[aoe]s?)\b",
    re.IGNORECASE,
)
_ASKS_A_PERSON = re.compile(r"\b(?:whom?|whose|quem)\b", re.IGNORECASE)
ASKS_NO_THING = re.compile(r"^(?:who|where|quem|onde)\b", re.IGNORECASE)
"""A question for a person or a place: its answer is no thing."""


def answered(asked: Asked) -> str:
    """The name that a short answer gave to a question for a name: what a pronoun after it stands for."""
    if not _ASKS_A_NAME.match(asked.question) or len(asked.answer.split()) > 15:
        return ""
    found = _new(r"[A-ZÀ-Þ][\w'’-]+(?: [A-ZÀ-Þ][\w'’-]+)*", asked)
    return next((name for name in found if len(name) > 2 and not is_property(name)), "")


_WHICH = re.compile(
    r"which (?P<noun>(?!of\b|ones?\b)[\w-]+(?: [\w-]+)?) (?P<said>(?:has|have|had|is|are|was|were|costs?|needs?|\w+ed)"
    r"(?! there\b) .+?)[ ?.]*",
    re.IGNORECASE,
)


def which(asked: Asked, pronoun: str) -> str:
    """What a question for one of several asked for, in its words: "the bike that has the longest range"."""
    found = _WHICH.fullmatch(asked.question)
    things = (SUBJECT_PRONOUNS[asked.language], POSSESSIVES[asked.language])
    if not found or asked.about is not None or not any(re.fullmatch(one, pronoun, re.IGNORECASE) for one in things):
        return ""
    return f"the {found['noun']} that {found['said']}"
