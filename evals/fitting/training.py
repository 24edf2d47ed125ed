"""How an adapter and the heads on it are trained, and the file that they are stored in. Needs the extra ``fit``."""

import io
import json
import math
import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from calibrant.evals.fitting.bert import Bert, matrices
from calibrant.evals.fitting.vectors import say

BATCH, DECAY, WARM = 32, 0.01, 0.05
SORTED = 16
"""Batches whose examples are sorted by length together, so that little is padded."""
LEVELS = 127
"""The file holds whole numbers up to this, each array with its scale."""
FIRST = 8
"""Values by which a matrix is known."""


class Encoded(Protocol):
    """An example as tokens."""

    @property
    def ids(self) -> Sequence[int]: ...
    @property
    def types(self) -> Sequence[int]: ...


E = TypeVar("E", bound=Encoded)


@dataclass(frozen=True)
class Schedule:
    """How often all examples are read, and the highest rates of the adapter and of the heads."""

    passes: int
    rate: float
    head_rate: float


def train(model: Bert, examples: Sequence[E], loss: Callable[[Sequence[E]], Tensor], schedule: Schedule) -> None:
    """AdamW with rates that rise, and fall along a cosine. ``loss``: of a batch, by ``model``."""
    torch.manual_seed(0)
    dice = random.Random(0)  # noqa: S311 - an order, no secret
    adapter, heads = model.adapter, [*model.heads.values()]
    known = (adapter, schedule.rate), (heads, schedule.head_rate)
    groups: list[dict[str, Any]] = [{"params": own, "lr": rate} for own, rate in known]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, betas=(0.9, 0.98))
    steps = schedule.passes * math.ceil(len(examples) / BATCH)
    rates = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step / steps))
    model.train()
    for epoch in range(schedule.passes):
        losses, begun = [], time.perf_counter()
        for batch in batches(examples, dice):
            # Processors without bfloat16 of their own are a hundred times slower with it.
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=torch.ops.mkldnn._is_mkldnn_bf16_supported()):
                lost = loss(batch)
            optimizer.zero_grad()
            lost.backward()
            torch.nn.utils.clip_grad_norm_([*adapter, *heads], 1.0)
            optimizer.step()
            rates.step()
            losses.append(lost.item())
            if len(losses) % 50 == 0:
                say(f"  {len(losses)} batches: loss {np.mean(losses[-50:]):.3f}")
        say(f"pass {epoch + 1} of {schedule.passes}: loss {np.mean(losses):.3f}, {time.perf_counter() - begun:.0f} s")
    model.eval()


def _rate(share: float) -> float:
    """Of the full rate, after this share of the steps."""
    return min(1.0, (share + 1e-3) / WARM) * max(0.0, 0.5 * (1.0 + math.cos(math.pi * share)))


def batches(examples: Sequence[E], dice: random.Random) -> list[list[E]]:
    """All examples in a new order, those of a batch of similar length."""
    order = dice.sample(examples, len(examples))
    found: list[list[E]] = []
    for start in range(0, len(order), SORTED * BATCH):
        near = sorted(order[start : start + SORTED * BATCH], key=lambda one: len(one.ids))
        found += [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    return dice.sample(found, len(found))


def padded(rows: Sequence[Sequence[Any]], kind: torch.dtype) -> Tensor:
    """``rows`` in one tensor, as long as the longest."""
    longest = max(len(row) for row in rows)
    return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows], dtype=kind)


def batch_tensors(batch: Sequence[Encoded]) -> tuple[Tensor, Tensor, Tensor]:
    """The ids, the types and the mask of a batch, as ``Bert`` takes them."""
    ids, types = (padded([getattr(one, name) for one in batch], torch.long) for name in ("ids", "types"))
    return ids, types, padded([[True] * len(one.ids) for one in batch], torch.bool)


def stored(model: Bert, heads: Mapping[str, Tensor], meta: Mapping[str, Any]) -> bytes:
    """The file: whole numbers and a scale for each array, what each matrix starts with, and ``meta``, which says what
    it was fitted on. ``heads``: those that are kept as arrays."""
    arrays: dict[str, NDArray[np.int8]] = {}
    scales: dict[str, float] = {}

    def put(name: str, values: Tensor) -> None:
        held = values.detach().numpy().astype(np.float64)
        scales[name] = float(f"{max(float(np.abs(held).max()), 1e-9) / LEVELS:.6g}")
        arrays[name] = np.rint(held / scales[name]).astype(np.int8)

    first = []
    for place, name in enumerate(matrices()):
        left, right = model.change(name)
        put(f"left:{place}", left)
        put(f"right:{place}", right)
        first.append([round(float(value), 6) for value in model.original(name)[0, :FIRST]])
    for name, head in heads.items():
        put(name, head)
    out = io.BytesIO()
    told = json.dumps({"version": 1, **meta, "scales": scales, "first": first})
    np.savez_compressed(out, meta=np.array(told), **arrays)  # type: ignore[arg-type]  # numpy's stub
    return out.getvalue()
