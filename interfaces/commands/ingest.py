"""``calibrant ingest``: files into a knowledge base, text first, vectors behind."""

import shlex
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import click

from calibrant.interfaces import bars
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.failures import Exit, Stopped
from calibrant.interfaces.lines import say
from calibrant.interfaces.printable import printable
from calibrant.interfaces.wording import counted
from calibrant.retrievers.home import at_home
from calibrant.state.errors import InputError, KnowledgeError

if TYPE_CHECKING:
    from calibrant.graph.settings import Machine
    from calibrant.retrievers.knowledge import IngestReport, KnowledgeBase, KnowledgeStats

SHOWN = 10
"""Files that could not be read or were passed over, named one by one; beyond, their number."""

SMALL = 200
"""So many passages are embedded before the first question rather than after it: about a second's work."""


@dataclass(frozen=True)
class IngestOptions:
    """The command line of ``ingest``."""

    paths: tuple[str, ...]
    knowledge: str = "default"
    include: tuple[str, ...] = ()
    exclude: tuple[str, ...] = ()
    rebuild: bool = False
    forget: tuple[str, ...] = ()
    no_vectors: bool = False
    as_json: bool = False


def run(options: IngestOptions) -> Exit:
    """Read, forget, tell, embed, tell."""
    from calibrant.graph.settings import load_machine
    from calibrant.retrievers.knowledge import IngestReport

    machine = load_machine()
    with filled(machine, options.knowledge):
        refuse_unheld(machine, options)
        # What is read in another's place has to be there before that one goes; what is read anew may be gone.
        gone = forgotten(machine, options) if not options.paths else 0
        only_forgets = options.forget and not (options.paths or options.rebuild)
        report = IngestReport() if only_forgets else read_text(machine, options)
        gone += forgotten(machine, options) if options.paths else 0
        report = report.replace(removed=report.removed + gone)
        tell_report(report, options.knowledge)
        with searchable(machine, options.knowledge, vectors=not options.no_vectors) as base:
            fill_vectors(base)
            stats = base.stats()
    is_empty = not stats.chunks and not options.forget
    if is_empty:
        say(f"calibrant: {options.knowledge} is empty: {why_nothing(report, options.paths, options.include)}")
    if options.as_json:
        echo_json({"report": report.model_dump(mode="json"), "stats": stats.model_dump(mode="json")})
    else:
        click.echo(holds(stats))
    return Exit.BAD_INPUT if report.named_failures or is_empty else Exit.DONE


@contextmanager
def filled(machine: "Machine", name: str) -> Iterator[None]:
    """Around the making of a knowledge base: nobody removes it meanwhile, and a new one in which there is nothing in
    the end is removed again."""
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir, list_knowledge
    from calibrant.retrievers.knowledge.locks import READING, with_others

    directory = knowledge_dir(machine.data_dir, name)
    is_new = name not in list_knowledge(machine.data_dir)
    try:
        with with_others(directory / READING):
            yield
    finally:
        if is_new and directory.exists() and not _passages(directory, name):
            with suppress(InputError):  # another process has begun to fill it
                KnowledgeBase.remove(directory)


def _passages(directory: Path, name: str) -> int:
    """How many passages a knowledge base holds; 0 for one that could not even be made, such as on a full disk."""
    from calibrant.retrievers.knowledge import KnowledgeBase

    with suppress(InputError, KnowledgeError), closing(KnowledgeBase.open(directory, name)) as base:
        return base.stats().chunks
    return 0


def read_text(machine: "Machine", options: IngestOptions) -> "IngestReport":
    """The text of what is new or changed. From here on, questions can be answered."""
    paths = [at_home(Path(path)) for path in options.paths] or _read_before(machine, options.knowledge)
    for path in paths:
        if not path.exists():  # before an empty knowledge base is made for it
            raise InputError(f"no such file or folder: {path}{_left_of(path, machine, options.knowledge)}")
    with closing(_opened_for(machine, options, paths)) as base:
        try:
            with bars.bar("reading", "file") as progress:
                return base.ingest(paths, progress=progress, include=options.include, exclude=options.exclude)
        except KeyboardInterrupt:
            raise Stopped("stopped; what was read is kept: the same command goes on where it stood") from None


def _read_before(machine: "Machine", name: str) -> list[Path]:
    """What a knowledge base was made of. ``InputError`` where there is none, or nothing was read into it."""
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir, list_knowledge

    if name in list_knowledge(machine.data_dir):
        with closing(KnowledgeBase.open(knowledge_dir(machine.data_dir, name), name)) as base:
            if paths := base.roots():
                return paths
    raise InputError(f"nothing was read into {name!r} yet: say what to read, `calibrant ingest PATH -k {name}`")


def _left_of(path: Path, machine: "Machine", name: str) -> str:
    """What is still held of a path that is gone, and how to drop it; empty where nothing is."""
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir

    with (
        suppress(InputError, KnowledgeError),
        closing(KnowledgeBase.open(knowledge_dir(machine.data_dir, name), name)) as base,
    ):
        if held := base.held([path]):
            command = f"calibrant ingest -k {name} --forget {shlex.quote(str(path))}"
            return f"; {counted(held, 'document')} of it can still be found, until `{command}`"
    return ""


def refuse_unheld(machine: "Machine", options: IngestOptions) -> None:
    """``InputError`` for a path to forget of which nothing is held, and nothing is to be read: before anything else."""
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir

    read = [at_home(Path(path)) for path in options.paths]
    paths = [Path(path) for path in options.forget]
    unread = [path for path in paths if not any(at_home(path).is_relative_to(other) for other in read)]
    if not unread:
        return
    with closing(KnowledgeBase.open(knowledge_dir(machine.data_dir, options.knowledge), options.knowledge)) as base:
        for path in unread:
            if not base.held([path]):
                raise InputError(f"{options.knowledge} holds nothing that was read from {path}")


def forgotten(machine: "Machine", options: IngestOptions) -> int:
    """How many documents went with the paths to forget."""
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir

    if not options.forget:
        return 0
    directory = knowledge_dir(machine.data_dir, options.knowledge)
    with closing(KnowledgeBase.open(directory, options.knowledge)) as base:
        return base.forget([Path(path) for path in options.forget])


def _opened_for(machine: "Machine", options: IngestOptions, paths: Sequence[Path]) -> "KnowledgeBase":
    """The knowledge base, made if need be. A rebuild forgets what it is to read; a damaged file is set aside first."""
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir

    directory = knowledge_dir(machine.data_dir, options.knowledge)
    try:
        base = KnowledgeBase.open(directory, options.knowledge, create=True)
    except KnowledgeError:
        if not options.rebuild:
            raise
        aside = KnowledgeBase.set_aside(directory)
        say(f"calibrant: the damaged file is kept as {aside}")
        return KnowledgeBase.open(directory, options.knowledge, create=True)
    if options.rebuild:
        base.forget(paths)
    return base


@contextmanager
def searchable(machine: "Machine", name: str, *, vectors: bool = True) -> "Iterator[KnowledgeBase]":
    """The knowledge base with the encoder of this machine, if it has one."""
    from calibrant.graph.encoders import encoder_of
    from calibrant.graph.settings import read_secrets
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir

    encoder = encoder_of(None, machine, read_secrets().embeddings_api_key) if vectors else None
    directory = knowledge_dir(machine.data_dir, name)
    with closing(KnowledgeBase.open(directory, name, encoder=encoder, chroma_url=machine.chroma_url or None)) as base:
        yield base


def fill_vectors(base: "KnowledgeBase", *, at_most: int | None = None) -> None:
    """Embed what has no vector yet. ``at_most``: only if it is no more than that."""
    stats = base.stats()
    behind = stats.chunks - stats.vectors if stats.encoder else 0
    if behind <= 0 or (at_most is not None and behind > at_most):
        return
    again = f"`calibrant ingest -k {base.name}`"
    say(f"questions can be asked now; the passages are being embedded (Ctrl-C: {again} goes on)")
    try:
        with bars.bar("embedding", "passage") as progress:
            added = base.index_vectors(progress=progress)
    except KeyboardInterrupt:
        raise Stopped(f"stopped; questions can be asked, and {again} embeds the rest") from None
    if not added:
        told = f"another process is embedding, and takes these passages too; {again} embeds what it may leave"
        say(f"calibrant: {told}")


def tell_report(report: "IngestReport", name: str) -> None:
    """What was read, and each file that could not be, on stderr."""
    kinds = (("added", report.added), ("updated", report.updated), ("removed", report.removed))
    changes = [f"{number} {kind}" for kind, number in kinds if number]
    what = ", ".join(changes) or "nothing new"
    say(f"{name}: {what}, {counted(report.unchanged, 'file')} unchanged")
    for failure in report.failures[:SHOWN]:
        say(f"calibrant: not read: {printable(failure.message)}")
    if len(report.failures) > SHOWN:
        say(f"calibrant: and {len(report.failures) - SHOWN} more that could not be read")
    for reason in dict.fromkeys(file.reason for file in report.skipped):
        paths = [file.path for file in report.skipped if file.reason == reason]
        more = f" and {len(paths) - SHOWN} more" if len(paths) > SHOWN else ""
        say(f"calibrant: passed over, {reason}: {printable(', '.join(paths[:SHOWN]))}{more}")


def why_nothing(report: "IngestReport", paths: Sequence[str], include: Sequence[str] = ()) -> str:
    """Why an ingest of the files of ``paths`` that match ``include`` (all, without it) brought no text at all."""
    read, passed = report.added + report.updated + report.unchanged, report.unread
    if read:
        return f"there is no text in {counted(read, 'file')}"
    if passed:
        return f"{counted(passed, 'file')} could not be read as text"
    matching = f" that matches --include {', '.join(include)}" if include else ""
    return f"there is no file to read in {', '.join(paths)}{matching}"


def holds(stats: "KnowledgeStats") -> str:
    """What a knowledge base holds, in one line."""
    vectors = f", {counted(stats.vectors, 'vector')}" if stats.encoder else ", text search only"
    cut_off = ", not read to its end" if stats.half_read else ""
    return f"{stats.name}: {counted(stats.documents, 'document')}, {counted(stats.chunks, 'passage')}{vectors}{cut_off}"
