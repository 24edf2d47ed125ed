"""Under LANGGRAPH_STRICT_MSGPACK everything that a run stores comes back as what it was, with nothing to warn of."""

import importlib
import inspect
import pkgutil

from calibrant.graph.serde import state_types, task_types
from calibrant.state.base import Value
from tests.durability.house import House, until
from tests.durability.test_kill import QUESTION, embedded, searches


def test_a_killed_run_goes_on_in_strict_mode(house: House) -> None:
    house.settings |= {"SOURCES": str(house.folder), "LANGGRAPH_STRICT_MSGPACK": "true"}
    (house.folder / "hold-storage").touch()
    process = house.start(str(house.data_dir), "t1", QUESTION, module="tests.durability.worker")
    until(lambda: house.stored("hits") == 9 and searches(house)["storage"] == 3, process)
    process.kill()
    (house.folder / "hold-storage").unlink()
    done = embedded(house)
    assert done.code == 0, done.err
    assert done.json["stop_reason"] == "answered"
    assert "unregistered type" not in done.err
    assert "Blocked deserialization" not in done.err


def test_every_value_of_the_nodes_is_registered() -> None:
    """A value that a node defines travels by ``Send`` or in the retrieval's channels: checkpoints hold it."""
    package = importlib.import_module("calibrant.nodes")
    modules = [module.name for module in pkgutil.walk_packages(package.__path__, "calibrant.nodes.")]
    defined = {
        found
        for name in modules
        for _, found in inspect.getmembers(importlib.import_module(name), inspect.isclass)
        if found.__module__ == name and issubclass(found, Value)
    }
    assert defined == set(task_types())
    assert not defined & set(state_types())
