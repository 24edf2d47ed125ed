"""Stack Overflow, by the Stack Exchange API 2.3: questions with the answer that was accepted and the one with most
votes.

    GET /search/advanced           the questions; q is matched against all of them
    GET /questions/{ids}/answers   the answers to all of them at once, with bodies by the built-in filter ``withbody``

https://api.stackexchange.com/docs. Answers come compressed whatever is asked for. ``backoff`` in an answer is a number
of seconds in which the method that gave it must not be asked again (https://api.stackexchange.com/docs/throttle), so
each method is counted apart; it is kept for all who use it. Errors come with status 400 and say themselves in
``error_id``; 502 means that too much was asked, and its message may name the seconds until there is more.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, ClassVar
from urllib.parse import urlsplit

from pydantic import SecretStr

from calibrant.retrievers.asking import Partial
from calibrant.retrievers.excerpt import Piece, dicts, one_line, pieces_of, plain
from calibrant.retrievers.findings import Result, evidence_of, moment, number, tried, web_address, words
from calibrant.retrievers.http import Http
from calibrant.retrievers.http_answers import BadStatus
from calibrant.retrievers.keywords import with_fewer_words
from calibrant.retrievers.limits import LONGEST_PAUSE_S
from calibrant.state.errors import SourceError, SourceLimited, failure_of
from calibrant.state.evidence import Evidence, SearchQuery

STACK_EXCHANGE = "https://api.stackexchange.com/2.3"
WORDS = (4, 2)
"""A search matches questions that have all its words: first with so many of the query's, then with fewer."""
_ANSWERS = 100
"""The most that one page holds."""
_THROTTLED = 502
_AVAILABLE_IN = re.compile(r"available in (\d{1,6}) seconds")
_BANNED_S = 60.0
"""Where it does not say for how long: "on the order of 30 seconds to a few minutes"."""
_PROVIDER, _ANSWERING = "stackexchange", "stackexchange-answers"

Item = Mapping[str, Any]


class StackOverflow:
    """Questions and answers of programmers. Text is CC BY-SA: the author stands in each passage."""

    name = "stackoverflow"
    remote = True
    hint: ClassVar[str] = "a Stack Apps key raises the daily quota from 300 to 10,000 requests."

    def __init__(self, http: Http, key: SecretStr | None = None, base_url: str = STACK_EXCHANGE) -> None:
        self._http = http
        self._key = key
        self._base_url = base_url.rstrip("/")

    async def search(self, query: SearchQuery) -> list[Evidence]:
        """The accepted answer to each question found, and the one with more votes than that: it may warn of it. A
        question without any stands for itself. So do all where the answers cannot be had, which is told with them."""
        questions = await self._questions(query)
        ids = [str(item["question_id"]) for item in questions if isinstance(item.get("question_id"), int)]
        given = await tried(partial(self._answers, ids)) if ids else {}
        answers = {} if isinstance(given, SourceError) else given
        pairs = [(item, answer) for item in questions for answer in answers.get(item.get("question_id"), [None])]
        found = await evidence_of(self.name, query, pairs, _result)
        return Partial(found, failure_of(given, self.name)) if isinstance(given, SourceError) else found

    async def _questions(self, query: SearchQuery) -> list[Item]:
        given = {"sort": "relevance", "order": "desc", "pagesize": min(query.limit, 30)}
        return await with_fewer_words(
            query.text,
            WORDS,
            lambda wanted: self._ask(_PROVIDER, "/search/advanced", {"q": " ".join(wanted), **given}),
        )

    async def _answers(self, ids: Sequence[str]) -> dict[Any, list[Item | None]]:
        """One or two answers by question, the accepted one first."""
        params = {"sort": "votes", "order": "desc", "pagesize": _ANSWERS}
        found = await self._ask(_ANSWERING, f"/questions/{';'.join(ids)}/answers", params)
        best: dict[Any, list[Item | None]] = {}
        for item in sorted(found, key=_standing, reverse=True):
            held = best.setdefault(item.get("question_id"), [])
            if not held or (len(held) == 1 and _votes(item) > _votes(held[0] or {})):
                held.append(item)
        return best

    async def _ask(self, provider: str, path: str, params: Mapping[str, Any]) -> list[Item]:
        given = {**params, "site": "stackoverflow", "filter": "withbody"}
        if self._key is not None:
            given["key"] = self._key.get_secret_value()
        try:
            answer = await self._http.json(provider, f"{self._base_url}{path}", params=given)
        except BadStatus as error:
            if not isinstance(error.said, dict) or "error_id" not in error.said:
                raise
            answer = error.said
        if not isinstance(answer, dict):
            raise SourceError("Stack Exchange's answer is not in the form that was expected")
        if seconds := number(answer.get("backoff")):
            await self._http.limits.pause(provider, seconds)
        if "error_id" in answer:
            raise await self._refusal(answer)
        if not isinstance(answer.get("items"), list):
            raise SourceError("Stack Exchange's answer has no items in it")
        return list(dicts(answer["items"]))

    async def _refusal(self, answer: Item) -> SourceError:
        """An error as it says itself. One for too many requests concerns all methods: they share quota and address."""
        if answer["error_id"] != _THROTTLED:
            return SourceError(f"Stack Exchange refused the search ({words(answer.get('error_name'))[:40]})")
        told = _AVAILABLE_IN.search(words(answer.get("error_message")))
        seconds = min(float(told.group(1)) if told else _BANNED_S, LONGEST_PAUSE_S)
        for provider in (_PROVIDER, _ANSWERING):
            await self._http.limits.pause(provider, seconds)
        return SourceLimited(f"Stack Exchange is limiting requests for {seconds:.0f} s", seconds)


def _standing(answer: Item) -> tuple[bool, float]:
    return answer.get("is_accepted") is True, _votes(answer)


def _votes(answer: Item) -> float:
    return number(answer.get("score")) or 0.0


def _result(pair: tuple[Item, Item | None]) -> Result:
    """The answer under the question's title; the question where nobody answered."""
    question, answer = pair
    title, link = one_line(words(question.get("title"))), web_address(question["link"])
    shown = answer or question
    owner = shown.get("owner")
    written = moment(shown.get("last_edit_date") or shown.get("creation_date"))
    return Result(
        title,
        _address(link, answer) if answer else link,
        _pieces(words(shown.get("body")), title, f"{title} ({_worth(answer, written)})"),
        one_line(words(owner.get("display_name"))) if isinstance(owner, dict) else "",
        written,
    )


def _worth(answer: Item | None, written: datetime | None) -> str:
    """Where it is from, and what a reader there sees of its worth."""
    if answer is None:
        return "Stack Overflow, question"
    kind = "accepted answer" if answer.get("is_accepted") is True else "answer"
    told = f"Stack Overflow, {kind}, score {_votes(answer):.0f}"
    return f"{told}, {written:%Y-%m-%d}" if written else told


def _address(link: str, answer: Item) -> str:
    """The short address of an answer, which opens at it."""
    parts = urlsplit(link)
    number_of = answer.get("answer_id")
    return f"{parts.scheme}://{parts.netloc}/a/{number_of}" if isinstance(number_of, int) else link


def _pieces(body: str, title: str, heading: str) -> list[Piece]:
    return pieces_of(plain(body) or title, "markdown", heading)
