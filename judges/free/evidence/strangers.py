"""What a passage cannot be about: a name of the question that nothing in it resembles, another year, another one of
several numbered things."""

from difflib import get_close_matches

from calibrant.judges.free.evidence.matching import NUMBERED, Term, numbered_in
from calibrant.judges.free.evidence.query import Query, uncovered

_KIN, _KIN_LETTERS = 0.8, 4
"""Names are of one kin that begin with as many letters (Germany, German) or are alike in spelling (Counil, Council)."""


def strangers(query: Query, held: frozenset[str]) -> tuple[Term, ...]:
    """The names in the question that nothing in ``held`` resembles: what is told there is told of something else.

    On the fit half of ``squad2``, of the passages scored 0.5 or more with such a name 9% answer, of the others 56%.
    None where each word is capitalised, as in a headline, nor among the shortest, which are abbreviated at will.
    """
    if not any(query.text[start].islower() for _, start, _ in query.spans):
        return ()
    return tuple(
        term
        for term in uncovered(query, held)
        if term.is_name and (term.word.isalpha() or NUMBERED.fullmatch(term.word)) and not _kin(term, held)
    )


def tells_of_another(query: Query, held: frozenset[str]) -> bool:
    """Whether the question names a year that is not in ``held``, where there are others, or one of several numbered
    things (``node3``), where there are others of its kind: what is told there is told of those.

    On the fit halves 4% of the passages of another year answer.
    """
    if not query.numbered:
        return False
    told = {numbered for word in held if (numbered := numbered_in(word))}
    return not {kind for kind, _ in query.numbered - told}.isdisjoint(kind for kind, _ in told)


def _kin(term: Term, held: frozenset[str]) -> bool:
    if len(term.word) < _KIN_LETTERS or get_close_matches(term.word, held, 1, _KIN):
        return True
    return any(word.startswith(term.word[:_KIN_LETTERS]) for word in held)
