"""Source code: its comments are prose, and a constant is read with what is said of it."""

import pytest

from calibrant.judges.free.words.comments import uncommented
from calibrant.judges.free.words.constants import constants
from calibrant.judges.free.words.text import sentences

GO = """// Queue holds jobs until a worker takes them.
// It is safe for concurrent use.
type Queue struct {
\tjobs chan Job
}
"""
JAVA = """public final class LruCache {
    /** Entries that are kept at most. */
    private static final int CAPACITY = 1000;

    /**
     * Returns the value for a key, or null
     * where none is held.
     *
     * @param key what was put
     */
    public V get(K key) {
        return map.get(key);
    }
}
"""
MANUAL = """Start the server with this call:

    // Create a client
    client = connect()

Then wait until it answers. It logs each line that it reads to the file that you have named.
"""


def read(text: str, kind: str) -> list[str]:
    return [one.text for one in sentences(text) if one.kind == kind]


def test_a_comment_is_prose_without_its_marks_and_the_code_below_it_is_code() -> None:
    assert read(GO, "prose") == ["Queue holds jobs until a worker takes them.", "It is safe for concurrent use."]
    assert read(GO, "code") == ["type Queue struct {\n\tjobs chan Job\n}"]


def test_a_comment_within_code_is_read_and_its_parameters_are_entries() -> None:
    assert read(JAVA, "prose") == ["Returns the value for a key, or null where none is held."]
    assert read(JAVA, "item") == ["CAPACITY: 1000 (Entries that are kept at most)", "@param key what was put"]


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ('class Output:\n    reason: Annotated[str, Field(description="sufficient or plateau")]\n', "code"),
        ("Reasons:\nsufficient: all is found\nplateau: nothing more is found\n", "item"),
    ],
)
def test_a_field_with_its_type_is_code_and_an_entry_none(text: str, kind: str) -> None:
    assert len(read(text, kind)) >= 1
    assert (read(text, "item") == []) is (kind == "code")


@pytest.mark.parametrize("text", [GO, JAVA])
def test_offsets_stay_those_of_the_text(text: str) -> None:
    bare, breaks = uncommented(text)
    assert len(bare) == len(text)
    assert [at for at, sign in enumerate(bare) if sign == "\n"] == [at for at, sign in enumerate(text) if sign == "\n"]
    assert all(at == 0 or text[at - 1] == "\n" for at in breaks)
    prose = [one for one in sentences(text) if one.kind == "prose"]
    assert prose
    assert all(one.verbatim(text).startswith(one.text.split()[0]) for one in prose)
    assert all(one.verbatim(text).endswith(one.text.split()[-1]) for one in prose)


@pytest.mark.parametrize(
    "text",
    [
        MANUAL,
        "See //cdn.example.org/a.js for it.\n",
        "//const OLD = 3;\nconst NEW = 4;\n",
        f"```go\n{GO}```\n",
        "A ratio of 3/4, or */* as a type.\n",
        "/* never closed\nand so on\n",
    ],
    ids=["an example in a manual", "an address", "code switched off", "in a fence", "no comment", "left open"],
)
def test_what_is_no_comment_is_left_as_it_is(text: str) -> None:
    assert uncommented(text) == (text, frozenset())


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ('WAY_BACK = 11\n"""Supersteps that a run needs."""\n', "WAY_BACK: 11 (Supersteps that a run needs)"),
        ('LIMIT = 5\n"""So many.\n\nMeasured in May."""\n', "LIMIT: 5 (So many)"),
        ('LIMIT = 5\n"""So many. More are left."""\n', "LIMIT: 5 (So many; More are left)"),
        ("/** Tries before it is given up. */\nexport const TRIES = 5;\n", "TRIES: 5 (Tries before it is given up)"),
        ("// Jobs that a queue holds\n// before Push blocks.\nconst Capacity = 128\n",
         "Capacity: 128 (Jobs that a queue holds before Push blocks)"),
        ("# Seconds to wait.\nTIMEOUT=90\n", "TIMEOUT: 90 (Seconds to wait)"),
        ("/// The longest, in seconds.\npub const MAX: u64 = 86_400;\n", "MAX: 86_400 (The longest, in seconds)"),
        ("retries: int = 4  # the most that are made\n", "retries: 4 (the most that are made)"),
        ("let tries = 3; // per delivery\n", "tries: 3 (per delivery)"),
        ("#: Made by :meth:`shut`\n#: where none is.\n#:\n#: .. versionadded:: 8.0\nGATE = None\n",
         "GATE: None (Made by `shut` where none is)"),
        ("#:The longest.\nMAX = 4\n", "MAX: 4 (The longest)"),
    ],
)  # fmt: skip
def test_a_constant_is_read_with_what_is_said_of_it(text: str, told: str) -> None:
    (constant,) = constants(text)
    assert constant.text == told
    assert [one.text for one in sentences(text) if one.start == constant.start] == [told]


@pytest.mark.parametrize(
    "text",
    [
        "WAY_BACK = 11\n",
        "# Seconds to wait.\n\nTIMEOUT=90\n",
        "## Timeouts\ntimeout = 90\n",
        "def run():\n    # a refused connection is no reason to stop\n    reply = post(url)\n",
        "NAMES = (\n    1,\n)\n# and others\nif a == 3:  # three\n    pass\n",
        "```\n# Seconds\nTIMEOUT=90\n```\n",
        "return x == 3  # three\n",
        "# Storage\nThe pool = 5 by default.\n",
    ],
    ids=[
        "nothing said",
        "a line between",
        "a heading",
        "a variable",
        "over several lines",
        "in a fence",
        "compared",
        "prose",
    ],
)
def test_what_is_no_constant_or_has_nothing_said_of_it_is_left(text: str) -> None:
    assert list(constants(text)) == []


def test_each_field_and_each_change_of_a_docstring_stands_for_itself() -> None:
    text = (
        '"""Shuts it.\n\n:param width: How wide it\n    is. At most 400.\n:type width: int\n'
        ':return: Whether it is shut.\n.. versionadded:: 2.1\n.. versionchanged:: 2.3\n    Was open before.\n"""\n'
    )
    assert [one.text for one in sentences(text)] == [
        "Shuts it.",
        "width: How wide it is.",
        "At most 400.",
        "Type of width: int",
        "Returns: Whether it is shut.",
        "Added in version 2.1.",
        "Changed in version 2.3: Was open before.",
    ]
