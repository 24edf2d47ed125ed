"""Retrievers as somebody else's package would have them."""

from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever
from pydantic import Field


class Shelf(BaseRetriever):
    """Gives what is on it."""

    documents: list[Document] = Field(default_factory=list)
    failure: Any = None

    def _get_relevant_documents(self, query: str, *, run_manager: CallbackManagerForRetrieverRun) -> list[Document]:
        if self.failure is not None:
            raise self.failure
        return self.documents


DOCUMENTS = [
    Document(
        page_content="A semaphore limits concurrency.",
        metadata={
            "source": "https://example.org/s#part",
            "title": "Semaphores",
            "Authors": ["Ada", "Bob"],
            "date": "2024-05-01",
            "score": 0.7,
        },
    ),
    Document(page_content="Local notes on a semaphore.", metadata={"source": "/srv/notes/ä b.md"}),
    Document(page_content="No metadata, semaphore."),
]

retriever = Shelf(documents=DOCUMENTS)


def make() -> Shelf:
    """A factory."""
    return Shelf(documents=DOCUMENTS[:1])


def broken() -> Shelf:
    """One that cannot be made."""
    raise RuntimeError("no secret here")


number = 7
