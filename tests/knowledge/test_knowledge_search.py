"""Search: words and vectors together, filters, relevance, and what stays when a part is missing."""

import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from calibrant.retrievers.fusion import reciprocal_ranks
from calibrant.retrievers.knowledge import KnowledgeBase
from calibrant.state.errors import SourceError
from calibrant.state.evidence import Filters, SearchQuery
from calibrant.state.protocols import TextEncoder

Opener = Callable[..., KnowledgeBase]
Encoder = Callable[..., TextEncoder]

CODE = '''"""Encoding."""


def dumps(obj, *, sort_keys=False):
    """Turn obj into a string; with sort_keys the output is sorted."""


def loads(text):
    """Turn a string into an object."""
'''


@pytest.fixture
def base(open_base: Opener, docs: Path) -> KnowledgeBase:
    (docs / "pump.md").write_text("# Pump\n\n## Start\n\nPrime the pump first.\n\n## Stop\n\nClose the valve slowly.\n")
    (docs / "json.py").write_text(CODE)
    (docs / "nota.txt").write_text("A bomba de água precisa de manutenção anual, diz a instrução.")
    made = open_base()
    made.ingest([docs])
    return made


def headings(base: KnowledgeBase, text: str, **options: object) -> list[str]:
    found = base.search(SearchQuery.model_validate({"text": text, **options}))
    return [item.locator.heading or item.title for item in found]


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("How do I start the pump?", "Pump > Start"),
        ("closing valves", "Pump > Stop"),
        ("json.dumps", "json.dumps"),
        ("does dumps sort keys", "json.dumps"),
        ("sortKeys", "json.dumps"),
        ("SORT_KEYS", "json.dumps"),
        ("manutencao da agua", "nota.txt"),
        ("INSTRUCAO", "nota.txt"),
    ],
)
def test_the_right_passage_comes_first(base: KnowledgeBase, text: str, first: str) -> None:
    assert headings(base, text)[0] == first


@pytest.mark.parametrize("text", ["", "what is the", '"', "* OR (", "🙂", "NEAR(pump", "pump\x00valve", "\ud800"])
def test_no_query_breaks_the_search(base: KnowledgeBase, text: str) -> None:
    assert isinstance(base.search(SearchQuery(text=text)), list)


def test_evidence_carries_its_place(base: KnowledgeBase, docs: Path) -> None:
    (item, *_) = base.search(SearchQuery(text="prime the pump"))
    assert (item.source, item.collection, item.title, item.rank) == ("knowledge", "notes", "Pump", 1)
    assert item.url == (docs / "pump.md").as_uri()
    text = (docs / "pump.md").read_text()
    assert text[item.locator.start : item.locator.end] == item.text
    assert (item.locator.line, item.locator.end_line) == (3, 5)
    assert item.published is not None
    assert item.query == "prime the pump"


def test_a_later_passage_brings_the_beginning_of_its_document(open_base: Opener, docs: Path) -> None:
    """It may say how old the document is; half of the number where the beginning is cut would say something else."""
    body = "\n\n".join(f"## Part {number}\n\n{'Valves are closed slowly. ' * 40}" for number in range(3))
    (docs / "rules.md").write_text(
        f"# Rules\n\nIn force since 1 May 2025.\n\n{'Read this. ' * 23}Date 1234567890123456.\n\n{body}"
    )
    (docs / "stock.csv").write_text(
        "part,bought\n" + "".join(f"valve {row},2024-01-{row % 28 + 1:02}\n" for row in range(200))
    )
    made = open_base()
    made.ingest([docs])
    found = made.search(SearchQuery(text="valves closed slowly", limit=20))
    openings = {item.locator.heading: item.opening for item in found if item.title == "Rules"}
    assert openings["Rules > Part 2"].startswith("# Rules\n\nIn force since 1 May 2025.")
    assert openings["Rules > Part 2"].endswith("Date")
    assert openings.get("Rules", "") == ""
    assert {item.opening for item in found if item.kind == "csv"} == {""}


def test_an_identifier_counts_for_more_than_its_parts(open_base: Opener, docs: Path) -> None:
    (docs / "code.py").write_text("def pump_start(valve):\n    return valve\n")
    (docs / "rules.md").write_text("# Pump\n\nThe start of a pump and its return to the store are noted.\n")
    made = open_base()
    made.ingest([docs])
    found = {item.title: item.relevance for item in made.search(SearchQuery(text="What does pump_start return?"))}
    assert found["code"] == pytest.approx(1.0)
    assert found["Pump"] < 0.8
    (same, _) = made.search(SearchQuery(text="What does pumpStart return?"))
    assert same.relevance == pytest.approx(1.0), "no passage has it written so: its parts are what can be found"


def test_relevance_says_how_much_of_the_question_is_there(base: KnowledgeBase) -> None:
    (whole, *_) = base.search(SearchQuery(text="close the valve slowly"))
    (part, *_) = base.search(SearchQuery(text="close the valve on Mars during a thunderstorm"))
    assert whole.relevance == pytest.approx(1.0)
    assert 0.1 < part.relevance < 0.7


@pytest.mark.parametrize(
    ("title", "question"),
    [
        ("zh.txt", "死信队列保存任务多少天？"),
        ("ja.txt", "デッドレターキューはジョブを何日間保存しますか？"),
        ("ko.txt", "대기열이 작업을 보관합니까?"),
    ],
)
def test_words_are_found_where_no_spaces_tell_them_apart(
    open_base: Opener, docs: Path, title: str, question: str
) -> None:
    (docs / "zh.txt").write_text("失败的任务默认重试五次。死信队列把它们保存十四天。")
    (docs / "ja.txt").write_text("デッドレターキューは失敗したジョブを十四日間保存します。")
    (docs / "ko.txt").write_text("데드레터 대기열은 작업을 14일 동안 보관합니다.")
    made = open_base()
    made.ingest([docs])
    assert [item.title for item in made.search(SearchQuery(text=question))][:1] == [title]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kinds": ("code",)}, {"json.py"}),
        ({"paths": ("*.md",)}, {"pump.md"}),
        ({"paths": ("*.md", "docs/*.txt")}, {"pump.md", "nota.txt"}),
        ({"collections": ("notes",)}, {"pump.md", "json.py", "nota.txt"}),
        ({"collections": ("other",)}, set()),
        ({"kinds": ("pdf",)}, set()),
        ({"since": datetime(2030, 1, 1, tzinfo=UTC)}, {"nota.txt"}),
    ],
)
@pytest.mark.parametrize("vectors", [False, True])
def test_filters(
    open_base: Opener,
    base: KnowledgeBase,
    docs: Path,
    filters: dict[str, object],
    expected: set[str],
    vectors: bool,
    word_encoder: Encoder,
) -> None:
    os.utime(docs / "nota.txt", (2e9, 2e9))
    (docs / "nota.txt").write_text((docs / "nota.txt").read_text() + " Fim.")
    os.utime(docs / "nota.txt", (2e9, 2e9))
    base = open_base(encoder=word_encoder() if vectors else None)
    base.ingest([docs])
    base.index_vectors()
    query = SearchQuery(text="pump json bomba", limit=50, filters=Filters.model_validate(filters))
    assert {item.url.rsplit("/", 1)[-1] for item in base.search(query)} == expected


@pytest.mark.parametrize("vectors", [False, True])
def test_held_ids_and_negative_words_are_left_out(
    open_base: Opener, base: KnowledgeBase, vectors: bool, word_encoder: Encoder
) -> None:
    base = open_base(encoder=word_encoder() if vectors else None)
    base.index_vectors()
    (first, *_) = base.search(SearchQuery(text="pump"))
    assert first.id not in {item.id for item in base.search(SearchQuery(text="pump", exclude=(first.id,)))}
    found = base.search(SearchQuery(text="pump", limit=50, negative=("primed", "valves")))
    assert not any("Prime" in item.text or "valve" in item.text for item in found)


def test_reread(base: KnowledgeBase) -> None:
    (start, *_) = base.search(SearchQuery(text="prime"))
    assert [item.text for item in base.reread(["unknown", start.id])] == [start.text]


def test_vectors_find_what_words_do_not(open_base: Opener, docs: Path, word_encoder: Encoder) -> None:
    (docs / "a.txt").write_text("The car is blue.")
    (docs / "b.txt").write_text("The boat is red.")
    base = open_base(encoder=word_encoder(same={"automobile": "car"}))
    base.ingest([docs])
    assert base.search(SearchQuery(text="automobile")) == []
    base.index_vectors()
    found = base.search(SearchQuery(text="automobile"))
    assert [item.text for item in found] == ["The car is blue."]
    assert found[0].relevance > 0


@pytest.mark.parametrize(
    ("error", "said"),
    [(SourceError("the embedding model is away"), "the embedding model is away"), (RuntimeError("secret"), "Runtime")],
)
def test_an_encoder_that_fails_leaves_word_search(
    open_base: Opener, base: KnowledgeBase, word_encoder: Encoder, error: Exception, said: str
) -> None:
    broken = open_base(encoder=word_encoder(fails=error))
    broken.index_vectors()
    assert headings(broken, "start the pump")[0] == "Pump > Start"
    degraded = broken.stats().degraded
    assert degraded is not None
    assert degraded.message.startswith(said)


def test_fusion_by_reciprocal_rank() -> None:
    assert list(reciprocal_ranks([["a", "b", "c"], ["c", "a"]])) == ["a", "c", "b"]
    assert reciprocal_ranks([["a"], ["b", "a", "a"]])["a"] == pytest.approx(1 / 61 + 1 / 62)
    assert reciprocal_ranks([]) == {}


def test_a_day_without_a_zone_means_the_same_wherever_the_machine_stands(
    open_base: Opener, docs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    base = open_base()
    (docs / "a.txt").write_text("The pump is blue.")
    noon = datetime(2025, 1, 31, 12, tzinfo=UTC)
    os.utime(docs / "a.txt", (noon.timestamp(), noon.timestamp()))
    base.ingest([docs])
    monkeypatch.setenv("TZ", "Pacific/Auckland")
    time.tzset()
    try:
        for since, found in ((datetime(2025, 1, 31, 11), 1), (datetime(2025, 1, 31, 13), 0), (datetime(1, 1, 1), 1)):
            assert len(base.search(SearchQuery(text="pump", filters=Filters(since=since)))) == found
    finally:
        monkeypatch.undo()
        time.tzset()


@pytest.mark.parametrize(
    ("modified", "day"),
    [
        (0.0, datetime(1970, 1, 1, tzinfo=UTC)),
        (253_402_300_799.0, datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)),
        (253_402_300_800.0, None),
        (-1e12, None),
    ],
)
def test_a_file_of_a_day_that_no_calendar_has_is_found(
    open_base: Opener, docs: Path, tmp_path: Path, modified: float, day: datetime | None
) -> None:
    base = open_base()
    (docs / "a.txt").write_text("The pump is blue.")
    base.ingest([docs])
    # Not by ``os.utime``: which days a file can have is the file system's affair.
    with closing(sqlite3.connect(tmp_path / "data/knowledge/notes/knowledge.db")) as held, held:
        held.execute("UPDATE documents SET modified = ?", (modified,))
    assert [item.published for item in base.search(SearchQuery(text="pump"))] == [day]


def test_copies_of_a_file_take_no_other_passages_place(open_base: Opener, docs: Path) -> None:
    base = open_base()
    for number in range(30):
        (docs / f"copy{number}.txt").write_text("The pump of the tank is serviced by the pump crew.")
    (docs / "other.txt").write_text("The pump is switched off on Sundays.")
    base.ingest([docs])
    query = SearchQuery(text="pump of the tank", limit=5)
    first = base.search(query)
    assert [item.text.split()[-1] for item in first] == ["crew.", "Sundays."]
    held = tuple(item.id for item in first)
    assert base.search(query.replace(exclude=held)) == []
    assert len(base.reread([item.id for item in first])) == 2


def test_the_same_words_under_two_headings_are_two_passages(open_base: Opener, docs: Path) -> None:
    base = open_base()
    (docs / "a.md").write_text("# open\n\nReturns true on success.\n\n# close\n\nReturns true on success.\n")
    base.ingest([docs])
    query = SearchQuery(text="returns true", limit=5)
    first, second = base.search(query)
    assert {first.locator.heading, second.locator.heading} == {"open", "close"}
    assert [item.id for item in base.search(query.replace(exclude=(first.id,)))] == [second.id]


def test_a_row_far_down_a_table_is_found_by_its_column_and_knows_it(open_base: Opener, docs: Path) -> None:
    rows = "\n".join(f"| Person {number} | ward {number % 7} | {2000 + number} |" for number in range(80))
    (docs / "staff.md").write_text(f"# Staff\n\n| Name | Ward | Pager |\n|---|---|---|\n{rows}\n")
    base = open_base()
    base.ingest([docs])
    best = base.search(SearchQuery(text="pager of Person 77"))[0]
    assert "| Person 77 | ward 0 | 2077 |" in best.text
    assert (best.locator.heading, best.locator.columns) == ("Staff", ("Name", "Ward", "Pager"))
    assert base.reread([best.id])[0].locator == best.locator


@pytest.mark.parametrize("name", ["staff.csv", "staff.md"])
def test_a_passage_knows_whether_its_table_goes_on_in_the_next(open_base: Opener, tmp_path: Path, name: str) -> None:
    rows = [("Name", "Room", "Task"), *((f"Person {number}", f"room {number}", "x" * 40) for number in range(60))]
    csv = "\n".join(",".join(row) for row in rows)
    table = "\n".join(f"| {' | '.join(row)} |" for row in [rows[0], ("---",) * 3, *rows[1:]])
    file = tmp_path / name
    file.write_text(csv if name.endswith(".csv") else f"Who is who.\n\n{table}\n\n# The end\n\nGood night.\n")
    base = open_base()
    base.ingest([file])
    found = sorted(base.search(SearchQuery(text="person room", limit=20)), key=lambda item: item.locator.start)
    assert len(found) > 2
    assert [item.locator.goes_on for item in found] == [True] * (len(found) - 1) + [False]
