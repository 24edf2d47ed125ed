"""What the tests of the LLM tier share: passages, a generous allowance, a port to a loopback endpoint."""

from collections.abc import Callable

import pytest
from pydantic import SecretStr

from calibrant.judges.model import ModelPort, open_port
from calibrant.state.budget import Allowance
from calibrant.state.context import ModelSettings
from calibrant.state.evidence import Evidence
from tests.wire.openai_server import OpenAIServer

KEY = "sk-test-4f9a7c1e2b8d"

PortTo = Callable[..., ModelPort]


@pytest.fixture
def allowance() -> Allowance:
    return Allowance(model_calls=10, sequential_calls=10, chain=2, tokens=50_000, dollars=1.0, seconds=20.0)


@pytest.fixture
def evidence() -> tuple[Evidence, ...]:
    texts = {
        "e-lock": "SQLite locks the whole database file during a write. In WAL mode, readers do not block the writer. "
        "The default busy timeout is 0 ms, so a second writer fails at once.",
        "e-wal": "WAL mode was added in SQLite 3.7.0, released in 2010. It needs shared memory, so all processes must "
        "run on the same host.",
        "e-tea": "Green tea is best brewed at 80 degrees for two minutes.",
    }
    return tuple(
        Evidence(
            id=eid, text=text, title=f"Title {eid}", source="knowledge", url=f"file:///docs/{eid}.md", relevance=0.5
        )
        for eid, text in texts.items()
    )


@pytest.fixture
def port_to() -> PortTo:
    """A port to a server, over the real client."""

    def make(server: OpenAIServer, **settings: object) -> ModelPort:
        chosen = ModelSettings.model_validate({"name": "test-model", "base_url": server.base_url, **settings})
        return open_port(chosen, SecretStr(KEY))

    return make
