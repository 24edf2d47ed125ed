"""One call to the model that is named, over a real connection: right, wrong, refused, away."""

import pytest
from pydantic import SecretStr

from calibrant.graph.describe import without_keys
from calibrant.graph.settings import Secrets, Settings
from calibrant.graph.trial_call import try_model
from tests.wire.openai_replies import Json, Status
from tests.wire.openai_server import OpenAIServer, Script
from tests.wire.smart import smart

KEY = "sk-live-31c5"


async def tried(script: Script, **model: object) -> tuple[str, str, int]:
    """State and detail, and how many requests came."""
    with OpenAIServer(script) as server:
        context = Settings.model_validate({"model": {"name": "loopback", "base_url": server.base_url, **model}})
        found = await try_model(context, Secrets(model_api_key=SecretStr(KEY)))
        return found.state, found.detail, len(server.requests)


async def test_a_model_that_answers_is_told_with_its_price() -> None:
    state, detail, requests = await tried(smart())
    assert (state, requests) == ("ok", 1), detail
    assert "1 call, " in detail


def reply(statements: list[Json]) -> Json:
    return {"answerable": bool(statements), "statements": statements, "disputed": [], "missing": ""}


INVENTED = {"text": "The hall has forty lamps.", "sources": ["S9"], "quote": "forty lamps"}


@pytest.mark.parametrize("statements", [[], [INVENTED]], ids=["does not see it", "invents a source"])
async def test_a_model_that_cannot_do_it_is_told(statements: list[Json]) -> None:
    state, detail, _ = await tried(smart(answer=lambda _: reply(statements)))
    assert state == "broken"
    assert "nothing of it could be used" in detail


@pytest.mark.parametrize("status", [401, 404, 500])
async def test_an_endpoint_that_refuses_is_told_in_one_line(status: int) -> None:
    state, detail, _ = await tried(smart(answer=lambda _: Status(status, f"no: {KEY}")))
    assert state == "broken"
    assert "\n" not in detail
    assert KEY not in detail


async def test_without_a_model_there_is_nothing_to_call() -> None:
    assert (await try_model(Settings(), Secrets())).state == "off"


async def test_a_client_that_cannot_be_set_up_is_told_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "foo://user:secret@127.0.0.1:9")
    context = Settings.model_validate({"model": {"name": "m", "base_url": "http://localhost:1/v1"}})
    found = await try_model(context, Secrets(model_api_key=SecretStr(KEY)))
    assert (found.state, "secret" in found.detail) == ("broken", False)
    assert "check the model's base URL" in found.detail


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("", ""),
        ("http://localhost:11434/v1", "http://localhost:11434/v1"),
        ("https://user:secret@gateway.example/openai/v1?key=secret", "https://gateway.example/openai/v1"),
        ("user:secret@gateway.example/v1", "gateway.example/v1"),
    ],
)
def test_an_address_is_shown_without_what_may_be_a_key(url: str, told: str) -> None:
    assert without_keys(url) == told
