"""Which addresses are public, and which spellings of an address are taken at all."""

import ipaddress

import pytest

from calibrant.retrievers.address import PageRefused, checked_addresses, is_public, resolve, target_of
from calibrant.state.errors import SourceError

# ruff: noqa: SIM905 - tables of one address after the other read better so
PRIVATE = """
0.0.0.0 10.0.0.1 10.255.255.255 100.64.0.1 100.127.255.255 100.100.100.200 127.0.0.1 127.255.255.254 169.254.169.254
172.16.0.1 172.31.255.255 192.0.0.1 192.0.0.192 192.0.2.1 192.88.99.1 192.168.0.1 198.18.0.1 198.19.255.255
198.51.100.7 203.0.113.9 224.0.0.1 239.255.255.250 240.0.0.1 255.255.255.255 168.63.129.16
:: ::1 ::ffff:127.0.0.1 ::ffff:10.0.0.1 ::ffff:7f00:1 ::127.0.0.1 ::ffff:0:127.0.0.1 64:ff9b::127.0.0.1
64:ff9b::a9fe:a9fe 64:ff9b:1::1 100::1 2001::1 2001:0:4136:e378:8000:63bf:3fff:fdd2 2001:db8::1 2001:10::1 2001:20::1
2002:7f00:1:: 2002:a00:1:: 2002:808:808:: 3fff::1 fc00::1 fd00:ec2::254 fe80::1 fe80::1%eth0 fec0::1 ff02::1 5f00::1
4000::1
""".split()
PUBLIC = """
1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 100.63.255.255 100.128.0.0 128.0.0.1 172.15.255.255 172.32.0.0 192.167.255.255
192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255 168.63.129.17 2606:4700:4700::1111 2a00:1450:4001:810::200e
2001:4860:4860::8888 ::ffff:8.8.8.8 64:ff9b::8.8.8.8
""".split()


@pytest.mark.parametrize("address", PRIVATE)
def test_not_public(address: str) -> None:
    assert not is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize("address", PUBLIC)
def test_public(address: str) -> None:
    assert is_public(ipaddress.ip_address(address))


@pytest.mark.parametrize(
    "url",
    """
    http://2130706433/ http://0x7f000001/ http://0x7f.1/ http://0177.0.0.1/ http://017700000001/ http://127.1/
    http://127.0.1/ http://127.0.0.1./ http://0/ http://0x/ http://127.0.0.0x1/ http://1.2.3.4.5/ http://300.1.1.1/
    http://user@example.org/ http://user:pass@example.org/ http://example.org@127.0.0.1/ http://127.0.0.1:80@example.org/
    http://example.org\\@127.0.0.1/ http://[fe80::1%25eth0]/ http://１２７.0.0.1/ http://①②⑦.0.0.1/ http://127。0。0。1./
    ftp://example.org/ file:///etc/passwd gopher://example.org/ javascript:alert(1) data:text/html,x //example.org/x
    example.org http:// http:///x http://[::1 http://example.org:99999/ http://example.org:22/ http://example.org:0x50/
    http://example.org:25/ http://a%00b/ jar:http://example.org!/ HTTP:example.org
    """.split(),
)
def test_spellings_that_are_refused(url: str) -> None:
    with pytest.raises(PageRefused):
        target_of(url)


def test_an_endless_address_is_refused() -> None:
    with pytest.raises(PageRefused):
        target_of("http://example.org/" + "a" * 3_000)


@pytest.mark.parametrize(
    ("url", "host", "port"),
    [
        ("https://example.org/a?b=c#d", "example.org", 443),
        ("HTTP://EXAMPLE.org", "example.org", 80),
        ("http://example.org:8080/", "example.org", 8080),
        ("http://bücher.example/", "xn--bcher-kva.example", 80),
        ("http://[2606:4700:4700::1111]/", "2606:4700:4700::1111", 80),
        ("http://8.8.8.8/", "8.8.8.8", 80),
        ("http://4chan2.example/", "4chan2.example", 80),
    ],
)
def test_spellings_that_are_taken(url: str, host: str, port: int) -> None:
    target = target_of(url)
    assert (target.host, target.port) == (host, port)
    assert target.url.fragment == ""


async def test_one_private_answer_spoils_the_name() -> None:
    async def two(host: str, port: int) -> list[str]:
        return ["8.8.8.8", "10.0.0.1"]

    with pytest.raises(PageRefused, match=r"^example\.org is not a public address$"):
        await checked_addresses(target_of("http://example.org/"), two, is_public)


@pytest.mark.parametrize("answer", [OSError("no such name"), UnicodeError("label too long"), [], ["nonsense"]])
async def test_a_name_that_leads_nowhere(answer: Exception | list[str]) -> None:
    async def resolver(host: str, port: int) -> list[str]:
        if isinstance(answer, Exception):
            raise answer
        return answer

    with pytest.raises(SourceError, match=r"^example\.org cannot be resolved$"):
        await checked_addresses(target_of("http://example.org/"), resolver, is_public)


async def test_localhost_by_name_is_refused() -> None:
    for url in ("http://localhost/", "http://127.0.0.1/", "http://[::1]/"):
        with pytest.raises(PageRefused, match="is not a public address"):
            await checked_addresses(target_of(url), resolve, is_public)
