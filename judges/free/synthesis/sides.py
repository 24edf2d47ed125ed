"""Two claims side by side: each without the title of its own page, both read in one language."""

from collections.abc import Mapping, Sequence
from itertools import chain

from calibrant.judges.free.comparing.alignment import Alignment, align
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.above import names_above
from calibrant.judges.free.evidence.cited import cited_by
from calibrant.state.answer import Claim
from calibrant.state.evidence import Evidence


def aligned_claims(one: Claim, other: Claim, passages: Mapping[str, Evidence]) -> Alignment:
    """Two claims aligned, each without the title of its own page where that sets them apart from nothing."""
    mine, theirs = cited_by(one, passages), cited_by(other, passages)
    return aligned(untitled(one.text, mine, theirs), untitled(other.text, theirs, mine))


def untitled(text: str, own: Sequence[Evidence], others: Sequence[Evidence]) -> str:
    """``text`` without the title or heading of its passage that opens it, where the other passages stand under the same
    names (words, if it has no name): it sets no two statements apart then, and hides how alike they are."""
    shared = {stem for item in others for stem in read(f"{item.title}. {item.locator.heading}").stems}
    for above in chain.from_iterable(map(names_above, own)):
        opening = read(above)
        if text.startswith(f"{above}: ") and (opening.names or opening.stems) <= shared:
            return text.removeprefix(f"{above}: ")
    return text


def aligned(first: str, second: str) -> Alignment:
    """Both texts aligned, read in one language: that of the longer one, which tells its language more surely."""
    one, other = read(first), read(second)
    if one.language is other.language:
        return align(one, other)
    language = max((one, other), key=lambda side: (len(side.text), side.text)).language
    return align(read(first, language), read(second, language))
