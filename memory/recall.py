"""Recalling: which experiences and patterns fit a task, and how far each can be relied on."""

from collections.abc import Sequence

from calibrant.memory.records import Record
from calibrant.memory.similarity import Rarity, applicability, least, similarity
from calibrant.state.memory import Experience, Pattern, Remembered, rejection
from calibrant.state.task import QueryType, Task

HALF_LIFE_DAYS = 90.0
DAY = 86_400.0

UNSURE = 0.5
"""The reliability of an answer that was given without any confidence."""

ANOTHER_TYPE = 0.8
"""What is left of a similarity when the query types differ: a fact looked up is not a thing done."""

EXPERIENCES_KEPT = 5
PATTERNS_KEPT = 3
PASSAGES_KEPT = 20


def decay(at: float, now: float) -> float:
    """Half for each ``HALF_LIFE_DAYS`` of age. An unknown time counts as one half-life."""
    return 0.5 if at <= 0.0 else 0.5 ** (max(0.0, now - at) / (HALF_LIFE_DAYS * DAY))


def experience_reliability(experience: Experience, now: float) -> float:
    """0 for what failed or what the user called bad; otherwise by the confidence then, all of it if called good."""
    if experience.verdict == "bad" or experience.outcome != "answered":
        return 0.0
    trust = 1.0 if experience.verdict == "good" else UNSURE + (1.0 - UNSURE) * min(1.0, max(0.0, experience.confidence))
    return trust * decay(experience.at, now)


def pattern_reliability(pattern: Pattern, now: float) -> float:
    """How often it worked, fading with the time since it was last used."""
    return min(1.0, max(0.0, pattern.success_rate)) * decay(pattern.at, now)


def similar_experiences(task: Task, held: Sequence[Record[Experience]], now: float) -> tuple[Remembered, ...]:
    """The experiences that fit, most reliable first. Those called bad come last, and what says the same as they do
    counts as little."""
    rare = Rarity([record.value.task for record in held])
    found = []
    for record in held:
        past = record.value
        fit = _typed(similarity(task.text, past.task, rare, record.cosine), task, past.query_type)
        if fit >= least(record.cosine):
            weight = fit * experience_reliability(past, now)
            found.append(Remembered(experience=past, similarity=fit, weight=weight))
    past_ones = _experiences(found)
    found = [item.replace(weight=0.0) if _is_rejected(item, past_ones) else item for item in found]
    bad = [item for item in found if item.experience and item.experience.verdict == "bad"]
    others = [item for item in found if item not in bad]
    return (*_best(others, EXPERIENCES_KEPT), *_best(bad, EXPERIENCES_KEPT))


def _experiences(found: Sequence[Remembered]) -> list[Experience]:
    return [item.experience for item in found if item.experience is not None]


def _is_rejected(item: Remembered, others: Sequence[Experience]) -> bool:
    return item.experience is not None and rejection(item.experience, others) is not None


def similar_patterns(task: Task, held: Sequence[Record[Pattern]], now: float) -> tuple[Remembered, ...]:
    """The patterns that apply, most reliable first."""
    rare = Rarity([topic_of(record.value) for record in held])
    found = []
    for record in held:
        pattern = record.value
        fit = _typed(applicability(task.text, topic_of(pattern), rare, record.cosine), task, pattern.query_type)
        if fit >= least(record.cosine):
            found.append(Remembered(pattern=pattern, similarity=fit, weight=fit * pattern_reliability(pattern, now)))
    return _best(found, PATTERNS_KEPT)


def _typed(fit: float, task: Task, query_type: QueryType) -> float:
    return fit if task.query_type is query_type else fit * ANOTHER_TYPE


def topic_of(pattern: Pattern) -> str:
    """What a pattern applies to, without the name of the query type."""
    words = pattern.applies_to.split()
    return " ".join(word for word in words if word.strip(":,;").lower() not in set(QueryType))


def cited(experiences: Sequence[Remembered]) -> tuple[str, ...]:
    """The passages that reliable experiences cited, the best experience's first. Those that an answer rated bad cites
    are left out, unless an answer rated good cites them too."""
    every = _experiences(experiences)
    reliable = _experiences([item for item in experiences if item.weight > 0.0])
    bad = {eid for one in every if rejection(one, every) for eid in one.evidence_ids}
    good = {eid for one in reliable if one.verdict == "good" for eid in one.evidence_ids}
    ids = dict.fromkeys(eid for one in reliable for eid in one.evidence_ids if eid not in bad - good)
    return tuple(ids)[:PASSAGES_KEPT]


def _best(found: Sequence[Remembered], count: int) -> tuple[Remembered, ...]:
    return tuple(sorted(found, key=lambda item: (item.weight, item.similarity), reverse=True)[:count])
