"""Numbered steps under a heading that names what is to be done: how to do that is told there, in whatever words of the
steps ("Restarting a node": 1. Switch allocation off)."""

from collections.abc import Sequence

from calibrant.judges.free.evidence.above import section_of
from calibrant.judges.free.evidence.matching import covered, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import wants_steps
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import Sentence
from calibrant.state.evidence import Evidence

_LEAST = 2
"""Steps of a procedure."""
STEPS = word_set("step steps procedure passo passos etapa etapas procedimento")
"""What numbered steps are by their form."""


def steps_in(found: Sequence[Sentence], text: str) -> list[Sentence]:
    """The numbered steps among sentences of ``text``; one alone is none."""
    steps = [one for one in found if one.step(text) is not None]
    return steps if len(steps) >= _LEAST else []


def steps_asked_for(query: Query, item: Evidence, found: Sequence[Sentence]) -> frozenset[Sentence]:
    """The numbered steps of a passage, where the question is how to do what its own heading says: all words of the
    question stand in what is above it, and the first of them, what is to be done, in that heading."""
    steps = frozenset(steps_in(found, item.text))
    terms = [term for term in query.terms if term.word not in STEPS]
    if not steps or not terms or not wants_steps(query.text):
        return frozenset()
    own = keys(section_of(item), query.language)
    above = keys(f"{item.title} {item.locator.heading}", query.language)
    is_named = covered(terms[0], own) == 1.0 and all(covered(term, above) == 1.0 for term in terms)
    return steps if is_named else frozenset()
