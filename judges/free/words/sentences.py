"""Sentences of prose, Markdown and docstrings, with their offsets.

A text is first cut into blocks (paragraphs, list items, headings, table rows, code), then prose into sentences. A
sentence may run over wrapped lines; it runs over the end of its block only where a question stands above its answer:
the two are one statement. A row of a table is read under the names of its columns, and what follows words in bold that
head a paragraph, under those.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Literal

from calibrant.judges.free.words.dockerfile import image_steps
from calibrant.judges.free.words.lists import ABBREVIATIONS, STOP_WORDS
from calibrant.judges.free.words.settings_text import settings
from calibrant.judges.free.words.tables import TABLE, lines_of, row, rows
from calibrant.state.evidence import Evidence
from calibrant.state.fence import ends_fence, fence_of
from calibrant.state.markup import plain
from calibrant.state.task import Language

Kind = Literal["prose", "item", "heading", "code"]


@dataclass(frozen=True)
class Sentence:
    """A sentence: ``text`` has whitespace folded and list marks removed, ``start:end`` is the verbatim span.

    ``kind`` is ``prose``, ``item`` (of a list or a table), ``heading`` or ``code`` (a whole block of it, layout kept).
    A table row's text names its columns (``plan: Team; price: $29``), as those of a loaded CSV file do. ``head``: the
    words in bold that head its paragraph, with which its text begins (``Hackathon: Rui takes over``).
    """

    text: str
    start: int
    end: int
    kind: Kind = "prose"
    head: str = ""

    @property
    def headless(self) -> str:
        """The text without its head, to follow another sentence under the same one."""
        return self.text.removeprefix(f"{self.head}: ") if self.head else self.text

    def step(self, source: str) -> int | None:
        """Its number in an ordered list, where it opens an entry of one."""
        mark = _STEP.match(source, self.start, self.end) if self.kind == "item" else None
        return int(mark["number"]) if mark else None

    def goes_on(self, source: str) -> bool:
        """Whether it stands in an entry of a list that another sentence opens."""
        opens = _BULLET.match(source, self.start, self.end) or TABLE.match(self.verbatim(source))
        return self.kind == "item" and not opens and source[: self.start].rpartition("\n")[2].strip() != ""

    def verbatim(self, source: str) -> str:
        """The sentence as it stands in ``source``, line breaks included."""
        return source[self.start : self.end]


@dataclass
class _Block:
    kind: Kind
    start: int
    end: int
    columns: tuple[str, ...] = ()
    """The names of the columns, for a row of a table."""


_BULLET = re.compile(r"\s*(?:[-*+•◦]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+(?=\S)")
_STEP = re.compile(r"\s*\(?(?P<number>\d{1,3})[.)]\s")
_ENTRY = re.compile(r"\s*(?::\w+ [\w.]+:|@\w+ |\*{0,2}[\w.]+(?: ?\([^)]*\))?(?::| -- | - )\s*\S)")
_HEADING = re.compile(r" {0,3}#{1,6}\s+\S")
_UNDERLINE = re.compile(r"\s*(?:={3,}|-{3,}|~{3,}|\^{3,})\s*$")
_TITLE_LINE = re.compile(
    r"(?P<title>[A-ZÀ-Þ\d][^\n|:]{4,68}[^\s.!?,;:…|])[ \t\r]*\n(?P<next>[\"'“‘(]?[A-ZÀ-Þ\d][^\n|]*)"
)
_TITLED_ENTRY = re.compile(r"\(?\d{1,2}[.)]\s+[A-ZÀ-Þ][^\n|:]{2,60}[^\s.!?,;:…|]\s*$")
_SAYS = re.compile(
    r"^\S+ (?:the|an?|your|my|our|os?|as|uma?) |^(?:the|an?|os?|as|uma?) .*\w(?:ed|ou|eu|iu|[aei]ram)\b"
    r"|\b(?:is|are|was|were|has|have|had|will|can|may|must|should|shall|does|did|é|são|está|estão|foi|foram|tem|têm|pode"
    r"|podem|deve|devem|será|serão)\b",
    re.IGNORECASE,
)
"""In an entry that says something, and does not only name it: an order ("Ask the master"), or a verb."""
_RECORD = re.compile(r"\s*\w[^:;]{0,60}: [^;]+; [^:;]{1,60}: \S")
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.(?:\s|$)|In \[\d+\]:|\$ \S)")
_QUOTES = re.compile(r"""\s*[rbuRBU]?(?:\"{3}|'{3})\s*""")
_DEFINES = re.compile(r"\s*(?:async def|def|class|@)\s*\w")
_SIGNATURE = re.compile(r"\s*(?:async def |def |class )?[\w.]+\([^.;!?]*\)(?:\s*->\s*\S{1,200})?:?\s*$")
_CODE = re.compile(
    r"""\s*+(?:
    import\ \w|from\ [\w.]+\ import
    |(?:assert|return|raise|yield|del|global|nonlocal|await)\b|(?:pass|break|continue)\s*$
    |(?:if|for|while|with|try|else|elif|except|finally)\b.*:\s*(?:\#.*)?$
    |[\w.,\ \[\]:'"]*+\s*+(?:[-+*/|&%^@]|//|\*\*)?=\s*\S|[\w.]+\(.*\)\s*$|.*[;{}]\s*$|[)\]}])""",
    re.VERBOSE,
)
"""A line of code, of those that are indented. Its parts share no spaces: a run of them would be split in all ways."""
_ELEMENT = re.compile(r"\s*<(?:[?!]|/?[A-Za-z][\w.:-]*(?:\s[^<>]*)?/?>)(?:.*>)?\s*$")
_FRAME = re.compile(
    r"\s*(?:(?:!!!|\?\?\?\+?|:{3,}|/{3,})(?:\s*[\w\[{].*|\s*)$|>\s*\[!\w+\]\s*$"
    r"|\.\. (?:[\w:-]+::|_[^:]+:.*)\s*$|\[[^\[\]]+\]:\s+<?(?:\w+:/|[/.#]|mailto:)\S*(?:\s+[\"'(].*)?$)"
)
"""A line that says nothing by itself: where a note begins or ends, and where links lead to."""
_STATEMENT = re.compile(
    r"\s*(?:import \w|from [\w.]+ import |[\w.,\[\]]+(?:, [\w.\[\]]+)* (?:[-+*/|&%]|//)?= \S"
    r"|[\w.]+\(.*\)\s*(?:#.*)?$|(?:if|for|while|with|else|elif|except|try)\b.*:\s*$|(?:assert|raise|yield) \w)"
)
_LEAKED = re.compile(
    r"(?:^|\s)[\w.\[\]:]+ (?:[-+*/|&%]|//)?= \S|\bself\.\w|^(?:assert|raise|yield|except|elif)\b.*[(:=,]"
)
_STOP = re.compile(r"(?<![.!?…])[.!?…]++[\"'”’)\]*_`]*+(?=\s)")
_NEXT = re.compile(r"\s+[\"'“‘(\[*_`¿¡]*(?=[A-ZÀ-Þ\d]|\w*(?:[_(`]|\w\.\w))(?P<word>\w*)")
_ENDS = re.compile(r"[.!?:;…][\"'”’)\]*_`]*$")
_NAMED = re.compile(r"\s*[-*+•]\s+(?:\"[^\"\n]+\"|`[^`\n]+`|``[^`\n]+``|[^\s.:;,]+):?\s*")
"""An entry of a list that is only a name: quoted, in code, or a single word."""
_REPLY = re.compile(r"\W*(?:(?:A|Answer|R|Resposta):\s*)?(?:yes|no|sim|não)", re.IGNORECASE)
_DEFAULT = re.compile(
    r"[\s(\[\"'“*_`]*(?:(?:the )?defaults?(?: value| setting)?(?:\s*[:=]|\s+(?:is|are|was|to)\b|\s+[\"'“*_`\d])"
    r"|(?:o )?(?:valor )?(?:padrão|predefinido|default)(?:\s*[:=]|\s+(?:é|são|era)\b|\s+[\"'“*_`\d]))",
    re.IGNORECASE,
)
"""What tells the default of the thing that the sentence before is about, without its name: "The default is 600."."""
_OWNED = 400
"""Characters of a sentence at most that its default is told with."""
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3})(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")
"""Words in bold or in italics: the mark that closes them is looked for as far as they may reach."""
_ASKS = re.compile(r"\?[*_\"'”’)\]]*$")
_ASKS_IN_BOLD = re.compile(r"(?:Q:\s*)?(\*{1,3}|__).+\?\1$")
_RUN_IN = re.compile(r"(\*\*|__(?=[^_\n]+__))(?P<head>[^*\n]{2,60}?)(?:[.:]\1|\1:|\1\s+[-–—])\s+(?=\S)")
_MERE_LABEL = re.compile(
    r"(?:notes?|tips?|warning|caution|important|hint|info|examples?|notas?|aviso|cuidado|importante|dicas?|exemplos?)$",
    re.IGNORECASE,
)
"""What heads a paragraph and is not what it is about."""
_ANSWERS = re.compile(r"\W*(?:A|Answer|R|Resposta):\W")
_ASKER = re.compile(r"(?:I|My|Eu|Meu|Minha)\b")
_INITIALS = re.compile(r"[A-ZÀ-Þ]|\w(?:\.\w)+")
_OPENERS = STOP_WORDS[Language.ENGLISH] | STOP_WORDS[Language.PORTUGUESE]


def sentences_of(item: Evidence) -> tuple[Sentence, ...]:
    """The sentences of a passage, also of one that starts inside a table."""
    return sentences(item.text, item.locator.columns)


def announcement(found: Sequence[Sentence], place: int) -> str:
    """The words that announce the list in which the sentence at ``place`` stands, without their colon; empty where
    there are none: "Come at once if your pet" above "has swallowed a bone"."""
    if found[place].kind != "item":
        return ""
    above = next((one for one in reversed(found[:place]) if one.kind != "item"), None)
    return above.text[:-1] if above is not None and above.kind == "prose" and above.text.endswith(":") else ""


@lru_cache(maxsize=5_000)
def sentences(text: str, columns: tuple[str, ...] = ()) -> tuple[Sentence, ...]:
    """The sentences of ``text`` in order. Code blocks (fenced, doctest, indented code) are one sentence each.

    ``columns``: of the table inside which the text starts.
    """
    if known := settings(text) or image_steps(text):
        return tuple(Sentence(one.text, one.start, one.end, "item") for one in known)
    out: list[Sentence] = []
    for found in (found for block in _blocks(text, columns) for found in _of_block(text, block)):
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
    return tuple(out)


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
    bullet = _BULLET.match(entry)
    return plain(entry[bullet.end() if bullet else 0 :].strip().rstrip(":"))


def _is_answered(text: str, asked: Sentence, found: Sentence) -> bool:
    """Whether ``asked`` is a question on a line of its own, or in bold, and ``found`` the answer to it."""
    if asked.kind == "code" or not _ASKS.search(asked.text) or _ASKS.search(found.text):
        return False
    begins = not text[: asked.start].rpartition("\n")[2].strip()
    ends = "\n" in text[asked.end : found.start] or bool(_ASKS_IN_BOLD.match(asked.text))
    return begins and ends and _replies(found.verbatim(text), found.kind, asked.kind)


def _replies(told: str, kind: Kind, asked: Kind) -> bool:
    """Whether what stands under a question can be its answer: no list that it announces, and not the asker going on in
    the first person."""
    goes_on = asked == "item" and not _BULLET.match(told) and not _ENTRY.match(told)
    return not _ASKER.match(told) and (kind == "prose" or bool(_ANSWERS.match(told)) or (kind == "item" and goes_on))


def _of_block(text: str, block: _Block) -> Iterator[Sentence]:
    """The sentences of one block. Code, the row of a table and a record are one each, whatever stands in their cells;
    what stands under words in bold begins with them."""
    if block.kind == "code":
        code = text[block.start : block.end].strip("\n")
        if code.strip():
            yield Sentence(code, block.start, block.end, "code")
        return
    if block.columns:
        yield Sentence(plain(row(block.columns, text[block.start : block.end])), block.start, block.end, "item")
        return
    if _is_record(text, block):
        yield Sentence(_cleaned(text[block.start : block.end], "item"), block.start, block.end, "item")
        return
    head, body = _headed(text, block)
    for start, end in _spans(text, block.start, body, block.end):
        cleaned = _cleaned(text[max(start, body) if head else start : end], block.kind)
        if any(char.isalnum() for char in cleaned):
            yield Sentence(f"{head}: {cleaned}" if head else cleaned, start, end, _kind(cleaned, block.kind), head)


def _is_record(text: str, block: _Block) -> bool:
    """Whether a block is the row of a table as it is told: its cells under the names of their columns."""
    is_listed = _BULLET.match(text, block.start, block.end)
    return block.kind == "item" and not is_listed and _RECORD.match(text, block.start, block.end) is not None


def _headed(text: str, block: _Block) -> tuple[str, int]:
    """The words in bold that head a paragraph or an item, and where what stands under them begins."""
    bullet = _BULLET.match(text, block.start, block.end)
    start = bullet.end() if bullet else block.start
    run_in = None if block.kind == "heading" else _RUN_IN.match(text, start, block.end)
    if run_in is None or _MERE_LABEL.match(run_in["head"]):
        return "", start
    return plain(" ".join(run_in["head"].split())), run_in.end()


def _kind(cleaned: str, kind: Kind) -> Kind:
    """What a sentence in a block of ``kind`` is, by its looks: a question in bold heads its answer."""
    if kind == "heading" or _ASKS_IN_BOLD.match(cleaned):
        return "heading"
    return "code" if _is_symbols(cleaned) else kind


def _is_symbols(cleaned: str) -> bool:
    """Code that no rule above caught: many signs that prose has few of."""
    if _RECORD.match(cleaned):
        return False
    cleaned = _EMPHASIS.sub(r"\2", cleaned)
    signs = sum(char in "=()[]{}_:;<>+*/%&|\\" for char in cleaned)
    if _LEAKED.search(cleaned) and not cleaned.endswith("."):
        return True
    return signs >= 3 and signs > 0.12 * len(cleaned)


def _cleaned(raw: str, kind: Kind) -> str:
    bullet = _BULLET.match(raw) if kind == "item" else None
    raw = raw[bullet.end() :] if bullet else raw
    raw = raw.lstrip(" #") if kind == "heading" else raw
    cleaned = plain(" ".join(raw.split())).strip()
    return cleaned.strip("\"'").strip() if '"""' in raw or "'''" in raw else cleaned


def _blocks(text: str, columns: tuple[str, ...]) -> Iterator[_Block]:
    """The blocks of ``text``: a line joins the one before it unless it starts or ends something."""
    current: _Block | None = None
    fence = ""
    heads = rows(text, columns)
    title = _title_end(text)
    for start, line in lines_of(text):
        end = start + len(line)
        if end < title:
            yield _Block("heading", start, end)
            continue
        marks = "" if fence else fence_of(line)
        if marks or (fence and ends_fence(line, fence)):
            fence = marks
            yield from _closed(current)
            current = _Block("code", end, end) if fence else None
        elif fence and current:
            current.end = end
        elif not line.strip() or _QUOTES.fullmatch(line) or _FRAME.match(line):
            yield from _closed(current)
            current = None
        elif start in heads:
            yield from _closed(current)
            yield _Block("item" if heads[start] else "heading", start, end, heads[start])
            current = None
        else:
            kind, joins = _place(text, current, line)
            if current and joins:
                current.end = end
            else:
                yield from _closed(current)
                opened = _QUOTES.match(line)
                current = _Block(kind, start + (opened.end() if opened else 0), end)
            if _ends_docstring(line, current):
                yield current
                current = None
    yield from _closed(current)


def _title_end(text: str) -> int:
    """Where the line ends that heads a plain text: short, without a full stop, over a line half as long again that
    begins anew (a wrapped paragraph's lines are of one length). 0 where there is none."""
    opening = _TITLE_LINE.match(text)
    if opening is None or len(opening["next"]) < 1.5 * len(opening["title"]):
        return 0
    return 0 if _BULLET.match(opening["title"]) or _is_symbols(opening["title"]) else opening.start("next")


def _closed(block: _Block | None) -> Iterator[_Block]:
    if block:
        yield block


def _ends_docstring(line: str, current: _Block) -> bool:
    """A docstring's last line ends its prose, so that the code after it does not join."""
    return current.kind != "code" and line.rstrip().endswith(('"""', "'''"))


def _place(text: str, current: _Block | None, line: str) -> tuple[Kind, bool]:
    """What kind of block ``line`` belongs to, and whether it goes on with the current one."""
    held = text[current.start : current.end] if current else ""
    in_code = current is not None and current.kind == "code"
    if _QUOTES.match(line):
        return "prose", False
    if in_code and (_PROMPT.match(held) or _is_open(held) or (_indent(line) >= 4 and _DEFINES.match(held))):
        return "code", True  # the output of a doctest, the rest of a call, the body of a function: to the blank line
    if _PROMPT.match(line) or _SIGNATURE.match(line) or _DEFINES.match(line) or _is_element(line):
        return "code", in_code
    if _UNDERLINE.match(line) or _HEADING.match(line):
        return "heading", False
    if TABLE.match(line) or _BULLET.match(line) or _RECORD.match(line):
        return "item", False
    if _is_code(line) and (not current or in_code or (held.endswith(":") and _indent(line) >= 4)):
        return "code", in_code
    if _ENTRY.match(line) and current and _starts_entry(held, line):
        return "item", False
    if not current or current.kind in ("heading", "code") or _breaks(held, line):
        return "prose", False
    return current.kind, True


def _is_element(line: str) -> bool:
    """A line of XML: it opens and ends with a tag that is none of the markup of a text."""
    return line.lstrip().startswith("<") and bool(_ELEMENT.match(plain(line)))


def _is_open(held: str) -> bool:
    """Whether a bracket is open at the end of the code."""
    return sum(held.count(sign) for sign in "([{") > sum(held.count(sign) for sign in ")]}")


def _is_code(line: str) -> bool:
    """Indented lines need to look like code; others need to be plain statements, since prose may hold ``=`` too."""
    if _indent(line) >= 4:
        return bool(_CODE.match(line)) or line.lstrip().startswith("#")
    return bool(_STATEMENT.match(line)) and not line.rstrip().endswith((".", "!", "?", ","))


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _starts_entry(held: str, line: str) -> bool:
    """A definition entry (``name: text``) follows a line that ends with a colon or another entry at its indentation."""
    first = held.split("\n", 1)[0].splitlines()[0]
    return held.rstrip().endswith(":") or (bool(_ENTRY.match(first)) and _indent(first) == _indent(line))


def _breaks(held: str, line: str) -> bool:
    """A deeper line after a colon starts a new block (what the colon announced); so does what stands under an entry
    that only names something ("3. Open day"): it begins anew, and is half as long again, as a wrapped line is not."""
    last = held.rsplit("\n", 1)[-1].splitlines()[-1]
    if _only_names(held) and line[:1].isupper() and len(line.rstrip()) >= 1.5 * len(held.rstrip()):
        return True
    return last.rstrip().endswith(":") and _indent(line) > _indent(last)


def _only_names(entry: str) -> bool:
    """Whether a numbered entry is the name of what stands under it, and no sentence that goes on there."""
    if not _TITLED_ENTRY.match(entry):
        return False
    said = entry.split(maxsplit=1)[1].strip()
    return said.split()[-1].lower() not in _OPENERS and not _SAYS.search(said)


def _spans(text: str, start: int, body: int, end: int) -> Iterator[tuple[int, int]]:
    """The sentences of the prose block ``start:end``, trimmed. Before ``body`` stands what is no sentence: a bullet, a
    head."""
    cuts = [start, *_cuts(text, body, end), end]
    for left, right in pairwise(cuts):
        raw = text[left:right]
        if any(char.isalnum() for char in raw):
            yield left + len(raw) - len(raw.lstrip()), right - len(raw) + len(raw.rstrip())


def _cuts(text: str, start: int, end: int) -> Iterator[int]:
    last = seen = start
    for match in _STOP.finditer(text, start, end):
        before, seen = text[seen : match.start()], match.end()  # each begins with the whitespace after a full stop
        following = _NEXT.match(text, match.end(), end)
        if following and _REPLY.fullmatch(text, last, match.start()):
            continue  # a bare yes or no goes with its reason
        if following and match.start() - last <= _OWNED and _DEFAULT.match(text, match.end(), end):
            continue  # a default goes with what it is the default of
        if following and not _is_abbreviation(before, match.group(), _opener(text, following)):
            yield match.end()
            last = match.end()


def _opener(text: str, following: re.Match[str]) -> str:
    """The word that follows a full stop, lowercase; with its own full stop where it is another initial (W. E. B.)."""
    word = following["word"]
    is_initial = len(word) == 1 and text.startswith(".", following.end("word"))
    return f"{word.lower()}." if is_initial else word.lower()


def _is_abbreviation(before: str, stop: str, following: str) -> bool:
    """Whether the full stop belongs to the word before it. ``following`` is the next word, lowercase."""
    if not stop.startswith(".") or stop.startswith(".."):
        return False
    last = re.split(r"[\s(\[“\"'`*]", before)[-1]
    if last.lower() in ABBREVIATIONS or (len(last) == 1 and last.islower() and following[:1].isdigit()):
        return True  # the second: united c. 3000 BC, p. 12
    # Initials and letter abbreviations (J. Smith, U.S. Army), but not the end of a sentence (vitamin C. It ...).
    return bool(_INITIALS.fullmatch(last)) and following not in _OPENERS
