"""A request as it is understood in the light of the earlier turns, and the question before it."""

from dataclasses import dataclass

from calibrant.judges.free.request.about import subject
from calibrant.state.task import Language


@dataclass(frozen=True)
class Resolved:
    """A request with its references resolved. ``dangling`` names a pronoun for which nothing was found."""

    text: str
    about: str | None = None
    """What it is about, where it carries on from an earlier turn (empty if nobody can tell); None where it does not."""
    dangling: str = ""
    doubt: float = 0.0
    """How unsure the reading is: several things could be meant, or words were only appended."""
    appended: bool = False
    """Words of the earlier question were only put beside it: right for a search, no sentence for a reader."""
    bare: str = ""
    """The question without the thing that was appended to it, which gives way to the next one."""
    lent: str = ""
    """The question before, where this one asks it with other question words: the next such asks it as well."""
    points: bool = False
    """It rests on a word for something that was said before, which was replaced or may be such a word: a good guess."""
    alternatives: tuple[str, ...] = ()
    """The questions that differ in one part, which was exchanged; the last of them is the one that was asked last."""


@dataclass(frozen=True)
class Asked:
    """The question before, resolved, and what it was answered."""

    question: str
    answer: str
    bare: str
    about: str | None
    language: Language
    lent: str = ""
    alternatives: tuple[str, ...] = ()

    @property
    def subject(self) -> str:
        """What it is about: what was carried over from the turns before it, else what its own words tell."""
        return subject(self.question, self.language) if self.about is None else self.about
