"""The features of a passage, one row per sentence: those of its words, and with an encoder those of its tokens."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache, partial

import numpy as np
from numpy.typing import NDArray

from calibrant.judges.fitted import READER, SECTIONS, load_reader
from calibrant.judges.free.evidence.above import called, line_above
from calibrant.judges.free.evidence.late_interaction import (
    LATE_PASSAGE,
    LATE_SENTENCE,
    WINDOW,
    CachedEncoder,
    late_features,
    windows,
)
from calibrant.judges.free.evidence.lexical import (
    PASSAGE_FEATURES,
    SENTENCE_FEATURES,
    passage_features,
    sentence_features,
)
from calibrant.judges.free.evidence.matching import keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.reader import Reader, read_odds
from calibrant.judges.free.words.text import Sentence, sentences
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import CrossEncoder

Floats = NDArray[np.float64]
LEXICAL = (*SENTENCE_FEATURES, *PASSAGE_FEATURES)
READ = "s_read"
"""The log odds that the answer stands in a sentence, by the reader."""
COMPARED = (*LEXICAL, *LATE_SENTENCE, *LATE_PASSAGE, READ)
_LOW_IS_GOOD = frozenset({"s_gap", "s_lacks", "s_short", "s_neg", "s_num"})
ENCODED_CHARACTERS = 4_000
"""How much text is encoded per question: about 0.2 s on two cores when nothing is cached."""
_SIGNATURES = ("def ", "async def ", "class ")
_NOTHING = Sentence("", 0, 0)


@dataclass(frozen=True)
class Rows:
    """The features of one passage: ``sentences`` (n x ``names``) and ``passage`` (``names``)."""

    found: tuple[Sentence, ...]
    sentences: Floats
    names: tuple[str, ...]

    @cached_property
    def passage(self) -> Floats:
        """The best value of each feature over the sentences, the bodies of code left out: they say nothing in words."""
        if not len(self.sentences):
            return np.zeros(len(self.names))
        said = [one.kind != "code" or one.text.lstrip().startswith(_SIGNATURES) for one in self.found]
        sign = np.array([-1.0 if name in _LOW_IS_GOOD else 1.0 for name in self.names])
        best: Floats = (self.sentences[said if any(said) else slice(None)] * sign).max(axis=0) * sign
        return best


@dataclass(frozen=True, eq=False)
class Reading:
    """A reader with the cross-encoder that it is for."""

    pairs: CrossEncoder
    reader: Reader


@dataclass(frozen=True)
class Encoders:
    """What compares a question with passages token by token: each read by itself, and both together."""

    tokens: CachedEncoder
    passages: Reading

    @property
    def identity(self) -> str:
        """The identity of the weights that both have."""
        return self.tokens.identity

    @cached_property
    def sections(self) -> Reading:
        """Reads what stands in a section of a longer document: of a manual most sections are about what is asked, and
        one holds the answer. Fitted to those alone, it is better there, and worse elsewhere (``docs/EVALS.md``).
        Opened when first needed: that takes about a second and 200 MB."""
        return _reading(self.tokens, load_reader(SECTIONS)) or self.passages

    @cached_property
    def compared(self) -> Callable[[Query, tuple[Sentence, ...], str, Reading], Floats]:
        """``_compared`` of these encoders, remembered like ``_rows``: here, so that it goes when they go."""
        return lru_cache(maxsize=1_000)(partial(_compared, self))


def encoders_of(encoder: CachedEncoder) -> Encoders | None:
    """``encoder`` with the cross-encoder that is made of it; None where none can be."""
    passages = _reading(encoder, load_reader(READER))
    return Encoders(encoder, passages) if passages else None


def _reading(encoder: CachedEncoder, reader: Reader) -> Reading | None:
    pairs = encoder.adapted(reader.adapter)
    return Reading(pairs, reader) if pairs is not None else None


def is_structured(rows: Rows) -> bool:
    """Whether a passage is rather rows, entries or code than prose."""
    told = [one.kind for one in rows.found if one.kind != "heading"]
    return 2 * sum(kind in ("item", "code") for kind in told) > len(told)


def is_bare(item: Evidence, rows: Rows) -> bool:
    """Whether a passage is one sentence with nothing above it."""
    return len(rows.found) == 1 and not line_above(item)


def asked_of(query: Query, item: Evidence) -> Query:
    """``query`` without the names that the file of a passage is called by: all in it is about those."""
    return query.without_names(keys(called(item), query.language))


def lexical_rows(query: Query, item: Evidence) -> Rows:
    """The lexical features of a passage, one row per sentence."""
    return _rows(asked_of(query, item), item.text, item.locator.columns, item.locator.fence, line_above(item))


@lru_cache(maxsize=2_000)
def _rows(query: Query, text: str, columns: tuple[str, ...], fence: str, title: str) -> Rows:
    """Remembered: each phase of a run, and each judgement in it, compares the same question with the same passages."""
    found = sentences(text, columns, fence)
    above = keys(title, query.language)
    befores = (keys(one.text, query.language) for one in (_NOTHING, *found))
    each = [sentence_features(query, one.text, above, before) for one, before in zip(found, befores, strict=False)]
    lacks = SENTENCE_FEATURES.index("s_lacks")
    held = above.union(*(keys(one.text, query.language) for one in found))
    whole = passage_features(query, held, any(not row[lacks] for row in each))
    table = np.asarray([[*row, *whole] for row in each], dtype=np.float64).reshape(len(each), len(LEXICAL))
    return Rows(found, table, LEXICAL)


def compared_rows(query: Query, item: Evidence, lexical: Rows, encoders: Encoders) -> Rows:
    """``lexical`` with what the encoders say added."""
    reading = encoders.sections if item.is_in_section else encoders.passages
    more = encoders.compared(asked_of(query, item), lexical.found, line_above(item), reading)
    return Rows(lexical.found, np.hstack([lexical.sentences, more]), COMPARED)


def _compared(encoders: Encoders, query: Query, found: tuple[Sentence, ...], title: str, reading: Reading) -> Floats:
    """Of each sentence the features beyond the lexical ones."""
    parts = windows(found, title)[: ENCODED_CHARACTERS // WINDOW]
    texts = [part.text for part in parts]
    asked, *encoded = encoders.tokens.encode_tokens([query.whole, *texts])
    each, whole = late_features(query, asked, keys(title, query.language), parts, encoded, len(found))
    read = reading.pairs.encode_pairs(query.whole, texts)
    odds = read_odds(reading.reader, [part.places for part in parts], read, len(found))
    return np.hstack([each, np.repeat(whole[None, :], len(found), axis=0), odds[:, None]])
