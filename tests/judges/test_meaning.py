"""What a thing is: which questions ask for that, and which sentences tell it."""

from dataclasses import replace

import pytest

from calibrant.judges.free.answering.meaning import tells_meaning, thing_asked_for
from calibrant.judges.free.evidence.query import prepare
from calibrant.judges.free.evidence.relevance import Relevance, ScoredPassage
from calibrant.state.evidence import Evidence, Locator


def scored(question: str, text: str, heading: str = "") -> ScoredPassage:
    item = Evidence(
        id="p1", text=text, title="", source="knowledge", url="file:///p1", locator=Locator(heading=heading)
    )
    return Relevance().score(question, [item])[0]


@pytest.mark.parametrize(
    ("question", "thing"),
    [
        ("O que é a triagem?", "triagem"),
        ("O que é que é um monitor?", "monitor"),
        ("O que são dispositivos de entrada e saída?", "dispositivos de entrada e saída"),
        ("O que significa MVC?", "MVC"),
        ("O que quer dizer CREA", "CREA"),
        ("What is a reader?", "reader"),
        ("what is an exchange token", "exchange token"),
        ("What does SLA mean?", "SLA"),
        ("What is meant by the grace period?", "grace period"),
        ("O que é necessário para pedir férias?", ""),
        ("O que é armazenado na unidade de controle?", ""),
        ("O que é permitido?", ""),
        ("O que é a pesquisa no Brasil?", ""),
        ("O que o professor informa?", ""),
        ("What is the deadline?", ""),
        ("What is an example of a reader?", ""),
        ("What is a reader for?", ""),
        ("What is required?", ""),
    ],
)
def test_a_meaning_is_told_from_an_attribute(question: str, thing: str) -> None:
    assert thing_asked_for(question) == thing


@pytest.mark.parametrize(
    ("question", "text", "told"),
    [
        ("O que é computador?", "Computador é uma máquina que trata informações.", True),
        ("O que é computador?", "Um programa de computador contém milhões de instruções.", False),
        ("O que é o MEC?", "O Ministério da Educação (MEC) regula os cursos.", True),
        ("O que é o MEC?", "O MEC (Ministério da Educação) regula os cursos.", True),
        ("O que é o MEC?", "O edital do MEC saiu em junho.", False),
        ("O que são CPDs?", "Tudo acontecia nas salas, os chamados CPDs.", True),
        ("O que é linguagem de máquina?", "O conjunto de instruções é conhecido como a linguagem de máquina.", True),
        ("O que é a unidade lógica e aritmética?", "A unidade lógica e aritmética (ULA) executa operações.", True),
        ("O que é a triagem?", "Triagem: leitura atenta de uma obra.", True),
        ("O que é a triagem?", "A triagem ocorre em maio.", False),
        ("What is a ferry?", "Name the ferry(s) that it waits for.", False),
        ("What is a ferry?", "A ferry (a boat for cars) leaves at nine.", True),
        ("O que é o cache?", "O cache guarda as respostas por cinco minutos.", True),
        ("O que é o cache?", "O cache foi limpo na terça.", False),
        ("What is a reader?", "A reader is a person with a card.", True),
        ("What is a reader?", "Readers are people with a card.", True),
        ("What is a reader?", "The desk lends a reader two books.", False),
        ("What is a reader?", "People with a card, also called readers, may borrow.", True),
        ("What is a grace period?", "The grace period, the time after the due date, costs nothing.", True),
        ("What does SLA mean?", "The SLA was missed twice.", False),
        ("What does SLA mean?", "A service level agreement (SLA) binds both.", True),
        ("What is the deadline?", "Applications close in May.", True),
    ],
)
def test_a_sentence_says_what_a_thing_is_or_only_speaks_of_it(question: str, text: str, told: bool) -> None:
    assert tells_meaning(prepare(question), scored(question, text), 0) is told


def test_what_stands_first_under_the_name_of_a_thing_tells_what_it_is() -> None:
    question, text = "What is a runbook?", "Steps for whoever is on call. Each has an owner."
    under = scored(question, text, "Operations > Runbook")
    assert [tells_meaning(prepare(question), under, place) for place in (0, 1)] == [True, False]
    assert not tells_meaning(prepare(question), scored(question, text, "The owner of a runbook"), 0)
    lock = scored("What is a Lock?", 'class Lock:\n    """Only one thread may hold it."""\n', "threading.Lock")
    assert tells_meaning(prepare("What is a Lock?"), lock, len(lock.sentences) - 1)


def test_a_sentence_goes_on_about_what_the_one_before_it_names() -> None:
    question, text = "O que é a triagem?", "A triagem vem depois. Trata-se de uma leitura atenta. É a mais longa."
    found = scored(question, text)
    assert [tells_meaning(prepare(question), found, place) for place in range(3)] == [False, True, False]


def test_an_encoder_has_read_both() -> None:
    question, text = "What is a reader?", "The desk lends a reader two books."
    assert tells_meaning(prepare(question), replace(scored(question, text), encoded=True), 0)
