"""How what is quoted is told: in lines for reading, without markup, under its heading where it needs that."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from textwrap import dedent

from calibrant.judges.free.answering.admissible import answers_above
from calibrant.judges.free.answering.rows import columns_asked_for
from calibrant.judges.free.evidence.above import nearest_above
from calibrant.judges.free.evidence.matching import Term, covered, keys
from calibrant.judges.free.evidence.query import Query
from calibrant.judges.free.evidence.same_question import replies_to
from calibrant.judges.free.words.tables import narrowed
from calibrant.judges.free.words.text import Sentence
from calibrant.state.evidence import Evidence

FENCE = "```"
"""Around code that is told in lines of its own."""
_OPENERS = re.compile(
    r"(?:it|its|this|these|they|that|if|otherwise|when|return|returns|raised?|raises|default|the default|optional|also"
    r"|ele|ela|eles|elas|isso|isto|este|esta|se|quando|retorna|caso)\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"``([^`\n]+)``|`([^`\n]+)`|\*\*([^*\n]+)\*\*|(?<!\w)\*(\w(?:[^*\n]*[\w:!?%€])?)\*(?!\w)")
_DOT = re.compile(r"(?<=> )(\d+(?:\.\d+)*)\.(?=\s+[^\W\d_])")
"""Behind the number of a section: there no sentence ends."""


def text_of(found: Sequence[Sentence], source: str) -> str:
    """What sentences of ``source`` say, without their line breaks but those between entries and around code; what heads
    them is told once."""
    found = in_blocks(found, source) if len(found) > 1 else found
    said = _shown(found[0], found[1:2])
    for place, (before, one) in enumerate(pairwise(found), start=1):
        shown = one.headless if one.head and one.head == before.head else _shown(one, found[place + 1 : place + 2])
        entry = one.kind == "item" and not one.goes_on(source)
        apart = entry or said.endswith(FENCE) or shown.startswith(FENCE)
        said += ("\n" if apart else " ") + shown
    return said


def in_blocks(found: Sequence[Sentence], source: str) -> Sequence[Sentence]:
    """``found``, with commands that a comment explains as the code that they are in ``source``."""
    out: list[Sentence] = []
    is_code = False
    for one in found:
        was_code, is_code = is_code, one.is_code
        if is_code:
            start = out.pop().start if was_code else one.start
            one = Sentence(source[start : one.end].strip("\n"), start, one.end, "code")
        out.append(one)
    return out


def _shown(sentence: Sentence, after: Sequence[Sentence]) -> str:
    """The text of a sentence. Code of more than one line, or with prose ``after`` it, in a fence and without margin."""
    if sentence.kind != "code":
        return sentence.text
    code = dedent(sentence.text).strip()
    goes_on = bool(after) and not after[0].text[:1].islower()
    return in_fence(code) if goes_on else fenced(code)


def fenced(text: str) -> str:
    """``text``, in a fence where it is code of several lines and has none: nobody shall read it as prose."""
    return in_fence(text) if "\n" in text and FENCE not in text else text.strip()


def in_fence(code: str) -> str:
    """Code between lines of backticks."""
    return f"{FENCE}\n{code}\n{FENCE}"


def as_told(query: Query, item: Evidence, text: str, label: str | None = None) -> str:
    """``text`` of a passage cleaned for reading, with its heading in front where it alone does not say what it is
    about, or where the heading answers. Or under its ``label``, which is empty where it needs none."""
    told = "\n".join(narrowed(line, columns_asked_for(query, line)) for line in _readable(text))
    return _headed(query, item, told) if label is None else f"{cleaned(label)}: {told}" if label else told


def _readable(text: str) -> Iterator[str]:
    """The lines of ``text``, cleaned; those of code as they are."""
    fenced = False
    for line in text.splitlines():
        fenced ^= line == FENCE
        yield line if fenced or line == FENCE else cleaned(line)


def cleaned(text: str) -> str:
    """``text`` without line wraps and inline markup; no word is changed."""
    return _MARKUP.sub(lambda match: next(group for group in match.groups() if group), " ".join(text.split()))


def _headed(query: Query, item: Evidence, text: str) -> str:
    """``text`` with the heading in front, where it alone does not say what it is about, or the heading answers."""
    heading = _DOT.sub(r"\1", nearest_above(item))
    if not heading or heading.lower() in text.lower() or text.startswith(FENCE) or replies_to(query, item, text):
        return text
    held, above = keys(text, query.language), keys(heading, query.language)
    names = [term for term in query.terms if covered(term, above) > 0.5 and covered(term, held) < 1.0]
    is_above = answers_above(query, heading, text)
    if names:
        telling = (end for end in _ends(heading) if not is_above or answers_above(query, end, text))
        return f"{_first_with(query, names, telling) or heading}: {text}"
    return f"{heading}: {text}" if is_above or _OPENERS.match(text) else text


def _ends(heading: str) -> Iterator[str]:
    """The last parts of a heading, the shortest first."""
    parts = heading.split(" > ")
    return (" > ".join(parts[place:]) for place in range(len(parts) - 1, 0, -1))


def _first_with(query: Query, names: Sequence[Term], ends: Iterator[str]) -> str:
    """The first that has all of ``names``: what stands above them tells no more of what is asked. Empty: none has."""
    held = ((end, keys(end, query.language)) for end in ends)
    return next((end for end, words in held if all(covered(name, words) > 0.5 for name in names)), "")
