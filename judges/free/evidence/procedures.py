"""Numbered steps, a short section, or a command that is announced, under a heading that names what is to be done: how
that is done is told there, in whatever words ("Restarting a node": 1. Switch allocation off; "Installation": run ...).
"""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.above import section_of
from calibrant.judges.free.evidence.matching import Term, are_all_in, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import wants_steps
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import Sentence
from calibrant.state.evidence import Evidence

LONGEST = 600
"""Characters of a quotation."""
_LEAST = 2
"""Steps of a procedure."""
_LINE_END = 2
"""Characters between two lines of a block: their end, and a space or a blank line."""
_ASKS = re.compile(r"[^.!?\n]{1,300}\?")
"""An entry of a list of questions, with their answers, is no step."""
_ANNOUNCES = re.compile(r"(?::|\.\.\.|…)$")
_DIRECTIVE = re.compile(r"\.\. [\w-]+::")
"""The line of a markup that says what follows: ``.. code-block:: text``."""
STEPS = word_set("step steps procedure passo passos etapa etapas procedimento")
"""What numbered steps are by their form."""
_COMMANDS = word_set("command commands comando comandos")
"""What code is that is announced."""
_LIGHT = word_set("make get take perform do fazer faço fazemos tirar")
"""Verbs that leave what is done to their object: to make a backup."""
_PASSIVE = re.compile(r"\bhow (?:is|are|can|could|should|must)\b[^?]*?\b(\w+ed)\b", re.IGNORECASE)
"""How is it installed?"""


def steps_in(found: Sequence[Sentence], text: str) -> list[Sentence]:
    """The numbered steps among sentences of ``text``; one alone is none."""
    steps = [one for one in found if one.step(text) is not None and not _ASKS.match(one.text)]
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
    while end + 1 < len(found) and _goes_on(found[end], found[end + 1]):
        end += 1
    return end


def _goes_on(one: Sentence, other: Sentence) -> bool:
    """Whether code, or a list, goes on with the sentence that follows: of its kind, or in the next line of a block in
    which a comment explains some of the commands."""
    is_next_line = {one.kind, other.kind} == {"code", "item"} and other.start - one.end <= _LINE_END
    return one.kind == other.kind or is_next_line


def commands_in(found: Sequence[Sentence]) -> list[tuple[Sentence, ...]]:
    """The sentences that announce code, each with the code."""
    shown = (found[place : end_of_shown(found, place) + 1] for place in range(len(found)))
    return [tuple(one) for one in shown if len(one) > 1 and one[-1].is_code]


def steps_asked_for(query: Query, item: Evidence, found: Sequence[Sentence]) -> frozenset[Sentence]:
    """The numbered steps of a passage, else a short section as a whole, or the sentences that announce a command in a
    long one, where the question is how to do, or by which command, what its own heading says: that has the word for
    what is to be done, and all words of the question stand in what is above. What it is done to may be named in the
    text: ``pip install jobs``. Under any other heading the sentence that announces a command may say all that itself.
    """
    terms = _terms(query)
    if not terms or not (wants_steps(query.text) or _wants_command(query)):
        return frozenset()
    above, commands = f"{item.title} {item.locator.heading}", commands_in(found)
    if not _is_named(query, terms, item):
        named = (one for one in commands if are_all_in(terms[:1], keys(one[0].text, query.language)))
        return frozenset(one[0] for one in named if _says_all(query, terms, _told(above, one)))
    if steps := steps_in(found, item.text):
        return frozenset(steps) if wants_steps(query.text) and _says_all(query, terms, above) else frozenset()
    if section := section_asked_for(query, item, found):
        return frozenset(section)
    told = _told(above, [one for command in commands for one in command])
    return frozenset(command[0] for command in commands) if _says_all(query, terms, told) else frozenset()


def _told(above: str, found: Sequence[Sentence]) -> str:
    return " ".join((above, *(one.text for one in found)))


def commands_asked_for(query: Query, item: Evidence, found: Sequence[Sentence]) -> frozenset[Sentence]:
    """The command, in a block of code, whose own comment says what the question is how to do: with all of its words, or
    all but the verb, for which there are many ("see", "show", "list"). Nothing where several say so."""
    terms = _terms(query)
    if len(terms) < _LEAST or not (wants_steps(query.text) or _wants_command(query)):
        return frozenset()
    held = {one: keys(one.text, query.language) for one in found if one.is_command}
    for wanted in (terms, terms[1:]):
        named = frozenset(one for one, said in held.items() if are_all_in(wanted, said))
        if named and len(wanted) >= _LEAST:
            return named if len(named) == 1 else frozenset()
    return frozenset()


def section_asked_for(query: Query, item: Evidence, found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """All that stands under the heading of a passage, where that names what the question is how to do, and it is short
    enough to quote: with one of two ways to install a thing half of its readers are told nothing. Empty otherwise."""
    if len(found) < 2 or found[0].kind != "heading":
        return ()  # it may begin in the middle of a section
    body, kinds = tuple(found[1:]), {one.kind for one in found[1:]}
    if body[-1].end - body[0].start > LONGEST or "heading" in kinds:
        return ()
    if is_open(body[-1]) or steps_in(body, item.text):
        return ()
    terms = _terms(query)
    is_asked = wants_steps(query.text) or (any(one.is_code for one in body) and _wants_command(query))
    if not terms or not is_asked or not _is_named(query, terms, item):
        return ()
    told = _told(f"{item.title} {item.locator.heading}", body)
    return body if _says_all(query, terms, told) else ()


def _terms(query: Query) -> list[Term]:
    """The terms of a question that tell what is to be done, and to what."""
    return [term for term in query.terms if term.word not in STEPS | _COMMANDS | _LIGHT]


def _wants_command(query: Query) -> bool:
    return not query.asked.isdisjoint(_COMMANDS)


def _is_named(query: Query, terms: Sequence[Term], item: Evidence) -> bool:
    """Whether the heading of a passage has the word for what is to be done: the first of the ``terms`` of the question,
    or the participle of "how is it installed"."""
    passive = _PASSIVE.search(query.text)
    done = next((term for term in terms if passive and term.word == passive[1].lower()), terms[0])
    return are_all_in((done,), keys(section_of(item), query.language))


def _says_all(query: Query, terms: Sequence[Term], text: str) -> bool:
    return are_all_in(terms, keys(text, query.language))
