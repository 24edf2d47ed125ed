"""Relevance: passages are scored one by one; the encoder is asked once for each text."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from calibrant.judges.fitted import READER, SECTIONS, Scale, load, load_reader
from calibrant.judges.free.evidence.above import line_above
from calibrant.judges.free.evidence.features import is_bare, is_structured, lexical_rows
from calibrant.judges.free.evidence.late_interaction import (
    LATE_PASSAGE,
    LATE_SENTENCE,
    CachedEncoder,
    late_features,
    windows,
)
from calibrant.judges.free.evidence.lexical import SENTENCE_FEATURES, sentence_features
from calibrant.judges.free.evidence.matching import keys
from calibrant.judges.free.evidence.query import coverage, left_open, prepare, uncovered
from calibrant.judges.free.evidence.question_form import aspects, without_scene
from calibrant.judges.free.evidence.relevance import Relevance
from calibrant.judges.free.evidence.strangers import strangers, tells_of_another
from calibrant.judges.free.words.tables import is_row
from calibrant.judges.free.words.text import sentences
from calibrant.state.errors import ConfigurationError
from calibrant.state.evidence import Evidence, Locator
from calibrant.state.protocols import Adapter
from calibrant.state.task import Language

QUESTION = "When was the Eiffel Tower built in Paris?"
ANSWER = "The Eiffel Tower in Paris was built from 1887 to 1889 by the company of Gustave Eiffel."
STRAY = "Bananas are an elongated, edible fruit produced by several kinds of large flowering plants."

DIMENSIONS = 384


@dataclass
class Vectors:
    offsets: Sequence[tuple[int, int]]
    vectors: Any
    pooled: Any


@dataclass
class Pair:
    offsets: Sequence[tuple[int, int]]
    vectors: Any
    whole: Any


@dataclass(eq=False)
class WordReader:
    """A word that the first text has too is told by the second where the shipped reader looks for answers."""

    name: str
    seen: list[tuple[str, str]] = field(default_factory=list)

    def encode_pairs(self, first: str, seconds: Sequence[str]) -> list[Pair]:
        self.seen += [(first, second) for second in seconds]
        return [self._one(set(first.lower().split()), second) for second in seconds]

    def _one(self, asked: set[str], text: str) -> Pair:
        reader = load_reader(self.name)
        offsets = [match.span() for match in re.finditer(r"\S+", text)]
        shared = np.array([text[a:b].lower() in asked for a, b in offsets], dtype=float)
        unit = reader.told / float(reader.told @ reader.told)
        threshold = reader.threshold * unit
        return Pair(offsets, np.outer(4.0 * shared - 2.0, unit) + threshold, np.zeros(DIMENSIONS))


@dataclass
class WordEncoder:
    """One vector a word, made from its letters: the same word has the same vector in every text."""

    identity: str = ""
    seen: list[str] = field(default_factory=list)
    reader: WordReader = field(default_factory=lambda: WordReader(READER))
    section_reader: WordReader = field(default_factory=lambda: WordReader(SECTIONS))

    def adapted(self, adapter: Adapter) -> WordReader:
        return next(it for it in (self.reader, self.section_reader) if load_reader(it.name).adapter is adapter)

    def __post_init__(self) -> None:
        self.identity = self.identity or load().encoder("en")

    def encode_tokens(self, texts: Sequence[str]) -> list[Vectors]:
        self.seen += texts
        return [self._one(text) for text in texts]

    def _one(self, text: str) -> Vectors:
        offsets, start = [], 0
        for word in text.split():
            start = text.index(word, start)
            offsets.append((start, start + len(word)))
            start += len(word)
        rows = np.array([self._row(text[a:b].lower().strip("?.,:")) for a, b in offsets]).reshape(-1, DIMENSIONS)
        mean = rows.mean(axis=0) if len(rows) else np.zeros(DIMENSIONS)
        return Vectors(offsets, rows, mean / max(float(np.linalg.norm(mean)), 1e-9))

    @staticmethod
    def _row(word: str) -> Any:
        row = np.random.default_rng(sum(ord(c) * 31**i for i, c in enumerate(word)) % 2**32).normal(size=DIMENSIONS)
        return row / np.linalg.norm(row)


def passage(text: str, key: str = "", title: str = "", **more: Any) -> Evidence:
    return Evidence(
        id=key or text[:20], text=text, title=title, source="knowledge", url=f"file:///{key or text[:9]}", **more
    )


@pytest.mark.parametrize("encoder", [None, WordEncoder()])
def test_the_answering_passage_comes_first(encoder: WordEncoder | None) -> None:
    answer, stray = Relevance(encoder).score(QUESTION, (passage(ANSWER), passage(STRAY)))
    assert answer.logit > stray.logit
    assert answer.encoded is (encoder is not None)
    assert 0.0 <= stray.score < 0.5 < answer.score <= 1.0


def test_a_passage_is_scored_by_itself() -> None:
    alone = Relevance().score(QUESTION, (passage(ANSWER),))[0]
    among = Relevance().score(QUESTION, (passage(STRAY), passage(ANSWER)))[1]
    assert alone == among


def test_no_text_is_encoded_twice() -> None:
    encoder = WordEncoder()
    relevance = Relevance(encoder)
    for _ in range(2):
        relevance.score(QUESTION, (passage(ANSWER), passage(STRAY)))
    assert len(encoder.seen) == len(set(encoder.seen)) == 3
    assert [(first, second.strip()) for first, second in encoder.reader.seen] == [(QUESTION, ANSWER), (QUESTION, STRAY)]


def test_what_stands_in_a_section_has_a_reader_of_its_own() -> None:
    encoder = WordEncoder()
    section = passage(ANSWER, "s", "Towers", locator=Locator(heading="Paris"))
    whole = passage(STRAY, "w", "Fruit", locator=Locator(heading="Fruit"))
    assert (section.is_in_section, whole.is_in_section) == (True, False)
    found = Relevance(encoder).score(QUESTION, (section, whole))
    assert [ANSWER in second for _, second in encoder.section_reader.seen] == [True]
    assert [STRAY in second for _, second in encoder.reader.seen] == [True]
    assert found[0].score > 0.5 > found[1].score


@pytest.mark.parametrize("heading", ["Sights", ""])
def test_of_sections_what_the_search_found_relevant_is_compared_first(heading: str) -> None:
    """Of short pages it is what shares more words. There is room for four of these five passages."""
    filler = " ".join(f"The tower of Paris was seen by visitor number {number}." for number in range(20))

    def section(text: str, key: str, relevance: float) -> Evidence:
        return passage(text, key, "Guide", relevance=relevance, locator=Locator(heading=heading))

    alike = [section(f"{filler} Tower {number}.", f"a{number}", 0.3) for number in range(4)]
    stray = section(f"{STRAY} {filler[:900]}".replace("tower", "hill").replace("Paris", "Rome"), "stray", 0.9)
    found = Relevance(WordEncoder()).score(QUESTION, (*alike, stray))
    assert found[-1].encoded is bool(heading)
    assert all(one.encoded for one in found[:-1]) is not bool(heading)


SCENE = "My CI script runs promtool on Fridays. "
ASKED = "Which status means there was a syntax error?"


def test_of_what_was_said_before_a_question_no_word_is_needed_and_each_counts_half() -> None:
    whole, alone = prepare(SCENE + ASKED), prepare(ASKED)
    assert (whole.text, whole.scene, whole.whole) == (ASKED, SCENE, SCENE + ASKED)
    assert (whole.expects, whole.spans) == (alone.expects, alone.spans)
    assert whole.terms[: len(alone.terms)] == alone.terms
    added = {term.word: term for term in whole.terms[len(alone.terms) :]}
    assert set(added) >= {"promtool", "fridays", "script"}
    assert not any(term.is_name for term in added.values())
    assert {term.word: term.weight for term in prepare("promtool?").terms} == {"promtool": 2 * added["promtool"].weight}


def test_both_are_read_beside_the_passage() -> None:
    encoder = WordEncoder()
    Relevance(encoder).score(SCENE + QUESTION, (passage(ANSWER),))
    assert SCENE + QUESTION in encoder.seen
    assert [first for first, _ in encoder.reader.seen] == [SCENE + QUESTION]


@pytest.mark.parametrize(
    ("question", "asked"),
    [
        ("The disk is full. Will the server start?", "Will the server start?"),
        ("The disk is full! Old logs fill it. Will the server start?", "Will the server start?"),
        ("We use version 2.5 at home. Will the server start?", "Will the server start?"),
        ("Will the server start? The disk is full.", "Will the server start? The disk is full."),
        ("Who sells hamsters? Name three. Which is best?", "Who sells hamsters? Name three. Which is best?"),
        ("The tags fade in the window. Why?", "The tags fade in the window. Why?"),
        ("The disk is full. Does it start?", "The disk is full. Does it start?"),
        ("O disco está cheio. O servidor arranca ainda?", "O servidor arranca ainda?"),
        ("Will the server start?", "Will the server start?"),
        ("", ""),
    ],
)
def test_a_question_has_the_form_of_the_sentence_that_asks(question: str, asked: str) -> None:
    assert without_scene(question) == asked


class OtherWeights(WordEncoder):
    """Its file keeps the weights so that the reader's adapter finds none of them."""

    def adapted(self, adapter: Adapter) -> WordReader:
        raise ConfigurationError("the adapter of the cross-encoder does not belong to this embedding model")


def test_without_the_reader_nothing_is_compared_and_that_is_said() -> None:
    relevance = Relevance(OtherWeights())
    assert not relevance.compares
    assert not any(one.encoded for one in relevance.score(QUESTION, (passage(ANSWER), passage(STRAY))))
    assert "judged by their words alone" in relevance.warnings[0]


def test_the_cache_forgets_the_oldest() -> None:
    encoder = WordEncoder()
    cache = CachedEncoder(encoder, held=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        cache.encode_tokens([text])
    assert encoder.seen == ["a", "b", "c", "b"]


def test_an_unknown_encoder_is_left_aside_and_said() -> None:
    relevance = Relevance(WordEncoder(identity="another"))
    assert not relevance.compares
    assert "another" in relevance.warnings[0]
    assert relevance.score(QUESTION, (passage(ANSWER),))[0].score > 0.5


def test_what_something_costs_is_its_price() -> None:
    query = prepare("How much does the Team plan cost?")
    assert coverage(query, keys("Plan: Team; Price: $29", query.language)) == 1.0
    assert coverage(query, keys("Plan: Team; Storage: 1 TB", query.language)) < 1.0


def test_who_is_spoken_to_is_everybody() -> None:
    query = prepare("How many days of leave do employees get?")
    plain = coverage(query, keys("There are 28 days of leave.", query.language))
    assert coverage(query, keys("You get 28 days of leave.", query.language)) > plain
    assert coverage(prepare("How many days do apprentices get?"), keys("You get 28 days.", query.language)) < 0.5


def test_aspects_are_told_apart() -> None:
    assert len(aspects("Who wrote the book and when was it published?")) == 2
    assert len(aspects("What do dumps and loads do?")) == 1
    assert len(aspects("Quando abre a loja e quanto custa a entrada?")) == 2


def test_identifiers_match_by_their_parts() -> None:
    query = prepare("What does sort_keys do in json.dumps?")
    assert coverage(query, keys("If sort_keys is true, json dumps sorts.", query.language)) == 1.0
    assert [term.word for term in uncovered(query, keys("sort_keys only", query.language))] == ["json.dumps"]


@given(st.lists(st.sampled_from(["tower", "eiffel", "paris", "built", "fruit", "1889"]), max_size=6), st.integers(0, 5))
def test_coverage_grows_with_the_words_held(held: list[str], more: int) -> None:
    query = prepare(QUESTION)
    less = coverage(query, frozenset(held))
    assert (
        0.0
        <= less
        <= coverage(query, frozenset([*held, "tower", "eiffel", "paris", "built"][: len(held) + more]))
        <= 1.0
    )


def lexical(question: str, text: str, title: str = "") -> dict[str, float]:
    query = prepare(question)
    row = sentence_features(query, text, keys(title, query.language), frozenset())
    return dict(zip(SENTENCE_FEATURES, row, strict=True))


def test_what_the_title_says_is_not_counted_twice() -> None:
    stray, answer = "It is a popular place.", "It was built in 1889."
    both = [lexical("When was the Eiffel Tower built?", text, "Eiffel Tower") for text in (stray, answer)]
    assert both[0]["s_cov"] > 0.5
    assert both[0]["s_rest"] == 0.0
    assert both[1]["s_rest"] == 1.0
    assert left_open(prepare("Eiffel Tower?"), keys("Eiffel Tower", Language.ENGLISH)) == prepare("Eiffel Tower?").terms


def test_a_missing_negation_and_a_missing_number_are_seen() -> None:
    question = "Which files are not read in version 3?"
    assert lexical(question, "Version 3 does not read links.")["s_neg"] == 0.0
    assert lexical(question, "Version 3 reads links.")["s_neg"] == 1.0
    assert lexical("Does version 3 read links?", "Version 3 does not read links.")["s_neg"] == 0.0
    assert lexical(question, "Version 2 does not read links.")["s_num"] == 1.0
    assert lexical(question, "It does not read links.", "Version 3")["s_num"] == 0.0
    assert lexical(question, "Version three does not read links.")["s_num"] == 0.0
    assert lexical("What do ten machines share?", "Machines share a queue.")["s_num"] == 0.0
    assert lexical("What was added in 4.2.0?", "Added: backups.", "Changelog > 4.2.0")["s_num"] == 0.0
    assert lexical("What was added in 4.2.0?", "Added: backups.", "Changelog > 4.1.0")["s_num"] == 1.0
    assert lexical("Is there a figure for 64 KiB messages?", "A message has 64 KiB.")["s_num"] == 0.0
    assert lexical("Is there a figure for 64 KiB messages?", "A message has 65,536 bytes.")["s_num"] == 0.0
    assert lexical("Is there a figure for 64 KiB messages?", "Each host has 64 GiB of memory.")["s_num"] == 1.0


@pytest.mark.parametrize(
    ("question", "text", "differs"),
    [
        ("Is there a discount for two years?", "A discount is given for a year.", True),
        ("Is there a discount for two years?", "A discount is given for 2 years.", False),
        ("Is there a discount for two years?", "A discount is given each year.", False),
        ("Há desconto por dois anos?", "O desconto vale por um ano.", True),
    ],
)
def test_a_count_that_differs_is_seen(question: str, text: str, differs: bool) -> None:
    assert lexical(question, text)["s_num"] == float(differs)


@pytest.mark.parametrize(
    ("question", "text", "names"),
    [
        (
            "How long are files kept on the Enterprise plan?",
            "Files are kept for a year on the Team plan.",
            ["enterprise"],
        ),
        ("Quem dirige o escritório do Porto?", "O escritório de Lisboa é dirigido por Paulo.", ["porto"]),
        ("O escritório abre às terças-feiras?", "O escritório abre às sextas-feiras.", ["terças"]),
        ("How many schools are there in Germany?", "There are 12 German schools.", []),
        ("What does the body's shell protect?", "It protects the heart.", []),
        ("How long does it take in the US?", "It takes a day.", []),
        ("Enterprise Plan Price", "The Team plan is $29.", []),
    ],
)
def test_a_name_that_stands_nowhere_is_a_stranger(question: str, text: str, names: list[str]) -> None:
    query = prepare(question)
    assert [term.word for term in strangers(query, keys(text, query.language))] == names


@pytest.mark.parametrize(
    ("question", "text", "another"),
    [
        ("What is the setpoint of node3?", "node1 has a setpoint of 4, node2 of 5.", True),
        ("What is the setpoint of node3?", "node1 has a setpoint of 4, node3 of 5.", False),
        ("What is the setpoint of node3?", "The setpoint is 4.", False),
        ("What is the setpoint of node3?", "rack.node1 > setpoint: 4", True),
        ("What is the setpoint of node3?", "rack.node3 > setpoint: 4", False),
        ("Who is called at SEV2?", "At SEV1 the manager is called.", True),
        ("How many visitors came in 2021?", "In 2019 there were 40 visitors.", True),
        ("How many visitors came in 2021?", "There were 40 visitors.", False),
        ("Are 1024 connections too many?", "It holds 2048 connections.", False),
    ],
)
def test_what_is_told_of_another_one(question: str, text: str, another: bool) -> None:
    query = prepare(question)
    assert tells_of_another(query, keys(text, query.language)) is another


def test_late_features_tell_the_sentence_from_its_title() -> None:
    query, title = prepare("When was the Eiffel Tower built ?"), "Eiffel Tower"
    found = sentences("It is a popular place. It was built in 1889.")
    parts = windows(found, title)
    asked, *encoded = WordEncoder().encode_tokens([query.text, *(part.text for part in parts)])
    each, whole = late_features(query, asked, keys(title, query.language), parts, encoded, len(found))
    stray, answer = (dict(zip(LATE_SENTENCE, row, strict=True)) for row in each)
    assert answer["s_late_rest"] == pytest.approx(1.0)
    assert stray["s_late_rest"] < 0.7
    assert stray["s_late_names"] == answer["s_late_names"] == pytest.approx(1.0)
    assert dict(zip(LATE_PASSAGE, whole, strict=True))["p_late_rest"] == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("How long are files kept on the Team plan?", True),
        ("How long are files kept on the Enterprise plan?", False),
        ("Quem é o responsável pelo escritório de Lisboa?", True),
        ("Quem é o responsável pelo escritório do Porto?", False),
    ],
)
def test_a_name_that_stands_nowhere_costs_the_answer(question: str, named: bool) -> None:
    texts = "Files are kept for 90 days on the Team plan.", "O responsável pelo escritório de Lisboa é Paulo Neves."
    best = max(one.score for one in Relevance().score(question, [passage(text, title="Regras") for text in texts]))
    assert (best > 0.5) is named


def test_of_rows_the_words_may_tell_more_than_the_vectors() -> None:
    rows = "region: eu-south; city: Lisbon; manager: Paulo Neves\nregion: us-east; city: Richmond; manager: Dana White"
    said = "The region eu-south is in the city of Lisbon. Its manager is Paulo Neves."
    assert [is_structured(lexical_rows(prepare("Who manages Lisbon?"), passage(text))) for text in (rows, said)] == [
        True,
        False,
    ]
    evidence = (passage(rows, title="regions.csv"),)
    alone, compared = (
        Relevance(one).score("Who manages the Lisbon region?", evidence) for one in (None, WordEncoder())
    )
    assert compared[0].score >= alone[0].score


def test_a_bare_sentence_has_a_model_of_its_own() -> None:
    assert load().head(True, "en") == "single"
    assert load().head(False, "en") == load().head(True, "pt") == "passage"
    query = prepare(QUESTION)
    items = (passage(ANSWER), passage(ANSWER, title="Tower"), passage(f"{ANSWER} {STRAY}"))
    assert [is_bare(item, lexical_rows(query, item)) for item in items] == [True, False, False]


@given(st.floats(-50, 50), st.floats(-50, 50))
def test_the_scale_rises(one: float, other: float) -> None:
    scale = Scale(low=0.2, high=1.0)
    low, high = sorted((one, other))
    assert 0.0 <= scale.score(low) <= scale.score(high) <= 1.0
    assert scale.score(0.2) == pytest.approx(0.5)
    assert scale.score(1.0) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("title", "heading", "line"),
    [
        ("Runbook", "", "Runbook"),
        ("Runbook", "Runbook > Alerts", "Runbook > Alerts"),
        ("rules.txt", "2. Quiet", "rules.txt 2. Quiet"),
        ("A  title\n in lines", "", "A title in lines"),
        ("Long " * 30, "How to get there", f"{'Long ' * 20}How to get there"),
    ],
)
def test_above_a_passage_its_title_stands_once_and_its_own_heading_whole(title: str, heading: str, line: str) -> None:
    item = Evidence(id="a", text="x", title=title, source="s", url="u", locator=Locator(heading=heading))
    assert line_above(item) == line


def test_of_rows_among_prose_the_words_may_tell_more_too() -> None:
    prose = "The region is chosen when a project is made. It cannot be changed later. A manager answers for each."
    table = "| region | city | manager |\n| --- | --- | --- |\n| eu-south | Lisbon | Paulo Neves |\n"
    item = passage(f"{prose}\n\n{table}")
    assert not is_structured(lexical_rows(prepare("Who manages Lisbon?"), item))
    alone, compared = (Relevance(one).score("Who manages Lisbon?", (item,))[0] for one in (None, WordEncoder()))
    pairs = list(zip(alone.sentences, compared.sentences, strict=True))
    assert compared.encoded
    for one, other in pairs:
        if is_row(one.sentence.text):
            assert other.score >= one.score > 0.0
    assert any(one.score != other.score for one, other in pairs if not is_row(one.sentence.text))
