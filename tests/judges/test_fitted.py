"""The fitted numbers that ship with the package."""

import pytest

from calibrant.judges import fitted


def test_the_file_of_the_numbers_is_read_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many models and languages are asked for."""
    read: list[str] = []
    text_of = fitted._text

    def counted(name: str) -> str:
        read.append(name)
        return text_of(name)

    monkeypatch.setattr(fitted, "_text", counted)
    for held in (fitted._raw, fitted.load, fitted.frequencies):
        held.cache_clear()
    assert fitted.load().models
    assert fitted.frequencies("en")
    assert fitted.frequencies("pt")
    assert read == ["fitted.json"]
