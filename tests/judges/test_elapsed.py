"""Numbers that follow from times and dates: how long it is between two, and what comes so much before or after one."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.comparing.unsourced import strange_numbers

REVIEW = (
    "From 02:12 to 05:47 the site was offline.\n- 02:12 The alert is raised.\n- 02:55 The restart fails.\n"
    "- 04:31 A technician arrives.\n1. Roll back by 31 May. Done on 29 May.\n"
)
CONTRACT = (
    "A technician is on site within two hours of the alert. The agreement runs until 31 December 2028 and is prolonged "
    "if nobody gives notice six months before its end. Signed in March 2019. Founded in 1998."
)


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("It was offline for 3 hours and 35 minutes.", ()),
        ("It was offline for 3 hours 35 minutes, from 02:12 to 05:47.", ()),
        ("It was offline for 3 h 36 min.", (3.0, 36.0)),
        ("It was offline for 215 minutes.", ()),
        ("It was offline for 216 minutes.", (216.0,)),
        ("It was offline for 3.6 hours.", ()),
        ("It was offline for 3.5 hours.", (3.5,)),
        ("It was offline for 4 hours.", (4.0,)),
        ("It was offline for 3:35 hours.", ()),
        ("It took 3 h 35 min (05:47 − 02:12 = 3 h 35 min).", ()),
        ("It took 3 h 36 min (05:47 − 02:12 = 3 h 36 min).", (3.0, 36.0, 3.0, 36.0)),
        ("The technician came at 04:31, 139 minutes after the alert at 02:12.", ()),
        ("The technician came 139 minutes after the alert.", (139.0,)),
        ("It took from 02:12 to 04:31, 19 minutes longer than the two hours promised.", ()),
        ("It took from 02:12 to 04:31, 18 minutes longer than the two hours promised.", (18.0,)),
        ("It was done two days before 31 May, on 29 May.", ()),
        ("It was done three days before 31 May, on 29 May.", ()),
        ("It was done five days before 31 May, on 29 May.", (5.0,)),
        ("Notice is due by 30 June 2028.", ()),
        ("Notice is due by 2028-06-30.", ()),
        ("Notice is due by 29 June 2028.", ()),
        ("Notice is due by 28 June 2028.", (28.0,)),
        ("Notice is due by 30 June 2027.", (30.0, 2027.0)),
        ("The technician had to come by 04:12, two hours after the alert at 02:12.", ()),
        ("The technician had to come by 04:13, two hours after the alert at 02:12.", (4 + 13 / 60,)),
        ("It was founded in 1998, 28 years ago.", ()),
        ("It was founded in 1998, 27 years ago.", (27.0,)),
    ],
)
def test_what_follows_from_times_and_dates_is_not_from_nowhere(text: str, strange: tuple[float, ...]) -> None:
    assert strange_numbers(text, REVIEW, CONTRACT, asked="2026") == pytest.approx(strange)


@pytest.mark.parametrize(
    ("text", "asked", "strange"),
    [
        ("Leave of 2025 can be taken until 30 April 2026.", "Until when may I take last year's leave? 2026", ()),
        ("It can be taken until 30 April 2027.", "Until when may I take this year's leave? 2026", ()),
        ("It can be taken until 30 April 2029.", "Until when may I take this year's leave? 2026", (2029.0,)),
        ("It can be taken until 29 April 2026.", "Until when may I take last year's leave? 2026", (29.0, 2026.0)),
    ],
)
def test_the_following_year_is_the_one_behind_that_which_is_asked_about(
    text: str, asked: str, strange: tuple[float, ...]
) -> None:
    source = "Leave is taken until 30 April of the following year."
    assert strange_numbers(text, source, asked=asked) == strange


def test_times_of_two_sentences_explain_only_what_names_them() -> None:
    """Of six times on a page there are fifteen gaps: a number would follow from one of them by chance."""
    assert strange_numbers("It took 96 minutes.", REVIEW) == (96.0,)
    assert strange_numbers("From 02:55 to 04:31 it took 96 minutes.", REVIEW) == ()


TERM = "Term: 24 months, from 1 March 2024. Notice: 6 months before the end of the term."


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("The term of 24 months from 1 March 2024 ends on 28 February 2026.", ()),
        ("The term of 24 months from 1 March 2024 ends on 27 February 2026.", (27.0, 2026.0)),
        ("Give notice by 31 August 2025: 6 months before the end of 24 months from 1 March 2024.", ()),
        ("Give notice by 31 July 2025: 6 months before the end of 24 months from 1 March 2024.", (31.0, 2025.0)),
        ("Give notice by 31 August 2025.", (31.0, 2025.0)),
        ("Give notice 6 months before 28 February 2026, by 28 August 2025.", (28.0, 2026.0, 28.0, 2025.0)),
    ],
)
def test_a_day_may_be_two_lengths_away_where_the_sentence_shows_them(text: str, strange: tuple[float, ...]) -> None:
    """A page has many lengths and dates: what is shown nowhere together follows from some of them by chance."""
    assert strange_numbers(text, TERM) == strange


DATES = ["30 June", "31 December 9999", "1 January 1", "2028-02-29", "30 February 2028", "in 1998", "em 12 de maio"]
TIMES = ["at 23:59", "24:00", "from 02:12 to", "3:35 hours", "às 9h30", "60"]
LENGTHS = ["999999999999 days before", "99999 years after", "0 months", "2 hours 19 minutes", "1.5 weeks", "há 3 dias"]
PARTS = st.sampled_from([*DATES, *TIMES, *LENGTHS])


@given(st.lists(PARTS, max_size=6).map(" ".join), st.lists(PARTS, max_size=6).map(" ".join))
def test_no_time_is_too_odd(text: str, source: str) -> None:
    assert set(strange_numbers(text, source, asked=source)) <= set(strange_numbers(text))


@given(st.dates(date(1990, 1, 1), date(2060, 12, 31)), st.integers(2, 400), st.integers(-400, 400))
def test_days_between_two_dates_are_counted(first: date, days: int, off: int) -> None:
    last = first + timedelta(days=days)
    text = f"It took {days + off} days."
    source = f"It ran from {first:%-d %B %Y} to {last:%-d %B %Y}."
    others = {first.day, last.day, first.year, last.year}
    if days + off > 1 and days + off not in others:
        assert (strange_numbers(text, source) == ()) is (off in (0, 1))
