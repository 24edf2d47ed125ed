"""The wheel as a user gets it: built, installed into an empty environment, imported, asked one question."""

import json
import shutil
import subprocess
import sys
import sysconfig
import venv
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from tests.packaging.test_packages import ROOMS, packages_in

HERE = Path(__file__).parent
PIP = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]


@dataclass(frozen=True)
class Installed:
    """An empty environment with the wheel in it, and the dependencies of the running one within reach."""

    folder: Path
    home: Path

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.folder / "bin" / "python"

    def run(self, script: str, env: Mapping[str, str]) -> dict[str, Any]:
        """What ``script`` prints. ``-I``: neither the checkout nor the user's site is seen."""
        code = f"import sys, runpy; sys.path.append({str(HERE)!r}); runpy.run_path({str(HERE / script)!r})"
        done = subprocess.run(
            [self.python, "-I", "-B", "-c", code],
            env=dict(env),
            cwd=self.home,
            capture_output=True,
            text=True,
            timeout=240,
        )
        assert done.returncode == 0, done.stderr
        printed: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return printed


@pytest.fixture(scope="module")
def wheel(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel, built from a copy: what an earlier build left behind must not get into it."""
    copy = tmp_path_factory.mktemp("source")
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(root / name, copy)
    for room in ROOMS:
        shutil.copytree(root / room, copy / room, ignore=shutil.ignore_patterns("__pycache__"))
    out = tmp_path_factory.mktemp("wheel")
    build = [*PIP, "wheel", "--no-deps", "--no-build-isolation", "--no-index", "--wheel-dir", str(out), str(copy)]
    subprocess.run(build, check=True, timeout=300)
    (built,) = out.glob("calibrant-*.whl")
    return built


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """The empty environment. Dependencies come by a path entry, since installing them anew takes minutes; ``calibrant``
    itself comes from the wheel: the editable install's hook is not run from a path entry."""
    folder = tmp_path_factory.mktemp("empty")
    venv.create(folder, with_pip=False, symlinks=True)
    install = [*PIP, "--python", str(folder / "bin" / "python"), "install", "--no-deps", "--no-index", str(wheel)]
    subprocess.run(install, check=True, timeout=300)
    (site,) = folder.glob("lib/python3.*/site-packages")
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n", "utf-8")
    return Installed(folder, tmp_path_factory.mktemp("home"))


def test_the_wheel_holds_every_package(root: Path, wheel: Path) -> None:
    """Every module of every package, and no test."""
    names = zipfile.ZipFile(wheel).namelist()
    held = {name for name in names if name.endswith(".py")}
    folders = [root.joinpath(*package.split(".")[1:]) for package in packages_in(root)]
    modules = {f"calibrant/{path.relative_to(root)}" for folder in folders for path in folder.glob("*.py")}
    assert held == modules
    assert not [name for name in names if not name.startswith(("calibrant/", "calibrant-"))]


def test_the_wheel_holds_every_data_file(root: Path, wheel: Path) -> None:
    """Fitted weights, prompts, type markers: whatever stands beside the modules."""
    names = set(zipfile.ZipFile(wheel).namelist())
    data = {
        f"calibrant/{path.relative_to(root)}"
        for room in ROOMS
        for path in (root / room).rglob("*")
        if path.is_file() and path.suffix not in {".py", ".pyc"} and not path.name.startswith(".")
    }
    assert data - names == set()
    assert {f"calibrant/{room}/py.typed" for room in ROOMS} <= names
    assert "calibrant/judges/fitted.json" in names
    assert [name for name in names if name.startswith("calibrant/judges/model/prompts/") and name.endswith(".md")]


def test_importing_the_graph_opens_nothing(installed: Installed) -> None:
    """With no environment at all: no file written, no network, no process, and nothing heavy loaded."""
    done = installed.run("installed_import.py", env={})
    assert Path(done["file"]).is_relative_to(installed.folder)
    assert done["opened"] == []
    assert done["heavy"] == []
    assert done["opened_by_names"] == []
    assert done["heavy_by_names"] == []
    assert done["names"] == ["calibrant.graph.build", "calibrant.graph.settings", "calibrant.graph.app"]


def test_importing_every_module_opens_nothing(installed: Installed) -> None:
    """None of them works at import, and none needs what only the checkout has; but fitting an adapter needs PyTorch."""
    done = installed.run("installed_modules.py", env={})
    without_torch = dict.fromkeys(
        (f"calibrant.evals.fitting.{module}" for module in ("bert", "inference", "reader", "training")),
        "ModuleNotFoundError(\"No module named 'torch'\")",
    )
    assert done["failed"] == ({} if find_spec("torch") else without_torch)
    assert done["opened"] == []
    assert done["count"] > 50


@pytest.fixture(scope="module")
def asked(installed: Installed) -> dict[str, Any]:
    """Two questions through the installed package, without a model, an embedder or a key."""
    return installed.run("installed_question.py", {"HOME": str(installed.home), "CALIBRANT_EMBEDDINGS": "none"})


def test_one_question_through_the_installed_package(asked: dict[str, Any]) -> None:
    """Answered from the evidence with a citation; what the evidence does not say is not answered."""
    answered, unknown = asked["answers"]
    assert "7341" in answered["answer"]
    assert answered["stop_reason"] == "answered"
    assert answered["citations"][0] == "server"
    assert answered["model_calls"] == 0
    assert answered["confidence"] > unknown["confidence"]
    assert unknown["stop_reason"] == "abstained"
    assert unknown["citations"] == []


def test_one_question_leaves_nothing_behind(installed: Installed, asked: dict[str, Any]) -> None:
    """Without a checkpointer and a store, an embedded run writes nothing."""
    assert asked["opened"] == []
    assert list(installed.home.iterdir()) == []


def test_the_command_is_installed(installed: Installed) -> None:
    """``calibrant --help`` says what it can do."""
    done = subprocess.run(
        [installed.folder / "bin" / "calibrant", "--help"],
        env={"HOME": str(installed.home)},
        cwd=installed.home,
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    assert "ask" in done.stdout
