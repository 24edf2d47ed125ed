"""Support: what the quoted words say about a claim. Supported, contradicted, qualified, or nothing about it.

A word-for-word quotation of whole sentences is supported. Otherwise the subject must match first; then numbers, dates,
names, negation and antonyms decide, and last the force of the words (always, may) and conditions. A clause that is cut
out of a sentence which says something else is not borne out.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from calibrant.judges.cascade import Judged
from calibrant.judges.free.comparing.alignment import Alignment, Vectors, align, share, weight, word_vectors
from calibrant.judges.free.comparing.belonging import misdated, mislabelled, turned_round
from calibrant.judges.free.comparing.columns import misplaced
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.opposition import Opposition
from calibrant.judges.free.comparing.outlook import is_announced, is_of_the_past
from calibrant.judges.free.comparing.reading import Reading, read
from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.synthesis.absent import absent_name, first_absent
from calibrant.judges.free.synthesis.cut_out import CUT_OUT, is_cut_out
from calibrant.judges.free.synthesis.limiting import limit_of
from calibrant.judges.free.synthesis.quoted import Quoted, is_data, is_word_for_word, quotations_of
from calibrant.judges.free.synthesis.replies import as_stated, may_be_denied, replies_otherwise
from calibrant.judges.free.words.arithmetic import without_workings, workings
from calibrant.judges.free.words.reply import without_reply
from calibrant.judges.given import ToSupport, reckoned_with
from calibrant.state.answer import Claim, Verdict
from calibrant.state.protocols import TokenEncoder

COVERED = 0.7
"""Share of a claim's words that its passage must have. Chosen on the fitting halves (evals/fitting/conflict.py)."""
COVERED_ROW = 0.5
"""And a table's row, which has names and values and no words that join them."""
ABOUT = 0.35
"""Below this share the passage is about something else."""
_SEVERE = 0.5
_PAST = re.compile(
    r"\b(?:used to|was|were|had|did|formerly|previously|era|eram|foi|foram|tinham?|\w+av[ao]m?)\b", re.IGNORECASE
)
_ANOTHER, _ABSENT, _PARTLY, _ELSE = 0.6, 0.4, 0.6, 0.4
"""How often "unverified" is wrong, by its reason, at least: on the fitting halves of scifact and assin (``claims``)."""


@dataclass(frozen=True)
class Found:
    """A verdict on one claim with its reason and doubt."""

    verdict: Verdict
    reason: str
    doubt: float = 0.0


CHECKED = Found(Verdict.SUPPORTED, "a model found it in the passage")
"""What was compared when the step was answered is not doubted again for its words."""


class SupportJudge:
    """Compares each claim with its spans. An encoder lets other words for the same thing count."""

    def __init__(self, encoder: TokenEncoder | None = None) -> None:
        self._encoder = encoder

    def free(self, given: ToSupport) -> Judged[tuple[Claim, ...]]:
        """The claims with verdicts. The doubt is half that of the nearest call, half that of the average one."""
        passages = {item.id: item for item in given.evidence}
        quoted = [(claim, quotations_of(claim, passages)) for claim in given.claims]
        vectors = self._vectors(quoted)
        asked = reckoned_with(given.asked, given.today)
        found = [
            CHECKED if claim.checked else judge_support(claim.text, spans, vectors, asked=asked)
            for claim, spans in quoted
        ]
        claims = tuple(
            claim.replace(verdict=one.verdict, reason=one.reason)
            for claim, one in zip(given.claims, found, strict=True)
        )
        doubts = [one.doubt for one in found]
        doubt = 0.5 * max(doubts) + 0.5 * sum(doubts) / len(doubts) if doubts else 0.0
        return Judged(claims, doubt=1.0 if given.doubted else round(doubt, 4))

    def _vectors(self, quoted: Sequence[tuple[Claim, list[Quoted]]]) -> Vectors | None:
        """Vectors for the claims that are not verbatim, and for what they quote: the others need none."""
        if self._encoder is None:
            return None
        readings = []
        for claim, spans in quoted:
            if spans and not claim.checked and not any(is_word_for_word(claim.text, one) for one in spans):
                own = read(_to_compare(claim.text))
                held = [sentence for one in spans for sentence in (*one.quote, *one.around)]
                readings += [own, *(read(sentence, own.language) for sentence in held)]
        return word_vectors(self._encoder, readings)


def judge_support(text: str, quoted: Sequence[Quoted], vectors: Vectors | None = None, *, asked: str = "") -> Found:
    """The best verdict that any of the quotations, or all of them together, give the claim ``text``. ``asked``: the
    request, whose numbers a calculation may start from."""
    if not quoted:
        return Found(Verdict.UNVERIFIED, "no quoted passage")
    if any(is_word_for_word(text, one) for one in quoted):
        return Found(Verdict.SUPPORTED, "quoted word for word")
    if replies_otherwise(text, quoted):
        return Found(Verdict.CONTRADICTED, "the passage replies otherwise")
    found, stated = _best_verdict(_to_compare(text), as_stated(text, quoted), vectors), without_reply(text)
    if found.verdict.stands and any(is_cut_out(_to_compare(text), one) for one in quoted):
        return Found(Verdict.UNVERIFIED, CUT_OUT, _PARTLY)
    if found.verdict.stands and may_be_denied(text, quoted):
        found = replace(found, doubt=max(found.doubt, _PARTLY))
    if found.verdict is Verdict.CONTRADICTED or not any(workings(stated)):
        return found
    return _worked_out(stated, quoted, asked)


def _best_verdict(text: str, quoted: Sequence[Quoted], vectors: Vectors | None) -> Found:
    """The best verdict by the words of the claim, and by the numbers that it does not work out."""
    found = [_against(text, one, vectors) for one in quoted]
    if len(quoted) > 1:
        found.append(_together(text, quoted, vectors))
    order = (Verdict.SUPPORTED, Verdict.QUALIFIED, Verdict.CONTRADICTED, Verdict.UNVERIFIED)
    best = min(found, key=lambda one: (order.index(one.verdict), one.doubt))
    if len(quoted) > 1 and best.verdict is not Verdict.SUPPORTED:
        return replace(best, doubt=max(best.doubt, _PARTLY))  # it may be the other one that says so
    return best


def _to_compare(text: str) -> str:
    """What of a sentence is compared with its passages by its words: all but what it works out."""
    return without_workings(without_reply(text), with_units=False)


def _together(text: str, quoted: Sequence[Quoted], vectors: Vectors | None) -> Found:
    """The claim against all quotations at once: of "A is 5 and B is 7" each of them states a part. Which
    word belongs to which is not compared, so there is doubt about it."""
    claim = read(text)
    direct = [one for part in quoted for one in _aligned(claim, part.quote, vectors)]
    with_above = [*direct, *(one for part in quoted for one in _aligned(claim, part.above))]
    says_all = _covered(claim, with_above) >= COVERED and not first_absent(claim, with_above)
    denies = claim.negative and not any(one.second.negative for one in direct)
    if not says_all or denies or any(_denies(one) for one in direct) or _belongs_elsewhere(claim, direct):
        return Found(Verdict.UNVERIFIED, "the passages do not say it in so many words", _PARTLY)
    return Found(Verdict.SUPPORTED, "the passages say so together", _PARTLY)


def _worked_out(text: str, quoted: Sequence[Quoted], asked: str) -> Found:
    """A claim that shows how its numbers are worked out. That is checked here, and that it speaks of what was asked or
    is told; whether it is the right calculation, words cannot tell. What comes out ("a surplus of ...") has a name of
    its own, which no source need have."""
    sources = (said for one in quoted for said in (one.passage, *one.quote, *one.above))
    if strange := strange_numbers(text, asked, *sources, asked=asked):
        return Found(Verdict.UNVERIFIED, f"{strange[0]:g} is neither in the passage nor worked out from it", _ABSENT)
    shown = (text[one.start : one.end].strip() for one in workings(text))
    claim, words = read(text), read(without_workings(text))
    near = [said for one in quoted for said in (*one.quote, *one.around, *one.above)]
    if name := absent_name(claim, _aligned(claim, near)):
        return Found(Verdict.UNVERIFIED, f"{claim.said(name)} is not in the passage", _ABSENT)
    if _covered(words, _aligned(words, [*near, asked])) < COVERED_ROW:
        return Found(Verdict.UNVERIFIED, "the passage says only part of it", _PARTLY)
    return Found(Verdict.SUPPORTED, f"worked out from the passage: {'; '.join(shown)}", _PARTLY)


def _aligned(claim: Reading, sentences: Sequence[str], vectors: Vectors | None = None) -> list[Alignment]:
    return [align(claim, read(sentence, claim.language), vectors) for sentence in sentences]


def _against(text: str, quoted: Quoted, vectors: Vectors | None) -> Found:
    """The verdict of one quotation on a claim that it does not have word for word. The first objection gives it: the
    passage says the opposite, something else, only part of it, the same of another thing, that it is not so, or the
    same within limits. Without any, the claim is supported."""
    claim = read(text)
    direct = _aligned(claim, quoted.quote, vectors)
    near = [*direct, *_aligned(claim, quoted.around, vectors)]
    with_above = [*near, *_aligned(claim, quoted.above)]
    best = max(direct, key=lambda one: one.cover_first)
    opposed = _opposed(direct)
    absent = first_absent(claim, with_above)
    if opposed is not None and not (best.cover_first >= 0.99 and opposed.fit < 1.0 and not absent):
        return _opposite(opposed)
    if (own := _covered(claim, near)) < ABOUT:
        return Found(Verdict.UNVERIFIED, "the passage says something else", max(_ELSE, _nearness(own, ABOUT)))
    if _another_subject(best):
        return Found(Verdict.UNVERIFIED, "the passage speaks of something else", _ANOTHER)
    if absent:
        return Found(Verdict.UNVERIFIED, f"{absent} is not in the passage", _ABSENT)
    if (covered := _covered(claim, with_above)) < (COVERED_ROW if is_data(best.second.text) else COVERED):
        return Found(Verdict.UNVERIFIED, "the passage says only part of it", max(_PARTLY, _nearness(covered, COVERED)))
    if other := _belongs_elsewhere(claim, direct):
        return Found(Verdict.UNVERIFIED, other, _PARTLY)
    if _denies(best):
        return Found(Verdict.CONTRADICTED, "one denies what the other states", 0.3)
    limit = limit_of(claim, best)
    if limit:
        return Found(Verdict.QUALIFIED, limit, 0.3)
    return Found(Verdict.SUPPORTED, "the passage says so in other words", _nearness(covered, COVERED))


def _nearness(score: float, bound: float) -> float:
    """1 at the bound, 0 from 0.3 away."""
    return max(0.0, 1.0 - abs(score - bound) / 0.3)


def _opposite(opposed: Opposition) -> Found:
    doubt = _nearness(opposed.severity, _SEVERE)
    if opposed.qualifies:
        return Found(Verdict.QUALIFIED, "the passage limits it", max(0.3, doubt))
    reason = _reason(opposed)
    if opposed.scope != "same":
        return Found(Verdict.CONTRADICTED, f"{reason}, perhaps for another case", max(0.5, doubt))
    return Found(Verdict.CONTRADICTED, reason, doubt)


def _reason(opposed: Opposition) -> str:
    mine, theirs = opposed.values
    if opposed.what == "negation":
        return f'one says "{mine}", the other denies it'
    if opposed.what == "refusal":
        return f'one takes back what the other states: "{mine}"'
    return f'the claim has "{mine}", the passage "{theirs}"'


def _opposed(direct: Sequence[Alignment]) -> Opposition | None:
    """The strongest disagreement with the quoted sentences that is about the same case."""
    found = [hit for hit in (oppose(one) for one in direct) if hit is not None]
    severe = [hit for hit in found if hit.qualifies or (hit.severity >= _SEVERE and hit.scope != "different")]
    return max(severe, key=lambda hit: hit.severity, default=None)


def _covered(claim: Reading, near: Sequence[Alignment]) -> float:
    """The share of the claim's words that the quotation and its neighbours have together.

    Of all its words by weight, or of its common words, whichever is less: the name alone says nothing about it.
    """
    matched = {word.place for one in near for word, _ in one.pairs}
    repeated = {word.stem for one in near for word, _ in one.pairs}
    held = [word for word in claim.words if word.place in matched or word.stem in repeated]
    if not claim.words:
        return 1.0 if any(one.second.quantities or one.second.dates for one in near) else 0.0
    common, held_common = ([word for word in words if not word.name] for words in (claim.words, held))
    overall = share(weight(held), weight(claim.words) - weight(held))
    return min(overall, len(held_common) / len(common)) if common else overall


def _denies(best: Alignment) -> bool:
    """Whether one side negates words that the other one states, however much else the passage tells."""
    differ = [one.negated is not other.negated for one, other in best.pairs]
    return best.first.negative is not best.second.negative and any(differ)


def _belongs_elsewhere(claim: Reading, direct: Sequence[Alignment]) -> str:
    """What of the claim the passage says of something else; empty where it is all said of the same."""
    for one in direct:
        if number := misdated(claim, one.second):
            return f"the passage gives {number} for another date"
        if number := mislabelled(claim, one.second):
            return f"the passage gives {number} for something else"
        if verb := turned_round(one):
            return f'"{verb}" is the other way round in the passage'
        if is_announced(one):
            return "the passage does not say that it is done"
        if is_of_the_past(one.second.text) and not _PAST.search(claim.text):
            return "the passage tells how it used to be"
        if value := misplaced(claim, one.second.text):
            return f"the passage gives {value} for something else"
    return ""


def _another_subject(best: Alignment) -> bool:
    """Whether both sentences open with a word that the other one does not have."""
    mine, theirs = best.only_first[:1], best.only_second[:1]
    return bool(mine and theirs) and mine == best.first.words[:1] and theirs == best.second.words[:1]
