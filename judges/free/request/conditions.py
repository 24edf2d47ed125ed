"""What a request demands of an answer: must-haves, must-nots, constraints. English and Portuguese.

Kinds of attributes: ``keyword`` and ``phrase`` (words of a passage), ``source`` (a source by name), ``domain`` (of its
address), ``year`` (of publication) and ``since`` (the earliest such year).
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from calibrant.judges.free.request.condition_cues import (
    EXCLUDED,
    EXCLUDED_IN_SEARCH,
    FROM_YEAR,
    IN_YEAR,
    LONGEST_PHRASE,
    MATERIAL,
    NOT_FROM,
    NOT_WHICH,
    ONLY_FROM,
    PLACE,
    REQUIRED,
    SOFT,
    SOURCES,
    WITHOUT,
)
from calibrant.judges.free.request.criteria import collects, counts
from calibrant.judges.free.request.parts import asks
from calibrant.judges.free.words.terms import identifiers, quoted
from calibrant.judges.free.words.text import content_words, none_in_another, sentences, uncased
from calibrant.state.base import unique
from calibrant.state.task import Attribute, Language

_MINUS = re.compile(r"(?<=\s)-(?!site:)([^\W\d_]\w+)(?![\w-])")
"""A word that a search is not to find: "hamsters -toys", and no option such as "-log-level"."""
_FILE = re.compile(r"(?:[A-Za-z]:|~|\.{1,2})?(?:[\\/][^\\/\s]+){2,}\.\w{1,5}")
"""The path of a file, as a trace quotes it: one on the asker's own machine, which no document has."""
_ASKS = re.compile(r"\?(?=\s|$)")
_LEAVE_OUT = re.compile(r"leave out|without using|sem usar", re.IGNORECASE)


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
    stated = (phrase.strip(" ,.") for phrase in _stated_in(text, language))
    return Conditions(unique(wanted), unique(unwanted), tuple(none_in_another(stated, str)))


def _stated(text: str, language: Language) -> Iterator[str]:
    """The sentences that state or search, not ask: "must" and "other than" in a question are part of what it asks. What
    is told before a question ("I run it without Docker. Which port ...?") sets the scene for it."""
    said = [sentence.text for sentence in sentences(text)]
    first = next((place for place, one in enumerate(said) if _ASKS.search(one)), 0)
    yield from (
        one
        for place, one in enumerate(said)
        if is_search(one, language) and (place >= first or collects(one, language))
    )


def _wanted(text: str, language: Language) -> Iterator[Attribute]:
    for pattern in ONLY_FROM[language]:
        yield from (_place(match) for match in re.finditer(pattern, text, re.IGNORECASE))
    for match in re.finditer(r"(?<![-\w])site:(\S+)", text, re.IGNORECASE):
        yield Attribute(kind="domain", value=match.group(1).lower().strip("/.,"))
    for sentence in _stated(text, language):
        for match in re.finditer(REQUIRED[language], sentence, re.IGNORECASE):
            yield from _keywords(match["value"], language)
    for term in quoted(text):
        is_file = text[term.start] != "`" and _FILE.fullmatch(term.text)
        if len(term.text.split()) <= LONGEST_PHRASE and not is_file:
            yield Attribute(kind="phrase", value=term.text)
    yield from _years(text, language)


def _years(text: str, language: Language) -> Iterator[Attribute]:
    """Years of publication: a year counts as one only beside a word for published material."""
    near = rf"\b{MATERIAL[language]}\b[^.?!]{{0,40}}?\b"
    for match in re.finditer(rf"{near}{FROM_YEAR[language]} (?P<year>(?:19|20)\d\d)\b(?! ?(?:-|to|a) ?\d)", text, re.I):
        exact = re.search(r"\bfrom (?:19|20)\d\d$", match.group(), re.I) is not None
        yield Attribute(kind="year" if exact else "since", value=match["year"])
    for match in re.finditer(rf"{near}{IN_YEAR[language]} (?P<year>(?:19|20)\d\d)\b", text, re.I):
        yield Attribute(kind="year", value=match["year"])


def _unwanted(text: str, language: Language) -> Iterator[Attribute]:
    yield from (_place(match) for match in re.finditer(NOT_FROM[language], text, re.IGNORECASE))
    for match in re.finditer(r"(?<!\w)-site:(\S+)", text, re.IGNORECASE):
        yield Attribute(kind="domain", value=match.group(1).lower().strip("/.,"))
    for sentence in _stated(text, language):
        for match in _MINUS.finditer(sentence):
            yield Attribute(kind="keyword", value=match.group(1).lower())
    for match, named_only in _exclusions(text, language):
        yield from _excluded(match, language, named_only=named_only)


def _exclusions(text: str, language: Language) -> Iterator[tuple[re.Match[str], bool]]:
    """Where the text may say what it does not want, and whether only what has a name of its own is excluded there."""
    excluded = re.finditer(EXCLUDED[language], text, re.IGNORECASE)
    yield from ((match, False) for match in excluded if not _is_asked_about(match, text))
    for sentence in _stated(text, language):
        for pattern in (WITHOUT[language], NOT_WHICH[language], EXCLUDED_IN_SEARCH[language]):
            yield from ((match, False) for match in re.finditer(pattern, sentence, re.IGNORECASE))
    yield from ((match, True) for match in re.finditer(WITHOUT[language], text, re.IGNORECASE))


def _is_asked_about(match: re.Match[str], text: str) -> bool:
    """Whether it is what a question is about ("how do I leave out the hashes?"), and no order for the answer."""
    asked = (one for one in sentences(text) if one.start <= match.start() < one.end)
    return _LEAVE_OUT.match(match.group()) is not None and any(one.text.endswith("?") for one in asked)


def _excluded(match: re.Match[str], language: Language, *, named_only: bool) -> Iterator[Attribute]:
    values = [match["value"], *re.split(r",|\b(?:or|and|nor|ou|e|nem)\b", match["more"] or "")]
    for value in values:
        if _is_place(value) or (named_only and not (identifiers(value) or value[:1].isupper())):
            continue
        yield from _keywords(value, language)


def without_conditions(text: str, language: Language) -> str:
    """``text`` without what it does not want, nor how many it wants: no passage has to have those words, and whoever
    searches for what is not wanted finds it."""
    phrases = [match.group() for match in re.finditer(r"(?<=\s)-(?:site:)?[^\W\d_]\S*", text)]
    for match, named_only in _exclusions(text, language):
        if any(_excluded(match, language, named_only=named_only)):
            phrases.append(match.group())
    for sentence in _stated(text, language):
        phrases += counts(sentence, language)
    for phrase in sorted(phrases, key=len, reverse=True):
        text = text.replace(phrase, " ")
    return text


def _is_place(value: str) -> bool:
    return re.match(rf"(?:(?:from|on|in|using|use|do|da|no|na) )?{PLACE}", value.strip(), re.IGNORECASE) is not None


def _keywords(value: str, language: Language) -> Iterator[Attribute]:
    """The words of a condition, as one keyword (its order kept): "live animals", "GPL"."""
    words = content_words(value, language)
    if words:
        yield Attribute(kind="keyword", value=" ".join(words))


def _place(match: re.Match[str]) -> Attribute:
    if match["source"]:
        return Attribute(kind="source", value=SOURCES[uncased(match["source"])])
    return Attribute(kind="domain", value=match["domain"].lower())


def is_search(text: str, language: Language) -> bool:
    """Whether ``text`` asks to collect things, or is a bare phrase to search for."""
    return collects(text, language) or not asks(text.strip(), language)


def _stated_in(text: str, language: Language) -> Iterator[str]:
    """The conditions as they stand in the text, the softer ones last."""
    for pattern in (
        *ONLY_FROM[language],
        NOT_FROM[language],
        EXCLUDED[language],
        EXCLUDED_IN_SEARCH[language],
        REQUIRED[language],
        SOFT[language],
    ):
        yield from (match.group() for match in re.finditer(pattern, text, re.IGNORECASE))
