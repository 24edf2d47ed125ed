"""Which addresses may be fetched: http(s) URLs whose name leads to the public internet and nowhere else."""

import asyncio
import ipaddress
import re
import socket
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from typing import NamedTuple

import httpx

from calibrant.state.errors import SourceError

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address
Allow = Callable[[IPAddress], bool]
Resolver = Callable[[str, int], Awaitable[Sequence[str]]]
"""The addresses of a name, as text."""

MAX_URL = 2_000

_NOT_PUBLIC = tuple(
    ipaddress.ip_network(block)
    for block in (
        "0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12", "192.0.0.0/24",
        "192.0.2.0/24", "192.88.99.0/24", "192.168.0.0/16", "198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24",
        "224.0.0.0/4", "240.0.0.0/4",
        "168.63.129.16/32",  # public by number, but inside Azure it is the host's own service
        "2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20",
    )
)  # fmt: skip
"""IANA's special-purpose registries, spelled out: what ``is_global`` says differs between Python versions. Teredo and
6to4 are among them, since they carry an IPv4 address that a relay would reach in our place."""

_UNICAST6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
_NUMBER = re.compile(r"(?:^|\.)(?:\d+|0x[0-9a-f]*)\.?$", re.IGNORECASE)
"""A host that ends in a number is an IPv4 address to some resolvers: 127.1, 0177.0.0.1, 0x7f000001, 2130706433."""


class PageRefused(SourceError):
    """A page that is not read, for safety's or its owner's sake."""


class Target(NamedTuple):
    """A URL that may be asked for, as far as its spelling goes."""

    url: httpx.URL
    host: str
    port: int


def is_public(address: IPAddress) -> bool:
    """Whether ``address`` is on the public internet, and so is every address that hides in it."""
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is not None:
            return is_public(address.ipv4_mapped)
        if address in _NAT64:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        # Everything else that is special (loopback, link-local, unique local, multicast) lies outside 2000::/3.
        if address not in _UNICAST6:
            return False
    return not any(address in block for block in _NOT_PUBLIC if block.version == address.version)


def target_of(url: str) -> Target:
    """``url`` taken apart. ``PageRefused`` for anything but a plain http(s) address."""
    try:
        parsed = httpx.URL(url.strip())
    except (httpx.InvalidURL, ValueError, TypeError) as error:
        raise PageRefused("not a valid address") from error
    host = parsed.raw_host.decode("ascii", "replace")
    if parsed.scheme not in ("http", "https"):
        raise PageRefused("only http and https are read")
    if not host or "%" in host or len(url) > MAX_URL:
        raise PageRefused("not a valid address")
    if parsed.userinfo:
        raise PageRefused("addresses with a user name are not read")
    if _NUMBER.search(host) and not _plain_number(host):
        raise PageRefused("an address in numbers has to be written plainly")
    port = parsed.port or (443 if parsed.scheme == "https" else 80)
    if port > 65_535 or (port < 1024 and port not in (80, 443)):
        raise PageRefused(f"port {port} is not for pages")
    return Target(parsed.copy_with(fragment=None), host, port)


async def checked_addresses(target: Target, resolve: Resolver, allow: Allow) -> list[str]:
    """The addresses of the target's host. One that is not allowed spoils them all: honest names have none."""
    try:
        found = [ipaddress.ip_address(text) for text in await resolve(target.host, target.port)]
    except (OSError, ValueError) as error:  # a UnicodeError from the IDNA codec is a ValueError
        raise SourceError(f"{target.host} cannot be resolved") from error
    if not found:
        raise SourceError(f"{target.host} cannot be resolved")
    if not all(allow(address) for address in found):
        raise PageRefused(f"{target.host} is not a public address")
    return [str(address) for address in dict.fromkeys(found)]


async def resolve(host: str, port: int) -> list[str]:
    """The system's answer. In threads of its own: a name server that hangs keeps nobody else waiting."""
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(_threads(), lambda: socket.getaddrinfo(host, port, type=socket.SOCK_STREAM))
    return [str(entry[4][0]) for entry in found]


@cache
def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=8, thread_name_prefix="calibrant-dns")


def _plain_number(host: str) -> bool:
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return False
    return True
