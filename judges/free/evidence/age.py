"""How old a document says that it is.

"Edition 2023", "in force since 1 May 2025", "minutes of 18 March 2025": a date in the title, in the heading above a
passage or in the document's first line is its own. Further down one counts only behind a word that says so.
"""

import re
from calendar import monthrange
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, date, datetime
from itertools import takewhile

from calibrant.judges.free.words.dates import Date, dates_in
from calibrant.judges.free.words.text import Sentence, sentences, sentences_of
from calibrant.state.evidence import Evidence

Age = tuple[int, int, int]
"""Year, month and day; 0 for what is not told."""

_OPENING, _PARTICULARS, _FEW_WORDS = 3, 8, 12
"""Sentences at the start of a document that may say how old it is; so may those of a few words behind them, before the
next heading: "Status: ...", "Approved by: ...", "Replaces version 2."."""
_STATED = (
    "edition|version|reviewed|revised|updated|edited|effective|in force|valid|applies|status|published|printed|dated"
    "|adopted|issued|edição|versão|revist[oa]|revisão|atualizad[oa]|atualização|em vigor|válid[oa]|vigente|publicad[oa]"
    "|editad[oa]|impress[oa]|datad[oa]|adotad[oa]|aprovad[oa]|emitid[oa]|vigência|vigora|aplica-se"
)
_SAYS = re.compile(rf"(?:{_STATED}|as of|since|from|desde|a partir d[eo]|com efeitos?)\b[^.;]{{0,40}}$", re.IGNORECASE)
_SINCE = re.compile(r"(?:since|from|as of|desde|a partir d[eo]|effective)(?: the| de| o)?(?: dia)?\s*$", re.IGNORECASE)
_END = re.compile(r"(?:until|till|to|before|até|antes d[eo])(?: the| a| o| ao)?(?: dia)?\s*$", re.IGNORECASE)
_SIGNED = re.compile(
    rf"\W*(?:last |última )?(?:{_STATED}|prepared|written|compiled|drafted|approved|preparad[oa]|escrit[oa]"
    r"|elaborad[oa]|redigid[oa])(?: by\b| por\b|\s*:|\s+v?\d)",
    re.IGNORECASE,
)
"""What a document's date by itself stands behind: "Prepared by Ana Silva, 12 April 2025", "Version 2.6, May 2025"."""
_WRITTEN = re.compile(
    r"\W*(?:(?:this|est[ea])\s+[\w-]+\s+(?:was|foi)\s+)?(?:(?:last|última)\s+)?"
    r"(?:written|changed?|modified|modification|escrit[oa]|alterad[oa]|alteração|modificad[oa]|modificação)"
    r"(?:\s+pela última vez)?(?:\s*:|\s+on|\s+in|\s+em|\s+a)?\s+",
    re.IGNORECASE,
)
"""What a line opens with that tells no more than when its document was written: "Last changed on 12 June 2026." Of a
play a sentence goes on behind the year that it was written in."""
_SAID = re.compile(r"[*_]*\s*(?:[.;|)\n]|(?:by|por)\b|$)")
_STATES = re.compile(rf"\b(?:{_STATED})\b", re.IGNORECASE)
_HELD = re.compile(
    r"\b(?:appl(?:y|ied|ies)|valid|in force|effective|válid[oa]s?|vigente|em vigor|vigor(?:a|ou|ava)"
    r"|aplic(?:a|ou|ava)(?:m|-se)?)\b",
    re.IGNORECASE,
)
"""That a document holds, or held."""
_GONE = (
    r"(?:deprecated|obsolete|outdated|superseded|withdrawn|archived|no longer (?:valid|in force|maintained)"
    r"|descontinuad[oa]|obsolet[oa]|desatualizad[oa]|revogad[oa]|arquivad[oa])"
)
"""What is said of a document that holds no more."""
_WITHDRAWN = re.compile(rf"(?:^\W*|[(\[:–—|-]\s*|\bis\s+){_GONE}\s*(?:[\])]|\W*$|[:–—|-])", re.IGNORECASE)
"""What a title says of a document that holds no more: "Rules (deprecated)". "Deprecated modules" are its subject."""
_FOR_ALL = (
    r"(?!.*\b(?:for|para) (?:all |tod[oa]s )?(?:[oa]s )?(?:new|some|other|certain|nov[oa]s|outr[oa]s|alguns|algumas)\b)"
)
"""What is over for new services holds for the others."""
_STATUS = re.compile(
    r"^\W*(?:(?:status|state|estado|situação)\s*:\s*|(?:this|est[ea])\s+[\w-]+\s+(?:is|was|has been|é|foi|está)\s+)?"
    rf"(?:(?:now|já)\s+)?(?:replaced by|superseded(?: by)?|substituíd[oa] por|revogad[oa])\b{_FOR_ALL}"
    rf"|^\W*(?:status|state|estado|situação)\s*:\s*(?:{_GONE}|retired|replaced|rejected|expired|substituíd[oa]|rejeitad[oa])\b"
    rf"{_FOR_ALL}"
    r"|^\W*(?:this|est[ea])\s+(?:page|document|policy|guide|handbook|manual|runbook|article|página|documento|política|guia"
    rf"|artigo)\s+(?:is|was|has been|é|foi|está)\s+(?:now\s+|já\s+)?{_GONE}\b{_FOR_ALL}",
    re.IGNORECASE,
)
"""With which one of its particulars says the same."""
_STILL = re.compile(
    r"\b(?:still (?:in force|valid|applies)|remains (?:in force|valid)|(?:ainda|continua) (?:em vigor|válid[oa]))\b",
    re.I,
)
"""Beside its status: it holds for some, and no more for others."""
_DATED = re.compile(r"\W*(?:date|data)\s*:\W*", re.IGNORECASE)
"""The label of a document's date among its particulars."""
_ALONE = re.compile(r"\s*(?:on|in|em|a)?\s*", re.IGNORECASE)
"""What stands before a date that says no more than when."""
_STAMP_WORDS = 6
"""Words before the date in a line that states how old its document is: "This page was last updated on"."""
_STAMP_CHARS = 200
"""No such words are longer: what stands further from a date need not be looked at."""
_OPENS = re.compile(r"[|\n•]")
_SEGMENT = re.compile(r"[|,;()\n•–—]")
_OF_OTHERS = re.compile(
    r"^(?!this|these|est[ea]s?\b).*\b(?:is|are|was|were|be|been|has|have|had|"
    r"é|são|era|foi|foram|ser|sido|tem|têm|teve|tinha)\b",
    re.IGNORECASE | re.DOTALL,
)
"""A sentence with a verb tells of something, not of the document: a paper that was first published in 1769."""
_FILE_DATE = re.compile(
    r"(?<!\d)(?P<year>(?:19|20)\d\d)(?:[-_.](?P<month>0[1-9]|1[0-2])(?:[-_.](?P<day>0[1-9]|[12]\d|3[01]))?)?(?!\d)"
)


def age_of(document: str, text: str, evidence: Iterable[Evidence]) -> Age | None:
    """When what ``text`` says came into force, as the sentence or its document says; None where they do not."""
    own = [day.ymd for day in dates_in(text) if opens(day, text)]
    return max(own or ages_told(document, evidence), default=None)


def opens(day: Date, text: str) -> bool:
    """Whether ``text`` tells what is so from ``day`` on."""
    return _SINCE.search(text[: day.start]) is not None


def is_newer(one: Age | None, other: Age | None) -> bool | None:
    """Whether ``one`` is newer, by the parts that both have; None where those are the same, or one is not known."""
    if one is None or other is None:
        return None
    parts = [(a, b) for a, b in zip(one, other, strict=True) if a and b]
    return next((a > b for a, b in parts if a != b), None)


def is_to_come(age: Age | None, today: date | None) -> bool:
    """Whether that day is after ``today``, as far as both are known."""
    return age is not None and today is not None and age > _age_at(today)


def is_over(document: str, evidence: Iterable[Evidence], today: date | None) -> bool:
    """Whether a document says in its title or its status that it holds no more (for anybody), or in its first sentences
    that it did so until a day before ``today``."""
    held = of_document(document, evidence)
    ends = (day.ymd for item in held for line in (item.title, *opening(item)) for day in _ends(line))
    is_past = today is not None and is_newer(_age_at(today), max(ends, default=None)) is True
    return is_past or any(_WITHDRAWN.search(item.title) or _is_withdrawn(opening(item)) for item in held)


def _is_withdrawn(lines: Sequence[str]) -> bool:
    """Whether the first sentences of a document tell of a status in which it holds no more."""
    return any(map(_STATUS.search, lines)) and not any(map(_STILL.search, lines))


def tells_status(text: str) -> bool:
    """Whether ``text`` says of its document that it holds no more."""
    return _STATUS.search(text) is not None


def names_document(question: str, title: str) -> bool:
    """Whether ``question`` names the document with this ``title``, or what stands before the colon in it, by two words
    or more: whoever asks about PEP 582 asks what that says, in force or not."""
    said = question.casefold()
    heads = (title, title.partition(":")[0])
    return any(
        len(head.split()) > 1 and re.search(rf"(?<!\w){re.escape(head.casefold())}(?!\w)", said) for head in heads
    )


def out_of_force(evidence: Iterable[Evidence], today: date | None) -> frozenset[str]:
    """Ids of the passages whose documents say that they hold no more."""
    documents: dict[str, list[Evidence]] = {}
    for item in evidence:
        documents.setdefault(item.document, []).append(item)
    past = (held for document, held in documents.items() if is_over(document, held, today))
    return frozenset(item.id for held in past for item in held)


def _age_at(day: date) -> Age:
    return day.year, day.month, day.day


def _ends(line: str) -> Iterator[Date]:
    """The days until which ``line`` says that its document holds: "These prices applied until 31 December 2024"."""
    for day in dates_in(line):
        segment = _SEGMENT.split(line[max(0, day.start - _STAMP_CHARS) : day.start])[-1]
        if _END.search(segment) and _HELD.search(segment) and len(segment.split()) <= _STAMP_WORDS:
            yield day


def ages_told(document: str, evidence: Iterable[Evidence]) -> Iterator[Age]:
    """All dates that a document gives as its own."""
    return (age for item in of_document(document, evidence) for age in _ages(item))


def of_document(document: str, evidence: Iterable[Evidence]) -> list[Evidence]:
    """The passages of a document."""
    return [item for item in evidence if item.document == document]


def day_of(item: Evidence, evidence: Iterable[Evidence]) -> str:
    """When a passage is from, as its document says in so many words, the file's name, or its source: "2025-06-03",
    "2025-06" or "2025". Empty where nobody says so: a year in a title may be what the document is about, and when a
    file was written here is not when it was written."""
    told = _told(item, evidence)
    if told is None:
        return f"{item.published:%Y-%m-%d}" if item.published and not item.collection else ""
    year, month, day = told
    return f"{year:04}" + (f"-{month:02}" if month else "") + (f"-{day:02}" if month and day else "")


def moment_of(item: Evidence, evidence: Iterable[Evidence]) -> datetime | None:
    """The last day of those that a passage may be from, as its document says, or its source. Where nobody says so, when
    its file was written here is all that is known."""
    told = _told(item, evidence)
    if told is None:
        return item.published
    year, month, day = told[0], told[1] or 12, told[2] or 31
    return datetime(year, month, min(day, monthrange(year, month)[1]), tzinfo=UTC)


def _told(item: Evidence, evidence: Iterable[Evidence]) -> Age | None:
    """The last date that the document of a passage states to be its own, of those with a year."""
    stated = (age for one in of_document(item.document, evidence) for age in _said(one))
    return max((age for age in stated if age[0]), default=None)


def _said(item: Evidence) -> Iterator[Age]:
    """The dates that a document states to be its own in so many words, and those in the name of the file."""
    yield from _stamped((item.title, *opening(item)))
    yield from (age for age in _in_name(item) if age[1])


def _stamped(lines: Iterable[str]) -> Iterator[Age]:
    return (day.ymd for line in lines for day in dates_in(line) if _is_stamp(line, day))


def _is_stamp(line: str, day: Date) -> bool:
    """Whether the words of a ``line`` state that a date is their document's own, and not when something happened."""
    before = line[: day.start]
    if day.month and _WRITTEN.fullmatch(_OPENS.split(before)[-1]) and _SAID.match(line, day.end):
        return True
    segment = _SEGMENT.split(before)[-1]
    is_short = len(segment.split()) <= _STAMP_WORDS
    is_stated = _STATES.search(segment) or _DATED.fullmatch(segment) or _is_signed(before)
    return is_short and bool(is_stated) and not (_END.search(before) or _OF_OTHERS.search(before))


def _is_signed(before: str) -> bool:
    """Whether the line ``before`` a date says who wrote its document, or which version it is, and then the date."""
    line = before.rpartition("\n")[2]
    *others, last = _SEGMENT.split(line)
    told = others if _ALONE.fullmatch(last) else [last]
    return len(line.split()) <= _FEW_WORDS and any(map(_SIGNED.match, told))


def opening(item: Evidence) -> list[str]:
    """The first sentences of a document, from its first passage or as another one tells them."""
    found = sentences_of(item) if _is_first(item) else sentences(item.opening)
    further = takewhile(_is_particular, found[_OPENING:_PARTICULARS])
    return [one.text for one in (*found[:_OPENING], *further)]


def _is_particular(sentence: Sentence) -> bool:
    return sentence.kind != "heading" and len(sentence.text.split()) <= _FEW_WORDS


def _is_first(item: Evidence) -> bool:
    return item.locator.start == 0


def _ages(item: Evidence) -> Iterator[Age]:
    """The dates that a passage's title, heading, file and first sentences give as the document's own."""
    lines = opening(item) if _is_first(item) else []
    own = item.title, item.locator.heading, *lines[:1]
    for place, line in enumerate((*own, *lines[1:])):
        for day in dates_in(line):
            before = line[: day.start]
            if not _END.search(before) and (place < len(own) or _SAYS.search(before) or _is_stamp(line, day)):
                yield day.ymd
    if not _is_first(item):
        yield from _stamped(opening(item))
    yield from _in_name(item)


def _in_name(item: Evidence) -> Iterator[Age]:
    """The dates in the name of a file."""
    for match in _FILE_DATE.finditer(item.url.rsplit("/", 1)[-1]):
        yield int(match["year"]), int(match["month"] or 0), int(match["day"] or 0)
