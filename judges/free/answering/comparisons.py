"""Which of two things a sentence says more of: "Is A faster than B?" is not answered by "B is faster if ..."."""

import re
from functools import lru_cache

from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.text import content_stems
from calibrant.state.task import EN, PT, Language

_THAN: dict[Language, re.Pattern[str]] = {
    EN: re.compile(
        r"\W*(?:is|are|was|were|do|does|did|has|have|can|will) (?P<one>.{1,60}?) (?P<more>(?:\w+ ){0,3}?"
        r"(?:(?!(?:other|either|whether|rather)\b)\w{2,}er|more|less|worse)\b.{0,60}?) than (?P<other>[^?]{1,60}?)\W*",
        re.IGNORECASE,
    ),
    PT: re.compile(
        r"\W*(?:[oa]s? )?(?P<one>.{1,60}?) (?:é|são|era|eram|foi|foram|tem|têm) (?P<more>(?:mais|menos|melhor|pior"
        r"|maior|menor)\b.{0,60}?) (?:do )?que (?P<other>[^?]{1,60}?)\W*",
        re.IGNORECASE,
    ),
}
_COMPARES = re.compile(r"\b(?:than|as|(?:do )?que|compared|versus|vs)\b", re.IGNORECASE)


def is_of_the_lesser(query: Query, text: str) -> bool:
    """Whether ``text`` says of the second thing alone what is asked of the first: it has its name and the measure, not
    the name of the first, and compares with nothing."""
    asked = _compared(query.text, query.language)
    if asked is None or _COMPARES.search(text):
        return False
    one, more, other = asked
    held = content_stems(text, query.language)
    return bool(other - one) and (other | more) <= held and held.isdisjoint(one - other)


@lru_cache(maxsize=100)
def _compared(question: str, language: Language) -> tuple[frozenset[str], ...] | None:
    """The words of the first thing that a question compares, of the measure, and of the second thing; None where it
    compares none. Asked for each sentence, and read once."""
    asked = _THAN[language].fullmatch(question)
    return asked and tuple(frozenset(content_stems(asked[part], language)) for part in ("one", "more", "other"))
