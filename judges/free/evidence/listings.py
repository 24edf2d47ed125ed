"""Lists that a question asks for: the rows, entries or sections that stand under the name of what is to be listed.

"Which exit codes does skiff have?" is answered by every row of the table below "Exit codes", and "Which alerts are
there?" by the sections below "Alerts": none of them need say a word of the question, and a single one is no answer.
"""

import re
from collections.abc import Iterable, Sequence

from calibrant.judges.free.evidence.above import called, section_of
from calibrant.judges.free.evidence.matching import Term, are_all_in, covered, keys
from calibrant.judges.free.evidence.procedures import LONGEST, STEPS
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.sentences import announcement
from calibrant.judges.free.words.tables import cells, is_row
from calibrant.judges.free.words.text import Sentence, stem, tokens
from calibrant.state.evidence import Evidence

_SOME = r"(?:(?:all|of|the|its|our|your|their|some|os|as|todos|todas|seus|suas) )*"
_KIND = r"(?P<{}>(?:[\w-]+ ){{0,2}}?(?:[\w-]+(?<![su])s|criteria|people|children|data))\b"
"""In the plural: not "class" or "status"."""
_FORM = re.compile(
    rf"\W*(?:(?:please|so|and|por favor|e),? )*(?:(?:can|could|would) you )?(?:"
    rf"(?:which|what) {_KIND.format('which')}"
    r"(?= (?:are|were|do|does|did|can|could|may|might|must|will|have|had|exist)\b)"
    rf"|what (?:are|were) {_SOME}{_KIND.format('are')}(?= (?:of|for|in|to|on|with|at|that|when|if)\b|\W*$)"
    rf"|what do {_SOME}{_KIND.format('mean')}(?= .*\bmean\W*$)"
    rf"|(?:list|enumerate|name|show|give) (?:me |us )?{_SOME}{_KIND.format('list')}"
    rf"|what (?:do|does) .*\b(?P<verb>depend|consist)s? (?:on|of)\W*$"
    rf"|(?:quais|que) (?:são |foram )?{_SOME}(?P<quais>[\w-]+s)\b|(?:liste|enumere|cite) {_SOME}(?P<liste>[\w-]+s)\b)",
    re.IGNORECASE,
)
"""What a question wants listed: "exit codes"; or what something depends on."""
_THERE = re.compile(
    r"\W*(?:(?:which|what) [\w -]+?s (?:are (?:there|available)|exist|do (?:you|we) have)\b"
    r"|(?:quais|que) [\w-]+s (?:há|existem|temos|tem|têm)\b)",
    re.IGNORECASE,
)
"""What asks for nothing but what there is of a kind."""
_WHICH = re.compile(
    r"\W*(?:(?:for|in|on|by|with|from|to|of|at|under|para|em|com|de|a) )?"
    r"(?:which|quais|qual|que"
    r"|what (?:are\b|(?!(?:is|was|do|does|did|has|have|had|can|could|should|would|will|happens)\b)))",
    re.IGNORECASE,
)
"""What asks for the names of things."""
_ONLY_SOME = re.compile(
    r"(?:^|[?:] )\W*(?:there (?:is|are|exists?)|há|existem?) (?:also |também )?"
    r"(?:an? (?:\w+ )?(?:number|variety|range|set|lot|couple|handful) of|several|many|various|multiple|numerous|some"
    r"|lots of|plenty of|(?:uma série|um conjunto|uma variedade) de|vári[oa]s|divers[oa]s|muit[oa]s|algu(?:ns|mas)) "
    r"(?![^.]*(?:[,:;(]|\b(?:such as|including|like|namely|como|incluindo)\b"
    r"|(?-i:[A-Z][\w+#-]* (?:and|or|e|ou) [A-Z])))"
    r"[^.]*\W*$",
    re.IGNORECASE,
)
"""What says that there are some, and names none."""
_LIGHT = STEPS | word_set(
    "available existing existent exist listed different various take taken make made give given define defined "
    "describe described mention mentioned explain explained return returned offer offered provide provided contain "
    "contained send use used using know known common usual main disponíveis disponível existem "
    "existentes há listados listadas tomadas tomados usar usados usadas retorna retornar oferece comuns"
)
"""Words of a question that choose none of the things that are listed."""
LEAST = 2
"""Things of a list: a single one is none."""


def kind_listed(question: str) -> str:
    """What ``question`` wants listed, in its words ("exit codes"); empty where it asks for no list."""
    found = _FORM.match(question)
    return next((text for text in found.groups() if text), "") if found else ""


def listed_in(query: Query, item: Evidence, found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """The sentences of a passage that open the things that the question wants listed; none where what stands above
    leaves open anything that the question says.

    They are the rows of a table of which a column, or the heading, names the kind; the entries of a list that its
    heading or its announcement names; or the first words of a section that stands below a heading which names it.
    """
    head = _head(query)
    if head is None:
        return ()
    own = section_of(item)
    rows = tuple(one for one in found if is_row(one.text))
    columns = (column for one in rows for column, _ in cells(one.text))
    several = len(rows) >= LEAST or (rows and item.locator.columns)  # the last row of a table may stand alone
    if several and _is_named(query, head, item, (own, *columns)):
        return rows
    entries = tuple(one for one in found if one.kind == "item" and not is_row(one.text) and not one.goes_on(item.text))
    announced = (announcement(found, found.index(one)) for one in entries[:1])
    if len(entries) >= LEAST and _is_named(query, head, item, (own, *announced)):
        return entries
    *_, above, _ = ("", "", *item.locator.heading.split(" > "))
    opening = (one for one in found if one.kind in ("prose", "item") and not one.text.endswith(("?", ":")))
    is_section = not _is_named(query, head, item, (own,)) and _is_named(query, head, item, (above,))
    return tuple(opening)[:1] if is_section else ()


def section_listed(query: Query, item: Evidence, found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """All that stands under a heading which names what the question wants listed, where that is told in a few sentences
    ("Rate limits": readers may ..., writers may ...). Empty otherwise, and where one sentence tells it."""
    body, head = tuple(found[1:]), _head(query)
    if head is None or len(body) < LEAST or found[0].kind != "heading" or any(one.kind != "prose" for one in body):
        return ()
    is_short = body[-1].end - body[0].start <= LONGEST
    return body if is_short and _is_named(query, head, item, (section_of(item),)) else ()


def said_of_listed(query: Query, item: Evidence) -> int:
    """How many words of the question the heading of a passage says: of two lists the one that is meant says more."""
    own = keys(section_of(item), query.language)
    return sum(covered(term, own) == 1.0 for term in query.terms)


def tells_several(query: Query, text: str) -> bool:
    """Whether ``text`` may tell what there is of a kind, where the question asks for nothing else: what speaks of one
    alert does not tell which alerts there are."""
    head = _head(query) if _THERE.match(query.text) else None
    if head is None or is_row(text):
        return True
    alike = {token.word for token in tokens(text) if stem(token.word, query.language) == head.stem}
    return (
        not alike
        or head.word in alike
        or bool(re.search(rf"\b(?:{'|'.join(map(re.escape, alike))}):", text, re.IGNORECASE))
    )


def tells_which(query: Query, text: str) -> bool:
    """Whether ``text`` may name what is asked for, where the question asks which ones there are: that there are a
    number of them names none."""
    return not (_WHICH.match(query.text) and _ONLY_SOME.search(text))


def _head(query: Query) -> Term | None:
    """The word that says what is to be listed: "codes" of "exit codes"."""
    words = kind_listed(query.text).lower().split()
    return next((term for term in query.terms if words and term.word == words[-1]), None)


def _is_named(query: Query, head: Term, item: Evidence, names: Iterable[str]) -> bool:
    """Whether one of ``names`` says what is to be listed, and all else that the question says stands there or above the
    passage, or chooses nothing."""
    above = keys(f"{item.title} {item.locator.heading} {called(item)}", query.language)
    open_ones = [term for term in query.terms if term.word not in _LIGHT and covered(term, above) < 1.0]
    others = [term for term in open_ones if term is not head]
    said = (keys(name, query.language) for name in dict.fromkeys(names))
    return any(are_all_in((head, *others), held) for held in said)
