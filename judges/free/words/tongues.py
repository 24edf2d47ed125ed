"""In which language something is said, as far as its function words or its script tell: also in those that no other
judgement here knows. It is enough to tell that a question and the passages do not go together."""

import unicodedata
from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import silent_words, tokens
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

_WORDS: dict[str, frozenset[str]] = {known.value: silent_words(known) for known in Language} | {
    "de": word_set(
        "der die das den dem des ein eine einen einem einer und oder nicht kein keine ich du er sie wir ihr es mir "
        "uns ist sind war wird werden wurde kann darf muss soll hat haben habe wie viel viele was wer wo wann warum "
        "welche welcher welches für mit von zu zum zur auf bei nach über unter aus im am in an um gibt gilt mein "
        "meine man wenn als so auch"
    ),
    "fr": word_set(
        "le la les l un une des du de d et ou est sont a ont je j tu il elle on nous vous ils que qu qui quoi quel "
        "quelle quels quelles comment combien quand où pourquoi dans pour avec sans sur par pas ne n au aux ce cette "
        "mon ma mes son sa ses peut peux puis doit dois faut fait"
    ),
    "es": word_set(
        "el la los las un una unos unas y o u es son está están hay yo me se te le nos que qué quién quiénes cuál "
        "cuáles cómo cuánto cuánta cuántos cuántas cuándo dónde por para con sin en de del al a su sus mi mis si no "
        "puedo puede debo debe fue como"
    ),
    "it": word_set(
        "il lo la i gli le un una uno e o è sono ho ha hanno che chi cosa quale quali come quanto quanta quanti "
        "quante quando dove perché per con senza in di del della dei delle degli nel nella al alla da dal si mi ci "
        "non posso può devo deve mio mia"
    ),
    "nl": word_set(
        "de het een en of is zijn was ik je jij hij zij wij ze we wat wie waar wanneer waarom hoe hoeveel welke voor "
        "met van op in aan bij naar uit niet geen mag kan moet krijg krijgt heeft heb mijn ons te om er dat dit als"
    ),
    "pl": word_set(
        "i w z na do się jest są nie co kto gdzie kiedy jak ile czy dla od po przez który która które jaki jaka jakie "
        "mogę może można to mój moja o za"
    ),
    "sv": word_set(
        "och i är en ett att det den de vad vem var när hur många mycket för med av på till från jag du han hon vi "
        "kan får ska inte vilken vilket vilka min mitt som om har"
    ),
}
"""The function words of each language."""

LEAST = 2
"""Function words by which a language is known."""

_LATIN = "LATIN"
_EAST_ASIAN = ("CJK", "HIRAGANA", "KATAKANA", "HANGUL")


@lru_cache(maxsize=2_000)
def tongue(text: str) -> str:
    """The language of ``text`` in a word (a script, where that is not Latin); empty where nothing tells."""
    script = _script(text)
    if script != _LATIN:
        return script
    said = {token.word for token in tokens(text)}
    (first, most), (_, next_most) = Counter({name: len(said & words) for name, words in _WORDS.items()}).most_common(2)
    return first if most >= LEAST and most > next_most else ""


def _script(text: str) -> str:
    """The script of most letters of ``text``."""
    names = (unicodedata.name(char, "").partition(" ")[0] for char in text[:2_000] if char.isalpha())
    found = Counter("CJK" if name in _EAST_ASIAN else name for name in names).most_common(1)
    return found[0][0] if found else ""


def is_unknown(text: str) -> bool:
    """Whether ``text`` is in a language that the other judgements do not know."""
    return tongue(text) not in ("", *Language)


def function_words(text: str) -> frozenset[str]:
    """The function words of the language of ``text``; none where that is not known."""
    return _WORDS.get(tongue(text), frozenset())


def is_foreign(questions: Iterable[str], evidence: Iterable[Evidence]) -> bool:
    """Whether what is asked seems to be in another language than what was found; where nothing was, in one that the
    other judgements do not know."""
    asked = " ".join(questions)
    held = {tongue(item.text) for item in evidence} - {""}
    return tongue(asked) not in ("", *held) if held else is_unknown(asked)
