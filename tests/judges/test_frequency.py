"""How often something happens, in times a day."""

import pytest

from calibrant.judges.free.words.frequency import frequencies


@pytest.mark.parametrize(
    ("text", "per_day", "said"),
    [
        ("Backups run daily.", 1.0, "daily"),
        ("It is done every night.", 1.0, "every night"),
        ("It is done every hour.", 24.0, "every hour"),
        ("It is done every six hours.", 4.0, "every six hours"),
        ("It runs every other day.", 0.5, "every other day"),
        ("It is watered twice a week.", 2 / 7, "twice a week"),
        ("Rotated once every 2 weeks.", 1 / 14, "once every 2 weeks"),
        ("It is fed three times per day.", 3.0, "three times per day"),
        ("É feito todos os dias.", 1.0, "todos os dias"),
        ("É feito duas vezes por semana.", 2 / 7, "duas vezes por semana"),
        ("É limpo toda semana.", 1 / 7, "toda semana"),
        ("É trocado de três em três meses.", 1 / 90, "de três em três meses"),
        ("É medido de hora em hora.", 24.0, "de hora em hora"),
        ("É feito quinzenalmente.", 1 / 15, "quinzenalmente"),
    ],
)
def test_a_frequency_is_read(text: str, per_day: float, said: str) -> None:
    (found,) = frequencies(text)
    assert found.per_day == pytest.approx(per_day)
    assert text[found.start : found.end] == said


@pytest.mark.parametrize(
    "text", ["It costs 10 dollars a month.", "Every time it rains.", "Each member pays.", "Todo sócio paga."]
)
def test_what_is_no_frequency_is_not(text: str) -> None:
    assert frequencies(text) == ()


def test_the_same_in_other_words_agrees() -> None:
    day, night, hours, weeks, month, week = (
        frequencies(text)[0]
        for text in ("daily", "every night", "every 24 hours", "every four weeks", "monthly", "weekly")
    )
    assert day.agrees(night)
    assert night.agrees(hours)
    assert weeks.agrees(month)
    assert not week.agrees(day)
