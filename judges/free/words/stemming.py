"""Stemmers: Snowball's for English (M. F. Porter), and a light one after Savoy (2006) for Portuguese, which brings
together what Snowball's keeps apart (nações, nação).

They only have to bring together the forms that a question and its answer use; a stem need not be a word.
"""

import re
import unicodedata
from functools import lru_cache

from snowballstemmer.english_stemmer import EnglishStemmer

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
stolen:steal rode:ride ridden:ride slept:sleep retention:retain expiry:expire
"""
_IRREGULAR = dict(pair.split(":") for pair in _PAIRS.split())
_APART = """
responsible responsibly responsibility responsibilities : important importantly importance : customer customers
several : severe severely severity severities : apartment apartments : engineer engineers engineered engineering
objective objectives : executive executives : authority authorities : container containers : department departments
authorize authorizes authorized authorizing authorization authorizations : presentation presentations : production
critical critically : consistent consistently consistency : personal personally : national nationally : locale locales
physical physically : terminal terminals : majority majorities : minority minorities
"""
_OWN = {
    word: words[0]
    for words in (group.split() for line in _APART.strip().splitlines() for group in line.split(" : "))
    for word in words
}
"""Words whose stem would be that of one that means another thing: responsible and response, customer and custom. Each
has the stem of its group."""
_BRITISH = re.compile(r"(?<=[aeiouy])([^aeiouy]+)is(e|ed|es|er|ers|ing|ation|ations)$")
"""The ending of a word that is spelt with a z too."""
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
    word = _BRITISH.sub(r"\1iz\2", _IRREGULAR.get(word, word))
    if len(word) < 4:
        return word
    return _OWN.get(word) or _of_snowball(word)


def _of_snowball(word: str) -> str:
    """The stemmer keeps what it works on: each call has its own."""
    found: str = EnglishStemmer().stemWord(word)
    return found


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
