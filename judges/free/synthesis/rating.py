"""What kind of conflict two opposed claims are, how severe it is, and how it is explained."""

import re
from collections.abc import Mapping, Sequence

from calibrant.judges.free.comparing.opposition import Opposition
from calibrant.judges.free.evidence.cited import cited_by
from calibrant.judges.free.synthesis.given_claims import GivenClaims
from calibrant.judges.free.synthesis.preferred import preferred
from calibrant.judges.free.words.text import content_words
from calibrant.state.answer import Claim, Conflict, ConflictKind
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

_QUALIFIED_TITLE = re.compile(r"^(?P<name>[^(,]+?)\s*(?:\((?P<kind>[^)]+)\)|,\s*(?P<place>[A-Z][\w .]+))")
_INCONSISTENT = frozenset(("value", "class", "answer"))
"""What two sides may differ in without contradicting each other."""
_LONG = 120
"""Characters from which what two sides tell is left to the sides themselves."""
_SAID = {
    Language.ENGLISH: {
        "number": "They give different numbers",
        "date": "They give different dates",
        "version": "They name different versions",
        "negation": "One states what the other denies",
        "refusal": "One takes back what the other states",
        "antonym": "They say the opposite",
        "order": "They order two things the other way round",
        "value": "They name different values for one attribute",
        "class": "They name different values for one attribute",
        "answer": "They answer differently",
        "ambiguity": "They may speak of different cases",
        "against": "against",
    },
    Language.PORTUGUESE: {
        "number": "Dão números diferentes",
        "date": "Dão datas diferentes",
        "version": "Indicam versões diferentes",
        "negation": "Uma afirma o que a outra nega",
        "refusal": "Uma revoga o que a outra afirma",
        "antonym": "Dizem o contrário",
        "order": "Ordenam duas coisas ao contrário",
        "value": "Dão valores diferentes para um só atributo",
        "class": "Dão valores diferentes para um só atributo",
        "answer": "Respondem de modo diferente",
        "ambiguity": "Podem falar de casos diferentes",
        "against": "contra",
    },
}


def conflict_of(one: Claim, other: Claim, hit: Opposition, one_subject: bool, given: GivenClaims) -> Conflict:
    """What ``hit`` sets two claims against each other by, as a conflict: its kind, severity and the side followed."""
    titles = _titles(one, given.passages), _titles(other, given.passages)
    kind, severity = _rated(hit, _entities_differ(*titles), one_subject or not _strangers(*titles))
    return Conflict(
        id=f"{one.id}-{other.id}",
        kind=kind,
        severity=severity,
        first=one,
        second=other,
        preferred=preferred(one, other, given.passages, given.today).id,
        explanation=_explained(hit, kind, given.language(one)),
    )


def _rated(hit: Opposition, entities_differ: bool, one_subject: bool) -> tuple[ConflictKind, float]:
    """Kind and severity. Two things of one name mislead; two cases that are both spelled out hardly do."""
    if entities_differ:
        return ConflictKind.AMBIGUITY, min(hit.severity, 0.6)
    if hit.scope == "unclear" or (hit.scope == "same" and not one_subject):
        both = hit.scope == "unclear" and not one_subject
        return ConflictKind.AMBIGUITY, round(min(0.6, (0.49 if both else 0.7) * hit.severity), 4)
    if hit.scope == "different":
        return ConflictKind.AMBIGUITY, round(0.35 * hit.severity, 4)
    kind = ConflictKind.INCONSISTENCY if hit.what in _INCONSISTENT else ConflictKind.CONTRADICTION
    return kind, hit.severity


def _titles(claim: Claim, passages: Mapping[str, Evidence]) -> list[str]:
    return [item.title for item in cited_by(claim, passages)]


def _entities_differ(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the passages are about different bearers of one name: Ryan Davis (footballer), Ryan Davis (baseball)."""
    return any(_namesakes(one, other) for one in first for other in second)


def _strangers(first: Sequence[str], second: Sequence[str]) -> bool:
    """Whether the titles share no word: a sentence that names nothing speaks of what its page is about."""
    words = [{word for title in titles for word in content_words(title)} for titles in (first, second)]
    return all(words) and not words[0] & words[1]


def _namesakes(one: str, other: str) -> bool:
    a, b = _QUALIFIED_TITLE.match(one), _QUALIFIED_TITLE.match(other)
    if a is None or b is None or a["name"].lower() != b["name"].lower():
        return False
    return (a["kind"] or a["place"]).strip().lower() != (b["kind"] or b["place"]).strip().lower()


def _explained(hit: Opposition, kind: ConflictKind, language: Language) -> str:
    words = _SAID[language]
    said = words["ambiguity" if kind is ConflictKind.AMBIGUITY else hit.what]
    first, second = hit.values
    if max(len(first), len(second)) > _LONG:
        return f"{said}."
    return f'{said}: "{first}".' if first == second else f'{said}: "{first}" {words["against"]} "{second}".'
