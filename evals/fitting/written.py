"""Questions written for the reader to learn from: over documents of their own (``documents.jsonl``), and over
passages of the public sets, which stay where they are (``questions.jsonl``).

The documents are such as teams, offices and households keep. Of the passages only those were taken that the reader may
learn from. Half of the questions look as if their text answered them, and it does not.
"""

from collections.abc import Iterator
from pathlib import Path

from calibrant.evals import questions
from calibrant.evals.data import lines_of
from calibrant.evals.fitting.data import Item, clapnq, passage
from calibrant.evals.questions import Document

DOCUMENTS = Path(__file__).with_name("documents.jsonl")
"""A line has ``title``, ``text``, ``asked`` (questions, each with the sentence that answers) and ``missing``."""
QUESTIONS = Path(__file__).with_name("questions.jsonl")
"""A line has ``set`` and ``name`` of a passage, ``asked`` (questions, each with the first and the last character of its
answer) and ``missing``."""


def documents() -> Iterator[Item]:
    """The documents, each with its questions."""
    for row in lines_of(DOCUMENTS):
        evidence, text = (passage(row["text"], row["title"]),), row["text"]
        for question, said in row["asked"]:
            start = text.index(said)
            yield Item("documents", row["title"], question, evidence, True, ((start, start + len(said)),))
        for question in row["missing"]:
            yield Item("documents", row["title"], question, evidence, False, ())


def passages(root: Path) -> Iterator[Item]:
    """Passages of the sets, each with the questions written over it."""
    held = _held(root)
    for row in lines_of(QUESTIONS):
        document = held[row["set"], row["name"]]
        evidence = (passage(document.text, document.title),)
        for question, start, end in row["asked"]:
            yield Item("written", row["name"], question, evidence, True, ((start, end),))
        for question in row["missing"]:
            yield Item("written", row["name"], question, evidence, False, ())


def _held(root: Path) -> dict[tuple[str, str], Document]:
    """All passages that have questions, and more, by their set and name."""
    sets = {
        "squad2": questions.squad2(root)[0], "nq_open": questions.nq_open(root)[0], "hotpot": questions.hotpot(root)[0],
        "clapnq": [Document(item.evidence[0].title, item.evidence[0].text) for item in clapnq(root)],
    }  # fmt: skip
    return {(name, document.name): document for name, documents in sets.items() for document in documents}
