"""The claims that are compared: what they quote and answer, and how they compare as answers to one question."""

from collections.abc import Sequence, Set

from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.rivals import LIKELY, Comparison, compare_answers
from calibrant.judges.free.comparing.same_case import answer_of
from calibrant.judges.free.evidence.cited import cited_by, document_cited_by
from calibrant.judges.free.synthesis.pairing import IdPair
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim
from calibrant.state.task import Language


class GivenClaims:
    """What claims quote and answer, by id, and how they compare as answers to one question."""

    def __init__(self, given: ToReconcile, pairs: Sequence[tuple[Claim, Claim]], disputed: Set[IdPair]) -> None:
        self._disputed = disputed
        self._settled, self._by_model = given.settled, frozenset[str]().union(*given.settled)
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

    def are_two_entries(self, one: Claim, other: Claim) -> bool:
        """Whether one document tells both under two headings, each the name of an entry: ``port`` of the server and
        ``port`` of the client, ``port`` and ``listen_port``."""
        cited = [item for claim in (one, other) for item in cited_by(claim, self.passages)[:1]]
        headings = {item.locator.heading for item in cited}
        names = [heading.rpartition(" > ")[2] for heading in headings]
        if len({item.document for item in cited}) != 1 or len(names) != len((one, other)) or not all(names):
            return False
        return len({*names}) == 1 or not any(" " in name.strip() for name in names)

    def are_settled(self, one: Claim, other: Claim) -> bool:
        """Whether a model that answered with both has said itself whether they disagree: it is not asked again."""
        return any({one.id, other.id} <= group for group in self._settled)

    def are_disputed(self, one: Claim, other: Claim) -> bool:
        """Whether the model that answered a question with both says that they disagree."""
        return frozenset((one.id, other.id)) in self._disputed

    def _answers(self, one: Claim, other: Claim) -> Comparison:
        question = self._asked.get(one.question_id, "") if one.question_id == other.question_id else ""
        mine, theirs = cited_by(one, self.passages), cited_by(other, self.passages)
        if not (question and mine and theirs):
            return Comparison()
        first, second = answer_of(one.text, mine[0]), answer_of(other.text, theirs[0])
        return compare_answers(question, first, second, likely=self._both_likely(one, other))

    def _both_likely(self, one: Claim, other: Claim) -> bool:
        """Whether both answer the question by their scores. What a model answered it has chosen itself."""
        return all(side.addresses >= LIKELY and side.id not in self._by_model for side in (one, other))

    def _document(self, claim: Claim) -> str:
        return document_cited_by(claim, self.passages)
