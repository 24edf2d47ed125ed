"""The knowledge base: the user's own documents, searched by words and by meaning.

``ingest`` reads files into SQLite (full text, BM25), which is the truth; Chroma holds vectors over the same chunk ids
and can be refilled at any time. ``KnowledgeSource`` makes evidence of them.
"""

from calibrant.retrievers.knowledge.base import KnowledgeBase
from calibrant.retrievers.knowledge.reports import IngestProgress, IngestReport, KnowledgeStats, SkippedFile
from calibrant.retrievers.knowledge.source import KnowledgeSource, knowledge_dir, list_knowledge, searched_knowledge

__all__ = [
    "IngestProgress",
    "IngestReport",
    "KnowledgeBase",
    "KnowledgeSource",
    "KnowledgeStats",
    "SkippedFile",
    "knowledge_dir",
    "list_knowledge",
    "searched_knowledge",
]
