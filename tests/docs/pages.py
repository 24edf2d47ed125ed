"""The documents as tests read them: fenced blocks, commands, links, code spans and tables."""

import re
import shlex
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.docs.generate import ROOT

PAGES = ("README.md", "ARCHITECTURE.md", "docs/configuration.md", "docs/embedding.md", "docs/EVALS.md")
FRAGMENT = re.compile(r"<!-- fragment: (?P<reason>.{10,}) -->\n$")
"""Stands before a block of Python that cannot be run by itself, with the reason."""


@dataclass(frozen=True)
class Block:
    """A fenced block: where it stands, its language, its text, and why it is no whole program, if it is none."""

    page: str
    line: int
    language: str
    text: str
    fragment: str = ""


def text_of(page: str) -> str:
    """A document."""
    return (ROOT / page).read_text(encoding="utf-8")


def blocks(page: str, language: str) -> list[Block]:
    """The fenced blocks of a language."""
    text = text_of(page)
    found = []
    for match in re.finditer(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        if match[1] == language:
            above = FRAGMENT.search(text[: match.start()])
            line = text.count("\n", 0, match.start()) + 1
            found.append(Block(page, line, language, match[2], above["reason"] if above else ""))
    return found


def prose(page: str) -> str:
    """A document without its fenced blocks."""
    return re.sub(r"^```\w*\n.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)


def spans(page: str) -> list[str]:
    """The code spans of the prose."""
    return re.findall(r"`([^`\n]+)`", prose(page))


def links(page: str) -> list[str]:
    """The targets of the links that are no web addresses."""
    targets = re.findall(r"\]\(([^)\s]+)\)", prose(page))
    return [target for target in targets if "://" not in target]


def commands(page: str) -> Iterator[list[str]]:
    """The command lines: in blocks of shell, behind ``$`` in blocks of output, and in code spans."""
    lines = [line for block in blocks(page, "sh") for line in block.text.splitlines()]
    lines += [line[2:] for block in blocks(page, "text") for line in block.text.splitlines() if line.startswith("$ ")]
    lines += [span for span in spans(page) if span.startswith(("calibrant ", "make "))]
    for line in lines:
        words = shlex.split(line, comments=True)
        if words:
            yield words


def table(page: str, first: str) -> list[list[str]]:
    """The rows of the table whose header begins with the cell ``first``."""
    lines = text_of(page).splitlines()
    start = next(place for place, line in enumerate(lines) if line.startswith(f"| {first} |"))
    rows = []
    for line in lines[start + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows


def path_of(name: str) -> Path:
    """A path as the documents write it."""
    return ROOT / name
