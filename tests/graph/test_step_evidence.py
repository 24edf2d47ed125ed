"""Which passages a step gets: alone, as one of several, and when a model has read those without finding the answer."""

import pytest

from calibrant.judges.model.passages import STILL_SHOWN
from calibrant.nodes.fan_out import step_tasks
from calibrant.nodes.reading.history import unfound
from calibrant.nodes.reading.steps import BRANCH_EVIDENCE
from calibrant.nodes.shown import evidence_for
from calibrant.nodes.step import for_model
from calibrant.state.channels import Run, View
from calibrant.state.context import Context
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.retrieval import RetrievalResult, Sufficiency
from calibrant.state.task import Branch, Phase, Statement, Step, StepStatus, SubResult, Task

STEP = Step(id="s1", question="How long is the lease?", queries=("lease duration",))


def passage(name: str, text: str = "Nothing.", relevance: float = 0.5, query: str = "") -> Evidence:
    return Evidence(
        id=name, text=text, source="knowledge", url=f"file:///{name}", title=name, relevance=relevance, query=query
    )


OTHERS = tuple(passage(f"e{number}", relevance=0.6) for number in range(BRANCH_EVIDENCE))
LEASE = passage("lease", "The lease is for five years.", relevance=0.4)


def ids(*given: Evidence, alone: bool = True, before: SubResult | None = None) -> list[str]:
    return [item.id for item in evidence_for(STEP, given, alone, before, (), ())]


def in_vain(*read: Evidence, lacking: str) -> SubResult:
    held = tuple(item.id for item in read)
    return SubResult(
        id="s1", question=STEP.question, status=StepStatus.UNANSWERED, missing=lacking, tier="model", read=held
    )


def test_alone_it_gets_what_is_most_relevant_whatever_query_found_it() -> None:
    found = passage("found", relevance=0.1, query="lease duration")
    assert "found" not in ids(*OTHERS, found)
    assert ids(*OTHERS, found.replace(relevance=0.7, query="flat"))[0] == "found"
    assert "lease" not in ids(*OTHERS, LEASE)


def test_one_of_several_gets_what_has_its_words() -> None:
    assert ids(*OTHERS, LEASE, alone=False)[0] == "lease"


@pytest.mark.parametrize(
    ("judged", "expected"),
    [
        ((), False),
        (((False, (0.04,)),), True),
        (((True, (0.04,)),), False),
        (((False, (0.49, 0.04)),), True),
        (((False, (0.04, 0.5)),), False),
        (((False, (0.04,)), (False, (0.97,))), False),
        (((True, (0.2,)), (False, (0.04,))), False),
        (((False, ()),), False),
        (((False, ()), (False, (0.04,))), True),
    ],
)
def test_nothing_is_found_where_no_part_is_answered_by_more_than_words(
    judged: tuple[tuple[bool, tuple[float, ...]], ...], expected: bool
) -> None:
    found = [
        RetrievalResult(id=str(at), query="lease", sufficiency=Sufficiency(by_words=by_words, parts=parts))
        for at, (by_words, parts) in enumerate(judged)
    ]
    assert unfound(found) is expected


def test_a_models_own_answer_is_no_sign_that_something_is_found() -> None:
    answered = Sufficiency(parts=(0.97,), by_others=(0.2,), tier="model")
    assert unfound([RetrievalResult(id="r1", query="lease", sufficiency=answered)])


def test_what_was_read_in_vain_is_not_read_again() -> None:
    """What came since, and what was held but not shown, by the words for what is lacking; the best of it stays."""
    fresh = passage("fresh", "It is prolonged by two years.", relevance=0.1)
    held = passage("held", "The contract runs for five years.", relevance=0.2)
    before = in_vain(*OTHERS, lacking="for how many years the contract runs")
    assert ids(*OTHERS, held, fresh, before=before) == [*(item.id for item in OTHERS[:STILL_SHOWN]), "held", "fresh"]
    assert ids(*OTHERS, before=before) == []
    again = before.replace(read=(*before.read, "held"))
    assert ids(*OTHERS, held, fresh, before=again) == [*(item.id for item in OTHERS[:STILL_SHOWN]), "fresh"]


def test_each_thing_that_is_lacking_has_its_turn() -> None:
    """Of many passages about the one the best of the other is not crowded out; a heading counts as what it heads."""
    notice = [passage(f"n{number}", "The notice period.", relevance=0.9) for number in range(BRANCH_EVIDENCE)]
    rent = passage("rent", "It rises by 2 per cent.", relevance=0.1).replace(title="The rent")
    given = (*OTHERS, *notice, passage("flat", "It rises.", relevance=0.2), rent)
    assert "rent" not in ids(*given, before=in_vain(*OTHERS, lacking="notice period"))
    shown = ids(*given, before=in_vain(*OTHERS, lacking="notice period; how the rent rises"))
    assert shown[STILL_SHOWN : STILL_SHOWN + 2] == ["n0", "rent"]


def test_a_model_that_names_nothing_as_lacking_is_shown_what_is_left() -> None:
    assert ids(*OTHERS, LEASE, before=in_vain(*OTHERS, lacking=" ; "))[STILL_SHOWN:] == ["lease"]


def test_where_a_model_has_seen_an_answer_stated_comes_first() -> None:
    """A table has hardly a word of the question, and a prompt is filled by relevance."""
    table = passage("table", "Flat A: 60 months; flat B: 24 months.", relevance=0.05)
    for alone in (True, False):
        first, *_ = evidence_for(STEP, (*OTHERS, LEASE, table), alone, None, {"table"}, ())
        assert (first.id, first.relevance) == ("table", 1.0)


def test_what_meets_all_that_was_demanded_comes_before_what_fits_better() -> None:
    titled = passage("titled", "It has the title.", relevance=0.1)
    for alone in (True, False):
        first, second, *_ = evidence_for(STEP, (*OTHERS, LEASE, titled), alone, None, {"lease"}, {"titled"})
        assert (first.id, second.id) == ("lease", "titled")


def test_a_step_gets_what_the_step_before_it_has_quoted_and_what_was_judged_to_answer() -> None:
    quoted, judged = (passage(name, "Flat A: 60.", relevance=0.05) for name in ("quoted", "judged"))
    told = Statement(text="There are two flats.", evidence_ids=("quoted",), quote="Flat A")
    found = RetrievalResult(id="r1", query="flats", phase=Phase.ACT, sufficiency=Sufficiency(stated_in=("judged",)))
    state = View(
        run=Run(id="run", question="?"),
        perceived=Task(text="?"),
        selected=Branch(id="b", name="b", steps=(Step(id="s0", question="Which?"), STEP.replace(depends_on=("s0",)))),
        evidence=(*OTHERS, quoted, judged),
        retrievals=(found,),
        results=(SubResult(id="s0", question="Which?", status=StepStatus.ANSWERED, statements=(told,)),),
    )
    (task,) = step_tasks(state, Context(), now=0.0)
    assert {item.id for item in task.evidence[:2]} == {"quoted", "judged"}


def test_a_model_reads_what_is_newest_too_where_the_latest_is_asked_for() -> None:
    """It says nowhere that it is, and fits the question worse than twelve others."""
    entry = passage("notes", "The east gate is gone.", relevance=0.1).replace(locator=Locator(heading="2.0.1 (2026)"))
    step = STEP.replace(question="What is the latest version?")
    state = View(
        run=Run(id="run", question="?"),
        perceived=Task(text="?", original="?"),
        selected=Branch(id="b", name="b", steps=(step,)),
        evidence=(*OTHERS, entry),
    )
    (task,) = step_tasks(state, Context(), now=0.0)
    first, *others = for_model(task).evidence
    assert (first.id, first.relevance) == ("notes", 1.0)
    assert tuple(others) == task.evidence
    assert entry not in task.evidence


def test_never_more_than_fit() -> None:
    assert len(ids(*OTHERS, LEASE)) == len(ids(*OTHERS, LEASE, alone=False)) == BRANCH_EVIDENCE


@pytest.mark.parametrize(("guided", "shown"), [(False, ()), (True, (LEASE,))])
def test_what_was_read_in_vain_is_shown_again_once_a_person_has_guided_it(
    guided: bool, shown: tuple[Evidence, ...]
) -> None:
    before = in_vain(LEASE, lacking="rent")
    assert evidence_for(STEP, (LEASE,), True, before, (), (), guided=guided) == shown
