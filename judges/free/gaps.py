"""Queries for what is not known yet (spec 1): how to go about it, best practices, examples, common mistakes."""

import re
from collections.abc import Iterable, Sequence

from calibrant.judges.free.terms import EN, PT, specific_words
from calibrant.judges.free.text import content_words
from calibrant.state.base import unique
from calibrant.state.decision import NO_EXPERIENCE, NO_PATTERN
from calibrant.state.task import Language, Phase, Task

MOST_WORDS = 6
"""Topic words in a query: more of them only narrow it down to nothing."""

TEMPLATES: dict[Language, dict[Phase, dict[str, tuple[str, ...]]]] = {
    EN: {
        Phase.PERCEIVE: {NO_EXPERIENCE: ("How to analyze {topic}",), NO_PATTERN: ("{topic} overview",)},
        Phase.REASON: {
            NO_EXPERIENCE: ("{topic} examples",),
            NO_PATTERN: ("{topic} best practices", "How to {goal} step by step"),
        },
        Phase.ACT: {NO_EXPERIENCE: ("{topic} implementation examples",), NO_PATTERN: ("How to {goal} step by step",)},
        Phase.REFLECT: {
            NO_EXPERIENCE: ("Common mistakes when {doing}",),
            NO_PATTERN: ("Common mistakes when {doing}",),
        },
    },
    PT: {
        Phase.PERCEIVE: {NO_EXPERIENCE: ("Como analisar {topic}",), NO_PATTERN: ("{topic} visão geral",)},
        Phase.REASON: {
            NO_EXPERIENCE: ("{topic} exemplos",),
            NO_PATTERN: ("{topic} boas práticas", "Como {goal} passo a passo"),
        },
        Phase.ACT: {NO_EXPERIENCE: ("{topic} exemplos de implementação",), NO_PATTERN: ("Como {goal} passo a passo",)},
        Phase.REFLECT: {NO_EXPERIENCE: ("Erros comuns ao {goal}",), NO_PATTERN: ("Erros comuns ao {goal}",)},
    },
}
"""Spec 1, ``generateRetrievalQuery``: by phase and gap."""

LOOKED_UP: dict[Language, tuple[str, ...]] = {
    EN: ("{topic}", "{topic} explained"),
    PT: ("{topic}", "{topic} explicação"),
}
"""For a fact that is looked up, not worked out: nobody analyses step by step who wrote a book."""

_GOAL: dict[Language, str] = {
    EN: r"^(?:how (?:do|can|could|should|would) (?:i|you|we|one) |how to |(?:can|could) (?:you|i|we) |please |i (?:want|need) to |help me )+(?P<goal>[^?.;]{4,80})",
    PT: r"^(?:como (?:eu )?(?:posso |faço para |fazer para |devo )?|quero |preciso |por favor,? )+(?P<goal>\w+[aei]r\b[^?.;]{3,80})",
}  # fmt: skip
_ACTS = re.compile(
    r"^(?:optimi[sz]e|improve|migrate|refactor|design|build|implement|write|create|fix|add|update|otimize|melhore|implemente)\b",
    re.I,
)


def gap_queries(phase: Phase, task: Task, gaps: Iterable[str], missing: Sequence[str] = ()) -> tuple[str, ...]:
    """Queries for the next retrieval of ``phase``: first for what no passage covers, then for its gaps; never the question."""
    about = topic_phrase(task)
    wanted = [_about_missing(part, task) for part in missing[:3]]
    for template in _templates(phase, task, tuple(gaps)):
        wanted.append(template.format(topic=about, goal=goal(task), doing=doing(task)))
    asked = {_plain(task.text), _plain(task.original), *(_plain(part.text) for part in task.questions)}
    return unique(
        query for query in (" ".join(item.split()) for item in wanted) if query and _plain(query) not in asked
    )


def _templates(phase: Phase, task: Task, gaps: tuple[str, ...]) -> tuple[str, ...]:
    if task.is_plain and goal(task) == topic_phrase(task):
        return LOOKED_UP[task.language] if gaps else ()
    table = TEMPLATES[task.language][phase]
    return tuple(template for gap in gaps for template in table.get(gap, ()))


def topic_phrase(task: Task) -> str:
    """The most telling topic words, in the order in which the request has them."""
    chosen = set(task.topic[:MOST_WORDS])
    said = [word for word in content_words(task.text, task.language) if word in chosen]
    return " ".join(said or task.topic[:MOST_WORDS] or (task.text.strip(" ?."),))


def goal(task: Task) -> str:
    """What the person wants to do, as a verb phrase; the topic when the request names no action."""
    text = task.text.strip()
    found = re.match(_GOAL[task.language], text, re.IGNORECASE)
    if found:
        return found["goal"].strip()
    return text[0].lower() + text[1:].strip(" ?.") if _ACTS.match(text) else topic_phrase(task)


def doing(task: Task) -> str:
    """The goal as something being done ("sorting a list"): English only needs the first word changed."""
    phrase = goal(task)
    if phrase == topic_phrase(task):
        return f"working with {phrase}"
    verb, _, rest = phrase.partition(" ")
    stem = verb[:-1] if verb.endswith("e") and not verb.endswith("ee") else verb
    doubled = re.fullmatch(r"[^aeiou]*[aeiou][bdgmnprt]", stem) is not None
    return f"{stem}{stem[-1] if doubled and stem == verb else ''}ing {rest}".strip()


def _about_missing(part: str, task: Task) -> str:
    """A query for a missing part: the part itself, with what the task is about when it is only a word or two."""
    if len(specific_words(part, task.language)) > 2:
        return part.strip(" ?.")
    held = {word.lower() for word in content_words(part, task.language)}
    context = [word for word in task.topic[:3] if word not in held]
    return " ".join((*context, part.strip(" ?.")))


def _plain(text: str) -> str:
    return " ".join(re.findall(r"\w+", text.lower()))
