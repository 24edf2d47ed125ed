"""What a caller gave, read: here what is seen of a text. The other forms are tested where they are given."""

import pytest

from calibrant.state.validation import legible


@pytest.mark.parametrize(
    ("text", "seen"),
    [
        ("How many \x1b[31mworkers\x1b[0m run?", "How many workers run?"),
        ("\x1b]8;;https://a.example\x1b\\workers\x1b]8;;\x1b\\ \x1b]0;title\x07", "workers "),
        ("wor\u200bkers\ufeff run\x07\x00", "workers run"),
        ("\u202eHow many\u202c \u2066workers\u2069?", "How many workers?"),
        ("work\u00aders", "workers"),
        ("wor\u200ckers and wor\u200dkers", "workers and workers"),
    ],
)
def test_what_is_not_seen_of_a_question_is_no_part_of_it(text: str, seen: str) -> None:
    assert legible(text) == seen


@pytest.mark.parametrize(
    "text",
    [
        "Which job is \U0001f469\u200d\U0001f4bb?",
        "\u0915\u094d\u200d\u0937 \u06a9\u062a\u0627\u0628\u200c\u0647\u0627",
        "two\nlines\tand a\u00a0space",
        "\u05e9\u05dc\u05d5\u05dd \u2764\ufe0f",
    ],
    ids=["an emoji of two", "scripts with joiners", "white space", "another direction"],
)
def test_what_is_part_of_a_word_or_a_sign_stays(text: str) -> None:
    assert legible(text) == text
