"""Numbers that look alike and can all be right: the default, the limit, an example, those of two settings."""

import pytest

from calibrant.judges.free.comparing.opposing import oppose
from calibrant.judges.free.comparing.rivals import compare_answers
from calibrant.judges.free.comparing.same_case import answer_of
from calibrant.judges.free.synthesis.sides import aligned
from tests.judges.test_likely import compared, page

DELAY = "What is the longest delay of a barge?"
KEPT = "How long is a berth kept?"


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        (KEPT, "Setting: berth_hold; Default: 60s; Meaning: How long a berth is kept.",
         "For slow barges raise `berth_hold`, for example to 600 seconds."),
        (KEPT, "A berth is kept for 60 seconds.", "A berth is kept by `keep(berth, hold='300 seconds')`."),
        (DELAY, "`--delay SECONDS` holds a barge back; the longest delay is 900 seconds.",
         "Setting: tow_delay; Default: 2s; Meaning: Delay before a barge is towed."),
        ("How many times is a tow tried?", "A tow is tried 5 times.", "If tow_tries is set to 0, it is tried never."),
        ("How long is a tow retried by default?", "The default of a tow's retries is 0 seconds.",
         "Retries of a tow take a value like 300 seconds."),
        ("What is the default hold of a berth?", "Setting: berth_hold; Default: 60s; Meaning: How long it is held.",
         "Set the pilot's berth hold to at least 95 seconds."),
        ("Qual é o atraso máximo de uma balsa?", "O atraso máximo de uma balsa é de 900 segundos.",
         "O atraso padrão de uma balsa é de 20 segundos."),
    ],
)  # fmt: skip
def test_values_told_as_different_things_are_no_rivals(question: str, first: str, second: str) -> None:
    assert compared(question, first, second).opposed is None
    assert compared(question, second, first).opposed is None


@pytest.mark.parametrize(
    ("question", "first", "second"),
    [
        ("How many tries are made before a tow is given up?",
         "Setting: tow.max_tries; Default: 5; Notes: Tries before a tow is given up",
         "The tug makes up to eight tries with growing pauses."),
        ("How long is a berth kept?", "A berth is kept for 60 seconds by default.", "A berth is kept for 90 seconds."),
        ("What is the default of berth_hold?", "The default of `berth_hold` is 60 seconds.",
         "`HARBOR_BERTH_HOLD` is 90 seconds by default."),
    ],
)  # fmt: skip
def test_two_values_for_one_thing_are(question: str, first: str, second: str) -> None:
    assert compared(question, first, second).opposed is not None


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("tow_limit: Default: 200", "tow_limit: rope_size is set to the default of 4096"),
        ("The limit of a tow is 40 tons.", "The limit of a tow is, for example, 90 tons."),
        ("The ferry command takes `--berths 8` berths.", "The ferry command takes `--berths 12` berths."),
    ],
)  # fmt: skip
def test_they_do_not_clash_in_like_sentences(first: str, second: str) -> None:
    assert oppose(aligned(first, second)) is None


def test_one_name_in_two_spellings_clashes() -> None:
    assert oppose(aligned("The default of `berth_hold` is 60 seconds.", "The default of `--berth-hold` is 90 seconds."))


def test_how_many_an_hour_is_not_how_many() -> None:
    question = "How many barges are in a tow?"
    assert compared(question, "Such a tow manages about 300 barges an hour.", "A tow has 12 barges.").opposed is None
    assert compared(question, "A tow has 300 barges.", "A tow has 12 barges.").opposed is not None


def test_a_number_within_a_bound_is_told_outright_only_where_the_bound_is_asked_for() -> None:
    sides = "The dock holds 100 barges.", "A dock is where barges are held, at most 500."
    told = [compared(question, *sides).opposed for question in ("How many barges does the dock hold?", MOST)]
    assert [one.scope for one in told if one is not None] == ["unclear", "same"]


MOST = "How many barges does the dock hold at most?"


@pytest.mark.parametrize("before", ["`toy.ToyDock(4)` stands in for a dock.", "The dock is by the mill."])
def test_what_a_pronoun_stands_for_may_have_another_name(before: str) -> None:
    sides = page("a", "The dock holds 100 barges."), page("b", f"{before} It holds 4 barges.")
    texts = "The dock holds 100 barges.", "It holds 4 barges."
    told = compare_answers(
        "How many barges does the dock hold?",
        *(answer_of(text, side) for text, side in zip(texts, sides, strict=True)),
        likely=True,
    )
    assert (told.opposed is None) is before.startswith("`")
