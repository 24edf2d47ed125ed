"""What documents say of their own age, and which one replaces which."""

from datetime import UTC, date, datetime

import pytest

from calibrant.judges.free.evidence.age import Age, age_of, day_of, is_newer, moment_of
from calibrant.state.evidence import Evidence, Locator


def document(title: str, text: str = "", name: str = "a.md", heading: str = "", start: int = 0) -> Evidence:
    place = Locator(heading=heading, start=start)
    return Evidence(id=name, text=text, title=title, source="knowledge", url=f"file:///{name}", locator=place)


@pytest.mark.parametrize(
    ("item", "age"),
    [
        (document("Staff handbook, edition 2023"), (2023, 0, 0)),
        (document("Travel policy", "In force since 1 May 2025. It holds for all."), (2025, 5, 1)),
        (document("Ward", "Information.\n\nThe ward.\n\nLast revised: March 2021"), (2021, 3, 0)),
        (document("Minutes", name="minutes-2025-03-18.md"), (2025, 3, 18)),
        (document("Changelog", heading="Changelog > 4.2.0 (2025-05-06)", start=90), (2025, 5, 6)),
        (document("Amendment of 15 January 2025 to the agreement of 4 April 2023"), (2025, 1, 15)),
        (document("Report", "# Report\n\nStatus.\n\nPrepared by Ana Silva, 12 April 2025"), (2025, 4, 12)),
        (document("Contract", "It runs until 31 March 2026."), None),
        (document("Enfermaria", "Informações.\n\nA ala.\n\nÚltima atualização: março de 2021"), (2021, 3, 0)),
        (document("Tabela de preços", "Válida a partir do dia 1 de fevereiro de 2026."), (2026, 2, 1)),
        (document("Ata da reunião de 12/03/2025"), (2025, 3, 12)),
        (document("Contrato", "Vigora até ao dia 31 de março de 2026."), None),
        (document("Roof", "The roof. It is old. The last storm of 4 April 2023 damaged it."), None),
        (document("Roof", "It was renewed. In force since 2020.", start=400), None),
    ],
)
def test_what_a_document_says_of_its_age(item: Evidence, age: Age | None) -> None:
    assert age_of(item.document, "The fee is 12 euros.", [item]) == age


@pytest.mark.parametrize(
    ("item", "day"),
    [
        (document("Travel policy", "Version 4.2, effective 1 May 2025."), "2025-05-01"),
        (document("Runbook", "# Runbook\n\nLast reviewed 2025-05-22 by Ann."), "2025-05-22"),
        (document("Ward", "Information.\n\nThe ward.\n\nLast revised: March 2021"), "2021-03"),
        (document("Staff handbook, edition 2023"), "2023"),
        (document("Minutes", name="minutes-2025-03-18.md"), "2025-03-18"),
        (document("The 2008 Sichuan earthquake", "It struck on 12 May 2008."), ""),
        (document("Incident", name="ir-2024-12.md"), "2024-12"),
        (document("Incident", name="ir-2024-13.md"), ""),
        (document("Incident", name="ir-2024-19.md"), ""),
        (document("Incident", name="ir-2024-00.md"), ""),
        (document("Minutes", name="minutes-2025-03-31.md"), "2025-03-31"),
        (document("Minutes", name="minutes-2025-03-32.md"), "2025-03"),
        (document("Report", "# Report\n\nPrepared by Ana Silva, 12 April 2025"), "2025-04-12"),
        (document("Report", "# Report\n\nPrepared by Ana Silva on 12 April 2025"), "2025-04-12"),
        (document("Report", "# Report\n\nWritten by Rui Costa, head of IT, 2 June 2025."), "2025-06-02"),
        (document("Relatório", "# Relatório\n\nElaborado por Ana Silva, 12 de abril de 2025"), "2025-04-12"),
        (document("Manual", "# Manual\n\nVersion 2.6, September 2025"), "2025-09"),
        (document("Manual", "# Manual\n\nVersion 2.6 for the fair, opened September 2025"), ""),
        (document("Report", "# Report\n\nPrepared by Ana Silva for the storm of 12 April 2025"), ""),
        (document("Play", "It was written by Ana Silva, 12 April 2025."), ""),
        (document("Storm", "The storm hit Lisbon, 12 April 2025."), ""),
        (document("Fees", "Effective 1 March."), ""),
        (document("World cup", name="1998-world-cup.md"), ""),
        (document("The Chronicle", "The Chronicle was first published on 28 June 1769."), ""),
        (document("The mayor", "He served two terms, from 1998 to 2005."), ""),
        (document("The county", "As of the 2010 census, it has 29,957 people."), ""),
        (document("The show", "The current edition of the show of Ben Maller since 6 January 2014."), ""),
        (document("Guide", "This guide was last updated on 3 March 2025."), "2025-03-03"),
        (document("Rules", "Owner: Ann | Version 4.2 | Effective 1 March 2024 | For all"), "2024-03-01"),
        (document("ADR 12", "# ADR 12\n\nDate: 2025-01-27\n\nStatus: accepted"), "2025-01-27"),
        (document("Ata", "# Ata\n\nData: 27 de janeiro de 2025"), "2025-01-27"),
        (document("Fair", "The date: 27 January 2025 was too early for the fair."), ""),
        (document("Questions", "# Questions\n\nWritten in November 2024."), "2024-11"),
        (document("Terms", "# Terms\n\n*Last changed on 12 June 2026*"), "2026-06-12"),
        (document("Terms", "Owner: Ann | Last modified: 2026-06-12 | For all"), "2026-06-12"),
        (document("Log", "# Log\n\nWritten on 18 September 2026 by the storage team."), "2026-09-18"),
        (document("Page", "This page was changed on 12 June 2026."), "2026-06-12"),
        (document("Regras", "# Regras\n\nEscrito em novembro de 2024."), "2024-11"),
        (document("Regras", "# Regras\n\nÚltima alteração: 12 de junho de 2026"), "2026-06-12"),
        (document("Regras", "Esta página foi modificada pela última vez em 12 de junho de 2026."), "2026-06-12"),
        (document("The Tempest", "Written in 1611."), ""),
        (document("The Tempest", "Written in November 1611, it was first played in the same month."), ""),
        (document("The Tempest", "A play (written in November 1611)."), ""),
        (document("The Tempest", "It was written in November 1611."), ""),
        (document("Fees", "The fee was changed on 12 June 2026."), ""),
        (document("Fees", "Fees last changed on 12 June 2026."), ""),
        (document("Fees", "The rules do not say whether this fee was changed on 12 June 2026."), ""),
        (document("Tarifas", "A tarifa foi alterada em 12 de junho de 2026."), ""),
        (document("Roof", "Written on 2 July 2024.", start=400), ""),
        (document("Roof", "In force since 2020.", start=400), ""),
        (document("Post").replace(published=datetime(2026, 3, 4, tzinfo=UTC)), "2026-03-04"),
        (document("File").replace(published=datetime(2026, 3, 4, tzinfo=UTC), collection="notes"), ""),
    ],
)
def test_when_a_passage_is_from_is_told_where_that_is_said(item: Evidence, day: str) -> None:
    """A year in a title may be what the document is about; when a file was written here says nothing."""
    assert day_of(item, [item]) == day


@pytest.mark.parametrize(
    ("item", "day"),
    [
        (document("Report", "Prepared by Ana Silva, 12 April 2025"), date(2025, 4, 12)),
        (document("Manual", "Version 2.6, February 2024"), date(2024, 2, 29)),
        (document("Handbook, edition 2023"), date(2023, 12, 31)),
        (document("Handbook, edition of 31 June 2023"), date(2023, 6, 30)),
        (document("Handbook"), date(2026, 3, 4)),
    ],
)
def test_the_last_day_that_a_passage_may_be_from(item: Evidence, day: date) -> None:
    """Where its file was written only counts where the document tells nothing."""
    here = item.replace(published=datetime(2026, 3, 4, tzinfo=UTC), collection="notes")
    told = moment_of(here, [here])
    assert told is not None
    assert told.date() == day
    assert moment_of(item, [item]) == (None if item.title == "Handbook" else told)


def test_the_opening_of_a_document_dates_all_of_it() -> None:
    first = document("Policy", "Effective 1 March 2025.")
    later = document("Policy", "Laptops are reported within 2 hours.", start=900)
    assert day_of(later, [first, later]) == "2025-03-01"


def test_a_passage_that_brings_the_opening_of_its_document_needs_no_other() -> None:
    later = document("Policy", "Laptops are reported within 2 hours.", start=900)
    dated = later.replace(opening="# Policy\n\nOwned by Ann. Effective 1 March 2025.")
    assert (day_of(later, [later]), day_of(dated, [dated])) == ("", "2025-03-01")
    assert age_of(dated.document, "The fee is 12 euros.", [dated]) == (2025, 3, 1)


def test_a_date_in_an_opening_is_the_documents_own_only_behind_a_word_that_says_so() -> None:
    told = document("Flood", "The dam broke.", start=900).replace(opening="The flood of 4 April 2023 took the mill.")
    assert age_of(told.document, "The dam broke.", [told]) is None


def test_since_when_a_sentence_holds_is_its_age() -> None:
    item = document("Staff handbook, edition 2023")
    assert age_of(item.document, "The fee has been 12 euros since March 2024.", [item]) == (2024, 3, 0)


@pytest.mark.parametrize(
    ("one", "other", "newer"),
    [
        ((2025, 5, 1), (2023, 0, 0), True),
        ((2025, 0, 0), (2025, 5, 1), None),
        ((2025, 4, 30), (2025, 5, 1), False),
        ((2025, 5, 1), (2025, 5, 1), None),
    ],
)
def test_which_is_newer_is_told_by_what_both_say(one: Age, other: Age, newer: bool | None) -> None:
    assert is_newer(one, other) is newer
