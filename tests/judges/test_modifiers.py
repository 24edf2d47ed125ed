"""The first train and the last, the single ticket and the return: which of two things of a kind is spoken of."""

import pytest

from calibrant.judges.free.answering.modifiers import is_of_the_other
from calibrant.judges.free.words.text import language_of

OTHER = [
    ("What is the minimum pressure of the boiler?", "The maximum pressure of the boiler is 6 bar."),
    ("When does the last ferry leave Port Ellis?", "The first ferry leaves Port Ellis at 06:15."),
    ("How high is the shortest chimney?", "The tallest chimney is 92 metres high."),
    ("How much does the most expensive room cost?", "The cheapest room costs 80 euros."),
    ("How much does the least expensive room cost?", "The most expensive room costs 300 euros."),
    ("Who was the last driver of the line?", "The first driver of the line was Amos Kettle."),
    ("What is the maximum number of coaches?", "The minimum number of coaches is two."),
    ("How much does a return ticket cost?", "An adult single ticket costs 7.50 euros."),
    ("When does the summer timetable begin?", "The winter timetable begins on 14 December."),
    ("What does a steady red light mean?", "Light: Blue, steady; Meaning: Docked"),
    ("How much does a junior membership cost?", "A full membership costs 180 pounds a year."),
    ("Who was the third keeper of the light?", "The second keeper of the light was Amos Kettle."),
    ("How long is the temporary permit valid?", "The permanent permit is valid for ten years."),
    ("When does the big pool open?", "The small pool on the other side opens at 8:00."),
    ("What is the allowance for a half day?", "Allowance: 28 euros; How often: per full day"),
    ("How many days do part-time staff get?", "Full-time staff have 27 days of leave a year."),
    ("How many days does a part time worker get?", "A full time worker gets 27 days."),
    ("What is the weekend rate?", "The weekday rate is 10 euros."),
    ("How long may unpaid leave last?", "Paid leave is 20 days."),
    ("What does express delivery cost?", "Standard delivery costs 4 euros."),
    ("How long does it take to fail back to Frankfurt?", "Failing over takes about twelve minutes."),
    ("How do I log out?", "Log in with your key card."),
    ("When is check-out?", "Check-in is from 15:00."),
    ("How many workers does the production cluster run?", "The staging cluster runs three workers."),
    ("How many workers does the test cluster run?", "The staging cluster runs three workers."),
    ("What does the business plan cost?", "The Team plan costs 12 euros a month."),
    ("How often is a successful job retried?", "A failed job is retried five times by default."),
    ("What do non-members pay?", "Members pay 10 euros."),
    ("What do members pay?", "Non-members pay 15 euros."),
    ("Quanto pagam os não sócios?", "Os sócios pagam 5 euros."),
    ("Quantos dias tem quem trabalha a tempo parcial?", "Quem trabalha a tempo inteiro tem 22 dias."),
    ("Quanto custa o bilhete de adulto?", "O bilhete de criança custa 4 euros no outro dia."),
    ("Qual é o número mínimo de passageiros no convés superior?", "O número máximo no convés superior é 60."),
    ("Quanto custa o ingresso mais caro?", "O ingresso mais barato custa 18 reais."),
    ("Quantos litros tem o menor tanque?", "O maior tanque tem 1,2 milhão de litros."),
    ("Quantos servidores tem o ambiente de produção?", "O ambiente de testes tem três servidores."),
]  # fmt: skip
SAME = [
    ("What is the minimum age of a driver?", "Drivers must be at least 23 years old, and the maximum load is 2 tons."),
    ("What is the minimum age?", "You must be at least 16; the maximum age is 65."),
    ("What is the largest grant?", "The highest grant is 6,000 euros."),
    ("When does the last train leave?", "The first train leaves at 05:40, the last at 23:10."),
    ("What are the first and the last stop?", "The first stop is Lund."),
    ("How long does the first battery hold?", "The battery lasts ten hours."),
    ("How much does the cheapest room cost?", "The least expensive room costs 80 euros."),
    ("When does the kitchen close?", "The kitchen closes an hour before the last train."),
    ("How many workers does the prod cluster run?", "The production cluster runs eight workers."),
    ("How many workers does the production cluster run?", "The test report says that the cluster runs eight."),
    ("How often is a failed upload retried?", "An unsuccessful upload is retried twice."),
    ("Is the pro version free?", "The pro version costs nothing."),
    ("Who may leave first?", "The guests of the last row leave through the gate."),
    ("What is the minimum stay before public holidays?", "The minimum stay after public holidays is one night."),
    ("How much does a full membership cost?", "An annual membership costs 180 pounds."),
    ("What does a flashing yellow light mean?", "Light: Yellow, flashing; Meaning: Pre-alarm"),
    ("Qual é o número máximo de visitantes por dia?", "O aquário recebe no máximo 420 visitantes por dia."),
    ("How much does a large boat cost?", "Small boats cost 10 euros a night, all others 20 euros a night."),
    ("How much does a large boat cost?", "Small boats cost 10 euros a night, every other boat 20 euros."),
    ("How much does a full membership cost?", "A trial membership is free for a month; after that it costs 20 euros."),
    ("What is the allowance for a day?", "Allowance: 28 euros; How often: per full day"),
    ("When does the big pool open?", "The small pool opens at 8:00, the other one at 9:00."),
    ("How many days do part-time staff get?", "Full-time staff get 27 days, part-time staff in proportion."),
    ("When is check-out?", "Check-in is from 15:00 and check-out until 11:00."),
    ("How do I log out?", "Log off at the end of the day."),
    ("When did they move in?", "They moved the piano in May, and moved on."),
    ("Is parental leave paid?", "Parental leave is unpaid."),
    ("What do non-members pay?", "Members pay 10 euros, non-members 15."),
    ("Quanto pagam os sócios?", "Os sócios não pagam nada."),
    ("Quanto paga um barco grande?", "Um barco pequeno paga 10 euros por noite, os demais 20 euros."),
    ("Quanto custa o bilhete de adulto?", "O bilhete de criança custa 4 euros, os outros custam 8 euros."),
    ("Qual é o número mínimo de pessoas num grupo?", "Os grupos precisam de ter pelo menos oito pessoas."),
]


@pytest.mark.parametrize(("question", "text"), OTHER)
def test_what_is_told_of_the_opposite_one(question: str, text: str) -> None:
    assert is_of_the_other(question, text, language_of(question))
    assert not is_of_the_other(text, text, language_of(text))


@pytest.mark.parametrize(("question", "text"), SAME)
def test_what_may_be_told_of_the_one_asked_for(question: str, text: str) -> None:
    assert not is_of_the_other(question, text, language_of(question))
