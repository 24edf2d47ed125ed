"""Conflicts among claims: kinds, severity, preferred side, and what is none."""

import re
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from calibrant.judges.free.comparing.alignment import align, word_vectors
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.suspicion import suspicions
from calibrant.judges.free.synthesis.conflicts import ConflictJudge
from calibrant.judges.given import ToReconcile
from calibrant.state.answer import Claim, Conflict, ConflictKind, Span
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.task import Question


def claim(identity: str, text: str, passage: str = "", confidence: float = 0.5) -> Claim:
    spans = (Span(evidence_id=passage, quote=text),) if passage else ()
    return Claim(id=identity, text=text, spans=spans, confidence=confidence)


def conflicts(*claims: Claim, evidence: tuple[Evidence, ...] = (), threshold: float = 0.5) -> tuple[Conflict, ...]:
    return ConflictJudge().free(ToReconcile(claims, evidence, threshold)).value


def test_the_example_of_the_specification() -> None:
    (found,) = conflicts(claim("1", "The function returns nil on error"), claim("2", "The function never returns nil"))
    assert found.kind is ConflictKind.CONTRADICTION
    assert (found.first.id, found.second.id, found.id) == ("1", "2", "1-2")
    assert found.explanation == 'One states what the other denies: "returns".'


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("Alpha listens on port 8080.", "Alpha listens on port 9090.", ConflictKind.CONTRADICTION),
        ("Logs are kept for fourteen days.", "Logs are kept for 30 days.", ConflictKind.CONTRADICTION),
        ("Alpha was released in 2019.", "Alpha was released in 2021.", ConflictKind.CONTRADICTION),
        ("Alpha is written in Rust.", "Alpha is written in Go.", ConflictKind.INCONSISTENCY),
        ("The timeout of Alpha is 30 s.", "The timeout of Alpha is 60 s for uploads.", ConflictKind.AMBIGUITY),
        ("A porta padrão do Alpha é 8080.", "A porta padrão do Alpha é 9090.", ConflictKind.CONTRADICTION),
    ],
)
def test_kinds(first: str, second: str, kind: ConflictKind) -> None:
    (found,) = conflicts(claim("c1", first), claim("c2", second), threshold=0.3)
    assert found.kind is kind


ARTIST = "The artist of the album VII is {}."


def in_answer(question: str, *texts: str, disputed: bool = True, titles: Sequence[str] = ()) -> tuple[Conflict, ...]:
    """The conflicts of a model's answer with these statements, each from a document of its own."""
    evidence = tuple(
        Evidence(id=f"e{at}", text=text, title=titles[at] if titles else "", source="docs", url=f"file:///{at}.md")
        for at, text in enumerate(texts)
    )
    claims = tuple(
        claim(f"c{at}", text, f"e{at}").replace(question_id="q1", disputed=disputed) for at, text in enumerate(texts)
    )
    return ConflictJudge().free(ToReconcile(claims, evidence, questions=(Question(id="q1", text=question),))).value


WHO = "Who is the artist of the album VII?"


def test_what_the_model_that_answered_says_is_disputed_is_a_conflict_though_words_do_not_show_it() -> None:
    texts = ARTIST.format("Blitzen Trapper"), "The album VII is by The Beatles."
    assert in_answer(WHO, *texts, disputed=False) == ()
    (found,) = in_answer(WHO, *texts)
    assert found.kind is ConflictKind.INCONSISTENCY
    assert found.severity == pytest.approx(0.75)
    assert (
        found.explanation == 'They answer differently: "artist of the album VII is Blitzen Trapper" against "Beatles".'
    )


def test_each_pair_of_the_statements_that_are_disputed_is_a_conflict_and_no_other() -> None:
    names = "Blitzen Trapper", "The Beatles", "Shalamar", "Cut Copy", "Best Coast", "Westlife"
    texts = [ARTIST.format(name) for name in names]
    found = in_answer(WHO, *texts)
    assert len(found) == len(names) * (len(names) - 1) // 2
    one, other, *_ = (claim(f"c{at}", text, f"e{at}").replace(question_id="q1") for at, text in enumerate(texts))
    assert conflicts(one.replace(disputed=True), other) == ()
    assert conflicts(one.replace(disputed=True), other.replace(disputed=True, question_id="q2")) == ()


@pytest.mark.parametrize(
    ("documents", "pairs"),
    [
        (("policy", "policy", "guide"), {("c0", "c2"), ("c1", "c2")}),
        (("policy", "policy", "policy"), {("c0", "c1"), ("c0", "c2"), ("c1", "c2")}),
        (("policy", "guide", "manual"), {("c0", "c1"), ("c0", "c2"), ("c1", "c2")}),
    ],
)
def test_a_dispute_is_within_one_document_only_where_no_other_one_is_in_it(
    documents: tuple[str, ...], pairs: set[tuple[str, str]]
) -> None:
    texts = [ARTIST.format(name) for name in ("Blitzen Trapper", "The Beatles", "Shalamar")]
    held = [
        Evidence(id=f"e{at}", text=text, title="", source="docs", url=f"file:///{documents[at]}.md")
        for at, text in enumerate(texts)
    ]
    claims = [claim(f"c{at}", text, f"e{at}").replace(question_id="q1", disputed=True) for at, text in enumerate(texts)]
    given = ToReconcile(tuple(claims), tuple(held), questions=(Question(id="q1", text=WHO),))
    assert {(one.first.id, one.second.id) for one in ConflictJudge().free(given).value} == pairs


def test_of_a_disputed_statement_only_what_speaks_of_the_same_is_in_the_dispute() -> None:
    texts = "The outage took 96 minutes.", "At 14:30 the slot was rebuilt.", "The outage took 70 minutes."
    held = [
        Evidence(id=f"e{at}", text=text, title="", source="docs", url=f"file:///{at // 2}.md")
        for at, text in enumerate(texts)
    ]
    claims = [claim(f"c{at}", text, f"e{at}").replace(question_id="q1", disputed=True) for at, text in enumerate(texts)]
    given = ToReconcile(tuple(claims), tuple(held), questions=(Question(id="q1", text="How long was the outage?"),))
    assert {(one.first.id, one.second.id) for one in ConflictJudge().free(given).value} == {("c0", "c2")}


def test_what_rules_name_in_a_dispute_is_told_as_they_name_it_and_as_grave_as_it_is() -> None:
    born = "The birth date of Maurice Roche is {}."
    texts = born.format("15 May 1885"), born.format("22 October 1900")
    (found,) = in_answer("What is the birth date of Maurice Roche?", *texts)
    assert (found.kind, found.severity) == (ConflictKind.CONTRADICTION, 0.75)
    assert found.explanation == 'They give different dates: "15 May 1885" against "22 October 1900".'


def test_a_dispute_of_namesakes_is_an_ambiguity() -> None:
    texts = "Ryan Davis plays football.", "Ryan Davis plays baseball."
    titles = "Ryan Davis (footballer)", "Ryan Davis (baseball)"
    (found,) = in_answer("What does Ryan Davis play?", *texts, titles=titles)
    assert (found.kind, found.severity) == (ConflictKind.AMBIGUITY, 0.6)


def test_two_statements_of_one_day_are_no_dispute_whatever_a_model_says() -> None:
    assert in_answer("When was Ann born?", "Ann was born on 15 May 1885.", "Ann was born on May 15, 1885.") == ()


def test_a_dispute_is_explained_in_the_language_of_the_question_and_briefly() -> None:
    texts = ARTIST.format("Blitzen Trapper"), ARTIST.format("The Beatles")
    (found,) = in_answer("Quem é o artista do álbum VII?", *texts)
    assert found.explanation == 'Dão valores diferentes para um só atributo: "Blitzen Trapper" contra "The Beatles".'
    (found,) = in_answer(WHO, texts[0], f"{'It was made by many people whom nobody knows. ' * 4}")
    assert found.explanation == "They answer differently."


@pytest.mark.parametrize(
    ("one", "other", "told"),
    [
        ("The lab measured 46 dB(A) for the H2 (200 l).", "Its maker states 38 dB(A).", '(200 l)" against'),
        ("The lab measured 46 dB(A) for the H2 (200 l).", "Its maker states 38 dB(A).", 'states 38 dB(A)".'),
        ("The lab paid $46 per month for it.", "Its maker asks for $38 a month.", '$46" against'),
        ("The lab measured 46 dB (for the H2).", "Its maker states 38 of those.", 'states 38".'),
    ],
)
def test_what_two_sides_tell_is_cut_neither_in_brackets_nor_before_a_unit(one: str, other: str, told: str) -> None:
    (found,) = in_answer("How loud is the H2?", one, other)
    assert told in found.explanation


def test_a_number_tells_two_answers_apart_where_no_word_does() -> None:
    texts = "The town has around 8,400 inhabitants.", "The town has 37,935 inhabitants, they say."
    (found,) = in_answer("How many people live in the town?", *texts)
    assert "8,400" in found.explanation
    assert "37,935" in found.explanation


PLANNED = "We migrate the settlements queue from RabbitMQ to Kafka."


@pytest.mark.parametrize(
    ("stated", "refused"),
    [
        (PLANNED, "The migration to Kafka is cancelled."),
        ("The library opens on Sundays from May on.", "The Sunday opening of the library was cancelled."),
        ("The board builds a new pool.", "The board cancelled the new pool."),
        ("A reunião de sexta-feira começa às nove.", "A reunião de sexta-feira foi cancelada."),
        ("A biblioteca abre aos domingos a partir de maio.", "A abertura da biblioteca aos domingos foi cancelada."),
        ("Os sócios constroem uma piscina nova.", "Os sócios cancelaram a piscina nova."),
    ],
)
def test_what_takes_a_thing_back_contradicts_what_states_it(stated: str, refused: str) -> None:
    (found,) = conflicts(claim("c1", stated), claim("c2", refused))
    assert found.kind is ConflictKind.CONTRADICTION
    assert found.explanation.startswith(("One takes back", "Uma revoga"))


@pytest.mark.parametrize(
    ("stated", "other"),
    [
        (PLANNED, "The migration to Kafka may be cancelled."),
        (PLANNED, "The migration to Kafka is not cancelled."),
        (PLANNED, "If it takes too long, the migration to Kafka is cancelled."),
        (PLANNED, "The migration of the database is cancelled."),
        ("Orders are refunded within 14 days.", "Cancelled orders are refunded within 14 days."),
        ("Orders ship within two days.", "Orders are cancelled after two days."),
        ("They proposed to migrate to Kafka.", "The migration to Kafka is cancelled."),
        ("Propuseram migrar para o Kafka.", "A migração para o Kafka está cancelada."),
        ("Os pedidos são reembolsados em 14 dias.", "Os pedidos cancelados são reembolsados em 14 dias."),
    ],
)
def test_what_only_may_be_taken_back_or_is_another_thing_contradicts_nothing(stated: str, other: str) -> None:
    assert not conflicts(claim("c1", stated), claim("c2", other))


@pytest.mark.parametrize(
    "other",
    [
        "If it is not set, ALPHA_PASSWORD is read from the file too.",
        "When ALPHA_PASSWORD is not set, it is read from the file.",
    ],
)
def test_a_condition_denies_nothing(other: str) -> None:
    assert not conflicts(claim("c1", "If ALPHA_PASSWORD is set too, it is read first."), claim("c2", other))
    assert conflicts(claim("c1", "ALPHA_PASSWORD is read first."), claim("c2", "ALPHA_PASSWORD is not read first."))


def test_a_title_that_opens_one_side_hides_no_disagreement() -> None:
    pages = tuple(
        Evidence(id=name, title=name, source="knowledge", url=name, text="")
        for name in ("The Harbour museum", "Visit the Harbour museum", "The Corbel museum")
    )
    told = claim("c1", "The Harbour museum: Admission is 12 euros.", "The Harbour museum")
    one, other = (claim("c2", "A ticket costs 15 euros.", page.id) for page in pages[1:])
    (found,) = conflicts(told, one, evidence=pages)
    assert (found.kind, found.explanation) == (
        ConflictKind.CONTRADICTION,
        'They give different numbers: "12 euros" against "15 euros".',
    )
    assert conflicts(told, other, evidence=pages) == ()


def test_numbers_stand_against_those_in_their_own_place() -> None:
    (found,) = conflicts(
        claim("c1", "Hotels are refunded up to 120 euros a night at home and up to 150 euros a night abroad."),
        claim("c2", "Hotels are refunded up to 140 euros a night at home and up to 170 euros a night abroad."),
    )
    assert found.explanation == 'They give different numbers: "120 euros" against "140 euros".'


def test_the_document_that_says_it_is_newer_is_followed_however_sure_the_other_one_is() -> None:
    pages = tuple(
        Evidence(id=name, title=f"Rules, edition {year}", source="knowledge", url=f"file:///{name}.md", text="")
        for name, year in (("old", 2022), ("new", 2024))
    )
    sure, newer = claim("c1", "Alpha has 30 workers.", "old", 0.9), claim("c2", "Alpha has 60 workers.", "new", 0.6)
    (found,) = conflicts(sure, newer, evidence=pages)
    assert found.preferred == "c2"


def test_the_side_that_says_what_changed_is_followed_however_old_its_document_is() -> None:
    pages = tuple(
        Evidence(id=name, title=f"Rules, edition {year}", source="knowledge", url=f"file:///{name}.md", text="")
        for name, year in (("old", 2022), ("new", 2024))
    )
    newer = claim("c1", "The Alpha rental fee is 40 euros.", "new", 0.9)
    changed = claim("c2", "The Alpha rental fee was raised from 40 to 55 euros.", "old")
    (found,) = conflicts(newer, changed, evidence=pages)
    assert found.preferred == "c2"


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A refund is paid if the order is cancelled within 30 days.",
         "A refund is paid if the order is cancelled within 14 days."),
        ("If the order is cancelled within 30 days, a refund is paid.",
         "If the order is cancelled within 14 days, a refund is paid."),
        ("The deposit is returned if the booking is cancelled at least 30 days before 1 October.",
         "The deposit is returned if the booking is cancelled at least 45 days before 1 October."),
        ("The office is open Tuesday to Friday from 9:00 to 17:00.",
         "The office is open Tuesday to Friday from 9:00 to 16:30, and on Saturdays from 10:00 to 13:00."),
        ("Tanks must be emptied before storage.", "Tanks must be filled to the brim before storage."),
        ("The monthly rent of the flat is 900 euros.", "The monthly rent of the flat is 1200 euros."),
        ("The limit of a tenant is 900 requests a minute.", "The limit of a tenant is 1200 requests a minute."),
        ("O salão tem 900 lugares.", "O salão tem 1200 lugares."),
        ("The size of the queue is 1024 MB.", "The size of the queue is 2048 MB."),
        ("O aluguel do salão custa 1500 reais.", "O aluguel do salão custa 1800 reais."),
        ("The rental fee for skates is 40 euros.", "The rental fee for skates was raised from 40 to 55 euros."),
        ("Os hotéis são reembolsados até 120 euros por noite no país e até 150 euros por noite no exterior.",
         "Os hotéis são reembolsados até 140 euros por noite no país e até 170 euros por noite no exterior."),
        ("A multa aplica-se ao sócio após 10 dias de atraso.", "A multa aplica-se ao sócio após 5 dias de atraso."),
        ("A secretaria abre de terça a sexta das 9h às 17h.",
         "A secretaria abre de terça a sexta das 9h às 16h30, e aos sábados das 10h às 13h."),
        ("As leituras são guardadas por 14 dias.", "As leituras são guardadas durante 30 dias."),
        ("A bomba fica perto do tanque novo.", "A bomba fica longe do tanque novo."),
        ("As luzes do pátio devem ficar acesas.", "As luzes do pátio devem ficar apagadas."),
        ("É permitido o uso do salão após as 22h.", "É vedado o uso do salão após as 22h."),
        ("A loja do museu está aberta aos domingos.", "A loja do museu encontra-se encerrada aos domingos."),
    ],
)  # fmt: skip
def test_one_rule_with_another_threshold_or_the_opposite(first: str, second: str) -> None:
    (found,) = conflicts(claim("c1", first), claim("c2", second))
    assert found.kind is ConflictKind.CONTRADICTION
    assert found.severity > 0.65


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("A refund is paid if the order is cancelled within 30 days.",
         "A refund is paid if the order of a company is cancelled within 14 days."),
        ("A refund is paid if the basic plan is cancelled within 30 days.",
         "A refund is paid if the premium plan is cancelled within 14 days."),
        ("A full refund is paid if the order is cancelled within 14 days.",
         "Half of the price is paid back if the order is cancelled within 30 days."),
        ("A fine of 10 euros is due if the book is 7 days late.",
         "A fine of 20 euros is due if the book is 14 days late."),
        ("The Fornax form is mandatory.", "The Fornax form is not optional."),
        ("Delivery of a crate takes 4 days.", "Delivery of a crate takes 3 to 5 days."),
        ("The pump starts if the tank is full.", "The pump starts if the tank is empty."),
        ("Tanks must be filled with water.", "Bins must be emptied with care."),
        ("The rental fee for skates was 40 euros.", "The rental fee for skates was raised from 40 to 55 euros."),
        ("The rental fee for skates was raised from 40 to 55 euros.",
         "The rental fee for skates rose from 40 to 55 euros."),
        ("A bomba liga se o tanque estiver cheio.", "A bomba liga se o tanque estiver vazio."),
        ("A taxa dos patins subiu de 40 para 55 euros.", "A taxa dos patins foi elevada de 40 para 55 euros."),
    ],
)  # fmt: skip
def test_another_case_is_no_conflict(first: str, second: str) -> None:
    assert conflicts(claim("c1", first), claim("c2", second)) == ()


@pytest.mark.parametrize(
    ("headings", "count"),
    [
        (("Pilot > berth", "Client > berth"), 0),  # two entries of one reference
        (("Settings > berth", "Settings > pilot_berth"), 0),
        (("Settings > berth", "Settings > berth"), 1),
        (("Opening the harbour", "Closing the harbour"), 1),
    ],
)
def test_two_entries_of_one_document_contradict_nothing(headings: tuple[str, str], count: int) -> None:
    evidence = tuple(
        Evidence(id=key, text=text, title="Harbour", source="k", url="file:///a", locator=Locator(heading=heading))
        for key, text, heading in zip("ab", ("berth: Default: 5", "berth: Default: 6"), headings, strict=True)
    )
    told = (claim(f"c{one.id}", one.text, one.id) for one in evidence)
    assert len(conflicts(*told, evidence=evidence, threshold=0.3)) == count


def test_two_bearers_of_one_name_are_an_ambiguity() -> None:
    pages = tuple(
        Evidence(id=name, title=f"Broken Bow, {name}", source="web", url=name, text="")
        for name in ("Nebraska", "Oklahoma")
    )
    told = [
        claim("c1", "Broken Bow has 3,559 people.", "Nebraska"),
        claim("c2", "Broken Bow has 4,120 people.", "Oklahoma"),
    ]
    (found,) = conflicts(*told, evidence=pages)
    assert found.kind is ConflictKind.AMBIGUITY


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (claim("c1", "Alpha has 30 workers.", "e1"), claim("c2", "Alpha has 60 workers.", "e1")),
        (claim("c1", "Alpha has 30 workers."), claim("c2", "Alpha has 30 workers")),
        (claim("c1", "Alpha has 30 workers."), claim("c2", "Alpha has 60 clients.")),
        (claim("c1", "Alpha is thread-safe."), claim("c2", "Alpha is not thread-safe when resized.")),
        (claim("c1", "Python 3.8 was released in 2019."), claim("c2", "Python 3.9 was released in 2020.")),
    ],
)
def test_what_is_no_conflict(first: Claim, second: Claim) -> None:
    assert conflicts(first, second) == ()


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The office may open on Sundays.", "The office may not open on Sundays."),
        ("Employees may book business class.", "Employees cannot book business class."),
        ("Employees may book business class.", "Employees are not allowed to book business class."),
        ("Employees are allowed to book business class.", "Employees may not book business class."),
        ("Dogs may be taken on the ferry.", "Dogs may not be taken on the ferry."),
        ("O museu pode abrir aos domingos.", "O museu não pode abrir aos domingos."),
        ("Os cães podem ser levados na balsa.", "Os cães não podem ser levados na balsa."),
        ("Os sócios têm permissão para reservar o salão.", "Os sócios não podem reservar o salão."),
        ("Pode-se reservar o salão do clube.", "Não se pode reservar o salão do clube."),
    ],
)
def test_leave_and_its_denial_contradict_each_other(first: str, second: str) -> None:
    (found,) = conflicts(claim("c1", first), claim("c2", second))
    assert found.kind is ConflictKind.CONTRADICTION
    assert found.severity > 0.9


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Aspirin may cause bleeding in cats.", "Aspirin may not cause bleeding in cats."),
        ("Aspirin causes bleeding in cats.", "Aspirin might not cause bleeding in cats."),
        ("The train stops at Ely.", "The train may not stop at Ely."),
        ("The parts may be damaged by heat.", "The parts may not be damaged by heat."),
        ("Employees may book business class.", "Employees may not book business class unless the director agrees."),
        ("O remédio pode causar sono.", "O remédio pode não causar sono."),
    ],
)
def test_what_is_only_possible_contradicts_nothing(first: str, second: str) -> None:
    assert conflicts(claim("c1", first), claim("c2", second)) == ()


def test_the_more_confident_claim_is_preferred_and_the_newer_one_in_a_tie() -> None:
    old, new = datetime(2019, 1, 1, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC)
    pages = tuple(
        Evidence(id=name, title="Alpha", source="web", url=name, text="", published=date)
        for name, date in (("old", old), ("new", new))
    )
    surer = conflicts(
        claim("c1", "Alpha has 30 workers.", "old", 0.9), claim("c2", "Alpha has 60 workers.", "new"), evidence=pages
    )
    newer = conflicts(
        claim("c1", "Alpha has 30 workers.", "old"), claim("c2", "Alpha has 60 workers.", "new"), evidence=pages
    )
    assert (surer[0].preferred, newer[0].preferred) == ("c1", "c2")


@pytest.mark.parametrize(
    ("first", "second", "preferred"),
    [
        (("old", 0.75), ("new", 0.5), "c1"),  # surer, though older
        (("old", 0.5), ("new", 0.75), "c2"),
        (("old", 0.51), ("new", 0.5), "c2"),  # a tie: the newer one
        (("new", 0.5), ("old", 0.51), "c1"),
        (("old", 0.75), ("new", 0.73125), "c2"),  # nearly as sure is a tie too
        (("old", 0.75), ("new", 0.71875), "c1"),
        (("undated", 0.5), ("new", 0.51), "c2"),  # without both dates the surer one, however little
        (("new", 0.5), ("undated", 0.51), "c2"),
        (("undated", 0.51), ("new", 0.5), "c1"),
        (("new", 0.5), ("as new", 0.51), "c2"),
        (("new", 0.5), ("as new", 0.5), "c1"),  # the first one where nothing tells them apart
        (("both", 0.51), ("as new", 0.5), "c1"),  # what an old and a new passage say is as new as the newer one
    ],
)
def test_which_side_is_followed(first: tuple[str, float], second: tuple[str, float], preferred: str) -> None:
    old, new = datetime(2019, 1, 1, tzinfo=UTC), datetime(2023, 1, 1, tzinfo=UTC)
    dates = {"old": old, "new": new, "as new": new, "undated": None}
    evidence = tuple(
        Evidence(id=name, title="Alpha", source="web", url=name, text="", published=date)
        for name, date in dates.items()
    )

    def told(identity: str, text: str, passage: str, confidence: float) -> Claim:
        names = ("old", "new") if passage == "both" else (passage,)
        spans = tuple(Span(evidence_id=name, quote=text) for name in names)
        return Claim(id=identity, text=text, spans=spans, confidence=confidence)

    (found,) = conflicts(
        told("c1", "Alpha listens on port 8080.", *first), told("c2", "Alpha listens on port 9090.", *second),
        evidence=evidence,
    )  # fmt: skip
    assert found.preferred == preferred


@pytest.mark.parametrize(("stated", "preferred"), [("Prepared by Ana, 2 May 2018.", "c2"), ("Prepared by Ana.", "c1")])
def test_of_two_files_the_newer_one_is_what_its_document_says(stated: str, preferred: str) -> None:
    """A document of 2018 that was copied here last is no newer for that."""
    files = (("old", stated, 2025), ("new", "", 2023))
    pages = tuple(
        Evidence(
            id=name, title="Alpha", source="knowledge", url=f"file:///{name}", text=text, collection="notes",
            published=datetime(year, 1, 1, tzinfo=UTC),
        )
        for name, text, year in files
    )  # fmt: skip
    (found,) = conflicts(
        claim("c1", "Alpha listens on port 8080.", "old"), claim("c2", "Alpha listens on port 9090.", "new"),
        evidence=pages,
    )  # fmt: skip
    assert found.preferred == preferred


def test_the_threshold_filters() -> None:
    told = (claim("c1", "Alpha has 30 workers."), claim("c2", "Alpha has 60 workers."))
    assert conflicts(*told, threshold=0.5)
    assert conflicts(*told, threshold=1.0) == ()


def test_a_thousand_claims_take_well_under_two_seconds() -> None:
    told = [
        claim(f"c{i}", f"Service alpha{i // 2} keeps {10 + i % 2} backup copies in region r{i % 7}.")
        for i in range(1000)
    ]
    start = time.process_time()
    found = conflicts(*told)
    assert time.process_time() - start < 2.0
    assert len(found) <= 500


POOL = (
    "Alpha has 30 workers.", "Alpha has 60 workers.", "Alpha is written in Rust.", "Alpha is written in Go.",
    "Alpha never retries.", "Alpha retries failed jobs.", "Alpha was released in 2019.", "Alpha was released in 2021.",
    "Beta has 30 workers.", "O Alpha tem 30 processos.",
)  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from(POOL), min_size=2, max_size=8), st.randoms(use_true_random=False))
def test_order_does_not_change_the_set_and_identical_claims_never_conflict(texts: list[str], random: object) -> None:
    told = [claim(f"c{i}", text, confidence=0.1 * (i % 4)) for i, text in enumerate(texts)]
    shuffled = list(told)
    random.shuffle(shuffled)  # type: ignore[attr-defined]
    found, again = conflicts(*told), conflicts(*shuffled)
    assert found == again
    assert all(one.first.text != one.second.text and 0.5 <= one.severity <= 1.0 for one in found)
    assert all(one.preferred in (one.first.id, one.second.id) for one in found)


class Hashed:
    """A stand-in for token vectors: each word a direction of its own."""

    identity = "hashed"

    def encode_tokens(self, texts: Sequence[str]) -> list[Any]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> SimpleNamespace:
        spans = [match.span() for match in re.finditer(r"\w+", text)]
        vectors = np.zeros((len(spans), 97), dtype=np.float32)
        for row, (start, end) in enumerate(spans):
            vectors[row, sum(map(ord, text[start:end].lower())) % 97] = 1.0
        return SimpleNamespace(offsets=spans, vectors=vectors, pooled=vectors.sum(axis=0))


def test_a_year_that_both_name_hides_no_other_date() -> None:
    (found,) = conflicts(
        claim("1", "The album to the film of 2010 was released on April 12, 2011."),
        claim("2", "The album to the film of 2010 was released on January 1, 2010."),
    )
    assert found.explanation == 'They give different dates: "April 12, 2011" against "January 1, 2010".'


@pytest.mark.parametrize(
    ("files", "questions", "counts"),
    [(("a", "b"), ("s1", "s1"), 1.0), (("a", "a"), ("s1", "s1"), 0.35), (("a", "b"), ("s1", "s2"), 0.35)],
    ids=["two documents", "one document", "two questions"],
)
def test_a_suspicion_counts_between_two_documents_that_answer_one_question(
    files: tuple[str, str], questions: tuple[str, str], counts: float
) -> None:
    texts = "The big brown horse crossed the river.", "The big brown horse avoided the river."
    evidence = tuple(
        Evidence(id=f"e{number}", text=text, title="", source="s", url=f"file:///{file}")
        for number, (file, text) in enumerate(zip(files, texts, strict=True))
    )
    claims = tuple(
        claim(f"c{number}", text).replace(
            spans=(Span(evidence_id=f"e{number}", quote=text, end=len(text)),), question_id=question
        )
        for number, (text, question) in enumerate(zip(texts, questions, strict=True))
    )
    readings = [read(text) for text in texts]
    vectors = word_vectors(Hashed(), readings)
    (suspected,) = suspicions([align(readings[0], readings[1], vectors)], vectors, Hashed())
    doubt = ConflictJudge(Hashed()).free(ToReconcile(claims, evidence)).doubt
    assert doubt == pytest.approx(counts * suspected, abs=1e-3)
    assert suspected > 0.35


def test_an_encoder_adds_doubt_but_no_unfounded_conflict() -> None:
    told = (
        claim("c1", "The big brown horse crossed the river."),
        claim("c2", "The big brown horse avoided the river."),
    )
    free, encoded = ConflictJudge().free(ToReconcile(told)), ConflictJudge(Hashed()).free(ToReconcile(told))
    assert free.value == encoded.value == ()
    assert 0.0 < encoded.doubt <= 0.5


def test_what_a_model_has_compared_itself_is_worth_no_call() -> None:
    told = (
        claim("c1", "The big brown horse crossed the river."),
        claim("c2", "The big brown horse avoided the river."),
    )
    for settled, doubted in ((({"c1", "c2"},), False), (({"c1"}, {"c2"}), True)):
        given = ToReconcile(told, settled=tuple(map(frozenset, settled)))
        assert (ConflictJudge(Hashed()).free(given).doubt > 0.0) is doubted
