"""How good a step's result is: spec 3's five factors, each measured on the text and on the passages it cites.

Length and structure (spec 3's heuristic scorer) enter completeness and specificity, hedges and certainties hedging.
A factor that has nothing to measure is unscored: one statement cannot be inconsistent with itself.
"""

from collections.abc import Sequence
from itertools import combinations
from statistics import fmean

from calibrant.judges.cascade import Judged
from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.comparing.alignment import NAME_WEIGHT, align, share, weight
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.overlap_measures import pieces, share_held, share_of_pairs
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.evidence.attributes import stem_row
from calibrant.judges.free.evidence.cited import named_by
from calibrant.judges.free.synthesis.cut_out import CUT_OUT
from calibrant.judges.free.synthesis.support import SupportJudge
from calibrant.judges.free.words.text import CERTAINTIES, HEDGES, cues_in, language_of, sentences
from calibrant.judges.given import ToScore, ToSupport
from calibrant.state.answer import Claim, Conflict, Verdict
from calibrant.state.confidence import Confidence, Factor, ResultWeights, confidence_of
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import TokenEncoder
from calibrant.state.task import StepStatus, SubResult

_CREDIT = {Verdict.SUPPORTED: 1.0, Verdict.QUALIFIED: 0.6, Verdict.UNVERIFIED: 0.2, Verdict.CONTRADICTED: 0.0}
_ENOUGH_TOLD = 4
"""Words beyond the question that count half of what many would: a bare value answers, but leaves its case open."""
_ENOUGH_DETAILS = 2
_MOST_OF_IT = 0.6
"""Share of a passage, by meaning, from which on an answer has told it: nobody repeats every word."""
_LOW = 0.5
"""Spec 3: below it, the overall confidence is worth a warning."""
Part = tuple[float | None, str]


class ResultScorer:
    """Scores one sub-result. The encoder lets other words for the question's words count."""

    def __init__(self, encoder: TokenEncoder | None = None, weights: ResultWeights | None = None) -> None:
        self._encoder = encoder
        self._weights = weights or ResultWeights()
        self._support = SupportJudge(encoder)

    def free(self, given: ToScore) -> Judged[Confidence]:
        """The confidence in ``given.result``; the doubt is how far its factors disagree with each other."""
        result = given.result
        if result.failure is not None or not result.statements:
            return self._empty(result)
        claims = claims_of((result,), given.evidence)
        asked = f"{given.task.text} {result.question}"
        judged = self._support.free(ToSupport(claims, given.evidence, asked, given.today))
        cited = named_by((eid for one in result.statements for eid in one.evidence_ids), given.evidence)
        grounding = self._nearer(_grounding(judged.value), result, cited)
        parts: dict[str, Part] = {
            "completeness": self._completeness(result, given.evidence, cited),
            "consistency": _consistency(result),
            "specificity": _specificity(result, given.evidence),
            "grounding": grounding,
            "hedging": _hedging(result, grounding[0]),
        }
        confidence = confidence_of(self._factors(parts))
        return Judged(confidence, doubt=round(max(_spread(confidence), judged.doubt), 4))

    def _factors(self, parts: dict[str, Part]) -> list[Factor]:
        return [
            Factor(name=name, score=None if score is None else round(min(1.0, max(0.0, score)), 4),
                   weight=getattr(self._weights, name), reason=reason)
            for name, (score, reason) in parts.items()
        ]  # fmt: skip

    def _empty(self, result: SubResult) -> Judged[Confidence]:
        """No answer is not complete; a failure says nothing at all, and leaves every factor unscored."""
        failed = result.failure is not None or result.status is StepStatus.FAILED
        reason = "the step failed" if failed else "no statement answers the question"
        names = ("consistency", "specificity", "grounding", "hedging")
        complete: Part = (None if failed else 0.0, reason)
        return Judged(confidence_of(self._factors({"completeness": complete, **dict.fromkeys(names, (None, reason))})))

    def _completeness(self, result: SubResult, evidence: Sequence[Evidence], cited: Sequence[Evidence]) -> Part:
        """0.2 the best statement's score + 0.2 question words covered + 0.3 n / (n + 4) + 0.3 told; half where parts
        are missing.

        n counts the words that the answer takes from its passages beyond the question, ``told`` is how much it tells of
        the passage that it tells most of: of what we measure without a model, people's judgement of completeness
        follows these two most closely (evals, ``scorer``).
        """
        answers = max(statement.score for statement in result.statements)
        covered = self._covered(result)
        others = len(_details(result, evidence))
        told = self._share_told(result, cited)
        score = 0.2 * answers + 0.2 * covered + 0.3 * others / (others + _ENOUGH_TOLD) + 0.3 * told
        reason = (
            f"answers {answers:.0%}, covers {covered:.0%} of the question's words, tells {others} others "
            f"and {told:.0%} of what a passage has"
        )
        if result.missing:
            return 0.5 * score, f"{reason}; missing: {result.missing}"
        return score, reason

    def _share_told(self, result: SubResult, cited: Sequence[Evidence]) -> float:
        """How much the answer tells of one of its passages, the best of them: 1 from ``_MOST_OF_IT`` on."""
        language = language_of(result.content)
        answer = pieces(result.content, language)
        parts = [piece for item in cited for piece in pieces(item.text, language)]
        if self._encoder is None:
            stems = frozenset(stem for one in answer for stem in one.stems)
            shares = [len(part.stems & stems) / len(part.stems) for part in parts if part.stems]
        else:
            shares = [share_held([part], answer, self._encoder) or 0.0 for part in parts]
        return min(1.0, max(shares, default=0.0) / _MOST_OF_IT)

    def _covered(self, result: SubResult) -> float:
        question = read(result.question)
        told = [read(statement.text, question.language) for statement in result.statements]
        if self._encoder is not None:
            held = share_held([question], told, self._encoder)
            return 1.0 if held is None else held
        matched = {word.place for one in told for word, _ in align(question, one).pairs}
        held_words = [word for word in question.words if word.place in matched]
        return share(weight(held_words), weight(question.words) - weight(held_words)) if question.words else 1.0

    def _nearer(self, grounding: Part, result: SubResult, cited: Sequence[Evidence]) -> Part:
        """The mean of the verdicts, the share of the answer's word pairs that its passages have, and the share of its
        words that they hold by meaning: a verdict by words alone is coarse. One that a model gave is not one by words.
        """
        score, reason = grounding
        if score is None or not cited or all(statement.checked for statement in result.statements):
            return grounding
        pairs = share_of_pairs(result.content, [item.text for item in cited])
        held = None
        if self._encoder is not None:
            language = language_of(result.content)
            told = [piece for item in cited for piece in pieces(item.text, language)]
            held = share_held(pieces(result.content, language), told, self._encoder)
        found = {"by meaning": held, "word for word": pairs}
        measured = {name: share for name, share in found.items() if share is not None}
        said = ", ".join(f"{share:.0%} {name}" for name, share in measured.items()) or "none of it"
        return fmean([score, *measured.values()]), f"{reason}; they hold {said}"


def _grounding(claims: Sequence[Claim]) -> Part:
    """The mean credit of the claims: supported 1, qualified or cut out of a sentence 0.6, not found there 0.2,
    contradicted or uncited 0."""
    if not claims:
        return None, "nothing is stated"
    credit = sum(_credit(claim) for claim in claims) / len(claims)
    supported = sum(claim.verdict is Verdict.SUPPORTED for claim in claims)
    return credit, f"{supported} of {len(claims)} statements stand in the passages they cite"


def _credit(claim: Claim) -> float:
    """What is cut out of a sentence stands there within limits, as people rate it too (the fitting half of
    ``qags_cnndm``: 0.43 in place of 0.40)."""
    if not claim.spans:
        return 0.0
    return _CREDIT[Verdict.QUALIFIED if claim.reason == CUT_OUT else claim.verdict]


def _consistency(result: SubResult) -> Part:
    """1 minus the worst disagreement between two of its sentences; unscored where no two speak of one thing."""
    told = [read(sentence.text) for sentence in sentences(result.content)][:40]
    pairs = [align(one, other) for one, other in combinations(told, 2)]
    comparable = [pair for pair in pairs if pair.shared >= NAME_WEIGHT]
    if not comparable:
        return None, "no two sentences speak of one thing"
    hits = [hit for hit in map(oppose, comparable) if hit is not None and not hit.qualifies and hit.scope == "same"]
    worst = max(hits, key=lambda hit: hit.severity, default=None)
    if worst is None:
        return 1.0, "its sentences agree"
    return 1.0 - worst.severity, f'its sentences disagree: "{worst.values[0]}", "{worst.values[1]}"'


def _specificity(result: SubResult, evidence: Sequence[Evidence]) -> Part:
    """d / (d + 2) with d the details: numbers, dates, names, code and list items; a common word is 0.15 of one."""
    details = sum(_details(result, evidence).values()) + _structure(result.content)
    return details / (details + _ENOUGH_DETAILS), f"{details:.1f} details beyond the question"


def _details(result: SubResult, evidence: Sequence[Evidence]) -> dict[str, float]:
    """What the answer tells, by stem, and how much of a detail it is. Neither what the question already names counts,
    nor what no passage has (where there are passages)."""
    asked = read(result.question)
    held = frozenset(root for item in evidence for root in stem_row(item.text, asked.language))
    found: dict[str, float] = {}
    for sentence in sentences(result.content):
        found |= _details_in(read(sentence.text, asked.language))
    return {root: value for root, value in found.items() if root not in asked.stems and (root in held or not held)}


def _details_in(reading: Reading) -> dict[str, float]:
    words = {word.stem: 1.0 if word.name or word.parts else 0.15 for word in reading.words}
    spans = [(one.start, one.end) for one in reading.quantities] + [(one.start, one.end) for one in reading.dates]
    figures = {root: 1.0 for start, end in spans for root in stem_row(reading.text[start:end], reading.language)}
    return words | figures | {name: 1.0 for name, _ in reading.versions}


def _structure(content: str) -> float:
    """List items and code count as details (spec 3's ``scoreStructure``)."""
    items = sum(sentence.kind == "item" for sentence in sentences(content))
    return 0.5 * items + (1.0 if "`" in content else 0.0)


def _hedging(result: SubResult, grounding: float | None) -> Part:
    """Whether the words are as sure as the passages allow: 1 - 0.5 h g - (0.5 + 0.5 c) (1 - h) (1 - g).

    h and c are the shares of sentences that hedge and that insist, g the grounding. Hedging what is grounded costs at
    most a half (spec 3); being plain about what is not grounded costs a half, insisting on it all.
    """
    if grounding is None:
        return None, "nothing to be sure of"
    language = language_of(result.content)
    told = [sentence.text for sentence in sentences(result.content)] or [result.content]
    hedged = sum(bool(cues_in(text, HEDGES[language])) for text in told) / len(told)
    insisted = sum(bool(cues_in(text, CERTAINTIES[language])) for text in told) / len(told)
    score = 1.0 - 0.5 * hedged * grounding - (0.5 + 0.5 * insisted) * (1.0 - hedged) * (1.0 - grounding)
    return score, f"{hedged:.0%} of the sentences hedge, {insisted:.0%} insist, {grounding:.0%} grounded"


def _spread(confidence: Confidence) -> float:
    """How far the scored factors lie apart: twice their mean distance from the score, at most 1."""
    scores = [factor.score for factor in confidence.factors if factor.score is not None]
    if not scores:
        return 0.0
    return min(1.0, 2.0 * sum(abs(score - confidence.raw) for score in scores) / len(scores))


def warnings_of(
    overall: float | None,
    conflicts: Sequence[Conflict],
    excluded: Sequence[str],
    failed_sources: Sequence[str],
    replaced: Sequence[str] = (),
) -> tuple[str, ...]:
    """What the reader of the answer has to know (spec 3, ``generateWarnings``). ``overall`` is None without results,
    ``excluded`` are the questions whose results were left out, ``replaced`` what a document says that another one
    replaces."""
    found = []
    if overall is not None and overall < _LOW:
        found.append(f"Low overall confidence ({overall:.0%}). Results may be unreliable.")
    if conflicts:
        found.append(f"{_counted(len(conflicts), 'conflict')} between sources. Review carefully.")
    if excluded:
        found.append(f"{_counted(len(excluded), 'low-confidence result')} left out: {'; '.join(excluded)}")
    if replaced:
        told = _counted(len(replaced), "statement")
        found.append(f"{told} left out, of a document that holds no more: {' '.join(replaced)}")
    if failed_sources:
        found.append(f"{_counted(len(failed_sources), 'source')} could not be searched: {', '.join(failed_sources)}.")
    return tuple(found)


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
