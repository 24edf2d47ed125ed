"""The groups of commands of the command line: in which order they list them, and where their errors end."""

import sys
from typing import Any

import click

from calibrant.interfaces import failures


class Ordered(click.Group):
    """A group that lists its commands as they stand here."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(self.commands)


class Listing(Ordered):
    """A group that lists what it is about where no command is named, and whose commands take options before their name
    too: ``threads --json`` is ``threads list --json``."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        if not args or (args[0].startswith("-") and args[0] not in ctx.help_option_names):
            command = next((one for one in args if one in self.commands), None)
            if command is not None:
                args.remove(command)
            args = [command or "list", *args]
        return super().parse_args(ctx, args)


class Guarded(Ordered):
    """A group whose commands return their exit code, and whose errors all end in ``failures.report``."""

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        try:
            return super().make_context(*args, **extra)
        except (click.exceptions.NoArgsIsHelpError, BrokenPipeError):
            raise
        except (click.UsageError, OSError) as error:  # OSError: `--help` that cannot be written
            sys.exit(failures.report(error))

    def invoke(self, ctx: click.Context) -> Any:
        try:
            code = super().invoke(ctx)
            if sys.stdout is not None:
                sys.stdout.flush()
        except (click.exceptions.Exit, BrokenPipeError):  # with nobody left to read, click ends without a word
            raise
        except (Exception, KeyboardInterrupt) as error:  # noqa: BLE001 - the one place where errors end
            code = failures.report(error, debug=bool(ctx.params.get("debug")))
        ctx.exit(int(code or 0))
