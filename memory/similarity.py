"""How alike two tasks are, without a model: shared content words weighted by rarity, and signs of another question.

Words alone cannot tell ``who founded it`` from ``when was it founded``, or a list to a tuple from a tuple to a list.
So what the words say is cut down where the two ask for different things, hold different numbers or operators, negate
differently or swap source and target. Pure: nothing here reads or waits.
"""

import math
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from calibrant.memory.words import ASIDE, QUALIFYING, STOP_WORDS, plain, signs, stem, tokens

SIMILAR = 0.6
"""Least similarity of two tasks by their words alone: above most pairs that differ in one content word."""

SIMILAR_BLENDED = 0.7
"""The same where an embedding model has a say: it finds rewordings, but rates near misses high as well."""

ANOTHER_QUESTION = 0.5
"""What is left of a similarity when the two ask for different things: below both thresholds."""

SUBSTITUTION = 2.0
"""A word exchanged for another changes the question more than a word left out: how much more."""

KIND_FOCUS = 0.75
"""A kind of task is named by few words: those it has must be there, the task's others matter less."""

SEMANTIC_FLOOR = 0.3
"""The cosine of unrelated sentences, about: it counts as nothing in common."""

_ASKS: dict[str, str] = {
    "who": "who", "whom": "who", "whose": "who", "quem": "who",
    "when": "when", "year": "when", "date": "when", "quando": "when", "ano": "when",
    "where": "where", "onde": "where",
    "why": "why", "porque": "why",
    "many": "count", "number": "count", "quantos": "count", "quantas": "count", "numero": "count",
}  # fmt: skip

_LABEL = re.compile(r"(?<=\w\s)[A-HJ-Z]\b")
"""A capital by itself behind a word. *I* is somebody, and an article is written small there."""

_BEFORE_ASKING = frozenset("a at by de em how in is o on por qual que the what which".split())  # noqa: SIM905
"""Words that may stand between the start of a question and the word that says what it asks for."""

_ASKS_ANYWHERE = frozenset({"who", "whom", "quem", "when", "quando", "where", "onde"})
_NEGATIONS = frozenset({"not", "without", "never", "sem", "nao", "nunca"})
_TARGETS = frozenset({"to", "into", "para"})
_ARTICLES = frozenset("a an the our my your o as os um uma".split())  # noqa: SIM905
_SILENT = STOP_WORDS - QUALIFYING
_LIMITING = frozenset(
    """
    of for in at on with during under by from before after inside outside within
    de da do das dos em no na nos nas com durante sob para por pelo pela antes depois
    """.split()  # noqa: SIM905
)
"""What leads to words that say which one is meant: the library of the museum, tickets for children."""
_ADJECTIVES_BEHIND = frozenset("da das dos o os onde qual quais quando quanto que quem um uma".split())  # noqa: SIM905
"""Words of a language that sets its adjectives behind what they limit."""
_INVERTING = ("dis", "des", "un", "de", "en", "in", "im", "ex")


@dataclass(frozen=True)
class Terms:
    """What a text is compared by."""

    plain: str
    """All of it, but for case, white space and a final sign."""
    spoken: tuple[str, ...]
    """All its words, in order."""
    words: frozenset[str]
    numbers: frozenset[str]
    labels: frozenset[str]
    """Letters that name one of several: plan A, hepatitis B."""
    asks: str
    negated: bool
    targets: frozenset[str]
    """Words that a *to* leads to."""
    signs: frozenset[str]
    """Operators and the like."""
    asides: frozenset[str]
    """Signs that stand alone and may be punctuation."""


@lru_cache(maxsize=8_192)
def terms_of(text: str) -> Terms:
    """The terms of ``text``."""
    found = tokens(text)
    content = [word for word in found if word not in STOP_WORDS]
    asks = _asks(found)
    shown = signs(text)
    asides = frozenset(sign for sign in shown if ASIDE.fullmatch(sign))
    return Terms(
        plain=plain(text),
        spoken=tuple(found),
        words=frozenset(stem(word) for word in content if not (asks and _ASKS.get(word) == asks)),
        numbers=frozenset(word for word in content if word[0].isdigit()),
        labels=frozenset(_LABEL.findall(text)),
        asks=asks,
        negated=any(word in _NEGATIONS for word in found),
        targets=frozenset(_targets(found)),
        signs=shown - asides,
        asides=asides,
    )


def _asks(found: Sequence[str]) -> str:
    """What a question asks for (who, when, where, why, how many), or nothing definite."""
    first = next((word for word in found if word not in _BEFORE_ASKING), "")
    return _ASKS.get(first) or next((_ASKS[word] for word in found if word in _ASKS_ANYWHERE), "")


def _targets(found: Sequence[str]) -> Iterator[str]:
    for place, word in enumerate(found):
        if word in _TARGETS:
            following = (stem(after) for after in found[place + 1 : place + 4] if after not in STOP_WORDS)
            yield from (target for target in (next(following, ""),) if target)


class Rarity:
    """How telling each word is among some texts: 1 for one that stands in all of them, more for a rarer one."""

    def __init__(self, texts: Sequence[str] = ()) -> None:
        counts = Counter(word for text in texts for word in terms_of(text).words)
        self._weights = {word: 1.0 + math.log((len(texts) + 1) / (count + 1)) for word, count in counts.items()}
        self._unseen = 1.0 + math.log(len(texts) + 1)

    def of(self, words: Iterable[str]) -> float:
        """The weight of ``words`` together."""
        return sum(self._weights.get(word, self._unseen) for word in words)


NO_TEXTS = Rarity()


def similarity(first: str, second: str, rare: Rarity = NO_TEXTS, cosine: float | None = None) -> float:
    """How alike two questions are, 0..1, by their words and, where there is one, by an embedding model's ``cosine``."""
    a, b = terms_of(first), terms_of(second)
    agreed = agreement(a, b)
    if a.plain == b.plain or (a.spoken and a.spoken == b.spoken and agreed == 1.0):
        return 1.0
    return agreed * _with_meaning(overlap(a, b, rare), cosine)


def applicability(task: str, kind: str, rare: Rarity = NO_TEXTS, cosine: float | None = None) -> float:
    """How well a task fits a kind of task, 0..1: what the kind names must stand in the task, which may hold more."""
    return _with_meaning(overlap(terms_of(task), terms_of(kind), rare, focus=KIND_FOCUS), cosine)


def least(cosine: float | None) -> float:
    """The least similarity that counts."""
    return SIMILAR if cosine is None else SIMILAR_BLENDED


def _with_meaning(words: float, cosine: float | None) -> float:
    if cosine is None:
        return words
    return (words + min(1.0, max(0.0, (cosine - SEMANTIC_FLOOR) / (1.0 - SEMANTIC_FLOOR)))) / 2.0


def overlap(a: Terms, b: Terms, rare: Rarity = NO_TEXTS, focus: float = 0.5) -> float:
    """The shared content words against those that only one of the two has, by weight (Tversky's index)."""
    if a.words.isdisjoint(b.words):
        return 0.0
    shared, only_a, only_b = rare.of(a.words & b.words), rare.of(a.words - b.words), rare.of(b.words - a.words)
    apart = focus * only_b + (1.0 - focus) * only_a + SUBSTITUTION * min(only_a, only_b)
    return shared / (shared + apart)


def agreement(a: Terms, b: Terms) -> float:
    """1 where nothing says that the two ask for different things; ``ANOTHER_QUESTION`` where something does."""
    another = (
        bool(a.asks and b.asks and a.asks != b.asks)
        or a.negated != b.negated
        or bool(a.numbers and b.numbers and a.numbers != b.numbers)
        or bool(a.labels and b.labels and a.labels != b.labels)
        or a.signs != b.signs
        or bool(a.asides and b.asides and a.asides != b.asides)
        or _swapped(a, b)
        or _limited(a, b)
        or _limited(b, a)
        or _inverted(a, b)
    )
    return ANOTHER_QUESTION if another else 1.0


def _swapped(a: Terms, b: Terms) -> bool:
    """Whether what one goes *to* is what the other comes from, and the other way round."""
    return bool(a.targets & (b.words - b.targets)) and bool(b.targets & (a.words - a.targets))


def _limited(a: Terms, b: Terms) -> bool:
    """Whether ``a`` says which one it means by a word that ``b`` lacks: right before another word (senior staff; in
    Portuguese behind it: piscina infantil), or behind a preposition (tickets for children). What holds for the one need
    not hold for all, nor for another one."""
    led = False
    behind = not _ADJECTIVES_BEHIND.isdisjoint(a.spoken)
    for before, word, following in zip(("", *a.spoken), a.spoken, (*a.spoken[1:], ""), strict=False):
        if word in _SILENT:
            led = word in _LIMITING or (led and word in _ARTICLES)
        elif word in b.spoken or stem(word) in b.words or _is_asked(word, a):
            led = False
        elif led or stem(following) in a.words or (behind and stem(before) in a.words):
            return True
    return False


def _is_asked(word: str, terms: Terms) -> bool:
    """Whether a word only says what a question asks for: in what year, how many."""
    return bool(terms.asks) and _ASKS.get(word) == terms.asks


def _inverted(a: Terms, b: Terms) -> bool:
    """Whether a word of one is the inverse of a word of the other: enable and disable, mount and unmount."""
    only_a, only_b = a.words - b.words, b.words - a.words
    return not {_root(word) for word in only_a}.isdisjoint(_root(word) for word in only_b)


def _root(word: str) -> str:
    prefix = next((p for p in _INVERTING if word.startswith(p) and len(word) - len(p) >= 3), "")
    return word.removeprefix(prefix)
