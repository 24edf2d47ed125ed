"""Sufficiency: honest factors, and nothing irrelevant ever raises it."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrant.judges.free.evidence.sufficiency import BY_WORDS, SufficiencyJudge, doubt_of
from calibrant.judges.free.evidence.unmentioned import absent
from calibrant.judges.given import ToSuffice
from calibrant.state.confidence import SufficiencyWeights
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import QueryType

QUESTION = "When was the Eiffel Tower built in Paris?"
ANSWER = "The Eiffel Tower in Paris was built from 1887 to 1889 by the company of Gustave Eiffel."
STRAYS = (
    "Bananas are an elongated, edible fruit produced by several kinds of large flowering plants.",
    "The quick brown fox jumps over the lazy dog every single day.",
    "Paris is known for its cuisine.",
    "A tower is a tall structure, taller than it is wide.",
    "In 1901 a new railway line was opened to the public.",
)
NOW = datetime(2026, 1, 1, tzinfo=UTC)
JUDGE = SufficiencyJudge()


def passage(text: str, key: str = "", published: datetime | None = None) -> Evidence:
    name = key or text[:12]
    return Evidence(id=name, text=text, title="", source="knowledge", url=f"file:///{name}", published=published)


def score(*texts: str, **more: object) -> float:
    given_ = ToSuffice(questions=(QUESTION,), evidence=tuple(passage(text) for text in texts), **more)  # type: ignore[arg-type]
    return JUDGE.free(given_).value.score


def test_an_answer_suffices_and_a_stray_passage_does_not() -> None:
    assert score(ANSWER) >= 0.9
    assert score(*STRAYS) < 0.5
    assert score() == 0.0


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(STRAYS), max_size=8, unique=True), st.sampled_from(list(QueryType)), st.booleans())
def test_irrelevant_passages_never_raise(strays: list[str], kind: QueryType, answered: bool) -> None:
    base = (ANSWER,) if answered else ()
    before, after = score(*base, query_type=kind), score(*base, *strays, query_type=kind)
    assert 0.0 <= after <= max(before, 0.0) + 1e-9 if answered else after < 0.5


@settings(deadline=None, max_examples=40)
@given(st.lists(st.text(alphabet="abcdefg ?.1É\n`>", max_size=60), max_size=5))
def test_scores_stay_in_bounds(texts: list[str]) -> None:
    judged = JUDGE.free(
        ToSuffice(questions=(QUESTION, "?", ""), evidence=tuple(passage(t, str(i)) for i, t in enumerate(texts)))
    )
    assert 0.0 <= judged.value.score <= 1.0
    assert 0.0 <= judged.doubt <= 1.0
    assert len(judged.value.parts) == 3


def test_failed_sources_lower_coverage_and_are_named() -> None:
    given_ = ToSuffice(questions=(QUESTION,), evidence=(passage(ANSWER),), failed_sources=("web",))
    factor = JUDGE.free(given_).value.confidence.factors[0]
    assert "web" in factor.reason
    assert factor.score is not None
    assert score(ANSWER, failed_sources=("web",)) < score(ANSWER)


def test_factors_that_do_not_apply_are_unscored() -> None:
    confidence = JUDGE.free(ToSuffice(questions=(QUESTION,), evidence=(passage(ANSWER),))).value.confidence
    assert confidence.factor("recency") is None
    assert confidence.factor("diversity") is None
    assert [factor.weight for factor in confidence.factors] == [0.4, 0.2, 0.2, 0.2]


def test_recency_decays_by_the_month() -> None:
    def recency(days: int) -> float | None:
        evidence = (passage(ANSWER, published=NOW - timedelta(days=days)),)
        given_ = ToSuffice(questions=(QUESTION,), evidence=evidence, time_sensitive=True, now=NOW)
        return JUDGE.free(given_).value.confidence.factor("recency")

    assert recency(0) == pytest.approx(1.0)
    assert recency(30) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("opening", "recency"),
    [
        (f"Prepared by Ana, {NOW:%d %B %Y}.", 1.0),
        (f"Prepared by Ana, {NOW - timedelta(days=420):%d %B %Y}.", 1 / 15),
        ("Prepared by Ana.", 1.0),
    ],
)
def test_an_old_document_in_a_new_file_is_old(opening: str, recency: float) -> None:
    item = passage(ANSWER, published=NOW).replace(opening=opening, locator=Locator(start=900))
    given_ = ToSuffice(questions=(QUESTION,), evidence=(item,), time_sensitive=True, now=NOW)
    assert JUDGE.free(given_).value.confidence.factor("recency") == pytest.approx(recency)


def test_diversity_counts_documents_that_answer() -> None:
    evidence = tuple(passage(text, str(i)) for i, text in enumerate((ANSWER, ANSWER, STRAYS[0])))
    given_ = ToSuffice(questions=(QUESTION,), evidence=evidence, query_type=QueryType.DECISION)
    assert JUDGE.free(given_).value.confidence.factor("diversity") == pytest.approx(2 / 3)


def test_a_part_without_a_passage_is_missing() -> None:
    questions = (QUESTION, "How heavy is the Brooklyn Bridge?")
    value = JUDGE.free(ToSuffice(questions=questions, evidence=(passage(ANSWER),))).value
    assert value.parts[0] >= 0.9 > 0.5 > value.parts[1]
    assert {"brooklyn", "bridge"} <= set(value.missing)
    assert value.score < 0.7


@pytest.mark.parametrize(
    ("question", "missing"),
    [
        ("What does the quick fox eat when the sauna is free?", ("sauna",)),
        ("Where is parking for the lazy dog?", ("parking",)),
        ("How can I make the dog reachable?", ()),
        ("What is the monthly price of the dog?", ("monthly", "price")),
        ("What is the value of a jumpping fox?", ()),
        ("Is the sauna open to the dog?", ("sauna",)),
        ("Why is the sauna open so long?", ("sauna",)),
        ("Does the fox take SOCKS5?", ("SOCKS5",)),
        ("Onde é a piscina?", ("piscina",)),
        ("How long may the dog take to answer?", ()),  # what is said of anything is no thing
        ("What does it mean to the fox, and does it work?", ()),
        ("How long may the dog take to answer the umpire?", ("umpire",)),
        ("How long may the dog take to bark?", ("bark",)),
        ("Does the fox take Mention?", ("Mention",)),
        ("Como funciona a piscina?", ("piscina",)),
    ],
)
def test_what_is_named_as_missing_is_a_thing(question: str, missing: tuple[str, ...]) -> None:
    held = (passage(STRAYS[1]), passage("The dog is open to jumping. It eats, and it takes what I do."))
    assert set(missing) == set(absent([question], held))


def test_what_is_not_wanted_is_not_missing() -> None:
    question = "Find at least three suppliers of blue paint, excluding varnish"
    value = JUDGE.free(ToSuffice(questions=(question,), evidence=(passage(STRAYS[0]),))).value
    assert set(value.missing) == set(absent([question], (passage(STRAYS[0]),))) == {"suppliers", "blue", "paint"}


def test_weights_are_data() -> None:
    weights = SufficiencyWeights(coverage=1.0, recency=0, diversity=0, completeness=0)
    assert score(ANSWER, weights=weights) == pytest.approx(
        JUDGE.free(ToSuffice((QUESTION,), (passage(ANSWER),))).value.parts[0]
    )


@pytest.mark.parametrize(("failed", "doubt"), [((), 1.0), (("web",), 0.0)])
def test_where_nothing_was_found_a_model_may_know_other_words_unless_a_source_failed(
    failed: tuple[str, ...], doubt: float
) -> None:
    judged = JUDGE.free(ToSuffice(questions=(QUESTION,), evidence=(), failed_sources=failed))
    assert (judged.value.score, judged.doubt) == (0.0, doubt)


def test_doubt_is_high_in_the_middle_only() -> None:
    assert doubt_of(0.75, 1.0) > 0.9
    assert doubt_of(0.999, 1.0) == doubt_of(0.01, 1.0) == doubt_of(0.0, 1.0) == 0.0
    assert doubt_of(0.95, BY_WORDS) > doubt_of(0.95, 1.0)
