"""Telling by words that a passage says the opposite of what a model states."""

import re

from calibrant.judges.free.answering.telling import FENCE
from calibrant.judges.free.comparing.decided import is_open
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.synthesis.quoted import Quoted
from calibrant.judges.free.synthesis.support import judge_support
from calibrant.judges.free.words.arithmetic import workings
from calibrant.judges.free.words.numbers import numbers
from calibrant.judges.free.words.text import unmarked
from calibrant.judges.model.names import DERIVED
from calibrant.judges.model.quoting import plain_word, plain_words
from calibrant.state.answer import Verdict

UNSURE = 0.5
"""A contradiction as doubtful as this is left to the review."""

_NOT_ALL = re.compile(
    r"\bnot (?:both|all|every|each)\b|\bnem (?:ambos|ambas|tod[oa]s)\b|\bnão (?:\w+ )?(?:ambos|ambas|tod[oa]s)\b",
    re.IGNORECASE,
)
"""Denies that something holds of each, and not that it holds of one."""
_UNDECIDED = re.compile(
    r"\b(?:no|not|nothing|never|none|não|nada|nenhum\w*)\b[^.;]*\b(?:decided|fixed|settled|approved|agreed|adopted|confirmed"
    r"|final|decidid[oa]s?|fixad[oa]s?|aprovad[oa]s?|definid[oa]s?|confirmad[oa]s?)\b",
    re.IGNORECASE,
)
"""Says that something is open."""
_OF_THOSE_NOT = re.compile(
    r"\b(?:(?:if|when|se|quando)(?:[^\w,;.]+\w+){0,4}?|(?:that|which|who|whoever|que|quem)(?:[^\w,;.]+\w+)?)"
    r"(?:[^\w,;.]+(?:not|never|não|nunca)|n[’']t)\b",
    re.IGNORECASE,
)
"""Denials in a clause that says of which case it speaks: "if it does not answer", "receipts that are not paid"."""
_ELSE = re.compile(
    r"\b(?:otherwise|unless|or else|if not|until|senão|(?:do|de) contrário|caso contrário|a menos que|a não ser)\b",
    re.IGNORECASE,
)
"""Tells of what holds where something is not so."""
_ENDING = re.compile(
    r"\b(?:stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|remov\w+|discontinu\w+|ceas\w+|exclud\w+|refus\w+|"
    r"reject\w+|forbid\w*|prohibit\w*|los(?:e|es|ing|t)|lack\w*|deficien\w+|devoid|free of|only|until|unless|"
    r"exclu[ií]\w+|recus\w+|rejeit\w+|pro[ií]b\w+|perd\w+|cess\w+|deix\w+ de|só|somente|apenas|até)\b",
    re.IGNORECASE,
)
"""Denies without a word for it: what was dropped is no longer there, what is kept until then must not go before."""
_UN = re.compile(r"\b(?:un|in|im|il|ir|dis|des)(\w{4,})", re.IGNORECASE)
"""A word that its beginning may deny: unknown, desconhecido."""


def denied(statement: str, *quotes: str, asked: str = "") -> bool:
    """Whether a quote plainly says the opposite of ``statement``, in the same words but for one, and none says it.
    ``asked``: what was asked, whose numbers may be reckoned with. Where both deny something, which words each denies
    is less plain: users cannot turn it off, it cannot be switched off by users; it is unknown, nobody knows it; "it has
    to be paid, otherwise ..." and "what is not paid ..." speak of another case; "not both" denies nothing that is said
    of one; what was proposed is not decided; and what is worked out from numbers of the quotes, such as the rest of a
    whole, is none of these. Nor is a value of the asker's own in code."""
    statement, quotes = unmarked(statement), tuple(map(unmarked, quotes))
    told = " ".join(quotes)
    if _NOT_ALL.search(statement) or _is_worked_out(statement, told):
        return False
    if _denies(statement, told) and all(_denies(quote, statement) or _ELSE.search(quote) for quote in quotes):
        return False
    if quotes and all(_OF_THOSE_NOT.search(quote) for quote in quotes):
        return False
    if _UNDECIDED.search(statement) and any(is_open(read(quote)) for quote in quotes):
        return False
    is_set = FENCE in statement or any(workings(statement))
    stated = _without_numbers_of(asked, statement) if is_set else statement
    found = judge_support(stated, [Quoted((quote,), (), quote) for quote in quotes], asked=asked)
    return found.verdict is Verdict.CONTRADICTED and found.doubt < UNSURE


def _denies(text: str, other: str) -> bool:
    """Whether ``text`` denies something, if only by what its verb means, or by the beginning of a word that ``other``
    has without it."""
    known = {word[:DERIVED] for word in plain_words(other)}
    denies = read(text).negative or _ENDING.search(text) is not None
    return denies or any(plain_word(word)[:DERIVED] in known for word in _UN.findall(text))


def _is_worked_out(statement: str, told: str) -> bool:
    """Whether ``statement`` shows a right calculation with numbers that are all ``told``."""
    held = {number.value for number in numbers(told)}
    return any(one.is_right and held.issuperset(one.operands) for one in workings(statement))


def _without_numbers_of(asked: str, statement: str) -> str:
    """``statement`` without the numbers that were asked with: what 140,000 cost follows from a price per 1,000."""
    known = {number.value for number in numbers(asked)}
    for number in reversed(numbers(statement)):
        if number.value in known:
            statement = statement[: number.start] + statement[number.end :]
    return statement
