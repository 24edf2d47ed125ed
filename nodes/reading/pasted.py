"""What a person pasted with a question, as passages that a model reads and that an answer can cite.

Words alone do not read them: whoever pastes a log asks for what it does not say, and its own lines would fit best.
"""

from pathlib import Path

from calibrant.judges.free.request.pasted import apart
from calibrant.judges.free.words.text import language_of
from calibrant.retrievers.findings import Fit
from calibrant.retrievers.knowledge.chunking import passages
from calibrant.retrievers.knowledge.code import code_document
from calibrant.retrievers.knowledge.prose import text_document
from calibrant.retrievers.knowledge.unread import looks_like_code
from calibrant.state.evidence import MESSAGE, Evidence, Locator, SearchQuery
from calibrant.state.task import Language

SHOWN = 3
"""Passages of it that a model is shown: some 3,000 characters, a third of what there is room for."""

TITLES = {Language.ENGLISH: "What you pasted", Language.PORTUGUESE: "O que você colou"}


def pasted_passages(request: str, question: str) -> tuple[Evidence, ...]:
    """The passages of what is pasted in ``request`` that fit ``question`` best, in their order."""
    found = apart(request)
    if not found.pasted.strip():
        return ()
    read = code_document if looks_like_code(found.pasted) else text_document
    cut = passages(read(found.pasted, Path(MESSAGE)), MESSAGE)
    shares = Fit(SearchQuery(text=question)).shares([piece.text for piece in cut])
    best = sorted(range(len(cut)), key=lambda place: -shares[place])[:SHOWN]
    return tuple(
        Evidence(
            id=cut[place].id,
            text=cut[place].text,
            title=TITLES[language_of(found.asked)],
            source=MESSAGE,
            url=MESSAGE,
            locator=Locator(line=cut[place].line, end_line=cut[place].end_line, jumps=cut[place].jumps),
            relevance=1.0,
        )
        for place in sorted(best)
    )
