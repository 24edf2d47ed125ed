"""Which places of a text have been read as a part of something: a date, a version or an amount."""


class Taken:
    """The places of a text that belong to one. A mark for each: a long row of figures has thousands of them."""

    def __init__(self, text: str) -> None:
        self._marks = bytearray(len(text))

    def take(self, start: int, end: int) -> None:
        """``start:end`` belongs to one."""
        end = min(end, len(self._marks))
        self._marks[start:end] = b"\x01" * (end - start)

    def __contains__(self, place: int) -> bool:
        return self._marks[place] == 1
