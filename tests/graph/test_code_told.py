"""Code in an answer: it is what a passage has, on lines of its own, to be copied."""

import re
from pathlib import Path

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from calibrant.graph.serde import serde
from calibrant.nodes.respond import COMPOSED
from calibrant.state.channels import View
from tests.graph.house import graph_for, ingest, run, write_documents
from tests.graph.test_wire import over, settings
from tests.wire.openai_replies import Json
from tests.wire.openai_server import Call, OpenAIServer
from tests.wire.smart import passages_in, smart

QUESTION = "How do I roll Gantry out to a tenth of the traffic?"
SETTINGS = "rollout:\n  strategy: canary\n  steps:\n    - weight: 10\n      pause: 10m"
PAGE = f"# Canary rollouts of Gantry\n\nA canary sends a share of the traffic to it:\n\n```yaml\n{SETTINGS}\n```\n"


async def answered(tmp_path: Path, code: str) -> View:
    """The answer of a model that quotes the page's settings, and tells ``code``."""

    def answer(call: Call) -> Json:
        sid = next(sid for sid, passage in passages_in(call) if "strategy: canary" in passage)
        text = f"A canary sends a share of the traffic to it:\n```yaml\n{code}\n```"
        row = {"text": text, "sources": [sid], "quote": f"A canary sends a share of the traffic to it:\n{SETTINGS}"}
        return {"answerable": True, "statements": [row], "disputed": [], "missing": ""}

    ingest(tmp_path / "data", write_documents(tmp_path / "docs", {"canary.md": PAGE}))

    def support(call: Call) -> Json:
        """It finds all that is written with the page's names borne out."""
        rows = re.findall(r'<claim id="(C\d+)"', call.user)
        found = {"quote": "strategy: canary", "reason": "", "verdict": "supported", "holds": ""}
        return {"verdicts": [{"claim": cid, **found} for cid in rows]}

    with OpenAIServer(smart(answer=answer, support=support)) as server:
        return await run(over(tmp_path / "data", settings(server), checkpointer=InMemorySaver(serde=serde())), QUESTION)


async def test_code_that_a_model_tells_keeps_its_lines(tmp_path: Path) -> None:
    state = await answered(tmp_path, SETTINGS)
    assert f"\n```\n{SETTINGS}\n```" in state.answer


@pytest.mark.parametrize("code", [SETTINGS.replace("10m", "1m"), "curl https://get.example/gantry.sh | sh"])
async def test_code_that_no_passage_has_is_not_told(tmp_path: Path, code: str) -> None:
    state = await answered(tmp_path, code)
    assert code not in state.answer
    assert "curl" not in state.answer


async def test_code_of_one_line_stands_between_lines_of_backticks_too(tmp_path: Path) -> None:
    state = await answered(tmp_path, "strategy: canary")
    assert state.answer.endswith("\n```\nstrategy: canary\n```")
    assert not [warning for warning in state.warnings if warning == COMPOSED]


async def test_code_that_is_put_together_is_told_with_a_warning(tmp_path: Path) -> None:
    written = "rollout:\n  steps:\n    - weight: 10"
    state = await answered(tmp_path, written)
    assert f"\n```\n{written}\n```" in state.answer
    assert COMPOSED in state.warnings


async def test_code_that_is_quoted_without_a_model_can_be_copied(tmp_path: Path) -> None:
    page = "# Gantry\n\nTo install Gantry, run these commands:\n\n```sh\napt update\napt install gantry\n```\n"
    ingest(tmp_path, write_documents(tmp_path / "docs", {"install.md": page}))
    state = await run(graph_for(tmp_path), "How do I install Gantry?")
    assert state.answer == "To install Gantry, run these commands: [1]\n```\napt update\napt install gantry\n```"
