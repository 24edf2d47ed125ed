"""Rows of a table by a feature that a question asks for: which plans include SSO, which flats have no balcony?

The feature is a column, and a cell says whether a row has it: with "yes" and "no", with a number, or by what it has.
"""

import re

from calibrant.judges.free.answering.bounds import SELECTS
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.tables import cells
from calibrant.judges.free.words.text import stems

_HAS = re.compile(
    r"(?:(?P<not>\b(?:do(?:es)? not|don['’]t|doesn['’]t|não)) )?"
    r"\b(?:ha(?:s|ve)|with|offers?|includes?|allows?|supports?|t[eê]m|com|oferecem?|inclu(?:i|em)|permitem?|aceitam?|(?P<lacks>without|lacks?|sem))"
    r" (?:(?P<none>no|nenhuma?)\b |(?:an?|any|the|uma?|[oa]s?) )?(?P<what>[^?.!;,]+?)\W*$",
    re.IGNORECASE,
)
_IS = re.compile(
    r"\b(?:is|are|was|were|é|são) (?:(?P<not>not|não) )?(?P<what>[^\W\d_]+)"
    r"(?= (?:to|for|when|if|in|on|by|with|para|quando|se|em|n[oa]s?)\b|\W*$)",
    re.IGNORECASE,
)
"""What a row is called for having: "which fields are required"."""
LACKS = re.compile(r"(?:none|no|not|nenhum|não)\b.*|0|n/?a|false|[-–—✗✘]+", re.IGNORECASE)
"""A cell that says that a row has nothing of the kind."""


def has_feature(query: Query, row: str) -> bool | None:
    """Whether ``row`` has the feature by which the question chooses, or lacks it where it asks for that; None where it
    asks for none that is a column."""
    if not SELECTS.match(query.text):
        return None
    asked = (found for found in (_HAS.search(query.text), _IS.search(query.text)) if found)
    told = ((one, _cell_of(query, one["what"], row)) for one in asked)
    return next((_wants(one) is not bool(LACKS.fullmatch(cell)) for one, cell in told if cell), None)


def _cell_of(query: Query, column: str, row: str) -> str:
    """What ``row`` has in the column of this name; empty where it has none."""
    wanted = stems(column, query.language)
    return next((value for name, value in cells(row) if stems(name, query.language) == wanted), "")


def _wants(asked: re.Match[str]) -> bool:
    """Whether the rows that have it are asked for, and not those that lack it."""
    return not any(value for name, value in asked.groupdict().items() if name != "what")
