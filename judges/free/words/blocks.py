"""The blocks of a text: paragraphs, list items, headings, rows of tables and code, by the looks of their lines."""

import re
from collections.abc import Set
from dataclasses import dataclass
from typing import Literal

from calibrant.judges.free.words.lists import ANY_STOP_WORD
from calibrant.judges.free.words.tables import TABLE, indent_of, lines_of, rows
from calibrant.state.fence import ends_fence, fence_of
from calibrant.state.markup import CHANGE, FIELD, plain

Kind = Literal["prose", "item", "heading", "code"]


@dataclass
class Block:
    """A stretch of a text that is of one kind."""

    kind: Kind
    start: int
    end: int
    columns: tuple[str, ...] = ()
    """The names of the columns, for a row of a table."""
    language: str = ""
    """What the fence calls the language of code, if it does."""


BULLET = re.compile(r"\s*(?:[-*+•◦]|\(?\d{1,3}[.)]|\(?[a-z]\))\s+(?=\S)")
"""The mark of an entry of a list."""
ENTRY = re.compile(r"\s*(?::\w+ [\w.]+:|@\w+ |\*{0,2}[\w.]+(?: ?\([^)]*\))?(?::| -- | - )\s*\S)")
"""What begins an entry of a list of names: the name, and what it is."""
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
RECORD = re.compile(r"\s*\w[^:;]{0,60}: [^;]+; [^:;]{1,60}: \S")
"""The row of a table as it is told: its cells under the names of their columns."""
_PROMPT = re.compile(r"\s*(?:>>>|\.\.\.(?:\s|$)|In \[\d+\]:|\$ \S)")
_QUOTES = re.compile(r"""\s*[rbuRBU]?(?:\"{3}|'{3})\s*""")
_DEFINES = re.compile(r"\s*(?:(?:async def|def|class|@)\s*\w|\w+: (?:\w+\.)?[A-Z]\w*\[\w)")
"""What begins a definition: also that of a field, ``names: Mapping[str, int]``, which is no entry of a list."""
_SIGNATURE = re.compile(r"\s*(?:async def |def |class )?[\w.]+\([^.;!?]*\)(?:\s*->\s*\S{1,200})?:?\s*$")
_CODE = re.compile(
    r"""\s*+(?:
    import\ \w|from\ [\w.]+\ import
    |(?:assert|return|raise|yield|del|global|nonlocal|await)\b|(?:pass|break|continue)\s*$
    |(?:async\ )?(?:if|for|while|with|try|else|elif|except|finally)\b.*:\s*(?:\#.*)?$
    |[\w.,\ \[\]:'"]*+\s*+(?:[-+*/|&%^@]|//|\*\*)?=\s*\S|[\w.]+\(.*\)\s*$|.*[;{}]\s*$|[)\]}])""",
    re.VERBOSE,
)
"""A line of code, of those that are indented. Its parts share no spaces: a run of them would be split in all ways."""
_ELEMENT = re.compile(r"\s*<(?:[?!]|/?[A-Za-z][\w.:-]*(?:\s[^<>]*)?/?>)(?:.*>)?\s*$")
_FRAME = re.compile(
    r"\s*(?:(?:!!!|\?\?\?\+?|:{3,}|/{3,})(?:\s*[\w\[{].*|\s*)$|>?\s*\[!\w+\]\s*$"
    r"|===[!+]? \"[^\"]*\"\s*$"
    r"|\.\. (?:[\w:-]+::|_[^:]+:.*)\s*$|\[[^\[\]]+\]:\s+<?(?:\w+:/|[/.#]|mailto:)\S*(?:\s+[\"'(].*)?$)"
)
"""A line that says nothing by itself: where a note or a tab begins or ends, and where links lead to."""
_DECLARES = re.compile(
    r"\s*(?:(?:export|const|let|var|type|func|fn|pub|public|private|protected|static|final|struct|class|interface|enum"
    r"|function|async|abstract|override|impl|trait|mod|use|using|namespace|package)\b|.*[{};(),]\s*$)"
)
"""A line of code that declares something, below the comment on it."""
_STATEMENT = re.compile(
    r"\s*(?:import \w|from [\w.]+ import |[\w.,\[\]]+(?:, [\w.\[\]]+)* (?:[-+*/|&%]|//)?= \S"
    r"|[\w.]+\(.*\)\s*(?:#.*)?$|(?:async )?(?:if|for|while|with|else|elif|except|try)\b.*:\s*$"
    r"|(?:assert|raise|yield) \w)"
)
_LEAKED = re.compile(
    r"(?:^|\s)[\w.\[\]:]+ (?:[-+*/|&%]|//)?= \S|\bself\.\w|^(?:assert|raise|yield|except|elif)\b.*[(:=,]"
)
_ADDRESS = re.compile(r"\b\w+://\S+")
_BEHIND_NAME = re.compile(r"[\s,}]")
_EMPHASIS = re.compile(r"(?<!\w)(\*{1,3})(?=\S)(.{1,300}?)(?<=\S)\1(?!\w)")
"""Words in bold or in italics: the mark that closes them is looked for as far as they may reach."""


def blocks(text: str, columns: tuple[str, ...], breaks: Set[int], opening: str = "") -> list[Block]:
    """The blocks of ``text``: a line joins the one before it unless it starts or ends something. ``breaks``: where a
    comment begins, or the code below one. ``opening``: the first line of a block of code inside which the text starts.
    """
    fence = fence_of(opening)
    found = [Block("code", 0, 0, language=language_of_code(opening))] if fence else []
    current = found[0] if found else None  # the last one, where a line may still join it
    heads = rows(text, columns)
    title = 0 if fence else _title_end(text)
    for start, line in lines_of(text):
        end = start + len(line)
        marks = "" if fence else fence_of(line)
        if end < title:
            found.append(Block("heading", start, end))
        elif marks or (fence and ends_fence(line, fence)):
            fence = marks
            current = Block("code", end, end, language=language_of_code(line)) if fence else None
            found += [current] if current else []
        elif fence and current:
            current.end = end
        elif not line.strip() or _QUOTES.fullmatch(line) or _FRAME.match(line):
            current = None
        elif start in heads:
            found.append(Block("item" if heads[start] else "heading", start, end, heads[start]))
            current = None
        else:
            kind, joins = _place(text, None if start in breaks else current, line)
            kind = "code" if start in breaks and _DECLARES.match(line) else kind
            if current and joins:
                current.end = end
            else:
                opened = _QUOTES.match(line)
                current = Block(kind, start + (opened.end() if opened else 0), end)
                found.append(current)
            if _ends_docstring(line, current):
                current = None
    return found


def language_of_code(opening: str) -> str:
    """What the line that opens a block of code calls its language: "```sh title=...", "``` {.bash}"."""
    return _BEHIND_NAME.split(opening.strip().lstrip("`~ {."), maxsplit=1)[0].lower()


def _title_end(text: str) -> int:
    """Where the line ends that heads a plain text: short, without a full stop, over a line half as long again that
    begins anew (a wrapped paragraph's lines are of one length). 0 where there is none."""
    opening = _TITLE_LINE.match(text)
    if opening is None or len(opening["next"]) < 1.5 * len(opening["title"]):
        return 0
    return 0 if BULLET.match(opening["title"]) or is_symbols(opening["title"]) else opening.start("next")


def _ends_docstring(line: str, current: Block) -> bool:
    """A docstring's last line ends its prose, so that the code after it does not join."""
    return current.kind != "code" and line.rstrip().endswith(('"""', "'''"))


def _place(text: str, current: Block | None, line: str) -> tuple[Kind, bool]:
    """What kind of block ``line`` belongs to, and whether it goes on with the current one."""
    held = text[current.start : current.end] if current else ""
    in_code = current is not None and current.kind == "code"
    if _QUOTES.match(line):
        return "prose", False
    if in_code and (_PROMPT.match(held) or _is_open(held) or (indent_of(line) >= 4 and _defines(held))):
        return "code", True  # the output of a doctest, the rest of a call, the body of a function: to the blank line
    if _PROMPT.match(line) or _SIGNATURE.match(line) or _defines(line) or _is_element(line):
        return "code", in_code
    if _UNDERLINE.match(line) or _HEADING.match(line):
        return "heading", False
    if TABLE.match(line) or BULLET.match(line) or RECORD.match(line):
        return "item", False
    if line.lstrip().startswith(":") and FIELD.match(line.lstrip()):
        return "item", False
    if _is_code(line) and (not current or in_code or (held.endswith(":") and indent_of(line) >= 4)):
        return "code", in_code
    if ENTRY.match(line) and current and _starts_entry(held, line):
        return "item", False
    if not current or current.kind in ("heading", "code") or CHANGE.match(line) or _breaks(held, line):
        return "prose", False
    return current.kind, True


def _defines(line: str) -> bool:
    """The line that begins a definition or a block of code."""
    return bool(_DEFINES.match(line)) or line.rstrip()[1:].endswith("{")


def _is_element(line: str) -> bool:
    """A line of XML: it opens and ends with a tag that is none of the markup of a text."""
    return line.lstrip().startswith("<") and bool(_ELEMENT.match(plain(line)))


def _is_open(held: str) -> bool:
    """Whether a bracket is open at the end of the code."""
    return sum(held.count(sign) for sign in "([{") > sum(held.count(sign) for sign in ")]}")


def _is_code(line: str) -> bool:
    """Indented lines need to look like code; others need to be plain statements, since prose may hold ``=`` too."""
    if indent_of(line) >= 4:
        return bool(_CODE.match(line)) or line.lstrip().startswith("#")
    return bool(_STATEMENT.match(line)) and not line.rstrip().endswith((".", "!", "?", ","))


def _starts_entry(held: str, line: str) -> bool:
    """A definition entry (``name: text``) follows a line that ends with a colon or another entry at its indentation."""
    first = held.split("\n", 1)[0].splitlines()[0]
    return held.rstrip().endswith(":") or (bool(ENTRY.match(first)) and indent_of(first) == indent_of(line))


def _breaks(held: str, line: str) -> bool:
    """A deeper line after a colon starts a new block (what the colon announced); so does what stands under an entry
    that only names something ("3. Open day"): it begins anew, and is half as long again, as a wrapped line is not."""
    last = held.rsplit("\n", 1)[-1].splitlines()[-1]
    if _only_names(held) and line[:1].isupper() and len(line.rstrip()) >= 1.5 * len(held.rstrip()):
        return True
    return last.rstrip().endswith(":") and indent_of(line) > indent_of(last)


def _only_names(entry: str) -> bool:
    """Whether a numbered entry is the name of what stands under it, and no sentence that goes on there."""
    if not _TITLED_ENTRY.match(entry):
        return False
    said = entry.split(maxsplit=1)[1].strip()
    return said.split()[-1].lower() not in ANY_STOP_WORD and not _SAYS.search(said)


def is_symbols(cleaned: str) -> bool:
    """Code that no rule above caught: many signs that prose has few of."""
    if RECORD.match(cleaned):
        return False
    cleaned = _EMPHASIS.sub(r"\2", _ADDRESS.sub("", cleaned).strip() or cleaned)
    signs = sum(char in "=()[]{}_:;<>+*/%&|\\" for char in cleaned)
    if _LEAKED.search(cleaned) and not cleaned.endswith("."):
        return True
    return signs >= 3 and signs > 0.12 * len(cleaned)
