"""Noun phrases of a question, as far as its words tell: which can take another's place.

A phrase is read around its core, a name or a plain word: "on the Team plan" has a preposition, an article, the core
"Team" and a tail; in Portuguese the plain noun stands before the name, as the head ("do plano Team").
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from calibrant.judges.free.words.terms import Term, identifiers, names, quoted
from calibrant.judges.free.words.text import QUESTION_WORDS, silent_words
from calibrant.judges.free.words.units import ANY_MONTH
from calibrant.state.task import EN, PT, Language

PREPOSITIONS: dict[Language, str] = {
    EN: r"(?:in|on|with|for|from|to|by|at|of|without|under|as|using|inside|after|before|per)",
    PT: r"(?:em|n[oa]s?|com|para|pr[oa]|de|d[oa]s?|por|pel[oa]s?|aos?|às?|sem|sob|como|usando|dentro)",
}
ARTICLES: dict[Language, str] = {
    EN: r"(?:the|an?|my|our|your)",
    PT: r"(?:[oa]s?|uma?|meus?|minhas?|nossos?|nossas?)",
}
FUSED = {
    "do": ("de", "o"), "da": ("de", "a"), "dos": ("de", "os"), "das": ("de", "as"),
    "no": ("em", "o"), "na": ("em", "a"), "nos": ("em", "os"), "nas": ("em", "as"),
    "pelo": ("por", "o"), "pela": ("por", "a"), "pelos": ("por", "os"), "pelas": ("por", "as"),
    "ao": ("a", "o"), "à": ("a", "a"), "aos": ("a", "os"), "às": ("a", "as"),
}  # fmt: skip
"""Portuguese prepositions that have an article in them."""
_FUSES = {parts: fused for fused, parts in FUSED.items()}

_MARKED = re.compile(r"(?<![\w-])[^\W\d_]+(?:[-/][^\W_]+)+(?![\w-])")
_DATED = re.compile(
    rf"(?<![\w.-])(?:\d{{1,2}}(?:st|nd|rd|th|º)? (?:de |of )?(?:{ANY_MONTH})|(?:{ANY_MONTH}) \d{{1,2}}(?:st|nd|rd|th)?)"
    rf"(?:,? (?:de )?\d{{4}})?\b",
    re.IGNORECASE,
)
_NUMBERED = re.compile(r"(?<![\w.-])v?\d[\w.:]*(?:-\d+)*")
_ANY = re.compile(r"[^\W_][\w.-]*")
_NEXT = re.compile(r"\s+([^\W\d_][\w'’-]*)")
_LETTER = re.compile(r" [A-ZÀ-Þ](?![\w'’.])")
_LAST = re.compile(r"(?<![\w'’-])([^\W_][\w'’-]*)\s+$")
_MOST_HEADS = 2


@dataclass(frozen=True)
class Phrase:
    """``lead article head core`` and the words of its tail, each with its end; all but the core may be empty."""

    lead: str
    article: str
    head: str
    core: str
    start: int
    end: int
    tail: tuple[Term, ...] = ()

    @property
    def preposition(self) -> str:
        """The lead without an article in it."""
        return FUSED.get(self.lead.lower(), (self.lead.lower(), ""))[0]

    @property
    def determiner(self) -> str:
        """The article, which may be in the lead."""
        return self.article or FUSED.get(self.lead.lower(), ("", ""))[1]


def marked(text: str) -> tuple[Term, ...]:
    """Plain words joined to one name ("us-west")."""
    return tuple(Term(found.group(), *found.span()) for found in _MARKED.finditer(text))


def dated(text: str) -> tuple[Term, ...]:
    """Days of the year ("2 March", "March 2", "2 de março de 2025")."""
    return tuple(Term(found.group(), *found.span()) for found in _DATED.finditer(text))


def numbered(text: str) -> tuple[Term, ...]:
    """Years, versions and other numbers."""
    found = ((match.group().rstrip(".:"), match.start()) for match in _NUMBERED.finditer(text))
    return tuple(Term(said, start, start + len(said)) for said, start in found)


KINDS: tuple[Callable[[str], tuple[Term, ...]], ...] = (dated, identifiers, quoted, names, marked, numbered)
"""What names something by its form, most telling first. Only a thing of the same kind takes its place."""


def around(text: str, core: Term, language: Language) -> Phrase:
    """The phrase of ``text`` that has this core."""
    core = _lettered(text, core)
    start, heads = core.start, list[str]()
    for word, at in _leftwards(text, core.start):
        if len(heads) == _MOST_HEADS or not is_plain(word, language):
            break
        heads.insert(0, word)
        start = at
    opening = opened(text, start, language)
    if heads and not any(opening[:2]):
        heads, opening = [], opened(text, core.start, language)
    lead, article, start = opening
    return Phrase(lead, article, " ".join(heads), core.text, start, core.end, _run(text, core.end, language))


def _lettered(text: str, core: Term) -> Term:
    """A name with the single letter behind it ("Cargo X", "Vitamin D")."""
    found = _LETTER.match(text, core.end) if core.text[:1].isupper() else None
    return Term(f"{core.text}{found.group()}", core.start, found.end()) if found else core


def led(text: str, preposition: str, language: Language) -> tuple[Phrase, ...]:
    """The phrases of ``text`` that this preposition leads, with an article in it or without."""
    found = []
    for match in re.finditer(rf"(?<![\w-]){PREPOSITIONS[language]}\s+", text, re.IGNORECASE):
        lead = match.group().strip().lower()
        core = first_core(text, match.end(), language)
        if core and FUSED.get(lead, (lead, ""))[0] == preposition:
            found.append(around(text, core, language))
    return tuple(found)


def placed(text: str, old: Phrase, new: Phrase, language: Language) -> str:
    """``text`` with ``new`` where ``old`` stands. What ``new`` leaves out of the phrase stays: "on the [Team] plan"."""
    said = {new.core.lower(), *_nouns(new)}
    end = max((term.end for term in old.tail if term.text.lower() in said), default=old.end)
    shared = end > old.end
    head = new.head or ("" if shared else old.head)
    kept = shared or head != new.head or any(term.start > end for term in old.tail)
    article = new.determiner or (old.determiner if kept else "")
    opening = fused(new.preposition or old.preposition, article, language).strip()
    words = (opening, head, new.core, *(term.text for term in new.tail))
    return f"{text[: old.start]}{' '.join(filter(None, words))}{text[end:]}"


def fused(preposition: str, following: str, language: Language) -> str:
    """A preposition before a phrase, in Portuguese as one word with its article."""
    article, _, rest = following.partition(" ")
    one = _FUSES.get((preposition.lower(), article.lower())) if language is PT else None
    return f"{one} {rest}".strip() if one else f"{preposition} {following}".strip()


def read(fragment: str, language: Language) -> Phrase | None:
    """The phrase that ``fragment`` begins with."""
    text = f", {fragment}"  # what follows a comma has its capitals for another reason than to open a sentence
    opening = re.compile(rf"(?:{PREPOSITIONS[language]}\s+)?", re.IGNORECASE).match(text, 2)
    core = first_core(text, opening.end() if opening else 2, language)
    if core is None:
        return None
    found = around(text, core, language)
    tail = tuple(Term(term.text, term.start - 2, term.end - 2) for term in found.tail)
    return replace(found, start=found.start - 2, end=found.end - 2, tail=tail)


def counterpart(new: Phrase, before: str, language: Language) -> Phrase | None:
    """The one phrase of ``before`` that ``new`` is an alternative to."""
    if new.lead:
        found = led(before, new.preposition, language)
        return _only(found) or _only(one for one in found if _kinds(one.core) & _kinds(new.core))
    for kind in KINDS:
        if kind in _kinds(new.core):
            return _alternative(new, [around(before, term, language) for term in kind(before)]) or _sharing(
                new, before, language
            )
    return _sharing(new, before, language)


def _alternative(new: Phrase, found: Sequence[Phrase]) -> Phrase | None:
    """The one of ``found`` that is called what ``new`` is called (both plans), or the only one if neither tells."""
    said = _nouns(new)
    alike = [one for one in found if said & _nouns(one)]
    return _only(alike) or (_only(found) if not new.tail or not any(one.tail for one in found) else None)


def _sharing(new: Phrase, before: str, language: Language) -> Phrase | None:
    """The phrase of ``before`` with the noun of ``new``, which a word tells apart: "the basic plan", "plano mensal"."""
    words = [new.core, *(term.text for term in new.tail)]
    noun = re.escape((new.head.split() or words)[0] if language is PT else words[-1])
    other = r"[^\W_][\w'’-]*"
    said = f"{noun}(?: {other})?" if language is PT else f"(?:{other} )?{noun}"
    found = re.findall(rf"(?<![\w-]){said}(?![\w-])", before, re.IGNORECASE)
    if len(words) + bool(new.head) < 2 or len(found) != 1:
        return None
    silent = silent_words(language)
    said = " ".join(word for word in found[0].split() if word.lower() not in silent)
    start = before.find(said) if said else -1
    if start < 0:
        return None
    return around(before, Term(said, start, start + len(said)), language)


def _kinds(said: str) -> set[Callable[[str], tuple[Term, ...]]]:
    """The kinds of name that ``said`` is, as a whole."""
    said = _LETTER.sub("", said)
    return {kind for kind in KINDS if any(term.text == said for term in kind(f", {said}"))}


def _nouns(phrase: Phrase) -> set[str]:
    return {word.lower() for word in (*phrase.head.split(), *(term.text for term in phrase.tail))}


def _only(found: Iterable[Phrase]) -> Phrase | None:
    every = tuple(found)
    return every[0] if len(every) == 1 else None


def _leftwards(text: str, end: int) -> Iterator[tuple[str, int]]:
    """The words before ``end``, nearest first, as far as only space is between them."""
    while found := _LAST.search(text, 0, end):
        yield found[1], found.start()
        end = found.start()


def opened(text: str, start: int, language: Language) -> tuple[str, str, int]:
    """The preposition and the article right before ``start``, and where they begin."""
    opening = re.search(
        rf"(?:(?<![\w-])(?P<lead>{PREPOSITIONS[language]})\s+)?(?:(?<![\w-])(?P<article>{ARTICLES[language]})\s+)?$",
        text[:start],
        re.IGNORECASE,
    )
    if opening is None:
        return "", "", start
    return opening["lead"] or "", opening["article"] or "", opening.start()


def _run(text: str, at: int, language: Language) -> tuple[Term, ...]:
    """The plain words that follow without a break."""
    found = []
    while (word := _NEXT.match(text, at)) and is_plain(word[1], language):
        found.append(Term(word[1], *word.span(1)))
        at = word.end()
    return tuple(found)


def is_plain(word: str, language: Language) -> bool:
    """Whether ``word`` is written small and tells something: no article, no preposition, nothing that only asks."""
    silent = silent_words(language)
    little = re.fullmatch(rf"{PREPOSITIONS[language]}|{ARTICLES[language]}", word, re.IGNORECASE)
    return word.islower() and word not in silent and little is None


def first_core(text: str, at: int, language: Language) -> Term | None:
    """The core of the phrase that begins at ``at``: the first name in it, else its first word."""
    article = re.compile(rf"{ARTICLES[language]}\s+", re.IGNORECASE).match(text, at)
    at = article.end() if article else at
    word = _ANY.match(text, at)
    if word is None or word.group().lower() in QUESTION_WORDS[language]:
        return None
    first = Term(word.group().rstrip("."), at, at + len(word.group().rstrip(".")))
    plain = (first, *_run(text, first.end, language)) if is_plain(first.text, language) else ()
    reach = plain[-1].end + 1 if plain else at
    named = [term for kind in KINDS for term in kind(text) if at <= term.start <= reach]
    return min(named, key=lambda term: term.start, default=first)
