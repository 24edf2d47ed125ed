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
from calibrant.judges.free.comparing.belonging import is_announced, misdated, turned_round
from calibrant.judges.free.comparing.columns import misplaced
from calibrant.judges.free.comparing.opposition import Opposition, oppose
from calibrant.judges.free.comparing.permission import is_permitted
from calibrant.judges.free.comparing.quantities import agree, same_day
from calibrant.judges.free.comparing.reading import ARTICLES, Quantity, Reading, Word, lowered_words, read
from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.synthesis.quoted import Quoted, is_data, is_word_for_word, normal, quotations_of
from calibrant.judges.free.words.arithmetic import without_workings, workings
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.opposites import CONDITIONS, DUTIES, FORBIDDEN, FORCE, LEAVE, PLAIN_FORCE
from calibrant.judges.free.words.text import language_of, tokens
from calibrant.judges.given import ToSupport, reckoned_with
from calibrant.state.answer import Claim, Verdict
from calibrant.state.protocols import TokenEncoder
from calibrant.state.task import Language

COVERED = 0.7
"""Share of a claim's words that its passage must have. Chosen on the fitting halves (evals/fitting/conflict.py)."""
COVERED_ROW = 0.5
"""And a table's row, which has names and values and no words that join them."""
ABOUT = 0.35
"""Below this share the passage is about something else."""
_SEVERE = 0.5
_ANOTHER, _ABSENT, _PARTLY, _ELSE = 0.6, 0.4, 0.6, 0.4
"""How often "unverified" is wrong, by its reason, at least: on the fitting halves of scifact and assin (``claims``)."""
_CLAUSES, _HALVES = re.compile(r"[,;:()—–](?=\s|$)|\(|—|–"), re.compile(r"[;:](?=\s)|—")
"""What parts the statements of a sentence, and what parts a condition from what it does not belong to."""
_JOINS = ARTICLES | word_set(
    "and but or so because since as where here then now also today "
    "e mas ou porque pois onde aqui então agora também hoje"
)
"""What may open a clause that says by itself what it says."""
_BESIDE = word_set("during while durante enquanto")
"""Conditions that only say when: what is said beside them holds."""

CUT_OUT = "it is cut out of what the passage says"
"""The reason for a clause of a sentence that says something else as a whole."""
_REPLY = re.compile(r"(?:yes|no|sim|não)\s*[,;:–—-]\s+", re.IGNORECASE)


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
                own = read(_said(claim.text))
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
    found, stated = _best_verdict(_said(text), quoted, vectors), _stated(text)
    if found.verdict.stands and any(_is_cut_out(_said(text), one) for one in quoted):
        return Found(Verdict.UNVERIFIED, CUT_OUT, _PARTLY)
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


def _stated(text: str) -> str:
    """What a sentence says is so, without the yes or no that it opens with."""
    reply = _REPLY.match(text)
    return text[reply.end() :] if reply else text


def _said(text: str) -> str:
    """What of a sentence is compared with its passages by its words: all but what it works out."""
    return without_workings(_stated(text), with_units=False)


def _is_cut_out(text: str, quoted: Quoted) -> bool:
    """Whether ``text`` stands in a sentence, quoted or beside what is, that says something else as a whole: "it is a
    mistake to think that ...", "... in no case", "if ..., ..."."""
    clause = normal(text)
    if len(read(text).words) < 2:  # "Five." states nothing by itself
        return False
    place = re.compile(rf"(?<!\w){re.escape(clause)}(?!\w)")
    halves = [half for one in (*quoted.quote, *quoted.bare, *quoted.around) for half in _HALVES.split(normal(one))]
    rests = [(half[: one.start()], half[one.end() :]) for half in halves for one in place.finditer(half)]
    return bool(rests) and all(_changes(before, after, language_of(text)) for before, after in rests)


def _changes(before: str, after: str, language: Language) -> bool:
    """Whether the words left out around a clause change what it says: those before it that it hangs on, a negation
    after it, a condition anywhere."""
    hangs = any(one.word not in _JOINS for one in tokens(_CLAUSES.split(before)[-1]))
    denied = read(_CLAUSES.split(after)[0], language).negative
    limits = CONDITIONS[language] - _BESIDE
    return hangs or denied or not limits.isdisjoint(lowered_words(f"{before} … {after}", language))


def _together(text: str, quoted: Sequence[Quoted], vectors: Vectors | None) -> Found:
    """The claim against all quotations at once: of "A is 5 and B is 7" each of them states a part. Which
    word belongs to which is not compared, so there is doubt about it."""
    claim = read(text)
    direct = [one for part in quoted for one in _aligned(claim, part.quote, vectors)]
    with_above = [*direct, *(one for part in quoted for one in _aligned(claim, part.above))]
    says_all = _covered(claim, with_above) >= COVERED and not _absent(claim, with_above)
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
    if name := _absent_name(claim, _aligned(claim, near)):
        return Found(Verdict.UNVERIFIED, f"{claim.text[name.start : name.end]} is not in the passage", _ABSENT)
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
    absent = _absent(claim, with_above)
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
    limit = _limit(claim, best)
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


def _absent(claim: Reading, near: Sequence[Alignment]) -> str:
    """The first number, date or name of the claim that the passage does not have; empty where it has all."""
    amounts = [amount for one in near for amount in one.second.quantities]
    days = [date for one in near for date in one.second.dates]
    bare = {date.year for date in days if not date.month}  # a cell's 1810 may be kilograms
    for mine in claim.quantities:
        said = claim.text[mine.start : mine.end]
        if mine.value / mine.factor not in bare and not any(_same_amount(mine, said, other) for other in amounts):
            return said
    for date in claim.dates:
        if not any(same_day(date, other) for other in days):
            return claim.text[date.start : date.end]
    name = _absent_name(claim, near)
    return claim.text[name.start : name.end] if name is not None else ""


def _same_amount(mine: Quantity, said: str, other: Quantity) -> bool:
    """One side may leave out what it counts: the value tells then, and the bare number where units were reckoned into
    it ("28 days", ``within_days: 28``)."""
    if mine.value == other.value or (mine.unit == other.unit and agree(mine, other)):
        return True
    return not other.unit and any(number.value == other.value for number in numbers(said))


def _absent_name(claim: Reading, near: Sequence[Alignment]) -> Word | None:
    held = {word.stem for one in near for word, _ in one.pairs}
    return next((word for word in claim.words if word.name and word.stem not in held), None)


def _denies(best: Alignment) -> bool:
    """Whether one side negates words that the other one states, however much else the passage tells."""
    differ = [one.negated is not other.negated for one, other in best.pairs]
    return best.first.negative is not best.second.negative and any(differ)


def _belongs_elsewhere(claim: Reading, direct: Sequence[Alignment]) -> str:
    """What of the claim the passage says of something else; empty where it is all said of the same."""
    for one in direct:
        if number := misdated(claim, one.second):
            return f"the passage gives {number} for another date"
        if verb := turned_round(one):
            return f'"{verb}" is the other way round in the passage'
        if is_announced(one):
            return "the passage does not say that it is done"
        if value := misplaced(claim, one.second.text):
            return f"the passage gives {value} for something else"
    return ""


def _another_subject(best: Alignment) -> bool:
    """Whether both sentences open with a word that the other one does not have."""
    mine, theirs = best.only_first[:1], best.only_second[:1]
    return bool(mine and theirs) and mine == best.first.words[:1] and theirs == best.second.words[:1]


def _limit(claim: Reading, best: Alignment) -> str:
    """How the passage limits what the claim says without limits; empty where it does not. What it says of something
    else, in another part of the sentence, limits nothing."""
    source = _parts(best, _CLAUSES)
    if _is_stronger(claim, source) and not _gives_leave(claim, best):
        return "the claim is stronger than the passage"
    conditions = CONDITIONS[claim.language]
    words = _parts(best, _HALVES).lowered
    if words & conditions and not claim.lowered & conditions and best.cover_second < 0.9:
        return "the passage adds a condition"
    return ""


def _is_stronger(claim: Reading, source: Reading) -> bool:
    if source.force < PLAIN_FORCE:
        return claim.force > source.force
    absolute = {word for word, force in FORCE[claim.language].items() if force > PLAIN_FORCE} - DUTIES
    return claim.force > source.force and not claim.lowered & absolute <= source.lowered


def _gives_leave(claim: Reading, best: Alignment) -> bool:
    """Whether both sides say what may be done, or may not: there "may" is no guess."""
    leave = any(is_permitted(word, best.second) for word in best.second.words)
    return leave and bool(claim.lowered & (LEAVE[claim.language] | FORBIDDEN))


def _parts(best: Alignment, breaks: re.Pattern[str]) -> Reading:
    """The second sentence without the parts of it that hold no word of the first."""
    source = best.second
    held = tokens(source.text)
    matched = [held[word.place].start for _, word in best.pairs if word.place < len(held)]
    ends = [*(found.start() for found in breaks.finditer(source.text)), len(source.text)]
    parts = zip([0, *ends], ends, strict=False)
    kept = [source.text[start:end] for start, end in parts if any(start <= place < end for place in matched)]
    return read("".join(kept), source.language) if kept else source
