"""A line of ``mdoc``, whose macros stand among its words: ``Op Fl k Ar file`` is "[-k file]".
https://man.openbsd.org/mdoc.7"""

from collections import deque

_ENCLOSING = {
    "Dq": ("“", "”"), "Qq": ('"', '"'), "Sq": ("‘", "’"), "Pq": ("(", ")"), "Op": ("[", "]"), "Bq": ("[", "]"),
    "Aq": ("<", ">"), "Brq": ("{", "}"), "Ql": ("‘", "’"), "Oo": ("[", ""), "Oc": ("", "]"), "Do": ("“", ""),
    "Dc": ("", "”"), "Po": ("(", ""), "Pc": ("", ")"),
}  # fmt: skip
"""What macros put before and after the rest of the line. One that only opens or only closes has the other half in
another line."""
_INLINE_NAMES = """
Ar Pa Va Fa Cm Ic Li Dv Ev Em Sy Er Vt Ft Fn Fo Fc Lk Mt An Ad In Tn Ns Xr Fl Nm No Ux Bx At Sx
"""
_INLINE = frozenset(_INLINE_NAMES.split())
_MACROS = _INLINE | _ENCLOSING.keys()
_PUNCTUATION = frozenset(".,:;)]?!")
"""No space stands before these."""
_NO_SPACE = "Ns"


def is_inline(name: str) -> bool:
    """Whether a line that begins with this macro is a line of the text."""
    return name in _MACROS


def line_of(words: list[str], page_name: str) -> str:
    """The line as it is read. ``page_name``: what ``Nm`` stands for where it names nothing."""
    line, closing, joins_next = "", "", False
    rest = deque(words)
    while rest:
        word = rest.popleft()
        if word == _NO_SPACE:
            joins_next = True
            continue
        opening, ending = _ENCLOSING.get(word, ("", ""))
        if opening and ending:
            closing = ending + closing
        shown = opening or ending or (_inline(word, rest, page_name) if word in _INLINE else word)
        if shown:
            joins = joins_next or not line or set(shown) <= _PUNCTUATION
            line += shown if joins else f" {shown}"
            joins_next = bool(opening)
    return line + closing


def _inline(macro: str, rest: deque[str], page_name: str) -> str:
    """What a macro itself shows, with the words that it takes from the ``rest`` of the line."""
    has_argument = bool(rest) and bool(rest[0]) and rest[0] not in _MACROS | _PUNCTUATION
    if macro == "Fl":
        return f"-{rest.popleft()}" if has_argument else "-"
    if macro == "Xr" and has_argument and len(rest) > 1:
        return f"{rest.popleft()}({rest.popleft()})"
    if has_argument:
        return ""
    return {"Nm": page_name, "Ar": "file ..."}.get(macro, "")
