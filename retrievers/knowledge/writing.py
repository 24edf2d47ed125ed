"""A page that is written anew from a file with markup of its own: lines with the places they have in the file."""

from calibrant.retrievers.knowledge.documents import Document, Lines, Outline, sections_from
from calibrant.state.markup import plain


class Page:
    """The text of a document as it is written, with its headings as Markdown has them."""

    def __init__(self) -> None:
        self._parts: list[str] = []
        self._marks: list[tuple[int, str]] = []
        self._offsets: list[int] = []
        self._numbers: list[int] = []
        self._outline = Outline()
        self._length = 0

    def write(self, line: str, number: int) -> None:
        """A line of the text, from line ``number`` of the file. Several blank lines are one."""
        if not line and (not self._parts or self._parts[-1] == "\n"):
            return
        self._offsets.append(self._length)
        self._numbers.append(number)
        self._parts.append(line + "\n")
        self._length += len(line) + 1

    def head(self, level: int, title: str, number: int) -> None:
        """Open a section."""
        self.write("", number)
        self._marks.append((self._length, self._outline.enter(level, plain(title).replace("`", ""))))
        self.write(f"{'#' * min(level, 6)} {title}", number)
        self.write("", number)

    def leave(self, level: int, number: int) -> None:
        """Close the sections from ``level`` down: what follows belongs to the one above them."""
        self.write("", number)
        self._marks.append((self._length, self._outline.leave(level)))

    def document(self, kind: str, name: str, title: str = "") -> Document:
        """What was written; ``title`` or the first heading names it, else ``name``."""
        text = "".join(self._parts)
        sections = sections_from(self._marks, len(text))
        return Document(kind, title or self._outline.title or name, text, sections, Lines(self._offsets, self._numbers))
