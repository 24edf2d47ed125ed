"""``.env.example`` and ``calibrant.example.yaml`` load, with every line that is commented out switched on too."""

import re
from pathlib import Path

import pytest

from calibrant.graph.settings import Machine, Settings, load_machine, load_settings, read_secrets
from tests.docs.generate import ROOT
from tests.docs.pages import text_of

ASSIGNMENT = re.compile(r"^(?P<off># )?(?P<name>[A-Z][A-Z_]+)=(?P<value>\S*)$", re.MULTILINE)


def assignments(*, all_of_them: bool) -> dict[str, str]:
    """The variables of ``.env.example``: those that are set, or also those that are commented out."""
    found = ASSIGNMENT.finditer(text_of(".env.example"))
    return {match["name"]: match["value"] for match in found if all_of_them or not match["off"]}


@pytest.fixture(autouse=True)
def _no_settings_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize("all_of_them", [False, True])
def test_the_environment_file_loads(all_of_them: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name, value in assignments(all_of_them=all_of_them).items():
        monkeypatch.setenv(name, value)
    settings, machine, secrets = load_settings(), load_machine(), read_secrets()
    assert bool(settings.model.name) is all_of_them
    assert bool(machine.postgres) is all_of_them
    assert (secrets.model_api_key is not None) is all_of_them


def test_what_the_environment_file_sets_are_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    default = load_settings(), load_machine()
    for name, value in assignments(all_of_them=False).items():
        monkeypatch.setenv(name, value)
    assert (load_settings(), load_machine()) == default


def test_the_settings_file_loads_and_sets_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    default = load_settings(), load_machine()
    monkeypatch.setenv("CALIBRANT_CONFIG", str(ROOT / "calibrant.example.yaml"))
    assert (load_settings(), load_machine()) == default


def test_the_settings_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Or the test above would pass with any file."""
    changed = text_of("calibrant.example.yaml").replace("retrievals: 4", "retrievals: 2").replace("auto  ", "none  ")
    (tmp_path / "changed.yaml").write_text(changed.replace("power: none", "power: auto"), encoding="utf-8")
    monkeypatch.setenv("CALIBRANT_CONFIG", str(tmp_path / "changed.yaml"))
    settings: Settings = load_settings()
    machine: Machine = load_machine()
    assert (settings.limits.retrievals, machine.embeddings) == (2, "none")


def test_no_secret_is_in_the_examples() -> None:
    values = assignments(all_of_them=True)
    assert {values[name] for name in values if name.endswith("_KEY")} == {"your-key"}
