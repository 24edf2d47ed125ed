"""Follow-ups resolved against the earlier turns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.followup import dangling, resolve
from calibrant.judges.free.request.understand import understand
from calibrant.judges.given import ToUnderstand, Turn
from calibrant.state.context import Context
from calibrant.state.task import EN, PT, Language

RETRIED = "How often is a failed job retried?"
KEPT = "How long are deleted files kept on the Team plan?"
OPENS = "A que horas abre o escritório de Lisboa?"
LEADS = "Who leads the office in Porto?"


@pytest.mark.parametrize(
    ("before", "answer", "text", "expected"),
    [
        ("What does json.dumps do with sets?", "", "does it raise?", "Does json.dumps raise?"),
        ("How do I sort lists in place?", "", "what about tuples?", "How do I sort tuples in place?"),
        ("How do I say hello politely?", "", "and in Portuguese?", "How do I say hello politely in Portuguese?"),
        ("Como o zip funciona com listas?", "", "e com tuplas?", "Como o zip funciona com tuplas?"),
        (
            "Who wrote Emma?",
            "Jane Austen wrote it [1].",
            "when was she born?",
            "When was Jane Austen born?",
        ),
        ("Who is the CEO of Apple?", "Tim Cook.", "and Microsoft?", "Who is the CEO of Microsoft?"),
        ("What is a GIL?", "", "why?", "Why: What is a GIL?"),
        ("Which version does staging run?", "", "and dev?", "Which version does dev run?"),
        ("How long is data kept in staging?", "", "And production?", "How long is data kept in production?"),
        ("Which log level is used in production?", "", "staging?", "Which log level is used in staging?"),
        ("What does the hobby plan cost?", "", "and team", "What does the team plan cost?"),
        ("Availability for business?", "", "and enterprise?", "Availability for enterprise?"),
        ("Does it run on linux or windows?", "", "and mac?", "Does it run on linux or windows, as for mac?"),
        (RETRIED, "", "And if the primary is on holiday, who is paged?", "If the primary is on holiday, who is paged?"),
        (RETRIED, "", "And when it is closed, whom do I call?", "When it is closed, whom do I call?"),
        ("Quando abre?", "", "E se perder o cartão, quanto pago?", "Se perder o cartão, quanto pago?"),
        (RETRIED, "", "Why?", "Why is a failed job retried so often?"),
        (RETRIED, "", "Why is that?", "Why is a failed job retried so often?"),
        (RETRIED, "", "And why?", "Why is a failed job retried so often?"),
        (RETRIED, "", "When?", "When is a failed job retried?"),
        (RETRIED, "", "By whom?", "By whom is a failed job retried?"),
        (RETRIED, "", "Why not?", "Why not: How often is a failed job retried?"),
        ("Is the rink open on Sundays?", "", "Since when?", "Since when is the rink open on Sundays?"),
        ("Quando o arquivo é apagado?", "", "Por quê?", "Por que o arquivo é apagado?"),
        ("O que faz json.dumps?", "", "ele levanta exceção?", "json.dumps levanta exceção?"),
        ("How do I open a file in Python?", "", "and in Rust?", "How do I open a file in Rust?"),
        ("What is the capital of France?", "Paris", "how many people live there?", "How many people live in Paris?"),
        ("What are decorators?", "", "and what is functools.wraps?", "What is functools.wraps?"),
        ("What does staging run?", "", "And backups, how long are they kept?", "How long are backups kept?"),
        ("What does staging run?", "", "Backups, who makes them?", "Who makes backups?"),
        ("What does staging run?", "", "And besides, what are they?", "Besides, what are staging?"),
        ("O que faz o zip?", "", "E backups, quando eles são feitos?", "Quando backups são feitos?"),
        (KEPT, "", "And the Business plan?", "How long are deleted files kept on the Business plan?"),
        (KEPT, "", "And on the Business plan?", "How long are deleted files kept on the Business plan?"),
        (KEPT, "", "And on the Business one?", "How long are deleted files kept on the Business plan?"),
        (KEPT, "", "What about Starter?", "How long are deleted files kept on the Starter plan?"),
        (KEPT, "", "And what does it cost?", "What does the Team plan cost?"),
        (KEPT, "", "Can it be changed?", "Can the Team plan be changed?"),
        ("What is the price of the Starter plan?", "$9", "And the Team plan?", "What is the price of the Team plan?"),
        ("What does the basic plan cost?", "$9", "And the premium plan?", "What does the premium plan cost?"),
        ("How much does the Team plan cost?", "", "How many devices has it?", "How many devices has the Team plan?"),
        ("Who wrote the Great Gatsby?", "", "And Emma?", "Who wrote Emma?"),
        ("Who manages us-west?", "Kim Tran [1]", "And us-east?", "Who manages us-east?"),
        ("Who manages us-west?", "Kim Tran [1]", "When was it opened?", "When was us-west opened?"),
        (
            "Who manages us-west?",
            "Kim Tran",
            "Where does she live?",
            "Where does Kim Tran live?",
        ),
        ("How long are deleted files kept?", "", "How are they restored?", "How are deleted files restored?"),
        (
            "Which version added dark mode?",
            "",
            "When did it appear?",
            "When did the version that added dark mode appear?",
        ),
        ("Which extras are there?", "", "How much are they?", "How much are they (extras)?"),
        ("Which room is largest?", "Room: Aula; Seats: 200 [1]", "Where is it?", "Where is Aula?"),
        (
            "Which bike is cheapest?",
            "Price; Swift 3: €2,190; Terra 5: €2,890 [1]",
            "How heavy is it?",
            "How heavy is the bike that is cheapest?",
        ),
        (
            "Which bike goes furthest?",
            "Range (km); Swift 3: 70; Terra 5: 110 [1]",
            "Where is it?",
            "Where is it (bike goes furthest)?",
        ),
        (
            "Who designed the Terra 5?",
            "The Terra 5 was designed by Ingrid Solheim. [1]",
            "What else did she design?",
            "What else did Ingrid Solheim design?",
        ),
        (
            "Who is the treasurer?",
            "Present: Ana Reis (chair), Tom Okafor (treasurer), Ben Carver. [1]",
            "When was he elected?",
            "When was Tom Okafor elected?",
        ),
        ("Who is the owner?", "Owner: Ana Reis; Flat: Third [1]", "Is she in?", "Is Ana Reis in?"),
        ("What is the weight of the Cargo X?", "", "And the Terra 5?", "What is the weight of the Terra 5?"),
        ("What is the weight of the Cargo X?", "", "Is it sold in red?", "Is the Cargo X sold in red?"),
        ("Who needs Vitamin D?", "", "Is it safe?", "Is Vitamin D safe?"),
        ("How do I restore a file?", "", "How long does it take?", "How long does it take: How do I restore a file?"),
        (
            "Can nodes be upgraded one at a time?",
            "",
            "How do I do that?",
            "How do I do that: Can nodes be upgraded one at a time?",
        ),
        (
            "Who founded the company?",
            "Velocino GmbH was founded in 2012 by Clara Weiss in Freiburg. [1]",
            "When did she leave?",
            "When did Clara Weiss leave?",
        ),
        ("Is the pool open at a time in June?", "", "How deep is it?", "How deep is the pool?"),
        (
            "Como se muda o plano?",
            "",
            "Quem pode fazer isso?",
            "Quem pode fazer isso: Como se muda o plano?",
        ),
        ("How much does the free plan cost?", "", "Is it (still) free?", "Is the free plan (still) free?"),
        ("What happens in April 2024?", "", "and in 2025?", "What happens in 2025?"),
        ("What changed in version 4.1.0?", "", "and in 4.2.0?", "What changed in version 4.2.0?"),
        ("Quanto custa o plano Starter?", "", "E o Team?", "Quanto custa o plano Team?"),
        ("Quanto custa o plano Starter?", "", "E o plano Team?", "Quanto custa o plano Team?"),
        ("Quanto custa o plano mensal?", "", "E o plano anual?", "Quanto custa o plano anual?"),
        ("Qual é o preço do plano Starter?", "", "E o plano Team?", "Qual é o preço do plano Team?"),
        ("Qual é o preço do plano Starter?", "", "Ele tem suporte?", "O plano Starter tem suporte?"),
        ("Quanto custa o plano Starter?", "", "E o suporte?", "Quanto custa o plano Starter, e o suporte?"),
        (OPENS, "", "E o do Porto?", "A que horas abre o escritório do Porto?"),
        (OPENS, "", "E aos domingos?", "A que horas abre o escritório de Lisboa aos domingos?"),
        (LEADS, "", "Since when?", "Since when: Who leads the office in Porto?"),
        (LEADS, "", "And by whom?", "By whom: Who leads the office in Porto?"),
        ("Quem dirige o escritório?", "", "Desde quando?", "Desde quando: Quem dirige o escritório?"),
        (OPENS, "", "E quando fecha?", "Quando fecha o escritório de Lisboa?"),
    ],
)
def test_a_follow_up_gets_what_it_leaves_out(before: str, answer: str, text: str, expected: str) -> None:
    task = understand(ToUnderstand(text, (Turn(before, answer),))).value
    assert task.text == expected
    assert task.original == text


DEPOSIT = "What is the deposit in Germany?"
CAUTION = "Qual é a caução na Alemanha?"
MONDAYS = "Is the museum open on Mondays?"


@pytest.mark.parametrize(
    ("before", "said", "expected"),
    [
        (DEPOSIT, "No, I meant in France", "What is the deposit in France?"),
        (DEPOSIT, "no I meant France", "What is the deposit in France?"),
        (DEPOSIT, "Sorry, I meant France", "What is the deposit in France?"),
        (DEPOSIT, "Actually, in France", "What is the deposit in France?"),
        (DEPOSIT, "in France, please", "What is the deposit in France?"),
        (DEPOSIT, "I was asking about France, sorry.", "What is the deposit in France?"),
        (DEPOSIT, "France instead", "What is the deposit in France?"),
        (DEPOSIT, "France, not Germany", "What is the deposit in France?"),
        (DEPOSIT, "not Germany, France", "What is the deposit in France?"),
        (DEPOSIT, "What about France instead of Germany?", "What is the deposit in France?"),
        (DEPOSIT, "No, the fee", "What is the fee in Germany?"),
        (DEPOSIT, "Sorry, what is the fee in France?", "What is the fee in France?"),
        (DEPOSIT, "What I meant was the fee in France", "What is the fee in France?"),
        (DEPOSIT, "Actually, is it refunded?", "Is the deposit refunded?"),
        (DEPOSIT, "Not counting insurance, what is the price?", "Not counting insurance, what is the price?"),
        (DEPOSIT, "Sorry, I don't understand", f"I don't understand: {DEPOSIT}"),
        (MONDAYS, "wait, no, I meant the library", "Is the library open on Mondays?"),
        (MONDAYS, "oops, on Tuesdays", "Is the museum open on Tuesdays?"),
        ("How much leave do full-time staff get?", "sorry, part-time staff", "How much leave do part-time staff get?"),
        (CAUTION, "Não, quis dizer na França", "Qual é a caução na França?"),
        (CAUTION, "Desculpe, na França", "Qual é a caução na França?"),
        (CAUTION, "Na verdade, na França", "Qual é a caução na França?"),
        (CAUTION, "na França, por favor", "Qual é a caução na França?"),
        (CAUTION, "Não na Alemanha, na França", "Qual é a caução na França?"),
        (CAUTION, "na França, não na Alemanha", "Qual é a caução na França?"),
        (CAUTION, "na França em vez disso", "Qual é a caução na França?"),
        ("Quando abre o museu?", "Desculpa, a biblioteca", "Quando abre a biblioteca?"),
    ],
)
def test_what_was_meant_takes_the_place_of_what_was_said(before: str, said: str, expected: str) -> None:
    assert understand(ToUnderstand(said, (Turn(before),))).value.text == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        (("ok thx. When is the meeting?", "where?"), "Where is the meeting?"),
        (("By the way, who is the chair?", "And the treasurer?"), "Who is the treasurer?"),
        (("Who is the chair?", "Great, thanks. And the treasurer?"), "Who is the treasurer?"),
        (("Quem é o presidente?", "Certo, obrigado. E o tesoureiro?"), "Quem é o tesoureiro?"),
        ((DEPOSIT, "Are you sure?"), DEPOSIT),
        ((DEPOSIT, "ok, is that right?"), DEPOSIT),
        ((DEPOSIT, "No, that's wrong."), DEPOSIT),
        ((DEPOSIT, "Can you repeat that, please?", "And in Spain?"), "What is the deposit in Spain?"),
        ((CAUTION, "Tem certeza?"), CAUTION),
    ],
)
def test_what_is_said_around_a_question_is_no_part_of_it(turns: tuple[str, ...], expected: str) -> None:
    *before, last = turns
    assert understand(ToUnderstand(last, tuple(map(Turn, before)))).value.text == expected


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        ((DEPOSIT, "And in France?", "Compare the two"), f"{DEPOSIT} What is the deposit in France?"),
        (
            (DEPOSIT, "And in France?", "what's the difference?"),
            f"{DEPOSIT} What is the deposit in France? What's the difference?",
        ),
        (
            (DEPOSIT, "And in France?", "And how much is that in total?"),
            f"{DEPOSIT} What is the deposit in France? How much is that in total?",
        ),
        ((DEPOSIT, "And in France?", "Which one is lower?", "And in Spain?"), "What is the deposit in Spain?"),
        ((DEPOSIT, "And in France?", "And the fee?", "both"), "What is the fee in Germany? What is the fee in France?"),
        (
            (DEPOSIT, "No, I meant France", "And in Spain?", "Compare them"),
            "What is the deposit in France? What is the deposit in Spain?",
        ),
        (
            (CAUTION, "E na França?", "Qual é a diferença?"),
            f"{CAUTION} Qual é a caução na França? Qual é a diferença?",
        ),
        (
            (DEPOSIT, "And the deposit in Spain?", "Compare the two"),
            f"{DEPOSIT} What is the deposit in Spain?",
        ),
        ((DEPOSIT, "Compare the two"), "Compare the two"),
        ((DEPOSIT, "And in France?", "Who is the chair?", "Compare the two"), "Compare the two"),
    ],
)
def test_what_is_asked_of_several_is_asked_of_each(turns: tuple[str, ...], expected: str) -> None:
    *before, last = turns
    assert understand(ToUnderstand(last, tuple(map(Turn, before)))).value.text == expected


def test_each_bare_question_is_asked_of_the_same_one() -> None:
    history = (Turn(RETRIED, "Five times."), Turn("Why?"), Turn("When?"))
    assert understand(ToUnderstand("How?", history)).value.text == "How is a failed job retried?"


BAND_SAW = "How much does it cost to hire the band saw per day?"
SERRA = "Quanto custa alugar a serra de fita por dia?"
OWNED = ("Who owns Heather Bell?", "Mairi Sinclair has owned Heather Bell, a Loch Fyne skiff, since 1998. [1]")


@pytest.mark.parametrize(
    ("turns", "expected"),
    [
        # A thing takes the place of the one before, and is from then on what the talk is about.
        ((BAND_SAW, "And the steam box?"), "How much does it cost to hire the steam box per day?"),
        ((BAND_SAW, "And the steam box?", "Does it need a certificate?"), "Does the steam box need a certificate?"),
        (
            (BAND_SAW, "And the steam box?", "Does it need a certificate?", "Where is it?", "And when was it built?"),
            "When was the steam box built?",
        ),
        (("When is the museum open?", "And the library?", "Where is it?"), "Where is the library?"),
        (
            ("What are the opening hours of the museum?", "And the library?", "Is it open on Sundays?"),
            "Is the library open on Sundays?",
        ),
        (("How long is the slipway?", "And the hoist?", "Who uses it?", "How old is it?"), "How old is the hoist?"),
        (("What does a kayak cost?", "And a canoe?", "How many can it hold?"), "How many can a canoe hold?"),
        (("Can I bring my dog?", "And a cat?", "Does it need a lead?"), "Does a cat need a lead?"),
        (("Is the band saw safe?", "And the planer?", "Who may use it?"), "Who may use the planer?"),
        (("Who runs the library in Porto?", "And the museum?", "When does it close?"), "When does the museum close?"),
        # Where nothing can be exchanged, the thing is appended, and gives way to the next.
        (
            ("What is the rule for the boat in the shed?", "And the car?"),
            "What is the rule for the boat in the shed, as for the car?",
        ),
        (("What is the rule for the boat in the shed?", "And the car?", "Where is it?"), "Where is the car?"),
        (
            ("What is the rule for the boat in the shed?", "And the car?", "And the bike?"),
            "What is the rule for the boat in the shed, as for the bike?",
        ),
        (("Who keeps Heather Bell in the shed?", "And the hoist?", "Is it old?"), "Is the hoist old?"),
        (("Does the kayak need a permit?", "And the canoe?"), "Does the canoe need a permit?"),
        (
            ("How many hens may be kept on a plot?", "And a goat?"),
            "How many hens may be kept on a plot, as for a goat?",
        ),
        (("How many hens may the keeper have?", "And a goat?"), "How many hens may the keeper have, as for a goat?"),
        (("Is a kayak allowed on the slipway?", "And a canoe?"), "Is a canoe allowed on the slipway?"),
        (("A serra precisa de uma licença?", "E o forno?"), "O forno precisa de uma licença?"),
        (("Who owns Heather Bell?", "And the hoist?"), "Who owns the hoist?"),
        (("How old is the fibreglass boat?", "And the wooden one?"), "How old is the wooden boat?"),
        (("When is the museum open?", "What about the library, where is it?"), "Where is the library?"),
        (("Are dogs allowed in the yard?", "And cats?", "Do they need a lead?"), "Do cats need a lead?"),
        # A day, a year, a condition or a property is nothing that the talk could turn to.
        (("When is the museum open?", "And on Sundays?", "Where is it?"), "Where is the museum?"),
        (("When is the museum open?", "And Sundays?", "Where is it?"), "Where is the museum?"),
        (("When is the museum open?", "And the weekend?", "Where is it?"), "Where is the museum?"),
        (("When is the museum open?", "And the price?", "Where is it?"), "Where is the museum?"),
        (("Is the museum open on Sundays?", "Where is it?"), "Where is the museum?"),
        (("Was the museum open in 2018?", "And in 2019?", "Where is it?"), "Where is the museum?"),
        (("What does the pool cost?", "And for children?", "And on Sundays?", "Where is it?"), "Where is the pool?"),
        (("What happened on 2 March?", "And on 9 April?"), "What happened on 9 April?"),
        (("What happens on 1 March?", "And May 5?"), "What happens on May 5?"),
        (("What happens on March 1?", "And May 5?"), "What happens on May 5?"),
        (("What happens on March 1, 2025?", "And on 5 May?"), "What happens on 5 May?"),
        (("What happens on March 1st?", "And on the 5th of May?"), "What happens on the 5th of May?"),
        (("What may 5 members do?", "And 6 members?"), "What may 6 members do?"),
        (("O que acontece em 1º de março?", "E em 5 de maio?"), "O que acontece em 5 de maio?"),
        (("O que aconteceu em 2 de março?", "E em 9 de abril?"), "O que aconteceu em 9 de abril?"),
        (("What is the fee for members?", "And for others?", "When is it due?"), "When is the fee due?"),
        (
            ("When is the museum open?", "And the library?", "And on Sundays?", "And for children?", "Where is it?"),
            "Where is the library?",
        ),
        (("When was the hoist inspected?", "Why?", "Who repaired it?"), "Who repaired the hoist?"),
        (("What does a van cost in Germany?", "And in Spain?", "What about France?", "Is it big?"), "Is a van big?"),
        (("Who leads the office in Porto?", "And Faro?", "Where is it?"), "Where is the office?"),
        (("How many people live in Porto?", "And Faro?", "Where is it?"), "Where is Faro?"),
        (("Quanto custa a sala em Faro?", "E na Guarda?", "E o Porto?", "Onde fica?"), "Onde fica a sala?"),
        (("Quando abre o museu?", "E à segunda-feira?"), "Quando abre o museu à segunda-feira?"),
        (("Quando abre o museu?", "E à segunda-feira?", "Onde fica?"), "Onde fica o museu?"),
        # A property is asked of what the talk is about.
        (("What is the weight of the van?", "And the price?"), "What is the price of the van?"),
        (("What is the weight of the van?", "And its price?"), "What is the price of the van?"),
        (("What is the weight of the van?", "And its opening hours?"), "What are the opening hours of the van?"),
        (("How heavy is the van?", "And the price?"), "What is the price of the van?"),
        (("How heavy is the van?", "And the price of the bus?"), "What is the price of the bus?"),
        (("Quanto pesa o carro?", "E o preço?"), "Qual é o preço do carro?"),
        (("Quanto pesa o carro?", "E o preço dele?"), "Qual é o preço do carro?"),
        (
            ("What does the van cost per day?", "How much is that for children?"),
            "What does the van cost per day for children?",
        ),
        # What was appended gives way to what is appended next; a verb takes the place of a verb.
        (
            ("Who keeps the boat in the shed?", "And nearby?", "And elsewhere?"),
            "Who keeps the boat in the shed, as for elsewhere?",
        ),
        (("When does the office open?", "And close?"), "When does the office close?"),
        (("When does the office open?", "And close?", "On saturdays?"), "When does the office close on saturdays?"),
        (("A que horas abre o museu?", "e fecha?"), "A que horas fecha o museu?"),
        # A measure with its unit, and what is asked per unit.
        (("Is leave paid?", "How many days?"), "How many days: Is leave paid?"),
        (("When was the bridge closed?", "Why was that?"), "Why was the bridge closed?"),
        (("Who built the bridge?", "When was that?"), "When was that: Who built the bridge?"),
        (("Quando a ponte foi fechada?", "Onde foi isso?"), "Onde a ponte foi fechada?"),
        (("When is the meeting?", "At what time?"), "At what time: When is the meeting?"),
        (("What does the van cost per day?", "per week?"), "What does the van cost per week?"),
        (("Qual é a taxa do salão?", "quanto custa por mês?"), "Quanto custa por mês a taxa?"),
        (("How long is the warranty?", "Does that include the battery?"), "Does the warranty include the battery?"),
        (("What was decided about fees?", "Who proposed it?"), "Who proposed it (decided)?"),
        # What was left returns by its name.
        (
            ("What does a kayak cost?", "And a canoe?", "Is it insured?", "And the kayak?", "How old is it?"),
            "How old is the kayak?",
        ),
        ((BAND_SAW, "And the steam box?", "Is the band saw safe?", "Who may use it?"), "Who may use the band saw?"),
        # "Her" may be whose something is, or just the boat.
        (("How old is Heather Bell?", "And Curlew?", "Who owns her?"), "Who owns Curlew?"),
        (("How old is Heather Bell?", "And Curlew?", "Who owns her now?"), "Who owns Curlew now?"),
        (("How old is Heather Bell?", "And Curlew?", "Who owns her?", "How old is she?"), "How old is Curlew?"),
        (("How old is Heather Bell?", "And Curlew?", "How long is her mast?"), "How long is Curlew's mast?"),
        (("What is Curlew's length?", "Who owns her?"), "Who owns Curlew?"),
        ((OWNED, "Where does she live?"), "Where does Mairi Sinclair live?"),
        ((("How old is Heather Bell?", OWNED[1]), "Who built her?"), "Who built Heather Bell?"),
        ((("Where is the washer?", "At Easter Quay. [1]"), "Is it insured?"), "Is the washer insured?"),
        # And in Portuguese.
        ((SERRA, "E a caixa de vapor?"), "Quanto custa alugar a caixa de vapor por dia?"),
        ((SERRA, "E a caixa de vapor?", "Ela é segura?", "Onde ela fica?"), "Onde a caixa de vapor fica?"),
        (
            (SERRA, "E a caixa de vapor?", "Quando foi a última revisão dela?"),
            "Quando foi a última revisão da caixa de vapor?",
        ),
        (("Quando abre o museu?", "E a biblioteca?", "Onde fica?"), "Onde fica a biblioteca?"),
        (("Qual é o horário do museu?", "E a biblioteca?"), "Qual é o horário da biblioteca?"),
        (("Qual é o preço do museu?", "E a torre?"), "Qual é o preço da torre?"),
        (("Posso levar o meu cachorro?", "E um gato?", "Ele precisa de coleira?"), "Um gato precisa de coleira?"),
        (("Quando abre o museu?", "E aos domingos?", "E para crianças?", "Onde fica?"), "Onde fica o museu?"),
        (("O museu abre aos domingos?", "E para crianças?"), "O museu abre aos domingos para crianças?"),
        (("Quando abre o museu?", "E em 2019?", "Onde ele fica?"), "Onde o museu fica?"),
        (("Quando abre o museu?", "E a biblioteca?", "Onde fica?", "E o museu?"), "Onde fica o museu?"),
        (("A serra precisa de óleo?", "Onde ela fica?"), "Onde a serra fica?"),
        (("Qual é o horário do museu?", "E quanto à torre?"), "Qual é o horário da torre?"),
        (("Qual é o horário do museu?", "e a que horas fecha a torre?"), "A que horas fecha a torre?"),
        (("Qual é a multa por ruído?", "e para quem reincide?"), "Qual é a multa por ruído, e para quem reincide?"),
        (("Quando abre o museu?", "A que horas?"), "A que horas abre o museu?"),
        (("Quando abre o museu?", "e quando é que fecha?"), "Quando é que fecha o museu?"),
        (("Quanto custa a revisão completa?", "quanto tempo demora?"), "Quanto tempo demora a revisão completa?"),
        (("Onde se paga a multa?", "É obrigatória?"), "É obrigatória a multa?"),
        (("Posso renovar a reserva?", "Quantas vezes?"), "Quantas vezes posso renovar a reserva?"),
        (("Os pais podem assistir às aulas?", "Quando?"), "Quando os pais podem assistir às aulas?"),
        (("Quem ensina violino?", "E em que sala?"), "Em que sala: Quem ensina violino?"),
        (("Quem é o tesoureiro?", "A partir de que dia?"), "A partir de que dia: Quem é o tesoureiro?"),
        (("Os sócios têm desconto?", "De quanto?"), "De quanto: Os sócios têm desconto?"),
        (("Quando abre o museu?", "E os sócios têm desconto?"), "Os sócios têm desconto?"),
        (("Qual é a multa por ruído?", "Quem a cobra?"), "Quem cobra a multa?"),
        (("Quando são as férias?", "Até quando tenho de as marcar?"), "Até quando tenho de marcar as férias?"),
        (("Onde é a festa de Natal?", "A que horas?", "É paga?"), "É paga a festa de Natal?"),
        (("Quanto custa a torre?", "E as obras, a que horas são permitidas?"), "A que horas são permitidas as obras?"),
        (("Quem é o tesoureiro?", "Por quanto tempo?"), "Por quanto tempo: Quem é o tesoureiro?"),
        (("Quem é o tesoureiro?", "Por quantos anos?"), "Por quantos anos: Quem é o tesoureiro?"),
        (("Quem é o dono do barco Curlew?", "E do Heron?", "Qual é a idade dele?"), "Qual é a idade do barco Heron?"),
    ],
)
def test_a_conversation_is_understood_from_what_was_understood_before(
    turns: tuple[str | tuple[str, str], ...], expected: str
) -> None:
    *before, last = (Turn(turn) if isinstance(turn, str) else Turn(*turn) for turn in turns)
    assert understand(ToUnderstand(last.question, tuple(before))).value.text == expected


@pytest.mark.parametrize(
    ("before", "text", "said"),
    [
        (BAND_SAW, "And the steam box?", "The question carries on from the one before; it is about the steam box."),
        (SERRA, "E a caixa de vapor?", "A pergunta continua a anterior; é sobre a caixa de vapor."),
        ("How many came in 2018?", "And in 2019?", "The question carries on from the one before."),
    ],
)
def test_what_a_follow_up_is_about_is_told(before: str, text: str, said: str) -> None:
    assert understand(ToUnderstand(text, (Turn(before),))).value.assumptions == (said,)


def test_a_conversation_of_any_length_is_followed() -> None:
    history = (Turn(BAND_SAW), *[Turn("And on Sundays?"), Turn("Where is it?")] * 1_000)
    assert resolve("Is it safe?", history, EN).text == "Is the band saw safe?"


def test_a_chain_of_follow_ups_is_resolved_from_its_start() -> None:
    history = (Turn("How do I open a file in Python?"), Turn("and in Rust?"))
    assert resolve("and in Go?", history, EN).text == "How do I open a file in Go?"


def test_one_bare_question_word_takes_the_place_of_another() -> None:
    history = (Turn(LEADS), Turn("Since when?"))
    assert resolve("Until when?", history, EN).text == "Until when: Who leads the office in Porto?"
    assert resolve("What about Tallinn?", history, EN).text == "Since when: Who leads the office in Tallinn?"


@pytest.mark.parametrize("text", ["How do I read a CSV file?", "What is a tuple?", "Is it possible to sort a dict?"])
def test_a_question_that_stands_alone_is_left_as_it_is(text: str) -> None:
    assert resolve(text, (Turn("What does zip do?"),), EN).text == text


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("How do I avoid it?", "it"),
        ("help me with it", "it"),
        ("Does that work?", "that"),
        ("How many planets are there?", ""),
        ("What does zip do and how do I avoid it?", ""),
        ("Is it possible to sort a dict?", ""),
        ("What does it cost to park here?", ""),
        ("What does it cost?", "it"),
        ("Can it be changed?", "it"),
        ("Could it be that a lock is held?", ""),
        ("How long does it take?", "it"),
        ("Is it allowed to fish in the pond?", ""),
        ("How far is it to the pier?", ""),
        ("Where is it written that pets are allowed?", ""),
        ("How far is it from the barn?", "it"),
        ("What's the river that runs through Paris?", ""),
        ("In his diary, what did Washington write?", ""),
    ],
)
def test_dangling_pronouns(text: str, pronoun: str) -> None:
    assert dangling(text, EN) == pronoun


@pytest.mark.parametrize(
    ("text", "pronoun"),
    [
        ("Qual é a idade dele?", "dele"),
        ("Quando foi a última revisão dela?", "dela"),
        ("Quem é o dono da serra e onde fica a chave dela?", ""),
    ],
)
def test_what_is_possessed_does_not_say_by_whom(text: str, pronoun: str) -> None:
    assert dangling(text, PT) == pronoun


def test_an_appended_follow_up_is_more_doubtful_than_an_exchanged_one() -> None:
    exchanged = resolve("what about tuples?", (Turn("How do I sort lists in place?"),), EN)
    appended = resolve("and speed?", (Turn("How do I sort lists in place?"),), EN)
    assert appended.doubt > exchanged.doubt > 0.0
    assert "speed" in appended.text


ROOMS = "What is refunded for hotel rooms?"


@pytest.mark.parametrize(
    ("turns", "points"),
    [
        ((ROOMS, "Is that enough for a trip to Paris?"), True),
        ((ROOMS, "Would that cover Zurich?"), True),
        ((ROOMS, "Does this rule apply to part-time staff?"), True),
        ((ROOMS, "How much is that for three nights?"), True),
        ((ROOMS, "How much is that for three nights?", "And for five?"), True),
        ((ROOMS, "Is it taxed?"), True),
        ((ROOMS, "And how long is the deadline for that?"), True),
        ((ROOMS, "And for flights?", "Which of the two takes longer to be paid?"), True),
        ((ROOMS, "Is either of these taxed?"), True),
        ((ROOMS, "And the other one?"), True),
        ((ROOMS, "How many nights are paid there in full?"), True),
        ((ROOMS, "Who else signs the form?"), True),
        ((ROOMS, "Is there a limit for taxis?"), False),
        ((ROOMS, "Who signs, the manager or both the manager and the chair?"), False),
        ((ROOMS, "And in Zurich?"), False),
        ((ROOMS, "Is it taxed?", "What does the Team plan cost?"), False),
        ((ROOMS, "What's the river that runs through Paris?"), False),
        (("Is that enough for a trip to Paris?",), False),
        (("Quanto custa o plano Team?", "Esse valor inclui IVA?"), True),
        (("Quanto custa o plano Team?", "E o plano Business?"), False),
        (("Quanto custa o plano Team?", "E o Business?", "Qual dos dois inclui suporte?"), True),
        (("Quanto custa o plano Team?", "E o outro?"), True),
    ],
)
def test_what_points_back_is_doubtful_enough_for_a_model(turns: tuple[str, ...], points: bool) -> None:
    *before, asked = turns
    history = tuple(map(Turn, before))
    language = PT if "Quanto" in turns[0] else EN
    assert resolve(asked, history, language).points is points
    if points:
        assert understand(ToUnderstand(asked, history)).doubt > Context().doubt


ROLLING = "Can a cluster be upgraded one node at a time?"


@pytest.mark.parametrize(
    ("asked", "doubted"),
    [
        ("What do we do instead, step by step?", True),
        ("How long will we be down?", True),
        ("Can we roll back?", True),
        ("What is the default of storage.compression?", False),
        ("Who wrote Emma?", False),
    ],
)
def test_a_later_question_that_names_nothing_is_left_to_a_model(asked: str, doubted: bool) -> None:
    """It may stand alone, or it may not: no word tells. The first question of a thread does."""
    later, first = ToUnderstand(asked, (Turn(ROLLING),)), ToUnderstand(asked)
    assert (understand(later).doubt > Context().doubt) is doubted
    assert understand(first).doubt <= Context().doubt


@pytest.mark.parametrize("manner", ["then", "then, step by step", "then exactly", "then, please", "instead, briefly"])
def test_how_a_reply_is_wanted_says_nothing_of_what_it_is_about(manner: str) -> None:
    found = resolve(f"What do we do {manner}?", (Turn(ROLLING),), EN)
    assert ROLLING.rstrip("?") in found.text


@given(st.text(max_size=80), st.text(max_size=80), st.text(max_size=80), st.sampled_from([EN, PT]))
def test_any_conversation_resolves(text: str, question: str, answer: str, language: Language) -> None:
    found = resolve(text, (Turn(question, answer),), language)
    assert 0.0 <= found.doubt <= 1.0
