"""Run in the empty environment: imports every module of the installed package and prints what could not be."""

import importlib
import json
import pkgutil

import audited  # type: ignore[import-not-found]

import calibrant

names, failed = [], {}
for module in pkgutil.walk_packages(calibrant.__path__, "calibrant."):
    if module.name.rpartition(".")[2] == "__main__":
        continue
    names.append(module.name)
    try:
        importlib.import_module(module.name)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        failed[module.name] = repr(error)
print(json.dumps({"count": len(names), "failed": failed, "opened": audited.seen}))
