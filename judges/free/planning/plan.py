"""Planning without a model: branches that answer one task by other queries, from other sources, in another order."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibrant.judges.cascade import Judged
from calibrant.judges.free.planning.clarity import strategy_clarity
from calibrant.judges.free.planning.gaps import doing, goal, guided_queries, topic_phrase, words_once
from calibrant.judges.free.planning.leads import leads
from calibrant.judges.free.planning.records import dependencies, issues, risks, tool_rationale
from calibrant.judges.free.planning.tool_steps import beyond, tool_steps
from calibrant.judges.free.request.conditions import without_conditions
from calibrant.judges.free.words.terms import PT, identifiers, topic
from calibrant.judges.given import ToPlan
from calibrant.state.base import unique
from calibrant.state.memory import Pattern
from calibrant.state.task import Branch, QueryType, Question, Step, Task

MOST_QUERIES = 4
"""Queries of one step: what the deepest retrieval sends."""

PRACTICE_SOURCES = ("docs", "github", "stackoverflow", "knowledge")
REFERENCE_SOURCES = ("knowledge", "wikipedia", "arxiv", "docs", "web")
"""Where working code and where written-up knowledge is found, best first."""

TYPE_DOUBT = {QueryType.FACTUAL: 0.1, QueryType.OPERATIONAL: 0.1, QueryType.DECISION: 0.3, QueryType.STRATEGIC: 0.4}
"""How likely a plan made from words alone misses something: the more is to be weighed, the likelier."""

TOOL_DOUBT = 0.5
"""Words alone do not tell whether a tool could give what no passage says, unless they name it."""


@dataclass(frozen=True)
class _Frame:
    """What all branches of a plan share."""

    given: ToPlan
    task: Task
    parts: tuple[Question, ...]
    """What is to be answered: the parts of the request without the calls that they name."""
    leads: tuple[str, ...]

    @property
    def pt(self) -> bool:
        return self.task.language is PT


def plan(given: ToPlan) -> Judged[tuple[Branch, ...]]:
    """The candidate branches: one for a plain factual question, else ``given.branches``, patterns first."""
    calls = tool_steps("", given.task, given.tools)
    parts = tuple(part.replace(text=rest) for part in given.task.questions if (rest := beyond(part.text, calls)))
    frame = _Frame(given, given.task, parts, leads(given.task, given.evidence, given.distillate))
    if given.task.is_plain:
        branches: tuple[Branch, ...] = (_direct(frame, given.patterns[:1]),)
    else:
        remembered = [_by_pattern(frame, pattern, place) for place, pattern in enumerate(given.patterns[:1], 1)]
        made = (
            *remembered,
            _direct(frame),
            _broad(frame),
            _practice(frame) if _is_craft(given.task) else _by_source(frame),
        )
        branches = made[: max(1, given.branches)]
    blind = TOOL_DOUBT if given.tools and not given.suffices else 0.0
    clarity = min(strategy_clarity(branch, given.task) for branch in branches)
    return Judged(
        branches, doubt=max(1.0 - clarity, blind, TYPE_DOUBT[given.task.query_type], 0.8 * given.task.vagueness)
    )


def _direct(frame: _Frame, patterns: Sequence[Pattern] = ()) -> Branch:
    """Each part as it is asked."""
    extra = unique(query for pattern in patterns for query in pattern.queries)
    steps = [_step(frame, "direct", part, (*_asked(frame, part), *extra, *_guided(frame))) for part in frame.parts]
    learnt = f" ({patterns[0].name})" if patterns else ""
    count = len(frame.task.questions)
    rationale = (
        f"Responder {'à pergunta' if count == 1 else f'às {count} partes'} como foi feita{learnt}."
        if frame.pt
        else f"Answer {'the question' if count == 1 else f'the {count} parts'} as asked{learnt}."
    )
    sources = unique(source for pattern in patterns for source in pattern.sources)
    return _branch(frame, "direct", "direct", rationale, steps, sources)


def _broad(frame: _Frame) -> Branch:
    """From the whole topic, or what the evidence held points to, down to each part."""
    about = topic_phrase(frame.task)
    found = frame.leads
    wide = () if found else (f"{about} visão geral" if frame.pt else f"{about} overview",)
    if found:
        rationale = (
            f"As passagens encontradas falam de {', '.join(found)}: começar por aí, depois as partes."
            if frame.pt
            else f"The evidence held speaks of {', '.join(found)}: start there, then answer the parts."
        )
    else:
        rationale = (
            f"Primeiro uma visão geral de {about}, depois as partes."
            if frame.pt
            else f"First an overview of {about}, then the parts."
        )
    parts = [_step(frame, "broad", part, (*wide, *_narrowed(frame, part), *_guided(frame))) for part in frame.parts]
    return _branch(frame, "broad", "broad to narrow", rationale, parts)


def _practice(frame: _Frame) -> Branch:
    """Working examples, best practices and known mistakes, from code and documentation."""
    task, about = frame.task, topic_phrase(frame.task)
    found = " ".join(frame.leads[:1])
    wants = (
        (f"{about} boas práticas", f"{about} {found} exemplos", f"erros comuns com {goal(task)}")
        if frame.pt
        else (f"{about} best practices", f"{about} {found} examples", f"common mistakes when {doing(task)}")
    )
    steps = [
        _step(frame, "practice", part, (*_told_apart(frame, part, wants), part.text, *_guided(frame)))
        for part in frame.parts
    ]
    sources = _available(frame, PRACTICE_SOURCES)
    rationale = (
        f"Partir do que funciona na prática: exemplos, boas práticas e erros comuns com {about}."
        if frame.pt
        else f"Go by what works: examples, best practices and known mistakes with {about}."
    )
    return _branch(frame, "practice", "practice-oriented", rationale, steps, sources)


def _by_source(frame: _Frame) -> Branch:
    """Reference sources first, each part looked for as reports, figures and objections."""
    about = topic_phrase(frame.task)
    wants = (f"{about} relatório", f"{about} dados", f"{about} críticas") if frame.pt else (
        f"{about} report", f"{about} figures", f"{about} criticism"
    )  # fmt: skip
    steps = [_step(frame, "sources", part, (*_told_apart(frame, part, wants), *_guided(frame))) for part in frame.parts]
    rationale = (
        f"Comparar o que fontes de referência dizem sobre {about}, inclusive objeções."
        if frame.pt
        else f"Compare what reference sources say about {about}, objections included."
    )
    return _branch(frame, "sources", "by source", rationale, steps, _available(frame, REFERENCE_SOURCES))


def _by_pattern(frame: _Frame, pattern: Pattern, place: int) -> Branch:
    """The approach that worked for a similar task: its queries and sources, applied to the parts of this one."""
    name = f"pattern{place}"
    steps = [_step(frame, name, part, (*pattern.queries, part.text, *_guided(frame))) for part in frame.parts]
    rate = f"{pattern.success_rate:.0%}"
    rationale = (
        f"Funcionou antes: {pattern.name} ({pattern.uses} usos, {rate} de sucesso)."
        if frame.pt
        else f"It worked before: {pattern.name} (used {pattern.uses} times, {rate} successful)."
    )
    return _branch(frame, name, "by pattern", rationale, steps, pattern.sources)


def _step(frame: _Frame, branch: str, part: Question, queries: Sequence[str]) -> Step:
    """A step that answers ``part``. Inside a branch, parts keep waiting for the parts that they depend on."""
    known = {question.id for question in frame.parts}
    waits = tuple(f"{branch}.{other}" for other in part.depends_on if other in known)
    kept = unique(query if query == part.text else words_once(query) for query in queries if query.strip())[
        :MOST_QUERIES
    ]
    return Step(id=f"{branch}.{part.id}", question=part.text, queries=kept, depends_on=waits)


def _branch(
    frame: _Frame, name: str, title: str, rationale: str, steps: Sequence[Step], sources: Sequence[str] = ()
) -> Branch:
    """A branch with its records: risks, issues to expect, why these tools, what waits for what."""
    given = frame.given
    tools = tool_steps(name, frame.task, given.tools)
    only = tuple(item.value for item in frame.task.must_have if item.kind == "source")
    chosen = only or tuple(sources)
    after = tuple(step.id for step in tools)
    planned = (*tools, *(step.replace(depends_on=unique((*after, *step.depends_on))) for step in steps))
    return Branch(
        id=name,
        name=title,
        rationale=rationale,
        steps=planned,
        sources=chosen,
        risks=risks(frame.task, title, given.evidence),
        anticipated_issues=issues(frame.task, planned, chosen, given),
        tool_rationale=tool_rationale(frame.task, planned, chosen),
        dependencies=dependencies(planned, frame.task),
    )


def _asked(frame: _Frame, part: Question) -> tuple[str, ...]:
    """A part's own words, then its most telling ones."""
    words = " ".join(_telling(frame, part)[:6])
    return (part.text, words) if words.lower() != part.text.lower() else (part.text,)


def _telling(frame: _Frame, part: Question) -> tuple[str, ...]:
    """The words of a part that are worth searching for, most telling first."""
    return topic(without_conditions(part.text, frame.task.language), frame.task.language)


def _narrowed(frame: _Frame, part: Question) -> tuple[str, ...]:
    """A part's telling words, with each lead; without leads, the part within the whole topic."""
    words = " ".join(_telling(frame, part)[:5])
    return (*(f"{words} {lead}" for lead in frame.leads), f"{topic_phrase(frame.task)} {words}", part.text)


def _told_apart(frame: _Frame, part: Question, wants: tuple[str, ...]) -> tuple[str, ...]:
    """``wants`` for one part: with its own words where the task has several."""
    if len(frame.task.questions) == 1:
        return wants
    about, own = topic_phrase(frame.task), " ".join(_telling(frame, part)[:5])
    return tuple(want.replace(about, own) if own else want for want in wants)


def _guided(frame: _Frame) -> tuple[str, ...]:
    """Queries with what a person said."""
    return guided_queries(frame.task, frame.given.guidance)


def _available(frame: _Frame, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Those of ``wanted`` that are configured; all of them when nothing is known about that."""
    return tuple(source for source in wanted if not frame.given.sources or source in frame.given.sources)


def _is_craft(task: Task) -> bool:
    """Whether the task is about doing something with code or tools, rather than about the world."""
    return goal(task) != topic_phrase(task) or bool(identifiers(task.text))
