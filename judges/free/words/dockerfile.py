"""Dockerfiles: each instruction is read with the comment about it, as a key of a settings file is."""

import re
from collections.abc import Iterator

from calibrant.judges.free.words.settings_text import Setting, shown

_STEP = re.compile(
    r"(?P<name>FROM|RUN|CMD|LABEL|MAINTAINER|EXPOSE|ENV|ADD|COPY|ENTRYPOINT|VOLUME|USER|WORKDIR|ARG|ONBUILD|STOPSIGNAL"
    r"|HEALTHCHECK|SHELL)[ \t]+(?P<said>\S.*)$",
    re.DOTALL,
)
_LINE = re.compile(r"[^\n]*\\[ \t]*\n|[^\n]*\n|[^\n]+\Z")
_GOES_ON = re.compile(r"[ \t]*\\[ \t]*\n[ \t]*")
_LEAST = 3
"""Instructions from which a text is taken for a Dockerfile."""


def image_steps(text: str) -> tuple[Setting, ...]:
    """The instructions of a Dockerfile; none where ``text`` is anything else."""
    if not text.lstrip().startswith(("#", "FROM", "ARG")) and _STEP.match(text.lstrip()) is None:
        return ()
    parts = [(part, start) for part, start in _parts(text) if part.strip()]
    steps = [part for part, _ in parts if not part.startswith("#")]
    if len(steps) < _LEAST or any(_STEP.match(part) is None for part in steps):
        return ()
    return tuple(_read(parts))


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """The lines, those that a backslash joins as one, each with its start. A blank line is one too."""
    held, start, at = "", 0, 0
    for line in _LINE.findall(text):
        start = start if held else at
        held, at = held + line, at + len(line)
        if line.rstrip().endswith("\\") and not line.startswith("#"):
            continue
        yield held.rstrip(), start
        held = ""
    if held:
        yield held.rstrip(), start


def _read(parts: list[tuple[str, int]]) -> Iterator[Setting]:
    told: list[str] = []
    began = 0
    for part, start in parts:
        began = began if told else start
        step = _STEP.match(part)
        if step is None:
            told.append(part.lstrip("# ").strip())
            continue
        yield Setting(shown(step["name"], _GOES_ON.sub(" ", step["said"]), told), began, start + len(part))
        told = []
