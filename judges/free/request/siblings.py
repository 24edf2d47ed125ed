"""Names of one kind, of which one takes the place of another: staging and production, the Team and the Business plan.

People write them small and without an article, so that nothing in their form tells that they are names.
"""

import re

from calibrant.judges.free.words.terms import Term

_FAMILIES = (
    "dev development test testing qa integration staging stage preview preprod sandbox demo production prod live "
    "desenvolvimento homologação produção",
    "free hobby basic starter standard plus pro professional team premium business enterprise ultimate "
    "gratuito básico profissional empresarial",
    "linux windows macos mac ios android",
)
"""Environments, plans, systems."""
_FAMILY = {word: family for family, words in enumerate(_FAMILIES) for word in words.split()}
_WORD = re.compile(r"(?<![\w-])[^\W\d_]+(?![\w-])")


def sibling(name: str, text: str) -> Term | None:
    """The one name in ``text`` that is of the kind of ``name``; None where there is none, or several."""
    family = _FAMILY.get(name.casefold())
    found = [match for match in _WORD.finditer(text) if _FAMILY.get(match.group().casefold(), -1) == family]
    return Term(found[0].group(), *found[0].span()) if len(found) == 1 and found[0].group() != name else None
