"""Fits ``judges/fitted_reader.npz``: a cross-encoder that reads a question with a passage and finds its answer.

    python -m calibrant.evals.fitting.reader --model DIR --cache DIR [--further] [--write]

It learns from ``examples.py``: the adapter and two weights for each dimension are trained to put their probability
on the marked tokens, or on "nowhere". What ships read the public sets and the made tables three times; then, when the
written questions were there, ``--further`` went once through all of it.
A part of the half is left out (``halves.py``): ``sufficiency.py`` weighs what the reader says against the words by it,
on questions that the reader did not see. About an hour on two cores. Needs the extra ``fit``.
"""

import io
import json
import math
import random
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibrant.state.errors import how_to_install

try:
    import torch
    from torch import Tensor
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    sys.stderr.write(f"fitting the reader needs PyTorch: {how_to_install('fit')}\n")
    raise SystemExit(2) from None

from calibrant.evals.data import datasets
from calibrant.evals.fitting.bert import Bert, matrices
from calibrant.evals.fitting.examples import COUNTS, Example, counted, examples
from calibrant.evals.fitting.vectors import fit_options, say
from calibrant.evals.halves import FIT, HELD_OUT, is_read
from calibrant.evals.metrics import auroc
from calibrant.judges import fitted
from calibrant.judges.free.evidence.reader import Reader, read_odds, sentence_of
from calibrant.retrievers.cross_encoder import MAX_TOKENS
from calibrant.retrievers.embedder import MiniLM
from calibrant.retrievers.onnx_model import open_tokenizer
from calibrant.state.protocols import CrossEncoder


@dataclass(frozen=True)
class Schedule:
    """How often all examples are read, and the highest rates of the adapter and of the weights that make scores."""

    passes: int
    rate: float
    head_rate: float


FILE = Path(fitted.__file__).with_name("fitted_reader.npz")
RANK, DROPPED = 16, 0.1
BATCH, DECAY, WARM = 32, 0.01, 0.05
ANEW, FURTHER = Schedule(3, 1.5e-3, 1e-2), Schedule(1, 1e-3, 2e-3)
SORTED = 16
"""Batches whose examples are sorted by length together, so that little is padded."""
LEVELS = 127
"""The file holds whole numbers up to this, each array with its scale."""
FIRST = 8
"""Values by which a matrix is known."""
NEVER = -1e9


@dataclass(frozen=True)
class Encoded:
    """An example as tokens. ``told``: those in a sentence; ``labels``: those of the answer."""

    counts: float
    ids: Sequence[int]
    types: Sequence[int]
    told: Sequence[bool]
    labels: Sequence[bool]


def main() -> None:
    """Fit, report, and with ``--write`` replace the file."""
    further = ("further", f"go on from judges/{FILE.name}, once through all examples")
    options = fit_options(__doc__, FILE, further, needs_model=True)
    root = datasets()
    known = [one for counts, item in counted(root) for one in examples(counts, item)]
    encoder = MiniLM.open(options.model)
    tokenizer = open_tokenizer(options.model / "tokenizer.json", MAX_TOKENS)
    read = [one for one in known if is_read(one.item.source, one.item.key)]
    model = Bert(options.model / "model.onnx", RANK, DROPPED)
    if options.further:
        _start_from(model, fitted.reader(FILE.read_bytes()))
    train(model, [_encoded(one, tokenizer) for one in read], FURTHER if options.further else ANEW)
    content = stored(model, encoder.identity, Counter(one.item.source for one in read))
    options.cache.mkdir(parents=True, exist_ok=True)
    (options.cache / FILE.name).write_bytes(content)
    reader = fitted.reader(content)
    pairs = encoder.adapted(reader.adapter)
    for half in (FIT, HELD_OUT):
        report(half, reader, pairs, [one for one in known if one.item.half == half])
    if options.write:
        FILE.write_bytes(content)


def _encoded(one: Example, tokenizer: Any) -> Encoded:
    encoding = tokenizer.encode(one.question, one.text)
    second = np.array([text == 1 for text in encoding.sequence_ids])
    told = second & (sentence_of(encoding.offsets, one.places) >= 0)
    labels = [
        bool(inside) and any(start < right and end > left for left, right in one.spans)
        for inside, (start, end) in zip(told, encoding.offsets, strict=True)
    ]
    return Encoded(one.counts, encoding.ids, encoding.type_ids, told.tolist(), labels)


def _start_from(model: Bert, reader: Reader) -> None:
    """Put the numbers of ``reader`` into ``model``."""
    changed = [own for name in matrices() for own in model.change(name)]
    held = [getattr(change, side) for change in reader.adapter.changes for side in ("left", "right")]
    heads = (model.told, reader.told), (model.nowhere, reader.nowhere), (model.threshold, reader.threshold)
    with torch.no_grad():
        for parameter, values in [*zip(changed, held, strict=True), *heads]:
            parameter.copy_(torch.as_tensor(values, dtype=torch.float32))


def train(model: Bert, examples: Sequence[Encoded], schedule: Schedule) -> None:
    """AdamW with rates that rise, and fall along a cosine."""
    torch.manual_seed(0)
    dice = random.Random(0)  # noqa: S311 - an order, no secret
    adapter = [*model.left.parameters(), *model.right.parameters()]
    heads = [model.told, model.nowhere, model.threshold]
    known = (adapter, schedule.rate), (heads, schedule.head_rate)
    groups: list[dict[str, Any]] = [{"params": own, "lr": rate} for own, rate in known]
    optimizer = torch.optim.AdamW(groups, weight_decay=DECAY, betas=(0.9, 0.98))
    steps = schedule.passes * math.ceil(len(examples) / BATCH)
    rates = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: _rate(step / steps))
    model.train()
    for epoch in range(schedule.passes):
        losses, begun = [], time.perf_counter()
        for batch in batches(examples, dice):
            with torch.autocast("cpu", dtype=torch.bfloat16):
                lost = loss(model, batch)
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


def batches(examples: Sequence[Encoded], dice: random.Random) -> list[list[Encoded]]:
    """All examples in a new order, those of a batch of similar length."""
    order = dice.sample(examples, len(examples))
    found: list[list[Encoded]] = []
    for start in range(0, len(order), SORTED * BATCH):
        near = sorted(order[start : start + SORTED * BATCH], key=lambda one: len(one.ids))
        found += [near[at : at + BATCH] for at in range(0, len(near), BATCH)]
    return dice.sample(found, len(found))


def loss(model: Bert, batch: Sequence[Encoded]) -> Tensor:
    """Negative log probability of the marked tokens, or of "nowhere"."""
    longest = max(len(one.ids) for one in batch)

    def padded(rows: Sequence[Sequence[Any]], kind: torch.dtype) -> Tensor:
        return torch.tensor([[*row, *[0] * (longest - len(row))] for row in rows], dtype=kind)

    ids, types = (padded([getattr(one, name) for one in batch], torch.long) for name in ("ids", "types"))
    told, labels = (padded([getattr(one, name) for one in batch], torch.bool) for name in ("told", "labels"))
    mask = padded([[True] * len(one.ids) for one in batch], torch.bool)
    scores, nowhere = model.scores(ids, types, mask)
    every = torch.cat([scores.masked_fill(~told, NEVER), nowhere[:, None]], dim=1)
    right = torch.cat([labels, ~labels.any(dim=1, keepdim=True)], dim=1)
    sure = torch.logsumexp(every.masked_fill(~right, NEVER), 1) - torch.logsumexp(every, 1)
    return -(sure * torch.tensor([one.counts for one in batch])).mean()


def stored(model: Bert, encoder: str, fitted_on: Counter[str]) -> bytes:
    """The file: whole numbers and a scale for each array, what each matrix starts with, and what it was fitted on."""
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
    put("told", model.told)
    put("nowhere", model.nowhere)
    meta = {
        "version": 1, "encoder": encoder, "fitted_on": dict(sorted(fitted_on.items())), "scales": scales,
        "first": first, "threshold": round(model.threshold.item(), 4),
    }  # fmt: skip
    out = io.BytesIO()
    np.savez_compressed(out, meta=np.array(json.dumps(meta)), **arrays)  # type: ignore[arg-type]  # numpy's stub
    return out.getvalue()


def report(name: str, reader: Reader, pairs: CrossEncoder, asked: Sequence[Example]) -> None:
    """For each set: AUROC of "the window holds the answer", and how often its best sentence does. Read as the product
    reads, from what was stored."""
    for source in COUNTS:
        truth, odds, hits = [], [], []
        for one in (it for it in asked if it.item.source == source):
            read = pairs.encode_pairs(one.question, [one.text])
            found = read_odds(reader, [one.places], read, one.places[-1][0] + 1)
            truth.append(bool(one.spans))
            odds.append(float(found.max()))
            if one.spans:
                _, start, end = max(one.places, key=lambda place: found[place[0]])
                hits.append(any(left < end and right > start for left, right in one.spans))
        if not truth:
            continue
        told = "" if not 0 < sum(truth) < len(truth) else f"AUROC {auroc(truth, odds):.3f}"
        say(f"{name:24} {source:12} n={len(truth):5} {told} best sentence {np.mean(hits) if hits else 0.0:.3f}")


if __name__ == "__main__":
    main()
