"""What the documents show is made from the code: the pictures of the graphs and ``docs/configuration.md``.

``python -m tests.docs.generate`` writes them; the tests compare them.
"""

import re
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from calibrant.graph import build_graph, build_retrieval_graph
from calibrant.graph.layers import FILE_VARIABLE, PREFIX
from calibrant.graph.retrieval import Compiled
from calibrant.graph.settings import _SECRET_NAMES as SECRETS
from calibrant.graph.settings import Machine
from calibrant.state.context import Context

ROOT = Path(__file__).resolve().parents[2]
CONFIGURATION = ROOT / "docs" / "configuration.md"
PICTURES = {"calibrant": ROOT / "README.md", "retrieve_information": ROOT / "ARCHITECTURE.md"}
"""Which graph is drawn where."""

HANDLER = "__error_handler__"
"""LangGraph draws each error handler as a node without edges: left out."""

SECRET_MEANINGS = {
    "model_api_key": "Key of the model's endpoint.",
    "embeddings_api_key": "Key of the embeddings' endpoint.",
    "tavily_api_key": "Web search by Tavily.",
    "github_token": "Higher limits at GitHub, and code search.",
    "youtube_api_key": "YouTube's documented search.",
    "stackexchange_key": "A higher daily quota at Stack Overflow.",
}

INTRODUCTION = f"""# Configuration

<!-- Made by `python -m tests.docs.generate`. A test compares it with the code. -->

A setting comes from the first of these that has it: the argument (a command-line option, the `context` of a run), the
environment, `calibrant.yaml` in the working directory (or the file that `{FILE_VARIABLE}` names), the default. A
`context` that `build_graph` was given stands in place of the last three. In the file, `limits.seconds` is `seconds:`
under `limits:`. An unknown name in the file, one in the environment that is nearly a setting's, and a bad value are
refused in one line that says where it stands. `calibrant doctor` shows what is in effect.

Lists are separated by commas in the environment. `model: NAME` in the file is short for `model.name`, and so is
`CALIBRANT_MODEL`; `CALIBRANT_MODEL_NAME` and `CALIBRANT_MODEL_BASE_URL` are short for the variables with two
underscores. Where no address stands there, that of `CALIBRANT_BASE_URL` counts, else that of `OPENAI_BASE_URL`.
`CALIBRANT_DEBUG=1` is `calibrant --debug`.
`result_weights: fitted` takes weights that were fitted to people's ratings of answers, in place of those below, which
`specification` names.
"""


def picture(graph: Compiled) -> str:
    """The Mermaid text of a graph, as the graph itself draws it."""
    drawn = graph.get_graph()
    for name in [name for name in drawn.nodes if name.startswith(HANDLER)]:
        del drawn.nodes[name]
    return drawn.draw_mermaid(with_styles=False).strip().replace("\t", "  ") + "\n"


def pictures() -> dict[str, str]:
    """The picture of each graph that ``langgraph.json`` names."""
    return {
        "calibrant": picture(build_graph(sources=[])),
        "retrieve_information": picture(build_retrieval_graph(sources=[])),
    }


def drawn_in(name: str, text: str) -> re.Match[str]:
    """The place of a picture in a document."""
    found = re.search(rf"(?<=<!-- picture: {name} -->\n```mermaid\n)(?:(?!```).*\n)*", text)
    assert found is not None, f"no picture of {name}"
    return found


def configuration() -> str:
    """The text of ``docs/configuration.md``."""
    return "\n".join(
        (
            INTRODUCTION,
            "## A run\n\nMay be set for each run (`context` in Studio and over HTTP). The LangGraph server drops "
            "unknown names at the top of a context without a word; those inside a group are refused.\n",
            _table(Context),
            "\n## The machine\n\nFixed when the graph is built.\n",
            _table(Machine),
            "\n## Secrets\n\nFrom the environment only; the first variable that is set counts.\n",
            "| secret | variables | meaning |\n|---|---|---|",
            *(_secret(name) for name in SECRETS),
            "",
        )
    )


def variable_of(name: str) -> str:
    """The environment variable of a setting."""
    return f"{PREFIX}{name.replace('.', '__').upper()}"


def fields(schema: type[BaseModel], above: str = "") -> Iterator[tuple[str, Any, str]]:
    """Each plain setting: its dotted name, default and meaning."""
    for name, field in schema.model_fields.items():
        dotted = f"{above}{name}"
        default = field.get_default(call_default_factory=True)
        if isinstance(default, BaseModel):
            yield from _inner(default, dotted)
        else:
            yield dotted, default, field.description or ""


def _inner(value: BaseModel, above: str) -> Iterator[tuple[str, Any, str]]:
    for name, field in type(value).model_fields.items():
        dotted, held = f"{above}.{name}", getattr(value, name)
        if isinstance(held, BaseModel):
            yield from _inner(held, dotted)
        else:
            yield dotted, held, field.description or ""


def _table(schema: type[BaseModel]) -> str:
    rows = (
        f"| `{name}` | `{variable_of(name)}` | {_shown(value)} | {meaning} |" for name, value, meaning in fields(schema)
    )
    return "\n".join(("| setting | variable | default | meaning |", "|---|---|---|---|", *rows))


def _shown(value: Any) -> str:
    if value is None or value in ("", (), {}):
        return ""
    if isinstance(value, bool):
        return f"`{str(value).lower()}`"
    return f"`{value.value if isinstance(value, Enum) else value}`"


def _secret(name: str) -> str:
    return f"| {name} | {', '.join(f'`{variable}`' for variable in SECRETS[name])} | {SECRET_MEANINGS[name]} |"


def main() -> None:
    """Write what is made."""
    CONFIGURATION.write_text(configuration(), encoding="utf-8")
    for name, drawing in pictures().items():
        text = PICTURES[name].read_text(encoding="utf-8")
        place = drawn_in(name, text)
        PICTURES[name].write_text(text[: place.start()] + drawing + text[place.end() :], encoding="utf-8")


if __name__ == "__main__":
    main()
