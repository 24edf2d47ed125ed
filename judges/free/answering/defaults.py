"""What a default is: which sentence tells the one that a question asks for.

"What is the default of ``max_shards``?" is not answered by "it is seldom increased beyond the default", nor by the
default of another setting, though both have all of its words.
"""

import re

from calibrant.judges.free.answering.properties import IS_GENERAL, UNSAID
from calibrant.judges.free.evidence.matching import is_said, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.question_form import is_polar
from calibrant.judges.free.words.text import content_words

_DEFAULT = r"(?:defaults?|padr(?:ão|ões)|predefiniç(?:ão|ões)|predefinid[oa]s?)"
_ASKS = re.compile(
    rf"\b(?:what|which|qual|quais)(?:['’]s)? (?:is |are |was |é |são |does |do )?.*\b{_DEFAULT}\b"
    rf"(?!.*\bby {_DEFAULT}\b)",
    re.IGNORECASE,
)
_BY_DEFAULT = re.compile(rf"\bby {_DEFAULT}\b|\bpor (?:padrão|omissão|defeito|predefinição)\b", re.IGNORECASE)
_OF_WHAT = re.compile(
    rf"\b{_DEFAULT} (?!values?\b|settings?\b|of\b|for\b|in\b)([\w -]{{2,30}}?)\W*(?:$|\b(?:of|for|in|on|when)\b)"
    r"|['’]s ([\w -]{2,30}?)\W*$",
    re.IGNORECASE,
)
"""Which default is asked for: the default timeout of a request, the middleware's jitter."""
_SUBJECT = re.compile(
    r"\W*(?:can|may|does|do|did|will|is|are|was|were|has|have) (?!(?:i|we|you|it|they|there|this|that|he|she)\b)(.+)"
    r"|\W*[oa]s? (.+)",
    re.IGNORECASE,
)
"""What a yes or no is asked of: can root log in by default, o root pode entrar."""
_OPENING = 2
"""Words of it, of which the first one may only describe it: failed jobs."""
_SAYS = re.compile(rf"\b{_DEFAULT}\b", re.IGNORECASE)
_TELLS = re.compile(
    rf"{_BY_DEFAULT.pattern}|\b{_DEFAULT}\s+to\b|\bdefaulting to\b"
    rf"|\b{_DEFAULT}(?: values?| settings?)?(?: (?:of|for)\b[^.;]{{1,40}}?)?"
    r"(?: ?[:=]| (?:is|are|was|é|são)\b| [\"'`\d(])"
    rf"|\(\s*{_DEFAULT}|\b{_DEFAULT}\)|\bthe {_DEFAULT} (?:\w+ ){{1,5}}(?:is|are|was)\b|\bo \w+ {_DEFAULT} é\b"
    r"|\b(?:if|when|unless|se|quando) (?:\w+ ){0,2}(?:not |não )?"
    r"(?:un)?(?:set|specified|given|provided|defined|definid\w+)\b",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    r"\d|\b(?:true|false|none|null|nil|empty|vazi[oa]|yes|no|sim|não|on|off|enabled|disabled)\b|=\s*\S"
    r"|(?:\b(?:is|are|was|é|são)|[:=]) [\"'`“]",
    re.IGNORECASE,
)
"""A value in a sentence without a word of defaults: "The log level is `info`.\""""
_ASSIGNED = re.compile(r"(?:`(?P<quoted>[\w.-]+)`?|(?<![\w.-])(?P<bare>[a-z][\w.-]*))(?<=\w)\s?[:=]\s?`?[\"']?[\w-]")
"""The name of a setting, before its value."""


def tells_default(query: Query, text: str) -> bool:
    """Whether ``text``, with what stands above it, tells a default where the question asks for one: of what is asked
    (its timeout, its jitter), and not of another setting alone. True of any other question."""
    if _BY_DEFAULT.search(query.text):
        return not is_polar(query.text) or _says_subject(query, text)
    if not _ASKS.search(query.text):
        return True
    tells = _TELLS if _SAYS.search(text) else _PLAIN
    return bool(tells.search(text)) and _says_of_what(query, text) and not _is_of_another(query, text)


def goes_on_with_default(query: Query, text: str, after: str) -> bool:
    """Whether a default is asked for, and not in ``text`` but right ``after`` it there is a word of it: "Limits the
    speed, such as `10M`. Unlimited by default."."""
    return bool(_ASKS.search(query.text) and _SAYS.search(after)) and not _SAYS.search(text)


def _says_subject(query: Query, text: str) -> bool:
    """Whether ``text`` says of whom or what a yes or no is asked: of root, and not of empty passwords."""
    asked = _SUBJECT.match(query.text)
    opening = content_words(asked[1] or asked[2], query.language)[:_OPENING] if asked else ()
    held = keys(text, query.language)
    return not opening or any(is_said(word, query.language, held) for word in opening)


def _says_of_what(query: Query, text: str) -> bool:
    asked = _OF_WHAT.search(query.text)
    head = content_words(next(filter(None, asked.groups())), query.language)[-1:] if asked else ()
    head = tuple(word for word in head if word not in UNSAID and not IS_GENERAL.fullmatch(word))
    return all(is_said(word, query.language, keys(text, query.language)) for word in head)


def _is_of_another(query: Query, text: str) -> bool:
    """Whether values are given to other settings, and none to the one that is asked about."""
    found = ((one["quoted"], one["bare"]) for one in _ASSIGNED.finditer(text))
    given = [(quoted or bare).rpartition(".")[2].lower() for quoted, bare in found if quoted or "_" in bare]
    return bool(given) and bool(query.subjects) and not any(name in given for name in query.subjects)
