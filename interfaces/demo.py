"""``make demo``: the main job on a corpus that every machine with Python has, the standard library's source and
docstrings.

No key, no server, no model: it reads the corpus once, asks what a programmer would ask, asks it again in other words
(to show what was learnt), and asks one thing that the corpus does not say.
"""

import sys
import sysconfig

import click

OWN_FOLDER = (".calibrant", "demo")
"""The end of the data directory that ``make demo`` sets."""

KNOWLEDGE = "python-stdlib"
LEFT_OUT = ("**/site-packages/**", "**/test/**", "**/tests/**", "**/idlelib/**", "**/lib2to3/**", "**/turtledemo/**")
QUESTIONS = (
    ("A question that the documentation answers", "How do I make json.dumps sort the keys of a dictionary?", 0),
    ("The same in other words: what was learnt makes it cheaper", "How can I make json.dumps sort dictionary keys?", 0),
    ("A question in words that the corpus has, without an answer in it", "What is the monthly price of json.dumps?", 3),
)
"""What is shown, the question, and the exit code that ``calibrant ask`` must end with."""


def main() -> int:
    """Run the demo. The exit code is 0 if every question ended as it should."""
    _forget()
    _read()
    ends = [(_ask(title, question), expected) for title, question, expected in QUESTIONS]
    return int(any(code != expected for code, expected in ends))


def _forget() -> None:
    """Each demo starts without memories, so that it shows the same. Only in a folder of its own: never the user's."""
    from calibrant.graph.settings import load_machine

    folder = load_machine().data_dir
    if folder.parts[-2:] == OWN_FOLDER:
        for leftover in (*folder.glob("memory.db*"), *folder.glob("checkpoints.db*")):
            leftover.unlink()


def _read() -> None:
    from calibrant.interfaces.commands.ingest import IngestOptions, run

    library = sysconfig.get_paths()["stdlib"]
    _title(f"Reading the standard library ({library})")
    run(IngestOptions(paths=(library,), knowledge=KNOWLEDGE, include=("*.py",), exclude=LEFT_OUT, no_vectors=True))


def _ask(title: str, question: str) -> int:
    from calibrant.interfaces.commands.ask import AskOptions, run

    _title(title)
    click.secho(f"$ calibrant ask {question!r} --knowledge {KNOWLEDGE} --no-input\n", dim=True)
    return int(run(AskOptions(question=question, knowledge=(KNOWLEDGE,), no_input=True)))


def _title(text: str) -> None:
    click.secho(f"\n== {text}", bold=True)


if __name__ == "__main__":
    from calibrant.interfaces import failures

    failures.hush(debug=False)
    try:
        code = main()
    except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place where errors end
        code = failures.report(error)
    sys.exit(code)
