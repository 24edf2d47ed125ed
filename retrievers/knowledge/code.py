"""Source code as sections: by syntax for Python, by top-level declarations for other languages."""

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from calibrant.retrievers.knowledge.documents import Document, Lines, Section, line_starts

_ABOVE = re.compile(r"[ \t]*(?://|#|--|@|\[)[^\n]*\n")
"""A line that is a comment or an attribute."""

_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
_DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
_BLOCKS = ("body", "orelse", "finalbody", "handlers")
_DECLARATION = re.compile(
    r"^(?:(?:export|default|public|private|protected|internal|static|abstract|final|async|pub(?:\([a-z]+\))?|unsafe"
    r"|extern|const|sealed|open|data|partial)[ \t]+)*"
    r"(?:function\*?|class|func(?:[ \t]+\([^)\n]*\))?|fn|def|struct|interface|enum|impl|trait|module|namespace|object"
    r"|type|record|protocol|sub|proc)[ \t]+([\w$.:]+)",
    re.MULTILINE,
)
"""Within one line: were it to run over line ends, a long list of modifiers would be read again from each of them."""


def code_document(text: str, path: Path) -> Document:
    """A source file. Python's sections are its definitions, headed by their dotted names."""
    if path.suffix.lower() in (".py", ".pyi", ".pyw"):
        module = module_name(path)
        if sections := _python_sections(text, module):
            return Document("code", module, text, sections, Lines.of(text))
    return Document("code", path.name, text, _declared_sections(text), Lines.of(text))


def module_name(path: Path) -> str:
    """The dotted name under which Python would import ``path``, as far as the packages around it tell."""
    parts = [] if path.stem == "__init__" else [path.stem]
    folder = path.parent
    while (folder / "__init__.py").is_file():
        parts.insert(0, folder.name)
        folder = folder.parent
    return ".".join(parts) or path.stem


def _declared_sections(text: str) -> list[Section]:
    found = [(_with_comment(text, match.start()), match.group(1)) for match in _DECLARATION.finditer(text)]
    bounds = [(0, ""), *found]
    stops = [start for start, _ in found] + [len(text)]
    return [
        Section(start, stop, heading, style="code")
        for (start, heading), stop in zip(bounds, stops, strict=True)
        if stop > start
    ]


def _with_comment(text: str, start: int) -> int:
    """Where a declaration begins: with the comment and the attributes right above."""
    while start:
        above = text.rfind("\n", 0, start - 1) + 1
        if text[above:start].rstrip().endswith("*/"):
            above = text.rfind("/*", 0, start)
            if above < 0 or text[text.rfind("\n", 0, above) + 1 : above].strip():
                return start  # behind code
            above = text.rfind("\n", 0, above) + 1
        elif not _ABOVE.match(text, above, start):
            return start
        start = above
    return start


def _python_sections(text: str, module: str) -> list[Section]:
    """The module's definitions and what stands between them; empty where the text is not valid Python."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    source = _Source(text, line_starts(text))
    return list(_sections(source, tree.body, module, 0, len(text)))


@dataclass(frozen=True)
class _Source:
    text: str
    starts: Sequence[int]

    def start_of(self, line: int) -> int:
        """The offset of a line (from 1); one past the last line is the end."""
        return self.starts[line - 1] if line <= len(self.starts) else len(self.text)

    def line(self, number: int) -> str:
        return self.text[self.start_of(number) : self.start_of(number + 1)]

    def begin(self, node: _Definition) -> int:
        """Where a definition begins: with its decorators and the comment right above."""
        line = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
        while line > 1 and self.line(line - 1).lstrip().startswith("#"):
            line -= 1
        return self.start_of(line)

    def docstring_end(self, body: Sequence[ast.stmt], start: int, end: int) -> int | None:
        """Where the docstring that opens ``body`` ends, if it lies within the stretch and something follows."""
        first = body[0] if body else None
        if not (isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)):
            return None
        if not isinstance(first.value.value, str) or first.end_lineno is None:
            return None
        stop = self.start_of(first.end_lineno + 1)
        return stop if start < stop < end else None


def _sections(source: _Source, body: Sequence[ast.stmt], owner: str, start: int, end: int) -> Iterator[Section]:
    """The definitions in ``body`` as sections, and the stretches between them as sections of ``owner``."""
    cursor = start
    for node in _definitions(body):
        begin, stop = max(source.begin(node), cursor), source.start_of((node.end_lineno or node.lineno) + 1)
        if begin > cursor:
            yield _stretch(source, body, owner, cursor, begin)
        if stop > begin:
            yield from _definition(source, node, f"{owner}.{node.name}", begin, stop)
        cursor = max(stop, cursor)
    if end > cursor:
        yield _stretch(source, body, owner, cursor, end)


def _stretch(source: _Source, body: Sequence[ast.stmt], owner: str, start: int, end: int) -> Section:
    return Section(start, end, owner, style="code", joint=source.docstring_end(body, start, end))


def _definition(source: _Source, node: _Definition, name: str, start: int, end: int) -> Iterator[Section]:
    if isinstance(node, ast.ClassDef):
        yield from _sections(source, node.body, name, start, end)
    else:
        yield _stretch(source, node.body, name, start, end)


def _definitions(body: Sequence[ast.AST]) -> Iterator[_Definition]:
    """Definitions in ``body``, also inside its ``if``, ``try`` and ``with`` statements, in order."""
    for statement in body:
        if isinstance(statement, _DEFINITIONS):
            yield statement
        else:
            for block in _BLOCKS:
                inner = getattr(statement, block, None)
                if isinstance(inner, list):
                    yield from _definitions(inner)
