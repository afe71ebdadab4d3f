"""The SPARQL 1.1 Protocol for queries: each case of our manifest, sent to a running service."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from live import service
from protocols import ProtocolCase, cases, failure
from rulesgraph.loaders.store import open_store

MANIFEST = Path(os.environ.get("RULESGRAPH_PROTOCOL", Path(__file__).parent / "protocol" / "manifest.ttl"))
"""The manifest that is run; that of the W3C can be named instead, from a copy of its tests."""

CASES = list(cases(MANIFEST))


@pytest.fixture(scope="module")
def address(starter_store: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A service over the starter rules and the graphs of all cases."""
    folder = Path(shutil.copytree(starter_store, tmp_path_factory.mktemp("protocol") / "store"))
    graphs = {name: path for case in CASES for name, path in case.graphs.items()}
    with open_store(folder, write=True).rewrite() as rewrite:
        for name, path in graphs.items():
            lines = path.read_text(encoding="utf-8").splitlines()
            quads = [f"{it.rstrip().removesuffix('.')}<{name}> .\n" for it in lines if it.strip()]
            rewrite.load([line.encode() for line in quads])
    with service(folder) as found:
        yield found


@pytest.mark.parametrize("case", CASES, ids=[case.name for case in CASES])
def test_the_protocol_is_kept(address: str, case: ProtocolCase) -> None:
    assert failure(address, case) == ""


def test_the_runner_sees_what_is_wrong(address: str) -> None:
    known = {case.name: case for case in cases(Path(__file__).parent / "protocol" / "manifest.ttl")}
    [good], [bad], [rows] = (known[name].exchanges for name in ("get", "syntax", "select"))
    from dataclasses import replace

    def told(exchange: object, **changes: object) -> str:
        assert isinstance(exchange, type(good))
        return failure(address, ProtocolCase("", {}, (replace(exchange, **changes),)))  # type: ignore[arg-type]

    assert told(good) == told(bad) == told(rows) == ""
    assert "the answer is True" in told(good, truth=False)
    assert "the status is 200" in told(good, statuses=frozenset({4}))
    assert "the status is 400" in told(bad, statuses=frozenset({2}))
    assert "not of the form boolean" in told(rows, form="boolean")
    assert "no type of RDF" in told(rows, form="RDF")
