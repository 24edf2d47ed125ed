"""What an answer has in the place of something that nothing found mentions."""

import pytest

from calibrant.judges.free.answering.stand_ins import stand_ins
from calibrant.state.evidence import Evidence

GIVE_WAY = [
    ("Who is the owner of the payment service?", "The owner of the billing service is Maria Brennan.", "payment"),
    ("What is the maximum upload size for videos?", "The maximum upload size is 20 MB for images.", "videos"),
    ("How long are snapshots kept?", "Backups are kept for 30 days.", "snapshots"),
    ("How often must editors change their key?", "Administrators must change their key every 90 days.", "editors"),
    ("Who is the administrator of the copier?", "The administrator of the printer is Jonas Weil.", "copier"),
    ("How long is paternity leave?", "Maternity leave is 26 weeks.", "paternity"),
    ("How many characters must a username have?", "A password must have at least 12 characters.", "username"),
    ("At what time does the pool open?", "The gym opens at 06:30 on weekdays.", "pool"),
    ("Quem é o dono do serviço de pagamentos?", "A dona do serviço de faturas é a Maria.", "pagamentos"),
    ("Por quanto tempo são guardados os registos?", "As cópias são guardadas por 30 dias.", ""),
]
"""The last is an order of words that tells nothing."""
STAY = [
    ("Who is responsible for the billing service?", "The owner of the billing service is Maria Brennan."),
    ("What do university students pay?", "Students pay 28 euros."),
    ("How big may a photo be for guests?", "The maximum upload size is 20 MB for pictures."),
    ("What is the maximum pressure of the boiler?", "The largest pressure of the boiler is 6 bar."),
    ("Do I get my money back?", "You can choose another day or get the full price back."),
    ("How long does the warranty hold?", "It holds for 30 days."),
    ("How long do the logs stay?", "They are kept; backups, too, stay for 30 days."),
    ("What is the penalty for returning a book too late?", "A late book costs 20 cents a day."),
    ("How long is the retention of backups?", "Backups are kept for 30 days."),
]


def found(text: str) -> list[Evidence]:
    return [Evidence(id="a", text=text, title="Notes", source="notes", url="")]


@pytest.mark.parametrize(("question", "answer", "name"), GIVE_WAY)
def test_another_thing_in_its_place(question: str, answer: str, name: str) -> None:
    assert stand_ins(question, answer, found(answer)) == ((name,) if name else ())


@pytest.mark.parametrize(("question", "answer"), STAY)
def test_what_may_be_the_same_in_other_words(question: str, answer: str) -> None:
    assert stand_ins(question, answer, found(answer)) == ()


def test_what_another_passage_mentions_is_not_missing() -> None:
    question, answer = "How long are snapshots kept?", "Backups are kept for 30 days."
    assert stand_ins(question, answer, found(answer))
    assert not stand_ins(question, answer, [*found(answer), *found("Snapshots are made at night.")])
    assert not stand_ins(question, "", found(answer))
