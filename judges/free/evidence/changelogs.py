"""Lists of changes: what was new, fixed or removed in a version. They tell what changed then, not how things are now.

The reference says what holds today; an old version's entry may have been taken back since. So an entry answers only who
asks about a version, a change or a time, or where nothing else does.
"""

import re
from collections.abc import Iterable, Sequence

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import Sentence, content_words
from calibrant.state.evidence import Evidence

_DAY = r"[(\[]?[^()\[\]]*\b(?:19|20)\d\d\b[^()\[\]]*[)\]]?"
_PART = (
    r"(?:section|clause|article|chapter|part|item|annex|appendix|table|figure|step|rule|seção|secção|cláusula|artigo|capítulo"
    r"|parte|anexo|tabela|figura|passo|regra)\b"
)
"""What has numbers like a version's and is none."""
_LIST = re.compile(
    r"(?:.* )?(?:change ?logs?|change history|revision history|release (?:notes|history)|version history"
    r"|changes (?:in|since|between|for) .*|what['’]s new.*|(?:histórico|registro|registo|lista|notas) d[aeo]s? "
    r"(?:alterações|mudanças|versões|versão|lançamentos?)|novidades.*)",
    re.IGNORECASE,
)
"""What heads a list of changes."""
_VERSION = re.compile(
    rf"(?:(?:[\w-]+ )?(?:version|release|versão) v?\d+(?:\.\w+)*|(?:(?!{_PART})[\w-]+ )?(?:v\d+(?:\.\w+)*"
    rf"|\[?\d+(?:\.\w+){{2,}}(?:[-+]\w[\w.]*)?\]?|\[?\d+(?:\.\w+)+\]?(?=\s*[-–—:,]?\s*{_DAY}$)))"
    rf"(?:\s*[-–—:,]?\s*(?:{_DAY}|[(\[][^()\[\]]*[)\]]))?|\[?unreleased\]?|não lançad[oa]",
    re.IGNORECASE,
)
"""What heads the changes of one version: "2.1.0 (4 May 2021)", "Version 3.0", "[1.4.2] - 2020-02-01"."""
_ASKS = re.compile(
    r"^\W*(?:and |e |since |until |from |desde |até )?(?:when|quando)\b|\b(?:since|desde|until|até) (?:when|quando)\b"
    r"|\b(?:who|quem)\b|\bCVE-|\bv?\d+\.\d+|\bwhat['’]s new\b|\bnew in\b|\bused to\b|\bno longer\b|\bany ?more\b"
    r"|\b(?:versions?|releases?d?|latest|newest|chang\w*|added|introduc\w+|remov\w+|renam\w+|deprecat\w+|drop(?:s|ped)?"
    r"|still|previously|formerly|became|become|happened|fixed|upgrad\w+|migrat\w+|histor\w+|obsolete|discontinued"
    r"|replaced|vers(?:ão|ões)|lançad\w+|lançamentos?|mudou|mudad\w+|mudanças?|alterad\w+|alteraç\w+|novidades?"
    r"|adicionad\w+|introduzi\w+|removid\w+|renomead\w+|descontinuad\w+|deixou|ainda|antigamente|aconteceu|corrigi\w+"
    r"|migra\w+|histórico|obsolet\w+|substituíd\w+)\b",
    re.IGNORECASE,
)
_NEWEST = re.compile(
    r"\b(?:latest|newest|most recent|current|last|últim[ao]s?|mais recentes?|atual|atuais)\b", re.IGNORECASE
)
_OF_VERSIONS = re.compile(
    r"\b(?:versions?|releases?|changes?|updates?|vers(?:ão|ões)|lançamentos?|mudanças?|alterações)\b", re.IGNORECASE
)
_NUMERIC_DAY = re.compile(r"\b(?:19|20)\d\d[-./]\d\d?[-./]\d\d?\b")
_NUMBERED = re.compile(r"(?<![\w.])v?(?P<number>\d+(?:\.\w+)+(?:[-+]\w[\w.]*)?)(?![\w])", re.IGNORECASE)
_GROUPS = (
    "added add additions feature features introduced adicionado adicionada",
    "fixed fix fixes bug bugs bugfixes corrigido corrigida correções corrigiu",
    "removed remove removals dropped removido removida removeu",
    "deprecated deprecations descontinuado descontinuada",
    "security segurança",
)
_GROUP = {word: group for group, words in enumerate(_GROUPS) for word in words.split()}
"""What the entries of a version are sorted by, and how that is asked for."""
_OPENING = re.compile(r"^[\W_]*([^\W\d_]+)", re.MULTILINE)
"""The first word of a line: "- Fixed a crash"."""
_HEADS = word_set("changed changes alterado alterações") | _GROUP.keys()
_CAME = word_set(
    "released release come came out shipped ship published publish appear version date lançada lançado lançou saiu "
    "versão publicada data"
)
"""Words that ask for nothing but when a version came."""
_OF_ENTRY = (
    _CAME
    | _GROUP.keys()
    | word_set(
        "changed change changes new news notes list tell show happened breaking mudou mudanças alterado alterações "
        "novo nova novidades"
    )
)
"""Words that ask for nothing but what is told of a version."""
_ASKS_WHEN = re.compile(r"\b(?:when|quando)\b|\b(?:date|data)\b", re.IGNORECASE)


def is_entry_asked_for(question: str, item: Evidence) -> bool:
    """Whether ``question`` asks for what changed in a version, or when that came, and a passage tells of that version:
    its heading says so, and what it tells need have no word of the question."""
    asked = {match["number"].casefold() for match in _NUMBERED.finditer(question)}
    told, place = _headed(item)
    if place < 0 or len(asked) != 1 or asked != _number_of(told[place]):
        return False
    words = set(content_words(_NUMBERED.sub(" ", question))) - set(content_words(item.title))
    if _ASKS_WHEN.search(question):
        return words <= _CAME
    groups = _groups_in(words)
    own = [part.casefold() for part in told[place + 1 :] if part.casefold() in _HEADS]
    if not own:
        own = [word for word in map(str.casefold, _OPENING.findall(item.text)) if word in _GROUP]
    return words <= _OF_ENTRY and (not groups or not own or any(_GROUP.get(one) in groups for one in own))


def changes_asked_for(question: str, item: Evidence, found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences of a passage that open the changes of the version that ``question`` asks for: those of the sort
    that it asks for ("what was fixed"), where they say of themselves which they are of."""
    if _ASKS_WHEN.search(question) or not is_entry_asked_for(question, item):
        return ()
    entries = tuple(one for one in found if one.kind in ("item", "prose") and not one.goes_on(item.text))
    groups = _groups_in(content_words(question))
    meant = tuple(one for one in entries if groups & _groups_in(content_words(one.text)[:1]))
    return meant or entries


def version_above(item: Evidence) -> tuple[str, str]:
    """The heading of the version that a passage tells of, with those above it, and what stands below that."""
    told, place = _headed(item)
    return " > ".join(told[: place + 1]), " > ".join(told[place + 1 :])


def newest_entries(question: str, evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """What tells of the newest version in each list of changes, where ``question`` asks for the latest: it says nowhere
    that it is, and so has no word of the question."""
    if not (_NEWEST.search(question) and _OF_VERSIONS.search(question)):
        return ()
    numbers = {item.id: _version_of(item) for item in evidence}
    newest = dict[str, tuple[int, ...]]()
    for item in evidence:
        newest[item.document] = max(numbers[item.id], newest.get(item.document, ()))
    return tuple(item for item in evidence if numbers[item.id] and numbers[item.id] == newest[item.document])


def _groups_in(words: Iterable[str]) -> set[int]:
    return {_GROUP[word] for word in words if word in _GROUP}


def _version_of(item: Evidence) -> tuple[int, ...]:
    """The version that a passage tells of, by its heading; empty where that names none."""
    told, place = _headed(item)
    number = min(_number_of(told[place]), default="") if place >= 0 else ""
    return tuple(int(part) for part in re.findall(r"\d+", number))


def _headed(item: Evidence) -> tuple[list[str], int]:
    """The headings of a passage, and the place of that which names a version, or -1."""
    told = [part.strip() for part in item.locator.heading.split(" > ")]
    return told, next((place for place, part in enumerate(told) if _VERSION.fullmatch(part)), -1)


def _number_of(heading: str) -> set[str]:
    return {match["number"].casefold() for match in _NUMBERED.finditer(_NUMERIC_DAY.sub("", heading))}


def asks_of_changes(question: str) -> bool:
    """Whether ``question`` asks about a version, a change, a time, or whose work it was."""
    return bool(_ASKS.search(question))


def tells_of_changes(item: Evidence) -> bool:
    """Whether a passage stands in a list of changes: under that name, or under a version."""
    parts = [part.strip() for part in (*item.locator.heading.split(" > "), item.title)]
    return any(_LIST.fullmatch(part) or _VERSION.fullmatch(part) for part in parts)
