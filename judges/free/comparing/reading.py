"""A sentence as a comparison reads it: words with roles, quantities, dates, names, negation and force."""

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import pairwise

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.numbers import CLOCK, Number, numbers
from calibrant.judges.free.words.opposites import CONDITIONS, FORCE, PLAIN_FORCE
from calibrant.judges.free.words.text import STOP_WORDS, Token, language_of, silent_words, stem, tokens, uncased
from calibrant.judges.free.words.units import MONTHS, UNITS
from calibrant.state.task import Language

_MONTH = "|".join(sorted(MONTHS, key=len, reverse=True))
_YEAR = re.compile(r"(?<![\w.,$€£/-])(?P<y>1[0-9]\d{2}|20\d{2})(?![\w%]|[.,]\d|-\d)")
_BEFORE_COUNT = re.compile(
    r"\b(?:is|are|was|were|be|has|have|had|holds?|seats|than|at (?:least|most)|up to|about|around|approximately|nearly"
    r"|almost|roughly|only|é|são|foi|foram|eram|tem|têm|teve|tinha|comporta|cabem|cerca de|pelo menos|no máximo"
    r"|(?:mais|menos) de)\s+$",
    re.IGNORECASE,
)
"""Words before a number that says how many there are, and no year."""
_REACH = 24
"""Characters before a number in which such words stand, and those that bound it."""
_DATES = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{2})-(?P<d>\d{2})\b"),
    re.compile(rf"\b(?P<n>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: ?,? ?(?P<y>\d{{4}}))?\b", re.I),
    re.compile(
        rf"\b(?P<d>\d\d?)(?:th|st|nd|rd|\.?º)?(?: of| de)? (?P<n>{_MONTH})(?:,? (?:de )?(?P<y>\d{{4}}))?\b", re.I
    ),
    re.compile(rf"\b(?P<n>{_MONTH})(?: of| de|,)? (?P<y>\d{{4}})\b", re.I),
    _YEAR,
)  # fmt: skip
_DAY_FIRST = re.compile(r"(?<![\w/.-])(?P<d>\d\d?)(?P<sep>[/.-])(?P<m>0?[1-9]|1[0-2])(?P=sep)(?P<y>(?:19|20)\d{2})\b")
"""As a date is written in Portuguese; in English the month may come first."""
_VERSION = re.compile(r"\bv?\d+(?:\.\d+){2,}\b|\bv\d+(?:\.\d+)*\b|(?<=version )\d[\d.]*\b|(?<=versão )\d[\d.]*\b", re.I)
_OF_LAW = re.compile(r"(?:\b(?:artigo|cláusula|parágrafo)s? |\bart\. |§ ?)(\d+)", re.I)
_NAMED_NUMBER = re.compile(
    r"\b(?!(?:EUR|USD|GBP|CHF|BRL)\b)(?P<name>[A-Z][A-Za-z+#]{1,40}) (?P<number>\d{1,3}(?:\.\d+)*)(?=[\s,;)]|\.?$)"
)
_NOT_DENIED = r"(?<!no )(?<!not )(?<!não )"
"""Not behind a word that turns the bound round: no more than."""
_AT_LEAST = re.compile(
    rf"(?:at least|{_NOT_DENIED}(?:more than|mais de)|(?:no|not) (?:less|fewer) than|não menos de|over|minimum of|above"
    r"|pelo menos|(?:no )?mínimo(?: de)?|acima de)\s*(?:R?\$|€)?\s*$",
    re.I,
)
_AT_MOST = re.compile(
    rf"(?:at most|{_NOT_DENIED}(?:(?:less|fewer) than|menos de)|(?:no|not) more than|não mais de|up to|under|maximum of"
    r"|below|até|(?:até )?(?:[na]o )?máximo(?: de)?|abaixo de)\s*(?:R?\$|€)?\s*$",
    re.I,
)
_ABOUT = re.compile(
    r"(?:about|around|approximately|roughly|nearly|almost|some|circa|cerca de|aproximadamente|quase"
    r"|~)\s*(?:R?\$|€)?\s*$",
    re.I,
)
_NEGATORS = {
    Language.ENGLISH: frozenset(["not", "no", "never", "none", "neither", "nor", "cannot", "without", "nobody",
                                 "nothing", "hardly", "barely", "lacks"]),
    Language.PORTUGUESE: frozenset(["não", "nunca", "jamais", "nenhum", "nenhuma", "ninguém", "nada", "nem", "sem",
                                    "tampouco"]),
}  # fmt: skip
_NEGATORS_WITH_TO = frozenset(["unable", "fails", "failed", "refused"])
"""Only before "to": a failed job is a job, and one that failed to start did not."""
_BREAKS = frozenset(
    ("but", "although", "however", "while", "because", "mas", "embora", "porém", "porque", "enquanto", "contudo",
     "todavia", "entretanto")
)  # fmt: skip
_MARKS = frozenset(",;:.()")
_NOT_NEGATED = frozenset(["only", "just", "least", "só", "apenas", "somente", "obstante"])
_TEMPORAL = frozenset(["still", "anymore", "longer", "yet", "already", "currently", "ainda", "já", "atualmente"])
_AUXILIARIES = word_set(
    "têm tinham serão seria seriam sejam sendo estava estavam estará estarão estiver estiverem houve houver haverá "
    "forem fossem fica ficam ficar ficou ficaram ficará ficarão fique fiquem vai vão irá irão antes após durante "
    "mediante conforme deste desta destes destas desse dessa desses dessas nesses nessas nestes nestas"
)
"""Portuguese words that are no content where sentences are compared, as their likes in English."""
_BEFORE_SE = word_set("não nunca jamais já também que quem quando como onde sempre ainda ninguém nada")
"""Words that draw the pronoun "se" before its verb: "não se aplica"."""
_TIME_ORDER = frozenset(["antes", "depois"])
_DE = frozenset(["de", "do", "da", "dos", "das"])
_DETERMINERS = frozenset(
    ["some", "few", "many", "most", "all", "every", "each", "any", "alguns", "algumas", "poucos", "muitos", "muitas",
     "todos", "todas", "todo", "toda", "cada"]
)  # fmt: skip
_OPENING = 3
ARTICLES = frozenset(["the", "a", "an", "its", "their", "this", "o", "os", "as", "um", "uma", "seu", "sua"])
TITLES = frozenset({"mr", "mrs", "ms", "dr", "prof", "professor", "sir", "sr", "sra", "dra", "dona", "dom"})
"""Words before a name that are not a part of it."""
_SCALES = frozenset(["thousand", "million", "billion", "trillion", "mil", "milhão", "milhões", "bilhão", "bilhões"])
_NEGATION_REACH = 5
_PRONOUNS = frozenset("it he she they this that these those ele ela eles elas isso isto este esta".split())  # noqa: SIM905
_COUNTED_DAYS = frozenset({"working", "business", "bank", "útil", "úteis"})
"""Days of these kinds are no days of the calendar."""
_DAYS = frozenset({"dia", "dias"})
"""Their kind stands behind them: dias úteis."""
_ORDINAL_ENDINGS = ("st", "nd", "rd", "th", "º", "ª", ".º", ".ª")


@dataclass(frozen=True)
class Word:
    """A content word: its stem, its place among all tokens, whether it is a name, the function word that governs it."""

    low: str
    stem: str
    place: int
    start: int
    end: int
    name: bool
    governor: str
    negated: bool
    clause: int = 0
    parts: tuple[str, ...] = ()


@dataclass(frozen=True)
class Quantity:
    """A number with what it counts. ``bound``: ``>``, ``<``, ``~`` or empty; ``exact``: what it may be rounded to;
    ``factor``: what it was multiplied by, to count in ``unit``."""

    value: float
    unit: str
    place: int
    start: int
    end: int
    bound: str = ""
    exact: float = 1.0
    factor: float = 1.0


@dataclass(frozen=True)
class Date:
    """A date as far as it is given: 0 stands for unknown. ``scope``: it says when, and is not itself the news."""

    year: int
    month: int
    day: int
    start: int
    end: int
    scope: bool = False

    @property
    def ymd(self) -> tuple[int, int, int]:
        """Year, month and day: dates that give the same are equal, wherever they stand."""
        return self.year, self.month, self.day


@dataclass(frozen=True)
class Reading:
    """A sentence, read once. ``force`` is how much it claims (``opposites.FORCE``)."""

    text: str
    language: Language
    words: tuple[Word, ...]
    stems: frozenset[str]
    quantities: tuple[Quantity, ...]
    dates: tuple[Date, ...]
    versions: tuple[tuple[str, int], ...]
    force: int
    negative: bool
    conditional: bool
    lowered: frozenset[str]

    @property
    def names(self) -> frozenset[str]:
        return frozenset(word.stem for word in self.words if word.name)


def read(text: str, language: Language | None = None) -> Reading:
    """What a comparison needs to know of one sentence."""
    return _read(text, language or language_of(text))


@lru_cache(maxsize=8_000)
def _read(text: str, language: Language) -> Reading:
    found = tokens(text)
    dates = _dates(text, language)
    taken = _Taken(text)
    for date in dates:
        taken.take(date.start, date.end)
    is_portuguese = language is Language.PORTUGUESE  # 15.03.2026 is a date there, and no version
    versions = tuple(one for one in _versions(text, language) if not (is_portuguese and one[1] in taken))
    for name, start in versions:
        taken.take(start, start + len(name))
    amounts = _quantities(text, found, language, taken)
    for amount in amounts:
        taken.take(amount.start, amount.end)
    content = _words(text, found, language, taken)
    lowered = lowered_words(text, language)
    return Reading(
        text=text, language=language, words=content, stems=frozenset(word.stem for word in content),
        quantities=amounts, dates=dates, versions=versions, force=_force(_undated(text, found, dates), language),
        negative=any(_negates(found, place, language) for place in range(len(found))),
        conditional=bool(lowered & CONDITIONS[language]), lowered=lowered,
    )  # fmt: skip


@lru_cache(maxsize=8_000)
def lowered_words(text: str, language: Language) -> frozenset[str]:
    """The words of a text. In Portuguese also each two neighbours ("até que"), but neither a "se" that is a pronoun
    ("aplica-se") nor a "durante" that tells how long: those open no condition."""
    found = tokens(text)
    if language is not Language.PORTUGUESE:
        return frozenset(token.word for token in found)
    said = [
        token.word
        for place, token in enumerate(found)
        if not _is_pronoun(text, found, place) and not _is_for_how_long(found, place)
    ]
    return frozenset((*said, *_neighbours(said)))


def _is_pronoun(text: str, found: tuple[Token, ...], place: int) -> bool:
    """Whether the word at ``place`` is a Portuguese "se" that is no "if": behind a hyphen, or drawn by a word."""
    if found[place].word != "se" or not place:
        return False
    gap = text[found[place - 1].end : found[place].start]
    return gap == "-" or (gap.isspace() and found[place - 1].word in _BEFORE_SE)


def _is_for_how_long(found: tuple[Token, ...], place: int) -> bool:
    """Whether a Portuguese "during" tells for how long: "durante 30 dias" is no condition."""
    return found[place].word == "durante" and bool(numbers(_word_at(found, place + 1), Language.PORTUGUESE))


def _neighbours(words: Sequence[str]) -> list[str]:
    return [f"{one} {other}" for one, other in pairwise(words)]


def _negates(found: tuple[Token, ...], place: int, language: Language) -> bool:
    """Whether the word at ``place`` denies what follows it."""
    word = found[place].word
    if word in _NEGATORS[language]:
        return True
    return language is Language.ENGLISH and (
        word.endswith("n't") or (word in _NEGATORS_WITH_TO and _word_at(found, place + 1) == "to")
    )


def _word_at(found: tuple[Token, ...], place: int) -> str:
    return found[place].word if place < len(found) else ""


class _Taken:
    """The places of a text that belong to a date, a version or an amount. A mark for each: a long row of figures has
    thousands of them."""

    def __init__(self, text: str) -> None:
        self._marks = bytearray(len(text))

    def take(self, start: int, end: int) -> None:
        """``start:end`` belongs to one."""
        end = min(end, len(self._marks))
        self._marks[start:end] = b"\x01" * (end - start)

    def __contains__(self, place: int) -> bool:
        return self._marks[place] == 1


@cache
def _silent(language: Language) -> frozenset[str]:
    """Words that are no content."""
    more = _AUXILIARIES if language is Language.PORTUGUESE else frozenset[str]()
    return silent_words(language) | FORCE[language].keys() | _TEMPORAL | more


def _words(text: str, found: tuple[Token, ...], language: Language, taken: _Taken) -> tuple[Word, ...]:
    """The content words outside numbers and dates, each with its governor and whether a negation reaches it."""
    silent = _silent(language)
    governor, governed, since_negation, clause, out = "", -1, _NEGATION_REACH + 1, 0, []
    for place, token in enumerate(found):
        gap = text[found[place - 1].end : token.start] if place else ""
        if token.word in _BREAKS or not _MARKS.isdisjoint(gap):
            governor, governed, since_negation, clause = "", -1, _NEGATION_REACH + 1, clause + 1
        since_negation += 1
        is_governed = governed == place - 1 >= 0
        if _negates(found, place, language):
            since_negation = _NEGATION_REACH + 1 if _word_at(found, place + 1) in _NOT_NEGATED else 0
        elif token.word in silent:
            if is_governed and governor in _TIME_ORDER and token.word in _DE:
                governed = place  # antes de
            elif not (is_governed and token.word in ARTICLES) and not _is_pronoun(text, found, place):
                governor, governed = token.word, place
        elif (gap, token.word.rstrip("s")) == ("-", "feira"):
            continue  # a part of the day's name
        elif token.start not in taken and any(char.isalnum() for char in token.word):
            name = _is_name(text, token, place, found) or (
                language is Language.PORTUGUESE and _is_day_or_month(text, token)
            )
            negated = since_negation <= _NEGATION_REACH
            root = stem(token.word, language)
            out.append(
                Word(token.word, root, place, token.start, token.end, name, governor, negated, clause, token.parts)
            )
    return tuple(out)


def _is_name(text: str, token: Token, place: int, found: tuple[Token, ...]) -> bool:
    """Whether a word is written as a name. At the start of a sentence only where the rest of it tells."""
    raw = text[token.start : token.end]
    opened = text[max(token.start - 2, 0) : token.start]
    if opened.endswith(("`", "/", "'", '"')) and not (opened[0].isalnum() and opened[1] == "'"):
        return True  # quoted or a path: the word stands for itself; but no X200's
    if any(char.isupper() for char in raw[1:]) or (token.parts and not raw.islower()):
        return True
    if not raw[0].isupper():
        return False
    following = found[place + 1] if place + 1 < len(found) else None
    opens = place == 0 or text[: token.start].rstrip()[-1:] in '.:!?"“'
    return not opens or (following is not None and text[following.start].isupper())


def _is_day_or_month(text: str, token: Token) -> bool:
    """Whether a word is the name of a day or of a month: Portuguese writes them small."""
    return (
        token.word.rstrip("s") in ("sábado", "domingo")
        or token.word in MONTHS
        or text.startswith(("-feira", "-Feira"), token.end)
    )


def _quantities(text: str, found: tuple[Token, ...], language: Language, taken: _Taken) -> tuple[Quantity, ...]:
    out = []
    ends = [token.end for token in found]
    for number in numbers(text, language):
        if number.start in taken:
            continue
        raw = text[number.start : number.end]
        if raw.lower() == "one" and number.unit not in UNITS:
            continue  # "one" mostly stands for a thing, not for a count
        if number.unit in ("", *_ORDINAL_ENDINGS) and text.startswith(_ORDINAL_ENDINGS, number.end):
            continue  # "7th" says which one, not how many
        place = bisect_right(ends, number.start)
        unit = _behind_adjective(found, place, number.unit)
        kind, factor = UNITS.get(unit, (stem(unit, language), 1.0))
        exact = _rounded_to(number) * factor
        end = max(number.end, _end_of_unit(found, place, number.unit, unit))
        open_until = number.unit == CLOCK and text.endswith("até ", 0, number.start)  # and not up to
        bound = "" if open_until else bound_before(text, number.start)[0]
        out.append(Quantity(number.value * factor, kind, place, number.start, end, bound, exact, factor))
    return tuple(out)


def _behind_adjective(found: tuple[Token, ...], place: int, unit: str) -> str:
    """The unit of measure right after ``unit``, if that only qualifies it: 500 operating hours."""
    words = [token.word for token in found[place + 1 : place + 3]]
    if len(words) == 2 and words[0] == unit in _DAYS and words[1] in _COUNTED_DAYS:
        return words[1]  # dias úteis
    if unit in UNITS or unit in _COUNTED_DAYS:
        return unit
    is_measure = len(words) == 2 and words[0] == unit and len(words[1]) > 2 and words[1] in UNITS
    return words[1] if is_measure else unit


def _end_of_unit(found: tuple[Token, ...], place: int, written: str, unit: str) -> int:
    """Where a quantity ends: its scale (million) and its unit of measure (km) are part of it, and an adjective before
    that; a counted noun is not."""
    end = found[place].end if place < len(found) else 0
    for token in found[place + 1 : place + 3]:
        if token.word not in _SCALES and not (token.word in (written, unit) and unit in UNITS):
            break
        end = token.end
    return end


def bound_before(text: str, place: int) -> tuple[str, str]:
    """The sign of what bounds the number at ``place``, and the words right before it that say so; both may be empty."""
    for sign, pattern in ((">", _AT_LEAST), ("<", _AT_MOST), ("~", _ABOUT)):
        if words := pattern.search(text, max(0, place - _REACH), place):
            return sign, words.group()
    return "", ""


def _rounded_to(number: Number) -> float:
    """What a number may have been rounded to: the size of its last decimal, or of the last digit of a whole number that
    is no zero (3,500 -> 100, 2.5 million -> 100,000, 42 -> 1, 0.05 -> 0.01)."""
    exact = number.step
    while 1 <= exact < abs(number.value) and number.value % (10 * exact) == 0:
        exact *= 10
    return exact


def _dates(text: str, language: Language) -> tuple[Date, ...]:
    out: list[Date] = []
    taken = _Taken(text)
    measured = {number.start for number in numbers(text, language) if _is_counted(text, number)}
    for pattern in (_DAY_FIRST, *_DATES) if language is Language.PORTUGUESE else _DATES:
        for match in pattern.finditer(text):
            is_amount = pattern is _YEAR and match.start() in measured
            if not is_amount and match.start() not in taken:
                out.append(_date(text, match))
                taken.take(match.start(), match.end())
    return tuple(sorted(out, key=lambda date: date.start))


def _is_counted(text: str, number: Number) -> bool:
    """Whether a number is an amount, though it may be written like a year: 1200 euros, the limit is 1200 requests."""
    near = max(0, number.start - _REACH)
    return number.unit in UNITS or bool(number.unit and _BEFORE_COUNT.search(text, near, number.start))


def _date(text: str, match: re.Match[str]) -> Date:
    part = match.groupdict()
    month = MONTHS.get(uncased(part.get("n") or ""), int(part.get("m") or 0))
    leads = (
        re.match(r"^\W*(?:as of|in|since|em|desde|by|during|durante|até)?\s*$", text[: match.start()], re.I) is not None
    )
    return Date(int(part["y"] or 0), month, int(part.get("d") or 0), match.start(), match.end(), leads)


def _versions(text: str, language: Language) -> tuple[tuple[str, int], ...]:
    """Version numbers with their places: v2, 3.8.1, "version 2", the number that follows a name (Python 3.8), and
    that of an article of a Portuguese rule ("artigo 5.º")."""
    found = {match.start(): match.group().lower().lstrip("v") for match in _VERSION.finditer(text)}
    if language is Language.PORTUGUESE:
        found |= {match.start(1): match[1] for match in _OF_LAW.finditer(text)}
    for match in _NAMED_NUMBER.finditer(text):
        name = match["name"].lower()
        if name not in MONTHS and name not in STOP_WORDS[Language.ENGLISH]:
            found.setdefault(match.start("number"), match["number"])
    return tuple(sorted(((name.rstrip("."), place) for place, name in found.items()), key=lambda pair: pair[1]))


def _undated(text: str, found: tuple[Token, ...], dates: tuple[Date, ...]) -> tuple[Token, ...]:
    """The words outside of dates: the month of May limits nothing."""
    taken = _Taken(text)
    for date in dates:
        taken.take(date.start, date.end)
    return tuple(token for token in found if token.start not in taken)


def _force(found: tuple[Token, ...], language: Language) -> int:
    """The force of the weakest word that limits the sentence, else of the strongest that widens it."""
    # A determiner says how far the sentence reaches only before its subject: "some users", not "across some trees".
    told = [token.word for place, token in enumerate(found) if token.word not in _DETERMINERS or place < _OPENING]
    told += _neighbours([token.word for token in found])
    levels = [FORCE[language][word] for word in told if word in FORCE[language]]
    weak = [level for level in levels if level < PLAIN_FORCE]
    return min(weak) if weak else max(levels, default=PLAIN_FORCE)


def opens_with_pronoun(text: str) -> bool:
    """Whether only what stands before tells what a sentence is about."""
    words = text.split(maxsplit=1)
    return bool(words) and words[0].lower() in _PRONOUNS
