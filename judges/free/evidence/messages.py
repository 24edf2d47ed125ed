"""What a text says of a message that it shows as code, where the question has that message: "if the log shows this:
..., another process holds the port"."""

from collections.abc import Sequence
from difflib import SequenceMatcher

from calibrant.judges.free.evidence.procedures import LONGEST
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.words.sentences import Sentence
from calibrant.judges.free.words.text import tokens

LEAST = 4
"""Words in a row that a line shown and the question share at least."""
MOST = 0.6
"""Share of the words of that line, or of the question, that both have: "the name of the file" alone is no message."""
_MOST_READ = 2_000
"""Characters of code that are compared; a message is near the top of what is shown, or not shown as one."""


def told_of_message(query: Query, found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """What is said behind the first code in which a message of the question stands, up to the next code or heading, as
    much as may be quoted. Empty where there is none."""
    asked = [token.word for token in tokens(query.whole)]
    if len(asked) < LEAST:
        return ()
    place = next((at for at, one in enumerate(found) if one.kind == "code" and _has(one.text, asked)), len(found))
    told: list[Sentence] = []
    for one in found[place + 1 :]:
        if one.kind in ("code", "heading") or one.end - (told or [one])[0].start > LONGEST:
            break
        told.append(one)
    return tuple(told)


def _has(code: str, asked: Sequence[str]) -> bool:
    """Whether a line of ``code`` is a message of the question, as far as numbers and names in it may differ."""
    lines = ([token.word for token in tokens(line)] for line in code[:_MOST_READ].splitlines())
    return any(len(shown) >= LEAST and _is_shared(shown, asked) for shown in lines)


def _is_shared(shown: Sequence[str], asked: Sequence[str]) -> bool:
    blocks = SequenceMatcher(None, shown, asked, autojunk=False).get_matching_blocks()
    longest, together = max(one.size for one in blocks), sum(one.size for one in blocks)
    return longest >= LEAST and (together >= MOST * len(shown) or longest >= MOST * len(asked))
