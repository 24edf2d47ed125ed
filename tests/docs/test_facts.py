"""The tables, pictures and limits that the documents state are those of the code."""

import re
from pathlib import Path
from typing import Any

import pytest
from pydantic import SecretStr

from calibrant.graph.encoders import DOWNLOAD_S
from calibrant.graph.services import Gateway
from calibrant.graph.settings import Machine, Secrets
from calibrant.graph.sources import default_sources
from calibrant.interfaces.failures import Exit
from calibrant.state.budget import RunLimits
from calibrant.state.confidence import Level, PhaseThresholds, level_of
from calibrant.state.decision import USEFUL_BOOST, Situation, decide
from calibrant.state.depth import CHUNKS
from calibrant.state.task import REQUIRED_SUFFICIENCY, Phase, QueryType
from calibrant.state.uncertainty import ASK_AT, SKIP_ABOVE
from tests.docs.generate import CONFIGURATION, PICTURES, ROOT, configuration, drawn_in, pictures
from tests.docs.pages import table, text_of

RENEW = "renew it: python -m tests.docs.generate"


@pytest.fixture(autouse=True)
def _no_embeddings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CALIBRANT_EMBEDDINGS", "none")


@pytest.mark.parametrize("name", PICTURES)
def test_the_picture_is_the_compiled_graph(name: str) -> None:
    held = drawn_in(name, PICTURES[name].read_text("utf-8")).group()
    assert edges(held) == edges(pictures()[name]), RENEW
    assert held == pictures()[name], RENEW


def edges(drawing: str) -> set[tuple[str, str, str]]:
    """From, kind and to of each edge of a Mermaid text."""
    return {(a, kind, b) for a, kind, b in re.findall(r"(\w+) (-->|-\.->) (\w+);", drawing)}


def test_every_node_is_in_a_picture() -> None:
    drawn = {end for a, _, b in edges(pictures()["calibrant"]) for end in (a, b)}
    assert {"intake", "perceive", "reason", "act", "retrieve", "synthesize", "reflect", "ask_human", "respond"} <= drawn


def test_the_settings_page_is_that_of_the_code() -> None:
    assert CONFIGURATION.read_text("utf-8") == configuration(), RENEW


def test_every_setting_has_a_meaning() -> None:
    assert not [line for line in configuration().splitlines() if line.startswith("| `") and line.endswith("|  |")]


def test_nothing_leaves_the_machine_unless_a_source_is_configured(tmp_path: Path) -> None:
    machine = Machine(data_dir=tmp_path)
    for secrets, names in ((Secrets(), ["knowledge"]), (Secrets(tavily_api_key=SecretStr("k")), ["knowledge", "web"])):
        found = default_sources(Gateway(machine, secrets), None)
        assert [source.name for source in found] == names


def test_the_thresholds_are_those_of_the_code() -> None:
    held = PhaseThresholds()
    for phase, *numbers in table("README.md", "phase"):
        limits = getattr(held, phase)
        assert [float(number) for number in numbers] == [limits.proceed, limits.retrieve, limits.abort]
    assert {row[0] for row in table("README.md", "phase")} == {phase.value for phase in Phase}


def test_the_levels_are_those_of_the_code() -> None:
    rows = table("README.md", "level")
    assert [row[0] for row in rows] == [level.value for level in Level]
    for level, start, _ in rows:
        assert level_of(float(start)).value == level
        assert float(start) == 0.0 or level_of(float(start) - 0.001).value != level


def test_the_exit_codes_are_those_of_the_code() -> None:
    assert [int(row[0]) for row in table("README.md", "exit code")] == [int(code) for code in Exit]


ROWS: dict[int, dict[str, Any]] = {
    1: {"vague": True},
    2: {"uncertainty": ASK_AT},
    3: {"forcing_gaps": ("no past experience",), "retrievals_left": 1},
    4: {"phase": Phase.REFLECT, "quality_below": True, "refinements_left": 1},
    5: {"score": 0.70},
    6: {"retrievals_left": 1, "last_boost": USEFUL_BOOST},
    7: {"score": 0.55},
    8: {"exhausted": True, "holds_evidence": True},
    9: {"score": 0.40},
    10: {},
}
"""For each row a situation that it is the first to match."""


@pytest.mark.parametrize(("number", "_condition", "decision"), table("README.md", "row"))
def test_a_row_of_the_rule_decides_as_the_table_says(number: str, _condition: str, decision: str) -> None:
    given = Situation.model_validate({"phase": Phase.PERCEIVE, "score": 0.0, **ROWS[int(number)]})
    ruling = decide(given, getattr(PhaseThresholds(), given.phase.value))
    assert ruling.row == int(number)
    assert decision.split()[0].rstrip(",") == ruling.action.value


def test_the_rule_has_ten_rows() -> None:
    assert [int(row[0]) for row in table("README.md", "row")] == list(range(1, 11))


def test_the_rooms_are_those_of_the_layers() -> None:
    rooms = [row[0].strip("`/") for row in table("ARCHITECTURE.md", "room")]
    layers = re.findall(r'^    "([a-z| ]+)",$', (ROOT / "pyproject.toml").read_text("utf-8"), re.MULTILINE)
    named = [room for layer in layers for room in layer.split(" | ")]
    assert set(rooms) <= set(named)
    assert rooms == [room for room in named if room in set(rooms)]


@pytest.mark.parametrize(
    ("page", "said"),
    [
        ("README.md", f"({DOWNLOAD_S:.0f} s at most"),
        ("README.md", f"score of {ASK_AT} or more"),
        ("README.md", f"above {SKIP_ABOVE}"),
        ("README.md", f"by {USEFUL_BOOST:.2f} or more"),
        ("ARCHITECTURE.md", f"slice ({RunLimits().synthesis_share:.0%}".replace("%", " %")),
        ("ARCHITECTURE.md", f"needs {REQUIRED_SUFFICIENCY[QueryType.FACTUAL]:.2f}"),
    ],
)
def test_a_number_in_the_text_is_that_of_the_code(page: str, said: str) -> None:
    assert said in " ".join(text_of(page).split())


def test_the_hits_of_the_walk_fit_the_first_depth() -> None:
    assert CHUNKS[1] == 5
