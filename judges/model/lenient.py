"""Types that read what models write in place of what was asked for, where the meaning is plain.

``null`` for an empty string, one string for a list of one, ``"[1]"`` for an id, ``"3 of 4"`` for a number. What has no
plain meaning is left out or refused, never guessed.
"""

import json
import math
import re
from functools import partial
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, ValidationError, ValidatorFunctionWrapHandler, WithJsonSchema, WrapValidator

ROWS = 12
"""The longest list that any schema takes."""

TOP_RATING = 4

NAME_LIMIT = 40
"""Characters that are kept of what a model names in place of an id: a title, at best."""

_NAMES_OF_IDS = ("claim", "question", "pair")
"""Fields that hold the id of what a row is about."""

EDGES = " []().\"'"
"""Signs around an id or a name that are no part of it."""


def letters(name: str) -> str:
    """What two ways of writing a name share."""
    return re.sub(r"[^a-z]", "", name.lower())


def _text(value: Any) -> Any:
    if value is None:
        return ""
    if isinstance(value, dict):
        strings = (item for item in value.values() if isinstance(item, str))
        return min(strings, key=lambda item: _NUMBERED.fullmatch(item) is not None, default=value)
    if isinstance(value, list) and all(isinstance(item, str) for item in value):
        return " ".join(value)
    return str(value) if isinstance(value, int | float) else value


_NUMBERED = re.compile(r"[A-Za-z]?\d*")
"""An id such as "Q2": what an object says is another one of its strings."""


def _quote(value: Any) -> Any:
    """The words of several places as they are asked for: with an ellipsis between them."""
    several = isinstance(value, list) and all(isinstance(item, str) for item in value)
    return " ... ".join(value) if several else _text(value)


def _json(value: Any) -> Any:
    return json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else _text(value)


def items(value: Any) -> Any:
    """A list, of one where there is no list, and of rows by their ids where an object has them so; what is too long is
    cut."""
    if value is None or value == "":
        return []
    if isinstance(value, dict) and value and all(isinstance(row, dict) for row in value.values()):
        value = [{**dict.fromkeys(_NAMES_OF_IDS, key), **row} for key, row in value.items()]
    return value[:ROWS] if isinstance(value, list | tuple) else [value]


def sound(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """The rows that fit. Where none does, the model is told why."""
    rows = items(value)
    try:
        return check(rows)
    except ValidationError as error:
        misfits = {row["loc"][0] for row in error.errors(include_url=False, include_input=False) if row["loc"]}
        if len(misfits) == len(rows):
            raise
        return check([row for at, row in enumerate(rows) if at not in misfits])


def _ids(letter: str, value: Any) -> Any:
    """Ids in the forms that models give them: ``S1``, ``"S1, S2"``, ``["[S1]"]``, ``1``, ``"source 1"``."""
    return [found for item in items(value) for found in _ids_in(letter, str(item))]


def _ids_in(letter: str, text: str) -> list[str]:
    named = re.findall(rf"(?<![A-Za-z0-9]){letter}[\s_#-]?0*(\d+)(?![A-Za-z0-9])", text, re.IGNORECASE)
    if not named and _BARE_NUMBERS.fullmatch(text):
        named = re.findall(r"\d+", text)
    plain = text.strip(EDGES)
    return [f"{letter}{number}" for number in named] or ([plain[:NAME_LIMIT]] if plain else [])


_BARE_NUMBERS = re.compile(r"\W*(?:[A-Za-z]+\W+)?\d{1,2}(?:\s*[,;]\s*\d{1,2})*\W*")
"""Numbers with at most a word before them: an id without its letter. A sentence with a number in it is none."""


def _id(letter: str, value: Any) -> Any:
    return next(iter(_ids(letter, value)), "")


def _word(value: Any) -> Any:
    """The first word: ``"Supported (S1)"`` says the same as ``"supported"``."""
    found = re.match(r"\W*(\w+)", value) if isinstance(value, str) else None
    return found.group(1).lower() if found else value


def _verdict(value: Any) -> Any:
    """The verdict. What is "not supported", or is so "partially", is not verified as it stands."""
    word = _word(value)
    return "unverified" if word in ("not", "unsupported", "partially", "partly", "partial") else word


_NOT_SAID = re.compile(
    r"(?:(?:the|these|given|provided) )*(?:passages?|documents?|sources?|texts?) (?:do|does|did) not "
    r"(?:say|state|tell|mention|contain|include|provide|specify|give|have) |"
    r"(?:[oa]s? )?(?:passagens|passagem|trechos?|documentos?|fontes?|textos?) não (?:dizem?|mencionam?|contêm|contém|"
    r"indicam?|informam?|especificam?|incluem?|inclui|têm|tem) ",
    re.IGNORECASE,
)
_INFORMATION = re.compile(
    r"(?:(?:any|specific|more|further|explicit) )*(?:information|details?|data) (?:about|on|regarding|concerning) |"
    r"(?:mais |quaisquer |qualquer )?(?:informaç(?:ões|ão)|detalhes|dados) (?:sobre|acerca d[eao]s?) ",
    re.IGNORECASE,
)
"""What small models write in front of what is missing, in a sentence of their own: nobody would search for that."""


def _missing(value: Any) -> Any:
    """What is missing; nothing where "none" is."""
    text = _text(value)
    if not isinstance(text, str):
        return text
    for lead in (_NOT_SAID, _INFORMATION):
        found = lead.match(text.lstrip())
        text = text.lstrip()[found.end() :] if found else text
    return "" if letters(text) in ("none", "nothing", "na", "null") else text


def _known(value: Any, check: ValidatorFunctionWrapHandler) -> Any:
    """The word if it is one of ours; None leaves the judgement to the free tier."""
    try:
        return check(_word(value))
    except ValidationError:
        return None


def _flag(value: Any) -> Any:
    return False if value is None or value == "" else _word(value)


def _number(value: Any) -> float | None:
    """The first number in ``value``; of "3 of 4" the first. Digits without end are none: no model means them."""
    found = re.search(r"-?\d+(?:\.\d+)?", str(value))
    number = float(found.group()) if found and not isinstance(value, bool) else math.inf
    return number if math.isfinite(number) else None


def _numbers(value: Any) -> Any:
    """Whole numbers in whatever words: ``"step 1"``, ``"1, 2"``."""
    parts = (part for item in items(value) for part in re.split(r"[,;&]|\band\b|\be\b", str(item)))
    return [int(number) for part in parts if (number := _number(part)) is not None]


def _count(value: Any) -> Any:
    number = _number(value)
    return 1 if number is None else min(100, max(1, int(number)))


def _rating(value: Any) -> Any:
    """A rating on our scale; None for one on another scale (0.85, 85), of which nobody knows what it means."""
    number = _number(value)
    if number is None or not 0 <= number <= TOP_RATING or 0 < number < 1:
        return None
    return round(number)


Text = Annotated[str, BeforeValidator(_text)]
Missing = Annotated[str, BeforeValidator(_missing)]
Quote = Annotated[str, BeforeValidator(_quote)]
"""Words of passages, several runs of them in a list too."""
Json = Annotated[str, BeforeValidator(_json)]
"""JSON in a string, or the object itself in its place."""
Texts = Annotated[tuple[Text, ...], BeforeValidator(items)]
Truth = Annotated[bool, BeforeValidator(_word)]
Flag = Annotated[bool, BeforeValidator(_flag)]
"""The same, false where nothing is said."""
Numbers = Annotated[tuple[int, ...], BeforeValidator(_numbers)]
Count = Annotated[int, BeforeValidator(_count)]
SourceIds = Annotated[tuple[str, ...], BeforeValidator(partial(_ids, "S"))]
SourceId = Annotated[str, BeforeValidator(partial(_id, "S"))]
ClaimIds = Annotated[tuple[str, ...], BeforeValidator(partial(_ids, "C"))]
ClaimId = Annotated[str, BeforeValidator(partial(_id, "C"))]
QuestionId = Annotated[str, BeforeValidator(partial(_id, "Q"))]
CallId = Annotated[str, BeforeValidator(partial(_id, "K"))]
PairId = Annotated[str, BeforeValidator(partial(_id, "P"))]

KnownQueryType = Annotated[
    Literal["factual", "operational", "decision", "strategic"] | None,
    WrapValidator(_known),
    WithJsonSchema({"type": "string", "enum": ["factual", "operational", "decision", "strategic"]}),
]
VerdictName = Annotated[Literal["supported", "contradicted", "qualified", "unverified"], BeforeValidator(_verdict)]
PairKind = Annotated[Literal["contradiction", "inconsistency", "ambiguity", "none"], BeforeValidator(_word)]
ItemKind = Annotated[Literal["insight", "practice", "mistake", "pattern", "code"], BeforeValidator(_word)]
Rating = Annotated[int | None, BeforeValidator(_rating), WithJsonSchema({"type": "integer"})]
