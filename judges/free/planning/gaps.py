"""Queries for what is not known yet (spec 1): how to go about it, best practices, examples, common mistakes."""

import re
from collections.abc import Iterable, Sequence

from calibrant.judges.free.words.lists import word_set
from calibrant.judges.free.words.terms import as_written, specific_words, telling_words
from calibrant.judges.free.words.text import content_words
from calibrant.state.base import unique
from calibrant.state.task import EN, PT, Language, Phase, QueryType, Task

MOST_WORDS = 6
"""Topic words in a query: more of them only narrow it down to nothing."""

MOST_SAID = 20
"""Words up to which guidance is a query: more of them are an explanation."""

_FRAMING_EN = """
practice practices industry overview analysis analyze analyse complete full comprehensive detailed review report
assessment advantages disadvantages pros cons examples example introduction background step steps explained criticism
figures common mistakes strategy compare comparison difference differences implementation working
"""
_FRAMING_PT = """
boas melhores práticas prática análise analisar completa completo visão geral panorama relatório avaliação vantagens
desvantagens prós contras exemplos introdução contexto passo passos explicação críticas erros comuns estratégia
comparar compare comparação diferença diferenças implementação
"""
FRAMING: dict[Language, frozenset[str]] = {EN: word_set(_FRAMING_EN), PT: word_set(_FRAMING_PT)}
"""Words that say what to do with a topic; they are no part of it."""

TEMPLATES: dict[Language, dict[Phase, tuple[str, ...]]] = {
    EN: {
        Phase.PERCEIVE: ("{topic} best practices", "How to analyze {topic}", "{topic} overview"),
        Phase.REASON: ("{topic} best practices", "{how} step by step", "{topic} examples"),
        Phase.ACT: ("{topic} implementation examples", "{how} step by step"),
        Phase.REFLECT: ("Common mistakes when {doing}",),
    },
    PT: {
        Phase.PERCEIVE: ("{topic} boas práticas", "Como analisar {topic}", "{topic} visão geral"),
        Phase.REASON: ("{topic} boas práticas", "{how} passo a passo", "{topic} exemplos"),
        Phase.ACT: ("{topic} exemplos de implementação", "{how} passo a passo"),
        Phase.REFLECT: ("Erros comuns {doing}",),
    },
}
"""Spec 1, ``generateRetrievalQuery``: by phase, most telling first."""

WORKED_OUT = (QueryType.DECISION, QueryType.STRATEGIC)
"""What is weighed or analysed. A fact is looked up: nobody analyses step by step who wrote a book."""

_GOAL: dict[Language, str] = {
    EN: (
        r"^(?:how (?:do|can|could|should|would) (?:i|you|we|one) |how to |(?:can|could) (?:you|i|we) |please |i "
        r"(?:want|need) to |help me )+(?P<goal>(?:(?!\. |\busing\b)[^?;]){4,80})"
    ),
    PT: (
        r"^(?:como (?:eu )?(?:posso |faço para |fazer para |devo )?|quero |preciso |por favor,? "
        r")+(?P<goal>\w+[aei]r\b(?:(?!\. |\busando\b)[^?;]){3,80})"
    ),
}
_ACTS = re.compile(
    r"^(?:optimi[sz]e|improve|migrate|refactor|design|build|implement|write|create|fix|add|update|otimize|melhore"
    r"|implemente)\b",
    re.IGNORECASE,
)


def background_queries(phase: Phase, task: Task) -> tuple[str, ...]:
    """Queries for how such a task is gone about; never the request itself, and none for a fact that is looked up."""
    if task.query_type not in WORKED_OUT:
        return ()
    words = query_words(task, topic_phrase(task))
    return _unasked((template.format(**words) for template in TEMPLATES[task.language][phase]), task)


def missing_queries(task: Task, missing: Sequence[str]) -> tuple[str, ...]:
    """Queries for what no passage covers; never the request itself."""
    return _unasked((_about_missing(part, task) for part in missing[:3]), task)


def _unasked(queries: Iterable[str], task: Task) -> tuple[str, ...]:
    asked = {_plain(task.text), _plain(task.original), *(_plain(part.text) for part in task.questions)}
    return unique(query for query in map(str.strip, queries) if query and _plain(query) not in asked)


def topic_phrase(task: Task) -> str:
    """The most telling topic words as the request writes them, in its order; framing words only if alone."""
    telling = [word for word in task.topic if word not in FRAMING[task.language]]
    chosen = (telling or list(task.topic))[:MOST_WORDS]
    said = [word for word in telling_words(task.text, task.language) if word in chosen]
    return " ".join(as_written(task.text, word) for word in said or chosen) or task.text.strip(" ?.")


def goal(task: Task) -> str:
    """What the person wants to do, as a verb phrase; empty when the request names no action."""
    text = task.text.strip()
    found = re.match(_GOAL[task.language], text, re.IGNORECASE)
    if found:
        named = found["goal"].strip()
    elif _ACTS.match(text):
        named = (text[0].lower() + re.split(r" (?:using|usando) ", text[1:])[0]).strip(" ?.")
    else:
        return ""
    return "" if named == topic_phrase(task) else named


_HOW = {EN: "How to", PT: "Como"}
_WITH = {EN: "working with", PT: "com"}


def query_words(task: Task, topic: str) -> dict[str, str]:
    """What fills the template of a query about ``topic``: that, and what is to be done, where the request names it."""
    act = goal(task)
    if not act:
        return {"topic": topic, "how": topic, "doing": f"{_WITH[task.language]} {topic}"}
    how = f"{_HOW[task.language]} {act}"
    return {"topic": topic, "how": how, "doing": f"ao {act}" if task.language is PT else _doing(act)}


def _doing(act: str) -> str:
    """An English verb phrase as something being done ("sorting a list"): only its first word changes."""
    verb, _, rest = act.partition(" ")
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", stem) is not None
    return f"{stem}{stem[-1] if doubled and stem == verb else ''}ing {rest}".strip()


def guided_queries(task: Task, said: str) -> tuple[str, ...]:
    """What the task is about beside each short thing that a person said: where they think the answer is."""
    lines = (line.strip() for line in said.splitlines())
    return tuple(f"{' '.join(task.topic[:3])} {line}" for line in lines if 0 < len(line.split()) <= MOST_SAID)


def _about_missing(part: str, task: Task) -> str:
    """A query for a missing part: the part itself, with what the task is about when it is only a word or two."""
    if len(specific_words(part, task.language)) > 2:
        return part.strip(" ?.")
    held = {word.lower() for word in content_words(part, task.language)}
    context = [word for word in task.topic[:3] if word not in held]
    return " ".join((*context, part.strip(" ?.")))


def words_once(query: str) -> str:
    """``query`` without repeated words."""
    once: dict[str, str] = {}
    for word in query.split():
        once.setdefault(word.lower(), word)
    return " ".join(once.values())


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
