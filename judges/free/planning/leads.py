"""Leads: what the evidence held points to that the request does not name. They turn evidence into other queries."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from calibrant.judges.free.evidence.above import section_of
from calibrant.judges.free.words.terms import GENERIC, identifiers
from calibrant.judges.free.words.text import content_words, none_in_another, stem
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Distillate
from calibrant.state.task import Language, Task

MOST_LEADS = 3
LONGEST_HEADING = 8
"""Words from which a heading is a sentence, not a name."""

_SILENT = re.compile(
    r"^(?:introduction|overview|contents|index|home|readme|notes?|see also|references|introdução|índice|sumário)$", re.I
)


def leads(task: Task, evidence: Iterable[Evidence], distillate: Distillate) -> tuple[str, ...]:
    """Up to three names and headings from the evidence held and its insights, those most often found first."""
    found = tuple(evidence)
    asked = _stems(" ".join((task.text, *(part.text for part in task.questions))), task.language)
    votes: Counter[str] = Counter()
    for term in _identifiers(found, distillate):
        if stem(term.lower().rstrip("()"), task.language) not in asked:
            votes[term] += 1
    named = [term for term, count in votes.most_common() if count > 1]
    headings = [heading for heading in _headings(found) if _adds(heading, asked, task.language)]
    singles = [term for term, count in votes.most_common() if count == 1]
    return tuple(none_in_another((*named[:2], *headings, *singles), str.lower)[:MOST_LEADS])


def _identifiers(evidence: tuple[Evidence, ...], distillate: Distillate) -> Iterator[str]:
    """The identifiers of each passage and insight, each counted once per place."""
    insights = (*distillate.key_insights, *distillate.best_practices, *distillate.patterns)
    for text in (*(insight.text for insight in insights), *(item.text for item in evidence)):
        yield from unique(term.text for term in identifiers(text) if len(term.text) > 2)


def _headings(evidence: tuple[Evidence, ...]) -> Iterator[str]:
    """Headings and titles, of the most relevant passages first."""
    for item in sorted(evidence, key=lambda item: -item.relevance):
        for heading in (section_of(item).strip(" #"), item.title.strip()):
            if heading and len(heading.split()) <= LONGEST_HEADING and not _SILENT.match(heading):
                yield heading


def _adds(heading: str, asked: frozenset[str], language: Language) -> bool:
    """Whether a heading is about the topic and says something that the request does not."""
    known = _stems(heading, language)
    return bool(known & asked) and bool(known - asked)


def _stems(text: str, language: Language) -> frozenset[str]:
    return frozenset(stem(word, language) for word in content_words(text, language) if word not in GENERIC[language])
