"""Every task runs on its small set, and tells good from bad there."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from calibrant.evals.halves import FIT, HELD_OUT
from calibrant.evals.registry import MODULES, task_named
from calibrant.evals.task import Row, Sample
from calibrant.evals.tasks import conflict, scorer
from tests.evals.conftest import Evaluate

VOID = {"meta", "br", "hr", "img", "input", "link"}


class Balanced(HTMLParser):
    """Fails on a tag that is closed out of turn; ``open`` are those left open."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        pass

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("name", MODULES)
def test_a_task_runs_on_its_small_set(name: str, evaluate: Evaluate, tmp_path: Path) -> None:
    result = evaluate(task_named(name), half="all")
    assert result.task == name
    assert result.made_up
    assert [block.half for block in result.blocks] == [HELD_OUT, FIT]
    assert any(figure.value is not None for figure in result.blocks[0].figures)
    assert json.loads((tmp_path / "out" / "results.json").read_text("utf-8"))["task"] == name
    page = (tmp_path / "out" / "report.html").read_text("utf-8")
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert "they mean nothing" in page
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert set(re.findall(r'(?:href="|url\()#([^")]+)', page)) <= set(ids)
    assert re.findall(r"https?://|<script|<link|src=|@import", page) == []


@pytest.mark.parametrize(
    ("name", "figure", "least"),
    [
        ("sufficiency", "AUROC", 0.8),
        ("conflict", "F1", 0.7),
        ("claims", "accuracy", 0.7),
        ("query-type", "type, accuracy", 0.7),
        ("ambiguity", "AUROC", 0.8),
        ("scorer", "grounding and faithfulness, Spearman", 0.5),
    ],
)
def test_the_plain_cases_are_told_apart(name: str, figure: str, least: float, evaluate: Evaluate) -> None:
    """Made-up items are easy: a figure near chance would mean that truth and verdict were mixed up."""
    found = {one.name: one.value for one in evaluate(task_named(name)).blocks[0].figures}
    assert (found[figure] or 0.0) >= least


def test_calibrators_are_fitted_on_the_other_half_only(evaluate: Evaluate) -> None:
    held_out, fit = evaluate(task_named("calibration"), half="all").blocks
    assert "stated, ECE isotonic" in {one.name for one in held_out.figures}
    assert {one.name for one in fit.figures} == {
        f"{kind}, {what}" for kind in ("stated", "token") for what in ("ECE raw", "AUROC", "AURC", "Brier raw")
    }


def test_ratings_of_one_s_own_need_not_be_known_nor_the_same_everywhere() -> None:
    values = {"score": 0.5, "fitted": 0.5, **dict.fromkeys(scorer.FACTORS, 0.5)}

    def rated(**ratings: float) -> Row:
        return Row("i", "mine.json", "k", HELD_OUT, ratings, "", values)

    strange = Sample((rated(charm=1.0),))
    assert (scorer.plots(strange), all(one.detail for one in scorer.figures(strange))) == ([], True)
    mixed = {one.name: one.count for one in scorer.figures(Sample((rated(overall=1.0), rated(charm=1.0))))}
    assert mixed["score and overall, Spearman"] == 1


def test_an_ablated_feature_has_a_figure(evaluate: Evaluate) -> None:
    names = [one.name for one in evaluate(task_named("sufficiency")).blocks[0].figures]
    assert "factor coverage" in names
    alone = {name.removeprefix("feature ") for name in names if name.startswith("feature ")}
    assert len(alone) > 5
    assert alone == {name.removeprefix("without ") for name in names if name.startswith("without ")}


@pytest.mark.parametrize(
    ("first", "second", "kind"),
    [
        ("The tower is 80 m high.", "The tower is 95 m high.", "number or date"),
        ("It opened on 3 May 1962.", "It opened on 4 June 1962.", "number or date"),
        ("The relay supports it.", "The relay does not support it.", ""),
        ("The relay is silent.", "The relay is not silent.", "negation"),
        ("The relay is silent.", "The relay isn't silent.", "negation"),
        ("The relay is silent.", "The relay is loud.", ""),
        ("The same.", "The same.", ""),
        ("One.", "Two.", ""),
    ],
)
def test_what_differs_obviously(first: str, second: str, kind: str) -> None:
    assert conflict.differs_in(first, second) == kind
