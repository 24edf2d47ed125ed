"""Finding what a model quoted in the passage that it names."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from calibrant.judges.free.words.numbers import Number, counts, numbers
from calibrant.judges.free.words.text import fold, sentences

CLOSE = 0.85
"""A run of words this similar to the quote is the quote: models change a comma or an article while copying."""

ROOM = 4
"""A quote may leave out one word to so many that it has."""

WORD_LIMIT = 80
"""Longer quotes are cut: nobody reads them, and a quote of everything proves nothing."""

_SAME = str.maketrans({"‹": "<", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})
_ELLIPSIS = re.compile(r"\s*(?:\[?\.\.\.\]?|…)\s*")
_JOINT = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_LINE_END = r"[-\u2010\u2011][ \t]*\n\s*"
_JOINTS = re.compile(rf"[{_JOINT}]|{_LINE_END}")
_WORD = re.compile(rf"\w+(?:[{_JOINT}]+\w+)*")
"""A word, soft hyphens and other signs that nobody sees included: a model copies it without them."""
_BROKEN_WORD = re.compile(rf"\w+(?:(?:[{_JOINT}]|{_LINE_END})+\w+)*")
"""The same, where a hyphen at the end of a line may have broken it: a model puts it together again."""
_CLOSING = re.compile(r"(?:\(\))?(?: %)?[%°)\"'”’\]`]*")
"""Signs behind a word that belong to it: a unit, a call, a quotation mark."""
_CLOSED_LATER = re.compile(r"[.,;:!?…]{0,3}[)\]\"'”’*_`]{1,4}")
"""The same behind a stop, where something is still open."""
_EMPHASIS = re.compile(r"[*_](?![*_\s])[^*_]*$")
"""Opened with a single mark."""


@dataclass(frozen=True)
class Found:
    """Words of a passage: offsets into its text, and the words themselves."""

    start: int
    end: int
    quote: str


def parts_of(quote: str) -> list[str]:
    """The runs of words that a quote has: an ellipsis joins them. A single word shows nothing, beside others, unless it
    is code, which may have no white space."""
    parts = [part.strip(" \"'“”.") for part in _ELLIPSIS.split(quote)]
    several = [part for part in parts if len(part.split()) > 1 or len(_WORD.findall(part)) > 2]
    return several or [max(parts, key=len)]


def parts_found(quote: str, texts: Sequence[str]) -> list[str]:
    """The parts of ``quote``; of one that stands in none of ``texts`` as a whole, its sentences: models leave out what
    stands between two."""
    return [one for part in parts_of(quote) for one in _apart(part, texts)]


def _apart(part: str, texts: Sequence[str]) -> list[str]:
    found = [one.text for one in sentences(part)]
    return [part] if len(found) < 2 or any(locate(part, text) for text in texts) else found


def is_quoted(quote: str, text: str) -> bool:
    """Whether a part of ``quote`` stands in ``text``: of what takes two places, one text may have only one."""
    return any(locate(part, text) for part in parts_of(quote))


def locate(quote: str, text: str) -> Found | None:
    """Where ``quote`` stands in ``text``: word for word, or nearly so. Of several parts the longest counts."""
    part = max(parts_of(quote), key=len)
    wanted = plain_words(part)
    if not wanted:
        return None
    wanted = wanted[:WORD_LIMIT]
    for word, run in ((_WORD, _exactly), (_BROKEN_WORD, _exactly), (_WORD, _nearly)):
        spans = [match.span() for match in word.finditer(text)]
        at = run(wanted, [plain_word(text[start:end]) for start, end in spans])
        if at is not None:
            return _widened(text, spans[at[0]][0], spans[at[1] - 1][1])
    return None


def _widened(text: str, start: int, end: int) -> Found:
    """The words with the signs that belong to them: $5, 10%, a closing bracket. What is opened there is closed, or not
    opened: “etc” ends in “etc.)”, and “**Note: oil it” is no quotation."""
    first = start
    while start > 0 and text[start - 1] in "$€£-(\"'[`*_":
        start -= 1
    closing = _CLOSING.match(text, end)
    end = closing.end() if closing else end
    if (
        _is_open(text[start:end])
        and (rest := _CLOSED_LATER.match(text, end))
        and not _is_open(text[start : rest.end()])
    ):
        end = rest.end()
    while (start < first or text[start] == "_") and text[start] not in "$€£-" and _is_open(text[start:end]):
        start += 1
    return Found(start, end, text[start:end])


def _is_open(text: str) -> bool:
    """Whether a bracket, a quotation mark or a mark of emphasis is opened in ``text`` and not closed, or so closed."""
    pairs = any(text.count(one) != text.count(other) for one, other in ("()", "[]"))
    return pairs or any(text.count(mark) % 2 for mark in ('"', "`", "**")) or _EMPHASIS.match(text) is not None


def plain_words(text: str) -> list[str]:
    """The words of ``text`` as they are compared; one of underscores alone is empty."""
    return [plain_word(word) for word in _WORD.findall(text.translate(_SAME))]


def plain_word(word: str) -> str:
    """``word`` in lowercase, without accents, signs that nobody sees and underscores around it."""
    return fold(_JOINTS.sub("", word).lower()).strip("_")


def _exactly(wanted: list[str], held: list[str]) -> tuple[int, int] | None:
    size = len(wanted)
    for start in range(len(held) - size + 1):
        if held[start] == wanted[0] and held[start : start + size] == wanted:
            return start, start + size
    return None


def _nearly(wanted: list[str], held: list[str]) -> tuple[int, int] | None:
    """The most similar run of words; none for short quotes, where one other word changes everything."""
    size = min(len(wanted), len(held))
    if size < 5:
        return None
    bag = set(wanted)
    shared = [word in bag for word in held]
    starts = sorted(range(len(held) - size + 1), key=lambda at: -sum(shared[at : at + size]))[:5]
    best, start, end = max((_run(wanted, held, at) for at in starts), key=lambda run: (run[0], -run[1]))
    same_numbers = _numbered(wanted) == _numbered(held[start:end])
    return (start, end) if best >= CLOSE and same_numbers else None


def _numbered(run: list[str]) -> list[str]:
    """The words with a number in them: 12, 12th, 30s; those that are one as digits, which models write for them."""
    written = (f"{found[0].value:g}" if (found := _counted(word)) else word for word in run)
    return [word for word in written if any(sign.isdigit() for sign in word)]


def _counted(word: str) -> tuple[Number, ...]:
    return tuple(one for one in numbers(word) if counts(word, one)) if word.isalpha() else ()


def _run(wanted: list[str], held: list[str], at: int) -> tuple[float, int, int]:
    """How similar ``wanted`` is to the words from about ``at`` on, and from where to where these go: a quote without
    the articles has fewer words, and what it ends with must not be cut off."""
    window = held[at : at + len(wanted) + len(wanted) // ROOM + 1]
    blocks = [b for b in SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks() if b.size]
    if not blocks:
        return 0.0, at, at
    first, last = blocks[0], blocks[-1]
    start = max(0, at + first.b - first.a)
    end = min(len(held), at + last.b + last.size + len(wanted) - last.a - last.size)
    return 2.0 * sum(block.size for block in blocks) / (len(wanted) + end - start), start, end
