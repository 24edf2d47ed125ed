"""Composition by a model: sentences made of claims, and of nothing else."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from calibrant.judges.cascade import Judged
from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.planning.tool_outputs import parsed, spoken
from calibrant.judges.given import Composed, ToCompose, reckoned_with
from calibrant.judges.model.asking import Asking, judged, listed, titled, unknown_ids
from calibrant.judges.model.borne_out import bears_out
from calibrant.judges.model.denials import denied
from calibrant.judges.model.passages import above_claims
from calibrant.judges.model.port import ModelPort
from calibrant.judges.model.prompting import dated, fenced
from calibrant.judges.model.prose import prose
from calibrant.judges.model.schemas import ComposeReply, SentenceRow
from calibrant.state.answer import Claim
from calibrant.state.base import unique
from calibrant.state.budget import Allowance

CLAIMS = 30
"""More claims than this make no answer that anybody reads."""

STATED = 0.4
"""A sentence of whose words the claims have a smaller share says something else."""

TOLD = 0.6
"""A claim of whose words other sentences have this share is told by them."""

Sentence = tuple[str, tuple[str, ...]]


class Compose(Asking):
    """``ToCompose`` -> ``Composed``."""

    def __init__(self, port: ModelPort) -> None:
        super().__init__(port, "compose")

    async def __call__(self, given: ToCompose, free: Composed, allowance: Allowance) -> Judged[Composed]:
        by_id = {f"C{number}": claim for number, claim in enumerate(_surest(given), 1)}
        request = reckoned_with(f"{given.task.text} {given.guidance}".strip(), given.today)
        told = _Told(by_id, above_claims(by_id.values(), given.evidence), request)
        reply, spend = await self._ask(ComposeReply, allowance, **_values(given, told))
        made_up = tuple(cid for row in reply.sentences for cid in row.claims if cid not in by_id)
        read = [(_sentence(row, told), _named(row, told)) for row in reply.sentences]
        borne_out = [sentence for sentence, _ in read if sentence is not None]
        kept = _once(list(_with_untold(read, borne_out))) if borne_out else ()
        warnings = unknown_ids(made_up, "claims")
        left = len(reply.sentences) - len(borne_out)
        if left:
            warnings += (f"Sentences of the model that said more than the claims: {left} of {len(reply.sentences)}.",)
        if not reply.sentences:
            warnings += ("The model found no answer to the request in what is told.",)
        told_so = Composed((*kept, *_forgotten(given, kept))) if kept else free
        composed = replace(told_so, declined=not reply.sentences)
        return judged(composed, spend, warnings, kept=len(borne_out), given=len(reply.sentences))


def _surest(given: ToCompose) -> list[Claim]:
    """As many claims as a model is shown, in their order, none twice: one sentence may answer two parts."""
    once = {claim.text: claim for claim in reversed(given.claims)}
    kept = {claim.id for claim in sorted(once.values(), key=lambda claim: -claim.confidence)[:CLAIMS]}
    return [claim for claim in given.claims if claim.id in kept]


@dataclass(frozen=True)
class _Told:
    """What a sentence may be made of: the claims by the ids that the model was given, what stands above each of them by
    its own id, and the request, whose words and numbers may be repeated."""

    by_id: Mapping[str, Claim]
    above: Mapping[str, str]
    request: str


def _values(given: ToCompose, told: _Told) -> dict[str, str]:
    claims = "\n".join(
        fenced("claim", claim.text, **{"id": cid, "from": told.above[claim.id]}) for cid, claim in told.by_id.items()
    )
    ids = {claim.id: cid for cid, claim in told.by_id.items()}
    questions = [question.text for question in given.questions if question.text != given.task.text]
    return {
        "request": fenced("request", given.task.text),
        "questions": titled("It has these parts:", listed("questions", questions)),
        "claims": f"<claims>\n{claims or '(none)'}\n</claims>",
        "conflicts": titled("Conflicts:", listed("conflicts", _conflicts(given, ids))),
        "guidance": titled("What the asker has said since:", fenced("guidance", given.guidance)),
        "missing": titled("Not found:", listed("missing", given.missing)),
        "today": dated(given.today),
    }


def _conflicts(given: ToCompose, ids: dict[str, str]) -> list[str]:
    lines = []
    for conflict in given.conflicts:
        first, second = ids.get(conflict.first.id), ids.get(conflict.second.id)
        if first and second:
            better = ids.get(conflict.preferred, first)
            lines.append(
                f"{first} and {second} ({conflict.kind.value}); prefer {better}. {conflict.explanation}".strip()
            )
    return lines


def _sentence(row: SentenceRow, told: _Told) -> Sentence | None:
    """The sentence with the real ids of its claims, if they bear it out. What stands above them may be named."""
    claims = _named(row, told)
    held = [
        text for claim in claims for text in (claim.text, spoken(claim.text), *(span.quote for span in claim.spans))
    ]
    text = prose(row.text, *held)
    named = [told.above[claim.id] for claim in claims]
    if not text or not claims or strange_numbers(text, *held, *named, told.request, asked=told.request):
        return None
    if bears_out(text, " ".join((*held, *named, told.request))) < STATED:
        return None
    if denied(text, *(spoken(claim.text) for claim in claims), asked=told.request):
        return None
    return text, tuple(claim.id for claim in claims)


def _named(row: SentenceRow, told: _Told) -> list[Claim]:
    return [told.by_id[cid] for cid in dict.fromkeys(row.claims) if cid in told.by_id]


def _with_untold(
    read: Sequence[tuple[Sentence | None, Sequence[Claim]]], borne_out: Sequence[Sentence]
) -> Iterator[Sentence]:
    """The sentences, and in place of one that says more than its claims these in their own words, but for those that
    another sentence tells: the model wanted them told."""
    elsewhere = " ".join(text for text, _ in borne_out)
    for sentence, claims in read:
        if sentence is not None:
            yield sentence
        else:
            yield from ((one.text, (one.id,)) for one in claims if not _is_told(one, elsewhere))


def _is_told(claim: Claim, text: str) -> bool:
    words = claim.text.replace("_", " ")  # a sentence tells the price_per_hour of a row as a price per hour
    return bears_out(words, text) >= TOLD


def _once(sentences: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """Each sentence once, with the claims of all its repeats: a small model that runs on says the same again."""
    said: dict[str, Sentence] = {}
    for text, ids in sentences:
        first, cited = said.get(text.casefold(), (text, ()))
        said[text.casefold()] = (first, unique((*cited, *ids)))
    return tuple(said.values())


def _forgotten(given: ToCompose, kept: tuple[Sentence, ...]) -> list[Sentence]:
    """For each question that the draft passes over, its surest claim in its own words; but no data of which the draft
    tells what is wanted."""
    used = {cid for _, ids in kept for cid in ids}
    said = {claim.text for claim in given.claims if claim.id in used}
    read = {eid for claim in given.claims if claim.id in used for eid in claim.evidence_ids}
    answered = {claim.question_id for claim in given.claims if claim.text in said}
    surest: dict[str, Claim] = {}
    for claim in sorted(_surest(given), key=lambda claim: -claim.confidence):
        is_read = parsed(claim.text) is not None and read.issuperset(claim.evidence_ids)
        if claim.question_id and claim.question_id not in answered and not is_read:
            surest.setdefault(claim.question_id, claim)
    return [(claim.text, (claim.id,)) for claim in surest.values()]
