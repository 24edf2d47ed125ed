"""The report of a run: one HTML page that needs nothing from anywhere, and beside it the same as JSON."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from html import escape
from pathlib import Path

from calibrant.evals.plots import svg
from calibrant.evals.results import FILE, Block, Change, Result, changes, other_settings
from calibrant.evals.task import Figure

MADE_UP = "These figures are over a few items that were written to try the command: they mean nothing."

STYLE = """
body { font: 15px/1.5 system-ui, sans-serif; color: #1f2937; max-width: 62rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin-bottom: 0; } h2 { font-size: 1.15rem; margin-top: 2.2rem; }
h3 { font-size: 1rem; margin-bottom: .3rem; }
table { border-collapse: collapse; margin: .4rem 0; } th { text-align: left; font-weight: 600; }
th, td { padding: .15rem .9rem .15rem 0; border-bottom: 1px solid #e5e7eb; vertical-align: top; }
td.n { text-align: right; font-variant-numeric: tabular-nums; } .dim { color: #6b7280; } .warn { color: #b45309; }
.good { color: #047857; } .bad { color: #b91c1c; } svg { max-width: 100%; height: auto; }
.plots { display: flex; flex-wrap: wrap; gap: 1rem; }
"""


def write(result: Result, folder: Path) -> None:
    """``results.json`` and ``report.html``."""
    data = asdict(result)
    data["changes"] = [asdict(change) for change in changes(result)]
    (folder / "report.html").write_text(render(result), encoding="utf-8")
    (folder / FILE).write_text(json.dumps(data, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")


def render(result: Result) -> str:
    """The whole page."""
    parts = [
        "<!doctype html>",
        '<html lang="en"><head><meta charset="utf-8">',
        f"<title>{escape(result.task)} - Calibrant eval</title><style>{STYLE}</style></head><body>",
        f'<h1>{escape(result.task)}</h1><p class="dim">{escape(result.about)}</p>',
        f'<p class="warn">{escape(MADE_UP)}</p>' if result.made_up else "",
        f'<p class="dim">{escape(_setting_line(result))}</p>',
        _comparison(result),
        *(_block(block) for block in result.blocks),
        "</body></html>",
    ]
    return "\n".join(part for part in parts if part) + "\n"


def _setting_line(result: Result) -> str:
    said = [f"{name}: {value}" for name, value in result.settings.items() if value is not None]
    if result.read:
        said.append(f"{result.read:,} records left out that the reader was fitted on")
    return ", ".join([*said, f"code and settings {result.fingerprint}", f"{result.seconds:.1f} s",
                      f"{result.reused} items reused"])  # fmt: skip


def _comparison(result: Result) -> str:
    if not result.before:
        return ""
    found = list(changes(result))
    other = other_settings(result)
    note = f'<p class="warn">The run before was set otherwise: {escape(other)}.</p>' if other else ""
    if not found:
        return f"<h2>Against the run before</h2>{note}<p>No figure changed.</p>"
    aims = {(block.half, one.dataset, one.name): one.aim for block in result.blocks for one in block.figures}
    rows = [_changed(change, aims[change.half, change.dataset, change.name]) for change in found]
    return f"<h2>Against the run before</h2>{note}{_table(('', 'figure', 'before', 'now', 'change'), rows)}"


def _changed(change: Change, aim: str) -> str:
    difference = change.now - change.before
    tone = "" if not aim or not change.clear else ("good" if (difference > 0) == (aim == "up") else "bad")
    told = f"{difference:+.3f}" + (" (outside the interval of before)" if change.clear else "")
    return _row(
        [f"{change.half}, {change.dataset}", change.name], [f"{change.before:.3f}", f"{change.now:.3f}"], told, tone
    )


def _block(block: Block) -> str:
    counted = ", ".join(f"{name} {count:,}" for name, count in block.counts.items()) or "nothing scored"
    main, detail = ([one for one in block.figures if one.detail is side] for side in (False, True))
    parts = [f'<h2>{escape(block.half)}</h2><p class="dim">scored: {escape(counted)}</p>', _figures(main)]
    if block.unscored:
        rows = [_row([dataset, reason], [f"{count:,}"]) for dataset, reason, count in block.unscored]
        parts.append("<h3>Not scored</h3>" + _table(("dataset", "reason", "items"), rows))
    if block.plots:
        drawn = (svg(plot, f"{block.half} {place}") for place, plot in enumerate(block.plots))
        parts.append(f'<div class="plots">{"".join(drawn)}</div>')
    if detail:
        parts.append(f"<h3>In detail</h3>{_figures(detail)}")
    parts.append(f"<h3>Cost of an item</h3>{_figures(block.costs)}")
    return "\n".join(parts)


def _figures(figures: Sequence[Figure]) -> str:
    rows = [_row([one.dataset, one.name], [number(one.value), bounds(one), f"{one.count:,}"]) for one in figures]
    return _table(("dataset", "figure", "value", "95% interval", "items"), rows)


def number(value: float | None) -> str:
    """Three decimals; a dash where there is no value."""
    return "-" if value is None else f"{value:.3f}"


def bounds(figure: Figure) -> str:
    """``0.71-0.80``; empty where no interval was computed."""
    return "" if figure.low is None or figure.high is None else f"{figure.low:.3f}-{figure.high:.3f}"


def _table(head: Sequence[str], rows: Iterable[str]) -> str:
    return f"<table><tr>{''.join(f'<th>{escape(cell)}</th>' for cell in head)}</tr>{''.join(rows)}</table>"


def _row(words: Sequence[str], numbers: Sequence[str], last: str = "", tone: str = "") -> str:
    cells = [f"<td>{escape(word)}</td>" for word in words]
    cells += [f'<td class="n">{escape(one)}</td>' for one in numbers]
    cells += [f'<td class="{tone}">{escape(last)}</td>'] if last else []
    return f"<tr>{''.join(cells)}</tr>"
