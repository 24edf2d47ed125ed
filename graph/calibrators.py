"""The calibrators' file: the data directory's own, else the one that ships with the package."""

import hashlib
import uuid
from functools import cache
from importlib.resources import files
from pathlib import Path

from pydantic import ValidationError

from calibrant.judges.calibration import Calibration, Calibrator, CalibratorFile
from calibrant.judges.fitted import SECTIONS
from calibrant.retrievers.home import made_private
from calibrant.state.errors import ConfigurationError

FILE = "calibrators.json"


def load_calibrators(data_dir: Path) -> CalibratorFile:
    """What was fitted on this machine, else what ships, else nothing. Blocking.

    Raises ``ConfigurationError`` for a file that is damaged or newer than this version.
    """
    own = data_dir / FILE
    try:
        return parsed(own.read_text(encoding="utf-8"), own) if own.is_file() else shipped()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(_damaged(own, type(error).__name__)) from None


def shipped() -> CalibratorFile:
    """What comes with the package. Blocking."""
    file = files("calibrant.judges").joinpath(FILE)
    return parsed(file.read_text(encoding="utf-8"), FILE) if file.is_file() else CalibratorFile()


def parsed(text: str, place: Path | str) -> CalibratorFile:
    """The file from its text. Raises ``ConfigurationError``."""
    try:
        return CalibratorFile.model_validate_json(text)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"])
        raise ConfigurationError(_damaged(place, f"{where}: {first['msg']}".removeprefix(": "))) from None


def _damaged(place: Path | str, why: str) -> str:
    return f"{place} cannot be used ({why}): delete it, or fit anew with `calibrant calibrate`"


def write_calibrators(held: CalibratorFile, path: Path) -> None:
    """Write the file at one stroke: whoever reads meanwhile sees the old one or the new one, and of two who write at
    once the later one's is kept. Blocking."""
    made_private(path.parent)
    fresh = path.with_name(f"{path.name}.{uuid.uuid4().hex}.new")
    fresh.write_text(held.model_dump_json(indent=1) + "\n", encoding="utf-8")
    fresh.replace(path)


def calibration_of(calibrators: tuple[Calibrator, ...], encoder: str, model: str = "") -> Calibration:
    """Calibrators for a graph with these embeddings (their identity; empty without any)."""
    return Calibration(calibrators, encoder, fitted_models(), fitted_sections(), model)


@cache
def fitted_models() -> str:
    """Digest of the numbers that the judges were fitted to, but those of ``fitted_sections``. Other numbers give other
    scores."""
    held = sorted(file.name for file in files("calibrant.judges").iterdir() if file.name.startswith("fitted"))
    return _digest(*(name for name in held if not name.endswith(".py") and name != SECTIONS))


@cache
def fitted_sections() -> str:
    """Digest of the reader of sections."""
    return _digest(SECTIONS)


def _digest(*names: str) -> str:
    numbers = (files("calibrant.judges").joinpath(name).read_bytes() for name in names)
    return hashlib.sha256(b"\n".join(numbers)).hexdigest()[:12]
