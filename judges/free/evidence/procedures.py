"""Numbered steps, or a command that is announced, under a heading that names what is to be done: how to do that is told
there, in whatever words ("Restarting a node": 1. Switch allocation off; "Installation": run this command)."""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.above import section_of
from calibrant.judges.free.evidence.matching import Term, covered, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import wants_steps
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import Sentence
from calibrant.state.evidence import Evidence

_LEAST = 2
"""Steps of a procedure."""
_ANNOUNCES = re.compile(r"(?::|\.\.\.|…)$")
_DIRECTIVE = re.compile(r"\.\. [\w-]+::")
"""The line of a markup that says what follows: ``.. code-block:: text``."""
STEPS = word_set("step steps procedure passo passos etapa etapas procedimento")
"""What numbered steps are by their form."""
_COMMANDS = word_set("command commands comando comandos")
"""What code is that is announced."""


def steps_in(found: Sequence[Sentence], text: str) -> list[Sentence]:
    """The numbered steps among sentences of ``text``; one alone is none."""
    steps = [one for one in found if one.step(text) is not None]
    return steps if len(steps) >= _LEAST else []


def is_open(sentence: Sentence) -> bool:
    """Whether what a sentence announces is still to come: "Run this command:"."""
    return sentence.kind in ("prose", "item") and bool(_ANNOUNCES.search(sentence.text))


def is_directive(sentence: Sentence) -> bool:
    """Whether a sentence is no more than the markup of what follows."""
    return bool(_DIRECTIVE.match(sentence.text))


def end_of_shown(found: Sequence[Sentence], place: int) -> int:
    """The place where the code or the list ends that the sentence at ``place`` announces; ``place`` itself where it
    announces none."""
    begin = place + 1
    while begin < len(found) and is_directive(found[begin]):
        begin += 1
    if not is_open(found[place]) or begin == len(found) or found[begin].kind not in ("code", "item"):
        return place
    end = begin
    while end + 1 < len(found) and found[end + 1].kind == found[begin].kind:
        end += 1
    return end


def commands_in(found: Sequence[Sentence]) -> list[tuple[Sentence, ...]]:
    """The sentences that announce code, each with the code."""
    shown = (found[place : end_of_shown(found, place) + 1] for place in range(len(found)))
    return [tuple(one) for one in shown if len(one) > 1 and one[-1].kind == "code"]


def steps_asked_for(query: Query, item: Evidence, found: Sequence[Sentence]) -> frozenset[Sentence]:
    """The numbered steps of a passage, or else the sentences that announce a command in it, where the question is how
    to do, or by which command, what its own heading says: that has the first word of the question, what is to be done,
    and all of its words stand in what is above. What it is done to may be named in the command: ``pip install jobs``.
    """
    terms = [term for term in query.terms if term.word not in STEPS | _COMMANDS]
    own = keys(section_of(item), query.language)
    is_asked = wants_steps(query.text) or not query.asked.isdisjoint(_COMMANDS)
    if not terms or not is_asked or covered(terms[0], own) < 1.0:
        return frozenset()
    above = f"{item.title} {item.locator.heading}"
    if steps := steps_in(found, item.text):
        return frozenset(steps) if wants_steps(query.text) and _says_all(query, terms, above) else frozenset()
    commands = commands_in(found)
    told = " ".join((above, *(one.text for command in commands for one in command)))
    return frozenset(command[0] for command in commands) if _says_all(query, terms, told) else frozenset()


def _says_all(query: Query, terms: Sequence[Term], text: str) -> bool:
    held = keys(text, query.language)
    return all(covered(term, held) == 1.0 for term in terms)
