"""When two tasks are alike: asked again, and near misses."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.memory.similarity import ANOTHER_QUESTION, SIMILAR, Rarity, applicability, overlap, similarity, terms_of
from calibrant.memory.words import STOP_WORDS, fold, stem, tokens

from .pairs import (
    DIFFERENT_LABELS,
    DIFFERENT_SIGNS,
    DIFFERENT_TUNED,
    DIFFERENT_UNSEEN,
    NARROWER,
    OTHER_SCRIPTS,
    SAME_BUT_ASIDES,
    SAME_BUT_PUNCTUATION,
    SAME_TUNED,
    SAME_UNSEEN,
    Pair,
)


def found(pairs: tuple[Pair, ...]) -> list[Pair]:
    return [pair for pair in pairs if similarity(*pair) >= SIMILAR]


def test_asked_again_is_found_and_a_near_miss_is_not() -> None:
    assert len(found(SAME_TUNED)) >= 12
    assert found(DIFFERENT_TUNED) == []


def test_the_same_on_pairs_that_set_no_threshold() -> None:
    assert len(found(SAME_UNSEEN)) >= 10
    assert found(DIFFERENT_UNSEEN) == []


@pytest.mark.parametrize("pair", [*DIFFERENT_SIGNS, *DIFFERENT_LABELS])
@pytest.mark.parametrize("cosine", [None, 1.0])
def test_operators_and_letters_make_another_question(pair: Pair, cosine: float | None) -> None:
    assert similarity(*pair, cosine=cosine) <= ANOTHER_QUESTION


@pytest.mark.parametrize("pair", NARROWER)
@pytest.mark.parametrize("cosine", [None, 1.0])
def test_what_was_asked_of_some_is_another_question_than_what_is_asked_of_all(pair: Pair, cosine: float | None) -> None:
    assert similarity(*pair, cosine=cosine) <= ANOTHER_QUESTION


@pytest.mark.parametrize("pair", SAME_BUT_ASIDES)
def test_what_limits_nothing_leaves_the_question_the_same(pair: Pair) -> None:
    assert similarity(*pair) >= SIMILAR


@pytest.mark.parametrize("pair", OTHER_SCRIPTS)
def test_questions_in_other_scripts_are_told_apart(pair: Pair) -> None:
    assert similarity(*pair) < SIMILAR
    for question in pair:
        assert similarity(question, question.rstrip("?؟？") + " ?") == 1.0


@pytest.mark.parametrize("pair", SAME_BUT_PUNCTUATION)
@pytest.mark.parametrize("cosine", [None, 0.9])
def test_punctuation_does_not_make_another_question(pair: Pair, cosine: float | None) -> None:
    assert similarity(*pair, cosine=cosine) == 1.0


@pytest.mark.parametrize("pair", [("?", "!"), ("", "**"), ("👍", "👎"), ("...", "???"), ("", "Как?")])
def test_texts_without_words_are_not_alike(pair: Pair) -> None:
    assert similarity(*pair) == 0.0


@pytest.mark.parametrize("pair", [
    ("What does ** do in Python?", "How does the ** work in Python"),
    ("What is the difference between && and || in bash?", "the difference of || and && in bash"),
    ("salt & pepper grinder", "grinder for salt and pepper"),
])  # fmt: skip
def test_the_same_operators_in_other_words_are_the_same_question(pair: Pair) -> None:
    assert similarity(*pair) >= SIMILAR


@pytest.mark.parametrize("forms", [
    "sort sorting sorted sorts", "cache caching cached caches", "optimize optimization optimising optimised",
    "write writer writes writing", "class classes", "query queries", "rotate rotation rotating", "tag tags tagged",
    "ordenar ordenação ordenando ordenado", "chave chaves", "função funções", "capital capitais", "papel papéis",
])  # fmt: skip
def test_the_forms_of_a_word_have_one_stem(forms: str) -> None:
    assert len({stem(word) for word in tokens(forms)}) == 1


@pytest.mark.parametrize(
    ("one", "other"), [("list", "tuple"), ("postgres", "mysql"), ("read", "write"), ("who", "when")]
)
def test_other_words_have_other_stems(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_identifiers_and_names_are_split() -> None:
    assert tokens("HandleTask json.dumps sort_keys C++ Python 3.11 João's ação") == [
        "handle", "task", "json", "dumps", "sort", "keys", "c++", "python", "3.11", "joao", "acao",
    ]  # fmt: skip


def test_words_of_other_scripts_are_words() -> None:
    assert tokens("Сколько стоит Redis7? كيف أثبت smørrebrød Straße") == [
        "сколько", "стоит", "redis7", "كيف", "اثبت", "smørrebrød", "strasse",
    ]  # fmt: skip
    assert tokens("Pythonで日本語、हिन्दी") == ["python", *(fold(word) for word in ("で日本語", "हिन्दी"))]


def test_stop_words_are_written_as_they_are_compared() -> None:
    assert {word for word in STOP_WORDS if fold(word).lower() != word} == set()


def test_a_rare_word_counts_for_more() -> None:
    rare = Rarity(["install redis", "install kafka", "install nginx", "tune nginx"])
    assert rare.of(["unheard"]) > rare.of([stem("redis")]) > rare.of([stem("install")]) > 0.0
    install, update, kafka = (terms_of(text) for text in ("install redis", "update redis", "install kafka"))
    assert overlap(install, update, rare) > overlap(install, kafka, rare)


def test_a_kind_must_be_held_by_the_task_which_may_hold_more() -> None:
    kind = "go handler caching"
    longer = "Add caching to the Go request handler of the billing service"
    assert applicability(longer, kind) >= SIMILAR > applicability("Go", kind)


@given(st.text(max_size=60), st.text(max_size=60))
def test_similarity_is_a_share_and_symmetric(first: str, second: str) -> None:
    assert 0.0 <= similarity(first, second) <= 1.0
    assert similarity(first, second) == pytest.approx(similarity(second, first))
    assert similarity(first, first) == 1.0
