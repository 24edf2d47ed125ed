"""How old a document says that it is, and which other one it says that it replaces.

"Edition 2023", "in force since 1 May 2025", "minutes of 18 March 2025": a date in the title, in the heading above a
passage or in the document's first line is its own. Further down one counts only behind a word that says so.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.words.text import STOP_WORDS, sentences_of, stem, tokens
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

Age = tuple[int, int, int]
"""Year, month and day; 0 for what is not told."""

_ENOUGH = 2
"""Words of a title that name a document."""
_OPENING = 3
"""Sentences at the start of a document that may say how old it is."""
_SAYS = re.compile(
    r"(?:edition|version|revised|updated|edited|effective|in force|valid|applies|status|as of|published|printed|dated"
    r"|adopted|issued|since|from|edição|versão|revist[oa]|atualizad[oa]|em vigor|válid[oa]|vigente|publicad[oa]|desde"
    r"|a partir de)\b[^.;]{0,40}$",
    re.IGNORECASE,
)
_SINCE = re.compile(r"(?:since|from|as of|desde|a partir de|effective)(?: the| de| o)?\s*$", re.IGNORECASE)
_END = re.compile(r"(?:until|till|to|before|até|antes de)(?: the)?\s*$", re.IGNORECASE)
_REPLACES = re.compile(
    r"\b(?:(?:replac|supersed|amend)(?!ed by)|chang(?:e|es|ed)\b|substitu(?!íd[oa] por)|revoga(?!d[oa] por)"
    r"|alter(?:a|ad)(?![oa] por)|instead of|in place of)",
    re.IGNORECASE,
)
_AS_A_WHOLE = re.compile(r"\b(?:replac|supersed|substitu|revoga)", re.IGNORECASE)
_PART = re.compile(
    r"\b(?:chapters?|sections?|paragraphs?|clauses?|articles?|annex\w*|appendi\w+|parts?|pages?|tables?|items?|rule"
    r"|capítulos?|seç(?:ão|ões)|parágrafos?|cláusulas?|artigos?|anexos?|partes?|páginas?|tabelas?|it(?:em|ens)|regra)\b",
    re.IGNORECASE,
)
_EARLIER = re.compile(
    r"\b(?:(?:all|the|any) (?:previous|earlier|former|prior|old) (?:version|edition|issue)s?"
    r"|(?:vers|ediç)(?:ão|ões) anterior(?:es)?)\b",
    re.IGNORECASE,
)
_FILE_DATE = re.compile(r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:[-_.](?P<month>[01]\d)(?:[-_.](?P<day>[0-3]\d))?)?(?!\d)")


def age_of(document: str, text: str, evidence: Iterable[Evidence]) -> Age | None:
    """When what ``text`` says came into force, as the sentence or its document says; None where they do not."""
    own = [date for date in read(text).dates if _SINCE.search(text[: date.start])]
    told = [date.ymd for date in own] or [age for item in _of(document, evidence) for age in _ages(item)]
    return max(told, default=None)


def is_newer(one: Age, other: Age) -> bool | None:
    """Whether ``one`` is newer, by the parts that both have; None where those are the same."""
    parts = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    return next((a > b for a, b in parts if a != b), None)


def replaces(document: str, other: str, evidence: Iterable[Evidence]) -> bool:
    """Whether the beginning of a document says that it replaces, or changes, what the other one's title names, or an
    earlier version of its own title that the other one is."""
    return bool(_replacing(document, other, tuple(evidence)))


def supersedes(document: str, other: str, evidence: Iterable[Evidence]) -> bool:
    """Whether it says so of the whole document: nothing that the other one tells holds any more."""
    held = tuple(evidence)
    lines = _replacing(document, other, held)
    whole = any(_AS_A_WHOLE.search(line) and not _PART.search(line) for line in lines)
    return whole and not _replacing(other, document, held)


def _replacing(document: str, other: str, held: Sequence[Evidence]) -> list[str]:
    """The sentences that say that one document replaces the other."""
    named = {root for item in _of(other, held) for root in _telling(f"{item.title} {item.locator.heading}")}
    lines = [line for item in _of(document, held) for line in _opening(item) if _REPLACES.search(line)]
    editions = _editions(other, held) if _is_of_one_title(document, other, held) else None
    return [line for line in lines if len(named & _telling(line)) >= _ENOUGH or _names_edition(line, editions)]


def _is_of_one_title(document: str, other: str, held: Sequence[Evidence]) -> bool:
    titles = [{_telling(item.title) for item in _of(side, held)} for side in (document, other)]
    return any(one == another and len(one) >= _ENOUGH for one in titles[0] for another in titles[1])


def _editions(document: str, held: Sequence[Evidence]) -> frozenset[str]:
    """The versions that a document's beginning says it is, where it does not say that it replaces them."""
    lines = [line for item in _of(document, held) for line in _opening(item) if not _REPLACES.search(line)]
    return frozenset(name for line in lines for name, _ in read(line).versions)


def _names_edition(line: str, editions: frozenset[str] | None) -> bool:
    """Whether a sentence names one of the ``editions`` of a document of the same title, or all that came before."""
    if editions is None:
        return False
    return bool(_EARLIER.search(line)) or any(name in editions for name, _ in read(line).versions)


def _of(document: str, evidence: Iterable[Evidence]) -> list[Evidence]:
    return [item for item in evidence if item.document == document]


def _ages(item: Evidence) -> Iterator[Age]:
    """The dates that a passage's title, heading, file and first sentences give as the document's own."""
    first, *further = _opening(item) or [""]
    own = [(line, True) for line in (item.title, item.locator.heading, first)]
    for line, is_own in (*own, *((line, False) for line in further)):
        for date in read(line).dates:
            before = line[: date.start]
            if not _END.search(before) and (is_own or _SAYS.search(before)):
                yield date.ymd
    for match in _FILE_DATE.finditer(item.url.rsplit("/", 1)[-1]):
        yield int(match["year"]), int(match["month"] or 0), int(match["day"] or 0)


def _opening(item: Evidence) -> list[str]:
    """The first sentences of a document, where the passage is its first."""
    return [one.text for one in sentences_of(item)[:_OPENING]] if item.locator.start == 0 else []


def _telling(text: str) -> frozenset[str]:
    """The stems of its words, file names apart."""
    found = (part for token in tokens(text) for part in (token.parts or (token.word,)))
    return frozenset(
        stem(word, Language.ENGLISH) for word in found if word.isalpha() and word not in STOP_WORDS[Language.ENGLISH]
    )
