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
LACKS = re.compile(r"(?:none|no|not|nenhum|não)\b.*|0|n/?a|false|[-–—✗✘]+", re.IGNORECASE)
"""A cell that says that a row has nothing of the kind."""


def has_feature(query: Query, row: str) -> bool | None:
    """Whether ``row`` has the feature by which the question chooses, or lacks it where it asks for that; None where it
    asks for none that is a column."""
    asked = _HAS.search(query.text) if SELECTS.match(query.text) else None
    if asked is None:
        return None
    wanted = stems(asked["what"], query.language)
    cell = next((value for name, value in cells(row) if stems(name, query.language) == wanted), "")
    wants_it = not (asked["not"] or asked["lacks"] or asked["none"])
    return wants_it is not bool(LACKS.fullmatch(cell)) if cell else None
