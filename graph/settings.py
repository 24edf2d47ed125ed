"""The settings: what a run may change, what the machine provides, and the secrets.

    Settings   the graph's ``context_schema``: per run, without secrets, merged over environment, file and default
    Machine    fixed when the graph is built: where data lives, which services there are
    Secrets    keys, from the environment only; never stored, never printed

One place reads the environment and ``calibrant.yaml``: this one. An unknown name or a bad value is one
``ConfigurationError`` (``graph/refusals.py``).
"""

import os
import re
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import chain
from pathlib import Path
from typing import Annotated, Any, ClassVar

from pydantic import BaseModel, ConfigDict, Field, SecretStr, ValidationInfo, field_validator

from calibrant.graph.layers import FILE_VARIABLE, Layer, Place, environment, merge, read_afresh, settings_file
from calibrant.graph.refusals import check_each, explained, reject_misspelt, reject_strange, reject_unknown
from calibrant.retrievers.home import at_home
from calibrant.retrievers.limits import LONGEST_S, parse_rates
from calibrant.retrievers.mcp_entry import connection_of
from calibrant.state.context import Context
from calibrant.state.validation import HttpUrl, Site

_SHORT_NAMES: dict[str, Place] = {
    "CALIBRANT_MODEL__API_KEY": (),
    "OPENAI_BASE_URL": ("model", "base_url"),
    "CALIBRANT_BASE_URL": ("model", "base_url"),
    "CALIBRANT_MODEL_BASE_URL": ("model", "base_url"),
    "CALIBRANT_MODEL_NAME": ("model", "name"),
    "CALIBRANT_MODEL": ("model", "name"),
}
"""Short variables, the weakest first; ``CALIBRANT_MODEL__NAME`` and the like are stronger."""

_SECRET_NAMES: dict[str, tuple[str, ...]] = {
    "model_api_key": ("CALIBRANT_MODEL_API_KEY", "CALIBRANT_MODEL__API_KEY", "CALIBRANT_API_KEY", "OPENAI_API_KEY"),
    "embeddings_api_key": ("CALIBRANT_EMBEDDINGS_API_KEY", "CALIBRANT_API_KEY", "OPENAI_API_KEY"),
    "tavily_api_key": ("CALIBRANT_TAVILY_API_KEY", "TAVILY_API_KEY"),
    "github_token": ("CALIBRANT_GITHUB_TOKEN", "GITHUB_TOKEN"),
    "youtube_api_key": ("CALIBRANT_YOUTUBE_API_KEY", "YOUTUBE_API_KEY"),
    "stackexchange_key": ("CALIBRANT_STACKEXCHANGE_KEY",),
}
"""Which variables hold each secret, the strongest first."""


_LANGUAGE = re.compile(r"[a-z]+(-[a-z]+)*")
"""The first part of a Wikipedia's host: ``en``, ``zh-yue``."""

_CONTACT = re.compile(r"[!-'*-?A-~]+@[!-'*-?A-~]+|https?://[!-'*-~]+")
"""An e-mail address or a URL, in ASCII and without brackets: it stands in brackets in a header."""


class Settings(Context):
    """What one run may configure. ``Settings(interactive=False)`` merges over environment, file and default."""

    _of_graph: ClassVar[Layer | None] = None
    """What the graph was built with, in place of environment, file and default."""

    def __init__(self, /, **given: Any) -> None:
        run = Layer("the run's context", given)
        layers = _layers(Settings, run) if self._of_graph is None else [_known(run, Settings)]
        below = self._of_graph or _defaults()
        check_each(Context, layers, below)
        with explained(layers, Context):
            super().__init__(**merge([*layers, below]))


def settings_over(context: Context | None) -> type[Settings]:
    """The context schema of a graph that was built with ``context``: what a run leaves out is taken from there."""
    if context is None:
        return Settings
    held = Layer("the graph's context", context.model_dump())

    class SettingsOver(Settings):
        __doc__ = Settings.__doc__
        model_config = ConfigDict(title=Settings.__name__)
        _of_graph = held

    return SettingsOver


class Machine(BaseModel):
    """What is fixed when the graph is built."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    data_dir: Path = Field(
        default=Path("~/.local/share/calibrant"),
        validate_default=True,
        description="Folder for checkpoints, memory, knowledge bases and caches.",
    )
    datasets: Path | None = Field(
        default=None,
        description="Folder of the public data for `calibrant eval`. Empty: shared/datasets beside the project.",
    )
    embeddings: str = Field(
        default="auto",
        description="auto, none, the folder of an ONNX model, or a model's name at embeddings_base_url. Each keeps its "
        "vectors; the folder `chroma` of a knowledge base may be removed at any time.",
    )
    embeddings_base_url: HttpUrl = Field(
        default="", description="OpenAI-compatible endpoint for embeddings; `embeddings` names its model."
    )
    chroma_url: HttpUrl = Field(default="", description="A Chroma server. Empty: embedded.")
    postgres_url: SecretStr | None = Field(default=None, description="Postgres for checkpoints and memory.")
    searxng_url: HttpUrl = Field(
        default="",
        description="A SearXNG server for web search; `json` must be among its `search.formats`, and its limiter off.",
    )
    allow_download: bool = Field(default=True, description="Fetch the embedding model once if it is not there.")
    sources: tuple[str, ...] = Field(
        default=(),
        description="Sources to search, by name (knowledge, memory, web, github, stackoverflow, docs, arxiv, youtube, "
        "wikipedia), or all. Empty: knowledge, and web where a key or an address for it is set.",
    )
    docs_domains: tuple[Site, ...] = Field(default=(), description="Documentation sites that the docs source searches.")
    respect_robots: bool = Field(default=True, description="Read only pages whose site's robots.txt permits it.")
    contact: str = Field(
        default="",
        description="An e-mail address or URL at which you can be reached. Wikipedia, arXiv and the sites whose pages "
        "are read are told it with each request, nobody else is. Wikimedia may turn away clients that name none.",
    )
    wikipedia_language: str = Field(default="en", description="Language of the Wikipedia that is searched.")
    base_urls: dict[str, HttpUrl] = Field(
        default_factory=dict,
        description="Another endpoint in a service's place: tavily, duckduckgo, github, stackoverflow, arxiv, youtube, "
        "youtube_data, wikipedia.",
    )
    rates: dict[str, str] = Field(
        default_factory=dict,
        description="Requests to a service at most, such as `github: 30/min, 1000/h` or `none`; `default` stands for "
        "those not named and is 10/min, 100/h. arXiv, GitHub, Wikipedia and YouTube's transcripts have rates of their "
        "own; GitHub's are higher with a token.",
    )
    cache_ttl_s: dict[str, Annotated[float, Field(ge=0.0)]] = Field(
        default_factory=dict,
        description="How long answers of a source are kept, such as `web: 600`; `default` is 3600.",
    )
    deadline_s: dict[str, Annotated[float, Field(gt=0.0, le=LONGEST_S)]] = Field(
        default_factory=dict,
        description="Time for one search of a source, such as `youtube: 8`, 60 at most; `default` is 4. "
        "`retrieval.seconds` holds above it.",
    )
    langchain_retrievers: dict[str, str] = Field(
        default_factory=dict, description="LangChain retrievers as sources: name to import path (package.module:attr)."
    )
    mcp_servers: dict[str, dict[str, Any]] = Field(
        default_factory=dict,
        description="MCP servers by name, each with its connection (`{command: uvx, args: [notes-mcp]}` or "
        "`{url: http://localhost:8000/mcp}`): sources, and tools for act. `tool` names the one that searches; "
        "`search: false` makes it no source, `act: false` no tools.",
    )

    @property
    def postgres(self) -> str:
        """The Postgres URL with its password; empty means SQLite."""
        return self.postgres_url.get_secret_value() if self.postgres_url is not None else ""

    @property
    def mcp_sources(self) -> dict[str, dict[str, Any]]:
        """The MCP servers that are searched."""
        return {name: entry for name, entry in self.mcp_servers.items() if entry.get("search", True)}

    @property
    def embeddings_path(self) -> Path | None:
        """The folder of the embedding model, where ``embeddings`` names one."""
        named = self.embeddings not in ("auto", "none") and not self.embeddings_base_url
        return at_home(Path(self.embeddings)) if named else None

    @field_validator("embeddings_base_url")
    @classmethod
    def _endpoint_has_a_model(cls, url: str, info: ValidationInfo) -> str:
        """An address alone would be left unused, without a word."""
        if url and info.data.get("embeddings") == "auto":
            raise ValueError("the name of its model in `embeddings` too (CALIBRANT_EMBEDDINGS=NAME)")
        return url

    @field_validator("rates")
    @classmethod
    def _readable(cls, value: dict[str, str]) -> dict[str, str]:
        for text in value.values():
            parse_rates(text)
        return value

    @field_validator("mcp_servers")
    @classmethod
    def _leads_somewhere(cls, value: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
        for name, entry in value.items():
            try:
                connection_of(entry)
            except ValueError as error:
                raise ValueError(f"for {name} {error}") from None
        return value

    @field_validator("wikipedia_language")
    @classmethod
    def _of_a_host(cls, value: str) -> str:
        if not _LANGUAGE.fullmatch(value):
            raise ValueError("the code of a language, such as en")
        return value

    @field_validator("contact")
    @classmethod
    def _reachable(cls, value: str) -> str:
        if value and not _CONTACT.fullmatch(value):
            raise ValueError("an e-mail address or a URL, such as me@example.org")
        return value

    @field_validator("data_dir")
    @classmethod
    def _home(cls, value: Path) -> Path:
        folder = at_home(value)
        if os.path.exists(folder) and not os.path.isdir(folder):
            raise ValueError("a folder")
        return folder


class Secrets(BaseModel):
    """Keys. ``str`` and ``repr`` hide them; ``get_secret_value()`` gives one to the client that needs it."""

    model_config = ConfigDict(frozen=True)

    model_api_key: SecretStr | None = None
    embeddings_api_key: SecretStr | None = None
    tavily_api_key: SecretStr | None = None
    github_token: SecretStr | None = None
    youtube_api_key: SecretStr | None = None
    stackexchange_key: SecretStr | None = None


def load_settings(explicit: Mapping[str, Any] | None = None) -> Settings:
    """The settings, ``explicit`` first. Reads ``calibrant.yaml`` afresh, except inside an event loop."""
    read_afresh()
    reject_misspelt(os.environ, {FILE_VARIABLE, *_SHORT_NAMES, *chain(*_SECRET_NAMES.values())}, (Settings, Machine))
    return Settings(**(explicit or {}))


def load_machine(explicit: Mapping[str, Any] | None = None) -> Machine:
    """What the machine provides, ``explicit`` first. Reads the file as ``load_settings`` does."""
    read_afresh()
    layers = _layers(Machine, Layer("argument", explicit or {}))
    check_each(Machine, layers)
    with explained(layers, Machine):
        return Machine(**merge(layers))


def read_secrets() -> Secrets:
    """The secrets that the environment holds."""
    return Secrets(**{name: _first_set(variables) for name, variables in _SECRET_NAMES.items()})


def _first_set(variables: Sequence[str]) -> SecretStr | None:
    held = next((value for name in variables if (value := os.environ.get(name, "").strip())), None)
    return SecretStr(held) if held is not None else None


@cache
def _defaults() -> Layer:
    """The defaults in full: a nested setting may be given in part although its class has required fields."""
    return Layer("default", Context().model_dump())


def _layers(schema: type[BaseModel], given: Layer) -> list[Layer]:
    """``given``, environment and file, strongest first, with nothing in them that ``schema`` does not know."""
    held = settings_file()
    reject_strange(held, [*Settings.model_fields, *Machine.model_fields])  # the file holds both
    names = _SHORT_NAMES if schema is Settings else {}
    return [_known(layer, schema) for layer in (given, environment(schema, names), held.only(schema.model_fields))]


def _known(layer: Layer, schema: type[BaseModel]) -> Layer:
    """``layer`` with values that ``schema`` knows, and none else."""
    layer = Layer(layer.name, _model_by_name(layer.values), layer.places)
    reject_unknown(layer, schema)
    return layer


def _model_by_name(values: Mapping[str, Any]) -> Mapping[str, Any]:
    """``model: gpt-5-mini`` means ``model: {name: gpt-5-mini}``."""
    model = values.get("model")
    return {**values, "model": {"name": model}} if isinstance(model, str) else values
