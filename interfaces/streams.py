"""The process's own streams at its end."""

import os
import sys


def flush_progress() -> None:
    """Send off what is left for stderr; where its reader has left, to nowhere: Python ends with an error of its own
    (https://docs.python.org/3/library/signal.html#note-on-sigpipe)."""
    if sys.stderr is None:
        return
    try:
        sys.stderr.flush()
    except BrokenPipeError:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, sys.stderr.fileno())
        os.close(nowhere)
