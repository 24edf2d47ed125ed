"""The few words of a question that a service is asked for which matches only what has all of them.

GitHub's search of repositories, MediaWiki's and, as far as one can tell, Stack Exchange's take words so: of a whole
question they find nothing. Two to four words find something, if they are those that tell most.
"""

import re
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import TypeVar

from calibrant.retrievers.knowledge.terms import terms_of
from calibrant.state.base import unique

T = TypeVar("T")

_NAMED, _SHORT, _PLAIN, _EMPTY = 3, 2, 1, 0
"""What a word tells: an error's code, an identifier or a name; an acronym or a status; any other; nothing."""

_WORD = re.compile(r"\w+(?:[.\-]\w+)*")
_CODE = re.compile(r"(?=.*[^\W\d_])(?:.*[\d_]|\w+\.\w|[^\W_]+[a-z][A-Z])")
"""TDB-1207, max_retries, Client.__init__, TypeError."""
_ACRONYM = re.compile(r"[^\W\d_a-z]{2,}s?")
_STATUS = re.compile(r"[1-5]\d\d")
_OPENS = re.compile(r"(?:^|[.?!:;]\s+|[\"“])[\"'“‘(*#\s]*$")
_ASKING_WORDS = """
make makes making made code codes error errors fail fails failing failed show shows please get gets getting use uses
using used want need needs work works working help way ways give find tell explain compare example examples possible
correct properly best good issue problem many more most much also since under
fazer faz código erro falha falhar mostre mostrar favor usar usando usado quero preciso ajuda funciona funcionar jeito
maneira exemplo exemplos possível muitos também
"""
_ASKING = frozenset(_ASKING_WORDS.split())
"""Words in which people ask, whatever they ask about."""


def keywords(text: str, most: int) -> list[str]:
    """The words of a question that tell most, in its order: codes of errors, identifiers and names before others. Those
    that only ask are left out, if there are others."""
    told = _told(text)
    known = [term.text for term in terms_of(text)]
    kept = [word for word in known if told.get(word, _PLAIN)] or known
    best = sorted(kept, key=lambda word: -told.get(word, _PLAIN))[:most]
    return [word for word in kept if word in best] or text.split()[:most]


def named(text: str) -> list[str]:
    """The words of a question that are written as names are, in its order: "TideDB", "Big" and "Gap"."""
    told = _told(text)
    return [term.text for term in terms_of(text) if told.get(term.text) == _NAMED and term.text.isalpha()]


async def with_fewer_words(
    text: str, counts: Sequence[int], find: Callable[[list[str]], Awaitable[list[T]]], names: int = 0
) -> list[T]:
    """What ``find`` gives for the keywords of ``text``: first for as many as ``counts`` begins with, then for fewer,
    until something is found. A text that names something is, after the first time, asked for by its first ``names``
    alone, if that is not 0."""
    first, *fewer = (tuple(keywords(text, most)) for most in counts)
    alone = tuple(named(text)[:names])
    for wanted in unique((first, *((alone,) if alone else fewer))):
        if found := await find(list(wanted)):
            return found
    return []


def _told(text: str) -> dict[str, int]:
    """How much the words of ``text`` tell, by the word in small letters; the most where one is written in two ways."""
    found: dict[str, int] = {}
    for word, tells in _each(text):
        found[word.lower()] = max(tells, found.get(word.lower(), _EMPTY))
    return found


def _each(text: str) -> Iterator[tuple[str, int]]:
    matches = list(_WORD.finditer(text))
    for place, match in enumerate(matches):
        word = match.group()
        beside = matches[place + 1].group() if place + 1 < len(matches) else ""
        # What opens a sentence says by its capital only that it does, unless another follows: "Ann Lee".
        is_name = word[0].isupper() and (beside[:1].isupper() or not _OPENS.search(text[: match.start()]))
        yield word, _tells(word, is_name)


def _tells(word: str, is_name: bool) -> int:
    if word.lower() in _ASKING:
        return _EMPTY
    if word.isdigit():
        return _SHORT if _STATUS.fullmatch(word) else _EMPTY
    if _ACRONYM.fullmatch(word):
        return _SHORT
    return _NAMED if is_name or _CODE.match(word) else _PLAIN
