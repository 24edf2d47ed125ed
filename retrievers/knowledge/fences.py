"""Blocks of fenced code in a section: where one is open, so that it is cut between lines, and a passage that starts
inside one is known to."""

from bisect import bisect_left, bisect_right
from itertools import accumulate

from calibrant.state.fence import fence_behind


class Fences:
    """The blocks of fenced code in ``text[start:end]``."""

    def __init__(self, text: str, start: int, end: int) -> None:
        self._begins: list[int] = []
        self._ends: list[int] = []
        self._opening: list[str] = []
        if "```" in text[start:end] or "~~~" in text[start:end]:
            self._read(text[start:end].splitlines(keepends=True), start)

    def _read(self, lines: list[str], start: int) -> None:
        fence = ""
        places = accumulate(map(len, lines), initial=start)
        for place, line in zip(places, lines, strict=False):
            before, fence = fence, fence_behind(line.rstrip("\r\n"), fence)
            if fence and not before:
                self._begins.append(place + len(line))
                self._opening.append(line.strip())
            elif before and not fence:
                self._ends.append(place)

    def opening(self, place: int) -> str:
        """The line that opens the block in which ``place`` stands, or which ends there; empty where it is in none."""
        at = bisect_right(self._begins, place) - 1
        is_open = at >= 0 and (at >= len(self._ends) or place <= self._ends[at])
        return self._opening[at] if is_open else ""

    def closed(self, place: int) -> int:
        """The line that closes the last block before ``place``; 0 where there is none."""
        at = bisect_left(self._ends, place)
        return self._ends[at - 1] if at else 0
