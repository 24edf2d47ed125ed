"""Plots as SVG, made by Matplotlib, to stand inside a page: no file beside it, no address outside."""

import io
import re
from typing import TYPE_CHECKING

from calibrant.evals.task import Plot

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SIZE = (5.2, 3.6)
COLOURS = ("#2563eb", "#d97706", "#059669", "#dc2626", "#7c3aed", "#0891b2", "#65a30d", "#db2777")


def svg(plot: Plot, place: str = "") -> str:
    """``plot`` as an ``<svg>`` element. The same plot gives the same text; ids differ from ``place`` to ``place``."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(
        {"svg.hashsalt": f"{place} {plot.title}", "svg.fonttype": "none", "font.family": "sans-serif"}
    ):
        picture = Figure(figsize=SIZE, layout="constrained")
        axes = picture.add_subplot()
        _draw(plot, axes)
        axes.set(title=plot.title, xlabel=plot.x, ylabel=plot.y)
        if len(plot.series) > 1:
            axes.legend(fontsize=7, frameon=False)
        text = io.StringIO()
        picture.savefig(text, format="svg", metadata={"Date": None, "Creator": None, "Format": None, "Type": None})
    return _inline(text.getvalue())


def _draw(plot: Plot, axes: "Axes") -> None:
    width = 0.8 / max(1, len(plot.series))
    if plot.kind == "bars":
        axes.set_xticks(sorted({x for series in plot.series for x in series.x}))
    for place, series in enumerate(plot.series):
        colour = COLOURS[place % len(COLOURS)]
        if plot.kind == "bars":
            axes.bar([x + place * width - 0.4 + width / 2 for x in series.x], series.y, width, label=series.name,
                     color=colour)  # fmt: skip
        elif plot.kind == "points":
            axes.scatter(series.x, series.y, label=series.name, color=colour)
        else:
            axes.plot(series.x, series.y, "o-" if len(series.x) <= 20 else "-", label=series.name, color=colour, ms=3)
    if plot.diagonal:
        axes.plot([0, 1], [0, 1], "--", color="#9ca3af", lw=1)
    axes.grid(alpha=0.2)
    axes.spines[["top", "right"]].set_visible(False)


def _inline(text: str) -> str:
    """The element alone: without prologue, metadata, and the names of schemas, which are addresses."""
    text = text[text.index("<svg") :]
    text = re.sub(r"<metadata>.*?</metadata>", "", text, flags=re.DOTALL)
    text = re.sub(r'<g id="[^"]*"', "<g", text)  # nothing refers to these, and every plot has them
    return re.sub(r'\sxmlns(:\w+)?="[^"]*"', "", text).replace("xlink:href", "href")
