"""What stands above a passage, in its title and its heading: often only that tells what it speaks of."""

import re
from pathlib import PurePath

from calibrant.state.evidence import Evidence, path_of

_LONGEST = 120
"""Characters of a line above at most."""
_WORDS = re.compile(r"[^\W_]+")


def line_above(item: Evidence) -> str:
    """The title and the heading of a passage, as one line; of a long one the end, which says most."""
    title, heading = (" ".join(part.split()) for part in (item.title, item.locator.heading))
    line = heading if heading.startswith(title) else f"{title} {heading}".strip()
    return line if len(line) <= _LONGEST else line[-_LONGEST:].partition(" ")[2]


def nearest_above(item: Evidence) -> str:
    """What stands right above a passage: its heading, else its title."""
    return item.locator.heading.strip() or item.title.strip()


def names_above(item: Evidence) -> tuple[str, ...]:
    """The heading and the title, as far as a passage has them: what is told of it may open with either."""
    return tuple(filter(None, (item.locator.heading, item.title)))


def section_of(item: Evidence) -> str:
    """The heading that a passage stands under, without those above it."""
    return item.locator.heading.rpartition(" > ")[2]


def called(item: Evidence) -> str:
    """What the file of a passage is called, in words; empty where it is from no file. A contract names the other party
    once, its file does, and its clauses say "the Provider"."""
    path = path_of(item.url)
    return " ".join(_WORDS.findall(PurePath(path).stem)) if path else ""
