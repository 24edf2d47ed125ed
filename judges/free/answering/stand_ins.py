"""What a question names, nothing found mentions, and an answer has another thing in the place of: the payment service,
where the owner of the billing service is told.

With an embedding model such an answer looks as good as a right one in other words. What tells is that the other thing
stands where the missing one would, before the same word or behind the same preposition. It may be the same thing in
other words all the same (the fitness studio and the gym): so it is told as doubtful, and not left out.
"""

from collections.abc import Iterator, Sequence

from calibrant.judges.free.answering.modifiers import are_alike
from calibrant.judges.free.comparing.mentions import are_kin
from calibrant.judges.free.evidence.unmentioned import absent
from calibrant.judges.free.request.about import is_time
from calibrant.judges.free.words.lists import OF, word_set
from calibrant.judges.free.words.text import Token, language_of, silent_words, stem, tokens
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

Place = tuple[str, str]
"""Where a word stands: what it stands before, or behind, and the stem of that."""

_BETWEEN = word_set(
    "is are was were be been being must may might can could shall should will would do does did é são foi foram era "
    "eram ser pode podem deve devem"
)
"""Words that may stand between a thing and what it does or what is done to it."""
_HAVING = dict.fromkeys(("have", "has", "had"), "have") | dict.fromkeys(("tem", "têm", "tinha"), "ter")
"""Words that tell little, and yet are all that is said of a thing that has something."""
_PARTICLES = word_set("back up out off down away again over through together")
"""What may follow anything: "my money back", "the price back"."""
_ARTICLES = word_set("the a an my our your its their o a os as um uma")
_BEHIND = word_set("for with on in from to at by para com em no na nos nas por pelo pela sobre")


def stand_ins(question: str, answer: str, evidence: Sequence[Evidence]) -> tuple[str, ...]:
    """What ``question`` names, none of ``evidence`` mentions, and ``answer`` names another thing in the place of."""
    missing = absent([question], evidence)
    return tuple(name for name in missing if _gives_way(name, question, answer)) if answer else ()


def _gives_way(name: str, question: str, answer: str) -> bool:
    """Whether ``answer`` names another thing in the place that ``name`` has in ``question``."""
    language = language_of(question)
    asked = [token.word for token in tokens(question)]
    wanted = {place for place, token in _places(question, language) if token.word == name.lower()}
    told = (token.word for place, token in _places(answer, language) if place in wanted)
    return any(word.isalpha() and not is_time(word) and not _is_asked(word, asked, language) for word in told)


def _is_asked(word: str, asked: Sequence[str], language: Language) -> bool:
    """Whether ``word`` is one of ``asked``, or may be said for it."""
    root = stem(word, language)
    return any(are_kin(root, stem(one, language), language) or are_alike(word, one, language) for one in asked)


def _places(text: str, language: Language) -> Iterator[tuple[Place, Token]]:
    """The telling words of ``text`` with the places in which they stand."""
    words = tokens(text)
    for at, token in enumerate(words):
        if not _tells(token, language):
            continue
        if follower := _follower(text, at, language):
            yield ("before", follower), token
        if leader := _leader(text, at, language):
            yield ("behind", leader), token


def _follower(text: str, at: int, language: Language) -> str:
    """The stem of what is said of the word at ``at``, or of what it belongs to; empty where nothing follows."""
    words = tokens(text)
    for place in range(at + 1, len(words)):
        word = words[place]
        if not _is_joined(text, words[place - 1], word):
            return ""
        if word.word not in _BETWEEN:
            return _HAVING.get(word.word, stem(word.word, language) if _tells(word, language) else "")
    return ""


def _leader(text: str, at: int, language: Language) -> str:
    """The preposition before the word at ``at``, which ends its phrase; with the word before that, where it is an "of",
    behind which so much stands: the owner of, and not the end of."""
    words = tokens(text)
    if at + 1 < len(words) and _is_joined(text, words[at], words[at + 1]) and _tells(words[at + 1], language):
        return ""
    first = at - 1 if at and words[at - 1].word in _ARTICLES else at
    if not first or not _is_joined(text, words[first - 1], words[at]):
        return ""
    led = words[first - 1].word
    if led in OF and first > 1 and _tells(words[first - 2], language):
        return f"{stem(words[first - 2].word, language)} of"
    return led if led in _BEHIND else ""


def _is_joined(text: str, one: Token, other: Token) -> bool:
    """Whether nothing but words and spaces stands between two words."""
    return all(char.isalnum() or char in " '’" for char in text[one.end : other.start])


def _tells(token: Token, language: Language) -> bool:
    return token.word not in silent_words(language) | _BETWEEN | _PARTICLES
