"""What the reader of sections learns from: the questions over manuals (``evals/manuals.py``), each asked of the
sections that hold its answer, and of those that a search finds beside them.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote

from calibrant.evals.fitting.data import Item
from calibrant.evals.halves import MANUALS
from calibrant.evals.manuals import Asked, asked
from calibrant.evals.questions import manual_base
from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir
from calibrant.state.evidence import Evidence, SearchQuery
from calibrant.state.protocols import TextEncoder

COUNTS, NEAR_COUNTS = 1.5, 0.75
"""How much an example counts that holds the answer, and one that does not."""
REPLAYED = 0.15
"""The share of what the other reader learnt from that is read again, so that little of it is forgotten."""
FOUND, LOOKED_THROUGH = 12, 100
"""Passages that a search for the question finds, and that one for the question and its answer looks through."""
EACH = 2
"""So many sections with the answer, and so many without it, are taken of each question."""


def sections(root: Path, folder: Path, encoder: TextEncoder | None) -> Iterator[tuple[float, Item]]:
    """Each item with what its examples count. ``folder``: where the knowledge bases are kept."""
    opened: dict[str, KnowledgeBase] = {}
    for one in asked():
        name = one.manual.name
        if name not in opened:
            place = manual_base(folder, name, root, encoder)
            opened[name] = KnowledgeBase.open(knowledge_dir(place, name), name, encoder=encoder)
        yield from _of_question(one, opened[name])
    for base in opened.values():
        base.close()


def _of_question(one: Asked, base: KnowledgeBase) -> Iterator[tuple[float, Item]]:
    found = base.search(SearchQuery(text=one.question, limit=FOUND))
    if one.answers:
        sought = SearchQuery(text=f"{one.question} {' '.join(one.answers)}", limit=LOOKED_THROUGH)
        for passage, spans in _holding(one, base.search(sought))[:EACH]:
            yield COUNTS, Item(MANUALS, one.manual.key, one.question, (passage,), True, spans)
    others = [passage for passage in found if not places(passage.text, one.answers)]
    for passage in others[:EACH]:
        yield NEAR_COUNTS, Item(MANUALS, one.manual.key, one.question, (passage,), False, ())


def _holding(one: Asked, found: Sequence[Evidence]) -> list[tuple[Evidence, tuple[tuple[int, int], ...]]]:
    """Those passages of the file that was read for the question that hold its answer, in the file's order."""
    held = [(passage, places(passage.text, one.answers)) for passage in found]
    told = [pair for pair in held if pair[1] and unquote(pair[0].url).endswith(f"/{one.where}")]
    return sorted(told, key=lambda pair: pair[0].locator.start)


def places(text: str, answers: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Where the text says one of the answers, whatever the case, the spacing and the punctuation between words."""
    words = (re.findall(r"\w+", answer) for answer in answers)
    sought = (r"(?<!\w)" + r"\W+".join(map(re.escape, each)) + r"(?!\w)" for each in words if each)
    return tuple(sorted({found.span() for each in sought for found in re.finditer(each, text, re.IGNORECASE)}))
