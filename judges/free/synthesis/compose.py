"""Composition without a model: the claims' own words, in the order of the questions, disagreement told.

Nothing is invented: besides claims there are only headings (the questions) and a few fixed words.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from calibrant.judges.cascade import Judged
from calibrant.judges.free.evidence.cited import cited_by
from calibrant.judges.free.evidence.question_form import without_scene
from calibrant.judges.free.request.parts import asked_apart
from calibrant.judges.free.synthesis.disputes import Dispute, disputes_of, figures, row, says_same
from calibrant.judges.free.synthesis.preferred import reason_to_follow
from calibrant.judges.free.synthesis.quoted import is_data
from calibrant.judges.free.words.tables import cells
from calibrant.judges.given import Composed, ToCompose
from calibrant.state.answer import Claim, Verdict
from calibrant.state.evidence import path_of
from calibrant.state.task import Language, Question

Policy = Literal["drop", "mark"]
Sentence = tuple[str, tuple[str, ...]]

_WORDS = {
    Language.ENGLISH: {
        "disagree": "Sources disagree; also found",
        "ambiguous": "Sources differ, perhaps about different cases; also found",
        "changed": "The first is followed: it says what has changed.",
        "replaces": "The first is followed: its document says that it replaces or changes the other.",
        "newer": "The first is followed: its document is the newer one.",
        "to come": "The first is followed: the other does not hold yet.",
        "over": "The first is followed: the other holds no more, its document says.",
        Verdict.QUALIFIED: "(its source is more cautious)",
    },
    Language.PORTUGUESE: {
        "disagree": "As fontes divergem; também se lê",
        "ambiguous": "As fontes divergem, talvez sobre casos diferentes; também se lê",
        "changed": "Segue-se a primeira: diz o que mudou.",
        "replaces": "Segue-se a primeira: o seu documento diz que substitui ou altera o outro.",
        "newer": "Segue-se a primeira: o seu documento é o mais recente.",
        "to come": "Segue-se a primeira: a outra ainda não vale.",
        "over": "Segue-se a primeira: a outra já não vale, diz o seu documento.",
        Verdict.QUALIFIED: "(a fonte é mais cautelosa)",
    },
}
_WORDED = 0.2
"""Of the doubt, where there is a single claim, or one answer of a model: it is worded already, and nothing is to be put
together."""


def compose(given: ToCompose, policy: Policy = "drop") -> Judged[Composed]:
    """The answer as sentences. ``policy``: leave out what its source does not support, or keep it, for ``respond`` to
    mark by its last verdict."""
    usable = _whole_rows([claim for claim in given.claims if policy == "mark" or claim.verdict.stands])
    disputes = disputes_of(given, {claim.id: claim for claim in usable})
    said = _Said(disputes, given)
    sections = _by_question(usable, given.questions)
    told = [(question, body) for question, claims in sections if (body := said.section(claims))]
    # A heading over all that is said would claim that the other questions have no answer: one sentence may give two.
    headed = sum(question is not None for question, _ in told) > 1
    out: list[Sentence] = []
    for question, body in told:
        if headed and question is not None:
            out.append((f"## {without_scene(question.text)}", ()))
        out += body
    doubt = 1.0 - given.confidence.score if out and given.confidence.factors else 0.0
    if any(is_data(claim.text) for claim in usable) or _is_told_in_parts(given, usable):
        doubt = 1.0
    elif len(usable) == 1 or given.worded:
        doubt *= _WORDED
    return Judged(Composed(tuple(out)), doubt=round(doubt, 4))


def _whole_rows(claims: Sequence[Claim]) -> list[Claim]:
    """Without those that tell fewer cells of a row than another one does: of two plans one by one, where both are told
    side by side."""
    held = [(claim, {*cells(claim.text)}) for claim in claims]
    return [
        one for one, told in held if not any(one.spans == other.spans and set() < told < more for other, more in held)
    ]


def with_disputes(told: Composed, given: ToCompose, policy: Policy = "drop") -> Composed:
    """``told`` with every conflict that touches it told in fixed words: the preferred side, then what is against it.

    A sentence that states a beaten side gives way to that: how a disagreement is worded is not left to a model. What
    the free tier composed comes back as it is.
    """
    usable = {claim.id: claim for claim in given.claims if policy == "mark" or claim.verdict.stands}
    disputes = disputes_of(given, usable)
    said = _Said(disputes, given)
    out: list[Sentence] = []
    fixed: list[Sentence] = []
    done: set[Dispute] = set()
    stated: set[str] = set()
    for text, ids in told.sentences:
        touched = dict.fromkeys(disputes[key] for key in ids if key in disputes)
        open_ones = [dispute for dispute in touched if dispute not in done]
        follows = all(key not in disputes or key in disputes[key].lead for key in ids)
        ours: list[Sentence] = []
        if follows and (open_ones or not touched or not stated.issuperset(ids)):
            out.append((text, ids))
            stated.update(ids)
        elif touched:  # what it says beside the dispute must not be lost with it
            ours += [(usable[key].text, (key,)) for key in ids if key not in disputes and key in usable]
        for dispute in open_ones:
            ours += said.dispute(dispute) if not follows else said.dispute(dispute)[-1:]
        out += ours
        stated.update(key for _, keys in ours for key in keys)
        fixed += ours
        done.update(open_ones)
    return Composed(tuple(out), fixed=frozenset(fixed))


def _is_told_in_parts(given: ToCompose, usable: Sequence[Claim]) -> bool:
    """Whether the claims answer parts, and none the request itself: which of two is older, they say only together."""
    if asked_apart(given.task.text, [part.text for part in given.task.questions]):
        return False
    answered = {claim.question_id for claim in usable}
    parts = [question.text for question in given.questions if question.id in answered]
    return len(parts) > 1 and given.task.text not in parts


def _by_question(claims: Sequence[Claim], questions: Sequence[Question]) -> list[tuple[Question | None, list[Claim]]]:
    """Claims under their questions; those of no known question come last, without a heading."""
    known = {question.id for question in questions}
    sections: list[tuple[Question | None, list[Claim]]] = [
        (question, _ordered(claim for claim in claims if claim.question_id == question.id)) for question in questions
    ]
    return [*sections, (None, _ordered(claim for claim in claims if claim.question_id not in known))]


def _ordered(claims: Iterable[Claim]) -> list[Claim]:
    """The claims in their order, those that are no more than marked last."""
    return sorted(claims, key=lambda claim: not claim.verdict.stands)


class _Said:
    """What has been said so far, so that nothing is said twice."""

    def __init__(self, disputes: Mapping[str, Dispute], given: ToCompose) -> None:
        self._disputes = disputes
        self._words = _WORDS[given.task.language]
        self._passages = {item.id: item for item in given.evidence}
        self._today = given.today
        self._told: set[Dispute] = set()
        self._said: set[tuple[tuple[str, ...], str]] = set()

    def section(self, claims: Sequence[Claim]) -> list[Sentence]:
        """The sentences for ``claims``: each once, a disputed one with its dispute, its beaten sides only there."""
        groups: list[list[Claim]] = []
        for claim in claims:
            dispute = self._disputes.get(claim.id)
            if dispute in self._told:
                continue
            if dispute is not None:
                self._told.add(dispute)
                claim = next(member for member in dispute.members if member.id == dispute.leader)
            twin = None if dispute else next((group for group in groups if says_same(group[0], claim)), None)
            if twin is not None and not any(one.id in self._disputes for one in twin):  # those keep their own citations
                twin.append(claim)
            elif not self._is_said(claim):
                groups.append([claim])
        return [sentence for group in groups for sentence in self._sentences(group)]

    def _is_said(self, claim: Claim) -> bool:
        """Whether an earlier question's answer has it already; otherwise it is noted as said."""
        key = (row(claim), figures(claim))
        if key in self._said:
            return True
        self._said.add(key)
        return False

    def _sentences(self, group: Sequence[Claim]) -> list[Sentence]:
        first = group[0]
        dispute = self._disputes.get(first.id)
        if dispute is not None:
            return self.dispute(dispute)
        return [(self._marked(first), tuple(claim.id for claim in group))]

    def dispute(self, dispute: Dispute) -> list[Sentence]:
        """The side that the answer follows, then what is against it, and why that is not followed where it is known."""
        lead = self._words["ambiguous" if dispute.ambiguous else "disagree"]
        places = dict(zip((claim.id for claim in dispute.members), self._places(dispute.members), strict=True))
        against = "; ".join(member.text.strip().rstrip(".;:") + places[member.id] for member in dispute.others)
        cited = tuple(identity for member in dispute.others for identity in dispute.cited(member))
        told = f"{lead}: {against}. {self._why(dispute)}".rstrip()
        return [*((self._marked(claim), dispute.cited(claim)) for claim in dispute.followed), (told, cited)]

    def _places(self, members: Sequence[Claim]) -> list[str]:
        """The file or address of each side, in brackets, where documents have one title; else nothing."""
        quoted = [cited_by(member, self._passages) for member in members]
        items = [held[0] for held in quoted if held and held[0].url]
        places = [path_of(item.url) or item.url for item in items]
        if len({*places}) < len(members) or len({item.title for item in items}) == len(items):
            return [""] * len(members)
        names = [place.rstrip("/").rsplit("/", 1)[-1] for place in places]
        return [f" ({place})" for place in (names if len({*names}) == len(names) else places)]

    def _why(self, dispute: Dispute) -> str:
        """Why the first side is followed, where one reason holds against all others."""
        first = dispute.members[0]
        reasons = set[str]()
        for other in dispute.others:
            followed, reason = reason_to_follow(first, other, self._passages, self._today) or (other, "")
            if followed is not first:
                return ""
            reasons.add(reason)
        return self._words[reasons.pop()] if len(reasons) == 1 and not dispute.ambiguous else ""

    def _marked(self, claim: Claim) -> str:
        mark = self._words.get(claim.verdict, "")
        return f"{claim.text} {mark}" if mark else claim.text
