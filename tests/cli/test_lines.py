"""Lines on stderr: broken between words on a terminal, left whole elsewhere."""

import pytest

from calibrant.interfaces.lines import broken, say

STOPPED = "calibrant: stopped; what was read is kept: the same command goes on where it stood"
RESUME = "stopped; `calibrant resume 1128-7f3a` goes on"


@pytest.mark.parametrize(
    ("line", "width", "lines"),
    [
        (STOPPED, len(STOPPED), [STOPPED]),
        (STOPPED, len(STOPPED) - 1, [STOPPED.removesuffix(" stood"), "stood"]),
        (RESUME, 45, [RESUME]),
        (RESUME, 44, ["stopped; `calibrant resume 1128-7f3a` goes", "on"]),
        (RESUME, 30, ["stopped;", "`calibrant resume 1128-7f3a`", "goes on"]),
        (RESUME, 20, ["stopped;", "`calibrant resume 1128-7f3a`", "goes on"]),
        ("no-break at-a-hyphen", 12, ["no-break", "at-a-hyphen"]),
        ("", 80, [""]),
    ],
)
def test_a_line_is_broken_between_words_and_a_command_never(line: str, width: int, lines: list[str]) -> None:
    assert broken(line, width).split("\n") == lines


def test_where_there_is_no_terminal_a_line_stays_whole(capsys: pytest.CaptureFixture[str]) -> None:
    say(STOPPED * 10)
    assert capsys.readouterr().err == STOPPED * 10 + "\n"
