"""Success criteria that can be counted: the numbers a request states, else one answer per part of it."""

import re
from collections.abc import Iterator, Sequence

from calibrant.judges.free.request.condition_cues import SEARCH
from calibrant.judges.free.words.numbers import ANY_NUMBER_WORD, NUMBER_WORDS
from calibrant.judges.free.words.text import uncased
from calibrant.state.task import EN, PT, Criterion, Language, Question

_N = rf"(?P<n>\d{{1,3}}|{ANY_NUMBER_WORD})"
_THINGS = r"(?P<what>[^\s,.;:?!]+(?: (?!and\b|or\b|with\b|e\b|com\b|that\b|que\b)[^\s,.;:?!]+){0,4})"
AT_LEAST: dict[Language, str] = {
    EN: (
        rf"(?:\bat least|\bno fewer than|\bminimum(?: of)?|>=|≥) ?{_N} {_THINGS}|\b(?P<n2>\d{{1,3}}|{ANY_NUMBER_WORD}) "
        rf"or more (?P<what2>[^\s,.;:?!]+(?: [^\s,.;:?!]+)?)"
    ),
    PT: (
        rf"(?:\bpelo menos|\bno mínimo|\bao menos|>=|≥) ?{_N} {_THINGS}|\b(?P<n2>\d{{1,3}}|{ANY_NUMBER_WORD}) ou mais "
        rf"(?P<what2>[^\s,.;:?!]+(?: [^\s,.;:?!]+)?)"
    ),
}  # fmt: skip
LISTED = rf"^\W*(?:\w+ ){{1,5}}?(?:(?:the )?top |as )?{_N} (?!most\b|times\b|vezes\b|de\b){_THINGS}"
"""A number in a request to collect: "list three ways", "give me 5 examples"."""


_TRAILING = re.compile(r" (?:on|of|for|in|about|from|de|sobre|em|para)$", re.IGNORECASE)


def criteria(questions: Sequence[Question], text: str, language: Language) -> tuple[Criterion, ...]:
    """What can be counted: the number that the request states, else one answer per part of the question."""
    if counted := _counted(text, language):
        return (counted,)
    return tuple(Criterion(id=f"c{n}", what=part.text) for n, part in enumerate(questions, 1))


def _counted(text: str, language: Language) -> Criterion | None:
    """The number of things that the request states."""
    if match := re.search(AT_LEAST[language], text, re.IGNORECASE):
        what = _TRAILING.sub("", match["what"] or match["what2"])
        return Criterion(id="c1", what=what, target=_count(match["n"] or match["n2"]))
    if (listed := _listed(text, language)) and _count(listed["n"]) > 1:
        return Criterion(id="c1", what=listed["what"], target=_count(listed["n"]))
    return None


def counts(text: str, language: Language) -> Iterator[str]:
    """The words of a request to collect things that say how many: "at least 3", "List five"."""
    for match in re.finditer(AT_LEAST[language], text, re.IGNORECASE):
        yield text[match.start() : match.start("what" if match["what"] else "what2")].strip()
    if listed := _listed(text, language):
        yield text[listed.start() : listed.start("what")].strip()


def _listed(text: str, language: Language) -> re.Match[str] | None:
    """The number of things that a request to collect some asks for, and what they are."""
    return re.search(LISTED, text, re.IGNORECASE) if collects(text, language) else None


def collects(text: str, language: Language) -> bool:
    """Whether ``text`` asks to collect things."""
    return re.match(SEARCH[language], text.strip().lower()) is not None


_BETWEEN = re.compile(r"[,;] (?:(?:and|or|e|ou) )?| (?:and|or|e|ou) ")


def told_in(text: str) -> int:
    """How many things a sentence may tell of, at most: the members of its list, else one."""
    between = _BETWEEN.findall(text)
    is_list = any(join != ", " for join in between)  # commas alone set clauses apart
    return 1 + len(between) if is_list else 1


def _count(word: str) -> int:
    return int(word) if word.isdigit() else NUMBER_WORDS[uncased(word)]
