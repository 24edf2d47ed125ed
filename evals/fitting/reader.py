"""Fits ``judges/fitted_reader.npz``: a cross-encoder that reads a question with a passage and finds its answer.

    python -m calibrant.evals.fitting.reader --model DIR --cache DIR [--further | --sections] [--write]

It learns from ``examples.py``: the adapter and two weights for each dimension are trained to put their probability
on the marked tokens, or on "nowhere". What ships read the public sets and the made tables three times; then, when the
written questions were there, ``--further`` went once through all of it.
``--sections`` goes on from there to ``judges/fitted_sections.npz``, which reads sections of longer documents: twice
through the questions over manuals (``sections.py``), beside a share of the others.
A part of the half is left out (``halves.py``): ``sufficiency.py`` weighs what the reader says against the words by it,
on questions that the reader did not see. About an hour on two cores. Needs the extra ``fit``.
"""

import argparse
import random
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.state.errors import how_to_install

try:
    import torch
    from torch import Tensor, nn
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    sys.stderr.write(f"fitting the reader needs PyTorch: {how_to_install('fit')}\n")
    raise SystemExit(2) from None

from calibrant.evals.data import datasets
from calibrant.evals.fitting.bert import DIMENSIONS, Bert, matrices
from calibrant.evals.fitting.data import Item
from calibrant.evals.fitting.examples import Example, counted, examples
from calibrant.evals.fitting.sections import REPLAYED, sections
from calibrant.evals.fitting.training import Schedule, batch_tensors, padded, stored, train
from calibrant.evals.fitting.vectors import fit_options, say
from calibrant.evals.halves import FIT, HELD_OUT, is_read
from calibrant.evals.metrics import auroc
from calibrant.judges import fitted
from calibrant.judges.free.evidence.reader import Reader, read_odds, sentence_of
from calibrant.retrievers.cross_encoder import MAX_TOKENS
from calibrant.retrievers.embedder import MiniLM
from calibrant.retrievers.onnx_model import open_tokenizer
from calibrant.state.protocols import CrossEncoder

FILE = Path(fitted.__file__).with_name("fitted_reader.npz")
ANEW, FURTHER, SECTIONS = Schedule(3, 1.5e-3, 1e-2), Schedule(1, 1e-3, 2e-3), Schedule(2, 1e-3, 2e-3)
NEVER = -1e9


@dataclass(frozen=True)
class Encoded:
    """An example as tokens. ``told``: those in a sentence; ``labels``: those of the answer."""

    counts: float
    ids: Sequence[int]
    types: Sequence[int]
    told: Sequence[bool]
    labels: Sequence[bool]


class Answers(Bert):
    """``told``, ``nowhere`` and ``threshold`` make scores of the vectors."""

    def __init__(self, model: Path) -> None:
        super().__init__(model)
        self.told, self.nowhere = (nn.Parameter(torch.zeros(DIMENSIONS)) for _ in range(2))
        self.threshold = nn.Parameter(torch.tensor(3.0))

    def scores(self, ids: Tensor, types: Tensor, mask: Tensor) -> tuple[Tensor, Tensor]:
        """Of each token that it is part of an answer (b x t), and of each text that it holds none (b)."""
        vectors = self(ids, types, mask).float()
        return vectors @ self.told, vectors[:, 0] @ self.nowhere + self.threshold


def main() -> None:
    """Fit, report, and with ``--write`` replace the file."""
    further = ("further", f"go on from judges/{FILE.name}, once through all examples")
    of_sections = ("sections", f"go on from it to judges/{fitted.SECTIONS}, for sections of longer documents")
    options = fit_options(__doc__, FILE, further, of_sections, needs_model=True)
    file = FILE.with_name(fitted.SECTIONS) if options.sections else FILE
    schedule = SECTIONS if options.sections else FURTHER if options.further else ANEW
    encoder = MiniLM.open(options.model)
    tokenizer = open_tokenizer(options.model / "tokenizer.json", MAX_TOKENS)
    known = [one for counts, item in _known(options, encoder) for one in examples(counts, item)]
    read = [one for one in known if is_read(one.item.source, one.item.key)]
    model = Answers(options.model / "model.onnx")
    if options.further or options.sections:
        _start_from(model, fitted.reader(FILE.read_bytes()))
    train(model, [_encoded(one, tokenizer) for one in read], partial(loss, model), schedule)
    content = content_of(model, encoder.identity, Counter(one.item.source for one in read))
    options.cache.mkdir(parents=True, exist_ok=True)
    (options.cache / file.name).write_bytes(content)
    reader = fitted.reader(content)
    pairs = encoder.adapted(reader.adapter)
    for half in (FIT, HELD_OUT):
        report(half, reader, pairs, [one for one in known if one.item.half == half])
    if options.write:
        file.write_bytes(content)


def _known(options: argparse.Namespace, encoder: MiniLM) -> Iterator[tuple[float, Item]]:
    """All items with what their examples count: where it is to read sections, those, and a share of the others."""
    root, dice = datasets(), random.Random(1)  # noqa: S311 - a choice, no secret
    if not options.sections:
        yield from counted(root)
        return
    yield from sections(root, options.cache, encoder)
    for counts, item in counted(root):
        if item.half == HELD_OUT or dice.random() < REPLAYED:
            yield counts, item


def _encoded(one: Example, tokenizer: Any) -> Encoded:
    encoding = tokenizer.encode(one.question, one.text)
    second = np.array([text == 1 for text in encoding.sequence_ids])
    told = second & (sentence_of(encoding.offsets, one.places) >= 0)
    labels = [
        bool(inside) and any(start < right and end > left for left, right in one.spans)
        for inside, (start, end) in zip(told, encoding.offsets, strict=True)
    ]
    return Encoded(one.counts, encoding.ids, encoding.type_ids, told.tolist(), labels)


def _start_from(model: Answers, reader: Reader) -> None:
    """Put the numbers of ``reader`` into ``model``."""
    changed = [own for name in matrices() for own in model.change(name)]
    held = [getattr(change, side) for change in reader.adapter.changes for side in ("left", "right")]
    heads = (model.told, reader.told), (model.nowhere, reader.nowhere), (model.threshold, reader.threshold)
    with torch.no_grad():
        for parameter, values in [*zip(changed, held, strict=True), *heads]:
            parameter.copy_(torch.as_tensor(values, dtype=torch.float32))


def loss(model: "Answers", batch: Sequence[Encoded]) -> Tensor:
    """Negative log probability of the marked tokens, or of "nowhere"."""
    told, labels = (padded([getattr(one, name) for one in batch], torch.bool) for name in ("told", "labels"))
    scores, nowhere = model.scores(*batch_tensors(batch))
    every = torch.cat([scores.masked_fill(~told, NEVER), nowhere[:, None]], dim=1)
    right = torch.cat([labels, ~labels.any(dim=1, keepdim=True)], dim=1)
    sure = torch.logsumexp(every.masked_fill(~right, NEVER), 1) - torch.logsumexp(every, 1)
    return -(sure * torch.tensor([one.counts for one in batch])).mean()


def content_of(model: "Answers", encoder: str, fitted_on: Counter[str]) -> bytes:
    """What the file holds: the threshold as it is, the rest as whole numbers."""
    meta = {"encoder": encoder, "fitted_on": dict(sorted(fitted_on.items()))}
    heads = {"told": model.told, "nowhere": model.nowhere}
    return stored(model, heads, {**meta, "threshold": round(model.threshold.item(), 4)})


def report(name: str, reader: Reader, pairs: CrossEncoder, asked: Sequence[Example]) -> None:
    """For each set: AUROC of "the window holds the answer", and how often its best sentence does. Read as the product
    reads, from what was stored."""
    for source in dict.fromkeys(one.item.source for one in asked):
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
