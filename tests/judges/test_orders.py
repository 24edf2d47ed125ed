"""Orders that no quotation carries out, and what they are about."""

import pytest

from calibrant.judges.free.request.orders import is_order, query_of, sought
from calibrant.state.task import EN, PT, Language


@pytest.mark.parametrize(
    ("text", "about"),
    [
        ("Summarise the travel rules.", "the travel rules"),
        ("Can you summarise, in two sentences, the lease?", "the lease"),
        ("Sum up the rules for the office in Vienna.", "the rules for the office in Vienna"),
        ("Translate the rule about working from abroad into German.", "the rule about working from abroad"),
        ("Translate the leave rule from English to Portuguese", "the leave rule"),
        ("Compare the handbook and the travel update.", "the handbook and the travel update"),
    ],
)
def test_a_verb_of_an_order_is_nothing_to_look_for(text: str, about: str) -> None:
    assert is_order(text, EN)
    assert sought(text, EN) == about
    assert query_of(text, EN) == text


@pytest.mark.parametrize(
    ("text", "language", "about"),
    [
        ("Write a short mail to Jonas that explains how the travel budget works.", EN, "how the travel budget works"),
        ("Please write me an e-mail to the team about the new opening hours", EN, "the new opening hours"),
        ("Could you draft a note that tells her when receipts are due?", EN, "when receipts are due"),
        ("Give me a short summary of the leave rules in three bullets", EN, "the leave rules"),
        ("Write a comprehensive overview of battery recycling.", EN, "battery recycling"),
        ("Give me a complete risk analysis of our portfolio", EN, "our portfolio"),
        ("Can you give us an overview of the leave rules?", EN, "the leave rules"),
        ("Dá-me uma visão geral das regras de férias", PT, "regras de férias"),
        ("Escreva um e-mail curto ao Jonas que explique o orçamento de viagem.", PT, "o orçamento de viagem"),
        ("Faça um resumo da política de férias", PT, "política de férias"),
        ("Dá-me um resumo da ata", PT, "ata"),
        ("Escreve uma carta aos sócios sobre a quota", PT, "a quota"),
        ("Redige um e-mail ao senhorio sobre a caução", PT, "a caução"),
        ("Quero que você escreva uma carta às escolas sobre a quota", PT, "a quota"),
    ],
)
def test_what_is_to_be_written_is_nothing_to_search_for(text: str, language: Language, about: str) -> None:
    assert is_order(text, language)
    assert sought(text, language) == query_of(text, language) == about


@pytest.mark.parametrize("text", ["Write a poem.", "Draft a letter to Marta", "Write a summary"])
def test_an_order_that_says_nothing_of_its_matter(text: str) -> None:
    assert is_order(text, EN)
    assert (sought(text, EN), query_of(text, EN)) == ("", text)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Who wrote the mail about leave?", EN),
        ("How do I write a message to the queue?", EN),
        ("Write access to the bucket", EN),
        ("Write a message queue consumer", EN),
        ("Give me the name of the manager", EN),
        ("Give me the rules for a summary", EN),
        ("Give me the rules of the analysis", EN),
        ("What does translate do?", EN),
        ("Summary of the minutes", EN),
        ("Explain how retries work", EN),
        ("Resumo da ata", PT),
        ("Faz sentido usar filas?", PT),
    ],
)
def test_what_can_be_quoted_is_no_order(text: str, language: Language) -> None:
    assert not is_order(text, language)
    assert sought(text, language) == query_of(text, language) == text
