"""What is configured and what is missing, in words: what ``calibrant doctor`` shows. Opens nothing that is not open."""

from dataclasses import dataclass
from typing import Literal

from calibrant.graph.settings import Machine, Secrets
from calibrant.graph.sources import KnowledgeFolder
from calibrant.nodes.deps import Deps
from calibrant.retrievers.catalogue import describe as catalogued
from calibrant.retrievers.embedder import find_model
from calibrant.retrievers.knowledge import list_knowledge
from calibrant.state.context import Context

Health = Literal["ok", "missing", "off", "broken"]


@dataclass(frozen=True)
class Component:
    """One part of the installation. ``hint`` says how to add or repair it."""

    name: str
    state: Health
    detail: str
    hint: str = ""


def describe(context: Context, machine: Machine, secrets: Secrets, deps: Deps) -> list[Component]:
    """Model, embeddings, knowledge bases, sources, stores: one line each."""
    return [
        _model(context, secrets),
        _embeddings(machine),
        *_knowledge(machine),
        *_sources(deps),
        *_stores(machine),
        _memory(context),
    ]


def _model(context: Context, secrets: Secrets) -> Component:
    if not context.model.name:
        hint = "set CALIBRANT_MODEL_NAME, and CALIBRANT_MODEL_BASE_URL for an endpoint of your own"
        return Component("model", "missing", "none: the LLM-free tiers do the whole job", hint)
    where = context.model.base_url or "OpenAI"
    if secrets.model_api_key is None and not context.model.base_url:
        return Component(
            "model", "broken", f"{context.model.name} at {where}, without a key", "set CALIBRANT_MODEL_API_KEY"
        )
    return Component("model", "ok", f"{context.model.name} at {where}")


def _embeddings(machine: Machine) -> Component:
    if machine.embeddings == "none":
        return Component("embeddings", "off", "switched off: full-text search alone", "set CALIBRANT_EMBEDDINGS=auto")
    if machine.embeddings_base_url:
        return Component("embeddings", "ok", f"{machine.embeddings} at {machine.embeddings_base_url}")
    found = find_model(machine.embeddings_path)
    if found is None:
        hint = "set CALIBRANT_EMBEDDINGS to a folder with all-MiniLM-L6-v2 as ONNX, or CALIBRANT_ALLOW_DOWNLOAD=true"
        return Component("embeddings", "missing", "no model found: full-text search alone", hint)
    return Component("embeddings", "ok", f"all-MiniLM-L6-v2 from {found}")


def _knowledge(machine: Machine) -> list[Component]:
    names = list_knowledge(machine.data_dir)
    if not names:
        return [
            Component("knowledge", "missing", f"no knowledge base in {machine.data_dir}", "calibrant ingest PATH...")
        ]
    folder = KnowledgeFolder(machine.data_dir)
    return [Component(f"knowledge: {name}", *folder.health(name)) for name in names]


def _sources(deps: Deps) -> list[Component]:
    """The sources in use, then those that could be added, each with what it takes."""
    used = [
        Component(f"source: {source.name}", "ok", "remote" if source.remote else "local")
        for source in deps.sources.values()
    ]
    rows = {row.name: row for row in reversed(catalogued())}
    rest = [
        Component(f"source: {row.name}", "off", row.summary, f"add it to CALIBRANT_SOURCES. {row.hint}".strip())
        for row in rows.values()
        if row.name not in deps.sources
    ]
    return [*used, *rest]


def _stores(machine: Machine) -> list[Component]:
    if machine.postgres_url:
        return [Component("threads and memory", "ok", "Postgres")]
    detail = f"SQLite in {machine.data_dir}"
    return [Component("threads and memory", "ok", detail, "for several machines: set CALIBRANT_POSTGRES_URL")]


def _memory(context: Context) -> Component:
    if not context.switches.memory:
        return Component("learning", "off", "switched off", "set CALIBRANT_SWITCHES__MEMORY=true")
    return Component("learning", "ok", "experiences and patterns are kept after verified answers")
