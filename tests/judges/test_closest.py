"""What is shown beside an abstention: the likeliest sentences and those with most of the words, by turns."""

from collections.abc import Sequence

import pytest

from calibrant.judges.free.answering.closest import NEAR_IN_MEANING, closest
from calibrant.judges.free.evidence.procedures import LONGEST
from calibrant.judges.free.words.text import RateSentences, Sentence, sentences_of
from calibrant.state.evidence import Evidence

QUESTION = "When must a sick note be handed in?"
NOTE = "Thank you for reading this page. A doctor's certificate is needed from the fourth day of absence."
WORDS = "A sick note must be handed to nobody else."
PAY = "Your salary is paid in full while you are ill."


def passage(identity: str, text: str) -> Evidence:
    return Evidence(id=identity, text=text, title="Leave", source="knowledge", url=f"file:///{identity}.md")


def by_scores(**scores: float) -> RateSentences:
    """As if an encoder had given the last sentence of each passage such a score."""

    def rate(question: str, evidence: Sequence[Evidence]) -> list[tuple[float, Evidence, Sentence]]:
        found = [(scores[item.id], item, sentences_of(item)[-1]) for item in evidence if item.id in scores]
        return sorted(found, key=lambda one: -one[0])

    return rate


def shown(rate: RateSentences, *evidence: Evidence) -> list[str]:
    return [one.quote for one in closest([QUESTION], evidence, rate)]


CERTIFICATE = "A doctor's certificate is needed from the fourth day of absence."


def test_without_an_encoder_the_words_decide() -> None:
    assert shown(by_scores(), passage("a", NOTE), passage("b", WORDS)) == [WORDS]


def test_what_says_it_in_other_words_comes_first() -> None:
    held = passage("a", NOTE), passage("b", WORDS), passage("c", PAY)
    assert shown(by_scores(a=0.3, c=0.2), *held) == [CERTIFICATE, WORDS, PAY]


def test_one_sentence_a_passage_and_nothing_unlikely() -> None:
    both = passage("a", f"{WORDS} {CERTIFICATE}")
    assert shown(by_scores(a=NEAR_IN_MEANING), both) == [CERTIFICATE]
    assert shown(by_scores(a=NEAR_IN_MEANING - 0.01), passage("a", NOTE)) == []


def test_the_same_words_in_two_documents_are_shown_once() -> None:
    held = passage("a", NOTE), passage("b", PAY), passage("c", NOTE)
    assert shown(by_scores(a=0.4, b=0.3, c=0.2), *held) == [CERTIFICATE, PAY]


@pytest.mark.parametrize(
    ("text", "quoted"),
    [
        ("Do this to be ill:\n\n```sh\nleave  --ill\n```\n\nGet well.", "Do this to be ill: leave --ill"),
        ("Do this to be ill:\n\n- Call us.\n- Rest.\n\nGet well.", "Do this to be ill: Call us. Rest."),
        ("Do this to be ill:\n\nGet well.", "Do this to be ill:"),
        ("To be ill is bad.\n\n```sh\nleave  --ill\n```\n\nGet well.", "To be ill is bad."),
        (f"Do this to be ill:\n\n- {'Rest. ' * (LONGEST // 6)}\n\nGet well.", "Do this to be ill:"),
    ],
    ids=["code", "a list", "nothing shown", "nothing announced", "too long"],
)
def test_what_announces_a_thing_is_shown_with_it(text: str, quoted: str) -> None:
    found = closest(["What do I do to be ill?"], (passage("a", text),), by_scores())
    assert [one.quote for one in found] == [quoted]
