"""The server and the client of the tests of remote access."""

from tests.remote.conftest import http, server

__all__ = ["http", "server"]
