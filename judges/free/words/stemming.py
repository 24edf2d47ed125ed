"""Light stemmers: M. F. Porter's algorithm (1980) for English, and a light one after Savoy (2006) for Portuguese.

They only have to bring together the forms that a question and its answer use; a stem need not be a word.
"""

import re
import unicodedata
from functools import lru_cache

from calibrant.state.task import Language

_PAIRS = """
wrote:write written:write made:make found:find began:begin begun:begin built:build bought:buy came:come chose:choose
chosen:choose died:die dying:die drew:draw drawn:draw fell:fall fallen:fall fought:fight gave:give given:give went:go
gone:go grew:grow grown:grow held:hold kept:keep knew:know known:know led:lead left:leave lost:lose meant:mean
met:meet paid:pay ran:run said:say saw:see seen:see sent:send sold:sell sang:sing sung:sing spoke:speak spoken:speak
spent:spend stood:stand took:take taken:take taught:teach thought:think told:tell understood:understand won:win
wore:wear children:child men:man women:woman people:person lives:life wives:wife indices:index indexes:index
matrices:matrix vertices:vertex feet:foot mice:mouse shot:shoot shown:show
tried:try tries:try dried:dry dries:dry flies:fly cried:cry cries:cry caught:catch brought:bring dealt:deal fed:feed
flew:fly flown:fly forgot:forget forgotten:forget froze:freeze frozen:freeze hung:hang hid:hide hidden:hide lent:lend
risen:rise sought:seek shook:shake shaken:shake slid:slide stuck:stick struck:strike threw:throw thrown:throw
woke:wake woken:wake worn:wear withdrew:withdraw withdrawn:withdraw overridden:override overwritten:overwrite
rebuilt:rebuild undone:undo drove:drive driven:drive broke:break broken:break ate:eat eaten:eat stole:steal
stolen:steal rode:ride ridden:ride slept:sleep
"""
_IRREGULAR = dict(pair.split(":") for pair in _PAIRS.split())
_APART = """
responsible:responsib responsibly:responsib responsibility:responsib responsibilities:responsib
important:importan importantly:importan importance:importan customer:customer customers:customer
several:several severe:severe severely:severe severity:severe apartment:apartment apartments:apartment
evening:evening evenings:evening engineer:engineer engineers:engineer engineered:engineer engineering:engineer
university:university universities:university universal:universal universally:universal
organize:organiz organizes:organiz organized:organiz organizing:organiz organizer:organiz organizers:organiz
organise:organiz organises:organiz organised:organiz organising:organiz organiser:organiz organisers:organiz
organization:organiz organizations:organiz organisation:organiz organisations:organiz
objective:objectiv objectives:objectiv executive:executiv executives:executiv authority:authorit authorities:authorit
authorize:authoriz authorizes:authoriz authorized:authoriz authorizing:authoriz authorization:authoriz
authorise:authoriz authorises:authoriz authorised:authoriz authorising:authoriz authorisation:authoriz
internal:internal internally:internal international:internation internationally:internation
container:container containers:container community:community communities:community
department:department departments:department general:general generally:general generic:generic
paste:paste pasted:paste pastes:paste pasting:paste terminal:terminal terminals:terminal
physical:physical physically:physical critical:critical critically:critical consistent:consistent
consistently:consistent consistency:consistent locale:locale locales:locale personal:personal personally:personal
news:news presentation:presentation presentations:presentation production:production majority:majority
minority:minority national:national nationally:national
"""
_OVERSTEMMED = dict(pair.split(":") for pair in _APART.split())
"""Words that Porter's rules cut to the stem of one that means another thing: responsible and response, customer and
custom, engineer and engine."""
_STEP_2 = (
    ("ational", "ate"), ("tional", "tion"), ("enci", "ence"), ("anci", "ance"), ("izer", "ize"), ("abli", "able"),
    ("alli", "al"), ("entli", "ent"), ("eli", "e"), ("ousli", "ous"), ("ization", "ize"), ("isation", "ize"),
    ("ation", "ate"), ("ator", "ate"), ("alism", "al"), ("iveness", "ive"), ("fulness", "ful"), ("ousness", "ous"),
    ("aliti", "al"), ("iviti", "ive"), ("biliti", "ble"), ("ise", "ize"), ("iser", "ize"),
)  # fmt: skip
_STEP_3 = (
    ("icate", "ic"), ("ative", ""), ("alize", "al"), ("iciti", "ic"), ("ical", "ic"), ("ful", ""), ("ness", ""),
)  # fmt: skip
_STEP_4 = (
    "ement", "ance", "ence", "able", "ible", "ment", "ant", "ent", "ism", "ate", "iti", "ous", "ive", "ize", "al",
    "er", "ic", "ou",
)  # fmt: skip
_PLURALS_PT = (
    ("ões", "ão"), ("ães", "ão"), ("ais", "al"), ("éis", "el"), ("eis", "el"), ("óis", "ol"), ("is", "il"),
    ("les", "l"), ("res", "r"), ("zes", "z"), ("ns", "m"), ("s", ""),
)  # fmt: skip
_SUFFIXES_PT = (
    "issimamente", "adamente", "idamente", "mente", "issimo", "issima", "izacao", "amentos", "imentos", "amento",
    "imento", "adora", "ador", "acao", "icao", "ucao", "idade", "arem", "erem", "irem", "aram", "eram", "iram",
    "avam", "ando", "endo", "indo", "ivel", "avel", "ante", "ente", "ario", "aria", "ismo", "ista", "ico", "ica",
    "oso", "osa", "ado", "ada", "ido", "ida", "ara", "era", "ira", "ava", "iam", "ou", "eu", "iu", "ar", "er", "ir",
    "am", "em", "ia", "ao",
)  # fmt: skip


@lru_cache(maxsize=50_000)
def stem(word: str, language: Language = Language.ENGLISH) -> str:
    """The stem of a lowercase word. Identifiers, numbers and words under 4 letters stay as they are."""
    if not word.isalpha():
        return word
    return _portuguese(word) if language is Language.PORTUGUESE else _english(word)


def fold(text: str) -> str:
    """``text`` without diacritics."""
    if text.isascii():
        return text
    return "".join(char for char in unicodedata.normalize("NFKD", text) if not unicodedata.combining(char))


def _english(word: str) -> str:
    if word in _OVERSTEMMED:
        return _OVERSTEMMED[word]
    word = _IRREGULAR.get(word, word)
    if len(word) < 4:
        return word
    word = _step_1(word)
    word = _replaced(word, _STEP_2)
    word = _replaced(word, _STEP_3)
    word = _step_4(word)
    return _step_5(word)


def _step_1(word: str) -> str:
    """Plurals, -ed, -ing, and final y."""
    if word.endswith(("sses", "ies")):
        word = word[:-2]
    elif word.endswith("s") and not word.endswith(("ss", "us", "is")):
        word = word[:-1]
    word = _without_ending(word)
    if word.endswith("y") and len(word) > 3 and _has_vowel(word[:-1]):
        word = word[:-1] + "i"
    return word


def _without_ending(word: str) -> str:
    if word.endswith("eed"):
        return word[:-1] if _measure(word[:-3]) else word
    for ending in ("ed", "ing"):
        base = word.removesuffix(ending)
        if base != word and _has_vowel(base):
            return _restored(base)
    return word


def _restored(base: str) -> str:
    """The base of an -ed or -ing form: hopp -> hop, fil -> file, conflat -> conflate."""
    if base.endswith(("at", "bl", "iz")):
        return base + "e"
    if len(base) > 2 and base[-1] == base[-2] and base[-1] not in "aeioulsz":
        return base[:-1]
    if _measure(base) == 1 and _is_short(base):
        return base + "e"
    return base


def _replaced(word: str, rules: tuple[tuple[str, str], ...]) -> str:
    for suffix, new in rules:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base + new if _measure(base) else word
    return word


def _step_4(word: str) -> str:
    if word.endswith(("sion", "tion")):
        return word[:-3] if _measure(word[:-3]) > 1 else word
    for suffix in _STEP_4:
        if word.endswith(suffix):
            base = word[: -len(suffix)]
            return base if _measure(base) > 1 else word
    return word


def _step_5(word: str) -> str:
    if word.endswith("e"):
        base = word[:-1]
        size = _measure(base)
        if size > 1 or (size == 1 and not _is_short(base)):
            word = base
    return word[:-1] if word.endswith("ll") and _measure(word) > 1 else word


def _shape(word: str) -> str:
    """Consonants and vowels, as c and v; y is a vowel after a consonant."""
    shape = ""
    for place, char in enumerate(word):
        vowel = char in "aeiou" or (char == "y" and place > 0 and shape[-1] == "c")
        shape += "v" if vowel else "c"
    return shape


def _measure(word: str) -> int:
    """Porter's m: the number of vowel-consonant sequences."""
    return len(re.findall("v+c+", _shape(word)))


def _has_vowel(word: str) -> bool:
    return "v" in _shape(word)


def _is_short(word: str) -> bool:
    return _shape(word).endswith("cvc") and word[-1] not in "wxy"


def _portuguese(word: str) -> str:
    if len(word) < 4:
        return fold(word)
    for suffix, new in _PLURALS_PT:
        if word.endswith(suffix) and len(word) - len(suffix) >= 2:
            word = word[: -len(suffix)] + new
            break
    word = fold(word)
    for suffix in _SUFFIXES_PT:
        if word.endswith(suffix) and len(word) - len(suffix) >= 3:
            return word[: -len(suffix)]
    return word[:-1] if len(word) > 3 and word[-1] in "aeo" else word
