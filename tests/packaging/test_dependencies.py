"""What the code imports against what ``pyproject.toml`` declares, and the pins against the ranges."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from tests.packaging.test_packages import ROOMS

PIN = re.compile(r"^[A-Za-z0-9][A-Za-z0-9._-]*==[A-Za-z0-9.!]+$")


@pytest.fixture(scope="module")
def project(root: Path) -> dict[str, Any]:
    """``[project]``."""
    section: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    return section


@pytest.fixture(scope="module")
def pins(root: Path) -> dict[str, Version]:
    """``constraints.txt``: name -> version."""
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    pairs = [line.split("==") for line in lines if line and not line.startswith("#")]
    return {canonicalize_name(name): Version(version) for name, version in pairs}


def declared(requirements: list[str]) -> set[str]:
    """The names of the distributions."""
    return {canonicalize_name(Requirement(requirement).name) for requirement in requirements}


def imported(root: Path) -> dict[str, set[str]]:
    """Foreign top-level module -> the modules of ours that import it, lazily or not."""
    found: dict[str, set[str]] = {}
    for room in ROOMS:
        for path in (root / room).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text("utf-8"))):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    names = [node.module]
                for name in names:
                    top = name.partition(".")[0]
                    if top not in sys.stdlib_module_names and top != "calibrant":
                        found.setdefault(top, set()).add(str(path.relative_to(root)))
    return found


def test_everything_that_is_imported_is_declared(root: Path, project: dict[str, Any]) -> None:
    """What only comes along with something else may be gone tomorrow. (What measures and fits has extras.)"""
    named = declared(project["dependencies"]) | declared(project["optional-dependencies"]["postgres"])
    extras = project["optional-dependencies"]
    fitting = named | declared(extras["evals"]) | declared(extras["fit"])
    distributions = packages_distributions()
    missing = {
        f"{top} ({', '.join(sorted(users))})"
        for top, users in imported(root).items()
        if not {canonicalize_name(name) for name in distributions.get(top, [top])}
        & (fitting if all(user.startswith("evals/") for user in users) else named)
    }
    assert missing == set()


def test_every_pin_is_an_exact_version_and_nothing_else(root: Path) -> None:
    """No address, no path, no hash: it must work on every machine."""
    lines = (root / "constraints.txt").read_text("utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#") and not PIN.match(line)] == []


def test_every_dependency_is_pinned_within_its_range(project: dict[str, Any], pins: dict[str, Version]) -> None:
    """What is tested is what is allowed."""
    extras = [requirement for group in project["optional-dependencies"].values() for requirement in group]
    for text in [*project["dependencies"], *extras]:
        requirement = Requirement(text)
        name = canonicalize_name(requirement.name)
        if name != "calibrant":
            assert name in pins, f"{name} is not in constraints.txt"
            assert requirement.specifier.contains(pins[name]), f"{text}, but {pins[name]} is pinned"
