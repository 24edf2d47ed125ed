"""What the tests of the command line and of the graph have, and few bootstrap rounds."""

import pytest

from calibrant.evals import metrics
from tests.cli.conftest import machine, run
from tests.evals.conftest import _no_datasets
from tests.graph.conftest import data_dir

__all__ = ["_no_datasets", "data_dir", "machine", "run"]


@pytest.fixture(autouse=True)
def _few_rounds(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metrics, "ROUNDS", 100)
