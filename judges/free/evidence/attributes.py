"""Whether a passage has a typed attribute: words, address, source, date."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from calibrant.judges.free.evidence.age import moment_of
from calibrant.judges.free.words.text import language_of, stem, stems, tokens
from calibrant.state.evidence import Evidence, host_of, path_of
from calibrant.state.task import Attribute, Language


def has_attribute(item: Evidence, attribute: Attribute) -> bool:
    """Whether a passage has an attribute; ``a|b`` has either. A kind that is not known is looked for in the words."""
    check = _CHECKS.get(attribute.kind, _has_phrase)
    return any(check(item, value.strip()) for value in attribute.value.split("|") if value.strip())


def _has_phrase(item: Evidence, value: str) -> bool:
    """The words of ``value`` in a row, by stem: identifiers whole, or as the words that they are made of."""
    known = language(item)
    text = f"{item.title}\n{item.text}"
    wanted = _whole_row(value, known)
    return any(_stands_in(wanted, held) for held in (_whole_row(text, known), stem_row(text, known)))


def _stands_in(wanted: tuple[str, ...], held: tuple[str, ...]) -> bool:
    return any(held[i : i + len(wanted)] == wanted for i in range(len(held) - len(wanted) + 1))


def _whole_row(text: str, known: Language) -> tuple[str, ...]:
    """The stems of a text in order, an identifier as one word."""
    return tuple(stem(token.word, known) for token in tokens(text))


def _has_words(item: Evidence, value: str) -> bool:
    """All words of ``value``, by stem, anywhere."""
    known = language(item)
    return set(stems(value, known)) <= set(stem_row(f"{item.title}\n{item.text}", known))


def _has_domain(item: Evidence, value: str) -> bool:
    """The host, or one above it: ``docs.python.org`` is in ``python.org`` and in ``.org``."""
    own, wanted = host(item), value.lower().removeprefix("*").removeprefix("www.").lstrip(".")
    return own == wanted or own.endswith(f".{wanted}")


def _has_year(item: Evidence, value: str) -> bool:
    day = moment_of(item, [item])
    return day is not None and str(day.year) == value


def _since(item: Evidence, value: str) -> bool:
    day = moment_of(item, [item])
    return day is not None and value[:4].isdigit() and day.year >= int(value[:4])


_CHECKS: Mapping[str, Callable[[Evidence, str], bool]] = {
    "keyword": _has_words,
    "phrase": _has_phrase,
    "domain": _has_domain,
    "source": lambda item, value: item.source.lower() == value.lower(),
    "year": _has_year,
    "since": _since,
    "author": lambda item, value: value.lower() in item.author.lower(),
    "collection": lambda item, value: item.collection.lower() == value.lower(),
    "title": lambda item, value: value.lower() in item.title.lower(),
    "url": lambda item, value: value.lower() in item.url.lower(),
}


def language(item: Evidence) -> Language:
    """The language of a passage."""
    return language_of(item.text or item.title)


@lru_cache(maxsize=1_000)
def stem_row(text: str, known: Language) -> tuple[str, ...]:
    """The stems of a text in order."""
    return tuple(stems(text, known))


def host(item: Evidence) -> str:
    """The host of a passage's address; empty for a local file."""
    return host_of(item.url).removeprefix("www.")


def place(item: Evidence) -> str:
    """Where a passage comes from, as a refinement can name it: the host, or for a local file its folder."""
    return host(item) or (path_of(item.url) or "").rpartition("/")[0]
