"""What the benchmarks work on: made by rule, the same each time, and what it says it is."""

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from calibrant.evals.bench.manual import complex_question, found, page, plain_question
from calibrant.evals.bench.results import claims, evidence, question, results
from calibrant.evals.bench.texts import PER_PASSAGE, FixedEncoder, passages, queries, write_files
from calibrant.judges.free.synthesis.conflicts import ConflictJudge
from calibrant.judges.given import ToReconcile
from calibrant.retrievers.knowledge import KnowledgeBase


def test_a_hundred_threads_can_ask_different_questions() -> None:
    assert len({plain_question(number) for number in range(111)}) == 111


@pytest.mark.parametrize("number", [0, 30, 100])
def test_the_page_that_answers_is_found_first(number: int) -> None:
    name, text = found(plain_question(number))[0]
    assert f"the {name} queue" in plain_question(number)
    assert text == page(name)


def test_a_complex_question_needs_three_pages() -> None:
    assert sum(f"the {name} queue" in complex_question(3) for name, _ in found(complex_question(3))) == 3


def test_passages_are_the_same_each_time_and_share_words_as_a_language_does() -> None:
    first, again = list(passages(50)), list(passages(50))
    assert first == again
    assert {len(words) for words in first} == {PER_PASSAGE}
    assert first[0] != first[1]
    counts = Counter(word for one in first for word in one).most_common()
    assert counts[0][1] > 10 * counts[len(counts) // 2][1]


def test_a_query_is_of_one_passage() -> None:
    held = [frozenset(words) for words in passages(40)]
    asked = queries(4, 40)
    assert len(set(asked)) == 4
    assert all(any(set(text.split()) <= words for words in held) for text in asked)


def test_each_passage_becomes_one_chunk(tmp_path: Path) -> None:
    size = write_files(tmp_path / "files", 150)
    base = KnowledgeBase.open(tmp_path / "base", "bench", create=True)
    report = base.ingest([tmp_path / "files"])
    base.close()
    assert report.chunks == 150
    assert size == sum(file.stat().st_size for file in (tmp_path / "files").iterdir())


def test_vectors_are_fixed_normalised_and_near_where_words_are_shared() -> None:
    one, alike, other, nothing = FixedEncoder().encode(["a b c d", "a b c e", "v w x y", ""])
    assert np.allclose(one, FixedEncoder().encode(["a b c d"])[0])
    assert np.linalg.norm(one) == pytest.approx(1.0, abs=1e-5)
    assert one @ alike > one @ other
    assert not nothing.any()


def test_results_quote_their_own_passages() -> None:
    held, items = results(4, 90), evidence(4, 90)
    for result, item in zip(held, items, strict=True):
        assert result.evidence_ids == (item.id,)
        assert all(statement.quote in item.text for statement in result.statements)
    assert len({result.content for result in held}) == 4
    assert len({question(number) for number in range(0, 60, 7)}) > 5


def test_claims_hold_conflicts_that_can_be_found() -> None:
    given = claims(35)
    assert len({claim.text for claim in given}) == 35
    assert ConflictJudge().free(ToReconcile(given)).value
