"""Options of the command line that several commands have, and what they may be."""

import math
from collections.abc import Callable
from typing import Any, TypeVar

import click

F = TypeVar("F", bound=Callable[..., Any])
LISTED = 20
KINDS = ("text", "markdown", "html", "pdf", "docx", "csv", "code")
"""As ``state.evidence`` names them. Repeated, since importing those is slow and ``--help`` must answer at once."""


def not_empty(ctx: click.Context, param: click.Parameter, values: tuple[str, ...]) -> tuple[str, ...]:
    """The paths or patterns that were given. To the file system the empty path, such as a variable that is not set, is
    the working folder, and the empty pattern fits every file."""
    if not all(values):
        raise click.BadParameter("a path, a name or a pattern is expected, and one is empty", ctx, param)
    return values


def finite(ctx: click.Context, param: click.Parameter, value: float | None) -> float | None:
    """A number: ``nan`` lies outside no range."""
    if value is not None and not math.isfinite(value):
        raise click.BadParameter(f"{value} is no number", ctx, param)
    return value


def json_option(command: F) -> F:
    """``--json``, the same everywhere."""
    return click.option("--json", "as_json", is_flag=True, help="One JSON object on stdout, nothing else.")(command)


def limit_option(command: F) -> F:
    """``--limit`` of a list."""
    says = "How many, newest first."
    most = click.IntRange(1, 1_000_000)
    return click.option("-n", "--limit", default=LISTED, show_default=True, type=most, help=says)(command)


def older_option(says: str) -> Callable[[F], F]:
    """``--older-than``: removing by age."""
    return click.option("--older-than", default="", metavar="SPAN", help=says)


def one_of(what: str, named: tuple[str, ...], older_than: str) -> None:
    """What is removed is named, or it is old: one of the two."""
    if bool(named) == bool(older_than):
        raise click.UsageError(f"give either {what} or --older-than")


def model_option(command: F) -> F:
    """``--model``: another model than the settings name."""
    says = "Ask this model where the model-free tier is in doubt; `none` for no model."
    return click.option("-m", "--model", metavar="NAME", help=says)(command)


def trace_option(command: F) -> F:
    """``--trace-file``: where the events of the run go."""
    says = "Append each event of the run to FILE, as JSON lines."
    return click.option("--trace-file", default="", metavar="FILE", help=says)(command)


def seed_option(drawn: str) -> Callable[[F], F]:
    """``--seed``, which draws what ``--limit`` leaves and the intervals."""
    says = f"Draws the {drawn} of --limit and the intervals."
    return click.option("--seed", type=click.IntRange(min=0), default=0, show_default=True, help=says)


def filter_options(command: F) -> F:
    """``--include`` and ``--kind``: what part of the knowledge may be searched."""
    says = "Search only paths that match."
    include = click.option("--include", multiple=True, metavar="GLOB", callback=not_empty, help=says)
    kind = click.option("--kind", "kinds", multiple=True, type=click.Choice(KINDS), help="Search only this kind.")
    return include(kind(command))
