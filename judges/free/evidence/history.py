"""Lists of changes: what was new, fixed or removed in a version. They tell what changed then, not how things are now.

The reference says what holds today; an old version's entry may have been taken back since. So an entry answers only who
asks about a version, a change or a time, or where nothing else does.
"""

import re

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


def asks_of_changes(question: str) -> bool:
    """Whether ``question`` asks about a version, a change, a time, or whose work it was."""
    return bool(_ASKS.search(question))


def tells_of_changes(item: Evidence) -> bool:
    """Whether a passage stands in a list of changes: under that name, or under a version."""
    parts = [part.strip() for part in (*item.locator.heading.split(" > "), item.title)]
    return any(_LIST.fullmatch(part) or _VERSION.fullmatch(part) for part in parts)
