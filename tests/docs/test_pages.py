"""What the documents name exists: commands and options, files, links, functions, settings."""

import ast
import json
import os
import re
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from calibrant.graph.settings import _SECRET_NAMES as SECRETS
from calibrant.graph.settings import _SHORT_NAMES as SHORT
from calibrant.graph.settings import Machine
from calibrant.interfaces.cli import cli
from calibrant.state.context import Context
from tests.docs.generate import ROOT, fields, variable_of
from tests.docs.pages import PAGES, commands, links, path_of, prose, spans, text_of

ROOMS = ("state", "judges", "retrievers", "memory", "nodes", "graph", "evals", "interfaces", "tests", "docs")
NAMED = re.compile(r"((?:`\w+`(?:, | and )?)+)(?:, | )?\(?`([\w/]+\.py)`")
"""Names followed by the file where they stand."""
MACHINE_PATHS = ("/root/", "/work/", "/tmp/", "/home/", "/Users/", "C:\\")
OTHER_VARIABLES = {"CALIBRANT_CONFIG", "CALIBRANT_DEBUG"}
TEXTS = (*PAGES, ".env.example", "calibrant.example.yaml")


def known_variables() -> set[str]:
    """Every environment variable that means something to us."""
    settings = {variable_of(name) for schema in (Context, Machine) for name, _, _ in fields(schema)}
    secrets = {variable for variables in SECRETS.values() for variable in variables}
    return settings | secrets | set(SHORT) | OTHER_VARIABLES


def subcommands(words: list[str]) -> tuple[click.Command, list[str]]:
    """The command that ``words`` call, and what is left of them."""
    rest, command = words[1:], None
    while rest and rest[0].startswith("-"):
        rest = rest[1:]
    if rest:
        command = cli.commands.get(rest[0])
        assert command is not None, f"there is no command {rest[0]!r}"
    return command or cli, rest[1:]


@pytest.mark.parametrize("page", PAGES)
def test_the_commands_and_their_options_exist(page: str) -> None:
    for words in commands(page):
        if words[0] == "calibrant" and words[1] != "...":
            command, rest = subcommands(words)
            known = {name for one in command.params for name in (*one.opts, *one.secondary_opts)}
            used = {word for word in rest if re.fullmatch(r"-\w|--[\w-]+", word)}
            assert used <= known, f"{' '.join(words)}: {used - known}"


@pytest.mark.parametrize("page", PAGES)
def test_the_targets_of_make_exist(page: str) -> None:
    targets = set(re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))
    for words in commands(page):
        assert words[0] != "make" or words[1] in targets


@pytest.mark.parametrize("page", PAGES)
def test_the_modules_that_are_run_exist(page: str) -> None:
    for module in re.findall(r"python -m ([\w.]+)", text_of(page)):
        own = path_of(module.removeprefix("calibrant.").replace(".", "/"))
        assert module == "pip" or own.with_suffix(".py").is_file() or own.is_dir(), module


@pytest.mark.parametrize("page", PAGES)
def test_links_lead_somewhere(page: str) -> None:
    for target in links(page):
        file, _, place = target.partition("#")
        linked = os.path.normpath(Path(page).parent / file) if file else page
        assert path_of(linked).exists(), target
        if place:
            headings = re.findall(r"^#+ (.+)$", text_of(linked), re.MULTILINE)
            assert place in {re.sub(r"[^\w -]", "", heading).lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES)
def test_the_paths_named_exist(page: str) -> None:
    for span in spans(page):
        if span.partition("/")[0] in ROOMS and "/" in span and " " not in span:
            assert path_of(span).exists(), span


def named() -> Iterator[tuple[str, str]]:
    """Each name in ARCHITECTURE.md with the file that it is said to stand in."""
    for names, file in NAMED.findall(prose("ARCHITECTURE.md")):
        for name in re.findall(r"\w+", names.replace(" and ", " ")):
            yield name, file


@pytest.mark.parametrize(("name", "file"), sorted(set(named())))
def test_a_name_stands_in_its_file(name: str, file: str) -> None:
    tree = ast.parse(path_of(file).read_text("utf-8"))
    held = {node.name for node in tree.body if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef)}
    assert name in held


def test_architecture_names_enough_to_be_followed() -> None:
    assert len(set(named())) > 40


@pytest.mark.parametrize("page", TEXTS)
def test_the_variables_named_are_settings(page: str) -> None:
    assert set(re.findall(r"\bCALIBRANT_[A-Z_]+\b", text_of(page))) <= known_variables()


def test_every_variable_is_named_where_the_settings_are() -> None:
    assert known_variables() <= set(re.findall(r"\b[A-Z][A-Z_]+\b", text_of("docs/configuration.md")))


@pytest.mark.parametrize("page", TEXTS)
def test_nothing_of_this_machine_is_in_the_documents(page: str) -> None:
    text = text_of(page)
    assert not [path for path in MACHINE_PATHS if path in text]
    assert str(ROOT) not in text


def test_the_graphs_named_are_those_of_the_server() -> None:
    graphs = json.loads((ROOT / "langgraph.json").read_text("utf-8"))["graphs"]
    assert "retrieve_information" in graphs
    assert len(graphs) == 2  # "both graphs"
