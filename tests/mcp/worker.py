"""A stdio server over one source: ``python -m tests.mcp.worker DATA_DIR hanging|noisy``."""

import asyncio
import sys
from pathlib import Path

from calibrant.interfaces.failures import hush
from calibrant.interfaces.mcp import make_server
from tests.mcp.house import PATIENT, Hanging, Noisy, app_over


def main(data_dir: str, kind: str) -> None:
    """Serve until stdin ends."""
    hush(debug=True)
    source = Hanging(mark=Path(data_dir) / "mark") if kind == "hanging" else Noisy()
    app = app_over(Path(data_dir), [source], **PATIENT)
    asyncio.run(make_server(app).run_stdio_async())


if __name__ == "__main__":
    main(*sys.argv[1:])
