"""Fit and measure the detection of contradictions on public pairs: ``python -m calibrant.evals.fitting.conflict``.

Each set is split by the hash of its first text. The rules were written and the model is fitted on half 0; half 1 is
reported.
"""

import argparse
import csv
import io
import json
import sys
import zipfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.evals import metrics
from calibrant.evals.data import datasets, lines_of
from calibrant.evals.halves import number_of
from calibrant.judges import fitted
from calibrant.judges.free.answering.claims import span_of
from calibrant.judges.free.comparing.alignment import Vectors, align, word_vectors
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.comparing.relating import Relating, relating
from calibrant.judges.free.comparing.suspicion import FEATURES, RELATED, features
from calibrant.judges.free.synthesis.support import SupportJudge
from calibrant.judges.free.words.text import sentences
from calibrant.judges.given import ToSupport
from calibrant.state.answer import Claim, Verdict
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

FOLDS = 5
THRESHOLD = 0.5


@dataclass(frozen=True)
class Pair:
    """Two texts, whether they contradict each other, and the set's own category."""

    first: str
    second: str
    contradicts: bool
    category: str

    @property
    def half(self) -> int:
        return number_of(self.first) % 2


def breaking_nli(root: Path) -> Iterator[Pair]:
    """Sentence pairs that differ in one word (Glockner et al. 2018)."""
    with zipfile.ZipFile(root / "breaking_nli" / "breaking_nli_dataset.zip") as archive:
        for line in archive.read("data/dataset.jsonl").decode().splitlines():
            row = json.loads(line)
            yield Pair(row["sentence1"], row["sentence2"], row["gold_label"] == "contradiction", row["category"])


def fever_symmetric(root: Path) -> Iterator[Pair]:
    """Claims and evidence that cannot be told by the claim alone (Schuster et al. 2019)."""
    for row in lines_of(root / "fever_symmetric" / "fever_symmetric_dev.jsonl"):
        yield Pair(_plain(row["claim"]), _plain(row["evidence"]), row["gold_label"] == "REFUTES", row["gold_label"])


def _plain(text: str) -> str:
    """FEVER's tokens as people write them."""
    for token, mark in (("-LRB- ", "("), (" -RRB-", ")"), ("-LSB- ", "["), (" -RSB-", "]"), (" ,", ","), (" .", ".")):
        text = text.replace(token, mark)
    return text.replace(" 's", "'s").replace("``", '"')


def snli_cad(root: Path) -> Iterator[Pair]:
    """Counterfactually revised pairs (Kaushik et al. 2020)."""
    text = (root / "snli_cad" / "dev.tsv").read_text(encoding="utf-8")
    for row in csv.DictReader(io.StringIO(text), delimiter="\t", quoting=csv.QUOTE_NONE):
        yield Pair(row["sentence1"], row["sentence2"], row["gold_label"] == "contradiction", row["gold_label"])


def conflictqa(root: Path) -> Iterator[Pair]:
    """An answer and its counter-answer; as no conflict, an answer and the counter-answer to the question before."""
    rows = list(lines_of(root / "conflictqa_strategyqa" / "conflictQA-strategyQA-gpt4.json"))
    for row, before in zip(rows, [None, *rows], strict=False):
        yield Pair(row["memory_answer"], row["counter_answer"], True, "counter")
        if before is not None:
            yield Pair(row["memory_answer"], before["counter_answer"], False, "other question")


def ramdocs(root: Path) -> Iterator[Pair]:
    """Sentences that hold the answer: correct against misinformation conflicts, correct against correct does not."""
    for row in lines_of(root / "ramdocs" / "RAMDocs_first250.jsonl"):
        told = [(doc, _answering(doc)) for doc in row["documents"] if doc["type"] in ("correct", "misinfo")]
        held = [(doc, text) for doc, text in told if text]
        for i, (doc, text) in enumerate(held):
            for other, second in held[i + 1 :]:
                if text != second and doc["type"] == "correct":
                    yield Pair(text, second, other["type"] == "misinfo", f"correct/{other['type']}")


def _answering(document: dict[str, Any]) -> str:
    answer = str(document["answer"]).lower()
    return next((one.text for one in sentences(document["text"]) if answer in one.text.lower()), "")


FILE = Path(fitted.__file__).with_name("fitted_conflict.json")

SETS: dict[str, Callable[[Path], Iterator[Pair]]] = {
    "breaking_nli": breaking_nli, "fever_symmetric": fever_symmetric, "snli_cad": snli_cad, "conflictqa": conflictqa,
    "ramdocs": ramdocs,
}  # fmt: skip


def conflicts(pair: Pair, vectors: Vectors | None = None) -> bool:
    """Whether the rules report the pair."""
    hit = oppose(align(*_read(pair), vectors))
    return hit is not None and not hit.qualifies and hit.scope != "different" and hit.severity >= THRESHOLD


def rates(pairs: Sequence[Pair], found: Sequence[bool]) -> str:
    """Precision and recall, over all and per category of contradictions."""
    hits = sum(said and pair.contradicts for pair, said in zip(pairs, found, strict=True))
    precision, recall = hits / max(1, sum(found)), hits / max(1, sum(pair.contradicts for pair in pairs))
    return f"n={len(pairs)} reported={sum(found)} precision={precision:.3f} recall={recall:.3f}"


def fit(
    rows: np.ndarray[Any, Any], labels: np.ndarray[Any, Any], ridge: float = 1.0, names: Sequence[str] = FEATURES
) -> dict[str, Any]:
    """Logistic regression by Newton's method, with an L2 penalty on standardised features.

    ``ridge`` was chosen by cross-validation within half 0 (1, 3, 10 and 30 differ by 0.01 AUROC at most).
    """
    mean, scale = rows.mean(axis=0), rows.std(axis=0) + 1e-6
    design = np.hstack([(rows - mean) / scale, np.ones((len(rows), 1))])
    penalty = np.diag([ridge] * rows.shape[1] + [0.0])
    weights = np.zeros(design.shape[1])
    for _ in range(25):
        odds = 1.0 / (1.0 + np.exp(-design @ weights))
        slope = design.T @ (labels - odds) - penalty @ weights
        weights += np.linalg.solve(design.T @ (design * (odds * (1 - odds))[:, None]) + penalty, slope)
    return {
        "features": list(names), "mean": mean.round(6).tolist(), "scale": scale.round(6).tolist(),
        "weights": weights[:-1].round(6).tolist(), "bias": round(float(weights[-1]), 6),
    }  # fmt: skip


def predict(fitted: dict[str, Any], rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The probability of a contradiction, one a row."""
    scaled = (rows - fitted["mean"]) / fitted["scale"]
    result: np.ndarray[Any, Any] = 1.0 / (1.0 + np.exp(-(scaled @ np.asarray(fitted["weights"]) + fitted["bias"])))
    return result


def cross_validated(
    pairs: Sequence[Pair], sets: Sequence[str], rows: np.ndarray[Any, Any], labels: np.ndarray[Any, Any]
) -> dict[str, float]:
    """AUROC of each set by models that saw none of the pairs with the same first text."""
    parts = np.asarray([number_of(f"fold {pair.first}") % FOLDS for pair in pairs])
    scores = np.zeros(len(pairs))
    for part in range(FOLDS):
        scores[parts == part] = predict(fit(rows[parts != part], labels[parts != part]), rows[parts == part])
    chosen = {name: np.asarray(sets) == name for name in dict.fromkeys(sets)}
    return {name: metrics.auroc(labels[mine], scores[mine]) or 0.0 for name, mine in chosen.items()}


def vectors_of(pairs: Sequence[Pair], encoder: Any) -> Vectors:
    """Token vectors of both texts of every pair."""
    return word_vectors(encoder, (one for pair in pairs for one in _read(pair)))


def rows_of(pairs: Sequence[Pair], encoder: Any, reads: Relating | None) -> np.ndarray[Any, Any]:
    """The features, one row a pair, aligned by meaning as the judge aligns them."""
    vectors = vectors_of(pairs, encoder)
    return np.asarray(features([align(*_read(pair), vectors) for pair in pairs], vectors, encoder, reads))


def _read(pair: Pair) -> tuple[Reading, Reading]:
    """Both texts in English, as all these sets are."""
    return read(pair.first, Language.ENGLISH), read(pair.second, Language.ENGLISH)


def supports(pairs: Sequence[Pair], encoder: Any) -> list[Verdict]:
    """The verdicts of the support judge: each first text as a claim that quotes the whole second one."""
    evidence = [Evidence(id=str(i), text=p.second, title="", source="", url=f"e:{i}") for i, p in enumerate(pairs)]
    claims = []
    for pair, item in zip(pairs, evidence, strict=True):
        span = span_of(item, item.text)
        claims.append(Claim(id=item.id, text=pair.first, spans=(span,) if span else ()))
    judged = SupportJudge(encoder).free(ToSupport(tuple(claims), tuple(evidence)))
    return [claim.verdict for claim in judged.value]


def main() -> None:
    """Fit, report, and with ``--write`` keep the numbers."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--half", type=int, default=1, help="0: the half to work on; 1: the half to report")
    parser.add_argument("--model", type=Path, default=datasets().parent / "models" / "all-MiniLM-L6-v2")
    parser.add_argument("--write", action="store_true", help="write judges/fitted_conflict.json")
    parser.add_argument("--show", type=int, default=0, help="errors to print per set")
    arguments = parser.parse_args()
    if arguments.write and arguments.half != 1:
        parser.error("--write goes with --half 1: the file says how well the numbers do there")
    out = sys.stdout.write
    held = {name: [pair for pair in load(datasets()) if pair.half == arguments.half] for name, load in SETS.items()}
    for name, pairs in held.items():
        found = [conflicts(pair) for pair in pairs]
        out(f"{name:16} words only   {rates(pairs, found)}\n")
        _by_category(pairs, found, out)
        for pair in [p for p, said in zip(pairs, found, strict=True) if said and not p.contradicts][: arguments.show]:
            out(f"      wrongly: {pair.first} | {pair.second}\n")
        missed = [p for p, said in zip(pairs, found, strict=True) if not said and p.contradicts]
        for pair in missed[:: max(1, len(missed) // max(1, arguments.show))][: arguments.show]:
            out(f"      missed: {pair.first} | {pair.second}\n")
    _with_encoder(held, arguments, out)


def _by_category(pairs: Sequence[Pair], found: Sequence[bool], out: Callable[[str], object]) -> None:
    for category in sorted({pair.category for pair in pairs}):
        chosen = [(pair, said) for pair, said in zip(pairs, found, strict=True) if pair.category == category]
        out(f"    {category:18} {rates([pair for pair, _ in chosen], [said for _, said in chosen])}\n")


def _with_encoder(held: dict[str, list[Pair]], arguments: argparse.Namespace, out: Callable[[str], object]) -> None:
    from calibrant.retrievers.embedder import MiniLM

    encoder = MiniLM.open(arguments.model)
    sets = ("snli_cad", "fever_symmetric")
    told = [(name, pair) for name in sets for pair in SETS[name](datasets()) if pair.half == 0]
    fitting, labels = [pair for _, pair in told], np.asarray([pair.contradicts for _, pair in told])
    source = "snli_cad dev and fever_symmetric dev, half 0 by SHA-256 of the first text"
    content: dict[str, Any] = {"fitted_on": source, "pairs": len(fitting), "auroc_on_half_1": {}}
    for kind, reads in (("by words", None), ("read together", relating(encoder))):
        table = rows_of(fitting, encoder, reads)
        fitted = content[kind] = fit(table, labels, names=FEATURES if reads is None else (*FEATURES, *RELATED))
        for name, score in cross_validated(fitting, [name for name, _ in told], table, labels).items():
            out(f"{name:16} {kind}, cross-validated on half 0, AUROC {score:.3f}\n")
        report = content["auroc_on_half_1"][kind] = {}
        for name, pairs in held.items():
            sample = pairs[:700]
            scores = predict(fitted, rows_of(sample, encoder, reads))
            report[name] = round(metrics.auroc([pair.contradicts for pair in sample], scores) or 0.0, 3)
            out(f"{name:16} {kind}, AUROC {report[name]:.3f}\n")
    for name, pairs in held.items():
        sample = pairs[:700]
        vectors = vectors_of(sample, encoder)
        out(f"{name:16} with encoder {rates(sample, [conflicts(pair, vectors) for pair in sample])}\n")
    for name in sets:
        for label, used in (("words only", None), ("encoder", encoder)):
            _support_table(name, label, held[name], supports(held[name], used), out)
    if arguments.write:
        FILE.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _support_table(
    name: str, label: str, pairs: Sequence[Pair], verdicts: Sequence[Verdict], out: Callable[[str], object]
) -> None:
    for category in sorted({pair.category for pair in pairs}):
        chosen = [verdict for pair, verdict in zip(pairs, verdicts, strict=True) if pair.category == category]
        counts = {verdict.value: chosen.count(verdict) for verdict in Verdict}
        out(f"support {name} ({label}) {category}: {counts}\n")


if __name__ == "__main__":
    main()
