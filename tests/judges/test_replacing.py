"""Which document says that it replaces another one, and when that is said of all of it."""

from datetime import date

import pytest

from calibrant.judges.free.comparing.replacing import replaces, supersedes
from calibrant.state.evidence import Evidence
from tests.judges.test_age import document


def test_a_document_replaces_the_one_that_it_names() -> None:
    handbook = document("Harlow staff handbook", "Costs are refunded.", "handbook.md")
    update = document("Travel policy", "This replaces the chapter on travel of the staff handbook.", "policy.md")
    held = [handbook, update]
    assert replaces(update.document, handbook.document, held)
    assert not replaces(handbook.document, update.document, held)
    assert not replaces(update.document, document("Price list", name="prices.md").document, held)


RULES = "Rules of the rink"


def version(number: int, line: str, title: str = RULES) -> Evidence:
    return document(title, f"Version {number}, in force from 1 May 202{number}. {line}", f"v{number}.md")


def test_digits_without_end_are_no_version() -> None:
    held = [document(RULES, f"Version {'7' * 5_000}. {line}", name) for line, name in ((".", "a.md"), ("..", "b.md"))]
    assert not replaces(held[1].document, held[0].document, held)


@pytest.mark.parametrize(
    ("line", "title", "expected"),
    [
        ("It replaces version 1.", RULES, (True, True)),
        ("It supersedes all previous versions.", RULES, (True, True)),
        ("It replaces the rules of the rink of 2021.", RULES, (True, True)),
        ("It replaces section 3 of version 1.", RULES, (True, False)),
        ("It amends version 1.", RULES, (True, False)),
        ("It replaces version 0.", RULES, (False, False)),
        ("It is replaced by version 1.", RULES, (False, False)),
        ("It replaces version 1.", "Rules of the pool", (False, False)),
        ("Lamps are replaced once a year.", RULES, (False, False)),
        ("It does not replace version 1.", RULES, (False, False)),
        ("It will be replaced by version 3.", RULES, (False, False)),
        ("It replaces all but version 1.", RULES, (True, False)),
        ("It replaces rules 3 and 4 of the rink.", RULES, (True, False)),
        ("It replaces the rules of the rink of 2019.", RULES, (True, False)),
        ("Substitui a versão 1.", RULES, (True, True)),
        ("Esta edição substitui as edições anteriores.", RULES, (True, True)),
        ("Não substitui a versão 1.", RULES, (False, False)),
        ("É substituída pela versão 1.", RULES, (False, False)),
    ],
)
def test_a_later_version_replaces_the_one_that_it_names(line: str, title: str, expected: tuple[bool, bool]) -> None:
    """As a whole, where it does not name a part of it."""
    old, new = version(1, ""), version(2, line, title)
    held = [old, new]
    assert (replaces(new.document, old.document, held), supersedes(new.document, old.document, held)) == expected
    assert not replaces(old.document, new.document, held)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("This guide replaces the Member Handbook.", (True, True)),
        ("These rules, in force from 1 May 2024, replace the Member Handbook.", (True, True)),
        ("The Boat Guide supersedes the Member Handbook in its entirety.", (True, True)),
        ("From 1 January 2099 this guide replaces the Member Handbook.", (True, False)),
        ("This guide replaces the price list of the Member Handbook.", (True, False)),
        ("This guide replaces the fees in the Member Handbook.", (True, False)),
        ("This guide replaces most of the Member Handbook.", (True, False)),
        ("This guide replaces the Member Handbook for guests.", (True, False)),
        ("This guide replaces the Member Handbook, except for the fees.", (True, False)),
        ("Section 3 of the Member Handbook is replaced as follows.", (True, False)),
        ("This guide has replaced the Member Handbook.", (True, False)),
        ("This guide does not replace the Member Handbook.", (False, False)),
        ("This guide supplements and never supersedes the Member Handbook.", (False, False)),
        ("These rules have been replaced: see the Member Handbook.", (False, False)),
        ("These rules have been superseded by the Member Handbook.", (False, False)),
        ("Superseded, since May 2024, by the Member Handbook.", (False, False)),
        ("It will be replaced next year by the Member Handbook.", (False, False)),
        ("This guide may replace the Member Handbook.", (False, False)),
        ("The Member Handbook replaces these rules.", (False, False)),
        ("Replacement keys are described in the Member Handbook.", (False, False)),
        ("We replace lost member cards as the member handbook says.", (False, False)),
        ("The desk replaces lost keys; see the Member Handbook.", (False, False)),
    ],
)
def test_only_plain_words_replace_a_whole_document(line: str, expected: tuple[bool, bool]) -> None:
    guide, handbook = document("Boat Guide", line, "guide.md"), document("Member Handbook", "Be kind.", "handbook.md")
    held, today = [guide, handbook], date(2026, 1, 1)
    found = supersedes(guide.document, handbook.document, held, today)
    assert (replaces(guide.document, handbook.document, held), found) == expected
    assert not replaces(handbook.document, guide.document, held)


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("Este guia substitui o Manual do Sócio.", (True, True)),
        ("Este guia, em vigor desde 1 de maio de 2024, revoga o Manual do Sócio.", (True, True)),
        ("Fica revogado o Manual do Sócio.", (True, False)),
        ("Este guia substitui a lista de preços do Manual do Sócio.", (True, False)),
        ("A partir de 1 de janeiro de 2099 este guia substitui o Manual do Sócio.", (True, False)),
        ("Este guia não substitui o Manual do Sócio.", (False, False)),
        ("Estas regras foram substituídas: ver o Manual do Sócio.", (False, False)),
        ("Estas regras foram substituídas em 2024 pelo Manual do Sócio.", (False, False)),
        ("Este guia vai substituir o Manual do Sócio.", (False, False)),
        ("Este regulamento, em vigor a partir do dia 1 de maio de 2024, substitui o Manual do Sócio.", (True, True)),
        ("Pelo presente guia fica revogado o Manual do Sócio.", (True, False)),
        ("Este guia substituiu o Manual do Sócio.", (True, False)),
        ("Este guia aplica-se em vez do Manual do Sócio.", (True, False)),
        ("Será substituído no próximo ano: ver o Manual do Sócio.", (False, False)),
        ("É substituído pelo Manual do Sócio.", (False, False)),
    ],
)
def test_only_plain_words_replace_a_portuguese_document(line: str, expected: tuple[bool, bool]) -> None:
    guide, manual = document("Guia de Barcos", line, "guia.md"), document("Manual do Sócio", "Bem-vindo.", "manual.md")
    held = [guide, manual]
    found = supersedes(guide.document, manual.document, held, date(2026, 1, 1))
    assert (replaces(guide.document, manual.document, held), found) == expected


def test_words_that_carry_no_topic_name_no_document() -> None:
    rules = document("Regulamento de uso da piscina", "Bem-vindo.", "piscina.md")
    notice = document("Aviso", "Este aviso substitui a tabela de preços da cantina.", "aviso.md")
    assert not replaces(notice.document, rules.document, [rules, notice])


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("Edition 2019. This edition replaces all previous editions.", "Edition 2025.", (False, False)),
        ("Version 2. It replaces all earlier versions.", "Version 3.", (False, False)),
        ("Edition 2019. This edition replaces the Member Handbook.", "Edition 2025.", (False, False)),
        ("Edition 2025. This edition replaces all previous editions.", "Edition 2019.", (True, True)),
        ("Version 3. It replaces all earlier versions.", "Version 2.", (True, True)),
        ("It replaces all earlier versions.", "Be kind.", (True, False)),
        ("Edição 2019. Substitui as edições anteriores.", "Edição 2025.", (False, False)),
    ],
)
def test_what_is_older_replaces_nothing_newer(old: str, new: str, expected: tuple[bool, bool]) -> None:
    """And where nothing tells which of the two is older, all of none is replaced."""
    one, other = document("Member Handbook", old, "one.md"), document("Member Handbook", new, "other.md")
    held = [one, other]
    assert (replaces(one.document, other.document, held), supersedes(one.document, other.document, held)) == expected


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("file:///handbook.md", "https://else.test/guide", False),
        ("https://club.test/handbook", "https://else.test/guide", False),
        ("https://club.test/handbook", "https://club.test/guide", True),
        ("https://else.test/handbook", "file:///guide.md", True),
    ],
)
def test_a_page_of_the_web_replaces_pages_of_its_own_site_alone(old: str, new: str, expected: bool) -> None:
    handbook = document("Member Handbook", "Be kind.", "handbook.md").replace(url=old)
    guide = document("Boat Guide", "This guide replaces the Member Handbook.", "guide.md").replace(url=new)
    assert supersedes(guide.document, handbook.document, [handbook, guide]) is expected
    assert replaces(guide.document, handbook.document, [handbook, guide]) is expected


def test_a_page_of_the_web_replaces_no_page_that_is_kept() -> None:
    kept = document("Member Handbook", "Be kind.").replace(url="https://club.test/handbook", collection="club")
    page = document("Boat Guide", "This guide replaces the Member Handbook.").replace(url="https://club.test/guide")
    assert not supersedes(page.document, kept.document, [kept, page])
    assert supersedes(page.document, kept.document, [kept, page.replace(collection="club")])
