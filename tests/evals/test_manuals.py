"""Questions over manuals: each asked of its own manual's files, which are brought by git and kept beside the sets."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from calibrant.evals import manuals as held_manuals
from calibrant.evals.data import chosen_datasets
from calibrant.evals.fitting.sections import COUNTS, NEAR_COUNTS, places, sections
from calibrant.evals.halves import HELD_OUT, MANUALS, READ
from calibrant.evals.manuals import Manual, asked, bring, items, main, manuals
from calibrant.evals.runner import Options, run
from calibrant.evals.setup import Setup
from calibrant.evals.tasks.answer import TASK
from calibrant.graph.settings import Machine, Settings
from calibrant.state.errors import InputError

MILL = "# The mill\n\nIt grinds rye.\n\n## Opening hours\n\nThe mill opens at 7:30 on Mondays.\n"
QUARRY = "# The quarry\n\n## Blasting\n\nNobody may enter the quarry at noon, when rock is blasted.\n"


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The folder of the datasets, with two manuals."""
    rows = {
        name: {"repository": f"made.invalid/{name}", "commit": commit, "part": part, "files": ["docs/guide.md"]}
        for name, commit, part in (("mill", "1" * 40, HELD_OUT), ("quarry", "2" * 40, READ))
    }
    questions = [
        {"manual": "mill", "question": "When does the mill open?", "answers": ["7:30"]},
        {"manual": "mill", "question": "When is rock blasted?", "answers": []},
        {"manual": "quarry", "question": "When is rock blasted?", "answers": ["at  NOON"]},
        {"manual": "quarry", "question": "Who may enter the quarry at night?", "answers": []},
    ]
    told = [row | {"where": "docs/guide.md", "kind": "value"} for row in questions]
    content = {"manuals.json": json.dumps(rows), "manuals.jsonl": "".join(f"{json.dumps(row)}\n" for row in told)}
    monkeypatch.setattr(held_manuals, "_content", content.__getitem__)
    for name, text in (("mill", MILL), ("quarry", QUARRY)):
        path = tmp_path / MANUALS / name / "docs" / "guide.md"
        path.parent.mkdir(parents=True)
        path.write_text(text, encoding="utf-8")
    return tmp_path


@pytest.fixture(autouse=True)
def _read_anew() -> Iterator[None]:
    manuals.cache_clear()
    yield
    manuals.cache_clear()


def test_each_question_is_asked_of_its_own_manual(made: Path, tmp_path: Path) -> None:
    setup = Setup(Settings(interactive=False), Machine(data_dir=tmp_path / "data", embeddings="none", datasets=made))
    options = Options(tmp_path / "out", datasets=(MANUALS,), half="all")
    result = asyncio.run(run(TASK, setup, options, lambda *_: None))
    rows = [json.loads(line) for line in (tmp_path / "out" / "items.jsonl").read_text("utf-8").splitlines()]
    told = {row["id"]: row["values"] for row in rows}
    found = [told[one.id] for one in items(made) if one.id in told]
    assert result.datasets == (MANUALS,)
    assert [(one["answered"], one["in_sections"]) for one in found[:2]] == [(True, True), (False, False)]
    assert found[0]["right"]
    assert found[1]["right"], "what only the other manual tells is not answered"


def test_without_their_files_the_other_sets_are_asked_and_they_by_name_are_an_error(made: Path, tmp_path: Path) -> None:
    assert MANUALS in chosen_datasets(TASK, (), made)
    (tmp_path / "none").mkdir()
    assert chosen_datasets(TASK, (), tmp_path / "none") == tuple(name for name in TASK.loaders if name != MANUALS)
    (made / MANUALS / "quarry" / "docs" / "guide.md").unlink()
    with pytest.raises(InputError, match=r"no file .*guide\.md: `python -m calibrant\.evals\.manuals` brings"):
        list(items(made))


def test_what_is_missing_is_brought_at_its_commit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    origin = tmp_path / "origin"

    def git(*arguments: str) -> str:
        command = ["git", "-C", str(origin), "-c", "user.name=a", "-c", "user.email=a@b.invalid", *arguments]
        return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()

    (origin / "docs").mkdir(parents=True)
    git("init", "--quiet")
    git("config", "uploadpack.allowAnySHA1InWant", "true")
    for text in ("then", "later"):
        (origin / "docs" / "guide.md").write_text(text, encoding="utf-8")
        git("add", "docs")
        git("commit", "--quiet", "-m", text)
    commit = git("rev-parse", "HEAD~1")
    for name, value in {
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": f"url.file://{origin}.insteadOf",
        "GIT_CONFIG_VALUE_0": "https://made.invalid/river",
    }.items():
        monkeypatch.setenv(name, value)
    river = Manual("river", "made.invalid/river", commit, READ, ("docs/guide.md",))
    bring(river, tmp_path / "brought")
    assert [path.read_text(encoding="utf-8") for path in river.paths(tmp_path / "brought")] == ["then"]


def test_the_questions_that_ship_name_files_that_are_brought() -> None:
    questions = list(asked())
    assert len({(one.manual.name, one.question) for one in questions}) == len(questions), "asked once"
    for one in questions:
        assert one.where in one.manual.files or not one.answers


def test_the_reader_learns_from_the_sections_that_answer_and_from_those_found_beside_them(made: Path) -> None:
    found = list(sections(made, made / "bases", None))
    of_quarry = [(counts, one) for counts, one in found if one.question == "When is rock blasted?" and one.spans]
    ((counts, one),) = of_quarry
    assert (one.key, one.half, counts) == ("read/quarry", READ, COUNTS)
    assert [one.evidence[0].text[start:end] for start, end in one.spans or ()] == ["at noon"]
    assert one.evidence[0].is_in_section
    others = [(counts, one) for counts, one in found if not one.answerable]
    assert {counts for counts, _ in others} == {NEAR_COUNTS}
    assert {one.question for _, one in others} == {"When does the mill open?", "Who may enter the quarry at night?"}
    assert all("7:30" not in one.evidence[0].text for _, one in others)


@pytest.mark.parametrize(
    ("text", "answers", "found"),
    [
        ("It opens at 7:30, they say.", ["7:30"], ["7:30"]),
        ("Set `max_size` to\n10 MB.", ["to 10 mb"], ["to\n10 MB"]),
        ("port 80801", ["8080"], []),
        ("a, b and a", ["a"], ["a", "a"]),
        ("anything", ["..."], []),
    ],
)
def test_an_answer_stands_where_its_words_do(text: str, answers: list[str], found: list[str]) -> None:
    assert [text[start:end] for start, end in places(text, answers)] == found


def test_without_git_it_is_said_what_is_needed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_DATASETS", str(tmp_path))
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(SystemExit, match="could not be brought, which needs git and the network"):
        main()
