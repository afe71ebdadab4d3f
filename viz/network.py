"""pyvis as pictures use it, without the half of its import that only other ways of using it need."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module, resources
from types import ModuleType
from typing import Any, Protocol

from ..ontology.json_values import Json


class PyvisNetwork(Protocol):
    """What pictures use of a `pyvis.network.Network`."""

    nodes: list[dict[str, Json]]
    edges: list[dict[str, Json]]

    def add_node(self, n_id: int, label: str, shape: str, **options: object) -> None:
        """Add a node; the options are vis-network's, and what the page's script reads of it."""
        ...

    def add_edge(self, source: int, to: int, **options: Json) -> None:
        """Add an edge between two nodes that are there."""
        ...


def empty_network() -> PyvisNetwork:
    """Return a directed `pyvis.network.Network` that holds nothing."""
    _import_pyvis()
    from pyvis import network  # type: ignore[import-untyped]

    empty: PyvisNetwork = network.Network(directed=True)
    return empty


def library() -> str:
    """Return the source of the newest vis-network that pyvis brings."""
    _import_pyvis()
    versions = {
        tuple(int(n) for n in folder.name.split("-")[1].split(".")): folder
        for folder in resources.files("pyvis").joinpath("templates", "lib").iterdir()
        if folder.name.startswith("vis-")
    }
    source = versions[max(versions)].joinpath("vis-network.min.js").read_text(encoding="utf-8")
    return source.replace("</script", "<\\/script")


def _import_pyvis() -> None:
    """Import pyvis, while networkx, IPython and jsonpickle wait until something of them is used.

    pyvis imports them whole, for graphs of networkx, notebooks and files of its own, which takes longer than
    a small picture does. What stands in for them meanwhile is seen by pyvis alone.
    """
    if "pyvis" in sys.modules:
        return
    waiting = {name: part for name, part in _PARTS.items() if name not in sys.modules}
    for name, (attribute, later) in waiting.items():
        sys.modules[name] = ModuleType(name)
        vars(sys.modules[name])[attribute] = later
    try:
        import_module("pyvis")
    finally:
        for name in waiting:
            del sys.modules[name]


def _of_networkx(name: str) -> Any:
    return getattr(import_module("networkx"), name)


def _frame(*args: Any, **options: Any) -> Any:
    return import_module("IPython.display").IFrame(*args, **options)


def _of_jsonpickle(name: str) -> Any:
    return getattr(import_module("jsonpickle"), name)


_PARTS: dict[str, tuple[str, Callable[..., Any]]] = {
    "networkx": ("__getattr__", _of_networkx),
    "jsonpickle": ("__getattr__", _of_jsonpickle),
    "IPython.display": ("IFrame", _frame),
}
"""By module, what pyvis takes of it, and what stands there until it is used."""
