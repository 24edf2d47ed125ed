"""What a page of questions and answers replies to the question that a claim answers: "Does it run on Windows? No."."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.synthesis.quoted import Quoted
from calibrant.judges.free.words.reply import OPENING, REPLY, without_reply

_YES = frozenset(["yes", "sim"])
_ASKED = re.compile(rf"(?:\A|(?<=[?!.]))(?P<asked>[^?!.]++)\?[\W_]{{0,8}}+{REPLY}(?=\s*(?:[,;:.!–—]|$))", re.IGNORECASE)
"""A question with its reply. (The Portuguese "no" is "in the" before a word.)"""


def replies_otherwise(text: str, quoted: Iterable[Quoted]) -> bool:
    """Whether the claim opens with a yes where the passages reply no to what it says is so, or the other way round. A
    no before what is so ("no, it is possible") replies to a question turned round."""
    own = OPENING.match(text)
    if own is None:
        return False
    says = own["reply"].lower() in _YES
    return says is not read(without_reply(text)).negative and set(_replies(text, quoted)) == {not says}


def may_be_denied(text: str, quoted: Iterable[Quoted]) -> bool:
    """Whether a passage replies no to a question that has the claim's words, where the claim does not say no."""
    return not read(text).negative and False in _replies(text, quoted)


def as_stated(text: str, quoted: Sequence[Quoted]) -> Sequence[Quoted]:
    """The quotations, for a claim that denies something: a question with the reply no as the denial that it is. Another
    claim may tell what else stands there ("they decided against it"), and is no contradiction then."""
    if not read(text).negative:
        return quoted
    return [replace(one, quote=tuple(_ASKED.sub(_as_denial, said) for said in one.quote)) for one in quoted]


def _as_denial(found: re.Match[str]) -> str:
    return found.group() if found["reply"].lower() in _YES else f"{found['reply']} {found['asked'].strip(' *_')}"


def _replies(text: str, quoted: Iterable[Quoted]) -> Iterator[bool]:
    """Whether it is yes, of each reply to a question whose words the claim has. Of a question that denies something it
    is not plain what yes means."""
    stems = read(text).stems
    for one in quoted:
        headed = (f"{above} {sentence}" for above in one.above if above.endswith("?") for sentence in one.quote)
        for found in (match for said in (*one.quote, *headed) for match in _ASKED.finditer(said)):
            asked = read(found["asked"])
            if asked.stems and asked.stems <= stems and not asked.negative:
                yield found["reply"].lower() in _YES
