"""What a question names that nothing found mentions."""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.above import called, line_above
from calibrant.judges.free.evidence.matching import keys
from calibrant.judges.free.evidence.named_things import absent_names
from calibrant.judges.free.evidence.query import Query, prepare, uncovered
from calibrant.judges.free.request.conditions import without_conditions
from calibrant.judges.free.words.claim_words import stemmed
from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.text import is_misspelt, stem, tokens
from calibrant.judges.free.words.tongues import function_words
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

_TELLING = 0.35
"""Weight from which a missing word is worth naming."""
_IS = (
    r"\b(?!(?:what|which|who|whose|where|when|why|how|much|many|long|o|que|qual|quem|onde|quando|como|quanto)\b)[\w-]+ "
    r"(?:is|are|was|were|be|being|been|é|são|está|estão|foi|ser|estar)"
)
_DEGREE = r"\b(?:so|too|very|tão|muito)"
_DESCRIBES = re.compile(
    r"(?:able|ible|ful|(?<!hour|year)(?<!month)(?<!week)(?<!dai)(?<!quarter)ly|ável|íve[li]s?|áveis|mente)$"
)
"""Endings of what is said of a thing; "monthly" and the like say which."""
_ANYTHING = word_set(
    "value values thing things kind way ways meaning purpose effect behavior supposed valor valores coisa coisas forma "
    "maneira significado efeito comportamento"
)
_OF_ANYTHING = {
    Language.ENGLISH: word_set("answer happen mean mention tell work"),
    Language.PORTUGUESE: word_set("responder acontecer significa significar mencionar dizer diz funcionar"),
}
"""Verbs of a question that are said of anything."""
_ALIKE = 0.88
"""Share of the letters that a misspelt word has in common with the right one."""


def absent(questions: Sequence[str], evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """What ``questions`` name, and their telling words, that no passage has at all, nor a title: more than one best
    passage lacks may stand in another one. Function words tell nothing in any language."""
    texts = [f"{called(item)}\n{line_above(item)}\n{item.text}" for item in evidence]
    found: list[str] = []
    for query in map(prepare, questions):
        held = frozenset[str]().union(*(held_by(item, query.language) for item in evidence))
        names = absent_names(query.text, texts)
        silent = {*function_words(query.text), *(name.lower() for name in names)}
        found += names
        others = (word for word in lacking(query, held) if word not in silent)
        missing = (word for word in others if _names_a_thing(query, word) and not is_misspelt(word, held, _ALIKE))
        spelt = {term.word: query.text[start:end] for term, start, end in query.spans if term.is_name}
        found += [spelt.get(word, word) for word in missing]
    return unique(found)


def _names_a_thing(query: Query, word: str) -> bool:
    """Whether a missing word may be what the question is about. What it says of a thing (free, reachable), how many
    there are (300 series) or what it asks of anything (the value, to answer) is said in other words as well, and its
    absence explains nothing."""
    if word[0].isdigit() and re.search(rf"(?<![\w.,-]){re.escape(word)} (?:[a-zà-ÿ]+ )?[a-zà-ÿ]+s\b", query.text):
        return False
    if any(term.is_name for term in query.terms if term.word == word):
        return True
    if stem(word, query.language) in stemmed(_OF_ANYTHING[query.language], query.language):
        return False
    said_of = re.search(rf"(?:{_IS}|{_DEGREE}) {re.escape(word)}\b(?! of\b| d[aeo]s?\b)", query.text, re.IGNORECASE)
    return not said_of and word not in _ANYTHING and not _DESCRIBES.search(word)


def lacking(query: Query, held: frozenset[str]) -> list[str]:
    """The telling words of a question that ``held`` leaves out, without those that name what is not wanted."""
    wanted = {token.word for token in tokens(without_conditions(query.text, query.language))}
    return [term.word for term in uncovered(query, held) if term.weight >= _TELLING and term.word in wanted]


def held_by(item: Evidence, language: Language) -> frozenset[str]:
    """All that a term can match in a passage, with what stands above it and what its file is called."""
    return keys(item.text, language) | keys(line_above(item), language) | keys(called(item), language)
