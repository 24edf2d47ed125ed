"""Distilling without a model: insights, practices, mistakes, code examples and patterns, as the passages say them.

Each entry is a sentence (or block of code) of one passage, told apart by cue words, ranked by how it fits the query.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from textwrap import dedent

from calibrant.judges.cascade import Judged
from calibrant.judges.free.answering.candidates import joined
from calibrant.judges.free.answering.extract import alike
from calibrant.judges.free.answering.quotation import is_quotable
from calibrant.judges.free.answering.telling import cleaned
from calibrant.judges.free.evidence.above import nearest_above, section_of
from calibrant.judges.free.evidence.relevance import Relevance, ScoredPassage
from calibrant.judges.free.words.text import Sentence
from calibrant.judges.given import ToDistil
from calibrant.state.evidence import Evidence
from calibrant.state.protocols import TokenEncoder
from calibrant.state.retrieval import CodeExample, Distillate, Insight

MOST = 5
"""Entries of each kind."""
FLOOR = 0.2
"""An insight must fit the query at least so much; a practice or a mistake half of it, since its cue speaks for it."""
TOPICAL = 0.2
"""Or stand in a passage that the search rates so high: what a page on the subject recommends answers no question. Of 25
questions about anything 4 found such a passage in the standard library's source, of ten about that all."""
_SHORTEST_CODE = 8

_PRACTICES = re.compile(
    r"\b(?:should|recommend(?:ed|s)?|prefer(?:red|ably)?|best (?:practice|way)|advis(?:ed|able)|encouraged"
    r"|make sure|ensure|it is (?:better|safer|good)|always|consider using"
    r"|use \w+(?:[.(]\w*)* (?:to|for|instead|when)|instead of|deve(?:m|ria|riam)?|recomend(?:a|ado|ada"
    r"|amos|ável)|prefira|preferível|aconselh\w+|certifique-se|garanta|é melhor|convém|sempre|em vez de"
    r"|utilize|^use)\b",
    re.IGNORECASE,
)
_MISTAKES = re.compile(
    r"\b(?:avoid(?:ed|s)?|never|do not|don't|must not|should not|shouldn't|cannot be used|pitfalls?|beware|caution"
    r"|careful|warning|deprecated|insecure|unsafe|not safe|race condition|mistakes?|wrong(?:ly)?"
    r"|common errors?|unexpected(?:ly)?|vulnerab\w+|not recommended|discouraged|evit(?:e|ar|ado)|nunca|jamais"
    r"|não (?:use|deve|devem|utilize|faça|é recomendado)|cuidado|atenção|obsolet[oa]|inseguro"
    r"|erros? comu(?:m|ns)|armadilhas?|descontinuad[oa])\b",
    re.IGNORECASE,
)
_PATTERNS = re.compile(
    r"\b(?:"
    r"(?:the |an? )?(?:[\w-]+ ){1,3}(?:pattern|idiom|strategy|approach|technique|algorithm|recipe|architecture)\b"
    r"|by using \w|common(?:ly)? (?:used|approach|way)"
    r"|(?:o |um |uma |a )?(?:padrão|estratégia|técnica|abordagem|algoritmo|arquitetura) (?:de |do |da )?\w+"
    r"|por meio d[eoa]|usando )",
    re.IGNORECASE,
)
_OF_PRACTICES = re.compile(
    r"\b(?:practices?|recommend\w*|guidelines?|tips|práticas|recomenda\w+|dicas)\b", re.IGNORECASE
)
_OF_MISTAKES = re.compile(
    r"\b(?:mistakes?|pitfalls?|anti-?patterns?|gotchas?|caveats?|what (?:not to do|to avoid)|erros|armadilhas"
    r"|cuidados)\b",
    re.IGNORECASE,
)
"""Headings under which every sentence is one, in whatever words."""
_LANGUAGES: tuple[tuple[str, re.Pattern[str]], ...] = (
    ("python", re.compile(r">>> |^\s*(?:def \w+\(|from [\w.]+ import |import \w+\s*$|class \w+[(:])|\bprint\(", re.M)),
    ("javascript", re.compile(r"\b(?:const|let|var) \w+ = |=> ?[{(]|console\.log|function \w*\(")),
    ("sql", re.compile(r"^\s*(?:SELECT|INSERT INTO|UPDATE|CREATE TABLE|DELETE FROM)\b", re.M | re.I)),
    ("bash", re.compile(r"^\s*(?:\$ |#!/bin/(?:ba)?sh|sudo |pip install|cd |export \w+=)", re.M)),
    ("json", re.compile(r"^\s*[{\[]\s*(?:\"[^\"]+\"\s*:|[{\[\"\d])")),
    ("html", re.compile(r"</?(?:div|span|html|body|p|a)\b")),
    ("java", re.compile(r"\b(?:public|private) (?:static |class |void )|System\.out")),
    ("python", re.compile(r"^\s*[\w.]+ = .+$|^\s*[\w.]+\(.*\)\s*$", re.M)),
)
_FENCE = re.compile(r"(?:```|~~~)[ \t]*([\w+#.-]+)?[ \t]*\n?$")


@dataclass(frozen=True)
class Pick:
    """A sentence of a passage with how well it fits the query, 0..1."""

    evidence: Evidence
    sentence: Sentence
    score: float
    before: str = ""
    """The sentence before it: what introduces a block of code."""


class Distiller:
    """The LLM-free tier of distilling."""

    def __init__(self, encoder: TokenEncoder | None = None) -> None:
        self._relevance = Relevance(encoder)

    def free(self, given: ToDistil) -> Judged[Distillate]:
        """What the passages say to ``given.query`` and its questions. It only picks: there is little to doubt."""
        picks = self._picks(given)
        told = (pick for pick in picks if pick.sentence.kind != "code")
        prose = [pick for pick in told if is_quotable(pick.sentence, pick.evidence.text)]
        cued = [pick for pick in prose if _bears(pick)]
        value = Distillate(
            key_insights=_insights(pick for pick in prose if pick.score >= FLOOR),
            best_practices=_insights(filter(_is_practice, cued)),
            common_mistakes=_insights(filter(_is_mistake, cued)),
            code_examples=tuple(_examples(pick for pick in picks if _bears(pick))),
            patterns=_insights(pick for pick in cued if is_pattern(pick.sentence.text)),
        )
        return Judged(value, doubt=0.0 if picks else 1.0, warnings=self._relevance.warnings)

    def _picks(self, given: ToDistil) -> list[Pick]:
        """All sentences of the passages, best first: a sentence counts by the question that it fits best."""
        best: dict[tuple[str, int], Pick] = {}
        for question in (given.query, *given.questions):
            for passage in self._relevance.score(question, given.evidence):
                for pick in _of_passage(passage):
                    key = (pick.evidence.id, pick.sentence.start)
                    if key not in best or best[key].score < pick.score:
                        best[key] = pick
        return sorted(best.values(), key=lambda pick: -pick.score)


def _of_passage(passage: ScoredPassage) -> Iterator[Pick]:
    before = ""
    for marked in passage.sentences:
        yield Pick(passage.evidence, marked.sentence, joined(passage, marked), before)
        before = marked.sentence.text if marked.sentence.kind != "code" else before


def _bears(pick: Pick) -> bool:
    """Whether a sentence bears on the query at all, by its own score or by that of its passage."""
    return pick.score >= FLOOR / 2 or pick.evidence.relevance >= TOPICAL


def _is_practice(pick: Pick) -> bool:
    return is_practice(pick.sentence.text) or (
        bool(_OF_PRACTICES.search(section_of(pick.evidence))) and not is_mistake(pick.sentence.text)
    )


def _is_mistake(pick: Pick) -> bool:
    return is_mistake(pick.sentence.text) or bool(_OF_MISTAKES.search(section_of(pick.evidence)))


def is_practice(text: str) -> bool:
    """Whether a sentence recommends something (and does not warn of it)."""
    return bool(_PRACTICES.search(text)) and not is_mistake(text)


def is_mistake(text: str) -> bool:
    """Whether a sentence warns of something."""
    return bool(_MISTAKES.search(text))


def is_pattern(text: str) -> bool:
    """Whether a sentence names an approach."""
    return bool(_PATTERNS.search(text))


def _insights(picks: Iterable[Pick]) -> tuple[Insight, ...]:
    """The first ``MOST`` that differ."""
    chosen: list[Insight] = []
    for pick in picks:
        text = cleaned(pick.sentence.text)
        if len(chosen) < MOST and not any(alike(text, held.text) for held in chosen):
            chosen.append(Insight(text=text, evidence_id=pick.evidence.id))
    return tuple(chosen)


def _examples(picks: Iterable[Pick]) -> Iterator[CodeExample]:
    """Blocks of code, best first; a one-line signature is no example."""
    seen: set[str] = set()
    for pick in picks:
        code = "\n".join(line.rstrip() for line in dedent(pick.sentence.text.strip("\n")).split("\n"))
        key = " ".join(code.split())
        if pick.sentence.kind != "code" or len(key) < _SHORTEST_CODE or key in seen or not _is_example(pick, code):
            continue
        seen.add(key)
        yield CodeExample(
            description=cleaned(pick.before).rstrip(":") or nearest_above(pick.evidence),
            code=code,
            language=language_of_code(code, _named(pick)),
            evidence_id=pick.evidence.id,
        )
        if len(seen) == MOST:
            return


def _is_example(pick: Pick, code: str) -> bool:
    """Fenced, a doctest, or more than one line."""
    return bool(_named(pick)) or ">>>" in code or "\n" in code


def _named(pick: Pick) -> str:
    """The language that the fence above the block names; ``text`` for a fence without one, empty without a fence."""
    fence = _FENCE.search(pick.evidence.text[: pick.sentence.start].rstrip(" "))
    return (fence.group(1) or "text").lower() if fence else ""


def language_of_code(code: str, named: str = "") -> str:
    """The language of ``code``: as its fence names it, else by its signs; empty where nothing tells."""
    if named and named != "text":
        return {"py": "python", "python3": "python", "pycon": "python", "js": "javascript", "sh": "bash"}.get(
            named, named
        )
    return next((name for name, pattern in _LANGUAGES if pattern.search(code)), "")
