"""Sentences of prose, Markdown and docstrings, with their offsets.

A text is first cut into blocks (paragraphs, list items, headings, table rows, code), then prose into sentences. A
sentence may run over wrapped lines; it runs over the end of its block only where a question stands above its answer:
the two are one statement, as where a question opens a paragraph or an entry. A row of a table is read under the names
of its columns, and what follows words in bold that head a paragraph, under those.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from calibrant.judges.free.words.block_quotes import unquoted
from calibrant.judges.free.words.blocks import BULLET, ENTRY, RECORD, Block, Kind, blocks, is_symbols, language_of_code
from calibrant.judges.free.words.commands import commands
from calibrant.judges.free.words.comments import uncommented
from calibrant.judges.free.words.constants import constants
from calibrant.judges.free.words.dockerfile import image_steps
from calibrant.judges.free.words.full_stops import cuts
from calibrant.judges.free.words.help_pages import in_columns, listed_in_code
from calibrant.judges.free.words.settings_text import Setting, documented, particulars, settings
from calibrant.judges.free.words.tables import TABLE, lines_of, row
from calibrant.state.evidence import Evidence
from calibrant.state.fence import ends_fence, fence_of
from calibrant.state.markup import FRONT_MATTER, plain


@dataclass(frozen=True)
class Sentence:
    """A sentence: ``text`` has whitespace folded and list marks removed, ``start:end`` is the verbatim span.

    ``kind`` is ``prose``, ``item`` (of a list or a table), ``heading`` or ``code`` (a whole block of it, layout kept).
    A table row's text names its columns (``plan: Team; price: $29``), as those of a loaded CSV file do. ``head``: the
    words in bold that head its paragraph, with which its text begins (``Hackathon: Rui takes over``); so does an item
    that ``is_command`` in a block of code, with the comment that explains it (``make dev: starts the server``).
    """

    text: str
    start: int
    end: int
    kind: Kind = "prose"
    head: str = ""
    is_command: bool = False

    @property
    def headless(self) -> str:
        """The text without its head, to follow another sentence under the same one."""
        return self.text.removeprefix(f"{self.head}: ") if self.head else self.text

    @property
    def is_code(self) -> bool:
        """Whether it is code, explained or not."""
        return self.kind == "code" or self.is_command

    def step(self, source: str) -> int | None:
        """Its number in an ordered list, where it opens an entry of one."""
        mark = _STEP.match(source, self.start, self.end) if self.kind == "item" else None
        return int(mark["number"]) if mark else None

    def goes_on(self, source: str) -> bool:
        """Whether it stands in an entry of a list that another sentence opens."""
        opens = BULLET.match(source, self.start, self.end) or TABLE.match(self.verbatim(source))
        return self.kind == "item" and not opens and source[: self.start].rpartition("\n")[2].strip() != ""

    def verbatim(self, source: str) -> str:
        """The sentence as it stands in ``source``, line breaks included."""
        return source[self.start : self.end]


_STEP = re.compile(r"\s*\(?(?P<number>\d{1,3})[.)]\s")
_ENDS = re.compile(r"[.!?:;…][\"'”’)\]*_`]*$")
_NAMED = re.compile(r"\s*[-*+•]\s+(?:\"[^\"\n]+\"|`[^`\n]+`|``[^`\n]+``|[^\s.:;,]+):?\s*")
"""An entry of a list that is only a name: quoted, in code, or a single word."""
_ASKS = re.compile(r"\?[*_\"'”’)\]]*$")
_ASKS_IN_BOLD = re.compile(r"(?:Q:\s*)?(\*{1,3}|__).+\?\1$")
_RUN_IN = re.compile(r"(\*\*|__(?=[^_\n]+__))(?P<head>[^*\n]{2,60}?)(?:[.:]\1|\1:|\1\s+[-–—])\s+(?=\S)")
_MERE_LABEL = re.compile(
    r"(?:notes?|tips?|warning|caution|important|hint|info|examples?|notas?|aviso|cuidado|importante|dicas?|exemplos?)$",
    re.IGNORECASE,
)
"""What heads a paragraph and is not what it is about."""
_BLANKED = re.compile(r"[^\n]")
_OF_PAGE = re.compile(r"(?:title|subtitle|título|subtítulo): ", re.IGNORECASE)
_ANSWERS = re.compile(r"\W*(?:A|Answer|R|Resposta):\W")
_ASKER = re.compile(r"(?:I|My|Eu|Meu|Minha)\b")


def sentences_of(item: Evidence) -> tuple[Sentence, ...]:
    """The sentences of a passage, also of one that starts inside a table or a block of code."""
    return sentences(item.text, item.locator.columns, item.locator.fence)


def announcement(found: Sequence[Sentence], place: int) -> str:
    """The words that announce the list in which the sentence at ``place`` stands, without their colon; empty where
    there are none: "Come at once if your pet" above "has swallowed a bone"."""
    if found[place].kind != "item":
        return ""
    above = next((one for one in reversed(found[:place]) if one.kind != "item"), None)
    return above.text[:-1] if above is not None and above.kind == "prose" and above.text.endswith(":") else ""


@lru_cache(maxsize=5_000)
def sentences(text: str, columns: tuple[str, ...] = (), fence: str = "") -> tuple[Sentence, ...]:
    """The sentences of ``text`` in order. Code blocks (fenced, doctest, indented code) are one sentence each, but for
    commands that a comment explains.

    ``columns``: of the table inside which the text starts; ``fence``: the first line of the block of code. What is left
    of that is read by its looks, as a file is, unless it names things, or commands, and says what each is.
    """
    front = FRONT_MATTER.match(text)
    is_front = front is not None and not text[front.end() :].strip()
    if not is_front and (lines := settings(text) or image_steps(text)):
        return tuple(Sentence(one.text, one.start, one.end, "item") for one in lines)
    out: list[Sentence] = []
    known: list[Sentence] = []
    if front:
        known += _particulars(front.group())
        text = _BLANKED.sub(" ", front.group()) + text[front.end() :]
    known += (Sentence(one.text, one.start, one.end, "item") for one in constants(text))
    text, fence = _out_of_code(text, fence)
    text, breaks = uncommented(unquoted(text))
    for found in (found for block in blocks(text, columns, breaks, fence) for found in _of_block(text, block)):
        if out and _is_answered(text, out[-1], found):
            asked = out.pop()
            found = Sentence(f"{asked.text} {found.text}", asked.start, found.end, found.kind)
        elif len(out) > 1 and _goes_on_below(text, out[-2], out[-1], found):
            shown, begun = out.pop(), out.pop()
            told = f"{begun.text} {' '.join(shown.text.split())} {found.text}"
            found = Sentence(told, begun.start, found.end, begun.kind, begun.head)
        elif out and _is_said_of(text, out[-1], found):
            named = out.pop()
            name = _name_of(named.verbatim(text))
            found = Sentence(f"{name}: {found.text}", named.start, found.end, "item", name)
        out.append(found)
    return _with(text, known, out) if known else tuple(out)


def _out_of_code(text: str, fence: str) -> tuple[str, str]:
    """A text that starts inside the block of code that ``fence`` opens, and the fence. Without it, and without the line
    that ends the block, where that explains nothing."""
    ends = (place for place in lines_of(text) if ends_fence(place[1], fence_of(fence))) if fence else iter(())
    start, line = next(ends, (len(text), ""))
    block = Block("code", 0, start, language=language_of_code(fence))
    if fence and _told_in_code(text, block):
        return text, fence
    return text[:start] + " " * len(line) + text[start + len(line) :], ""


def _particulars(front: str) -> Iterator[Sentence]:
    """What the front matter of a page tells. Its title is a heading."""
    for one in particulars(front):
        yield Sentence(one.text, one.start, one.end, "heading" if _OF_PAGE.match(one.text) else "item")


def _with(text: str, known: Sequence[Sentence], found: Sequence[Sentence]) -> tuple[Sentence, ...]:
    """``found``, sentences of ``text``, with what is ``known`` in place of all that stands there, and what stands
    before or behind that for itself."""
    others = [piece for one in found for piece in _outside(text, one, known)]
    return tuple(sorted((*known, *others), key=lambda one: one.start))


def _outside(text: str, one: Sentence, known: Sequence[Sentence]) -> Iterator[Sentence]:
    """What of a sentence is not ``known``: all of it, or the lines before and behind."""
    held = [own for own in known if one.start < own.end and own.start < one.end]
    if not held:
        yield one
        return
    bounds = [one.start, *(bound for own in held for bound in (own.start, own.end)), one.end]
    for start, end in zip(bounds[::2], bounds[1::2], strict=True):
        piece = text[start:end]
        if any(char.isalnum() for char in piece):
            told = piece.strip("\n") if one.kind == "code" else " ".join(piece.split())
            yield Sentence(told, start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip()), one.kind)


def _goes_on_below(text: str, begun: Sentence, shown: Sentence, found: Sentence) -> bool:
    """Whether ``shown`` is a line of code between the two halves of one sentence: "add", "--with-tls", "to the
    command."."""
    if begun.kind not in ("prose", "item") or found.kind != "prose" or "\n" in shown.text.strip():
        return False
    unfinished = not _ENDS.search(begun.text) and found.text[:1].islower()
    indented = text[: shown.start].rpartition("\n")[2].isspace()
    apart = "\n" in text[begun.end : shown.start] and "\n" in text[shown.end : found.start]
    return unfinished and apart and (indented or shown.kind == "code")


def _is_said_of(text: str, named: Sentence, found: Sentence) -> bool:
    """Whether ``named`` is an entry that is only a name, and ``found`` stands below it, deeper, after a blank line."""
    if found.kind != "prose" or not _NAMED.fullmatch(named.verbatim(text)):
        return False
    name_line, line = (text[: one.start].rpartition("\n")[2] for one in (named, found))
    between = text[named.end : found.start]
    return between.count("\n") > 1 and line.isspace() and len(line) > len(name_line)


def _name_of(entry: str) -> str:
    """The name that an entry consists of, without its bullet."""
    bullet = BULLET.match(entry)
    return plain(entry[bullet.end() if bullet else 0 :].strip().rstrip(":"))


def _is_answered(text: str, asked: Sentence, found: Sentence) -> bool:
    """Whether ``asked`` is a question on a line of its own, in bold, or that opens a paragraph or an entry, and
    ``found`` the answer to it."""
    if asked.kind == "code" or not _ASKS.search(asked.text) or _ASKS.search(found.text):
        return False
    above, _, line = text[: asked.start].rpartition("\n")
    is_entry = BULLET.match(text, asked.start, asked.end) is not None
    opens = is_entry or not above.rpartition("\n")[2].strip()
    ends = opens or "\n" in text[asked.end : found.start] or bool(_ASKS_IN_BOLD.match(asked.text))
    return not line.strip() and ends and _replies(found.verbatim(text), found.kind, is_entry or asked.kind == "item")


def _replies(told: str, kind: Kind, is_entry: bool) -> bool:
    """Whether what stands under a question can be its answer: no list that it announces, and not the asker going on in
    the first person. ``is_entry``: the question is an entry of a list, or in one."""
    goes_on = is_entry and not BULLET.match(told) and not ENTRY.match(told)
    return not _ASKER.match(told) and (kind == "prose" or bool(_ANSWERS.match(told)) or (kind == "item" and goes_on))


def _of_block(text: str, block: Block) -> Iterator[Sentence]:
    """The sentences of one block. Code, the row of a table and a record are one each, whatever stands in their cells;
    what stands under words in bold begins with them. Lines in two columns are an item each."""
    if block.kind == "code":
        code = text[block.start : block.end].strip("\n")
        if code.strip():
            whole = Sentence(code, block.start, block.end, "code")
            yield from _with(text, _told_in_code(text, block), [whole])
        return
    if block.columns:
        yield Sentence(plain(row(block.columns, text[block.start : block.end])), block.start, block.end, "item")
        return
    if _is_record(text, block):
        yield Sentence(_cleaned(text[block.start : block.end], "item"), block.start, block.end, "item")
        return
    if entries := in_columns(text, block.start, block.end):
        yield from _items(entries)
        return
    head, body = _headed(text, block)
    for start, end in _spans(text, block.start, body, block.end):
        cleaned = _cleaned(text[max(start, body) if head else start : end], block.kind)
        if any(char.isalnum() for char in cleaned):
            yield Sentence(f"{head}: {cleaned}" if head else cleaned, start, end, _kind(cleaned, block.kind), head)


def _told_in_code(text: str, block: Block) -> list[Sentence]:
    """What a block of code says in words: names with what each is for, settings or commands with their comments."""
    if listed := listed_in_code(text, block.start, block.end):
        return _items(listed)
    if explained := documented(text[block.start : block.end], block.start, block.language):
        return _items(explained)
    found = commands(text[block.start : block.end], block.start, block.language)
    return [Sentence(f"{one.command}: {one.said}", one.start, one.end, "item", one.command, True) for one in found]


def _items(found: Sequence[Setting]) -> list[Sentence]:
    return [Sentence(one.text, one.start, one.end, "item") for one in found]


def _is_record(text: str, block: Block) -> bool:
    """Whether a block is the row of a table as it is told: its cells under the names of their columns."""
    is_listed = BULLET.match(text, block.start, block.end)
    return block.kind == "item" and not is_listed and RECORD.match(text, block.start, block.end) is not None


def _headed(text: str, block: Block) -> tuple[str, int]:
    """The words in bold that head a paragraph or an item, and where what stands under them begins."""
    bullet = BULLET.match(text, block.start, block.end)
    start = bullet.end() if bullet else block.start
    run_in = None if block.kind == "heading" else _RUN_IN.match(text, start, block.end)
    if run_in is None or _MERE_LABEL.match(run_in["head"]):
        return "", start
    return plain(" ".join(run_in["head"].split())), run_in.end()


def _kind(cleaned: str, kind: Kind) -> Kind:
    """What a sentence in a block of ``kind`` is, by its looks: a question in bold heads its answer."""
    if kind == "heading" or _ASKS_IN_BOLD.match(cleaned):
        return "heading"
    return "code" if is_symbols(cleaned) else kind


def _cleaned(raw: str, kind: Kind) -> str:
    bullet = BULLET.match(raw) if kind == "item" else None
    raw = raw[bullet.end() :] if bullet else raw
    raw = raw.lstrip(" #") if kind == "heading" else raw
    cleaned = plain(" ".join(raw.split())).strip()
    return cleaned.strip("\"'").strip() if '"""' in raw or "'''" in raw else cleaned


def _spans(text: str, start: int, body: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of the prose block ``start:end``, trimmed. Before ``body`` stands what is no sentence: a bullet, a
    head."""
    places = [start, *cuts(text, body, end), end]
    for left, right in pairwise(places):
        raw = text[left:right]
        if any(char.isalnum() for char in raw):
            yield left + len(raw) - len(raw.lstrip()), right - len(raw) + len(raw.rstrip())
