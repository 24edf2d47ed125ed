"""Parts of a request: what is split, what is left whole, what waits for what."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.hops import takes_steps
from calibrant.judges.free.request.parts import MOST, asked_apart, split
from calibrant.judges.free.words.text import language_of
from calibrant.state.task import Language


def parts(text: str) -> list[str]:
    return [part.text for part in split(text, language_of(text)).questions]


@pytest.mark.parametrize(
    "text",
    [
        "How do I make json.dumps sort keys?",
        "How do I find files changed in the last two weeks?",
        "What was the output of the first 6 months?",
        "Qual foi a produção dos últimos três anos?",
        "sqlite3 isolation levels",
        "pros and cons of SQLite",
        "Compare the pros and cons of SQLite",
        "Compare the basic and premium plans",
        "Give me a comparison of the pros and cons of SQLite",
        "What did the comparison of Flask and Django show?",
        "How do I read and write files?",
        "What are the advantages and disadvantages of Rust?",
        "How to install numpy and pandas?",
        "When AT&T financed the project, what technology did they use?",
        "Who went to Radcliffe and was trained there?",
        "What year was the man, who is credited for the crescograph, honoured?",
        "Find Syrian hamsters for sale",
        "O que é a UFMS?",
        "Por que a Petrobras e seus parceiros optaram pelo desenvolvimento?",
        "What did Newcomen add to the engine between 1763 and 1775?",
        "When does the rock and roll band play?",
        "What do supply and demand decide?",
        "How do I find out who is on call and what I have to do?",
        "What should a driver who is ill and who cannot come do?",
        "What is the name of the man who built the pier and who later sold it?",
        "Which companies, of which three are listed, were founded in 1990?",
        "Which singer had a hit with a singer, who was born in 1954?",
        "Is there a pool and if so, when does it open?",
        "Where, other than at the bank, can notes be paid in?",
        "Which barn, known as the Red One, was the last home of the owls?",
        "What flag has 13 stars, and has a maker who was honoured?",
        "Who keeps the bees, and is the warden of the barn?",
        "Can I use the barn and the gate on the same day?",
        "Explain how the pump works and what it needs",
        "Quando o contrato termina, o que devo fazer?",
        "Quando chove, o que devo fazer com as cadeiras?",
    ],
)
def test_a_plain_request_is_one_part(text: str) -> None:
    assert parts(text) == [text]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("When and where was Ada Lovelace born?", ["When was Ada Lovelace born?", "Where was Ada Lovelace born?"]),
        (
            "Quando e onde nasceu Machado?",
            ["Quando nasceu Machado?", "Onde nasceu Machado?"],
        ),
        (
            "Quando abre a piscina e quanto custa o cartão?",
            ["Quando abre a piscina?", "Quanto custa o cartão?"],
        ),
        (
            "A que horas abre a loja e até quando fica aberta?",
            ["A que horas abre a loja?", "Até quando fica aberta?"],
        ),
        (
            "Onde fica a oficina e a que horas fecha?",
            ["Onde fica a oficina?", "A que horas fecha (a oficina)?"],
        ),
        (
            "Quanto custa a troca de pneu e quanto tempo demora?",
            ["Quanto custa a troca de pneu?", "Quanto tempo demora (a troca de pneu)?"],
        ),
        ("What is a list? What is a dict?", ["What is a list?", "What is a dict?"]),
        (
            "What is the pressure of the boiler and who made it?",
            ["What is the pressure of the boiler?", "Who made it (pressure)?"],
        ),
        (
            "How long are lost items kept, and who wrote the policy?",
            ["How long are lost items kept?", "Who wrote the policy?"],
        ),
        (
            "How many seats does the pool have and how deep is it?",
            ["How many seats does the pool have?", "How deep is it (pool)?"],
        ),
        (
            "What is the deposit and at what time does the office close?",
            ["What is the deposit?", "At what time does the office close?"],
        ),
        (
            "What does the permit cover and what happens in winter?",
            ["What does the permit cover?", "What happens in winter?"],
        ),
        ("Quem escreveu o livro e em que ano saiu?", ["Quem escreveu o livro?", "Em que ano saiu?"]),
        ("O que é o zip e como evitar truncar?", ["O que é o zip?", "Como evitar truncar?"]),
        ("1. What is a list?\n2. What is a dict?", ["What is a list?", "What is a dict?"]),
        (
            "When is the fire drill, who is the night watchman and how long does a refund take?",
            ["When is the fire drill?", "Who is the night watchman?", "How long does a refund take?"],
        ),
        ("What does the pass cost, when is the drill?", ["What does the pass cost?", "When is the drill?"]),
        (
            "Who is the treasurer, who is the warden, and when do they meet?",
            ["Who is the treasurer?", "Who is the warden?", "When do they meet (who is the warden)?"],
        ),
        (
            "Qual é a caução, quando é o simulacro e quem é o guarda?",
            ["Qual é a caução?", "Quando é o simulacro?", "Quem é o guarda?"],
        ),
        (
            "On keys: how long do they last, does the barn lock itself, are lost keys replaced, and is the loss noted?",
            [
                "On keys: How long do they last?",
                "On keys: Does the barn lock itself?",
                "On keys: Are lost keys replaced?",
                "On keys: Is the loss noted?",
            ],
        ),
        ("Can guests use the pool, and do the lockers cost?", ["Can guests use the pool?", "Do the lockers cost?"]),
        (
            "What is the pump, which is blue, and when was it serviced?",
            ["What is the pump, which is blue?", "When was it serviced (pump)?"],
        ),
    ],
)
def test_coordinated_questions(text: str, expected: list[str]) -> None:
    assert parts(text) == expected


def test_a_part_that_leans_on_another_waits_for_it_and_says_what_it_is_about() -> None:
    found = split("What does zip do with lists of different length and how do I avoid it?", Language.ENGLISH).questions
    assert [part.id for part in found] == ["q1", "q2"]
    assert found[1].text == "How do I avoid it (zip)?"
    assert found[1].depends_on == ("q1",)


@pytest.mark.parametrize(
    ("text", "second"),
    [
        ("Who founded Larkspur and what is its VAT number?", "What is its VAT number (Larkspur)?"),
        ("Who wrote Dune and when was he born?", "When was he born (who wrote Dune)?"),
        ("What is the winter tariff and which office sets it?", "Which office sets it (winter tariff)?"),
        ("Qual é a tarifa de inverno e qual repartição a define?", "Qual repartição a define (tarifa de inverno)?"),
        ("Qual é a tarifa de inverno e que repartição a define?", "Que repartição a define (tarifa de inverno)?"),
    ],
)
def test_a_thing_is_what_was_done_and_a_person_who_did_it(text: str, second: str) -> None:
    assert parts(text)[1] == second


@pytest.mark.parametrize(
    ("text", "things"),
    [
        ("What is the difference between a list and a tuple?", ("a list", "a tuple")),
        ("Qual a diferença entre lista e tupla?", ("lista", "tupla")),
        (
            "Give me a complete comparison of Flask and Django for our shop",
            ("Flask for our shop", "Django for our shop"),
        ),
        ("A comparison of Flask with Django", ("What is Flask?", "What is Django?")),
        ("Comparação completa entre Flask e Django", ("O que é Flask?", "O que é Django?")),
        ("Flask vs Django", ("Flask", "Django")),
        ("Analyze the trade-offs of Flask versus Django", ("What is Flask?", "What is Django?")),
        ("Evaluate Flask versus Django for our shop", ("What is Flask for our shop?", "What is Django for our shop?")),
        ("Analise as vantagens de Flask versus Django", ("O que é Flask?", "O que é Django?")),
        ("Should I use SQLite or Postgres for my app?", ("SQLite", "Postgres")),
        ("Who was born first, Ana Kasparian or Andre Agassi?", ("Ana Kasparian", "Andre Agassi")),
        ("Are Muzzle and Screaming Trees both alternative rock bands?", ("Muzzle", "Screaming Trees")),
        ("Devo usar Flask ou Django?", ("Flask", "Django")),
        (
            "Compare the travel policies of 2023 and 2025",
            ("What are the travel policies of 2023?", "What are the travel policies of 2025?"),
        ),
        ("Compare version 4.1.0 and 4.2.0", ("What is version 4.1.0?", "What is version 4.2.0?")),
        ("Compare the weather in Lisbon and Porto", ("the weather in Lisbon?", "the weather in Porto?")),
        ("Difference between staging and production retention", ("is staging retention?", "is production retention?")),
        ("difference between the hobby and team plan", ("What is the hobby plan?", "What is team plan?")),
        ("What is the difference between the Starter and the Team plan?", ("the Starter plan?", "the Team plan?")),
        ("Compare the Starter and Team plans", ("What are the Starter plans?", "What are the Team plans?")),
        ("How do the us-east and us-west regions differ?", ("the us-east regions?", "the us-west regions?")),
        ("Compare the price of the Starter plan and the Team plan", ("price of the Starter plan", "price of the Team")),
        ("What is the difference in price between Basic and Pro?", ("the price of Basic?", "the price of Pro?")),
        ("What is the difference between lists and tuples?", ("What are lists?", "What are tuples?")),
        ("Compare the climate of Norway and the economy of Sweden", ("the climate of Norway", "is the economy of Sw")),
        (
            "Compare as políticas de viagem de 2023 e 2025",
            ("O que são as políticas de viagem de 2023?", "O que são as políticas de viagem de 2025?"),
        ),
        ("Qual é a diferença entre o plano Starter e o Team?", ("o plano Starter?", "o plano Team?")),
    ],
)
def test_a_comparison_is_one_part_per_thing_and_the_verdict(text: str, things: tuple[str, str]) -> None:
    first, second, verdict = split(text, language_of(text)).questions
    assert things[0] in first.text
    assert things[1] in second.text
    assert verdict.depends_on == ("q1", "q2")
    assert not first.depends_on
    assert not second.depends_on


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("What is the GDP of the four largest provinces in China?", "What are the four largest provinces in China?"),
        ("What is the GDP of the fifteen largest cities?", "What are the fifteen largest cities?"),
        ("When was the son of Kingsley Amis born?", "Who is the son of Kingsley Amis?"),
        (
            "What political position did the person who introduced the DISCLOSE Act hold?",
            "Who is the person who introduced the DISCLOSE Act?",
        ),
    ],
)
def test_hidden_steps_come_first(text: str, first: str) -> None:
    found = split(text, Language.ENGLISH).questions
    assert found[0].text == first
    assert found[1].text == text
    assert found[1].depends_on == ("q1",)


def test_a_single_one_is_no_set_that_comes_first() -> None:
    text = "What is the capacity of the first one listed on the page?"
    assert [part.text for part in split(text, Language.ENGLISH).questions] == [text]


@pytest.mark.parametrize(
    "text",
    ["I lost the key of my locker. How much?", "The tags fade in the window. Why?", "Perdi a chave. Quanto custa?"],
)
def test_a_question_that_says_nothing_by_itself_is_asked_with_what_was_said_before(text: str) -> None:
    assert [part.text for part in split(text, language_of(text)).questions] == [text]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("The disk filled up. Will Redis start?", ["The disk filled up. Will Redis start?"]),
        ("O disco encheu. O Redis arranca?", ["O disco encheu. O Redis arranca?"]),
        ("I have a list of dicts. How do I sort it by key?", ["I have a list of dicts. How do I sort it by key?"]),
        ("I ran npx prettier; what did that do?", ["I ran npx prettier. What did that do?"]),
        (
            "Can't use a version manager; which installer is the one to take?",
            ["Can't use a version manager. Which installer is the one to take?"],
        ),
        (
            "We are a school. What does the licence cost? Who signs the contract?",
            ["We are a school. What does the licence cost?", "We are a school. Who signs the contract?"],
        ),
        (
            "I have a list of dicts. How do I sort it by key? And how do I reverse it?",
            ["I have a list of dicts. How do I sort it by key?", "how do I reverse it (dicts)?"],
        ),
        ("Which breeders sell hamsters? They must be live animals.", ["Which breeders sell hamsters?"]),
        ("Will Redis start? The disk filled up.", ["Will Redis start?"]),
        ("Hi there, I hope you can help me. Will Redis start?", ["Will Redis start?"]),
        (
            "I travel next week: what do I get a day, and who approves the flight?",
            ["I travel next week: What do I get a day?", "I travel next week: Who approves the flight?"],
        ),
        ("I travel next week: what do I get a day?", ["I travel next week: what do I get a day?"]),
    ],
)
def test_a_question_is_asked_with_the_scene_that_was_set_before_it(text: str, asked: list[str]) -> None:
    assert parts(text) == asked


def test_a_long_story_is_no_scene() -> None:
    story = "The disk filled up over night while nobody looked. " * 7
    assert parts(f"{story}Will Redis start?") == ["Will Redis start?"]


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("Hello! Who wrote Dune?", "Who wrote Dune?"),
        ("Please tell me: who wrote Dune?", "who wrote Dune?"),
        ("I would like to know the following. Who wrote Dune?", "Who wrote Dune?"),
        ("I would like to know the following. who played the boy in dune", "who played the boy in dune"),
        ("who wrote dune Thank you.", "who wrote dune"),
        ("hi! could you tell me, please, who wrote dune? thanks a lot", "who wrote dune?"),
        ("Quick question: who wrote Dune?", "who wrote Dune?"),
        ("Gostaria de saber o seguinte: quem escreveu Duna? Obrigado!", "quem escreveu Duna?"),
        ("Podia dizer-me quem escreveu Duna, se faz favor?", "quem escreveu Duna?"),
        ("Você sabe me dizer quem escreveu Duna?", "quem escreveu Duna?"),
        ("Alguém me sabe dizer quem escreveu Duna?", "quem escreveu Duna?"),
        ("Sabes quem escreveu Duna?", "quem escreveu Duna?"),
        ("Boa noite, gostava de saber quem escreveu Duna.", "quem escreveu Duna."),
        ("Diga-me, por favor, quem escreveu Duna", "quem escreveu Duna"),
        ("who sings Thank You", "who sings Thank You"),
        ("what is the meaning of please", "what is the meaning of please"),
    ],
)
def test_courtesy_is_not_asked(text: str, asked: str) -> None:
    language = Language.PORTUGUESE if "quem" in text else Language.ENGLISH
    assert [part.text for part in split(text, language).questions] == [asked]


def test_structure_that_is_only_suspected_is_said_and_not_split() -> None:
    found = split("Would the Albany in Georgia reach a hundred thousand occupants before New York?", Language.ENGLISH)
    assert len(found.questions) == 1
    assert found.suspected
    assert not split("How do I make json.dumps sort keys?", Language.ENGLISH).suspected


def test_never_more_than_the_most() -> None:
    assert len(parts(" ".join(f"What is thing number {n}?" for n in range(20)))) == MOST


def test_a_long_run_of_empty_questions_is_read_once() -> None:
    started = time.process_time()
    assert len(parts(("what is a and " * 1_500)[:20_000])) == 1
    assert time.process_time() - started < 3.0


@given(st.text(max_size=300), st.sampled_from(list(Language)))
def test_any_text_gives_parts_that_only_wait_for_earlier_ones(text: str, language: Language) -> None:
    found = split(text, language).questions
    assert 1 <= len(found) <= MOST
    assert [part.id for part in found] == [f"q{n}" for n in range(1, len(found) + 1)]
    for place, part in enumerate(found):
        assert all(int(other[1:]) <= place for other in part.depends_on)


@pytest.mark.parametrize(
    "text",
    [
        "The trainer of Flower Alley was killed at what airport?",
        "Which contest honours a novelist that won a prize in 1954?",
        "Ann Gile runs an airline with its head office in Oslo; how old is it?",
        "Em que cidade fica a faculdade onde ela se formou?",
        "Qual é a idade do chefe da empresa com sua sede em Lisboa?",
    ],
)
def test_a_question_that_describes_what_it_asks_about_may_take_several_pages(text: str) -> None:
    assert takes_steps(text, language_of(text))


@pytest.mark.parametrize(
    "text",
    [
        "Who wrote Fennel?",
        "How do I make json.dumps sort keys?",
        "When was the bridge opened?",
        "Quantas vezes uma tarefa é repetida?",
    ],
)
def test_a_plain_question_is_answered_by_one_page(text: str) -> None:
    assert not takes_steps(text, language_of(text))


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("How do I install it on Windows? What does the licence cost?", True),
        ("Como se instala? Quanto custa a licença?", True),
        ("What does the licence cost?", False),
        ("How do I install the client and what does the licence cost?", False),
        ("What does the licence cost? How long does it last?", False),
        ("We are a school. What does the licence cost? Who signs the contract?", False),
        ("Which of the two bridges is older, the Anker bridge or the Bell bridge?", False),
    ],
)
def test_questions_stand_apart_only_where_they_are_all_that_is_said(text: str, apart: bool) -> None:
    """Else a model words them better: one that leans on another is worded anew, and a scene belongs to all."""
    assert asked_apart(text, [part.text for part in split(text, language_of(text)).questions]) is apart


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        (
            "Is the barn locked by default? If not, rewrite that command for me.",
            ["Is the barn locked by default?", "If not, rewrite that command for me."],
        ),
        ("O portão é de carvalho? Se não, de que madeira é?", ["O portão é de carvalho?", "Se não, de que madeira é?"]),
        ("Is the barn locked? If not, I come at noon.", ["Is the barn locked?"]),
    ],
)
def test_what_is_asked_on_the_answer_to_a_question_is_a_part(text: str, parts: list[str]) -> None:
    assert [question.text for question in split(text, language_of(text)).questions] == parts
