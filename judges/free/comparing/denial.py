"""Two sentences of which one denies, takes back or turns round what the other one states."""

from collections.abc import Iterator
from itertools import product

from calibrant.judges.free.comparing.alignment import Alignment
from calibrant.judges.free.comparing.clashes import clash_of_numbers
from calibrant.judges.free.comparing.content import Word
from calibrant.judges.free.comparing.decided import is_open, only_refuses, refusal_in, turns
from calibrant.judges.free.comparing.frame import fit_of, is_conditional, scope_of
from calibrant.judges.free.comparing.opposition import MIN_FIT, Opposition, full, graded
from calibrant.judges.free.comparing.permission import is_permitted
from calibrant.judges.free.comparing.reading import Reading
from calibrant.judges.free.words.claim_words import PLAIN_FORCE
from calibrant.judges.free.words.opposites import are_opposite, negates_by_prefix

_NEGATION_FIT = 0.55
_TOGETHER = 2
"""Words in common from which one thing is spoken of: the migration to Kafka, and not any migration."""


def negation(alignment: Alignment) -> Iterator[Opposition]:
    """One side denies words that the other one states. A denial under a condition only qualifies, and one that is the
    condition ("if it is not set") denies nothing."""
    first, second = alignment.sides
    by_first = [(one, other) for one, other in alignment.pairs if _denies(one, first) and not other.negated]
    by_second = [(other, one) for one, other in alignment.pairs if _denies(other, second) and not one.negated]
    shared = any(one.negated and other.negated for one, other in alignment.pairs)
    if shared or bool(by_first) is bool(by_second) or _odd(_opposites(alignment)):
        return
    fit = fit_of(alignment)
    if fit < _NEGATION_FIT or clash_of_numbers(alignment) is not None or not _answers(alignment, bool(by_first)):
        return
    denier, stater = alignment.sides if by_first else alignment.sides[::-1]
    denied = by_first or by_second
    word = denied[0][0].low
    # One side gives leave to do what the other one denies leave for: may book, may not book.
    leave = any(is_permitted(mine, denier) and is_permitted(theirs, stater) for mine, theirs in denied)
    severity = full(0.95, fit) if leave else graded(0.95, fit, alignment)
    qualifies = _only_qualifies(denier, stater, leave)
    yield Opposition("negation", severity, (word, word), fit, scope_of(alignment), qualifies)


def _denies(word: Word, reading: Reading) -> bool:
    return word.negated and not is_conditional(reading, word.start)


def refusals(alignment: Alignment) -> Iterator[Opposition]:
    """One side takes back, in nothing but words for that, what the other one states: it is cancelled."""
    is_first = turns(alignment.first)
    if is_first is turns(alignment.second):
        return
    refuser, stater = alignment.sides if is_first else alignment.sides[::-1]
    rest = alignment.only_first if is_first else alignment.only_second
    if not only_refuses(refuser, rest) or is_open(stater) or stater.negative or stater.conditional:
        return
    if len(alignment.pairs) < _TOGETHER or not _answers(alignment, is_first):
        return
    word = refusal_in(refuser)
    yield Opposition("refusal", 0.95, (word, word), 1.0, scope_of(alignment))


def _answers(alignment: Alignment, first_denies: bool) -> bool:
    """Whether the stating side states what the other one denies, and not only shares a word or two with it.

    The bounds part the true contradictions of the fitting halves (nine in ten cover 0.85 of the denial) from sentences
    of ordinary documentation (four in ten stay below 0.7).
    """
    denial, statement = alignment.cover_first, alignment.cover_second
    if not first_denies:
        denial, statement = statement, denial
    if alignment.shared < 3.0:
        return min(denial, statement) >= 0.8
    return denial >= 0.7 and statement >= 0.3


def _only_qualifies(denier: Reading, stater: Reading, leave: bool) -> bool:
    """A denial under a condition, or of what may be. Leave that is denied is no possibility."""
    if denier.conditional and not stater.conditional and denier.force <= PLAIN_FORCE:
        return True
    return not leave and denier.force < PLAIN_FORCE and stater.force <= PLAIN_FORCE


def antonyms(alignment: Alignment) -> Iterator[Opposition]:
    """Opposite words in the place of each other: the rate rose, the rate fell."""
    pairs = _opposites(alignment)
    if not _odd(pairs) or clash_of_numbers(alignment) is not None:
        return
    one, other = pairs[0]
    fit = fit_of(alignment, {a.place for a, _ in pairs}, {b.place for _, b in pairs})
    is_denied = any(a.negated is not b.negated for a, b in (*alignment.pairs, *pairs))
    if fit >= MIN_FIT and not is_denied:
        scope = scope_of(alignment, {one.place}, {other.place})
        yield Opposition("antonym", graded(0.85, fit, alignment), (one.low, other.low), fit, scope)


def _opposites(alignment: Alignment) -> list[tuple[Word, Word]]:
    language = alignment.first.language
    return [
        (one, other)
        for one, other in product(*alignment.unmatched)
        if negates_by_prefix(one.low, other.low) or are_opposite(one.stem, other.stem, language)
    ]


def _odd(pairs: list[tuple[Word, Word]]) -> bool:
    """Two antonyms turn the sense twice ("indoor rose", "outdoor fell")."""
    return len(pairs) % 2 == 1
