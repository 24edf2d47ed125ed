"""Run in the empty environment with an empty environment block: imports the graph and prints what that did."""

import json
import sys

import audited  # type: ignore[import-not-found]

import calibrant.graph

HEAVY = (
    "chromadb",
    "onnxruntime",
    "langchain_openai",
    "openai",
    "langchain_community",
    "tavily",
    "tiktoken",
    "sklearn",
)

opened_by_import = list(audited.seen)
heavy_by_import = [name for name in HEAVY if name in sys.modules]

from calibrant.graph import build_graph, load_settings, open_app  # noqa: E402

print(
    json.dumps(
        {
            "file": calibrant.graph.__file__,
            "names": [build_graph.__module__, load_settings.__module__, open_app.__module__],
            "opened": opened_by_import,
            "heavy": heavy_by_import,
            "opened_by_names": audited.seen,
            "heavy_by_names": [name for name in HEAVY if name in sys.modules],
        }
    )
)
