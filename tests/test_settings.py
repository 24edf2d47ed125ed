"""Settings: their order, their errors, and what a run's context may say."""

import asyncio
import json
import os
from collections.abc import Callable, Iterator
from operator import attrgetter
from pathlib import Path
from typing import Any

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from calibrant.graph import layers
from calibrant.graph.build import build_graph, build_retrieval_graph
from calibrant.graph.serde import serde
from calibrant.graph.settings import Machine, Settings, load_machine, load_settings, read_secrets, settings_over
from calibrant.retrievers.mcp_entry import connection_of
from calibrant.state.budget import Ledger, Spend
from calibrant.state.confidence import ResultWeights
from calibrant.state.context import Context
from calibrant.state.errors import ConfigurationError, InputError
from calibrant.state.task import Power


@pytest.fixture(autouse=True)
def _clean(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    """An empty folder and an environment without settings."""
    for name in list(os.environ):
        if name.startswith("CALIBRANT_") or name in ("OPENAI_API_KEY", "OPENAI_BASE_URL", "TAVILY_API_KEY"):
            monkeypatch.delenv(name)
    monkeypatch.chdir(tmp_path)
    layers.settings_file.cache_clear()
    yield
    layers.settings_file.cache_clear()


def write(text: str) -> None:
    Path("calibrant.yaml").write_text(text, encoding="utf-8")


def problem(explicit: dict[str, Any] | None = None) -> str:
    with pytest.raises(ConfigurationError) as caught:
        load_settings(explicit)
    assert "\n" not in str(caught.value)
    return str(caught.value)


def test_nothing_set_gives_the_defaults() -> None:
    assert load_settings().model_dump() == Context().model_dump()


def test_argument_beats_environment_beats_file_beats_default(monkeypatch: pytest.MonkeyPatch) -> None:
    write("limits: {seconds: 10, tokens: 11, questions: 1}\nbranches: 2\n")
    monkeypatch.setenv("CALIBRANT_LIMITS__SECONDS", "20")
    monkeypatch.setenv("CALIBRANT_LIMITS__TOKENS", "21")
    settings = load_settings({"limits": {"seconds": 30}})
    limits = settings.limits
    assert (limits.seconds, limits.tokens, limits.questions, limits.model_calls) == (30.0, 21, 1, 30)
    assert settings.branches == 2


@pytest.mark.parametrize("said", ["youtube: 8", "youtube: 8, default: 3", "{youtube: 8}", '{"youtube": 8}'])
def test_values_by_name_are_taken_as_the_documentation_writes_them(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("CALIBRANT_DEADLINE_S", said)
    assert load_machine().deadline_s["youtube"] == 8.0


@pytest.mark.parametrize("said", ["8", "youtube", "{youtube: ", "youtube: [", "youtube: soon"])
def test_what_is_no_value_by_name_is_refused_in_one_line(monkeypatch: pytest.MonkeyPatch, said: str) -> None:
    monkeypatch.setenv("CALIBRANT_DEADLINE_S", said)
    with pytest.raises(ConfigurationError, match=r"^environment variable CALIBRANT_DEADLINE_S.*: expected [^\n]*$"):
        load_machine()


def test_part_of_a_nested_setting_with_required_fields_keeps_the_rest() -> None:
    perceive = load_settings({"thresholds": {"perceive": {"proceed": 0.9}}}).thresholds.perceive
    assert (perceive.proceed, perceive.retrieve, perceive.abort) == (0.9, 0.5, 0.3)


@pytest.mark.parametrize(
    ("variable", "value", "path", "expected"),
    [
        ("CALIBRANT_MODEL", "gpt-5-mini", "model.name", "gpt-5-mini"),
        ("CALIBRANT_MODEL", '{"name": "m", "timeout_s": 3}', "model.timeout_s", 3.0),
        ("CALIBRANT_MODEL_NAME", "m", "model.name", "m"),
        ("CALIBRANT_MODEL__NAME", "m", "model.name", "m"),
        ("CALIBRANT_MODEL_BASE_URL", "http://x/v1", "model.base_url", "http://x/v1"),
        ("CALIBRANT_BASE_URL", "http://x/v1", "model.base_url", "http://x/v1"),
        ("OPENAI_BASE_URL", "http://x/v1", "model.base_url", "http://x/v1"),
        ("CALIBRANT_INTERACTIVE", "false", "interactive", False),
        ("CALIBRANT_POWER", "2", "power", Power.MEDIUM),
        ("CALIBRANT_KNOWLEDGE", "docs, wiki", "knowledge", ("docs", "wiki")),
        ("CALIBRANT_KNOWLEDGE", '["a,b"]', "knowledge", ("a,b",)),
        ("CALIBRANT_SWITCHES__MEMORY", "off", "switches.memory", False),
        ("CALIBRANT_BRANCHES", " ", "branches", 3),
    ],
)
def test_environment(monkeypatch: pytest.MonkeyPatch, variable: str, value: str, path: str, expected: Any) -> None:
    monkeypatch.setenv(variable, value)
    held: Any = load_settings()
    for name in path.split("."):
        held = getattr(held, name)
    assert held == expected


def test_the_long_name_beats_the_short_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_MODEL", "weak")
    monkeypatch.setenv("CALIBRANT_MODEL__NAME", "strong")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://weak")
    monkeypatch.setenv("CALIBRANT_MODEL__BASE_URL", "http://strong")
    assert (load_settings().model.name, load_settings().model.base_url) == ("strong", "http://strong")


@pytest.mark.parametrize(
    ("whole", "part", "value", "path", "expected"),
    [
        ("llama", "CALIBRANT_MODEL_BASE_URL", "http://localhost:1/v1", "model.base_url", "http://localhost:1/v1"),
        ("llama", "CALIBRANT_MODEL__TIMEOUT_S", "3", "model.timeout_s", 3.0),
        ('{"timeout_s": 3}', "CALIBRANT_MODEL_NAME", "llama", "model.timeout_s", 3.0),
        ('{"name": "llama"}', "CALIBRANT_MODEL_NAME", "weak", "model.base_url", ""),
    ],
)
def test_a_model_and_one_of_its_settings_hold_together(
    monkeypatch: pytest.MonkeyPatch, whole: str, part: str, value: str, path: str, expected: Any
) -> None:
    monkeypatch.setenv("CALIBRANT_MODEL", whole)
    monkeypatch.setenv(part, value)
    settings = load_settings()
    assert (settings.model.name, attrgetter(path)(settings)) == ("llama", expected)


def test_a_number_in_the_file_is_a_power() -> None:
    write("power: 2\nmodel: gpt-5-mini\n")
    assert (load_settings().power, load_settings().model.name) == (Power.MEDIUM, "gpt-5-mini")


def test_errors_name_setting_value_place_and_what_is_allowed(monkeypatch: pytest.MonkeyPatch) -> None:
    write("branches: 3\nlimits:\n  tokens: 5\n  seconds: -1\n")
    said = problem()
    assert all(part in said for part in ("calibrant.yaml, line 4", "limits.seconds", "-1", "greater than 0"))
    write("")
    monkeypatch.setenv("CALIBRANT_UNSUPPORTED", "keep")
    said = problem()
    assert all(part in said for part in ("CALIBRANT_UNSUPPORTED", "'keep'", "'drop' or 'mark'"))
    monkeypatch.delenv("CALIBRANT_UNSUPPORTED")
    assert "the run's context: power" in problem({"power": "9"})


def test_a_data_directory_is_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "taken").write_text("a file where a folder should be")
    monkeypatch.setenv("CALIBRANT_DATA_DIR", str(tmp_path / "taken"))
    with pytest.raises(ConfigurationError, match=r"CALIBRANT_DATA_DIR: data_dir = .* expected a folder"):
        load_machine()


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("limts: 3\n", ["calibrant.yaml, line 1", "limts", "did you mean 'limits'"]),
        ("limits:\n  second: 3\n", ["calibrant.yaml, line 2", "limits.second", "did you mean 'seconds'"]),
        ("switches: {telepathy: true}\n", ["switches.telepathy", "allowed: confidence, calibration"]),
        ("model: {api_key: sk-very-secret}\n", ["model.api_key", "environment only"]),
        ("limits: 3\n", ["limits = 3", "expected values by name: retrievals, refinements"]),
        ("a: [1\nb: 2\n", ["calibrant.yaml, line 2", "not valid YAML"]),
        ("- a\n", ["calibrant.yaml", "name: value"]),
        ("power: 2\nkeep: 3\npower: 3\n", ["line 3: power is set a second time, first at calibrant.yaml, line 1"]),
        ("limits: {seconds: 3, seconds: 4}\n", ["limits.seconds is set a second time"]),
        ("!!python/object:os.system {}\n", ["not valid YAML"]),
        ("power: 2\n\0", ["calibrant.yaml: not valid YAML"]),
        ("a: " + "[" * 5000, ["calibrant.yaml: not valid YAML"]),
        ("power: 2\nlimits: &a {x: *a}\n", ["calibrant.yaml, line 2: not valid YAML", "recursive"]),
        ("limits: &a [*a]\n", ["calibrant.yaml, line 1: not valid YAML", "recursive"]),
        ("contact: 2024-13-45\n", ["calibrant.yaml: not valid YAML", "month"]),
        (f"power: 1{'0' * 5000}\n", ["calibrant.yaml: not valid YAML", "digits"]),
    ],
)
def test_a_bad_file_says_where(text: str, parts: list[str]) -> None:
    write(text)
    said = problem()
    assert all(part in said for part in parts), said
    assert "very-secret" not in said


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("phase_weights: {risk: -1}", ["phase_weights.risk = -1", "greater than or equal to 0"]),
        ("phase_weights: {risk: .inf}", ["phase_weights.risk = inf", "finite"]),
        ("limits: {dollars: .inf}", ["limits.dollars = inf", "finite"]),
        ("limits: {seconds: .inf}", ["limits.seconds = inf", "finite"]),
        ("retrieval: {seconds: .inf}", ["retrieval.seconds = inf", "finite"]),
        ("model: {dollars_per_million_in: .inf}", ["model.dollars_per_million_in = inf", "finite"]),
        ("model: {dollars_per_million_out: .nan}", ["model.dollars_per_million_out = nan"]),
        ("retrieval: {documents: 0}", ["retrieval.documents = 0", "greater than or equal to 1"]),
        ("result_weights: {hedging: .nan}", ["result_weights.hedging = nan"]),
        (
            "sufficiency_weights: {coverage: 0, recency: 0, diversity: 0, completeness: 0}",
            ["sufficiency_weights = ", "a weight above 0 for one factor at least"],
        ),
        (
            "thresholds: {act: {proceed: 0.2}}",
            ["thresholds.act = ", "proceed above retrieve, and retrieve above abort"],
        ),
        ("thresholds: {act: {abort: 0.65}}", ["thresholds.act = "]),
        ("thresholds: {act: 3}", ["thresholds.act = 3", "values by name: proceed, retrieve, abort"]),
        ("knowledge: docs", ["knowledge = 'docs'", "expected a list, such as [a, b]"]),
        ("knowledge: [3]", ["knowledge.0 = 3", "expected text"]),
        ("interactive: perhaps", ["interactive = 'perhaps'", "expected true or false"]),
        ("branches: many", ["branches = 'many'", "expected a whole number"]),
        ("doubt: much", ["doubt = 'much'", "expected a number"]),
        ("power: 4", ["power = 4", "expected 'auto', '1', '2' or '3'"]),
    ],
)
def test_a_bad_value_is_told_in_words_of_a_user(text: str, parts: list[str]) -> None:
    write(text)
    said = problem()
    assert all(part in said for part in ("calibrant.yaml, line 1", *parts)), said


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("data_dir: 5", "calibrant.yaml, line 1: data_dir = 5 is not allowed: expected a path"),
        ("sources: web", "calibrant.yaml, line 1: sources = 'web' is not allowed: expected a list, such as [a, b]"),
        ("rates: fast", "rates = 'fast' is not allowed: expected values by name, such as {name: value}"),
        ("rates: {web: fast}", "expected requests in a time"),
        ("contact: me", "contact = 'me' is not allowed: expected an e-mail address or a URL, such as me@example.org"),
        ('contact: "a@b.org\\r\\nX: y"', "expected an e-mail address or a URL"),
        ("contact: https://b.org/(a)", "expected an e-mail address or a URL"),
    ],
)
def test_a_bad_value_of_the_machine_too(text: str, says: str) -> None:
    write(text)
    with pytest.raises(ConfigurationError) as caught:
        load_machine()
    assert says in str(caught.value)


def test_a_bad_value_is_refused_where_a_stronger_one_hides_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """It would count as soon as that one is gone, and then surprise."""
    write("branches: 2\ninteractive: perhaps\n")
    assert "calibrant.yaml, line 2: interactive = 'perhaps'" in problem({"interactive": False})
    write("data_dir: 5")
    monkeypatch.setenv("CALIBRANT_DATA_DIR", "/somewhere")
    with pytest.raises(ConfigurationError, match="data_dir = 5"):
        load_machine()


def test_what_holds_for_settings_together_is_judged_of_all_layers(monkeypatch: pytest.MonkeyPatch) -> None:
    write("thresholds: {perceive: {retrieve: 0.8}}")
    assert "thresholds.perceive = " in problem()
    monkeypatch.setenv("CALIBRANT_THRESHOLDS__PERCEIVE__PROCEED", "0.9")
    assert load_settings().thresholds.perceive.retrieve == 0.8
    assert "the run's context: thresholds.perceive" in problem({"thresholds": {"perceive": {"abort": 0.85}}})


@pytest.mark.parametrize("load", [load_settings, load_machine])
def test_every_setting_of_the_file_is_offered_whoever_reads_it(load: Callable[[], Any]) -> None:
    write("qqq: 1")
    with pytest.raises(ConfigurationError) as caught:
        load()
    assert all(f" {name}" in str(caught.value) for name in ("data_dir", "mcp_servers", "model", "switches"))
    write("data_dri: x\n")
    with pytest.raises(ConfigurationError, match="did you mean 'data_dir'"):
        load()


@pytest.mark.parametrize("name", ["tokens", "token"])
def test_a_misplaced_limit_is_no_secret(name: str) -> None:
    write(f"limits: {{retrievals: 1}}\n{name}: 5\n")
    assert ("secrets" in problem()) is (name == "token")


def test_an_unknown_nested_variable_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_LIMITS__SECOND", "3")
    assert "environment variable CALIBRANT_LIMITS__SECOND" in problem()


def test_a_misspelt_variable_is_an_error_and_a_foreign_one_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_DATASETS", "/somewhere")
    load_settings()
    monkeypatch.setenv("CALIBRANT_INTERACTIV", "false")
    assert "CALIBRANT_INTERACTIVE" in problem()


def test_weights_are_given_by_factor_or_by_the_name_of_a_profile(monkeypatch: pytest.MonkeyPatch) -> None:
    fitted = ResultWeights.model_validate("fitted")
    assert load_settings({"result_weights": "fitted"}).result_weights == fitted
    write("result_weights: fitted\n")
    assert load_settings().result_weights == fitted
    monkeypatch.setenv("CALIBRANT_RESULT_WEIGHTS", "specification")
    assert load_settings().result_weights == ResultWeights()
    monkeypatch.setenv("CALIBRANT_RESULT_WEIGHTS", "fited")
    assert problem() == (
        "environment variable CALIBRANT_RESULT_WEIGHTS: result_weights = 'fited' is not allowed: "
        "expected weights by factor, or one of specification, fitted"
    )


def test_bad_json_in_a_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_LIMITS", '{"seconds": sk-123')
    said = problem()
    assert "CALIBRANT_LIMITS" in said
    assert "sk-123" not in said


@pytest.mark.parametrize("raw", ["{tavily: &a {x: *a}}", '{"a":' * 20_000, "{tavily: 2024-13-45}"])
def test_a_variable_without_an_end_is_one_line(monkeypatch: pytest.MonkeyPatch, raw: str) -> None:
    monkeypatch.setenv("CALIBRANT_BASE_URLS", raw)
    with pytest.raises(ConfigurationError, match="CALIBRANT_BASE_URLS cannot be read: expected values by name"):
        load_machine()


def test_a_list_without_an_end_is_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_KNOWLEDGE", "[" * 20_000)
    assert problem() == "environment variable CALIBRANT_KNOWLEDGE is not valid JSON"


def test_an_anchor_may_be_used_again() -> None:
    write("retrieval: {chunks: &most 7, documents: *most}\n")
    assert load_settings().retrieval.documents == 7


def test_a_named_file(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    other = tmp_path / "other.yaml"
    monkeypatch.setenv("CALIBRANT_CONFIG", str(other))
    assert str(other) in problem()
    other.write_text("branches: 5\n")
    assert load_settings().branches == 5


@pytest.mark.parametrize(
    ("variable", "meant"),
    [
        ("CALIBRANT_LIMITS_SECONDS", "CALIBRANT_LIMITS__SECONDS"),
        ("CALIBRANT_MODEL_TEMPERATURE", "CALIBRANT_MODEL__TEMPERATURE"),
        ("CALIBRANT_THRESHOLDS_PERCEIVE_PROCEED", "CALIBRANT_THRESHOLDS__PERCEIVE__PROCEED"),
    ],
)
def test_a_group_with_one_underscore_is_refused(monkeypatch: pytest.MonkeyPatch, variable: str, meant: str) -> None:
    monkeypatch.setenv(variable, "1")
    assert problem() == f"environment variable {variable} is no setting; did you mean {meant}?"


@pytest.mark.parametrize("url", ["http://user:hush@localhost:port/v1", "http://user:hush@[::1/v1", "me:hush@host"])
def test_a_password_in_an_address_is_not_shown(url: str) -> None:
    said = problem({"model": {"base_url": url}})
    assert "model.base_url = (hidden) is not allowed: expected an http:// or https:// URL" in said


def test_an_address_for_embeddings_takes_the_name_of_a_model() -> None:
    url = "http://localhost:11434/v1"
    with pytest.raises(ConfigurationError, match=r"expected the name of its model in `embeddings` too"):
        load_machine({"embeddings_base_url": url})
    assert load_machine({"embeddings_base_url": url, "embeddings": "nomic"}).embeddings_base_url == url


def test_a_model_of_the_environment_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_MODEL_NAME", "gpt-5")
    assert load_settings().model.name == "gpt-5"
    assert load_settings({"model": "none"}).model.name == ""


@pytest.mark.parametrize("url", ["notaurl", "ftp://x", "http://", "localhost:11434/v1", "http://local host/v1"])
def test_the_address_of_a_server_is_one_of_http(url: str) -> None:
    assert f"model.base_url = '{url}' is not allowed: expected an http:// or https:// URL" in problem(
        {"model": {"base_url": url}}
    )
    urls: dict[str, Any] = dict.fromkeys(("searxng_url", "chroma_url", "embeddings_base_url"), url)
    for name, value in {**urls, "base_urls": {"tavily": url}}.items():
        with pytest.raises(ConfigurationError, match="an http:// or https:// URL"):
            load_machine({name: value})


@pytest.mark.parametrize(
    ("entry", "line"),
    [
        ({}, "a command that starts the server, or the url of one"),
        ({"command": 5}, "a text as its command"),
        ({"command": "uvx", "args": "notes"}, "a list of texts as its args"),
        ({"url": "nowhere"}, "a url such as https://example.org/mcp"),
        ({"transport": "pigeon", "url": "https://x"}, "a transport of stdio, streamable_http, sse, websocket"),
        ({"transport": "stdio", "url": "https://x"}, "a command that starts the server, or the url of one"),
    ],
)
def test_an_mcp_server_that_leads_nowhere_is_refused_without_its_values(entry: dict[str, Any], line: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        load_machine({"mcp_servers": {"notes": {**entry, "env": {"TOKEN": "hush"}}}})
    assert str(caught.value) == f"argument: mcp_servers = (hidden) is not allowed: expected for notes {line}"


@pytest.mark.parametrize(
    ("entry", "connection"),
    [
        ({"command": "uvx", "tool": "search"}, {"transport": "stdio", "command": "uvx", "args": []}),
        ({"url": "http://h/mcp", "act": False}, {"transport": "streamable_http", "url": "http://h/mcp"}),
        ({"url": "http://h/mcp", "transport": "http"}, {"transport": "streamable_http", "url": "http://h/mcp"}),
        ({"url": "ws://h", "transport": "websocket"}, {"transport": "websocket", "url": "ws://h"}),
    ],
)
def test_a_connection_needs_no_transport(entry: dict[str, Any], connection: dict[str, Any]) -> None:
    assert connection_of(entry) == connection
    assert load_machine({"mcp_servers": {"notes": entry}}).mcp_servers == {"notes": entry}


@pytest.mark.parametrize("name", ["_env_file", "_secrets_dir", "_cli_parse_args", "self", "nonsense"])
def test_a_client_can_set_nothing_but_settings(name: str) -> None:
    with pytest.raises(ConfigurationError, match="unknown setting"):
        Settings(**{name: "/etc/passwd"})


def test_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    write("data_dir: ~/elsewhere\nbranches: 2\nsources: [web]\ncontact: https://example.org/me\n")
    monkeypatch.setenv("CALIBRANT_POSTGRES_URL", "postgresql://me:hush@db/x")
    machine = load_machine({"allow_download": False})
    assert machine.data_dir == Path.home() / "elsewhere"
    assert (machine.sources, machine.allow_download, machine.embeddings) == (("web",), False, "auto")
    assert machine.postgres == "postgresql://me:hush@db/x"
    assert machine.contact == "https://example.org/me"
    assert "hush" not in repr(machine) + str(machine) + machine.model_dump_json()


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({"wikipedia_language": "https://en"}, "the code of a language, such as en"),
        ({"wikipedia_language": "example.org/"}, "the code of a language, such as en"),
        ({"docs_domains": ["not a site"]}, "a site, such as docs.python.org/3"),
        ({"docs_domains": ["::"]}, "a site, such as docs.python.org/3"),
    ],
)
def test_what_would_make_no_address_is_refused(given: dict[str, Any], wanted: str) -> None:
    with pytest.raises(ConfigurationError, match=f"is not allowed: expected {wanted}"):
        load_machine(given)


def test_languages_and_sites_are_taken_as_they_are_written() -> None:
    sites = ("docs.python.org/3", "https://fastapi.tiangolo.com", "localhost:8000/docs")
    machine = load_machine({"wikipedia_language": "zh-yue", "docs_domains": sites})
    assert (machine.wikipedia_language, machine.docs_domains) == ("zh-yue", sites)


def test_no_limit_is_larger_than_what_a_checkpoint_holds() -> None:
    most = 2**63 - 1
    limits = load_settings({"limits": {"tokens": most}}).limits
    left = Ledger(limits=limits, spend=Spend()).left(closing=True)
    assert serde().loads_typed(serde().dumps_typed(left)) == left
    retrieval = [{"retrieval": {name: 10**20}} for name in ("rounds", "chunks", "documents", "per_source", "tokens")]
    for group in ({"limits": {"tokens": 10**26}}, {"uncertainty_weights": {"breaker_opened": 10**26}}, *retrieval):
        assert "expected a number less than or equal to" in problem(group)


def test_machine_errors() -> None:
    with pytest.raises(ConfigurationError, match=r"argument: unknown setting 'data_dri'; did you mean 'data_dir'"):
        load_machine({"data_dri": "x"})
    with pytest.raises(ConfigurationError, match=r"allow_download = 'perhaps'"):
        load_machine({"allow_download": "perhaps"})


@pytest.mark.parametrize(
    ("embeddings", "base_url", "path"),
    [("auto", "", None), ("none", "", None), ("/models/x", "", Path("/models/x")), ("e5", "http://x", None)],
)
def test_the_folder_of_the_embedding_model(embeddings: str, base_url: str, path: Path | None) -> None:
    assert Machine(embeddings=embeddings, embeddings_base_url=base_url).embeddings_path == path


def test_secrets_come_from_the_environment_and_hide(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_secrets().model_api_key is None
    monkeypatch.setenv("OPENAI_API_KEY", "sk-fallback")
    monkeypatch.setenv("TAVILY_API_KEY", "tvly-1")
    secrets = read_secrets()
    assert secrets.model_api_key is not None
    assert secrets.model_api_key.get_secret_value() == "sk-fallback"
    assert "sk-fallback" not in repr(secrets) + str(secrets) + secrets.model_dump_json()
    for name in ("CALIBRANT_API_KEY", "CALIBRANT_MODEL__API_KEY", "CALIBRANT_MODEL_API_KEY"):
        monkeypatch.setenv(name, name)
        held = read_secrets().model_api_key
        assert held is not None
        assert held.get_secret_value() == name
    assert "sk-" not in load_settings().model_dump_json()


class Plain(TypedDict, total=False):
    seen: dict[str, Any] | None


def compiled(schema: type[Settings] = Settings) -> Any:
    async def look(state: Plain, runtime: Runtime[Settings]) -> Plain:
        return {"seen": runtime.context.model_dump(mode="json") if runtime.context else None}

    builder = StateGraph(Plain, context_schema=schema)
    builder.add_node("look", look)
    builder.add_edge(START, "look")
    builder.add_edge("look", END)
    return builder.compile()


async def test_a_partial_context_merges_over_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    write("limits: {tokens: 7, seconds: 9}\n")
    monkeypatch.setenv("CALIBRANT_LIMITS__QUESTIONS", "1")
    given = {"interactive": False, "limits": {"seconds": 5}}
    seen = (await compiled().ainvoke({}, context=given))["seen"]
    assert seen["interactive"] is False
    assert {name: seen["limits"][name] for name in ("seconds", "tokens", "questions", "retrievals")} == {
        "seconds": 5.0, "tokens": 7, "questions": 1, "retrievals": 4,
    }  # fmt: skip


async def test_a_run_changes_only_what_it_names_of_what_the_graph_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    graph = compiled(settings_over(Settings(interactive=False, limits={"seconds": 5})))
    write("limits: {tokens: 7}\n")
    monkeypatch.setenv("CALIBRANT_INTERACTIVE", "true")
    layers.settings_file.cache_clear()
    seen = (await graph.ainvoke({}, context={"power": "2", "limits": {"questions": 1}}))["seen"]
    assert seen == Settings(
        interactive=False, power="2", limits={"seconds": 5, "questions": 1, "tokens": 200_000}
    ).model_dump(mode="json")
    with pytest.raises(ConfigurationError, match=r"the run's context: unknown setting 'limits.second'"):
        await graph.ainvoke({}, context={"limits": {"second": 5}})


def test_what_the_graph_was_given_changes_no_schema() -> None:
    given = compiled(settings_over(Settings(interactive=False)))
    assert given.get_context_jsonschema() == compiled().get_context_jsonschema()
    assert settings_over(None) is Settings


@pytest.mark.parametrize("build", [build_graph, build_retrieval_graph])
def test_a_graph_keeps_the_settings_that_it_was_built_with(
    monkeypatch: pytest.MonkeyPatch, build: Callable[..., Any]
) -> None:
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")
    schema = build(sources=[], context=Settings(interactive=False)).context_schema
    assert (schema(power="2").interactive, schema(power="2").power) == (False, Power.MEDIUM)


async def test_without_context_there_is_none() -> None:
    assert (await compiled().ainvoke({}))["seen"] is None


async def test_a_bad_context_fails_the_run_with_one_line() -> None:
    with pytest.raises(ConfigurationError, match=r"the run's context: unknown setting 'limits.second'"):
        await compiled().ainvoke({}, context={"limits": {"second": 5}})


def test_the_schema_for_studio_can_be_made() -> None:
    schema = compiled().get_context_jsonschema()
    assert set(schema["properties"]) == set(Context.model_fields)
    assert schema["properties"]["interactive"]["description"]
    json.dumps(schema)


def test_inside_an_event_loop_nothing_blocks() -> None:
    blockbuster = pytest.importorskip("blockbuster", reason="comes with langgraph-cli[inmem]")
    write("branches: 2\n")
    load_settings()

    async def inside() -> tuple[int, int]:
        with blockbuster.blockbuster_ctx():
            return Settings(power="2").branches, load_settings().branches

    assert asyncio.run(inside()) == (2, 2)


def test_reading_the_file_inside_an_event_loop_would_block() -> None:
    """What the test above stands on: without the held copy, the guard does object."""
    blockbuster = pytest.importorskip("blockbuster", reason="comes with langgraph-cli[inmem]")
    write("branches: 2\n")

    async def inside() -> None:
        with blockbuster.blockbuster_ctx(), pytest.raises(blockbuster.BlockingError):
            Settings()

    asyncio.run(inside())


def test_a_changed_file_is_seen_outside_an_event_loop() -> None:
    write("branches: 2\n")
    assert load_settings().branches == 2
    write("branches: 4\n")
    assert load_settings().branches == 4


def test_a_home_directory_that_is_not_known_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_DATA_DIR", "~nobody-of-this-name/data")
    with pytest.raises(ConfigurationError, match=r"variable CALIBRANT_DATA_DIR: data_dir = .*home directory"):
        load_machine()
    monkeypatch.setenv("CALIBRANT_CONFIG", "~nobody-of-this-name/calibrant.yaml")
    with pytest.raises(InputError, match=r"calibrant\.yaml names a home directory that is not known"):
        load_machine()
