"""Questions over manuals and handbooks as projects and teams keep them: the whole folders, in the form that they have.

The questions are here (``manuals.jsonl``), written by reading the files, before the product was asked. The files are
not. ``python -m calibrant.evals.manuals`` brings them below ``manuals/`` of the folder of the datasets, each project's
at the commit that ``manuals.json`` names.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from calibrant.evals.data import datasets
from calibrant.evals.halves import MANUALS
from calibrant.evals.task import Item
from calibrant.state.errors import InputError


@dataclass(frozen=True)
class Manual:
    """One project's files. ``part``: what all of its questions are for (see ``halves.py``)."""

    name: str
    repository: str
    commit: str
    part: str
    files: tuple[str, ...]

    @property
    def key(self) -> str:
        """The record that its questions come from."""
        return f"{self.part}/{self.name}"

    def paths(self, root: Path) -> list[Path]:
        """Its files below the folder of the datasets. Raises ``InputError`` where one is not there."""
        held = [root / MANUALS / self.name / file for file in self.files]
        if lost := next((path for path in held if not path.is_file()), None):
            raise InputError(f"no file {lost}: `python -m calibrant.evals.manuals` brings those that are missing")
        return held


@dataclass(frozen=True)
class Asked:
    """A question of a manual, what answers it as it stands in ``where`` and in other places; none: nothing does."""

    manual: Manual
    question: str
    answers: tuple[str, ...]
    where: str
    kind: str
    """``value``, ``name``, ``howto``, ``why``, ``yesno``, ``what`` or ``list``."""


@cache
def manuals() -> Mapping[str, Manual]:
    """All of them by their names."""
    held = json.loads(_content("manuals.json"))
    return {name: Manual(name=name, **row | {"files": tuple(row["files"])}) for name, row in held.items()}


def asked() -> Iterator[Asked]:
    """All questions."""
    for row in map(json.loads, _content("manuals.jsonl").splitlines()):
        yield Asked(manuals()[row["manual"]], row["question"], tuple(row["answers"]), row["where"], row["kind"])


def items(root: Path) -> Iterator[Item]:
    """The questions as a task's items, each asked of its own manual. Raises ``InputError`` where a file is missing."""
    for manual in manuals().values():
        manual.paths(root)
    for one in asked():
        truth: dict[str, Any] = {"answers": list(one.answers), "needs": [], "together": False}
        library = f"{MANUALS}/{one.manual.name}"
        yield Item(MANUALS, one.manual.key, one.question, truth, category=one.kind, own_library=library)


def _content(name: str) -> str:
    return files("calibrant.evals").joinpath(name).read_text(encoding="utf-8")


def bring(manual: Manual, root: Path) -> None:
    """Write the files of a manual below ``root``. Needs ``git`` and the network; raises ``CalledProcessError``."""
    with tempfile.TemporaryDirectory() as clone:

        def git(*arguments: str) -> None:
            subprocess.run(["git", "-C", clone, *arguments], check=True)  # noqa: S603, S607

        git("init", "--quiet")
        git("remote", "add", "origin", f"https://{manual.repository}")
        git("fetch", "--quiet", "--depth=1", "--filter=blob:none", "origin", manual.commit)
        git("checkout", "--quiet", "FETCH_HEAD", "--", *manual.files)
        for file in manual.files:
            path = root / MANUALS / manual.name / file
            path.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path(clone) / file, path)


def main() -> None:
    """Bring what is not there yet."""
    root = datasets()
    for place, manual in enumerate(manuals().values(), start=1):
        try:
            manual.paths(root)
        except InputError:
            try:
                bring(manual, root)
            except (OSError, subprocess.CalledProcessError) as failure:
                sys.exit(f"{manual.name} could not be brought, which needs git and the network: {failure}")
        sys.stderr.write(f"{place} of {len(manuals())}: {manual.name}\n")


if __name__ == "__main__":
    main()
