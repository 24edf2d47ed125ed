"""Fits ``judges/fitted_spans.json``: where in a passage the answer to a question stands, over frozen token vectors.

    python -m calibrant.evals.fit_spans --model DIR --cache DIR [--write]

Fitted to the fitting halves of squad2, clapnq, qnli and nq_open, whose people marked answers or said that there are
none; to each nq_open question a near passage that does not hold its answer is added. The network is trained to put its
probability on the marked tokens, or on "nowhere". First, once for each of ``FOLDS`` parts of the half, without that
part: what ``fit_sufficiency`` then weighs for a question comes from a network that did not see it. These are kept in
``--cache``. Needs the extra ``fit``, which the product itself does not.
"""

import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from calibrant.evals.fit_data import Item, items, nq_open
from calibrant.evals.fit_vectors import DiskEncoder, fit_options, say
from calibrant.evals.metrics import auroc
from calibrant.judges import fitted
from calibrant.judges.free.feat_late import WINDOW, asked_under, joined, windows
from calibrant.judges.free.feat_lexical import keys, prepare
from calibrant.judges.free.feat_span import REACH, Floats, Numbers, SpanModel, span_odds
from calibrant.judges.free.relevance import ENCODED_CHARACTERS, title_of
from calibrant.judges.free.text import sentences
from calibrant.state.protocols import TokenEncoder

Arrays = dict[str, Any]

FILE = Path(fitted.__file__).with_name("fitted_spans.json")
FOLDS = 3
COUNTS = {"squad2": 1.0, "nq_open": 0.7, "qnli": 0.6, "clapnq": 2.0}
"""How much an example of a set counts."""
DIMENSIONS, KINDS, HIDDEN = 384, 24, 16
EPOCHS, BATCH, RATE, PENALTY, DROPPED = 8, 32, 3e-3, 2e-3, 0.2
LINEAR, SHARP = ("attend", "wanted", "kinds", "plain", "weigh"), 4.0
"""The arrays over token vectors, and what they are multiplied by in training, so that one rate suits all parameters."""
TOKENS, ASKED, SENTENCES = 384, 32, 40
"""What of a passage and a question is trained on; nearly all are shorter."""
LEVELS = 127
"""The file holds whole numbers up to this, each array with its scale."""


@dataclass(frozen=True)
class Example:
    """A question and a passage by their token vectors. ``labels`` (t): the tokens of the answer, if there is one."""

    source: str
    key: str
    is_held_out: bool
    question: Floats
    weights: Floats
    passage: Floats
    sentence_of: Numbers
    labels: NDArray[np.bool_]

    @property
    def count(self) -> int:
        return int(self.sentence_of.max(initial=-1)) + 1


def main() -> None:
    """Fit, report, and with ``--write`` replace the file."""
    options = fit_options(__doc__, FILE, needs_model=True)
    encoder = DiskEncoder(options.model, options.cache)
    root = Path(os.environ.get("CALIBRANT_DATASETS", "../shared/datasets"))
    data = [found for item in _items(root) if (found := example(item, encoder))]
    half = [one for one in data if not one.is_held_out]
    crossed: list[tuple[Example, float]] = []
    for fold in range(FOLDS):
        say(f"part {fold + 1} of {FOLDS}")
        model = _fit([one for one in half if fold_of(one.key) != fold], encoder.identity, options.cache, f"{fold}")
        crossed += [(one, _odds(model, one)) for one in half if fold_of(one.key) == fold]
    report("fitting half, crossed", crossed)
    say("the whole half")
    model = _fit(half, encoder.identity, options.cache, "whole")
    report("held-out half", [(one, _odds(model, one)) for one in data if one.is_held_out])
    if options.write:
        FILE.write_text((options.cache / "spans-whole.json").read_text(encoding="utf-8"), encoding="utf-8")


def fold_of(key: str) -> int:
    """The part of the fitting half that a question is in: those over one text share it."""
    return int(hashlib.sha256(f"span {key}".encode()).hexdigest(), 16) % FOLDS


def crossed_models(cache: Path) -> tuple[SpanModel, ...]:
    """The networks of the parts, each fitted without its own. Raises ``FileNotFoundError`` before a fit."""
    paths = (cache / f"spans-{fold}.json" for fold in range(FOLDS))
    return tuple(fitted.span_model(json.loads(path.read_text(encoding="utf-8"))) for path in paths)


def _items(root: Path) -> Iterator[Item]:
    yield from (item for item in items(root) if item.source in COUNTS)
    yield from nq_open(root)


def example(item: Item, encoder: TokenEncoder) -> Example | None:
    """The item's only passage as the product would compare it; None where there is nothing to compare."""
    evidence = item.evidence[0]
    query, found, title = prepare(item.question), sentences(evidence.text), title_of(evidence)
    if not query.terms or not found:
        return None
    parts = windows(found, title)[: ENCODED_CHARACTERS // WINDOW]
    tokens, *encoded = encoder.encode_tokens([query.text, *(part.text for part in parts)])
    asked = asked_under(query, tokens, keys(title, query.language))
    vectors, numbers = joined(parts, encoded)
    labels = np.zeros(len(numbers), dtype=bool)
    at = 0
    for part, held in zip(parts, encoded, strict=True):
        for number, start, end in part.places:
            for left, right in item.spans or ():
                moved = left - found[number].start + start, right - found[number].start + start
                labels[at : at + len(held.offsets)] |= _overlapping(held.offsets, (start, end), moved)
        at += len(held.offsets)
    return Example(
        item.source, item.key, item.is_held_out, _small(asked.vectors), _small(asked.looked_for), _small(vectors),
        numbers, labels,
    )  # fmt: skip


def _small(array: Floats) -> Any:
    """Half precision: all examples are held at once."""
    return array.astype(np.float16)


def _overlapping(
    offsets: Sequence[tuple[int, int]], inside: tuple[int, int], span: tuple[int, int]
) -> NDArray[np.bool_]:
    """Which tokens lie ``inside`` a sentence and overlap ``span``."""
    places = np.asarray(offsets, dtype=np.int64).reshape(-1, 2)
    within = (places[:, 0] >= inside[0]) & (places[:, 1] <= inside[1])
    overlaps: NDArray[np.bool_] = within & (places[:, 0] < span[1]) & (places[:, 1] > span[0])
    return overlaps


def _fit(examples: Sequence[Example], encoder: str, cache: Path, name: str) -> SpanModel:
    """Train, keep as ``spans-NAME.json``, and read back what was kept: rounded as the product has it."""
    raw = {
        "version": 1,
        "encoder": encoder,
        "fitted_on": dict(sorted(Counter(one.source for one in examples).items())),
        **_stored(train(examples)),
    }
    (cache / f"spans-{name}.json").write_text(json.dumps(raw, separators=(",", ":")) + "\n", encoding="utf-8")
    return fitted.span_model(raw)


def train(examples: Sequence[Example]) -> Arrays:
    """The network's arrays by ``SpanModel``'s names (and ``nowhere``), after ``EPOCHS`` passes of Adam."""
    import jax
    import optax

    params = _start()
    steps = EPOCHS * (len(examples) // BATCH)
    optimizer = optax.adam(optax.cosine_decay_schedule(RATE, steps))
    state = optimizer.init(params)

    def step(params: Arrays, state: Any, batch: Any, key: Any) -> Any:
        loss, slope = jax.value_and_grad(_loss)(params, batch, key)
        change, state = optimizer.update(slope, state)
        return optax.apply_updates(params, change), state, loss

    compiled = jax.jit(step)
    dice, key = np.random.default_rng(0), jax.random.PRNGKey(0)
    for epoch in range(EPOCHS):
        order = dice.permutation(len(examples))
        losses = []
        for at in range(0, len(order) - BATCH + 1, BATCH):
            key, used = jax.random.split(key)
            batch = _batch([examples[place] for place in order[at : at + BATCH]])
            params, state, loss = compiled(params, state, batch, used)
            losses.append(float(loss))
        say(f"  pass {epoch + 1} of {EPOCHS}: loss {np.mean(losses):.3f}")
    return {name: np.asarray(value) * (SHARP if name in LINEAR else 1.0) for name, value in params.items()}


def _start() -> Arrays:
    """Small random numbers where kinds are told; the signs of the words straight to the score."""
    dice = np.random.default_rng(0)

    def drawn(*shape: int, width: float) -> Floats:
        return dice.normal(0.0, width, shape)

    return {
        "attend": drawn(DIMENSIONS, 2, width=0.02),
        "wanted": drawn(2 * DIMENSIONS, KINDS, width=0.05),
        "kinds": drawn(DIMENSIONS, KINDS, width=0.05),
        "plain": np.zeros(DIMENSIONS),
        "weigh": np.zeros(DIMENSIONS),
        "hidden": drawn(5, HIDDEN, width=0.3),
        "hidden_bias": np.zeros(HIDDEN),
        "out": drawn(HIDDEN, width=0.1),
        "direct": np.array([1.0, 1.0, 2.0, -1.0, 2.0]),
        "nowhere": np.array(3.0),
    }


@dataclass(frozen=True)
class _Batch:
    """Examples padded to one shape; b in front of each field's shape."""

    question: Any
    asked: Any
    weights: Any
    passage: Any
    sentence_of: Any
    labels: Any
    counts: Any


def _batch(examples: Sequence[Example]) -> Any:
    """The fields of ``_Batch`` as a tuple, which JAX takes as it is."""
    question = np.zeros((len(examples), ASKED, DIMENSIONS), np.float32)
    weights = np.zeros((len(examples), ASKED), np.float32)
    asked = np.zeros((len(examples), ASKED), bool)
    passage = np.zeros((len(examples), TOKENS, DIMENSIONS), np.float32)
    numbers = np.full((len(examples), TOKENS), -1, np.int32)
    labels = np.zeros((len(examples), TOKENS), bool)
    for row, one in enumerate(examples):
        q, t = min(len(one.question), ASKED), min(len(one.passage), TOKENS)
        question[row, :q], weights[row, :q], asked[row, :q] = one.question[:q], one.weights[:q], True
        passage[row, :t], labels[row, :t] = one.passage[:t], one.labels[:t]
        numbers[row, :t] = np.minimum(one.sentence_of[:t], SENTENCES - 1)
    counts = np.array([COUNTS[one.source] for one in examples], np.float32)
    return question, asked, weights, passage, numbers, labels, counts


def _loss(params: Arrays, batch: Any, key: Any) -> Any:
    """Negative log probability of the marked tokens, or of "nowhere", and a ridge on the vectors' weights."""
    import jax
    import jax.numpy as jnp

    given = _Batch(*batch)
    scores = jnp.where(given.sentence_of >= 0, _scores(params, given, key), -1e9)
    nowhere = jnp.broadcast_to(params["nowhere"], (len(scores), 1))
    every = jnp.concatenate([scores, nowhere], axis=1)
    right = jnp.concatenate([given.labels, ~given.labels.any(axis=1, keepdims=True)], axis=1)
    told = jax.nn.logsumexp(jnp.where(right, every, -1e9), axis=1) - jax.nn.logsumexp(every, axis=1)
    ridge = sum((params[name] ** 2).sum() for name in LINEAR)
    return -(told * given.counts).mean() + PENALTY * ridge


def _scores(params: Arrays, given: _Batch, key: Any) -> Any:
    """b x t: as ``feat_span`` computes them, for a batch, some dimensions dropped where kinds are told."""
    import jax
    import jax.numpy as jnp

    question, passage, asked = given.question, given.passage, given.asked
    one, other = jax.random.split(key)
    kept = 1.0 - DROPPED
    part_q = question * jax.random.bernoulli(one, kept, (len(question), 1, DIMENSIONS)) / kept
    part_p = passage * jax.random.bernoulli(other, kept, (len(passage), 1, DIMENSIONS)) / kept
    looks = jnp.where(asked[..., None], question @ (SHARP * params["attend"]), -1e9)
    seen = jnp.einsum("blk,bld->bkd", jax.nn.softmax(looks, axis=1), part_q).reshape(len(question), -1)
    wanted = seen @ (SHARP * params["wanted"])
    matches = jnp.where(asked[:, None, :], jnp.einsum("btd,bld->btl", passage, question), 0.0)
    counts = given.weights * jnp.exp(question @ (SHARP * params["weigh"])) * asked
    counts = counts / jnp.maximum(counts.sum(axis=1, keepdims=True), 1e-6)
    exists = (passage != 0).any(axis=-1)
    matches = jnp.where(exists[..., None], matches, -1.0)
    signs = jnp.stack(
        [
            jnp.einsum("bk,btk->bt", wanted, part_p @ (SHARP * params["kinds"])),
            part_p @ (SHARP * params["plain"]),
            jnp.einsum("btl,bl->bt", _near(matches), counts),
            matches.max(axis=-1),
            jnp.einsum("btl,bl->bt", _in_sentence(matches, given.sentence_of), counts),
        ],
        axis=-1,
    )
    hidden = jnp.tanh(signs @ params["hidden"] + params["hidden_bias"])
    return signs @ params["direct"] + hidden @ params["out"]


def _near(matches: Any) -> Any:
    """The best match within ``REACH`` tokens: maxima of windows that double, since their slope is known to JAX."""
    import jax.numpy as jnp

    def moved(table: Any, by: int) -> Any:
        edge = jnp.full((len(table), abs(by), table.shape[2]), -1.0)
        parts = [table[:, by:], edge] if by > 0 else [edge, table[:, :by]]
        return jnp.concatenate(parts, axis=1)

    length, whole = 1, 2 * REACH + 1
    while length * 2 <= whole:
        matches, length = jnp.maximum(matches, moved(matches, length)), length * 2
    if length < whole:
        matches = jnp.maximum(matches, moved(matches, whole - length))
    return moved(matches, -REACH)


def _in_sentence(matches: Any, numbers: Any) -> Any:
    import jax
    import jax.numpy as jnp

    def one(number: Any, table: Any) -> Any:
        best = jax.ops.segment_max(table, jnp.where(number < 0, SENTENCES, number), SENTENCES + 1)
        return jnp.where(jnp.isfinite(best), best, 0.0)[jnp.maximum(number, 0)]

    return jax.vmap(one)(numbers, matches)


def _stored(params: Arrays) -> dict[str, Any]:
    """As the file holds them: whole numbers and a scale for each array."""
    arrays = {}
    for name in (one.name for one in fields(SpanModel) if one.name not in {"encoder", "nowhere"}):
        scale = float(f"{max(float(np.abs(params[name]).max()), 1e-9) / LEVELS:.6g}")
        values = np.rint(np.asarray(params[name], dtype=np.float64) / scale).astype(int)
        arrays[name] = {"shape": list(values.shape), "scale": scale, "values": values.ravel().tolist()}
    return {"nowhere": round(float(params["nowhere"]), 4), "arrays": arrays}


def _odds(model: SpanModel, one: Example) -> float:
    """The log odds of a passage, those of its best sentence, as the product computes them."""
    question, weights, passage = (np.asarray(a, dtype=np.float64) for a in (one.question, one.weights, one.passage))
    return float(span_odds(model, question, weights, passage, one.sentence_of, one.count).max(initial=-99.0))


def report(name: str, scored: Iterable[tuple[Example, float]]) -> None:
    """AUROC of "the passage holds the answer" for each set."""
    held = list(scored)
    for source in COUNTS:
        truth = [bool(one.labels.any()) for one, _ in held if one.source == source]
        odds = [value for one, value in held if one.source == source]
        say(f"{name:24} {source:9} n={len(truth):5} AUROC {auroc(truth, odds) or 0.0:.3f}")


if __name__ == "__main__":
    main()
