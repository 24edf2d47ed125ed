"""Run in the empty environment: one question, and one that the sources do not answer, through the installed graph."""

import asyncio
import json
from collections.abc import Sequence

import audited  # type: ignore[import-not-found]

from calibrant.graph import build_graph
from calibrant.state.context import Context
from calibrant.state.evidence import Evidence, Locator, SearchQuery

PASSAGES = {
    "server": "The Halyard server listens on port 7341 by default. Change it with the option `listen` in halyard.toml.",
    "retries": "Halyard retries a failed job five times by default. The wait between two tries doubles each time.",
    "storage": "Halyard keeps job results in SQLite by default. Use the Postgres backend when machines share a queue.",
}


class Manual:
    """Three passages, found by the words that they share with the query."""

    name = "knowledge"
    remote = False

    async def search(self, query: SearchQuery) -> Sequence[Evidence]:
        """The passages that share a word with the query, best first."""
        words = {word.strip("?.,").lower() for word in query.text.split() if len(word) > 3}
        shared = {key: sum(word in text.lower() for word in words) for key, text in PASSAGES.items()}
        found = [
            key for key in sorted(shared, key=lambda key: -shared[key]) if shared[key] and key not in query.exclude
        ]
        return [
            Evidence(
                id=key,
                text=PASSAGES[key],
                title="Halyard manual",
                source=self.name,
                url=f"file:///manual/{key}.md",
                locator=Locator(start=0, end=len(PASSAGES[key]), line=1, end_line=1),
                relevance=min(1.0, shared[key] / max(1, len(words))),
                rank=rank,
                query=query.text,
            )
            for rank, key in enumerate(found[: query.limit], start=1)
        ]


async def main() -> None:
    """Ask twice and print what came out."""
    context = Context(interactive=False)
    graph = build_graph(sources=[Manual()], context=context)
    answers = []
    for question in ("Which port does the Halyard server listen on?", "Who founded the company that sells Halyard?"):
        state = await graph.ainvoke({"task": question})
        citations = [citation.evidence_id for citation in state["citations"]]
        answers.append(
            {
                "answer": state["answer"],
                "stop_reason": state["stop_reason"],
                "citations": citations,
                "confidence": state["confidence"].score,
                "model_calls": state["spend"].model_calls,
            }
        )
    print(json.dumps({"answers": answers, "opened": audited.seen}))


asyncio.run(main())
