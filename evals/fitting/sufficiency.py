"""Fits the models of ``judges/fitted.json`` on public question sets and reports them on the halves they did not see.

    python -m calibrant.evals.fitting.sufficiency --model DIR --cache DIR [--write]

A record goes to the fitting or the held-out half by the hash of its id. Three models, each with and without an encoder:
``passage`` (does the passage answer the question?), ``single`` (the same for a bare sentence) and
``sentence`` (is this the answering sentence?). The last learns with an encoder from the questions written for the
reader too: they are in other words than their texts, so that less depends on shared words. Features are chosen by the
cross-validation inside the fitting half, which is reported beside the held-out half. Without ``--model`` only the
lexical models are fitted, and the others stay; with it, after the reader is written. Needs SciPy and scikit-learn,
which the product itself does not.
"""

import json
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from calibrant.evals.data import datasets
from calibrant.evals.fitting.cases import Case, Scored, case_of, compared_case, passage_scores, sentence_scores
from calibrant.evals.fitting.data import Item, items
from calibrant.evals.fitting.reports import report, report_calibration, report_coefficients, report_picks
from calibrant.evals.fitting.vectors import DiskEncoder, fit_options
from calibrant.evals.fitting.written import documents, passages
from calibrant.evals.halves import READ, WRITTEN, number_of
from calibrant.evals.metrics import Floats
from calibrant.judges import fitted
from calibrant.judges.fitted import Logistic, Scale
from calibrant.judges.free.evidence.features import COMPARED, LEXICAL, Encoders, encoders_of
from calibrant.judges.free.evidence.late_interaction import CachedEncoder
from calibrant.judges.free.words.text import language_of, stem, words
from calibrant.state.errors import ConfigurationError

FILE = Path(fitted.__file__).with_name("fitted.json")
STEMS = 1500
"""Stems of each language that are kept, the most frequent ones."""
ROUNDS = 5
"""Of multiple-instance learning."""
FALSE_ACCEPTS, SELDOM, REACHED = 0.1, 0.05, 0.25
"""See ``scale_of``: shares of unanswerable questions above 0.9, by words and by the reader; of answerable ones."""
FOLDS = 5
LANGUAGES = {
    "en": ("nomiracl", "clapnq", "qnli", "squad2"),
    "pt": ("faquad", "pira", "faquad_several", "pira_several"),
}
SINGLE_SETS = {"en": ("qnli",)}
"""Sets whose passages are a bare sentence, which a model of its own is fitted on."""
SPEAKS_AGAINST = frozenset({"s_gap", "s_lacks", "s_short", "s_neg", "s_num", "p_gap", "p_lacks"})
PENALTY = 0.1
"""Inverse strength of the ridge penalty, with features standardised and the weights of most sets adding up to 1,000."""
TOTALS = {"nomiracl": 500.0}
"""A set's weights add up to this, else to 1,000. nomiracl's label is of ten passages together, and few: counted as the
others it costs them more (clapnq 0.011, squad2 0.010 of AUROC, cross-validated) than it gains (0.002)."""


def main() -> None:
    """Fit, report, and with ``--write`` replace the file."""
    options = fit_options(__doc__, FILE)
    root = datasets()
    data = items(root)
    held: dict[str, Any] = json.loads(FILE.read_text(encoding="utf-8"))
    held["per_ten_thousand"] = general_frequencies(item for item in data if not item.is_held_out)
    _use(held)
    cases = [case_of(item) for item in data]
    models = _fit("lexical", LEXICAL, cases, "")
    if options.model:
        encoders = encoders_of(CachedEncoder(DiskEncoder(options.model, options.cache)))
        if encoders is None:
            raise ConfigurationError(
                "the reader belongs to another model: fit the reader first (evals.fitting.reader --write)"
            )
        cases += [case_of(item) for item in (*documents(), *passages(root))]
        # What the reader was fitted on it knows too well: its word is weighed on what it has not seen.
        cases = [_compared(case, models, encoders) for case in cases if case.item.half != READ]
        models |= _fit("encoder", COMPARED, cases, encoders.identity)
    held["models"] |= {name: _plain(model) for name, model in models.items()}
    held |= {"version": 2, "fitted_on": fitted_on(data)}
    if options.write:
        FILE.write_text(_dumped(held), encoding="utf-8")


def _compared(case: Case, models: dict[str, Logistic], encoders: Encoders) -> Case:
    """``case`` with what the encoders say of it, where it is in the encoders' language."""
    known = case.item.source in WRITTEN.union(LANGUAGES["en"])
    return compared_case(case, models["passage.lexical.en"], encoders) if known else case


def _fit(kind: str, names: tuple[str, ...], cases: Sequence[Case], encoder: str) -> dict[str, Logistic]:
    models: dict[str, Logistic] = {}
    for language, sources in LANGUAGES.items():
        if kind == "encoder" and language != "en":
            continue  # the encoder is an English one: in Portuguese it took from the AUROC
        held = [case for case in cases if case.item.source in sources]
        half, other = ([case for case in held if case.item.is_held_out is side] for side in (False, True))
        single = SINGLE_SETS.get(language, ())
        # By words alone the longer passages tell too little for a score of 0.9; one sentence and its words do tell.
        longer = sources if kind == "lexical" else tuple(name for name in sources if name not in single)
        for head, chosen in (("passage", longer), ("single", single)):
            if chosen:
                name = f"{head}.{kind}.{language}"
                fitting, left = ([case for case in side if case.item.source in chosen] for side in (half, other))
                models[name] = _passages(name, names, fitting, left, encoder)
        name = f"sentence.{kind}.{language}"
        half += [case for case in cases if case.item.source in WRITTEN]
        made = fit_sentences(names, half, encoder)
        models[name] = replace(made, scale=scale_of(sentence_scores(made, half)))
        report(name, sentence_scores(made, other), models[name].scale)
        report_coefficients(models[name])
        report_picks(name, models[name], other)
    return models


def _passages(name: str, names: tuple[str, ...], half: Sequence[Case], other: Sequence[Case], encoder: str) -> Logistic:
    """The model of one head, reported by cross-validation inside the fitting half and on the held-out half."""
    made = fit_passages(names, half, encoder)
    # Compared by the reader, fewer false ones have to be accepted, and the scores of doubtful ones lie less far down.
    accepted = SELDOM if encoder else FALSE_ACCEPTS
    made = replace(made, scale=scale_of(passage_scores(made, half), accepted))
    crossed = cross_validated(names, half, encoder)
    report(f"{name} (cv)", crossed, made.scale)
    report(name, passage_scores(made, other), made.scale)
    report_calibration(name, crossed, passage_scores(made, other))
    report_coefficients(made)
    return made


def cross_validated(names: tuple[str, ...], cases: Sequence[Case], encoder: str) -> list[Scored]:
    """Set, truth and log odds of each item, by a model that did not see it; questions over one text share a fold."""
    folds = [number_of(f"fold {case.item.key}") % FOLDS for case in cases]
    out: list[Scored] = []
    for number in range(FOLDS):
        seen, left = (
            [c for c, fold in zip(cases, folds, strict=True) if (fold == number) is side] for side in (False, True)
        )
        out += passage_scores(fit_passages(names, seen, encoder), left)
    return out


def scale_of(scored: Sequence[Scored], accepted: float = FALSE_ACCEPTS) -> Scale:
    """The operating points, from the fitting half, each set counting alike.

    ``high`` (score 0.9): the share ``accepted`` of the unanswerable questions lies above, or one answerable question in
    four, whichever is lower. The sets' unanswerable questions were chosen or written to look answerable, and share most
    of their words with their passages; a question that a corpus does not treat at all lies far below. ``low`` (score
    0.5): where as many unanswerable questions lie above as answerable ones below.
    """
    grid = np.linspace(-4, 4, 801)
    above, below = np.zeros_like(grid), np.zeros_like(grid)
    sources = sorted({source for source, _, _ in scored})
    for source in sources:
        no, yes = (
            np.array([logit for held, side, logit in scored if held == source and side is truth])
            for truth in (False, True)
        )
        above += (no[:, None] > grid).mean(axis=0) / len(sources)
        below += (yes[:, None] <= grid).mean(axis=0) / len(sources)
    high = float(grid[int(np.argmax((above <= accepted) | (below >= 1 - REACHED)))])
    low = float(grid[int(np.argmax(below >= above))])
    return Scale(low=round(low, 2), high=round(max(high, low + 0.5), 2))


def fit_passages(names: tuple[str, ...], cases: Sequence[Case], encoder: str) -> Logistic:
    """Multiple instances: a set of passages is judged by its best one, found with the model of the round before."""
    single = [case for case in cases if len(case.rows) == 1]
    model = _logistic(names, [case.rows[0].passage for case in single], _targets(single), _weights(single), encoder)
    if len(single) == len(cases):
        return model
    for _ in range(ROUNDS):
        best = [_best(model, case) for case in cases]
        model = _logistic(names, best, _targets(cases), _weights(cases), encoder)
    return model


def fit_sentences(names: tuple[str, ...], cases: Sequence[Case], encoder: str) -> Logistic:
    """Sentences of single passages, labelled by whether the answer stands in them."""
    known = [case for case in cases if case.labels]
    table = np.vstack([case.rows[0].sentences for case in known])
    targets = [label for case in known for label in case.labels or ()]
    counts = Counter(case.item.source for case in known)
    weights = [1000 / counts[case.item.source] / len(case.labels or ()) for case in known for _ in case.labels or ()]
    return _logistic(names, table, targets, weights, encoder)


def _logistic(
    names: tuple[str, ...], table: Any, targets: Sequence[bool], weights: Sequence[float], encoder: str
) -> Logistic:
    """A ridge-penalised logistic regression whose coefficients keep the sign that their feature means.

    Without the bounds, correlated features take opposite signs and the set's own habits: a missing word would speak for
    an answer. Fitted by L-BFGS-B on the weighted negative log likelihood.
    """
    from scipy.optimize import minimize

    rows = np.asarray(table, dtype=np.float64)
    means, scales = rows.mean(axis=0), np.maximum(rows.std(axis=0), 1e-6)
    x, y, w = (rows - means) / scales, np.where(np.asarray(targets), 1.0, -1.0), np.asarray(weights)

    def loss(beta: Floats) -> tuple[float, Floats]:
        margins = y * (x @ beta[:-1] + beta[-1])
        pull = -w * y / (1.0 + np.exp(np.clip(margins, -40, 40)))
        grown = np.append(x.T @ pull + beta[:-1] / PENALTY, pull.sum())
        return float((w * np.logaddexp(0.0, -margins)).sum() + beta[:-1] @ beta[:-1] / (2 * PENALTY)), grown

    bounds = [*(_bounds(name) for name in names), (None, None)]
    beta = minimize(loss, np.zeros(len(names) + 1), jac=True, method="L-BFGS-B", bounds=bounds).x
    return Logistic(names, means, scales, beta[:-1], float(beta[-1]), Scale(), encoder)


def _bounds(name: str) -> tuple[float | None, float | None]:
    return (None, 0.0) if name in SPEAKS_AGAINST else (0.0, None)


def _best(model: Logistic, case: Case) -> Floats:
    rows = np.array([row.passage for row in case.rows])
    best: Floats = rows[int(model.logits(rows).argmax())]
    return best


def _targets(cases: Sequence[Case]) -> list[bool]:
    return [case.item.answerable for case in cases]


def _weights(cases: Sequence[Case]) -> list[float]:
    counts = Counter(case.item.source for case in cases)
    return [TOTALS.get(case.item.source, 1000.0) / counts[case.item.source] for case in cases]


def fitted_on(data: Iterable[Item]) -> dict[str, int]:
    """How many questions of each set are in the fitting half."""
    return dict(Counter(item.source for item in data if not item.is_held_out))


def general_frequencies(data: Iterable[Item]) -> dict[str, dict[str, int]]:
    """For each language, the most frequent stems with the number of passages in 10,000 that hold them."""
    passages = {one.id: one.text for item in data for one in item.evidence if item.source != "qnli"}
    counts: dict[str, Counter[str]] = {"en": Counter(), "pt": Counter()}
    sizes: Counter[str] = Counter()
    for text in passages.values():
        language = language_of(text)
        sizes[language.value] += 1
        counts[language.value].update({stem(word, language) for word in words(text) if word.isalpha()})
    return {
        name: {word: round(10_000 * seen / sizes[name]) for word, seen in sorted(found.most_common(STEMS))}
        for name, found in counts.items()
    }


def _use(held: dict[str, Any]) -> None:
    """Make the features of this run use the frequencies of this run."""
    fitted.frequencies.cache_clear()
    for name, table in held["per_ten_thousand"].items():
        fitted.frequencies(name).clear()
        fitted.frequencies(name).update({word: count / 10_000 for word, count in table.items()})


def _plain(model: Logistic) -> dict[str, Any]:
    return {
        "features": list(model.features),
        "means": [round(float(value), 5) for value in model.means],
        "scales": [float(f"{value:.5g}") for value in model.scales],
        "coefs": [round(float(value), 5) for value in model.coefs],
        "intercept": round(model.intercept, 5),
        "scale": {"low": model.scale.low, "high": model.scale.high},
        "encoder": model.encoder,
    }


def _dumped(held: dict[str, Any]) -> str:
    """Compact JSON, one line."""
    return json.dumps(held, ensure_ascii=False, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    main()
