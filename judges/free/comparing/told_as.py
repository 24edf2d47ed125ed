"""What a value is told as, and of which name in code: an example, a default, a limit or what somebody is told to set.

Two pages about one program give many numbers that look alike. The default of a setting, the most that it may be set to,
what an example sets it to, and the default of another setting can all be right together.
"""

import re
from functools import lru_cache
from typing import Literal

from calibrant.judges.free.comparing.reading import Placed

Role = Literal["", "default", "limit", "advice"]

_EXAMPLE = re.compile(
    r"(?:\b(?:for (?:example|instance)|such as|(?:values?|something) like|por exemplo|tais? como)"
    r"|\b(?:e\.g\.|p\. ?ex\.))[,:]?\s"
    r"(?:(?:to|at|of|with|after|para|em|de|com|após|an?) )?[\"'`]?$",
    re.IGNORECASE,
)
"""Right before the value of an example."""
_ARGUMENT = re.compile(r"\b\w+\([^()\n]{0,200}\b\w+ ?= ?[\"'`]?$")
"""Right before the value of an argument in a call."""
_OPTION = re.compile(r"(?<![\w-])--?[a-z][\w-]*[ =][\"'`]?$")
"""Right before what a command is given."""
_SUPPOSED = re.compile(
    r"\b(?:(?:if|when|whenever)\b[^.;]{1,120}\b(?:set|turned|raised|lowered) to"
    r"|(?:se|quando|caso)\b[^.;]{1,120}\b(?:definid[oa]|configurad[oa]|ajustad[oa]) (?:como|em|para|com|a)) [\"'`]?$",
    re.IGNORECASE,
)
"""Right before a value that is only supposed: if it is set to 0."""
_REACH = 240
_CLAUSE = re.compile(r"[;()]|[.!?]\s")
_DEFAULT = re.compile(r"\b(?:defaults?|defaulting|padrão|padrões|predefinid[oa]s?|por omissão)\b", re.IGNORECASE)
_LIMIT = re.compile(
    r"\b(?:longest|shortest|largest|smallest|biggest|highest|lowest|maximum|max|minimum|min|at (?:most|least)"
    r"|máxim[oa]s?|mínim[oa]s?)\b",
    re.IGNORECASE,
)
_ADVICE = re.compile(
    r"\W*(?:set|raise|increase|lower|reduce|decrease|defina|configure|aumente|reduza|diminua)\b", re.IGNORECASE
)
_CODE = re.compile(r"(?<![\w-])--?[a-z][\w-]+|\b[^\W\d_][\w.]*_\w*[^\W_]")
"""Names that only code has: ``max_age``, ``--debug``."""
_SPLIT = re.compile(r"[\W_]+")


@lru_cache(maxsize=2_000)
def is_example(text: str, place: int) -> bool:
    """Whether the value at ``place`` only stands in an example, or is supposed: for example 600 seconds,
    ``open(timeout=20)``, ``--port 8080``, if it is set to 0."""
    before = text[max(0, place - _REACH) : place]
    return any(pattern.search(before) for pattern in (_EXAMPLE, _ARGUMENT, _OPTION, _SUPPOSED))


def are_of_one(first: str, one: Placed, second: str, other: Placed) -> bool:
    """Whether two values may be told of one thing and as the same: not those of two names in code, nor a default and a
    limit."""
    owners = _owner(first, one.start), _owner(second, other.start)
    if all(owners) and not _are_one_name(*owners):
        return False
    roles = {_role(first, one.start), _role(second, other.start)} - {""}
    return len(roles) < 2


@lru_cache(maxsize=2_000)
def _owner(text: str, place: int) -> str:
    """The last name in code before a value; empty where there is none."""
    return max(((found.start(), found.group()) for found in _CODE.finditer(text, 0, place)), default=(0, ""))[1]


def _are_one_name(one: str, other: str) -> bool:
    """Whether two names may be spellings of one: ``max_age``, ``cache.max_age``, ``--max-age``, ``ACME_MAX_AGE``."""
    short, long = sorted((_parts(one), _parts(other)), key=len)
    return long[-len(short) :] == short


def _parts(name: str) -> list[str]:
    return [part for part in _SPLIT.split(name.lower()) if part]


@lru_cache(maxsize=2_000)
def _role(text: str, place: int) -> Role:
    """What the value at ``place`` is told as, where that is plain from its clause."""
    edges = [0, *(found.end() for found in _CLAUSE.finditer(text)), len(text)]
    clause = text[max(edge for edge in edges if edge <= place) : min(edge for edge in edges if edge > place)]
    is_default, is_limit = bool(_DEFAULT.search(clause)), bool(_LIMIT.search(clause))
    if _ADVICE.match(clause) and not is_default:
        return "advice"
    return "" if is_default is is_limit else "default" if is_default else "limit"
