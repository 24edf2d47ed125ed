"""A response's body, bounded twice: as it comes over the wire, and as it unpacks."""

import zlib
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

ACCEPT_ENCODING = "gzip, deflate"
"""What we ask for. Both unpack in bounded steps with the standard library; anything else was not asked for."""


class BodyError(Exception):
    """A body that is refused; the message says why, in few words."""


class _Unpacker(Protocol):
    @property
    def unconsumed_tail(self) -> bytes: ...
    @property
    def eof(self) -> bool: ...

    def decompress(self, data: bytes, /, max_length: int = 0) -> bytes: ...


async def read_body(chunks: AsyncIterator[bytes], encodings: Sequence[str], wire: int, unpacked: int) -> bytes:
    """The body of raw ``chunks``, with at most ``wire`` bytes received and ``unpacked`` bytes kept. ``BodyError``."""
    unpack = unpacker(encodings, unpacked)
    body = bytearray()
    received = 0
    async for chunk in chunks:
        received += len(chunk)
        if received > wire:
            raise BodyError(f"larger than {wire} bytes")
        body += unpack(chunk)
        if len(body) > unpacked:
            raise BodyError(f"unpacks to more than {unpacked} bytes")
    if not unpack.complete:
        raise BodyError("broken compression")
    return bytes(body)


class unpacker:  # noqa: N801 - used as a function that remembers
    """Unpacks chunk by chunk, never much more than ``limit`` bytes at once."""

    def __init__(self, encodings: Sequence[str], limit: int) -> None:
        names = [name.strip().lower() for name in encodings if name.strip().lower() not in ("", "identity")]
        # A second layer of compression has no honest use and would multiply what a bomb gains.
        if len(names) > 1 or any(name not in ("gzip", "x-gzip", "deflate") for name in names):
            raise BodyError(f"packed in a way that was not asked for ({', '.join(names)[:40]})")
        self._name = names[0] if names else ""
        self._limit = limit
        self._stream: _Unpacker | None = None

    @property
    def complete(self) -> bool:
        """Whether what came in ended where a packed stream ends."""
        return self._stream is None or self._stream.eof

    def __call__(self, chunk: bytes) -> bytes:
        if not self._name or not chunk:
            return chunk
        if self._stream is None:
            self._stream = zlib.decompressobj(_window(self._name, chunk))
        if self._stream.eof:  # what follows the end of the stream is not part of the body
            return b""
        try:
            return self._stream.decompress(self._stream.unconsumed_tail + chunk, self._limit + 1)
        except zlib.error as error:
            raise BodyError("broken compression") from error


def _window(name: str, first: bytes) -> int:
    """zlib's parameter. ``deflate`` means zlib's format, but some services send it without its header."""
    if name != "deflate":
        return zlib.MAX_WBITS | 16
    return zlib.MAX_WBITS if first[0] & 0x0F == 8 else -zlib.MAX_WBITS


def text_of(body: bytes, charset: str | None) -> str:
    """``body`` as text. A charset that is unknown, or no text encoding at all, is read as UTF-8."""
    try:
        return body.decode(charset or "utf-8", "replace")
    except (LookupError, ValueError):  # "idna", "hex" and their like refuse in their own ways
        return body.decode("utf-8", "replace")
