"""Whether a passage has a typed attribute: words, address, source, date."""

from collections.abc import Callable, Mapping
from functools import lru_cache

from calibrant.judges.free.evidence.age import moment_of
from calibrant.judges.free.words.text import language_of, stand_in_a_row, stem, stems, tokens
from calibrant.state.evidence import Evidence, host_of, path_of
from calibrant.state.task import Attribute, Language


def has_attribute(item: Evidence, attribute: Attribute) -> bool:
    """Whether a passage has an attribute; ``a|b`` has either. A kind that is not known is looked for in the words."""
    check = _CHECKS.get(attribute.kind, _has_phrase)
    return any(check(item, value.strip()) for value in attribute.value.split("|") if value.strip())


def _has_phrase(item: Evidence, value: str) -> bool:
    """The words of ``value`` in a row, by stem: identifiers whole, or as the words that they are made of."""
    known = language(item)
    wanted, whole = _whole_row(value, known), _whole_row(f"{item.title}\n{item.text}", known)
    return any(stand_in_a_row(wanted, held) for held in (whole, titled_row(item)))


def _whole_row(text: str, known: Language) -> tuple[str, ...]:
    """The stems of a text in order, an identifier as one word."""
    return tuple(stem(token.word, known) for token in tokens(text))


def _has_words(item: Evidence, value: str) -> bool:
    """All words of ``value``, by stem, anywhere."""
    return set(stems(value, language(item))) <= set(titled_row(item))


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


def titled_row(item: Evidence) -> tuple[str, ...]:
    """The stems of a passage with its title, in order."""
    return stem_row(f"{item.title}\n{item.text}", language(item))


def host(item: Evidence) -> str:
    """The host of a passage's address; empty for a local file."""
    return host_of(item.url).removeprefix("www.")


def place(item: Evidence) -> str:
    """Where a passage comes from, as a refinement can name it: the host, or for a local file its folder."""
    return host(item) or (path_of(item.url) or "").rpartition("/")[0]
