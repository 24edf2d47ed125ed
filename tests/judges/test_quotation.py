"""Quotations: whole where the answer needs two sentences, short where one says it all."""

import pytest

from calibrant.judges.free.answering.quotation import GOES_WITH, quoted
from calibrant.judges.free.evidence.procedures import LONGEST
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.relevance import ScoredPassage, ScoredSentence
from calibrant.judges.free.words.text import sentences
from calibrant.state.evidence import Evidence

BEST = 0.9


def quotation(question: str, text: str, place: int, *scores: float, title: str = "") -> str:
    """What is quoted of ``text`` around its sentence ``place``; ``scores``: of its sentences, 0 where not given."""
    evidence = Evidence(id="p", text=text, title=title, source="knowledge", url="file:///p")
    found = sentences(text)
    marked = tuple(
        ScoredSentence(one, 0.0, scores[number] if number < len(scores) else 0.0) for number, one in enumerate(found)
    )
    chosen = quoted(prepare(question), ScoredPassage(evidence, 0.0, BEST, marked), place)
    return text[chosen[0].start : chosen[-1].end]


@pytest.mark.parametrize(
    ("question", "text", "place"),
    [
        ("Who played Ricky?", "Daren Kagasoff is an actor. He is known for starring as Ricky.", 1),
        ("Which festival is it?", "Sohrai is a harvest festival. It is a festival of cattle worship.", 1),
        ("Quem dirigiu o filme?", "Ana Souza nasceu em Recife. Ela dirigiu o filme em 1999.", 1),
        ("What happens to the file?", "If it exists, the file is opened. Otherwise it is made anew.", 0),
    ],
)
def test_what_leans_on_its_neighbour_is_quoted_with_it(question: str, text: str, place: int) -> None:
    assert quotation(question, text, place) == text


def test_the_other_case_is_told_with_the_first_one() -> None:
    text = "Your server must answer at once. If it does not, we try again after 5 minutes."
    assert quotation("After how many minutes is it tried again?", text, 1, 0.0, BEST) == text


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("How long is notice in France?", "In France, notice is one month in cities. Elsewhere, it is three months."),
        ("How much is a ticket for children?", "A ticket is 4 euros for children. For all others it is 9 euros."),
        ("Quanto custa para crianças?", "Custa 4 euros para crianças. Nos outros casos, custa 9 euros."),
    ],
)
def test_what_holds_in_all_other_cases_goes_on_from_the_one_asked_about(question: str, text: str) -> None:
    assert quotation(question, text, 0, BEST) == text


@pytest.mark.parametrize(("day", "told"), [("Mondays", True), ("Tuesdays", False)])
def test_what_names_the_day_that_is_asked_about_is_told_too(day: str, told: bool) -> None:
    open_, closed = "The barn is open from 10:00 to 18:00, Tuesday to Sunday.", "It is closed on Mondays."
    found = quotation(f"What time does the barn open on {day}?", f"{open_} {closed}", 0, BEST)
    assert found == (f"{open_} {closed}" if told else open_)


@pytest.mark.parametrize(
    ("question", "told"), [("What is the default speed?", True), ("What limits the speed?", False)]
)
def test_the_default_behind_an_example_is_told_with_it(question: str, told: bool) -> None:
    limits, default = "- `--rate`: limits the speed, such as `10M`.", "Unlimited by default."
    found = quotation(question, f"{limits} {default}", 0, BEST)
    assert found == (f"{limits} {default}" if told else limits)


def test_a_sentence_that_does_not_name_its_subject_takes_the_one_that_does() -> None:
    text = "Jonathan Harris was an American actor. Two of his roles were Bradford Webster and Doctor Smith."
    assert quotation("Who played Doctor Smith?", text, 1, title="Jonathan Harris") == text
    alone = "Harris studied pharmacology. The actor Jonathan Harris played Doctor Smith."
    found = quotation("Who played Doctor Smith?", alone, 1, 0.0, BEST, title="Jonathan Harris")
    assert found == "The actor Jonathan Harris played Doctor Smith."


@pytest.mark.parametrize(("share", "taken"), [(0.9, False), (1.0, True), (1.1, True)])
def test_a_neighbour_is_taken_from_a_share_of_the_score(share: float, taken: bool) -> None:
    text = "The McChicken is a sandwich. The sandwich has a bun, a patty and lettuce."
    found = quotation("What is on a McChicken?", text, 0, BEST, share * GOES_WITH * BEST)
    assert (found == text) is taken


def test_a_neighbour_about_another_case_is_not_taken() -> None:
    text = "In Norway lions live in zoos. In Kenya lions live in parks."
    assert quotation("How do lions live in Norway?", text, 0, BEST, BEST) == "In Norway lions live in zoos."
    assert quotation("How do lions live?", text, 0, BEST, BEST) == text


def test_the_better_neighbour_is_taken() -> None:
    text = "Lions live in prides. Lions eat meat. Lions hunt at night."
    assert quotation("What do lions eat?", text, 1, 0.3, BEST, 0.5) == "Lions eat meat. Lions hunt at night."


@pytest.mark.parametrize("text", ["Lions eat meat.\n\nThey hunt at night.", "# Lions\n\nThey hunt at night."])
def test_another_paragraph_and_a_heading_stay_out(text: str) -> None:
    assert quotation("What do lions do?", text, 1, BEST, BEST) == "They hunt at night."


def test_the_rest_of_a_sentence_that_begins_in_the_passage_before_stays_out() -> None:
    text = "age of 21 years from charges. Founded in 1877 as a savings bank, it served people with low incomes."
    assert quotation("When was it founded?", text, 1, BEST, BEST).startswith("Founded in 1877")


def test_a_quotation_is_not_too_long() -> None:
    long = f"Lions {'and lions ' * (LONGEST // 10)}eat."
    assert quotation("What do lions do?", f"{long} They hunt at night.", 1, BEST, BEST) == "They hunt at night."


def test_list_entries_go_on_like_paragraphs() -> None:
    text = "- Anna Reis leads the choir. She sang in Faro.\n- The choir meets on Mondays."
    assert quotation("Who sang in Faro?", text, 1) == "- Anna Reis leads the choir. She sang in Faro."
    assert quotation("When does the choir meet?", text, 2, 0.0, BEST, BEST) == "- The choir meets on Mondays."


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("When will the old pump be replaced?", "- The old pump. It will be replaced on 4 May 2026."),
        ("Who wrote the report?", "The report on the flood. Written by Ana Souza in spring."),
    ],
)
def test_what_is_asked_for_may_stand_in_the_sentence_after(question: str, text: str) -> None:
    assert quotation(question, text, 0) == text


@pytest.mark.parametrize(
    ("question", "told", "more"),
    [
        ("How often does the client retry?", "The client retries 5 times.", " The wait between two tries doubles."),
        ("When was the pump built?", "The pump was built in 1990.", " It was replaced in 2020."),
        ("How many bars does the gate have?", "The gate has 3 bars:", "\n\n- One of iron.\n- Two of wood."),
    ],
)
def test_what_was_asked_for_needs_no_more(question: str, told: str, more: str) -> None:
    assert quotation(question, told + more, 0, BEST, BEST) == told


STEPS = "1. Close the valve.\n2. Drain the tank. This takes an hour.\n3. Open the lid."


def test_how_to_do_a_thing_is_told_in_all_its_steps() -> None:
    text = f"To clean it:\n\n{STEPS}\n\nWear gloves."
    assert quotation("How do I clean the tank?", text, 2) == STEPS
    assert quotation("Como faço para limpar o tanque?", text, 3) == STEPS
    assert quotation("What is drained?", text, 2) == "2. Drain the tank. This takes an hour."
    assert quotation("How do I clean the tank?", text, 5) == "Wear gloves."


def test_a_list_that_is_too_long_is_not_quoted_whole() -> None:
    text = "\n".join(f"{number}. {'Turn the wheel a little ' * 10}to the left." for number in range(1, 6))
    assert len(quotation("How do I turn it?", text, 1)) < LONGEST


ROOMS = "| Room | Seats |\n|---|---|\n| Oak | 12 |\n| Elm | 30 |"


def test_several_things_are_told_as_the_list_that_names_them() -> None:
    rows = "| Oak | 12 |\n| Elm | 30 |"
    assert quotation("What are the rooms of the house?", ROOMS, 2, title="Rooms") == rows
    assert quotation("How many seats has Elm?", ROOMS, 2, title="Rooms") == "| Elm | 30 |"
    assert quotation("What are the prices of the house?", ROOMS, 2, title="Rooms") == "| Elm | 30 |"


@pytest.mark.parametrize(
    ("text", "place", "ending"),
    [
        ("To open the gate, run this command:\n\n```\ngate --open\n```\n\nIt takes a while.", 0, "gate --open"),
        ("To open the gate, run::\n\n    $ gate --open\n\nIt takes a while.", 0, "$ gate --open"),
        ("To open the gate, run:\n\n.. code-block:: text\n\n    $ gate --open\n\nIt is slow.", 0, "$ gate --open"),
        ("To open the gate, do this:\n\n- Lift the bar.\n- Push it.\n\nIt takes a while.", 0, "- Push it."),
        ("Para abrir o portão, execute:\n\n```\ngate --open\n```\n\nDemora um pouco.", 0, "gate --open"),
        ("To open the gate, add\n\n  --open\n\nto the command line. It takes a while.", 0, "to the command line."),
    ],
)
def test_what_a_colon_announces_is_quoted_with_it(text: str, place: int, ending: str) -> None:
    found = quotation("How do I open the gate?", text, place, *[0.0] * place, BEST)
    assert found.startswith(text[:10])
    assert found.endswith(ending)


def test_code_is_quoted_with_what_is_said_of_it() -> None:
    text = "Run it like so:\n\n```\ngate --open\n```\n\nThis opens the gate. It takes a while."
    assert quotation("How do I open the gate?", text, 2, 0.0, 0.0, BEST) == text.removesuffix(" It takes a while.")
    alone = "```\ngate --open\n```\n\nThe gate opens. It takes a while."
    assert quotation("How do I open the gate?", alone, 1, 0.0, BEST) == "The gate opens."


@pytest.mark.parametrize(
    "text",
    ["Look at it:\n\n.. code-block:: text\n\n    > gate 50\n\nmyGate opens by itself.", "The gate\n\nA bar\n\ngate 50"],
)
def test_a_line_between_two_sentences_joins_neither(text: str) -> None:
    assert quotation("How do I open the gate?", text, 0, BEST).startswith(text.partition("\n")[0])
    assert not quotation("How do I open the gate?", text, 0, BEST).endswith(text[-5:])


def test_a_list_that_is_too_long_is_not_quoted_with_what_announces_it() -> None:
    entries = "\n".join(f"- Lift the bar number {number} and push it." for number in range(30))
    assert quotation("How do I open the gate?", f"Do this:\n\n{entries}", 0) == "Do this:"


@pytest.mark.parametrize(("question", "told"), [("Can guests pay in cash?", False), ("How do guests pay?", True)])
def test_what_says_all_of_a_yes_or_no_needs_nothing_before_it(question: str, told: bool) -> None:
    before, own = "A new card costs 5 euros.", "Guests pay by card or in cash."
    assert quotation(question, f"{before} {own}", 1, 0.5, BEST) == (f"{before} {own}" if told else own)


def test_a_sentence_that_says_all_of_the_question_needs_none_before_it() -> None:
    text = "Your data is stored in Porto. Backups are kept for 35 days."
    told = quotation("How long are backups kept?", text, 1, 0.0, BEST, title="Where is my data stored?")
    assert told == "Backups are kept for 35 days."
    told = quotation("How long are they kept in the cellar?", text, 1, 0.0, BEST, title="Where is my data stored?")
    assert told == text


@pytest.mark.parametrize(
    ("question", "before", "alone"),
    [
        ("How long does a failed job wait?", "A failed job is retried five times.", True),
        ("How long does a failed job wait?", "A failed job is retried.", False),
        ("How long does a failed job wait?", "A failed job is retried for 2 hours.", False),
        ("What does a failed job do?", "A failed job is retried five times.", False),
    ],
)
def test_a_number_that_nobody_asked_for_does_not_lead(question: str, before: str, alone: bool) -> None:
    wait = "The wait between two tries is ten seconds."
    told = quotation(question, f"{before} {wait}", 1, 0.0, BEST, title="Retries")
    assert told == (wait if alone else f"{before} {wait}")
