"""How a passage limits what a claim says without limits: by weaker words, or by a condition."""

import re

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.permission import is_permitted
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.synthesis.cut_out import CLAUSES, HALVES
from calibrant.judges.free.words.claim_words import CONDITIONS, DUTIES, FORBIDDEN, FORCE, LEAVE, PLAIN_FORCE
from calibrant.judges.free.words.text import tokens

_SAYS_ALL = 0.99
"""From this share of the passage's words on a claim says all that the passage says, with its limits."""


def limit_of(claim: Reading, best: Alignment) -> str:
    """How the passage limits what the claim says without limits; empty where it does not. What it says of something
    else, in another part of the sentence, limits nothing."""
    source = best.second if best.cover_second >= _SAYS_ALL else _parts(best, CLAUSES)
    if _is_stronger(claim, source) and not _gives_leave(claim, best):
        return "the claim is stronger than the passage"
    conditions = CONDITIONS[claim.language]
    words = _parts(best, HALVES).lowered
    if words & conditions and not claim.lowered & conditions and best.cover_second < 0.9:
        return "the passage adds a condition"
    return ""


def _is_stronger(claim: Reading, source: Reading) -> bool:
    if source.force < PLAIN_FORCE:
        return claim.force > source.force
    absolute = {word for word, force in FORCE[claim.language].items() if force > PLAIN_FORCE} - DUTIES
    return claim.force > source.force and not claim.lowered & absolute <= source.lowered


def _gives_leave(claim: Reading, best: Alignment) -> bool:
    """Whether both sides say what may be done, or may not: there "may" is no guess."""
    leave = any(is_permitted(word, best.second) for word in best.second.words)
    return leave and bool(claim.lowered & (LEAVE[claim.language] | FORBIDDEN))


def _parts(best: Alignment, breaks: re.Pattern[str]) -> Reading:
    """The second sentence without the parts of it that hold no word of the first."""
    source = best.second
    held = tokens(source.text)
    matched = [held[word.place].start for _, word in best.pairs if word.place < len(held)]
    ends = [*(found.start() for found in breaks.finditer(source.text)), len(source.text)]
    parts = zip([0, *ends], ends, strict=False)
    kept = [source.text[start:end] for start, end in parts if any(start <= place < end for place in matched)]
    return read("".join(kept), source.language) if kept else source
