"""The question that a page asks itself: what stands behind it answers whoever asks the same."""

import re
from collections.abc import Sequence

from calibrant.judges.free.evidence.matching import Term, are_all_in, covered, keys
from calibrant.judges.free.evidence.query import Query, prepare
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.words.text import has_negation
from calibrant.state.evidence import Evidence

_ANSWERED = re.compile(
    r"(?:\W*+(?:Q|Question|P|Pergunta):)?\W*+(?P<asked>[^?]++\?)[*_\"'”’)\]]*+\s++(?P<told>.*)", re.DOTALL
)
_FORM = re.compile(
    r"\b(?:who(?:m|se)?|when|where|why|which|what|how(?: (?:many|much|long|often|far|large|big|old|soon|fast|high))?"
    r"|quem|quando|onde|por ?qu[eê]|qual|quais|o que|quanto|quant[oa]s|como)\b",
    re.IGNORECASE,
)


def question_and_answer(text: str) -> tuple[str, str]:
    """The question that a sentence opens with and what answers it; an empty question where it opens with none."""
    found = _ANSWERED.fullmatch(text)
    return (found["asked"], found["told"]) if found else ("", text)


def replies_to(query: Query, item: Evidence, text: str) -> bool:
    """Whether a sentence of a passage opens with the very question that is asked, and answers it."""
    asked, _ = question_and_answer(text)
    return bool(asked) and _is_same(query, prepare(asked), keys(_told_above(item), query.language))


def _told_above(item: Evidence) -> str:
    """What stands above a passage and is no question."""
    return " ".join(part for part in (item.title, *item.locator.heading.split(" > ")) if not part.endswith("?"))


def _is_same(query: Query, other: Query, above: frozenset[str]) -> bool:
    """Whether two questions ask the same: in the same form, with the same words but for those that stand ``above``."""
    alike = _form(query) == _form(other) and query.language is other.language and query.expects is other.expects
    mine, theirs = (_left(one.terms, above) for one in (query, other))
    return (
        alike
        and bool(mine and theirs)
        and are_all_in(mine, keys(other.text, other.language))
        and are_all_in(theirs, keys(query.text, query.language))
    )


def _left(terms: Sequence[Term], above: frozenset[str]) -> list[Term]:
    return [term for term in terms if covered(term, above) < 1.0]


def _form(query: Query) -> tuple[str, bool]:
    """What a question asks for: a yes or a no, or what its first question word says; and whether it denies."""
    word = _FORM.search(query.text)
    form = "yes or no" if is_polar(query.text) else word.group().lower() if word else ""
    return form, has_negation(query.text, query.language)
