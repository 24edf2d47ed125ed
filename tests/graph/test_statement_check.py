"""The check of a model's statements, with what stood before them."""

from dataclasses import dataclass, field, replace
from datetime import date
from typing import Any, cast

import pytest

from calibrant.graph.panels import without_model
from calibrant.judges.cascade import Judged, Judgement
from calibrant.judges.free.answering.claims import claims_of
from calibrant.judges.given import ToSupport
from calibrant.judges.panel import Panel
from calibrant.nodes.statement_check import LEFT_OUT, StatementCheck
from calibrant.nodes.work import Work
from calibrant.state.answer import Claim, Span, Verdict
from calibrant.state.budget import Allowance
from calibrant.state.context import Context
from calibrant.state.evidence import Evidence
from calibrant.state.task import Statement, StepStatus, SubResult, Task

PRICE = Evidence(id="e", title="Pro", source="s", url="u", text="Pro costs 20 euros a month.")
WORKED = Statement(text="Pro costs 240 euros a year (12 × 20 = 240).", evidence_ids=("e",), quote="Pro costs 20 euros")
DOUBLE = WORKED.replace(text="Two years of Pro cost 480 euros (24 × 20 = 480).")
CONCLUDED = Statement(text="So the year is 240 euros at least.", evidence_ids=("e",), quote="Pro costs 20 euros")
PLAIN = Statement(text="Pro costs 20 euros a month.", evidence_ids=("e",), quote="Pro costs 20 euros a month.")


@dataclass
class Review:
    """In place of ``Work``: it keeps what a model would be asked."""

    panel: Panel = field(default_factory=lambda: without_model(None, Context()))
    context: Context = field(default_factory=Context)
    today: date | None = None
    asked: list[ToSupport] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    holds: str = ""
    """What a model would say that holds of each claim, and no more."""
    shown: str = ""
    """The words in which it finds that."""
    finds: str = ""
    """The claim that a model finds in its passages."""

    async def judge(self, judgement: Judgement[ToSupport, Any], given: ToSupport, **_: Any) -> Judged[Any]:
        if given.doubted:
            self.asked.append(given)
        judged = replace(judgement.free(given), warnings=())
        if given.doubted and self.finds:
            found = (
                claim.replace(verdict=Verdict.SUPPORTED, checked=claim.text == self.finds) for claim in judged.value
            )
            return replace(judged, value=tuple(found), tier="model", doubt=0.0)
        if not (given.doubted and self.holds):
            return judged
        shown = (Span(evidence_id=given.evidence[0].id, quote=self.shown, start=0),) if self.shown else None
        less = tuple(
            claim.replace(verdict=Verdict.UNVERIFIED, holds=self.holds, spans=shown or claim.spans)
            for claim in judged.value
        )
        return replace(judged, value=less, tier="model", doubt=0.0)


@pytest.mark.parametrize(("checked", "known"), [(True, [WORKED.text, DOUBLE.text]), (False, [])])
async def test_what_was_checked_before_is_known_to_the_check_of_what_is_concluded_from_it(
    checked: bool, known: list[str]
) -> None:
    result = SubResult(id="s", question="What is it a year?", status=StepStatus.ANSWERED, statements=(CONCLUDED,))
    review = Review()
    before = tuple(one.replace(checked=checked) for one in (WORKED, DOUBLE))
    check = StatementCheck(Task(text=result.question), (PRICE,), result, cast(Work, review), before)
    await check.checked(Allowance())
    (given,) = review.asked
    stood: list[Claim] = [claim for claim in given.claims if claim.checked]
    assert [claim.text for claim in stood] == known
    assert [claim.text for claim in given.claims if not claim.checked] == [CONCLUDED.text]
    assert len({claim.id for claim in given.claims}) == len(given.claims)


async def test_what_a_person_has_said_tells_which_case_is_meant() -> None:
    result = SubResult(id="s", question="What is it?", status=StepStatus.ANSWERED, statements=(CONCLUDED,))
    review = Review()
    said = "It is for a year."
    await StatementCheck(Task(text=result.question), (PRICE,), result, cast(Work, review), guidance=said).checked(
        Allowance()
    )
    assert [given.asked for given in review.asked] == ["What is it? It is for a year."]


async def test_what_was_pasted_with_the_request_may_be_repeated() -> None:
    result = SubResult(id="s", question="What is it?", status=StepStatus.ANSWERED, statements=(CONCLUDED,))
    review = Review()
    task = Task(text=result.question, original="What is it?\n\n2026-11-02 10:14:07 ERROR till: no price for sloop-7")
    await StatementCheck(task, (PRICE,), result, cast(Work, review)).checked(Allowance())
    assert [given.asked for given in review.asked] == ["What is it?"]
    assert ["sloop-7" in given.pasted for given in review.asked] == [True]


@pytest.mark.parametrize(
    ("stated", "unfound", "warned"),
    [
        ((PLAIN, CONCLUDED), True, [LEFT_OUT.format(1, 2)]),
        ((PLAIN, CONCLUDED), False, []),
        ((PLAIN,), True, []),
        ((CONCLUDED,), True, []),
    ],
    ids=["one is left out", "told in the words quoted", "all are told", "none is told"],
)
async def test_a_reader_is_told_that_a_statement_is_left_out(
    stated: tuple[Statement, ...], unfound: bool, warned: list[str]
) -> None:
    result = SubResult(id="s", question="What is it a year?", status=StepStatus.ANSWERED, statements=stated)
    review = Review()
    check = StatementCheck(Task(text=result.question), (PRICE,), result, cast(Work, review), unfound=unfound)
    await check.checked(Allowance())
    assert review.warnings == warned


LOG = Evidence(id="l", title="Rules", source="s", url="u", text="Logs are kept for 90 days. Dov keeps the east gate.")
VISITS = "Logs of the visits to the east gate are kept for 90 days."
KEEPER = Statement(text="Dov keeps the east gate.", evidence_ids=("l",), quote="Dov keeps the east gate")


@pytest.mark.parametrize(
    ("question", "text", "holds", "beside", "told"),
    [
        ("How long are logs of visits to the east gate kept?", VISITS, "Logs are kept for 90 days.", (), ()),
        ("How long are logs kept?", VISITS, "Logs are kept for 90 days.", (), ("Logs are kept for 90 days.",)),
        (
            "What does the keeper of the east gate keep?",
            "Dov, the keeper of the east gate, keeps logs for 90 days.",
            "Dov keeps logs.",
            (KEEPER,),
            (KEEPER.text, "Dov keeps logs."),
        ),
    ],
    ids=["beside the question", "what was asked", "told beside it"],
)
async def test_what_holds_of_a_statement_is_told_unless_it_has_lost_what_was_asked_about(
    question: str, text: str, holds: str, beside: tuple[Statement, ...], told: tuple[str, ...]
) -> None:
    stated = Statement(text=text, evidence_ids=("l",), quote="Logs are kept for 90 days")
    result = SubResult(id="s", question=question, status=StepStatus.ANSWERED, statements=(*beside, stated))
    check = StatementCheck(Task(text=question), (LOG,), result, cast(Work, Review(holds=holds)))
    checked = await check.checked(Allowance())
    assert tuple(one.text for one in checked.statements) == told
    assert (checked.status is StepStatus.ANSWERED) is bool(told)


@pytest.mark.parametrize(
    ("parts", "missing"),
    [
        (("Who keeps the east gate?", "Why should visitors fear the keeper?"), "Why should visitors fear the keeper"),
        (("Who keeps the east gate?", "What does the keeper keep?"), ""),
        ((), ""),
    ],
)
async def test_a_part_of_which_nothing_is_told_any_more_is_missing(parts: tuple[str, ...], missing: str) -> None:
    feared = Statement(text="Visitors should fear his two dogs.", evidence_ids=("l",), quote="Dov keeps the east gate")
    result = SubResult(id="s", question="Who is it?", status=StepStatus.ANSWERED, statements=(KEEPER, feared))
    work = cast(Work, Review())
    check = StatementCheck(Task(text=result.question), (LOG,), result, work, unfound=True, parts=parts)
    checked = await check.checked(Allowance())
    assert [one.text for one in checked.statements] == [KEEPER.text]
    assert checked.missing == missing


async def test_a_part_that_does_not_hold_of_a_statement_about_several_is_missing() -> None:
    parts = ("For how long are logs kept?", "For how long are lamps kept?")
    text = "Logs are kept for 90 days, and lamps for 7 years."
    stated = Statement(text=text, evidence_ids=("l",), quote="Logs are kept for 90 days")
    result = SubResult(id="s", question="How long is it?", status=StepStatus.ANSWERED, statements=(stated,))
    work = cast(Work, Review(holds="Logs are kept for 90 days."))
    checked = await StatementCheck(Task(text=" ".join(parts)), (LOG,), result, work, parts=parts).checked(Allowance())
    assert checked.content == "Logs are kept for 90 days."
    assert checked.missing == "For how long are lamps kept"


async def test_what_holds_of_a_list_stays_apart() -> None:
    text = "- Dov keeps the east gate\n- Logs are kept for 90 days\n- Dov sings in the logs"
    stated = Statement(text=text, evidence_ids=("l",), quote="Dov keeps the east gate", also_quoted=("Logs are kept",))
    result = SubResult(id="s", question="What is told?", status=StepStatus.ANSWERED, statements=(stated,))
    check = StatementCheck(Task(text=result.question), (LOG,), result, cast(Work, Review(holds="Dov is there")))
    checked = await check.checked(Allowance())
    assert [claim.text for claim in claims_of([checked], [LOG])] == ["Dov is there"] * 3


async def test_of_several_sentences_those_that_stand_there_word_for_word_need_no_verdict() -> None:
    """A model is asked about the other one alone."""
    text = "Dov keeps the east gate. Logs are there for 90 days."
    stated = Statement(text=text, evidence_ids=("l",), quote="Dov keeps the east gate", also_quoted=("Logs are kept",))
    result = SubResult(id="s", question="What is told?", status=StepStatus.ANSWERED, statements=(stated,))
    work = cast(Work, Review(finds="Logs are there for 90 days."))
    checked = await StatementCheck(Task(text=result.question), (LOG,), result, work).checked(Allowance())
    assert [(one.text, one.checked) for one in checked.statements] == [(text, True)]


async def test_what_holds_is_shown_by_the_words_that_were_found_to_show_it() -> None:
    stated = Statement(text=VISITS, evidence_ids=("l",), quote="Dov keeps the east gate")
    result = SubResult(id="s", question="How long are logs kept?", status=StepStatus.ANSWERED, statements=(stated,))
    work = cast(Work, Review(holds="Logs are kept for 90 days.", shown="Logs are kept for 90 days"))
    checked = await StatementCheck(Task(text=result.question), (LOG,), result, work).checked(Allowance())
    assert [(one.text, one.quote) for one in checked.statements] == [
        ("Logs are kept for 90 days.", "Logs are kept for 90 days")
    ]


async def test_a_list_of_words_is_told_in_the_words_quoted() -> None:
    """It states nothing that could be compared: that nothing was thought to answer is no reason to leave it out."""
    kept = LOG.replace(text="These are kept:\n- Name\n- Type\n- Size")
    stated = Statement(text="- Name\n- Type", evidence_ids=("l",), quote="These are kept:\n- Name\n- Type")
    result = SubResult(id="s", question="What is kept?", status=StepStatus.ANSWERED, statements=(stated,))
    work = cast(Work, Review())
    check = StatementCheck(Task(text=result.question), (kept,), result, work, unfound=True)
    checked = await check.checked(Allowance())
    assert "Name" in checked.content
    assert work.warnings == []


async def test_what_is_left_of_a_statement_may_be_about_what_stood_before() -> None:
    stated = Statement(text=VISITS, evidence_ids=("l",), quote="Logs are kept for 90 days")
    question = "How long are logs of visits to the east gate kept?"
    result = SubResult(id="s", question=question, status=StepStatus.ANSWERED, statements=(stated,))
    before = (KEEPER.replace(text="Visits to the east gate are told."),)
    work = cast(Work, Review(holds="Logs are kept for 90 days."))
    check = StatementCheck(Task(text=question), (LOG,), result, work, before=before)
    assert (await check.checked(Allowance())).content == "Logs are kept for 90 days."
