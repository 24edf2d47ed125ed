"""The embedding model in PyTorch: its weights, read from the ONNX file, frozen, and low-rank changes that learn (LoRA).

Needs the extra ``fit``. Shapes: b texts, t tokens, d = 384 dimensions, r the rank.
"""

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import onnx
import torch
from torch import Tensor, nn
from torch.nn import functional

DIMENSIONS, LAYERS, HEADS, EPSILON = 384, 6, 12, 1e-12
MATRICES = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "intermediate.dense", "output.dense",
)  # fmt: skip
"""The matrices of a layer that are changed: all of them."""
FAR = -1e4
RANK, DROPPED = 16, 0.1


class Bert(nn.Module):  # type: ignore[misc]  # torch has no types here, installed or not
    """all-MiniLM-L6-v2 with an adapter. A subclass has heads that make something of its vectors."""

    def __init__(self, model: Path) -> None:
        super().__init__()
        self._weights = weights_of(model)
        self.left, self.right = nn.ParameterDict(), nn.ParameterDict()
        for name in matrices():
            rows, columns = self._weights[f"{name}.weight"].shape
            self.left[_key(name)] = nn.Parameter(torch.randn(rows, RANK) / math.sqrt(rows))
            self.right[_key(name)] = nn.Parameter(torch.zeros(RANK, columns))

    @property
    def adapter(self) -> list[Tensor]:
        """All parameters that are changes of matrices."""
        return [*self.left.parameters(), *self.right.parameters()]

    @property
    def heads(self) -> dict[str, Tensor]:
        """All others, by name."""
        return {name: held for name, held in self.named_parameters() if not name.startswith(("left.", "right."))}

    def forward(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """b x t x d: the last hidden states. ``mask`` (b x t): the tokens that are there."""
        held = self._weights
        given = functional.embedding(ids, held["embeddings.word_embeddings.weight"])
        given = given + functional.embedding(types, held["embeddings.token_type_embeddings.weight"])
        given = given + held["embeddings.position_embeddings.weight"][: ids.shape[1]]
        seen = self._drop(self._normed("embeddings.LayerNorm", given))
        hidden = torch.zeros(mask.shape).masked_fill(~mask, FAR)[:, None, None, :]
        for layer in range(LAYERS):
            seen = self._layer(f"encoder.layer.{layer}", seen, hidden)
        return seen

    def original(self, name: str) -> Tensor:
        """The frozen matrix ``name``, as the file holds it."""
        return self._weights[f"{name}.weight"]

    def change(self, name: str) -> tuple[Tensor, Tensor]:
        """What is added to it: two factors."""
        return self.left[_key(name)], self.right[_key(name)]

    def _layer(self, name: str, seen: Tensor, hidden: Tensor) -> Tensor:
        asked, keys, values = (
            self._linear(f"{name}.attention.self.{part}", seen).unflatten(-1, (HEADS, -1)).transpose(1, 2)
            for part in ("query", "key", "value")
        )
        looked = functional.scaled_dot_product_attention(asked, keys, values, attn_mask=hidden.to(asked.dtype))
        looked = self._linear(f"{name}.attention.output.dense", looked.transpose(1, 2).flatten(2))
        seen = self._normed(f"{name}.attention.output.LayerNorm", seen + self._drop(looked))
        grown = functional.gelu(self._linear(f"{name}.intermediate.dense", seen))
        return self._normed(f"{name}.output.LayerNorm", seen + self._drop(self._linear(f"{name}.output.dense", grown)))

    def _linear(self, name: str, given: Tensor) -> Tensor:
        left, right = self.change(name)  # beside the frozen matrix, so that no gradient of that is worked out
        return functional.linear(given, self.original(name).t(), self._weights[f"{name}.bias"]) + (given @ left) @ right

    def _normed(self, name: str, given: Tensor) -> Tensor:
        weight, bias = (self._weights[f"{name}.{part}"] for part in ("weight", "bias"))
        return functional.layer_norm(given.float(), (DIMENSIONS,), weight, bias, EPSILON)

    def _drop(self, given: Tensor) -> Tensor:
        return functional.dropout(given, DROPPED, self.training)


def matrices() -> Iterator[str]:
    """The names of all matrices that are changed, in order."""
    return (f"encoder.layer.{layer}.{name}" for layer in range(LAYERS) for name in MATRICES)


def weights_of(model: Path) -> dict[str, Tensor]:
    """The weights in an ONNX file by the names that BERT gives them; a matrix, which has no name there, by that of the
    bias that is added after it. Matrices are input x output."""
    graph = onnx.load(str(model)).graph
    held: dict[str, Any] = {one.name: onnx.numpy_helper.to_array(one).copy() for one in graph.initializer}
    made = {node.output[0]: node.input[1] for node in graph.node if node.op_type == "MatMul"}
    found = {_plain(name): torch.tensor(value) for name, value in held.items()}
    for node in graph.node:
        for bias, product in (node.input, reversed(node.input)) if node.op_type == "Add" else ():
            if bias in held and made.get(product) in held:
                found[_plain(bias).replace(".bias", ".weight")] = torch.tensor(held[made[product]])
    return found


def _plain(name: str) -> str:
    """Without the name of the module that was exported."""
    start = min((name.find(part) for part in ("embeddings.", "encoder.") if part in name), default=0)
    return name[start:]


def _key(name: str) -> str:
    """A ``ParameterDict`` takes no dots."""
    return name.replace(".", "/")
