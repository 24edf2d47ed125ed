"""Two answers to one question that cannot both be right, though their sentences share hardly a word."""

import pytest

from calibrant.judges.free.answering.extract import Extractor
from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.mention_kinds import kinds_of
from calibrant.judges.free.comparing.mentions import pairs_of
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.rivals import compare_answers, disagreement, is_about
from calibrant.judges.free.comparing.same_case import Answer, answer_of
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.sufficiency import SufficiencyJudge
from calibrant.judges.free.synthesis.conflicts import ConflictJudge
from calibrant.judges.free.synthesis.sides import aligned
from calibrant.judges.free.synthesis.witnesses import witnesses
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, ConflictKind, Span
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Language, Question

FILTER = "How many hours does a grease filter of the Fornax oven last?"
CLOCK = "Who built the tower clock of the museum?"
VERSION = "Which version of Fornax does the display need?"
SINCE = "When did the Fornax oven arrive?"


def test_who_tells_a_version_need_not_call_it_one() -> None:
    item = Evidence(id="a", text="", title="Requirements", source="knowledge", url="")
    question = "Which version of Fornax does Halyard need?"
    assert is_about(question, Answer("Halyard needs Fornax 3.8.", item))
    assert is_about(question, Answer("Fornax 3.10 is needed by Halyard.", item))
    assert not is_about(question, Answer("Fornax 3.8 was released in May.", item))


def test_what_one_side_tells_elsewhere_too_is_no_disagreement() -> None:
    """When it closes is said of closing on both sides, whatever was asked."""
    row = "office: Vienna; opens: 08:00; closes: 18:30"
    items = (
        Evidence(
            id="a", text="The Vienna office\n\nIt still closes at 18:30.", title="Vienna", source="k", url="file:///a"
        ),
        Evidence(id="b", text=row, title="Offices", source="k", url="file:///b"),
    )
    asked = "What is the opening time of the Vienna office?"
    told = (answer_of(text, item) for text, item in zip(("It still closes at 18:30.", row), items, strict=True))
    assert compare_answers(asked, *told).opposed is None
    earlier = Evidence(id="c", text="The Vienna office opens at 9:00.", title="Vienna", source="k", url="file:///c")
    both = answer_of("The Vienna office opens at 9:00.", earlier), answer_of(row, items[1])
    found = compare_answers(asked, *both).opposed
    assert found is not None
    assert found.values == ("9:00", "08:00")


def test_amounts_belong_together_by_the_synonyms_of_their_language() -> None:
    query = prepare("Quanto custa o ingresso do museu?")
    first = read("O ingresso custa 20 euros para sócios e 30 euros para visitantes.", Language.PORTUGUESE)
    second = read("O ingresso custa 30 euros para visitantes e 25 euros para membros.", Language.PORTUGUESE)
    pairs = pairs_of(query, next(kinds_of(query, first, second)), first, second) or []
    values = [[side.value for side in pair if isinstance(side.value, Quantity)] for pair in pairs]
    assert [tuple(one.value for one in pair) for pair in values] == [(20, 25), (30, 30)]


def disagree_in(question: str, first: str, second: str, above: tuple[str, str] = ("", "")) -> tuple[str, str] | None:
    """What two documents' answers disagree in."""
    items = [
        Evidence(id=name, text=text, title=title, source="k", url=f"file:///{name}")
        for name, text, title in zip("ab", (first, second), above, strict=True)
    ]
    hit = compare_answers(question, answer_of(first, items[0]), answer_of(second, items[1])).opposed
    return hit.values if hit else None


WAIT = "How long does a failed job wait?"


@pytest.mark.parametrize(
    ("question", "first", "second", "said"),
    [
        (WAIT, "A failed job is retried five times.", "A failed job is retried three times.", None),
        (WAIT, "A failed job waits for 5 seconds.", "It waits for 9 seconds.", ("5 seconds", "9 seconds")),
        ("How heavy is the press?", "The press has 3 rolls.", "The press has 4 rolls.", None),
        ("How heavy is the press?", "The press has 3 kg.", "The press has 4 kg.", ("3 kg", "4 kg")),
        ("How many rolls has the press?", "The press has 3 rolls.", "The press has 4 rolls.", ("3", "4")),
        ("Quanto tempo espera a tarefa?", "A tarefa espera 3 vezes.", "A tarefa espera 5 vezes.", None),
        ("Quanto tempo espera a tarefa?", "A tarefa espera 3 dias.", "A tarefa espera 5 dias.", ("3 dias", "5 dias")),
    ],
)  # fmt: skip
def test_numbers_that_cannot_be_the_measure_asked_for_are_no_dispute_about_it(
    question: str, first: str, second: str, said: tuple[str, str] | None
) -> None:
    assert disagree_likely(question, first, second) == said


@pytest.mark.parametrize(
    ("question", "second", "said"),
    [
        ("What does machine 3 weigh?", "Machine 614 weighs 3 tonnes.", None),
        ("What does machine 3 weigh?", "Machine 3 weighs 3 tonnes.", ("320 tonnes", "3 tonnes")),
        ("What does machine 3 weigh?", "The machine weighs 3 tonnes.", ("320 tonnes", "3 tonnes")),
        ("What does the machine weigh?", "Machine 3 weighs 3 tonnes.", ("320 tonnes", "3 tonnes")),
    ],
)
def test_what_is_told_of_another_number_is_no_dispute(question: str, second: str, said: tuple[str, str] | None) -> None:
    assert disagree_likely(question, "Machine 3 weighs 320 tonnes.", second) == said


def test_several_things_that_are_asked_for_are_no_dispute() -> None:
    told = ("In the harbour boats use Halyard.", "In the harbour boats use Fornax.")
    assert disagree_likely("Which lock-opening tool do the boats use?", *told) == ("Halyard", "Fornax")
    assert disagree_likely("Which lock-opening tools are there for boats?", *told) is None


def test_what_stands_above_may_name_the_measure() -> None:
    above = ("Timeout of a job", "Timeout of a job")
    assert disagree_likely("How long is a job kept?", "A job: 5", "A job: 3", above) == ("5", "3")


def disagree_likely(
    question: str, first: str, second: str, above: tuple[str, str] = ("", "")
) -> tuple[str, str] | None:
    """What two documents' answers disagree in, if both answer by their scores."""
    told = (
        answer_of(text, Evidence(id=name, text=text, title=title, source="k", url=f"file:///{name}"))
        for name, text, title in zip("ab", (first, second), above, strict=True)
    )
    hit = compare_answers(question, *told, likely=True).opposed
    return hit.values if hit else None


BUILT = "When was the Ash Mill built?"
BORN = "When was Ann Ash born?"
CLOSES = "When does the Ash Mill close?"
YEAR = "Em que ano foi construído o Moinho da Faia?"


@pytest.mark.parametrize(
    ("question", "first", "second", "said"),
    [
        (BUILT, "The Ash Mill was built in 1902.", "The Ash Mill was built in 1885.", ("1902", "1885")),
        (BUILT, "The Ash Mill was built in 1902.", "The Ash Mill was completed in 1885.", ("1902", "1885")),
        (BUILT, "The Ash Mill was built in 1902.", "The Ash Mill was listed as a monument in 1985.", None),
        (BUILT, "The Ash Mill was built in 1902.", "The Ash Mill was abolished in 1985.", None),
        (BUILT, "The Ash Mill was listed in 1985.", "The Ash Mill was renamed in 1991.", None),
        (YEAR, "O Moinho da Faia foi construído em 1902.", "O Moinho da Faia abriu em 1905.", ("1902", "1905")),
        (YEAR, "O Moinho da Faia foi construído em 1902.", "O Moinho da Faia foi classificado em 1985.", None),
        (BORN, "Ann Ash (3 May 1902) was a miller.", "Ann Ash (5 May 1900) was rich.", ("3 May 1902", "5 May 1900")),
        (BORN, "Ann Ash moved to Ulm in 1911.", "Ann Ash was born in 1900.", None),
        (CLOSES, "The Ash Mill closes on 3 May.", "The Ash Mill shuts on 4 May.", ("3 May", "4 May")),
    ],
)  # fmt: skip
def test_when_something_happened_once_is_told_by_a_sentence_about_such_an_event(
    question: str, first: str, second: str, said: tuple[str, str] | None
) -> None:
    assert disagree_in(question, first, second) == said


def test_two_numbers_of_two_dates_hardly_mislead() -> None:
    question = "How many inhabitants does Ashby have?"
    texts = "Ashby had 10,929 inhabitants in 2021.", "Ashby had 11,012 inhabitants in 2016, and 300 wells."
    items = [Evidence(id=one, text=one, title="", source="k", url=f"file:///{one}") for one in texts]
    hit = compare_answers(question, *(answer_of(item.text, item) for item in items)).opposed
    assert hit is not None
    assert hit.scope == "different"


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Is the quay road being closed?", "The proposal to close the quay road was rejected by four votes to two.",
         "The board decided to close the quay road on 1 May 2026."),
        ("Is the purchase of a hybrid crane approved?", "The board approved the purchase of a hybrid crane.",
         "The board cancelled the purchase of the hybrid crane."),
        ("Was the plan to build the mole at Vik rejected?", "The council rejected the plan to build the mole at Vik.",
         "The council decided to build the mole at Vik in 2026."),
        ("Will the car park be extended?", "The committee turned down the request to extend the car park.",
         "The committee agreed to extend the car park by forty spaces."),
        ("Foi cancelada a compra do novo barco?", "O conselho cancelou a compra do novo barco.",
         "O conselho aprovou a compra do novo barco."),
    ],
)  # fmt: skip
def test_two_decisions_on_one_thing_disagree(question: str, first: str, second: str) -> None:
    assert disagree_in(question, first, second) == (first.rstrip("."), second.rstrip("."))


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("Is the north gate being closed?", "The proposal to close the north gate was put to the board in June.",
         "The board rejected the proposal to close the north gate."),
        ("Was the extension of the pier approved?", "The board did not approve the extension of the pier.",
         "The extension of the pier was rejected by the board."),
        ("Was the budget of the ferry museum approved?", "The board approved the budget of the ferry museum.",
         "The board rejected the budget of the ferry school."),
        ("Are cancelled tickets refunded?", "Cancelled tickets are refunded.", "We refund those that were cancelled."),
        ("Was the offer of Brandt for the roof rejected?", "The council rejected the offer of Brandt for the roof.",
         "The council accepted the offer of Lindqvist for the roof."),
    ],
)  # fmt: skip
def test_what_is_open_or_decided_of_something_else_is_no_disagreement(question: str, first: str, second: str) -> None:
    assert disagree_in(question, first, second) is None
    assert disagree_in(question, second, first) is None


@pytest.mark.parametrize(
    ("question", "text", "row", "said"),
    [
        ("How many passengers can the Aurora carry?", "The Aurora carries 310 passengers and 45 cars.",
         "name: Aurora; built: 1998; passengers: 280; cars: 45", ("310", "280")),
        ("How many seats does the Lund pool have?", "The pool at Lund has 300 seats.",
         "place: Lund pool; seats: 450; opened: 1999", ("300", "450")),
        ("Who is the head of finance?", "The head of finance is Jonas Weil.",
         "department: Finance; head: Ruth Amsel; phone: 201", ("Jonas Weil", "Ruth Amsel")),
        ("In which year was the site in Trier opened?", "Our site in Trier opened in 2006.",
         "site: Trier; employees: 75; opened: 2004", ("2006", "2004")),
        ("Quanto custa o passe mensal para adultos?", "O passe mensal custa R$ 52,00 para adultos.",
         "passe: Passe mensal; adultos: R$ 58,00; crianças: R$ 36,00", ("52,00", "58,00")),
    ],
)  # fmt: skip
def test_a_column_says_what_its_cells_count(question: str, text: str, row: str, said: tuple[str, str]) -> None:
    assert disagree_in(question, text, row) == said


@pytest.mark.parametrize(
    ("question", "text", "row"),
    [
        ("How many seats does the Fjord room have?", "The Fjord room has 24 seats and 2 screens.",
         "room: Fjord; seats: 24; floor: 2"),
        ("How many seats does the Fjord room have?", "The Fjord room has 18 chairs.",
         "room: Fjord; seats: 24; floor: 2"),
        ("How many seats does Van 3 have?", "The van 3 carries 7 boxes.", "vehicle: Van 3; seats: 9; doors: 5"),
        ("In which year was the Oslo office opened?", "The office in Oslo was rebuilt in 2019.",
         "office: Oslo; desks: 85; opened: 2001"),
    ],
)  # fmt: skip
def test_what_another_column_tells_is_no_disagreement(question: str, text: str, row: str) -> None:
    assert disagree_in(question, text, row) is None


def test_a_bracket_says_which_of_several_persons_it_is() -> None:
    """Whatever their order, and whoever else is in the list."""
    question, above = "Who is the chair of the board?", ("Board, 12 March 2024", "Board, 5 June 2025")
    old = "Present: M. Okafor (chair), L. Bianchi, S. Ito."
    assert disagree_in(question, old, "Present: L. Bianchi (chair), S. Ito.", above) == ("M. Okafor", "L. Bianchi")
    assert disagree_in(question, old, "Present: A. Brandt (chair), L. Bianchi.", above) == ("M. Okafor", "A. Brandt")
    assert disagree_in(question, old, "Present: S. Ito, M. Okafor (chair), P. Novak.", above) is None


def test_the_line_that_opens_a_text_says_what_it_is_about() -> None:
    lines = "Present: M. Okafor (chair), L. Bianchi, S. Ito.", "Present: P. Novak (chair), L. Bianchi, S. Ito."
    texts = [f"Board minutes, 2{day} March\n{line}\n1. The board met.\n" for day, line in enumerate(lines)]
    items = [
        Evidence(id=name, text=text, title=f"{name}.txt", source="k", url=f"file:///{name}")
        for name, text in zip("ab", texts, strict=True)
    ]
    told = (answer_of(line, item) for line, item in zip(lines, items, strict=True))
    assert compare_answers("Who is the chair of the board?", *told).opposed is not None


def test_a_price_is_about_what_it_is_the_price_of() -> None:
    item = Evidence(id="a", text="", title="Prices", source="knowledge", url="")
    assert is_about("What does the starter plan cost?", Answer("The starter plan is free.", item))
    assert not is_about("What does the starter plan cost?", Answer("The team plan costs 30 dollars.", item))


@pytest.mark.parametrize(
    ("question", "first", "second", "said"),
    [
        (FILTER, "The grease filter lasts for 500 hours.", "Change it after 200 hours.", ("500 hours", "200 hours")),
        (
            FILTER,
            "The grease filter lasts for 500 hours.",
            "It lasts 200 hours, the fine one 300 hours.",
            ("500 hours", "200 hours"),
        ),
        (
            FILTER,
            "It lasts for 500 operating hours.",
            "A grease filter is finished after 200 hours.",
            ("500 operating hours", "200 hours"),
        ),
        ("How much is an adult ticket?", "Adults pay 9 euros.", "Admission: 11 euros", ("9 euros", "11 euros")),
        (
            CLOCK,
            "The clock was built by Anselm Rudd.",
            "It is the work of Jorgen Halle.",
            ("Anselm Rudd", "Jorgen Halle"),
        ),
        (
            CLOCK,
            "Mr Anselm Rudd built the clock.",
            "The maker is Mr Jorgen Halle.",
            ("Mr Anselm Rudd", "Mr Jorgen Halle"),
        ),
        (SINCE, "The oven came on 3 May 2021.", "We have had it since 9 June 2022.", ("3 May 2021", "9 June 2022")),
        ("How often is it cleaned?", "It is cleaned daily.", "We do that every week.", ("daily", "every week")),
        ("What does a ticket cost?", "Tickets are 9 euros.", "Admission: 11 euros", ("9 euros", "11 euros")),
        ("What does a ticket cost?", "Admission is free.", "Tickets: 11 euros", ("is free", "11 euros")),
        ("Quanto custa o bilhete?", "O bilhete custa 10 reais.", "A entrada é gratuita.", ("10 reais", "é gratuita")),
        (VERSION, "It needs Fornax 3.8 or newer.", "Fornax 3.10 or newer is required.", ("3.8", "3.10")),
        (VERSION, "Version 12 is needed.", "The display needs version 14.", ("12", "14")),
        ("Qual versão do Fornax é necessária?", "É necessária a versão 12.", "Use a versão 14.", ("12", "14")),
    ],
)
def test_answers_that_differ_in_what_is_asked_for(
    question: str, first: str, second: str, said: tuple[str, str]
) -> None:
    hit, _ = disagreement(prepare(question), aligned(first, second))
    assert hit is not None
    assert hit.values == said


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (FILTER, "The grease filter lasts for 500 hours.", "Change it after 500 hours."),
        (FILTER, "The grease filter lasts for 48 months.", "Change it after four years."),
        (FILTER, "The grease filter lasts for 500 hours.", "A filter weighs 2 kg."),
        ("How often is it cleaned?", "It is cleaned every night.", "We do that every 24 hours."),
        ("How often is it cleaned?", "It is cleaned every night.", "Once a week we do, and daily in May."),
        ("What does a ticket cost?", "Tickets are free for children.", "Tickets: 11 euros"),
        ("What does a ticket cost?", "Tickets are 9 euros.", "The tour lasts 11 minutes."),
        ("What does a ticket show?", "Admission is free.", "Tickets: 11 euros"),
        (VERSION, "It needs Fornax 3.8.", "Fornax 3.8.1 is needed."),
        (VERSION, "It needs Fornax v2.4.0.", "Fornax 2.4.0 is needed."),
        (VERSION, "It needs Fornax 3.8.", "It runs with Fornax 3.8, 3.9 and 3.10."),
        ("Which versions of Fornax does it support?", "It supports Fornax 3.8.", "It supports Fornax 3.9."),
        (FILTER, "The grease filter lasts at least 500 hours.", "Change it after 600 hours."),
        (FILTER, "The grease filter lasts for 500 hours.", "It does not last 200 hours."),
        (
            "How long does it take to reach 250 °C?",
            "It reaches 250 °C in 25 minutes.",
            "After 25 minutes it is at 250 °C.",
        ),
        ("What are the fees?", "Adults pay 9 euros.", "Children pay 4 euros."),
        (CLOCK, "The clock was built by Anselm Rudd.", "Rudd built it."),
        (CLOCK, "The clock was built by Anselm Rudd.", "It was built by Mr A. Rudd of Leeds."),
        (SINCE, "The oven came in 2021.", "The oven came on 3 May."),
        (SINCE, "The oven came on 3 May 2021.", "It came in May 2021."),
        ("Why was the clock built?", "Anselm Rudd wanted it.", "Jorgen Halle wanted it."),
    ],
)
def test_answers_that_may_both_be_right(question: str, first: str, second: str) -> None:
    assert disagreement(prepare(question), aligned(first, second))[0] is None


DISAGREE = [
    ("When is the handover?", "The handover is on Monday at 10:00.",
     "The handover is on Tuesday at 10:30 in the channel `#shift-handover`."),
    ("When's planned maintenance?", "Planned maintenance takes place on Saturdays between 22:00 and 24:00 UTC.",
     "Planned maintenance takes place on Sundays between 03:00 and 06:00 UTC."),
    ("How many users may I have on Business?", "Plan: Business; Price: 99 EUR; Users: 20",
     "Users; Hobby: 1; Team: 5; Business: 25"),
    ("How much is the Team plan per month?", "Plan: Team; Per month: 24 EUR; Per year: 240 EUR",
     "Price per month; Hobby: free; Team: 29 EUR; Business: 119 EUR"),
    ("When does the pool open?", "The pool opens at 7:00.", "From 8:00 on you can swim in the pool."),
    ("When does the Vienna office open?", "The Vienna office opens at 9:00.",
     "office: Vienna; opens: 08:00; closes: 18:30"),
    ("How many days may I work from home?", "Staff may work from home up to two days a week.",
     "Everybody may work from home up to three days a week."),
    ("How much is refunded for a hotel in Germany?",
     "A hotel in Germany is refunded up to 120 euros and up to 150 abroad.",
     "Up to 140 euros in Germany and up to 170 abroad are refunded for a hotel."),
    ("What is the allowance for meals?", "The allowance for meals is 24 euros for a full day.",
     "The allowance for meals is 28 euros for a full day and 14 for half a day."),
    ("What does a day ticket cost for children?", "A day ticket costs 13.00 for adults and 9.00 for children.",
     "ticket: Day ticket; adults: 13.00; children: 8.00"),
    ("For how many days are readings kept?", "Readings are kept for 14 days.",
     "storage > keep_days: 30 (days for which readings are kept)"),
    ("Who approves invoices?", "Invoices are approved by Mr Hans Dorn.", "Invoices go to Mrs Ada Krell for approval."),
    ("How often is the filter changed?", "The filter is changed every three months.",
     "Change the filter once a month."),
    ("Is TLS enabled by default?", "TLS is enabled by default.", "server > tls: false"),
    ("Is private use of the laptop allowed?", "Private use of the laptop is not allowed.",
     "The laptop may be used privately."),
    ("Quanto custa o ingresso?", "O ingresso custa 12 euros.", "O ingresso custa 15 euros."),
    ("When is the museum open?", "The museum is open from 9:00 to 17:00.", "The museum is open from 9:00 to 18:00."),
    ("When is the museum open?", "The museum is open between 9:00 and 17:00.",
     "The museum is open between 9:00 and 18:00."),
    ("When is the museum open?", "The museum is open from 9:00 to 12:00 and from 14:00 to 17:00.",
     "The museum is open from 9:00 to 12:00 and from 14:00 to 18:00."),
    ("When is the museum open?", "The museum is open until 17:00.", "The museum is open until 18:00."),
    ("When is the museum open?", "The museum is open Tuesday to Friday from 9:00 to 17:00.",
     "The museum is open Tuesday to Friday from 9:00 to 16:30, and on Saturdays from 10:00 to 13:00."),
    ("When may boats be stored?", "Boats may be stored from 1 October to 15 April.",
     "Boats may be stored from 1 October to 30 April."),
    ("When is the library open?", "The library is open from Monday to Friday.",
     "The library is open from Monday to Saturday."),
    ("Quando abre o museu?", "O museu abre das 9:00 às 17:00.", "O museu abre das 9:00 às 18:00."),
    ("When is the regatta?", "The regatta was set for Saturday 13 June 2026.",
     "Because of the storm the regatta was moved from 13 June to Saturday 27 June 2026."),
    ("When is the meeting?", "The meeting is on 4 May 2026.",
     "The meeting was postponed from 4 May 2026 to 11 May 2026."),
    ("When is the meeting?", "The meeting is on Friday.", "The meeting was moved from Friday to Monday."),
    ("How much is the fee?", "The fee is 40 euros.", "The fee rose from 40 to 55 euros."),
    ("How much is the fee?", "The fee rose from 40 to 50 euros.", "The fee was raised from 40 to 55 euros."),
    ("What does a ticket cost?", "A ticket costs $12.", "The ticket price was raised from $12 to $15."),
    ("What does a ticket cost?", "A ticket costs from $7 to $21.", "A ticket costs from $7 to $20."),
    ("Quanto custa o bilhete?", "O bilhete custa R$ 12.", "O preço do bilhete passou de R$ 12 para R$ 15."),
    ("Quando é a festa?", "A festa é no dia 13 de junho de 2026.",
     "A festa foi adiada de 13 de junho para 27 de junho de 2026."),
    ("Quando o museu está aberto?", "O museu está aberto das 9h às 17h.", "O museu está aberto das 9h às 18h."),
    ("Quando o museu está aberto?", "O museu está aberto entre as 9h e as 17h.",
     "O museu está aberto entre as 9h e as 18h."),
    ("Quando o museu está aberto?", "O museu está aberto até as 17h.", "O museu está aberto até as 18h."),
    ("Quando o museu está aberto?", "O museu está aberto de terça a sexta das 9h às 17h.",
     "O museu está aberto de terça a sexta das 9h às 16h30, e aos sábados das 10h às 13h."),
    ("Quando a biblioteca está aberta?", "A biblioteca está aberta de segunda-feira a sexta-feira.",
     "A biblioteca está aberta de segunda-feira a sábado."),
    ("Quando é a reunião?", "A reunião é na sexta-feira.", "A reunião passou de sexta-feira para segunda-feira."),
    ("Quando é a regata?", "A regata foi marcada para o dia 13 de junho de 2026.",
     "Por causa do mau tempo a regata foi adiada do dia 13 de junho para o dia 27 de junho de 2026."),
    ("Até quando vão as inscrições?", "As inscrições vão até 1.º de março de 2026.",
     "As inscrições vão até 15/03/2026."),
    ("Em que ano foi aberta a filial de Trier?", "Nossa filial de Trier abriu em 2006.",
     "filial: Trier; funcionários: 75; aberta: 2004"),
    ("Quantos livros cada leitor pode levar?", "Cada leitor pode levar até quatro livros por duas semanas.",
     "Cada leitor pode levar até cinco livros por três semanas."),
    ("Quantos dias posso trabalhar em casa?", "Os funcionários podem trabalhar em casa até dois dias por semana.",
     "Todos podem trabalhar em casa até três dias por semana."),
    ("Quanto é reembolsado por um hotel na Alemanha?",
     "Um hotel na Alemanha é reembolsado até 120 euros e até 150 no exterior.",
     "Até 140 euros na Alemanha e até 170 no exterior são reembolsados por um hotel."),
    ("Qual é o prazo de aviso prévio?", "O prazo de aviso prévio é de 30 (trinta) dias.",
     "O prazo de aviso prévio é de 60 (sessenta) dias."),
    ("How long does delivery take?", "Delivery takes 3 to 5 days.", "Delivery takes 7 days."),
    ("When is the museum open?", "The museum is open from 9:00 to 17:00.", "The museum opens at 8:00."),
    ("What is the limit of the gate?", "The limit of the gate is 60 calls per minute.",
     "The limit of the gate is 10 calls per second."),
    ("How much is the fee?", "Since 2022 the fee is 40 euros.", "Since 2024 the fee is 55 euros."),
    ("Quanto é a taxa?", "A partir de 1 de janeiro de 2022, a taxa é de 40 euros.",
     "A partir de 1 de janeiro de 2024, a taxa é de 55 euros."),
    ("What is the mail address of the ferry?", "The mail address of the ferry is deck@ferry.example.",
     "The ferry has the mail address crew@ferry.example."),
    ("What is the phone number of the ferry?", "The phone number of the ferry is 555-0143.",
     "The ferry has the phone number 555-0199."),
    ("What is the default level?", "The default level is info.", "The default level is warn."),
    ("What is the rule for keys called?", "The rule for keys is called P-12.", "The rule for keys is called P-15."),
    ("Who approves invoices?", "Invoices are approved by Ada.", "Invoices are approved by Hans."),
    ("Qual é o ramo principal?", "O ramo principal é o pinho.", "O ramo principal é o carvalho."),
    ("In which version was the bell added?", "The bell was added in version 1.2.",
     "The bell was introduced in version 1.4."),
    ("When is rent due?", "Rent is due on the 1st of the month.", "Rent is due on the 5th of each month."),
    ("Quem dirige o moinho?", "O moinho é dirigido por Marta Nunes.", "O moinho é dirigido por Rui Costa."),
    ("What is the notice period?", "The notice period is three months.", "The notice period is 4 weeks."),
    ("How long are films kept?", "Films are kept for one year.", "Films are kept for 30 days."),
    ("Qual é o prazo de aviso prévio?", "O aviso prévio é de dois meses.", "O aviso prévio é de 30 dias."),
    ("Com que frequência a piscina é limpa?", "A piscina é limpa diariamente.", "Limpamos a piscina toda semana."),
    ("É permitido fumar no pátio?", "É permitido fumar no pátio.", "Fica vedado fumar no pátio."),
    ("Foi rejeitado o plano de construir o molhe em Vik?", "O conselho rejeitou o plano de construir o molhe em Vik.",
     "O conselho decidiu construir o molhe em Vik em 2026."),
    ("Is the form mandatory?", "The form is mandatory.", "The form is optional."),
    ("Is the log encrypted at rest?", "The log is encrypted at rest.", "The log is unencrypted at rest."),
    ("A quota é obrigatória?", "A quota é obrigatória.", "A quota é facultativa."),
    ("Must the tanks be empty or full for storage?", "Tanks must be emptied before storage.",
     "Tanks must be filled to at least 95 % before storage, to keep water out."),
    ("Must the valve be open or closed?", "The valve must be left open.", "The valve must be shut."),
    ("Should the water be hot or cold?", "Use cold water.", "The water is heated before use."),
]  # fmt: skip
"""Questions, and two answers of which one has to be wrong."""

MAY_BOTH_BE_RIGHT = [
    ("When is the pool open?", "The pool is open on Saturdays from 9:00 to 13:00.",
     "The pool is open on Sundays from 10:00 to 12:00."),
    ("How much is the Team plan per month?", "Plan: Team; Per month: 24 EUR; Per year: 240 EUR",
     "Price per month; Hobby: free; Team: 24 EUR; Business: 119 EUR"),
    ("How much is the Team plan per month?", "Plan: Team; Per month: 24 EUR; Per year: 240 EUR",
     "Additional users cost 6 EUR per month on the Team plan."),
    ("When does the pool open?", "The pool opens at 7:00 in summer.", "The pool opens at 9:00 in winter."),
    ("When does the pool open?", "The pool opens at 7:00.", "On Sundays the pool opens at 9:00."),
    ("What does a key cost?", "A key costs 20 euros.", "A replacement key costs 35 euros."),
    ("What is the deposit for a boat?", "The deposit for a boat is 50 euros.",
     "The deposit for a boat is 80 euros for guests."),
    ("How many days of leave do single parents have?", "Single parents have 30 days of leave.",
     "Parents have 28 days of leave."),
    ("How many days of leave do employees have?", "Employees have 28 days of leave.",
     "Trainees have 30 days of leave."),
    ("How often are keys rotated?", "Keys are rotated every 90 days.",
     "Keys of contractors are rotated every 30 days."),
    ("Who approves invoices?", "Invoices are approved by Mr Hans Dorn.",
     "Invoices above 5,000 euros are approved by Mrs Ada Krell."),
    ("May visitors take photographs?", "Visitors may take photographs.",
     "Visitors may not take photographs with flash."),
    ("Are dogs allowed in the garden?", "Dogs are allowed in the garden.",
     "Dogs are not allowed in the garden if it rains."),
    ("How much is a permit?", "A permit is 60 euros a year.", "A permit is 20 euros a month."),
    ("How long does delivery take?", "Delivery takes three days.", "Delivery takes three to five days."),
    ("What does a day ticket cost for children?", "A day ticket costs 13.00 for adults and 9.00 for children.",
     "ticket: Day ticket; adults: 14.50; children: 9.00"),
    ("When does the Vienna office close?", "The Vienna office closes at 18:30.",
     "office: Vienna; opens: 08:00; closes: 18:30"),
    ("When does the shop close?", "The shop closes at 18:00.", "The shop closes at 6 pm."),
    ("Is the form mandatory?", "The form is mandatory.", "The form is not optional."),
    ("Is the barn open on Sundays?", "The barn is open on Sundays.", "The mill is closed on Sundays."),
    ("What is the limit of the gate?", "The limit of the gate is 60 calls per minute.",
     "The gate has a limit of 1 call per second."),
    ("Can I cancel a berth?", "You can cancel a berth up to 24 hours before.",
     "You cannot cancel a berth less than 24 hours before."),
    ("How long are logs kept?", "Logs are kept for 90 days in the mill.", "Logs are kept for 30 days on the ferry."),
    ("Por quanto tempo se guardam os diários?", "Os diários guardam-se por 90 dias em terra.",
     "Os diários guardam-se por 30 dias no barco."),
    ("How much was the fee?", "In 2022 the fee was 40 euros.", "In 2024 the fee was 55 euros."),
    ("What is the address of the page?", "The address of the page is https://ferry.example/.",
     "The address of the page is www.ferry.example."),
    ("What is the phone number of the ferry?", "The phone number of the ferry is 555 0143.",
     "The phone number of the ferry is +1 555-0143."),
    ("What is the fine for a lost key?", "The fine for a lost key is 50 cents a day.",
     "The fine for a lost key is €0.50 a day."),
    ("Who can see the log?", "The log can be seen by owners.", "The log can be seen by admins."),
    ("When is rent due?", "Rent is due on the 5th of the month.", "Rent is due by the 5th of each month."),
    ("What is the Fornax oven?", "The Fornax oven is a stove.", "The Fornax oven is a furnace."),
    ("What is the purpose of the gate?", "The purpose of the gate is safety.", "The purpose of the gate is comfort."),
    ("What happens to a failed job?", "A failed job is retried.", "A failed job is reported."),
    ("What is stored in the shed?", "Paint is stored in the shed.", "Oil is stored in the shed."),
    ("Which mills does the firm use?", "The firm uses the Leith mill.", "The firm uses the Vik mill."),
    ("When did the work start?", "The work started in May 2024.", "The work ended in June 2025."),
    ("Which version added the bell?", "The bell was added in version 1.2.", "The bell was removed in version 2.0."),
    ("Which version added the bell?", "The bell was added in version 1.2.", "The bell was mended for version 1.4."),
    ("Em que versão foi adicionado o sino?", "O sino foi adicionado na versão 1.2.",
     "O sino foi removido na versão 2.0."),
    ("When is the fair?", "The fair is from 12 to 14 June 2026.", "The fair opens on 12 June."),
    ("When is the fair?", "The fair is from 12 to 14 June 2026.", "The fair is June 12-14."),
    ("How long are films kept?", "Films are kept for at least three months.", "Films are kept for 90 days."),
    ("How long are films kept?", "Films are kept for up to a year.", "Films are kept for 365 days."),
    ("Qual é o prazo de aviso prévio?", "O aviso prévio é de um mês.", "O aviso prévio é de 30 dias."),
    ("When is the museum open?", "The museum is open from 9:00 to 17:00 in winter.",
     "The museum is open from 9:00 to 18:00 in summer."),
    ("When is the museum open?", "The museum is open from 9:00 to 17:00.",
     "The museum is open from 9:00 to 18:00 in summer."),
    ("When is the museum open?", "Museum open, winter: 9:00 to 17:00.", "Museum open, summer: 9:00 to 18:00."),
    ("When is the museum open?", "The museum in Oslo is open from 9:00 to 17:00.",
     "The museum in Bergen is open from 9:00 to 18:00."),
    ("When is the museum open?", "The museum is open from 9:00 to 17:00.", "The museum opens at 9:00."),
    ("When is the museum open?", "The museum is open Tuesday to Friday from 9:00 to 17:00.",
     "On Saturdays the museum is open from 9:00 to 13:00."),
    ("When may boats be stored?", "Boats may be stored from 1 October to 15 April in the shed.",
     "Boats may be stored from 1 October to 30 April without cover."),
    ("When is the library open?", "The library is open from Monday to Friday.",
     "The library is open Monday to Friday from 9:00 on."),
    ("When may the pool be used?", "Members may use the pool from 7:00 to 21:00.",
     "Guests may use the pool from 7:00 to 19:00."),
    ("When is the regatta?", "The regatta was moved from 13 June to 27 June 2026.",
     "The regatta was postponed from 13 June to Saturday 27 June 2026."),
    ("When is the regatta?", "The regatta is on 27 June 2026.",
     "The regatta was moved from 13 June to Saturday 27 June 2026."),
    ("How much is the fee?", "The fee is 55 euros.", "The fee was raised from 40 to 55 euros."),
    ("How much is the fee?", "The fee was 40 euros in 2019.", "The fee was raised from 40 to 55 euros in 2021."),
    ("How much is the fee?", "The fee was 40 euros.", "The fee was raised from 40 to 55 euros."),
    ("How much is the fee?", "The fee is $55.", "The fee was raised from $40 to $55."),
    ("How much is the fee?", "The fee was $40.", "The fee was raised from $40 to $55."),
    ("How much is the fee?", "The fee is 40 euros.",
     "The motion to have the fee raised from 40 to 55 euros was rejected."),
    ("Quanto é a taxa?", "A taxa era de R$ 40.", "A taxa foi aumentada de R$ 40 para R$ 55."),
    ("Quando abre a piscina?", "A piscina abre às 7h no verão.", "A piscina abre às 9h no inverno."),
    ("Quando abre a piscina?", "A piscina abre às 7h.", "A piscina abre às 9h no inverno."),
    ("Quando é a reunião?", "A reunião é na sexta-feira.", "A segunda reunião é na sexta."),
    ("Quando fecha a loja?", "A loja fecha às 18h.", "A loja fecha às 6 da tarde."),
    ("Qual é a caução de um barco?", "A caução de um barco é de 50 euros.",
     "A caução de um barco é de 80 euros para visitantes."),
    ("Quantos dias têm os pais solteiros para cuidar de um filho?",
     "Pais solteiros têm vinte dias para cuidar de um filho.", "Os pais têm dez dias para cuidar de um filho."),
    ("Quanto custa a licença?", "A licença custa 60 euros ao ano.", "A licença custa 20 euros ao mês."),
    ("Quanto é a taxa?", "A taxa era de 40 euros em 2019.", "A taxa foi aumentada de 40 para 55 euros em 2021."),
    ("Quanto é a taxa?", "A taxa é de 40 euros.", "A proposta de aumentar a taxa de 40 para 55 euros foi rejeitada."),
    ("Must the valve be open or closed?", "The valve must be left open.", "The valve must not be closed."),
    ("Must the valve be open or closed?", "The valve must be open in winter.",
     "The valve must be closed in summer."),
    ("Must the valve be open or closed?", "The main valve must be left open.", "The drain valve must be closed."),
    ("Must the valve be open or closed?", "The valve must be left open.",
     "The valve must be closed if the pump runs."),
]  # fmt: skip
"""Questions, and two answers that tell the same or speak of two cases."""


def opposed(question: str, *texts: str) -> bool:
    first, second = (answer_of(text, passage(name, text, "Rules")) for name, text in zip("ab", texts, strict=True))
    hit = compare_answers(question, first, second).opposed
    return hit is not None and hit.scope == "same"


@pytest.mark.parametrize(("question", "first", "second"), DISAGREE)
def test_answers_of_two_documents_that_disagree(question: str, first: str, second: str) -> None:
    assert opposed(question, first, second)
    assert opposed(question, second, first)


@pytest.mark.parametrize(("question", "first", "second"), MAY_BOTH_BE_RIGHT)
def test_answers_of_two_documents_that_may_both_be_right(question: str, first: str, second: str) -> None:
    assert not opposed(question, first, second)
    assert not opposed(question, second, first)


@pytest.mark.parametrize(
    ("text", "above", "expected"),
    [
        ("A grease filter is finished after 200 hours.", "Fornax oven", True),
        ("A grease filter is finished after 200 hours.", "", False),
        ("The door is checked after 200 hours.", "Fornax oven", False),
        ("The lift runs for 200 hours.", "", False),
    ],
)
def test_what_is_about_something_else_is_no_answer(text: str, above: str, expected: bool) -> None:
    assert is_about(FILTER, Answer(text, passage("e", text, above))) is expected


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (  # two dates on a Saturday each, of which it cannot be told which one is meant
            "When is the regatta?",
            "The regatta is on Saturday 13 June and the picnic on 20 June 2026.",
            "The regatta is on Saturday 27 June, in place of 13 June 2026.",
        ),
        (  # a date that days are counted from
            "When is the deposit returned?",
            "The deposit is returned at least 30 days before 1 October.",
            "The deposit is returned at least 45 days before 1 October.",
        ),
    ],
)
def test_what_is_not_told_of_what_is_asked_is_no_agreement(question: str, first: str, second: str) -> None:
    told = (answer_of(text, passage(name, text, "Rules")) for name, text in (("a", first), ("b", second)))
    assert not compare_answers(question, *told).agree


def test_a_question_that_opens_a_claim_is_no_condition() -> None:
    first, second = (
        "The desk is open from 9:00 to 17:00.",
        "When is the desk open? The desk is open from 9:00 to 16:30.",
    )
    assert opposed("When is the desk open?", first, second)


def passage(identity: str, text: str, title: str = "Fornax oven") -> Evidence:
    return Evidence(id=identity, text=text, title=title, source="knowledge", url=f"file:///{identity}.md")


MANUAL = passage("manual", "The grease filter of the oven lasts for 500 hours.")
NOTES = passage("notes", "Doors squeak. A grease filter is finished after 200 hours. Ask the cook.")
ASKED = (Question(id="q1", text=FILTER),)


def claim(identity: str, item: Evidence, text: str, question: str = "q1") -> Claim:
    start = item.text.index(text)
    span = Span(evidence_id=item.id, quote=text, start=start, end=start + len(text))
    return Claim(id=identity, text=text, spans=(span,), confidence=0.8, question_id=question, addresses=0.9)


def test_the_other_documents_answer_is_heard_and_is_a_conflict() -> None:
    told = claim("c1", MANUAL, MANUAL.text)
    answers = Extractor().answers
    heard = witnesses((told,), ASKED, (MANUAL, NOTES), SufficiencyJudge(None).rate, answers)
    assert [one.text for one in heard] == ["A grease filter is finished after 200 hours."]
    (found,) = ConflictJudge().free(ToReconcile((told, *heard), (MANUAL, NOTES), questions=ASKED)).value
    assert found.kind is ConflictKind.CONTRADICTION
    assert found.explanation == 'They give different numbers: "500 hours" against "200 hours".'


def test_a_decision_in_other_words_than_the_question_is_heard() -> None:
    passages = [
        Evidence(id=name, text=text, title=title, source="k", url=f"file:///{name}", locator=Locator(start=0))
        for name, title, text in (
            ("a", "Newsletter 2022", "The school council approved the new uniform."),
            ("b", "Newsletter 2024", "The school council withdrew the new uniform."),
        )
    ]
    text = passages[0].text
    claim = Claim(id="c1", text=text, question_id="q1", spans=(Span(evidence_id="a", quote=text, start=0, end=44),))
    asked = (Question(id="q1", text="Has the new uniform been approved?"),)
    heard = witnesses((claim,), asked, passages, lambda _, texts: [1.0] * len(texts), lambda _, held: ())
    assert [one.text for one in heard] == [passages[1].text]


def test_answers_to_different_questions_or_of_one_document_are_no_rivals() -> None:
    told, other = claim("c1", MANUAL, MANUAL.text), "A grease filter is finished after 200 hours."
    judge = ConflictJudge()
    elsewhere = ToReconcile((told, claim("c2", NOTES, other, "q2")), (MANUAL, NOTES), questions=ASKED)
    same = NOTES.replace(url=MANUAL.url)
    together = ToReconcile((told, claim("c2", same, other)), (MANUAL, same), questions=ASKED)
    unasked = ToReconcile((told, claim("c2", NOTES, other)), (MANUAL, NOTES))
    assert [judge.free(given).value for given in (elsewhere, together, unasked)] == [(), (), ()]


@pytest.mark.parametrize(
    ("told", "opposed"),
    [
        ("Stop the mill before you grease its bearings.", True),
        ("The mill must be stopped before its bearings are greased.", True),
        ("Stopping the mill and greasing its bearings take an hour each.", False),
        ("Compared to stopping the mill, greasing its bearings is quick.", False),
        ("Stopping the mill and greasing its bearings is for developers of precision devices.", False),
    ],
)
def test_only_what_tells_to_do_a_thing_opposes_that_it_should_not_be_done(told: str, opposed: bool) -> None:
    question = "Should I stop the mill to grease its bearings?"
    items = (Evidence(id=one, text="", title="The mill", source="k", url=f"file:///{one}") for one in "ab")
    sides = ("Do not stop the mill to grease its bearings.", told)
    found = compare_answers(question, *map(answer_of, sides, items)).opposed
    assert (found is not None and found.scope == "same") is opposed
