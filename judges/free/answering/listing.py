"""The things of a list that is asked for, each as it would be told: rows of a table, entries, sections by name, or the
changes of a version by their sort."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from calibrant.judges.free.answering.held_tables import Table, table_of
from calibrant.judges.free.evidence.changelogs import changes_asked_for, version_above
from calibrant.judges.free.evidence.listings import LEAST, listed_in, said_of_listed
from calibrant.judges.free.evidence.procedures import LONGEST
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.relevance import ScoredPassage, ScoredSentence
from calibrant.judges.free.words.tables import is_row
from calibrant.state.injection import beside_order


@dataclass(frozen=True)
class Listed:
    """One of the things that stand in ``listing``: a table, or the document and the heading that names them all."""

    passage: ScoredPassage
    marked: tuple[ScoredSentence, ...]
    """What it says, in order."""
    listing: Table
    label: str
    """The name of a section that is one of several, or the sort of a change; empty for what names itself, as a row or
    an entry does."""
    said: int
    """Words of the question in the heading."""
    is_change: bool
    """Of a version that is asked for."""

    @property
    def place(self) -> int:
        """Where it stands in its document."""
        return self.passage.evidence.locator.start + self.marked[0].sentence.start


def things_listed(query: Query, scored: Sequence[ScoredPassage]) -> list[Listed]:
    """The things of the list that ``query`` asks for, in the order of their document. Of several lists the one whose
    heading says most of the question, then the longest; none where it asks for no list, or for one that is not held.
    One change of a version may be all that there is."""
    listings: dict[Table, list[Listed]] = {}
    for passage in scored:
        for thing in _things_of(query, passage):
            listings.setdefault(thing.listing, []).append(thing)
    whole = [things for things in listings.values() if len(things) >= LEAST or things[0].is_change]
    best = max(whole, key=lambda things: (things[0].said, len(things)), default=[])
    return sorted(best, key=lambda thing: thing.place)


def _things_of(query: Query, passage: ScoredPassage) -> Iterator[Listed]:
    item = passage.evidence
    changes = changes_asked_for(query.text, item, passage.found)
    opening = changes or listed_in(query, item, passage.found)
    is_section = not changes and len(opening) == 1 and not is_row(opening[0].text)
    above, _, own = item.locator.heading.rpartition(" > ")
    above, own = version_above(item) if changes else (above, own)
    is_part = bool(changes) or is_section
    entries = (item.document, above if is_part else item.locator.heading, "")
    for place, marked in enumerate(passage.sentences):
        if marked.sentence in opening and not beside_order(item.text, marked.sentence.start, marked.sentence.end):
            rest = () if is_section else _rest_of(passage, place)
            listing = table_of(item, marked.sentence.text) or entries
            label = own if is_part else ""
            yield Listed(passage, (marked, *rest), listing, label, said_of_listed(query, item), bool(changes))


def _rest_of(passage: ScoredPassage, place: int) -> tuple[ScoredSentence, ...]:
    """What goes on in the entry of a list that the sentence at ``place`` opens, as far as it can be quoted."""
    text, begin = passage.evidence.text, passage.found[place].start
    end = place + 1
    while end < len(passage.found):
        one = passage.found[end]
        if not one.goes_on(text) or one.end - begin > LONGEST or beside_order(text, one.start, one.end):
            break
        end += 1
    return passage.sentences[place + 1 : end]
