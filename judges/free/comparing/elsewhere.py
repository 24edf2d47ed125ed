"""Whether a sentence that would be quoted beside an answer speaks of another case: France, where Germany is asked for.

The name that a question limits itself to stands behind a preposition, and so does what another sentence has in its
place.
"""

from calibrant.judges.free.comparing.frame import PLACING, governor_of
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.answer_kind import Expects
from calibrant.judges.free.evidence.query import Query

_LIMITING = PLACING | {"for", "para"}
"""Prepositions behind which a name limits what is asked."""


def limits(query: Query, answer: str) -> bool:
    """Whether ``answer`` has a name that limits the question: beside one that has none, nothing is elsewhere."""
    names = read(answer, query.language).names
    asked = read(query.text, query.language).words
    return any(word.stem in names and governor_of(word) in _LIMITING for word in asked)


def is_elsewhere(query: Query, answer: str, other: str) -> bool:
    """Whether ``other`` leaves out a name that limits the question and that ``answer`` says, and has one that is new in
    its place. Both texts with what stands above them."""
    if query.expects is Expects.PLACE:
        return False  # where in Germany? in Bonn
    asked, here, there = (read(text, query.language) for text in (query.text, answer, other))
    left_out = {governor_of(word) for word in asked.words if word.stem in here.names - there.stems}
    known = asked.stems | here.stems
    new = {governor_of(word) for word in there.words if word.name and word.stem not in known}
    return not (left_out & new).isdisjoint(_LIMITING)
