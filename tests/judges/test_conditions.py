"""Typed conditions and countable criteria."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.request.conditions import conditions, without_conditions
from calibrant.judges.free.request.criteria import criteria, told_in
from calibrant.judges.free.request.understand import request_language
from calibrant.judges.given import ToUnderstand
from calibrant.state.task import Attribute, Language, Question


def spoken(text: str) -> Language:
    return request_language(ToUnderstand(text))


def pairs(items: tuple[Attribute, ...]) -> list[tuple[str, str]]:
    return [(item.kind, item.value) for item in items]


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("only from github: retry libraries", [("source", "github")]),
        ("pytest fixtures site:docs.pytest.org", [("domain", "docs.pytest.org")]),
        ("Search python.org only for asyncio", [("domain", "python.org")]),
        ("Exemplos de decoradores, só do stackoverflow", [("source", "stackoverflow")]),
        ("The animals must be live", [("keyword", "live")]),
        ("Os animais devem estar vivos", [("keyword", "vivos")]),
        ("We must be able to replay the events of a week. Should we use Harrier?", []),
        ("the gate is stuck, what must be opened first", []),
        ("Precisa ser possível repetir os eventos.", []),
        ('Explain the error "list index out of range"', [("phrase", "list index out of range")]),
        ('Why does it stop at File "/srv/skiff/flags.py", line 3?', []),
        ('What is "skiff.flags" for?', [("phrase", "skiff.flags")]),
        ("Find papers since 2020 on RAG", [("since", "2020")]),
        ("articles published in 2023 about LLM", [("year", "2023")]),
        ("What happened to Germany after 1945?", []),
        ("What must a law have?", []),
    ],
)
def test_must_haves(text: str, wanted: list[tuple[str, str]]) -> None:
    assert pairs(conditions(text, spoken(text)).must_have) == wanted


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("Find hamsters for sale without cages", [("keyword", "cages")]),
        ("live animals not toys", [("keyword", "toys")]),
        ("The gate does not open", []),
        ("keys not found after the move", []),
        ("O portão não abre", []),
        ("Find hamsters, not toys or books", [("keyword", "toys"), ("keyword", "books")]),
        ("Quais bibliotecas, exceto pandas, leem CSV?", [("keyword", "pandas")]),
        ("Liste exemplos sem classes", [("keyword", "classes")]),
        ("Find papers on RAG, not from wikipedia", [("source", "wikipedia")]),
        ("asyncio -site:medium.com -celery", [("domain", "medium.com"), ("keyword", "celery")]),
        ("How do I sort a list without sorted()?", [("keyword", "sorted")]),
        ("How do I open a file without closing it?", []),
        ("Why does x not work?", []),
        ("Other than T cells, what other immune cells express CYP27B1?", []),
        ("Which port does the server use? Exclude legacy.", [("keyword", "legacy")]),
        ("exclude node_modules from tsc", []),
        ("Excluir usuário do sistema", []),
        ("Que porta usa o servidor? Exclua os legados.", [("keyword", "legados")]),
        ("How do I exclude a file from the build?", []),
        ("Which option makes it exclude files?", []),
        ("Which pumps are not in the docs?", []),
    ],
)
def test_must_nots(text: str, unwanted: list[tuple[str, str]]) -> None:
    assert pairs(conditions(text, spoken(text)).must_not) == unwanted


def test_constraints_keep_the_words_of_the_request() -> None:
    found = conditions("How do I merge dicts without duplicates in Python 3.11?", Language.ENGLISH).constraints
    assert found[0].startswith("without duplicates")
    found = conditions("The answer must include the price. What does a pump cost?", Language.ENGLISH).constraints
    assert found == ("must include the price",)


@pytest.mark.parametrize(
    ("text", "what", "target"),
    [
        ("Find at least three listings", "listings", 3),
        ("Give me 5 examples of closures", "examples of closures", 5),
        ("Liste pelo menos 3 exemplos de decoradores", "exemplos de decoradores", 3),
        ("two or more sources on RAG", "sources", 2),
        ("list three ways to reverse a string", "ways to reverse a string", 3),
        ("List fifteen ways to reverse a string", "ways to reverse a string", 15),
        ("Liste pelo menos onze exemplos de decoradores", "exemplos de decoradores", 11),
        ("thirty or more sources on RAG", "sources", 30),
    ],
)
def test_counted_criteria(text: str, what: str, target: int) -> None:
    (found,) = criteria((), text, spoken(text))
    assert (found.what, found.target) == (what, target)


def test_without_a_number_each_part_is_a_criterion() -> None:
    parts = (Question(id="q1", text="What is a list?"), Question(id="q2", text="What is a dict?"))
    found = criteria(parts, "What is a list? What is a dict?", Language.ENGLISH)
    assert [(item.id, item.what, item.target) for item in found] == [
        ("c1", "What is a list?", 1),
        ("c2", "What is a dict?", 1),
    ]


@pytest.mark.parametrize("text", ["List fifteen-minute recipes", "List one way to reverse a string"])
def test_a_number_within_a_name_and_a_single_thing_count_nothing(text: str) -> None:
    (found,) = criteria((Question(id="q1", text=text),), text, Language.ENGLISH)
    assert (found.what, found.target) == (text, 1)


@pytest.mark.parametrize(
    "text",
    [
        "A server sends me text/html without a charset. Which encoding is assumed then?",
        "I start the binary without systemd and not as root. How do I let it use port 443?",
        "I'm not sure how bad it is. Which category do I take?",
        "We must not lose a single message. How do I get each synced?",
        "O servidor responde sem charset. Que codificação se assume?",
        "How do I make the hook leave out the hashes?",
        "Which argument restores a backup without using the web interface?",
        "Why do the levels above -vv have no effect?",
        "Allowed values for -log-level",
    ],
)
def test_what_is_told_before_a_question_and_what_it_is_about_is_no_must_not(text: str) -> None:
    assert conditions(text, spoken(text)).must_not == ()


@pytest.mark.parametrize(
    ("text", "unwanted"),
    [
        ("I keep hamsters. List shops that sell cages, not toys.", "toys"),
        ("Which breeders sell hamsters? I mean animals. They must not be toys.", "toys"),
        ("Which breeders sell hamsters? Name three. They must not be toys. Which is nearest?", "toys"),
        ("Which port does the server use? Exclude legacy.", "legacy"),
        ("Find the hashes and leave out drafts", "drafts"),
    ],
)
def test_what_an_order_leaves_out_is_a_must_not(text: str, unwanted: str) -> None:
    assert [one.value for one in conditions(text, spoken(text)).must_not] == [unwanted]


@given(st.text(max_size=200), st.sampled_from(list(Language)))
def test_nothing_is_both_wanted_and_unwanted(text: str, language: Language) -> None:
    found = conditions(text, language)
    assert not set(pairs(found.must_have)) & set(pairs(found.must_not))


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Find at least 3 live hamsters, not cages, toys or books", "live hamsters"),
        ("Find three suppliers of blue paint, excluding varnish", "suppliers of blue paint,"),
        ("List five databases that support geodata, not MySQL or Oracle", "databases that support geodata"),
        ("python retry library -celery -site:pypi.org", "python retry library"),
        ("How do I install Django without Docker?", "How do I install Django ?"),
        ("Liste pelo menos três hotéis em Lisboa, sem hostels", "hotéis em Lisboa,"),
        # These are what is asked about.
        ("How do I open a file without closing it?", "How do I open a file without closing it?"),
        ("What is not covered by the warranty?", "What is not covered by the warranty?"),
        ("What needs at least 3 replicas?", "What needs at least 3 replicas?"),
    ],
)
def test_what_is_sought_is_neither_what_is_excluded_nor_how_many(text: str, left: str) -> None:
    assert " ".join(without_conditions(text, spoken(text)).split()) == left


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("The colours are red, green and blue.", 3),
        ("Three fit: A; B; C.", 3),
        ("Servem o azul ou o verde.", 2),
        ("It is sold at 30 dollars, shipped within the country.", 1),
        ("It is sold out.", 1),
    ],
)
def test_a_sentence_tells_of_as_many_things_as_its_list_has(text: str, count: int) -> None:
    assert told_in(text) == count
