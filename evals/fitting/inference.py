"""Fits ``judges/fitted_inference.npz``: a cross-encoder that says whether one text follows from another or denies it.

    python -m calibrant.evals.fitting.inference --model DIR --cache DIR --pairs DIR [--write]

It learns from ``pairs.py``: the adapter and three weights for each dimension of two vectors are trained to tell the
labels. Of ``snli_cad`` and ``fever_symmetric`` it reads nothing: ``conflict.py`` weighs what it says by their fitting
halves. About fifty minutes on two cores. Needs the extra ``fit``.
"""

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from calibrant.state.errors import InputError, how_to_install

try:
    import torch
    from torch import Tensor, nn
    from torch.nn import functional
except ModuleNotFoundError:
    if __name__ != "__main__":
        raise
    sys.stderr.write(f"fitting what follows from what needs PyTorch: {how_to_install('fit')}\n")
    raise SystemExit(2) from None

from calibrant.evals.data import datasets
from calibrant.evals.fitting import conflict
from calibrant.evals.fitting.bert import DIMENSIONS, Bert
from calibrant.evals.fitting.pairs import Labelled, labelled
from calibrant.evals.fitting.training import Schedule, batch_tensors, stored, train
from calibrant.evals.fitting.vectors import fit_options, say
from calibrant.evals.metrics import auroc
from calibrant.judges import fitted
from calibrant.judges.free.evidence.inference import Inference, relations
from calibrant.retrievers.embedder import MiniLM
from calibrant.retrievers.onnx_model import open_tokenizer
from calibrant.state.protocols import CrossEncoder

FILE = Path(fitted.__file__).with_name("fitted_inference.npz")
SCHEDULE = Schedule(2, 1.5e-3, 1.5e-3)
SMOOTHED = 0.05
"""Share of the probability that the labels leave to the other two: people err."""
MAX_TOKENS = 192
SPECIAL = 102
"""The token that ends a text."""


@dataclass(frozen=True)
class Encoded:
    """A pair as tokens."""

    counts: float
    ids: Sequence[int]
    types: Sequence[int]
    label: int


class Relations(Bert):
    """``weights`` and ``biases`` make three scores of the pair's vector and the mean of the second text's tokens."""

    def __init__(self, model: Path) -> None:
        super().__init__(model)
        self.weights = nn.Parameter(torch.randn(3, 2 * DIMENSIONS) * 0.02)
        self.biases = nn.Parameter(torch.zeros(3))

    def scores(self, ids: Tensor, types: Tensor, mask: Tensor) -> Tensor:
        """b x 3."""
        vectors = self(ids, types, mask).float()
        second = ((types == 1) & mask & (ids != SPECIAL))[..., None].float()
        mean = (vectors * second).sum(1) / second.sum(1).clamp(min=1.0)
        return torch.cat([vectors[:, 0], mean], 1) @ self.weights.t() + self.biases


def main() -> None:
    """Fit, report, and with ``--write`` replace the file."""
    options = fit_options(__doc__, FILE, needs_model=True, folders=(("pairs", "folder with the files of pairs.py"),))
    root = datasets()
    try:
        known = [*labelled(options.pairs, root)]
    except InputError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(2) from None
    encoder = MiniLM.open(options.model)
    tokenizer = open_tokenizer(options.model / "tokenizer.json", MAX_TOKENS)
    model = Relations(options.model / "model.onnx")
    train(model, [_encoded(one, tokenizer) for one in known], partial(loss, model), SCHEDULE)
    fitted_on = dict(sorted(Counter(one.source for one in known).items()))
    heads = {"weights": model.weights, "biases": model.biases}
    content = stored(model, heads, {"encoder": encoder.identity, "fitted_on": fitted_on})
    options.cache.mkdir(parents=True, exist_ok=True)
    (options.cache / FILE.name).write_bytes(content)
    found = fitted.inference(content)
    for name, load in conflict.SETS.items():
        report(name, found, encoder.adapted(found.adapter), [pair for pair in load(root) if pair.half == 0])
    if options.write:
        FILE.write_bytes(content)


def _encoded(one: Labelled, tokenizer: Any) -> Encoded:
    encoding = tokenizer.encode(one.first, one.second)
    return Encoded(one.counts, encoding.ids, encoding.type_ids, one.label)


def loss(model: Relations, batch: Sequence[Encoded]) -> Tensor:
    """Cross entropy of the labels."""
    labels = torch.tensor([one.label for one in batch])
    each = functional.cross_entropy(
        model.scores(*batch_tensors(batch)), labels, reduction="none", label_smoothing=SMOOTHED
    )
    return (each * torch.tensor([one.counts for one in batch])).mean()


def report(name: str, found: Inference, pairs: CrossEncoder, asked: Sequence[conflict.Pair]) -> None:
    """AUROC of "they contradict each other" on the fitting half, by the mean of both directions. Read as the product
    reads, from what was stored."""
    sample = asked[:700]
    told = [
        sum(relations(found, pairs, one, [other])[0].contradicts for one, other in (sides, sides[::-1])) / 2
        for sides in ((pair.first, pair.second) for pair in sample)
    ]
    say(f"{name:16} n={len(sample)} AUROC {auroc([pair.contradicts for pair in sample], told):.3f}")


if __name__ == "__main__":
    main()
