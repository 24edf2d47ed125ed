"""What the fits over token vectors share: the vectors, kept on disk (encoding takes minutes, fitting over them
seconds), and the command line."""

import argparse
import hashlib
import pickle
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.state.protocols import Adapter, CrossEncoder, PairVectors, TokenVectors


class DiskEncoder:
    """The encoder with its vectors kept on disk (half precision), so that a second fit takes seconds."""

    def __init__(self, model: Path, cache: Path) -> None:
        from calibrant.retrievers.embedder import MiniLM

        self._encoder = MiniLM.open(model)
        self.identity = self._encoder.identity
        self._path = cache / "encoded"

    def adapted(self, adapter: Adapter) -> CrossEncoder:
        """What is read in pairs is kept too."""
        return DiskPairs(self._encoder.adapted(adapter), self._path / adapter.name)

    def encode_tokens(self, texts: Sequence[str]) -> list[TokenVectors]:
        return [_kept(self._path, text, self._encoder.encode_tokens, [text]) for text in texts]


class DiskPairs:
    """The cross-encoder with its vectors kept on disk."""

    def __init__(self, pairs: CrossEncoder, path: Path) -> None:
        self._pairs = pairs
        self._path = path

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[PairVectors]:
        return [_kept(self._path, f"{first}\0{one}", self._pairs.encode_pairs, first, [one]) for one in seconds]


def _kept(folder: Path, key: str, encode: Callable[..., Sequence[Any]], *given: Any) -> Any:
    """The one dataclass with ``vectors`` that ``encode`` makes of what is given, which ``key`` names: made once, in
    half precision on disk."""
    path = folder / hashlib.sha256(key.encode()).hexdigest()[:24]
    if path.exists():
        return pickle.loads(path.read_bytes())  # noqa: S301 - our own file
    (found,) = encode(*given)
    stored = replace(found, vectors=found.vectors.astype(np.float16))
    folder.mkdir(parents=True, exist_ok=True)
    path.write_bytes(pickle.dumps(stored))
    return stored


def fit_options(
    doc: str | None,
    file: Path,
    *flags: tuple[str, str],
    folders: Sequence[tuple[str, str]] = (),
    needs_model: bool = False,
) -> argparse.Namespace:
    """``model``, ``cache`` and ``write`` of a command that fits ``file``, its own ``flags`` and the ``folders`` that it
    needs: names with their help. ``doc``: its module's."""
    parser = argparse.ArgumentParser(description=(doc or "").partition("\n")[0])
    parser.add_argument("--model", type=Path, required=needs_model, help="folder of the embedding model")
    parser.add_argument("--cache", type=Path, default=Path("/tmp/calibrant-fit"), help="where token vectors are kept")  # noqa: S108
    parser.add_argument("--write", action="store_true", help=f"replace judges/{file.name}")
    for name, told in folders:
        parser.add_argument(f"--{name}", type=Path, required=True, help=told)
    for name, told in flags:
        parser.add_argument(f"--{name}", action="store_true", help=told)
    return parser.parse_args()


def say(line: str) -> None:
    """Show ``line`` at once: a fit takes minutes."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
