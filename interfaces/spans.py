"""Spans of time as they are typed: ``30m``, ``12h``, ``7d``, ``2w``."""

import re

from calibrant.interfaces.wording import counted
from calibrant.state.errors import InputError

SPAN = re.compile(r"(\d{1,6})([mhdw])")
SECONDS = {"m": 60, "h": 3_600, "d": 86_400, "w": 604_800}
NAMES = {"m": "minute", "h": "hour", "d": "day", "w": "week"}


def span_of(option: str, given: str) -> float:
    """The seconds of what was given for ``option``; 0 for an empty one. Raises ``InputError``."""
    if not given:
        return 0.0
    found = SPAN.fullmatch(given)
    if found is None or int(found[1]) == 0:
        raise InputError(f"{option} {given} is no span of time: use one like 30m, 12h, 7d or 2w")
    return float(int(found[1]) * SECONDS[found[2]])


def words_of(given: str) -> str:
    """``7d`` as ``7 days``."""
    return counted(int(given[:-1]), NAMES[given[-1]])
