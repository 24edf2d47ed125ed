"""What is remembered between runs, as values: experiences, patterns and what a recall brings back."""

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
    thread_id: str = ""
    verdict: str = ""
    """The user's own: ``good``, ``bad`` or empty."""
    at: float = 0.0


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
