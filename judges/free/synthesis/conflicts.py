"""Conflicts: claims of different passages that do not go together, how badly, and which one to follow.

Only claims that share telling words are compared (an inverted index), so that the time grows with the number of claims
and not with its square. What only qualifies, or speaks of another attribute, is no conflict.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise
from math import log

from calibrant.judges.cascade import Judged
from calibrant.judges.free.comparing.alignment import Alignment, align, word_vectors
from calibrant.judges.free.comparing.opposition import Opposition, oppose
from calibrant.judges.free.comparing.quantities import same_day
from calibrant.judges.free.comparing.reading import Reading, Word, read
from calibrant.judges.free.comparing.relating import relating
from calibrant.judges.free.comparing.rivals import SEVERITY, Comparison, compare_answers
from calibrant.judges.free.comparing.same_case import answer_of
from calibrant.judges.free.comparing.suspicion import suspicions
from calibrant.judges.free.evidence.above import names_above
from calibrant.judges.free.evidence.inference import Reads
from calibrant.judges.free.synthesis.preferred import preferred
from calibrant.judges.free.words.text import content_words
from calibrant.judges.free.words.units import MONEY
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, Conflict, ConflictKind
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import TokenEncoder
from calibrant.state.task import Language

_LONGEST_POSTING = 40
"""A word that more claims share than this says nothing about which of them speak of one thing."""
_PARTNERS = 10
_FEW = 4
"""Claims so few that all of them are compared: two may speak of one thing and share no word."""
_ENCODED = 8
"""Undecided pairs that are encoded at most, the most alike first: encoding is what takes time."""
_ALIKE = 0.5
"""Share of words in common from which two claims speak of one thing."""
_APART = 0.35
"""What a suspicion counts for where no call would help: it only ranks, below the doubt from which a model is asked."""
_NAMED, _NEARLY = 0.4, 0.8
"""The doubt about two sentences that say nearly the same, from this share of their words, and differ in a name: worth a
call, and no more."""
_LONG = 120
"""Characters from which what two sides tell is left to the sides themselves."""
_QUALIFIED_TITLE = re.compile(r"^(?P<name>[^(,]+?)\s*(?:\((?P<kind>[^)]+)\)|,\s*(?P<place>[A-Z][\w .]+))")
_INCONSISTENT = frozenset(("value", "class", "answer"))
"""What two sides may differ in without contradicting each other."""
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

Pair = tuple[Claim, Claim, Alignment]


class ConflictJudge:
    """Finds the conflicts among claims. An encoder lets other words for the same thing count.

    ``for_model``: suspicions decide whether a model is asked, so two sentences are read together for them. That takes
    2 seconds once, 200 MB and 10 ms a pair, which nobody should pay where no model can be asked.
    """

    def __init__(self, encoder: TokenEncoder | None = None, *, for_model: bool = False) -> None:
        self._encoder = encoder
        self._for_model = for_model

    @cached_property
    def _reads(self) -> Reads | None:
        return relating(self._encoder) if self._for_model else None

    def free(self, given: ToReconcile) -> Judged[tuple[Conflict, ...]]:
        """The conflicts from ``given.threshold`` on, worst first, with the doubt of the nearest call."""
        chosen = [*_candidates(_distinct(given.claims))]
        held = _Given(given, chosen)
        pairs = [(one, other, _aligned_claims(one, other, held.passages)) for one, other in chosen]
        found = [_conflict(*pair, held) for pair in pairs]
        closer = self._closer([pair for pair, hit in zip(pairs, found, strict=True) if hit is None], held)
        nearer = (_conflict(*one.pair, held) for one in closer if one.alike)
        hits = [hit for hit in (*found, *nearer) if hit is not None]
        reported = sorted(
            (conflict for conflict in hits if conflict.severity >= given.threshold),
            key=lambda conflict: (-conflict.severity, conflict.id),
        )
        near = [_nearness(conflict.severity, given.threshold) for conflict in hits]
        doubt = max([*near, *(one.doubt for one in closer)], default=0.0)
        return Judged(tuple(reported), doubt=round(doubt, 4))

    def _closer(self, open_pairs: Sequence[Pair], held: "_Given") -> list["_Closer"]:
        """The undecided pairs that are most alike, aligned again by meaning, with the fitted suspicion of each.

        Suspicion adds doubt, never a conflict: see ``suspicions``.
        """
        if self._encoder is None or not open_pairs:
            return []
        alike = [(min(pair[2].cover_first, pair[2].cover_second), pair) for pair in open_pairs]
        chosen = sorted(alike, key=lambda one: -one[0])[:_ENCODED]
        readings = [side for _, pair in chosen for side in (pair[2].first, pair[2].second)]
        vectors = word_vectors(self._encoder, readings)
        nearer = [align(pair[2].first, pair[2].second, vectors) for _, pair in chosen]
        suspected = suspicions(nearer, vectors, self._encoder, self._reads)
        return [
            _Closer((one, other, alignment), share >= _ALIKE, suspicion, held.is_open(one, other))
            for (share, (one, other, _)), alignment, suspicion in zip(chosen, nearer, suspected, strict=True)
        ]


@dataclass(frozen=True)
class _Closer:
    """A pair aligned by meaning, whether it shares most of its words, how far it looks like a contradiction, and
    whether nothing speaks against that."""

    pair: Pair
    alike: bool
    suspected: float
    is_open: bool

    @property
    def doubt(self) -> float:
        """The suspicion itself: the rules name few of the contradictions that are in other words (``claims`` and
        ``conflict`` in docs/EVALS.md)."""
        if not self.is_open:
            return _APART * self.suspected
        return max(self.suspected, _NAMED if self._names_another else 0.0)

    @property
    def _names_another(self) -> bool:
        """Whether two sentences that say nearly the same differ in a name: two places for one thing, say."""
        alignment = self.pair[2]
        alike = min(alignment.cover_first, alignment.cover_second) >= _NEARLY
        return alike and any(word.name for word in (*alignment.only_first, *alignment.only_second))


def _nearness(severity: float, threshold: float) -> float:
    """1 at the threshold, 0 from 0.25 away."""
    return max(0.0, 1.0 - abs(severity - threshold) / 0.25)


def _order(claim: Claim) -> tuple[int, str]:
    """c2 before c10."""
    return (len(claim.id), claim.id)


def flat(text: str) -> str:
    """A text as it is compared with others that say the same: without its case, its line wraps and its full stop."""
    return " ".join(text.lower().split()).rstrip(".")


def _distinct(claims: Sequence[Claim]) -> list[Claim]:
    """One claim for each text, the most confident, in the order of their ids: what came first must not matter."""
    best: dict[str, Claim] = {}
    for claim in sorted(claims, key=lambda claim: (-claim.confidence, _order(claim))):
        best.setdefault(flat(claim.text), claim)
    return sorted(best.values(), key=_order)


def _candidates(claims: Sequence[Claim]) -> Iterator[tuple[Claim, Claim]]:
    """Pairs from different passages that share telling words, each pair once; of few claims, all pairs, and of any
    those that a model says disagree."""
    keys = [_keys(read(claim.text)) for claim in claims]
    postings: dict[str, list[int]] = defaultdict(list)
    for place, held in enumerate(keys):
        for key in held:
            postings[key].append(place)
    few = len(claims) <= _FEW
    places = (place for place, claim in enumerate(claims) if few or claim.disputed)
    chosen = {
        (place, other) for place, other in combinations(places, 2) if few or _are_disputed(claims[place], claims[other])
    }
    for place, held in enumerate(keys):
        for other in _partners(place, held, postings, len(claims)):
            chosen.add((min(place, other), max(place, other)))
    for one, other in sorted(chosen):
        if not _same_passage(claims[one], claims[other]):
            yield claims[one], claims[other]


def _keys(reading: Reading) -> frozenset[str]:
    """Stems, versions, neighbouring stems ("default timeout" is rarer than either of its words), and that there is an
    amount of money: a price has many names."""
    stems = [word.stem for word in reading.words]
    neighbours = [f"{one} {other}" for one, other in pairwise(stems)]
    money = [amount.unit for amount in reading.quantities if amount.unit in MONEY]
    return frozenset([*stems, *neighbours, *(version for version, _ in reading.versions), *money])


def _partners(place: int, keys: frozenset[str], postings: Mapping[str, list[int]], count: int) -> list[int]:
    """The places that share most with ``place``, by summed inverse document frequency."""
    scores: dict[int, float] = defaultdict(float)
    for key in sorted(keys):
        posting = postings[key]
        if len(posting) <= _LONGEST_POSTING:
            for other in posting:
                scores[other] += log(1.0 + count / len(posting))
    scores.pop(place, None)
    return sorted(scores, key=lambda other: (-scores[other], other))[:_PARTNERS]


def _same_passage(one: Claim, other: Claim) -> bool:
    return bool(set(one.evidence_ids) & set(other.evidence_ids))


def _conflict(one: Claim, other: Claim, alignment: Alignment, given: "_Given") -> Conflict | None:
    """What two answers to one question disagree in; else what two sentences that say much the same do; else that the
    model that gave both says that they disagree."""
    answers = given.comparison(one, other)
    if answers.agree or given.agree(one, other):
        return None
    hit = answers.opposed or oppose(alignment)
    # What takes a thing back names it, and need not say the rest of the question again.
    if hit is not None and (hit.qualifies or (answers.apart and hit.what != "refusal")):
        hit = None
    is_disputed = _are_disputed(one, other)
    if is_disputed:
        hit = replace(hit, severity=max(hit.severity, SEVERITY), scope="same") if hit else _of_answers(alignment)
    one_subject = is_disputed or answers.about or alignment.shares_name
    return None if hit is None else _conflict_of(one, other, hit, one_subject, given)


def _are_disputed(one: Claim, other: Claim) -> bool:
    """Whether the model that answered a question with both says that they disagree."""
    return one.disputed and other.disputed and one.question_id == other.question_id


def _of_answers(alignment: Alignment) -> Opposition:
    """Two answers that differ in what only one of them says."""
    one, other = alignment.first, alignment.second
    values = _told_by(one, alignment.only_first, other), _told_by(other, alignment.only_second, one)
    return Opposition("answer", SEVERITY, values)


def _told_by(side: Reading, words: Sequence[Word], other: Reading) -> str:
    """What only one side tells, from the first such word, amount or day to the last one."""
    amounts = {amount.value for amount in other.quantities}
    told = [(word.start, word.end) for word in words]
    told += [(amount.start, amount.end) for amount in side.quantities if amount.value not in amounts]
    told += [(day.start, day.end) for day in side.dates if not any(same_day(day, held) for held in other.dates)]
    return side.text[min(start for start, _ in told) : max(end for _, end in told)] if told else side.text


class _Given:
    """What claims quote and answer, by id, and how they compare as answers to one question."""

    def __init__(self, given: ToReconcile, pairs: Sequence[tuple[Claim, Claim]]) -> None:
        self.passages = {item.id: item for item in given.evidence}
        self.today = given.today
        self._asked = {question.id: question.text for question in given.questions}
        self._comparisons = {(one.id, other.id): self._answers(one, other) for one, other in pairs}
        told = (pair for pair in pairs if self.comparison(*pair).agree)
        self._agreed = {(one.id, self._document(other)) for pair in told for one, other in (pair, pair[::-1])}

    def comparison(self, one: Claim, other: Claim) -> Comparison:
        """Two claims as answers to one question, if they are that."""
        return self._comparisons[one.id, other.id]

    def language(self, claim: Claim) -> Language:
        """The language of the question that a claim answers: whoever asked it reads what is found. Else the claim's."""
        return read(self._asked.get(claim.question_id) or claim.text).language

    def is_open(self, one: Claim, other: Claim) -> bool:
        """Whether two documents answer one question, and not the same. That they speak of two cases is a guess."""
        if one.question_id != other.question_id or self._document(one) == self._document(other):
            return False
        answers = self.comparison(one, other)
        strangers = answers.apart and not answers.about
        return not (answers.agree or strangers or self.agree(one, other))

    def agree(self, one: Claim, other: Claim) -> bool:
        """Whether one side says what the other one's document says elsewhere: that is its answer then."""
        sides = ((one, other), (other, one))
        return any((side.id, self._document(against)) in self._agreed for side, against in sides)

    def _answers(self, one: Claim, other: Claim) -> Comparison:
        question = self._asked.get(one.question_id, "") if one.question_id == other.question_id else ""
        cited = [self._cited(side) for side in (one, other)]
        if not question or not all(cited):
            return Comparison()
        return compare_answers(question, answer_of(one.text, cited[0][0]), answer_of(other.text, cited[1][0]))

    def _document(self, claim: Claim) -> str:
        return next((item.document for item in self._cited(claim)), "")

    def _cited(self, claim: Claim) -> list[Evidence]:
        return [self.passages[eid] for eid in claim.evidence_ids if eid in self.passages]


def _conflict_of(one: Claim, other: Claim, hit: Opposition, one_subject: bool, given: "_Given") -> Conflict:
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


def _aligned_claims(one: Claim, other: Claim, passages: Mapping[str, Evidence]) -> Alignment:
    sides = [[passages[eid] for eid in claim.evidence_ids if eid in passages] for claim in (one, other)]
    return aligned(untitled(one.text, *sides), untitled(other.text, *reversed(sides)))


def untitled(text: str, own: Sequence[Evidence], others: Sequence[Evidence]) -> str:
    """``text`` without the title or heading of its passage that opens it, where the other passages stand under the same
    names (words, if it has no name): it sets no two statements apart then, and hides how alike they are."""
    shared = {stem for item in others for stem in read(f"{item.title}. {item.locator.heading}").stems}
    for above in (above for item in own for above in names_above(item)):
        opening = read(above)
        if text.startswith(f"{above}: ") and (opening.names or opening.stems) <= shared:
            return text.removeprefix(f"{above}: ")
    return text


def aligned(first: str, second: str) -> Alignment:
    """Both texts aligned, read in one language: that of the longer one, which tells its language more surely."""
    one, other = read(first), read(second)
    if one.language is other.language:
        return align(one, other)
    language = max((one, other), key=lambda side: (len(side.text), side.text)).language
    return align(read(first, language), read(second, language))


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
    return [passages[eid].title for eid in claim.evidence_ids if eid in passages]


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
