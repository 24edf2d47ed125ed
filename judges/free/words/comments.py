"""Comments of the languages that mark them with ``//`` or ``/* */``: prose, beside the code that they are about.

Nothing is moved: marks become spaces, so that offsets stay those of the text.
"""

import re

_LINE = r"//[/!]?(?:[ \t][^\n]*)?"
_COMMENT = re.compile(
    rf"^(?P<margin>[ \t]*)(?:/\*++(?:[^*]|\*(?!/)){{0,3000}}\*/[ \t]*$|{_LINE}(?:\n[ \t]*{_LINE})*$)", re.MULTILINE
)
"""Lines that are nothing but a comment. What has a letter right behind its mark is no comment of lines, but code that
somebody has switched off, or an address."""
_MARK = re.compile(r"^[ \t]*(?:/\*+|//[/!]?|\*+(?!/)(?=[ \t]+[^@\s]|[ \t]*$))|\*+/$", re.MULTILINE)
_OF_CODE = re.compile(r"[{};][ \t]*$", re.MULTILINE)
LEAST = 0.25
"""Share of the lines that end as code does, from which indented comments are read: an example in a manual is no source
file, and its comments say nothing of their own."""


def uncommented(text: str) -> tuple[str, frozenset[int]]:
    """``text`` without the marks of its comments, and the offsets of the lines with which a comment or what stands
    below one begins. The text itself where it has none, or has fences, in which code is shown as it is."""
    if ("//" not in text and "/*" not in text) or "```" in text or "~~~" in text:
        return text, frozenset()
    starts, out, place = set[int](), "", 0
    is_source = _is_source(text)
    for found in _COMMENT.finditer(text):
        below = text[found.end() : found.end() + 2]
        is_frame = found.group().lstrip().startswith("///") and not below.strip()  # of a note, in some Markdown
        if is_frame or (found["margin"] and not is_source):
            continue
        marked = found.group()
        out += text[place : found.start()] + _MARK.sub(lambda mark: " " * len(mark.group()), marked)
        place = found.end()
        starts |= {found.start(), found.end() + 1}
    return out + text[place:], frozenset(starts)


def _is_source(text: str) -> bool:
    lines = sum(1 for line in text.split("\n") if line.strip())
    return len(_OF_CODE.findall(text)) >= LEAST * lines


def comment_above(text: str, end: int) -> int:
    """Where the comment begins that ends right above the line at ``end``; ``end`` where there is none. A heading of
    Markdown with more than one mark is no comment."""
    start = end
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        line = text[above:start].strip()
        if not line.startswith("//") and not (line.startswith("#") and not line.startswith("##")):
            break
        start = above
    if start < end or not text[:end].rstrip(" \t").endswith("*/\n"):
        return start
    return max(text.rfind("/*", 0, end), 0)
