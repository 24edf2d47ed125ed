"""The terms of a request: identifiers, names, specific and generic words, and which of them tell most."""

import re
from dataclasses import dataclass
from functools import lru_cache

from calibrant.judges.free.words.lists import OF_OR_FOR, word_set
from calibrant.judges.free.words.text import STOP_WORDS, content_words, language_of, silent_words, tokens
from calibrant.state.task import EN, PT, Language

_GENERIC_EN = """
anything everything something nothing thing things stuff issue issues problem problems matter help helping assist fix
fixing solve make making improve improving better worse best good nice great work works working look looking way ways
info information details detail topic subject question questions answer answers idea ideas project code file files
task bug error errors app system tool performance quality data content text research learn understand know need want
like use using used go going try trying show give tell take change update handle deal optimize optimise write create
build set check find please thanks thank hi hello hey today important interesting various different new old kind type
example examples one ones right wrong faster cleaner nicer wondering true false possible two three four five six seven
eight nine ten
"""
_GENERIC_PT = """
coisa coisas negócio troço algo tudo nada problema problemas questão assunto ajuda ajudar ajude me faço fazem corrigir
corrija consertar conserte resolver resolva fazer faça melhorar melhore melhor pior bom boa funciona funcionar jeito
maneira informação informações detalhes tema pergunta resposta ideia ideias projeto código arquivo tarefa erro bug
sistema ferramenta desempenho dados conteúdo texto pesquisar saber preciso quero gostaria usar mostrar mostre dar dê
fale fala falar falem conte contar mudar atualizar otimizar escrever criar verificar encontrar obrigado obrigada olá
oi bem favor exemplo exemplos tipo aí certo errado deixe deixar
"""
GENERIC: dict[Language, frozenset[str]] = {EN: word_set(_GENERIC_EN), PT: word_set(_GENERIC_PT)}
"""Words that name nothing one could search for. Alone or together they leave a request vague."""

COMMON = {known: silent_words(known) | GENERIC[known] for known in Language}
"""Words of any request, whatever it is about."""

_IDENTIFIER = re.compile(
    r"""(?x)
    (?!\w{200})(?:  # no identifier is that long, and from each letter of it the rest would be read
      [A-Za-z_]\w*(?:\.[A-Za-z_]\w*)+(?:\(\))?   # json.dumps, os.path.join()
    | [A-Za-z]\w*_\w+ | \w+\(\)                   # sort_keys, sorted()
    | [a-z]+[A-Z]\w* | [A-Z]\w*[a-z0-9][A-Z]\w* | [A-Z]{2,}[a-z]\w+  # camelCase, HandleTask, SQLite
    | [A-Z]{2,}s?\b | [A-Za-z]+\d+\b | (?<![\w-])--?[a-z][\w-]+  # HTTP, sqlite3, --flag
    )"""
)
_NOT_PLAIN = re.compile(r"(?<!\S)(?![A-Z]?[a-z]*[^\w\s(-]*(?!\S))\S+")
"""What stands between spaces and is more than a plain word with its marks: only there can an identifier be. Prose has
few of them, and ``_IDENTIFIER`` tries each letter of what it is given."""
_NAME_LINK = r"(?:of|the|de|da|do|dos|das|e|for|in|and|&)"
_CAPITAL = r"[A-ZÀ-Þ][\w'’.&-]+"
_NAME = re.compile(rf"{_CAPITAL}(?:\s+(?:{_NAME_LINK}\s+){{0,2}}{_CAPITAL}|\s+\d{{1,4}}\b)*")
_ROLE = re.compile(r"^[A-Z]{2,} (?:of|d[aoe]) (?:the )?")
"""An acronym that is an office, before the name of whose office it is: "CEO of Apple" names Apple."""
_QUOTED = re.compile(r"[\"“«`]([^\"“”«»`]*)[\"”»`]")


@dataclass(frozen=True)
class Term:
    """A word or phrase of a request as it is written there."""

    text: str
    start: int
    end: int


@lru_cache(maxsize=2_000)
def identifiers(text: str) -> tuple[Term, ...]:
    """The identifiers of ``text`` (dotted, snake_case, camelCase, calls, acronyms, names with digits).

    A text all in capitals shows none: there they say nothing.
    """
    runs = _NOT_PLAIN.finditer(text)
    found = (Term(m.group(), m.start(), m.end()) for run in runs for m in _IDENTIFIER.finditer(text, *run.span()))
    return tuple(term for term in found if len(term.text) > 1) if len(text) < 12 or not text.isupper() else ()


def quoted(text: str) -> tuple[Term, ...]:
    """The phrases of 2 to 80 characters in double quotes or backticks, without the quotes. The others are quoted too:
    what stands between them and the next is not."""
    pairs = _QUOTED.finditer(text)
    return tuple(Term(m.group(1).strip(), m.start(), m.end()) for m in pairs if 2 <= len(m.group(1)) <= 80)


def names(text: str) -> tuple[Term, ...]:
    """The capitalised phrases of ``text``. A first word that only asks or is a plain stop word is not part of one."""
    found = []
    for match in _NAME.finditer(text):
        said = match.group().rstrip(".,'")
        term = _trimmed(Term(said, match.start(), match.start() + len(said)), text)
        if term is not None:
            found.append(term)
    return tuple(found)


def _trimmed(term: Term, text: str) -> Term | None:
    """``term`` without leading words that are capitalised only because they open a sentence."""
    words = term.text.split()
    silent = COMMON[language_of(text)]
    start = term.start
    while words and _opens(text, start) and words[0].lower().rstrip("'’s") in silent:
        start += len(words[0]) + 1
        words = words[1:]
        while words and words[0].islower():
            start += len(words[0]) + 1
            words = words[1:]
    if not words or (_opens(text, start) and len(words) == 1 and not _IDENTIFIER.fullmatch(words[0])):
        return None
    named = _ROLE.sub("", " ".join(words))
    return Term(named, term.end - len(named), term.end)


def _opens(text: str, at: int) -> bool:
    """Whether a sentence begins at ``at``: capitals there say nothing."""
    before = text[:at].rstrip()
    return not before or before[-1] in ".?!:;\n"


def as_written(text: str, word: str) -> str:
    """``word`` with the capitals that it has in ``text``."""
    found = re.search(rf"(?<!\w){re.escape(word)}", text, re.IGNORECASE)
    return found.group() if found else word


NOTHING = word_set(
    "thing things stuff something anything everything nothing way problem problems issue issues question questions bit "
    "matter idea help lot one ones kind type coisa coisas algo tudo nada problema problemas questão jeito maneira "
    "pergunta ideia ajuda tipo"
)
"""Words that name nothing even behind an article."""

_COUNTED: dict[Language, str] = {
    EN: r"\b(?:(?:what (?:is|are)|what's|define)(?: an?)?|an?|each|every|two|empty|nested) (?P<noun>[a-z]+)\b(?! of\b)",
    PT: r"\b(?:(?:o que (?:é|são)|defina)(?: uma?)?|uma?|cada|dois|duas) (?P<noun>[a-zà-ÿ]+)\b",
}
"""Where a word can only be a noun: "a list" is a thing, "list" alone may be an order."""


def _nouns(text: str, language: Language) -> frozenset[str]:
    """The words of ``text`` that an article makes nouns, whatever they may be elsewhere."""
    found = (match["noun"] for match in re.finditer(_COUNTED[language], text.lower()))
    return frozenset(word for word in found if word not in NOTHING | STOP_WORDS[language])


def telling_words(text: str, language: Language) -> tuple[str, ...]:
    """The content words of ``text``, nouns included that look like orders ("a list"), in order."""
    kept = {*content_words(text, language), *_nouns(text, language)}
    return tuple(dict.fromkeys(token.word for token in tokens(text) if token.word in kept))


def specific_words(text: str, language: Language) -> tuple[str, ...]:
    """The content words that name something: those that are not generic, or that an article makes a thing."""
    nouns = _nouns(text, language) - _QUALITIES
    return tuple(word for word in telling_words(text, language) if word not in GENERIC[language] or word in nouns)


_QUALITIES = word_set(
    "wrong right better worse best good nice great new old different true false possible melhor bom boa certo"
)


def topic(text: str, language: Language, limit: int = 12) -> tuple[str, ...]:
    """The content words of ``text``, most telling first: identifiers, names, then longer words; generic ones last."""
    weights = dict.fromkeys(telling_words(text, language), 0.0)
    nouns = _nouns(text, language)
    places = {token.word: token.start for token in reversed(tokens(text))}
    coded = [(term.start, term.end) for term in identifiers(text)]
    named = [(term.start, term.end) for term in (*names(text), *quoted(text))]
    for word in weights:
        at = places.get(word, 0)
        weights[word] = min(len(word), 12) / 12 - 2.0 * (word in GENERIC[language] and word not in nouns)
        weights[word] += 3.0 * _inside(at, coded) + 2.0 * _inside(at, named)
    return tuple(sorted(weights, key=lambda word: -weights[word]))[:limit]


def _inside(at: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in spans)


def longest_chunk(text: str, language: Language) -> str:
    """The longest run of neighbouring content words in ``text``, as written there ("isolation levels of sqlite")."""
    silent = COMMON[language] - _nouns(text, language)
    runs: list[list[tuple[int, int]]] = [[]]
    last = 0
    for token in tokens(text):
        broken = any(mark in text[last : token.start] for mark in ",;:?!()")
        if broken or (token.word in silent - OF_OR_FOR):
            runs.append([])
        if token.word not in silent:
            runs[-1].append((token.start, token.end))
        last = token.end
    best = max(runs, key=len)
    return text[best[0][0] : best[-1][1]] if best else ""
