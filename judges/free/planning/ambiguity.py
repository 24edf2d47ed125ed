"""Several candidates for one target (spec 5): named in a planner's words, or found by a tool that was to find one."""

import re
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from calibrant.judges.free.planning.hesitation import own_words

MOST = 10
"""A tool that gives more was asked for a list, not for one thing."""

_WORD = r"[\w./@#:+-]*\w"
_THING = rf"(?:the |an? |o |a |os |as )?{_WORD}"
_LIST = rf"(?P<items>{_THING}(?: {_WORD})??(?:, {_THING}){{0,4}},? (?:or|ou) {_THING})"
_MODAL = r"(?:could|can|might|may|would|poderia|pode)"
_VERB = (
    r"(?:use|try|be|take|edit|change|choose|pick|mean|target|call|run|go with|usar|tentar|ser|editar|mudar|escolher|"
    r"chamar)"
)
_FITS = r"(?:valid|works?|possible|fits?|match(?:es)?|plausible|suitable|fine|v[áa]lid[oa]s|servem|funcionam)"
_NAMED = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        rf"\b{_MODAL}(?: also| também)? {_VERB} {_LIST}",
        rf"\b(?:either|ou) {_LIST}",
        rf"(?<![\w./@:#+-])(?P<items>{_WORD}(?:, {_WORD}){{0,4}},? (?:or|ou) {_WORD}),? "
        rf"(?:both|either|each|all|any|ambos|ambas|todos|todas)\b[^.;]{{0,30}}\b{_FITS}\b",
        rf"\b(?:both|tanto) (?P<items>{_WORD} (?:and|e|quanto|como) {_WORD})\b[^.;]{{0,20}}\b{_FITS}\b",
    )
)
_SPLIT = re.compile(r",? (?:or|ou|and|e|quanto|como) |, ", re.IGNORECASE)
_ARTICLE = re.compile(r"^(?:the|an?|o|os|as) ", re.IGNORECASE)
_SETTLED = re.compile(
    r"\b(?:so|therefore|thus|hence|então|portanto)\b|\b(?:prefer|chosen|i choose|we choose|go with|prefiro|escolho)\b",
    re.IGNORECASE,
)
_ASKED_FOR_MANY = frozenset({"query", "q", "question", "search", "search_query", "text", "keywords", "prompt", "input"})
"""Arguments of a search: many results are what it is for."""
_NAMES = ("path", "file", "name", "id", "title", "key")
_ID = re.compile(r"(?:^|_)id$|[a-z]Id$")
_SCORES = ("score", "relevance", "similarity", "confidence")


def alternatives(text: str, asked: str = "") -> tuple[str, ...]:
    """The candidates that a planner names without choosing among them; empty if it names none, or settles on one.

    Quotations and code are not its own words. What the request ``asked`` sets against each other is the question
    itself, no doubt about how to answer it.
    """
    own = own_words(text)
    for pattern in _NAMED:
        for match in pattern.finditer(own):
            items = tuple(_ARTICLE.sub("", item.strip()) for item in _SPLIT.split(match["items"]))
            known = all(item.casefold() in asked.casefold() for item in items)
            if not known and not _SETTLED.search(own, match.end()):
                return items
    return ()


def matches(arguments: Mapping[str, Any], output: Any) -> tuple[str, ...]:
    """What a tool's output names where the call meant one thing: two or more names that fit an argument equally well.

    A name fits if it is the argument, or ends in it as a path does; only where none does, if it contains it as a word.
    One exact name, a best score, a search or a long list are no ambiguity. Things of one name with ids of their own are
    several, each told with its id.
    """
    named = _named(output)
    if not 2 <= len(named) <= MOST:
        return ()
    for argument, value in arguments.items():
        if isinstance(value, str) and value.strip() and argument.casefold() not in _ASKED_FOR_MANY:
            fitting = _fitting(value.strip(), named)
            if len(fitting) > 1:
                return fitting
    return ()


def _fitting(value: str, named: Mapping[str, str]) -> tuple[str, ...]:
    wanted = value.casefold()
    same = tuple(told for told, name in named.items() if name.casefold() == wanted)
    ending = tuple(told for told, name in named.items() if PurePosixPath(name).name.casefold() == wanted)
    word = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
    within = tuple(told for told, name in named.items() if word.search(name))
    return next((found for found in (same, ending, within) if found), ())


def _named(output: Any) -> dict[str, str]:
    """The names in a list, or in a list that stands alone in an object; the best by score where there are scores. Each
    by how it is told: with its id, where several have it."""
    if isinstance(output, dict):
        lists = [value for value in output.values() if isinstance(value, list)]
        output = lists[0] if len(lists) == 1 else None
    held: dict[str, list[Any]] = {}
    for item in _best(output) if isinstance(output, list) else ():
        if name := item if isinstance(item, str) else _name(item) if isinstance(item, dict) else "":
            held.setdefault(name, []).append(item)
    return {told: name for name, items in held.items() for told in _told_apart(name, items)}


def _name(item: Mapping[str, Any]) -> str:
    return next((value for key in _NAMES if isinstance(value := item.get(key), str) and value), "")


def _told_apart(name: str, items: Sequence[Any]) -> tuple[str, ...]:
    """How the ``items`` of one ``name`` are told: each with its id. One name alone where they are rows about one thing,
    which have an id in common (the invoices of a customer), or none that tells them apart."""
    ids = [_ids(item) for item in items if isinstance(item, dict)]
    common = [key for key in (ids[0] if ids else ()) if all(key in one for one in ids)]
    differ = [len({one[key] for one in ids}) == len(items) for key in common]
    return tuple(f"{name} ({one[common[0]]})" for one in ids) if differ and all(differ) and len(ids) > 1 else (name,)


def _ids(item: Mapping[str, Any]) -> dict[str, str]:
    return {key: str(value) for key, value in item.items() if _ID.search(key) and isinstance(value, str | int)}


def _best(items: Sequence[Any]) -> Sequence[Any]:
    """The items that share the best score; all of them where they have none."""
    scores = [_score(item) for item in items]
    known = [score for score in scores if score is not None]
    if len(known) < len(items):
        return items
    return [item for item, score in zip(items, scores, strict=True) if score == max(known)]


def _score(item: Any) -> float | None:
    found = next((item[key] for key in _SCORES if isinstance(item, dict) and key in item), None)
    return float(found) if isinstance(found, int | float) and not isinstance(found, bool) else None
