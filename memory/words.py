"""Words of a task as memory compares them: folded, split, stemmed, without the ones that carry no topic.

English and Portuguese. A remembered task has no language mark, so one set of rules serves both. A stem need not be a
word; it only has to be the same for the forms of one word. Words of other scripts are compared as they stand. Signs
count where they carry meaning: ``**`` and ``//`` are two questions, a comma more is not.
"""

import re
import unicodedata
from functools import lru_cache

STOP_WORDS = frozenset(
    """
    a about all also am an and any are as at be been being but by can could did do does doing done each for from get
    give had has have having he her his how i if in into is it its just know let like make makes may me might must my
    need of on or our out please shall she should show so some such tell than that the their them then there these
    they this those to us use used using want was way we were what when where which while who whom whose why will
    with would you your add adding best better choose code describe example examples explain find follow following good
    guide industry much practice practices recommended say says step steps thank thanks tutorial versus vs way ways work
    works
    ao aos as ate com como da das de dela dele deles do dos e ela elas ele eles em entre era essa esse esta este eu
    foi foram ha isso isto ja la lhe mais mas me mesmo meu meus minha muito na nao nas nem no nos nossa nosso num numa
    o onde os ou para pela pelas pelo pelos por porque posso preciso pode quais qual quando quanta quantas quanto
    quantos que quem quero se sem ser seu seus sua suas sao tem ter um uma uns usar usando voce adicionar escolher
    exemplo exemplos explique favor forma funciona maneira melhor melhores obrigada obrigado passo pratica praticas
    """.split()  # noqa: SIM905 - a list of words reads better as words
)
"""With the words that any task may be asked in (best, example, tutorial): to share them makes no two tasks alike."""

QUALIFYING = frozenset("best better code example good guide industry practice recommended tutorial work".split())  # noqa: SIM905
"""Those of them that say which one is meant where they stand right before a word: guide dogs, work permits."""

_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")
_POSSESSIVE = re.compile(r"['’]s\b")
_LATIN = "a-z\u00e6\u00f0\u00f8-\u024f"
_MARKS = "".join(c for c in map(chr, range(0x300, 0x12000)) if unicodedata.category(c).startswith("M"))
"""What a letter of another script carries: vowel signs, voicing. ``re`` does not count them among the word's."""

_WORD = re.compile(rf"\d+(?:\.\d+)*|[a-z]\+\+|[a-z]#|[{_LATIN}]+\d*|(?:[^\W\d_{_LATIN}][{_MARKS}]*)+")

_ACCENT = 200
"""The least combining class of what stands over or under a letter and does not make it another one."""

_FINAL = re.compile(r"(?<=[^$])[?.!]$")
"""The end of a sentence, but not of ``$?``."""

_QUOTES = re.compile(r"[\"'`\u2018-\u201f\u00ab\u00bb]")
_JOINING = re.compile(r"(?<=w)[/&](?=w)")
_OPERATORS = frozenset("#%&*/@\\^")
"""With all that Unicode calls a symbol of mathematics or money, or another one."""

ASIDE = re.compile(r"[,:;&/()\[\]{}]|-+|\.{3,}")
"""Signs that may stand alone and say nothing: a dash, a colon, *&* for *and*."""

_ENDINGS = sorted(
    """
    izations isations ization isation amentos imentos amento imento ations acoes ation icoes acao icao ments mente
    ment ating ates ated ate izing ising izar izes ised ized izer ize ise ings ing ies ando endo indo adas ados idas
    idos ers ors ada ado ida ido oes ao ed er or ar ir ly es as os s e a o y
    """.split(),  # noqa: SIM905
    key=len,
    reverse=True,
)
"""The longest that fits is cut off, then a doubled consonant or a last vowel."""

_LEAST_STEM = 3
_PLURAL = 5
"""Longer words on -ais and -eis are plurals of -al and -el (``capitais``, ``papeis``)."""


def fold(text: str) -> str:
    """``text`` without diacritics."""
    return "".join(c for c in unicodedata.normalize("NFKD", text) if unicodedata.combining(c) < _ACCENT)


def plain(text: str) -> str:
    """``text`` whatever its case, its white space and the sign that ends its sentence."""
    return _FINAL.sub("", " ".join(text.casefold().split())).rstrip()


def tokens(text: str) -> list[str]:
    """The words of ``text`` in order: lowercase, folded, identifiers split (``HandleTask``, ``json.dumps``)."""
    return _WORD.findall(_CAMEL.sub(" ", _POSSESSIVE.sub("", fold(text))).casefold())


def signs(text: str) -> frozenset[str]:
    """The signs of ``text`` that may carry meaning: operators (``&&``, ``$?``), others where they stand alone."""
    shown = _WORD.sub("w", _QUOTES.sub("", fold(plain(text))))
    found = (run for piece in _JOINING.sub("", shown).split() for run in _telling(piece))
    return frozenset(run.lstrip("([{").rstrip(")]},;:.") or run for run in found)


def _telling(piece: str) -> list[str]:
    """The runs of signs to look at in a piece without white space, each of its words written ``w``."""
    if "w" not in piece and piece.isascii():
        return [piece]
    return [run for run in piece.split("w") if any(map(_is_operator, run))]


def _is_operator(sign: str) -> bool:
    return sign in _OPERATORS or unicodedata.category(sign) in {"Sm", "Sc", "So"}


@lru_cache(maxsize=20_000)
def stem(word: str) -> str:
    """The stem of a folded, lowercase word."""
    if len(word) > _PLURAL and word.endswith(("ais", "eis")):
        word = word[:-2] + "l"
    if not (word.isascii() and word.isalpha()) or word.endswith(("us", "is")):
        return word
    fitting = (end for end in _ENDINGS if word.endswith(end) and len(word) - len(end) >= _LEAST_STEM)
    root = word.removesuffix(next(fitting, ""))
    doubled = len(root) > _LEAST_STEM and root[-1] == root[-2]
    return root[:-1] if doubled or (root != word and len(root) > _LEAST_STEM and root[-1] in "aeiou") else root
