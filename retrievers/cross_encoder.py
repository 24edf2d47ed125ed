"""Two texts read together: the embedding model with some of its weights changed by a fitted low-rank adapter (LoRA).

The adapter is a small file of numbers. What it changes is found in the ONNX file by a matrix's own first values, since
each export names its matrices as it likes. onnx is imported when an adapter is first applied.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from calibrant.retrievers.onnx_model import by_length, hidden_states, open_session, open_tokenizer
from calibrant.state.errors import ConfigurationError
from calibrant.state.protocols import Adapter, LowRank

if TYPE_CHECKING:
    from onnx import TensorProto

Floats = NDArray[np.float32]

MAX_TOKENS = 320
"""Of both texts together; of the longer one, mostly the second, what goes beyond is not read."""
MAX_CHARACTERS = 400
"""Of the first text."""
_NEAR = 1e-4
"""How far the first values of a matrix may lie from those that an adapter names: rounding."""


@dataclass(frozen=True, eq=False)
class PairTokens:
    """The second text's tokens as read beside the first: ``offsets`` and ``vectors`` (tokens x d) have one entry a
    token; ``whole`` (d) is the vector of the first special token. Not normalised."""

    offsets: tuple[tuple[int, int], ...]
    vectors: Floats
    whole: Floats


class MiniLMPairs:
    """The cross-encoder in one ONNX session. Safe to share between threads."""

    def __init__(self, session: Any, tokenizer: Any) -> None:
        self._session = session
        self._tokenizer = tokenizer

    @classmethod
    def open(cls, model: Path, tokenizer: Path, adapter: Adapter) -> "MiniLMPairs":
        """The model in the file ``model``, changed by ``adapter``. Raises ``ConfigurationError`` where they do not
        belong together."""
        return cls(open_session(changed(model, adapter)), open_tokenizer(tokenizer, MAX_TOKENS))

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[PairTokens]:
        """Each of ``seconds`` read beside ``first``."""
        encodings = self._tokenizer.encode_batch([(first[:MAX_CHARACTERS], second) for second in seconds])
        found: dict[int, PairTokens] = {}
        for places in by_length([len(encoding.ids) for encoding in encodings]):
            hidden, _ = hidden_states(self._session, [encodings[place] for place in places])
            found |= {place: _tokens(encodings[place], hidden[row]) for row, place in enumerate(places)}
        return [found[place] for place in range(len(seconds))]


def _tokens(encoding: Any, hidden: Floats) -> PairTokens:
    kept = [place for place, text in enumerate(encoding.sequence_ids) if text == 1]
    return PairTokens(tuple(encoding.offsets[place] for place in kept), hidden[kept], hidden[0])


def changed(model: Path, adapter: Adapter) -> bytes:
    """The content of the file ``model`` with the changes of ``adapter`` added to its matrices."""
    import onnx

    read = onnx.load(str(model))
    matrices = [held for held in read.graph.initializer if len(held.dims) == 2]
    for change in adapter.changes:
        _apply(change, matrices)
    content: bytes = read.SerializeToString()
    return content


def _apply(change: LowRank, matrices: "Sequence[TensorProto]") -> None:
    """Add ``change`` to the matrix that it knows, which may be kept the other way round, or beside others in one."""
    from onnx.numpy_helper import to_array

    added = np.asarray(change.left @ change.right, dtype=np.float32)
    rows, columns = added.shape
    for held in matrices:
        for turned in (False, True):
            height, width = reversed(held.dims) if turned else held.dims
            if height != rows or width % columns:
                continue
            weights = to_array(held).copy()
            kept = weights.T if turned else weights
            for start in range(0, width, columns):
                if np.allclose(kept[0, start : start + len(change.first)], change.first, atol=_NEAR):
                    kept[:, start : start + columns] += added
                    held.raw_data = weights.tobytes()
                    return
    raise ConfigurationError("the adapter of the cross-encoder does not belong to this embedding model")
