"""A loopback server and an HTTP client for each test that asks for them."""

from collections.abc import AsyncIterator, Iterator

import pytest
import pytest_asyncio

from calibrant.retrievers.http import Http
from calibrant.retrievers.limits import Limits
from tests.remote.server import Server


@pytest.fixture
def server() -> Iterator[Server]:
    with Server() as running:
        yield running


@pytest_asyncio.fixture
async def http() -> AsyncIterator[Http]:
    """Without rate limits: those have tests of their own."""
    limits = Limits(default=())
    async with Http(limits) as client:
        yield client
    limits.close()
