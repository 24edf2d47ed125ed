"""The libraries that only evals need: scikit-learn, SciPy, Matplotlib. Imported where they are used, checked first."""

from importlib.util import find_spec

from calibrant.state.errors import InputError, how_to_install

NEEDED = ("sklearn", "scipy", "matplotlib")


def check() -> None:
    """Raise ``InputError`` with what to install, before any work is done."""
    lacking = [name for name in NEEDED if find_spec(name) is None]
    if lacking:
        raise InputError(f"evals need {', '.join(lacking)}: {how_to_install('evals')}")
