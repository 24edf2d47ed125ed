"""The main job on a corpus that every machine with Python has: the standard library's own source and docstrings.

The questions were written before anything was tuned on them, but for the one on ``is_zipfile``: it took the place of
one that the docstrings do not answer. General causes of their first failures were mended since: they no longer measure,
they guard.
"""

import sysconfig
from pathlib import Path

import pytest

from calibrant.graph.settings import Settings
from calibrant.retrievers.knowledge import KnowledgeBase, knowledge_dir
from calibrant.state.budget import StopReason
from calibrant.state.decision import Asking
from tests.graph.house import asked, graph_for, run

NOT_READ = (
    "distutils", "encodings", "idlelib", "lib2to3", "pydoc_data", "site-packages", "test", "tests", "tkinter",
    "turtledemo",
)  # fmt: skip
LEFT_OUT = tuple(f"**/{name}/**" for name in NOT_READ)

ANSWERED = [
    ("How does functools.lru_cache behave if maxsize is None?", "functools.py", "without bound"),
    ("What does shlex.quote return?", "shlex.py", "shell-escaped"),
    ("What does glob.iglob return?", "glob.py", "iterator"),
    ("How does zipfile.is_zipfile check whether a file is a ZIP file?", "zipfile", "magic number"),
    ("Which exception does queue.Queue.get raise when no item is available within the timeout?", "queue.py", "Empty"),
    ("What does ipaddress.ip_address raise if the address is not valid?", "ipaddress.py", "ValueError"),
    ("Does random.sample choose unique elements?", "random.py", "unique"),
    ("What does calendar.isleap return for a leap year?", "calendar.py", "True"),
    ("What does contextlib.suppress do with the specified exceptions?", "contextlib.py", "suppress"),
    ("How do I make json.dumps sort the keys of a dictionary?", "json", "sort_keys"),
]
NOT_ANSWERED = [
    "Which port does the sqlite3 module use to connect to its server?",
    "What is the monthly price of the json encoder?",
    "Which graphics card does random.sample need?",
]


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data directory with the standard library as its knowledge base: more than 200 files."""
    data = tmp_path_factory.mktemp("stdlib")
    base = KnowledgeBase.open(knowledge_dir(data, "stdlib"), "stdlib", create=True)
    report = base.ingest([Path(sysconfig.get_paths()["stdlib"])], include=("*.py",), exclude=LEFT_OUT)
    base.close()
    assert report.added >= 200
    return data


@pytest.mark.parametrize(("question", "file", "words"), ANSWERED)
async def test_a_question_that_the_documentation_answers(library: Path, question: str, file: str, words: str) -> None:
    state = await run(graph_for(library), question)
    assert state.stop_reason is StopReason.ANSWERED
    assert words in state.answer
    assert file in state.citations[0].place


@pytest.mark.parametrize("question", NOT_ANSWERED)
async def test_a_question_that_only_shares_its_words(library: Path, question: str) -> None:
    state = await run(graph_for(library), question)
    assert state.stop_reason is StopReason.ABSTAINED
    assert state.citations == ()


async def test_a_request_too_vague_to_work_on_gets_a_wording(library: Path) -> None:
    graph = graph_for(library, context=Settings(interactive=True))
    state = await run(graph, "make it faster")
    assert state.decisions[-1].asking is Asking.WORDING
    assert (await asked(graph))["kind"] == "wording"
