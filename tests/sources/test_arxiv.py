"""arXiv's Atom API."""

import pytest

from calibrant.retrievers.arxiv import Arxiv
from calibrant.retrievers.http import Http
from calibrant.state.errors import SourceError
from calibrant.state.evidence import SearchQuery
from tests.remote.server import Reply, Server
from tests.sources import payloads

API = "/api/query"
QUERY = SearchQuery(text="retrieval with self-reflection: does it help?", limit=3)
BOMB = '<?xml version="1.0"?><!DOCTYPE lolz [<!ENTITY lol "lol">]><feed>&lol;</feed>'


async def test_papers_with_their_abstracts(server: Server, http: Http) -> None:
    server.on(API, Reply(body=payloads.ARXIV.encode(), headers={"Content-Type": "application/atom+xml"}))
    (paper,) = await Arxiv(http, server.url()).search(QUERY)
    (hit,) = server.hits()
    assert hit.query == {
        "search_query": ['all:retrieval OR all:"self reflection"'], "start": ["0"], "max_results": ["3"],
        "sortBy": ["relevance"], "sortOrder": ["descending"],
    }  # fmt: skip
    assert paper.url == "https://arxiv.org/abs/2310.11511"
    assert paper.title == "Self-RAG: Learning to Retrieve, Generate, and Critique"
    assert paper.text == "We introduce retrieval with self-reflection tokens & critique."
    assert paper.author == "Akari Asai, Zeqiu Wu, Yizhong Wang et al."
    assert paper.published is not None
    assert paper.published.isoformat() == "2023-10-17T18:18:32+00:00"


async def test_words_to_avoid_are_part_of_the_question(server: Server, http: Http) -> None:
    server.on(API, Reply(body=payloads.ARXIV.encode()))
    assert await Arxiv(http, server.url()).search(QUERY.replace(negative=("token", 'x" OR all:y'))) == []
    asked = server.hits()[0].query["search_query"][0]
    assert asked.endswith(') ANDNOT all:"token" ANDNOT all:"x OR all y"')


async def test_nothing_found(server: Server, http: Http) -> None:
    server.on(API, Reply(body=b'<feed xmlns="http://www.w3.org/2005/Atom"><title>none</title></feed>'))
    assert await Arxiv(http, server.url()).search(QUERY) == []


@pytest.mark.parametrize("body", [payloads.ARXIV_ERROR, "<html><body>Rate exceeded.</body></html>", "no", "", BOMB])
async def test_failures(server: Server, http: Http, body: str) -> None:
    server.on(API, Reply(body=body.encode()))
    with pytest.raises(SourceError):
        await Arxiv(http, server.url()).search(QUERY)
