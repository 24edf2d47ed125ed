"""What a question asks of something: the weight of it, how many seats it has; and whether a text speaks of that."""

import re
from collections.abc import Sequence
from itertools import islice, takewhile

from calibrant.judges.free.comparing.amounts import Quantity
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.labels import without_labels
from calibrant.judges.free.evidence.matching import is_said, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.units_asked import has_units, told_by_unit
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.numbers import CLOCK
from calibrant.judges.free.words.tables import cells, name_of
from calibrant.judges.free.words.text import STOP_WORDS, content_words, stem, stems, words
from calibrant.judges.free.words.units import CANONICAL, MONEY, UNITS
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

_KIN_LETTERS = 5
"""Words that begin with as many of the same letters are kin: insurance, insured."""
_GENERAL = (
    r"(?:meaning|purpose|name|use|function|point|reason|value|effect|result|job|kind|type|definition|significado|nome"
    r"|motivo|valor|tipo|finalidade|função|uso|utilidade|razão|efeito|resultado|definição|objetivo|sentido)\b"
)
"""What is said without a word for it."""
IS_GENERAL = re.compile(_GENERAL)
_PROPERTY = re.compile(
    rf"\b(?:(?:what|which|who|qual|quem) (?:is|are|was|were|é|era) (?:the |o |a )?|qual [oa] )"
    rf"(?!{_GENERAL})([\w -]{{2,40}}?) (?:of|for|in|at|on|with|d[aeo]s?|n[ao]s?)\b"
    r"|\b(?:what|which|who) (?:is|are|was|were) (?:the )?[\w .-]{2,60}['’]s? ([\w -]{2,40}?)\W*$",
    re.IGNORECASE,
)
_NAMED_BEFORE = re.compile(
    r"\b(?:what|which|qual|que|how much|quant[oa]) (?:[^\W\d_]+ ){0,2}?([^\W\d_]+) "
    r"(?:(?P<does>do|does|did)|should|must|can|is|are|was|were|has|have|needs?|deve|devo|é|tem|usa|precisa)\b",
    re.IGNORECASE,
)
"""What is asked for with its name before the verb: what voltage should I use, how much memory does it take?"""
COUNTED = re.compile(
    r"\b(?:how many|quant[oa]s) ((?:[^\W\d_]+ ){0,2}?(?:[^\W\d_]{2,}s|people|children|(?:wo)?men))\b", re.IGNORECASE
)
"""What is counted: how many seats."""
_AT_MOST = re.compile(r"\b(?:at (?:the )?most|maximum|max|no máximo|máxim[oa]s?)\b", re.IGNORECASE)
_MORE_THAN_ONE = re.compile(r"\b(?:more than one|mais (?:de|do que) uma?)\b", re.IGNORECASE)
_SETTING = re.compile(r"(?:^|[>;] )([^:;>]{1,60}): [\"']?$")
"""The key of a setting, or the name of a column, right before its value."""
_COUNTED_WORDS = 3
"""Words behind a number that may say what it counts."""
_VALUES = word_set("value default setting valor padrão")
"""Columns whose numbers count whatever the row is about."""
UNSAID = word_set(
    "number amount total size limit maximum minimum rate número quantidade tamanho people persons pessoas money "
    "dinheiro time times take takes tempo charge responsible responsável responsáveis limite máximo máxima mínimo "
    "mínima taxa vezes demora demoram dura duram leva levam"
)
"""What a row tells without a word for it, by its form."""


def says_measure(query: Query, item: Evidence, text: str) -> bool:
    """Whether ``text`` speaks of what is counted, where that is asked ("how many topics", not endpoints), and tells not
    the least of it where the most is asked for; and of the weight, the speed or the like, where that is asked for by
    its name."""
    if COUNTED.search(query.text) and (_counts_nothing(query, text) or _tells_the_least(query, text)):
        return False
    wanted = property_words(query)
    measured = [word for word in (*_property(query), *_named_before(query)) if has_units(word)]
    asks = COUNTED.search(query.text) or measured
    return not asks or says_any(query, wanted or measured, f"{line_above(item)} {text}")


def _tells_the_least(query: Query, text: str) -> bool:
    """Whether the question asks how many there are at most, and ``text`` only says that there may be more."""
    if not _AT_MOST.search(query.text):
        return False
    bounds = [amount.bound for amount in read(text, query.language).quantities]
    return all(bound == ">" for bound in bounds) if bounds else bool(_MORE_THAN_ONE.search(text))


def _counts_nothing(query: Query, text: str) -> bool:
    """Whether all that ``text`` tells in numbers is measured and not counted (money, a share, a length, a day, a time
    of day), or it speaks of what is counted, and its numbers count something else: "a member gives two weeks' notice".
    """
    found = read(text, query.language)
    units = {amount.unit for amount in found.quantities}
    is_unit = not UNITS.keys().isdisjoint(_property(query))
    if units <= {*(MONEY if is_unit else CANONICAL), "%", CLOCK} and (units or found.dates):
        return True
    counted = {stem(word, query.language) for word in _property(query)}
    if not counted.isdisjoint(stems(called_row(query, text), query.language)):
        return False
    bare = without_labels(text, query.asked)
    behind = [_behind(bare, amount, query.language) for amount in read(bare, query.language).quantities]
    others = bool(behind) and all(behind) and counted.isdisjoint(word for each in behind for word in each)
    return others and not counted.isdisjoint(stems(text, query.language))


def called_row(query: Query, row: str) -> str:
    """What a row is called, and its cells count: "Users; Team: 5", and where the question names one of other columns,
    "Feature: Users; Team: 5". Empty where the columns say what is counted."""
    if name := name_of(row):
        return name
    first, *others = cells(row) or [("", "")]
    asked = keys(query.text, query.language)
    columns = [content_words(name, query.language) for name, _ in others]
    named = any(words and all(is_said(one, query.language, asked) for one in words) for words in columns)
    return first[1] if named else ""


def _behind(text: str, amount: Quantity, language: Language) -> list[str]:
    """The stems of the words that a number counts, up to three: "four practical lessons a day"; by itself in a cell or
    as the value of a setting, of the column's or the setting's name, unless that is "Number", "Default" or the like."""
    named = _SETTING.search(text[: amount.start])
    if named and re.match(r"[\"']?(?:;|$)", text[amount.end :]):
        return [] if (UNSAID | _VALUES).intersection(words(named[1])) else list(keys(named[1], language))
    clause = re.split(r"[,.;:()]", text[amount.end :], maxsplit=1)[0]
    counted = takewhile(lambda word: word not in STOP_WORDS[language], words(clause))
    return [stem(word, language) for word in islice(counted, _COUNTED_WORDS)]


def property_words(query: Query) -> tuple[str, ...]:
    """The words for what is asked of something: the weight of it, how many seats it has. None where a sentence can tell
    it without them."""
    words = _property(query)
    return () if any(word in UNSAID or word in UNITS for word in words) else words


def what_it_has(query: Query) -> tuple[str, ...]:
    """The word for what something does have or use: what database does it use? None that is general."""
    before = _NAMED_BEFORE.search(query.text)
    named = content_words(before[1], query.language) if before and before["does"] else ()
    return tuple(word for word in named if word not in UNSAID | UNITS.keys() and not IS_GENERAL.fullmatch(word))


def _named_before(query: Query) -> tuple[str, ...]:
    """The word for what is asked, where it stands before the verb."""
    before = _NAMED_BEFORE.search(query.text)
    return content_words(before[1], query.language) if before else ()


def _property(query: Query) -> tuple[str, ...]:
    asked = COUNTED.search(query.text) or _PROPERTY.search(query.text)
    return content_words(next(filter(None, asked.groups())), query.language) if asked else ()


def says_any(query: Query, words: Sequence[str], text: str) -> bool:
    """Whether ``text`` has one of ``words`` or its kin, or the unit of the measure that they name; true of none."""
    held = keys(text, query.language)
    said = any(is_said(word, query.language, held) or _begins(word, held) for word in words)
    return said or not words or told_by_unit(words[-1], text)


def _begins(word: str, held: frozenset[str]) -> bool:
    """Whether a word of ``held`` is kin to ``word``: insurance, insured."""
    return len(word) >= _KIN_LETTERS and any(other.startswith(word[:_KIN_LETTERS]) for other in held)
