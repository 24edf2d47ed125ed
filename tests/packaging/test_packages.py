"""The package list in ``pyproject.toml`` against the tree, and the links that type checkers read."""

import tomllib
from pathlib import Path
from typing import Any

import pytest

ROOMS = ("state", "judges", "retrievers", "memory", "nodes", "graph", "evals", "interfaces")
OF_DATA = {"calibrant.evals.small", "calibrant.judges.model.prompts"}
"""Folders without a module: setuptools wants those listed too."""


@pytest.fixture(scope="module")
def setuptools_section(root: Path) -> dict[str, Any]:
    """``[tool.setuptools]``."""
    section: dict[str, Any] = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["tool"]["setuptools"]
    return section


def packages_in(root: Path) -> set[str]:
    """Every folder of the eight rooms that is a package, by its import name."""
    found = {init.parent for room in ROOMS for init in (root / room).rglob("__init__.py")}
    return {".".join(["calibrant", *folder.relative_to(root).parts]) for folder in found}


def folder_of(package: str, mapping: dict[str, str]) -> str:
    """Where setuptools looks for ``package``: its own entry, or below the nearest parent's."""
    name, below = package, ""
    while name not in mapping:
        name, _, last = name.rpartition(".")
        below = f"/{last}{below}"
    return mapping[name] + below


def test_every_package_of_the_tree_is_listed(root: Path, setuptools_section: dict[str, Any]) -> None:
    """One that is missing would be missing in the wheel, and nowhere else."""
    listed = setuptools_section["packages"]
    assert set(listed) == packages_in(root) | OF_DATA
    assert len(listed) == len(set(listed))


def test_every_room_is_mapped_and_nothing_else(setuptools_section: dict[str, Any]) -> None:
    """``calibrant.graph`` is the folder ``graph``."""
    assert setuptools_section["package-dir"] == {f"calibrant.{room}": room for room in ROOMS}


def test_every_listed_package_is_where_it_is_looked_for(root: Path, setuptools_section: dict[str, Any]) -> None:
    """Subpackages follow their room's entry."""
    mapping = setuptools_section["package-dir"]
    for package in {*setuptools_section["packages"]} - OF_DATA:
        assert (root / folder_of(package, mapping) / "__init__.py").is_file(), package
    for package in OF_DATA:
        assert any((root / folder_of(package, mapping)).iterdir()), package


def test_every_folder_with_modules_is_a_package(root: Path) -> None:
    """A folder without ``__init__.py`` works in the checkout only."""
    modules = {path.parent for room in ROOMS for path in (root / room).rglob("*.py")}
    assert [str(folder) for folder in modules if not (folder / "__init__.py").is_file()] == []


def test_every_room_is_typed(root: Path) -> None:
    """``calibrant`` is a namespace: each room needs a marker of its own (PEP 561)."""
    assert [room for room in ROOMS if not (root / room / "py.typed").is_file()] == []


def test_static_links_point_to_the_rooms(root: Path) -> None:
    """One relative link for each room, and nothing else."""
    links = root / ".static" / "calibrant"
    assert {link.name for link in links.iterdir() if not link.name.startswith((".", "__"))} == set(ROOMS)
    for room in ROOMS:
        link = links / room
        assert link.is_symlink()
        assert not link.readlink().is_absolute()
        assert link.resolve() == (root / room).resolve()
