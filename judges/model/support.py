"""Support by a model: a verdict on each claim in doubt, which counts only with the deciding words of the passage."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from calibrant.judges.cascade import Judged
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.unsourced import strange_numbers, without_day
from calibrant.judges.free.evidence.age import day_of
from calibrant.judges.free.evidence.cited import cited_by
from calibrant.judges.free.request.pasted import is_address, without_times
from calibrant.judges.free.synthesis.quoted import Quoted, is_verbatim, quotations_of
from calibrant.judges.free.synthesis.support import judge_support
from calibrant.judges.free.words.arithmetic import workings
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.terms import identifiers
from calibrant.judges.free.words.text import folded_stems
from calibrant.judges.given import ToSupport, reckoned_with
from calibrant.judges.model.asking import Asking, judged, matched, unknown_ids
from calibrant.judges.model.denials import UNSURE
from calibrant.judges.model.names import stands_in, strange_names
from calibrant.judges.model.passages import origin, shown_of, window
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.prose import prose
from calibrant.judges.model.quoting import locate, parts_found
from calibrant.judges.model.schemas import SupportReply, VerdictRow
from calibrant.state.answer import Claim, Span, Verdict
from calibrant.state.budget import Allowance
from calibrant.state.evidence import Evidence
from calibrant.state.injection import without_orders

CLAIMS = 12

CONTEXT_TOKENS = 400
"""How much of a passage is shown around what is claimed."""

SUBJECT = 1 / 3
"""A name that this share of what was found tells is what it is about."""

_IN_CODE = re.compile(r"\w*_\w+(?:\.\w+)*|\w{2,}(?:\.\w{3,})+")
"""A name that only code has: ``bisect_left``, ``json.dumps``."""
_LESS = (Verdict.QUALIFIED, Verdict.UNVERIFIED)
_KNOWN = 2 / 3
"""Of the words of what holds of a claim so many must be known."""


class Support(Asking):
    """``ToSupport`` -> the claims with verdicts."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "support")

    async def __call__(
        self, given: ToSupport, free: tuple[Claim, ...], allowance: Allowance
    ) -> Judged[tuple[Claim, ...]]:
        by_id = {item.id: item for item in given.evidence}
        asked = {f"C{number}": claim for number, claim in enumerate(doubtful(free, by_id), 1)}
        values = _values(asked, by_id)
        request, today = fenced("request", given.asked), dated(given.today)
        reply, spend = await self._ask(SupportReply, allowance, request=request, today=today, **values)
        rows = matched(reply.verdicts, list(asked), lambda row: row.claim)
        judged_claims = _read(rows, asked, by_id, given, [claim for claim in free if claim.checked])
        made_up = tuple(row.claim for row in reply.verdicts if row not in rows.values() and row.claim not in asked)
        claims = tuple(judged_claims.get(claim.id, claim) for claim in free)
        return judged(claims, spend, unknown_ids(made_up, "claims"), kept=len(judged_claims), given=len(asked))


def doubtful(claims: Sequence[Claim], by_id: Mapping[str, Evidence]) -> tuple[Claim, ...]:
    """The claims worth asking about, in their order: all but those that are supported word for word, or that were asked
    about before. If there are none, all. ``by_id``: the passages."""
    unsure = [
        claim
        for claim in claims
        if claim.verdict is not Verdict.SUPPORTED or not (claim.checked or is_verbatim(claim, by_id))
    ]
    order = {Verdict.UNVERIFIED: 0, Verdict.QUALIFIED: 1, Verdict.CONTRADICTED: 2, Verdict.SUPPORTED: 3}
    worst = sorted(unsure or claims, key=lambda claim: order[claim.verdict])[:CLAIMS]
    return tuple(claim for claim in claims if claim in worst)


def _values(asked: dict[str, Claim], by_id: dict[str, Evidence]) -> dict[str, str]:
    """Each passage once, as much of it as the claims are about, and the claims with the passages that they cite."""
    cited = {eid: f"S{n}" for n, eid in enumerate(dict.fromkeys(_cited(asked, by_id)), 1)}
    about = {eid: " ".join(_said_of(eid, asked.values())) for eid in cited}
    blocks = [
        _shown(by_id[eid], window(by_id[eid].text, about[eid], CONTEXT_TOKENS), sid, by_id.values())
        for eid, sid in cited.items()
    ]
    claims = [fenced("claim", claim.text, id=cid, cites=_names(claim, cited)) for cid, claim in asked.items()]
    return {
        "passages": "<passages>\n" + ("\n".join(blocks) or "(none)") + "\n</passages>",
        "claims": "<claims>\n" + "\n".join(claims) + "\n</claims>",
    }


def _said_of(eid: str, claims: Iterable[Claim]) -> Iterator[str]:
    """What ``claims`` say with a passage, and what they quote of it."""
    for claim in claims:
        if eid in claim.evidence_ids:
            yield claim.text
            yield from (span.quote for span in claim.spans if span.evidence_id == eid)


def _shown(item: Evidence, part: str, sid: str, evidence: Iterable[Evidence]) -> str:
    return fenced("passage", part, **{"id": sid, "from": origin(item, part), "dated": day_of(item, evidence)})


def _cited(asked: dict[str, Claim], by_id: dict[str, Evidence]) -> list[str]:
    return [eid for claim in asked.values() for eid in claim.evidence_ids if eid in by_id]


def _names(claim: Claim, cited: dict[str, str]) -> str:
    return ", ".join(cited[eid] for eid in claim.evidence_ids if eid in cited) or "nothing"


def _read(
    rows: Mapping[str, VerdictRow],
    asked: Mapping[str, Claim],
    by_id: Mapping[str, Evidence],
    given: ToSupport,
    checked: Sequence[Claim],
) -> dict[str, Claim]:
    """The claims that are judged, by their own ids. What a claim concludes from others may be worked out there: those
    that are not are read again beside what is ``checked`` or found to be supported, as long as that grows."""
    found: dict[str, Claim] = {}
    for _ in rows:
        sound = [*checked, *(claim for claim in found.values() if claim.checked)]
        worked = [claim.text for claim in sound if any(workings(claim.text))]
        left = {cid: row for cid, row in rows.items() if asked[cid].id not in found}
        more = [_judged(asked[cid], row, by_id, given, worked) for cid, row in left.items()]
        if not any(more):
            break
        found |= {claim.id: claim for claim in more if claim is not None}
    return found


def _judged(
    claim: Claim, row: VerdictRow, by_id: Mapping[str, Evidence], given: ToSupport, worked: Sequence[str]
) -> Claim | None:
    """The claim with the model's verdict; None where the verdict shows no words, or words that are not there, or finds
    what is not there, nor ``worked`` out in another claim. One that is contradicted quotes what contradicts it, one
    of which less holds what shows that, one that is supported is checked, one that is supported by no words for what it
    says is not there quotes nothing."""
    verdict = Verdict(row.verdict)
    held = cited_by(claim, by_id)
    deciding = _spans(row.quote, held)
    if verdict is Verdict.SUPPORTED and not row.quote and _is_of_an_absence(claim):
        return claim.replace(verdict=Verdict.UNVERIFIED, reason="nothing in the passages shows it", spans=())
    is_shown = bool(deciding) or (verdict is Verdict.SUPPORTED and _says_its_quotation(row.quote, claim, by_id))
    if verdict is not Verdict.UNVERIFIED and not is_shown:
        return None
    has_names = not claim.is_code  # those of code were looked for in all that was shown
    if verdict is Verdict.SUPPORTED and _is_from_nowhere(claim.text, held, given, worked, has_names=has_names):
        return None
    holds = _less(claim, row, held, given) if verdict in _LESS and deciding else ""
    spans = deciding if verdict is Verdict.CONTRADICTED or holds else claim.spans
    reason = prose(row.reason, limit=150) or claim.reason
    checked = verdict is Verdict.SUPPORTED
    return claim.replace(verdict=verdict, reason=reason, spans=spans, holds=holds, checked=checked)


def _says_its_quotation(quote: str, claim: Claim, by_id: Mapping[str, Evidence]) -> bool:
    """Whether words that are not found say what ``claim`` quotes itself, beside which nothing counts: "it is 28 days"
    for "this rises to 28 days"."""
    own = [Quoted(one.quote, (), " ".join(one.quote)) for one in quotations_of(claim, by_id)]
    if not folded_stems(quote):
        return False
    found = judge_support(quote, own)
    return found.verdict is Verdict.SUPPORTED and found.doubt < UNSURE


def _is_of_an_absence(claim: Claim) -> bool:
    """Whether a claim says that something is not so, and quotes what is: that does not show it."""
    return read(claim.text).negative and not any(read(span.quote).negative for span in claim.spans)


def _less(claim: Claim, row: VerdictRow, held: Sequence[Evidence], given: ToSupport) -> str:
    """What the model says holds of the claim, if nothing in it is from nowhere, nor much of it in other words than
    those of the claim, of what was asked and of the passages: "they do not mention that" is none of it."""
    holds = prose(row.holds, claim.text, *(item.text for item in held))
    known = folded_stems(claim.text).union(
        folded_stems(given.asked), *(folded_stems(without_orders(item.text)) for item in held)
    )
    told = folded_stems(holds)
    is_told = len(told & known) >= _KNOWN * len(told) > 0 and bool(told & folded_stems(claim.text))
    return holds if is_told and not _is_from_nowhere(holds, held, given) else ""


def _spans(quote: str, held: Sequence[Evidence]) -> tuple[Span, ...]:
    """Where the parts of ``quote`` stand, each in the first passage that has it. What orders a model about decides
    nothing."""
    texts = [(item.id, without_orders(item.text)) for item in held]
    parts = parts_found(quote, [text for _, text in texts])
    places = [[(eid, found) for eid, text in texts if (found := locate(part, text))] for part in parts]
    first = (found[0] for found in places if found)
    return tuple(Span(evidence_id=eid, quote=found.quote, start=found.start, end=found.end) for eid, found in first)


def _is_from_nowhere(
    text: str, held: Sequence[Evidence], given: ToSupport, worked: Sequence[str] = (), *, has_names: bool = True
) -> bool:
    """Whether ``text`` has a number or a name that nobody told, nor ``worked`` the number out. It may repeat one of the
    request ("after 6 years"), but no identifier: what a passage says of ``bisect_left`` it does not say of
    ``bisect_right``. It may name what all that was found is about: pages of a manual seldom name their program. What
    was pasted is told by the asker too: its names, addresses and numbers may be repeated, and nothing is reckoned from
    them."""
    sources = (given.asked, *(without_orders(shown_of(item, given.evidence)) for item in held))
    told = without_day(text, given.today)
    strange = strange_numbers(told, *sources, *worked, asked=reckoned_with(given.asked, given.today))
    pasted = {number.value for number in numbers(without_times(given.pasted))} if strange else set[float]()
    if not pasted.issuperset(strange) or not has_names:
        return not pasted.issuperset(strange)
    shown = " ".join(sources[1:]).lower()
    coded = (one.text.lower() for one in identifiers(text) if _IN_CODE.fullmatch(one.text))
    written = (name.rpartition(".")[2] for name in coded if not (is_address(name) and stands_in(name, given.pasted)))
    is_other = any(name not in shown for name in written)
    untold = (name for name in strange_names(text, *sources) if not stands_in(name, given.pasted))
    return is_other or any(not _is_subject(name, given.evidence) for name in untold)


def _is_subject(name: str, evidence: Sequence[Evidence]) -> bool:
    """Whether so many passages tell ``name`` that it is what they are about."""
    having = sum(stands_in(name, shown_of(item, evidence)) for item in evidence)
    return having >= max(2, SUBJECT * len(evidence))
