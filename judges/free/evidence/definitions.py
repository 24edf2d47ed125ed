"""What defines the name in code that a question asks about: the docstring of a function, a class or a module that is
called so, or the line that gives a constant its value, with the docstring below it.

Nothing of that need resemble the question: "What does evidence_for return?" is answered by "The passages that a step
gets", which stands under that name.
"""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.above import section_of
from calibrant.judges.free.evidence.query import Query, prepare
from calibrant.judges.free.words.comments import comment_above
from calibrant.judges.free.words.constants import is_lasting
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.sentences import Sentence
from calibrant.state.evidence import Evidence

_ASKS_WHAT = re.compile(
    r"\W*(?:and |but |so |e )?(?:what(?:'s| (?:is|are|does|do|did|happens in)\b)|(?:explain|describe|define)\b"
    r"|o que (?:é|são|faz|fazem|devolve|retorna|significa)\b|(?:para|de) que serve|qual é\b|(?:explique|descreva)\b)",
    re.IGNORECASE,
)
_FAILED = re.compile(
    r"\((?P<name>[A-Za-z_][\w.]*(?:Error|Exception|Warning|Timeout)): [^\n]*\)(?=\W*(?:mean|$))", re.IGNORECASE
)
"""What ``without_pasted`` makes of a failure: "this error (KeyError: 'a') mean?"."""
_DOES = re.compile(r"\b(?:does \S+ do|faz \S+)\W*$", re.IGNORECASE)
_KINDS = word_set(
    "function method class module constant return returns returned yield yields função método classe módulo constante "
    "devolve retorna"
)
"""Words that make a plain word beside them a name in code: "the Ledger class"."""
_SAYS_NO_MORE = _KINDS | word_set(
    "error exception warning erro exceção aviso variable parameter type field property attribute node value meaning "
    "purpose definition job result description code point mean means do does use used set hold holds contain contains "
    "give gives compute computes represent represents stand stands exactly variável parâmetro tipo campo propriedade "
    "valor significado finalidade resultado faz significa serve representa contém"
)
"""Words beside the name that ask for nothing but what it is."""

_OPENS = re.compile(r"^[ \t]*[rbuRBU]?(?:\"{3}|'{3})\s*(?=\S)", re.MULTILINE)
"""The quotes that open a docstring."""

_STATEMENT = re.compile(r"^\w", re.MULTILINE)
_DECLARES = (
    r"^(?P<margin>[ \t]*)"
    r"(?!(?:return|raise|throw|await|yield|if|elif|else|for|while|import|from|del|assert|case|new|not)\b)"
    r"(?:[\w<>\[\],.*&?:]+[ \t]+)*?(?:\([^)\n]*\)[ \t]+)?(?P<name>{name})\b(?P<rest>[^\n]*)"
)
"""A line that declares a name: words before it, or what it is a method of."""
_VALUE = re.compile(r"(?:,[ \t]*\w+)*[ \t]*(?::[^=\n]{1,60}?|[\w.\[\]*]+)?[ \t]*=(?![=>])")
_BODY = re.compile(r"[(<]|[ \t]*\{|[ \t]+(?:struct|interface|extends|implements)\b")
"""What stands behind a name that gets a value; and behind one with arguments or a body: of prose neither does."""
LONGEST = 600
"""Characters of a definition: its first paragraph, as far as there is room."""


def name_asked_for(query: Query) -> str:
    """The one name in code of which a question asks what it is or does; empty where it asks anything else. Of a failure
    that was pasted with it, what it says is no part of the name."""
    if not _ASKS_WHAT.match(query.text):
        return ""
    if _FAILED.search(query.text):
        query = prepare(_FAILED.sub(r"(\g<name>)", query.text))
    of_code = any(term.parts for term in query.terms)
    others = [(term, start, end) for term, start, end in query.spans if term.word not in _SAYS_NO_MORE]
    is_plain = bool(others) and not of_code
    kinds = any(term.word in _KINDS for term in query.terms) or _DOES.search(query.text) is not None
    written = ((term, query.text[start:end]) for term, start, end in others)
    named = {
        name
        for term, name in written
        if term.parts or (is_plain and name.isidentifier() and (kinds or not name.islower()))
    }
    return named.pop() if len(named) == len({term for term, _, _ in others}) == 1 else ""


def defining(query: Query, item: Evidence, found: Sequence[Sentence]) -> tuple[int, ...]:
    """The places of those sentences of a passage that define the name that the question asks about."""
    name = name_asked_for(query)
    opened = _OPENS.search(item.text) if name and is_headed(item, name) else None
    if opened:
        return _paragraph(item.text, found, opened.end())
    line = _declaration(item.text, name) if name and "```" not in item.text else None
    if line is None:
        return ()  # an example in a manual defines nothing
    if not _gives_value(item.text, line):
        return _above(item.text, found, line.start()) if _BODY.match(line["rest"]) else ()
    at = line.end("name")
    value = (place for place, one in enumerate(found) if one.start <= at <= one.end and "\n" not in one.text)
    return (*value, *_below(item.text, found, line.end()))


def _declaration(text: str, name: str) -> re.Match[str] | None:
    return re.search(_DECLARES.format(name=re.escape(name.rsplit(".", 1)[-1])), text, re.MULTILINE)


def _gives_value(text: str, line: re.Match[str]) -> bool:
    """Whether the line gives a constant or a field its value. What a variable of a function has defines nothing."""
    return is_lasting(text, line) and _VALUE.match(line["rest"]) is not None


def _above(text: str, found: Sequence[Sentence], start: int) -> tuple[int, ...]:
    """The places of the sentences of the first paragraph of the comment right above what begins at ``start``."""
    begin = comment_above(text, start)
    places = [at for at, one in enumerate(found) if begin <= one.start and one.end <= start]
    ends = (at for at in places[1:] if text.count("\n", found[at - 1].end, found[at].start) > 1)
    return tuple(range(places[0], next(ends, places[-1] + 1))) if places else ()


def _below(text: str, found: Sequence[Sentence], end: int) -> tuple[int, ...]:
    """The places of the sentences of the docstring below the statement that goes on at ``end``."""
    opened = _OPENS.search(text, end)
    if opened is None or _STATEMENT.search(text, end, opened.start()):
        return ()
    return _paragraph(text, found, opened.end())


def is_headed(item: Evidence, name: str) -> bool:
    """Whether a passage stands under ``name``, or under a longer one that ends so."""
    return f".{section_of(item)}".endswith(f".{name}")


def _paragraph(text: str, found: Sequence[Sentence], start: int) -> tuple[int, ...]:
    """The places of the sentences from ``start`` to the next empty line, or to the one after what a colon announces."""
    end = _next_empty(text, start)
    if text[start:end].rstrip().endswith(":"):
        end = _next_empty(text, end + 2)
    end = min(start + LONGEST, end)
    return tuple(at for at, one in enumerate(found) if start <= one.start and one.end <= end and one.kind != "code")


def _next_empty(text: str, start: int) -> int:
    end = text.find("\n\n", start)
    return len(text) if end < 0 else end
