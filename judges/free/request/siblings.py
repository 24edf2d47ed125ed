"""Names of one kind, of which one takes the place of another: staging and production, the Team and the Business plan.

People write them small and without an article, so that nothing in their form tells that they are names. They are data,
``siblings`` in ``opposites.json``: environments, plans and systems, with the names of one between " : ".
"""

import re
from functools import cache

from calibrant.judges.free.words.opposites import listed
from calibrant.judges.free.words.terms import Term
from calibrant.state.task import Language

_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?![\w-])")


def sibling(name: str, text: str) -> Term | None:
    """The one name in ``text`` that is of the kind of ``name``; None where there is none, or several."""
    family = _families().get(name.casefold())
    found = [match for match in _WORD.finditer(text) if _families().get(match.group().casefold(), -1) == family]
    return Term(found[0].group(), *found[0].span()) if len(found) == 1 and found[0].group() != name else None


@cache
def _families() -> dict[str, int]:
    """Each name, in both languages, with the kind that it is of: people of one tongue borrow the names of the other."""
    lines = [(kind, line) for known in Language for kind, line in enumerate(listed(known)["siblings"])]
    return {name: kind for kind, line in lines for name in line.split() if name != ":"}
