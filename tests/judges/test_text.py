"""Sentences, words, stems, numbers, negation and language, on prose and on code documentation."""

import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.request.conditions import conditions
from calibrant.judges.free.request.criteria import criteria
from calibrant.judges.free.request.followup import resolve
from calibrant.judges.free.words.arithmetic import workings
from calibrant.judges.free.words.frequency import frequencies
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.tables import cells, is_row, narrowed, row
from calibrant.judges.free.words.text import (
    STOP_WORDS,
    content_words,
    cues_in,
    has_negation,
    language_of,
    sentences,
    stem,
    tokens,
    words,
)
from calibrant.judges.given import Turn
from calibrant.state.task import Language

DOCSTRING = '''def dumps(obj, *, skipkeys=False,
        sort_keys=False):
    """Serialize ``obj`` to a JSON formatted ``str``.

    If ``skipkeys`` is true then keys that are not basic types (e.g. Foo)
    will be skipped.  Otherwise a ``TypeError`` is raised.

    >>> dumps({})
    '{}'

    Notes:
        indent: the width. It may be None.
        cls: the encoder.
    """
    return _encode(obj)
'''


def texts(source: str) -> list[str]:
    return [sentence.text for sentence in sentences(source) if sentence.kind != "code"]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("See e.g. Foo. It works.", ["See e.g. Foo.", "It works."]),
        ("J. Smith of the U.S. Army left. He ran.", ["J. Smith of the U.S. Army left.", "He ran."]),
        (
            "Der Vertrag gilt ab 3. Juli 2024. Er endet am 31. August.",
            ["Der Vertrag gilt ab 3. Juli 2024.", "Er endet am 31. August."],
        ),
        ("The count rose to 14. September was calm.", ["The count rose to 14.", "September was calm."]),
        ("The leader W. E. B. Du Bois left. He ran.", ["The leader W. E. B. Du Bois left.", "He ran."]),
        (
            "It opens at 8 a.m. It closes at 6 p.m. The fee is 5.",
            ["It opens at 8 a.m.", "It closes at 6 p.m.", "The fee is 5."],
        ),
        (
            "The board said no. The gate No. 5 of Doe Inc. Porto stays.",
            ["The board said no.", "The gate No. 5 of Doe Inc. Porto stays."],
        ),
        (
            "> The gate is shut. It\n> opens in May.\n>\n> > Call first.",
            ["The gate is shut.", "It opens in May.", "Call first."],
        ),
        ("- Map: https://maps.example.org/barn/gate", ["Map: https://maps.example.org/barn/gate"]),
        ("The gate is open.[1] The barn is not.[^2] Go.", ["The gate is open.[1]", "The barn is not.[^2]", "Go."]),
        ("Ela disse «Feche-o.» Depois saiu. «Abra-o.»", ["Ela disse «Feche-o.»", "Depois saiu.", "«Abra-o.»"]),
        (
            "Stay min. 3 nights. It takes 5 min. The gate is near.",
            ["Stay min. 3 nights.", "It takes 5 min.", "The gate is near."],
        ),
        ("Take vitamin C. It helps.", ["Take vitamin C.", "It helps."]),
        ("O Dr. Silva chegou. Foi em 1990.", ["O Dr. Silva chegou.", "Foi em 1990."]),
        ("Version 3.11 is out. sort_keys is new.", ["Version 3.11 is out.", "sort_keys is new."]),
        ("One line\nwrapped here. Two.", ["One line wrapped here.", "Two."]),
        ("- one\n  more\n- two", ["one more", "two"]),
        ("# Head\nBody.", ["Head", "Body."]),
        ("", []),
    ],
)
def test_sentences(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


def test_docstring_sentences_leave_code_apart() -> None:
    found = texts(DOCSTRING)
    assert found[0] == "Serialize ``obj`` to a JSON formatted ``str``."
    assert found[1].endswith("(e.g. Foo) will be skipped.")
    assert "cls: the encoder." in found
    kinds = [sentence.kind for sentence in sentences(DOCSTRING)]
    assert kinds[0] == "code"
    assert kinds.count("code") == 3


def test_fenced_code_is_one_sentence() -> None:
    found = sentences("Run it:\n\n```python\na = 1\n\nb = 2\n```\nDone now.")
    assert [sentence.kind for sentence in found] == ["prose", "code", "prose"]
    assert found[1].text == "a = 1\n\nb = 2"


@pytest.mark.parametrize(
    ("opens", "inside", "closes"),
    [
        ("````", "```\na = 1\n```", "````"),
        ("```", "```python\na = 1", "```"),
        ("~~~", "```\na = 1", "~~~~ "),
        ("```", "a = 1\n``\n~~~", "```"),
        ("     ```sh", "# no heading", "     ```"),
    ],
)
def test_a_fence_is_closed_by_its_own_marks_alone(opens: str, inside: str, closes: str) -> None:
    found = sentences(f"Run it:\n\n{opens}\n{inside}\n{closes}\nDone now.")
    assert [(one.text, one.kind) for one in found] == [("Run it:", "prose"), (inside, "code"), ("Done now.", "prose")]


def test_code_on_one_line_opens_no_fence() -> None:
    assert texts("```a = 1``` sets it.\nIt stays set.")[-1] == "It stays set."


@pytest.mark.parametrize("line", ["It runs. ", "See p. 12 of J. Smith, e.g. Foo. ", "a\n", "."])
def test_a_long_block_takes_no_longer_than_its_length(line: str) -> None:
    started = time.process_time()
    sentences(line * (131_072 // len(line)) + "x")
    assert time.process_time() - started < 2.0


@pytest.mark.parametrize(
    "line",
    [
        f"{' ' * 4_000}\x00",
        f"a: {' ' * 4_000}x#",
        f"-{' ' * 4_000}|x",
        " **a" * 4_000,
        f"a({')->' * 10_000}( ->",
    ],
)
def test_a_line_of_spaces_or_marks_takes_no_longer_than_others(line: str) -> None:
    started = time.process_time()
    sentences(line)
    assert time.process_time() - started < 1.0


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("**Can I go?**\nYes. By train you can. Or walk.", ["**Can I go?** Yes. By train you can.", "Or walk."]),
        ("**Can I go?** No, you cannot.", ["**Can I go?** No, you cannot."]),
        ("## Posso ir?\n\nSim. De comboio pode.", ["Posso ir? Sim. De comboio pode."]),
        ("Can I go?\n\nBy train.\n\nCan I stay?\n\nAt home.", ["Can I go? By train.", "Can I stay? At home."]),
        ("Q: Can I go?\nA: Yes. By train.", ["Q: Can I go? A: Yes. By train."]),
        ("1. Can I go?\n   You can.\n2. Can I stay?\n   You must.", ["Can I go? You can.", "Can I stay? You must."]),
        (
            "Can I go? By train. Or walk.\n\nCan I stay? At home.",
            ["Can I go? By train.", "Or walk.", "Can I stay? At home."],
        ),
        ("- Can I go? By train.\n- Can I stay? At home.", ["Can I go? By train.", "Can I stay? At home."]),
        ("1. **Can I go?**\n   By train.", ["**Can I go?** By train."]),
        (
            "Q: Can I go?\nA: By train.\n\nQ: Can I stay?\nA: At home.\n\nQ: Can I pay?\nA: In cash.",
            ["Q: Can I go? A: By train.", "Q: Can I stay? A: At home.", "Q: Can I pay? A: In cash."],
        ),
        ("He wondered. Can I go? Nobody knew.", ["He wondered.", "Can I go?", "Nobody knew."]),
        ("**Which ones?**\n- By train\n- By bus", ["**Which ones?**", "By train", "By bus"]),
        ("How do I go?\n\nI tried the train.", ["How do I go?", "I tried the train."]),
    ],
)
def test_a_question_is_one_with_the_answer_beneath_it(source: str, expected: list[str]) -> None:
    assert texts(source) == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("- `hold` - Seconds that a lock is kept. The default is `90`.", 1),
        ("* **retries** - How often it tries. (Default 4)", 1),
        ("- `colour`: Of the border. Default: `None`. Added later.", 2),
        ("The greatest number of tries. Defaults to 12.", 1),
        ("The greatest number of tries. The default value is 12. It may be raised.", 2),
        ("- `prazo` - Segundos até desistir. O padrão é `90`.", 1),
        ("Quantas vezes tenta. (Padrão: 4)", 1),
        ("Quantas vezes tenta. O valor padrão é 4. Pode ser maior.", 2),
        ("The tries are counted. The default port of the desk is 12.", 2),
        ("The tries are counted. Defaults can be changed.", 2),
        (f"{'Nothing but words ' * 30}. The default is 12.", 2),
    ],
)
def test_a_default_is_told_with_what_it_is_the_default_of(source: str, expected: int) -> None:
    assert len(sentences(source)) == expected


def test_a_first_line_that_heads_a_plain_text_is_no_part_of_its_first_sentence() -> None:
    told = "The office opens at 9:00 from November on, for the sake of its neighbours."
    text = f"Note on the Vienna office, October 2025\n{told}"
    for end in ("\n", "\r\n", "  \n"):
        found = [(one.kind, one.text) for one in sentences(text.replace("\n", end))]
        assert found == [("heading", "Note on the Vienna office, October 2025"), ("prose", told)]


@pytest.mark.parametrize(
    "text",
    [
        "A wrapped paragraph whose lines are about as long\nAs those that follow, which begins with a capital here.",
        "Short and complete.\nThe next line is a sentence of its own, and much longer than the one above it.",
        "it goes on from before\nThe next line is a sentence of its own, and much longer than the one above it.",
    ],
)
def test_what_opens_a_paragraph_is_no_heading(text: str) -> None:
    assert all(sentence.kind == "prose" for sentence in sentences(text))


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("3. Open day\nIt was moved to 6 June. It rained.", ["Open day", "It was moved to 6 June.", "It rained."]),
        ("1. Add salt to it\nand stir it until it boils.", ["Add salt to it and stir it until it boils."]),
        (
            "1. Send it with the papers to\nLondon by the end of May.",
            ["Send it with the papers to London by the end of May."],
        ),
        ("1. Sort the rows\n2. Add them", ["Sort the rows", "Add them"]),
        (
            "1. Report of the chair\nThe chair was thanked for a long report.",
            ["Report of the chair", "The chair was thanked for a long report."],
        ),
        (
            "2. Apologies received\nBo Ek and Ann Lee could not come to the meeting.",
            ["Apologies received", "Bo Ek and Ann Lee could not come to the meeting."],
        ),
        (
            "2. The chair reported on the\nNew Harbour project, which has been delayed by the storm.",
            ["The chair reported on the New Harbour project, which has been delayed by the storm."],
        ),
        (
            "2. The committee visited\nNew Harbour, where the works have been delayed by the storm.",
            ["The committee visited New Harbour, where the works have been delayed by the storm."],
        ),
        (
            "1) Ask the Harbour Master\nAnna Lind for a key before the first day of your stay here.",
            ["Ask the Harbour Master Anna Lind for a key before the first day of your stay here."],
        ),
        (
            "3. New members are\nAnn Lee, Bo Ek and the four skippers of the new boats.",
            ["New members are Ann Lee, Bo Ek and the four skippers of the new boats."],
        ),
        (
            "1. Festa do verão\nA festa foi adiada para o dia 27 de junho.",
            ["Festa do verão", "A festa foi adiada para o dia 27 de junho."],
        ),
        (
            "1. A direção visitou\nLisboa, onde a obra está atrasada por causa da chuva.",
            ["A direção visitou Lisboa, onde a obra está atrasada por causa da chuva."],
        ),
        (
            "2. Pedir a chave ao mestre\nRui Costa antes do primeiro dia da estadia no porto.",
            ["Pedir a chave ao mestre Rui Costa antes do primeiro dia da estadia no porto."],
        ),
    ],
)
def test_what_stands_under_an_entry_that_only_names_something(source: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in sentences(source)] == expected


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("Port      8443\nOwner     Ann Lee\nFirst day 12 May", ["Port: 8443", "Owner: Ann Lee", "First day: 12 May"]),
        (
            "Options:\n  -q, --quiet     Says nothing.\n  -v, --verbose   Says all.\n  -h, --help      Says how.",
            ["Options:", "-q, --quiet: Says nothing.", "-v, --verbose: Says all.", "-h, --help: Says how."],
        ),
        (
            "This is  a text that\nhas two  spaces and\nanother  line too.",
            ["This is a text that has two spaces and another line too."],
        ),
        ("Port   8443\nOwner  Ann", ["Port 8443 Owner Ann"]),
    ],
)
def test_lines_in_two_columns_are_names_with_values(source: str, expected: list[str]) -> None:
    found = sentences(source)
    assert [one.text for one in found] == expected
    assert all(
        "".join(one.text.replace(":", "").split()) in "".join(one.verbatim(source).replace(":", "").split())
        for one in found
    )


def test_what_names_are_for_is_read_in_code_too() -> None:
    named = "GATE_PORT     The port that it listens on"
    lines = [named, "GATE_OWNER    Who is told of a fault", "", "GATE_LOG      The file for its log"]
    told = [": ".join(line.split(maxsplit=1)) for line in lines if line]
    assert [one.text for one in sentences(f"Set these:\n\n```\n{chr(10).join(lines)}\n```")] == ["Set these:", *told]


HELP = """\
Usage: gate [OPTIONS]

Options:
  -p, --port <port>         Listen on this port
  -k, --kind <kind>         What is let through: people (p), bikes (b),
                            carts (c)
  -x, --exec <command>...   Run a command for each that comes
      --a-name-that-is-too-long-for-it <value>
                            Say how long it may be
  -h, --help                Show this message and exit
"""
OPTIONS = [
    "Options:",
    "-p, --port <port>: Listen on this port",
    "-k, --kind <kind>: What is let through: people (p), bikes (b), carts (c)",
    "-x, --exec <command>...: Run a command for each that comes",
    "--a-name-that-is-too-long-for-it <value>: Say how long it may be",
    "-h, --help: Show this message and exit",
]


def test_what_a_help_page_says_of_an_option_may_take_several_lines() -> None:
    usage, *options = sentences(f"```\n{HELP}```")
    assert (usage.kind, usage.text.strip()) == ("code", "Usage: gate [OPTIONS]")
    assert [one.text for one in options] == OPTIONS


def test_a_passage_that_starts_inside_an_option_has_the_others() -> None:
    rest = HELP[HELP.index("carts") :]
    begun, *options = sentences(f"{rest}```\n", fence="```")
    assert begun.text.strip() == "carts (c)"
    assert [one.text for one in options] == OPTIONS[3:]


@pytest.mark.parametrize(
    "code",
    [
        "gate open      north\ngate close     south\ngate status    east",
        "north     open       12\nsouth     closed     40\neast      open       7",
        "width = 3      # how wide it may be\nheight = 4     # how high it may be\ndepth = 5      # how deep it goes",
    ],
)
def test_other_code_in_columns_stays_code(code: str) -> None:
    assert [(one.kind, one.text) for one in sentences(f"```\n{code}\n```")] == [("code", code)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("> **Note:** The gate is\n> closed at night. It opens\n> at six.",
         ["**Note:** The gate is closed at night.", "It opens at six."]),
        ("> [!NOTE]\n> The gate is closed\n> at 10 p.m.", ["The gate is closed at 10 p.m."]),
        ("> Bring:\n> - a lamp for the way\n> - the key of the gate",
         ["Bring:", "a lamp for the way", "the key of the gate"]),
        ("The gate is wide if it is\n> 5 m.", ["The gate is wide if it is > 5 m."]),
        ("```\n> gate open\n```", ["> gate open"]),
    ],
)  # fmt: skip
def test_a_quote_is_read_without_its_marks(source: str, expected: list[str]) -> None:
    assert [sentence.text for sentence in sentences(source)] == expected


def test_a_question_in_bold_is_a_heading() -> None:
    assert [sentence.kind for sentence in sentences("**Can I go?**\n\n- By train")] == ["heading", "item"]


@pytest.mark.parametrize(
    "source",
    [
        "| Plan | Monthly price |\n|---|--:|\n| Team | $29 |\n| Home \\| Solo | $9 |",
        "Plan | Monthly price\n--- | ---\nTeam | $29\nHome \\| Solo | $9",
    ],
)
def test_a_table_row_is_read_with_its_header(source: str) -> None:
    header, *rows = sentences(source)
    assert header.kind == "heading"
    assert [row.text for row in rows] == ["Plan: Team; Monthly price: $29", "Plan: Home | Solo; Monthly price: $9"]
    assert {row.kind for row in rows} == {"item"}
    assert rows[0].verbatim(source) in source.splitlines()


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (
            "- **Garden.** Rosa waters it. She is away in May.\n- **Roof:** It leaks.",
            ["Garden: Rosa waters it.", "Garden: She is away in May.", "Roof: It leaks."],
        ),
        (
            "**Opening hours** – Daily from nine. Closed in May.",
            ["Opening hours: Daily from nine.", "Opening hours: Closed in May."],
        ),
        ("**Note:** Take care. It is hot.", ["**Note:** Take care.", "It is hot."]),
        ("**All of it is bold.**", ["**All of it is bold.**"]),
        ("The **bold** word heads nothing. So it stays.", ["The **bold** word heads nothing.", "So it stays."]),
    ],
)
def test_what_stands_under_words_in_bold_is_read_with_them(source: str, expected: list[str]) -> None:
    found = sentences(source)
    assert [one.text for one in found] == expected
    assert all(one.headless in one.text for one in found)


def test_sentences_know_their_place_in_a_list() -> None:
    text = "1. Stop it. Wait a little.\n2. Start it.\n- A point.\n\nProse here."
    found = sentences(text)
    assert [one.step(text) for one in found] == [1, None, 2, None, None]
    assert [one.goes_on(text) for one in found] == [False, True, False, False, False]


def test_a_loaded_row_is_a_sentence_of_its_own() -> None:
    found = sentences("a b: 1; c: 2; d: 3\na b: 4; c: 5; d: 6")
    assert [(row.text, row.kind) for row in found] == [("a b: 1; c: 2; d: 3", "item"), ("a b: 4; c: 5; d: 6", "item")]


def test_the_cells_of_a_row_are_found_again_in_it() -> None:
    told = row(("Plan", "Users", "Note"), "| Team | 5 | |")
    assert (is_row(told), cells(told)) == (True, [("Plan", "Team"), ("Users", "5")])
    nameless = row(("", "Team", "Business"), "| Users | 5 | 25 |")
    assert (is_row(nameless), cells(nameless)) == (True, [("Team", "5"), ("Business", "25")])
    assert not is_row("Register by the 6th; places on the bus: 28.")


@pytest.mark.parametrize(
    ("text", "columns", "left"),
    [
        ("Users; Team: 5; Business: 25", ["Team"], "Users; Team: 5"),
        ("Users; Team: 5; Business: 25", ["Plan"], "Users; Team: 5; Business: 25"),
        ("Logs; Team: 5 days; then gone; Business: none", ["Team"], "Logs; Team: 5 days; then gone; Business: none"),
        ("Plan: Team; Users: 5; Price: 20", ["Users"], "Plan: Team; Users: 5; Price: 20"),
    ],
)
def test_a_row_is_narrowed_to_columns(text: str, columns: list[str], left: str) -> None:
    assert narrowed(text, columns) == left


def test_a_row_is_not_cut_within_a_cell() -> None:
    """What stands behind would be told without the row that it belongs to."""
    rows = ["plan: Team; note: Billed monthly. Cancel any time.; price: 20", "plan: Biz; note: No refunds."]
    assert [one.text for one in sentences("\n".join(rows))] == rows
    listed = "1. Retry: five times; limit: 3 hours. Then it stops.\n2. Wait: an hour."
    assert [one.text for one in sentences(listed)][1] == "Then it stops."


@given(st.text(alphabet="aB .\n!?->`\"'#=(*1|:;", max_size=200))
def test_sentences_are_in_order_and_inside(source: str) -> None:
    end = 0
    for sentence in sentences(source):
        assert end <= sentence.start < sentence.end <= len(source)
        assert sentence.verbatim(source) == source[sentence.start : sentence.end]
        end = sentence.end


def test_words_keep_identifiers_whole_and_split() -> None:
    assert words("json.dumps sort_keys NamedTemporaryFile") == [
        *("json.dumps", "json", "dumps", "sort_keys", "sort", "keys"),
        *("namedtemporaryfile", "named", "temporary", "file"),
    ]


def test_content_words_drop_function_and_question_words() -> None:
    assert content_words("What does sort_keys of json.dumps do?") == ("sort_keys", "json.dumps")
    assert content_words("Quem escreveu o livro?") == ("escreveu", "livro")


@pytest.mark.parametrize(
    ("one", "other", "language"),
    [
        ("merges", "merged", Language.ENGLISH),
        ("deletion", "delete", Language.ENGLISH),
        ("written", "wrote", Language.ENGLISH),
        ("caught", "catches", Language.ENGLISH),
        ("copies", "copy", Language.ENGLISH),
        ("responsible", "responsibilities", Language.ENGLISH),
        ("organises", "organization", Language.ENGLISH),
        ("nações", "nação", Language.PORTUGUESE),
        ("criou", "criada", Language.PORTUGUESE),
        ("animais", "animal", Language.PORTUGUESE),
    ],
)
def test_stems_meet(one: str, other: str, language: Language) -> None:
    assert stem(one, language) == stem(other, language)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("responsible", "response"),
        ("important", "imports"),
        ("customers", "custom"),
        ("engineers", "engine"),
        ("internal", "international"),
        ("authorization", "author"),
        ("production", "products"),
        ("departments", "depart"),
    ],
)
def test_words_of_other_things_keep_stems_apart(one: str, other: str) -> None:
    assert stem(one) != stem(other)


def test_negation_and_language() -> None:
    assert has_negation("It isn't there.", Language.ENGLISH)
    assert has_negation("Não está aqui.", Language.PORTUGUESE)
    assert not has_negation("Está no livro.", Language.PORTUGUESE)
    assert language_of("What is the capital of France?") is Language.ENGLISH
    assert language_of("Qual é a capital da França?") is Language.PORTUGUESE
    assert language_of("A sala tem vinte lugares.") is Language.PORTUGUESE
    assert language_of("A porta nunca fica trancada.") is Language.PORTUGUESE
    assert "the" in STOP_WORDS[Language.ENGLISH]


def test_cues_are_whole_words() -> None:
    assert cues_in("Maybe it may rain.", ("may", "might")) == ["may"]
    assert cues_in("Mayor", ("may",)) == []


def test_an_assignment_to_a_slice_is_code() -> None:
    found = sentences("    root = []\n    root[:] = [root, root, None]  # initialize by pointing to self\n")
    assert [one.kind for one in found] == ["code"]


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("Call :func:`open_gate`\nor [ask](x.md).", ["Call `open_gate` or ask."]),
        ('!!! tip "Oil"\n    Oil it in spring.\n\n:::note\nShut it.\n:::\n', ["Oil it in spring.", "Shut it."]),
        ("/// warning | Cuidado\n\nFeche o portão.\n\n///\n", ["Feche o portão."]),
        ("> [!NOTE]\nShut it.\n\n[guild]: https://guild.test\n.. _town: https://town.test\n", ["Shut it."]),
        ("| Part | Use  |\n|------+------|\n| Lock | Shut |\n", ["| Part | Use |", "Part: Lock; Use: Shut"]),
        ("| Part |\n|---|\n| [Lock](a.md) <b>shut</b> |\n", ["| Part |", "Part: Lock shut"]),
        (
            "Without a lock, add\n\n  --no-lock\n\nto the command. It opens.",
            ["Without a lock, add --no-lock to the command.", "It opens."],
        ),
        (
            "Sem tranca, acrescente\n\n```\n--sem-tranca\n```\n\nao comando.",
            ["Sem tranca, acrescente --sem-tranca ao comando."],
        ),
        ("Do this:\n\n  --no-lock\n\nIt opens.", ["Do this:", "--no-lock", "It opens."]),
        (
            '- "SHUT\\r\\n"\n\n  means that it is locked. Knock.\n\n- "OPEN"\n\n  means come in.\n',
            ['"SHUT\\r\\n": means that it is locked.', "Knock.", '"OPEN": means come in.'],
        ),
        ("**max_width:** Four. It is fixed.", ["max_width: Four.", "max_width: It is fixed."]),
    ],
)
def test_markup_is_no_part_of_a_sentence(text: str, read: list[str]) -> None:
    assert [one.text for one in sentences(text)] == read


def test_a_sentence_without_its_markup_stands_where_it_stood() -> None:
    text = "See [the guide](x.md).\n\nWithout a lock, add\n\n  --no-lock\n\nto :ref:`the command <cmd>`."
    assert [one.verbatim(text) for one in sentences(text)] == [
        "See [the guide](x.md).",
        "Without a lock, add\n\n  --no-lock\n\nto :ref:`the command <cmd>`.",
    ]


@pytest.mark.parametrize(
    "text",
    [
        "<gate>\n  <width unit='m'>4</width>\n</gate>\n",
        '<?xml version="1.0"?>\n<!-- Set by hand. -->\n<gate width="4"/>\n',
    ],
)
def test_a_line_of_xml_is_no_prose(text: str) -> None:
    assert {one.kind for one in sentences(text)} == {"code"}


@pytest.mark.parametrize("letters", [str.maketrans("ISK", "İſ\u212a"), str.maketrans("IS", "ıſ")])
@pytest.mark.parametrize(
    ("reads", "text"),
    [
        (lambda text: numbers(text, Language.ENGLISH), "SIX"),
        (lambda text: numbers(text, Language.PORTUGUESE), "SEIS MIL"),
        (lambda text: numbers(text, Language.PORTUGUESE)[0].value, "3 MILHÕES DE AVES"),
        (lambda text: numbers(text, Language.PORTUGUESE)[0].value, "às 8h da NOITE"),
        (lambda text: numbers(text, Language.ENGLISH)[0].value, "$12K"),
        (frequencies, "DAILY AND TWICE IN SIX WEEKS, ONCE EVERY FORTNIGHT"),
        (lambda text: list(workings(text)), "20 TIMES 3 = 60"),
        (lambda text: read(text, Language.ENGLISH).dates, "On APRIL 5"),
        (lambda text: conditions(text, Language.ENGLISH).must_have, "Only from WIKIPEDIA"),
        (lambda text: criteria((), text, Language.PORTUGUESE)[0].target, "Liste pelo menos SEIS hotéis"),
        (lambda text: resolve(text, [Turn("Quanto custa o curso?")], Language.PORTUGUESE).text, "e quanto AOS livros?"),
    ],
)
def test_letters_that_a_pattern_takes_for_others_are_those(
    reads: Callable[[str], Any], text: str, letters: dict[int, int]
) -> None:
    assert reads(text.translate(letters)) == reads(text)


LONG_HELP = """\
Options:
  -o, --output-file <FILE>
          Where the report is written [default: stdout]

          [env: GATE_OUTPUT=]

  -q, --quiet
          Say nothing at all
"""


@pytest.mark.parametrize(
    ("before", "after", "fence"), [("```\n", "```\n", ""), ("", "```\n", "```"), ("", "", "```text")]
)
def test_what_a_help_page_says_of_an_option_may_stand_below_it(before: str, after: str, fence: str) -> None:
    head, *options = sentences(f"{before}{LONG_HELP}{after}", fence=fence)
    assert head.text.strip() == "Options:"
    assert [one.text for one in options] == [
        "-o, --output-file <FILE>: Where the report is written [default: stdout] [env: GATE_OUTPUT=]",
        "-q, --quiet: Say nothing at all",
    ]


def test_the_name_of_a_tab_is_no_part_of_what_is_said() -> None:
    assert [one.text for one in sentences('Write it so:\n\n=== "gate.toml"\n\nThe gate is open.')] == [
        "Write it so:",
        "The gate is open.",
    ]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("_will not_ start", ["will", "not", "start"]),
        ("_not_ here", ["not", "here"]),
        ("set `_value_` here", ["set", "_value_", "here"]),
        ("a `_private` name and `public_` ones", ["a", "_private", "name", "and", "public_", "ones"]),
    ],
)
def test_underscores_that_emphasize_are_no_part_of_a_word(text: str, words: list[str]) -> None:
    assert [token.word for token in tokens(text)] == words
    assert all(text[token.start : token.end].lower() == token.word for token in tokens(text))
