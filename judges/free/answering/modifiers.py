"""Which of two things of a kind is spoken of: the first train or the last, the single ticket or the return.

The words that tell them apart are data, ``modifiers``, ``siblings`` and ``opposites`` in ``opposites.json``: poles
between " : ", of which one excludes the others where they stand beside the same noun. Within a pole each word may stand
for the others (the largest grant, the highest). All are looked up as they are written: a battery lasts, and is not the
last.
"""

import re
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import pairwise

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.opposites import listed
from calibrant.judges.free.words.text import STOP_WORDS, stem, tokens
from calibrant.state.task import Language

Pole = tuple[int, int]
"""A line of the list and the place of a pole in it."""
Asked = tuple[frozenset[Pole], frozenset[str]]
"""The poles of a modifier, and the stems of the nouns that it may belong to."""

_COLOURS = ("colour", "cor")
"""The class whose members are modifiers too."""
_COLUMN = re.compile(r"(?:^|[:;] )([^:;]{1,60}): [^:;]*$")
"""The column of a cell, which is a noun for what opens the cell: "Light: Blue, steady"."""
_COLUMN_CHARS = 64
"""Of the longest name of a column, with the signs around it."""
_REACH = 3
"""Words between a modifier and its noun, and one: "the first direct train"."""
_TOGETHER = re.compile(r"[\s*_`\"'“”-]*")
_TURNED = word_set("least less not no non menos não")
"""Words that turn the one behind them into its opposite: "the least expensive"."""
_BETWEEN = word_set("more most mais")
_RELATIONS = word_set("before after above over below under antes depois acima abaixo")
"""Opposites that stand before a noun and do not belong to it."""
_OF = frozenset(("of", "de"))
_REST = re.compile(
    r"\b(?:others|otherwise|after that|afterwards|thereafter|the rest|the remaining"
    r"|(?:all|any|every|the) other(?! (?:side|hand|day|end|way))|outr[oa]s|demais|restantes?|o resto|depois disso"
    r"|caso contrário|[oa] outr[oa](?! (?:lado|dia|vez|ponta)))\b",
    re.IGNORECASE,
)
"""Words for all that is left, the one asked for among it: "small boats 10 euros, all others 20"."""
_NOT = {
    Language.ENGLISH: re.compile(r"\bnon[- ]([^\W\d_]{3,})", re.IGNORECASE),
    Language.PORTUGUESE: re.compile(
        r"\bnão-([^\W\d_]{3,})|\b(?:[oa]s?|d[oa]s?|aos?|às?|para|por|de) não ([^\W\d_]{3,})", re.IGNORECASE
    ),
}
"""Those who are not what a word says: non-members, os não sócios."""
_WAYS = {
    "in": frozenset(("out",)), "out": frozenset(("in",)), "up": frozenset(("down",)), "down": frozenset(("up",)),
    "on": frozenset(("off",)), "off": frozenset(("on",)), "back": frozenset(("over", "forward")),
    "over": frozenset(("back",)), "forward": frozenset(("back",)),
}  # fmt: skip
"""Particles that make the opposite of a verb of what the others make of it."""
_PHRASAL = re.compile(rf"\b([a-z]{{3,}})[ -]({'|'.join(_WAYS)})\b")
_COUNTS = word_set("number amount quantity número quantidade")
"""What a modifier stands beside when it belongs to what is counted: "the maximum number of coaches"."""


def is_of_the_other(question: str, text: str, language: Language) -> bool:
    """Whether ``question`` asks for one of two things of a kind and ``text`` tells only of the other one, and not of
    the rest either."""
    if _REST.search(text):
        return False
    if _is_of_those_who_are_not(question, text, language) or _goes_the_other_way(question, text, language):
        return True
    asked, told = _modified(question, language), _modified(text, language)
    said = _poles_in(text, language) if asked and told else frozenset()
    wanted = frozenset().union(*(poles for poles, _ in asked))
    return any(
        _excludes(poles, other) and not nouns.isdisjoint(beside) and poles.isdisjoint(said) and not wanted & other
        for poles, nouns in asked
        for other, beside in told
    )


def _is_of_those_who_are_not(question: str, text: str, language: Language) -> bool:
    """Whether one of them speaks of members and the other one of non-members, and neither of both."""
    (asked, asked_not), (told, told_not) = (_yes_and_not(one, language) for one in (question, text))
    return bool((asked_not - asked) & (told - told_not) or (asked - asked_not) & (told_not - told))


def _goes_the_other_way(question: str, text: str, language: Language) -> bool:
    """Whether one of them logs in and the other one out, or fails over and back."""
    if language is not Language.ENGLISH:
        return False
    asked, told = _phrasal(question), _phrasal(text)
    both = ((asked[verb], told[verb]) for verb in asked.keys() & told.keys())
    return any(mine.isdisjoint(theirs) and any(_WAYS[way] & theirs for way in mine) for mine, theirs in both)


@lru_cache(maxsize=5_000)
def _phrasal(text: str) -> dict[str, frozenset[str]]:
    """The stems of the words before a particle, with the particles: log in, check-out."""
    found: dict[str, set[str]] = {}
    for word, way in _PHRASAL.findall(text.lower()):
        if word not in STOP_WORDS[Language.ENGLISH]:
            found.setdefault(stem(word, Language.ENGLISH), set()).add(way)
    return {verb: frozenset(ways) for verb, ways in found.items()}


@lru_cache(maxsize=5_000)
def _yes_and_not(text: str, language: Language) -> tuple[frozenset[str], frozenset[str]]:
    """The stems of the words of ``text``, and of those behind "non-"."""
    without = frozenset(
        stem(next(filter(None, found.groups())).lower(), language) for found in _NOT[language].finditer(text)
    )
    rest = _NOT[language].sub(" ", text) if without else text
    return frozenset(stem(token.word, language) for token in tokens(rest)), without


def tells_apart(word: str, language: Language) -> bool:
    """Whether a word says which of two things of a kind is meant, beside whatever it stands."""
    return word in _listed(language)


def are_alike(word: str, other: str, language: Language) -> bool:
    """Whether two words stand on one pole, so that one may be said for the other: the largest, the maximum."""
    known = _listed(language)
    return not known.get(word, frozenset()).isdisjoint(known.get(other, frozenset()))


def _excludes(poles: frozenset[Pole], others: frozenset[Pole]) -> bool:
    """Whether two words stand on different poles of a line, and nowhere on the same one."""
    lines = {line for line, _ in poles} & {line for line, _ in others}
    return bool(lines) and poles.isdisjoint(others)


@cache
def _listed(language: Language) -> dict[str, frozenset[Pole]]:
    found: dict[str, set[Pole]] = {}
    lists = listed(language)
    for line, poles in enumerate((*lists["modifiers"], *lists["siblings"], *lists["opposites"])):
        for place, pole in enumerate(poles.split(" : ")):
            for word in set(pole.split()) - _RELATIONS:
                found.setdefault(word, set()).add((line, place))
    for kind in _COLOURS:
        for place, names in enumerate(" ".join(listed(language)["classes"].get(kind, ())).split()):
            for name in names.split("/"):
                found.setdefault(name, set()).add((-1, place))
    return {word: frozenset(places) for word, places in found.items()}


def _poles_in(text: str, language: Language) -> frozenset[Pole]:
    """The poles of all words of ``text``, whatever they stand beside."""
    return frozenset().union(*(_listed(language).get(token.word, frozenset()) for token in tokens(text)))


@lru_cache(maxsize=5_000)
def _modified(text: str, language: Language) -> tuple[Asked, ...]:
    """The modifiers of ``text`` with the nouns that they may belong to."""
    words, known = tokens(text), _listed(language)
    places = [at for at, token in enumerate(words) if token.word in known]
    turned = {at for at in places if at and words[at - 1].word in _TURNED}
    return tuple((known[words[at].word], frozenset(_beside(text, at, language))) for at in places if at not in turned)


def _beside(text: str, at: int, language: Language) -> Iterator[str]:
    """The stems of the words that follow the one at ``at`` with nothing between, in Portuguese also before it, and of
    the column that it stands in."""
    words = tokens(text)
    yield from _run(text, range(at, min(at + _REACH + 2, len(words))), language)
    if language is Language.PORTUGUESE:
        yield from _run(text, range(at, max(at - _REACH, -1), -1), language)
    before = text[: words[at].start]
    named = max(before.rfind(":"), before.rfind(";"))
    if named >= 0 and (column := _COLUMN.search(before, max(0, named - _COLUMN_CHARS))):
        yield from (stem(token.word, language) for token in tokens(column[1]))


def _run(text: str, places: range, language: Language) -> Iterator[str]:
    words, before = tokens(text), ""
    for last, at in pairwise(places):
        left, right = sorted((words[last], words[at]), key=lambda token: token.start)
        word = words[at].word
        if not _TOGETHER.fullmatch(text[left.end : right.start]):
            return
        if word in _BETWEEN or (word in _OF and before in ("", *_COUNTS)):
            continue
        if word in STOP_WORDS[language]:
            return
        before = word
        yield stem(word, language)
