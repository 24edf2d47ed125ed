"""Numbered quotations: one for each run of words that is cited, none for words within another."""

import pytest

from calibrant.nodes.telling.citing import cite, render
from calibrant.nodes.telling.phrases import Phrases
from calibrant.state.answer import Claim, Line, Span, Synthesis, Verdict, marks_of
from calibrant.state.evidence import Evidence
from calibrant.state.task import Language

TEXT = "05:47 The gateway is replaced; all chargers are back. A disk alarm is open."
HELD = {eid: Evidence(id=eid, text=TEXT, title="Review", source="knowledge", url=f"file:///{eid}.md") for eid in "ab"}


def claim(*quotes: str, eid: str = "a") -> Claim:
    spans = (Span(evidence_id=eid, quote=quote, start=TEXT.index(quote)) for quote in quotes)
    return Claim(id=quotes[0], text=quotes[0], spans=tuple(spans))


def cited(*claims: Claim) -> tuple[list[str], list[str]]:
    """The quotations in their order, and the marks of each claim."""
    citations = cite(claims, HELD)
    assert [citation.number for citation in citations] == list(range(1, len(citations) + 1))
    return [citation.quote for citation in citations], [marks_of([one], citations) for one in claims]


def test_words_within_a_longer_quotation_are_cited_by_it() -> None:
    part, whole, other = (
        "The gateway is replaced",
        "05:47 The gateway is replaced; all chargers are back",
        "A disk alarm",
    )
    assert cited(claim(part), claim(other), claim(whole)) == ([whole, other], ["[1]", "[2]", "[1]"])
    assert cited(claim(part, other), claim(whole)) == ([whole, other], ["[1][2]", "[1]"])


def test_words_of_another_passage_are_cited_by_themselves() -> None:
    part, whole = "A disk alarm", "A disk alarm is open"
    assert cited(claim(part), claim(whole, eid="b")) == ([part, whole], ["[1]", "[2]"])


@pytest.mark.parametrize(
    ("said", "told"),
    [
        ("It opened in 1889.[7]", "It opened in 1889. [1]"),
        ("It opened.[7][12] It closed![3]", "It opened. It closed! [1]"),
        ("Read sys.argv[1] first.", "Read sys.argv[1] first. [1]"),
        ("The default is x.[1]y", "The default is x.[1]y [1]"),
        ("The list is [7].", "The list is [7]. [1]"),
        ("The list is [7]", "The list is [7] [1]"),
        ("Price; Basic: 29 [2]; Large: on request [12]", "Price; Basic: 29²; Large: on request¹² [1]"),
    ],
)
def test_a_mark_that_a_source_has_names_none_of_ours(said: str, told: str) -> None:
    """The quotation keeps it: that is what stands there."""
    held = {"a": Evidence(id="a", text=said, title="T", source="web", url="https://a.example")}
    stated = Claim(id="c", text=said, spans=(Span(evidence_id="a", quote=said, start=0),))
    citations = cite([stated], held)
    synthesis = Synthesis(lines=(Line(text=said, claim_ids=("c",)),))
    assert render(synthesis, [stated], citations, Phrases(Language.ENGLISH)).startswith(told)
    assert [citation.quote for citation in citations] == [said]


@pytest.mark.parametrize(
    ("lines", "told"),
    [
        (["Run:", "a\nb"], "Run: [1]\n```\na\nb\n```"),
        (["a\nb"], "```\na\nb\n```\n[1]"),
        (["Run:\n```\na\nb\n```"], "Run:\n```\na\nb\n```\n[1]"),
        (["It runs.", "Run:\n```\na\nb\n```"], "It runs. [1]\nRun:\n```\na\nb\n```\n[1]"),
    ],
)
def test_code_stands_in_one_fence_and_is_cited(lines: list[str], told: str) -> None:
    """What announces code cites it too; a sentence that comes with its code cites for itself."""
    held = {"a": Evidence(id="a", text="x", title="T", source="knowledge", url="file:///a.md")}
    span = Span(evidence_id="a", quote="x", start=0)
    stated = [Claim(id=text, text=text, spans=(span,), verdict=Verdict.SUPPORTED) for text in lines]
    synthesis = Synthesis(lines=tuple(Line(text=text, claim_ids=(text,)) for text in lines))
    assert render(synthesis, stated, cite(stated, held), Phrases(Language.ENGLISH)) == told


def test_only_passages_that_are_held_are_cited() -> None:
    assert cited(claim("A disk alarm", eid="c")) == ([], [""])


def test_what_announces_code_may_cite_more_than_the_code() -> None:
    held = {eid: Evidence(id=eid, text=eid, title="T", source="knowledge", url=f"file:///{eid}.md") for eid in "ab"}
    first, second = (Span(evidence_id=eid, quote=eid, start=0) for eid in held)
    lead = Claim(id="lead", text="Run both:", spans=(first, second), verdict=Verdict.SUPPORTED)
    code = Claim(id="code", text="b\nc", spans=(second,), verdict=Verdict.SUPPORTED)
    synthesis = Synthesis(lines=tuple(Line(text=one.text, claim_ids=(one.id,)) for one in (lead, code)))
    told = render(synthesis, [lead, code], cite([lead, code], held), Phrases(Language.ENGLISH))
    assert told == "Run both: [1][2]\n```\nb\nc\n```"
