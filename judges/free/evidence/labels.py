"""Labels: the letters and numbers that say which of several things is meant (plan B, clause 2.1, CVE-2025-1).

A question about one of them is not answered by what is told of another; and they are no amounts, as little as years are
or, where things are counted or measured, days and times of day.
"""

import re
from functools import lru_cache

from calibrant.judges.free.words.lists import ANY_STOP_WORD, word_set
from calibrant.judges.free.words.numbers import CURRENCY_CODES
from calibrant.judges.free.words.tables import cells
from calibrant.judges.free.words.units import ANY_MONTH, ANY_UNIT, MONTHS, UNITS, WEEKDAYS
from calibrant.state.markup import CHANGES

_LABELS = (
    "article section clause chapter annex appendix schedule paragraph rule table figure leaflet form item step part"
    " version release revision unit room hall house flat apartment gate terminal building floor queue zone phase stage"
    " line aisle bay dock platform track lane court rack shelf berth slot route level"
    " no nº artigo seção cláusula capítulo anexo tabela figura passo versão item sala secção parágrafo alínea regra"
    " folheto formulário parte revisão unidade portão edifício prédio casa apartamento bloco andar piso fila zona fase"
    " etapa linha lote fração"
)
"""A number after one of these says which one is meant, not how many there are."""
_NAMED = re.compile(
    rf"\b({'|'.join(_LABELS.split())})\b\.?[ #]{{0,2}}\d+(?:[.-]\d+)*(?!\w|[.,]\d|\s?[%€$£])", re.IGNORECASE
)
_CODE = re.compile(rf"\b(?!(?:{CURRENCY_CODES})\s)[A-Z]{{2,}}(?:\d+|\s\d{{4,}})\b")
_HYPHENED = re.compile(rf"\b[A-Z]+\d*-\d[\d-]*\b(?![.,]\d|\s?(?i:{ANY_UNIT})(?!\w))")
"""SEV-1 and ADR-014, and not T-5 days."""
_CHANGED = re.compile(rf"\b(?:{'|'.join(sorted(set(CHANGES.values())))}) \S+")
"""The version in which something changed, as a reference tells it."""
_WORD = re.compile(r"\S+")
_SIGNS = re.compile(r"\w-\w[^\[\]]{0,40}\][+*?{]|\\[dswDSW]|\(\?[:=!<P]|://")
"""In a word that is a pattern, ``^([0-9]+(ms|s|m|h)?)+$``, or an address: its digits count nothing, and its letters are
no units."""
_OF_NUMBERS = word_set("number port version número porta versão")
"""Who asks for a number by its name may want such a one: the number of a decision, the port in an address."""
_CLAUSE = re.compile(
    r"(?<![\w.,$€£¥-])(?:\d{1,3}(?:\.\d{1,3})+\.?|(?:(?<=\n)|^)\d{1,3}[.)])\s+(?=[A-Z])(?=([^\W\d_]+))"
)
"""A dotted number before a capital: "2.1 The unit is let", and one that opens a line: "4. Fees"."""
_SCALES = word_set("million billion trillion thousand")
_YEAR = re.compile(
    r"\b(?:in|since|until|till|during|by|before|after|from|to|early|late|mid|january|february|march|april|may|june|july"
    r"|august|september|october|november|december|em|desde|até|durante|antes de|depois de|de)[ -](?:1[5-9]|20)\d\d\b",
    re.IGNORECASE,
)
_MOMENT = re.compile(
    rf"\b\d{{1,2}}(?:st|nd|rd|th|º)?(?: of| de)? (?:{ANY_MONTH})\b(?:,? (?:de )?\d{{4}})?"
    rf"|\b(?:{ANY_MONTH})\.? \d{{1,2}}(?:st|nd|rd|th)?\b(?:,? \d{{4}})?"
    rf"|\b(?:{ANY_MONTH}) \d{{4}}\b|\b\d{{4}}-\d\d-\d\d\b"
    r"|\b\d{1,2}h[0-5]\d\b|\b\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?|\b\d{1,2}\s?[ap]\.?m\b\.?",
    re.IGNORECASE,
)
"""A day or a time of day."""
_DAY = re.compile(
    rf"\b(?:{ANY_MONTH}|{'|'.join(sorted(WEEKDAYS))}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun|seg|ter|qua|qui|sex|sáb|dom)\b",
    re.IGNORECASE,
)
_LABEL = r"(?:[A-HJ-Z]{1,3}\d*|[\w-]*\d[\w.-]*)"
"""A cell that says which one a row is about: 5, A1, 3-05."""
_LABELLED = re.compile(
    r"\b([^\W\d_]{3,}) (?:no\.? |nº |#)?(\d{1,6}|[A-HJ-Z])\b"
    rf"(?!\. [A-Z]|[.,:]\d|['’%\w-]|\s(?i:{ANY_UNIT}|times|people)\b)"
)
"""A word with what may be its label. *I* is somebody, and "John F. Kennedy" is no F."""
_NUMBERED = re.compile(r"\b([A-Z]+)-?(\d{1,3})\b(?![-.]\d)")
"""Letters with a number, in one word: SEV1, ADR-12, the alarm A04."""
_SILENT = ANY_STOP_WORD | MONTHS.keys() | {"year", "ano", "since", "minus"}
"""Words that a thing with a label is never called by."""
_COUNTED = word_set(
    "many much big large heavy wide thick tall deep fast hot cold warm expensive weigh quantos quantas quanta"
)
_OF_TIME = word_set("time long longer notice soon late old often tempo")
_KINDS = (
    "plan tier package tariff edition subscription licence license membership model account office branch store shop"
    " site warehouse region environment cluster server service team department project product library bridge museum"
    " school plano pacote tarifa edição assinatura licença modelo conta escritório filial loja região ambiente equipa"
    " equipe departamento projeto produto biblioteca ponte museu escola"
)
"""Things of which there are several, told apart by a name: the Team plan, a ponte Velha."""
_CAPITAL = r"[A-ZÀ-Þ][\w-]*(?: [A-ZÀ-Þ\d][\w-]*)*"
_BEFORE = re.compile(rf"(?<=\w )(?P<name>{_CAPITAL}) (?P<kind>{'|'.join(_KINDS.split())})s?\b")
_BEHIND = re.compile(rf"\b(?P<kind>{'|'.join(_KINDS.split())})s? (?P<name>{_CAPITAL})")
"""A word that opens a sentence has its capital for that."""
_TWO = re.compile(
    r"(?<![\w'’-])(?P<first>[A-ZÀ-Þ][\w-]+(?: [A-ZÀ-Þ][\w-]+)*) (?P<last>[A-ZÀ-Þ][\w-]+|\d[\w-]*)(?![\w-])"
)
"""A name of several words: siblings begin alike and differ in the last one."""


def without_days(sentence: str) -> str:
    """``sentence`` without the names of months and weekdays, which are nobody's."""
    return _DAY.sub("", sentence)


def without_labels(sentence: str, asked: frozenset[str]) -> str:
    """``sentence`` without the numbers that answer no question for an amount with the words ``asked``."""
    named = sentence if asked & _OF_NUMBERS else _HYPHENED.sub("", _without_code(_CHANGED.sub("", sentence)))
    if not asked & _COUNTED or asked & _OF_TIME:
        return _YEAR.sub("", named)
    told = _CODE.sub("", _YEAR.sub("", _MOMENT.sub("", named)))
    told = _NAMED.sub(lambda match: match.group() if match[1].lower() in asked else "", told)
    return _CLAUSE.sub(lambda match: match.group() if _is_unit(match[1]) else "", told)


def _without_code(sentence: str) -> str:
    if not _SIGNS.search(sentence):
        return sentence
    return _WORD.sub(lambda word: "" if _SIGNS.search(word[0]) else word[0], sentence)


def _is_unit(word: str) -> bool:
    return word in UNITS or word.lower() in UNITS or word.lower() in _SCALES or word.lower() in MONTHS


def names_another(question: str, text: str) -> bool:
    """Whether ``question`` names one of several things of a kind (queue 3), and ``text`` only others of that kind."""
    asked = labelled(question)
    told = labelled(text) if asked else frozenset()
    kinds = {kind for kind, _ in asked}
    others = {one for one in told - asked if one[0] in kinds}
    if others and asked.isdisjoint(told):
        return True
    if any(_stand_together(text, one, other) for one in asked & told for other in others if other[0] != one[0]):
        return True  # part 7 of machine 3, where part 5 of it is asked about
    return _names_another_of_a_kind(question, text) or _names_a_sibling(question, text)


def _stand_together(text: str, one: tuple[str, str], other: tuple[str, str]) -> bool:
    """Whether two numbered things are named as one: "part 7 of machine 3", and not "step 3 (see phase 4)"."""
    first, second = (rf"\b{re.escape(kind)}\w* (?:no\.? |nº |#)?{re.escape(label)}\b" for kind, label in (one, other))
    between = r"[^.;:()]{1,12}"
    return re.search(f"{first}{between}{second}|{second}{between}{first}", text, re.IGNORECASE) is not None


def _names_another_of_a_kind(question: str, text: str) -> bool:
    """Whether ``text`` speaks of the Pro plan and ``question`` of the Team plan, or of the Pro Max plan; "the Acme Pro
    plan" is the Pro plan of somebody."""
    for kind, name in _of_kinds(question):
        others = {other for its, other in _of_kinds(text) if its == kind} if name not in text else set()
        if others and not any(other.endswith(name) or name.endswith(other) for other in others):
            return True
    return False


@lru_cache(maxsize=2_000)
def _of_kinds(text: str) -> frozenset[tuple[str, str]]:
    """The things with a name beside their kind: the kind, and the name."""
    found = (match for pattern in (_BEFORE, _BEHIND) for match in pattern.finditer(text))
    return frozenset((match["kind"].lower(), _bare(match["name"])) for match in found)


def _bare(name: str) -> str:
    """A name without the word that only opens a sentence: "The Pro", "Does Team"."""
    first, _, rest = name.partition(" ")
    return rest if rest and first.lower() in _SILENT else name


def _names_a_sibling(question: str, text: str) -> bool:
    """Whether ``question`` names one of several things that begin alike (Urban Three) and ``text`` only others."""
    told = {(match["first"], match["last"]) for match in _TWO.finditer(text)}
    for match in _TWO.finditer(question):
        first, last = _bare(match["first"]), match["last"]
        others = {its for start, its in told if _bare(start) == first}
        if others and last not in others and not re.search(rf"\b{re.escape(last)}\b", text, re.IGNORECASE):
            return True
    return False


def is_row_of_another(question: str, row: str) -> bool:
    """Whether ``question`` names a thing by a column and a label (flat 3-05), and ``row`` has another one there."""
    for column, value in cells(row):
        asked = re.findall(rf"\b(?i:{re.escape(column)}) ({_LABEL})(?![\w%-])", question)
        if asked and re.fullmatch(_LABEL, value) and value.casefold() not in map(str.casefold, asked):
            return True
    return False


@lru_cache(maxsize=2_000)
def labelled(text: str) -> frozenset[tuple[str, str]]:
    """The things with a label in ``text``: their kind, and the label."""
    named = ((kind.lower(), label) for kind, label in _LABELLED.findall(text))
    numbered = ((kind.lower(), label) for kind, label in _NUMBERED.findall(text))
    return frozenset((*((kind, label) for kind, label in named if kind not in _SILENT), *numbered))
