"""Numbered quotations: one for each run of words that is cited, none for words within another."""

from calibrant.nodes.telling.citing import cite
from calibrant.state.answer import Claim, Span, marks_of
from calibrant.state.evidence import Evidence

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


def test_only_passages_that_are_held_are_cited() -> None:
    assert cited(claim("A disk alarm", eid="c")) == ([], [""])
