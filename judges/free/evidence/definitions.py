"""What defines the name in code that a question asks about: the docstring of a function, a class or a module that is
called so, or the line that gives a constant its value, with the docstring below it.

Nothing of that need resemble the question: "What does evidence_for return?" is answered by "The passages that a step
gets", which stands under that name.
"""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.sentences import Sentence
from calibrant.state.evidence import Evidence

_ASKS_WHAT = re.compile(
    r"\W*(?:and |but |so |e )?(?:what(?:'s| (?:is|are|does|do|did|happens in)\b)|(?:explain|describe|define)\b"
    r"|o que (?:é|são|faz|fazem|devolve|retorna|significa)\b|(?:para|de) que serve|qual é\b|(?:explique|descreva)\b)",
    re.IGNORECASE,
)
_KINDS = frozenset(
    {
        *("function", "method", "class", "module", "constant", "return", "returns", "returned", "yield", "yields"),
        *("função", "método", "classe", "módulo", "constante", "devolve", "retorna"),
    }
)
"""Words that make a plain word beside them a name in code: "the Ledger class"."""
_SAYS_NO_MORE = _KINDS | {
    *("variable", "parameter", "type", "field", "property", "attribute", "node", "value", "meaning", "purpose"),
    *("definition", "job", "result", "description", "code", "point", "mean", "means", "do", "does", "use", "used"),
    *("set", "hold", "holds", "contain", "contains", "give", "gives", "compute", "computes", "represent"),
    *("represents", "stand", "stands", "exactly", "variável", "parâmetro", "tipo", "campo", "propriedade", "valor"),
    *("significado", "finalidade", "resultado", "faz", "significa", "serve", "representa", "contém"),
}
"""Words beside the name that ask for nothing but what it is."""

_OPENS = re.compile(r"^[ \t]*[rbuRBU]?(?:\"{3}|'{3})\s*(?=\S)", re.MULTILINE)
"""The quotes that open a docstring."""

_CLASS = re.compile(r"(?:@.*\n)*(?:export |public |abstract |final )*class ")
"""A passage that opens as a class does: what is indented there are its fields, and no variables of a function."""

_STATEMENT = re.compile(r"^\w", re.MULTILINE)
_ASSIGNS = (
    r"^(?P<margin>[ \t]*)(?:(?:export|const|let|var|static|final|public|private|val|pub|readonly) )*(?:\w+, )*"
    r"{name}\b(?!\()[^=\n]*=(?![=>])"
)

LONGEST = 600
"""Characters of a definition: its first paragraph, as far as there is room."""


def name_asked_for(query: Query) -> str:
    """The one name in code of which a question asks what it is or does; empty where it asks anything else."""
    if not _ASKS_WHAT.match(query.text):
        return ""
    of_code = any(term.parts for term in query.terms)
    others = [(term, start, end) for term, start, end in query.spans if term.word not in _SAYS_NO_MORE]
    is_plain = bool(others) and any(term.word in _KINDS for term in query.terms) and not of_code
    written = ((term, query.text[start:end]) for term, start, end in others)
    named = {name for term, name in written if term.parts or (is_plain and name.isidentifier())}
    return named.pop() if len(named) == len({term for term, _, _ in others}) == 1 else ""


def defining(query: Query, item: Evidence, found: Sequence[Sentence]) -> tuple[int, ...]:
    """The places of those sentences of a passage that define the name that the question asks about."""
    name = name_asked_for(query)
    if not name:
        return ()
    pattern = _ASSIGNS.format(name=re.escape(name.rsplit(".", 1)[-1]))
    lines = re.finditer(pattern, item.text, re.MULTILINE)
    assigned = next((line for line in lines if not line["margin"] or name.isupper() or _CLASS.match(item.text)), None)
    if assigned is None:
        opened = _OPENS.search(item.text) if is_headed(item, name) else None
        return _paragraph(item.text, found, opened.end()) if opened else ()
    line = tuple(at for at, one in enumerate(found) if one.start <= assigned.end() <= one.end and "\n" not in one.text)
    opened = _OPENS.search(item.text, assigned.end())
    if opened is None or _STATEMENT.search(item.text, assigned.end(), opened.start()):
        return line
    return (*line, *_paragraph(item.text, found, opened.end()))


def is_headed(item: Evidence, name: str) -> bool:
    """Whether a passage stands under ``name``, or under a longer one that ends so."""
    return f".{item.locator.heading.rpartition(' > ')[2]}".endswith(f".{name}")


def _paragraph(text: str, found: Sequence[Sentence], start: int) -> tuple[int, ...]:
    """The places of the sentences from ``start`` to the next empty line."""
    end = text.find("\n\n", start)
    end = min(start + LONGEST, len(text) if end < 0 else end)
    return tuple(at for at, one in enumerate(found) if start <= one.start and one.end <= end and one.kind != "code")
