"""Two answers that are one sentence but for what is asked: "the default level is info", "the default level is warn"."""

import re
from collections.abc import Sequence
from itertools import product

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.exclusion import one_swap
from calibrant.judges.free.comparing.mentions import are_kin
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.claim_words import LEAVE, ONE_VALUED
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import Token, silent_words, stem, tokens

_ASKS_ONE = re.compile(
    r"^\W*(?:\w+ )?(?:who|whom|where|quem|onde|(?:what|which|qual|(?<!\bo )que)"
    r"(?! (?:do|does|did|can|could|should|must|may|might|will|would|are|were|has|have|had|happens?|são|foram"
    r"|acontece)\b)"
    r"(?! \w{2,}[^isu\W]s\b))\b",
    re.IGNORECASE,
)
"""What asks for the name of one thing, and not what happens or what several are."""
_DESCRIBES = frozenset({"a", "an", "um", "uma"})
"""Before what a thing is like: it is a tool, it is a library."""
_HAS_MANY = word_set(
    "like purpose reason cause goal aim use point idea example benefit role task duty function objetivo finalidade "
    "motivo causa meta uso papel tarefa função"
)
"""Words of a question that several things answer."""
_ATTRIBUTE = 2
"""Words of a question that asks for something of a thing, and not what it is."""
_EDGES = ".,;:!?()\"'`"


def filled_otherwise(query: Query, alignment: Alignment) -> tuple[str, str] | None:
    """What two sentences have in the one place in which they differ, where that is what is asked; else None."""
    first, second = alignment.sides
    swap = one_swap(first, second)
    if swap is None or not _ASKS_ONE.match(query.text) or len(query.terms) < _ATTRIBUTE:
        return None
    if first.dates or second.dates or _amounts(first) != _amounts(second):
        return None  # those have rules of their own
    if swap.takes_many(query.language) or query.asked & (_HAS_MANY | LEAVE[query.language]):
        return None
    if (first.negative, first.conditional) != (second.negative, second.conditional):
        return None
    mine, theirs = ([stem(token.word, query.language) for token in words] for words in (swap.first, swap.second))
    known = (*product(mine, theirs), *product(mine + theirs, [term.stem for term in query.terms]))
    if any(are_kin(one, other, query.language) for one, other in known):
        return None
    places = _chunk(first, swap.first), _chunk(second, swap.second)
    if not all(_takes_name(side, start) for side, (start, _) in zip(alignment.sides, places, strict=True)):
        return None
    return first.text[slice(*places[0])].strip(_EDGES), second.text[slice(*places[1])].strip(_EDGES)


def _amounts(side: Reading) -> list[tuple[float, str]]:
    return [(amount.value, amount.unit) for amount in side.quantities if amount.unit]


def _chunk(side: Reading, words: Sequence[Token]) -> tuple[int, int]:
    """Where ``words`` stand, with all that no space parts from them: eu-west-1, of which only "west" differs."""
    end = side.text.find(" ", words[-1].end)
    return side.text.rfind(" ", 0, words[0].start) + 1, len(side.text) if end < 0 else end


def _takes_name(side: Reading, start: int) -> bool:
    """Whether what begins at ``start`` is the name of a thing: it stands behind "is", "in" or "called"."""
    before, behind = ([token.word for token in tokens(part)] for part in (side.text[:start], side.text[start:]))
    last, silent = before[-1] if before else "", silent_words(side.language)
    return last not in _DESCRIBES and behind[0] not in silent and (last in silent or last in ONE_VALUED[side.language])
