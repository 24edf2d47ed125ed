"""What people say for "by default", read as that: a manual has no other words for what holds if nothing is changed."""

import re

_ENDS = r"(?=\W{0,3}$|[,?;])"
_UNSET = re.compile(
    r"\b(?:(?:if|unless|when) (?:I|you|we|one) (?:"
    r"(?:do not|don['’]t) (?:set|change|configure|specify|define|touch)(?: (?:it|anything|one|any))?"
    r"|(?:set|change|configure|specify|touch) (?:nothing|it|otherwise|something else)|say otherwise)"
    r"|unless (?:set|changed|configured|specified|told)(?: otherwise)?"
    rf"|se (?:eu |você |nós )?não (?:alterar|mudar|configurar|definir|especificar)(?:mos)?(?: nada)?){_ENDS}"
    r"|\bout[ -]of[ -]the[ -]box\b",
    re.IGNORECASE,
)
_ASKS_WHAT_HAPPENS = re.compile(
    r"\W*(?:(?:and |but |so )?what (?:happens|if)|(?:e )?o que acontece|e se)\b", re.IGNORECASE
)


def by_default(request: str) -> str:
    """``request`` with "by default" where it says: if I change nothing, unless I say otherwise, out of the box. What
    happens if one does not do a thing is another question."""
    said = _UNSET.search(request)
    before = request[: said.start()].rstrip(" ,") if said else ""
    if said is None or not before or _ASKS_WHAT_HAPPENS.match(request):
        return request
    words = "por padrão" if said[0].lower().startswith("se ") else "by default"
    return f"{before} {words}{request[said.end() :]}"
