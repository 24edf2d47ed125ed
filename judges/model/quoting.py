"""Finding what a model quoted in the passage that it names, and telling by words how far one text bears out another."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import lru_cache
from itertools import pairwise

from calibrant.judges.free.answering.telling import in_fence
from calibrant.judges.free.comparing.decided import is_open
from calibrant.judges.free.comparing.reading import read
from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.free.synthesis.quoted import Quoted
from calibrant.judges.free.synthesis.support import judge_support
from calibrant.judges.free.words.arithmetic import without_workings, workings
from calibrant.judges.free.words.dictionary import is_usual
from calibrant.judges.free.words.numbers import Number, counts, numbers
from calibrant.judges.free.words.text import content_words, fold, language_of, sentences, stem, tokens, words
from calibrant.judges.free.words.tongues import is_unknown
from calibrant.judges.free.words.units import MONEY, MONTHS, UNITS, WEEKDAYS
from calibrant.state.answer import Verdict
from calibrant.state.task import Language

CLOSE = 0.85
"""A run of words this similar to the quote is the quote: models change a comma or an article while copying."""

ROOM = 4
"""A quote may leave out one word to so many that it has."""

STATED = 0.6
"""A sentence with this share of a statement's content words is taken as its source when the quote is not there."""

UNSURE = 0.5
"""A contradiction as doubtful as this is left to the review."""

DERIVED = 4
"""Words that begin with so many letters in common may be of one name: Asia and Asian, Lisbon and Lisboa."""

UNREAD = 0.5
"""How far words bear out what cannot be compared with them."""

WORD_LIMIT = 80
"""Longer quotes are cut: nobody reads them, and a quote of everything proves nothing."""

_SAME = str.maketrans({"‹": "<", "’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "—": "-", "\u00a0": " "})
_ELLIPSIS = re.compile(r"\s*(?:\[?\.\.\.\]?|…)\s*")
_JOINT = "\u00ad\u200b-\u200f\u2060-\u2064\ufeff"
_LINE_END = r"[-\u2010\u2011][ \t]*\n\s*"
_JOINTS = re.compile(rf"[{_JOINT}]|{_LINE_END}")
_WORD = re.compile(rf"\w+(?:[{_JOINT}]+\w+)*")
"""A word, soft hyphens and other signs that nobody sees included: a model copies it without them."""
_BROKEN_WORD = re.compile(rf"\w+(?:(?:[{_JOINT}]|{_LINE_END})+\w+)*")
"""The same, where a hyphen at the end of a line may have broken it: a model puts it together again."""
_CLOSING = re.compile(r"(?:\(\))?(?: %)?[%°)\"'”’\]`]*")
"""Signs behind a word that belong to it: a unit, a call, a quotation mark."""
_NOT_ALL = re.compile(
    r"\bnot (?:both|all|every|each)\b|\bnem (?:ambos|ambas|tod[oa]s)\b|\bnão (?:\w+ )?(?:ambos|ambas|tod[oa]s)\b",
    re.IGNORECASE,
)
"""Denies that something holds of each, and not that it holds of one."""
_UNDECIDED = re.compile(
    r"\b(?:no|not|nothing|never|none|não|nada|nenhum\w*)\b[^.;]*\b(?:decided|fixed|settled|approved|agreed|adopted|confirmed"
    r"|final|decidid[oa]s?|fixad[oa]s?|aprovad[oa]s?|definid[oa]s?|confirmad[oa]s?)\b",
    re.IGNORECASE,
)
"""Says that something is open."""
_OF_THOSE_NOT = re.compile(
    r"\b(?:(?:if|when|se|quando)(?:[^\w,;.]+\w+){0,4}?|(?:that|which|who|whoever|que|quem)(?:[^\w,;.]+\w+)?)"
    r"(?:[^\w,;.]+(?:not|never|não|nunca)|n[’']t)\b",
    re.IGNORECASE,
)
"""Denials in a clause that says of which case it speaks: "if it does not answer", "receipts that are not paid"."""
_ELSE = re.compile(
    r"\b(?:otherwise|unless|or else|if not|until|senão|(?:do|de) contrário|caso contrário|a menos que|a não ser)\b",
    re.IGNORECASE,
)
"""Tells of what holds where something is not so."""
_ENDING = re.compile(
    r"\b(?:stop(?:s|ped|ping)?|drop(?:s|ped|ping)?|remov\w+|discontinu\w+|ceas\w+|exclud\w+|refus\w+|"
    r"reject\w+|forbid\w*|prohibit\w*|los(?:e|es|ing|t)|lack\w*|only|until|unless|"
    r"exclu[ií]\w+|recus\w+|rejeit\w+|pro[ií]b\w+|perd\w+|cess\w+|deix\w+ de|só|somente|apenas|até)\b",
    re.IGNORECASE,
)
"""Denies without a word for it: what was dropped is no longer there, what is kept until then must not go before."""
_UN = re.compile(r"\b(?:un|in|im|il|ir|dis|des)(\w{4,})", re.IGNORECASE)
"""A word that its beginning may deny: unknown, desconhecido."""
_URL = re.compile(r"(?:https?://|www\.)[^\s)\]>`]*[^\s)\]>`.,;:!?]", re.IGNORECASE)
_FENCED = re.compile(r"\s*^[ \t]*```[^\n`]*\n(?P<code>.*?)\n?[ \t]*```[ \t]*$\s*", re.DOTALL | re.MULTILINE)
"""Code on lines of its own, between lines of three backticks."""
_ROWS = re.compile(
    r"(?:^[ \t]*\|[^\n]*\|[ \t]*(?:\n|\Z)){3,}|(?:^[ \t]*(?:[-*•]|\d{1,2}[.)])[ \t][^\n]*(?:\n|\Z)){2,}", re.MULTILINE
)
"""The rows of a table, under its columns and the line below them; or the items of a list."""
_LEAD = re.compile(r"(?:^|(?<=[.!?])[ \t])[^.!?]*:$")
"""What announces them, and states nothing."""
_LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
_BOLD = re.compile(r"(?<![\w*])\*\*(?=[^\s*])([^*\n]+)(?<=\S)\*\*(?![\w*])")
_IDS = r"[SC]\d{1,2}(?:\s*(?:,|;|and|e)\s*[SC]\d{1,2})*"
_NAMED = r"(?i:(?:sources?|passages?|claims?|see|fontes?|trechos?|passage[mn]s?|ver)\b[:\s]*)*"
_REFERENCE = re.compile(rf"\s*[\[(]{_NAMED}{_IDS}[\])]")
_CREDIT = re.compile(
    rf"\A(?i:according to|as (?:stated|described|mentioned) in|based on|per|de acordo com|segundo|conforme)\s+"
    rf"(?i:the |[oa]s? )?{_NAMED}{_IDS}\s*,\s*(\w)"
)
"""Ids are the prompt's: nobody knows what S2 is who reads "according to S2"."""


@dataclass(frozen=True)
class Found:
    """Words of a passage: offsets into its text, and the words themselves."""

    start: int
    end: int
    quote: str


def parts_of(quote: str) -> list[str]:
    """The runs of words that a quote has: an ellipsis joins them. A single word shows nothing, beside others."""
    parts = [part.strip(" \"'“”.") for part in _ELLIPSIS.split(quote)]
    several = [part for part in parts if len(part.split()) > 1]
    return several or [max(parts, key=len)]


def parts_found(quote: str, texts: Sequence[str]) -> list[str]:
    """The parts of ``quote``; of one that stands in none of ``texts`` as a whole, its sentences: models leave out what
    stands between two."""
    return [one for part in parts_of(quote) for one in _apart(part, texts)]


def _apart(part: str, texts: Sequence[str]) -> list[str]:
    found = [one.text for one in sentences(part)]
    return [part] if len(found) < 2 or any(locate(part, text) for text in texts) else found


def is_quoted(quote: str, text: str) -> bool:
    """Whether a part of ``quote`` stands in ``text``: of what takes two places, one text may have only one."""
    return any(locate(part, text) for part in parts_of(quote))


def locate(quote: str, text: str) -> Found | None:
    """Where ``quote`` stands in ``text``: word for word, or nearly so. Of several parts the longest counts."""
    part = max(parts_of(quote), key=len)
    wanted = _words(part)
    if not wanted:
        return None
    wanted = wanted[:WORD_LIMIT]
    for word, run in ((_WORD, _exactly), (_BROKEN_WORD, _exactly), (_WORD, _nearly)):
        spans = [match.span() for match in word.finditer(text)]
        at = run(wanted, [_plain(text[start:end]) for start, end in spans])
        if at is not None:
            return _widened(text, spans[at[0]][0], spans[at[1] - 1][1])
    return None


def _widened(text: str, start: int, end: int) -> Found:
    """The words with the signs that belong to them: $5, 10%, a closing bracket."""
    while start > 0 and text[start - 1] in "$€£-(\"'[`":
        start -= 1
    closing = _CLOSING.match(text, end)
    end = closing.end() if closing else end
    return Found(start, end, text[start:end])


def _words(text: str) -> list[str]:
    return [_plain(word) for word in _WORD.findall(text.translate(_SAME))]


def _plain(word: str) -> str:
    return fold(_JOINTS.sub("", word).lower()).strip("_")


def _exactly(wanted: list[str], held: list[str]) -> tuple[int, int] | None:
    size = len(wanted)
    for start in range(len(held) - size + 1):
        if held[start] == wanted[0] and held[start : start + size] == wanted:
            return start, start + size
    return None


def _nearly(wanted: list[str], held: list[str]) -> tuple[int, int] | None:
    """The most similar run of words; none for short quotes, where one other word changes everything."""
    size = min(len(wanted), len(held))
    if size < 5:
        return None
    bag = set(wanted)
    shared = [word in bag for word in held]
    starts = sorted(range(len(held) - size + 1), key=lambda at: -sum(shared[at : at + size]))[:5]
    best, start, end = max((_run(wanted, held, at) for at in starts), key=lambda run: (run[0], -run[1]))
    same_numbers = _numbered(wanted) == _numbered(held[start:end])
    return (start, end) if best >= CLOSE and same_numbers else None


def _numbered(run: list[str]) -> list[str]:
    """The words with a number in them: 12, 12th, 30s; those that are one as digits, which models write for them."""
    written = (f"{found[0].value:g}" if (found := _counted(word)) else word for word in run)
    return [word for word in written if any(sign.isdigit() for sign in word)]


def _counted(word: str) -> tuple[Number, ...]:
    return tuple(one for one in numbers(word) if counts(word, one)) if word.isalpha() else ()


def _run(wanted: list[str], held: list[str], at: int) -> tuple[float, int, int]:
    """How similar ``wanted`` is to the words from about ``at`` on, and from where to where these go: a quote without
    the articles has fewer words, and what it ends with must not be cut off."""
    window = held[at : at + len(wanted) + len(wanted) // ROOM + 1]
    blocks = [b for b in SequenceMatcher(None, wanted, window, autojunk=False).get_matching_blocks() if b.size]
    if not blocks:
        return 0.0, at, at
    first, last = blocks[0], blocks[-1]
    start = max(0, at + first.b - first.a)
    end = min(len(held), at + last.b + last.size + len(wanted) - last.a - last.size)
    return 2.0 * sum(block.size for block in blocks) / (len(wanted) + end - start), start, end


def best_sentence(statement: str, text: str, above: str = "") -> Found | None:
    """The sentence of ``text`` that says what ``statement`` says, by its words, some of which may stand ``above``; None
    if none does. One word is none: it stands in many sentences."""
    wanted = stem_set(statement)
    told = [sentence for sentence in sentences(text) if len(wanted & _held_stems(sentence.text)) > 1]
    scored = [(overlap(statement, f"{above} {sentence.text}"), -sentence.start, sentence) for sentence in told]
    if not scored:
        return None
    score, _, sentence = max(scored, key=lambda row: row[:2])
    return Found(sentence.start, sentence.end, text[sentence.start : sentence.end]) if score >= STATED else None


@lru_cache(maxsize=2_000)
def stem_set(text: str) -> frozenset[str]:
    """The stems of the content words of ``text``."""
    language = language_of(text)
    return frozenset(fold(stem(word, language)) for word in content_words(text, language))


@lru_cache(maxsize=2_000)
def _held_stems(text: str) -> frozenset[str]:
    """The stems of ``text`` that may bear out a statement: an identifier's parts too, as ``price_per_hour`` of a table
    is told as a price per hour."""
    language = language_of(text)
    return frozenset(fold(stem(word, language)) for word in words(text))


def overlap(statement: str, quote: str, *told: str, asked: str = "") -> float:
    """The share of the statement's content words that the quote has, 0..1; halved by a number that stands neither there
    nor in what else was ``told``, and is not worked out from these and what was ``asked``."""
    wanted = stem_set(without_workings(statement))
    if not wanted:
        return 0.0
    share = len(wanted & _held_stems(quote)) / len(wanted)
    return share if not strange_numbers(statement, quote, *told, asked=asked) else share / 2


def bears_out(statement: str, quote: str, *told: str, asked: str = "") -> float:
    """How far ``quote`` bears out ``statement``, 0..1. Across languages only names and numbers can be compared; in one
    that the LLM-free tier does not know, names are not told from other words either."""
    worth = 1.0 if not strange_numbers(statement, quote, *told, asked=asked) else 0.5
    if is_unknown(statement) or is_unknown(quote):
        return UNREAD * worth
    if language_of(statement) is language_of(quote):
        return overlap(statement, quote, *told, asked=asked)
    capitals = re.findall(r"(?<!^)(?<![.!?]\s)\b[A-ZÀ-Þ]\w+", statement)
    names = {_plain(word) for word in capitals if not _is_day_or_month(word.lower())}
    held = set(_words(quote))
    share = len(names & held) / len(names) if names else UNREAD
    return share * worth


def strange_names(statement: str, *sources: str) -> tuple[str, ...]:
    """The names in ``statement`` that no source has, nor what they are made of: Asian of Asia, EU of European Union.
    "20 euros" tells the money EUR too. None across languages, which translate names."""
    held = " ".join(sources)
    if is_unknown(statement) or is_unknown(held) or language_of(statement) is not language_of(held):
        return ()
    whole, parts = _words(held), (part for token in tokens(held) for part in token.parts)
    known, initials = {*whole, *map(_plain, parts)}, "".join(word[0] for word in whole)
    beginnings = {word[:DERIVED] for word in known}
    paid_in = {_measured_in(number.unit) for number in numbers(held)} & MONEY

    def is_told(name: str) -> bool:
        if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", held, re.IGNORECASE):  # with its apostrophe: You're Next
            return True
        low = _plain(name)
        is_made_of = low in known or low[:DERIVED] in beginnings or (name.isupper() and low in initials)
        return is_made_of or _measured_in(low) in paid_in

    language = language_of(statement)
    named = (
        word
        for word in read(statement).words
        if word.name and not (_is_day_or_month(word.low) or _opens(statement, word.start, language))
    )
    return tuple(said for word in named if not is_told(said := statement[word.start : word.end].removesuffix("'s")))


def _opens(text: str, start: int, language: Language) -> bool:
    """Whether a usual word opens a sentence there: its capital is the sentence's ("Since Miniflux 2.2.11 ...")."""
    is_first = text[:start].rstrip(" \n\"'(“*_-")[-1:] in ("", ".", ":", "!", "?")
    word = re.match(r"\w+", text[start:])
    return is_first and word is not None and is_usual(word.group(), language)


def _measured_in(unit: str) -> str:
    """The canonical unit of ``unit``; empty of what is none."""
    return UNITS.get(unit, ("", 1.0))[0]


def _is_day_or_month(word: str) -> bool:
    """Whether English writes ``word`` with a capital, and another language with another word."""
    return word.removesuffix("s") in WEEKDAYS or word in MONTHS


def denied(statement: str, *quotes: str, asked: str = "") -> bool:
    """Whether a quote plainly says the opposite of ``statement``, in the same words but for one, and none says it.
    ``asked``: what was asked, whose numbers may be reckoned with. Where both deny something, which words each denies
    is less plain: users cannot turn it off, it cannot be switched off by users; it is unknown, nobody knows it; "it has
    to be paid, otherwise ..." and "what is not paid ..." speak of another case; "not both" denies nothing that is said
    of one; what was proposed is not decided; and what is worked out from numbers of the quotes, such as the rest of a
    whole, is none of these."""
    told = " ".join(quotes)
    if _NOT_ALL.search(statement) or _is_worked_out(statement, told):
        return False
    if _denies(statement, told) and all(_denies(quote, statement) or _ELSE.search(quote) for quote in quotes):
        return False
    if quotes and all(_OF_THOSE_NOT.search(quote) for quote in quotes):
        return False
    if _UNDECIDED.search(statement) and any(is_open(read(quote)) for quote in quotes):
        return False
    stated = _without_numbers_of(asked, statement) if any(workings(statement)) else statement
    found = judge_support(stated, [Quoted((quote,), (), quote) for quote in quotes], asked=asked)
    return found.verdict is Verdict.CONTRADICTED and found.doubt < UNSURE


def _denies(text: str, other: str) -> bool:
    """Whether ``text`` denies something, if only by what its verb means, or by the beginning of a word that ``other``
    has without it."""
    known = {word[:DERIVED] for word in _words(other)}
    denies = read(text).negative or _ENDING.search(text) is not None
    return denies or any(_plain(word)[:DERIVED] in known for word in _UN.findall(text))


def _is_worked_out(statement: str, told: str) -> bool:
    """Whether ``statement`` shows a right calculation with numbers that are all ``told``."""
    held = {number.value for number in numbers(told)}
    return any(one.is_right and held.issuperset(one.operands) for one in workings(statement))


def _without_numbers_of(asked: str, statement: str) -> str:
    """``statement`` without the numbers that were asked with: what 140,000 cost follows from a price per 1,000."""
    known = {number.value for number in numbers(asked)}
    for number in reversed(numbers(statement)):
        if number.value in known:
            statement = statement[: number.start] + statement[number.end :]
    return statement


def prose(text: str, *sources: str, limit: int = 600) -> str:
    """A model's free text for a reader: one line, without links, references, bold type and URLs that no source has.
    The rows of a table and the items of a list stay on lines of their own, and so does code between lines of backticks
    where a source has it; it goes where none has."""
    held, told, end = " ".join(sources), list[str](), 0
    for block in _FENCED.finditer(text):
        told.append(_outside_code(text[end : block.start()], held, limit))
        if _is_code_of(block["code"], held):
            told.append(in_fence(block["code"]))
        end = block.end()
    return "\n".join(filter(None, (*told, _outside_code(text[end:], held, limit))))


def _outside_code(text: str, held: str, limit: int) -> str:
    """``text`` in one line, but for the rows of tables and the items of lists: each stays on its own, to be read and
    checked as one, without what announces them."""
    told, end = list[str](), 0
    for rows in _ROWS.finditer(text):
        told.append(_LEAD.sub("", _line(text[end : rows.start()], held, limit)))
        told += [_line(row, held, limit) for row in rows.group().splitlines()]
        end = rows.end()
    return "\n".join(filter(None, (*told, _line(text[end:], held, limit))))


def _is_code_of(code: str, held: str) -> bool:
    """Whether code stands in ``held``, or is put together from what stands there: a command, and further down an option
    of it. Of such a one each word has to stand there, and two of them together."""
    words, told = code.split(), " ".join(held.split())
    if " ".join(words) in told:
        return True
    known = set(re.findall(r"[^\s`,;]+", held))
    together = any(" ".join(pair) in told for pair in pairwise(words))
    return len(words) > 1 and together and all(word in known for word in words)


def _line(text: str, held: str, limit: int) -> str:
    text = _BOLD.sub(lambda match: match.group() if match.group() in held else match.group(1), text)
    unlinked = _unreferenced(_LINK.sub(r"\1", text.replace("‹", "<")), held)
    kept = _URL.sub(lambda match: match.group() if match.group() in held else "", unlinked)
    line = " ".join(kept.split())
    return line if len(line) <= limit else line[:limit].rsplit(" ", 1)[0] + " …"


def _unreferenced(text: str, held: str) -> str:
    """``text`` without the ids that it cites. What a source has so too is no id: the Galaxy (S9)."""
    kept = _REFERENCE.sub(lambda match: match.group() if match.group().strip() in held else "", text)
    return _CREDIT.sub(lambda match: match.group(1).upper(), kept)


def notes(items: Sequence[str], most: int) -> tuple[str, ...]:
    """The first ``most`` remarks of a reply, each as a short line of prose; those that hold none are left out."""
    return tuple(note for item in items[:most] if (note := prose(item, limit=200)))
