"""What ``--knowledge`` means: a knowledge base by name, or a path that becomes one on the fly."""

import hashlib
import os
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from calibrant.retrievers.home import at_home
from calibrant.state.errors import InputError

if TYPE_CHECKING:
    from calibrant.graph.settings import Machine
    from calibrant.interfaces.commands.opening import Prepared


NOTHING_TO_SEARCH = (
    "there is nothing to search yet: `calibrant ingest PATH...` makes a knowledge base, "
    "CALIBRANT_SOURCES=web asks the web"
)


def knowledge_named(having: "Prepared", values: Sequence[str]) -> tuple[str, ...]:
    """The knowledge bases that ``values`` mean, paths read first. Unchanged files are not read again. Where there are
    none, those that the settings name are looked at."""
    machine = having.machine
    names = tuple(dict.fromkeys(_named(machine, value) for value in values))
    _check_readable(machine, names or having.settings.knowledge)
    return names


def has_nothing_to_search(having: "Prepared", named: Sequence[str]) -> bool:
    """Whether there is neither a knowledge base, ``named`` or searched without a name, nor any other source."""
    from calibrant.graph.sources import LOCAL, wanted_sources
    from calibrant.retrievers.knowledge import searched_knowledge

    only_here = set(wanted_sources(having.machine, having.secrets)) <= LOCAL
    return only_here and not (named or having.settings.knowledge or searched_knowledge(having.machine.data_dir))


def _check_readable(machine: "Machine", names: Sequence[str]) -> None:
    """Refuse a knowledge base that is damaged or not there before a question is spent on it: those named, else all that
    are searched."""
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir, searched_knowledge

    for name in names or searched_knowledge(machine.data_dir):
        KnowledgeBase.open(knowledge_dir(machine.data_dir, name), name).close()


def _named(machine: "Machine", value: str) -> str:
    from calibrant.retrievers.knowledge import knowledge_dir, list_knowledge

    known = list_knowledge(machine.data_dir)
    if value in known:
        return value
    if not is_path(value):
        knowledge_dir(machine.data_dir, value)  # refuses what is no name: no command could make that one
        makes = f"`calibrant ingest PATH -k {value}` makes one"
        raise InputError(f"no knowledge base or path {value!r}: {there_is(known)}; {makes}")
    return _ingested(machine, value)


def check_known(name: str, known: Sequence[str]) -> None:
    """Refuse a knowledge base that is none of the ``known``, and name those."""
    if name not in known:
        raise InputError(f"no knowledge base {name!r}: {there_is(known)}")


def there_is(known: Sequence[str]) -> str:
    """Which knowledge bases there are."""
    return f"there is {', '.join(known)}" if known else "there is none yet"


def _ingested(machine: "Machine", value: str) -> str:
    """Read the path into a knowledge base of its own. A file that was named and cannot be read is an error."""
    from calibrant.interfaces.commands.ingest import (
        SMALL,
        IngestOptions,
        fill_vectors,
        filled,
        read_text,
        searchable,
        tell_report,
        why_nothing,
    )

    name = name_for(Path(value))
    with filled(machine, name):
        report = read_text(machine, IngestOptions(paths=(value,), knowledge=name))
        if report.named_failures:
            raise InputError(f"cannot read {report.named_failures[0].message}")
        tell_report(report, name)
        with searchable(machine, name, vectors=bool(report.chunks)) as base:
            if not base.stats().chunks:
                raise InputError(f"nothing to answer from: {why_nothing(report, (value,))}")
            fill_vectors(base, at_most=SMALL)
    return name


def is_path(value: str) -> bool:
    """Whether ``value`` is meant as a path: it says so by its form, or something of that name is there."""
    return "/" in value or os.sep in value or value.startswith((".", "~")) or Path(value).exists()


def name_for(path: Path) -> str:
    """``docs.3fa2c1``: the folder's own name, and a few digits that tell two folders of one name apart. By the dot it
    is known as one that is searched only where it is named (``is_ad_hoc``)."""
    real = at_home(path).resolve()
    slug = re.sub(r"[^a-z0-9]+", "-", real.name.lower()).strip("-")[:40] or "files"
    return f"{slug}.{hashlib.sha256(os.fsencode(real)).hexdigest()[:6]}"
