"""What sources tell beside the passages that a search finds: when they changed, what still stands, which words they
know."""

import asyncio
from collections.abc import Awaitable, Mapping, Sequence
from typing import TypeVar

from calibrant.nodes.deps import PATIENCE_S
from calibrant.nodes.work import Work
from calibrant.retrievers.knowledge.spelling import spelt_by_all
from calibrant.state.base import unique
from calibrant.state.errors import failure_of
from calibrant.state.evidence import Evidence, path_of
from calibrant.state.protocols import Continuous, Dated, Kept, Reread, Rereadable, Spelled
from calibrant.state.task import Task

T = TypeVar("T")

SURROUNDED = 3
"""Of how many passages, the best, what stands next to them is read too."""

NEXT_TO = 0.6
"""How relevant that is, as a share of the passage's own relevance: it stands behind what fits about as well. What
stands between two is as relevant as they are: a script without its middle is none."""


async def changed(task: Task, work: Work) -> float:
    """When the sources that can tell last changed; 0.0 where none can."""
    times = [0.0]
    for name, source in work.deps.sources.items():
        if isinstance(source, Dated):
            warning = f"Whether {name} has something new could not be told"
            times.append(await _or_warned(source.changed(task.filters.collections), 0.0, warning, work))
    return max(times)


def rereader(work: Work) -> Reread:
    """Reads remembered passages again from the sources that can. One that fails costs its own passages."""

    async def reread(ids: Sequence[str]) -> list[Evidence]:
        found: list[Evidence] = []
        for name, source in work.deps.sources.items():
            if isinstance(source, Rereadable):
                warning = f"What is remembered of {name} could not be read again"
                found.extend(await _or_warned(_reread(source, ids), [], warning, work))
        return found

    return reread


async def _reread(source: Rereadable, ids: Sequence[str]) -> list[Evidence]:
    return [Evidence.model_validate(item).shortened() for item in await source.reread(ids)]


async def outdated(passages: Sequence[Evidence], work: Work) -> tuple[str, ...]:
    """What is to be told of the documents of these ``passages`` that have changed since a source read them."""
    kept = [item for item in passages if item.collection]
    urls, collections = unique(item.url for item in kept), unique(item.collection for item in kept)
    told: list[str] = []
    for name, source in work.deps.sources.items():
        if urls and isinstance(source, Kept):
            warning = f"Whether documents of {name} have changed could not be told"
            found = await _or_warned(source.outdated(urls, collections), {}, warning, work)
            told += [f"{path_of(url) or url} {became}" for url, became in found.items()]
    return unique(told)


async def around(passages: Sequence[Evidence], work: Work) -> list[Evidence]:
    """What stands next to the best of these ``passages``, or between two of them, as far as sources can tell: of a
    list, or of steps, a search finds the part that has its words. It is relevant for what it stands next to."""
    known, best = {item.id for item in passages}, passages[:SURROUNDED]
    found: dict[str, Evidence] = {}
    beside: dict[str, list[Evidence]] = {}
    for name, source in work.deps.sources.items():
        if isinstance(source, Continuous) and (its := [item for item in passages if item.source == name]):
            warning = f"What stands next to passages of {name} could not be read"
            collections = unique(item.collection for item in its)
            near = await _or_warned(source.around([item.id for item in its], collections), {}, warning, work)
            for item in its:
                for other in map(Evidence.model_validate, near.get(item.id, ())):
                    found[other.id] = other.shortened().replace(query=item.query, depth=item.depth)
                    beside.setdefault(other.id, []).append(item)
    wanted = (eid for eid, its in beside.items() if eid not in known and (len(its) > 1 or its[0] in best))
    return [found[eid].replace(relevance=_fit_next_to(beside[eid])) for eid in wanted]


def _fit_next_to(passages: Sequence[Evidence]) -> float:
    """How relevant a passage is that stands next to these."""
    fits = [item.relevance for item in passages]
    return min(fits) if len(fits) > 1 else NEXT_TO * fits[0]


async def spelt(words: Sequence[str], collections: Sequence[str], work: Work) -> Mapping[str, str]:
    """For each of ``words`` that no source holds: the one that is meant, or "" where nobody can tell. Nothing where one
    of the sources cannot know, such as the web: a word that is strange here may be none there."""
    told: list[Mapping[str, str]] = []
    for name, source in work.deps.sources.items():
        if not isinstance(source, Spelled):
            return {}
        warning = f"Whether {name} holds the words of the request could not be told"
        told.append(await _or_warned(source.spelt(words, collections), {}, warning, work))
    return spelt_by_all(words, told)


async def _or_warned(asked: Awaitable[T], otherwise: T, warning: str, work: Work) -> T:
    """What a source gives; where it raises or hangs ``otherwise``, with a ``warning``: that costs no answer."""
    try:
        async with asyncio.timeout(PATIENCE_S):
            return await asked
    except Exception as error:  # noqa: BLE001 - a source is foreign code
        work.warnings.append(f"{warning}: {failure_of(error, '').message}.")
        return otherwise
