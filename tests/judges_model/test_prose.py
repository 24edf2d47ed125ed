"""A model's free text, as a reader sees it."""

import pytest

from calibrant.judges.model.prose import prose, without_code


def test_prose_has_no_links_of_a_models_own() -> None:
    assert prose("See [docs](http://x.y) at http://a.b/c [S1].\nNow (C1, C2)") == "See docs at . Now"
    assert prose("Use http://localhost:8000/v1 here", "it serves http://localhost:8000/v1") == (
        "Use http://localhost:8000/v1 here"
    )
    assert prose("Take the **Team plan**, with **two** seats, f(**options), 2**3") == (
        "Take the Team plan, with two seats, f(**options), 2**3"
    )
    assert prose("Run `wget https://a.b/c.asc`.", "run wget https://a.b/c.asc") == "Run `wget https://a.b/c.asc`."
    code = "Use:\n```sh\na  1\n  b 2\n```\nThen go."
    assert prose(code, "$ a 1 b 2") == "Use:\n```\na  1\n  b 2\n```\nThen go."
    assert prose(code, "$ a 1 b 3") == "Use.\nThen go.", "what announced it announces nothing"
    command = "Use:\n```\nship back APP --to V --force\n```\nThen go."
    assert prose(command, "Run `ship back APP --to V`. Only where needed, add `--force`.") == command
    assert prose(command, "Run `ship back APP --to V`. Nothing forces it.") == "Use.\nThen go."
    assert prose(command, "ship, back, APP, --to, V, --force") == "Use.\nThen go."
    assert prose("Write **bold** so", "it is written **bold**") == "Write **bold** so"
    rows = "| Barn | Bales |\n|---|---|\n| **East** | 40 |"
    assert prose(f"There are two.\nThe barns:\n\n{rows}\nThat is\nall.") == (
        f"There are two.\n{rows.replace('**', '')}\nThat is all."
    )
    assert prose("a | b\n| c |") == "a | b | c |"
    assert prose("To open it:\n1. Lift the **bar**.\n2. Push [S1].") == "1. Lift the bar.\n2. Push."
    assert prose("It is open:\n- always, and\nnow.") == "It is open: - always, and now."
    assert prose("word " * 500, limit=50).endswith(" …")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Locks are short (Source: S2).", "Locks are short."),
        ("Locks [S1, S2] are short (see passages S1 and S3).", "Locks are short."),
        ("According to S2, locks are short.", "Locks are short."),
        ("As stated in passages S1 and S2, locks are short.", "Locks are short."),
        ("Segundo o trecho S1, a tranca é curta.", "A tranca é curta."),
        ("According to the manual, locks are short.", "According to the manual, locks are short."),
        ("The Galaxy (S9) is short.", "The Galaxy (S9) is short."),
    ],
)
def test_prose_names_no_id_of_the_prompt(text: str, told: str) -> None:
    assert prose(text, "The Galaxy (S9) is a telephone.") == told


def test_code_may_have_what_was_asked_with_and_the_names_that_passages_have() -> None:
    held, asked = "Set `limit_per_barn = 5` in the file. `Gate.open(barn)` opens it.", "But no more than 3?"
    told = "Set it so:\n```\nlimit_per_barn = {}\n```"
    assert prose(told.format(3), held, asked) == told.format(3)
    assert prose(told.format(4), held, asked) == "Set it so."
    written = "Open it so:\n```\ndef unlock(barn):\n    Gate.open(barn)\n```"
    assert prose(written, held, "Write a def that opens it") == written
    assert prose(written.replace("Gate.open", "requests.get"), held) == "Open it so."


def test_what_announces_code_is_told_apart_from_it() -> None:
    assert without_code("Open it so:\n```\nopen barn\n```") == "Open it so:"
    assert without_code("```\nopen barn\n```") == "```\nopen barn\n```"


COMPRESSION = "borg create --compression lz4 takes ALGO,LEVEL. Leave out files with --exclude PATTERN."


@pytest.mark.parametrize(
    ("command", "is_told"),
    [
        ("borg create --compression zstd,22 --exclude '*.log' nas:/srv/www::web", True),
        ("borg create --compression=zstd,22 --exclude='*.log' nas:/srv/www::web", True),
        ("borg create --compression zstd,22 --skip '*.log' nas:/srv/www::web", False),
        ("restic backup --exclude '*.log' --compression max", False),
    ],
)
def test_a_command_may_have_the_values_that_were_asked_with(command: str, is_told: bool) -> None:
    asked = "How do I back up /srv/www to nas:/srv/www::web with zstd,22, without *.log?"
    told = prose(f"Run:\n```\n{command}\n```", COMPRESSION, asked)
    assert (command in told) is is_told
