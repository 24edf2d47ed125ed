"""The question that a page asks itself: whether it is the one that was asked."""

import pytest

from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.relevance import Relevance
from calibrant.judges.free.evidence.same_question import question_and_answer, replies_to
from calibrant.state.evidence import Evidence, Locator


@pytest.mark.parametrize(
    ("text", "question", "answer"),
    [
        ("Can I go? By train.", "Can I go?", "By train."),
        ("**Can I go?** By train.", "Can I go?", "By train."),
        ("Q: Can I go? A: By train.", "Can I go?", "A: By train."),
        ("Can I go?", "", "Can I go?"),
        ("By train.", "", "By train."),
    ],
)
def test_a_sentence_may_open_with_a_question(text: str, question: str, answer: str) -> None:
    assert question_and_answer(text) == (question, answer)


@pytest.mark.parametrize(
    ("asked", "told", "same"),
    [
        ("Does Orbit run on Windows?", "Does it run on Windows? No.", True),
        ("How do I rotate a token?", "**How are tokens rotated?** With `orbit token`.", True),
        ("Onde fica o balcão da Orbit?", "Onde é que fica o balcão? Na cave.", True),
        ("When do I rotate the token?", "How do I rotate the token? With a new one.", False),
        ("How do I rotate the log?", "How do I rotate the token? With a new one.", False),
        ("How do I rotate the token of an agent?", "How do I rotate the token? With a new one.", False),
        ("How long is a token kept?", "How many tokens are kept? Two.", False),
        ("Which users cannot read the log?", "Which users can read the log? All.", False),
        ("What is Orbit?", "Which port does Orbit use? 7070.", False),
    ],
)
def test_two_questions_ask_the_same_in_one_form_and_with_the_same_words(asked: str, told: str, same: bool) -> None:
    item = Evidence(id="e", title="Orbit", source="s", url="u", text=told, locator=Locator(heading="Orbit > Questions"))
    assert replies_to(prepare(asked), item, told) is same


def test_the_answer_to_the_very_question_answers_though_it_repeats_none_of_its_words() -> None:
    item = Evidence(id="e", title="Pass", source="s", url="u", text="How is it renewed? At the desk, in person.")
    (scored,) = Relevance().score("How is the pass renewed?", [item])
    assert scored.score > 0.5
    assert scored.sentences[0].score > 0.5
