"""The switch that keeps tests off the network."""

import contextlib
import os
import socket
import subprocess
import sys

import pytest

from tests.offline import sitecustomize as offline


@pytest.mark.parametrize("host", ["192.0.2.1", "2001:db8::1", "example.org", b"example.org", "10.0.0.1"])
def test_other_machines_are_not_local(host: object) -> None:
    """Addresses and names of other machines."""
    assert not offline.is_local(host)


@pytest.mark.parametrize("host", [None, "", "localhost", b"localhost", "127.0.0.1", "127.8.8.8", "::1", "[::1]",
                                  "::ffff:127.0.0.1", "api.localhost"])  # fmt: skip
def test_this_machine_is_local(host: object) -> None:
    """Loopback in every spelling."""
    assert offline.is_local(host)


def test_connecting_elsewhere_is_refused_with_a_clear_error() -> None:
    """The error says what was tried; it is no OSError, which a source would report as an outage."""
    with socket.socket() as client, pytest.raises(offline.NetworkBlocked, match=r"off in tests.*192\.0\.2\.1"):
        client.connect(("192.0.2.1", 80))
    assert offline.attempts == ["socket.connect 192.0.2.1"]
    offline.attempts.clear()


def test_resolving_elsewhere_is_refused() -> None:
    """A look-up is a network call too."""
    with pytest.raises(offline.NetworkBlocked):
        socket.getaddrinfo("example.org", 443)
    offline.attempts.clear()


def test_a_swallowed_attempt_is_remembered() -> None:
    """What the autouse fixture reads: the code under test may catch everything."""
    with contextlib.suppress(Exception):
        socket.create_connection(("192.0.2.1", 80), timeout=0.1)
    assert offline.attempts
    offline.attempts.clear()


def test_loopback_works() -> None:
    """Tests talk to servers of their own."""
    with socket.create_server(("127.0.0.1", 0)) as server, socket.create_connection(server.getsockname()):
        pass


def test_a_child_interpreter_is_offline_too() -> None:
    """Through PYTHONPATH, which the test session sets."""
    code = "import socket; socket.socket().connect(('192.0.2.1', 80))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.returncode != 0
    assert "NetworkBlocked" in done.stderr


def test_settings_of_the_machine_are_gone() -> None:
    """No key or setting of whoever runs the tests changes what they see."""
    assert not [name for name in os.environ if name.startswith(("CALIBRANT_", "OPENAI_", "TAVILY_"))]
    assert os.environ["LANGSMITH_TRACING"] == "false"
