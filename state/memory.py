"""What is remembered between runs, as values: experiences, patterns and what a recall brings back."""

from collections.abc import Sequence

from pydantic import Field

from calibrant.state.base import Value
from calibrant.state.evidence import Evidence
from calibrant.state.task import QueryType


class Experience(Value):
    """A finished task. ``evidence_ids`` are the passages that its answer cited: they can be read again."""

    id: str
    task: str
    query_type: QueryType = QueryType.FACTUAL
    outcome: str = ""
    """``answered`` or ``abstained``."""
    confidence: float = 0.0
    dollars: float = 0.0
    model_calls: int = 0
    retrievals: int = 0
    depth: int = 1
    queries: tuple[str, ...] = ()
    evidence_ids: tuple[str, ...] = ()
    quotes: tuple[str, ...] = ()
    """The words that its answer quoted."""
    thread_id: str = ""
    verdict: str = ""
    """The user's own: ``good``, ``bad`` or empty."""
    judged_at: float = 0.0
    at: float = 0.0
    """When the latest run of it began."""
    again: tuple[str, ...] = ()
    """The later runs that were asked the same and told the same, latest last."""

    @property
    def runs(self) -> tuple[str, ...]:
        """All runs that it comes from: the first has given it its id."""
        return (self.id, *self.again)

    def refreshes(self, held: "Experience") -> bool:
        """Whether it says of the same passages what ``held`` says, no less and no more."""
        same = set(self.evidence_ids) == set(held.evidence_ids)
        return same and self.repeats(held) and held.repeats(self)

    def repeats(self, other: "Experience") -> bool:
        """Whether its answer says nothing but what the other's says: by the words quoted, or where those were not
        kept, by the passages."""
        if self.quotes and other.quotes:
            return set(self.quotes) <= set(other.quotes)
        return bool(self.evidence_ids) and set(self.evidence_ids) <= set(other.evidence_ids)


def rejection(one: Experience, others: Sequence[Experience]) -> Experience | None:
    """The answer by which the user has called bad what ``one`` says. Of the verdicts on answers that say the same, the
    latest counts."""
    judged = [other for other in others if other.verdict and one.repeats(other)]
    latest = max(judged, key=lambda other: other.judged_at or other.at, default=None)
    return latest if latest is not None and latest.verdict == "bad" else None


class Pattern(Value):
    """An approach that worked, and for what. Stored only after a verified success; decays with time."""

    id: str
    name: str
    applies_to: str
    """The kind of task: query type and topic words."""
    query_type: QueryType = QueryType.FACTUAL
    queries: tuple[str, ...] = ()
    sources: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    depth: int = 1
    origin: str = ""
    """The experience it was learnt from."""
    uses: int = 1
    successes: int = 1
    refinement: str = ""
    at: float = 0.0

    @property
    def success_rate(self) -> float:
        return self.successes / self.uses if self.uses else 0.0


class Remembered(Value):
    """One recalled experience or pattern and how well it fits."""

    experience: Experience | None = None
    pattern: Pattern | None = None
    similarity: float = Field(default=0.0, ge=0.0, le=1.0)
    weight: float = Field(default=0.0, ge=0.0, le=1.0)
    """Similarity times reliability (success rate, decay, the user's verdict): what the factor gets."""


class Recollection(Value):
    """What memory says about a task. Empty means: nothing similar was ever done."""

    experiences: tuple[Remembered, ...] = ()
    patterns: tuple[Remembered, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    """Passages cited then that still stand unchanged."""
    outdated: bool = False
    """The sources have changed since: something new may disagree with those passages."""

    def within(self, allowed: Sequence[Evidence]) -> "Recollection":
        """What is left where only these of its passages may be used: an experience that cited only others tells
        nothing here, nor does what was learnt from it."""
        kept = {item.id for item in allowed}
        barred = {item.id for item in self.evidence} - kept
        out = {
            item.experience.id
            for item in self.experiences
            if item.experience
            and barred.intersection(item.experience.evidence_ids)
            and kept.isdisjoint(item.experience.evidence_ids)
        }
        return self.replace(
            experiences=tuple(
                item for item in self.experiences if not item.experience or item.experience.id not in out
            ),
            patterns=tuple(item for item in self.patterns if not item.pattern or item.pattern.origin not in out),
            evidence=tuple(allowed),
        )

    def rejection(self, experience: Experience) -> Experience | None:
        """The answer to such a task by which the user has called bad what ``experience`` says."""
        return rejection(experience, [item.experience for item in self.experiences if item.experience])

    @property
    def answered_at(self) -> float:
        """When the latest experience that counts was made, as POSIX time; 0 without one."""
        return max((item.experience.at for item in self.experiences if item.experience and item.weight), default=0.0)

    @property
    def past_experience(self) -> float:
        """The best experience's weight, 0..1."""
        return max((item.weight for item in self.experiences), default=0.0)

    @property
    def pattern_availability(self) -> float:
        """The best pattern's weight, 0..1."""
        return max((item.weight for item in self.patterns), default=0.0)
