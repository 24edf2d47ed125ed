"""Where a statement of a model may have its numbers from."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.words.arithmetic import workings
from calibrant.judges.free.words.numbers import Number, numbers
from calibrant.judges.free.words.text import folded_stems, sentences_of
from calibrant.judges.model.passages import Passages, shown_of
from calibrant.judges.model.quoting import Found
from calibrant.state.base import unique
from calibrant.state.evidence import Evidence


@dataclass(frozen=True)
class Told:
    """What a statement's numbers may be from: ``sources``, or worked out from these and from what was ``asked``."""

    sources: tuple[str, ...]
    asked: str

    def strange(self, text: str) -> tuple[float, ...]:
        """The numbers of ``text`` that are from nowhere."""
        return strange_numbers(text, *self.sources, asked=self.asked)

    def lacks(self, text: str) -> bool:
        """Whether a number of ``text`` is from nowhere."""
        return bool(self.strange(text))

    def explains(self, text: str) -> bool:
        """Whether ``text`` shows how its numbers are worked out, from those that there are. What comes out has a name
        of its own ("a surplus"), so that the words of a source tell little."""
        return any(workings(text)) and not self.lacks(text)


def with_numbers(
    text: str, told: Told, cited: tuple[Evidence, ...], shown: Passages
) -> tuple[Told, tuple[tuple[Evidence, Found], ...]]:
    """What ``text`` may have its numbers from, where passages that were shown and not ``cited`` tell those that it
    lacks, and where these do, in a sentence that shares words with it."""
    others = [item for item in shown.by_id.values() if item not in cited]
    strange = told.strange(text)
    wanted = [number for number in numbers(text) if number.value in strange and text[number.start].isdigit()]
    own = {item.document for item in cited}
    found = unique(filter(None, (_sentence_with(number, text, others, own) for number in wanted)))
    sources = (shown_of(item, shown.by_id.values()) for item, _ in found)
    more = replace(told, sources=(*told.sources, *sources))
    return (more, found) if found and not more.lacks(text) else (told, ())


def _sentence_with(
    number: Number, text: str, others: Sequence[Evidence], own: Set[str]
) -> tuple[Evidence, Found] | None:
    """The sentence of ``others`` that tells the number, of the same things, and has most words of ``text``, before all
    in a document that is its ``own``. One word is none, beside the number."""
    wanted = frozenset(stem for stem in folded_stems(text) if not any(map(str.isdigit, stem)))
    told = [(item, one) for item in others for one in sentences_of(item) if len(wanted & folded_stems(one.text)) > 1]
    having = [(item, one) for item, one in told if any(_is_same(number, held) for held in numbers(one.text))]
    if not having:
        return None
    item, one = max(having, key=lambda place: (place[0].document in own, len(wanted & folded_stems(place[1].text))))
    return item, Found(one.start, one.end, item.text[one.start : one.end])


def _is_same(one: Number, other: Number) -> bool:
    """Whether two numbers are one, with the same unit where both have one."""
    return one.value == other.value and (one.unit == other.unit or "" in (one.unit, other.unit))
