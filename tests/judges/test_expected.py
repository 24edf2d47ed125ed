"""What kind of answer a question wants, and which sentences cannot be one by their form."""

import pytest

from calibrant.judges.free.evidence.answer_kind import Expects, expected
from calibrant.judges.free.evidence.holding import holds, holds_role
from calibrant.judges.free.evidence.question_form import is_polar, wants_steps
from calibrant.judges.free.words.text import tokens


def fits(question: str, sentence: str) -> bool:
    """Whether the sentence could answer by its form."""
    return holds(expected(question), sentence, frozenset(token.word for token in tokens(question)))


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who wrote Fennel?", "Fennel: Run fennel dump to write all queues to a file."),
        ("Who wrote Fennel?", "Fennel > Backups: Run fennel dump to write all queues to a file."),
        ("Who wrote Fennel?", "Field: Incident; Value: 14"),
        ("Who wrote Fennel?", "Column: status; Type: text; Null: no"),
        ("Who wrote Fennel?", "2.4 Notice must be given in writing."),
        ("Who wrote Fennel?", "10:18 – Service is back."),
        ("When was Fennel moved?", "Fennel was moved by the caretaker for the second time."),
        ("How quickly is a page acknowledged?", "09:44 – Marek acknowledges the page."),
        ("How much does a visit cost?", "The lighthouse was first lit in 1897 and is 31 metres high."),
        ("What is the price of a ticket?", "The ferry carries 90 cars."),
        ("Quanto custa a visita ao farol?", "O farol foi aceso pela primeira vez em 1897."),
        ("At what time are backups made?", "Backups are kept for 35 days."),
        ("Which version of Fennel is on the server?", "The server costs 9,400 euros since 30 April."),
        ("Which version of Fennel is on the server?", "Since 2019 there is one."),
        ("How often is it cleaned?", "Mrs. Lund cleans it."),
        ("How often do keys change?", "The keys lie in the module of each site."),
        ("How often is it updated?", "It was first updated at 06:10, which is 40 minutes after the alert."),
        ("How soon must they be told?", "They asked for 2 more machines."),
        ("How deep is the pool?", "The pool covers 50 square metres."),
        ("When is a failed job retried?", "A failed job is retried five times by default."),
        ("When do the doors close?", "The doors are closed by the caretaker."),
        ("Quando abre o farol?", "O farol tem 31 metros de altura."),
        ("Quando abriu o farol?", "O farol abre ao nascer do sol."),
        ("Com que frequência é limpo o farol?", "O farol é limpo pela Lucília."),
        ("Porque fecha o farol?", "O farol fecha em novembro."),
        ("Que erro é lançado?", "O erro é lançado quando a pasta não existe."),
        ("Qual é o nome do gestor?", "O gestor trata dos pagamentos."),
    ],
)
def test_a_sentence_without_the_kind_of_thing_asked_for_is_no_answer(question: str, sentence: str) -> None:
    assert not fits(question, sentence)


@pytest.mark.parametrize(
    ("question", "sentence"),
    [
        ("Who wrote Fennel?", "Fennel: It was written by Ines Corvin."),
        ("Who wrote Fennel?", "Ines Corvin: She wrote Fennel with Bo Dahl."),
        ("Who wrote Fennel?", "Field: Author; Value: Ines Corvin"),
        ("Who wrote Fennel?", "Table: fennel; Author: Corvin"),
        ("How much does a visit cost?", "Entry costs 7 euros."),
        ("How much does a visit cost?", "A visit can be booked without further cost."),
        ("How much does a visit cost?", "For members it is free."),
        ("Quanto custa um monitor?", "Pode pedir um monitor, sem custos."),
        ("How quickly is a page acknowledged?", "A page is acknowledged within 5 minutes."),
        ("How quickly are breaches reported?", "They are reported without undue delay."),
        ("When was Fennel moved?", "10:11 – Fennel is moved."),
        ("When was the rent due?", "It was due on the last working day of each month."),
        ("A partir de que dia é preciso um atestado?", "É preciso a partir do quarto dia."),
        ("At what times is it open?", "It is open from 8:30."),
        ("On which days is it open?", "It is open on Mondays."),
        ("How much does a visit cost?", "Visitors pay $7 at the gate."),
        ("Quanto custa a visita ao farol?", "A visita custa 5 reais."),
        ("How many lives did the storm cost?", "About 1,200 people died."),
        ("Which firm runs the canteen?", "The canteen is run by IBM."),
        ("Which provider hosts it?", "It is hosted by GitHub."),
        ("At what time does it open?", "It opens at 8:30 in summer."),
        ("From what time may I camp?", "Tents may be put up from noon."),
        ("Which version of Fennel is on the server?", "The server has Fennel 4 since 30 April."),
        ("Which version do I need?", "Use the latest one."),
        ("How often is it cleaned?", "It is cleaned every week."),
        ("How often is it tried again?", "It is tried again 3 times."),
        ("How often is the feed polled?", "feed: docs; polled: 300"),
        ("How often is the feed polled?", "The poll_interval is 300 seconds."),
        ("How long must it boil?", "Let it boil for one minute."),
        ("How much may it cost?", "Viewers are free of charge."),
        ("On which day is the course?", "The course: 4 December, 109 places."),
        ("On which day does it open again?", "It is closed until Friday."),
        ("How soon must they be told?", "They are told within two hours."),
        ("How deep is the pool?", "The pool is 2 metres deep."),
        ("When is a failed job retried?", "A job that failed is retried after 30 seconds."),
        ("When do the doors close?", "The doors close at sunset or when the last visitor has left."),
        ("When can I take leave?", "Leave can be taken once the trial period is over."),
        ("Quando abre o farol?", "O farol abre aos domingos."),
        ("Até que dia se paga a renda?", "A renda paga-se até ao dia 8 de cada mês."),
        ("Com que frequência é limpo o farol?", "O farol é limpo de 15 em 15 dias."),
        ("Com que frequência é limpo o farol?", "O farol é limpo trimestralmente."),
        ("De quanto em quanto tempo é limpo o farol?", "O farol é limpo semanalmente."),
        ("Quantas vezes por ano é limpo o farol?", "O farol é limpo uma vez por ano."),
        ("Quantos sócios tem o clube?", "O clube tem dezassete sócios."),
        ("Quanto custa a visita?", "Visita-se o farol gratuitamente."),
        ("A que horas abre o farol?", "O farol abre às 9 horas."),
        ("Que erro é lançado?", "O erro `PastaEmFalta` é lançado quando a pasta não existe."),
        ("Porque fecha o farol?", "O farol fecha dado que o telhado está em obras."),
        ("Porque fecha o farol?", "O farol fecha porque o telhado está em obras."),
        ("Porque fecha o farol?", "O farol fecha para poupar energia."),
        ("Porque fecha o farol?", "O farol fecha por falta de pessoal."),
    ],
)
def test_a_sentence_with_it_may_be_one(question: str, sentence: str) -> None:
    assert fits(question, sentence)


def test_a_price_is_a_number() -> None:
    assert expected("How much does a visit cost?") is Expects.NUMBER
    assert expected("Quanto custa a visita?") is Expects.NUMBER


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("What error does it raise?", Expects.ERROR),
        ("What domain error is raised?", Expects.ERROR),
        ("Which disk error does it give?", Expects.ERROR),
        ("What does error 42 mean?", Expects.ANY),
    ],
)
def test_what_an_error_means_is_no_error(question: str, kind: Expects) -> None:
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How heavy may a parcel be?", Expects.NUMBER),
        ("Which firm runs the canteen?", Expects.BODY),
        ("Which cleaning company comes on Fridays?", Expects.BODY),
        ("What does the company do?", Expects.ANY),
        ("Which bank holiday is free?", Expects.ANY),
        ("What is the name of the night nurse?", Expects.PERSON),
        ("What is the name of the option?", Expects.ANY),
        ("At what time does it open?", Expects.TIME),
        ("What time zone is it in?", Expects.ANY),
        ("Which version added it?", Expects.VERSION),
        ("Who wrote it?", Expects.PERSON),
        ("Quem escreveu?", Expects.PERSON),
        ("When was it built?", Expects.DATE),
        ("Em que ano foi fundada? Em qual ano?", Expects.DATE),
        ("What exit code does a UsageError give?", Expects.NUMBER),
        ("Which code stands for an open lid?", Expects.ANY),
        ("How many files are there?", Expects.NUMBER),
        ("Quantos arquivos existem?", Expects.NUMBER),
        ("What is the default cutoff?", Expects.VALUE),
        ("Which exception is raised?", Expects.ERROR),
        ("Why does it fail?", Expects.REASON),
        ("Why: How many workers does the cluster run?", Expects.REASON),
        ("Since when: Who leads the office in Porto?", Expects.DATE),
        ("Desde quando: Quem dirige o escritório?", Expects.DATE),
        ("Where: What is the name of the manager?", Expects.PLACE),
        ("By whom: Which release was shipped?", Expects.PERSON),
        ("What is a heap?", Expects.ANY),
        ("Com que frequência é limpo?", Expects.NUMBER),
        ("Por quanto tempo: Quem dirige o escritório?", Expects.NUMBER),
        ("Quão alta é a torre?", Expects.NUMBER),
        ("Que percentagem é paga?", Expects.NUMBER),
        ("Quando abriram as inscrições?", Expects.DATE),
        ("Quando é que foi assinado?", Expects.DATE),
        ("Desde quando está em vigor?", Expects.DATE),
        ("Quando abre o farol?", Expects.WHEN),
        ("Qual é o valor por defeito do limite?", Expects.VALUE),
        ("Qual é o valor predefinido?", Expects.VALUE),
        ("Qual é o nome da gerente?", Expects.PERSON),
        ("Qual é o nome da opção?", Expects.ANY),
    ],
)
def test_expected_answer(question: str, kind: Expects) -> None:
    assert expected(question) is kind


@pytest.mark.parametrize(
    ("question", "polar"),
    [
        ("Is it open on Sundays?", True),
        ("When is it open?", False),
        ("A loja abre aos domingos?", True),
        ("Os sócios pagam entrada?", True),
        ("Preciso de pagar entrada?", True),
        ("Há desconto?", True),
        ("Há quanto tempo abriu?", False),
        ("O que abre aos domingos?", False),
        ("Os sócios pagam quanto?", False),
        ("Cães podem entrar?", True),
        ("Sócios com cartão pagam entrada?", True),
        ("Cães podem entrar onde?", False),
        ("Preço da entrada?", False),
        ("Preço da entrada", False),
        ("A note on Sundays?", False),
    ],
)
def test_a_yes_or_a_no_is_wanted(question: str, polar: bool) -> None:
    assert is_polar(question) is polar


@pytest.mark.parametrize(
    ("question", "steps"),
    [
        ("How do I renew the card?", True),
        ("How is the card renewed?", True),
        ("How is the old card different?", False),
        ("Como renovo o cartão?", True),
        ("Como me inscrevo?", True),
        ("Como é que faço para renovar?", True),
        ("O que devo fazer se perder o cartão?", True),
        ("Como funciona o cartão?", False),
        ("Como sócio, pago entrada?", False),
    ],
)
def test_how_to_do_a_thing_takes_steps(question: str, steps: bool) -> None:
    assert wants_steps(question) is steps


@pytest.mark.parametrize(
    ("sentence", "said"),
    [
        ("The request is approved by the manager.", True),
        ("O pedido é aprovado pela coordenadora.", True),
        ("A contratada fornece os produtos.", True),
        ("A limpeza foi contratada em maio.", False),
        ("Os inquilinos pagam a água.", True),
        ("O pedido é aprovado em maio.", False),
    ],
)
def test_a_role_says_who(sentence: str, said: bool) -> None:
    assert holds_role(sentence, frozenset()) is said


@pytest.mark.parametrize(
    ("question", "sentence", "counted"),
    [
        ("How many queues does each worker handle?", "Each worker handles one queue.", True),
        ("How many libraries does the town have?", "The town has one public library.", True),
        ("How many boxes fit?", "One box fits on the shelf.", True),
        ("How many disks does the server have?", "The server has a single disk.", True),
        ("Quantas filas trata cada trabalhador?", "Cada trabalhador trata apenas uma fila.", True),
        ("How many workers does each queue have?", "The workers of one queue start first.", False),
        ("How many queues does each worker handle?", "A queue is the one that a worker handles.", False),
        ("Which queues does a worker handle?", "A worker handles one queue.", True),  # not asked for a number
        ("How often are queues emptied?", "A worker empties one queue.", False),
        ("Quantas filas há?", "O trabalhador está numa fila.", False),
    ],
)
def test_one_of_what_is_counted_is_a_number(question: str, sentence: str, counted: bool) -> None:
    assert fits(question, sentence) is counted


def test_a_number_in_a_name_is_no_number() -> None:
    assert not holds(Expects.NUMBER, "The sqlite3 module connects.", frozenset())
    assert holds(Expects.NUMBER, "It listens on 8080.", frozenset())
    assert not holds(Expects.DATE, "In 1987 it was new.", frozenset({"1987"}))


def test_a_why_with_its_answer_is_a_reason() -> None:
    assert holds(Expects.REASON, "**Why is it slow?** It copies every file.", frozenset({"why", "slow"}))
    assert not holds(Expects.REASON, "Nobody knows why it is slow.", frozenset({"why", "slow"}))


@pytest.mark.parametrize(
    ("question", "text", "tells"),
    [
        ("What time does the gate open on Mondays?", "The gate is closed on Monday.", True),
        ("What time does the gate open on Mondays?", "The gate is closed on Sundays.", False),
        ("What time does the gate open?", "The gate is closed on Mondays.", False),
        ("A que horas abre o portão ao domingo?", "Aos domingos está encerrado.", True),
        ("A que horas abre o portão à segunda-feira?", "À segunda-feira não abre.", True),
    ],
)
def test_what_is_closed_on_the_day_asked_about_has_no_time_to_tell(question: str, text: str, tells: bool) -> None:
    assert fits(question, text) is tells


@pytest.mark.parametrize(
    ("text", "tells"),
    [
        ("The gate opens at nine o'clock.", True),
        ("The gate opens at nine.", True),
        ("The gate opens at 9 on Sundays.", True),
        ("The gate is at nine metres.", False),
        ("It is sold at 9 sites.", False),
    ],
)
def test_an_hour_may_be_told_by_its_number_alone(text: str, tells: bool) -> None:
    assert holds(Expects.TIME, text, frozenset()) is tells


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("when's the handover", Expects.WHEN),
        ("And when’s the next one?", Expects.WHEN),
        ("Where's the form?", Expects.PLACE),
    ],
)
def test_a_question_word_may_be_short_for_two(question: str, kind: Expects) -> None:
    assert expected(question) is kind
