"""Opening the app: what is loaded before a run must not keep anybody from opening it."""

from pathlib import Path

import pytest

from calibrant.graph.app import open_app
from calibrant.graph.settings import Machine, Secrets, Settings
from calibrant.interfaces.commands.opening import Prepared
from calibrant.state.context import ModelSettings
from calibrant.state.errors import ConfigurationError

WITHOUT_KEY = Settings(model=ModelSettings(name="some-model"))


async def test_a_model_that_cannot_be_opened_is_told_by_the_run(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path, embeddings="none", allow_download=False)
    async with open_app(settings=WITHOUT_KEY, machine=machine, secrets=Secrets()) as app:
        with pytest.raises(ConfigurationError, match="CALIBRANT_MODEL_API_KEY"):
            await app.deps.panel(app.context)


def test_looking_at_threads_loads_no_model() -> None:
    having = Prepared(WITHOUT_KEY, Machine(embeddings="auto"), Secrets()).for_reading
    assert not having.settings.model.name
    assert having.machine.embeddings == "none"
