"""``calibrant knowledge``: which knowledge bases there are, and removing one."""

from contextlib import closing
from typing import TYPE_CHECKING, Any

import click
from rich.table import Table
from rich.text import Text

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.commands.named_knowledge import check_known
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.lines import say
from calibrant.state.errors import InputError

if TYPE_CHECKING:
    from calibrant.graph.settings import Machine


def show(*, as_json: bool) -> Exit:
    """List them, with what they hold."""
    from calibrant.graph.settings import load_machine

    held = rows(load_machine())
    if as_json:
        echo_json(held)
        return Exit.DONE
    if not held:
        say("calibrant: there is no knowledge base yet: `calibrant ingest PATH...` makes one")
        return Exit.DONE
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for row in held:
        grid.add_row(row["name"], Text(row["holds"], style="" if row["state"] == "ok" else "warn"))
    terminal.show(terminal.out(), grid)
    return Exit.DONE


def rows(machine: "Machine") -> list[dict[str, Any]]:
    """Each knowledge base: its name, whether it can be searched, what it holds, whether it has to be named."""
    from calibrant.retrievers.knowledge import list_knowledge
    from calibrant.retrievers.knowledge.folder import KnowledgeFolder
    from calibrant.state.evidence import is_ad_hoc

    found = []
    with closing(KnowledgeFolder(machine.data_dir)) as folder:
        for name in list_knowledge(machine.data_dir):
            state, holds = folder.health(name)
            found.append({"name": name, "state": state, "holds": holds, "only_where_named": is_ad_hoc(name)})
    return found


def remove(name: str, *, sure: bool) -> Exit:
    """Delete a knowledge base, once a person has said so. The documents that it was made of are not touched."""
    from calibrant.graph.settings import load_machine
    from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir, list_knowledge

    machine = load_machine()
    known = list_knowledge(machine.data_dir)
    check_known(name, known)
    if not sure and not terminal.somebody_there():
        raise InputError(f"nobody is there to confirm it: `calibrant knowledge remove {name} --yes`")
    if not sure and not click.confirm(f"Remove the knowledge base {name}? Your documents stay.", err=True):
        say(f"calibrant: {name} is kept")
        return Exit.DONE
    KnowledgeBase.remove(knowledge_dir(machine.data_dir, name), machine.chroma_url or None)
    click.echo(f"{name} is removed")
    return Exit.DONE
