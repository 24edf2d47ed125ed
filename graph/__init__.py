"""How the nodes are wired and opened: building, wiring, routing, settings, persistence and the entry points.

    from calibrant.graph import build_graph

Importing this package does no work and opens nothing: names are resolved at first use.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibrant.graph.app import App, open_app
    from calibrant.graph.build import build_graph, build_retrieval_graph
    from calibrant.graph.settings import Settings, load_settings
    from calibrant.graph.tool import retrieve_information_tool

__all__ = [
    "App",
    "Settings",
    "build_graph",
    "build_retrieval_graph",
    "load_settings",
    "open_app",
    "retrieve_information_tool",
]

_HOMES = {
    "App": "app",
    "open_app": "app",
    "build_graph": "build",
    "build_retrieval_graph": "build",
    "Settings": "settings",
    "load_settings": "settings",
    "retrieve_information_tool": "tool",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
