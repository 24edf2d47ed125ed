"""The sets that the graph is asked: what becomes of a set's questions when half of its documents are left out."""

from pathlib import Path

import pytest

from calibrant.evals.questions import Document, Loaded, Question, holds, with_gaps

NAMES = ("Ash", "Birch", "Cedar", "Elm", "Fir", "Hazel", "Larch", "Maple", "Oak", "Pine", "Rowan", "Willow")


def loaded(root: Path) -> Loaded:
    documents = [Document(name, f"The {name} mill burnt in {1900 + place}.") for place, name in enumerate(NAMES)]
    questions = [
        Question(one.name, f"When did the {one.title} mill burn?", (one.text[-5:-1],), (one.name,)) for one in documents
    ]
    return documents, [*questions, Question("none", "Who owned the mills?")]


def test_what_only_the_documents_left_out_tell_cannot_be_answered(tmp_path: Path) -> None:
    documents, questions = with_gaps(loaded)(tmp_path)
    whole, _ = loaded(tmp_path)
    left = {one.name for one in documents}
    assert 0 < len(left) < len(whole)
    assert left < {one.name for one in whole}
    asked = {one.key: one for one in questions}
    for one in whole:
        assert asked[one.name].needs == ((one.name,) if one.name in left else ())
        assert bool(asked[one.name].answers) is (one.name in left)
    assert asked["none"].answers == ()


@pytest.mark.parametrize("is_left", [True, False])
def test_what_another_document_may_answer_is_not_asked(is_left: bool, tmp_path: Path) -> None:
    """Every document says "mill": with its own left out, nobody knows whether another one answers."""
    documents, questions = with_gaps(loaded)(tmp_path)
    place = next(at for at, one in enumerate(loaded(tmp_path)[0]) if (one in documents) is is_left)

    def one_only(root: Path) -> Loaded:
        held, _ = loaded(root)
        return held, [Question("shared", "What burnt?", ("Mill",), (held[place].name,))]

    assert [one.answers for one in with_gaps(one_only)(tmp_path)[1]] == ([("Mill",)] if is_left else [])
    assert questions


@pytest.mark.parametrize(
    ("text", "answer", "found"),
    [
        ("It burnt in 1901, twice.", "in 1901", True),
        ("It burnt in 19012.", "1901", False),
        ("The Mill; the owner", "mill the OWNER", True),
        ("The mill", "...", False),
        ("", "mill", False),
    ],
)
def test_words_stand_together_whatever_the_case_and_the_punctuation(text: str, answer: str, found: bool) -> None:
    assert holds(text, [answer]) is found
