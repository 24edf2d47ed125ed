"""Phase confidence, gap queries, start depth and hesitation."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.phase import phase_confidence
from calibrant.judges.free.planning.gaps import background_queries, missing_queries
from calibrant.judges.free.planning.hesitation import hesitation
from calibrant.judges.free.request.understand import understand
from calibrant.judges.given import ToUnderstand
from calibrant.nodes.judging.requests import start_depth
from calibrant.state.channels import View
from calibrant.state.confidence import Confidence, PhaseWeights
from calibrant.state.decision import NO_EXPERIENCE, NO_PATTERN, forcing_gaps
from calibrant.state.memory import Recollection, Remembered
from calibrant.state.retrieval import Sufficiency
from calibrant.state.task import Language, Phase, Power, QueryType, Task

EARLY, LATE = (Phase.PERCEIVE, Phase.REASON), (Phase.ACT, Phase.REFLECT)
units = st.floats(0.0, 1.0)


def held(score: float) -> Sufficiency:
    return Sufficiency(confidence=Confidence(raw=score, score=score))


def memory(experience: float = 0.0, pattern: float = 0.0) -> Recollection:
    return Recollection(experiences=(Remembered(weight=experience),), patterns=(Remembered(weight=pattern),))


def confidence(
    phase: Phase,
    *,
    remembered: Recollection | None = None,
    evidence: float | None = None,
    per_step: tuple[float, ...] = (),
    supported: float | None = None,
    disputed: bool = False,
    understanding: float = 1.0,
    clarity: float = 1.0,
    risk: float = 0.0,
) -> Confidence:
    return phase_confidence(
        phase,
        task=Task(text="x", understanding=understanding),
        recollection=remembered or Recollection(),
        sufficiency=None if evidence is None else held(evidence),
        per_step=per_step,
        supported_share=supported,
        disputed=disputed,
        clarity=clarity,
        risk=risk,
        weights=PhaseWeights(),
    )


def test_the_worked_example_of_spec_1() -> None:
    """Nothing known, no strategy, risk unknown: 0.2. After the retrieval: 0.15 + 0.20 + 0.20 + 0.15 + 0.10 = 0.80."""
    before = confidence(Phase.PERCEIVE, clarity=0.0, risk=1.0)
    after = confidence(Phase.PERCEIVE, evidence=1.0)
    assert before.score == pytest.approx(0.2)
    assert after.score == pytest.approx(0.8)
    weighted = {factor.name: (factor.score or 0.0) * factor.weight for factor in after.factors}
    assert weighted == pytest.approx(
        {
            "past_experience": 0.15,
            "pattern_availability": 0.20,
            "task_understanding": 0.20,
            "strategy_clarity": 0.15,
            "risk": 0.10,
        }
    )
    assert forcing_gaps(before, ()) == (NO_EXPERIENCE, NO_PATTERN)
    assert forcing_gaps(after, ()) == ()


@pytest.mark.parametrize("phase", EARLY)
@pytest.mark.parametrize(
    ("experience", "pattern", "evidence", "expected"),
    [
        (0.0, 0.0, None, (0.0, 0.0)),
        (0.0, 0.0, 0.9, (0.45, 0.72)),
        (0.6, 0.0, 0.9, (0.6, 0.72)),
        (0.4, 0.9, 0.9, (0.45, 0.9)),
        (0.6, 0.7, None, (0.6, 0.7)),
    ],
)
def test_evidence_stands_in_for_memory_up_to_a_part(
    phase: Phase, experience: float, pattern: float, evidence: float | None, expected: tuple[float, float]
) -> None:
    found = confidence(phase, remembered=memory(experience, pattern), evidence=evidence)
    assert (found.factor("past_experience"), found.factor("pattern_availability")) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("per_step", "remembered", "expected"),
    [
        ((0.9, 0.7), 0.0, 0.8),
        ((0.9, 0.7), 0.95, 0.95),
        ((0.9, 0.0), 0.95, 0.45),
        ((0.0,), 1.0, 0.0),
        ((), 1.0, 0.0),
    ],
)
def test_in_act_memory_never_stands_in_for_a_step_without_evidence(
    per_step: tuple[float, ...], remembered: float, expected: float
) -> None:
    found = confidence(Phase.ACT, remembered=memory(remembered), per_step=per_step)
    assert found.factor("evidence") == pytest.approx(expected)
    assert found.factor("past_experience") is None
    assert next(factor.weight for factor in found.factors if factor.name == "evidence") == pytest.approx(0.55)


@pytest.mark.parametrize(
    ("supported", "remembered", "expected"), [(1.0, 0.0, 1.0), (0.5, 0.8, 0.5), (0.0, 0.8, 0.0), (None, 0.8, 0.0)]
)
def test_in_reflect_the_supported_share_counts(supported: float | None, remembered: float, expected: float) -> None:
    found = confidence(Phase.REFLECT, remembered=memory(remembered), supported=supported)
    assert found.factor("evidence") == pytest.approx(expected)


def test_every_factor_gives_its_reason() -> None:
    found = confidence(Phase.PERCEIVE, evidence=0.92)
    assert found.factors[0].reason == "no similar task remembered; evidence held covers 0.92 of the question"
    assert all(factor.reason for phase in Phase for factor in confidence(phase).factors)


@pytest.mark.parametrize(
    ("per_step", "said"),
    [
        ((), "no evidence covers what is asked"),
        ((0.0,), "no evidence covers what is asked"),
        ((0.0049,), "the evidence covers hardly anything of what is asked"),
        ((0.005,), "the evidence covers 0.01 of what is asked"),
        ((0.96,), "the evidence covers 0.96 of what is asked"),
        ((0.0, 0.0), "none of the 2 steps has evidence"),
        ((0.9, 0.0, 0.0), "1 of 3 steps has evidence; it covers 0.30 of what they all ask"),
        ((0.9, 0.6, 0.0), "2 of 3 steps have evidence; it covers 0.50 of what they all ask"),
        ((0.001, 0.002), "2 of 2 steps have evidence; it covers hardly anything of what they all ask"),
    ],
)
def test_the_evidence_for_the_steps_is_told_in_words(per_step: tuple[float, ...], said: str) -> None:
    (evidence,) = (one for one in confidence(Phase.ACT, per_step=per_step).factors if one.name == "evidence")
    assert evidence.reason == said


@pytest.mark.parametrize(
    ("score", "said"),
    [(0.0, "evidence held covers nothing"), (0.004, "evidence held covers hardly anything"), (0.01, "covers 0.01")],
)
def test_evidence_that_covers_nothing_is_told_in_words(score: float, said: str) -> None:
    assert f"{said} of the question" in confidence(Phase.REASON, evidence=score).factors[0].reason


@pytest.mark.parametrize(
    ("share", "said"),
    [
        (None, "no claim to check"),
        (0.0, "no supported claim answers what was asked"),
        (0.5, "50% of what was asked is answered by supported claims"),
    ],
)
def test_the_supported_share_is_told_in_words(share: float | None, said: str) -> None:
    (evidence,) = (one for one in confidence(Phase.REFLECT, supported=share).factors if one.name == "evidence")
    assert evidence.reason == said


def test_that_sources_disagree_is_told_as_the_reason() -> None:
    (evidence,) = (
        one for one in confidence(Phase.REFLECT, supported=0.62, disputed=True).factors if one.name == "evidence"
    )
    assert evidence.reason == "sources disagree: what was asked counts as 62% answered"


@given(st.sampled_from(EARLY), st.tuples(units, units, units, units, units, units), st.integers(0, 5), units)
def test_early_phases_are_monotone_in_each_factor(
    phase: Phase, values: tuple[float, ...], place: int, other: float
) -> None:
    def score(at: tuple[float, ...]) -> float:
        experience, pattern, evidence, understanding, clarity, safe = at
        return confidence(
            phase,
            remembered=memory(experience, pattern),
            evidence=evidence,
            understanding=understanding,
            clarity=clarity,
            risk=1.0 - safe,
        ).score

    raised = tuple(max(value, other) if n == place else value for n, value in enumerate(values))
    assert 0.0 <= score(values) <= score(raised) + 1e-9 <= 1.0 + 1e-8


@given(st.sampled_from(LATE), st.tuples(units, units, units, units, units), st.integers(0, 4), units)
def test_late_phases_are_monotone_in_each_factor(
    phase: Phase, values: tuple[float, ...], place: int, other: float
) -> None:
    def score(at: tuple[float, ...]) -> float:
        remembered, evidence, understanding, clarity, safe = at
        return confidence(
            phase,
            remembered=memory(remembered),
            per_step=(evidence, 0.5),
            supported=evidence,
            understanding=understanding,
            clarity=clarity,
            risk=1.0 - safe,
        ).score

    raised = tuple(max(value, other) if n == place else value for n, value in enumerate(values))
    assert 0.0 <= score(values) <= score(raised) + 1e-9 <= 1.0 + 1e-8


@pytest.mark.parametrize(
    ("query_type", "power", "depth"),
    [
        (QueryType.FACTUAL, Power.AUTO, 1),
        (QueryType.OPERATIONAL, Power.AUTO, 1),
        (QueryType.DECISION, Power.AUTO, 2),
        (QueryType.STRATEGIC, Power.AUTO, 3),
        (QueryType.STRATEGIC, Power.SHALLOW, 1),
        (QueryType.FACTUAL, Power.DEEP, 3),
    ],
)
def test_the_depth_at_which_a_search_starts(query_type: QueryType, power: Power, depth: int) -> None:
    assert start_depth(View(), Task(text="x", query_type=query_type, power=power)) == depth


def task(text: str) -> Task:
    return understand(ToUnderstand(text)).value


@pytest.mark.parametrize(
    ("phase", "text", "expected"),
    [
        (Phase.PERCEIVE, "Optimize the HandleTask function", "HandleTask function best practices"),
        (Phase.PERCEIVE, "Optimize the HandleTask function", "How to analyze HandleTask function"),
        (Phase.REASON, "Optimize the HandleTask function", "HandleTask function best practices"),
        (Phase.REASON, "Optimize the HandleTask function", "How to optimize the HandleTask function step by step"),
        (Phase.ACT, "Optimize the HandleTask function", "HandleTask function implementation examples"),
        (Phase.REFLECT, "Optimize the HandleTask function", "Common mistakes when optimizing the HandleTask function"),
        (Phase.PERCEIVE, "Análise completa do portfólio", "Como analisar portfólio"),
        (Phase.REASON, "Análise completa do portfólio", "portfólio boas práticas"),
    ],
)
def test_background_queries_by_phase(phase: Phase, text: str, expected: str) -> None:
    assert expected in background_queries(phase, task(text))


@pytest.mark.parametrize("text", ["Who founded Athens?", "What is the status of project Halyard?"])
def test_a_fact_needs_no_background(text: str) -> None:
    assert not background_queries(Phase.PERCEIVE, task(text))


def test_what_is_missing_is_searched_for_in_its_context() -> None:
    (found,) = missing_queries(task("Who founded Athens?"), ("year",))
    assert found.endswith("year")
    assert "athens" in found


@given(
    st.sampled_from(list(Phase)),
    st.text(max_size=120),
    st.sampled_from(list(QueryType)),
    st.lists(st.text(max_size=20), max_size=3),
)
def test_no_query_repeats_the_question(phase: Phase, text: str, kind: QueryType, missing: list[str]) -> None:
    asked = task(text).replace(query_type=kind)
    for found in (background_queries(phase, asked), missing_queries(asked, missing)):
        assert asked.text not in found
        assert all(query.strip() for query in found)
        assert len(found) == len(set(found))


@pytest.mark.parametrize(
    ("text", "phrase"),
    [
        ("I could try caching first.", "could try"),
        ("This might work.", "might work"),
        ("Possibly a lock.", "Possibly"),
        ("I'm not sure which file is meant.", "not sure"),
        ("There are multiple ways to do it.", "multiple ways"),
        ("It depends on the framework.", "depends on"),
        ("Talvez seja melhor usar cache.", "Talvez"),
        ("Não tenho certeza.", "Não tenho certeza"),
        ("Depende da versão.", "Depende da"),
        ("Step 2 depends on step 1.", ""),
        ("The request is not ambiguous.", ""),
        ('The page says "it is unclear".', ""),
        ("Search the docs, then read `maybe.py`.", ""),
        ("First list the files, then sort them.", ""),
        ("", ""),
    ],
)
def test_hesitation_in_a_planners_own_words(text: str, phrase: str) -> None:
    assert hesitation(text) == phrase


@given(st.text(max_size=200))
def test_a_hesitation_stands_in_the_text(text: str) -> None:
    assert hesitation(text) in text


def test_the_language_of_a_background_query_is_that_of_the_task() -> None:
    asked = task("Como faço para ordenar uma lista?").replace(query_type=QueryType.STRATEGIC)
    assert asked.language is Language.PORTUGUESE
    assert "Erros comuns ao ordenar uma lista" in background_queries(Phase.REFLECT, asked)
