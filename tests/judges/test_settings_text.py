"""Settings files: a key is read with its sections and its comment; what is no such file is left alone."""

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.words.settings_text import documented, settings
from calibrant.judges.free.words.text import sentences

CACHE = """\
# Written by the deployment.

cache:
  # Shorter than the lease. Otherwise two workers hold one job.
  ttl: 45
  size: 2GB        # per node
  backends:
    - memory
    - disk
"""
SERVER = """\
[server]
; Seconds until an idle client is cut off
idle = 90
port = 8080
[tls]
min_version = "1.3"
"""


def test_a_key_is_read_with_its_sections_and_comment() -> None:
    found = settings(CACHE)
    assert [one.text for one in found] == [
        "Written by the deployment.",
        "cache > ttl: 45 (Shorter than the lease; Otherwise two workers hold one job)",
        "cache > size: 2GB (per node)",
    ]
    assert CACHE[found[1].start : found[1].end].startswith("  # Shorter")
    assert CACHE[found[1].start : found[1].end].endswith("ttl: 45")


def test_a_hash_within_a_word_opens_no_comment() -> None:
    found = settings("channel: \"#ferry\"  # where it tells\nhome: https://ferry.example/a#top\ncolor: '#fff'\n")
    assert [one.text for one in found] == [
        'channel: "#ferry" (where it tells)', "home: https://ferry.example/a#top", "color: '#fff'",
    ]  # fmt: skip


def test_sections_in_brackets() -> None:
    assert [one.text for one in settings(SERVER)] == [
        "server > idle: 90 (Seconds until an idle client is cut off)",
        "server > port: 8080",
        'tls > min_version: "1.3"',
    ]


def test_environment_files() -> None:
    text = "# Where mails go\nMAIL_HOST=smtp.example.org\nMAIL_PORT=587\nMAIL_USER=web  # no password\n"
    assert [one.text for one in settings(text)] == [
        "MAIL_HOST: smtp.example.org (Where mails go)",
        "MAIL_PORT: 587",
        "MAIL_USER: web (no password)",
    ]


def test_a_comment_may_end_like_a_statement() -> None:
    text = "[door]\n# Locked at night;\n# opened by the guard (see the plan)\nlocked = true\nguard = 2\nbell = 1\n"
    assert settings(text)[0].text == "door > locked: true (Locked at night; opened by the guard (see the plan))"


def test_settings_are_entries_to_quote() -> None:
    assert {one.kind for one in sentences(CACHE)} == {"item"}


@pytest.mark.parametrize(
    "text",
    [
        "# Setup\n\nInstall it: now.\nThen run it.\n",
        "name: A\nrole: B\n\nA paragraph of prose that goes on.\nother: C\n",
        "import os\nx = 1\ny = 2\nz = 3\n",
        "## Keys\na: 1\nb: 2\nc: 3\n",
        "key: value\n",
        "- Chair: Ana Reis\n- Treasurer: Kai Berg\n- Secretary: Lea Ott\n- Youth group treasurer: Ida Falk\n",
        "- Presidente: Ana Reis\n- Tesoureiro: Rui Paz\n- Vogal: Eva Dias\n",
        "port: 1\nhost: a\nuser: b\n- Name of the second owner: Ana\n",
    ],
)
def test_other_texts_are_no_settings(text: str) -> None:
    assert settings(text) == ()


@given(st.text(alphabet="ab:=# \n-[]1", max_size=80))
def test_what_is_found_lies_inside_and_in_order(text: str) -> None:
    ends = 0
    for one in settings(text):
        assert ends <= one.start < one.end <= len(text)
        ends = one.end


@pytest.mark.parametrize(
    ("line", "told"),
    [("c:  d  e  # f", "c: d  e (f)"), ("c: 5 # f g", "c: 5 (f g)"), ("c=d", "c: d"), ("c =  # f", "c: (f)")],
)
def test_the_spaces_around_a_value_and_its_comment_are_no_part_of_them(line: str, told: str) -> None:
    assert settings(f"a: 1\nb: 2\n{line}\n")[-1].text == told


FERRY = """\
office:
  hours: >
    The office opens at 8 in the morning. On Sundays
    it opens at 10: nobody is there before.

  # As the harbour has it.
  about: Dogs must be on a leash and
    stay on the upper deck.
  quoted: "It is said
    - by everybody: twice"
routes:
- name: north
  boats: 3
  notes: |
    A car with a trailer pays for two cars.
- name: south
  clean: |
    rm -rf /var/ferry/tmp
    find /var/ferry -delete
  inner: |
    width: 4
"""


def test_a_value_over_several_lines_is_read_sentence_by_sentence_and_a_script_line_by_line() -> None:
    found = settings(FERRY)
    assert [one.text for one in found] == [
        "office > hours: The office opens at 8 in the morning.",
        "office > hours: On Sundays it opens at 10: nobody is there before.",
        "office > about: Dogs must be on a leash and stay on the upper deck. (As the harbour has it)",
        'office > quoted: "It is said - by everybody: twice"',
        "routes > name: north",
        "routes > north > boats: 3",
        "routes > north > notes: A car with a trailer pays for two cars.",
        "routes > name: south",
        "routes > south > clean: rm -rf /var/ferry/tmp",
        "routes > south > clean: find /var/ferry -delete",
        "routes > south > inner > width: 4",
    ]
    assert " ".join(FERRY[found[1].start : found[1].end].split()) == found[1].text.partition(": ")[2]
    assert all(left.end <= right.start for left, right in pairwise(found))


def test_one_folded_value_makes_settings() -> None:
    assert [one.text for one in settings("about: >-\n  Oil it.\n  Then wait.\n")] == [
        "about: Oil it.",
        "about: Then wait.",
    ]


@pytest.mark.parametrize("line", ["a: |\n", "a: '\n", "a: >\n b\n", "a: |\n b c\n"])
def test_values_that_go_on_take_no_longer_than_others(line: str) -> None:
    started = time.process_time()
    settings("".join(" " * depth + line for depth in range(300)))
    settings(line * 5_000)
    assert time.process_time() - started < 4


@pytest.mark.parametrize("body", ["", "Oil the hinges every 6 months.\n"])
def test_front_matter_is_no_sentence_of_the_page(body: str) -> None:
    page = f"---\ntitle: Gates\nauthor: Noa Lind\nabout: Hung on\n  hinges.\n---\n\n{body}"
    assert [(one.kind, one.text) for one in sentences(page)] == [
        ("heading", "title: Gates"),
        ("item", "author: Noa Lind"),
        ("item", "about: Hung on hinges."),
        *([("prose", "Oil the hinges every 6 months.")] if body else []),
    ]


def test_two_rules_are_no_front_matter() -> None:
    page = "---\nThe gate is shut at night.\n---\nIt opens at 8.\n"
    assert [one.kind for one in sentences(page)] != ["heading", "item"]
    assert any("It opens at 8." in one.text for one in sentences(page))


BARN = """\
barn:
  # How often it is aired.
  # It costs nothing.
  [ interval: <duration> | default = 1h ]

  # gates: two
  gates:
    # Of oak
    - wood: oak
    - wood: pine
  # The woods that it takes
  [ woods: [<wood>, ...] | default = <any> ]
"""


def test_a_setting_of_an_example_is_read_with_the_comment_above_it() -> None:
    found = documented(BARN, 0, "yaml")
    assert [one.text for one in found] == [
        "interval: <duration> | default = 1h (How often it is aired; It costs nothing)",
        "woods: [<wood>, ...] | default = <any> (The woods that it takes)",
    ]
    assert BARN[found[1].start : found[1].end].split("\n")[0] == "# The woods that it takes"
    text = f"It is set so:\n\n```yaml\n{BARN}```\n"
    told = [one for one in sentences(text) if one.kind == "item"]
    assert [one.text for one in told] == [one.text for one in found]
    assert sentences(BARN, fence="```yaml")[1].text == found[0].text


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("# How wide it opens by default\nwidth = 4\n", "python"),
        ("# How wide it opens by default\nwidth = Width(\n  4)\n", ""),
        ("# How wide it opens by default\n\nwidth = 4\n", ""),
        ("# Width\nwidth = 4\n", ""),
        ("# How wide it opens by default\nopen the gate\n", ""),
    ],
)
def test_what_is_no_explained_setting_stays_code(code: str, language: str) -> None:
    assert documented(code, 0, language) == []
