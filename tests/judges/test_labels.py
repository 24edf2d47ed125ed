"""Numbers that name a thing or a moment are no amounts."""

import pytest

from calibrant.judges.free.answering.admissible import answers_kind
from calibrant.judges.free.evidence.labels import is_row_of_another, names_another, without_labels
from calibrant.judges.free.evidence.query import prepare


def left(question: str, sentence: str) -> bool:
    """Whether a number of the sentence is left."""
    return any(char.isdigit() for char in without_labels(sentence, prepare(question).asked))


@pytest.mark.parametrize(
    "sentence",
    [
        "Purpose 2.1 The unit is let for furniture making.",
        "4. Fees\nThey are set by the board.",
        "4.4 The rent follows the index, for the first time on 1 May 2026.",
        "See section 12 and article 3.",
        "CVE-2025-90417 and ADR 0017 are fixed in version 2.1.",
        "As adopted on 9 November 2019 and amended on March 3, 2021 at 14:30.",
        "It was named in 2021.",
        "As regras da alínea 3 e do piso 2 valem a partir das 22h30.",
    ],
)
def test_labels_and_moments_do_not_say_how_many(sentence: str) -> None:
    assert not left("How many members are there?", sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "About 300 people came.",
        "It covers 2.5 Million people.",
        "Of the 12 lines 3 are closed.",
        "Rule of thumb: 40 per room.",
        "Form 5% of all.",
    ],
)
def test_amounts_stay(sentence: str) -> None:
    assert left("How many members are there?", sentence)


@pytest.mark.parametrize(
    ("question", "sentence", "stays"),
    [
        ("How long does a page take?", "A SEV-1 alert pages the engineer on call.", False),
        ("What is the limit of retries?", "The limit of retries is set in ADR-014.", False),
        ("How many jets are there?", "The F-16 jets are old.", False),
        ("How many jets are there?", "There are 20 F-16 jets.", True),
        ("What is the number of the decision?", "The decision is ADR-014.", True),
        ("How long is it from the start?", "It is at T-5 minutes.", True),
        ("How long is the window?", "It is a 24-hour window.", True),
        ("How much does it cost?", "It costs EUR 5000.", True),
        ("How much does it cost?", "It is sold under RFC 5000.", False),
        ("How many commands can a group have?", "Chain more than one command. Added in version 8.0.", False),
        ("What is the limit of commands?", "Changed in version 8.0: The limit is gone.", False),
        ("What is the limit of commands?", "Changed in version 8.0: The limit is 12.", True),
        ("How many rules were added?", "Added in versions of the rules: 12.", True),
        ("How long may a line idle?", r"pattern: ^([0-9]+(ns|us|ms|s|m|h)?)+$", False),
        ("How long may a line idle?", r"pattern: ^\d{2}s$", False),
        ("How long may a line idle?", "It may idle [3-5] seconds.", True),
        ("How many requests are sent?", "See https://barn.test/issues/412 for it.", False),
        ("How many requests are sent?", "retries=3", True),
        ("Which port does the bridge listen on?", "listen: tcp://0.0.0.0:2019", True),
    ],
)
def test_the_number_of_a_name_is_no_answer(question: str, sentence: str, stays: bool) -> None:
    assert left(question, sentence) is stays


def test_a_moment_may_say_how_long() -> None:
    assert left("How long is it open?", "It is open until 30 June.")
    assert left("How much time is left?", "Until 30 June.")


def test_what_is_asked_for_by_its_label_stays() -> None:
    assert left("How large is room 12?", "It is room 12.")


@pytest.mark.parametrize(
    ("text", "another"),
    [
        ("Plan B includes support by mail only.", True),
        ("Plan A includes support by phone.", False),
        ("Plan A has all that plan B has.", False),
        ("The plan includes support.", False),
        ("Plan I have none.", False),
        ("Every plan. A phone is needed.", False),
    ],
)
def test_what_is_told_of_plan_b_is_not_told_of_plan_a(text: str, another: bool) -> None:
    assert names_another("Does plan A include support?", text) is another


@pytest.mark.parametrize(
    ("question", "text", "another"),
    [
        ("How many users does the Team plan have?", "The Pro plan has 5 users.", True),
        ("How many users does the Pro plan have?", "The Pro plan has 5 users.", False),
        ("How fast is support on the Pro plan?", "Support answers within 4 hours on the Team plan.", True),
        ("What does the Pro Max plan cost?", "The Pro plan costs 30 euros a month.", True),
        ("What does the Pro plan cost?", "The Acme Pro plan costs 30 euros.", False),
        ("What does the Team plan cost?", "The Pro plan costs 30 euros, Team 90.", False),
        ("What does the Team plan cost?", "Every plan costs 30 euros.", False),
        ("Quanto custa o plano Team?", "Entre outros, o plano Pro custa 30 euros.", True),
        ("How much is the Urban Three?", "name: Urban One; price: 900", True),
        ("How much is the Urban One?", "name: Urban One; price: 900", False),
        ("When was Barack Obama born?", "President Obama was born in 1961.", False),
        ("Where is the New York office?", "The New York office is in Queens.", False),
    ],
)
def test_what_is_told_of_one_name_is_not_told_of_its_sibling(question: str, text: str, another: bool) -> None:
    assert names_another(question, text) is another


def test_numbered_things_are_told_apart_and_amounts_are_no_labels() -> None:
    assert names_another("What is the limit of queue 3?", "The limit of queue 4 is 7.")
    assert names_another("How heavy is part 5 of machine 3?", "Part 7 of machine 3 weighs 2 kg.")
    assert not names_another("How long does step 3 of phase 2 take?", "Step 3 takes two days (see phase 4).")
    assert not names_another("What is the limit of queue 3?", "The limit of queue 3 is 6, that of queue 4 is 7.")
    assert names_another("How soon is a SEV1 answered?", "A SEV2 is answered in 15 minutes.")
    assert names_another("What does the alarm A04 mean?", "Alarm: A05; Meaning: Door open")
    assert not names_another("How soon is a SEV1 answered?", "A SEV1 is answered in 5 minutes, a SEV2 in 15.")
    assert not names_another("How soon is a SEV1 answered?", "An incident is answered in 5 minutes.")
    assert not names_another("Does John F. Kennedy appear?", "John D. Rockefeller appears.")
    assert not names_another("When was version 2.1 made?", "It was made in version 2.2.")
    assert not names_another("Can I return it after 20 days?", "After 14 days it cannot be returned.")
    assert not names_another("Does it retry 3 times?", "It will retry 5 times.")


@pytest.mark.parametrize(
    ("question", "text", "another"),
    [
        ("What does part 5 of machine 3 weigh?", "Part 7 of machine 3 weighs 2 kg.", True),
        ("What does part 5 of machine 3 weigh?", "Part 5 of machine 4 weighs 2 kg.", True),
        ("What does part 5 of machine 3 weigh?", "Part 5 of machine 3 weighs 2 kg, part 7 weighs 9 kg.", False),
        ("What does part 5 of machine 3 weigh?", "Part 5 weighs 2 kg.", False),
        ("Which of machine 3 and machine 4 is red?", "Machine 3 is red.", False),
        ("When was order 10482 shipped?", "Order 10483 was shipped on 3 May.", True),
        ("When was order 10482 shipped?", "Order 10482 was shipped on 3 May.", False),
    ],
)
def test_of_several_labels_each_is_that_of_the_thing_asked_about(question: str, text: str, another: bool) -> None:
    assert names_another(question, text) is another


@pytest.mark.parametrize(
    ("question", "text", "answers"),
    [
        ("How much does machine 3 weigh?", "Machine 3 weighs 320 tonnes.", True),
        ("How much does machine 3 weigh?", "Machine 3 weighs 3.5 tonnes.", True),
        ("How much does machine 3 weigh?", "Machine 3 weighs some tonnes.", False),
        ("How much does machine 320 weigh?", "Machine 320 weighs some tonnes.", False),
        ("How many parts has a set of 1,500?", "A set of 1,500 has a list.", False),
        ("How many parts has a set of 1,500?", "A set of 1,500 has 1,600 parts.", True),
    ],
)
def test_only_the_very_number_of_the_question_is_no_answer_to_it(question: str, text: str, answers: bool) -> None:
    assert answers_kind(prepare(question), text) is answers


def test_months_and_weekdays_are_nobody() -> None:
    assert not answers_kind(prepare("Who is the treasurer?"), "The club has new statutes since Sunday, 9 November.")
    assert answers_kind(prepare("Who is the treasurer?"), "Since Sunday, 9 November it is Ann Berg.")


MINUTES = "MINUTES OF THE RINK COMMITTEE, 4 MARCH 2026 Present: Greta Lunde (chair)"
RULES = "Rules of the ice rink: Version 1, in force from 1 September 2022"


@pytest.mark.parametrize(
    ("question", "text", "answers"),
    [
        ("When is the rink open?", MINUTES, False),
        ("When is the rink open?", RULES, False),
        ("When is the rink open?", "Version 2 of the rules says that the rink is open until April 2026.", True),
        ("When was the meeting of the committee?", MINUTES, True),
        ("When did the rink committee meet?", MINUTES, True),
        ("When did the rules of the rink come into force?", RULES, True),
        ("Since when do the rules apply?", RULES, True),
        ("When was the rink built?", "Last updated: 3 May 2024", False),
        ("When was the page updated?", "Last updated: 3 May 2024", True),
        ("When does the gala start?", "Circular of 12 May 2025", False),
        ("When is the next assembly?", "Minutes of 12 March 2026: The next one takes place on 3 June.", True),
        ("Quando abre o rinque?", "Ata da reunião de 4 de março de 2026", False),
        ("Quando abre o rinque?", "Ata da reunião de 4 de março de 2026: O rinque abre em 1 de maio.", True),
        ("Quando foi a reunião?", "Ata da reunião de 4 de março de 2026", True),
    ],
)
def test_when_a_document_is_from_answers_only_who_asks_for_that(question: str, text: str, answers: bool) -> None:
    assert answers_kind(prepare(question), text) is answers


@pytest.mark.parametrize(
    ("question", "row", "other"),
    [
        ("What is the rent of flat 3-05?", "Flat: 2-11; House: 2; Rent: 655", True),
        ("What is the rent of flat 2-11?", "Flat: 2-11; House: 2; Rent: 655", False),
        ("Who cleans house 5?", "Flat: 2-11; House: 2; Rent: 655", True),
        ("Qual é a idade mínima para a categoria D?", "Categoria: AM; Idade mínima: 16", True),
        ("Qual é a idade mínima para a categoria AM?", "Categoria: AM; Idade mínima: 16", False),
        ("What does category A cost?", "Service: Renewal; Category: all; Price: 45", False),
        ("What is the rent of flat 2-10 and flat 2-11?", "Flat: 2-11; House: 2; Rent: 655", False),
        ("Which flat has 3 rooms?", "Flat: 2-11; House: 2; Rooms: 4", False),
        ("What does plan B cost?", "Plan B costs 5 euros.", False),
    ],
)
def test_a_row_tells_nothing_of_what_has_another_label_in_its_column(question: str, row: str, other: bool) -> None:
    assert is_row_of_another(question, row) is other
