"""The title that a page has in the particulars at its top: in front matter, or in fields as a letter has them."""

import html
import re
from pathlib import Path

import yaml

from calibrant.state.markup import FRONT_MATTER

READ = 10_000
"""Characters in which the particulars of a page stand."""
LONGEST_TITLE = 500
"""Characters that are read as the title of a page."""

_FIELDS = re.compile(r"\A\s*(?:[A-Z][\w-]*:[ \t]+\S.*\n(?:[ \t]+\S.*\n)*){2,}(?=[ \t]*\n)")
"""Lines that each give a name and a value, down to a blank one."""
_TITLE = re.compile(r"^title:[ \t]*(?P<title>.*(?:\n[ \t]+.*)*)", re.MULTILINE | re.IGNORECASE)
_NUMBER = re.compile(r"^(?P<series>[A-Za-z]{2,8}):[ \t]*(?P<number>\d{1,6})[ \t]*$", re.MULTILINE)
"""Which one of a series the page is: ``PEP: 594``, ``eip: 20``."""


def told_title(text: str, path: Path) -> str:
    """The title in the particulars of a page, empty where there is none; behind its series and number where the name of
    its file has them too: "PEP 594: Removing dead batteries" in ``pep-0594.rst``."""
    head = text[:READ]
    particulars = FRONT_MATTER.match(head) or _FIELDS.match(head)
    found = _TITLE.search(particulars.group()) if particulars else None
    title = _value(found) if found else ""
    if not (title and particulars):
        return title
    series = (f"{one['series'].upper()} {one['number']}" for one in _NUMBER.finditer(particulars.group()))
    return next((f"{of}: {title}" for of in series if _bears(path.stem, of)), title)


def _value(found: re.Match[str]) -> str:
    """The title without its quotation marks and entities, in one line."""
    written = found.group()[len("title:") : LONGEST_TITLE]
    try:
        told = yaml.load(f"title:{written}", yaml.BaseLoader)["title"]  # noqa: S506 - gives texts alone
    except (yaml.YAMLError, RecursionError, ValueError, TypeError):
        told = found["title"]  # such as one with a colon in it
    return " ".join(html.unescape(told).split()) if isinstance(told, str) else ""


def _bears(stem: str, series: str) -> bool:
    name, _, number = series.partition(" ")
    return re.fullmatch(rf"{re.escape(name)}[-_ ]?0*{number}", stem, re.IGNORECASE) is not None
