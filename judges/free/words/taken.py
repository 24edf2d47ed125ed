"""Which characters of a text have been read already, as part of a date, a version or an amount."""


class Taken:
    """Marks the characters of a text that have been read, one by one: a long row of figures has thousands of them."""

    def __init__(self, text: str) -> None:
        self._marks = bytearray(len(text))

    def take(self, start: int, end: int) -> None:
        """``start:end`` has been read."""
        end = min(end, len(self._marks))
        self._marks[start:end] = b"\x01" * (end - start)

    def __contains__(self, place: int) -> bool:
        return self._marks[place] == 1
