"""Reading and alignment of sentences, and what sets two of them against each other."""

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.comparing.alignment import align, word_vectors
from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.reading import read
from calibrant.state.task import Language

VOCABULARY = "Alpha Beta the server timeout is not never 30 60 seconds may 2019 released in Rust port default"
WORDS = st.lists(st.sampled_from(VOCABULARY.split()), max_size=12).map(" ".join)


class ToyEncoder:
    """Each word its own direction, but for the pairs that are given as the same."""

    identity = "toy"

    def __init__(self, same: dict[str, str]) -> None:
        self._same = same
        self._rows: dict[str, int] = {}

    def encode_tokens(self, texts: Sequence[str]) -> list[Any]:
        return [self._encode(text) for text in texts]

    def _encode(self, text: str) -> SimpleNamespace:
        words, offsets, start = text.split(), [], 0
        for word in words:
            start = text.index(word, start)
            offsets.append((start, start + len(word)))
            start += len(word)
        vectors = np.zeros((len(words), 64), dtype=np.float32)
        for i, word in enumerate(words):
            key = self._same.get(word.lower().strip("."), word.lower().strip("."))
            vectors[i, self._rows.setdefault(key, len(self._rows))] = 1.0
        return SimpleNamespace(offsets=offsets, vectors=vectors, pooled=vectors.sum(axis=0))


@pytest.mark.parametrize(
    ("text", "value", "unit"),
    [
        ("The timeout is 30 seconds.", 30.0, "s"),
        ("The timeout is 2 minutes.", 120.0, "s"),
        ("It costs $1,200.50.", 1200.5, "$"),
        ("O limite é de 1.500 ms.", 1.5, "s"),
        ("It needs 8 GB of memory.", 8e9, "byte"),
        ("It sold 2.5 million copies.", 2.5e6, "copi"),
        ("O empréstimo dura uma semana.", 604_800.0, "s"),
        ("O cartão vale por um mês.", 1 / 12, "year"),
        ("São pagas com acréscimo de 25 por cento.", 25.0, "%"),
        ("A entrega leva dez dias úteis.", 10.0, "utel"),
    ],
)
def test_quantities_are_read_in_one_unit(text: str, value: float, unit: str) -> None:
    (amount,) = read(text).quantities
    assert amount.value == pytest.approx(value)
    assert amount.unit == unit


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("It was released on October 14, 2019.", (2019, 10, 14)),
        ("It was released on 14 October 2019.", (2019, 10, 14)),
        ("Foi lançado em 14 de outubro de 2019.", (2019, 10, 14)),
        ("Foi lançado em 1.º de outubro de 2019.", (2019, 10, 1)),
        ("Foi lançado em 14/10/2019.", (2019, 10, 14)),
        ("Foi lançado a 14.10.2019 e não antes.", (2019, 10, 14)),
        ("It was released on 2019-10-14.", (2019, 10, 14)),
        ("It was released on 2019-10-14T08:30:00Z.", (2019, 10, 14)),
        ("It was released on 2019/10/14.", (2019, 10, 14)),
        ("It was released on 14/10/2019.", (2019, 10, 14)),
        ("It was released on 10/14/2019.", (2019, 10, 14)),
        ("It was released in October 2019.", (2019, 10, 0)),
        ("It was released in 2019.", (2019, 0, 0)),
    ],
)
def test_dates_are_read_as_far_as_they_are_given(text: str, date: tuple[int, int, int]) -> None:
    (found,) = read(text).dates
    assert (found.year, found.month, found.day) == date


@pytest.mark.parametrize(
    ("text", "days"),
    [
        ("The fair is from 12 to 14 June 2026.", [(2026, 6, 12), (2026, 6, 14)]),
        ("The fair is June 12-14, 2026.", [(2026, 6, 12), (2026, 6, 14)]),
        ("The fair is on 12, 13 and 14 June.", [(0, 6, 12), (0, 6, 13), (0, 6, 14)]),
        ("A feira é de 12 a 14 de junho.", [(0, 6, 12), (0, 6, 14)]),
        ("Barn 20 and 14 June were named.", [(0, 6, 14)]),
        ("On May 3 and 10 others came.", [(0, 5, 3)]),
    ],
)
def test_the_days_of_a_range_or_a_row_have_one_month(text: str, days: list[tuple[int, int, int]]) -> None:
    assert [found.ymd for found in read(text).dates] == days


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("A água é fria em março.", {"marc"}),
        ("A piscina fecha em maio e aos domingos.", {"mai", "doming"}),
        ("A água do mar é fria.", set()),
        ("O mar em março é frio.", {"marc"}),
    ],
)
def test_days_and_months_are_names_and_the_sea_is_none(text: str, names: set[str]) -> None:
    assert read(text, Language.PORTUGUESE).names == names


def test_an_encoder_matches_words_that_mean_the_same_but_never_opposites() -> None:
    first, second = read("Alpha halts the queue quickly."), read("Alpha pauses the queue slowly.")
    vectors = word_vectors(ToyEncoder({"pauses": "halts", "slowly": "quickly"}), [first, second])
    pairs = {(one.low, other.low) for one, other in align(first, second, vectors).pairs}
    assert ("halts", "pauses") in pairs
    assert ("halts", "pauses") not in {(one.low, other.low) for one, other in align(first, second).pairs}


@pytest.mark.parametrize(
    ("first", "second", "what"),
    [
        ("The function returns nil on error", "The function never returns nil", "negation"),
        ("The default timeout of Alpha is 30 seconds.", "Alpha's default timeout is 60 seconds.", "number"),
        ("Redis was released in 2009.", "Redis was first released in 2010.", "date"),
        ("Retries are enabled by default.", "Retries are disabled by default.", "antonym"),
        ("Alpha is written in Rust.", "The Alpha service is written in Go.", "value"),
        ("The capital of France is Paris.", "The capital of France is Lyon.", "value"),
        ("The warning light is red.", "The warning light is green.", "class"),
        ("A dog would answer before a seal.", "A seal would answer before a dog.", "order"),
        ("All requests are encrypted.", "No requests are encrypted.", "negation"),
        ("O servidor não aceita conexões externas.", "O servidor aceita conexões externas.", "negation"),
        ("O tempo limite padrão é de 30 segundos.", "O tempo limite padrão é de 60 segundos.", "number"),
        ("A capital da Austrália é Camberra.", "A capital da Austrália é Sydney.", "value"),
        ("A sala tem vinte lugares.", "A sala tem 30 lugares.", "number"),
        ("There were five SEV-1 alerts in October.", "There were six SEV-1 alerts in October.", "number"),
        ("A SEV-1 alert is answered in 15 minutes.", "A SEV-1 alert is answered in 60 minutes.", "number"),
        ("The 24-hour window is kept.", "The 48-hour window is kept.", "number"),
        ("O número de vagas é de 20.", "O número de vagas passa a ser de 30.", "number"),
        ("O contrato tem a duração de um ano.", "O contrato tem a duração de dois anos.", "number"),
        ("A sessão começa às 14h30.", "A sessão começa às 15h30.", "number"),
        ("A Acme pagou R$ 5 milhões pela Foo.", "A Acme pagou 6 milhões de reais pela Foo.", "number"),
        (
            "Cada leitor leva até quatro livros para casa.",
            "Cada leitor leva até cinco livros para casa.",
            "number",
        ),
        ("A pista abre de 1.º de outubro a 20 de março.", "A pista abre de 1.º de outubro a 15 de abril.", "date"),
        ("Um cachorro responderia antes de uma foca.", "Uma foca responderia antes de um cachorro.", "order"),
        ("Os visitantes devem assinar o livro.", "Os visitantes não precisam assinar o livro.", "negation"),
        ("O museu está fechado às segundas.", "O museu está aberto às segundas.", "antonym"),
        ("O museu fecha às segundas-feiras.", "O museu fecha às terças-feiras.", "class"),
    ],
)
def test_what_sets_sentences_against_each_other(first: str, second: str, what: str) -> None:
    for one, other in ((first, second), (second, first)):
        hit = oppose(align(read(one), read(other)))
        assert hit is not None
        assert (hit.what, hit.scope, hit.qualifies) == (what, "same", False)
        assert hit.severity >= 0.5


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("The default timeout is 30 seconds.", "The maximum timeout is 60 seconds."),
        ("The server timeout is 30 seconds.", "The client timeout is 60 seconds."),
        ("The default timeout is 60 seconds.", "The default timeout is 1 minute."),
        ("Alpha uses 30 workers.", "Beta uses 60 workers."),
        ("Alpha supports Rust.", "Alpha supports Go."),
        ("The capital of France is Paris.", "The capital of Germany is Berlin."),
        ("Marie Curie was born in 1867.", "Marie Curie died in 1934."),
        ("Marie Curie was born in 1867.", "Marie Curie was born on 7 November 1867."),
        ("Indoor temperature rose in 2010.", "Outdoor temperature fell in 2010."),
        ("The database has about 1.2 million rows.", "The database has 1,234,567 rows."),
        ("The API allows up to 100 requests per minute.", "The API allowed 60 requests per minute."),
        ("The plan costs $30 per month for teams.", "The plan costs $40 per month for individuals."),
        ("The library may block the loop.", "The library always blocks the loop."),
        ("A biblioteca tem 10 000 livros.", "A biblioteca tem 10.000 livros."),
        ("A sessão começa às 2h30.", "A sessão começa às 14h30."),
        ("A entrega leva 10 dias.", "A entrega leva 14 dias úteis."),
        ("October had five SEV-1 alerts.", "October had 14 alerts, 5 of them of SEV-1 class."),
        ("A SEV-1 alert is answered in 15 minutes.", "A SEV-2 alert is answered in 60 minutes."),
        ("The queue is described in ADR-014.", "The queue is described in ADR-015."),
        ("The export runs on F-16 nodes.", "The export runs on 12 nodes."),
    ],
)
def test_what_is_about_something_else_or_agrees_is_no_opposition(first: str, second: str) -> None:
    assert oppose(align(read(first), read(second))) is None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("In 2010, Broken Bow had 3,559 people.", "In 2020, Broken Bow had 4,012 people."),
        ("Python 3.8 was released in 2019.", "Python 3.9 was released in 2020."),
        ("The company had 500 employees in 2019.", "The company had 700 employees in 2021."),
        ("Aplica-se o artigo 5.º do regulamento.", "Aplica-se o artigo 6.º do regulamento."),
        ("No Python 3.8 o limite é de 30 tarefas.", "No Python 3.9 o limite é de 60 tarefas."),
    ],
)
def test_spelled_out_times_and_versions_are_another_scope(first: str, second: str) -> None:
    hit = oppose(align(read(first), read(second)))
    assert hit is not None
    assert hit.scope == "different"


def test_a_denial_under_a_condition_only_qualifies() -> None:
    hit = oppose(align(read("The cache is thread-safe."), read("The cache is not thread-safe when it is resized.")))
    assert hit is not None
    assert hit.qualifies


@given(WORDS, WORDS)
def test_shares_and_severities_stay_in_range(first: str, second: str) -> None:
    alignment = align(read(first), read(second))
    hit = oppose(alignment)
    assert 0.0 <= alignment.cover_first <= 1.0
    assert 0.0 <= alignment.cover_second <= 1.0
    assert hit is None or 0.0 <= hit.severity <= 1.0


@given(WORDS)
def test_no_sentence_opposes_itself(text: str) -> None:
    assert oppose(align(read(text), read(text))) is None


def test_the_month_of_may_limits_nothing() -> None:
    """It is a date there, and a possibility only outside of one."""
    assert read("Version 3 was released on 9 May 2024.").force == read("Version 3 was released on 9 June 2024.").force
    assert read("The tool may be released in June 2024.").force < read("The tool is released in June 2024.").force


@pytest.mark.parametrize(
    ("text", "negative"),
    [
        ("If-None-Match takes a weak tag.", False),
        ("A cache obeys no-store and no-cache.", False),
        ("None of them takes a weak tag.", True),
        ("No cache stores it.", True),
        ("O clube é só para não-fumantes.", True),
    ],
)
def test_a_word_of_a_name_denies_nothing(text: str, negative: bool) -> None:
    assert read(text).negative is negative
