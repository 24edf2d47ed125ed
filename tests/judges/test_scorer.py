"""The result scorer: five factors, each moved by what it measures, unscored where nothing can be measured."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from pydantic import ValidationError

from calibrant.judges.free.synthesis.scorer import ResultScorer, warnings_of
from calibrant.judges.free.words.text import CERTAINTIES, HEDGES, cues_in
from calibrant.judges.given import ToScore
from calibrant.nodes.synthesize import _overall
from calibrant.state.answer import Claim, Conflict, ConflictKind
from calibrant.state.confidence import Confidence, ResultWeights
from calibrant.state.errors import Failure, FailureKind
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language, Statement, StepStatus, SubResult, Task

PASSAGE = Evidence(
    id="e1",
    title="Alpha manual",
    source="knowledge",
    url="file:///alpha.md",
    text="The default timeout of Alpha is 30 seconds. Alpha retries a failed job 3 times. It may drop old jobs.",
)
QUESTION = "What is the default timeout of Alpha?"


def result(
    *texts: str, score: float = 0.9, cited: bool = True, missing: str = "", question: str = QUESTION
) -> SubResult:
    ids = ("e1",) if cited else ()
    told = tuple(Statement(text=text, evidence_ids=ids, quote=PASSAGE.text, score=score) for text in texts)
    return SubResult(id="s1", question=question, status=StepStatus.ANSWERED, statements=told, missing=missing)


def scored(sub: SubResult) -> Confidence:
    return ResultScorer(None, ResultWeights()).free(ToScore(sub, Task(text=sub.question), (PASSAGE,))).value


GOOD = "The default timeout of Alpha is 30 seconds."


def test_a_grounded_answer_scores_high_with_reasons() -> None:
    confidence = scored(result(GOOD))
    assert confidence.score > 0.7
    assert [factor.name for factor in confidence.factors] == [
        "completeness", "consistency", "specificity", "grounding", "hedging",
    ]  # fmt: skip
    assert all(factor.reason for factor in confidence.factors)


@pytest.mark.parametrize(
    ("factor", "better", "worse"),
    [
        ("completeness", result(GOOD), result(GOOD, missing="the unit")),
        ("completeness", result(GOOD), result("Bananas are rich in potassium.")),
        ("completeness", result(GOOD, score=0.9), result(GOOD, score=0.2)),
        ("completeness", result(GOOD, "Alpha retries a failed job 3 times."), result(GOOD)),
        (
            "consistency",
            result(GOOD, "Alpha retries 3 times."),
            result(GOOD, "The default timeout of Alpha is 60 seconds."),
        ),
        ("specificity", result(GOOD), result("The default timeout of Alpha is a value of some kind or other.")),
        ("grounding", result(GOOD), result("The default timeout of Alpha is 60 seconds.")),
        ("grounding", result(GOOD), result(GOOD, cited=False)),
        ("grounding", result(GOOD), result("Alpha has a timeout of 30 seconds as default.")),
        ("hedging", result(GOOD), result("Perhaps the default timeout of Alpha is 30 seconds.")),
        ("hedging", result("Perhaps Alpha runs on Mars."), result("Alpha definitely runs on Mars.")),
    ],
)
def test_each_factor_moves_with_what_it_measures(factor: str, better: SubResult, worse: SubResult) -> None:
    high, low = scored(better).factor(factor), scored(worse).factor(factor)
    assert low is not None
    assert high is None or high > low


def test_one_sentence_cannot_be_inconsistent_with_itself() -> None:
    assert scored(result(GOOD)).factor("consistency") is None


def test_no_answer_is_incomplete_and_a_failure_is_not_judged() -> None:
    empty = scored(SubResult(id="s", question="q", status=StepStatus.UNANSWERED))
    failed = scored(
        SubResult(
            id="s",
            question="q",
            status=StepStatus.FAILED,
            failure=Failure(kind=FailureKind.TIMEOUT, where="web", message="no answer"),
        )
    )
    assert (empty.score, empty.factor("completeness")) == (0.0, 0.0)
    assert all(factor.score is None for factor in failed.factors)


def test_portuguese_hedges_count() -> None:
    passage = PASSAGE.replace(text="O limite padrão do Alpha é de 30 segundos.")
    told = [
        ResultScorer()
        .free(
            ToScore(
                result(text, question="Qual é o limite padrão do Alpha?").replace(
                    statements=(Statement(text=text, evidence_ids=("e1",), quote=passage.text, score=0.9),)
                ),
                Task(text="q"),
                (passage,),
            )
        )
        .value.factor("hedging")
        for text in (
            "O limite padrão do Alpha é de 30 segundos.",
            "Talvez o limite padrão do Alpha seja de 30 segundos.",
        )
    ]
    assert told[0] is not None
    assert told[1] is not None
    assert told[0] > told[1]


@pytest.mark.parametrize(
    ("cues", "told"),
    [
        (
            HEDGES,
            "might maybe perhaps possibly could_be i_think i_believe it_seems probably not_sure uncertain unclear",
        ),
        (CERTAINTIES, "definitely certainly always never must_be clearly obviously undoubtedly"),
    ],
    ids=["hedges", "certainties"],
)
def test_the_words_of_the_specification_are_known(cues: dict[Language, tuple[str, ...]], told: str) -> None:
    for word in told.split():
        assert cues_in(f"It {word.replace('_', ' ')} thirty seconds.", cues[Language.ENGLISH])


def test_overall_is_weighted_by_length() -> None:
    long = result("word " * 30).replace(confidence=Confidence(score=0.9))
    short = result("word").replace(confidence=Confidence(score=0.1))
    assert _overall([long, short]).score > 0.8
    assert _overall([]) == Confidence()


def test_warnings_name_what_the_reader_must_know() -> None:
    claims = Claim(id="a", text="A."), Claim(id="b", text="B.")
    conflict = Conflict(id="a-b", kind=ConflictKind.CONTRADICTION, severity=0.9, first=claims[0], second=claims[1])
    assert warnings_of(0.9, [], [], []) == ()
    told = warnings_of(0.4, [conflict], ["Which port?", "List the limits."], ["web"], ["The port is 80."])
    assert told == (
        "Low overall confidence (40%). Results may be unreliable.",
        "1 conflict between sources. Review carefully.",
        "2 low-confidence results left out: Which port?; List the limits.",
        "1 statement left out, of a document that holds no more: The port is 80.",
        "1 source could not be searched: web.",
    )


@settings(max_examples=60, deadline=None)
@given(st.lists(st.text(max_size=60), max_size=4), st.floats(0, 1), st.booleans())
def test_every_score_is_in_range(texts: list[str], score: float, cited: bool) -> None:
    confidence = scored(result(*texts, score=score, cited=cited))
    assert 0.0 <= confidence.score <= 1.0
    assert all(factor.score is None or 0.0 <= factor.score <= 1.0 for factor in confidence.factors)


def test_only_what_the_passages_say_counts_as_a_detail() -> None:
    invented = scored(result("The default timeout of Alpha is 30 seconds, says Bob Dylan in Oslo."))
    grounded = scored(result("The default timeout of Alpha is 30 seconds, and it retries a failed job 3 times."))
    for factor in ("specificity", "completeness"):
        high, low = grounded.factor(factor), invented.factor(factor)
        assert high is not None
        assert low is not None
        assert high > low


def test_a_profile_is_named_in_one_word() -> None:
    assert ResultWeights.model_validate("specification") == ResultWeights()
    fitted = ResultWeights.model_validate("fitted")
    assert fitted != ResultWeights()
    assert sum(fitted.model_dump().values()) == pytest.approx(1.0)
    with pytest.raises(ValidationError, match="specification, fitted"):
        ResultWeights.model_validate("fited")


def test_a_clause_that_is_cut_out_is_worth_more_than_what_is_not_there_and_less_than_the_sentence() -> None:
    text = "It is a mistake to think that the default timeout of Alpha is 30 seconds."
    item = Evidence(id="e1", title="Alpha manual", source="knowledge", url="file:///alpha.md", text=text)

    def grounding(said: str) -> float | None:
        told = (Statement(text=said, evidence_ids=("e1",), quote=text, score=0.9),)
        sub = SubResult(id="s1", question=QUESTION, status=StepStatus.ANSWERED, statements=told)
        factors = ResultScorer(None, ResultWeights()).free(ToScore(sub, Task(text=QUESTION), (item,))).value.factors
        return next(factor.score for factor in factors if factor.name == "grounding")

    whole, cut, other = grounding(text), grounding(GOOD), grounding("The default timeout of Beta is 90 minutes.")
    assert whole is not None
    assert cut is not None
    assert other is not None
    assert whole > cut > other
