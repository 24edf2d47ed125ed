"""What the runs are about: the manuals of queues that do not exist, questions on them, and a search through them.

Made by rule, so that every run of the benchmarks works on the same texts and nothing depends on a download.
"""

import re
from functools import cache

NAMES = (
    "Arden", "Brook", "Calder", "Dorran", "Elgin", "Farrow", "Glenn", "Harrow", "Ibsen", "Jarrow", "Kelso", "Lorne",
    "Morven", "Nairn", "Orkney", "Perth", "Quarry", "Rannoch", "Selkirk", "Thurso", "Ulva", "Vatersay", "Wick", "Yell",
)  # fmt: skip
_FACTS = (
    ("How often does the {0} queue retry a failed job?", "The {0} queue retries a failed job {1} times."),
    ("How many days does the {0} queue keep a finished job?", "The {0} queue keeps a finished job for {1} days."),
    ("How many jobs does a worker of the {0} queue run at once?", "A worker of the {0} queue runs {1} jobs at once."),
    ("Which version of Postgres does the {0} queue need?", "The {0} queue needs version {1} of Postgres or newer."),
    ("How many seconds does the {0} queue hold a lock?", "The {0} queue holds a lock for {1} seconds."),
    ("How many machines can share the {0} queue?", "Up to {1} machines can share the {0} queue."),
)
_AROUND = (
    "It writes its jobs to one table, and an index on their state keeps the scan for new ones short. A worker that "
    "asks for a job locks the row, so that no two workers run it. The lock is gone when the connection is.",
    "The defaults fit a single machine. With several machines, give each of them a name, and let only one clean up.",
)
_WORD = re.compile(r"\w+")
_SILENT = frozenset(_WORD.findall("a an and at do does for how i in is it many of on or should the to what which with"))


def number_of(name: str, fact: int) -> int:
    """The number in a fact: different for each queue."""
    return 2 + fact * 3 + NAMES.index(name)


def plain_question(number: int) -> str:
    """A question that one sentence of one page answers; as many different ones as there are facts, then again."""
    return _FACTS[number // len(NAMES) % len(_FACTS)][0].format(NAMES[number % len(NAMES)])


def complex_question(number: int) -> str:
    """A question of three parts, each answered on another page."""
    names = (NAMES[(number + place) % len(NAMES)] for place in range(3))
    first, second, third = (_FACTS[place][0].format(name).rstrip("?") for place, name in enumerate(names))
    return f"{first}, {second[0].lower()}{second[1:]}, and {third[0].lower()}{third[1:]}?"


def page(name: str) -> str:
    """The page of one queue."""
    facts = [said.format(name, number_of(name, place)) for place, (_, said) in enumerate(_FACTS)]
    return " ".join((*facts[:3], _AROUND[0], *facts[3:], _AROUND[1]))


@cache
def _pages() -> dict[str, tuple[str, frozenset[str]]]:
    return {name: (page(name), terms(page(name))) for name in NAMES}


def found(query: str, limit: int = 5) -> list[tuple[str, str]]:
    """Name and text of the pages that share most words with ``query``, best first: what a search service gives."""
    wanted = terms(query)
    ranked = sorted(_pages(), key=lambda name: (name.lower() not in wanted, -len(wanted & _pages()[name][1]), name))
    return [(name, _pages()[name][0]) for name in ranked[:limit]]


def terms(text: str) -> frozenset[str]:
    """The telling words of ``text``, without their endings."""
    return frozenset(word[:5] for word in _WORD.findall(text.lower()) if word not in _SILENT)
