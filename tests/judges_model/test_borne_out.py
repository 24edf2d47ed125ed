"""How far one text bears out another, by words."""

import pytest

from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.model.borne_out import bears_out, best_sentence, overlap
from calibrant.judges.model.names import strange_names

TEXT = (
    "The “default” busy timeout is 0 ms,\nso a second writer fails at once. It costs $5 (about 10%). "
    "A duração padrão é de três segundos. In WAL mode, readers do not block the writer at any time. "
    "It is read with `load()`, and then. With the so\u00adft hy\u200bphen, _never_ guess. "
    "A back\u2011\n  off doubles the wait."
)


def test_numbers_must_have_a_source() -> None:
    assert strange_numbers("It takes 5 s", "after 5 seconds") == ()
    assert strange_numbers("It takes 6 s", "after 5 seconds") == (6.0,)
    assert strange_numbers("Two of 1,000", "there are two among 1000") == ()
    assert strange_numbers("one of them costs 1 dollar", "it costs 2 dollars") == (1.0,)


def test_overlap_counts_content_words_and_halves_for_a_strange_number() -> None:
    assert overlap("SQLite locks the file", "the file is locked by SQLite") == pytest.approx(1.0)
    assert overlap("", "anything") == 0.0
    assert overlap("WAL needs 3 files", "WAL needs files") < 0.5


def test_across_languages_only_names_and_numbers_are_compared() -> None:
    quote = "The Eiffel Tower is 330 metres tall and stands in Paris."
    assert bears_out("A Torre Eiffel fica em Paris e tem 330 metros de altura.", quote) > 0.5
    assert bears_out("A Torre Eiffel fica em Paris e tem 312 metros de altura.", quote) < 0.5


def test_the_name_of_a_day_is_translated() -> None:
    quote = "O parque está aberto das 9h00 às 20h00 aos sábados"
    assert bears_out("The park closes at 8 p.m. on Saturdays in May.", quote) == 0.5
    assert bears_out("The park of Lisbon closes at 8 p.m. on Saturdays.", quote) == 0.0


def test_a_column_is_told_in_words() -> None:
    row = "site: Skipton; price_per_kwh_pence: 57; openingHours: 07:00-23:00"
    assert bears_out("At Skipton the price per kWh is 57 pence; its opening hours are 07:00 to 23:00.", row) > 0.8
    assert strange_names("At Skipton a kWh costs 57 pence.", row) == ()
    assert bears_out("sort_keys is on.", "The keys are on, and one may sort.") == 0.0


def test_the_best_sentence_says_the_same() -> None:
    found = best_sentence("Readers do not block the writer in WAL mode.", TEXT)
    assert found is not None
    assert found.quote == "In WAL mode, readers do not block the writer at any time."
    assert best_sentence("Tea is green.", TEXT) is None
    listed = "- Linux\n- 128 MB of free memory\n- Windows is not supported."
    needed = "The Beacon agent needs 128 MB of free memory."
    assert best_sentence(needed, listed) is None, "its subject stands above the list"
    entry = best_sentence(needed, listed, "Beacon agent: requirements")
    assert entry is not None
    assert "128 MB of free memory" in entry.quote
    assert best_sentence("The Beacon agent has requirements.", listed, "Beacon agent: requirements") is None
    assert best_sentence("No, it costs you.", TEXT) is None, "one word is in many sentences"


DISK = "Each sample takes 2 bytes."
ASKED = "We write 300000 samples every 15 seconds. How many GB do 30 days take?"


@pytest.mark.parametrize(
    ("text", "strange"),
    [
        ("It takes 104 GB: 300000 / 15 = 20000 and 30 × 86400 × 20000 × 2 = 103680000000 bytes.", ()),
        ("It takes 103.68 GB: 300000 / 15 = 20000 and 30 × 24 × 3600 × 20000 × 2 = 103680000000 bytes.", ()),
        ("It takes 110 GB: 300000 / 15 = 20000 and 30 × 86400 × 20000 × 2 = 103680000000 bytes.", (110.0,)),
        ("It takes 86400 bytes.", (86400.0,)),
        ("It takes 86400 × 24 = 2073600 bytes.", (86400.0, 24.0, 2073600.0)),
    ],
)
def test_a_calculation_may_have_the_factors_of_units(text: str, strange: tuple[float, ...]) -> None:
    assert strange_numbers(text, DISK, asked=ASKED) == strange


def test_a_whole_number_may_tell_an_amount_in_another_unit_but_not_much_less() -> None:
    assert strange_numbers("It takes 2 hours.", "It takes 121 minutes.") == ()
    assert strange_numbers("It takes 1 hour.", "It takes 61 minutes.") == (1.0,)
