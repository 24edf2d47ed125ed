"""Block quotes of Markdown, in which notes stand: read without their marks.

Nothing is moved: marks become spaces, so that offsets stay those of the text.
"""

import re

from calibrant.state.fence import fence_behind

_OPENS = re.compile(r" {0,3}>[ \t]*(?:[^\W\d]|[*_`\[\"“#-])")
"""The first line of a quote: what goes on with a number may be a comparison."""
_MARKS = re.compile(r" {0,3}(?:>[ \t]?)+")


def unquoted(text: str) -> str:
    """``text`` with spaces for the marks of its quotes; in code they are what the code says."""
    if ">" not in text:
        return text
    out, fence, inside = list[str](), "", False
    for line in text.split("\n"):
        marks = _MARKS.match(line)
        inside = not fence and marks is not None and (inside or bool(_OPENS.match(line)))
        if inside and marks:
            out.append(" " * marks.end() + line[marks.end() :])
            continue
        fence = fence_behind(line, fence)
        out.append(line)
    return "\n".join(out)
