"""Which part of a dataset a record belongs to, by its hash: what is told of it must not have been chosen on it."""

import hashlib

HELD_OUT, FIT, READ = "held-out", "fit", "read"
"""Figures are told of the held-out half. The other half is for fitting and choosing; what the reader was fitted on, it
knows too well for anything else to be fitted to what it says there: only the rest of that half is called ``fit``."""
WRITTEN = frozenset({"documents", "written"})
"""Written to learn from: no figure is told of these, so nothing of them is held out."""
MANUALS = "manuals"
"""Whole projects are in one part, which the key starts with: questions over one manual are much alike."""
READ_SETS = WRITTEN | {MANUALS} | {"squad2", "nq_open", "nq_open_oracle", "nq_open_gaps", "qnli", "clapnq"}
"""Sets that the reader is fitted on and of which a part is left to others. ``nq_open_oracle`` and ``nq_open_gaps`` ask
what ``nq_open`` does."""
PARTS = 5
"""One part in so many of the half is left to the other fits."""


def half_of(dataset: str, key: str) -> str:
    """``HELD_OUT``, ``READ`` or ``FIT``: the part that the record ``key`` of ``dataset`` is in."""
    if dataset == MANUALS:
        return key.partition("/")[0]
    if dataset not in WRITTEN and number_of(key) % 2:
        return HELD_OUT
    return READ if dataset in READ_SETS and number_of(f"span {key}") % PARTS else FIT


def is_read(dataset: str, key: str) -> bool:
    """Whether the reader may be fitted on the record: what no other fit needs of it, it may have whole."""
    return half_of(dataset, key) == (READ if dataset in READ_SETS else FIT)


def number_of(text: str) -> int:
    """The hash of a text as a number: to choose by it is to choose at random, and every time the same."""
    return int(hashlib.sha256(text.encode()).hexdigest(), 16)
