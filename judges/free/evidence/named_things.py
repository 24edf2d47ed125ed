"""Identifiers and acronyms that a question names: ``max_age``, ``--debug``, ``-x``, ``redirect()``, gRPC, ORM.

They are spelt in one way, so that a text without one does not speak of it, however much else it shares with the
question: what it tells is told of another setting, another protocol. On the fit halves of ``squad2``, ``faquad`` and
``pira`` 7 of the 46 passages answer that lack one, four of them where the question has misspelt it.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from calibrant.judges.free.evidence.question_form import wants_several
from calibrant.judges.free.words.text import is_misspelt
from calibrant.state.base import unique

_NAMED = re.compile(
    r"(?P<code>(?<![\w-])(?:--[a-z][\w-]+|-[A-Za-z](?![\w-]))"
    r"|(?<![\w/@.-])[^\W\d]\w*(?:\.\w+)*\.[^\W\d_]\w+(?![\w/@])|\b[^\W\d_]\w*_\w*[^\W_]"
    r"|\b[^\W\d]\w+(?=\(\)))|(?P<name>\b(?:[a-z]+[A-Z]|[A-Z][a-z]+[A-Z])\w*|\b[A-Z]{2,}\d*(?=s?\b))"
)
_SWITCH = re.compile(r"-[A-Za-z]")
_ROMAN = re.compile(r"[IVXLC]+")
_NO_NAME = frozenset(["OK", "NOT", "NO", "ALL", "ANY", "AND", "OR", "MUST", "ONLY"])
"""Words in capitals that only stress what is said."""
_SPLIT = re.compile(r"[A-Z]+(?=[A-Z][a-z])|[A-Z]?[a-z]+|[A-Z]+|[^\W\d_a-zA-Z]+|\d+")
_WORD = re.compile(r"[^\W\d_]+")
_SELVES = ("self", "cls", "this")
"""What code calls the owner of a name where it speaks of its own."""
_ALIKE = 0.9
"""Share of the letters that a misspelt name has in common with the right one."""


@dataclass(frozen=True)
class Named:
    """A thing as a question spells it. ``is_code``: of a program, which has it letter by letter; else an acronym or the
    name of a product, which the text around an answer need not repeat."""

    text: str
    is_code: bool

    def stands_in(self, text: str) -> bool:
        """Whether ``text`` has it, in whatever case and with whatever between its parts; an acronym also in full."""
        if _spelt(self.text).search(text):
            return True
        is_acronym = self.text.isupper() and self.text.isalpha()
        return not self.is_code and (
            is_misspelt(self.text.lower(), _words(text), _ALIKE) or (is_acronym and _in_full(self.text.lower(), text))
        )


@lru_cache(maxsize=1_000)
def named_things(question: str) -> tuple[Named, ...]:
    """The identifiers and acronyms of ``question``; none where all of it is in capitals."""
    if not any(word.islower() for word in _WORD.findall(question)):
        return ()
    found = (Named(match.group(), match["code"] is not None) for match in _NAMED.finditer(question))
    return unique(one for one in found if one.is_code or not (_ROMAN.fullmatch(one.text) or one.text in _NO_NAME))


def unnamed(question: str, passage: str, document: str) -> tuple[Named, ...]:
    """What ``question`` names and a passage with what stands above it does not: code nowhere in ``passage``, anything
    else nowhere in what is held of its ``document``. Of several things that are compared, one is enough."""
    asked = named_things(question)
    absent = tuple(one for one in asked if not one.stands_in(passage if one.is_code else document))
    return () if wants_several(question) and len(absent) < len(asked) else absent


def absent_names(question: str, texts: Sequence[str]) -> tuple[str, ...]:
    """What ``question`` names and none of ``texts`` does, as it spells it."""
    return tuple(one.text for one in named_things(question) if not any(one.stands_in(text) for text in texts))


@lru_cache(maxsize=1_000)
def _spelt(name: str) -> re.Pattern[str]:
    """Of a dotted name its last part is enough, unless it is another thing's: ``dumps`` under a heading that says
    ``json``, and not ``pickle.dumps``. What an environment variable begins with, the name of its program, may be left
    out or stand before it: ``ACME_CACHE_MAX_AGE``, ``CACHE_MAX_AGE``."""
    if _SWITCH.fullmatch(name):  # -c and -C are two
        return re.compile(rf"(?<![\w-]){name}(?![\w-])")
    owner, _, last = name.rpartition(".")
    program, *rest = map(re.escape, _SPLIT.findall(last))
    between = r"[\W_]{0,2}"
    parts = between.join((program, *rest))
    if name.isupper() and name.count("_") > 1:
        parts = rf"(?:[A-Z\d]+_)?(?:{program}{between})?{between.join(rest)}"
    owners = "|".join((re.escape(owner.rpartition(".")[2]), *_SELVES))
    if not owner and "_" not in name:  # the column ram_gb speaks of RAM
        return re.compile(rf"(?<![^\W_]){parts}(?:e?s)?(?![^\W_])", re.IGNORECASE)
    before = rf"(?:(?<!\w)(?<!\w\.)|(?<!\w)(?:{owners})\.)"
    return re.compile(rf"{before}{parts}(?:e?s)?(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=5_000)
def _in_full(acronym: str, text: str) -> bool:
    """Whether words in a row begin with its letters (service level agreement), or one has them in order (TV)."""
    words = list(_words(text))
    telling = [word for word in words if len(word) > 3]
    initials = ("".join(word[0] for word in row) for row in (words, telling))
    return any(acronym in row for row in initials) or any(_abbreviates(acronym, word) for word in telling)


def _words(text: str) -> Iterator[str]:
    return (word.group().lower() for word in _WORD.finditer(text))


def _abbreviates(acronym: str, word: str) -> bool:
    if word[0] != acronym[0] or len(acronym) > 3:
        return False
    letters = iter(word)
    return all(letter in letters for letter in acronym)
