"""The layers of the house: that import-linter finds a planted violation, and what it cannot see."""

import ast
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.packaging.test_packages import ROOMS


@pytest.fixture
def copy(root: Path, tmp_path: Path) -> Path:
    """The sources once more, to plant something in."""
    shutil.copy(root / "pyproject.toml", tmp_path)
    (tmp_path / ".static" / "calibrant").mkdir(parents=True)
    for room in ROOMS:
        shutil.copytree(root / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__", "*.json", "*.npz"))
        (tmp_path / ".static" / "calibrant" / room).symlink_to(Path("../..") / room)
    return tmp_path


def lint(folder: Path) -> subprocess.CompletedProcess[str]:
    """import-linter, as ``make check`` runs it."""
    program = Path(sys.executable).with_name("lint-imports")
    return subprocess.run(
        [program, "--no-cache", "--no-logo"],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": ".static"},
        capture_output=True,
        text=True,
        timeout=120,
    )


@pytest.mark.parametrize(
    ("module", "planted", "contract"),
    [
        ("state/base.py", "import calibrant.graph.settings", "the rooms of the house"),
        ("judges/panel.py", "import calibrant.retrievers.fusion", "the rooms of the house"),
        ("nodes/work.py", "def lazily():\n    import calibrant.interfaces", "the rooms of the house"),
        ("state/base.py", "import random", "state is pure"),
        ("nodes/reading/steps.py", "import calibrant.nodes.judging.deciding", "what nodes share"),
        ("nodes/retrieval/rank.py", "import calibrant.nodes.perceive", "know nothing of the phases"),
        ("retrievers/fusion.py", "import rich", "only the interfaces"),
    ],
)
def test_a_planted_violation_is_found(copy: Path, module: str, planted: str, contract: str) -> None:
    """Each contract really runs."""
    target = copy / module
    target.write_text(f"{target.read_text('utf-8')}\n{planted}\n", "utf-8")
    done = lint(copy)
    assert done.returncode != 0
    broken = [line for line in done.stdout.splitlines() if line.endswith("BROKEN")]
    assert any(contract in line for line in broken), done.stdout


def modules(root: Path, *rooms: str) -> Iterator[tuple[Path, ast.Module]]:
    """The parsed modules of ``rooms``."""
    for room in rooms:
        for path in sorted((root / room).rglob("*.py")):
            yield path.relative_to(root), ast.parse(path.read_text("utf-8"))


def imported_at_import(tree: ast.Module) -> Iterator[str]:
    """What a module imports while it is itself imported: outside functions and ``if TYPE_CHECKING``."""
    waiting: list[ast.AST] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            yield from (node.module or "", *(f"{node.module}.{alias.name}" for alias in node.names))
        elif isinstance(node, ast.If) and "TYPE_CHECKING" in ast.unparse(node.test):
            waiting.extend(node.orelse)
        elif not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))


def test_interfaces_import_evals_only_lazily(root: Path) -> None:
    """A plain ``calibrant ask`` must not load the benchmarks."""
    eager = [
        f"{path}: {name}"
        for path, tree in modules(root, "interfaces")
        for name in imported_at_import(tree)
        if name == "calibrant.evals" or name.startswith("calibrant.evals.")
    ]
    assert eager == []


def test_state_calls_no_clock_and_no_file(root: Path) -> None:
    """What comes without an import: ``datetime.now()``, ``open()`` and the like."""
    impure = {"open", "print", "input", "now", "today", "utcnow", "exec", "eval"}
    calls = [
        f"{path}:{node.lineno} {ast.unparse(node.func)}"
        for path, tree in modules(root, "state")
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] in impure
    ]
    assert calls == []


def test_only_the_settings_read_the_environment(root: Path) -> None:
    """Explicit > environment > file > default is decided in one place. (Tools that fit judges are run by hand.)"""
    readers = {
        str(path)
        for path, tree in modules(root, *ROOMS)
        for node in ast.walk(tree)
        if isinstance(node, ast.Attribute) and ast.unparse(node) in {"os.environ", "os.getenv"}
    }
    assert {reader for reader in readers if not reader.startswith("evals/fitting/")} <= {
        "graph/layers.py",
        "graph/settings.py",
    }
