"""Fenced code: where it opens and where it closes, the same for the headings of a document and for the sentences of its
passages. https://spec.commonmark.org/0.31.2/#fenced-code-blocks, but for indentation: there may be any. In an item of a
list the marks stand as deep as its text, and a passage does not show what it was cut from."""

import re

_MARKS = re.compile(r"\s*(`{3,}|~{3,})")


def fence_of(line: str) -> str:
    """The marks with which ``line`` opens a block of code; empty where it opens none, as "```code```" does."""
    marks = _MARKS.match(line)
    if marks is None or (marks[1][0] == "`" and "`" in line[marks.end() :]):
        return ""
    return marks[1]


def fence_behind(line: str, fence: str) -> str:
    """The marks of the block of code that is open behind ``line``, where that of ``fence`` was open before it, or none
    was; empty where none is."""
    if not fence:
        return fence_of(line)
    return "" if ends_fence(line, fence) else fence


def ends_fence(line: str, fence: str) -> bool:
    """Whether ``line`` is nothing but the marks of ``fence``, at least as many."""
    marks = line.strip()
    return len(marks) >= len(fence) and not marks.strip(fence[0])
