"""How far two sentences of one subject look like a contradiction that no rule names: a small fitted model over what
their words do to each other and, where the embedding model can read both together, over what each makes of the other.

``fitted_conflict.json`` has its AUROC on unseen pairs. Only for pairs that share most of their words: on unrelated
sentences it is wrong, since it was fitted on pairs about one thing.
"""

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from math import exp, log
from typing import Any

import numpy as np

from calibrant.judges.free.comparing.alignment import Alignment, Floats, Vectors
from calibrant.judges.free.comparing.clashes import same_day
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.frame import governor_of
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.evidence.inference import Reads
from calibrant.judges.free.evidence.late_interaction import cosine
from calibrant.judges.free.words.opposites import are_exclusive, are_opposite
from calibrant.state.protocols import TokenEncoder
from calibrant.state.task import Language

FITTED = files("calibrant.judges") / "fitted_conflict.json"
FEATURES = (
    "opposed", "pooled", "negation_differs", "negation_covered", "lowest", "third_lowest", "mean_unmatched",
    "mean_of_longer", "left_out", "rivals", "exclusive", "antonyms", "names_only_shorter", "names_only_longer",
    "dates_only_shorter", "matched",
)  # fmt: skip
RELATED = ("denied", "follows", "denies", "leads_to")
"""Where both can be read together, log odds besides: of the shorter sentence that the longer one contradicts it, and
that it follows from the longer one; then the same of the longer one beside the shorter."""
MOST = 5.0
"""Log odds are cut off there: surer than that, no reader is."""
Side = tuple[Reading, tuple[Word, ...]]
"""A sentence and those of its words that have no match in the other one."""


def features(
    alignments: Sequence[Alignment], vectors: Vectors, encoder: TokenEncoder, reads: Reads | None = None
) -> list[list[float]]:
    """A row of features for each pair, in the order of ``FEATURES`` and, with ``reads``, of ``RELATED``; what has to be
    encoded is encoded at once.

    The shorter sentence is looked up in the longer one, whichever comes first: it is the one that may be told by it.
    """
    texts = list({text for one in alignments for text in _to_compare(*_sides(one))})
    whole = dict(zip(texts, (np.asarray(found.pooled) for found in encoder.encode_tokens(texts)), strict=True))
    rows = [_row(one, vectors, whole) for one in alignments]
    if reads is None:
        return rows
    return [row + _related(one, reads) for row, one in zip(rows, alignments, strict=True)]


def _related(alignment: Alignment, reads: Reads) -> list[float]:
    """What the longer sentence makes of the shorter one, and the other way round, in the order of ``RELATED``."""
    (short, _), (long, _) = _sides(alignment)
    told = reads.relation(long.text, short.text), reads.relation(short.text, long.text)
    return [_odds(share) for one in told for share in (one.contradicts, one.follows)]


def _odds(share: float) -> float:
    least = 1.0 / (1.0 + exp(MOST))
    held = min(1.0 - least, max(least, share))
    return log(held / (1.0 - held))


def _sides(alignment: Alignment) -> tuple[Side, Side]:
    """The shorter sentence and the longer one."""
    sides = zip(alignment.sides, alignment.unmatched, strict=True)
    short, long = sorted(sides, key=lambda side: len(side[0].words))
    return short, long


def _row(alignment: Alignment, vectors: Vectors, whole: Mapping[str, Any]) -> list[float]:
    """The features of one pair, in the order of ``FEATURES``. ``whole``: the vector of each whole sentence."""
    hit = oppose(alignment)
    (short, only_short), (long, only_long) = _sides(alignment)
    mine, theirs = vectors[short.text, short.language], vectors[long.text, long.language]
    language = short.language
    unmatched = np.asarray([word in only_short for word in short.words], dtype=bool)
    dates_absent = sum(not any(same_day(one, other) for other in long.dates) for one in short.dates)
    negation = float(short.negative is not long.negative)
    covered = alignment.cover_first if short is alignment.first else alignment.cover_second
    lowest, third, strange, of_longer = _best_matches(mine, theirs, unmatched)
    return [
        hit.severity if hit is not None and not hit.qualifies else 0.0,
        _pooled(mine, theirs),
        negation,
        negation * covered,
        lowest,
        third,
        strange,
        of_longer,
        _left_out((short, only_short), (long, only_long), whole),
        _rivals(only_short, only_long),
        float(sum(are_exclusive(a.stem, b.stem, language) for a in only_short for b in only_long)),
        float(sum(are_opposite(a.stem, b.stem, language) for a in short.words for b in long.words)),
        float(sum(word.name for word in only_short)),
        float(sum(word.name for word in only_long)),
        float(dates_absent),
        float(len(alignment.pairs)),
    ]


def _to_compare(short: Side, long: Side) -> list[str]:
    """Both sentences, then the shorter one without each of its unmatched words."""
    reading, unmatched = short
    return [reading.text, long[0].text, *(_without(reading.text, word) for word in unmatched)]


def _without(text: str, word: Word) -> str:
    return " ".join(f"{text[: word.start]}{text[word.end :]}".split())


def _left_out(short: Side, long: Side, whole: Mapping[str, Any]) -> float:
    """How much closer the shorter sentence comes to the longer one, word by word, when an unmatched word is left out.

    Cosines of the whole sentences, summed over the words: a word that the longer sentence says in other words takes
    something away, one that it speaks against brings them closer.
    """
    one, other, *ablated = (whole[text] for text in _to_compare(short, long))
    return sum(cosine(row, other) - cosine(one, other) for row in ablated)


def _rivals(only_short: Sequence[Word], only_long: Sequence[Word]) -> float:
    """The share of the shorter sentence's unmatched words in whose place the longer one has another word."""
    held = {governor_of(word) for word in only_long}
    return sum(governor_of(word) in held for word in only_short) / len(only_short) if only_short else 0.0


def _best_matches(mine: Floats, theirs: Floats, unmatched: Any) -> list[float]:
    """Cosines of each word's best match: the lowest, the third lowest, the mean over words without a literal match (all
    for the shorter sentence), and the mean over the longer one's words."""
    if not len(mine) or not len(theirs):
        return [0.0] * 4
    near = mine @ theirs.T
    best = near.max(axis=1)
    low = np.sort(best)
    strange = float(best[unmatched].mean()) if unmatched.any() else 1.0
    return [float(low[0]), float(low[min(2, len(low) - 1)]), strange, float(near.max(axis=0).mean())]


def _pooled(first: Floats, second: Floats) -> float:
    if not len(first) or not len(second):
        return 0.0
    return cosine(first.mean(axis=0), second.mean(axis=0))


@cache
def _fitted() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(FITTED.read_text(encoding="utf-8"))
    return found


def suspicions(
    alignments: Sequence[Alignment], vectors: Vectors, encoder: TokenEncoder, reads: Reads | None = None
) -> list[float]:
    """For each pair the fitted probability, 0..1, that its sentences contradict each other: a logistic regression.
    ``reads`` knows English only: other pairs are judged without it."""
    read = [reads is not None and one.first.language is Language.ENGLISH for one in alignments]
    found = np.zeros(len(alignments))
    for used in set(read):
        places = [place for place, own in enumerate(read) if own is used]
        fitted = _fitted()["read together" if used else "by words"]
        rows = features([alignments[place] for place in places], vectors, encoder, reads if used else None)
        odds = ((np.asarray(rows) - fitted["mean"]) / fitted["scale"]) @ np.asarray(fitted["weights"]) + fitted["bias"]
        found[places] = 1.0 / (1.0 + np.exp(-odds))
    return [float(one) for one in found]
