"""Sufficiency by a model: it says which questions a passage answers and shows the words; code does the arithmetic. A
single question that is answered next is answered at once: whoever finds the words that answer it has the answer."""

from asyncio import to_thread
from collections import OrderedDict
from collections.abc import Hashable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import date
from itertools import chain

from calibrant.judges.cascade import Judged
from calibrant.judges.free.words.text import folded_stems
from calibrant.judges.given import ToSuffice
from calibrant.judges.model.asking import Asking, judged, listed, matched, titled, unknown_ids
from calibrant.judges.model.drafts import Drafts
from calibrant.judges.model.passages import Passages, beside_new, best_first, passages
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.prose import prose
from calibrant.judges.model.quoting import is_quoted
from calibrant.judges.model.schemas import PartRow, SufficeReply
from calibrant.state.base import unique
from calibrant.state.budget import Allowance, Spend
from calibrant.state.confidence import Confidence, Factor, after_verdict, confidence_of
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Sufficiency

RESTS_ON_PARTS = ("coverage", "completeness")
"""The factors that the parts decide; recency and diversity are counted from the passages."""

SHOWN = 0.95
"""How far towards 1 a part goes that the model shows the words for: beyond what any kind of question requires."""


KEPT = 512
"""Questions whose verdicts are kept, the oldest dropped first."""


@dataclass(frozen=True)
class _Verdict:
    """What a model has said of one question: whether the passages answer it, and which of them state it."""

    answerable: bool
    read: frozenset[str]
    """Ids of the passages that it was shown, those of an earlier no included."""
    stated_in: tuple[str, ...] = ()
    missing: str = ""

    def holds(self, held: Set[str], best: Set[str]) -> bool:
        """Whether it would say the same of the passages ``held``, of which the ``best`` fit into a prompt: those that
        state the answer are held, or there is none among the best that it has not read."""
        return held >= set(self.stated_in) if self.answerable else self.read >= best


_Found = tuple[dict[int, _Verdict], Spend, tuple[str, ...]]
"""The verdicts by the place of their question, what they cost, and warnings."""


class Suffice(Asking):
    """``ToSuffice`` -> ``Sufficiency``. The same questions are judged after each search: what is settled of them is not
    asked again, and of what was read in vain only the best is shown again beside what was not."""

    def __init__(self, port: ModelPort, drafts: Drafts) -> None:
        super().__init__(port, "suffice")
        self._drafts = drafts
        self._held: OrderedDict[Hashable, _Verdict] = OrderedDict()

    async def __call__(self, given: ToSuffice, free: Sufficiency, allowance: Allowance) -> Judged[Sufficiency]:
        shown = await to_thread(passages, best_first(given.evidence), " ".join(given.questions))
        by_answer = given.answered_next and len(given.questions) == 1 and bool(given.evidence)
        settled = self._settled(given, shown)
        asked = [part for part in range(len(given.questions)) if part not in settled]
        warnings: tuple[str, ...] = ()
        spend = Spend(sequential_calls=allowance.chain)
        if asked:
            found, spend, warnings = await (
                self._by_draft(given, allowance) if by_answer else self._by_reading(given, asked, allowance)
            )
            settled |= found
            for part, verdict in found.items():
                self._keep(_key(given, given.questions[part]), verdict)
        stated = [settled[part].stated_in for part in sorted(settled)]
        value = _moved(given, free, settled).replace(
            stated_in=unique(chain.from_iterable(stated)), shown=len(stated) == len(given.questions) and all(stated)
        )
        if by_answer:
            value = value.replace(by_others=free.parts, by_words=free.by_words)
        return judged(value, spend, warnings, kept=len(settled), given=len(given.questions))

    async def _by_reading(self, given: ToSuffice, asked: Sequence[int], allowance: Allowance) -> _Found:
        """The verdicts on those questions that are ``asked``, by one call."""
        questions = [given.questions[part] for part in asked]
        shown = await to_thread(passages, self._to_read(given, questions), " ".join(questions))
        reply, spend = await self._ask(
            SufficeReply,
            allowance,
            request=titled(
                "The questions are parts of this request. What answers the request itself answers them:",
                fenced("request", _request(given)),
            ),
            questions=listed("questions", questions, "Q"),
            passages=shown.text,
            today=dated(_day(given)),
        )
        rows = {asked[part]: row for part, row in _by_part(reply, len(asked)).items()}
        made_up = shown.unknown(sid for row in rows.values() for sid in row.sources)
        return _verdicts(rows, shown), spend, unknown_ids(made_up)

    async def _by_draft(self, given: ToSuffice, allowance: Allowance) -> _Found:
        """The verdict on the only question, by its answer; none where nothing of that passed the checks. The step that
        takes the answer tells its warnings."""
        question, evidence = given.questions[0], self._to_read(given, given.questions)
        draft = await self._drafts.ahead(question, given.request, evidence, _day(given), allowance)
        answer = draft.value
        verdict = _Verdict(bool(answer.statements), frozenset(answer.read), answer.evidence_ids, answer.missing)
        return ({0: verdict} if draft.doubt < 1.0 else {}), draft.spend, ()

    def _to_read(self, given: ToSuffice, questions: Sequence[str]) -> Sequence[Evidence]:
        """The passages to be read for ``questions``: of those read in vain only the best, beside what is new."""
        read = self._read_in_vain(given, questions)
        return beside_new(given.evidence, read) if read else best_first(given.evidence)

    def _settled(self, given: ToSuffice, shown: Passages) -> dict[int, _Verdict]:
        """The verdicts, by the place of their question, that hold of the passages given."""
        held, best = {item.id for item in given.evidence}, {item.id for item in shown.by_id.values()}
        known = {part: self._held.get(_key(given, question)) for part, question in enumerate(given.questions)}
        return {part: verdict for part, verdict in known.items() if verdict is not None and verdict.holds(held, best)}

    def _read_in_vain(self, given: ToSuffice, questions: Sequence[str]) -> frozenset[str]:
        """Ids of the passages that were read for each of ``questions``, none of which they were found to answer."""
        known = [self._held.get(_key(given, question)) for question in questions]
        vain = [one.read if one is not None and not one.answerable else frozenset[str]() for one in known]
        return frozenset.intersection(*vain)

    def _keep(self, key: Hashable, verdict: _Verdict) -> None:
        before = self._held.get(key)
        if before is not None and not before.answerable and not verdict.answerable:
            verdict = replace(verdict, read=verdict.read | before.read)
        self._held[key] = verdict
        self._held.move_to_end(key)
        if len(self._held) > KEPT:
            self._held.popitem(last=False)


def _key(given: ToSuffice, question: str) -> Hashable:
    return question, given.request, _day(given)


def _request(given: ToSuffice) -> str:
    """The request, unless a question has all of its words."""
    asked = folded_stems(given.request)
    return "" if any(asked <= folded_stems(question) for question in given.questions) else given.request


def _day(given: ToSuffice) -> date | None:
    return given.now.date() if given.now else None


def _verdicts(rows: Mapping[int, PartRow], shown: Passages) -> dict[int, _Verdict]:
    """The rows as verdicts. A yes without words that stand in a passage named is no verdict at all."""
    read = frozenset(item.id for item in shown.by_id.values())
    found = {
        part: _Verdict(row.answerable, read, _stated_in(row, shown) if row.answerable else (), row.missing)
        for part, row in rows.items()
    }
    return {part: verdict for part, verdict in found.items() if verdict.stated_in or not verdict.answerable}


def _by_part(reply: SufficeReply, count: int) -> dict[int, PartRow]:
    rows = matched(reply.parts, [f"Q{number + 1}" for number in range(count)], lambda row: row.question)
    return {int(qid[1:]) - 1: row for qid, row in rows.items()}


def _stated_in(row: PartRow, shown: Passages) -> tuple[str, ...]:
    """The ids of the passages named, first those in which words quoted stand: the shortest run of words that proves it,
    which is asked for, leaves out others that state it too. None where no words stand in any."""
    named = shown.named(row.sources, row.quote)
    proven = [item.id for item in named if is_quoted(row.quote, item.text)]
    return unique((*proven, *(item.id for item in named))) if proven else ()


def _moved(given: ToSuffice, free: Sufficiency, found: Mapping[int, _Verdict]) -> Sufficiency:
    """The free sufficiency with the judged parts moved, and the factors that rest on parts moved with them."""
    count = len(given.questions)
    before = free.parts if len(free.parts) == count else (free.confidence.factor("coverage") or 0.0,) * count
    parts = tuple(_part(score, found[n].answerable if n in found else None) for n, score in enumerate(before))
    unmet = [part for part in sorted(found) if not found[part].answerable]
    lacking = [prose(found[part].missing, limit=200) or given.questions[part] for part in unmet]
    missing = [one.strip() for named in lacking for one in named.split(";")]
    unjudged = () if len(found) == count else free.missing
    return Sufficiency(
        confidence=_confidence(free.confidence, before, parts),
        parts=parts,
        missing=unique((*missing, *unjudged)),
        tier="model",
    )


def _part(score: float, verdict: bool | None) -> float:
    """A part as it was judged; as the code has it where it was not. What is shown word for word is enough for any kind
    of question: a model that has shown the answer is not asked for it again after another search."""
    if verdict is None:
        return score
    return after_verdict(score, up=True, strength=SHOWN) if verdict else after_verdict(score, up=False)


def _confidence(free: Confidence, before: Sequence[float], parts: Sequence[float]) -> Confidence:
    by = _mean(parts) - _mean(before)
    return confidence_of([_shifted(factor, by) if factor.name in RESTS_ON_PARTS else factor for factor in free.factors])


def _shifted(factor: Factor, by: float) -> Factor:
    if factor.score is None or by == 0.0:
        return factor
    score = min(1.0, max(0.0, factor.score + by))
    return factor.replace(score=score, reason=f"{factor.reason}; the model's reading: {by:+.2f}".removeprefix("; "))


def _mean(parts: Sequence[float]) -> float:
    return sum(parts) / len(parts) if parts else 0.0
