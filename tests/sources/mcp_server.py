"""An MCP server with tools of every shape of result; over stdio when run."""

import json
import os
from typing import Annotated, Any

from mcp.server.fastmcp import Context, FastMCP
from mcp.types import EmbeddedResource, ResourceLink, TextContent, TextResourceContents, ToolAnnotations
from pydantic import AnyUrl, Field

server = FastMCP("library", log_level="ERROR")
FOUND: list[dict[str, Any]] = [
    {"title": "Semáforo", "url": "https://example.org/s#x", "text": "A semaphore limits concurrency.", "score": 0.9},
    {
        "title": "Other",
        "url": "javascript:x",
        "snippet": "Something else.",
        "date": "2024-01-02",
        "source": "httpx book",
    },
]


@server.tool()
def add(a: int, b: int) -> int:
    """Add two numbers."""
    return a + b


@server.tool()
def search_books(query: str, limit: int = 10) -> dict[str, Any]:
    """Search the library."""
    return {"results": [{**item, "author": query} for item in FOUND][:limit]}


@server.tool()
def one(query: str, limit: Annotated[int, Field(le=1)] = 1) -> dict[str, Any]:
    """Gives one at most."""
    return {"results": FOUND[:limit]}


@server.tool()
def one_or_all(query: str, count: Annotated[int | None, Field(le=1)] = None) -> dict[str, Any]:
    """Gives one at most, where it is told how many."""
    return {"results": FOUND[:count]}


@server.tool(structured_output=False)
def as_json(query: str) -> str:
    """Results as JSON in text."""
    return json.dumps(FOUND)


@server.tool()
def as_text(question: str) -> str:
    """Plain text."""
    return f"A semaphore, about {question}"


@server.tool(structured_output=False)
def as_blocks(query: str) -> list[Any]:
    """One block of each kind."""
    uri = AnyUrl("https://example.org/r")
    return [
        TextContent(type="text", text="A semaphore in text."),
        EmbeddedResource(type="resource", resource=TextResourceContents(uri=uri, text="A semaphore embedded.")),
        ResourceLink(type="resource_link", uri=uri, name="link", description="A semaphore linked."),
    ]


@server.tool()
def under_another_name(query: str) -> dict[str, Any]:
    """A list that is called as it pleases the server, beside another one."""
    found = [{"title": "S", "contentUrl": "https://example.org/s", "context": "A semaphore limits concurrency."}]
    return {"search_hits": [*found, {"title": "T", "answer": "Something else."}], "languages": ["en"]}


@server.tool(structured_output=False)
def as_object(query: str) -> str:
    """An object of which nobody can say what it is."""
    return json.dumps({"verdict": "A semaphore it is."})


@server.tool()
def none_under_another_name(query: str) -> dict[str, Any]:
    """Finds nothing."""
    return {"search_hits": [], "took": 3}


@server.tool()
def nothing(query: str) -> dict[str, Any]:
    """Finds nothing."""
    return {"results": []}


@server.tool()
def broken(query: str) -> str:
    """Fails."""
    raise RuntimeError("key=secret")


@server.tool()
def dies(query: str) -> str:
    """Takes the server along."""
    os._exit(3)


@server.tool(annotations=ToolAnnotations(readOnlyHint=True))
def count_books(shelf: str) -> dict[str, Any]:
    """Count the books on a shelf."""
    return {"shelf": shelf, "books": 4711}


@server.tool(annotations=ToolAnnotations(readOnlyHint=False))
def lend_book(title: str, context: Context[Any, Any, Any]) -> str:
    """Lend a book."""
    meta = context.request_context.meta
    with open(os.environ["LENT"] + ".keys", "a", encoding="utf-8") as log:
        print(json.dumps(meta.model_dump() if meta else {}), file=log)
    with open(os.environ["LENT"], "a", encoding="utf-8") as log:
        log.write(f"{title}\n")
    return f"{title} was lent."


if __name__ == "__main__":
    server.run()
