"""Sections that are called alike (Dry dock, Floating dock), and groups of settings (mail, http): what is told of one of
them does not answer for the other.

What stands under such a name seldom says it again, so that it answers as well of the one as of the other.
"""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.above import line_above, section_of
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.relevance import ScoredPassage
from calibrant.judges.free.words.text import content_stems
from calibrant.state.base import unique
from calibrant.state.task import Language

_GROUP = re.compile(r"((?:[\w.-]+ > )+)[\w.-]+: ")
"""The keys over a setting."""


def without_siblings(query: Query, scored: Sequence[ScoredPassage]) -> list[ScoredPassage]:
    """``scored`` without the passages of which the question names a sibling."""
    sections: dict[str, set[str]] = {}
    for passage in scored:
        sections.setdefault(passage.evidence.document, set()).add(section_of(passage.evidence))
    return [one for one in scored if not _is_of_a_sibling(query, one, sections[one.evidence.document])]


def _is_of_a_sibling(query: Query, passage: ScoredPassage, sections: set[str]) -> bool:
    item = passage.evidence
    own, told = section_of(item), f"{line_above(item)} {item.text}"
    asked = _words(query.text, query.language)
    alike = (one for one in sections if _words(one, query.language) & _words(own, query.language) & asked)
    return any(_is_meant(query, other, own, told) for other in alike)


def groups_named(query: Query, passage: ScoredPassage) -> tuple[str, ...]:
    """The groups of settings in a passage of which the question says a word: read once for all of its settings."""
    asked = _words(query.text, query.language)
    groups = unique(found[1] for one in passage.found if (found := _GROUP.match(one.text)))
    return tuple(group for group in groups if not asked.isdisjoint(_words(group, query.language)))


def is_of_another_group(query: Query, named: Sequence[str], text: str) -> bool:
    """Whether ``text`` is a setting, and the question means another of the groups that it has ``named``."""
    own = _GROUP.match(text)
    return own is not None and any(_is_meant(query, group, own[1], text) for group in named)


def _is_meant(query: Query, other: str, own: str, told: str) -> bool:
    """Whether the question has all words by which ``other`` differs from ``own``, of which nothing is ``told`` under
    that, and none of those by which that differs from it."""
    asked, theirs, mine, held = (_words(text, query.language) for text in (query.text, other, own, told))
    return bool(theirs - mine and mine - theirs) and theirs - mine <= asked - held and asked.isdisjoint(mine - theirs)


def _words(text: str, language: Language) -> frozenset[str]:
    return frozenset(word for word in content_stems(text, language) if word.isalpha())
