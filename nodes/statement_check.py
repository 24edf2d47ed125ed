"""A model's answer to a step, checked statement by statement against the passages that it quotes.

found by the LLM-free tier      told as it is
supported, says a model         told as it is
contradicted, says a model      told in the words that contradict it, which are mostly the answer
less of it holds, says a model  that is told, unless it says little of what was asked
nothing shows that something
is not so, by a model's reading not told: what it quotes says something else
neither, or no model to ask     told in the words that it quotes: no right answer is lost for its wording
the same, and nothing found was
thought to answer (``unfound``) not told: nothing speaks for it but the reply that stated it
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.free.answering.telling import fenced, in_fence
from calibrant.judges.free.answering.verbatim import in_words_quoted, leaves_out, stands_together
from calibrant.judges.free.request.pasted import apart
from calibrant.judges.free.synthesis.quoted import is_verbatim
from calibrant.judges.free.words.text import content_stems
from calibrant.judges.given import ToSupport
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Verdict
from calibrant.state.base import unique
from calibrant.state.budget import Allowance
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement, StepStatus, SubResult, Task

LEFT_OUT = "Statements of the model that its passages were not found to bear out, and that are not told: {} of {}."


@dataclass(frozen=True)
class StatementCheck:
    """The check of one step's ``result``, over the ``evidence`` that the step was given."""

    task: Task
    evidence: tuple[Evidence, ...]
    result: SubResult
    work: Work
    before: tuple[Statement, ...] = ()
    """What the attempt before this one stated, as it was told."""
    unfound: bool = False
    """Whether nothing that was found is thought to answer anything, and not for its words alone."""
    parts: tuple[str, ...] = ()
    """What the step asks in one, where that is several things."""
    guidance: str = ""
    """What a person has said to it: that a case is meant which the request does not name."""

    async def checked(self, allowance: Allowance) -> SubResult:
        """The result as it may be told; unanswered where nothing of it may. A model may spend ``allowance``."""
        given = [self._known(statement) for statement in self.result.statements]
        unsure = [one for one in given if not (one.checked or await self._is_found(one))]
        compared = iter(await self._compared_by_model(unsure, allowance) if unsure else ())
        found = [self._as_compared(one, next(compared)) if one in unsure else (one,) for one in given]
        told = tuple({statement.text: statement for statements in found for statement in statements}.values())
        if told:
            if left_out := [one for one, statements in zip(given, found, strict=True) if not statements]:
                self.work.warnings.append(LEFT_OUT.format(len(left_out), len(found)))
            cut = [one for one, statements in zip(given, found, strict=True) if _is_cut(one, statements)]
            missing = self.result.missing or "; ".join(self._lost(cut, told))
            return self.result.replace(statements=told, missing=missing)
        missing = self.result.missing or self.result.question
        return self.result.replace(statements=(), status=StepStatus.UNANSWERED, missing=missing)

    def _lost(self, cut: Sequence[Statement], told: Sequence[Statement]) -> Iterator[str]:
        """The parts of which nothing is told any more: words that no other part has stand in what is cut alone."""
        gone, left = (content_stems(" ".join(one.text for one in some)) for some in (cut, told))
        for part in self.parts:
            others = content_stems(" ".join(other for other in self.parts if other != part))
            own = content_stems(part) - others
            if own & gone and not own & left:
                yield part.strip(" ?")

    def _known(self, statement: Statement) -> Statement:
        """As it was told before, where the same words of the same passages were found to bear it out then."""
        same = (one for one in self.before if one.checked and _says(one) == _says(statement))
        return next(same, statement)

    async def _is_found(self, statement: Statement) -> bool:
        """Whether the LLM-free tier finds a statement in what it quotes, and the review would not doubt that: word for
        word, or in words that stand there together, without a number beside those that it tells. Words do not tell
        whether a calculation is the right one."""
        claims = self._claims(statement)
        judged = await self.work.judge(self.work.panel.support, self._to_support(claims), allowance=Allowance())
        if not claims or not all(claim.verdict is Verdict.SUPPORTED for claim in judged.value):
            return False
        passages = self._passages
        if all(is_verbatim(claim, passages) for claim in claims):
            return True
        is_sure = judged.doubt <= self.work.context.doubt
        return is_sure and stands_together(statement, passages) and not leaves_out(statement, passages)

    async def _compared_by_model(
        self, statements: Sequence[Statement], allowance: Allowance
    ) -> tuple[tuple[Claim, ...], ...]:
        """The claims of each statement with a model's verdicts, all of them from one call; none of one of which it gave
        none that counts, and of any where it could not be asked. What stands from before may have worked out what one
        concludes."""
        claims = [
            tuple(claim.replace(id=f"{number}{claim.id}") for claim in self._claims(statement))
            for number, statement in enumerate(statements)
        ]
        stands = [
            claim.replace(id=f"before-{number}{claim.id}")
            for number, statement in enumerate(self.before)
            for claim in self._claims(statement)
            if claim.checked
        ]
        given = self._to_support([*stands, *(claim for held in claims for claim in held)], doubted=True)
        judged = await self.work.judge(self.work.panel.support, given, allowance=allowance)
        is_read = judged.tier == "model" and judged.doubt < 1.0
        passages = self._passages
        counts = (
            claim
            for claim in judged.value
            # What stands there word for word, the model is not asked about.
            if claim.checked or claim.verdict is not Verdict.SUPPORTED or is_verbatim(claim, passages)
        )
        found = {claim.id: claim for claim in counts} if is_read else {}
        return tuple(
            tuple(found[claim.id] for claim in held) if all(claim.id in found for claim in held) else ()
            for held in claims
        )

    def _as_compared(self, statement: Statement, claims: Sequence[Claim]) -> tuple[Statement, ...]:
        """A statement as it is told after a model has compared its ``claims``: surer by half of
        what its words left open, where it found all of them."""
        if claims and all(claim.verdict is Verdict.SUPPORTED for claim in claims):
            return (statement.replace(checked=True, score=(1.0 + statement.score) / 2),)
        if claims and not any(claim.spans for claim in claims):
            return ()
        against = [span for claim in claims if claim.verdict is Verdict.CONTRADICTED for span in claim.spans]
        if not against:
            if less := _in_lines([told for claim in claims if (told := _as_it_holds(claim))]):
                return () if self._is_beside(statement, less) else (_quoting(claims, statement, text=less),)
            is_unverified = all(claim.verdict is Verdict.UNVERIFIED for claim in claims)
            if (
                self.unfound and is_unverified and self._claims(statement)
            ):  # words by themselves, in a list, claim nothing
                return ()
            return in_words_quoted(statement, self._passages) or (statement,)
        quote, *further = unique(span.quote for span in against)
        held = unique(span.evidence_id for span in against)
        contrary = statement.replace(evidence_ids=held, quote=quote, also_quoted=tuple(further))
        return in_words_quoted(contrary, self._passages)

    def _is_beside(self, statement: Statement, less: str) -> bool:
        """Whether what is left of a statement has lost most of the words of what was asked, and none that is told
        beside it has them: "logs are kept for 90 days", of the records of the gate that are."""
        others = (one.text for one in (*self.before, *self.result.statements) if one != statement)
        asked = content_stems(self.result.question) & content_stems(statement.text)
        lost = asked - content_stems(" ".join((less, *others)))
        return len(lost) > max(1, len(asked) / 2)

    @property
    def _passages(self) -> dict[str, Evidence]:
        return {item.id: item for item in self.evidence}

    def _claims(self, statement: Statement) -> tuple[Claim, ...]:
        return claims_of([self.result.replace(statements=(statement,))], self.evidence)

    def _to_support(self, claims: Sequence[Claim], *, doubted: bool = False) -> ToSupport:
        """What was asked is the request, the part of it that the step is about, where that has words of its own, and
        what a person has said since."""
        request, part = self.task.text, self.result.question
        asked = request if content_stems(part) <= content_stems(request) else f"{request} {part}"
        asked = f"{asked} {self.guidance}".strip()
        pasted = apart(self.task.original).pasted
        return ToSupport(tuple(claims), self.evidence, asked, self.work.today, doubted, pasted)


def _quoting(claims: Sequence[Claim], statement: Statement, text: str) -> Statement:
    """``statement`` as it holds, with the words that were found to show that."""
    spans = [span for claim in claims if _as_it_holds(claim) for span in claim.spans]
    quote, *further = unique(span.quote for span in spans) or (statement.quote, *statement.also_quoted)
    held = unique(span.evidence_id for span in spans) or statement.evidence_ids
    return statement.replace(text=text, checked=True, evidence_ids=held, quote=quote, also_quoted=tuple(further))


def _is_cut(statement: Statement, told: Sequence[Statement]) -> bool:
    """Whether less of ``statement`` is told, or nothing. What is quoted in its place may say all of it otherwise."""
    return not any(one.reduced or one.text == statement.text for one in told)


def _as_it_holds(claim: Claim) -> str:
    if claim.verdict is not Verdict.SUPPORTED:
        return claim.holds
    return in_fence(claim.text) if claim.is_code else fenced(claim.text)


def _in_lines(told: Sequence[str]) -> str:
    """Several claims as the items of a list: those that were such may have no sign at their ends to keep them apart."""
    return "\n".join(f"- {one}" if len(told) > 1 and "\n" not in one else one for one in told)


def _says(statement: Statement) -> tuple[str, tuple[str, ...], tuple[str, ...]]:
    return statement.text, statement.evidence_ids, (statement.quote, *statement.also_quoted)
