"""Extraction: quotes are verbatim, the kind of answer fits, and what is not answered is abstained from."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrant.judges.free.extract import Extractor, alike, cleaned
from calibrant.judges.given import ToAnswer
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Step, StepStatus, SubResult, Task

DUMPS = '''def dumps(obj, *, skipkeys=False, sort_keys=False):
    """Serialize ``obj`` to a JSON formatted ``str``.

    If ``skipkeys`` is true then ``dict`` keys that are not basic types
    will be skipped instead of raising a ``TypeError``.

    If *sort_keys* is true (default: ``False``), then the output of
    dictionaries will be sorted by key.
    """
    return _encode(obj, sort_keys)
'''
TOWER = "The Eiffel Tower in Paris was built from 1887 to 1889. It is made of iron. Bananas are a fruit."


def passage(text: str, heading: str = "", key: str = "p1") -> Evidence:
    return Evidence(
        id=key, text=text, title=heading, source="knowledge", url=f"file:///{key}", locator=Locator(heading=heading)
    )


def answer(question: str, *evidence: Evidence) -> SubResult:
    step = Step(id="s1", question=question)
    return Extractor().free(ToAnswer(step=step, task=Task(text=question), evidence=evidence)).value


def test_a_docstring_answers_under_its_heading() -> None:
    result = answer("What does sort_keys do in json.dumps?", passage(DUMPS, "json.dumps"))
    assert result.status is StepStatus.ANSWERED
    first = result.statements[0]
    assert first.text == (
        "json.dumps: If sort_keys is true (default: False), then the output of dictionaries will be sorted by key."
    )
    assert first.quote in DUMPS
    assert "\n" in first.quote
    assert first.evidence_ids == ("p1",)


CHANGES = "- Added: dark mode.\n- Removed: support for Windows 8."


@pytest.mark.parametrize(
    ("question", "headed"),
    [
        ("Which version added dark mode?", True),
        ("In what release was dark mode added?", True),
        ("Em que versão foi added o dark mode?", True),
        ("When was dark mode added?", True),
        ("Which section tells of dark mode added?", True),
        ("Was dark mode added?", False),
    ],
)
def test_what_only_the_heading_answers_is_said_with_the_quotation(question: str, headed: bool) -> None:
    (first, *_) = answer(question, passage(CHANGES, "4.1.0 – 2024-10-22")).statements
    assert first.text.startswith("4.1.0 – 2024-10-22: Added: dark mode.") is headed
    assert first.quote in CHANGES


def test_a_version_that_the_sentence_says_needs_no_heading() -> None:
    result = answer("Which version added dark mode?", passage("Dark mode was added in version 4.1.0.", "4.2.0 – Notes"))
    assert result.statements[0].text == "Dark mode was added in version 4.1.0."


def test_a_fact_is_quoted() -> None:
    result = answer("When was the Eiffel Tower built in Paris?", passage(TOWER))
    assert "1889" in result.content
    assert "Bananas" not in result.content


@pytest.mark.parametrize(
    "question",
    [
        "Who designed the Eiffel Tower for Paris?",
        "How many visitors has the Eiffel Tower had?",
        "Which exception does the tower raise?",
        "What is the capital of Peru?",
        "???",
    ],
)
def test_what_is_not_said_is_not_answered(question: str) -> None:
    result = answer(question, passage("The Eiffel Tower in Paris is made of iron. It is tall."))
    assert result.status is StepStatus.UNANSWERED
    assert result.statements == ()
    assert result.missing


def test_no_evidence_is_unanswered_without_doubt() -> None:
    step = Step(id="s1", question="What is a heap?")
    judged = Extractor().free(ToAnswer(step=step, task=Task(text="x"), evidence=()))
    assert judged.value.status is StepStatus.UNANSWERED
    assert judged.doubt == 0.0


def test_the_same_sentence_is_said_once() -> None:
    result = answer(
        "When was the Eiffel Tower built in Paris?", passage(TOWER), passage(TOWER.replace(" It", " Now it"), key="p2")
    )
    assert len([text for text in result.content.split(".") if "1889" in text]) == 1


def test_quotations_of_one_passage_tell_no_sentence_twice() -> None:
    lions = "Lions eat zebras and antelopes. Lions hunt at night in groups. Lions hunt prey by stalking it."
    told = answer("What do lions eat and how do lions hunt?", passage(lions)).statements
    assert len(told) > 1
    for sentence in lions.split(". "):
        assert sum(sentence.rstrip(".") in statement.quote for statement in told) <= 1


@settings(deadline=None, max_examples=40)
@given(
    st.lists(
        st.sampled_from([TOWER, DUMPS, "Paris.\n\n- built 1889\n- Eiffel Tower in Paris was built in 1889"]), max_size=4
    )
)
def test_quotes_are_verbatim_and_scores_bounded(texts: list[str]) -> None:
    evidence = {f"p{i}": passage(text, key=f"p{i}") for i, text in enumerate(texts)}
    result = answer("When was the Eiffel Tower built in Paris?", *evidence.values())
    assert len(result.statements) <= 3
    for statement in result.statements:
        assert statement.quote
        assert statement.quote in evidence[statement.evidence_ids[0]].text
        assert 0.0 <= statement.score <= 1.0


def test_cleaning_keeps_the_words() -> None:
    assert cleaned("If ``a_b`` is *true*,\n   use `x` and 2 * 3 * 4.") == "If a_b is true, use x and 2 * 3 * 4."
    assert alike("The tower was built in 1889.", "The tower was built in 1889, they say.")
    assert not alike("The tower was built in 1889.", "Bananas are yellow fruit.")
