"""``calibrant doctor``: what is configured, what is missing, and how to add it."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.commands.opening import Prepared, prepared, waiting
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.terminal import Symbols

if TYPE_CHECKING:
    from calibrant.graph.describe import Component


def run(*, as_json: bool, call: bool) -> Exit:
    """Show every component, with ``call`` also what one call to the model gives; exit code 1 if one is broken."""
    components = asyncio.run(_components(prepared(), call=call))
    if as_json:
        echo_json([asdict(component) for component in components])
    else:
        console = terminal.out()
        terminal.show(console, table(components, terminal.symbols_for(console)))
    return Exit.FAILED if any(component.state == "broken" for component in components) else Exit.DONE


async def _components(having: Prepared, *, call: bool) -> Sequence["Component"]:
    from calibrant.graph.app import examined

    with waiting("looking"):
        found = await examined(settings=having.settings, machine=having.machine, secrets=having.secrets)
    if call:
        from calibrant.graph.trial_call import try_model

        with waiting("asking the model"):
            found.insert(1, await try_model(having.settings, having.secrets))
    return found


def table(components: Sequence["Component"], symbols: Symbols) -> Table:
    """One line a component, and under it how to add or repair what is not there."""
    signs = {
        "ok": (symbols.done, "good"),
        "missing": (symbols.empty, "warn"),
        "off": (symbols.waiting, "dim"),
        "broken": (symbols.failed, "bad"),
    }
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=1)
    grid.add_column(overflow="fold")  # on a narrow terminal it wraps, or what is told of it would have no room
    grid.add_column(width=8)
    grid.add_column(overflow="fold")
    for component in components:
        sign, style = signs[component.state]
        detail = Text(component.detail)
        if component.hint:
            detail.append(f"\n{component.hint}", style="label")
        grid.add_row(Text(sign, style=style), component.name, Text(component.state, style=style), detail)
    return grid
