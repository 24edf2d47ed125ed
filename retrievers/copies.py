"""The same thing found twice: addresses of one page, and passages that say the same in nearly the same words."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from urllib.parse import parse_qsl, urlencode, urlsplit

from calibrant.retrievers.knowledge.terms import STOP_WORDS
from calibrant.state.evidence import Evidence

NEAR = 0.75
"""Two texts that share so much of the shorter one's word sequences are copies."""
RUN = 4
"""Words in a sequence."""
SHORT = 12
"""Below so many words only equal texts are copies: in short ones every word counts."""

_TRACKING = re.compile(
    r"^(?:utm_\w+|mtm_\w+|pk_\w+|fbclid|gclid|dclid|msclkid|yclid|igshid|mc_[ce]id|_ga|_gl|ref_src|spm|srsltid)$"
)
_INDEX = re.compile(r"/(?:index|default)\.(?:html?|php|aspx?)$")
_WORD = re.compile(r"[^\W_]+(?:\.\d+)*")
_TELLING = re.compile(r"\d|^(?:no|not|never|without|cannot|nor|none|n't|nao|não|nunca|sem)$")
"""Words that turn a statement into another one, where all the rest is equal."""


def canonical_url(url: str) -> str:
    """One spelling for the addresses of one page: scheme, ``www.``, default port, fragment, tracking parameters,
    order of parameters, index file and last slash aside. For comparing only: the address itself stays as it is."""
    try:
        parts = urlsplit(url.strip())
        port = parts.port
    except ValueError:
        return url
    if parts.scheme not in ("http", "https"):
        return url
    host = (parts.hostname or "").rstrip(".").removeprefix("www.")
    place = host if port in (None, 80, 443) else f"{host}:{port}"
    asked = sorted(pair for pair in parse_qsl(parts.query, keep_blank_values=True) if not _TRACKING.match(pair[0]))
    path = _INDEX.sub("/", parts.path).rstrip("/")
    return f"{place}{path}{'?' + urlencode(asked) if asked else ''}"


def document_of(item: Evidence) -> str:
    """The document that a passage belongs to, however its address is spelled."""
    return canonical_url(item.url) if item.url else item.title


def without_near_copies(items: Iterable[Evidence]) -> list[Evidence]:
    """``items`` without those that repeat an earlier one. Texts that differ in a number, a negation or a word in
    another's place are no copies, however alike: they may be the two sides of a conflict."""
    kept: list[_Text] = []
    seen: set[tuple[str, ...]] = set()
    holders: dict[tuple[str, ...], list[int]] = {}
    for item in items:
        text = _Text(item)
        if text.words in seen or any(text.repeats(kept[place], shared) for place, shared in _alike(text, holders)):
            continue
        seen.add(text.words)
        for run in text.runs:
            holders.setdefault(run, []).append(len(kept))
        kept.append(text)
    return [text.item for text in kept]


class _Text:
    """A passage in words."""

    def __init__(self, item: Evidence) -> None:
        self.item = item
        text = item.text.lower()
        # A text without any word is compared as it stands.
        self.words = tuple(_WORD.findall(text)) or (" ".join(text.split()),)
        size = len(self.words)
        self.runs = {self.words[at : at + RUN] for at in range(size - RUN + 1)} if size >= SHORT else set()
        different = frozenset(self.words)
        self.telling = frozenset(word for word in different if _TELLING.search(word))
        self.content = different - STOP_WORDS

    def repeats(self, other: "_Text", shared: int) -> bool:
        """Whether this one, having ``shared`` sequences in common with a better one, adds nothing to it."""
        if self.telling != other.telling or shared < NEAR * min(len(self.runs), len(other.runs)):
            return False
        if self.content - other.content and other.content - self.content:
            return False  # a word in another's place: "increases" for "decreases"
        # A much longer text that contains a short one says more.
        return len(self.runs) <= len(other.runs) / NEAR


def _alike(text: _Text, holders: dict[tuple[str, ...], list[int]]) -> Sequence[tuple[int, int]]:
    """The kept texts that share a sequence with ``text``, and how many they share."""
    return Counter(place for run in text.runs for place in holders.get(run, ())).most_common(5)
