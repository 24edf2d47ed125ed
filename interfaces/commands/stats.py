"""``calibrant stats``: what past runs took."""

import time
from collections.abc import Iterator, Mapping
from dataclasses import asdict

from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from calibrant.graph.runs import RunLog
from calibrant.graph.settings import load_machine
from calibrant.interfaces import terminal
from calibrant.interfaces.commands.ending import echo_json
from calibrant.interfaces.failures import Exit
from calibrant.interfaces.lines import say
from calibrant.interfaces.spans import span_of, words_of
from calibrant.interfaces.stats import CONFIDENT, Stats, stats_of
from calibrant.interfaces.terminal import Symbols, bar, depth_dots, labelled, level_style, show, symbols_for
from calibrant.interfaces.wording import counted
from calibrant.state.evidence import SourceState

BAR = 20
LABEL = 14
FIGURE = 6

BAD = (SourceState.FAILED, SourceState.LIMITED)


def run(since: str, *, as_json: bool) -> Exit:
    """Show the statistics."""
    seconds = span_of("--since", since)
    log = RunLog(load_machine().data_dir)
    stats = stats_of(log.read(time.time() - seconds if seconds else 0.0))
    console = terminal.out()
    if as_json:
        echo_json(asdict(stats))
    elif not stats.runs:
        when = f" in the last {words_of(since)}" if since else " yet"
        say(f'no finished runs{when}: calibrant ask "What do you want to know?"')
    else:
        show_stats(console, stats, since)
    return Exit.DONE


def show_stats(console: Console, stats: Stats, since: str) -> None:
    """The whole page."""
    symbols = symbols_for(console)
    show(
        console,
        _head(stats, since, symbols),
        Text(),
        labelled(_facts(stats, symbols), LABEL),
        *_iterated(stats, symbols),
    )


def _head(stats: Stats, since: str, symbols: Symbols) -> Text:
    when = f"last {words_of(since)}" if since else "all runs"
    counts = [when, counted(stats.retrievals, "retrieval"), f"{stats.runs - stats.searched:,} without a search"]
    text = Text(counted(stats.runs, "run"), style="bold")
    return text.append(f"   {f' {symbols.dot} '.join(counts)}", style="not bold dim")


def _facts(stats: Stats, symbols: Symbols) -> Iterator[tuple[str, RenderableType]]:
    dot = f" {symbols.dot} "
    if stats.mean_depth is not None:
        yield "Mean depth", _measured(f"{stats.mean_depth:.1f}", stats.mean_depth / 3, _depths(stats, symbols), symbols)
    if stats.saving is not None:
        yield "Saved", _share(stats.saving, "at most, against always depth 3", symbols)
    if stats.mean_confidence is not None:
        score, style = stats.mean_confidence, level_style(stats.mean_confidence)
        yield "Confidence", _measured(f"{score:.2f}", score, "on average", symbols, style)
    if stats.confident is not None:
        yield f"Above {CONFIDENT}", _share(stats.confident, "of the runs", symbols)
    if stats.good is not None:
        yield "Called good", _share(stats.good, f"of {counted(stats.judged, 'run')} with your verdict", symbols)
    if stats.several_rounds is not None:
        yield "Several rounds", _share(stats.several_rounds, "of the runs", symbols)
    yield "Ended", dot.join(f"{reason} {count:,}" for reason, count in stats.ended.items())
    yield "Synthesis", dot.join((counted(stats.conflicts, "conflict"), f"{counted(stats.filtered, 'result')} left out"))
    if stats.verified is not None:
        yield "Verified", _share(stats.verified, dot.join(_verified(stats)), symbols)
    yield "Cost", dot.join(_cost(stats))
    if stats.mean_seconds is not None:
        yield "Working time", f"{stats.mean_seconds:.1f} s a run"
    for number, (source, states) in enumerate(stats.sources.items()):
        yield "" if number else "Sources", _source(source, states, symbols)


def _measured(figure: str, share: float, words: str, symbols: Symbols, style: str = "blue") -> Text:
    """``1.8   ━━━━━━────  words``."""
    drawn = bar(share, BAR, symbols, style=style)
    return Text.assemble((f"{figure:<{FIGURE}}", "bold"), drawn, "  ", (words, "label"))


def _share(share: float, words: str, symbols: Symbols) -> Text:
    return _measured(f"{share:.0%}", share, words, symbols)


def _depths(stats: Stats, symbols: Symbols) -> str:
    """``●○○ 12  ●●○ 4``."""
    return "  ".join(f"{depth_dots(depth, symbols)} {count:,}" for depth, count in stats.depths.items())


def _verified(stats: Stats) -> list[str]:
    runs = counted(stats.conditioned, "run")
    return [f"of the passages, in {runs} with conditions", counted(stats.refinements, "refinement")]


def _cost(stats: Stats) -> list[str]:
    mean = stats.dollars / stats.runs
    spent = [f"${stats.dollars:.2f}", f"${mean:.4f} a run"] if stats.dollars else ["$0"]
    return [*spent, counted(stats.model_calls, "model call"), counted(stats.tokens, "token")]


def _source(source: str, states: Mapping[str, int], symbols: Symbols) -> Text:
    """``✓ knowledge  ok 12 · failed 1``. The sign is a cross where it failed at least as often as it answered."""
    failed = sum(states.get(state, 0) for state in BAD)
    good = states.get(SourceState.OK, 0) + states.get(SourceState.EMPTY, 0)
    sign, style = (symbols.failed, "bad") if failed and failed >= good else (symbols.done, "good")
    told = f" {symbols.dot} ".join(f"{state} {states[state]:,}" for state in SourceState if state in states)
    return Text.assemble((f"{sign} {source}", style), f"  {told}")


def _iterated(stats: Stats, symbols: Symbols) -> Iterator[RenderableType]:
    if not stats.most_iterated:
        return
    yield Text("\nMost iterated", style="bold")
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(justify="right", no_wrap=True)
    grid.add_column(no_wrap=True, style="cyan")
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    for item in stats.most_iterated:
        grid.add_row(counted(item.rounds, "round"), depth_dots(item.depth, symbols), item.question)
    yield grid
