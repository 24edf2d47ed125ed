"""The quality report: verified by typed conditions, reasons from the passages, a refinement that aims at them."""

from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrant.judges.free.evidence.attributes import has_attribute, place
from calibrant.judges.free.evidence.quality import quality_report, states_conditions
from calibrant.state.evidence import Evidence
from calibrant.state.retrieval import Refinement
from calibrant.state.task import Attribute, Criterion, Task


def passages(*rows: tuple[str, str, str, str]) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(id=f"e{i}", title=title, text=text, url=url, source=source)
        for i, (title, text, url, source) in enumerate(rows, 1)
    )


HAMSTERS = passages(
    (
        "Syrian hamster, 8 weeks old",
        "Live Syrian hamster from a home breeder, $35, in stock.",
        "https://happypaws.com/1",
        "web",
    ),
    ("Golden Syrian female", "Live animal, raised by a breeder, $25, available.", "https://petconnect.com/2", "web"),
    ("Syrian hamster litter", "Live pups from an ethical breeder, ready in May.", "https://petconnect.com/3", "web"),
    ("Long-haired Syrian", "Live hamster sold by a registered breeder, $40.", "https://happypaws.com/4", "web"),
    (
        "Hamster lesson plan",
        "Educational worksheet about the Syrian hamster for the classroom.",
        "https://a.edu/1",
        "web",
    ),
    ("Hamster life cycle", "Educational poster: how a Syrian hamster grows. For teachers.", "https://b.edu/2", "web"),
    ("Rodents at school", "Educational resource on hamsters with quizzes for the classroom.", "https://c.edu/3", "web"),
    ("Syrian hamster facts", "Educational article for pupils on the Syrian hamster.", "https://d.edu/4", "web"),
    ("Animal unit", "Educational video on hamsters, with notes for the classroom.", "https://e.edu/5", "web"),
    ("Two-storey cage", "Hamster cage with tubes and a wheel, wire top.", "https://shop.com/1", "web"),
    ("Large cage", "Cage for Syrian hamsters, easy to clean, wire door.", "https://shop.com/2", "web"),
    ("Travel cage", "Small hamster cage with a handle.", "https://shop.com/3", "web"),
    ("Hamster care", "A paperback book on keeping Syrian hamsters, 120 pages.", "https://books.com/1", "web"),
    ("My first hamster", "Illustrated book for children, paperback.", "https://books.com/2", "web"),
    ("The hamster bible", "The complete book on hamsters, new edition.", "https://books.com/3", "web"),
)
HAMSTER_TASK = Task(
    text="Find Syrian hamsters for sale",
    topic=("syrian", "hamsters", "sale"),
    must_have=(Attribute(kind="keyword", value="live"), Attribute(kind="keyword", value="breeder")),
    criteria=(Criterion(id="k1", what="verified live animal listings", target=3),),
)


def test_the_example_of_the_specification() -> None:
    report = quality_report(HAMSTER_TASK, HAMSTERS, threshold=0.3, retry=0)
    assert (report.fetched, report.verified, report.rejected) == (15, 4, 11)
    assert report.score == pytest.approx(0.27, abs=0.005)
    assert not report.meets_threshold
    assert {entry.reason: entry.count for entry in report.breakdown} == {"educational": 5, "cage": 3, "book": 3}
    refinement = report.refinement
    assert refinement is not None
    assert refinement.reason == "High rejection rate: educational (5 of 15), book (3 of 15), cage (3 of 15)"
    assert {"educational", "classroom", "cage", "book"} <= set(refinement.negative)
    assert {"live", "breeder"} <= set(refinement.positive)
    assert not set(refinement.negative) & {"hamster", "syrian", "live", "breeder"}


def test_typed_must_nots_name_the_reasons_and_the_refined_search_passes() -> None:
    unwanted = tuple(Attribute(kind="keyword", value=word) for word in ("cage", "book", "educational"))
    report = quality_report(HAMSTER_TASK.replace(must_not=unwanted), HAMSTERS)
    assert {entry.reason: entry.count for entry in report.breakdown} == {"educational": 5, "cage": 3, "book": 3}
    better = quality_report(HAMSTER_TASK.replace(must_not=unwanted), HAMSTERS[:10])
    assert better.score == pytest.approx(0.4)
    assert better.refinement is None


RETRIES = passages(
    ("Retry policy", "Set maxRetries in the deployment manifest of the cluster.", "https://docs.kube.io/1", "docs"),
    ("Job controller", "The cluster retries a failed job until backoffLimit.", "https://docs.kube.io/2", "docs"),
    ("Retry after a breakup", "Dating column: should you retry a relationship?", "https://love.com/1", "web"),
    ("Second chances", "Dating advice for people who retry with a partner.", "https://love.com/2", "web"),
    ("Try again", "Dating tips: how to retry after rejection.", "https://love.com/3", "web"),
    ("Boss retry", "In this videogame, retry the boss from the last save.", "https://game.com/1", "web"),
    ("Retry screen", "The retry screen of the videogame is famous.", "https://game.com/2", "web"),
    ("Nothing", "Lorem ipsum.", "https://x.com/1", "web"),
)
RETRY_TASK = Task(
    text="How do I retry jobs in a cluster?",
    topic=("retry", "jobs", "cluster"),
    must_have=(Attribute(kind="keyword", value="cluster"),),
)


def test_a_second_domain_gets_reasons_that_no_code_knows() -> None:
    report = quality_report(RETRY_TASK, RETRIES)
    assert {entry.reason: entry.count for entry in report.breakdown} == {"dating": 3, "videogame": 2, "no cluster": 1}
    assert report.breakdown[0].examples == ("e3", "e4", "e5")
    assert report.refinement is not None
    assert {"dating", "videogame"} <= set(report.refinement.negative)
    assert "no cluster" not in report.refinement.negative
    assert report.refinement.positive[0] == "cluster"


def test_each_retry_goes_a_level_further() -> None:
    levels = [quality_report(RETRY_TASK, RETRIES, threshold=0.5, retry=retry).refinement for retry in range(4)]
    assert all(level is not None for level in levels)
    assert [(one.level, one.sources, one.domains) for one in levels if one] == [
        (1, (), ()),
        (2, ("docs",), ()),
        (3, ("docs",), ("docs.kube.io",)),
        (3, ("docs",), ("docs.kube.io",)),
    ]


def test_what_worked_before_is_tried_when_nothing_was_verified() -> None:
    helped = Refinement(reason="before", sources=("stackoverflow",), domains=("kube.io",))
    report = quality_report(RETRY_TASK, RETRIES[2:], retry=2, worked_before=(helped,))
    assert report.verified == 0
    assert report.refinement is not None
    assert (report.refinement.sources, report.refinement.domains) == (("stackoverflow",), ("kube.io",))


@pytest.mark.parametrize(
    "task",
    [
        Task(text="What is Alpha?"),
        Task(text="What is Alpha?", criteria=(Criterion(id="c1", what="What is Alpha?"),)),
    ],
)
def test_without_conditions_there_is_no_score(task: Task) -> None:
    report = quality_report(task, RETRIES)
    assert (report.fetched, report.score, report.meets_threshold, report.refinement) == (8, None, True, None)


def test_nothing_fetched_is_not_a_quality_of_zero() -> None:
    assert quality_report(HAMSTER_TASK, ()).score is None


PHRASE = Attribute(kind="phrase", value="valve stuck")


@pytest.mark.parametrize(
    ("task", "states"),
    [
        (Task(text='Why is it "valve stuck"?', must_have=(PHRASE,)), False),
        (Task(text='Find pages that say "valve stuck"', must_have=(PHRASE,)), True),
        (Task(text="Why is it stuck?", must_have=(PHRASE, Attribute(kind="domain", value="a.org"))), True),
        (Task(text="Why is it stuck?", must_have=(PHRASE,), must_not=(PHRASE,)), True),
        (HAMSTER_TASK.replace(must_have=()), True),
    ],
)
def test_a_quotation_in_a_question_states_no_condition(task: Task, states: bool) -> None:
    assert states_conditions(task) is states


ITEM = Evidence(
    id="e",
    title="Retrying jobs",
    text="Jobs are retried three times by the cluster.",
    source="docs",
    url="https://docs.kube.io/x",
    author="Ann Lee",
    published=datetime(2023, 5, 1, tzinfo=UTC),
)


@pytest.mark.parametrize(
    ("kind", "value", "has"),
    [
        ("keyword", "retry", True),
        ("keyword", "job cluster", True),
        ("keyword", "banana", False),
        ("keyword", "banana|cluster", True),
        ("phrase", "three times", True),
        ("phrase", "times three", False),
        ("domain", "kube.io", True),
        ("domain", "ube.io", False),
        ("domain", ".io", True),
        ("source", "docs", True),
        ("source", "web", False),
        ("year", "2023", True),
        ("since", "2022", True),
        ("since", "2024", False),
        ("author", "lee", True),
        ("colour", "cluster", True),
        ("colour", "red", False),
    ],
)
def test_attributes(kind: str, value: str, has: bool) -> None:
    assert has_attribute(ITEM, Attribute(kind=kind, value=value)) is has


@pytest.mark.parametrize(
    ("kind", "value", "has"), [("year", "2021", True), ("year", "2023", False), ("since", "2022", False)]
)
def test_the_year_of_a_document_is_the_one_that_it_tells(kind: str, value: str, has: bool) -> None:
    """And not that in which its file was written here."""
    told = ITEM.replace(title="Retrying jobs, edition 2021")
    assert has_attribute(told, Attribute(kind=kind, value=value)) is has


@pytest.mark.parametrize(
    ("phrase", "has"),
    [
        ("TypeError: Client.__init__() got an unexpected keyword argument 'max_retries'", True),
        ("client.__init__() got", True),
        ("max retries", True),
        ("Client.__init__() has an unexpected keyword argument", False),
    ],
)
def test_a_phrase_with_identifiers_stands_where_it_is_written(phrase: str, has: bool) -> None:
    text = "It fails: `TypeError: Client.__init__() got an unexpected keyword argument 'max_retries'`."
    assert has_attribute(ITEM.replace(text=text), Attribute(kind="phrase", value=phrase)) is has


def test_an_address_that_is_none_is_on_no_host_and_stops_no_report() -> None:
    passage = ITEM.replace(url="http://[x")
    assert not has_attribute(passage, Attribute(kind="domain", value="kube.io"))
    assert place(passage) == ""
    task = Task(text="t", must_have=(Attribute(kind="keyword", value="banana"),))
    assert quality_report(task, (passage,)).verified == 0


@pytest.mark.parametrize(
    ("url", "where"),
    [
        ("https://www.kube.io/jobs", "kube.io"),
        ("file:///my%20docs/a.md", "/my docs"),
        ("file:///C:/docs/a.md", "C:/docs"),
        ("memory", ""),
    ],
)
def test_where_a_passage_comes_from(url: str, where: str) -> None:
    assert place(ITEM.replace(url=url)) == where


def test_must_haves_of_one_place_are_alternatives() -> None:
    places = tuple(Attribute(kind="domain", value=value) for value in ("kube.io", "python.org"))
    assert quality_report(Task(text="t", must_have=places), (ITEM,)).verified == 1


@settings(max_examples=50, deadline=None)
@given(
    st.lists(st.sampled_from(HAMSTERS + RETRIES), max_size=20),
    st.sampled_from([HAMSTER_TASK, RETRY_TASK]),
    st.integers(0, 5),
)
def test_the_counts_add_up(items: list[Evidence], task: Task, retry: int) -> None:
    report = quality_report(task, items, retry=retry)
    assert report.verified + report.rejected == report.fetched
    assert sum(entry.count for entry in report.breakdown) == report.rejected
    assert report.score is None or 0.0 <= report.score <= 1.0
    assert (report.refinement is None) is report.meets_threshold
