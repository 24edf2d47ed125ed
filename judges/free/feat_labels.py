"""The numbers in a sentence that can be no amount: those that name a thing (clause 2.1, article 4, CVE-2025-1), years,
and, where things are counted or measured, days and times of day."""

import re

from calibrant.judges.free.units import MONTHS, UNITS

_LABELS = (
    "article section clause chapter annex appendix schedule paragraph rule table figure leaflet form item step part"
    " version release revision unit room gate terminal building floor queue zone phase stage line no nº artigo seção"
    " cláusula capítulo anexo tabela figura passo versão item sala"
)
"""A number after one of these says which one is meant, not how many there are."""
_NAMED = re.compile(
    rf"\b({'|'.join(_LABELS.split())})\b\.?[ #]{{0,2}}\d+(?:[.-]\d+)*(?!\w|[.,]\d|\s?[%€$£])", re.IGNORECASE
)
_CODE = re.compile(r"\b[A-Z]{2,}(?:-\d[\d-]*|\d+|\s\d{4,})\b")
_CLAUSE = re.compile(
    r"(?<![\w.,$€£¥-])(?:\d{1,3}(?:\.\d{1,3})+\.?|(?:(?<=\n)|^)\d{1,3}[.)])\s+(?=[A-Z])(?=([^\W\d_]+))"
)
"""A dotted number before a capital: "2.1 The unit is let", and one that opens a line: "4. Fees"."""
_SCALES = frozenset(["million", "billion", "trillion", "thousand"])
_YEAR = re.compile(
    r"\b(?:in|since|until|till|during|by|before|after|from|to|early|late|mid|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|em|desde|até|durante|antes de|depois de|de)[ -](?:1[5-9]|20)\d\d\b",
    re.IGNORECASE,
)
_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_MOMENT = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|º)?(?: of| de)? (?:{_MONTH})\b(?:,? (?:de )?\d{{4}})?"
    rf"|\b(?:{_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?|\b(?:{_MONTH}) \d{{4}}\b|\b\d{{4}}-\d\d-\d\d\b"
    r"|\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?",
    re.IGNORECASE,
)
"""A day or a time of day."""
_COUNTED = frozenset(
    ("many", "much", "big", "large", "heavy", "wide", "thick", "tall", "deep", "fast", "hot", "cold", "warm",
     "expensive", "weigh", "quantos", "quantas", "quanta")
)  # fmt: skip
_OF_TIME = frozenset(("time", "long", "longer", "notice", "soon", "late", "old", "often", "tempo"))


def without_labels(sentence: str, asked: frozenset[str]) -> str:
    """``sentence`` without the numbers that answer no question for an amount with the words ``asked``."""
    if not asked & _COUNTED or asked & _OF_TIME:
        return _YEAR.sub("", sentence)
    told = _CODE.sub("", _YEAR.sub("", _MOMENT.sub("", sentence)))
    told = _NAMED.sub(lambda match: match.group() if match[1].lower() in asked else "", told)
    return _CLAUSE.sub(lambda match: match.group() if _is_unit(match[1]) else "", told)


def _is_unit(word: str) -> bool:
    return word in UNITS or word.lower() in UNITS or word.lower() in _SCALES or word.lower() in MONTHS
