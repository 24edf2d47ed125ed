"""Names that lead on: one page names what another one tells of, so a question may need both.

"The singer who popularised X" is answered in two steps: the page on X names the singer, the singer's page says the
rest. A comparison needs the page of each thing it names. What leads on is therefore

    a name in a passage held that the question lacks, near the question's words   relevance * (coverage + nearness)
    in a question of several parts, a thing that it names itself                  before all others

unless a passage held is titled with it. ``coverage``: the weighted share of the question's words that the sentence
and what stands above it have. ``nearness``: the weight of the question's word next to the name, halved four words off.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import takewhile

from calibrant.judges.free.evidence.above import line_above, section_of
from calibrant.judges.free.evidence.matching import covered, keys
from calibrant.judges.free.evidence.query import Query, coverage, prepare
from calibrant.judges.free.request.orders import sought
from calibrant.judges.free.words.dictionary import is_usual
from calibrant.judges.free.words.terms import names, quoted
from calibrant.judges.free.words.text import Sentence, none_in_another, sentences_of, silent_words, tokens
from calibrant.judges.free.words.units import MEASURES, MONTHS, WEEKDAYS
from calibrant.state.evidence import Evidence
from calibrant.state.injection import without_orders
from calibrant.state.task import Language

HALF_WAY = 4
"""Words between a name and a word of the question that halve what the word tells of the name."""

COMPARED = 2.0
"""What a thing that a question of several parts names itself weighs: no name in a passage gets more than that."""

_LINKS = frozenset(("a", "an", "and", "for", "in", "of", "the", "da", "das", "de", "do", "dos", "e", "o", "os"))
_OPENERS = re.compile(
    r"\A(?:(?:The|An?|In|On|At|For|From|By|As|It|He|She|His|Her|This|Its|After|Before|During|Under|With|When|While"
    r"|Os?|As?|Uma?|Em|N[oa]s?|D[oa]s?|Por|Para|Com|Ele|Ela|Este|Esta|Seu|Sua)\s+(?=[A-ZÀ-Þ]))+"
)
_OF_MANUALS = "true false none null note notes warning example see use return returns version"
_NO_NAMES = frozenset(_OF_MANUALS.split()).union(MONTHS, WEEKDAYS, MEASURES, *map(silent_words, Language))
"""Words that are written with a capital and lead nowhere, with a number or not: "Version 2", "April 1616", "64 KiB",
and what opens a sentence: "No. Use"."""
_RELEASE = re.compile(r"(?<=\d)(?:\.\d+)+(?!\w)")
"""What goes on behind the first number of a version: "TideDB 4.2"."""
_STATISTIC = re.compile(r"(?:RR|OR|HR|CI|SD|SE|IQR|AUC) \d+\.\d+$")
"""What a study has found, and no name: a relative risk of 1.06."""
_LABELS = 4
"""Letters from which a usual word in capitals only labels what follows: "FUNDING European Union"."""
_JOINTS = re.compile(r"\s+(?:and|e|&)\s+")
_BRACKETED = re.compile(r"\(.*?\)")


@dataclass(frozen=True)
class Lead:
    """A name to search for. ``strength``, 0..1: how relevant the passage is that points to it."""

    name: str
    strength: float


def leading(question: str, parts: Sequence[str], held: Sequence[Evidence], limit: int) -> tuple[Lead, ...]:
    """Up to ``limit`` names that lead on from ``held`` (best first), the most promising first, none inside another."""
    query = prepare(question)
    asked = ((COMPARED, Lead(name, 1.0)) for name in _compared(query) if len(parts) > 1)
    told = (found for item in held for found in _leads_in(query, item))
    best: dict[str, tuple[float, Lead]] = {}
    for value, lead in (*asked, *told):
        known = best.get(lead.name)
        if (known is None or value > known[0]) and not any(titled(lead.name, item) for item in held):
            best[lead.name] = (value, lead)
    ranked = (lead for _, lead in sorted(best.values(), key=lambda pair: -pair[0]))
    return tuple(none_in_another(ranked, lambda lead: lead.name.lower())[:limit])


def _compared(query: Query) -> list[str]:
    """The things that a question names, each by itself: "Coldplay and Pierre Bouvier" are two. What an order says to do
    with them ("Compare ...") is no part of a name."""
    about = sought(query.text, query.language)
    named = (name for term in names(about) for name in _JOINTS.split(term.text) if leads_somewhere(name))
    return [*(term.text for term in quoted(about)), *named]


def leads_somewhere(name: str) -> bool:
    """Whether a name is more than a day, a month or a word that is only written with a capital, with a number or not:
    "November 2026" tells when, and nothing of what it is about."""
    words = _words(name)
    spelt = [word for word in words if not word.isdigit()]
    return bool(words) and not _NO_NAMES.issuperset(spelt)


def _leads_in(query: Query, item: Evidence) -> Iterator[tuple[float, Lead]]:
    """The names in a passage that neither the question nor its own title has, each with what it promises. What orders
    a model about leads nowhere."""
    item = item.replace(text=without_orders(item.text))
    for name, promise in _promises(query, sentences_of(item), line_above(item)):
        yield item.relevance * promise, Lead(name, item.relevance)


@lru_cache(maxsize=1_000)
def _promises(query: Query, told: tuple[Sentence, ...], title: str) -> tuple[tuple[str, float], ...]:
    """The names of ``_leads_in``, each with what it promises in a passage of full relevance. Remembered: a round and
    the plan of the next one look at the same passages."""
    above = keys(title, query.language)
    known = above | keys(query.text, query.language)
    found = []
    for sentence in told:
        share = coverage(query, above | keys(sentence.text, query.language))
        for term in names(sentence.text):
            if term.start and sentence.text[term.start - 1].isalnum():
                continue  # the rest of an identifier: "Time" of "dateTime"
            near = _nearness(query, sentence.text, term.start, term.end)
            release = _RELEASE.match(sentence.text, term.end)
            whole = f"{term.text}{release.group()}" if release else term.text
            for name in [] if _STATISTIC.search(whole) else _each(whole, query.language):
                words = _words(name)
                if leads_somewhere(name) and not known.issuperset(words):
                    found.append((name, (share + near) * _rarity(words)))
    return tuple(found)


def _each(phrase: str, language: Language) -> list[str]:
    """The names in a capitalised phrase: "Ann Lee and Bo Day" are two, "Rough and Ready" is one."""
    phrase = re.sub(r"['’]s?$", "", _OPENERS.sub("", _unlabelled(phrase, language)))
    names_in = _JOINTS.split(phrase)
    return names_in if all(len(name.split()) > 1 for name in names_in) else [phrase]


def _unlabelled(phrase: str, language: Language) -> str:
    """``phrase`` without the label before it."""
    words = phrase.split()
    labels = takewhile(lambda word: word.isupper() and len(word) >= _LABELS and is_usual(word, language), words)
    return " ".join(words[len(list(labels)) :])


def _nearness(query: Query, text: str, start: int, end: int) -> float:
    """0..1: the best of the question's plain words around ``text[start:end]``, by weight and distance."""
    found = tokens(text)
    inside = [place for place, token in enumerate(found) if start <= token.start < end]
    plain = [term for term in query.terms if not term.is_name]
    near = 0.0
    for place, token in enumerate(found):
        apart = max(inside[0] - place, place - inside[-1]) - 1 if inside else -1
        if apart >= 0:
            word = keys(token.word, query.language)
            weight = max((term.weight for term in plain if covered(term, word) == 1.0), default=0.0)
            near = max(near, weight / (1.0 + apart / HALF_WAY))
    return near


def _rarity(words: Sequence[str]) -> float:
    """0..1: one word of many texts ("American"), with a number or not, leads nowhere in particular."""
    spelt = [word for word in words if not word.isdigit()]
    if len(spelt) > 1:
        return 1.0
    return max((term.weight for word in spelt for term in prepare(word).terms), default=0.0)


def led(leads: Mapping[str, float], held: Sequence[Evidence], fit: Mapping[str, float]) -> dict[str, float]:
    """The passages that ``leads`` (strength by name) were after, by id, with what they count for: a page is as
    relevant as the passage that points to it. One passage a name: titled with it if one is, else the best by ``fit``.
    """
    found: dict[str, float] = {}
    for name, strength in leads.items():
        pages = [item for item in held if under(name, item)]
        if pages:
            best = max(pages, key=lambda item: (titled(name, item), fit[item.id]))
            found[best.id] = max(fit[best.id], strength, found.get(best.id, 0.0))
    return found


def titled(name: str, item: Evidence) -> bool:
    """Whether a passage stands under that very name: "Mercury" under "Mercury (planet)"."""
    return _words(name) in _heads(item)


def under(name: str, item: Evidence) -> bool:
    """Whether a passage stands under what the name could mean: a title that is the name, that has all of its several
    words ("Oxford Circus station" for "Oxford Circus"), or whose several words are a part of it ("Marie Curie" for
    "Professor Marie Curie")."""
    words = _words(name)
    return any(
        words == head
        or (len(words) > 1 and set(words) <= set(head))
        or (len(head) > 1 and f" {' '.join(head)} " in f" {' '.join(words)} ")
        for head in _heads(item)
    )


def _heads(item: Evidence) -> list[list[str]]:
    """The words of a passage's title and of its own heading, without what stands in brackets."""
    return [_words(_BRACKETED.sub("", head)) for head in (item.title, section_of(item))]


def _words(name: str) -> list[str]:
    return [word for word in re.findall(r"\w+", name.lower()) if word not in _LINKS]
