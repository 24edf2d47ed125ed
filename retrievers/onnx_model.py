"""What the readers of one ONNX model share: sessions, tokenizers, and batches of texts of similar length.

onnxruntime and tokenizers are imported when first needed: importing this module costs nothing.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]

BATCH_TOKENS = 512
"""Padded tokens per batch: small enough to stay in the cache of two cores, and for a query to slip in between."""
MOST_CORES = 8


def open_session(model: Path | bytes, threads: int | None = None) -> Any:
    """An inference session over a model file, or over its content."""
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads or _cores()
    options.inter_op_num_threads = 1
    # Spinning workers would burn the cores that the rest of the process needs between two batches.
    options.add_session_config_entry("session.intra_op.allow_spinning", "0")
    source = model if isinstance(model, bytes) else str(model)
    return onnxruntime.InferenceSession(source, options, providers=["CPUExecutionProvider"])


def open_tokenizer(file: Path, most: int) -> Any:
    """A tokenizer that cuts off at ``most`` tokens, of two texts from the longer one, and does not pad."""
    from tokenizers import Tokenizer

    tokenizer = Tokenizer.from_file(str(file))
    tokenizer.enable_truncation(most)
    tokenizer.no_padding()
    return tokenizer


def by_length(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Places in batches of at most ``BATCH_TOKENS`` padded tokens, longest first, none padded to twice its length: a
    question would cost as much as the passage beside it."""
    batch: list[int] = []
    for place in sorted(range(len(lengths)), key=lambda place: -lengths[place]):
        longest = lengths[batch[0]] if batch else 0
        if batch and ((len(batch) + 1) * longest > BATCH_TOKENS or 2 * lengths[place] < longest):
            yield batch
            batch = []
        batch.append(place)
    if batch:
        yield batch


def _padded(batch: Sequence[Any]) -> dict[str, NDArray[np.int64]]:
    """The model's inputs for some encodings (b x t), zeros where a text has ended."""
    shape = (len(batch), max(len(encoding.ids) for encoding in batch))
    fed = {name: np.zeros(shape, dtype=np.int64) for name in ("input_ids", "attention_mask", "token_type_ids")}
    for row, encoding in enumerate(batch):
        end = len(encoding.ids)
        fed["input_ids"][row, :end] = encoding.ids
        fed["attention_mask"][row, :end] = 1
        fed["token_type_ids"][row, :end] = encoding.type_ids
    return fed


def hidden_states(session: Any, batch: Sequence[Any]) -> tuple[Floats, Floats]:
    """What the model makes of some encodings (b x t x d), and where they have tokens (b x t, 1 or 0). It is fed with
    those inputs that its file has."""
    fed = _padded(batch)
    hidden = session.run(None, {item.name: fed[item.name] for item in session.get_inputs()})[0]
    return hidden, fed["attention_mask"].astype(np.float32)


def _cores() -> int:
    return min(len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1, MOST_CORES)
