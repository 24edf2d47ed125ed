"""Which files an ingest reads: a walk that passes over what is hidden, generated or excluded."""

import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

SKIPPED_FOLDERS = frozenset({"__pycache__", "node_modules", "$RECYCLE.BIN"})


@dataclass
class Walk:
    """A walk over the files and folders that a user named."""

    roots: Sequence[Path]
    include: Sequence[str] = ()
    exclude: Sequence[str] = ()
    unreadable: list[tuple[Path, OSError]] = field(default_factory=list)
    links: list[Path] = field(default_factory=list)
    """The links that were passed over, to folders too."""

    def files(self) -> Iterator[Path]:
        """Each file once, folder by folder, in a stable order. A root that is a file is always given."""
        seen: set[Path] = set()
        for root in self.roots:
            for path in self._under(root) if root.is_dir() else (root,):
                if path not in seen:
                    seen.add(path)
                    yield path

    def excluded(self, path: Path) -> bool:
        """Whether ``exclude`` keeps a file or a folder out. One that is named itself is never kept out."""
        return self._fits(path, self.exclude)

    def _fits(self, path: Path, patterns: Sequence[str]) -> bool:
        """Whether one of ``patterns`` fits ``path``, by more than what stands above it in the path of its root: who
        names ``build/site`` and leaves out ``build`` means those that are in it. A whole path means just that."""
        above = max((len(str(root)) for root in self.roots if root == path or root in path.parents), default=0)
        return any(matches(path, pattern, 0 if pattern.startswith("/") else above) for pattern in patterns)

    def _takes(self, path: Path) -> bool:
        if path.name.startswith(".") or self.excluded(path):
            return False
        return (not self.include or self._fits(path, self.include)) and not self._is_link(path)

    def _under(self, root: Path) -> Iterator[Path]:
        for folder, folders, names in os.walk(root, onerror=self._missed):
            here = Path(folder)
            folders[:] = sorted(name for name in folders if self._enters(here / name))
            yield from (path for name in sorted(names) if self._takes(path := here / name))

    def _enters(self, folder: Path) -> bool:
        if folder.name.startswith(".") or folder.name in SKIPPED_FOLDERS:
            return False
        return not self.excluded(folder) and not self._is_link(folder)

    def _is_link(self, path: Path) -> bool:
        # A link is passed over: what it points to is read where it stands, if that is under a root.
        if os.path.islink(path):
            self.links.append(path)
            return True
        return False

    def _missed(self, error: OSError) -> None:
        self.unreadable.append((Path(str(error.filename)), error))


def matches(path: Path | str, pattern: str, above: int = 0) -> bool:
    """Whether a glob fits a path: all of it, or its last parts (``*.md``, ``docs/**/*.md``, ``docs``).

    ``*`` and ``?`` stay within one part, ``**`` spans any number; a pattern that fits a folder fits what is in it. It
    has to fit more than the first ``above`` characters.
    """
    return any(found.end() > above for found in _compiled(pattern).finditer(str(path).replace(os.sep, "/")))


@lru_cache(maxsize=256)
def _compiled(pattern: str) -> re.Pattern[str]:
    tokens = re.split(r"(\*\*/|\*\*|\*|\?|\[!?[^\]]+\])", pattern.replace(os.sep, "/").rstrip("/").removeprefix("./"))
    body = "".join(_token(token) for token in tokens)
    start = "^" if pattern.startswith("/") or "://" in pattern else "(?:^|/)"
    return re.compile(f"{start}{body}(?=/|$)")


def _token(token: str) -> str:
    fixed = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}
    if token in fixed:
        return fixed[token]
    if token.startswith("[") and token.endswith("]"):
        return _class(token)
    return re.escape(token)


def _class(token: str) -> str:
    """One of some characters, or none of them; what is no such class (``[z-a]``) stands for itself."""
    negated = token[1] in "!^"
    inside = re.sub(r"([\\\[^&~|])", r"\\\1", token[2:-1] if negated else token[1:-1])
    found = f"[{'^' if negated else ''}{inside}]"
    try:
        re.compile(found)
    except re.error:
        return re.escape(token)
    return found
