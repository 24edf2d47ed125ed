"""Planning without a model: branches that answer one task by other queries, from other sources, in another order."""

from collections.abc import Sequence
from dataclasses import dataclass

from calibrant.judges.cascade import Judged
from calibrant.judges.free.planning.clarity import strategy_clarity
from calibrant.judges.free.planning.gaps import goal, guided_queries, query_words, topic_phrase, words_once
from calibrant.judges.free.planning.leads import leads
from calibrant.judges.free.planning.records import dependencies, issues, risks, tool_rationale
from calibrant.judges.free.planning.strategies import (
    BROAD,
    BROAD_BY_LEADS,
    BY_PATTERN,
    BY_SOURCE,
    DIRECT,
    DIRECT_PARTS,
    PRACTICE,
    Strategy,
)
from calibrant.judges.free.planning.tool_steps import beyond, not_callable, tool_steps
from calibrant.judges.free.request.conditions import without_conditions
from calibrant.judges.free.words.terms import identifiers, topic
from calibrant.judges.given import ToPlan
from calibrant.state.base import unique
from calibrant.state.memory import Pattern
from calibrant.state.task import Branch, QueryType, Question, Step, Task

MOST_QUERIES = 4
"""Queries of one step: what the deepest retrieval sends."""

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
    topic: str
    """What the request is about, in a phrase."""


def plan(given: ToPlan) -> Judged[tuple[Branch, ...]]:
    """The candidate branches: one for a plain factual question, else ``given.branches``, patterns first."""
    calls = tool_steps("", given.task, given.tools)
    parts = tuple(part.replace(text=rest) for part in given.task.questions if (rest := beyond(part.text, calls)))
    found = leads(given.task, given.evidence, given.distillate)
    frame = _Frame(given, given.task, parts, found, topic_phrase(given.task))
    if given.task.is_plain:
        branches: tuple[Branch, ...] = (_direct(frame, given.patterns[:1]),)
    else:
        made = (
            *(_by_pattern(frame, pattern) for pattern in given.patterns[:1]),
            _direct(frame),
            _broad(frame),
            _practice(frame) if _is_craft(given.task) else _by_source(frame),
        )
        branches = made[: max(1, given.branches)]
    lacking = not_callable(given.task.text, given.tools, calls)
    branches = tuple(branch.replace(left_out=lacking) for branch in branches)
    blind = TOOL_DOUBT if given.tools and not given.suffices else 0.0
    clarity = min(strategy_clarity(branch, given.task) for branch in branches)
    return Judged(
        branches, doubt=max(1.0 - clarity, blind, TYPE_DOUBT[given.task.query_type], 0.8 * given.task.vagueness)
    )


def _direct(frame: _Frame, patterns: Sequence[Pattern] = ()) -> Branch:
    """Each part as it is asked."""
    extra = unique(query for pattern in patterns for query in pattern.queries)
    steps = [_step(frame, DIRECT, part, (*_asked(frame, part), *extra, *_guided(frame))) for part in frame.parts]
    learnt = f" ({patterns[0].name})" if patterns else ""
    count = len(frame.task.questions)
    sources = unique(source for pattern in patterns for source in pattern.sources)
    return _branch(frame, DIRECT if count == 1 else DIRECT_PARTS, steps, sources, count=count, learnt=learnt)


def _broad(frame: _Frame) -> Branch:
    """From the whole topic, or what the evidence held points to, down to each part."""
    way = BROAD_BY_LEADS if frame.leads else BROAD
    wide = _queries(frame, way, frame.topic)
    steps = [_step(frame, way, part, (*wide, *_narrowed(frame, part), *_guided(frame))) for part in frame.parts]
    return _branch(frame, way, steps, found=", ".join(frame.leads))


def _practice(frame: _Frame) -> Branch:
    """Working examples, best practices and known mistakes, from code and documentation."""
    steps = [
        _step(frame, PRACTICE, part, (*_told_apart(frame, PRACTICE, part), part.text, *_guided(frame)))
        for part in frame.parts
    ]
    return _branch(frame, PRACTICE, steps, _available(frame, PRACTICE.sources))


def _by_source(frame: _Frame) -> Branch:
    """Reference sources first, each part looked for as reports, figures and objections."""
    steps = [
        _step(frame, BY_SOURCE, part, (*_told_apart(frame, BY_SOURCE, part), *_guided(frame))) for part in frame.parts
    ]
    return _branch(frame, BY_SOURCE, steps, _available(frame, BY_SOURCE.sources))


def _by_pattern(frame: _Frame, pattern: Pattern) -> Branch:
    """The approach that worked for a similar task: its queries and sources, applied to the parts of this one."""
    steps = [_step(frame, BY_PATTERN, part, (*pattern.queries, part.text, *_guided(frame))) for part in frame.parts]
    told = {"name": pattern.name, "uses": pattern.uses, "rate": pattern.success_rate}
    return _branch(frame, BY_PATTERN, steps, pattern.sources, **told)


def _step(frame: _Frame, way: Strategy, part: Question, queries: Sequence[str]) -> Step:
    """A step that answers ``part``. Inside a branch, parts keep waiting for the parts that they depend on."""
    known = {question.id for question in frame.parts}
    waits = tuple(f"{way.id}.{other}" for other in part.depends_on if other in known)
    kept = unique(query if query == part.text else words_once(query) for query in queries if query.strip())[
        :MOST_QUERIES
    ]
    return Step(id=f"{way.id}.{part.id}", question=part.text, queries=kept, depends_on=waits)


def _branch(frame: _Frame, way: Strategy, steps: Sequence[Step], sources: Sequence[str] = (), **told: object) -> Branch:
    """A branch with its records: risks, issues to expect, why these tools, what waits for what. ``told``: what its
    rationale names beside the topic."""
    given = frame.given
    tools = tool_steps(way.id, frame.task, given.tools)
    only = tuple(item.value for item in frame.task.must_have if item.kind == "source")
    chosen = only or tuple(sources)
    after = tuple(step.id for step in tools)
    planned = (*tools, *(step.replace(depends_on=unique((*after, *step.depends_on))) for step in steps))
    return Branch(
        id=way.id,
        name=way.title,
        rationale=way.rationale[frame.task.language].format(topic=frame.topic, **told),
        steps=planned,
        sources=chosen,
        risks=risks(frame.task, way, given.evidence),
        anticipated_issues=tuple(issues(frame.task, planned, chosen, given)),
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
    return (*(f"{words} {lead}" for lead in frame.leads), f"{frame.topic} {words}", part.text)


def _told_apart(frame: _Frame, way: Strategy, part: Question) -> tuple[str, ...]:
    """The queries of a strategy for one part: with its own words where the task has several."""
    own = " ".join(_telling(frame, part)[:5]) if len(frame.task.questions) > 1 else ""
    return _queries(frame, way, own or frame.topic)


def _queries(frame: _Frame, way: Strategy, topic: str) -> tuple[str, ...]:
    words = {**query_words(frame.task, topic), "found": " ".join(frame.leads[:1])}
    return tuple(query.format(**words) for query in way.queries[frame.task.language])


def _guided(frame: _Frame) -> tuple[str, ...]:
    """Queries with what a person said."""
    return guided_queries(frame.task, frame.given.guidance)


def _available(frame: _Frame, wanted: tuple[str, ...]) -> tuple[str, ...]:
    """Those of ``wanted`` that are configured; all of them when nothing is known about that."""
    return tuple(source for source in wanted if not frame.given.sources or source in frame.given.sources)


def _is_craft(task: Task) -> bool:
    """Whether the task is about doing something with code or tools, rather than about the world."""
    return bool(goal(task) or identifiers(task.text))
