"""Words that set statements against each other: antonyms, synonyms and exclusive classes. English and Portuguese.

Knowledge of the two languages, not of any subject. Everything is looked up by stem. The longer lists are data, in
``opposites.json``: ``opposites`` has two poles a line; of a class's members, one excludes the others (a colour, a
country), and ``/`` joins names of one member; ``compatible`` are members that may hold together all the same.
"""

import json
import re
from collections.abc import Iterable
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import STOP_WORDS, stem
from calibrant.state.task import EN, PT, Language

Member = tuple[str, int]
"""A class and the place of a member in it."""
LONGEST_NAME = 3
"""Words of the longest member of a class ("united arab emirates")."""
_PREFIXES = word_set("un in im ir il non dis des")
_ORDINAL = re.compile(r"(\d{1,9})(?:st|nd|rd|th|\.?º|\.?ª)")
_ORDINALS = {
    EN: (
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth "
        "fifteenth sixteenth seventeenth eighteenth nineteenth twentieth"
    ),
    PT: (
        "primeiro/primeira segundo terceiro/terceira quarto quinto sexto sétimo oitavo nono décimo décimo_primeiro "
        "décimo_segundo"
    ),
}


@cache
def listed(language: Language) -> dict[str, Any]:
    """The lists of a language, as they stand in ``opposites.json``."""
    text = files("calibrant.judges").joinpath("opposites.json").read_text(encoding="utf-8")
    held: dict[str, dict[str, Any]] = json.loads(text)
    return held[language.value]


def roots(words: Iterable[str], language: Language) -> str:
    """Words as the stems of those that tell something: coreia, do, norte -> "coreia nort"."""
    return " ".join(stem(word, language) for word in words if word not in STOP_WORDS[language])


@cache
def antonyms(language: Language) -> frozenset[tuple[str, str]]:
    """Pairs of stems that exclude each other, both ways round."""
    pairs: set[tuple[str, str]] = set()
    for line in listed(language)["opposites"]:
        one, other = ([stem(word, language) for word in pole.split()] for pole in line.split(" : "))
        pairs.update((a, b) for left in one for right in other for a, b in ((left, right), (right, left)) if a != b)
    return frozenset(pairs)


@cache
def _synonyms(language: Language) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    for number, line in enumerate(listed(language)["synonyms"]):
        for word in line.split():
            found.setdefault(stem(word, language), set()).add(number)
    return {word: frozenset(numbers) for word, numbers in found.items()}


@cache
def _members(language: Language) -> dict[str, frozenset[Member]]:
    """Stems of each class member (joined by spaces) -> where it stands; one word may be in several classes."""
    found: dict[str, set[Member]] = {}
    classes = {kind: (" ".join(lines), 0) for kind, lines in listed(language)["classes"].items()}
    for kind, (members, first) in {**classes, "ordinal": (_ORDINALS[language], 1)}.items():
        for place, member in enumerate(members.split(), first):
            for name in member.split("/"):
                found.setdefault(roots(name.split("_"), language), set()).add((kind, place))
    return {name: frozenset(places) for name, places in found.items() if name}  # "may" is no word that tells


@cache
def _member_stems(language: Language) -> frozenset[str]:
    return frozenset(root for name in _members(language) for root in name.split())


def names_member(root: str, language: Language) -> bool:
    """Whether a stem is, or is a part of, the name of a class member: the quick look before ``classes_of``."""
    return root in _member_stems(language) or _ORDINAL.fullmatch(root) is not None


@cache
def _compatible(language: Language) -> frozenset[frozenset[str]]:
    pairs = (pair.split(":") for line in listed(language)["compatible"] for pair in line.split())
    return frozenset(frozenset(roots(name.split("_"), language) for name in pair) for pair in pairs)


def are_opposite(first: str, second: str, language: Language) -> bool:
    """Whether two stems are antonyms, by the list."""
    return (first, second) in antonyms(language)


@cache
def telling_stems(language: Language) -> frozenset[str]:
    """The stems that antonyms and synonyms know: only pairs of these need comparing."""
    listed = {root for pair in antonyms(language) for root in pair}
    return frozenset(listed.union(_synonyms(language)))


def negates_by_prefix(first: str, second: str) -> bool:
    """Whether one word is the other with a negative prefix: valid, invalid."""
    return second in negated_bases(first) or first in negated_bases(second)


@lru_cache(maxsize=20_000)
def negated_bases(word: str) -> frozenset[str]:
    """What a word may deny by its prefix: invalid -> valid. Short ones are chance (inform, form)."""
    bases = (word.removeprefix(prefix) for prefix in _PREFIXES if word.startswith(prefix))
    return frozenset(base for base in bases if len(base) > 5)


def are_synonyms(first: str, second: str, language: Language) -> bool:
    """Whether two stems may stand for one another."""
    groups = _synonyms(language)
    return bool(groups.get(first, frozenset()) & groups.get(second, frozenset()))


def classes_of(name: str, language: Language) -> frozenset[Member]:
    """Where a word, or neighbouring words joined by spaces, stands in the classes; by stem, or by an ordinal number."""
    number = _ORDINAL.fullmatch(name)
    if number:
        return frozenset([("ordinal", int(number[1]))])
    return _members(language).get(name, frozenset())


def are_exclusive(first: str, second: str, language: Language) -> bool:
    """Whether two names (stems) are different members of one class (red, green; india, north korea)."""
    one, other = classes_of(first, language), classes_of(second, language)
    if not {kind for kind, _ in one} & {kind for kind, _ in other} or one & other:
        return False
    return frozenset([first, second]) not in _compatible(language)
