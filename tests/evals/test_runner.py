"""A run: what is judged, kept, reused, tried again, compared."""

import asyncio
import json
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from calibrant.evals import data, extras, figures, metrics, store
from calibrant.evals.halves import FIT, HELD_OUT
from calibrant.evals.results import changes
from calibrant.evals.setup import Setup
from calibrant.evals.task import Figure, Item, Sample, Task, Verdict, each
from calibrant.state.errors import InputError, ModelTimeout, ModelUnusable
from tests.evals.conftest import Evaluate


class Judge:
    """Says what it is told to, and remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.fails: dict[str, Exception] = {}
        self.cannot: set[str] = set()
        self.sure = 0.9

    async def __call__(self, setup: Setup, item: Item) -> Verdict:
        self.asked.append(item.given)
        if item.given in self.fails:
            raise self.fails[item.given]
        if item.given in self.cannot:
            return Verdict(unscored="nothing to see")
        return Verdict({"score": self.sure if item.truth else 0.2, "calls": 2, "tokens": 100, "dollars": 0.5})


def of_record(record: Mapping[str, Any]) -> Item:
    return Item("small", record["question"], record["question"], record["right"])


def scores(sample: Sample) -> Iterator[Figure]:
    for dataset, part in sample.by_dataset():
        true, score = figures.truths(part.rows), figures.column(part.rows, "score")
        yield figures.figure(part, dataset, "AUROC", metrics.auroc, true, score)
        yield figures.figure(part, dataset, "Brier", metrics.brier, true, score, aim="down")


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def task(judge: Judge) -> Task:
    """A scripted judge over the small set of ``calibration``: 62 items held out, 48 to fit."""
    return Task("calibration", "a test", {"far": lambda root: iter(())}, of_record, each(judge), scores, rooms=())


def test_only_the_half_that_is_reported_is_judged(task: Task, judge: Judge, evaluate: Evaluate) -> None:
    result = evaluate(task)
    assert [block.half for block in result.blocks] == [HELD_OUT]
    assert all(of_record({"question": name, "right": True}).half == HELD_OUT for name in judge.asked)
    both = evaluate(task, half="all", out="both")
    assert [block.counts["small"] for block in both.blocks] == [62, 48]


@pytest.mark.parametrize(("encoder", "counts"), [(None, (62, 48, 0)), (SimpleNamespace(identity="e"), (62, 14, 34))])
def test_what_the_reader_was_fitted_on_is_counted(
    encoder: Any, counts: tuple[int, ...], task: Task, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without embeddings nothing is read, so that nothing is left out."""
    monkeypatch.setattr(Setup, "encoder", encoder)
    squad = replace(task, small=lambda record: replace(of_record(record), dataset="squad2"))
    result = evaluate(squad, half="all")
    assert (*(block.counts["squad2"] for block in result.blocks), result.read) == counts
    assert evaluate(squad, out="held").read == 0


def test_a_task_that_fits_gets_the_other_half_too(task: Task, evaluate: Evaluate) -> None:
    seen: list[Sample] = []

    def keep(sample: Sample) -> list[Figure]:
        seen.append(sample)
        return []

    evaluate(replace(task, fits=True, figures=keep))
    assert ({row.half for row in seen[0].rows}, {row.half for row in seen[0].fitting}) == ({HELD_OUT}, {FIT})


def test_what_is_judged_is_not_judged_again(task: Task, judge: Judge, evaluate: Evaluate) -> None:
    first = evaluate(task)
    asked = len(judge.asked)
    again = evaluate(task)
    assert (asked, len(judge.asked), again.reused) == (62, 62, 62)
    assert again.blocks == first.blocks


def test_a_stopped_run_goes_on(task: Task, judge: Judge, evaluate: Evaluate, tmp_path: Path) -> None:
    """What was judged before the stop is kept, even behind a line that was cut short."""
    evaluate(task, out="whole")
    judge.fails[judge.asked[40]] = ModelUnusable("a wrong key")
    with pytest.raises(ModelUnusable):
        evaluate(task)
    file = tmp_path / "out" / "items.jsonl"
    kept = len(file.read_text("utf-8").splitlines())
    with file.open("ab") as cut:
        cut.write(b'{"id": "cut sh\n{"id": "caf' + "é".encode()[:1] + b"\n[]\n")
    judge.fails.clear()
    judge.asked.clear()
    result = evaluate(task)
    assert (kept, result.reused, len(judge.asked)) == (40, 40, 22)
    assert result.blocks[0].counts == {"small": 62}


def test_a_text_may_hold_what_ends_a_line_elsewhere(task: Task, judge: Judge, evaluate: Evaluate) -> None:
    odd = replace(task, small=lambda record: replace(of_record(record), key=f"{record['question']}\u2028on\x85on"))
    first = evaluate(odd)
    assert evaluate(odd).reused == first.blocks[0].counts["small"]


def test_fresh_starts_over(task: Task, judge: Judge, evaluate: Evaluate) -> None:
    evaluate(task)
    assert evaluate(task, fresh=True).reused == 0
    assert len(judge.asked) == 2 * 62


def test_other_code_is_judged_anew(
    task: Task, judge: Judge, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The fingerprint is of the files that a verdict depends on."""
    code = tmp_path / "judge.py"
    code.write_text("first")
    monkeypatch.setattr(store, "_code_of", lambda task: [code])
    evaluate(task)
    code.write_text("second")
    assert evaluate(task).reused == 0
    code.write_text("first")
    assert evaluate(task).reused == 62


def test_the_fingerprint_covers_the_rooms_and_the_task(task: Task) -> None:
    names = {path.name for path in store._code_of(replace(task, rooms=("judges",)))}
    assert {"fitted.json", "fitted_reader.npz", "sufficiency.py", "test_runner.py", "questions.py", "setup.py"} <= names


def test_the_same_seed_gives_the_same_figures(task: Task, evaluate: Evaluate) -> None:
    one, same, other = (evaluate(task, limit=20, seed=seed, out=out) for seed, out in ((1, "a"), (1, "b"), (2, "c")))
    assert one.blocks[0].figures == same.blocks[0].figures
    assert one.blocks[0].figures != other.blocks[0].figures


def test_a_larger_limit_keeps_the_items_of_a_smaller_one(task: Task, evaluate: Evaluate) -> None:
    evaluate(task, limit=10)
    assert evaluate(task, limit=30).reused == 10


def test_what_cannot_be_scored_is_counted_with_its_reason(task: Task, judge: Judge, evaluate: Evaluate) -> None:
    evaluate(task)
    judge.cannot, judge.fails = set(judge.asked[:3]), {judge.asked[5]: ModelTimeout("no answer in 120 s")}
    block = evaluate(task, fresh=True).blocks[0]
    assert block.unscored == (("small", "nothing to see", 3), ("small", "timeout: no answer in 120 s", 1))
    assert block.counts == {"small": 58}


def test_a_failure_is_tried_again_and_a_verdict_is_not(task: Task, judge: Judge, evaluate: Evaluate) -> None:
    evaluate(task)
    failing, silent = judge.asked[0], judge.asked[1]
    judge.fails, judge.cannot = {failing: TimeoutError()}, {silent}
    evaluate(task, fresh=True)
    judge.asked.clear()
    judge.fails.clear()
    result = evaluate(task)
    assert judge.asked == [failing]
    assert result.blocks[0].unscored == (("small", "nothing to see", 1),)


def test_items_side_by_side_give_the_same_figures(task: Task, judge: Judge, evaluate: Evaluate) -> None:
    assert evaluate(replace(task, concurrency=4)).blocks[0].figures == evaluate(task, out="one").blocks[0].figures
    assert len(judge.asked) == 2 * 62


@pytest.mark.parametrize(("model", "at_once", "side_by_side"), [("", 3, 1), ("scripted", 3, 3), ("scripted", 1, 1)])
def test_with_a_model_items_are_judged_side_by_side(
    model: str, at_once: int, side_by_side: int, task: Task, evaluate: Evaluate
) -> None:
    now, most = 0, 0

    async def slow(_: Setup, __: Item) -> Verdict:
        nonlocal now, most
        now += 1
        most = max(most, now)
        await asyncio.sleep(0)
        now -= 1
        return Verdict({"score": 0.5})

    evaluate(replace(task, open=each(slow)), model=model, at_once=at_once)
    assert most == side_by_side


def test_costs_are_counted(task: Task, evaluate: Evaluate) -> None:
    costs = {one.name: one.value for one in evaluate(task).blocks[0].costs}
    assert (costs["calls, mean"], costs["tokens, mean"], costs["dollars, mean"]) == (2.0, 100.0, 0.5)
    assert 0.0 <= (costs["seconds, p50"] or 0.0) <= (costs["seconds, p95"] or 0.0)


def test_a_run_is_compared_with_the_one_before(task: Task, judge: Judge, evaluate: Evaluate, tmp_path: Path) -> None:
    assert evaluate(task).before == {}
    judge.sure = 0.3
    result = evaluate(task, fresh=True)
    found = {change.name: change for change in changes(result)}
    assert set(found) == {"Brier"}
    assert found["Brier"].clear
    assert found["Brier"].now > found["Brier"].before
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    assert "outside the interval of before" in page
    kept = json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))
    assert [change["name"] for change in kept["changes"]] == ["Brier"]
    assert list(changes(evaluate(task))) == []


def test_other_settings_than_before_are_told(task: Task, evaluate: Evaluate, tmp_path: Path) -> None:
    evaluate(task, limit=20)
    evaluate(task)
    assert "set otherwise: limit 20" in (tmp_path / "out" / "report.html").read_text("utf-8")


def test_a_missing_library_is_named_before_any_work(
    task: Task, judge: Judge, evaluate: Evaluate, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(extras, "NEEDED", ("sklearn", "no_such_library"))
    with pytest.raises(InputError, match=r"need no_such_library: in the clone of Calibrant, .*\[evals\]"):
        evaluate(task)
    assert judge.asked == []


def test_a_missing_file_is_named_with_its_origin(task: Task, tmp_path: Path) -> None:
    def load(root: Path) -> Iterator[Item]:
        yield Item("clapnq", "a", (root / "clapnq" / "clapnq_dev_answerable.jsonl").read_text("utf-8"), True)

    with pytest.raises(InputError) as missing:
        data.load(replace(task, loaders={"clapnq": load}), "clapnq", tmp_path)
    told = str(missing.value)
    assert "clapnq/clapnq_dev_answerable.jsonl" in told
    assert "github.com/primeqa/clapnq at commit eb26840d130f4dcf4c4c5c12a47d0beffc9cc586" in told
    assert "CALIBRANT_DATASETS" in told


def test_halves_are_those_of_the_fitting_tools() -> None:
    from calibrant.evals.fitting.conflict import Pair
    from calibrant.evals.fitting.data import Item as Fitted

    for key in ("one", "two", "three", "four", "five"):
        item = Item("any", key, key, True)
        assert (item.half == HELD_OUT) == Fitted("any", key, key, (), True).is_held_out
        assert (item.half == HELD_OUT) == bool(Pair(key, "", True, "").half)
