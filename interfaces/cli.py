"""The command line: thin definitions. What a command does stands in ``commands/`` and is imported when it is called.

Nothing that takes long may be imported here at the top, so that ``calibrant --help`` answers at once.
"""

from typing import Any, Literal

import click

from calibrant.interfaces import failures
from calibrant.interfaces.groups import Guarded, Listing
from calibrant.interfaces.options import (
    filter_options,
    finite,
    json_option,
    limit_option,
    model_option,
    not_empty,
    older_option,
    one_of,
    seed_option,
    trace_option,
)
from calibrant.interfaces.streams import let_go_of_stdout, spare_progress

EPILOG = """\b
Exit codes: 0 answered, 3 abstained, 4 a question waits for an answer,
2 bad input, 1 another failure, 130 stopped by Ctrl-C.
Settings come from options, CALIBRANT_* variables and calibrant.yaml;
`calibrant doctor` shows what is set and what could be added."""


@click.group(cls=Guarded, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.option("--debug", is_flag=True, envvar="CALIBRANT_DEBUG", help="Show tracebacks, logs and warnings.")
@click.version_option(package_name="calibrant", message="calibrant %(version)s")
def cli(debug: bool) -> None:
    """Ask your documents and the web, and learn how far to trust the answer.

    Calibrant measures its confidence in each phase of its work, searches more when confidence is low,
    cites what it says, and says so when it does not know.
    """
    failures.hush(debug=debug)


@cli.command()
@click.argument("question", nargs=-1)
@click.option("-k", "--knowledge", multiple=True, metavar="NAME|PATH", callback=not_empty,
              help="Knowledge base, or files to ingest first.")  # fmt: skip
@click.option("-p", "--power", type=click.Choice(["auto", "1", "2", "3"]), help="Depth of search; auto adapts.")
@model_option
@click.option("--thread", default=None, metavar="ID", help="Go on with a conversation, or name a new one.")
@click.option("--no-input", is_flag=True, help="Never ask me anything; take the cautious way instead.")
@click.option("--ask-later", is_flag=True, help="Leave a question open (exit code 4) instead of asking it here.")
@filter_options
@trace_option
@json_option
def ask(**options: Any) -> int:
    """Answer QUESTION with citations and a confidence. `-` at its end reads (the rest of) it from stdin.

    \b
    calibrant ask "How does lru_cache choose what to drop?" -k ./src
    calibrant ask "And is it thread-safe?" --thread 1120-7f3a2c
    tail -n 40 worker.log | calibrant ask "Why does this fail?" -
    """
    from calibrant.interfaces.commands.ask import AskOptions, run

    words = options.pop("question")
    piped = words[-1:] == ("-",)
    return run(AskOptions(" ".join(words[:-1] if piped else words), piped=piped, **options))


@cli.command()
@click.argument("paths", nargs=-1, metavar="[PATH...]", callback=not_empty)
@click.option("-k", "--knowledge", default="default", show_default=True, metavar="NAME", help="Knowledge base.")
@click.option("--include", multiple=True, metavar="GLOB", callback=not_empty, help="Read only files that match.")
@click.option("--exclude", multiple=True, metavar="GLOB", callback=not_empty, help="Leave out files that match.")
@click.option("--rebuild", is_flag=True, help="Read everything anew, not only what has changed.")
@click.option("--forget", multiple=True, metavar="PATH", callback=not_empty,
              help="Drop what was read from PATH, which may be gone.")  # fmt: skip
@click.option("--no-vectors", is_flag=True, help="Text search only, for now.")
@json_option
def ingest(**options: Any) -> int:
    """Read files and folders into a knowledge base.

    Text, Markdown, reStructuredText, HTML, man pages, PDF, Word, CSV and code. Only what has changed is read again, and
    what was deleted is removed. A PATH that is gone as a whole may only be away, so that --forget has to say it.
    Without a PATH, all that was read before is brought up to date. It can be stopped at any time.
    """
    from calibrant.interfaces.commands.ingest import IngestOptions, run

    return run(IngestOptions(**options))


@cli.group(cls=Listing)
def knowledge() -> None:
    """List the knowledge bases, or remove one.

    `calibrant ingest` makes them. One that `ask -k PATH` made of a path is searched only where it is named,
    by its name or by that path.
    """


@knowledge.command("list")
@json_option
def knowledge_list(as_json: bool) -> int:
    """Show each with what it holds."""
    from calibrant.interfaces.commands.knowledge import show

    return show(as_json=as_json)


@knowledge.command("remove")
@click.argument("name")
@click.option("-y", "--yes", "sure", is_flag=True, help="Do not ask me first.")
def knowledge_remove(name: str, sure: bool) -> int:
    """Remove the knowledge base NAME. The documents that it was made of stay."""
    from calibrant.interfaces.commands.knowledge import remove

    return remove(name, sure=sure)


@cli.command()
@click.argument("thread")
@click.option("--guide", metavar="TEXT", help="Guidance: what to do.")
@click.option("--skip", "actions", flag_value="skip", multiple=True, help="Guidance: leave this out and go on.")
@click.option("--retry", "actions", flag_value="retry", multiple=True, help="Guidance: try again as it was.")
@click.option("--abort", "actions", flag_value="abort", multiple=True, help="Guidance: end with what there is.")
@click.option("--wording", metavar="TEXT", help="Wording: ask this instead.")
@click.option("--use", "actions", flag_value="use", multiple=True, help="Wording: take the proposal.")
@click.option("--keep", "actions", flag_value="keep", multiple=True, help="Wording: keep mine.")
@click.option("--approve", "actions", flag_value="approve", multiple=True, help="Approval: run the pending calls.")
@click.option("--reject", "actions", flag_value="reject", multiple=True, help="Approval: do not run them.")
@model_option
@trace_option
@json_option
def resume(**options: Any) -> int:
    """Go on with THREAD, or answer its question.

    A run that was stopped goes on where it was. Where a question waits, an option answers it;
    without one it is asked here.
    """
    from calibrant.interfaces.commands.resume import ResumeOptions, run

    return run(ResumeOptions(**options))


@cli.group(cls=Listing)
def threads() -> None:
    """List the threads, or remove some."""


@threads.command("list")
@limit_option
@json_option
def threads_list(limit: int, as_json: bool) -> int:
    """Show what was asked, how it ended, what waits."""
    from calibrant.interfaces.commands.threads import run

    return run(limit, as_json=as_json)


@threads.command("remove")
@click.argument("names", nargs=-1, metavar="[THREAD]...", callback=not_empty)
@older_option("Those that were last written to so long ago: 30m, 12h, 7d or 2w.")
@json_option
def threads_remove(names: tuple[str, ...], older_than: str, as_json: bool) -> int:
    """Delete threads, and their questions from the records of runs.

    A thread in which a question waits, or whose tool call may have been done, goes only where it is named. What was
    learnt in a thread stays: see `calibrant memory`.
    """
    from calibrant.interfaces.commands.threads import remove

    one_of("THREAD", names, older_than)
    return remove(names, older_than, as_json=as_json)


@cli.group(cls=Listing)
def memory() -> None:
    """List what was learnt from past questions, or forget it."""


@memory.command("list")
@limit_option
@json_option
def memory_list(limit: int, as_json: bool) -> int:
    """Show each task with its kind, confidence, uses and your verdict."""
    from calibrant.interfaces.commands.memory import show

    return show(limit, as_json=as_json)


@memory.command("remove")
@click.argument("named", nargs=-1, metavar="[TASK|ID]...", callback=not_empty)
@older_option("What was learnt so long ago: 30m, 12h, 7d or 2w.")
@json_option
def memory_remove(named: tuple[str, ...], older_than: str, as_json: bool) -> int:
    """Forget tasks, and what comes from them alone.

    That is their patterns and refinements. A TASK is given as it was asked, an ID as `calibrant memory` shows it.

    \b
    calibrant memory remove "How are jobs retried?"
    calibrant memory remove --older-than 90d
    """
    from calibrant.interfaces.commands.memory import remove

    one_of("TASK or ID", named, older_than)
    return remove(named, older_than, as_json=as_json)


@memory.command("clear")
@click.option("-y", "--yes", "sure", is_flag=True, help="Do not ask me first.")
@json_option
def memory_clear(sure: bool, as_json: bool) -> int:
    """Forget everything. Threads and documents stay."""
    from calibrant.interfaces.commands.memory import clear

    return clear(sure=sure, as_json=as_json)


@cli.command()
@click.argument("thread")
@click.option("--turn", type=click.IntRange(min=1), metavar="N", help="Of question N of the thread, not of the last.")
@click.option("--jsonl", "as_lines", is_flag=True, help="One JSON object an event, as --trace-file writes them.")
@json_option
def trace(thread: str, turn: int | None, as_lines: bool, as_json: bool) -> int:
    """Show how THREAD decided, step by step.

    For each decision: scores, factors, thresholds, reason, route and what was left; then the results with what their
    scores are made of, the claims with their verdicts, the review and the retrievals."""
    from calibrant.interfaces.commands.trace import run

    return run(thread, turn=turn, as_json=as_json, as_lines=as_lines)


@cli.command()
@click.option("--since", default="", metavar="SPAN", help="Only the last 30m, 12h, 7d or 2w. Without it: all runs.")
@json_option
def stats(since: str, as_json: bool) -> int:
    """Show what past runs took: depth, confidence, sources, cost.

    Over the finished runs of this machine, whether from here, the server or an MCP client. What was saved is an
    estimate from above: passages kept, against the 40 that depth 3 keeps where there are so many."""
    from calibrant.interfaces.commands.stats import run

    return run(since, as_json=as_json)


@cli.command()
@click.option("--call", is_flag=True, help="Ask the model one test question too (it may cost a little).")
@json_option
def doctor(call: bool, as_json: bool) -> int:
    """Show what is configured, what is missing and how to add it."""
    from calibrant.interfaces.commands.doctor import run

    return run(as_json=as_json, call=call)


@cli.command()
@click.argument("thread")
@click.argument("verdict", type=click.Choice(["good", "bad"]))
def feedback(thread: str, verdict: Literal["good", "bad"]) -> int:
    """Tell whether THREAD's answer was good or bad.

    The verdict is kept with the experience, so that similar questions profit
    from it, and `calibrant stats` counts it."""
    from calibrant.interfaces.commands.feedback import run

    return run(thread, verdict)


@cli.command("eval")
@click.argument("task", required=False)
@click.option("--list", "listed", is_flag=True, help="Show the tasks and their datasets.")
@click.option("-d", "--dataset", "datasets", multiple=True, metavar="NAME",
              help="This one; `small` needs no data. NAME.json: questions of your own (README).")  # fmt: skip
@model_option
@click.option("--at-once", type=click.IntRange(1), default=4, show_default=True, metavar="N",
              help="With a model: items judged side by side.")  # fmt: skip
@click.option("--embeddings", metavar="DIR", help="Folder of the embedding model; `none` for words alone.")
@click.option("-n", "--limit", type=click.IntRange(1), metavar="N",
              help="At most N items of each dataset; `all` takes as many as an hour allows.")  # fmt: skip
@click.option("--half", type=click.Choice(["held-out", "fit", "all"]), default="held-out", show_default=True,
              help="Half of the records; nothing was fitted to the held-out one, and what the reader was fitted "
                   "on is in neither.")  # fmt: skip
@seed_option("items")
@click.option("--out", metavar="DIR", help="Folder for items, JSON and the HTML report.")
@click.option("--fresh", is_flag=True, help="Judge everything anew.")
@json_option
def evaluate(**options: Any) -> int:
    """Measure TASK (or `all`) on labelled data.

    \b
    calibrant eval conflict                    precision and recall of the conflicts reported
    calibrant eval sufficiency -d nomiracl     one dataset
    It can be stopped at any time: the same command goes on where it stood.
    """
    from calibrant.interfaces.commands.eval import EvalOptions, run

    return run(EvalOptions(**options))


@cli.command()
@click.option("-d", "--dataset", "datasets", multiple=True, metavar="NAME",
              help="This one; `small` needs no data. NAME.json: questions of your own (README).")  # fmt: skip
@model_option
@click.option("--embeddings", metavar="DIR", help="Folder of the embedding model; `none` for words alone.")
@click.option(
    "-n", "--limit", type=click.IntRange(1), metavar="N", help="At most N questions of each half of a dataset."
)
@click.option("--risk", type=click.FloatRange(0, 1, min_open=True, max_open=True), callback=finite, metavar="R",
              help="Choose a threshold: at most this share of questions answered wrongly.")  # fmt: skip
@seed_option("questions")
@click.option("--out", metavar="FILE", help="Where the numbers go; without it, to the data directory, for all runs.")
@click.option("--fresh", is_flag=True, help="Ask everything anew.")
@json_option
def calibrate(**options: Any) -> int:
    """Fit how far confidences can be trusted, on labelled questions.

    \b
    calibrant calibrate                 all datasets; the graph uses the result from then on
    calibrant calibrate --risk 0.1      and choose from which confidence on to answer
    One half of the questions is fitted to, the other one checks it. It can be stopped at any time.
    """
    from calibrant.interfaces.commands.calibrate import CalibrateOptions, run

    return run(CalibrateOptions(**options))


@cli.command()
@click.option("--transport", default="stdio", show_default=True, type=click.Choice(["stdio", "http"]), help="How.")
@click.option("--host", default="127.0.0.1", show_default=True, metavar="ADDRESS", help="Address to bind, for http.")
@click.option("--port", default=8765, show_default=True, type=click.IntRange(0, 65535), help="Port, for http.")
@click.option("--allow-host", multiple=True, metavar="NAME", help="Another name by which http clients may call.")
def mcp(**options: Any) -> int:
    """Serve MCP clients: retrieve_information and ask, as tools.

    \b
    calibrant mcp                     for a client that starts it (stdio)
    calibrant mcp --transport http    streamable HTTP at http://127.0.0.1:8765/mcp
    """
    from calibrant.interfaces.commands.mcp import McpOptions, run

    return run(McpOptions(**options))


def main() -> None:
    """The entry point of the ``calibrant`` command."""
    spare_progress()
    try:
        cli(prog_name="calibrant")
    finally:
        let_go_of_stdout()


if __name__ == "__main__":
    main()
