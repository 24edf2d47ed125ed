"""Quotes: found where they stand, nearly found where a model was careless, and not found where they are not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.free.comparing.unsourced import strange_numbers
from calibrant.judges.model.passages import window
from calibrant.judges.model.quoting import (
    bears_out,
    best_sentence,
    denied,
    locate,
    overlap,
    parts_found,
    prose,
    strange_names,
)

TEXT = (
    "The “default” busy timeout is 0 ms,\nso a second writer fails at once. It costs $5 (about 10%). "
    "A duração padrão é de três segundos. In WAL mode, readers do not block the writer at any time. "
    "It is read with `load()`, and then. With the so\u00adft hy\u200bphen, _never_ guess. "
    "A back\u2011\n  off doubles the wait."
)


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        ("busy timeout is 0 ms", "busy timeout is 0 ms"),
        ('THE "default"   busy timeout', "The “default” busy timeout"),
        ("timeout is 0 ms, so a second writer", "timeout is 0 ms,\nso a second writer"),
        ("a duracao padrao", "A duração padrão"),
        ("It costs 5 (about 10", "It costs $5 (about 10%)."[:-1]),
        ("readers ... do not block the writer at any time", "do not block the writer at any time"),
        ("read with load", "read with `load()`"),
        ("`load()`, and", "`load()`, and"),
        ("the soft hyphen", "the so\u00adft hy\u200bphen"),
        ("never guess", "_never_ guess"),
        ("a backoff", "A back\u2011\n  off"),
        ("a back-off doubles", "A back\u2011\n  off doubles"),
        ("in WAL mode readers don't block the writer at any time", None),
        (
            "In the WAL mode, readers do not block the writer at any time",
            "In WAL mode, readers do not block the writer",
        ),
        ("so a second writer fails at once. It costs $6", None),
        ("nothing like it anywhere in this text", None),
        ("writers", None),
        ("", None),
        ("...", None),
    ],
)
def test_locate(quote: str, found: str | None) -> None:
    where = locate(quote, TEXT)
    if found is None:
        assert where is None or quote.startswith("in WAL")
    else:
        assert where is not None
        assert where.quote.startswith(found) or found in where.quote
        assert TEXT[where.start : where.end] == where.quote


@pytest.mark.parametrize(
    ("quote", "found"),
    [
        (
            "gothic art emerged in france in early 12th century at abbey church built by abbot suger",
            "Gothic art emerged in France in the early 12th century at the abbey church built by Abbot Suger.",
        ),
        (
            "Gothic art started in France in the early 12th century at the abbey church made by Abbot Suger",
            "Gothic art emerged in France in the early 12th century at the abbey church built by Abbot Suger.",
        ),
        (
            "emerged in the France in the early 12th century, at the old abbey church",
            "emerged in France in the early 12th century at the abbey church",
        ),
        ("Gothic art emerged in France in the early 13th century at the abbey church built by Abbot Suger", None),
        ("Gothic art in the abbey church of France was by Abbot Suger in the century", None),
    ],
    ids=["without articles", "two other words", "with more words", "another number", "in another order"],
)
def test_a_careless_copy_is_found_from_its_first_word_to_its_last(quote: str, found: str | None) -> None:
    text = (
        "Much was built of stone. Gothic art emerged in France in the early 12th century at the abbey church built by "
        "Abbot Suger. It spread to the north."
    )
    where = locate(quote, text)
    assert (where.quote.rstrip(".") if where else None) == (found.rstrip(".") if found else None)


@pytest.mark.parametrize(
    ("quote", "is_found"),
    [
        ("Applications are made within 6 months after the purchase", True),
        ("Applications are made within six months after one purchase", True),
        ("Applications are made within 7 months after the purchase", False),
        ("Applications are made within seven months after the purchase", False),
        ("Applications are made within some months after the purchase", False),
    ],
)
def test_a_number_may_be_copied_in_digits_and_is_no_other_one(quote: str, is_found: bool) -> None:
    assert (locate(quote, "Applications are made within six months after the purchase.") is not None) is is_found


@given(st.text(max_size=80), st.text(max_size=200))
def test_what_is_found_stands_there(quote: str, text: str) -> None:
    where = locate(quote, text)
    assert where is None or text[where.start : where.end] == where.quote


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


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Backups lie in Frankfurt and in Paris.", ("Paris",)),
        ("The plan named Enterprise has backups in Dublin.", ("Enterprise",)),
        ("No copy leaves the EU for a European on a Monday.", ()),
        ("As cópias ficam em Francoforte.", ()),
        ('The film named "You\'re Next" is told of.', ()),
        ("Since Frankfurt is full, they lie in Dublin. Although European, none leaves.", ()),
        ("Use Dublin. According to Enterprise it is full.", ("Enterprise",)),
        ("Siemens Frankfurt has backups.", ("Siemens",)),
        ("Desde Dublin as cópias não saem da União Europeia.", ()),
    ],
)
def test_a_name_must_have_a_source(text: str, names: tuple[str, ...]) -> None:
    held = "Backups are stored in Frankfurt and Dublin. No copy leaves the European Union.", "You're Next?"
    assert strange_names(text, *held) == names


@pytest.mark.parametrize(
    ("held", "names"),
    [("It is 20 euros each.", ()), ("São 20 € por mês, 3 no máximo. It is.", ()), ("It is 20 dollars.", ("EUR",))],
)
def test_money_has_more_than_one_name(held: str, names: tuple[str, ...]) -> None:
    assert strange_names("It comes to EUR 60 for three.", held) == names


def test_what_was_proposed_is_not_decided() -> None:
    proposed = "Sofia proposed a pilot of the four-day week. She brings two variants, one with a free day in turn."
    assert not denied("No free day was fixed: the four-day week was only a pilot that Sofia proposed.", proposed)
    assert not denied("Nenhum dia livre foi decidido: Sofia só propôs um piloto.", "Sofia propôs um piloto de um dia.")
    decided = "The leads decided on a pilot of the four-day week, with a free day in turn."
    assert denied("No pilot of the four-day week with a free day in turn was decided.", decided)


def test_a_denial_in_other_words_is_not_the_opposite() -> None:
    quote = "cannot be switched off by users once an administrator has made it mandatory"
    assert not denied("Users cannot turn it off if an administrator has made it mandatory.", quote)
    assert denied("It can be switched off by users once an administrator has made it mandatory.", quote)


@pytest.mark.parametrize(
    ("statement", "quote", "is_denied"),
    [
        (
            "The root cause of the outage of 3 May is unknown.",
            "We do not know the root cause of the outage of 3 May yet.",
            False,
        ),
        ("The root cause isn't known.", "The root cause is unknown.", False),
        ("The export is illegal in Brazil.", "The export is not legal in Brazil.", False),
        ("The root cause is known.", "The root cause is not known.", True),
        ("The invoices are kept in Brazil.", "The invoices are not kept in Brazil.", True),
    ],
)
def test_a_word_may_deny_by_its_beginning(statement: str, quote: str, is_denied: bool) -> None:
    assert denied(statement, quote) is is_denied


@pytest.mark.parametrize(
    ("statement", "quote", "is_denied"),
    [
        ("In 2.0 support for barns was dropped.", "Barns are no longer supported.", False),
        ("Keys of the old gate stopped working.", "Keys of the old gate no longer work.", False),
        ("Geese are excluded from the discount.", "The discount does not apply to geese.", False),
        ("The old lock must be kept until step 4.", "Never remove the old lock before step 4.", False),
        ("O desconto exclui os gansos.", "O desconto não se aplica aos gansos.", False),
        ("Keys of the old gate work.", "Keys of the old gate no longer work.", True),
    ],
)
def test_a_verb_may_deny_by_what_it_means(statement: str, quote: str, is_denied: bool) -> None:
    assert denied(statement, quote) is is_denied


@pytest.mark.parametrize(
    ("statement", "quote", "is_denied"),
    [
        ("Receipts have to be handed in.", "Receipts that are not handed in are not paid.", False),
        ("The primary acknowledges it.", "If the primary does not acknowledge it, the secondary is paged.", False),
        ("O recibo tem de ser entregue.", "O recibo que não foi entregue não é pago.", False),
        ("The file is kept.", "The file that you deleted is not kept.", True),
    ],
)
def test_what_is_denied_of_another_case_is_not_denied(statement: str, quote: str, is_denied: bool) -> None:
    assert denied(statement, quote) is is_denied


def test_two_sentences_may_be_quoted_without_what_stands_between() -> None:
    text = "Queues are durable. They are kept on disk. A queue holds 10 jobs."
    assert parts_found("Queues are durable. A queue holds 10 jobs.", [text]) == [
        "Queues are durable.",
        "A queue holds 10 jobs",
    ]
    assert parts_found("They are kept on disk. A queue holds 10 jobs", [text]) == [
        "They are kept on disk. A queue holds 10 jobs"
    ]


def test_a_percentage_is_quoted_with_its_sign() -> None:
    where = locate("with 150", "It is paid with 150 % of the pay.")
    assert where is not None
    assert where.quote == "with 150 %"


def test_not_both_denies_nothing_of_one() -> None:
    quote = "AMG is a company headquartered in Massachusetts"
    assert not denied("No, Duke and AMG are not both based in Massachusetts: only AMG is.", quote)
    assert not denied("Não, nem ambas ficam em Massachusetts: só a AMG.", quote)
    assert denied("AMG is a company not headquartered in Massachusetts.", quote)


def test_a_number_that_was_asked_with_is_denied_by_no_price_that_a_calculation_starts_from() -> None:
    quote = "sku: MF-EN; product: Meterflow; tier: Enterprise; unit: per 1000 meters; price_eur_month: 58"
    stated = "140000 meters on Meterflow Enterprise cost 8,120 EUR per month (140 × 58 = 8,120)."
    assert denied(stated, quote)
    assert not denied(stated, quote, asked="What do 140000 meters cost?")


@pytest.mark.parametrize(
    ("statement", "quote", "asked"),
    [
        ("12 gates are not locked (20 − 8 = 12).", "The harbour has 20 gates, of which 8 are locked.", ""),
        (
            "Em maio, 16 queixas não eram sobre atrasos (37 − 21 = 16).",
            "Em maio houve 37 queixas, 21 sobre atrasos.",
            "",
        ),
        (
            "Eight lamps and load bulbs are kept in room 2 in all (2 + 6 = 8).",
            "Two tide lamps (type K-40) and six load bulbs (type B-9) are kept in room 2.",
            "How many lamps and load bulbs are kept in room 2 in all?",
        ),
    ],
)
def test_what_is_worked_out_is_denied_by_no_number_that_it_starts_from(statement: str, quote: str, asked: str) -> None:
    assert not denied(statement, quote, asked=asked)


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


def test_prose_has_no_links_of_a_models_own() -> None:
    assert prose("See [docs](http://x.y) at http://a.b/c [S1].\nNow (C1, C2)") == "See docs at . Now"
    assert prose("Use http://localhost:8000/v1 here", "it serves http://localhost:8000/v1") == (
        "Use http://localhost:8000/v1 here"
    )
    assert prose("Take the **Team plan**, with **two** seats, f(**options), 2**3") == (
        "Take the Team plan, with two seats, f(**options), 2**3"
    )
    assert prose("Run `wget https://a.b/c.asc`.", "run wget https://a.b/c.asc") == "Run `wget https://a.b/c.asc`."
    code = "Use:\n```sh\na  1\n  b 2\n```\nThen go."
    assert prose(code, "$ a 1 b 2") == "Use:\n```\na  1\n  b 2\n```\nThen go."
    assert prose(code, "$ a 1 b 3") == "Use:\nThen go."
    command = "Use:\n```\nship back APP --to V --force\n```\nThen go."
    assert prose(command, "Run `ship back APP --to V`. Only where needed, add `--force`.") == command
    assert prose(command, "Run `ship back APP --to V`. Nothing forces it.") == "Use:\nThen go."
    assert prose(command, "ship, back, APP, --to, V, --force") == "Use:\nThen go."
    assert prose("Write **bold** so", "it is written **bold**") == "Write **bold** so"
    rows = "| Barn | Bales |\n|---|---|\n| **East** | 40 |"
    assert prose(f"There are two.\nThe barns:\n\n{rows}\nThat is\nall.") == (
        f"There are two.\n{rows.replace('**', '')}\nThat is all."
    )
    assert prose("a | b\n| c |") == "a | b | c |"
    assert prose("To open it:\n1. Lift the **bar**.\n2. Push [S1].") == "1. Lift the bar.\n2. Push."
    assert prose("It is open:\n- always, and\nnow.") == "It is open: - always, and now."
    assert prose("word " * 500, limit=50).endswith(" …")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("Locks are short (Source: S2).", "Locks are short."),
        ("Locks [S1, S2] are short (see passages S1 and S3).", "Locks are short."),
        ("According to S2, locks are short.", "Locks are short."),
        ("As stated in passages S1 and S2, locks are short.", "Locks are short."),
        ("Segundo o trecho S1, a tranca é curta.", "A tranca é curta."),
        ("According to the manual, locks are short.", "According to the manual, locks are short."),
        ("The Galaxy (S9) is short.", "The Galaxy (S9) is short."),
    ],
)
def test_prose_names_no_id_of_the_prompt(text: str, told: str) -> None:
    assert prose(text, "The Galaxy (S9) is a telephone.") == told


def test_a_window_shows_the_part_that_matters() -> None:
    text = "Filler sentence here. " * 200 + "The busy timeout is zero. " + "Filler sentence here. " * 200
    shown = window(text, "busy timeout", 100)
    assert "busy timeout is zero" in shown
    assert len(shown) <= 410
    assert shown.startswith("… ")
    assert shown.endswith(" …")
    assert window("short", "busy", 100) == "short"
