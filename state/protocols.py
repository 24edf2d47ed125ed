"""The contracts between the rooms: what a source and an encoder can do."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from calibrant.state.evidence import Evidence, SearchQuery


@runtime_checkable
class Source(Protocol):
    """Somewhere to search. One module each in ``retrievers/``; an embedder of the graph may pass more."""

    name: str
    """Short and lowercase; shown to users and used in configuration."""
    remote: bool
    """True where a network is crossed: such a source gets a deadline and a breaker; those of the settings also a rate
    limit and a cache."""

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        """Passages for ``query``, best first, at most ``query.limit``. Raises ``SourceError``; never blocks the
        loop."""
        ...


@runtime_checkable
class Rereadable(Protocol):
    """A source that can give a passage again by its id, if it still stands unchanged."""

    async def reread(self, ids: Sequence[str]) -> Sequence[Evidence]:
        """Those of ``ids`` that still exist, unchanged. Unknown ids are left out."""
        ...


Reread = Callable[[Sequence[str]], Awaitable[Sequence[Evidence]]]
"""Reads passages again by id; those that changed or are gone stay away."""


@runtime_checkable
class Dated(Protocol):
    """A source that knows when what it holds last changed."""

    async def changed(self, collections: Sequence[str] = ()) -> float:
        """POSIX time of the last change, in ``collections`` where some are named; 0 where nothing is known."""
        ...


@runtime_checkable
class Counted(Protocol):
    """A source that knows how much there is to be found."""

    async def passages(self, collections: Sequence[str] = ()) -> int:
        """How many passages it holds, in ``collections`` where some are named."""
        ...


@runtime_checkable
class Kept(Protocol):
    """A source that has read its documents into a store of its own, and knows which of them have changed since."""

    async def outdated(self, urls: Sequence[str], collections: Sequence[str] = ()) -> Mapping[str, str]:
        """Those of the documents ``urls`` (in ``collections``, where some are named) that say something else by now, or
        are gone: what is told of each behind its name."""
        ...


@runtime_checkable
class Continuous(Protocol):
    """A source whose passages were cut from whole documents, and that knows what stands around each."""

    async def around(self, ids: Sequence[str], collections: Sequence[str] = ()) -> Mapping[str, Sequence[Evidence]]:
        """For those of ``ids`` (in ``collections``, where some are named) that have some: the passages right before and
        right behind each in the same section."""
        ...


@runtime_checkable
class Spelled(Protocol):
    """A source that knows which words it holds, and so which ones are misspelt."""

    async def spelt(self, words: Sequence[str], collections: Sequence[str] = ()) -> Mapping[str, str]:
        """For each of ``words`` that it does not hold (in ``collections``, where some are named): the word one slip
        away that it does hold, as it is written there, or "" where none is or several are."""
        ...


@runtime_checkable
class TextEncoder(Protocol):
    """Vectors for texts, one row each, L2-normalised. ``identity`` changes when the vectors would."""

    identity: str
    dimensions: int

    def encode(self, texts: Sequence[str]) -> Any:
        """float32 array of shape (len(texts), dimensions). Blocking: call it in a thread."""
        ...


@runtime_checkable
class TokenEncoder(Protocol):
    """Vectors for the tokens of a text: what late interaction compares."""

    identity: str

    def encode_tokens(self, texts: Sequence[str]) -> "Sequence[TokenVectors]":
        """One ``TokenVectors`` per text. Blocking: call it in a thread."""
        ...


@dataclass(frozen=True, eq=False)
class LowRank:
    """A change of one weight matrix (LoRA): ``left`` (n x r) times ``right`` (r x m) is added to it. ``first``: the
    matrix's own first values, by which it is found whatever a file calls it."""

    first: tuple[float, ...]
    left: Any
    right: Any


@dataclass(frozen=True, eq=False)
class Adapter:
    """Low-rank changes that belong to the weights of ``encoder``. ``name`` is unique to their numbers."""

    name: str
    encoder: str
    changes: tuple[LowRank, ...]


@runtime_checkable
class Adaptable(Protocol):
    """An encoder that an adapter can turn into a cross-encoder."""

    def adapted(self, adapter: Adapter) -> "CrossEncoder":
        """Made once for each adapter. Raises ``ConfigurationError`` where the adapter belongs to other weights."""
        ...


class CrossEncoder(Protocol):
    """Reads two texts together, so that each token knows of the other text."""

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> "Sequence[PairVectors]":
        """Each of ``seconds`` read beside ``first``. Blocking: call it in a thread."""
        ...


class PairVectors(Protocol):
    """The second text's tokens: ``offsets`` and ``vectors`` (tokens x d) have one entry a token; ``whole`` (d) stands
    for the pair."""

    @property
    def offsets(self) -> Sequence[tuple[int, int]]: ...
    @property
    def vectors(self) -> Any: ...
    @property
    def whole(self) -> Any: ...


class TokenVectors(Protocol):
    """The tokens of one text: ``offsets`` and ``vectors`` (tokens x d) have one entry a token; ``pooled`` is the vector
    of the whole text (d)."""

    @property
    def offsets(self) -> Sequence[tuple[int, int]]: ...
    @property
    def vectors(self) -> Any: ...
    @property
    def pooled(self) -> Any: ...
