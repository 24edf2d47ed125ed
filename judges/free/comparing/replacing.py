"""Which document says that it replaces or changes another one: "version 2 replaces version 1".

That decides which of two claims is followed, and only the plainest words for it let what the other one tells go.
"""

import re
from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass
from datetime import date

from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.age import ages_told, is_newer, is_to_come, of_document, opening
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import STOP_WORDS, language_of, stem, tokens
from calibrant.state.evidence import Evidence, host_of
from calibrant.state.task import Language

_ENOUGH = 2
"""Words of a title that name a document."""
_REPLACES = re.compile(
    r"\b(?:(?P<done>replaced|superseded|amended|changed|substituíd[oa]s?|revogad[oa]s?|alterad[oa]s?)"
    r"|(?P<all>replaces?|supersedes?|substitu(?:i|em)|revogam?)|replacing|superseding|amend(?:s|ing|ments?)?|changes?"
    r"|substituindo|revogando|alteram?|alterando|alteraç(?:ão|ões)|(?:substitu|alter|revog)(?:iu|ou|aram|íram)"
    r"|em substituição|em vez d[eoa]|no lugar d[eoa]|instead of|in place of)\b",
    re.IGNORECASE,
)
"""That something is replaced or changed. ``done``: in the passive, or the perfect; ``all``: as a whole, and now."""
_PERFECT = re.compile(r"\b(?:has|have|had)\s+$", re.IGNORECASE)
"""Before ``done`` where what is replaced stands behind it: "has replaced"."""
_BECOMES = re.compile(r"(?:^\W*(?:são|é)|\bficam?)\s+$", re.IGNORECASE)
_SUBJECT = re.compile(r"\s+[oa]s?\s+(?!partir\b)", re.IGNORECASE)
"""Around it in Portuguese, where the same holds: "a partir de hoje fica revogado o manual"."""
_NOT_DONE = re.compile(
    r"\b(?:will|shall|would|may|might|can|could|should|must|to|we|you|i|vai|vão|irá|irão|deve|devem|pode|podem|nós|será|serão|seriam?"
    r"|poder(?:á|ão|iam?)|dever(?:á|ão|iam?))\s+"
    r"(?:\w+ly\s+|also\s+)?(?:be\s+|ser\s+)?$",
    re.IGNORECASE,
)
"""Before what is only to be done, or what is done to other things than documents."""
_BY = re.compile(r"[^.;:]{0,40}\b(?:by|por|pel[oa]s?)\b", re.IGNORECASE)
_END_OF_OBJECT = re.compile(
    r"[;:]|,?\s(?:as (?:the|our|its?|described|told|said)|see|like|where|which|when|ver|veja|como|que)\b", re.IGNORECASE
)
_SELF = word_set(
    """
    this these it they the a an which and also hereby with in on of from as since to force effect effective valid
    edition version issue revision document guide guidelines handbook manual rules regulations policy notice
    circular leaflet booklet list price prices statutes terms conditions agreement contract present new current este
    esta estes estas ele ela o os as um uma e que de da do dos das em na no vigor desde partir dia efeito efeitos
    entra entram vigora vigente regulamento regimento regras normas norma manual circular tabela termos portaria
    instruções ora edição versão documento guia política aviso folheto lista preços estatutos
    condições contrato acordo presente nova novo
    """
)
"""Words with which a document speaks of itself."""
_FILLING = word_set(
    """
    the a an of our its their and in from with all any every previous earlier former prior old edition editions
    version versions issue issues dated entirely completely fully wholly entirety whole o os as um uma de da do dos
    das e em na no todas todos qualquer anterior anteriores antiga antigo antigas antigos edição edições versão
    versões totalmente inteiramente integralmente íntegra
    """
)
"""Words that leave the document beside whose name they stand whole."""
_EARLIER = re.compile(
    r"\b(?:(?:all|the|any) (?:previous|earlier|former|prior|old) (?:version|edition|issue)s?"
    r"|(?:vers|ediç)(?:ão|ões) anterior(?:es)?)\b",
    re.IGNORECASE,
)
_BEFORE_NOW = re.compile(r"\b(?:previous|earlier|former|prior|old|anterior(?:es)?|antig[oa]s?)\b", re.IGNORECASE)
_NUMBER = re.compile(r"(?<![\w.])\d[\d.]*\b")


def replaces(document: str, other: str, evidence: Iterable[Evidence]) -> bool:
    """Whether the beginning of a document says that it replaces, or changes, what the other one's title names, or an
    earlier version of its own title that the other one is. The older of the two never does, nor does a page of the web
    of what is not on its site."""
    held = tuple(evidence)
    return _may_speak_of(document, other, held) and bool(_replacing(document, other, held))


def supersedes(document: str, other: str, evidence: Iterable[Evidence], today: date | None = None) -> bool:
    """Whether it says so of itself, of the whole other document and as of ``today``: nothing that the other one tells
    holds any more. It has to say that in plain words: "these rules replace the rules of 2019"."""
    held = tuple(evidence)
    if not _may_speak_of(document, other, held):
        return False
    found = [one for one in _replacing(document, other, held) if _is_of_all(one, document, other, held)]
    return bool(found) and not _is_to_come(document, found, held, today) and not _replacing(other, document, held)


def _may_speak_of(document: str, other: str, held: Sequence[Evidence]) -> bool:
    """Whether one document's word is enough for what another one tells to go: a page of the web may say that of its own
    site alone, and never of what the user keeps."""
    own = of_document(document, held)
    if not document.startswith(("http://", "https://")) or any(item.collection for item in own):
        return True
    return host_of(document) == host_of(other) and not any(item.collection for item in of_document(other, held))


@dataclass(frozen=True)
class _Replacing:
    """That a sentence says of something that it is replaced: what stands before the verb, and what is replaced."""

    line: str
    before: str
    replaced: str
    whole: bool
    passive: bool


def _replacing(document: str, other: str, held: Sequence[Evidence]) -> list[_Replacing]:
    """What the beginning of a document says in such words of the other one."""
    if _is_later(document, other, held) is False:
        return []
    named = {root for item in of_document(other, held) for root in _telling(f"{item.title} {item.locator.heading}")}
    own = {root for item in of_document(document, held) for root in _telling(item.title)}
    editions = _editions(other, held) if _is_of_one_title(document, other, held) else None
    lines = [line for item in of_document(document, held) for line in opening(item)]
    return [
        one
        for line in lines
        for one in _said_in(line)
        if _names(one, named, own) or (not one.passive and _names_edition(one.replaced, editions))
    ]


def _names(said: _Replacing, named: Set[str], own: Set[str]) -> bool:
    """Whether what is replaced has enough of the words ``named``: in the passive ("these rules have been replaced")
    not only such as the document's ``own`` title has."""
    found = named & _telling(said.replaced)
    return len(found) >= _ENOUGH and not (said.passive and found <= own)


def _said_in(line: str) -> Iterator[_Replacing]:
    """What a sentence says is replaced or changed: it stands behind the verb, and before one in the passive."""
    for verb in _REPLACES.finditer(line) if not read(line).negative else ():
        before, after = line[: verb.start()], line[verb.end() :]
        is_behind = _PERFECT.search(before) or (_BECOMES.search(before) and _SUBJECT.match(after))
        is_passive = verb["done"] is not None and not is_behind
        if not _NOT_DONE.search(before) and not (is_passive and _BY.match(after)):
            replaced = before if is_passive else _END_OF_OBJECT.split(after, maxsplit=1)[0]
            yield _Replacing(line, before, replaced, verb["all"] is not None and replaced == after, is_passive)


def _is_of_all(said: _Replacing, document: str, other: str, held: Sequence[Evidence]) -> bool:
    """Whether it is said by a document of itself, and of the other one with nothing but its name."""
    own, theirs = _titled(document, held), _titled(other, held)
    if not said.whole or not (_words(said.before) - _SELF) <= own or not (_words(said.replaced) - _FILLING) <= theirs:
        return False
    told = read(said.replaced)
    taken = {start for _, start in told.versions}.union(*(range(day.start, day.end) for day in told.dates))
    is_numbered = any(one.start() not in taken for one in _NUMBER.finditer(said.replaced))  # rules 3 and 4 of them
    years, known = {day.year for day in told.dates}, {age[0] for age in ages_told(other, held)}
    is_earlier = not _BEFORE_NOW.search(said.replaced) or _is_later(document, other, held) is True
    return is_earlier and not is_numbered and not (years and known and years.isdisjoint(known))


def _is_to_come(document: str, said: Sequence[_Replacing], held: Sequence[Evidence], today: date | None) -> bool:
    """Whether a document is not in force yet."""
    ages = [*ages_told(document, held)]
    ages += [day.ymd for one in said for day in read(one.line).dates]
    return is_to_come(max(ages, default=None), today)


def _is_later(document: str, other: str, held: Sequence[Evidence]) -> bool | None:
    """Whether a document is newer than another one by its age, or of a higher version; None where they do not tell."""
    ages = [max(ages_told(side, held), default=None) for side in (document, other)]
    newer = is_newer(ages[0], ages[1])
    numbers = [[_number(name) for name in _editions(side, held)] for side in (document, other)]
    if newer is not None or not all(numbers) or max(numbers[0]) == max(numbers[1]):
        return newer
    return max(numbers[0]) > max(numbers[1])


def _number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".") if re.fullmatch(r"\d{1,9}", part))


def _titled(document: str, held: Sequence[Evidence]) -> frozenset[str]:
    """The words of a document's title, as they are and as stems."""
    titles = (f"{item.title} {item.locator.heading.partition(' > ')[0]}" for item in of_document(document, held))
    return frozenset(form for title in titles for form in (*_words(title), *_telling(title)))


def _words(text: str) -> frozenset[str]:
    """The words of a text outside of its dates, in small letters."""
    dates = read(text).dates
    return frozenset(
        token.word
        for token in tokens(text)
        if token.word.isalpha() and not any(day.start <= token.start < day.end for day in dates)
    )


def _is_of_one_title(document: str, other: str, held: Sequence[Evidence]) -> bool:
    titles = [{_telling(item.title) for item in of_document(side, held)} for side in (document, other)]
    return any(one == another and len(one) >= _ENOUGH for one in titles[0] for another in titles[1])


def _editions(document: str, held: Sequence[Evidence]) -> frozenset[str]:
    """The versions that a document's beginning says it is, where it does not say that it replaces them."""
    lines = [line for item in of_document(document, held) for line in opening(item) if not _REPLACES.search(line)]
    return frozenset(name for line in lines for name, _ in read(line).versions)


def _names_edition(text: str, editions: frozenset[str] | None) -> bool:
    """Whether a text names one of the ``editions`` of a document of the same title, or all that came before."""
    if editions is None:
        return False
    return bool(_EARLIER.search(text)) or any(name in editions for name, _ in read(text).versions)


def _telling(text: str) -> frozenset[str]:
    """The stems of the words of ``text``, of a file's name those of its parts. All by the English stemmer: a title is
    too short to tell its language."""
    found = (part for token in tokens(text) for part in (token.parts or (token.word,)))
    silent = STOP_WORDS[Language.ENGLISH] | STOP_WORDS[language_of(text)]
    return frozenset(stem(word, Language.ENGLISH) for word in found if word.isalpha() and word not in silent)
