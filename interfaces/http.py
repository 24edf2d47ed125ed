"""The routes that the LangGraph server serves beside its own: ``http.app`` in ``langgraph.json``.

``/calibrant/metrics`` and not ``/metrics``: that is the server's own. Such routes stand outside the server's
authentication unless ``http.enable_custom_route_auth`` is set.
"""

import asyncio
from functools import cache

from prometheus_client import CONTENT_TYPE_LATEST
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route

from calibrant.graph.runs import RunLog
from calibrant.graph.settings import load_machine
from calibrant.interfaces.metrics import Metrics
from calibrant.state.errors import CalibrantError


async def metrics(_: Request) -> Response:
    """Prometheus's text format; 503 with one line where the records cannot be read."""
    try:
        content = await asyncio.to_thread(lambda: _metrics().exposition())
    except CalibrantError as error:
        return PlainTextResponse(f"{error}\n", status_code=503)
    return Response(content, media_type=CONTENT_TYPE_LATEST)


@cache
def _metrics() -> Metrics:
    """Made at the first request: importing this module reads no settings."""
    return Metrics(RunLog(load_machine().data_dir))


# Not in the server's schema: its generator reads docstrings as YAML.
app = Starlette(routes=[Route("/calibrant/metrics", metrics, include_in_schema=False)])
