"""A response's body, bounded twice: as it comes over the wire, and as it unpacks."""

import zlib
from collections.abc import AsyncIterator, Sequence
from typing import Protocol

ACCEPT_ENCODING = "gzip, deflate"
"""What we ask for. Both unpack in bounded steps with the standard library; anything else was not asked for."""
MAX_MEMBERS = 1000
"""Of a gzip body: each costs time, however little is in it."""
_GZIP = b"\x1f\x8b"
"""How each member of a gzip body begins."""


class BodyError(Exception):
    """A body that is refused; the message says why, in few words."""


class _Unpacker(Protocol):
    @property
    def unconsumed_tail(self) -> bytes: ...
    @property
    def unused_data(self) -> bytes: ...
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
        self._members = 0
        self._packed = b""

    @property
    def complete(self) -> bool:
        """Whether what came in ended where a packed stream ends."""
        return self._stream is None or self._stream.eof

    def __call__(self, chunk: bytes) -> bytes:
        if not self._name or not chunk:
            return chunk
        self._packed += chunk
        body = bytearray()
        while self._packed and len(body) <= self._limit and (stream := self._open_stream()):
            try:
                body += stream.decompress(self._packed, self._limit + 1 - len(body))
            except zlib.error as error:
                raise BodyError("broken compression") from error
            self._packed = stream.unused_data or stream.unconsumed_tail
        return bytes(body)

    def _open_stream(self) -> _Unpacker | None:
        """The stream that what is at hand belongs to; None for what follows the end, which is no part of the body."""
        if self._stream is None or (self._stream.eof and self._name != "deflate" and self._packed.startswith(_GZIP)):
            self._members += 1
            if self._members > MAX_MEMBERS:
                raise BodyError(f"packed in more than {MAX_MEMBERS} parts")
            self._stream = zlib.decompressobj(_window(self._name, self._packed))
        elif self._stream.eof:
            self._packed = self._packed if self._packed == _GZIP[:1] else b""
            return None
        return self._stream


def _window(name: str, first: bytes) -> int:
    """zlib's parameter. ``deflate`` means zlib's format, but some services send it without its header."""
    if name != "deflate":
        return zlib.MAX_WBITS | 16
    return zlib.MAX_WBITS if first[0] & 0x0F == 8 else -zlib.MAX_WBITS
