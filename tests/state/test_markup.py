"""Lines without their inline markup: what a reader sees stays, word for word."""

import time

import pytest

from calibrant.state.markup import plain


@pytest.mark.parametrize(
    ("line", "read"),
    [
        ("Call :func:`open_gate` first.", "Call `open_gate` first."),
        ("Set :py:attr:`~barn.Gate.width` to 3.", "Set `width` to 3."),
        ("Set :attr:`.Gate.width` in :file:`.env` to 3.", "Set `Gate.width` in `.env` to 3."),
        ("See :ref:`the second part <part-two>`.", "See the second part."),
        ("The lock is new. :issue:`412`", "The lock is new. #412"),
        ("Ask `the guild <https://guild.test/a>`_ or `the Town Hall`__.", "Ask the guild or the Town Hall."),
        ("Ask [the guild](https://guild.test/a_(b)) now.", "Ask the guild now."),
        ("Leia [o guia](guia.md#porta){.internal-link target=_blank}.", "Leia o guia."),
        ("Ask [the guild][guild] or [`Gate`](gate.md).", "Ask the guild or `Gate`."),
        ("[![build](b.svg)](https://ci.test) Barn", " Barn"),
        ("![A gate](gate.png) of oak", "A gate of oak"),
        ('Install <a href="https://x.test"><b>hinges</b></a> first.<br>Then oil.', "Install hinges first. Then oil."),
        ("2<sup>32</sup> barns of 4 m<sup>2</sup>, the 1<sup>st</sup>", "2^32 barns of 4 m2, the 1st"),
        ("Press <kbd>F2</kbd><!-- or F3 -->.", "Press F2 ."),
        ("## A porta { #porta }", "## A porta"),
        ("{exc}`JamError` where it jams. {issue}`412`", "`JamError` where it jams. #412"),
        ("Set {attr}`~barn.Gate.width` as {ref}`the guide <guide>` has it.", "Set `width` as the guide has it."),
        ("{py:meth}`Gate.open()` opens it.", "`Gate.open()` opens it."),
        ('Ask {% person "ana" "Ana" %} at {% room "the Barn" %}.', "Ask Ana at the Barn."),
        ('[Open it]({% page "/gate#open" %}) as {% page "/gate" %} has it.', "Open it as  has it."),
        ('{%- note -%}A {{< term text="gate" id="g1" >}} of oak{{% /note %}}', "A gate of oak"),
        (".. versionadded:: 2.1", "Added in version 2.1."),
        ("  ..  versionchanged:: 2.3  Was 3 before.", "Changed in version 2.3: Was 3 before."),
        (".. deprecated:: 3.0 Use `shut`.", "Deprecated since version 3.0: Use `shut`."),
        (":param width: How wide it opens.", "width: How wide it opens."),
        (":param str | None name: Its name. :type wood: str", "name: Its name. Type of wood: str"),
        (":raises JamError: Where it jams.", "Raises JamError: Where it jams."),
        (":type: Gate", "Type: Gate"),
        (":return: The gate. :rtype: Gate", "Returns: The gate. Return type: Gate"),
    ],
)  # fmt: skip
def test_markup_is_not_read(line: str, read: str) -> None:
    assert plain(line) == read


@pytest.mark.parametrize(
    "line",
    [
        "Write ``[a](b)`` or `<b>` for it.",
        "The cell table[2][3] holds dict[str](x).",
        "set <key> <time> <a> and <b>",
        "As shown before [1][2].",
        "At 10:30: `go`",
        "{% block gate %}",
        "Write `{% endif %}` and {{ gate.width }}.",
        "Write `{name}` or ``{exc}`Jam` `` for it.",
        "The shell's ${gate}`date` is another one.",
        "{two words}`gate`",
        "A note of .. versionadded:: 2.1 in the middle",
        ".. versionadded::",
        ".. note:: Oil it.",
        "The keys are a:param b: and :param: and :meta private:",
    ],
)
def test_what_only_looks_like_markup_stays(line: str) -> None:
    assert plain(line) == line


@pytest.mark.parametrize(
    "part",
    [
        "a",
        "[",
        "`",
        "``a",
        "![x](",
        "<a ",
        "<!--",
        ":a:`",
        "a-:",
        "[a](((",
        "{ :",
        "<b>",
        "{a",
        "{a}`",
        ":param a",
        '{% a "b" ',
        '{% a "b',
    ],
)
def test_a_hostile_line_takes_no_longer_than_others(part: str) -> None:
    started = time.process_time()
    plain("[" + part * 10_000 + "](")
    assert time.process_time() - started < 2


def test_a_hostile_text_of_a_tag_takes_no_longer_than_others() -> None:
    started = time.process_time()
    plain('{% a "b' + "/" * 50_000 + ' c" %}')
    assert time.process_time() - started < 2
