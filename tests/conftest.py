"""What holds for every test: no network but loopback, no settings from the machine, no telemetry."""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from calibrant.graph.layers import settings_file
from tests.offline import sitecustomize as offline

if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # Started in the background: what the tests start would inherit that Ctrl-C is ignored.
    signal.signal(signal.SIGINT, signal.default_int_handler)

ROOT = Path(__file__).resolve().parent.parent

FOREIGN = ("CALIBRANT_", "OPENAI_", "TAVILY_", "LANGSMITH_", "LANGCHAIN_", "GITHUB_TOKEN")
"""Beginnings of the variables that may change what is tested."""

OURS = "CALIBRANT_TEST_"
"""And of those that are meant for the tests."""

SILENT = {
    "ANONYMIZED_TELEMETRY": "False",
    "DO_NOT_TRACK": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_OFFLINE": "1",
    "LANGCHAIN_TRACING_V2": "false",
    "LANGGRAPH_CLI_NO_ANALYTICS": "1",
    "LANGSMITH_TRACING": "false",
}
"""Telemetry of the libraries, off."""


def _scrub() -> None:
    for name in [name for name in os.environ if name.startswith(FOREIGN) and not name.startswith(OURS)]:
        del os.environ[name]
    os.environ.update(SILENT)


_scrub()
offline.install()

settings.register_profile("calibrant", deadline=None, derandomize=True)
settings.load_profile("calibrant")


@pytest.fixture(scope="session", autouse=True)
def _children_stay_offline() -> Iterator[None]:
    """Interpreters that a test starts load the same switch. A fixture, since xdist's workers are no such children."""
    held = [path for path in os.environ.get("PYTHONPATH", "").split(os.pathsep) if path]
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", os.pathsep.join([str(ROOT / "tests" / "offline"), *held]))
        yield


@pytest.fixture(autouse=True)
def _forgets_the_settings_file() -> Iterator[None]:
    """One test's file is none of the next one's: it is read once for a process."""
    yield
    settings_file.cache_clear()


@pytest.fixture(autouse=True)
def _stays_offline() -> Iterator[None]:
    """Fails a test that tried to leave this machine, even where the code under test swallowed the error."""
    offline.attempts.clear()
    yield
    tried = list(offline.attempts)
    offline.attempts.clear()
    if tried:
        pytest.fail(f"left this machine: {', '.join(tried)}", pytrace=False)


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the repository."""
    return ROOT
