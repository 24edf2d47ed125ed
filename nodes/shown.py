"""Which passages a step is shown: there is room for few, and those that answer are to be among them."""

from collections.abc import Callable, Collection, Sequence

from calibrant.judges.free.words.text import folded_stems
from calibrant.judges.model.passages import STILL_SHOWN, above
from calibrant.nodes.reading.steps import BRANCH_EVIDENCE, lacked
from calibrant.state.channels import View
from calibrant.state.evidence import Evidence
from calibrant.state.task import Step, SubResult

ASKED, LACKING = 0.5, 1.0
"""What the share of words that a passage has counts for beside its relevance, up to 1: of the words of what is asked,
and of what a model that has read others says is lacking, which are the documents' own."""


def quoted_before(state: View, step: Step) -> frozenset[str]:
    """The passages that the steps which ``step`` waits for have quoted: what it asks often stands beside that. Also
    those that it has quoted itself, where it is to answer more."""
    results = (result for result in state.results if result.id in (step.id, *step.depends_on))
    return frozenset(held for result in results for said in result.statements for held in said.evidence_ids)


def evidence_for(
    step: Step,
    evidence: tuple[Evidence, ...],
    alone: bool,
    before: SubResult | None,
    stated: Collection[str],
    meets: Collection[str],
    *,
    guided: bool = False,
) -> tuple[Evidence, ...]:
    """The passages that a step gets, first of all those where an answer is likely ``stated``, then those of which each
    ``meets`` by itself all that was demanded.

    A step that is ``alone`` then gets the most relevant; one of several the relevant ones that have most of its words,
    since relevance is to the whole request; one that answers several parts those of each part by turns. Once a model
    has read some (``before``: the result of that) and said what is lacking, the best of those are shown again, with
    unread ones that have the words of what is lacking; where no such are left, none are, unless a person has ``guided``
    it since: what was read may answer then.
    """
    if step.parts:
        evidence = _by_turns(step.parts, evidence)
    evidence = tuple(item.replace(relevance=1.0) if item.id in stated else item for item in evidence)
    lacking = lacked(before)
    read = set(before.read) if before is not None and lacking else set[str]()
    first = [item for item in evidence if not lacking or item.id in read]
    if step.parts or alone:
        first.sort(key=lambda item: (*_rank(item, stated, meets), -item.relevance))
    else:
        merit = _merit(step.question)
        first.sort(key=lambda item: (*_rank(item, stated, meets), merit(item)))
    if not lacking:
        return tuple(first[:BRANCH_EVIDENCE])
    others = _lacking_first(lacking, [item for item in evidence if item.id not in read])
    if not others:
        return tuple(first[:BRANCH_EVIDENCE]) if guided else ()
    return (*first[:STILL_SHOWN], *others[: BRANCH_EVIDENCE - STILL_SHOWN])


def _by_turns(parts: Sequence[str], evidence: Sequence[Evidence]) -> tuple[Evidence, ...]:
    """``evidence``, each as relevant as its place among the best for one of ``parts``: of two things that are compared
    one must not crowd out the other."""
    places = _places(evidence, [_merit(part) for part in parts])
    return tuple(item.replace(relevance=1.0 / places[item.id]) for item in evidence)


def _lacking_first(lacking: str, evidence: Sequence[Evidence]) -> list[Evidence]:
    """``evidence``, by turns the best for each thing that a model says is ``lacking``, which semicolons keep apart."""
    merits = [_merit(one, _with_above, LACKING) for one in lacking.split(";") if one.strip()]
    places = _places(evidence, merits)
    return sorted(evidence, key=lambda item: places.get(item.id, 0))


def _places(evidence: Sequence[Evidence], merits: Sequence[Callable[[Evidence], float]]) -> dict[str, int]:
    """By id, the best place that a passage has by one of ``merits``, from 1."""
    places: dict[str, int] = {}
    for merit in merits:
        for place, item in enumerate(sorted(evidence, key=merit), start=1):
            places[item.id] = min(place, places.get(item.id, place))
    return places


def _rank(item: Evidence, *groups: Collection[str]) -> tuple[bool, ...]:
    """Sorts a passage by the groups that it is in: the first counts most."""
    return tuple(item.id not in group for group in groups)


def _with_above(item: Evidence) -> str:
    """A passage under its title and headings: "Requirements", over "only PostgreSQL 11 is supported"."""
    return f"{above(item)}\n{item.text}"


def _merit(
    about: str, text_of: Callable[[Evidence], str] = lambda item: item.text, words: float = ASKED
) -> Callable[[Evidence], float]:
    """Passages by their relevance to the request and their share of the words of ``about``, the best first.

    Over 199 questions put together in threes the passage with the answer is among the twelve first for 177 (by
    relevance alone for 171, those of own queries first for 166).
    """
    wanted = folded_stems(about)
    return lambda item: -(item.relevance + words * len(wanted & folded_stems(text_of(item))) / max(1, len(wanted)))
