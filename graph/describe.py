"""What is configured and what is missing, in words: what ``calibrant doctor`` shows. Opens nothing that is not open."""

import math
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from typing import Literal

from calibrant.graph.encoders import failed_download
from calibrant.graph.runs import RunLog
from calibrant.graph.services import OTHERWISE, rates_of
from calibrant.graph.settings import Machine, Secrets
from calibrant.judges.calibration import DRIFTED, Calibrator, drift, mismatch
from calibrant.nodes.deps import Deps
from calibrant.retrievers.catalogue import known_sources
from calibrant.retrievers.embedder import MODEL_FILES, find_model, model_url
from calibrant.retrievers.guard import Guarded
from calibrant.retrievers.knowledge import list_knowledge
from calibrant.retrievers.knowledge.folder import KnowledgeFolder
from calibrant.retrievers.limits import shown_rates
from calibrant.state.context import Context
from calibrant.state.errors import CalibrantError
from calibrant.state.protocols import Source
from calibrant.state.record import RunRecord

NOT_THERE = "the settings name it, and it is not there"

TOLD = frozenset({"wikipedia", "arxiv"})
"""Sources whose services want to know whom they may contact."""

NO_CONTACT = "set CALIBRANT_CONTACT to an e-mail address or URL: clients that name none may be turned away"

PRICES = "CALIBRANT_MODEL__DOLLARS_PER_MILLION_IN and CALIBRANT_MODEL__DOLLARS_PER_MILLION_OUT"

RECENT = 500
"""Runs that are looked at for drift."""

Health = Literal["ok", "missing", "off", "broken"]


@dataclass(frozen=True)
class Component:
    """One part of the installation. ``hint`` says how to add or repair it."""

    name: str
    state: Health
    detail: str
    hint: str = ""


def describe(
    context: Context, machine: Machine, secrets: Secrets, deps: Deps, damage: Sequence[str] = ()
) -> list[Component]:
    """Model, embeddings, knowledge bases, sources, stores: one line each. ``damage``: of threads and memory, what could
    not be opened, and what to do."""
    return [
        _model(context, secrets),
        _embeddings(machine),
        *_knowledge(context, machine),
        *_sources(deps, machine),
        _rates(machine, secrets),
        *_stores(machine, damage),
        *_records(machine),
        _memory(context),
        _calibration(context, machine, deps),
    ]


def _model(context: Context, secrets: Secrets) -> Component:
    if not context.model.name:
        hint = "set CALIBRANT_MODEL_NAME, and CALIBRANT_MODEL_BASE_URL for an endpoint of your own"
        return Component("model", "missing", "none: the LLM-free tiers do the whole job", hint)
    where = without_keys(context.model.base_url) or "OpenAI"
    if secrets.model_api_key is None and not context.model.base_url:
        return Component(
            "model", "broken", f"{context.model.name} at {where}, without a key", "set CALIBRANT_MODEL_API_KEY"
        )
    is_priced = context.model.dollars_per_million_in or context.model.dollars_per_million_out
    hint = "" if is_priced else f"limits.dollars holds once prices are set: {PRICES}"
    return Component("model", "ok", f"{context.model.name} at {where}", hint)


def without_keys(url: str) -> str:
    """A URL without the user, the password and the query, any of which may be a key."""
    place, _, _ = url.partition("?")
    scheme, slashes, rest = place.rpartition("://")
    host, slash, path = rest.partition("/")
    return f"{scheme}{slashes}{host.rpartition('@')[2]}{slash}{path}"


def _embeddings(machine: Machine) -> Component:
    if machine.embeddings == "none":
        return Component("embeddings", "off", "switched off: full-text search alone", "set CALIBRANT_EMBEDDINGS=auto")
    if machine.embeddings_base_url:
        return Component("embeddings", "ok", f"{machine.embeddings} at {without_keys(machine.embeddings_base_url)}")
    found = find_model(machine.embeddings_path)
    if found is None:
        return _without_model(machine)
    return Component("embeddings", "ok", f"all-MiniLM-L6-v2 from {found}")


def _without_model(machine: Machine) -> Component:
    """The row where no embedding model was found: why, and how to get one (by a download, if none was tried)."""
    failed = failed_download(machine)
    if not machine.allow_download:
        why, otherwise = "no model found", "CALIBRANT_ALLOW_DOWNLOAD=true"
    elif failed.exists():
        why, otherwise = f"its download from {model_url()} failed", f"remove {failed} to try again"
    else:
        why, otherwise = "no model found", "the next command tries to download it"
    by_hand = f"set CALIBRANT_EMBEDDINGS to a folder with all-MiniLM-L6-v2 as ONNX ({' and '.join(MODEL_FILES)})"
    return Component("embeddings", "missing", f"{why}: full-text search alone", f"{by_hand}, or {otherwise}")


def _knowledge(context: Context, machine: Machine) -> list[Component]:
    names = list_knowledge(machine.data_dir)
    absent = [name for name in context.knowledge if name not in names]
    if not names and not absent:
        return [
            Component("knowledge", "missing", f"no knowledge base in {machine.data_dir}", "calibrant ingest PATH...")
        ]
    with closing(KnowledgeFolder(machine.data_dir)) as folder:
        held = [Component(f"knowledge: {name}", *folder.health(name)) for name in names]
    return [*held, *(Component(f"knowledge: {name}", "broken", NOT_THERE, how_to_make(name)) for name in absent)]


def how_to_make(name: str) -> str:
    """How to make a knowledge base that the settings name and that is not there."""
    return f"`calibrant ingest PATH -k {name}`, or change CALIBRANT_KNOWLEDGE"


def _sources(deps: Deps, machine: Machine) -> list[Component]:
    """The sources in use, then those that could be added, each with what it takes."""
    used = [
        Component(f"source: {name}", "ok", _how(source), NO_CONTACT if name in TOLD and not machine.contact else "")
        for name, source in deps.sources.items()
    ]
    rows = {row.name: row for row in reversed(known_sources())}
    rest = [
        Component(f"source: {row.name}", "off", row.summary, f"add it to CALIBRANT_SOURCES. {row.hint}".strip())
        for row in rows.values()
        if row.name not in deps.sources
    ]
    return [*used, *rest]


def _how(source: Source) -> str:
    """Where a source is, and how it is asked where that can be set."""
    if not isinstance(source, Guarded):
        return "remote" if source.remote else "local"
    return f"remote, {source.seconds:g} s a search, answers kept for {source.kept_s:g} s"


def _rates(machine: Machine, secrets: Secrets) -> Component:
    """How often services are asked."""
    rates = rates_of(machine, secrets)
    default = shown_rates(rates.pop(OTHERWISE))
    told = (f"{name} {shown_rates(rates[name])}" for name in sorted(rates))
    return Component("rate limits", "ok", "; ".join((default, *told)), "change them by CALIBRANT_RATES")


def _stores(machine: Machine, damage: Sequence[str]) -> list[Component]:
    name = "threads and memory"
    if damage:
        return [Component(name, "broken", told) for told in damage]
    if machine.postgres_url:
        return [Component(name, "ok", "Postgres")]
    detail = f"SQLite in {machine.data_dir}"
    return [Component(name, "ok", detail, "for several machines: set CALIBRANT_POSTGRES_URL")]


def _records(machine: Machine) -> list[Component]:
    """The records of runs, where they cannot be read."""
    try:
        RunLog(machine.data_dir).read(math.inf)
    except CalibrantError as error:
        return [Component("records of runs", "broken", str(error))]
    return []


def _memory(context: Context) -> Component:
    if not context.switches.memory:
        return Component("learning", "off", "switched off", "set CALIBRANT_SWITCHES__MEMORY=true")
    return Component("learning", "ok", "experiences and patterns are kept after verified answers")


def _calibration(context: Context, machine: Machine, deps: Deps) -> Component:
    """Whether confidences are calibrated here, on what, and whether recent runs are still like it."""
    name, held = "calibration", deps.calibration.calibrators
    if not context.switches.calibration:
        return Component(name, "off", "switched off", "set CALIBRANT_SWITCHES__CALIBRATION=true")
    problems = [mismatch(one.fitted_on.conditions, deps.calibration.conditions_for(one.name, context)) for one in held]
    used = [one for one, problem in zip(held, problems, strict=True) if not problem]
    if not used:
        detail = f"not calibrated: {problems[0]}" if problems else "not calibrated: no calibrators"
        return Component(name, "missing", detail, "fit them: calibrant calibrate")
    recent = _recent_runs(machine)
    drifted = [one.name for one in used if _has_drifted(one, recent)]
    if drifted:
        detail = f"recent runs score differently from what {drifted[0]} was fitted on: treat them as uncalibrated"
        return Component(name, "missing", detail, "fit anew: calibrant calibrate")
    told = (f"{one.name} ({one.fitted_on.answers:,} of {', '.join(one.fitted_on.datasets)})" for one in used)
    return Component(name, "ok", "; ".join(told))


def _recent_runs(machine: Machine) -> list[RunRecord]:
    try:
        return RunLog(machine.data_dir).latest(RECENT)
    except CalibrantError:  # a row of its own says so
        return []


def _has_drifted(calibrator: Calibrator, recent: Sequence[RunRecord]) -> bool:
    # With and without embeddings the name is the same.
    made = (calibrator.name, calibrator.fitted_on.conditions.summary)
    raw = [one.raw for one in recent if (one.calibrator, one.conditions) == made and one.raw is not None]
    found = drift(raw, calibrator.fitted_on)
    return found is not None and found > DRIFTED
