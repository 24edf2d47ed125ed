"""The real services on loopback: their documented answers, about whatever they are asked, and their access logs."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from tests.remote.server import Hit, Reply, Server
from tests.sources import payloads

NAMED = re.compile(r"valve (\w+)")
"""What a question is about, in the words of whichever service is asked."""


def fact(name: str) -> str:
    """What every service says of a valve."""
    return f"The rated pressure of the valve {name} is {sum(map(ord, name)) % 90 + 10} bar."


@dataclass(frozen=True)
class Service:
    """One of them: which paths are its own, and what it answers."""

    paths: str
    answer: Callable[[Hit], dict[str, Any] | str]


class Services(Server):
    """All of them on one port. Each answers after ``wait`` seconds."""

    def __init__(self, wait: float = 0.01) -> None:
        super().__init__()
        self.wait = wait

    def reply_to(self, hit: Hit) -> Reply:
        """Log the request; the answer is that of the service to which the path belongs."""
        unknown = super().reply_to(hit)
        service = next((held for held in SERVICES.values() if re.fullmatch(held.paths, hit.path)), None)
        if service is None:
            return unknown
        answer = service.answer(hit)
        return (
            Reply(body=answer.encode(), wait=self.wait)
            if isinstance(answer, str)
            else Reply.of_json(answer, wait=self.wait)
        )

    def times(self, service: str) -> list[float]:
        """When the requests to a service arrived, by the server's clock, in order."""
        return sorted(hit.at for hit in self.hits() if re.fullmatch(SERVICES[service].paths, hit.path))


def most_within(times: Sequence[float], seconds: float) -> int:
    """The most requests in any window of so many seconds. ``times`` in order."""
    most, start = 0, 0
    for end, at in enumerate(times):
        while times[start] <= at - seconds:
            start += 1
        most = max(most, end - start + 1)
    return most


def _name(asked: str) -> str:
    found = NAMED.search(asked)
    return found.group(1) if found else "unknown"


def _tavily(hit: Hit) -> dict[str, Any]:
    name = _name(hit.json["query"])
    item = {**payloads.TAVILY["results"][0], "url": f"https://example.org/{name}", "title": f"Valve {name}"}
    return {**payloads.TAVILY, "query": hit.json["query"], "results": [{**item, "content": fact(name)}]}


def _github(hit: Hit) -> dict[str, Any]:
    name = _name(hit.query["q"][0])
    item = {**payloads.GITHUB_REPOSITORIES["items"][0], "full_name": f"valve/{name}", "description": f"Valve {name}."}
    return {**payloads.GITHUB_REPOSITORIES, "items": [{**item, "html_url": f"https://github.com/valve/{name}"}]}


def _readme(hit: Hit) -> str:
    name = hit.path.split("/")[3]
    return f"# Valve {name}\n\n{fact(name)}\n"


def _questions(hit: Hit) -> dict[str, Any]:
    name = _name(hit.query["q"][0])
    number = int.from_bytes(name.encode(), "big")
    item = {**payloads.QUESTIONS["items"][0], "question_id": number, "title": f"Pressure of the valve {name}?"}
    link = f"https://stackoverflow.com/questions/{number}/valve"
    return {**payloads.QUESTIONS, "items": [{**item, "link": link, "body": f"<p>And of the valve {name}?</p>"}]}


def _answers(hit: Hit) -> dict[str, Any]:
    number = int(hit.path.split("/")[2])
    name = number.to_bytes((number.bit_length() + 7) // 8, "big").decode()
    item = {**payloads.ANSWERS["items"][0], "question_id": number, "answer_id": number, "body": f"<p>{fact(name)}</p>"}
    return {**payloads.ANSWERS, "items": [item], "backoff": None}


def _arxiv(hit: Hit) -> str:
    name = _name(re.sub(r"all:|OR ", "", hit.query["search_query"][0]))
    feed = payloads.ARXIV.replace("abs/2310.11511", f"abs/{name}")
    return feed.replace("We introduce", f"{fact(name)} We introduce")


def _wikipedia(hit: Hit) -> dict[str, Any]:
    """The list of pages with their leads; a page alone has no more to say."""
    if "gsrsearch" not in hit.query:
        return {"batchcomplete": True, "query": {"pages": []}}
    name = _name(hit.query["gsrsearch"][0])
    url = f"https://en.wikipedia.org/wiki/{name}"
    item = {**payloads.WIKIPEDIA["query"]["pages"][0], "title": f"Valve {name}", "extract": fact(name)}
    return {"batchcomplete": True, "query": {"pages": [{**item, "canonicalurl": url, "fullurl": url}]}}


SERVICES: Mapping[str, Service] = {
    "tavily": Service(r"/search", _tavily),
    "github": Service(r"/search/repositories", _github),
    "github-content": Service(r"/repos/.*", _readme),
    "stackexchange": Service(r"/search/advanced", _questions),
    "stackexchange-answers": Service(r"/questions/.*", _answers),
    "arxiv": Service(r"/api/query", _arxiv),
    "wikipedia": Service(r"/w/api\.php", _wikipedia),
}
"""By the name under which their requests are counted."""
