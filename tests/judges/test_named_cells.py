"""A row that is named by its cell answers as surely as the other rows of its table seem to."""

import pytest

from calibrant.judges.free.answering.candidates import candidates_for
from calibrant.judges.free.evidence.relevance import ScoredPassage, ScoredSentence
from calibrant.judges.free.words.text import sentences
from calibrant.state.evidence import Evidence, Locator

CODES = """\
| exit code | meaning |
| --- | --- |
| 0 | it went well |
| 3 | nothing was found |
| 4 | a question waits |
"""


def scored(*scores: float) -> ScoredPassage:
    """The passage as an encoder scored it: its rows in order, the rest not at all."""
    item = Evidence(
        id="p1", text=CODES, title="skiff", source="k", url="file:///skiff.md", locator=Locator(heading="skiff > Use")
    )
    left = list(scores)
    each = [
        ScoredSentence(one, 0.0, left.pop(0) if one.text.startswith("exit code: ") else 0.0) for one in sentences(CODES)
    ]
    return ScoredPassage(item, 3.0, 0.95, tuple(each), encoded=True)


@pytest.mark.parametrize("question", ["What does exit code 3 mean?", "What is exit code 3?"])
def test_the_row_that_is_named_has_the_score_of_the_best(question: str) -> None:
    best, *_ = candidates_for(question, [scored(0.6, 0.01, 0.95)])
    assert best.text == "exit code: 3; meaning: nothing was found"
    assert best.score == pytest.approx((0.95 * 0.95) ** 0.5)
    assert best.answers


def test_where_no_row_seems_to_answer_the_one_that_is_named_does_not_either() -> None:
    found = candidates_for("What does exit code 3 mean?", [scored(0.02, 0.01, 0.03)])
    assert not any(one.answers for one in found)


def test_a_row_that_is_not_named_is_not_told() -> None:
    assert not any(one.answers for one in candidates_for("What does exit code 7 mean?", [scored(0.6, 0.01, 0.95)]))
