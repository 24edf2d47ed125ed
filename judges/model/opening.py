"""Opening the chat model that the settings name, once per event loop."""

import asyncio
import re
import warnings
from collections.abc import Awaitable, Callable
from functools import partial
from urllib.parse import urlsplit
from weakref import WeakKeyDictionary

from langchain_core.language_models import BaseChatModel
from pydantic import SecretStr

from calibrant.state.context import ModelSettings
from calibrant.state.errors import ConfigurationError

OPENAI = "https://api.openai.com/v1"

SET_UP_BY = "check the model's base URL, and the proxies and certificates that the environment names"


class PerLoop:
    """One chat model for each event loop, where there is a way to open more than one. The first is opened at once."""

    def __init__(self, model: BaseChatModel | Callable[[], BaseChatModel]) -> None:
        self._open: Callable[[], BaseChatModel] = partial(_same, model) if isinstance(model, BaseChatModel) else model
        self._spare: BaseChatModel | None = self._open()
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, BaseChatModel] = WeakKeyDictionary()

    async def here(self) -> BaseChatModel:
        """The model of the running loop. A new one is opened in a thread: it reads certificates."""
        loop = asyncio.get_running_loop()
        if loop not in self._by_loop:
            spare, self._spare = self._spare, None
            self._by_loop[loop] = await asyncio.to_thread(self._open) if spare is None else spare
        return self._by_loop[loop]


class Slots:
    """How many calls are made at once, for each event loop. Those that waited at the endpoint instead would spend
    their time-out on it."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._by_loop: WeakKeyDictionary[asyncio.AbstractEventLoop, asyncio.Semaphore] = WeakKeyDictionary()

    def here(self) -> asyncio.Semaphore:
        """The slots of the running loop."""
        return self._by_loop.setdefault(asyncio.get_running_loop(), asyncio.Semaphore(self._count))


def _same(model: BaseChatModel) -> BaseChatModel:
    return model


def host_of(settings: ModelSettings) -> str:
    """The endpoint's host and port: what may be shown of a URL that might hold a token."""
    if not settings.name:
        return "the model's endpoint"
    return place_of(settings.base_url or OPENAI) or "the model's endpoint"


def place_of(url: str) -> str:
    """Host and port of a URL; empty where it is none."""
    try:
        return urlsplit(url).netloc.rpartition("@")[2]
    except ValueError:
        return ""


def is_openai(settings: ModelSettings) -> bool:
    """Whether the endpoint is OpenAI's own. Where a model without a name answers, which was passed in, nobody knows."""
    return host_of(settings) == urlsplit(OPENAI).netloc


def open_model(settings: ModelSettings, api_key: SecretStr | None = None) -> BaseChatModel:
    """The chat model of ``settings``, without ``Parameters``: they go with each call. Opens no connection, but reads
    certificates: call it outside the event loop."""
    if not settings.name:
        raise ConfigurationError("no model is configured: set CALIBRANT_MODEL_NAME")
    if api_key is None and not settings.base_url:
        raise ConfigurationError("a model without a base URL is OpenAI's: set CALIBRANT_MODEL_API_KEY")
    if api_key is not None and not re.fullmatch(r"[!-~]+", api_key.get_secret_value()):
        raise ConfigurationError("the model's key has spaces or signs that no key has: set CALIBRANT_MODEL_API_KEY")
    try:
        return _opened(settings, api_key)
    except Exception as error:  # noqa: BLE001 - the client is foreign, and what it raises may hold a proxy's password
        why = str(error) if isinstance(error, ImportError) else type(error).__name__
        raise ConfigurationError(f"the client of the model's endpoint cannot be set up ({why}): {SET_UP_BY}") from None


def _opened(settings: ModelSettings, api_key: SecretStr | None) -> BaseChatModel:
    from langchain_openai import ChatOpenAI
    from openai import DefaultAsyncHttpxClient

    # The ladder handles what these warn about; a user can do nothing with them.
    for about in ("This model does not support OpenAI's structured", "Cannot use method='json_schema'"):
        warnings.filterwarnings("ignore", message=about)
    return ChatOpenAI(
        model=settings.name,
        base_url=settings.base_url or OPENAI,
        api_key=_given_later(api_key or SecretStr("none")),
        timeout=settings.timeout_s,
        # Its own client: the default one is shared by all event loops, and noisy when its loop is gone.
        http_async_client=DefaultAsyncHttpxClient(timeout=settings.timeout_s),
        http_socket_options=(),  # else the default one sets some, and warns that it goes past the environment's proxies
        openai_proxy=None,  # OPENAI_PROXY goes with the default client only; ours knows the proxies that all tools know
        max_retries=0,
        # What a model says is for checks before it is for readers; and most servers report what a call cost only where
        # it is not streamed.
        disable_streaming=True,
        use_responses_api=None if is_openai(settings) else False,
    )


def _given_later(api_key: SecretStr) -> Callable[[], Awaitable[str]]:
    """The key as what is awaited for each request: then no second client is made, for calls that block, which takes as
    long to read its certificates as the one that is used."""

    async def given() -> str:
        return api_key.get_secret_value()

    return given
