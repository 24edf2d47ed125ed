"""What a passage denies, and what only looks like it."""

import pytest

from calibrant.judges.model.denials import denied


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
        ("Geese without milk get ill.", "We show that milk-deficient geese get ill.", False),
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


def test_a_value_of_the_askers_own_in_code_is_denied_by_no_other_one() -> None:
    quote, asked = "To limit the barns of a farm, set this: limit_per_farm = 5", "How do I let a farm have 3 barns?"
    told = "To limit each farm to 3 barns, set this:\n```\nlimit_per_farm = 3\n```"
    assert not denied(told, quote, asked=asked)
    assert denied("The limit of the barns of a farm is 3.", "The limit of the barns of a farm is 5.", asked=asked)


@pytest.mark.parametrize("marked", ["_will not_ disable", "will _not_ disable", "will **not** disable"])
def test_a_denial_may_be_emphasized(marked: str) -> None:
    assert not denied("GitHub will not disable forks.", f"GitHub {marked} forks.")
    assert denied("GitHub will disable forks.", f"GitHub {marked} forks.")
